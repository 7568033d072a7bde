//! One face for both engines: numbered tasks, and a record of each.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use cpu_time::ThreadTime;

use super::RunError;
use super::journal::{Depth, FoundBoard, Record, Signature};
use super::spec::{FORMAT, Shard, Spec, WordList};
use crate::{Classes, Dims, Lexicon, Scoring, Tile, paper, prove};

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineName {
    /// Items that keep their words: bounds converge to the true score. See [`crate::prove`].
    Fast,
    /// Sum/Choice trees, as in the paper: bounds converge to D. See [`crate::paper`].
    Paper,
}

impl EngineName {
    /// As it is written in `run.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            EngineName::Fast => "fast",
            EngineName::Paper => "paper",
        }
    }

    /// To be raised whenever an engine divides boards into other tasks than before: a run can only
    /// be continued with the tasks it began with.
    fn version(self) -> u32 {
        match self {
            EngineName::Fast => 3,
            EngineName::Paper => 1,
        }
    }
}

impl FromStr for EngineName {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineName, String> {
        [EngineName::Fast, EngineName::Paper]
            .into_iter()
            .find(|name| name.as_str() == text)
            .ok_or_else(|| format!("'{text}' is no engine: use fast or paper"))
    }
}

/// What is to be proved, and how it is divided into tasks: the same for all threads.
#[derive(Clone, Debug)]
pub struct Job {
    lexicon: Lexicon,
    scoring: Scoring,
    dims: Dims,
    cutoff: u64,
    tasks: Tasks,
    certificate: bool,
    /// A bound of the rest, once a worker has looked for it: see [`prove::Engine::bound_rest`].
    rest: Arc<OnceLock<Option<prove::RestBound>>>,
}

#[derive(Clone, Debug)]
enum Tasks {
    Fast(prove::Split),
    /// The engine is there to be cloned: clones share the words.
    Paper(Classes, Box<paper::Engine>),
}

/// What a task is about.
struct TaskText {
    class: String,
    order: Vec<(u8, u8)>,
}

impl Job {
    /// Divides all boards of a shape into tasks for an engine.
    ///
    /// # Errors
    /// If the engine cannot handle the shape or the cutoff.
    pub fn new(
        engine: EngineName,
        lexicon: &Lexicon,
        scoring: &Scoring,
        dims: Dims,
        cutoff: u64,
    ) -> Result<Job, RunError> {
        let tasks = match engine {
            EngineName::Fast => Tasks::Fast(prove::Split::new(lexicon, scoring, dims)),
            EngineName::Paper => {
                let options = paper::Options::default();
                let engine = paper::Engine::new(lexicon, scoring, dims, cutoff, options)?;
                Tasks::Paper(paper::tasks(dims)?, Box::new(engine))
            }
        };
        Ok(Job {
            lexicon: lexicon.clone(),
            scoring: scoring.clone(),
            dims,
            cutoff,
            tasks,
            certificate: false,
            rest: Arc::default(),
        })
    }

    /// Whether workers also write down the branch tree of each task, for the checker.
    ///
    /// # Errors
    /// If the engine cannot.
    pub fn with_certificates(mut self, certificate: bool) -> Result<Job, RunError> {
        if certificate && self.engine() != EngineName::Fast {
            return Err(RunError::NoCertificates);
        }
        self.certificate = certificate;
        Ok(self)
    }

    /// The engine.
    pub fn engine(&self) -> EngineName {
        match self.tasks {
            Tasks::Fast(_) => EngineName::Fast,
            Tasks::Paper(..) => EngineName::Paper,
        }
    }

    /// Number of tasks.
    pub fn tasks(&self) -> u64 {
        match &self.tasks {
            Tasks::Fast(split) => split.len(),
            Tasks::Paper(classes, _) => classes.len() as u64,
        }
    }

    /// A guess of a task's work, relative to the others.
    pub fn predicted_cost(&self, task: u64) -> f64 {
        match &self.tasks {
            Tasks::Fast(split) => split.task(task).predicted_cost,
            Tasks::Paper(..) => 1.0,
        }
    }

    /// What a task is about, as its [`Record`] says it: the class, and the pairs of cells whose
    /// letters come in order of rank. Whoever takes records from elsewhere compares them to this.
    ///
    /// ```
    /// use bogglemax::run::{EngineName, Job};
    /// use bogglemax::{Lexicon, Scoring};
    ///
    /// let (lexicon, scoring) = (Lexicon::from_text("tea", b"tea\n")?, Scoring::boggle());
    /// let job = Job::new(EngineName::Fast, &lexicon, &scoring, "2x2".parse()?, 1)?;
    /// let (class, order) = job.class_and_order(0);
    /// let record = job.worker(1 << 20).run(0)?;
    /// assert_eq!((record.class, record.order), (class, order));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there are not that many tasks.
    pub fn class_and_order(&self, task: u64) -> (String, Vec<(u8, u8)>) {
        let text = match &self.tasks {
            Tasks::Fast(split) => {
                let task = split.task(task);
                self.describe(&task.cells, &task.order)
            }
            Tasks::Paper(classes, _) => {
                self.describe(classes.get(task as usize).expect("a task of this run").letters(), &[])
            }
        };
        (text.class, text.order)
    }

    /// The parameters, as they are written down.
    pub fn spec(&self, shard: Option<Shard>) -> Spec {
        let engine = self.engine();
        let alphabet = self.lexicon.alphabet();
        let mut tiles: Vec<Tile> = (0..alphabet.len() as Tile).collect();
        if let Tasks::Fast(split) = &self.tasks {
            let ranks = split.task(0).ranks;
            tiles.sort_by_key(|&t| (ranks[usize::from(t)], t));
        }
        Spec {
            format: FORMAT,
            program: concat!("bogglemax ", env!("CARGO_PKG_VERSION")).into(),
            dims: self.dims.to_string(),
            wordlist: WordList::of(&self.lexicon),
            scoring: self.scoring.to_string(),
            cutoff: self.cutoff,
            engine: engine.as_str().into(),
            engine_version: engine.version(),
            tasks: self.tasks(),
            tiles: (!alphabet.has_english_tiles())
                .then(|| (0..alphabet.len() as Tile).map(|t| alphabet.spelled(t).to_owned()).collect()),
            ranks: tiles.into_iter().map(|t| alphabet.symbol(t)).collect(),
            shard,
            certificate: self.certificate,
        }
    }

    /// A worker for one thread, whose lists take at most `max_memory` bytes where the engine can
    /// keep to it.
    pub fn worker(&self, max_memory: usize) -> Worker<'_> {
        let Job { lexicon, scoring, dims, cutoff, .. } = self;
        let engine = match &self.tasks {
            Tasks::Fast(_) => {
                let options =
                    prove::Options { max_memory, certificate: self.certificate, ..prove::Options::default() };
                Engine::Fast(Box::new(prove::Engine::new(lexicon, scoring, *dims, *cutoff, options)))
            }
            Tasks::Paper(_, engine) => Engine::Paper(engine.clone()),
        };
        Worker { job: self, engine, max_memory }
    }

    fn describe(&self, class: &[u32], order: &[(u8, u8)]) -> TaskText {
        let alphabet = self.lexicon.alphabet();
        let all = (0..alphabet.len()).fold(0u32, |mask, t| mask | 1 << t);
        let letters = |&mask: &u32| match mask {
            0 => "-".into(),
            mask if mask == all => "*".into(),
            mask => (0..alphabet.len() as Tile)
                .filter(|t| mask >> t & 1 == 1)
                .map(|t| alphabet.symbol(t))
                .collect::<String>(),
        };
        let class: Vec<String> = class.iter().map(letters).collect();
        TaskText { class: class.join(" "), order: order.to_vec() }
    }
}

/// An engine at work on the tasks of a [`Job`], one after another.
pub struct Worker<'a> {
    job: &'a Job,
    engine: Engine,
    max_memory: usize,
}

/// The commit that the program was built from, as its [`Signature`]s name it.
const COMMIT: &str = env!("BOGGLEMAX_BUILT_FROM");

enum Engine {
    Fast(Box<prove::Engine>),
    Paper(Box<paper::Engine>),
}

impl Worker<'_> {
    /// Runs a task.
    ///
    /// # Errors
    /// If the task cannot be held in memory.
    pub fn run(&mut self, task: u64) -> Result<Record, RunError> {
        self.run_certified(task).map(|(record, _)| record)
    }

    /// Sees to it that the engine knows a bound of the rest, where that pays. It is the same for all tasks
    /// and threads, so it is no part of any task.
    fn bound_rest(&mut self) {
        let Worker { job, engine: Engine::Fast(engine), .. } = self else { return };
        let Tasks::Fast(split) = &job.tasks else { return };
        if !job.certificate
            && !engine.uses_rest()
            && let Some(bound) = job.rest.get_or_init(|| engine.prove_rest(split))
        {
            engine.use_rest(bound.clone());
        }
    }

    /// Runs a task; with it comes the JSON of its certificate, if the job has
    /// [certificates](Job::with_certificates).
    ///
    /// # Errors
    /// If the task cannot be held in memory.
    pub fn run_certified(&mut self, task: u64) -> Result<(Record, Option<String>), RunError> {
        self.bound_rest();
        let start = ThreadTime::now();
        let (mut certificate, mut signature, mut depths) = (None, None, Vec::new());
        let (text, boards, largest_pruned, nodes, peak_bytes) = match (&mut self.engine, &self.job.tasks) {
            (Engine::Fast(engine), Tasks::Fast(split)) => {
                let task = split.task(task);
                let outcome = engine.run(&task);
                let nodes = outcome.counters.total_nodes();
                signature = Some(Signature {
                    pruned: format!("{:016x}", outcome.counters.pruned_hash),
                    max_memory: self.max_memory as u64,
                    commit: COMMIT.into(),
                });
                depths = depths_of(&outcome.counters, self.job.dims.cells());
                let text = self.job.describe(&task.cells, &task.order);
                certificate = outcome.certificate.map(|tree| tree.to_json(self.job.lexicon.alphabet()));
                (text, outcome.boards, outcome.largest_pruned, nodes, outcome.counters.peak_bytes)
            }
            (Engine::Paper(engine), Tasks::Paper(classes, _)) => {
                let class = classes.get(task as usize).expect("a task of this run");
                let outcome = engine.run(&class)?;
                let text = self.job.describe(class.letters(), &[]);
                let nodes = outcome.nodes + outcome.visits;
                (text, outcome.boards, outcome.largest_pruned.into(), nodes, outcome.peak_bytes)
            }
            _ => unreachable!("a worker has the engine of its job"),
        };
        let alphabet = self.job.lexicon.alphabet();
        let mut boards: Vec<FoundBoard> = boards
            .into_iter()
            .map(|(board, score)| FoundBoard { board: board.text(alphabet), score })
            .collect();
        boards.sort_unstable();
        let record = Record {
            task,
            class: text.class,
            order: text.order,
            boards,
            largest_pruned,
            nodes,
            cpu_seconds: start.elapsed().as_secs_f64(),
            peak_bytes,
            signature,
            depths,
        };
        Ok((record, certificate))
    }
}

fn depths_of(counters: &prove::Counters, cells: usize) -> Vec<Depth> {
    let levels = counters.nodes.iter().zip(counters.bounds).enumerate().take(cells + 1).rev();
    levels
        .filter(|(_, (nodes, _))| **nodes > 0)
        .map(|(undecided, (&nodes, sum))| Depth {
            decided: (cells - undecided) as u8,
            nodes,
            mean_bound: sum / nodes,
        })
        .collect()
}
