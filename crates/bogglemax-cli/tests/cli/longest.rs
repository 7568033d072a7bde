//! End to end: `longest`.

use bogglemax::Board;

use crate::common::{json, refused, stdout};

/// Board, score and word of an entry; the board in canonical form.
fn entry(value: &serde_json::Value) -> (String, u64, String) {
    let text = |key: &str| value[key].as_str().unwrap().to_owned();
    (text("board"), value["score"].as_u64().unwrap(), text("word"))
}

#[test]
fn sixteen_and_seventeen_letters_on_4x4() {
    let report = json(&["longest", "--dims", "4x4", "--json"]);
    let (board, score, word) = entry(&report);
    assert_eq!((score, word.as_str()), (2_149, "charitablenesses"));
    let by_letters = report["by_letters"].as_array().unwrap();
    assert_eq!(by_letters.len(), 2);
    assert_eq!(entry(&by_letters[0]), (board.clone(), score, word));
    let (_, score, word) = entry(&by_letters[1]);
    assert_eq!((score, word.as_str(), &by_letters[1]["letters"]), (1_391, "quadricentennials", &17.into()));
    assert_eq!(stdout(&["score", &board]), format!("{board}: 2149\n"));
}

#[test]
fn powers_of_two_on_4x4() {
    let report = json(&["longest", "--scoring", "pow2", "--json"]);
    let board = Board::parse("rpqaselinifcoita", None).unwrap().canonical();
    assert_eq!(entry(&report), (board.to_string(), 44_726, "prequalifications".into()));
}

#[test]
fn the_threads_change_nothing() {
    let run = |threads| json(&["longest", "--dims", "2x3", "--threads", threads, "--json"]);
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_shape_that_no_word_fills() {
    refused(&["longest", "--dims", "6x6"], b"", "no word of 'enable2k' uses every cell of a 6x6 board");
}
