//! Submitting a run: its streams, its parameters, its tasks.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use bogglemax::run::{Job, Spec};
use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::names::{Kind, RUN_SUBJECTS, RUNS, RunId, WORKER_SUBJECTS, WORKERS, kind_and_task};
use crate::server::{Cluster, Stored, chain, last_message, publish_first, run_subjects, stream, subjects};
use crate::trouble::{Trouble, change, trouble};

/// More tasks than this are not queued.
const MAX_TASKS: u64 = 1 << 22;
/// Messages on their way at once: enough to keep the server busy.
const WINDOW: usize = 1000;
/// The server drops a message whose id it has seen within this time; beyond, the subject decides.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// More pull requests and running tasks than anyone's workers have; the server's own limits are 512
/// and 1000.
const MANY: i64 = 1 << 20;
/// What a worker was doing is forgotten after this.
const WORKER_AGE: Duration = Duration::from_secs(30);
/// Points of the curve of predicted work.
const PROFILE: usize = 256;

/// How to submit.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmitOptions {
    /// The share of tasks, from 0 to 1, that a second worker runs too, to compare.
    pub check_share: f64,
    /// A worker not heard of for so long has lost its task to another.
    pub ack_wait: Duration,
    /// How many servers keep each message, where the server is a cluster.
    pub replicas: usize,
    /// Whether parked tasks are queued again.
    pub retry_parked: bool,
}

impl Default for SubmitOptions {
    fn default() -> SubmitOptions {
        SubmitOptions {
            check_share: 0.0,
            ack_wait: Duration::from_secs(30),
            replicas: 1,
            retry_parked: false,
        }
    }
}

/// A run as the server knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Its name.
    pub id: RunId,
    /// Its parameters.
    pub spec: Spec,
    /// The share of tasks that are run twice.
    pub check_share: f64,
    /// How many those are.
    pub checks: u64,
    /// A worker not heard of for so many seconds has lost its task.
    pub ack_wait_seconds: f64,
    /// The predicted work of all tasks, in the engine's units.
    pub predicted: f64,
    /// The share of the predicted work in the first i/256 of the tasks, for i from 0 to 256.
    pub profile: Vec<f64>,
}

/// What submitting did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Submitted {
    /// The run.
    pub run: RunInfo,
    /// Messages added to the queue, checks included; 0 if all were there.
    pub added: u64,
    /// Whether the run was new.
    pub new: bool,
}

impl RunInfo {
    /// Whether a task is to be run twice. Scattered over the ids, the same whenever asked.
    pub(crate) fn is_checked(&self, task: u64) -> bool {
        scattered(task) < self.check_share
    }

    /// The share of the predicted work in the first tasks of the queue.
    pub(crate) fn share(&self, first: u64) -> f64 {
        let place = first as f64 / self.spec.tasks.max(1) as f64 * PROFILE as f64;
        let (below, part) = (place.floor() as usize, place.fract());
        let at = |i: usize| self.profile.get(i.min(PROFILE)).copied().unwrap_or(1.0);
        at(below) + part * (at(below + 1) - at(below))
    }
}

/// A number from 0 to 1 for each task, without pattern (Steele et al., SplitMix64).
fn scattered(task: u64) -> f64 {
    let mut z = task.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
}

impl Cluster {
    /// Submits a run: creates its streams and queues its tasks, hardest first. Submitting again adds
    /// only what is missing: nothing, unless an earlier time was interrupted or messages were lost.
    ///
    /// # Errors
    /// If there are too many tasks, or the server refuses.
    pub fn submit(&self, job: &Job, options: &SubmitOptions) -> Result<Submitted, ClusterError> {
        if job.tasks() > MAX_TASKS {
            return Err(ClusterError::TooManyTasks { tasks: job.tasks(), most: MAX_TASKS });
        }
        self.runtime.block_on(submit(&self.js, job, options))
    }

    /// All runs of the server, in the order of their names.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn runs(&self) -> Result<Vec<RunInfo>, ClusterError> {
        self.runtime.block_on(runs(&self.js))
    }

    /// The one run whose name begins with `name`; the only run if there is no name.
    ///
    /// # Errors
    /// If there is no such run, or several.
    pub fn run(&self, name: Option<&str>) -> Result<RunInfo, ClusterError> {
        let mut runs = self.runs()?;
        runs.retain(|run| run.id.begins_with(name.unwrap_or("")));
        match runs.len() {
            0 => Err(ClusterError::NoRun),
            1 => Ok(runs.remove(0)),
            count => Err(ClusterError::ManyRuns { count }),
        }
    }

    /// Removes a run from the server, with all its results.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn remove(&self, run: &RunId) -> Result<(), ClusterError> {
        self.runtime.block_on(async {
            for name in [run.queue_stream(), run.result_stream(), run.trouble_stream()] {
                let deleted = self.js.delete_stream(&name).await;
                deleted.map_err(|e| ClusterError::server(format!("delete stream {name}"), chain(&e)))?;
            }
            let purged = stream(&self.js, RUNS).await?.purge().filter(run.subject()).await;
            purged.map_err(|e| ClusterError::server(format!("forget run {run}"), chain(&e)))?;
            Ok(())
        })
    }
}

pub(crate) async fn runs(js: &Context) -> Result<Vec<RunInfo>, ClusterError> {
    let mut subjects = run_subjects(js).await?;
    subjects.sort_unstable();
    let mut runs = Vec::new();
    for subject in subjects {
        runs.extend(run_info(js, &subject).await?);
    }
    Ok(runs)
}

async fn run_info(js: &Context, subject: &str) -> Result<Option<RunInfo>, ClusterError> {
    let Some(message) = last_message(&stream(js, RUNS).await?, subject).await? else { return Ok(None) };
    let info = serde_json::from_slice(&message.payload);
    info.map(Some).map_err(|e| ClusterError::server(format!("understand {subject}"), e))
}

async fn submit(js: &Context, job: &Job, options: &SubmitOptions) -> Result<Submitted, ClusterError> {
    let order = hardest_first(job);
    let info = new_info(job, &order, options);
    create_streams(js, &info, options.replicas).await?;
    let payload = serde_json::to_vec(&info).expect("plain data").into();
    let stored = publish_first(js, info.id.subject(), PublishMessage::build().payload(payload)).await;
    let new =
        stored.map_err(|e| ClusterError::server("store the run's parameters", chain(&e)))? == Stored::New;
    // Of an earlier submission, the shares and times hold.
    let info = run_info(js, &info.id.subject()).await?.ok_or(ClusterError::NoRun)?;
    create_consumers(js, &info).await?;
    let missing = missing(js, &info, &order, options.retry_parked).await?;
    let mut added = 0;
    for window in missing.chunks(WINDOW) {
        added += publish_tasks(js, &info.id, window).await?;
    }
    Ok(Submitted { run: info, added, new })
}

/// All tasks with their predicted work.
fn hardest_first(job: &Job) -> Vec<(u64, f64)> {
    let mut order: Vec<(u64, f64)> = (0..job.tasks()).map(|task| (task, job.predicted_cost(task))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order
}

fn new_info(job: &Job, order: &[(u64, f64)], options: &SubmitOptions) -> RunInfo {
    let spec = job.spec(None);
    let total: f64 = order.iter().map(|t| t.1).sum::<f64>().max(f64::MIN_POSITIVE);
    let mut sums = vec![0.0];
    order.iter().for_each(|t| sums.push(sums[sums.len() - 1] + t.1 / total));
    let mut info = RunInfo {
        id: RunId::of(&spec),
        spec,
        check_share: options.check_share,
        checks: 0,
        ack_wait_seconds: options.ack_wait.as_secs_f64(),
        predicted: total,
        profile: (0..=PROFILE).map(|i| sums[i * order.len() / PROFILE]).collect(),
    };
    info.checks = (0..info.spec.tasks).filter(|&task| info.is_checked(task)).count() as u64;
    info
}

async fn create_streams(js: &Context, info: &RunInfo, num_replicas: usize) -> Result<(), ClusterError> {
    let run = &info.id;
    let base = Config { num_replicas, duplicate_window: DUPLICATE_WINDOW, ..Config::default() };
    let streams = [
        Config {
            name: RUNS.into(),
            subjects: vec![RUN_SUBJECTS.into()],
            max_messages_per_subject: 1,
            ..base.clone()
        },
        Config {
            name: WORKERS.into(),
            subjects: vec![WORKER_SUBJECTS.into()],
            max_messages_per_subject: 1,
            max_age: WORKER_AGE,
            duplicate_window: WORKER_AGE,
            ..base.clone()
        },
        Config {
            name: run.queue_stream(),
            subjects: Kind::ALL.map(|kind| run.queued(kind, "*")).into(),
            retention: RetentionPolicy::WorkQueue,
            ..base.clone()
        },
        Config {
            name: run.result_stream(),
            subjects: Kind::ALL.map(|kind| run.result(kind, "*")).into(),
            // The first result stays: nobody can put another in its place.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            ..base.clone()
        },
        Config {
            name: run.trouble_stream(),
            subjects: Kind::ALL.map(|kind| run.trouble(kind, "*")).into(),
            max_messages_per_subject: 1,
            ..base
        },
    ];
    for config in streams {
        let name = config.name.clone();
        let created = js.get_or_create_stream(config).await;
        created.map_err(|e| ClusterError::server(format!("create stream {name}"), chain(&e)))?;
    }
    Ok(())
}

async fn create_consumers(js: &Context, info: &RunInfo) -> Result<(), ClusterError> {
    let queue = stream(js, &info.id.queue_stream()).await?;
    for kind in Kind::ALL {
        let config = pull::Config {
            durable_name: Some(kind.as_str().into()),
            filter_subject: info.id.queued(kind, "*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs_f64(info.ack_wait_seconds),
            max_deliver: -1,
            max_ack_pending: MANY,
            max_waiting: MANY,
            ..pull::Config::default()
        };
        let failed =
            |reason: String| ClusterError::server(format!("create consumer {}", kind.as_str()), reason);
        let created = queue.get_or_create_consumer(kind.as_str(), config.clone()).await;
        let there = created.map_err(|e| failed(chain(&e)))?.cached_info().clone();
        let queued = subjects(js, &info.id.queue_stream(), &info.id.queued(kind, "*")).await?;
        if there.num_pending == 0 && there.num_ack_pending == 0 && !queued.is_empty() {
            // It has lost count of what is queued: a new one begins with what is there.
            queue.delete_consumer(kind.as_str()).await.map_err(|e| failed(chain(&e)))?;
            queue.create_consumer(config).await.map_err(|e| failed(chain(&e)))?;
        }
    }
    Ok(())
}

/// A task to queue.
struct Missing {
    kind: Kind,
    task: u64,
    /// How often it was taken up again after being parked; part of its result's message id.
    attempt: u32,
}

/// The tasks that are nowhere: neither queued nor finished nor parked. A task goes from the queue to
/// the results or the parked ones, where it appears before it leaves the queue: so the queue must be
/// listed first.
async fn missing(
    js: &Context,
    info: &RunInfo,
    order: &[(u64, f64)],
    retry_parked: bool,
) -> Result<Vec<Missing>, ClusterError> {
    let run = &info.id;
    let mut known: HashSet<(Kind, u64)> = HashSet::new();
    let mut parked: Vec<(Kind, u64)> = Vec::new();
    let streams = [run.queue_stream(), run.trouble_stream(), run.result_stream()];
    for name in streams {
        let all = subjects(js, &name, ">").await?;
        let all = all.iter().filter_map(|subject| kind_and_task(subject));
        if name == run.trouble_stream() { parked.extend(all) } else { known.extend(all) }
    }
    let mut attempts = std::collections::HashMap::new();
    for (kind, task) in parked {
        let mut now = trouble(js, run, kind, task).await?.unwrap_or_default();
        if now.parked.is_some() && retry_parked {
            now = change(js, run, kind, task, Trouble::retried).await?;
        }
        if now.parked.is_some() {
            known.insert((kind, task));
        }
        attempts.insert((kind, task), now.attempt);
    }
    let checks = order.iter().filter(|t| info.is_checked(t.0)).map(|t| (Kind::Check, t.0));
    let all = order.iter().map(|t| (Kind::Task, t.0)).chain(checks).filter(|what| !known.contains(what));
    let missing = all.map(|(kind, task)| {
        let attempt = attempts.get(&(kind, task)).copied().unwrap_or(0);
        Missing { kind, task, attempt }
    });
    Ok(missing.collect())
}

/// Publishes tasks in their order; returns how many were not there yet.
async fn publish_tasks(js: &Context, run: &RunId, tasks: &[Missing]) -> Result<u64, ClusterError> {
    let failed = |e: &dyn std::error::Error| ClusterError::server("queue a task", chain(e));
    let mut under_way = Vec::with_capacity(tasks.len());
    for Missing { kind, task, attempt } in tasks {
        let message = PublishMessage::build()
            .payload(attempt.to_string().into())
            .message_id(format!("{}.{task}.{attempt}", kind.as_str()))
            .expected_last_subject_sequence(0);
        under_way.push(js.send_publish(run.queued(*kind, task), message).await.map_err(|e| failed(&e))?);
    }
    let mut added = 0;
    for acknowledged in under_way {
        use async_nats::jetstream::context::PublishErrorKind::WrongLastSequence;
        match acknowledged.await {
            Ok(ack) => added += u64::from(!ack.duplicate),
            Err(error) if error.kind() == WrongLastSequence => {}
            Err(error) => return Err(failed(&error)),
        }
    }
    Ok(added)
}

#[cfg(test)]
mod tests {
    use bogglemax::run::EngineName;
    use bogglemax::{Lexicon, Scoring};

    use super::*;

    fn info(share: f64) -> RunInfo {
        let lexicon = Lexicon::from_text("x", b"tea\neat\nteas\nquit\n").unwrap();
        let (scoring, dims) = (Scoring::boggle(), "3x4".parse().unwrap());
        let job = Job::new(EngineName::Fast, &lexicon, &scoring, dims, 3).unwrap();
        new_info(
            &job,
            &hardest_first(&job),
            &SubmitOptions { check_share: share, ..SubmitOptions::default() },
        )
    }

    #[test]
    fn the_share_that_is_run_twice_is_about_as_asked() {
        for share in [0.0, 0.3, 1.0] {
            let info = info(share);
            let expected = share * info.spec.tasks as f64;
            assert!((info.checks as f64 - expected).abs() <= 0.1 * info.spec.tasks as f64, "{}", info.checks);
        }
    }

    #[test]
    fn the_profile_falls_off() {
        let info = info(0.0);
        assert!(info.spec.tasks > 10);
        assert_eq!((info.share(0), info.profile.len()), (0.0, PROFILE + 1));
        assert!((info.share(info.spec.tasks) - 1.0).abs() < 1e-9);
        let half = info.share(info.spec.tasks / 2);
        assert!(half > 0.5 && half <= 1.0, "hardest first: {half}");
    }
}
