//! Working a run: tasks on many threads, hardest first, each recorded when it is done.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::directory::RunDir;
use super::engine::Job;
use super::journal::Record;
use super::{RunError, Spec};

/// Bytes that the lists of a thread may take by default.
pub const MEMORY_OF_A_THREAD: usize = 3 << 30;

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// Number of threads.
    pub threads: usize,
    /// What all workers' lists may take together, in bytes.
    pub max_memory: usize,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Tasks done, those of earlier times included.
    pub done: u64,
    /// Tasks of this directory.
    pub tasks: u64,
    /// The share of the predicted work that is done, from 0 to 1: tasks differ by a factor of a
    /// thousand, so that their number says little.
    pub share: f64,
    /// The share that was done before this process began.
    pub share_before: f64,
    /// Nodes visited by this process.
    pub nodes: u64,
}

/// Told of every finished task, by whichever thread finished it.
pub trait Observer: Sync {
    /// A task was finished and recorded.
    fn finished(&self, record: &Record, progress: &Progress);
}

/// Runs with at most this many tasks are worked hardest first, and their progress is weighed by
/// predicted work; beyond, tasks come in the order of their ids.
const MAX_SORTED: u64 = 1 << 22;

/// Works all tasks of the run that are not recorded yet.
///
/// # Errors
/// If a record cannot be written or a task cannot be held in memory. What was recorded stays.
pub fn work(
    job: &Job,
    run: &mut RunDir,
    options: &WorkOptions,
    observer: &impl Observer,
) -> Result<(), RunError> {
    let plan = Plan::new(job, run);
    let threads = options.threads.max(1);
    let queue = Mutex::new(plan.open);
    let shared = Mutex::new((run, plan.progress));
    let (failure, stop) = (Mutex::new(None), AtomicBool::new(false));
    let loop_over_tasks = || -> Result<(), RunError> {
        let mut worker = job.worker(options.max_memory / threads);
        while !stop.load(Ordering::Relaxed) {
            let next = queue.lock().expect("no panic while locked").next();
            let Some((task, share)) = next else { break };
            let (record, certificate) = worker.run_certified(task)?;
            let mut shared = shared.lock().expect("no panic while locked");
            let (run, progress) = &mut *shared;
            if let Some(certificate) = certificate {
                run.certify(task, certificate.as_bytes())?;
            }
            run.record(record.clone())?;
            progress.done += 1;
            progress.share += share;
            progress.nodes += record.nodes;
            observer.finished(&record, progress);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                if let Err(error) = loop_over_tasks() {
                    stop.store(true, Ordering::Relaxed);
                    failure.lock().expect("no panic while locked").get_or_insert(error);
                }
            });
        }
    });
    let (run, _) = shared.into_inner().expect("no panic in a worker");
    run.sync()?;
    failure.into_inner().expect("no panic in a worker").map_or(Ok(()), Err)
}

/// The open tasks, each with its share of the predicted work.
struct Plan {
    open: Box<dyn Iterator<Item = (u64, f64)> + Send>,
    progress: Progress,
}

impl Plan {
    fn new(job: &Job, run: &RunDir) -> Plan {
        let spec: &Spec = run.spec();
        let (done, tasks) = (run.done().len() as u64, spec.own_tasks());
        let is_open = |task: &u64| spec.holds(*task) && !run.done().contains_key(task);
        if spec.tasks > MAX_SORTED {
            let each = 1.0 / tasks as f64;
            let share = done as f64 * each;
            let progress = Progress { done, tasks, share, share_before: share, nodes: 0 };
            let (spec, finished) = (spec.clone(), run.done().keys().copied().collect::<Vec<u64>>());
            let still_open = move |task: &u64| spec.holds(*task) && finished.binary_search(task).is_err();
            let open = (0..run.spec().tasks).filter(still_open).map(move |task| (task, each));
            return Plan { open: Box::new(open), progress };
        }
        let cost = |task: u64| (task, job.predicted_cost(task).max(f64::MIN_POSITIVE));
        let all: f64 = (0..spec.tasks).filter(|&t| spec.holds(t)).map(|t| cost(t).1).sum();
        let mut open: Vec<(u64, f64)> = (0..spec.tasks).filter(is_open).map(cost).collect();
        open.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let left: f64 = open.iter().map(|t| t.1).sum();
        let share = if all > 0.0 { 1.0 - left / all } else { 0.0 };
        let progress = Progress { done, tasks, share, share_before: share, nodes: 0 };
        Plan { open: Box::new(open.into_iter().map(move |(task, cost)| (task, cost / all))), progress }
    }
}
