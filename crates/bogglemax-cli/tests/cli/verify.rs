//! End to end: `verify` on small run directories.

use std::path::Path;

use bogglemax_check::WordList;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{bogglemax, refused};

const LIST: &str = "tea\neat\n";

/// A right run: 1x3 boards of a, e and t, where the mirror image is used up by an order.
fn run_dir() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let list = WordList::from_text("list", LIST.as_bytes()).unwrap();
    let run = json!({
        "format": 1, "program": "test", "dims": "1x3",
        "wordlist": {"name": "list", "words": 2, "sha256": list.sha256()},
        "scoring": "boggle", "cutoff": 1, "engine": "fast", "engine_version": 1,
        "tasks": 1, "ranks": "aet", "shard": null, "certificate": false,
    });
    let record = json!({
        "task": 0, "class": "* * *", "order": [[0, 2]],
        "boards": [{"board": "tea", "score": 1}, {"board": "tae", "score": 1}],
        "largest_pruned": 0, "nodes": 1, "cpu_seconds": 0.1, "peak_bytes": 1,
    });
    write(dir.path(), "run.json", &run.to_string());
    write(dir.path(), "journal.jsonl", &format!("{record}\n"));
    write(dir.path(), "list.txt", LIST);
    dir
}

fn write(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).unwrap();
}

/// Exit code and report.
fn verify(dir: &TempDir) -> (Option<i32>, Value) {
    let (path, list) = (dir.path().to_str().unwrap(), dir.path().join("list.txt"));
    let output =
        bogglemax(&["verify", path, "--json", "--wordlist", list.to_str().unwrap()]).output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_right_run_passes() {
    let dir = run_dir();
    let (code, report) = verify(&dir);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!((&report["ok"], &report["tasks"], &report["checked"]), (&json!(true), &json!(1), &json!(1)));
    assert_eq!(report["faults"], json!([]));
    assert_eq!(report["boards"], json!([{"board": "aet", "score": 1}, {"board": "eat", "score": 1}]));
}

#[test]
fn a_tampered_run_is_a_no() {
    let dir = run_dir();
    let journal = std::fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    write(dir.path(), "journal.jsonl", &journal.replace("tae", "ete"));
    let (code, report) = verify(&dir);
    assert_eq!((code, &report["ok"]), (Some(1), &json!(false)));
    assert!(report["faults"][0].as_str().unwrap().contains("ete scores 1, but it scores 0"), "{report}");
}

#[test]
fn the_text_says_what_was_and_was_not_checked() {
    let dir = run_dir();
    let output = bogglemax(&["verify", dir.path().to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["Checked:", "Not checked:", "Wrong:", "is not the run's 'list'", "1 fault"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    refused(&["verify", path], b"", "no run directory");
    refused(&["verify", path, "--wordlist", "nosuchfile"], b"", "nosuchfile");
    write(dir.path(), "run.json", "{\"format\":9}");
    refused(&["verify", path], b"", "format 9");
}
