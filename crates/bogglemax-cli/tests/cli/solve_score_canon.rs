//! End to end: `solve`, `score`, `canon`.

use std::io::Write;

use crate::common::{bogglemax, json, stdout, stdout_with};

const BEST: &str = "perslatgsineters";

#[test]
fn solve_prints_board_words_points_and_the_longest() {
    let text = stdout(&["solve", BEST]);
    assert!(text.starts_with(
        "P E R S\nL A T G\nS I N E\nT E R S\n1,045 words, 3,625 points, longest: replastering\n"
    ));
    assert!(text.contains("\n12 letters, 1 word of 11 points:\nreplastering\n"));
    assert!(!text.contains('\u{1b}'), "no colour in a pipe");
    assert_eq!(
        text.lines().filter(|l| l.chars().all(|c| c.is_ascii_lowercase()) && !l.is_empty()).count(),
        1045
    );
}

#[test]
fn solve_shows_paths_where_asked() {
    let text = stdout(&["solve", "QIT", "--dims", "1x3", "--paths"]);
    assert!(text.contains("quit 0-1-2\n"), "{text}");
    assert!(text.contains("4 letters, 1 word of 1 point:"), "{text}");
}

#[test]
fn solve_json_has_the_fields_scripts_rely_on() {
    let report = json(&["solve", "PERSLATGSINETERS", "--json"]);
    assert_eq!((report["board"].as_str(), report["dims"].as_str()), (Some(BEST), Some("4x4")));
    assert_eq!(report["score"], 3625);
    let words = report["words"].as_array().unwrap();
    assert_eq!(words.len(), 1045);
    assert_eq!(words[0]["word"], "replastering");
    assert_eq!(words[0]["points"], 11);
    assert_eq!(words[0]["path"].as_array().unwrap().len(), 12);
}

#[test]
fn solve_of_a_board_without_words() {
    assert!(stdout(&["solve", "zzzz"]).ends_with("0 words, 0 points\n"));
    assert_eq!(json(&["solve", "z", "--json"])["words"], serde_json::json!([]));
}

#[test]
fn score_prints_one_line_a_board_in_order() {
    assert_eq!(
        stdout(&["score", BEST, "EEESRVRREEESRSRS"]),
        "perslatgsineters: 3625\neeesrvrreeesrsrs: 189\n"
    );
    let mixed = stdout_with(&["score"], "deslatper\r\n\nperslatgsineters\n  deslatper  ");
    assert_eq!(mixed, "deslatper: 545\nperslatgsineters: 3625\ndeslatper: 545\n");
    assert_eq!(stdout(&["score", "dnisetalsrep", "--dims", "3x4"]), "dnisetalsrep: 1651\n");
}

#[test]
fn score_keeps_the_order_of_many_boards() {
    let input = [BEST, "eeesrvrreeesrsrs", "deslatper"].map(|b| format!("{b}\n")).concat().repeat(10_000);
    let output = stdout_with(&["score", "--threads", "3"], &input);
    let expected = "perslatgsineters: 3625\neeesrvrreeesrsrs: 189\ndeslatper: 545\n".repeat(10_000);
    assert!(output == expected);
}

#[test]
fn score_counts_what_is_asked() {
    for (count, value) in [("score", 3625), ("multi", 4747), ("dedup", 4732)] {
        let report = json(&["score", BEST, "--count", count, "--json"]);
        assert_eq!(report, serde_json::json!({ "board": BEST, count: value }));
    }
    assert_eq!(stdout(&["score", "rpqaselinifcoita", "--scoring", "pow2"]), "rpqaselinifcoita: 44726\n");
    assert_eq!(stdout(&["score", "gesorntreaieslps", "--scoring", "words"]), "gesorntreaieslps: 1158\n");
    assert_eq!(stdout(&["score", BEST, "--scoring", "0,0,0,1,1,2,3,5,11"]), "perslatgsineters: 3625\n");
}

#[test]
fn canon_prints_the_smallest_form() {
    assert_eq!(stdout(&["canon", "sretenisgtalsrep"]), "perslatgsineters\n");
    assert_eq!(stdout_with(&["canon", "--dims", "1x3"], "cba\nabc\n"), "abc\nabc\n");
    let report = json(&["canon", "REPTALSED", "--json"]);
    assert_eq!(report, serde_json::json!({ "board": "reptalsed", "canonical": "deslatper" }));
}

#[test]
fn word_lists_come_from_files_and_standard_input() {
    let dir = tempfile::tempdir().unwrap();
    let plain = dir.path().join("list.txt");
    std::fs::write(&plain, "TEA\r\neat\r\nÉTÉ\r\ndon't\r\nat\r\nqat\r\n").unwrap();
    let zipped = dir.path().join("list.gz");
    let mut gz = flate2::write::GzEncoder::new(std::fs::File::create(&zipped).unwrap(), Default::default());
    gz.write_all(b"tea\neat\nete\n").unwrap();
    gz.finish().unwrap();
    for file in [&plain, &zipped] {
        let text = stdout(&["score", "teaexxxxx", "--wordlist", file.to_str().unwrap()]);
        assert_eq!(text, "teaexxxxx: 2\n", "{}", file.display());
    }
    let output = bogglemax(&["score", "teax", "--wordlist", plain.to_str().unwrap()]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("1 word of '") && stderr.contains("skipped"), "{stderr}");
    assert_eq!(stdout_with(&["score", "teax", "--wordlist", "-"], "tea\neat\n"), "teax: 2\n");
}

#[test]
fn a_reader_that_leaves_early_is_no_fault() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin("bogglemax");
    for args in [&["solve", BEST][..], &["solve", BEST, "--json"], &["completions", "bash"], &["--help"]] {
        let mut child =
            Command::new(&program).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?} {:?}", output.status);
        assert!(output.stderr.is_empty(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["solve", "score", "canon", "stats", "completions", "man"] {
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("bogglemax {command}")), "{help}");
    }
    for command in ["roll", "check", "list"] {
        assert!(stdout(&["dice", command, "--help"]).contains(&format!("bogglemax dice {command}")));
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("bogglemax"));
    }
    assert!(stdout(&["man"]).starts_with(".ie") || stdout(&["man"]).contains(".TH bogglemax"));
    let dir = tempfile::tempdir().unwrap();
    stdout(&["man", "--dir", dir.path().join("man1").to_str().unwrap()]);
    assert!(dir.path().join("man1/bogglemax-solve.1").exists());
}
