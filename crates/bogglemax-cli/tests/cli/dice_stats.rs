//! End to end: `dice` and `stats`.

use crate::common::{bogglemax, json, stdout};

#[test]
fn rolls_follow_the_seed_and_can_be_checked() {
    let rolls = stdout(&["dice", "roll", "--count", "5", "--seed", "7", "--set", "big"]);
    assert_eq!(rolls.lines().count(), 5);
    assert_eq!(rolls, stdout(&["dice", "roll", "--count", "5", "--seed", "7", "--dims", "5x5"]));
    for board in rolls.lines() {
        let report = json(&["dice", "check", board, "--json"]);
        assert_eq!((&report["board"], &report["rollable"]), (&board.into(), &true.into()));
        assert_eq!(report["dice"].as_array().unwrap().len(), 25);
    }
    let report = json(&["dice", "roll", "--json"]);
    assert_eq!(report["dice"].as_array().unwrap().len(), 16);
}

#[test]
fn a_board_that_cannot_be_rolled_is_a_no() {
    let output = bogglemax(&["dice", "check", "zzzzzzzzzzzzzzzz", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report, serde_json::json!({ "board": "zzzzzzzzzzzzzzzz", "rollable": false, "dice": [] }));
}

#[test]
fn stats_follow_the_seed_whatever_the_threads() {
    let run = |threads| stdout(&["stats", "--boards", "3000", "--seed", "3", "--threads", threads, "--json"]);
    assert_eq!(run("1"), run("3"));
    let report: serde_json::Value = serde_json::from_str(&run("1")).unwrap();
    assert_eq!((&report["dims"], &report["dice"]), (&"4x4".into(), &"new".into()));
    assert!(report["uniform"]["mean"].as_f64().unwrap() < report["rolled"]["mean"].as_f64().unwrap());
    let without_dice = json(&["stats", "--dims", "2x3", "--boards", "100", "--json"]);
    assert!(without_dice["rolled"].is_null());
}
