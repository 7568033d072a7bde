//! Runs as a whole: what may not change their result.

use std::sync::Mutex;

use super::*;
use crate::{Dims, Lexicon, Scoring};

struct Quiet;

impl Observer for Quiet {
    fn finished(&self, _: &Record, _: &Progress) {}
}

fn lexicon() -> Lexicon {
    Lexicon::from_words("small", ["tea", "eat", "ate", "eta", "teas", "seat", "east", "eats", "sate", "etas"])
        .unwrap()
}

fn job(engine: EngineName, cutoff: u64) -> Job {
    Job::new(engine, &lexicon(), &Scoring::boggle(), Dims::new(2, 2).unwrap(), cutoff).unwrap()
}

fn finish(job: &Job, path: &std::path::Path, shard: Option<Shard>, threads: usize) -> Summary {
    let mut run = RunDir::open(path, &job.spec(shard), Existing::Resume).unwrap();
    work(job, &mut run, &WorkOptions { threads, max_memory: 1 << 30 }, &Quiet).unwrap();
    Summary::new(run.spec(), run.done()).unwrap()
}

#[test]
fn threads_shards_engines_and_interruptions_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let job_paper = job(EngineName::Paper, 8);
    let whole = finish(&job_paper, &dir.path().join("whole"), None, 1);
    assert!(whole.is_complete() && !whole.boards.is_empty());
    assert_eq!(whole.boards[0].score, 10);
    let boards = |summary: &Summary| summary.boards.clone();
    assert_eq!(boards(&finish(&job_paper, &dir.path().join("threads"), None, 3)), whole.boards);
    let parts: Vec<_> = (1..=3)
        .map(|index| {
            let path = dir.path().join(format!("part{index}"));
            let shard = Shard { index, count: 3 };
            assert!(finish(&job_paper, &path, Some(shard), 1).is_complete());
            path
        })
        .collect();
    let merged = merge(&parts, &dir.path().join("merged")).unwrap();
    let summary = Summary::new(merged.spec(), merged.done()).unwrap();
    assert!(summary.is_complete());
    assert_eq!(summary.boards, whole.boards);
    assert_eq!(finish(&job(EngineName::Fast, 8), &dir.path().join("fast"), None, 2).boards, whole.boards);

    // Keep a prefix of the journal, the last line torn, and continue.
    let journal = dir.path().join("whole/journal.jsonl");
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() / 2]).unwrap();
    assert_eq!(boards(&finish(&job_paper, &dir.path().join("whole"), None, 2)), whole.boards);
}

/// What a repetition must have in common, by task.
fn signatures(job: &Job, threads: usize, max_memory: usize) -> Vec<(u64, u64, Option<Signature>)> {
    let dir = tempfile::tempdir().unwrap();
    let mut run = RunDir::open(dir.path(), &job.spec(None), Existing::Resume).unwrap();
    work(job, &mut run, &WorkOptions { threads, max_memory: max_memory * threads }, &Quiet).unwrap();
    let of = |record: &Record| (record.nodes, record.largest_pruned, record.signature.clone());
    run.done().values().map(of).collect()
}

#[test]
fn the_signatures_of_a_run_do_not_depend_on_its_threads() {
    let dims = Dims::new(3, 3).unwrap();
    let job = |cutoff| Job::new(EngineName::Fast, &lexicon(), &Scoring::boggle(), dims, cutoff).unwrap();
    let one = signatures(&job(11), 1, 1 << 30);
    assert_eq!(one, signatures(&job(11), 3, 1 << 30));
    assert!(one.iter().all(|record| record.2.as_ref().is_some_and(|s| s.max_memory == 1 << 30)));
    let hashes = |records: &[(u64, u64, Option<Signature>)]| -> Vec<String> {
        records.iter().map(|record| record.2.as_ref().unwrap().pruned.clone()).collect()
    };
    // Another search has other bounds, though both prove the same.
    assert_ne!(hashes(&one), hashes(&signatures(&job(12), 1, 1 << 30)));
    assert!(signatures(&self::job(EngineName::Paper, 8), 1, 1 << 30).iter().all(|record| record.2.is_none()));
}

#[test]
fn parts_of_another_run_do_not_merge() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [8, 9].map(|cutoff| {
        let path = dir.path().join(format!("{cutoff}"));
        finish(&job(EngineName::Paper, cutoff), &path, None, 1);
        path
    });
    let error = merge(&paths, &dir.path().join("merged")).unwrap_err().to_string();
    assert!(error.contains("cutoff is 8 there, 9 here"), "{error}");
}

#[test]
fn progress_ends_at_one() {
    struct Last(Mutex<Progress>);
    impl Observer for Last {
        fn finished(&self, _: &Record, progress: &Progress) {
            *self.0.lock().unwrap() = progress.clone();
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let job = job(EngineName::Paper, 8);
    let mut run = RunDir::open(dir.path(), &job.spec(None), Existing::Refuse).unwrap();
    let last = Last(Mutex::default());
    work(&job, &mut run, &WorkOptions { threads: 2, max_memory: 1 << 30 }, &last).unwrap();
    let progress = last.0.into_inner().unwrap();
    assert_eq!((progress.done, progress.share_before), (job.tasks(), 0.0));
    assert!((progress.share - 1.0).abs() < 1e-9, "{progress:?}");
}

#[test]
fn tasks_that_symmetry_makes_superfluous_are_recorded_as_empty() {
    let dims = Dims::new(5, 5).unwrap();
    let job = Job::new(EngineName::Fast, &lexicon(), &Scoring::boggle(), dims, 9).unwrap();
    let record = job.worker(1 << 30).run(1).unwrap();
    assert!(record.class.split(' ').all(|cell| cell == "-"), "{}", record.class);
    assert!(record.boards.is_empty());
}
