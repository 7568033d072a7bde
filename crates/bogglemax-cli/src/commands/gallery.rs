//! What the searches share: where they may look, and the boards that their runs found.

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use bogglemax::search::{ClimbOptions, ClimbResult, ScoredBoard, Space, climb};
use bogglemax::{Alphabet, Board, Dims, Lexicon, Scoring};
use serde_json::json;

use crate::output::{self, FAINT, POINTS, STRONG, counted, grouped};
use crate::progress::Progress;

/// Where a search may look.
#[derive(clap::Args, Debug)]
pub struct SpaceOptions {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    dims: Dims,

    /// Letters that no board may have, e.g. qz
    #[arg(long, value_name = "LETTERS", default_value = "")]
    exclude: String,

    /// Cells that stay: a board with dots for the others, e.g. p..slatg........
    #[arg(long, value_name = "PATTERN")]
    fixed: Option<String>,

    /// Begin with this board in place of random ones
    #[arg(long, value_name = "BOARD")]
    start: Option<String>,
}

impl SpaceOptions {
    /// The space, and the board to begin with.
    pub fn resolve(&self, lexicon: &Lexicon) -> Result<(Space, Option<Board>)> {
        let alphabet = lexicon.alphabet();
        let mut space = Space::new(self.dims, alphabet).excluding(&self.exclude, alphabet)?;
        if let Some(pattern) = &self.fixed {
            space = space.fixing(pattern, alphabet)?;
        }
        let Some(text) = &self.start else { return Ok((space, None)) };
        let start = Board::parse_with(text, Some(self.dims), alphabet)?;
        if !space.holds(&start) {
            bail!("--start '{text}' has a letter that --exclude forbids, or differs from --fixed");
        }
        Ok((space, Some(start)))
    }

    /// Whether some cells stay.
    pub fn has_fixed(&self) -> bool {
        self.fixed.is_some()
    }
}

/// What a run came to, and how long it took.
pub struct Run {
    pub best: ScoredBoard,
    pub iterations: u64,
    pub time: Duration,
}

/// The results of several runs.
#[derive(Default)]
pub struct Gallery {
    runs: Vec<Run>,
    found: HashMap<Board, (u64, u32)>,
}

impl Gallery {
    /// Adds a run.
    pub fn add(&mut self, result: &ClimbResult, iterations: u64, time: Duration) {
        self.runs.push(Run { best: result.best(), iterations, time });
        for &ScoredBoard { board, score } in &result.pool {
            self.found.entry(board).or_insert((score, 0)).1 += 1;
        }
    }

    /// The best boards of all runs with how many of these found each, the best first.
    fn top(&self, count: usize) -> Vec<(Board, u64, u32)> {
        let mut boards: Vec<_> = self.found.iter().map(|(&b, &(score, runs))| (b, score, runs)).collect();
        boards.sort_by_key(|&(board, score, _)| (std::cmp::Reverse(score), board));
        boards.truncate(count);
        boards
    }

    /// Writes the best boards.
    pub fn write(&self, top: usize, alphabet: &Alphabet, as_json: bool) -> Result<()> {
        let mut out = output::stdout();
        let boards = self.top(top);
        if as_json {
            let run = |r: &Run| {
                json!({
                    "best": r.best.board.text(alphabet),
                    "score": r.best.score,
                    "iterations": r.iterations,
                    "seconds": r.time.as_secs_f64(),
                })
            };
            let board = |&(board, score, runs): &(Board, u64, u32)| json!({ "board": board.text(alphabet), "score": score, "runs": runs });
            let report = json!({
                "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
                "boards": boards.iter().map(board).collect::<Vec<_>>(),
            });
            output::json(&mut out, &report)?;
        } else {
            if let Some((best, ..)) = boards.first() {
                write!(out, "{}", output::drawn(best, alphabet))?;
            }
            for (board, score, runs) in &boards {
                let (board, of) = (board.text(alphabet), counted(self.runs.len() as u64, "run"));
                writeln!(
                    out,
                    "{STRONG}{board}{STRONG:#}: {POINTS}{score}{POINTS:#}  {FAINT}found by {runs} of {of}{FAINT:#}"
                )?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

/// "123,456 boards/s".
pub fn rate(boards: u64, time: Duration) -> String {
    format!("{} boards/s", grouped((boards as f64 / time.as_secs_f64().max(1e-9)) as u64))
}

/// The best board that a climb finds, where a cutoff is wanted and none is given. `then` ends the
/// sentence that says so.
pub fn climb_first(
    lexicon: &Lexicon,
    scoring: &Scoring,
    dims: Dims,
    seed: u64,
    then: &str,
) -> Result<ScoredBoard> {
    let mut progress = Progress::new();
    let alphabet = lexicon.alphabet();
    let options = ClimbOptions { seed, ..ClimbOptions::default() };
    let found = climb(lexicon, scoring, dims, &options, |p| {
        progress.tell(|| format!("climbing: {} {}", p.best.board.text(alphabet), grouped(p.best.score)));
    });
    progress.finish();
    let best = found.best();
    ensure!(best.score > 0, "no {dims} board found by climbing scores a point: give a --cutoff");
    let (board, points) = (best.board.text(alphabet), counted(best.score, "point"));
    anstream::eprintln!("a climb found {board} with {points}{then}");
    Ok(best)
}
