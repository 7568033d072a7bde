//! What went wrong with a task: one message for each task that had trouble, changed by whoever holds
//! the task, never by two at once.

use async_nats::jetstream::Context;
use async_nats::jetstream::message::PublishMessage;
use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::names::{Kind, RunId};
use crate::server::{Stored, chain, last_message, publish_after, stream};

/// A task that failed on this many workers is parked.
const MAX_WORKERS: usize = 3;
/// A task that failed this often is parked, however few workers there are.
const MAX_FAILURES: usize = 6;
/// A task that was given out this often without any word of its fate is parked: it may be what kills
/// them. Machines that come and go should not park tasks, so this is many.
const MAX_VANISHED: u64 = 10;

/// The history of a task that had trouble.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// How often the task was taken up again after it had been parked.
    pub attempt: u32,
    /// Where it failed since then, and how.
    pub failures: Vec<Failure>,
    /// How often a worker that had to go handed it back.
    pub handed_back: u64,
    /// Why it is not run any more.
    pub parked: Option<String>,
}

/// A worker that could not do the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The worker.
    pub worker: String,
    /// What it said.
    pub error: String,
}

impl Trouble {
    /// Adds a failure; parks the task if that was one too many.
    pub(crate) fn failed(&mut self, worker: &str, error: &str) {
        self.failures.push(Failure { worker: worker.to_owned(), error: error.to_owned() });
        let mut workers: Vec<&str> = self.failures.iter().map(|f| f.worker.as_str()).collect();
        workers.sort_unstable();
        workers.dedup();
        if workers.len() >= MAX_WORKERS || self.failures.len() >= MAX_FAILURES {
            self.parked.get_or_insert_with(|| error.to_owned());
        }
    }

    /// Parks the task if too many workers vanished with it. `delivered` is how often the server has
    /// given it out, this time included.
    pub(crate) fn delivered(&mut self, delivered: u64) {
        let explained = self.failures.len() as u64 + self.handed_back;
        if delivered.saturating_sub(1 + explained) >= MAX_VANISHED {
            self.parked.get_or_insert_with(|| {
                format!("{MAX_VANISHED} workers took it and were not heard of again: perhaps they ran out of memory")
            });
        }
    }

    /// Makes a fresh start after having been parked.
    pub(crate) fn retried(&mut self) {
        *self = Trouble { attempt: self.attempt + 1, ..Trouble::default() };
    }
}

/// The trouble of a task, if it had any.
pub(crate) async fn trouble(
    js: &Context,
    run: &RunId,
    kind: Kind,
    task: u64,
) -> Result<Option<Trouble>, ClusterError> {
    Ok(read(js, run, kind, task).await?.map(|(trouble, _)| trouble))
}

/// With the sequence number of the message that says so.
async fn read(
    js: &Context,
    run: &RunId,
    kind: Kind,
    task: u64,
) -> Result<Option<(Trouble, u64)>, ClusterError> {
    let subject = run.trouble(kind, task);
    let Some(message) = last_message(&stream(js, &run.trouble_stream()).await?, &subject).await? else {
        return Ok(None);
    };
    let trouble = serde_json::from_slice(&message.payload)
        .map_err(|e| ClusterError::server(format!("understand {subject}"), e))?;
    Ok(Some((trouble, message.sequence)))
}

/// Changes the trouble of a task and returns it as it is then. If someone else changes it meanwhile,
/// the change is made again on top of theirs.
pub(crate) async fn change(
    js: &Context,
    run: &RunId,
    kind: Kind,
    task: u64,
    change: impl Fn(&mut Trouble),
) -> Result<Trouble, ClusterError> {
    loop {
        let (before, sequence) = read(js, run, kind, task).await?.unwrap_or_default();
        let mut trouble = before.clone();
        change(&mut trouble);
        if trouble == before {
            return Ok(trouble);
        }
        let payload = serde_json::to_vec(&trouble).expect("plain data").into();
        let (subject, message) = (run.trouble(kind, task), PublishMessage::build().payload(payload));
        let stored = publish_after(js, subject.clone(), message, sequence).await;
        match stored.map_err(|e| ClusterError::server(format!("write {subject}"), chain(&e)))? {
            Stored::New => return Ok(trouble),
            Stored::Duplicate => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_workers_or_six_failures_park_a_task() {
        let mut three = Trouble::default();
        for (worker, parked) in [("a", false), ("b", false), ("a", false), ("c", true)] {
            three.failed(worker, "no");
            assert_eq!(three.parked.is_some(), parked, "{worker}");
        }
        let mut alone = Trouble::default();
        (1..=6).for_each(|i| {
            alone.failed("a", "no");
            assert_eq!(alone.parked.is_some(), i == 6);
        });
        alone.retried();
        assert_eq!(alone, Trouble { attempt: 1, ..Trouble::default() });
    }

    #[test]
    fn workers_that_vanish_park_a_task_those_that_say_goodbye_do_not() {
        let mut trouble = Trouble { handed_back: 20, ..Trouble::default() };
        trouble.delivered(30);
        assert_eq!(trouble.parked, None, "nine are unexplained");
        trouble.delivered(31);
        assert!(trouble.parked.is_some());
    }
}
