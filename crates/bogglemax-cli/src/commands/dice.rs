//! `dice`: roll boards, and ask whether a board can be rolled.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use bogglemax::{Board, DiceSet, Dims};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::options::{DimsOption, OutputOptions, SeedOption};
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

Of the 6x6 set the faces An, Er, He, In, Th and the blank ones are not rolled: a cell holds one letter, or Qu.")]
pub struct RollArgs {
    #[command(flatten)]
    set: SetOption,

    /// How many boards
    #[arg(long, default_value_t = 1)]
    count: u64,

    #[command(flatten)]
    dims: DimsOption,
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
    output: OutputOptions,
}

/// List the dice sets
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  bogglemax dice list")]
pub struct ListArgs {}

/// Which dice.
#[derive(clap::Args)]
pub struct SetOption {
    /// Dice set: classic (4x4, 1976), new (4x4, 1987), big (5x5), super (6x6) [default: the newest of
    /// the board's size]
    #[arg(long, value_name = "NAME", value_parser = dice_set)]
    set: Option<DiceSet>,
}

fn dice_set(name: &str) -> Result<DiceSet, String> {
    let names: Vec<&str> = DiceSet::names().collect();
    DiceSet::named(name).ok_or_else(|| format!("'{name}' is no dice set: use one of {}", names.join(", ")))
}

impl SetOption {
    /// The set that was named, or the one for the shape.
    pub fn or_for(self, dims: Dims) -> Result<DiceSet> {
        match self.set {
            Some(set) if set.dims() != dims => {
                bail!("dice set '{}' is for {} boards, not {dims}", set.name(), set.dims())
            }
            Some(set) => Ok(set),
            None => DiceSet::for_dims(dims)
                .with_context(|| format!("there are no dice for {dims} boards: only for 4x4, 5x5 and 6x6")),
        }
    }

    /// The shape of the set that was named.
    pub fn dims(&self) -> Option<Dims> {
        self.set.as_ref().map(DiceSet::dims)
    }
}

#[derive(Serialize)]
struct Report {
    board: String,
    rollable: bool,
    dice: Vec<String>,
}

fn report(board: &Board, set: &DiceSet, dice: Option<&[usize]>) -> Report {
    let names = dice.unwrap_or_default().iter().map(|&die| set.dice()[die].text());
    Report { board: board.to_string(), rollable: dice.is_some(), dice: names.collect() }
}

pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Roll(args) => roll(args),
        Command::Check(args) => check(args),
        Command::List(ListArgs {}) => list(),
    }
}

fn roll(args: RollArgs) -> Result<ExitCode> {
    let four_by_four = Dims::square_of(16).expect("4x4");
    let dims = args.dims.dims.or(args.set.dims()).unwrap_or(four_by_four);
    let set = args.set.or_for(dims)?;
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed.or_random());
    let mut out = output::stdout();
    for _ in 0..args.count {
        let (board, dice) = set.roll(&mut rng);
        if args.output.json {
            output::json(&mut out, &report(&board, &set, Some(&dice)))?;
        } else {
            writeln!(out, "{board}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn check(args: CheckArgs) -> Result<ExitCode> {
    let board = Board::parse(&args.board, args.dims.dims)?;
    let set = args.set.or_for(board.dims())?;
    let dice = set.assign(&board);
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report(&board, &set, dice.as_deref()))?;
    } else if let Some(dice) = &dice {
        writeln!(out, "{board} can be rolled with the dice of {}:", set.title())?;
        for row in dice.chunks(board.dims().cols()) {
            let row: Vec<String> = row.iter().map(|&die| format!("{:<7}", set.dice()[die].text())).collect();
            writeln!(out, "{}", row.join(" ").trim_end())?;
        }
    } else {
        writeln!(out, "{board} cannot be rolled with the dice of {}", set.title())?;
    }
    out.flush()?;
    Ok(if dice.is_some() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn list() -> Result<ExitCode> {
    let mut out = output::stdout();
    for set in DiceSet::names().filter_map(DiceSet::named) {
        let dice: Vec<String> = set.dice().iter().map(|die| die.text()).collect();
        writeln!(out, "{}: {}\n  {}", set.name(), set.title(), dice.join(" "))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
