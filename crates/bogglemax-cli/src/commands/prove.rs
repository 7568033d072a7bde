//! `prove`: finds all boards of a shape that score at least a cutoff, up to symmetry.
//!
//! An engine splits the boards of a shape into numbered tasks and runs them one at a time, each
//! thread with a clone of its own; what is common to all engines is here.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Result;
use bogglemax::{Board, Classes, Dims, Lexicon, Scoring, paper};
use cpu_time::ThreadTime;
use rayon::prelude::*;

use crate::options::{GameOptions, OutputOptions, ThreadsOption};

/// Find all boards that score at least a cutoff, up to symmetry
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  bogglemax prove 3x3 --cutoff 500 --engine paper")]
pub struct Args {
    /// Rows x columns, e.g. 3x4
    #[arg(value_name = "RxC")]
    dims: Dims,

    /// Find the boards that score at least this much
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cutoff: u64,

    /// How to search
    #[arg(long, value_enum, default_value_t = EngineName::Paper)]
    engine: EngineName,

    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    output: OutputOptions,
}

#[derive(clap::ValueEnum, Clone, Copy, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum EngineName {
    /// Sum/choice trees, as in the paper
    Paper,
}

/// An engine with the tasks it makes of a shape.
#[derive(Clone)]
enum Engine {
    Paper { tasks: Classes, engine: paper::Engine },
}

impl Engine {
    fn new(
        name: EngineName,
        lexicon: &Lexicon,
        scoring: &Scoring,
        dims: Dims,
        cutoff: u64,
    ) -> Result<Engine> {
        match name {
            EngineName::Paper => {
                let engine = paper::Engine::new(lexicon, scoring, dims, cutoff, paper::Options::default())?;
                Ok(Engine::Paper { tasks: paper::tasks(dims)?, engine })
            }
        }
    }

    fn tasks(&self) -> usize {
        match self {
            Engine::Paper { tasks, .. } => tasks.len(),
        }
    }

    /// The boards of a task that score at least the cutoff, perhaps in several orientations.
    fn run(&mut self, task: usize) -> Result<Vec<(Board, u64)>> {
        match self {
            Engine::Paper { tasks, engine } => {
                let class = tasks.get(task).expect("a task of this run");
                Ok(engine.run(&class)?.boards)
            }
        }
    }
}

#[derive(serde::Serialize)]
struct Report<'a> {
    dims: String,
    wordlist: &'a str,
    scoring: String,
    cutoff: u64,
    engine: EngineName,
    boards: Vec<Found>,
    tasks: usize,
    cpu_seconds: f64,
    wall_seconds: f64,
}

#[derive(serde::Serialize)]
struct Found {
    board: String,
    score: u64,
}

pub fn run(args: Args) -> Result<ExitCode> {
    args.threads.apply()?;
    let lexicon = args.game.lexicon()?;
    let engine = Engine::new(args.engine, &lexicon, args.game.scoring(), args.dims, args.cutoff)?;
    let start = Instant::now();
    let (boards, cpu_seconds) = run_tasks(&engine)?;
    let mut boards: Vec<Found> =
        boards.into_iter().map(|(board, score)| Found { board: board.to_string(), score }).collect();
    boards.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.board.cmp(&b.board)));
    let report = Report {
        dims: args.dims.to_string(),
        wordlist: lexicon.name(),
        scoring: args.game.scoring().to_string(),
        cutoff: args.cutoff,
        engine: args.engine,
        boards,
        tasks: engine.tasks(),
        cpu_seconds,
        wall_seconds: start.elapsed().as_secs_f64(),
    };
    let mut out = std::io::stdout().lock();
    if args.output.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        for found in &report.boards {
            writeln!(out, "{}: {}", found.board, found.score)?;
        }
        eprintln!(
            "{} boards score {} or more; {} tasks, {:.1} s of CPU, {:.1} s",
            report.boards.len(),
            report.cutoff,
            report.tasks,
            report.cpu_seconds,
            report.wall_seconds
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs all tasks on so many threads: the boards found, canonical and once each, and the seconds
/// of CPU spent in tasks, all threads together.
fn run_tasks(engine: &Engine) -> Result<(BTreeMap<Board, u64>, f64)> {
    let (tasks, done) = (engine.tasks(), AtomicUsize::new(0));
    let found = Mutex::new((BTreeMap::new(), 0.0));
    let idle = Mutex::new(Vec::new());
    let run_task = |task: usize| -> Result<()> {
        let mut engine = idle.lock().expect("no panic in a task").pop().unwrap_or_else(|| engine.clone());
        let start = ThreadTime::now();
        let boards = engine.run(task)?;
        let seconds = start.elapsed().as_secs_f64();
        idle.lock().expect("no panic in a task").push(engine);
        let mut found = found.lock().expect("no panic in a task");
        found.0.extend(boards.into_iter().map(|(board, score)| (board.canonical(), score)));
        found.1 += seconds;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(tasks.div_ceil(20)) || done == tasks {
            eprintln!("{done} of {tasks} tasks, {} boards", found.0.len());
        }
        Ok(())
    };
    (0..tasks).into_par_iter().with_max_len(1).try_for_each(run_task)?;
    Ok(found.into_inner().expect("no panic in a task"))
}
