//! End to end: points far beyond 2^32 in all are added up exactly.

use crate::common::{bogglemax, json, refused, stdout};

/// The most a word can be worth.
const POINTS: u64 = u32::MAX as u64;
const SCORING: &str = "0,0,0,4294967295";

/// A number that a command gives, with one point a word and with the most: the second must be that
/// many times the first.
fn agrees(args: &[&str], figure: impl Fn(&serde_json::Value) -> u64) {
    let with = |scoring| figure(&json(&[args, &["--scoring", scoring, "--json"]].concat()));
    let (words, points) = (with("words"), with(SCORING));
    assert!(points > u64::from(u32::MAX), "{args:?}");
    assert_eq!(points, words * POINTS, "{args:?}");
}

#[test]
fn scores_and_searches() {
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    agrees(&["solve", "perslatgsineters"], |r| number(&r["score"]));
    agrees(&["score", "perslatgsineters"], |r| number(&r["score"]));
    agrees(&["score", "perslatgsineters", "--count", "multi"], |r| number(&r["multi"]));
    agrees(&["score", "perslatgsineters", "--count", "dedup"], |r| number(&r["dedup"]));
    agrees(&["climb", "--dims", "3x3", "--pool", "50"], |r| number(&r["boards"][0]["score"]));
    agrees(&["anneal", "--dims", "2x3", "--runs", "2", "--steps", "20000"], |r| {
        number(&r["boards"][0]["score"])
    });
    agrees(&["longest", "--dims", "2x4"], |r| number(&r["score"]));
    let mean = |scoring| {
        json(&["stats", "--boards", "500", "--scoring", scoring, "--json"])["rolled"]["mean"]
            .as_f64()
            .unwrap()
    };
    assert!((mean(SCORING) / mean("words") / POINTS as f64 - 1.0).abs() < 1e-9);
}

#[test]
fn proofs_and_their_checks() {
    let dir = tempfile::tempdir().unwrap();
    let prove = |scoring: &str, name: &str| {
        let out = dir.path().join(name);
        let out = out.to_str().unwrap();
        let report = json(&["prove", "2x3", "--scoring", scoring, "--out", out, "--json"]);
        assert_eq!(json(&["verify", out, "--json"])["ok"], true);
        let board = report["boards"][0].clone();
        (board["board"].as_str().unwrap().to_owned(), board["score"].as_u64().unwrap())
    };
    let ((board, words), (same, points)) = (prove("words", "words"), prove(SCORING, "most"));
    assert_eq!((same, points), (board.clone(), words * POINTS));
    assert_eq!(
        stdout(&["score", &board, "--dims", "2x3", "--scoring", SCORING]),
        format!("{board}: {points}\n")
    );
}

/// Bounds of Sum/Choice trees are 32 bits wide: what does not fit is refused, not wrapped.
#[test]
fn trees_say_when_their_numbers_are_too_narrow() {
    refused(&["tree", "t ae i r", "--scoring", SCORING], b"", "use a scoring with smaller values");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let args = ["prove", "2x2", "--engine", "paper", "--scoring", SCORING, "--out", out.to_str().unwrap()];
    let output = bogglemax(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("beyond 4294967295"));
}
