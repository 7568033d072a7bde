//! End to end: other languages, and tiles of several letters.

use serde_json::{Value, json};

use crate::common::{bogglemax, json, refused, stdout, stdout_with};

/// A small list of our own, in `tests/data`.
fn list(language: &str) -> String {
    format!("{}/tests/data/{language}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The words of a `solve` report, sorted, each with how it is written in the list.
fn words(report: &Value) -> Vec<(String, Vec<String>)> {
    let strings = |value: &Value| {
        let text = |w: &Value| w.as_str().unwrap().to_owned();
        value.as_array().map_or(vec![], |all| all.iter().map(text).collect())
    };
    let word = |w: &Value| (w["word"].as_str().unwrap().to_owned(), strings(&w["written"]));
    let mut words: Vec<_> = report["words"].as_array().unwrap().iter().map(word).collect();
    words.sort();
    words
}

fn plain(words: &[&str]) -> Vec<(String, Vec<String>)> {
    words.iter().map(|w| (w.to_string(), vec![])).collect()
}

#[test]
fn a_german_board() {
    let list = list("german");
    let game = ["--language", "german", "--wordlist", &list];
    let board = [&["solve", "STResangs", "--json"][..], &game].concat();
    let report = json(&board);
    assert_eq!((&report["board"], &report["score"]), (&"stresangs".into(), &9.into()));
    let mut expected = plain(&["ast", "gas", "rast"]);
    expected.push(("strasse".into(), vec!["straße".into()]));
    expected.extend(plain(&["nest"]));
    expected.sort();
    assert_eq!(words(&report), expected);
    let text = stdout(&[&["solve", "stresangs", "--paths"][..], &game].concat());
    assert!(text.contains("\nstrasse (straße) "), "{text}");
    // In English ß is no letter, and ö folds to o.
    let english = bogglemax(&["score", "stresangs", "--wordlist", &list]).output().unwrap();
    assert_eq!(String::from_utf8(english.stdout).unwrap(), "stresangs: 4\n");
}

#[test]
fn a_polish_board() {
    let list = list("polish");
    let game = ["--language", "polish", "--wordlist", &list];
    let report = json(&[&["solve", "ŁĄKŻÓAŁĆN", "--json"][..], &game].concat());
    assert_eq!((&report["board"], &report["score"]), (&"łąkżóałćn".into(), &3.into()));
    assert_eq!(words(&report), plain(&["łąk", "łąka", "żółć"]));
    let text = stdout(&[&["solve", "łąkżóałćn"][..], &game].concat());
    assert!(text.starts_with("Ł Ą K\nŻ Ó A\nŁ Ć N\n3 words, 3 points"), "{text}");
    assert_eq!(stdout(&["canon", "ńćółabcde", "--language", "polish"]).trim().chars().count(), 9);
    refused(&[&["solve", "quizquizz"][..], &game].concat(), b"", "'q' at position 1");
}

/// `climb` finds the best board, and scores it as `score` does, on 27 and on 32 tiles.
#[test]
fn searches_know_all_tiles() {
    for (language, list, longest) in [
        ("polish", "łąka\nżaba\nźdźbło\nćma\nłza\n", "łąka"),
        ("spanish", "niño\nañil\naño\nquiñón\n", "niño"),
    ] {
        let game = ["--language", language, "--wordlist", "-"];
        let climb = [&["climb", "--dims", "2x2", "--scoring", "pow2", "--json"][..], &game].concat();
        let report: Value = serde_json::from_str(&stdout_with(&climb, list)).unwrap();
        let (best, score) = (report["boards"][0]["board"].as_str().unwrap(), &report["boards"][0]["score"]);
        let scored = [&["score", best, "--scoring", "pow2"][..], &game].concat();
        assert_eq!(stdout_with(&scored, list), format!("{best}: {score}\n"));
        let report = [&["longest", "--dims", "2x2", "--json"][..], &game].concat();
        let report: Value = serde_json::from_str(&stdout_with(&report, list)).unwrap();
        assert_eq!(report["by_letters"][0]["word"].as_str().unwrap().chars().count(), 4);
        assert!(list.contains(longest));
    }
}

#[test]
fn a_german_proof_is_found_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let (out, list) = (out.to_str().unwrap(), list("german"));
    let game = ["--language", "german", "--wordlist", &list, "--json"];
    let proof = json(&[&["prove", "2x3", "--scoring", "words", "--out", out][..], &game].concat());
    let climbed = json(&[&["climb", "--dims", "2x3", "--scoring", "words"][..], &game].concat());
    assert_eq!(proof["boards"][0]["score"], climbed["boards"][0]["score"]);
    assert_eq!(json(&[&["verify", out][..], &game].concat())["ok"], true);
    // Without the language the words are others.
    let output = bogglemax(&["verify", out, "--wordlist", &list, "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

/// On 32 tiles, the most there can be, and on 27.
#[test]
fn a_proof_on_other_tiles_is_found_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    for (language, list) in
        [("polish", "łąka\nżaba\nźdźbło\nćma\nłza\nmać\n"), ("spanish", "niño\nañil\naño\nquiñón\nliñana\n")]
    {
        let out = dir.path().join(language);
        let out = out.to_str().unwrap();
        let game = ["--language", language, "--wordlist", "-", "--json"];
        let run = |args: &[&str]| -> Value {
            serde_json::from_str(&stdout_with(&[args, &game].concat(), list)).unwrap()
        };
        let climbed = run(&["climb", "--dims", "3x3"]);
        // Few words leave a climb nothing to go by: it need not be the best board.
        let cutoff = climbed["boards"][0]["score"].to_string();
        let proof = run(&["prove", "3x3", "--cutoff", &cutoff, "--out", out]);
        let best = proof["boards"][0]["board"].as_str().unwrap();
        assert!(proof["boards"][0]["score"].as_u64() >= climbed["boards"][0]["score"].as_u64());
        let score = ["score", best, "--language", language, "--wordlist", "-"];
        assert_eq!(stdout_with(&score, list), format!("{best}: {}\n", proof["boards"][0]["score"]));
        let resumed = run(&["prove", "3x3", "--cutoff", &cutoff, "--out", out, "--resume"]);
        assert_eq!(resumed["boards"], proof["boards"]);
        assert_eq!(json(&["run", "status", out, "--json"])["summary"]["boards"], proof["boards"]);
        let page = dir.path().join("page.html");
        stdout(&["run", "report", out, "--html", page.to_str().unwrap()]);
        let letter = best.chars().next().unwrap().to_uppercase().to_string();
        assert!(std::fs::read_to_string(page).unwrap().contains(&format!("<td>{letter}")));
        let verify = ["verify", out, "--language", language, "--wordlist", "-"];
        refused(&verify, list.as_bytes(), "knows boards of a to z only");
    }
}

#[test]
fn cells_of_several_letters_are_written_with_dashes() {
    let words = |args: &[&str]| words(&json(args));
    assert_eq!(words(&["solve", "Qu-i-t-s", "--json"]), words(&["solve", "qits", "--json"]));
    // "thin" is th-in and t-h-in and more; it counts once.
    let args =
        ["solve", "th-in-t-h-i-n", "--dims", "2x3", "--language", "super", "--wordlist", "-", "--json"];
    let report: Value = serde_json::from_str(&stdout_with(&args, "thin\nhint\n")).unwrap();
    assert_eq!(
        (&report["board"], &report["score"]),
        (&json!("th-in-t-h-i-n"), &json!(2)),
        "{}",
        report["words"]
    );
    let score = |count| {
        let args = ["score", "th-in-t-h-i-n", "--dims", "2x3", "--language", "super", "--count", count];
        let text = stdout_with(&[&args[..], &["--wordlist", "-"]].concat(), "thin\n");
        text.trim().rsplit(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert!(score("score") == 1 && score("dedup") > 1);
    refused(&["solve", "th-in-g-s"], b"", "'th' at position 1 of 'th-in-g-s' is no letter");
    refused(&["solve", "qu--t-s"], b"", "'' at position 2");
}

#[test]
fn the_6x6_set_rolls_all_its_faces() {
    let roll = ["dice", "roll", "--dims", "6x6", "--count", "40", "--seed", "1", "--language", "super"];
    let boards = stdout(&roll);
    for face in ["an", "er", "he", "in", "th", "qu"] {
        assert!(boards.lines().any(|board| board.split('-').any(|cell| cell == face)), "{face}");
    }
    assert!(boards.contains('_'));
    let board = boards.lines().find(|board| board.contains('-')).unwrap();
    assert_eq!(json(&["dice", "check", board, "--language", "super", "--json"])["rollable"], true);
    let score = stdout(&["score", board, "--language", "super"]);
    assert!(score.starts_with(&format!("{board}: ")) && !score.ends_with(": 0\n"), "{score}");
    // Without those tiles the faces are left out.
    assert!(!stdout(&["dice", "roll", "--dims", "6x6", "--count", "40"]).contains(['-', '_']));
    assert_eq!(stdout(&["dice", "roll", "--language", "polish"]).trim().chars().count(), 16);
}

#[test]
fn languages_that_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, "tiles = 'a b c e t'\n[list]\npackage = 'wmine'\nfile = '/no/such/list'\n")
        .unwrap();
    let mine = file.to_str().unwrap();
    refused(&["solve", "tea", "--language", mine], b"", "no square");
    refused(&["solve", "teac", "--language", mine], b"", "`apt-get install wmine`");
    refused(&["solve", "teas", "--language", mine], b"", "use the tiles a b c e t");
    std::fs::write(&file, "tiles = 'a a'\n").unwrap();
    refused(&["solve", "teac", "--language", mine], b"", "tile 'a' is given twice");
    refused(&["canon", "abcd", "--language", "klingon"], b"", "'klingon' is no language");
    for command in ["climb", "anneal", "longest"] {
        refused(&[command, "--dims", "2x2", "--language", "super"], b"", "tiles that begin alike");
    }
    refused(&["estimate", "2x2", "--cutoff", "1", "--language", "super"], b"", "tiles that begin alike");
    refused(&["prove", "2x2", "--language", "super"], b"", "tiles that begin alike");
    let paper = ["prove", "2x2", "--engine", "paper"];
    for args in [&paper[..], &["tree", "a b c d"], &["buckets", "--count", "2"]] {
        refused(&[args, &["--language", "polish"]].concat(), b"", "knows boards of a to z only");
    }
    refused(&["dice", "roll", "--language", "polish", "--dims", "5x5"], b"", "no dice for 5x5");
    refused(&["dice", "roll", "--language", "polish", "--set", "new"], b"", "no dice set");
}
