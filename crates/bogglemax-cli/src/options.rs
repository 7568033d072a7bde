//! Flags that several commands share, and what they resolve to.

use anyhow::{Context, Result};
use bogglemax::{Dims, Lexicon, Scoring};

/// Which words count, and for how much.
#[derive(clap::Args, Debug)]
pub struct GameOptions {
    /// Word list: enable2k (built in), or a file with one word a line, plain or .gz; - for standard input
    #[arg(long, value_name = "NAME|FILE", default_value = "enable2k")]
    wordlist: String,

    /// Points by word length: boggle, words, pow2, or a list such as 0,0,0,1,1,2,3,5,11
    #[arg(long, default_value = "boggle")]
    scoring: Scoring,
}

impl GameOptions {
    /// Reads the word list; says on stderr how many of its words no board can hold.
    pub fn lexicon(&self) -> Result<Lexicon> {
        let lexicon = match self.wordlist.as_str() {
            "enable2k" => Lexicon::enable2k(),
            "-" => Lexicon::from_reader("-", std::io::stdin().lock())?,
            file => Lexicon::from_file(file)?,
        };
        if lexicon.skipped() > 0 {
            anstream::eprintln!(
                "bogglemax: {} of '{}' skipped: characters other than letters",
                crate::output::counted(lexicon.skipped() as u64, "word"),
                lexicon.name()
            );
        }
        Ok(lexicon)
    }

    /// The scoring.
    pub fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Whether the word list comes from standard input.
    pub fn reads_stdin(&self) -> bool {
        self.wordlist == "-"
    }
}

/// The shape of boards that are given, where it need not follow from their length.
#[derive(clap::Args, Debug)]
pub struct DimsOption {
    /// Rows x columns, e.g. 3x4; may be left out where the length of a board is a square
    #[arg(long, value_name = "RxC")]
    pub dims: Option<Dims>,
}

/// How results are written.
#[derive(clap::Args, Debug)]
pub struct OutputOptions {
    /// Machine-readable output
    #[arg(long)]
    pub json: bool,
}

/// How many cores to use.
#[derive(clap::Args, Debug)]
pub struct ThreadsOption {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsOption {
    /// Makes the library's parallel work use this many threads.
    pub fn apply(&self) -> Result<()> {
        let threads = self.threads.map_or(0, usize::from); // 0: all cores
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().context("cannot start the threads: try a smaller --threads")
    }

    /// How many threads that is.
    pub fn count(&self) -> usize {
        self.threads.map_or_else(rayon::current_num_threads, usize::from)
    }
}

/// Where random choices come from.
#[derive(clap::Args, Debug)]
pub struct SeedOption {
    /// Seed of every random choice: same seed, same result
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl SeedOption {
    /// The seed given, or a new one.
    pub fn or_random(&self) -> u64 {
        use std::hash::{BuildHasher, Hasher, RandomState};
        self.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish())
    }

    /// The seed given, or 1.
    pub fn or_one(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

/// A number of bytes such as 500M or 4G.
pub fn bytes(text: &str) -> Result<usize, String> {
    let parse = || {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" => 1,
            "K" | "KB" => 1 << 10,
            "M" | "MB" => 1 << 20,
            "G" | "GB" => 1 << 30,
            "T" | "TB" => 1usize << 40,
            _ => return None,
        };
        digits.parse::<usize>().ok()?.checked_mul(unit).filter(|&n| n > 0)
    };
    parse().ok_or_else(|| format!("'{text}' is no size: give bytes such as 500M or 4G"))
}
