//! The commands `cluster submit`, `work`, `status`, `collect` and `remove`: flags, what is printed,
//! exit codes. The `bogglemax` program has them under `cluster`, the program `bogglemax-cluster` has
//! them alone.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use bogglemax::run::{EngineName, Job, MEMORY_OF_A_THREAD, Spec};
use bogglemax::{Dims, Lexicon, Scoring};
use clap::value_parser;
use serde::Serialize;
use serde_json::json;

use crate::{
    Cluster, Collected, Ended, EngineRunner, Role, RunStatus, ServerOptions, SubmitOptions, Submitted,
    WorkOptions,
};

/// Prove on many machines, over a NATS server: submit a run, start workers, collect the result
#[derive(clap::Subcommand)]
pub enum Command {
    /// Queue the tasks of a run; doing so again adds nothing
    Submit(SubmitArgs),
    /// Work on queued tasks; start as many of these as you like, stop them when you like
    Work(WorkArgs),
    /// Say how far the runs are, and who works on them
    Status(StatusArgs),
    /// Write what is done into a run directory; exit code 1 while the run proves nothing
    Collect(CollectArgs),
    /// Remove a run and its results from the server
    Remove(RemoveArgs),
}

/// How to reach the server.
#[derive(clap::Args, Debug)]
struct NatsArgs {
    /// The NATS server, e.g. nats://host:4222; tls://… for an encrypted connection; several with commas
    #[arg(long = "nats", value_name = "URL", env = "NATS_URL", default_value = "nats://127.0.0.1:4222")]
    url: String,
    /// Credentials file of the NATS user
    #[arg(long, value_name = "FILE", env = "NATS_CREDS")]
    creds: Option<PathBuf>,
    /// File with the nkey seed of the NATS user
    #[arg(long, value_name = "FILE", env = "NATS_NKEY", conflicts_with = "creds")]
    nkey: Option<PathBuf>,
    /// Certificate authority to trust, besides the system's
    #[arg(long, value_name = "FILE", env = "NATS_CA")]
    tls_ca: Option<PathBuf>,
    /// Own certificate, where the server asks for one
    #[arg(long, value_name = "FILE", env = "NATS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key
    #[arg(long, value_name = "FILE", env = "NATS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl NatsArgs {
    fn connect(self, role: Role) -> Result<Cluster> {
        let options = ServerOptions {
            url: self.url,
            credentials: self.creds,
            nkey: self.nkey,
            ca: self.tls_ca,
            certificate: self.tls_cert.zip(self.tls_key),
        };
        Ok(Cluster::connect(&options, role)?)
    }
}

/// Which words count.
#[derive(clap::Args, Debug)]
struct WordlistArgs {
    /// Word list: enable2k (built in), or a file with one word a line, plain or .gz; - for standard input
    #[arg(long, value_name = "NAME|FILE", default_value = "enable2k")]
    wordlist: String,
}

impl WordlistArgs {
    fn lexicon(&self) -> Result<Lexicon> {
        Ok(match self.wordlist.as_str() {
            "enable2k" => Lexicon::enable2k(),
            "-" => Lexicon::from_reader("-", std::io::stdin().lock())?,
            file => Lexicon::from_file(file)?,
        })
    }
}

/// Flags of `submit`.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:
  cluster submit 3x3 --cutoff 500 --nats nats://10.0.0.1:4222
  cluster submit 4x4 --cutoff 3500 --check-share 0.01     run one task in a hundred twice, and compare
  cluster submit 4x4 --cutoff 3500 --retry-parked         give parked tasks another chance")]
pub struct SubmitArgs {
    /// Rows x columns, e.g. 3x4
    #[arg(value_name = "RxC")]
    dims: Dims,
    /// Find the boards that score at least this much
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    cutoff: u64,
    /// How to search: fast, or paper (Sum/Choice trees as in the paper)
    #[arg(long, value_name = "NAME", default_value = "fast")]
    engine: EngineName,
    /// Share of tasks that two different workers run, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    check_share: f64,
    /// A worker that is silent for so many seconds has lost its task to another
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = value_parser!(u32).range(1..))]
    ack_wait: u32,
    /// How many servers keep each message, where NATS is a cluster
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u8).range(1..=5))]
    replicas: u8,
    /// Queue parked tasks again
    #[arg(long)]
    retry_parked: bool,
    /// Points by word length: boggle, words, pow2, or a list such as 0,0,0,1,1,2,3,5,11
    #[arg(long, default_value = "boggle")]
    scoring: Scoring,
    /// Machine-readable output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    wordlist: WordlistArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Flags of `work`.
#[derive(clap::Args)]
#[command(
    after_long_help = "Ctrl-C or SIGTERM makes a worker finish what it has, or hand it back after --grace.

Examples:
  cluster work --nats nats://10.0.0.1:4222
  cluster work --nats tls://nats.example.org:4222 --creds worker.creds --threads 16 --max-memory 32G
  cluster work --until-done                    end when there is nothing left to do (batch systems)"
)]
pub struct WorkArgs {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// What the lists of all threads may take together, e.g. 4G [default: 3G a thread]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<usize>,
    /// Work only on this run; the beginning of its name will do
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// End when there is nothing left to do
    #[arg(long)]
    until_done: bool,
    /// Seconds to finish what is under way when told to stop
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    grace: u32,
    /// The worker's name [default: made from host and process]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    wordlist: WordlistArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Flags of `status`.
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  cluster status --nats nats://10.0.0.1:4222")]
pub struct StatusArgs {
    /// Only this run; the beginning of its name will do
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Machine-readable output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Flags of `collect`.
#[derive(clap::Args)]
#[command(after_long_help = "May be run while workers are at work, and again later with the same --out.

Example:
  cluster collect --nats nats://10.0.0.1:4222 --out run44
  bogglemax verify run44")]
pub struct CollectArgs {
    /// Run directory, created or continued
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which run, if there are several; the beginning of its name will do
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Machine-readable output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    wordlist: WordlistArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Flags of `remove`.
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  cluster remove 3f9c")]
pub struct RemoveArgs {
    /// Which run; the beginning of its name will do
    run: String,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Runs a command. Exit code 1: `collect` found that the run proves nothing yet.
///
/// # Errors
/// If the input cannot be used or the server cannot be reached; the caller prints the error and exits
/// with code 2.
pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Submit(args) => submit(args),
        Command::Work(args) => work(args),
        Command::Status(args) => status(args),
        Command::Collect(args) => collect(args),
        Command::Remove(args) => remove(args),
    }
}

fn submit(args: SubmitArgs) -> Result<ExitCode> {
    let lexicon = args.wordlist.lexicon()?;
    let job = Job::new(args.engine, &lexicon, &args.scoring, args.dims, args.cutoff)?;
    let options = SubmitOptions {
        check_share: args.check_share,
        ack_wait: Duration::from_secs(args.ack_wait.into()),
        replicas: args.replicas.into(),
        retry_parked: args.retry_parked,
    };
    let submitted = args.nats.connect(Role::Owner)?.submit(&job, &options)?;
    let Submitted { run, added, new } = &submitted;
    if run.check_share != options.check_share || run.ack_wait_seconds != options.ack_wait.as_secs_f64() {
        anstream::eprintln!(
            "bogglemax: run {} is there already, with --check-share {} and --ack-wait {}: that stays",
            run.id,
            run.check_share,
            run.ack_wait_seconds
        );
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let (id, tasks, checks) = (&run.id, run.spec.tasks, run.checks);
        print_json(
            &mut out,
            &json!({ "run": id, "new": new, "tasks": tasks, "checks": checks, "added": added }),
        )?;
    } else {
        let known = if *new { "" } else { " (known before)" };
        writeln!(
            out,
            "Run {}{known}: {} tasks, {} of them to be run twice",
            run.id, run.spec.tasks, run.checks
        )?;
        writeln!(out, "{added} added to the queue")?;
        writeln!(out, "Next: bogglemax cluster work   (on every machine, with the same --nats)")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn work(args: WorkArgs) -> Result<ExitCode> {
    let lexicon = args.wordlist.lexicon()?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(cores, usize::from);
    let name = args.name.unwrap_or_else(default_name);
    let options = WorkOptions {
        threads,
        max_memory: args.max_memory.unwrap_or(threads * MEMORY_OF_A_THREAD),
        run: args.run,
        until_done: args.until_done,
        grace: Duration::from_secs(args.grace.into()),
        stop: stop_on_signals()?,
        ..WorkOptions::new(&name)
    };
    let cluster = args.nats.connect(Role::Worker)?;
    anstream::eprintln!("bogglemax: worker {} with {} threads", options.name, threads);
    let tell = |line: &str| anstream::eprintln!("bogglemax: {line}");
    let report = cluster.work(&lexicon, &options, Arc::new(EngineRunner), tell)?;
    let fate = match report.ended {
        Ended::Done => "nothing left to do".into(),
        Ended::Stopped => "stopped".into(),
        Ended::HandedBack(tasks) => format!("stopped; {tasks} handed back"),
    };
    anstream::eprintln!("bogglemax: {} tasks done, {} failures; {fate}", report.tasks, report.failures);
    if matches!(report.ended, Ended::HandedBack(_)) {
        std::process::exit(0); // threads are still busy with what others will do
    }
    Ok(ExitCode::SUCCESS)
}

/// Set by the first Ctrl-C or SIGTERM; the second ends the process.
fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let handler = move || {
        if told.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("bogglemax: finishing what is under way; once more to leave at once");
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// A name that no other worker has: host, process, time.
fn default_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_else(|_| "worker".into());
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{:x}", host.trim(), std::process::id(), time.as_millis() & 0xFFFF_FFFF)
}

fn status(args: StatusArgs) -> Result<ExitCode> {
    let cluster = args.nats.connect(Role::Owner)?;
    let runs = match &args.run {
        Some(name) => vec![cluster.run(Some(name))?],
        None => cluster.runs()?,
    };
    let all = runs.iter().map(|run| Ok(cluster.status(run)?)).collect::<Result<Vec<RunStatus>>>()?;
    let mut out = std::io::stdout().lock();
    if args.json {
        print_json(&mut out, &json!({ "runs": all }))?;
    } else if all.is_empty() {
        writeln!(out, "No runs. Next: bogglemax cluster submit RxC --cutoff N")?;
    }
    if !args.json {
        all.iter().try_for_each(|status| print_status(&mut out, status))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_status(out: &mut impl Write, s: &RunStatus) -> Result<()> {
    writeln!(out, "Run {}: {}, cutoff {}, {}, engine {}", s.run, s.dims, s.cutoff, s.wordlist, s.engine)?;
    let eta = match s.eta_seconds {
        _ if s.is_complete() => "nothing".into(),
        Some(seconds) => format!("about {}", duration(seconds)),
        None => "unknown time".into(),
    };
    writeln!(
        out,
        "  {} of {} tasks done ({:.1} % of the predicted work), {} running, {} waiting, {} parked; {eta} left",
        s.done,
        s.tasks,
        100.0 * s.share,
        s.running,
        s.waiting,
        s.parked.len()
    )?;
    if s.checks > 0 {
        writeln!(out, "  {} of {} run twice", s.checks_done, s.checks)?;
    }
    for line in &s.parked {
        writeln!(out, "  parked: {line}")?;
    }
    let threads: usize = s.workers.iter().map(|w| w.threads).sum();
    writeln!(out, "  {} workers with {threads} threads", s.workers.len())?;
    for w in &s.workers {
        writeln!(
            out,
            "    {}: {} threads, {} running (longest {}), {} done, {} failures",
            w.name,
            w.threads,
            w.running,
            duration(w.longest_seconds),
            w.tasks,
            w.failures
        )?;
    }
    Ok(())
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn collect(args: CollectArgs) -> Result<ExitCode> {
    let lexicon = args.wordlist.lexicon()?;
    let cluster = args.nats.connect(Role::Owner)?;
    let run = cluster.run(args.run.as_deref())?;
    let collected = cluster.collect(&run, &lexicon, &args.out)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let spec = &run.spec;
        let report = json!({ "run": run.id, "spec": spec, "collected": collected, "complete": collected.is_complete() });
        print_json(&mut out, &report)?;
    } else {
        print_collected(&mut out, &run.spec, &collected, &args.out)?;
    }
    Ok(if collected.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print_collected(out: &mut impl Write, spec: &Spec, collected: &Collected, dir: &Path) -> Result<()> {
    let summary = &collected.summary;
    for found in &summary.boards {
        writeln!(out, "{}: {}", found.board, found.score)?;
    }
    for wrong in &collected.rejected {
        writeln!(out, "rejected: task {} by {}: {}", wrong.task, wrong.worker, wrong.fault)?;
    }
    for line in &collected.parked {
        writeln!(out, "parked: {line}")?;
    }
    if collected.checks > 0 {
        writeln!(out, "{} of {} tasks to be run twice agree", collected.checked, collected.checks)?;
    }
    let (tasks, cpu, dir) = (summary.tasks, summary.cpu_seconds, dir.display());
    if collected.is_complete() {
        match summary.boards.first() {
            Some(best) => writeln!(
                out,
                "No {} board beats {} points: proved for {}, {} scoring",
                spec.dims, best.score, spec.wordlist.name, spec.scoring
            )?,
            None => writeln!(out, "No {} board has {} points or more", spec.dims, spec.cutoff)?,
        }
        writeln!(out, "{tasks} tasks, {cpu:.1} s of CPU; recorded in '{dir}'")?;
        writeln!(out, "Next: bogglemax verify '{dir}'")?;
    } else {
        writeln!(out, "{} of {tasks} tasks recorded in '{dir}': the run proves nothing yet", summary.done)?;
        let next = match collected.parked.is_empty() {
            true => "bogglemax cluster status",
            false => "bogglemax cluster submit … --retry-parked   (when what parked them is mended)",
        };
        writeln!(out, "Next: {next}")?;
    }
    Ok(())
}

fn remove(args: RemoveArgs) -> Result<ExitCode> {
    let cluster = args.nats.connect(Role::Owner)?;
    let run = cluster.run(Some(&args.run))?;
    cluster.remove(&run.id)?;
    anstream::eprintln!("bogglemax: run {} is removed", run.id);
    Ok(ExitCode::SUCCESS)
}

fn print_json(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let parsed = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    parsed.ok_or_else(|| format!("'{text}' is no share: give a number from 0 to 1"))
}

/// A number of bytes such as 500M or 4G.
fn bytes(text: &str) -> Result<usize, String> {
    let parse = || {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let power = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" => 0,
            "K" | "KB" => 10,
            "M" | "MB" => 20,
            "G" | "GB" => 30,
            "T" | "TB" => 40,
            _ => return None,
        };
        digits.parse::<usize>().ok()?.checked_mul(1 << power).filter(|&n| n > 0)
    };
    parse().ok_or_else(|| format!("'{text}' is no size: give bytes such as 500M or 4G"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_shares() {
        assert_eq!([bytes("7"), bytes("4G"), bytes("500mb")], [Ok(7), Ok(4 << 30), Ok(500 << 20)]);
        assert!(["", "0", "4X", "-1"].iter().all(|text| bytes(text).is_err()));
        assert_eq!(share("0.25"), Ok(0.25));
        assert!(["", "1.5", "-0.1", "nan"].iter().all(|text| share(text).is_err()));
    }
}
