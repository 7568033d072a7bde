//! `solve`: the words on one board.

use std::cmp::Reverse;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use bogglemax::{Board, FoundWord, Lexicon, Scorer};
use serde::Serialize;

use crate::options::{DimsOption, GameOptions, OutputOptions};
use crate::output::{self, FAINT, POINTS, STRONG, counted, grouped};

/// List the words on a board, longest first, with their points
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax solve perslatgsineters           the best 4x4 board: 1,045 words, 3,625 points
  bogglemax solve dnisetalsrep --dims 3x4    a board that is no square
  bogglemax solve qitabc... --paths          where each word lies; q is the Qu tile
  bogglemax solve perslatgsineters --json | jq .score
  bogglemax solve strasseberlinhut --language german --wordlist words.txt
  bogglemax solve th-in-g-s --language super     tiles of several letters

A board is its letters row by row, in any case; or, with dashes between cells, what stands on each: qu-i-t-s is qits.
Cells are numbered from 0 in the same order. Words are shown as the tiles spell them, with the way the list writes
them, if that is another.")]
pub struct Args {
    /// The board: its letters row by row, q for Qu
    board: String,

    /// Show the cells of one path of each word
    #[arg(long)]
    paths: bool,

    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Report {
    board: String,
    dims: String,
    score: u64,
    words: Vec<ReportWord>,
}

#[derive(Serialize)]
struct ReportWord {
    word: String,
    /// How the list writes it, where that is another way.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    written: Vec<String>,
    points: u32,
    path: Vec<u8>,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let board = Board::parse_with(&args.board, args.dims.dims, args.game.alphabet())?;
    let lexicon = args.game.lexicon()?;
    let mut words = Scorer::new(&lexicon, args.game.scoring(), board.dims()).solve(&board);
    let letters = |word: &FoundWord| lexicon.alphabet().letters(&word.tiles);
    words.sort_by_cached_key(|word| (Reverse(letters(word)), lexicon.alphabet().text(&word.tiles)));
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report(&board, &words, &lexicon))?;
    } else {
        print(&mut out, &board, &words, &lexicon, args.paths)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn total(words: &[FoundWord]) -> u64 {
    words.iter().map(|w| u64::from(w.points)).sum()
}

fn report(board: &Board, words: &[FoundWord], lexicon: &Lexicon) -> Report {
    let alphabet = lexicon.alphabet();
    let word = |w: &FoundWord| {
        let word = alphabet.text(&w.tiles);
        let written = lexicon.written(&word).to_vec();
        ReportWord { word, written, points: w.points, path: w.path.clone() }
    };
    Report {
        board: board.text(alphabet),
        dims: board.dims().to_string(),
        score: total(words),
        words: words.iter().map(word).collect(),
    }
}

fn print(
    out: &mut impl Write,
    board: &Board,
    words: &[FoundWord],
    lexicon: &Lexicon,
    paths: bool,
) -> Result<()> {
    let alphabet = lexicon.alphabet();
    write!(out, "{}", output::drawn(board, alphabet))?;
    let (count, score) = (counted(words.len() as u64, "word"), counted(total(words), "point"));
    write!(out, "{STRONG}{count}, {POINTS}{score}{POINTS:#}{STRONG:#}")?;
    match words.first() {
        Some(longest) => writeln!(out, ", longest: {}", alphabet.text(&longest.tiles))?,
        None => writeln!(out)?,
    }
    for same_length in words.chunk_by(|a, b| alphabet.letters(&a.tiles) == alphabet.letters(&b.tiles)) {
        let (letters, each) = (alphabet.letters(&same_length[0].tiles), same_length[0].points);
        writeln!(
            out,
            "\n{STRONG}{letters} letters{STRONG:#}, {} of {POINTS}{}{POINTS:#}:",
            counted(same_length.len() as u64, "word"),
            counted(each.into(), "point"),
        )?;
        for word in same_length {
            let text = alphabet.text(&word.tiles);
            write!(out, "{text}")?;
            if !lexicon.written(&text).is_empty() {
                write!(out, " ({})", lexicon.written(&text).join(", "))?;
            }
            if paths {
                let cells: Vec<String> = word.path.iter().map(|&c| grouped(c.into())).collect();
                write!(out, " {FAINT}{}{FAINT:#}", cells.join("-"))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
