//! `buckets`: searches for a partition of the alphabet that makes board classes easy.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use bogglemax::{BucketSearch, Buckets, Dims};

use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output;

/// Search for a good partition of the alphabet into buckets
#[derive(clap::Args)]
#[command(
    after_long_help = "Example:\n  bogglemax buckets --count 3 --dims 3x3 --sample 4 --steps 200 --seed 1"
)]
pub struct Args {
    /// Number of buckets
    #[arg(long, value_name = "N")]
    count: usize,

    /// Shape of the classes that partitions are measured on
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    dims: Dims,

    /// Measure a partition on this many classes, each with the buckets in all rotations
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = positive)]
    sample: usize,

    /// Number of partitions to try
    #[arg(long, value_name = "N", default_value_t = 200)]
    steps: usize,

    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "give a whole number from 1 up".to_owned())
}

#[derive(serde::Serialize)]
struct Report {
    buckets: Vec<String>,
    cost: f64,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    args.game.needs_english_tiles("buckets")?;
    let lexicon = args.game.lexicon()?;
    let (dims, count, sample, steps, seed) =
        (args.dims, args.count, args.sample, args.steps, args.seed.or_one());
    let search = BucketSearch { dims, count, sample, steps, seed };
    let progress = |step: usize, cost: f64| {
        if step.is_multiple_of(steps.div_ceil(10).max(1)) {
            eprintln!("{step} of {steps} partitions tried, lowest mean bound {cost:.1}");
        }
    };
    let (buckets, cost) = search.run(&lexicon, args.game.scoring(), progress)?;
    if let Some(preset) = Buckets::paper(count) {
        let preset_cost = search.cost(&preset, &lexicon, args.game.scoring())?;
        eprintln!("the paper's partition {preset} has a mean bound of {preset_cost:.1} on the same classes");
    }
    let report = Report { buckets: buckets.to_string().split(',').map(str::to_owned).collect(), cost };
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report)?;
    } else {
        writeln!(out, "{} (mean bound {cost:.1})", report.buckets.join(" "))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
