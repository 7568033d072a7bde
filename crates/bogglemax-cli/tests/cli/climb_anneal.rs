//! End to end: climb and anneal.

use crate::common::{json, refused, stdout};
use serde_json::Value;

/// Without what differs from run to run.
fn without_times(mut report: Value) -> Value {
    for run in report["runs"].as_array_mut().expect("runs") {
        assert!(run.as_object_mut().and_then(|r| r.remove("seconds")).is_some_and(|s| s.is_number()));
    }
    report
}

#[test]
fn climbing_2x2_and_3x3_ends_on_the_best_boards() {
    let report = json(&["climb", "--dims", "3x3", "--pool", "100", "--runs", "2", "--top", "3", "--json"]);
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    assert_eq!(report["runs"][0]["best"], "deslatper");
    assert_eq!(report["runs"][0]["score"], 545);
    assert!(report["runs"][0]["iterations"].as_u64().unwrap() > 3);
    let boards = report["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 3);
    assert_eq!(boards[0], serde_json::json!({ "board": "deslatper", "score": 545, "runs": 2 }));
    let text = stdout(&["climb", "--dims", "2x2", "--pool", "20", "--top", "1"]);
    assert!(text.ends_with(": 18  found by 1 of 1 run\n"), "{text}");
}

#[test]
fn same_seed_same_result_whatever_the_threads() {
    let report = |command: &[&str], seed, threads| {
        let mut args = command.to_vec();
        args.extend(["--dims", "2x3", "--runs", "2", "--json", "--seed", seed, "--threads", threads]);
        without_times(json(&args))
    };
    let (climb, anneal) = (["climb", "--pool", "10"], ["anneal", "--steps", "500"]);
    assert_eq!(report(&climb, "5", "1"), report(&climb, "5", "3"));
    assert_ne!(report(&climb, "5", "1"), report(&climb, "6", "1"));
    assert_eq!(report(&anneal, "5", "1"), report(&anneal, "5", "3"));
}

#[test]
fn fixed_cells_stay_and_excluded_letters_stay_away() {
    for command in ["climb", "anneal"] {
        let args = [
            command,
            "--dims",
            "2x3",
            "--fixed",
            "t..q..",
            "--exclude",
            "se",
            "--runs",
            "1",
            "--json",
            "--top",
            "5",
        ];
        let report = json(&args);
        for board in report["boards"].as_array().unwrap() {
            let board = board["board"].as_str().unwrap();
            assert!(board.starts_with('t') && &board[3..4] == "q" && !board.contains(['s', 'e']), "{board}");
        }
    }
}

#[test]
fn a_start_is_climbed_from() {
    let args = ["climb", "--dims", "2x2", "--start", "teas", "--pool", "1", "--json"];
    let report = json(&args);
    assert_eq!(report["boards"].as_array().unwrap().len(), 1);
    assert!(report["runs"][0]["score"].as_u64().unwrap() >= 10);
}

#[test]
fn long_words_stay_on_the_board() {
    let args = [
        "anneal",
        "--dims",
        "3x3",
        "--scoring",
        "pow2",
        "--long-words",
        "--steps",
        "2000",
        "--runs",
        "1",
        "--json",
    ];
    // A nine-letter word alone is worth 64; a word with Qu more.
    assert!(json(&args)["runs"][0]["score"].as_u64().unwrap() >= 128);
}

#[test]
fn mistakes_are_named() {
    refused(&["climb", "--dims", "2x2", "--fixed", "abc"], b"", "has 3 cells, but 2x2 has 4");
    refused(&["climb", "--dims", "2x2", "--fixed", "ab?."], b"", "'?' at position 3");
    refused(&["climb", "--dims", "2x2", "--exclude", "a1"], b"", "'1' at position 2");
    refused(&["climb", "--exclude", "abcdefghijklmnopqrstuvwxyz"], b"", "every letter is excluded");
    refused(&["climb", "--dims", "2x2", "--start", "abcd", "--exclude", "a"], b"", "--exclude forbids");
    refused(&["climb", "--start", "abcd"], b"", "has 4 cells");
    refused(&["climb", "--pool", "0"], b"", "--pool");
    refused(&["climb", "--runs", "0"], b"", "--runs");
    refused(&["anneal", "--hot", "0"], b"", "no share");
    refused(&["anneal", "--hot", "nan"], b"", "no share");
    refused(&["anneal", "--dims", "2x2", "--long-words", "--fixed", "a..."], b"", "leave out --fixed");
}
