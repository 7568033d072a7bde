//! `estimate`: what a run will cost, from a sample of its tasks.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use bogglemax::Dims;
use bogglemax::run::{EngineName, Estimate, Job, MEMORY_OF_A_THREAD, RunError, Sampler};
use serde::Serialize;

use super::gallery::climb_first;
use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output::{self, counted, grouped};
use crate::progress::Progress;

/// Estimate the CPU time of a whole run from some of its tasks
///
/// Tasks are drawn at random from strata of like predicted work; where they are too many to list, as
/// on 4x5 and 5x5, each from a block of random ones. The estimate narrows as tasks are done; Ctrl-C
/// ends it with what is known by then.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax estimate 3x4 --cutoff 1500 --tasks 50
  bogglemax estimate 4x4 --cutoff 3500 --tasks 200 --json
  bogglemax estimate 5x5                     the cutoff is what a climb finds")]
pub struct Args {
    /// Rows x columns, e.g. 3x4
    #[arg(value_name = "RxC")]
    dims: Dims,

    /// The cutoff of the run [default: the best score that a climb finds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cutoff: Option<u64>,

    /// How many tasks to run
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    tasks: u64,

    /// How to search: fast, or paper
    #[arg(long, value_name = "NAME", default_value = "fast")]
    engine: EngineName,

    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Report {
    dims: String,
    cutoff: u64,
    tasks_total: u64,
    tasks_run: u64,
    cpu_hours: f64,
    cpu_hours_low: f64,
    cpu_hours_high: f64,
    peak_mb: f64,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    args.game.needs_one_spelling("estimate")?;
    let lexicon = args.game.lexicon()?;
    let (scoring, seed) = (args.game.scoring(), args.seed.or_one());
    let cutoff = match args.cutoff {
        Some(cutoff) => cutoff,
        None => climb_first(&lexicon, scoring, args.dims, seed, ": the cutoff")?.score,
    };
    let job = Job::new(args.engine, &lexicon, scoring, args.dims, cutoff)?;
    let sampler = Sampler::new(&job, args.tasks, seed);
    static STOP: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed)).context("cannot watch for Ctrl-C")?;
    let (sampler, peak_bytes) = sample(&job, sampler, &args, &STOP)?;
    let estimate = sampler.estimate().context("no task of every kind was done yet: let it run longer")?;
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report(args.dims, cutoff, &job, &estimate, peak_bytes))?;
    } else {
        writeln!(out, "{}: {}", args.dims, described(&estimate))?;
        writeln!(
            out,
            "{} of {} tasks run, none took more than {} MB",
            grouped(estimate.tasks_run),
            grouped(job.tasks()),
            grouped(peak_bytes >> 20)
        )?;
        if estimate.heaviest > 0.1 && estimate.tasks_run < job.tasks() {
            writeln!(
                out,
                "A single task makes up {:.0} % of this figure, which may well be too low: give more --tasks",
                100.0 * estimate.heaviest
            )?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Runs tasks until there are enough, or `stop` is set. Returns the sample and the most memory a
/// task took.
fn sample<'a>(job: &Job, sampler: Sampler<'a>, args: &Args, stop: &AtomicBool) -> Result<(Sampler<'a>, u64)> {
    let (threads, total) = (args.threads.count(), args.tasks.min(job.tasks()));
    let shared = Mutex::new((sampler, 0, 0u64, Progress::new()));
    let one_thread = || -> Result<(), RunError> {
        let mut worker = job.worker(MEMORY_OF_A_THREAD);
        while !stop.load(Ordering::Relaxed) {
            let mut state = shared.lock().expect("no panic while locked");
            if state.1 == total {
                break;
            }
            let Some(draw) = state.0.draw() else { break };
            state.1 += 1;
            drop(state);
            let record = worker.run(draw.task)?;
            let mut state = shared.lock().expect("no panic while locked");
            let (sampler, _, peak, progress) = &mut *state;
            sampler.add(draw, record.cpu_seconds);
            *peak = record.peak_bytes.max(*peak);
            if let Some(estimate) = sampler.estimate() {
                progress
                    .tell(|| format!("{}: {}", counted(estimate.tasks_run, "task"), described(&estimate)));
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(one_thread)).collect();
        handles.into_iter().try_for_each(|handle| handle.join().expect("no panic in a worker"))
    })?;
    let (sampler, _, peak, progress) = shared.into_inner().expect("no panic in a worker");
    progress.finish();
    Ok((sampler, peak))
}

/// Hours in a year, for figures that nobody wants in hours.
const YEAR: f64 = 24.0 * 365.25;

fn described(estimate: &Estimate) -> String {
    let hours = [estimate.seconds, estimate.low, estimate.high].map(|seconds| seconds / 3600.0);
    if hours[0] < 10.0 * YEAR {
        let [mean, low, high] = hours;
        return format!("{mean:.3} CPU hours (95%: {low:.3} to {high:.3})");
    }
    let [mean, low, high] = hours.map(|h| two_digits(h / YEAR));
    format!("about {mean} CPU years (95%: {low} to {high})")
}

/// A large number without the digits that mean nothing: 12,345 as 12,000.
fn two_digits(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.1e}");
    }
    let unit = 10f64.powf(number.max(1.0).log10().floor() - 1.0).max(1.0);
    grouped(((number / unit).round() * unit) as u64)
}

fn report(dims: Dims, cutoff: u64, job: &Job, estimate: &Estimate, peak_bytes: u64) -> Report {
    Report {
        dims: dims.to_string(),
        cutoff,
        tasks_total: job.tasks(),
        tasks_run: estimate.tasks_run,
        cpu_hours: estimate.seconds / 3600.0,
        cpu_hours_low: estimate.low / 3600.0,
        cpu_hours_high: estimate.high / 3600.0,
        peak_mb: peak_bytes as f64 / f64::from(1 << 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_figures_keep_two_digits() {
        let all = [0.4, 7.2, 99.0, 12_345.0, 987_654_321.0].map(two_digits);
        assert_eq!(all, ["0", "7", "99", "12,000", "990,000,000"]);
        assert_eq!(two_digits(3.21e20), "3.2e20");
        let years = |seconds| Estimate {
            seconds,
            low: seconds / 2.0,
            high: seconds * 2.0,
            tasks_run: 2,
            heaviest: 0.5,
        };
        assert!(described(&years(3600.0)).starts_with("1.000 CPU hours (95%: 0.500 to 2.000)"));
        assert!(described(&years(1e12)).starts_with("about 32,000 CPU years"));
    }
}
