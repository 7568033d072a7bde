//! How far a run is, and who works on it.

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{Info, pull};
use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::names::{Kind, RunId, WORKERS, kind_and_task};
use crate::server::{Cluster, chain, last_message, stream, subjects};
use crate::submit::RunInfo;
use crate::trouble::trouble;

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStatus {
    /// Its name.
    pub run: RunId,
    /// Rows x columns.
    pub dims: String,
    /// The cutoff.
    pub cutoff: u64,
    /// The engine's name.
    pub engine: String,
    /// The word list's name, as it was submitted.
    pub wordlist: String,
    /// Number of tasks.
    pub tasks: u64,
    /// Tasks with a result.
    pub done: u64,
    /// Tasks and checks that workers have now.
    pub running: u64,
    /// Tasks that no worker has taken yet.
    pub waiting: u64,
    /// Tasks to be run twice.
    pub checks: u64,
    /// Those with both results.
    pub checks_done: u64,
    /// Tasks and checks that are not run any more: "task 7: why".
    pub parked: Vec<String>,
    /// The share of the predicted work that is done.
    pub share: f64,
    /// How long the workers of now need for the rest, if they have done anything yet.
    pub eta_seconds: Option<f64>,
    /// Those heard of lately.
    pub workers: Vec<WorkerStatus>,
}

impl RunStatus {
    /// Whether every task has a result, and every check too.
    pub fn is_complete(&self) -> bool {
        self.done == self.tasks && self.checks_done == self.checks
    }
}

/// What a worker is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its program and version.
    pub program: String,
    /// Number of threads.
    pub threads: usize,
    /// Tasks under way.
    pub running: u64,
    /// How long the longest of them has been.
    pub longest_seconds: f64,
    /// Tasks finished since it began on the run.
    pub tasks: u64,
    /// Failures.
    pub failures: u64,
    /// What its finished tasks took.
    pub cpu_seconds: f64,
    /// What they had been predicted to take, in the engine's units.
    pub predicted: f64,
}

impl Cluster {
    /// How far a run is.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn status(&self, run: &RunInfo) -> Result<RunStatus, ClusterError> {
        self.runtime.block_on(status(&self.js, run))
    }
}

async fn status(js: &Context, run: &RunInfo) -> Result<RunStatus, ClusterError> {
    let (tasks, checks) = (consumer(js, run, Kind::Task).await?, consumer(js, run, Kind::Check).await?);
    let results = run.id.result_stream();
    let done = subjects(js, &results, &run.id.result(Kind::Task, "*")).await?.len() as u64;
    let checks_done = subjects(js, &results, &run.id.result(Kind::Check, "*")).await?.len() as u64;
    let parked = parked(js, run).await?;
    let workers = workers(js, run).await?;
    let share = run.share(done + parked.len() as u64);
    Ok(RunStatus {
        run: run.id.clone(),
        dims: run.spec.dims.clone(),
        cutoff: run.spec.cutoff,
        engine: run.spec.engine.clone(),
        wordlist: run.spec.wordlist.name.clone(),
        tasks: run.spec.tasks,
        done,
        running: (tasks.num_ack_pending + checks.num_ack_pending) as u64,
        waiting: tasks.num_pending,
        checks: run.checks,
        checks_done,
        parked: parked
            .into_iter()
            .map(|(kind, task, why)| format!("{} {task}: {why}", kind.as_str()))
            .collect(),
        share,
        eta_seconds: eta(run, share, &workers),
        workers,
    })
}

/// The rest of the predicted work, at the pace of the workers' finished tasks, on all their threads.
fn eta(run: &RunInfo, share: f64, workers: &[WorkerStatus]) -> Option<f64> {
    let sum = |of: fn(&WorkerStatus) -> f64| workers.iter().map(of).sum::<f64>();
    let (cpu, predicted, threads) = (sum(|w| w.cpu_seconds), sum(|w| w.predicted), sum(|w| w.threads as f64));
    let left = (1.0 - share).max(0.0) * run.predicted;
    (predicted > 0.0 && threads > 0.0).then(|| left * cpu / predicted / threads)
}

async fn consumer(js: &Context, run: &RunInfo, kind: Kind) -> Result<Info, ClusterError> {
    let found = js.get_consumer_from_stream::<pull::Config, _, _>(kind.as_str(), run.id.queue_stream()).await;
    let found =
        found.map_err(|e| ClusterError::server(format!("open the queue of run {}", run.id), chain(&e)))?;
    Ok(found.cached_info().clone())
}

/// The parked tasks of a run, and why.
pub(crate) async fn parked(js: &Context, run: &RunInfo) -> Result<Vec<(Kind, u64, String)>, ClusterError> {
    let mut parked = Vec::new();
    for subject in subjects(js, &run.id.trouble_stream(), ">").await? {
        let Some((kind, task)) = kind_and_task(&subject) else { continue };
        let why = trouble(js, &run.id, kind, task).await?.and_then(|trouble| trouble.parked);
        parked.extend(why.map(|why| (kind, task, why)));
    }
    parked.sort_unstable();
    Ok(parked)
}

async fn workers(js: &Context, run: &RunInfo) -> Result<Vec<WorkerStatus>, ClusterError> {
    let mut all: Vec<WorkerStatus> = Vec::new();
    let stream = stream(js, WORKERS).await?;
    for subject in subjects(js, WORKERS, &run.id.worker("*")).await? {
        // It may be forgotten between the listing and now.
        let message = last_message(&stream, &subject).await?;
        all.extend(message.and_then(|m| serde_json::from_slice(&m.payload).ok()));
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}
