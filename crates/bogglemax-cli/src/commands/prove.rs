//! `prove`: finds all boards of a shape that score at least a cutoff, up to symmetry.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bogglemax::run::{
    EngineName, Existing, FoundBoard, Job, MEMORY_OF_A_THREAD, Observer, Progress, Record, RunDir, Shard,
    Spec, Summary, WorkOptions, work,
};
use bogglemax::{Alphabet, Board, Dims};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;

use super::gallery::climb_first;
use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption, bytes};
use crate::output::{self, POINTS, STRONG, counted, grouped};

/// Find ALL boards of a shape that score at least a cutoff, and so prove which is the best
///
/// Without --cutoff, a climb looks for the best board first; then the run proves that no board beats
/// it. Every finished task is recorded in a run directory: a run that was interrupted, in whatever
/// way, goes on with --resume.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax prove 3x3                       the best 3x3 board, and the proof, in seconds
  bogglemax prove 3x3 --cutoff 500          all 42 boards of 500 points and more
  bogglemax prove 3x4 --cutoff 1500 --out run34
  bogglemax prove 3x4 --cutoff 1500 --out run34 --resume
  bogglemax prove 4x4 --cutoff 3500 --shard 1/100 --out part1     one of 100 parts; join them with
  bogglemax run merge part* --out whole                           `run merge`")]
pub struct Args {
    /// Rows x columns, e.g. 3x4
    #[arg(value_name = "RxC")]
    dims: Dims,

    /// Find the boards that score at least this much [default: the best score that a climb finds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cutoff: Option<u64>,

    /// How to search: fast, or paper (Sum/Choice trees as in the paper)
    #[arg(long, value_name = "NAME", default_value = "fast")]
    engine: EngineName,

    /// Run directory [default: a name made from the parameters]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Continue a run directory that is there already
    #[arg(long)]
    resume: bool,

    /// Run only a part of the tasks, e.g. 1/4
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// What the lists of all threads may take together, e.g. 4G [default: 3G a thread]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<usize>,

    /// Write the branch tree of every task as well, for `verify` to follow
    #[arg(long)]
    certificate: bool,

    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Report<'a> {
    dims: &'a str,
    wordlist: &'a str,
    scoring: &'a str,
    cutoff: u64,
    engine: &'a str,
    boards: &'a [FoundBoard],
    tasks: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    out: String,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    let start = Instant::now();
    args.game.needs_one_spelling("prove")?;
    if args.engine == EngineName::Paper {
        args.game.needs_english_tiles("prove --engine paper")?;
    }
    let lexicon = args.game.lexicon()?;
    let climbed = match args.cutoff {
        Some(_) => None,
        None => Some(climb_first(
            &lexicon,
            args.game.scoring(),
            args.dims,
            args.seed.or_one(),
            ": is there a better one?",
        )?),
    };
    let cutoff = args.cutoff.or(climbed.as_ref().map(|c| c.score)).expect("one of the two");
    let job = Job::new(args.engine, &lexicon, args.game.scoring(), args.dims, cutoff)?
        .with_certificates(args.certificate)?;
    let spec = job.spec(args.shard);
    let out = args.out.clone().unwrap_or_else(|| default_directory(&spec));
    let existing = if args.resume { Existing::Resume } else { Existing::Refuse };
    let mut run = RunDir::open(&out, &spec, existing)?;
    let before = run.done().len();
    if before > 0 {
        anstream::eprintln!("{} of {} tasks are recorded in '{}'", before, spec.own_tasks(), out.display());
    }
    stop_on_ctrl_c(&out)?;
    let threads = args.threads.count();
    let options =
        WorkOptions { threads, max_memory: args.max_memory.unwrap_or(threads * MEMORY_OF_A_THREAD) };
    let watcher = Watcher::new(&run)?;
    work(&job, &mut run, &options, &watcher)?;
    watcher.bar.finish_and_clear();
    let summary = Summary::new(run.spec(), run.done())?;
    let wall = start.elapsed();
    let mut stdout = output::stdout();
    if args.output.json {
        output::json(&mut stdout, &report(&spec, &summary, wall, &out))?;
    } else {
        print(&mut stdout, &spec, &summary, climbed.is_some(), wall, &out)?;
    }
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn default_directory(spec: &Spec) -> PathBuf {
    let list = PathBuf::from(&spec.wordlist.name);
    let list = list.file_name().map_or("list".into(), |name| name.to_string_lossy().into_owned());
    let mut name = format!("run-{}-{list}-{}-{}-{}", spec.dims, spec.scoring, spec.cutoff, spec.engine);
    if let Some(Shard { index, count }) = spec.shard {
        name += &format!("-{index}of{count}");
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '_' };
    name.chars().map(plain).collect::<String>().into()
}

/// The journal survives being killed, so stopping is leaving; what is left to do is to say how to
/// go on.
fn stop_on_ctrl_c(out: &std::path::Path) -> Result<()> {
    let out = out.display().to_string();
    let leave = move || {
        eprintln!(
            "\nbogglemax: stopped; what is done is recorded: go on with the same command and --resume --out '{out}'"
        );
        std::process::exit(130);
    };
    ctrlc::set_handler(leave).context("cannot watch for Ctrl-C")
}

/// Shows progress on stderr: a bar on a terminal, a line a minute elsewhere; boards as they are found.
struct Watcher {
    bar: ProgressBar,
    dims: Dims,
    alphabet: Alphabet,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    boards: std::collections::HashSet<Board>,
    best: u64,
    shown: usize,
    last_line: Instant,
}

/// Steps of the bar: it shows shares of the predicted work.
const STEPS: f64 = 10_000.0;
/// Boards shown as they are found; a low cutoff has thousands.
const MAX_SHOWN: usize = 50;
/// Time between two lines where stderr is no terminal.
const PAUSE: Duration = Duration::from_secs(60);

impl Watcher {
    fn new(run: &RunDir) -> Result<Watcher> {
        let bar = if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{elapsed} {bar:30.green} {percent:>3}%  {wide_msg}")?;
            let bar = ProgressBar::new(STEPS as u64).with_style(style);
            bar.set_message(counted(run.spec().own_tasks(), "task"));
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        } else {
            ProgressBar::hidden()
        };
        let now = Instant::now();
        let state = State { boards: Default::default(), best: 0, shown: 0, last_line: now };
        let (dims, alphabet) = (run.spec().dims.parse()?, run.spec().alphabet()?);
        let watcher = Watcher { bar, dims, alphabet, start: now, state: state.into() };
        let mut state = watcher.state.lock().expect("not shared yet");
        for record in run.done().values() {
            watcher.new_boards(&mut state, record);
        }
        drop(state);
        Ok(watcher)
    }

    /// Adds the record's boards to those known; returns the new ones.
    fn new_boards(&self, state: &mut State, record: &Record) -> Vec<(Board, u64)> {
        let mut new = Vec::new();
        for found in &record.boards {
            let board = Board::parse_with(&found.board, Some(self.dims), &self.alphabet);
            let Ok(board) = board else { continue };
            let board = board.canonical();
            state.best = state.best.max(found.score);
            if state.boards.insert(board) {
                new.push((board, found.score));
            }
        }
        new
    }

    fn message(&self, state: &State, progress: &Progress) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let (worked, left) = (progress.share - progress.share_before, (1.0 - progress.share).max(0.0));
        let eta = match worked > 0.0 {
            true => HumanDuration(Duration::from_secs_f64((seconds * left / worked).min(1e9))).to_string(),
            false => "unknown".into(),
        };
        format!(
            "{} of {} tasks, {}, best {}; {} nodes/s, {} MB, about {eta} left",
            grouped(progress.done),
            grouped(progress.tasks),
            counted(state.boards.len() as u64, "board"),
            grouped(state.best),
            grouped((progress.nodes as f64 / seconds.max(1e-3)) as u64),
            resident_megabytes().map_or("?".into(), grouped),
        )
    }
}

impl Observer for Watcher {
    fn finished(&self, record: &Record, progress: &Progress) {
        let mut state = self.state.lock().expect("no panic while locked");
        for (board, score) in self.new_boards(&mut state, record) {
            state.shown += 1;
            let line = match state.shown {
                ..=MAX_SHOWN => format!("{}: {score}", board.text(&self.alphabet)),
                n if n == MAX_SHOWN + 1 => "… and more: all are listed at the end".into(),
                _ => break,
            };
            self.bar.suspend(|| anstream::eprintln!("{line}"));
        }
        if !self.bar.is_hidden() {
            self.bar.set_position((progress.share * STEPS) as u64);
            self.bar.set_message(self.message(&state, progress));
        } else if state.last_line.elapsed() >= PAUSE {
            state.last_line = Instant::now();
            anstream::eprintln!("{:.1} %: {}", 100.0 * progress.share, self.message(&state, progress));
        }
    }
}

/// What the process holds in memory, where the system tells.
fn resident_megabytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some((pages * 4096) >> 20)
}

fn report<'a>(spec: &'a Spec, summary: &'a Summary, wall: Duration, out: &std::path::Path) -> Report<'a> {
    Report {
        dims: &spec.dims,
        wordlist: &spec.wordlist.name,
        scoring: &spec.scoring,
        cutoff: spec.cutoff,
        engine: &spec.engine,
        boards: &summary.boards,
        tasks: summary.tasks,
        cpu_seconds: summary.cpu_seconds,
        wall_seconds: wall.as_secs_f64(),
        out: out.display().to_string(),
    }
}

fn print(
    out: &mut impl Write,
    spec: &Spec,
    summary: &Summary,
    climbed: bool,
    wall: Duration,
    directory: &std::path::Path,
) -> Result<()> {
    for found in &summary.boards {
        writeln!(out, "{}: {}", found.board, found.score)?;
    }
    let dims = &spec.dims;
    let (count, of) =
        (counted(summary.boards.len() as u64, "board"), format!("{} or more", counted(spec.cutoff, "point")));
    match (&spec.shard, summary.boards.first()) {
        (Some(Shard { index, count: parts }), _) => {
            writeln!(out, "{STRONG}Part {index} of {parts} is done:{STRONG:#} {count} of {of} in it")?;
        }
        (None, Some(best)) => {
            let alphabet = spec.alphabet()?;
            let board = Board::parse_with(&best.board, Some(spec.dims.parse()?), &alphabet)?;
            write!(out, "\n{}", output::drawn(&board, &alphabet))?;
            let points = counted(best.score, "point");
            writeln!(
                out,
                "{STRONG}No {dims} board beats {POINTS}{points}{POINTS:#}{STRONG:#}: proved for {}, {} scoring",
                spec.wordlist.name, spec.scoring
            )?;
            if !climbed {
                writeln!(
                    out,
                    "{count} up to symmetry {} {of}",
                    if summary.boards.len() == 1 { "has" } else { "have" }
                )?;
            }
        }
        (None, None) => writeln!(out, "{STRONG}No {dims} board has {of}{STRONG:#}")?,
    }
    writeln!(
        out,
        "{}, {:.1} s of CPU in all, {:.1} s now; recorded in '{}'",
        counted(summary.tasks, "task"),
        summary.cpu_seconds,
        wall.as_secs_f64(),
        directory.display()
    )?;
    let next = match (&spec.shard, summary.boards.first()) {
        (Some(_), _) => format!(
            "bogglemax run merge DIR… --out whole   (when all {} parts are done)",
            spec.tasks.min(spec.shard.map_or(1, |s| s.count))
        ),
        (None, Some(best)) => format!("bogglemax solve {} --dims {dims}", best.board),
        (None, None) => format!("bogglemax climb --dims {dims}   (for a cutoff that some board reaches)"),
    };
    writeln!(out, "Next: {next}")?;
    Ok(())
}
