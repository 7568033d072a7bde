//! A worker process: threads that take tasks and run them, until told to stop.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::Context;
use bogglemax::run::{EngineName, Job, MEMORY_OF_A_THREAD, Record, Worker};
use bogglemax::{Dims, Lexicon, Scoring};
use tokio::runtime::Handle;

use crate::ClusterError;
use crate::names::{Kind, token};
use crate::queue::{Next, Queue, Sent, Taken};
use crate::server::Cluster;
use crate::status::WorkerStatus;
use crate::submit::{RunInfo, runs};

/// How long a thread waits for a task before it looks around: at first, and at most.
const PATIENCE: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(4);
/// How often a worker tells what it is doing.
const REPORT: Duration = Duration::from_secs(5);
/// How long a worker that leaves tries to get its last report through.
const FAREWELL: Duration = Duration::from_secs(2);
/// Time between two looks at whether to stop.
const TICK: Duration = Duration::from_millis(20);
/// Time between two looks for a run to work on.
const LOOK: Duration = Duration::from_secs(2);

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// The worker's name: different from those of all others.
    pub name: String,
    /// Number of threads.
    pub threads: usize,
    /// What all threads' lists may take together, in bytes.
    pub max_memory: usize,
    /// Work only on runs whose name begins so.
    pub run: Option<String>,
    /// Return when there is nothing left to do, instead of waiting for more.
    pub until_done: bool,
    /// Time to finish what is under way after `stop`, before it is handed back.
    pub grace: Duration,
    /// Set it to make the worker stop.
    pub stop: Arc<AtomicBool>,
}

impl WorkOptions {
    /// A worker of one thread that works until all is done.
    pub fn new(name: &str) -> WorkOptions {
        WorkOptions {
            name: token(name),
            threads: 1,
            max_memory: MEMORY_OF_A_THREAD,
            run: None,
            until_done: true,
            grace: Duration::from_secs(20),
            stop: Arc::default(),
        }
    }
}

/// Runs a task. There is one that does it; tests have others, which fail or dawdle.
pub trait Runner: Send + Sync {
    /// Runs a task with an engine; an error counts against the task.
    ///
    /// # Errors
    /// If the task cannot be run.
    fn run(&self, engine: &mut Worker<'_>, task: u64) -> Result<Record, String>;
}

/// The runner that runs tasks.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineRunner;

impl Runner for EngineRunner {
    fn run(&self, engine: &mut Worker<'_>, task: u64) -> Result<Record, String> {
        engine.run(task).map_err(|error| error.to_string())
    }
}

/// What a worker did.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkReport {
    /// Results stored, those that others had stored before included.
    pub tasks: u64,
    /// Failures.
    pub failures: u64,
    /// Why it stopped.
    pub ended: Ended,
}

/// Why a worker stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing left to do.
    Done,
    /// It was told to, and finished what was under way.
    Stopped,
    /// It was told to, and handed back so many tasks. Threads are still busy with them: end the process.
    HandedBack(usize),
}

/// What happens, for whoever wants to show it.
pub(crate) type Tell = Arc<dyn Fn(&str) + Send + Sync>;

impl Cluster {
    /// Works on the server's runs, one after another. `tell` gets a line now and then.
    ///
    /// # Errors
    /// If none of the runs that are not done has this word list and version of the program, or
    /// threads cannot be started. A server that does not answer is waited for.
    pub fn work(
        &self,
        lexicon: &Lexicon,
        options: &WorkOptions,
        runner: Arc<dyn Runner>,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<WorkReport, ClusterError> {
        let tell: Tell = Arc::new(tell);
        let mut report = WorkReport { tasks: 0, failures: 0, ended: Ended::Done };
        loop {
            if options.stop.load(Ordering::Relaxed) {
                return Ok(WorkReport { ended: Ended::Stopped, ..report });
            }
            let chosen = self.runtime.block_on(choose(&self.js, lexicon, options));
            match chosen {
                Ok(Some((run, queue, job))) => {
                    let spec = &run.spec;
                    tell(&format!("working on run {}: {}, cutoff {}", run.id, spec.dims, spec.cutoff));
                    let part = self.work_on(&run, queue, job, options, &runner, &tell)?;
                    report.tasks += part.tasks;
                    report.failures += part.failures;
                    if part.ended != Ended::Done {
                        return Ok(WorkReport { ended: part.ended, ..report });
                    }
                }
                Ok(None) if options.until_done => return Ok(report),
                Ok(None) => std::thread::sleep(LOOK),
                Err(error @ ClusterError::Server { .. }) => {
                    tell(&format!("{error}; trying again"));
                    std::thread::sleep(LOOK);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Works on one run until it is complete or the worker is told to stop.
    fn work_on(
        &self,
        run: &RunInfo,
        queue: Queue,
        job: Job,
        options: &WorkOptions,
        runner: &Arc<dyn Runner>,
        tell: &Tell,
    ) -> Result<WorkReport, ClusterError> {
        let shift = Arc::new(Shift {
            queue,
            job,
            runner: Arc::clone(runner),
            tell: Arc::clone(tell),
            handle: self.runtime.handle().clone(),
            stop: Arc::clone(&options.stop),
            threads: options.threads,
            max_memory: options.max_memory / options.threads.max(1),
            tally: Mutex::default(),
        });
        let subject = run.id.worker(&options.name);
        let reporting = self.runtime.spawn(keep_telling_status(
            self.js.clone(),
            subject.clone(),
            options.name.clone(),
            Arc::clone(&shift),
        ));
        let mut threads = Vec::new();
        for _ in 0..options.threads.max(1) {
            let (shift, builder) = (Arc::clone(&shift), std::thread::Builder::new());
            let thread = builder.spawn(move || shift.work());
            threads.push(
                thread.map_err(|reason| ClusterError::System { what: "start a thread".into(), reason })?,
            );
        }
        let mut stopped: Option<Instant> = None;
        while threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(TICK);
            if options.stop.load(Ordering::Relaxed) {
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() >= options.grace {
                    reporting.abort();
                    let handed_back = self.runtime.block_on(shift.hand_back());
                    return Ok(shift.report(Ended::HandedBack(handed_back)));
                }
            }
        }
        reporting.abort();
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        // What was done since the last report would be missing from the status for good.
        self.runtime.block_on(async {
            tell_status(&self.js, &subject, &options.name, &shift).await;
            let _ = tokio::time::timeout(FAREWELL, self.js.client().flush()).await;
        });
        Ok(shift.report(if stopped.is_some() { Ended::Stopped } else { Ended::Done }))
    }
}

/// The first run that is not complete and that this worker can work on.
async fn choose(
    js: &Context,
    lexicon: &Lexicon,
    options: &WorkOptions,
) -> Result<Option<(RunInfo, Queue, Job)>, ClusterError> {
    let mut refused = None;
    let mut found = false;
    for run in runs(js).await? {
        if !options.run.as_ref().is_none_or(|name| run.id.begins_with(name)) {
            continue;
        }
        found = true;
        let queue = Queue::open(js, &run, &options.name).await?;
        if queue.is_complete().await? {
            continue;
        }
        match job_of(&run, lexicon) {
            Ok(job) => return Ok(Some((run, queue, job))),
            Err(error) => drop(refused.get_or_insert(error)),
        }
    }
    match (refused, &options.run) {
        (Some(error), _) => Err(error),
        (None, Some(_)) if !found => Err(ClusterError::NoRun),
        _ => Ok(None),
    }
}

/// The run's job, made here from our own word list; refused if it is not the very run.
pub(crate) fn job_of(run: &RunInfo, lexicon: &Lexicon) -> Result<Job, ClusterError> {
    let refused = |difference: String| ClusterError::OtherRun { run: run.id.to_string(), difference };
    let ours = bogglemax::run::WordList::of(lexicon);
    if ours.sha256 != run.spec.wordlist.sha256 {
        let theirs = &run.spec.wordlist;
        return Err(refused(format!(
            "its word list is '{}' of {} words (sha256 {}), ours is '{}' of {} words (sha256 {})",
            theirs.name, theirs.words, &theirs.sha256, ours.name, ours.words, &ours.sha256
        )));
    }
    let engine: EngineName = run.spec.engine.parse().map_err(refused)?;
    let scoring: Scoring = run.spec.scoring.parse().map_err(|e: bogglemax::Error| refused(e.to_string()))?;
    let dims: Dims = run.spec.dims.parse().map_err(|e: bogglemax::Error| refused(e.to_string()))?;
    let job = Job::new(engine, lexicon, &scoring, dims, run.spec.cutoff)?;
    match run.spec.difference(&job.spec(None)) {
        None => Ok(job),
        Some(difference) => Err(refused(difference)),
    }
}

/// What the threads of a worker share while they work on a run.
struct Shift {
    queue: Queue,
    job: Job,
    runner: Arc<dyn Runner>,
    tell: Tell,
    handle: Handle,
    stop: Arc<AtomicBool>,
    threads: usize,
    /// Of each thread.
    max_memory: usize,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    tasks: u64,
    failures: u64,
    cpu_seconds: f64,
    predicted: f64,
    /// What is under way. A task is taken out by whoever settles it.
    running: HashMap<(Kind, u64), (Arc<Taken>, Instant)>,
}

impl Shift {
    /// The life of a thread.
    fn work(&self) -> Result<(), ClusterError> {
        let mut engine = self.job.worker(self.max_memory);
        let mut patience = PATIENCE;
        while !self.stop.load(Ordering::Relaxed) {
            match self.handle.block_on(self.queue.next(patience)) {
                Ok(Next::Task(taken)) => {
                    patience = PATIENCE;
                    if self.run_task(&mut engine, taken) == Outcome::Panicked {
                        engine = self.job.worker(self.max_memory); // who knows what is left of the old one
                    }
                }
                Ok(Next::Nothing) => patience = (patience * 2).min(MOST_PATIENCE),
                Ok(Next::Complete) => return Ok(()),
                Err(ClusterError::NoRun) => {
                    (self.tell)("the run was removed from the server");
                    return Ok(());
                }
                Err(error) => {
                    (self.tell)(&format!("{error}; trying again"));
                    std::thread::sleep(PATIENCE);
                }
            }
        }
        Ok(())
    }

    fn run_task(&self, engine: &mut Worker<'_>, taken: Taken) -> Outcome {
        let (kind, task, taken) = (taken.kind, taken.task, Arc::new(taken));
        self.tally().running.insert((kind, task), (Arc::clone(&taken), Instant::now()));
        let result = catch_unwind(AssertUnwindSafe(|| self.runner.run(engine, task)));
        let (result, outcome) = match result {
            Ok(result) => (result, Outcome::Returned),
            Err(panic) => (Err(format!("panic: {}", panic_text(panic.as_ref()))), Outcome::Panicked),
        };
        let failure = match result {
            Ok(record) => {
                let (cpu, predicted) = (record.cpu_seconds, self.job.predicted_cost(task));
                match self.handle.block_on(self.queue.finish(&taken, record)) {
                    Sent::Done => {
                        let mut tally = self.tally();
                        tally.tasks += 1;
                        tally.cpu_seconds += cpu;
                        tally.predicted += predicted;
                        None
                    }
                    Sent::Impossible(error) => Some(error),
                }
            }
            Err(error) => Some(error),
        };
        if let Some(error) = failure {
            self.tally().failures += 1;
            let noted = self.handle.block_on(self.queue.fail(&taken, &error));
            let fate = match noted {
                Ok(trouble) if trouble.parked.is_some() => "it is parked now".into(),
                Ok(_) => "it will be tried again".into(),
                Err(unheard) => format!("and the server does not know: {unheard}"),
            };
            (self.tell)(&format!("{} {task} failed: {error}; {fate}", kind.as_str()));
        }
        self.tally().running.remove(&(kind, task));
        outcome
    }

    fn tally(&self) -> std::sync::MutexGuard<'_, Tally> {
        self.tally.lock().expect("no panic while locked")
    }

    /// Gives back what is under way; returns how much that is.
    async fn hand_back(&self) -> usize {
        let running: Vec<Arc<Taken>> = self.tally().running.drain().map(|(_, (taken, _))| taken).collect();
        for taken in &running {
            self.queue.give_back(taken).await;
        }
        running.len()
    }

    fn status(&self, name: &str) -> WorkerStatus {
        let tally = self.tally();
        let running = tally.running.values();
        WorkerStatus {
            name: name.to_owned(),
            program: crate::PROGRAM.into(),
            threads: self.threads,
            running: tally.running.len() as u64,
            longest_seconds: running.map(|r| r.1.elapsed().as_secs_f64()).fold(0.0, f64::max),
            tasks: tally.tasks,
            failures: tally.failures,
            cpu_seconds: tally.cpu_seconds,
            predicted: tally.predicted,
        }
    }

    fn report(&self, ended: Ended) -> WorkReport {
        let tally = self.tally();
        WorkReport { tasks: tally.tasks, failures: tally.failures, ended }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Returned,
    Panicked,
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// Tells the server what this worker is doing, over and over.
async fn keep_telling_status(js: Context, subject: String, name: String, shift: Arc<Shift>) {
    loop {
        tell_status(&js, &subject, &name, &shift).await;
        tokio::time::sleep(REPORT).await;
    }
}

/// Tells the server what this worker is doing now. A message that gets lost is no harm: the next one
/// says it all again.
async fn tell_status(js: &Context, subject: &str, name: &str, shift: &Shift) {
    let payload = serde_json::to_vec(&shift.status(name)).expect("plain data");
    let _ = js.client().publish(subject.to_owned(), payload.into()).await;
}
