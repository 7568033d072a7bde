//! The directory of a run: creating, resuming, reading.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::RunError;
use super::bundle::read_parts;
use super::journal::{self, Journal, Record};
use super::spec::{FORMAT, Spec};

pub(super) const SPEC: &str = "run.json";
pub(super) const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";
const CERTIFICATES: &str = "certificates";

/// What to do about a directory that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse it.
    Refuse,
    /// Continue it, if its parameters are the same.
    Resume,
}

/// A run that this process works on: it holds the directory's lock.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    spec: Spec,
    journal: Journal,
    done: BTreeMap<u64, Record>,
    /// Released when dropped, or when the process dies in whatever way.
    _lock: File,
}

impl RunDir {
    /// Begins or continues a run.
    pub fn open(path: &Path, spec: &Spec, existing: Existing) -> Result<RunDir, RunError> {
        let shown = path.display();
        let failed = |what: String| move |reason| RunError::Io { what, reason };
        if existing == Existing::Refuse && path.join(SPEC).exists() {
            return Err(RunError::Exists { path: path.to_owned() });
        }
        std::fs::create_dir_all(path).map_err(failed(format!("cannot create '{shown}'")))?;
        let lock = lock(path)?;
        let spec_path = path.join(SPEC);
        let spec = if spec_path.exists() {
            let there = read_spec(path)?;
            let shards = || format!("shard is {:?} there, {:?} here", there.shard, spec.shard);
            let difference = there.difference(spec).or_else(|| (there.shard != spec.shard).then(shards));
            if let Some(difference) = difference {
                return Err(RunError::OtherRun { path: path.to_owned(), difference });
            }
            there
        } else {
            write_whole(&spec_path, &serde_json::to_vec_pretty(spec).expect("plain data"))?;
            spec.clone()
        };
        let mut done = read_parts(path)?;
        let (journal, recorded) = Journal::open(&path.join(JOURNAL))?;
        join(path, &mut done, recorded)?;
        check_tasks(path, &spec, &done)?;
        Ok(RunDir { path: path.to_owned(), spec, journal, done, _lock: lock })
    }

    /// The parameters.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished tasks.
    pub fn done(&self) -> &BTreeMap<u64, Record> {
        &self.done
    }

    /// Keeps the certificate of a task. To be called before the task is recorded, so that every
    /// recorded task has one.
    pub fn certify(&mut self, task: u64, certificate: &[u8]) -> Result<(), RunError> {
        let path = certificate_path(&self.path, task);
        let directory = self.path.join(CERTIFICATES);
        std::fs::create_dir_all(&directory).map_err(|reason| RunError::Io {
            what: format!("cannot create '{}'", directory.display()),
            reason,
        })?;
        write_whole(&path, certificate)
    }

    /// Records a finished task.
    pub fn record(&mut self, record: Record) -> Result<(), RunError> {
        debug_assert!(self.spec.holds(record.task));
        if !self.done.contains_key(&record.task) {
            self.journal.append(&record)?;
            self.done.insert(record.task, record);
        }
        Ok(())
    }

    /// Forces all records to the disk.
    pub fn sync(&mut self) -> Result<(), RunError> {
        self.journal.sync()
    }
}

/// The certificate of a task of the run in a directory.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn read_certificate(run: &Path, task: u64) -> Result<Vec<u8>, RunError> {
    let path = certificate_path(run, task);
    std::fs::read(&path)
        .map_err(|reason| RunError::Io { what: format!("cannot read '{}'", path.display()), reason })
}

fn certificate_path(run: &Path, task: u64) -> PathBuf {
    run.join(CERTIFICATES).join(format!("{task}.json"))
}

/// The parameters and finished tasks of a run, read without touching it. Another process may be
/// at work on it.
pub fn read_run(path: &Path) -> Result<(Spec, BTreeMap<u64, Record>), RunError> {
    let spec = read_spec(path)?;
    let journal = path.join(JOURNAL);
    let text = match std::fs::read(&journal) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(reason) => {
            return Err(RunError::Io { what: format!("cannot read '{}'", journal.display()), reason });
        }
    };
    let mut done = read_parts(path)?;
    join(path, &mut done, journal::parse(&text, &journal)?.records)?;
    check_tasks(path, &spec, &done)?;
    Ok((spec, done))
}

/// Adds records to those of a bundle's parts.
fn join(
    path: &Path,
    done: &mut BTreeMap<u64, Record>,
    recorded: BTreeMap<u64, Record>,
) -> Result<(), RunError> {
    for (task, record) in recorded {
        match done.get(&task) {
            Some(known) if known.boards != record.boards => {
                let difference = format!("task {task} stands there twice, with different boards");
                return Err(RunError::OtherRun { path: path.to_owned(), difference });
            }
            Some(_) => {}
            None => drop(done.insert(task, record)),
        }
    }
    Ok(())
}

fn check_tasks(path: &Path, spec: &Spec, done: &BTreeMap<u64, Record>) -> Result<(), RunError> {
    match done.keys().find(|&&task| !spec.holds(task)) {
        None => Ok(()),
        Some(&task) => Err(RunError::OtherRun {
            path: path.to_owned(),
            difference: format!("its journal has task {task}, which is none of its own"),
        }),
    }
}

fn read_spec(path: &Path) -> Result<Spec, RunError> {
    let file = path.join(SPEC);
    let text = std::fs::read(&file).map_err(|reason| RunError::NoRun { path: path.to_owned(), reason })?;
    let damaged = |why: String| RunError::Damaged { path: file.clone(), line: 1, why };
    let spec: Spec = serde_json::from_slice(&text).map_err(|e| damaged(e.to_string()))?;
    if spec.format != FORMAT {
        return Err(damaged(format!("its format is {}, this program reads {FORMAT}", spec.format)));
    }
    Ok(spec)
}

fn lock(path: &Path) -> Result<File, RunError> {
    let file = path.join(LOCK);
    let failed = |reason| RunError::Io { what: format!("cannot lock '{}'", path.display()), reason };
    let lock = OpenOptions::new().create(true).write(true).truncate(false).open(file).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked { path: path.to_owned() }),
        Err(TryLockError::Error(reason)) => Err(failed(reason)),
    }
}

/// Writes a file so that it is there whole or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let part = path.with_extension("part");
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    write().map_err(|reason| {
        let _ = std::fs::remove_file(&part);
        RunError::Io { what: format!("cannot write '{}'", path.display()), reason }
    })
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::super::spec::tests::example;
    use super::*;

    #[test]
    fn a_run_is_begun_once_continued_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let mut run = RunDir::open(&path, &example(), Existing::Refuse).unwrap();
        run.record(record(3)).unwrap();
        run.record(record(3)).unwrap();
        assert!(matches!(RunDir::open(&path, &example(), Existing::Resume), Err(RunError::Locked { .. })));
        drop(run);
        assert!(matches!(RunDir::open(&path, &example(), Existing::Refuse), Err(RunError::Exists { .. })));
        let run = RunDir::open(&path, &example(), Existing::Resume).unwrap();
        assert_eq!(run.done().keys().copied().collect::<Vec<_>>(), [3]);
        let (spec, done) = read_run(&path).unwrap();
        assert_eq!((spec, done.len()), (example(), 1));
    }

    #[test]
    fn another_run_is_refused_with_the_difference() {
        let dir = tempfile::tempdir().unwrap();
        drop(RunDir::open(dir.path(), &example(), Existing::Refuse).unwrap());
        let other = Spec { cutoff: 2, ..example() };
        let error = RunDir::open(dir.path(), &other, Existing::Resume).unwrap_err().to_string();
        assert!(error.contains("cutoff is 1 there, 2 here"), "{error}");
        let renamed = Spec { program: "later".into(), ..example() };
        assert!(RunDir::open(dir.path(), &renamed, Existing::Resume).is_ok());
    }

    #[test]
    fn a_journal_with_a_foreign_task_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = RunDir::open(dir.path(), &example(), Existing::Refuse).unwrap();
        run.journal.append(&record(99)).unwrap();
        drop(run);
        assert!(matches!(read_run(dir.path()), Err(RunError::OtherRun { .. })));
    }
}
