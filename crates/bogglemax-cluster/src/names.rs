//! What runs, streams and subjects are called.

use bogglemax::run::Spec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The stream of all runs' parameters, and its subjects.
pub(crate) const RUNS: &str = "bogglemax-runs";
pub(crate) const RUN_SUBJECTS: &str = "bogglemax.run.*";
/// The stream of what workers are doing, and its subjects.
pub(crate) const WORKERS: &str = "bogglemax-workers";
pub(crate) const WORKER_SUBJECTS: &str = "bogglemax.worker.*.*";

/// The name of a run: the beginning of the hash of its parameters, so that submitting the same
/// parameters again means the same run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a task is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// For its result.
    Task,
    /// Once more by another worker, to compare.
    Check,
}

impl Kind {
    /// Both.
    pub const ALL: [Kind; 2] = [Kind::Task, Kind::Check];

    /// As it stands in subjects; also the name of the queue's consumer.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Task => "task",
            Kind::Check => "check",
        }
    }
}

impl RunId {
    /// The name of the run with these parameters. What [`Spec::difference`] ignores, it ignores.
    ///
    /// ```
    /// use bogglemax::run::{EngineName, Job};
    /// use bogglemax::{Lexicon, Scoring};
    /// use bogglemax_cluster::RunId;
    ///
    /// let (lexicon, scoring) = (Lexicon::from_text("tea", b"tea\n")?, Scoring::boggle());
    /// let id = |cutoff| {
    ///     let job = Job::new(EngineName::Fast, &lexicon, &scoring, "2x2".parse().unwrap(), cutoff);
    ///     RunId::of(&job.unwrap().spec(None))
    /// };
    /// assert_eq!(id(1), id(1));
    /// assert_ne!(id(1), id(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(spec: &Spec) -> RunId {
        let Spec { format, dims, wordlist, scoring, cutoff, engine, engine_version, tasks, ranks, .. } = spec;
        let list = &wordlist.sha256;
        let text = format!(
            "{format}\n{dims}\n{list}\n{scoring}\n{cutoff}\n{engine}\n{engine_version}\n{tasks}\n{ranks}\n"
        );
        let digest = Sha256::digest(text);
        RunId(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether a person who types `text` may mean this run.
    pub(crate) fn begins_with(&self, text: &str) -> bool {
        self.0.starts_with(text)
    }

    pub(crate) fn subject(&self) -> String {
        format!("bogglemax.run.{self}")
    }

    pub(crate) fn queue_stream(&self) -> String {
        format!("bogglemax-{self}-queue")
    }

    pub(crate) fn result_stream(&self) -> String {
        format!("bogglemax-{self}-results")
    }

    pub(crate) fn trouble_stream(&self) -> String {
        format!("bogglemax-{self}-trouble")
    }

    pub(crate) fn queued(&self, kind: Kind, task: impl std::fmt::Display) -> String {
        format!("bogglemax.{self}.queue.{}.{task}", kind.as_str())
    }

    pub(crate) fn result(&self, kind: Kind, task: impl std::fmt::Display) -> String {
        format!("bogglemax.{self}.result.{}.{task}", kind.as_str())
    }

    pub(crate) fn trouble(&self, kind: Kind, task: impl std::fmt::Display) -> String {
        format!("bogglemax.{self}.trouble.{}.{task}", kind.as_str())
    }

    /// Where a worker tells what it is doing.
    pub(crate) fn worker(&self, name: &str) -> String {
        format!("bogglemax.worker.{self}.{name}")
    }
}

/// The kind and the id at the end of a subject.
pub(crate) fn kind_and_task(subject: &str) -> Option<(Kind, u64)> {
    let mut tokens = subject.rsplit('.');
    let task = tokens.next()?.parse().ok()?;
    let kind = tokens.next()?;
    Kind::ALL.into_iter().find(|k| k.as_str() == kind).map(|kind| (kind, task))
}

/// A name that can stand in a subject: other characters become `-`.
pub(crate) fn token(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    name.chars().map(plain).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_read_as_they_are_written() {
        let run = RunId("00ff".into());
        for kind in Kind::ALL {
            for subject in [run.queued(kind, 7), run.result(kind, 7), run.trouble(kind, 7)] {
                assert_eq!(kind_and_task(&subject), Some((kind, 7)), "{subject}");
            }
        }
        assert_eq!(kind_and_task("bogglemax.run.00ff"), None);
        assert_eq!(token("node 1.example.org"), "node-1-example-org");
    }
}
