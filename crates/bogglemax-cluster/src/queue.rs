//! A worker's side of the queue: taking a task, keeping it, settling it.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::context::{ConsumerInfoErrorKind, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Context, Message};
use bogglemax::run::Record;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use crate::ClusterError;
use crate::names::{Kind, kind_and_task};
use crate::server::{chain, last_message, publish_first, stream};
use crate::submit::RunInfo;
use crate::trouble::{Trouble, change, trouble};

/// A task that was handed back because of an error, or that is for another worker, comes again after
/// this.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the server may take to say that it has no task.
const ANSWER: Duration = Duration::from_secs(3);
/// How often a confirmation is asked for before the server is left to find out by itself.
const ACK_TRIES: u32 = 3;

/// A finished task, as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskResult {
    pub worker: String,
    pub program: String,
    pub record: Record,
}

/// The queue of a run, as one worker process sees it.
#[derive(Clone)]
pub(crate) struct Queue {
    js: Context,
    run: Arc<RunInfo>,
    worker: Arc<str>,
    tasks: PullConsumer,
    checks: PullConsumer,
}

/// What the queue has for a worker.
pub(crate) enum Next {
    Task(Taken),
    /// Nothing now.
    Nothing,
    /// Nothing any more: all is settled.
    Complete,
}

/// A task that is this worker's until it is settled, or until its heartbeats stop.
pub(crate) struct Taken {
    pub kind: Kind,
    pub task: u64,
    attempt: String,
    message: Arc<Message>,
    heartbeat: JoinHandle<()>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.heartbeat.abort();
    }
}

/// How sending a result ended.
pub(crate) enum Sent {
    Done,
    /// It cannot be sent, however often it is tried.
    Impossible(String),
}

impl Queue {
    pub(crate) async fn open(js: &Context, run: &RunInfo, worker: &str) -> Result<Queue, ClusterError> {
        let stream = run.id.queue_stream();
        let consumer = |kind: Kind| {
            let stream = stream.clone();
            async move {
                let found = js.get_consumer_from_stream::<pull::Config, _, _>(kind.as_str(), stream).await;
                found
                    .map_err(|e| ClusterError::server(format!("open the queue of run {}", run.id), chain(&e)))
            }
        };
        let (tasks, checks) = (consumer(Kind::Task).await?, consumer(Kind::Check).await?);
        Ok(Queue { js: js.clone(), run: Arc::new(run.clone()), worker: worker.into(), tasks, checks })
    }

    /// The next task for this worker; waits for one for about as long as `patience`.
    pub(crate) async fn next(&self, patience: Duration) -> Result<Next, ClusterError> {
        let message = match take(&self.tasks, None).await? {
            Some(message) => Some(message),
            None if self.run.checks > 0 => take(&self.checks, None).await?,
            None => None,
        };
        let message = match message {
            Some(message) => message,
            None if self.is_complete().await? => return Ok(Next::Complete),
            // Not for the same time every time: a check comes back a little later than it was refused. If
            // those who may not run it always looked a little before those who may, nobody would.
            None => match take(&self.tasks, Some(patience.mul_f64(random(0.5..1.5)))).await? {
                Some(message) => message,
                None => return Ok(Next::Nothing),
            },
        };
        Ok(self.consider(message).await?.map_or(Next::Nothing, Next::Task))
    }

    /// Whether every task is settled: finished or parked.
    pub(crate) async fn is_complete(&self) -> Result<bool, ClusterError> {
        for consumer in [&self.tasks, &self.checks] {
            let info = consumer.get_info().await.map_err(|error| {
                match matches!(
                    error.kind(),
                    ConsumerInfoErrorKind::NotFound | ConsumerInfoErrorKind::StreamNotFound
                ) {
                    true => ClusterError::NoRun,
                    false => ClusterError::server("look at the queue", chain(&error)),
                }
            })?;
            if info.num_pending > 0 || info.num_ack_pending > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a task that was delivered is to be run here and now; settles it if not.
    async fn consider(&self, message: Message) -> Result<Option<Taken>, ClusterError> {
        let failed = |e| ClusterError::server("understand a message of the queue", e);
        let subject = message.subject.to_string();
        let Some((kind, task)) = kind_and_task(&subject).filter(|(_, task)| self.run.spec.holds(*task))
        else {
            acknowledge(&message).await; // no task of ours; nobody could do anything with it
            return Err(failed(format!("subject {subject}").into()));
        };
        let delivered = message.info().map_err(failed)?.delivered.max(1) as u64;
        let attempt = String::from_utf8_lossy(&message.payload).into_owned();
        let taken = Taken { kind, task, attempt, heartbeat: self.keep(&message), message: Arc::new(message) };
        match kind {
            Kind::Task if delivered > 1 => {
                if self.result(Kind::Task, task).await?.is_some() {
                    // Its worker was lost between storing the result and acknowledging the task.
                    acknowledge(&taken.message).await;
                    return Ok(None);
                }
                if self.trouble(&taken, |t| t.delivered(delivered)).await?.parked.is_some() {
                    acknowledge(&taken.message).await;
                    return Ok(None);
                }
            }
            Kind::Task => {}
            Kind::Check => {
                let first = self.result(Kind::Task, task).await?;
                if first.as_ref().is_none_or(|first| first.worker == *self.worker) {
                    let parked = trouble(&self.js, &self.run.id, Kind::Task, task).await?;
                    match first.is_none() && parked.is_some_and(|t| t.parked.is_some()) {
                        true => acknowledge(&taken.message).await, // nothing to compare with
                        false => later(&taken.message, PAUSE).await,
                    }
                    return Ok(None);
                }
            }
        }
        Ok(Some(taken))
    }

    /// Tells the server that the task is being worked on, until aborted.
    fn keep(&self, message: &Message) -> JoinHandle<()> {
        let (message, every) = (message.clone(), Duration::from_secs_f64(self.run.ack_wait_seconds / 3.0));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let _ = message.ack_with(AckKind::Progress).await; // the next one may get through
            }
        })
    }

    async fn result(&self, kind: Kind, task: u64) -> Result<Option<TaskResult>, ClusterError> {
        let results = stream(&self.js, &self.run.id.result_stream()).await?;
        let message = last_message(&results, &self.run.id.result(kind, task)).await?;
        // One that cannot be read is the collector's to reject; it stands for the task all the same.
        let unreadable = |task| TaskResult {
            worker: String::new(),
            program: String::new(),
            record: Record {
                task,
                class: String::new(),
                order: Vec::new(),
                boards: Vec::new(),
                largest_pruned: 0,
                nodes: 0,
                cpu_seconds: 0.0,
                peak_bytes: 0,
                signature: None,
                depths: Vec::new(),
            },
        };
        Ok(message.map(|m| serde_json::from_slice(&m.payload).unwrap_or_else(|_| unreadable(task))))
    }

    async fn trouble(&self, taken: &Taken, by: impl Fn(&mut Trouble)) -> Result<Trouble, ClusterError> {
        change(&self.js, &self.run.id, taken.kind, taken.task, by).await
    }

    /// Stores a result, for as long as it takes, then acknowledges the task.
    pub(crate) async fn finish(&self, taken: &Taken, record: Record) -> Sent {
        let result = TaskResult { worker: self.worker.to_string(), program: crate::PROGRAM.into(), record };
        let payload: Vec<u8> = serde_json::to_vec(&result).expect("plain data");
        let message = PublishMessage::build().payload(payload.into()).message_id(format!(
            "{}.{}.{}",
            taken.kind.as_str(),
            taken.task,
            taken.attempt
        ));
        let mut pause = Duration::from_millis(100);
        loop {
            let subject = self.run.id.result(taken.kind, taken.task);
            match publish_first(&self.js, subject, message.clone()).await {
                Ok(_) => break, // a duplicate is as good
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    return Sent::Impossible(format!(
                        "its result is too long: raise max_payload of the server ({error})"
                    ));
                }
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_secs(5));
        }
        acknowledge(&taken.message).await;
        Sent::Done
    }

    /// Notes that the task failed here; it comes again to someone, unless it is parked now.
    pub(crate) async fn fail(&self, taken: &Taken, error: &str) -> Result<Trouble, ClusterError> {
        let trouble = self.trouble(taken, |t| t.failed(&self.worker, error)).await?;
        match trouble.parked.is_some() {
            true => acknowledge(&taken.message).await,
            false => later(&taken.message, PAUSE).await,
        }
        Ok(trouble)
    }

    /// A way to give a task back without waiting for whoever runs it.
    pub(crate) fn give_back(&self, taken: &Taken) -> impl Future<Output = ()> + Send + 'static {
        taken.heartbeat.abort();
        let (queue, message, kind, task) = (self.clone(), Arc::clone(&taken.message), taken.kind, taken.task);
        async move {
            let _ = change(&queue.js, &queue.run.id, kind, task, |t| t.handed_back += 1).await;
            let _ = message.double_ack_with(AckKind::Nak(None)).await;
        }
    }
}

/// A number in a range, good enough to keep workers out of step.
fn random(range: Range<f64>) -> f64 {
    let share = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
    range.start + share * (range.end - range.start)
}

/// A message if there is one now, or within `patience`.
async fn take(consumer: &PullConsumer, patience: Option<Duration>) -> Result<Option<Message>, ClusterError> {
    let failed = |reason: String| ClusterError::server("take a task", reason);
    let batch = match patience {
        None => consumer.fetch().max_messages(1).messages().await,
        Some(patience) => consumer.batch().max_messages(1).expires(patience).messages().await,
    };
    let mut batch = batch.map_err(|e| failed(chain(&e)))?;
    // The client would wait for ever for the answer of a server that was restarted meanwhile.
    let answer = tokio::time::timeout(patience.unwrap_or_default() + ANSWER, batch.next()).await;
    answer.ok().flatten().transpose().map_err(|e| failed(e.to_string()))
}

/// Takes a message off the queue. If the server does not confirm, it will deliver the message again,
/// and whoever gets it finds that it is settled.
async fn acknowledge(message: &Message) {
    for _ in 0..ACK_TRIES {
        if message.double_ack().await.is_ok() {
            return;
        }
    }
}

async fn later(message: &Message, pause: Duration) {
    let _ = message.double_ack_with(AckKind::Nak(Some(pause))).await;
}
