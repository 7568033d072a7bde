//! `climb`: hillclimbing with a pool, Listing 1 of the paper.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use bogglemax::search::{ClimbOptions, Climber};

use super::gallery::{Gallery, SpaceOptions, rate};
use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output::grouped;
use crate::progress::Progress;

/// Climb to high-scoring boards from a pool of random ones
///
/// Each round looks at all boards one edit away from the pool (a letter changed or two swapped)
/// and keeps the best, until the pool no longer changes.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax climb --dims 4x4 --runs 20                      most runs end on perslatgsineters, 3625
  bogglemax climb --dims 4x4 --fixed p..slatg........       the best board around these letters
  bogglemax climb --dims 4x4 --scoring words --top 3 --json
  bogglemax climb --dims 4x4 --scoring pow2 --uniform       rare letters count more here
  bogglemax climb --dims 3x3 --start abcdefghi --pool 50")]
pub struct Args {
    #[command(flatten)]
    space: SpaceOptions,

    /// How many boards to keep
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pool: u32,

    /// Start from letters that are all as likely, not as common as in the words
    #[arg(long)]
    uniform: bool,

    /// How many independent runs to make
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,

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

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    args.game.needs_one_spelling("climb")?;
    let lexicon = args.game.lexicon()?;
    let (space, start) = args.space.resolve(&lexicon)?;
    let climber = Climber::new(&lexicon, args.game.scoring(), space);
    let mut gallery = Gallery::default();
    let mut progress = Progress::new();
    for run in 0..args.runs {
        let options = ClimbOptions {
            pool: args.pool as usize,
            seed: args.seed.or_one(),
            uniform: args.uniform,
            run,
            start: start.into_iter().collect(),
            ..ClimbOptions::default()
        };
        let begin = Instant::now();
        let result = climber.climb(&options, |p| {
            progress.tell(|| {
                format!(
                    "run {} of {}, iteration {}: best {} {}, worst in pool {}, {}",
                    run + 1,
                    args.runs,
                    p.iterations,
                    p.best.board.text(lexicon.alphabet()),
                    grouped(p.best.score),
                    grouped(p.worst),
                    rate(p.neighbors, begin.elapsed()),
                )
            });
        });
        let (best, time) = (result.best(), begin.elapsed());
        progress.note(&format!(
            "run {} of {}: {} {} after {} iterations, {:.1} s, {}",
            run + 1,
            args.runs,
            best.board.text(lexicon.alphabet()),
            grouped(best.score),
            result.iterations,
            time.as_secs_f64(),
            rate(result.neighbors, time),
        ));
        gallery.add(&result, result.iterations.into(), time);
    }
    progress.finish();
    gallery.write(args.top, lexicon.alphabet(), args.output.json)?;
    Ok(ExitCode::SUCCESS)
}
