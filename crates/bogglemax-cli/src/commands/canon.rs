//! `canon`: the canonical form of boards.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use crate::boards;
use crate::options::{DimsOption, LanguageOption, OutputOptions};
use crate::output;

/// Print the smallest of each board's symmetric forms: two boards are the same up to rotation and
/// reflection exactly if these are equal
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax canon stessrepesnigtal
  bogglemax canon < boards.txt | sort -u    distinct boards")]
pub struct Args {
    /// Boards; without any, they are read from standard input, one a line
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,

    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let mut out = output::stdout();
    let alphabet = args.language.alphabet();
    boards::for_each_chunk(&args.boards, args.dims.dims, alphabet, |boards| {
        for same_shape in boards.chunk_by(|a, b| a.dims() == b.dims()) {
            let symmetries = same_shape[0].dims().symmetries();
            for board in same_shape {
                let canonical = board.canonical_by(&symmetries).text(alphabet);
                if args.output.json {
                    let line = json!({ "board": board.text(alphabet), "canonical": canonical });
                    output::json(&mut out, &line)?;
                } else {
                    writeln!(out, "{canonical}")?;
                }
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
