//! From the server into a run directory. Nothing that a worker says is believed that can be checked
//! cheaply: what its task was about, and what its boards score.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use bogglemax::run::{Existing, FoundBoard, Job, Record, RunDir, Spec, Summary};
use bogglemax::{Board, Dims, Lexicon, Scorer, Scoring};
use futures_util::StreamExt;
use serde::Serialize;

use crate::ClusterError;
use crate::names::{Kind, kind_and_task};
use crate::queue::TaskResult;
use crate::server::{Cluster, chain, stream};
use crate::status::parked;
use crate::submit::RunInfo;
use crate::trouble::{Trouble, change};
use crate::work::job_of;

/// Messages asked for at a time.
const BATCH: usize = 500;
/// A consumer that is not used for so long is gone.
const INACTIVE: Duration = Duration::from_secs(60);

/// What was collected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Collected {
    /// The boards, and how many tasks are done.
    pub summary: Summary,
    /// Tasks that two workers ran with the same outcome.
    pub checked: u64,
    /// Tasks that two workers were to run.
    pub checks: u64,
    /// Results that were found wrong now, and thrown away; their tasks are parked.
    pub rejected: Vec<Rejected>,
    /// All tasks and checks that are not run any more: "task 7: why".
    pub parked: Vec<String>,
}

impl Collected {
    /// Whether the run proves something: every task is recorded, those to be run twice only after both
    /// results agreed.
    pub fn is_complete(&self) -> bool {
        self.summary.is_complete() && self.parked.is_empty()
    }
}

/// A result that was found wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// The task.
    pub task: u64,
    /// Who sent it.
    pub worker: String,
    /// What is wrong with it.
    pub fault: String,
}

/// A result as it came from the server.
struct Received {
    kind: Kind,
    task: u64,
    sequence: u64,
    result: Result<TaskResult, String>,
}

impl Cluster {
    /// Writes the results that there are into a run directory, which is created or continued.
    ///
    /// # Errors
    /// If the word list is not the run's, the directory holds another run, or the server does not
    /// answer.
    pub fn collect(&self, run: &RunInfo, lexicon: &Lexicon, out: &Path) -> Result<Collected, ClusterError> {
        let job = job_of(run, lexicon)?;
        let mut directory = RunDir::open(out, &job.spec(None), Existing::Resume)?;
        let mut collector = Collector {
            examiner: Examiner::new(&job, run, lexicon)?,
            run,
            directory: &mut directory,
            waiting: BTreeMap::new(),
            checked: 0,
            wrong: Vec::new(),
        };
        self.runtime.block_on(receive(&self.js, run, |received| collector.take(received)))?;
        let Collector { checked, wrong, .. } = collector;
        let mut rejected = Vec::new();
        for (received, faults) in wrong {
            self.runtime.block_on(reject(&self.js, run, &received, &faults))?;
            let task = received[0].task;
            rejected.extend(faults.into_iter().map(|(worker, fault)| Rejected { task, worker, fault }));
        }
        directory.sync()?;
        let parked = self.runtime.block_on(parked(&self.js, run))?;
        Ok(Collected {
            summary: Summary::new(directory.spec(), directory.done())?,
            checked,
            checks: run.checks,
            rejected,
            parked: parked
                .into_iter()
                .map(|(kind, task, why)| format!("{} {task}: {why}", kind.as_str()))
                .collect(),
        })
    }
}

/// What is collected so far.
struct Collector<'a> {
    examiner: Examiner<'a>,
    run: &'a RunInfo,
    directory: &'a mut RunDir,
    /// Results of tasks that are run twice, until both are there: what is recorded cannot be taken
    /// back.
    waiting: BTreeMap<u64, Received>,
    checked: u64,
    /// Results to be rejected, and why.
    wrong: Vec<(Vec<Received>, Faults)>,
}

/// What is wrong with the results of a task, each with the worker it came from.
type Faults = Vec<(String, String)>;

impl Collector<'_> {
    fn take(&mut self, received: Received) -> Result<(), ClusterError> {
        let task = received.task;
        let all = match self.waiting.remove(&task) {
            None if self.run.is_checked(task) => {
                self.waiting.insert(task, received);
                return Ok(());
            }
            None => vec![received],
            Some(other) => vec![other, received],
        };
        let faults = self.examiner.examine(&all);
        if !faults.is_empty() {
            self.wrong.push((all, faults));
            return Ok(());
        }
        self.checked += u64::from(all.len() == 2);
        let first = all.into_iter().find(|r| r.kind == Kind::Task).and_then(|r| r.result.ok());
        first.map_or(Ok(()), |result| Ok(self.directory.record(result.record)?))
    }
}

/// Hands over all results that there are now.
async fn receive(
    js: &Context,
    run: &RunInfo,
    mut take: impl FnMut(Received) -> Result<(), ClusterError>,
) -> Result<(), ClusterError> {
    let failed = |reason: String| ClusterError::server("read the results", reason);
    let results = stream(js, &run.id.result_stream()).await?;
    let config = pull::Config {
        ack_policy: AckPolicy::None,
        deliver_policy: DeliverPolicy::All,
        inactive_threshold: INACTIVE,
        ..pull::Config::default()
    };
    let consumer = results.create_consumer(config).await.map_err(|e| failed(chain(&e)))?;
    loop {
        let mut batch =
            consumer.fetch().max_messages(BATCH).messages().await.map_err(|e| failed(chain(&e)))?;
        let mut any = false;
        while let Some(message) = batch.next().await {
            any = true;
            let message = message.map_err(|e| failed(e.to_string()))?;
            let Some((kind, task)) = kind_and_task(&message.subject) else { continue };
            let sequence = message.info().map_err(|e| failed(e.to_string()))?.stream_sequence;
            let result =
                serde_json::from_slice(&message.payload).map_err(|e| format!("it cannot be read: {e}"));
            take(Received { kind, task, sequence, result })?;
        }
        if !any && consumer.get_info().await.map_err(|e| failed(chain(&e)))?.num_pending == 0 {
            return Ok(());
        }
    }
}

/// Takes wrong results off the server and parks their task. Where two disagree, nobody knows which is
/// wrong, so both go.
async fn reject(
    js: &Context,
    run: &RunInfo,
    received: &[Received],
    faults: &Faults,
) -> Result<(), ClusterError> {
    let results = stream(js, &run.id.result_stream()).await?;
    let why: Vec<String> =
        faults.iter().map(|(worker, fault)| format!("result of {worker} rejected: {fault}")).collect();
    let why = why.join("; ");
    for one in received {
        let park = |trouble: &mut Trouble| trouble.parked = Some(why.clone());
        change(js, &run.id, one.kind, one.task, park).await?;
        let deleted = results.delete_message(one.sequence).await;
        deleted.map_err(|e| ClusterError::server("delete a wrong result", chain(&e)))?;
    }
    Ok(())
}

/// Looks for what is wrong with results.
struct Examiner<'a> {
    job: &'a Job,
    spec: &'a Spec,
    dims: Dims,
    lexicon: &'a Lexicon,
    scorer: Scorer,
    /// By character.
    ranks: BTreeMap<char, usize>,
}

impl<'a> Examiner<'a> {
    fn new(job: &'a Job, run: &'a RunInfo, lexicon: &'a Lexicon) -> Result<Examiner<'a>, ClusterError> {
        let input = |e: bogglemax::Error| ClusterError::Run(e.into());
        let dims: Dims = run.spec.dims.parse().map_err(input)?;
        let scoring: Scoring = run.spec.scoring.parse().map_err(input)?;
        let scorer = Scorer::new(lexicon, &scoring, dims);
        let ranks = run.spec.ranks.chars().enumerate().map(|(rank, letter)| (letter, rank)).collect();
        Ok(Examiner { job, spec: &run.spec, dims, lexicon, scorer, ranks })
    }

    fn examine(&mut self, received: &[Received]) -> Faults {
        let mut faults = Vec::new();
        let mut good: Vec<&TaskResult> = Vec::new();
        for one in received {
            match &one.result {
                Err(fault) => faults.push(("an unknown worker".into(), fault.clone())),
                Ok(result) => match self.fault(one.task, &result.record) {
                    Some(fault) => faults.push((result.worker.clone(), fault)),
                    None => good.push(result),
                },
            }
        }
        if let [a, b] = good[..]
            && boards(&a.record) != boards(&b.record)
        {
            faults.push((a.worker.clone(), format!("{} found other boards", b.worker)));
        }
        faults
    }

    /// What is wrong with a record, if anything.
    fn fault(&mut self, task: u64, record: &Record) -> Option<String> {
        if record.task != task || !self.spec.holds(task) {
            return Some(format!("it is of task {}, not {task}", record.task));
        }
        let (class, order) = self.job.class_and_order(task);
        if (&record.class, &record.order) != (&class, &order) {
            return Some("it is about other boards than its task".into());
        }
        if record.largest_pruned >= self.spec.cutoff {
            return Some(format!("it left out boards of {} points", record.largest_pruned));
        }
        let cells: Vec<&str> = class.split(' ').collect();
        record.boards.iter().find_map(|found| self.wrong_board(found, &cells, &order))
    }

    fn wrong_board(&mut self, found: &FoundBoard, cells: &[&str], order: &[(u8, u8)]) -> Option<String> {
        let FoundBoard { board: text, score } = found;
        let Ok(board) = Board::parse_with(text, Some(self.dims), self.lexicon.alphabet()) else {
            return Some(format!("'{text}' is no board of this shape"));
        };
        let letters: Vec<char> = board.tiles().iter().map(|&t| self.lexicon.alphabet().symbol(t)).collect();
        if letters.iter().zip(cells).any(|(letter, cell)| *cell != "*" && !cell.contains(*letter)) {
            return Some(format!("'{text}' is not in the task's class"));
        }
        let rank = |cell: u8| self.ranks.get(&letters[usize::from(cell)]);
        if order.iter().any(|&(a, b)| rank(a) < rank(b)) {
            return Some(format!("the letters of '{text}' are not in the task's order"));
        }
        let truth = self.scorer.score(&board);
        if truth != *score || truth < self.spec.cutoff {
            return Some(format!("'{text}' scores {truth}, not {score} (cutoff {})", self.spec.cutoff));
        }
        None
    }
}

/// The boards of a record, in no particular order.
fn boards(record: &Record) -> BTreeSet<&FoundBoard> {
    record.boards.iter().collect()
}
