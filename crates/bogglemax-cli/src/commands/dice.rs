//! `dice`: roll boards, and ask whether a board can be rolled.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use bogglemax::{Alphabet, Board, DiceSet, Dims, Language};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::options::{DimsOption, LanguageOption, OutputOptions, SeedOption};
use crate::output;

/// Roll boards of a dice set, or ask whether a board can be rolled
#[derive(clap::Subcommand)]
pub enum Command {
    Roll(RollArgs),
    Check(CheckArgs),
    List(ListArgs),
}

/// Roll random boards
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax dice roll                            a 4x4 board
  bogglemax dice roll --set big --count 3 --seed 7
  bogglemax solve $(bogglemax dice roll)
  bogglemax dice roll --language super --dims 6x6
  bogglemax dice roll --language polish

The 6x6 set has faces An, Er, He, In, Th and blank ones (_): they are tiles of --language super, and left out in
--language english, where a cell holds one letter, or Qu.")]
pub struct RollArgs {
    #[command(flatten)]
    set: SetOption,

    /// How many boards
    #[arg(long, default_value_t = 1)]
    count: u64,

    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    output: OutputOptions,
}

/// Say whether a board can be rolled, and with which die on which cell; exit code 1 if not
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax dice check perslatgsineters
  bogglemax dice check perslatgsineters --set classic --json")]
pub struct CheckArgs {
    /// The board: its letters row by row, q for Qu
    board: String,

    #[command(flatten)]
    set: SetOption,
    #[command(flatten)]
    dims: DimsOption,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    output: OutputOptions,
}

/// List the dice sets of a language
#[derive(clap::Args)]
#[command(after_long_help = "Examples:\n  bogglemax dice list\n  bogglemax dice list --language french")]
pub struct ListArgs {
    #[command(flatten)]
    language: LanguageOption,
}

/// Which dice.
#[derive(clap::Args)]
pub struct SetOption {
    /// Dice set; of English: classic (4x4, 1976), new (4x4, 1987), big (5x5), super (6x6) [default: the
    /// newest of the board's size]
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
}

impl SetOption {
    /// The set that was named, if one was.
    pub fn named<'a>(&self, language: &'a Language) -> Result<Option<&'a DiceSet>> {
        let Some(name) = &self.set else { return Ok(None) };
        let set = language.dice().iter().find(|set| set.name() == name);
        let names: Vec<&str> = language.dice().iter().map(DiceSet::name).collect();
        match (set, names.is_empty()) {
            (Some(set), _) => Ok(Some(set)),
            (None, false) => bail!("'{name}' is no dice set: use one of {}", names.join(", ")),
            (None, true) => bail!("'{name}' is no dice set: language '{}' has none", language.name()),
        }
    }

    /// The set that was named, or the one for the shape.
    pub fn or_for<'a>(&self, dims: Dims, language: &'a Language) -> Result<&'a DiceSet> {
        match self.named(language)? {
            Some(set) if set.dims() != dims => {
                bail!("dice set '{}' is for {} boards, not {dims}", set.name(), set.dims())
            }
            Some(set) => Ok(set),
            None => language.dice_for(dims).with_context(|| {
                let mut shapes: Vec<String> = language.dice().iter().map(|s| s.dims().to_string()).collect();
                shapes.dedup();
                let only = if shapes.is_empty() { "none".into() } else { shapes.join(", ") };
                format!("there are no dice for {dims} boards: language '{}' has {only}", language.name())
            }),
        }
    }
}

#[derive(Serialize)]
struct Report {
    board: String,
    rollable: bool,
    dice: Vec<String>,
}

fn report(board: &Board, alphabet: &Alphabet, set: &DiceSet, dice: Option<&[usize]>) -> Report {
    let names = dice.unwrap_or_default().iter().map(|&die| set.dice()[die].text());
    Report { board: board.text(alphabet), rollable: dice.is_some(), dice: names.collect() }
}

pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Roll(args) => roll(args),
        Command::Check(args) => check(args),
        Command::List(args) => list(&args),
    }
}

fn roll(args: RollArgs) -> Result<ExitCode> {
    let four_by_four = Dims::square_of(16).expect("4x4");
    let (language, alphabet) = (args.language.language(), args.language.alphabet());
    let named = args.set.named(language)?.map(DiceSet::dims);
    let set = args.set.or_for(args.dims.dims.or(named).unwrap_or(four_by_four), language)?;
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed.or_random());
    let mut out = output::stdout();
    for _ in 0..args.count {
        let (board, dice) = set.roll(&mut rng);
        if args.output.json {
            output::json(&mut out, &report(&board, alphabet, set, Some(&dice)))?;
        } else {
            writeln!(out, "{}", board.text(alphabet))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn check(args: CheckArgs) -> Result<ExitCode> {
    let alphabet = args.language.alphabet();
    let board = Board::parse_with(&args.board, args.dims.dims, alphabet)?;
    let set = args.set.or_for(board.dims(), args.language.language())?;
    let dice = set.assign(&board);
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report(&board, alphabet, set, dice.as_deref()))?;
    } else if let Some(dice) = &dice {
        writeln!(out, "{} can be rolled with the dice of {}:", board.text(alphabet), set.title())?;
        for row in dice.chunks(board.dims().cols()) {
            let row: Vec<String> = row.iter().map(|&die| format!("{:<7}", set.dice()[die].text())).collect();
            writeln!(out, "{}", row.join(" ").trim_end())?;
        }
    } else {
        writeln!(out, "{} cannot be rolled with the dice of {}", board.text(alphabet), set.title())?;
    }
    out.flush()?;
    Ok(if dice.is_some() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn list(args: &ListArgs) -> Result<ExitCode> {
    let mut out = output::stdout();
    for set in args.language.language().dice() {
        let dice: Vec<String> = set.dice().iter().map(|die| die.text()).collect();
        writeln!(out, "{}: {}\n  {}", set.name(), set.title(), dice.join(" "))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
