//! `longest`: the best board that holds a word using every cell.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use bogglemax::longest::{Longest, longest};
use bogglemax::{Dims, Lexicon};
use serde::Serialize;

use crate::options::{GameOptions, OutputOptions, ThreadsOption};
use crate::output::{self, POINTS, STRONG, grouped};
use crate::progress::Progress;

/// Find the best board that holds a word using every cell
///
/// Lays every word that is long enough on every path over all cells, and scores all these boards.
/// Words with a Qu tile have a letter more than the board has cells: the best board is shown for
/// each number of letters.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax longest                     4x4: charitablenesses, 2,149; with Qu quadricentennials, 1,391
  bogglemax longest --scoring pow2      prequalifications, 44,726
  bogglemax longest --dims 3x4 --json")]
pub struct Args {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    dims: Dims,

    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Clone, Serialize)]
struct ReportBoard {
    board: String,
    score: u64,
    word: String,
    letters: usize,
}

/// The best of all, and the best for each number of letters.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    best: ReportBoard,
    by_letters: Vec<ReportBoard>,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    let lexicon = args.game.lexicon()?;
    let mut progress = Progress::with_bar();
    let found = longest(&lexicon, args.game.scoring(), args.dims, |p| {
        progress.tell_share(p.share, || {
            let best =
                p.best.iter().map(|b| format!("{} {}", lexicon.alphabet().text(&b.word), grouped(b.score)));
            format!("{} boards; {}", grouped(p.boards), best.collect::<Vec<_>>().join(", "))
        });
    })?;
    progress.finish();
    let best = found.iter().rev().max_by_key(|b| b.score).expect("some word uses every cell");
    let mut out = output::stdout();
    if args.output.json {
        let board = |b: &Longest| report(b, &lexicon);
        output::json(&mut out, &Report { best: board(best), by_letters: found.iter().map(board).collect() })?;
    } else {
        write!(out, "{}", output::drawn(&best.board, lexicon.alphabet()))?;
        for b in &found {
            let ReportBoard { board, score, word, letters } = report(b, &lexicon);
            writeln!(out, "{STRONG}{board}{STRONG:#}: {POINTS}{score}{POINTS:#}  {letters} letters: {word}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn report(found: &Longest, lexicon: &Lexicon) -> ReportBoard {
    let alphabet = lexicon.alphabet();
    ReportBoard {
        board: found.board.text(alphabet),
        score: found.score,
        word: alphabet.text(&found.word),
        letters: found.letters,
    }
}
