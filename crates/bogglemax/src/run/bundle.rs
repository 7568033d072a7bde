//! Runs as they are published: the journal in compressed parts, the boards, checksums.
//!
//! A bundle is a run directory whose finished tasks stand in `journal-0001.jsonl.gz` and so on, so that it can be read,
//! checked and continued as it is: what is done from then on goes to `journal.jsonl`, and the next packing makes a new
//! part of that. Parts are never changed, which keeps them small in a repository.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::directory::{JOURNAL, RunDir, SPEC, read_run, write_whole};
use super::journal::{self, Record};
use super::summary::Summary;
use super::{Existing, RunError, Spec};

const BOARDS: &str = "boards.txt";
const SUMS: &str = "SHA256SUMS";

/// What a packing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Tasks that were packed now.
    pub tasks: u64,
    /// Tasks of the bundle.
    pub done: u64,
    /// Bytes of all its parts.
    pub bytes: u64,
}

/// Packs the finished tasks of a run into the bundle `out`, which is begun or gets a new part. That may be the run's own
/// directory.
///
/// # Errors
/// If the two belong to different runs, or a file cannot be read or written. What is recorded stays.
pub fn pack(run: &Path, out: &Path) -> Result<Packed, RunError> {
    let (spec, records) = read_run(run)?;
    let bundle = RunDir::open(out, &spec, Existing::Resume)?;
    let mut packed = read_parts(out)?;
    let known = parts(out)?;
    if known.is_empty() {
        write_sums(&spec, &packed, out, &known)?;
    }
    let fresh: BTreeMap<&u64, &Record> =
        records.iter().filter(|(task, _)| !packed.contains_key(task)).collect();
    let tasks = fresh.len() as u64;
    if tasks > 0 {
        write_whole(&part(out, known.len() + 1), &compress(fresh.into_values()))?;
    }
    packed.extend(records);
    // A part counts once its sum is written: a process that dies before leaves the bundle as it was.
    let all: Vec<PathBuf> =
        (1..=known.len() + usize::from(tasks > 0)).map(|number| part(out, number)).collect();
    let bytes = write_sums(&spec, &packed, out, &all)?;
    // All that stood there is in the parts now, unless it was never in the run that was packed.
    if bundle.done().keys().all(|task| packed.contains_key(task)) {
        remove(&out.join(JOURNAL))?;
    }
    Ok(Packed { tasks, done: packed.len() as u64, bytes })
}

/// Reads the records in the parts of a bundle. A directory without parts has none.
///
/// # Errors
/// If a part is not what the checksums say, or cannot be read.
pub(super) fn read_parts(path: &Path) -> Result<BTreeMap<u64, Record>, RunError> {
    let mut records = BTreeMap::new();
    for part in parts(path)? {
        let mut text = Vec::new();
        let bytes = read(&part)?;
        MultiGzDecoder::new(&bytes[..])
            .read_to_end(&mut text)
            .map_err(|reason| failed("read", &part)(reason))?;
        let parsed = journal::parse(&text, &part)?;
        if parsed.good_bytes != text.len() as u64 {
            return Err(RunError::Altered { path: part });
        }
        records.extend(parsed.records);
    }
    Ok(records)
}

/// The parts that the checksums name, in order, each as they say. The list of boards is for readers: nothing is read
/// from it here, and whoever verifies the bundle compares it.
fn parts(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let sums = path.join(SUMS);
    if !sums.exists() && !part(path, 1).exists() {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&read(&sums)?).into_owned();
    let sums: BTreeMap<PathBuf, &str> = text
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, name)| (path.join(name), sum))
        .collect();
    let parts: Vec<PathBuf> =
        (1..).map(|number| part(path, number)).take_while(|part| sums.contains_key(part)).collect();
    for file in parts.iter().cloned().chain([path.join(SPEC)]) {
        if sums.get(&file).is_none_or(|expected| !read(&file).is_ok_and(|content| sum(&content) == *expected))
        {
            return Err(RunError::Altered { path: file });
        }
    }
    Ok(parts)
}

fn part(path: &Path, number: usize) -> PathBuf {
    path.join(format!("journal-{number:04}.jsonl.gz"))
}

fn compress<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for record in records {
        serde_json::to_writer(&mut encoder, record).expect("a record is plain data");
        encoder.write_all(b"\n").expect("memory takes what it gets");
    }
    encoder.finish().expect("memory takes what it gets")
}

/// All boards found so far, the best first.
fn boards(spec: &Spec, records: &BTreeMap<u64, Record>) -> Result<String, RunError> {
    let found = Summary::new(spec, records)?.boards;
    Ok(found.iter().map(|found| format!("{}: {}\n", found.board, found.score)).collect())
}

/// Writes the boards and the checksums of a bundle with these parts; returns the bytes of the parts.
fn write_sums(
    spec: &Spec,
    records: &BTreeMap<u64, Record>,
    path: &Path,
    parts: &[PathBuf],
) -> Result<u64, RunError> {
    write_whole(&path.join(BOARDS), boards(spec, records)?.as_bytes())?;
    let (mut sums, mut bytes) = (String::new(), 0);
    for file in parts.iter().cloned().chain([BOARDS, SPEC].map(|name| path.join(name))) {
        let content = read(&file)?;
        bytes += if parts.contains(&file) { content.len() as u64 } else { 0 };
        let name = file.file_name().expect("a file of the bundle").to_string_lossy();
        sums += &format!("{}  {name}\n", sum(&content));
    }
    write_whole(&path.join(SUMS), sums.as_bytes())?;
    Ok(bytes)
}

fn sum(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    std::fs::read(path).map_err(failed("read", path))
}

fn remove(path: &Path) -> Result<(), RunError> {
    match std::fs::remove_file(path) {
        Err(reason) if reason.kind() != std::io::ErrorKind::NotFound => Err(failed("remove", path)(reason)),
        _ => Ok(()),
    }
}

fn failed(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> RunError {
    let what = format!("cannot {what} '{}'", path.display());
    move |reason| RunError::Io { what, reason }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::super::spec::tests::example;
    use super::*;

    /// The example has tasks of boards of another shape than its records.
    fn empty(task: u64) -> Record {
        Record { boards: Vec::new(), ..record(task) }
    }

    fn run_of(path: &Path, tasks: impl Iterator<Item = u64>) {
        let mut run = RunDir::open(path, &example(), Existing::Resume).unwrap();
        tasks.for_each(|task| run.record(empty(task)).unwrap());
    }

    #[test]
    fn a_bundle_is_read_and_continued_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (run, bundle) = (dir.path().join("run"), dir.path().join("bundle"));
        run_of(&run, 0..2);
        assert_eq!(pack(&run, &bundle).unwrap().tasks, 2);
        assert_eq!(pack(&run, &bundle).unwrap().tasks, 0);
        // It goes on in place, and what is done then becomes a part.
        run_of(&bundle, 1..4);
        assert_eq!(read_run(&bundle).unwrap().1.len(), 4);
        let packed = pack(&bundle, &bundle).unwrap();
        assert_eq!((packed.tasks, packed.done), (2, 4));
        assert!(!bundle.join(JOURNAL).exists() && part(&bundle, 2).exists());
        let (spec, records) = read_run(&bundle).unwrap();
        assert_eq!(
            (spec, records.into_values().collect::<Vec<_>>()),
            (example(), (0..4).map(empty).collect())
        );
    }

    #[test]
    fn a_bundle_that_was_tampered_with_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let bundle = dir.path().join("bundle");
        run_of(&bundle, 0..3);
        pack(&bundle, &bundle).unwrap();
        let first = part(&bundle, 1);
        let good: Vec<(PathBuf, Vec<u8>)> = [first.clone(), bundle.join(SPEC), bundle.join(SUMS)]
            .map(|file| (file.clone(), read(&file).unwrap()))
            .into();
        let refused = |change: &dyn Fn()| {
            change();
            assert!(read_run(&bundle).is_err());
            good.iter().for_each(|(file, content)| std::fs::write(file, content).unwrap());
            assert_eq!(read_run(&bundle).unwrap().1.len(), 3);
        };
        let changed = |record: Record| compress([empty(0), record, empty(2)].iter());
        refused(&|| std::fs::write(&first, compress([empty(0), empty(2)].iter())).unwrap());
        refused(&|| std::fs::write(&first, changed(Record { nodes: 5, ..empty(1) })).unwrap());
        refused(&|| std::fs::write(&first, [&good[0].1[..], &good[0].1[..]].concat()).unwrap());
        refused(&|| std::fs::remove_file(&first).unwrap());
        refused(&|| std::fs::write(bundle.join(SPEC), [&good[1].1[..], b"\n"].concat()).unwrap());
        refused(&|| std::fs::write(bundle.join(SUMS), "").unwrap());
        refused(&|| std::fs::remove_file(bundle.join(SUMS)).unwrap());
        // A part without a sum is what a process left that died: it does not count, and is packed again.
        std::fs::write(part(&bundle, 2), compress([empty(1)].iter())).unwrap();
        assert_eq!(read_run(&bundle).unwrap().1.len(), 3);
        run_of(&bundle, 3..4);
        assert_eq!(pack(&bundle, &bundle).unwrap().done, 4);
        assert_eq!(read_run(&bundle).unwrap().1.len(), 4);
    }
}
