//! `estimate`: what a run will cost, from a sample of its tasks.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use bogglemax::Dims;
use bogglemax::run::{EngineName, Estimate, Job, RunError, Sampler};
use serde::Serialize;

use crate::options::{GameOptions, OutputOptions, SeedOption, ThreadsOption};
use crate::output::{self, counted, grouped};
use crate::progress::Progress;

/// Estimate the CPU time of a whole run from some of its tasks
///
/// Tasks are drawn at random from strata of like predicted work. The estimate narrows as tasks are
/// done; Ctrl-C ends it with what is known by then.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  bogglemax estimate 3x4 --cutoff 1500 --tasks 50
  bogglemax estimate 4x4 --cutoff 3500 --tasks 200 --json")]
pub struct Args {
    /// Rows x columns, e.g. 3x4
    #[arg(value_name = "RxC")]
    dims: Dims,

    /// The cutoff of the run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cutoff: u64,

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
    let job = Job::new(args.engine, &lexicon, args.game.scoring(), args.dims, args.cutoff)?;
    let sampler = Sampler::new(&job, args.tasks, args.seed.or_one())?;
    static STOP: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed)).context("cannot watch for Ctrl-C")?;
    let (sampler, peak_bytes) = sample(&job, sampler, &args, &STOP)?;
    let estimate = sampler.estimate().context("no task of every kind was done yet: let it run longer")?;
    let mut out = output::stdout();
    if args.output.json {
        output::json(&mut out, &report(&args, &job, &estimate, peak_bytes))?;
    } else {
        writeln!(out, "{}: {}", args.dims, described(&estimate))?;
        writeln!(
            out,
            "{} of {} tasks run, none took more than {} MB",
            grouped(estimate.tasks_run),
            grouped(job.tasks()),
            grouped(peak_bytes >> 20)
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Runs tasks until there are enough, or `stop` is set. Returns the sample and the most memory a
/// task took.
fn sample(job: &Job, sampler: Sampler, args: &Args, stop: &AtomicBool) -> Result<(Sampler, u64)> {
    let (threads, total) = (args.threads.count(), args.tasks.min(job.tasks()));
    let shared = Mutex::new((sampler, 0, 0u64, Progress::new()));
    let one_thread = || -> Result<(), RunError> {
        let mut worker = job.worker(2 << 30);
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

fn described(estimate: &Estimate) -> String {
    let hours = |seconds: f64| seconds / 3600.0;
    let (mean, low, high) = (hours(estimate.seconds), hours(estimate.low), hours(estimate.high));
    format!("{mean:.3} CPU hours (95%: {low:.3} to {high:.3})")
}

fn report(args: &Args, job: &Job, estimate: &Estimate, peak_bytes: u64) -> Report {
    Report {
        dims: args.dims.to_string(),
        cutoff: args.cutoff,
        tasks_total: job.tasks(),
        tasks_run: estimate.tasks_run,
        cpu_hours: estimate.seconds / 3600.0,
        cpu_hours_low: estimate.low / 3600.0,
        cpu_hours_high: estimate.high / 3600.0,
        peak_mb: peak_bytes as f64 / f64::from(1 << 20),
    }
}
