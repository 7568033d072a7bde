//! `verify`: checks a finished run, with none of the code that made it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use bogglemax::{Alphabet, Error};
use bogglemax_check::{DEFAULT_BUDGET, Options, WordList};

use crate::options::{LanguageOption, OutputOptions, SeedOption, ThreadsOption};
use crate::output;

/// Check a finished run independently of the engine that made it
#[derive(clap::Args)]
#[command(
    after_long_help = "Exit code 0: no fault found; 1: the run has faults; 2: there is no run to check.

Examples:
  bogglemax verify 3x3-500                        every task is proved again
  bogglemax verify 4x4-3500 --sample 50 --seed 7
  bogglemax verify mine --wordlist words.txt.gz --json"
)]
pub struct Args {
    /// The run directory
    dir: PathBuf,

    /// The run's word list: enable2k (built in), or a file, plain or .gz; - for standard input
    #[arg(long, value_name = "NAME|FILE")]
    wordlist: Option<String>,

    /// How many tasks to prove again [default: all on boards of up to 9 cells, 10 on larger ones]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Work allowed for each of them, in millions of list entries looked at
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    budget: u64,

    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let wordlist = match args.wordlist.as_deref().unwrap_or("enable2k") {
        _ if *args.language.alphabet() != Alphabet::english() => folded_list(&args)?,
        "enable2k" => WordList::enable2k(),
        "-" => WordList::from_reader("-", std::io::stdin().lock())?,
        file => WordList::from_file(file)?,
    };
    let options = Options {
        wordlist,
        sample: args.sample,
        seed: args.seed.or_one(),
        threads: args.threads.count(),
        budget: args.budget,
    };
    let report = bogglemax_check::verify(&args.dir, &options)?;
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report)?;
    } else {
        writeln!(out, "{report}")?;
    }
    out.flush()?;
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The list of another language, with its words as they are spelled on tiles. The checker knows
/// nothing of languages: of all that it is given, only the folding is the library's.
fn folded_list(args: &Args) -> Result<WordList> {
    let lexicon = args.language.lexicon(args.wordlist.as_deref())?;
    ensure!(lexicon.alphabet().has_english_tiles(), Error::OtherTiles { what: "verify" });
    let mut text = String::new();
    lexicon.for_each_word(|tiles| {
        text += &lexicon.alphabet().text(tiles);
        text.push('\n');
    });
    Ok(WordList::from_text(lexicon.name(), text.as_bytes())?)
}
