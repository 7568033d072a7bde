//! Reads a run directory: `run.json` and `journal.jsonl`, format 1; or a bundle, whose journal stands in compressed
//! parts, too.
//!
//! What is missing or malformed in `run.json` makes the run unusable; whatever is wrong with the
//! journal is a fault of the run.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::Unusable;
use crate::class::{Letters, Pair, Ranks, parse_board, parse_class};
use crate::grid::Grid;
use crate::report::Report;
use crate::score::Scoring;

const FORMAT: u64 = 1;

#[derive(Deserialize)]
struct RunFile {
    dims: String,
    wordlist: WordListFile,
    scoring: String,
    cutoff: u64,
    engine: String,
    engine_version: u64,
    tasks: u64,
    ranks: String,
    shard: Option<Shard>,
    certificate: bool,
}

#[derive(Deserialize)]
struct WordListFile {
    name: String,
    words: u64,
    sha256: String,
}

/// The part of a run that a directory holds: the tasks whose id is `index` - 1 modulo `count`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Shard {
    pub index: u64,
    pub count: u64,
}

#[derive(Deserialize)]
struct RecordFile {
    task: u64,
    class: String,
    order: Vec<Pair>,
    boards: Vec<BoardFile>,
    largest_pruned: u64,
    nodes: u64,
    cpu_seconds: f64,
    peak_bytes: u64,
}

#[derive(Deserialize)]
struct BoardFile {
    board: String,
    score: u64,
}

/// The parameters of a run.
pub(crate) struct Run {
    pub dir: PathBuf,
    pub grid: Grid,
    pub list_name: String,
    pub list_words: u64,
    pub list_sha256: String,
    pub scoring: Scoring,
    pub scoring_name: String,
    pub cutoff: u64,
    pub engine: String,
    pub tasks: u64,
    pub ranks: Ranks,
    pub shard: Option<Shard>,
    pub certificate: bool,
}

/// What the journal says of a finished task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub id: u64,
    pub class: Vec<Letters>,
    pub order: Vec<Pair>,
    /// Sorted.
    pub boards: Vec<(Vec<u8>, u64)>,
    pub largest_pruned: u64,
}

/// The journal's tasks by id, and what they took in all.
#[derive(Default)]
pub(crate) struct Journal {
    pub tasks: BTreeMap<u64, Task>,
    pub lines: u64,
    pub nodes: u64,
    pub cpu_seconds: f64,
}

impl Run {
    /// Reads `run.json`.
    pub fn read(dir: &Path) -> Result<Run, Unusable> {
        let path = dir.join("run.json");
        let unusable = |what: String| Unusable::new(format!("'{}' {what}", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| {
            Unusable::new(format!("'{}' is no run directory: cannot read run.json: {error}", dir.display()))
        })?;
        let json: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| unusable(format!("is not JSON: {error}")))?;
        if json["format"].as_u64() != Some(FORMAT) {
            return Err(unusable(format!(
                "has format {}; this checker reads format {FORMAT}",
                json["format"]
            )));
        }
        // From the bytes, not from `json`: there a field given twice would go unnoticed.
        let file: RunFile =
            serde_json::from_slice(&bytes).map_err(|error| unusable(format!("is incomplete: {error}")))?;
        Run::from_file(dir, file).map_err(unusable)
    }

    fn from_file(dir: &Path, file: RunFile) -> Result<Run, String> {
        let grid = Grid::parse(&file.dims).ok_or(format!("has unknown dims '{}'", file.dims))?;
        let scoring =
            Scoring::parse(&file.scoring).ok_or(format!("has an unknown scoring '{}'", file.scoring))?;
        let ranks = Ranks::parse(&file.ranks).map_err(|what| format!("is wrong: {what}"))?;
        if file.tasks == 0 {
            return Err("has no tasks".into());
        }
        if let Some(Shard { index, count }) = file.shard
            && !(1..=count).contains(&index)
        {
            return Err(format!("has a shard {index} of {count}"));
        }
        Ok(Run {
            dir: dir.to_owned(),
            grid,
            list_name: file.wordlist.name,
            list_words: file.wordlist.words,
            list_sha256: file.wordlist.sha256,
            scoring,
            scoring_name: file.scoring,
            cutoff: file.cutoff,
            engine: format!("{} {}", file.engine, file.engine_version),
            tasks: file.tasks,
            ranks,
            shard: file.shard,
            certificate: file.certificate,
        })
    }

    /// Whether this directory should hold the task.
    pub fn holds(&self, id: u64) -> bool {
        id < self.tasks && self.shard.is_none_or(|shard| id % shard.count == shard.index - 1)
    }

    /// The tasks this directory should hold.
    pub fn ids_held(&self) -> impl Iterator<Item = u64> + use<'_> {
        let Shard { index, count } = self.shard.unwrap_or(Shard { index: 1, count: 1 });
        std::iter::successors(Some(index - 1), move |id| id.checked_add(count))
            .take_while(|id| *id < self.tasks)
    }

    /// How many tasks this directory should hold.
    pub fn tasks_held(&self) -> u64 {
        let Shard { index, count } = self.shard.unwrap_or(Shard { index: 1, count: 1 });
        self.tasks / count + u64::from(index <= self.tasks % count)
    }

    /// Where the certificate of a task is, if there is one.
    pub fn certificate_path(&self, id: u64) -> PathBuf {
        self.dir.join("certificates").join(format!("{id}.json"))
    }

    /// Reads the parts of a bundle, if it is one, and `journal.jsonl`; what is wrong with them goes into the report.
    pub fn journal(&self, report: &mut Report) -> Result<Journal, Unusable> {
        let mut journal = Journal::default();
        let parts: Vec<String> = (1..)
            .map(|number| format!("journal-{number:04}.jsonl.gz"))
            .take_while(|name| self.dir.join(name).exists())
            .collect();
        if !parts.is_empty() {
            self.check_sums(&parts, report)?;
        }
        for name in &parts {
            let mut text = Vec::new();
            let unpacked = MultiGzDecoder::new(&self.file(name)?[..]).read_to_end(&mut text);
            if let Err(error) = unpacked {
                report.fault(format!("'{name}' cannot be unpacked: {error}"));
            }
            let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            if lines.pop().is_some_and(|rest| !rest.is_empty()) {
                report.fault(format!("the last line of '{name}' is torn"));
            }
            for (index, line) in lines.iter().enumerate() {
                match serde_json::from_slice::<RecordFile>(line) {
                    Ok(record) => self.record(record, &mut journal, report),
                    Err(error) => {
                        report.fault(format!("line {} of '{name}' is no record: {error}", index + 1))
                    }
                }
            }
        }
        if parts.is_empty() || self.dir.join("journal.jsonl").exists() {
            self.open_journal(&mut journal, report)?;
        }
        Ok(journal)
    }

    /// Reads `journal.jsonl`, whose last line may be torn.
    fn open_journal(&self, journal: &mut Journal, report: &mut Report) -> Result<(), Unusable> {
        let bytes = self.file("journal.jsonl")?;
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let unended = lines.pop().is_some_and(|rest| !rest.is_empty());
        if unended {
            report.not_done("the last line of the journal is torn and was left out".into());
        }
        for (index, line) in lines.iter().enumerate() {
            match serde_json::from_slice::<RecordFile>(line) {
                Ok(record) => self.record(record, journal, report),
                Err(_) if index + 1 == lines.len() && !unended => {
                    report.not_done("the last line of the journal is torn and was left out".into());
                }
                Err(error) => {
                    report.fault(format!("line {} of the journal is no record: {error}", index + 1))
                }
            }
        }
        Ok(())
    }

    /// Compares the files of a bundle with `SHA256SUMS`.
    fn check_sums(&self, parts: &[String], report: &mut Report) -> Result<(), Unusable> {
        let text = String::from_utf8_lossy(&self.file("SHA256SUMS")?).into_owned();
        let sums: BTreeMap<&str, &str> =
            text.lines().filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name, sum)).collect();
        for (name, expected) in &sums {
            let sum: String =
                Sha256::digest(self.file(name)?).iter().map(|byte| format!("{byte:02x}")).collect();
            if sum != *expected {
                report.fault(format!("'{name}' is not what SHA256SUMS says"));
            }
        }
        let needed = parts.iter().map(String::as_str).chain(["run.json", "boards.txt"]);
        for name in needed.filter(|name| !sums.contains_key(name)) {
            report.fault(format!("SHA256SUMS does not name '{name}'"));
        }
        Ok(())
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, Unusable> {
        let path = self.dir.join(name);
        std::fs::read(&path)
            .map_err(|error| Unusable::new(format!("cannot read '{}': {error}", path.display())))
    }

    fn record(&self, record: RecordFile, journal: &mut Journal, report: &mut Report) {
        let id = record.task;
        journal.lines += 1;
        journal.nodes = journal.nodes.saturating_add(record.nodes);
        journal.cpu_seconds += record.cpu_seconds;
        let _ = record.peak_bytes; // must be there; says nothing about the proof
        if !self.holds(id) {
            return report.fault(match self.shard {
                Some(shard) if id < self.tasks => {
                    format!("task {id} does not belong to shard {} of {}", shard.index, shard.count)
                }
                _ => format!("task {id} has a record, but the run has tasks 0 to {}", self.tasks - 1),
            });
        }
        let task = match self.task(record) {
            Ok(task) => task,
            Err(what) => return report.fault(format!("the record of task {id} is wrong: {what}")),
        };
        match journal.tasks.get(&id) {
            None => drop(journal.tasks.insert(id, task)),
            Some(first)
                if (&first.class, &first.order, &first.boards)
                    == (&task.class, &task.order, &task.boards) =>
            {
                report.note_repeat();
            }
            Some(_) => report.fault(format!("task {id} has two records that disagree")),
        }
    }

    fn task(&self, record: RecordFile) -> Result<Task, String> {
        let (cells, alphabet) = (self.grid.cells(), self.ranks.alphabet);
        let class = parse_class(&record.class, cells, alphabet)?;
        if let Some((a, b)) = record.order.iter().find(|(a, b)| *a >= cells || *b >= cells) {
            return Err(format!("the order [{a},{b}] names a cell that the board does not have"));
        }
        let board = |file: BoardFile| Ok((parse_board(&file.board, cells, alphabet)?, file.score));
        let mut boards = record.boards.into_iter().map(board).collect::<Result<Vec<_>, String>>()?;
        boards.sort_unstable();
        if boards.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err("it lists a board twice".into());
        }
        Ok(Task {
            id: record.task,
            class,
            order: record.order,
            boards,
            largest_pruned: record.largest_pruned,
        })
    }
}
