//! Boards from arguments or standard input, in chunks: however many there are, memory stays flat.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, Result};
use bogglemax::{Alphabet, Board, Dims};
use rayon::prelude::*;

/// Boards that are read, worked and written together. Nothing of a chunk is written before all of
/// it has been read and found good.
const CHUNK: usize = 8_192;

/// Calls `work` with the boards in chunks, in order. Without boards as arguments, they come from
/// standard input, one a line.
pub fn for_each_chunk(
    arguments: &[String],
    dims: Option<Dims>,
    alphabet: &Alphabet,
    mut work: impl FnMut(&[Board]) -> Result<()>,
) -> Result<()> {
    if !arguments.is_empty() {
        let parse = |text: &String| Board::parse_with(text, dims, alphabet);
        return work(&arguments.iter().map(parse).collect::<Result<Vec<Board>, _>>()?);
    }
    let input = std::io::stdin().lock();
    if input.is_terminal() {
        eprintln!("bogglemax: reading boards from standard input, one a line; end with Ctrl-D");
    }
    let mut lines = input.split(b'\n').enumerate().peekable();
    while lines.peek().is_some() {
        let mut texts: Vec<(usize, String)> = Vec::with_capacity(CHUNK);
        for (i, line) in lines.by_ref().take(CHUNK) {
            let line = line.context("cannot read standard input")?;
            let text = String::from_utf8_lossy(line.trim_ascii());
            if !text.is_empty() {
                texts.push((i + 1, text.into_owned()));
            }
        }
        let parse = |(line, text): &(usize, String)| {
            Board::parse_with(text, dims, alphabet).with_context(|| format!("line {line}"))
        };
        // Collected in two steps: of several bad lines the first is the one to name.
        let boards: Vec<Result<Board>> = texts.par_iter().with_min_len(256).map(parse).collect();
        work(&boards.into_iter().collect::<Result<Vec<Board>>>()?)?;
    }
    Ok(())
}
