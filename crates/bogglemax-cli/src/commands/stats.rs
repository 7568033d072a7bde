//! `stats`: what random boards score.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use bogglemax::{Dims, Mean, board_stats};
use serde_json::{Value, json};

use super::dice::SetOption;
use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output::{self, grouped};

/// Estimate the mean score of uniform random boards and of boards rolled with dice
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax stats                                 4x4: about 42 points, 120 with dice
  bogglemax stats --dims 5x5 --boards 1000000
  bogglemax stats --set classic --json")]
pub struct Args {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "4x4")]
    dims: Dims,

    /// How many boards of each kind
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    boards: u64,

    #[command(flatten)]
    set: SetOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    let language = args.game.language();
    let named = args.set.named(language)?.is_some();
    let dice = match args.set.or_for(args.dims, language) {
        Ok(set) => Some(set),
        Err(error) if named => return Err(error),
        Err(_) => None,
    };
    let lexicon = args.game.lexicon()?;
    let (boards, seed) = (args.boards as usize, args.seed.or_one());
    let stats = board_stats(&lexicon, args.game.scoring(), args.dims, dice, boards, seed);
    let mut out = output::stdout();
    if args.output.json {
        let mean = |m: &Mean| json!({ "mean": m.mean, "standard_error": m.standard_error });
        let optional = |m: &Option<Mean>| m.as_ref().map_or(Value::Null, mean);
        let report = json!({
            "dims": args.dims.to_string(),
            "boards": boards,
            "seed": seed,
            "dice": dice.map(|set| set.name()),
            "uniform": mean(&stats.uniform),
            "rolled": optional(&stats.rolled),
            "rollable": optional(&stats.rollable),
        });
        output::json(&mut out, &report)?;
    } else {
        let points = |m: &Mean| format!("{:.2} ± {:.2} points", m.mean, m.standard_error);
        writeln!(
            out,
            "{} boards of each kind, {}; mean ± standard error",
            grouped(boards as u64),
            args.dims
        )?;
        writeln!(out, "uniform letters:      {}", points(&stats.uniform))?;
        if let (Some(dice), Some(rolled), Some(rollable)) = (dice, &stats.rolled, &stats.rollable) {
            writeln!(out, "rolled ({}): {}", dice.title(), points(rolled))?;
            let one_in = if rollable.mean > 0.0 {
                format!(", 1 in {:.1}", 1.0 / rollable.mean)
            } else {
                String::new()
            };
            let (share, error) = (100.0 * rollable.mean, 100.0 * rollable.standard_error);
            writeln!(out, "uniform boards that can be rolled: {share:.2} ± {error:.2} %{one_in}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
