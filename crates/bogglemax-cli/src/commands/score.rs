//! `score`: one number a board, for as many boards as there are.

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use bogglemax::{Count, Dims, Scorer};
use serde_json::json;

use crate::boards;
use crate::options::{DimsOption, GameOptions, OutputOptions, ThreadsOption};
use crate::output;

/// Score boards: prints `BOARD: N`, in the order of the boards
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax score perslatgsineters segsrntreiaeslps
  bogglemax score < boards.txt                        one board a line, on all cores
  bogglemax score eeesrvrreeesrsrs --count multi      21,953: every path counts
  bogglemax score gesorntreaieslps --scoring words    1,158 words")]
pub struct Args {
    /// Boards; without any, they are read from standard input, one a line
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,

    /// What is counted: score (S, a word counts once), multi (M, once for every path), dedup (D, once
    /// for every set of cells)
    #[arg(long, value_enum, default_value = "score")]
    count: CountName,

    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum CountName {
    Score,
    Multi,
    Dedup,
}

impl CountName {
    fn key(self) -> &'static str {
        match self {
            CountName::Score => "score",
            CountName::Multi => "multi",
            CountName::Dedup => "dedup",
        }
    }

    fn count(self) -> Count {
        match self {
            CountName::Score => Count::Score,
            CountName::Multi => Count::Multi,
            CountName::Dedup => Count::Dedup,
        }
    }
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    let (key, count) = (args.count.key(), args.count.count());
    if args.boards.is_empty() && args.game.reads_stdin() {
        bail!("standard input cannot be both the word list and the boards: give the boards as arguments");
    }
    let lexicon = args.game.lexicon()?;
    let mut scorers: HashMap<Dims, Scorer> = HashMap::new();
    let mut out = output::stdout();
    let alphabet = args.game.alphabet();
    boards::for_each_chunk(&args.boards, args.dims.dims, alphabet, |boards| {
        for same_shape in boards.chunk_by(|a, b| a.dims() == b.dims()) {
            let dims = same_shape[0].dims();
            let scorer =
                scorers.entry(dims).or_insert_with(|| Scorer::new(&lexicon, args.game.scoring(), dims));
            for (board, value) in same_shape.iter().zip(scorer.count_all(same_shape, count)) {
                write_line(&mut out, &board.text(alphabet), key, value, args.output.json)?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_line(out: &mut impl Write, board: &str, key: &str, value: u64, as_json: bool) -> Result<()> {
    if as_json {
        return output::json(out, &json!({ "board": board, key: value }));
    }
    Ok(writeln!(out, "{board}: {value}")?)
}
