//! The append-only record of finished tasks: `journal.jsonl`.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::RunError;

/// A finished task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task's id.
    pub task: u64,
    /// The letters allowed on each cell, `*` for all.
    pub class: String,
    /// Pairs of cells whose letters must come in order of rank, the higher first.
    pub order: Vec<(u8, u8)>,
    /// Every board of the task that reaches the cutoff.
    pub boards: Vec<FoundBoard>,
    /// No other board of the task scores more.
    pub largest_pruned: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Time spent on it.
    pub cpu_seconds: f64,
    /// The most memory it took.
    pub peak_bytes: u64,
    /// What else a repetition of the task must have in common with it: of the fast engine since version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
    /// What the search looked like at each depth, where the engine tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<Depth>,
}

/// A search that is repeated with the same memory limit, by the same engine, visits as many nodes and rules classes
/// out by the same bounds, whatever the machine, the instructions it has and the number of threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// A hash over all bounds by which classes and letters were ruled out, as 16 hexadecimal digits.
    pub pruned: String,
    /// How many bytes the lists of a thread might take.
    pub max_memory: u64,
    /// The last commit that changed the library the program was built from; `+` stands behind it if files were
    /// changed since. `unknown` if the program was built from something else than a repository or a package.
    pub commit: String,
}

/// The nodes of a search in which so many cells were decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    /// Cells decided.
    pub decided: u8,
    /// Nodes visited.
    pub nodes: u64,
    /// The mean of their bounds.
    pub mean_bound: u64,
}

/// A board that reaches the cutoff.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FoundBoard {
    /// Its letters, row by row.
    pub board: String,
    /// Its score.
    pub score: u64,
}

/// What a journal's text holds.
pub(super) struct Parsed {
    pub records: BTreeMap<u64, Record>,
    /// Length of the text up to the end of the last whole record; what follows is a torn line.
    pub good_bytes: u64,
}

/// Reads the text of a journal. Only the last line may be damaged, by a process that died while
/// it wrote it.
pub(super) fn parse(text: &[u8], path: &Path) -> Result<Parsed, RunError> {
    let mut parsed = Parsed { records: BTreeMap::new(), good_bytes: 0 };
    let mut lines = text.split_inclusive(|&b| b == b'\n').enumerate().peekable();
    while let Some((i, line)) = lines.next() {
        let damaged = |why: String| RunError::Damaged { path: path.to_owned(), line: i + 1, why };
        let record: Record = match serde_json::from_slice(line) {
            Ok(record) if line.ends_with(b"\n") => record,
            _ if lines.peek().is_none() => break,
            Ok(_) => unreachable!("only the last line can lack its end"),
            Err(error) => return Err(damaged(error.to_string())),
        };
        parsed.good_bytes += line.len() as u64;
        let task = record.task;
        match parsed.records.get(&task) {
            Some(known) if known.boards != record.boards => {
                return Err(damaged(format!("task {task} stands there twice, with different boards")));
            }
            Some(_) => {}
            None => drop(parsed.records.insert(task, record)),
        }
    }
    Ok(parsed)
}

/// A journal open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// INVARIANT: the file up to here is whole records.
    bytes: u64,
    synced: Instant,
}

/// Records are forced to the disk at most this often. A process that dies loses none of them; a
/// machine that loses power loses those of so many seconds.
const SYNC_EVERY: Duration = Duration::from_secs(1);

impl Journal {
    /// Opens or creates the journal, cuts off a torn last line, and returns what is in it.
    pub(super) fn open(path: &Path) -> Result<(Journal, BTreeMap<u64, Record>), RunError> {
        let failed = |reason| RunError::Io { what: format!("cannot open '{}'", path.display()), reason };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let parsed = parse(&text, path)?;
        file.set_len(parsed.good_bytes).map_err(failed)?;
        file.seek(SeekFrom::Start(parsed.good_bytes)).map_err(failed)?;
        let journal =
            Journal { file, path: path.to_owned(), bytes: parsed.good_bytes, synced: Instant::now() };
        Ok((journal, parsed.records))
    }

    /// Adds a record. If that fails, the journal is as it was.
    pub(super) fn append(&mut self, record: &Record) -> Result<(), RunError> {
        let mut line = serde_json::to_vec(record).expect("a record is plain data");
        line.push(b'\n');
        let written = self.file.write_all(&line);
        if let Err(reason) = written {
            // A part of the line may be there. If it cannot be cut off now, the next to open the
            // journal does it.
            let _ = self.file.set_len(self.bytes);
            let _ = self.file.seek(SeekFrom::Start(self.bytes));
            return Err(RunError::Io { what: format!("cannot write '{}'", self.path.display()), reason });
        }
        self.bytes += line.len() as u64;
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Forces all records to the disk.
    pub(super) fn sync(&mut self) -> Result<(), RunError> {
        self.synced = Instant::now();
        let failed =
            |reason| RunError::Io { what: format!("cannot write '{}'", self.path.display()), reason };
        self.file.sync_data().map_err(failed)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn record(task: u64) -> Record {
        Record {
            task,
            class: "* *".into(),
            order: vec![(0, 1)],
            boards: vec![FoundBoard { board: "ab".into(), score: task }],
            largest_pruned: 3,
            nodes: 4,
            cpu_seconds: 0.5,
            peak_bytes: 6,
            signature: None,
            depths: Vec::new(),
        }
    }

    #[test]
    fn a_torn_last_line_is_dropped_wherever_it_was_torn() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let (mut journal, _) = Journal::open(&path).unwrap();
        (0..3).for_each(|task| journal.append(&record(task)).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let two = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1).unwrap().0 + 1;
        for cut in two..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, records) = Journal::open(&path).unwrap();
            let expected = if cut == whole.len() { 3 } else { 2 };
            assert_eq!(records.len(), expected, "cut at {cut}");
            journal.append(&record(9)).unwrap();
            let (_, records) = Journal::open(&path).unwrap();
            assert_eq!(records.len(), expected + 1);
            assert_eq!(records[&9], record(9));
        }
    }

    #[test]
    fn damage_before_the_last_line_is_refused() {
        let text = format!("{{\"task\":\n{}\n", serde_json::to_string(&record(1)).unwrap());
        let error = parse(text.as_bytes(), Path::new("j")).err().unwrap().to_string();
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn a_task_counts_once_and_must_agree_with_itself() {
        let line = |record: &Record| serde_json::to_string(record).unwrap() + "\n";
        let same = line(&record(1)).repeat(2);
        assert_eq!(parse(same.as_bytes(), Path::new("j")).ok().unwrap().records.len(), 1);
        let other = Record { boards: vec![], ..record(1) };
        let twice = line(&record(1)) + &line(&other);
        assert!(parse(twice.as_bytes(), Path::new("j")).is_err());
    }

    #[test]
    fn a_full_disk_loses_nothing_that_was_recorded() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            eprintln!("skipped: no /dev/full on this system");
            return;
        }
        let file = OpenOptions::new().write(true).open(full).unwrap();
        let mut journal = Journal { file, path: full.into(), bytes: 0, synced: Instant::now() };
        let error = journal.append(&record(1)).unwrap_err().to_string();
        assert!(error.contains("/dev/full"), "{error}");
        assert_eq!(journal.bytes, 0);
    }
}
