//! Flags that several commands share, and what they resolve to.

use anyhow::Result;
use bogglemax::{Dims, Lexicon, Scoring};

/// Which words count, and for how much.
#[derive(clap::Args, Debug)]
pub struct GameOptions {
    /// Word list: `enable2k` (built in), or a file with one word a line, plain or .gz; `-` for standard input
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
            eprintln!(
                "bogglemax: {} words of '{}' skipped: they have characters other than letters",
                lexicon.skipped(),
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

/// The shape of the boards.
#[derive(clap::Args, Debug)]
pub struct DimsOption {
    /// Rows x columns, e.g. 3x4; may be left out where a board is given and its length is a square
    #[arg(long, value_name = "RxC")]
    pub dims: Option<Dims>,
}

/// How results are written.
#[derive(clap::Args, Debug)]
pub struct OutputOptions {
    /// Machine-readable output on stdout
    #[arg(long)]
    pub json: bool,
}

/// How many cores to use.
#[derive(clap::Args, Debug)]
pub struct ThreadsOption {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}
