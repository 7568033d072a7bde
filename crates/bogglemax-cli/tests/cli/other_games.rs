//! End to end: proofs under other scorings and word lists, against climbs.
//!
//! Lists that are not part of the project are looked for in `BOGGLEMAX_SHARED`/wordlists.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::json;

/// Boards down to this place of the climb's ranking are to be proved complete.
const PLACE: usize = 5;

/// Proves which 3x3 boards are as good as the best few that climbs find: exactly those. Returns the
/// best score.
fn proof_agrees_with_climbs(game: &[&str]) -> u64 {
    let boards = |report: &Value| -> BTreeSet<(u64, String)> {
        let board = |b: &Value| (b["score"].as_u64().unwrap(), b["board"].as_str().unwrap().to_owned());
        report["boards"].as_array().unwrap().iter().map(board).collect()
    };
    let climbs = ["climb", "--dims", "3x3", "--runs", "3", "--top", "100", "--json"];
    let mut climbed = boards(&json(&[&climbs[..], game].concat()));
    let cutoff = climbed.iter().rev().nth(PLACE - 1).unwrap().0;
    climbed.retain(|(score, _)| *score >= cutoff);
    let dir = tempfile::tempdir().unwrap();
    let (out, cutoff) = (dir.path().join("run"), cutoff.to_string());
    let prove = ["prove", "3x3", "--cutoff", &cutoff, "--out", out.to_str().unwrap(), "--json"];
    let proved = boards(&json(&[&prove[..], game].concat()));
    assert_eq!(proved, climbed, "{game:?}");
    proved.last().unwrap().0
}

/// Nobody can list the tasks of 5x5, but they can be drawn.
#[test]
fn an_estimate_for_5x5() {
    let report = json(&["estimate", "5x5", "--cutoff", "10049", "--tasks", "3", "--json"]);
    let hours = |key: &str| report[key].as_f64().unwrap();
    assert_eq!((&report["tasks_run"], &report["cutoff"]), (&3.into(), &10_049.into()));
    assert!(0.0 < hours("cpu_hours_low") && hours("cpu_hours_low") <= hours("cpu_hours"));
    assert!(hours("cpu_hours") <= hours("cpu_hours_high"));
}

/// The path of a list that is not part of the project.
fn shared_list(name: &str) -> Option<String> {
    let shared = std::env::var("BOGGLEMAX_SHARED").ok();
    if shared.is_none() {
        eprintln!("skipped: BOGGLEMAX_SHARED is not set");
    }
    Some(format!("{}/wordlists/{name}.txt.gz", shared?))
}

#[test]
fn most_words() {
    proof_agrees_with_climbs(&["--scoring", "words"]);
}

#[test]
fn powers_of_two() {
    proof_agrees_with_climbs(&["--scoring", "pow2"]);
}

#[test]
fn another_list() {
    if let Some(list) = shared_list("ospd5") {
        assert_eq!(proof_agrees_with_climbs(&["--wordlist", &list]), 573);
    }
}

/// The other lists: `cargo test --release -p bogglemax-cli -- --ignored every_other_list`, with
/// `BOGGLEMAX_SHARED` set.
#[test]
#[ignore = "some minutes"]
fn every_other_list() {
    for name in ["naspa2023", "twl06", "yawl", "sowpods"] {
        let list = shared_list(name).expect("BOGGLEMAX_SHARED is set");
        let best = proof_agrees_with_climbs(&["--wordlist", &list]);
        eprintln!("{name}: {best}");
    }
}
