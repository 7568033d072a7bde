//! `run`: what to do with run directories.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use bogglemax::run::{Spec, Summary, merge, pack, read_run, report};
use serde_json::json;

use crate::options::OutputOptions;
use crate::output::{self, counted, grouped};

/// Look at run directories: how far they are, what they found; join the parts of a run; pack them
#[derive(clap::Subcommand)]
pub enum Command {
    Status(StatusArgs),
    Merge(MergeArgs),
    Report(ReportArgs),
    Pack(PackArgs),
}

/// Say how far a run is and what it found; exit code 1 while it is not done
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  bogglemax run status run-3x3-enable2k-boggle-545-fast")]
pub struct StatusArgs {
    /// Run directory
    dir: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

/// Join the parts of a run that were made with --shard
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  bogglemax run merge part1 part2 part3 --out whole")]
pub struct MergeArgs {
    /// Run directories
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Where the whole run goes
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputOptions,
}

/// Write a page about a run: its cost, its bounds, the boards it found
#[derive(clap::Args)]
#[command(
    after_long_help = "Example:\n  bogglemax run report run-3x3-enable2k-boggle-545-fast --html report.html"
)]
pub struct ReportArgs {
    /// Run directory
    dir: PathBuf,
    /// The page to write [default: report.html in the run directory]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Pack what is done of a run into a bundle: the journal compressed in parts, the boards, checksums
///
/// A bundle is a run directory: `verify`, `run status` and `run report` read it, and `prove --resume --out` continues
/// it. Packing it again adds a part and leaves the others as they are.
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  bogglemax run pack run-4x4 --out results/proofs/4x4")]
pub struct PackArgs {
    /// Run directory
    dir: PathBuf,
    /// The bundle [default: the run directory itself]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Status(args) => {
            let (spec, records) = read_run(&args.dir)?;
            tell(&args.dir, &spec, &Summary::new(&spec, &records)?, args.output.json)
        }
        Command::Merge(args) => {
            let run = merge(&args.parts, &args.out)?;
            tell(&args.out, run.spec(), &Summary::new(run.spec(), run.done())?, args.output.json)
        }
        Command::Report(args) => {
            let (spec, records) = read_run(&args.dir)?;
            let file = args.html.unwrap_or_else(|| args.dir.join("report.html"));
            let page = report(&spec, &records)?;
            std::fs::write(&file, page).with_context(|| format!("cannot write '{}'", file.display()))?;
            anstream::eprintln!("bogglemax: wrote '{}'", file.display());
            Ok(ExitCode::SUCCESS)
        }
        Command::Pack(args) => {
            let bundle = args.out.as_deref().unwrap_or(&args.dir);
            let packed = pack(&args.dir, bundle)?;
            let mut out = output::stdout();
            if args.output.json {
                let (tasks, done, bytes) = (packed.tasks, packed.done, packed.bytes);
                output::json(&mut out, &json!({ "packed": tasks, "done": done, "bytes": bytes }))?;
            } else {
                writeln!(
                    out,
                    "{} packed into '{}', which has {} in {} bytes",
                    counted(packed.tasks, "task"),
                    bundle.display(),
                    counted(packed.done, "task"),
                    grouped(packed.bytes)
                )?;
            }
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn tell(dir: &Path, spec: &Spec, summary: &Summary, as_json: bool) -> Result<ExitCode> {
    let mut out = output::stdout();
    if as_json {
        output::json(
            &mut out,
            &json!({ "run": spec, "summary": summary, "complete": summary.is_complete() }),
        )?;
    } else {
        for found in &summary.boards {
            writeln!(out, "{}: {}", found.board, found.score)?;
        }
        writeln!(
            out,
            "{}, cutoff {}: {} of {} done, {}, {:.1} s of CPU",
            spec.dims,
            grouped(spec.cutoff),
            grouped(summary.done),
            counted(summary.tasks, "task"),
            counted(summary.boards.len() as u64, "board"),
            summary.cpu_seconds
        )?;
        if !summary.is_complete() {
            let missing = counted(summary.tasks - summary.done, "task");
            writeln!(out, "{missing} missing in '{}': the run proves nothing yet", dir.display())?;
        }
    }
    out.flush()?;
    Ok(if summary.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
