//! Flags that several commands share, and what they resolve to.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use bogglemax::{Alphabet, Dims, Error, Language, Lexicon, Scoring};

/// Which tiles there are.
#[derive(clap::Args, Debug)]
pub struct LanguageOption {
    /// Tiles, folding of accents, and dice: english, super (6x6), french, german, polish, spanish, or a
    /// language file
    #[arg(long, value_name = "NAME|FILE", default_value = "english", value_parser = Language::open)]
    language: Language,
}

impl LanguageOption {
    /// The language.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Its tiles.
    pub fn alphabet(&self) -> &Alphabet {
        self.language.alphabet()
    }

    /// Reads a word list, by default the language's own.
    pub fn lexicon(&self, wordlist: Option<&str>) -> Result<Lexicon> {
        let alphabet = self.alphabet();
        Ok(match self.wordlist(wordlist)? {
            "enable2k" if *alphabet == Alphabet::english() => Lexicon::enable2k(),
            "enable2k" => {
                let (english, mut words) = (Lexicon::enable2k(), Vec::with_capacity(1 << 18));
                english.for_each_word(|tiles| words.push(english.alphabet().text(tiles)));
                Lexicon::from_words_with(alphabet, "enable2k", words)?
            }
            "-" => Lexicon::from_reader_with(alphabet, "-", std::io::stdin().lock())?,
            file => Lexicon::from_file_with(alphabet, file)?,
        })
    }

    /// The word list that was named, or the language's own.
    fn wordlist<'a>(&'a self, named: Option<&'a str>) -> Result<&'a str> {
        match (named, self.language.list()) {
            (Some(list), _) => Ok(list),
            (None, None) => Ok("enable2k"),
            (None, Some(hint)) if Path::new(&hint.file).exists() => Ok(&hint.file),
            (None, Some(hint)) => bail!(
                "no word list for language '{}': give one with --wordlist, or install Debian's with `apt-get install {}`",
                self.language.name(),
                hint.package
            ),
        }
    }
}

/// Which words count, and for how much.
#[derive(clap::Args, Debug)]
pub struct GameOptions {
    /// Word list: enable2k (built in), or a file with one word a line, plain or .gz; - for standard input
    /// [default: enable2k for English; for other languages the list of their Debian package, if installed]
    #[arg(long, value_name = "NAME|FILE")]
    wordlist: Option<String>,

    /// Points by word length: boggle, words, pow2, or a list such as 0,0,0,1,1,2,3,5,11
    #[arg(long, default_value = "boggle")]
    scoring: Scoring,

    #[command(flatten)]
    language: LanguageOption,
}

impl GameOptions {
    /// Reads the word list; says on stderr how many of its words no board can hold.
    pub fn lexicon(&self) -> Result<Lexicon> {
        let lexicon = self.language.lexicon(self.wordlist.as_deref())?;
        if lexicon.skipped() > 0 {
            anstream::eprintln!(
                "bogglemax: {} of '{}' skipped: characters other than letters",
                crate::output::counted(lexicon.skipped() as u64, "word"),
                lexicon.name()
            );
        }
        Ok(lexicon)
    }

    /// The language's tiles.
    pub fn alphabet(&self) -> &Alphabet {
        self.language.alphabet()
    }

    /// The language.
    pub fn language(&self) -> &Language {
        self.language.language()
    }

    /// Says that a command counts spellings, not words, where that makes a difference.
    pub fn needs_one_spelling(&self, what: &'static str) -> Result<()> {
        ensure!(self.alphabet().is_unambiguous(), Error::Ambiguous { what });
        Ok(())
    }

    /// Says that a command can do with a to z only, where the language has other tiles.
    pub fn needs_english_tiles(&self, what: &'static str) -> Result<()> {
        ensure!(self.alphabet().has_english_tiles(), Error::OtherTiles { what });
        Ok(())
    }

    /// The scoring.
    pub fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Whether the word list comes from standard input.
    pub fn reads_stdin(&self) -> bool {
        self.wordlist.as_deref() == Some("-")
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
