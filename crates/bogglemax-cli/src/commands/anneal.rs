//! `anneal`: simulated annealing.

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use bogglemax::search::{AnnealOptions, Annealer, ClimbResult};
use rayon::prelude::*;

use super::gallery::{Gallery, SpaceOptions, rate};
use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output::{counted, grouped};
use crate::progress::Progress;

/// Anneal to high-scoring boards from random ones
///
/// Each run makes one board wander, a letter changed or two swapped at a time, ever less willing to
/// lose points, and ends with a climb from the best board it met. Where long words count for much
/// (--scoring pow2), --long-words does better: every board of a run holds one of the most valuable
/// words, and a step may lay it another way.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax anneal --dims 4x4 --runs 10
  bogglemax anneal --dims 4x4 --scoring pow2 --long-words --runs 40
  bogglemax anneal --dims 5x5 --steps 3000000 --json")]
pub struct Args {
    #[command(flatten)]
    space: SpaceOptions,

    /// How many steps a run tries
    #[arg(long, value_name = "N", default_value_t = AnnealOptions::default().steps)]
    steps: u64,

    /// Share of its score that a board may well lose in a step at the beginning
    #[arg(long, value_name = "SHARE", default_value_t = AnnealOptions::default().hot, value_parser = temperature)]
    hot: f64,

    /// The same at the end
    #[arg(long, value_name = "SHARE", default_value_t = AnnealOptions::default().cold, value_parser = temperature)]
    cold: f64,

    /// How many independent runs to make
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,

    /// Let every board hold one of the words worth at least half as much as the most valuable
    #[arg(long)]
    long_words: bool,

    /// How many of the best boards to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    output: OutputOptions,
}

fn temperature(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1000.0 => Ok(share),
        _ => Err(format!("'{text}' is no share: give a number above 0, such as 0.1")),
    }
}

pub fn run(args: Args) -> Result<ExitCode> {
    if args.long_words && args.space.has_fixed() {
        bail!("--long-words lays words on all cells: leave out --fixed");
    }
    args.threads.apply()?;
    args.game.needs_one_spelling("anneal")?;
    let lexicon = args.game.lexicon()?;
    let (space, start) = args.space.resolve(&lexicon)?;
    let annealer = Annealer::new(&lexicon, args.game.scoring(), space);
    let progress = Mutex::new(Progress::new());
    let anneal = |run| {
        let options = AnnealOptions {
            steps: args.steps,
            hot: args.hot,
            cold: args.cold,
            seed: args.seed.or_one(),
            run,
            start,
            long_words: args.long_words,
            ..AnnealOptions::default()
        };
        let begin = Instant::now();
        let result = annealer.anneal(&options, |p| {
            progress.lock().expect("no panic").tell(|| {
                format!(
                    "run {} of {}, step {}: best {} {}, now {}, {}",
                    run + 1,
                    args.runs,
                    grouped(p.steps),
                    p.best.board.text(lexicon.alphabet()),
                    grouped(p.best.score),
                    grouped(p.current.score),
                    rate(p.steps, begin.elapsed()),
                )
            });
        });
        let (best, time) = (result.best(), begin.elapsed());
        progress.lock().expect("no panic").note(&format!(
            "run {} of {}: {} {} after {}, {:.1} s",
            run + 1,
            args.runs,
            best.board.text(lexicon.alphabet()),
            grouped(best.score),
            counted(args.steps, "step"),
            time.as_secs_f64(),
        ));
        (result, time)
    };
    let results: Vec<(ClimbResult, Duration)> = (0..args.runs).into_par_iter().map(anneal).collect();
    progress.into_inner().expect("no panic").finish();
    let mut gallery = Gallery::default();
    results.iter().for_each(|(result, time)| gallery.add(result, args.steps, *time));
    gallery.write(args.top, lexicon.alphabet(), args.output.json)?;
    Ok(ExitCode::SUCCESS)
}
