//! How a long run tells how far it is, on stderr: a line that renews itself on a terminal, a plain
//! line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines where stderr is no terminal.
const PAUSE: Duration = Duration::from_secs(15);

/// Steps of a bar.
const STEPS: f64 = 10_000.0;

/// The progress of one command.
pub struct Progress {
    line: Option<ProgressBar>,
    last: Instant,
}

impl Progress {
    /// Begins.
    pub fn new() -> Progress {
        let line = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
            let line = ProgressBar::new_spinner().with_style(style.expect("a template"));
            line.enable_steady_tick(Duration::from_millis(120));
            line
        });
        Progress { line, last: Instant::now() }
    }

    /// Begins, with a bar for the share that is done.
    pub fn with_bar() -> Progress {
        let progress = Progress::new();
        if let Some(line) = &progress.line {
            let style = ProgressStyle::with_template("{elapsed} {bar:30.green} {percent:>3}%  {wide_msg}");
            line.set_style(style.expect("a template"));
            line.set_length(STEPS as u64);
        }
        progress
    }

    /// Says how much is done, from 0 to 1, and how things stand.
    pub fn tell_share(&mut self, share: f64, message: impl FnOnce() -> String) {
        if let Some(line) = &self.line {
            line.set_position((share * STEPS) as u64);
        }
        let plain = self.line.is_none();
        self.tell(|| if plain { format!("{:.1} %: {}", 100.0 * share, message()) } else { message() });
    }

    /// Says how things stand.
    pub fn tell(&mut self, message: impl FnOnce() -> String) {
        match &self.line {
            Some(line) => line.set_message(message()),
            None if self.last.elapsed() >= PAUSE => {
                anstream::eprintln!("bogglemax: {}", message());
                self.last = Instant::now();
            }
            None => {}
        }
    }

    /// Says something that stays, such as the end of a part.
    pub fn note(&mut self, message: &str) {
        match &self.line {
            Some(line) => line.println(message),
            None => anstream::eprintln!("bogglemax: {message}"),
        }
        self.last = Instant::now();
    }

    /// Takes the line away.
    pub fn finish(self) {
        if let Some(line) = self.line {
            line.finish_and_clear();
        }
    }
}
