//! End to end: `tree`, `buckets` and `prove --engine paper`.

use serde_json::Value;

use crate::common::{json, refused};

#[test]
fn tree_tells_the_figures_of_the_paper() {
    let tree = json(&["tree", "t ae i r", "--order", "spelling", "--json"]);
    assert_eq!(tree["bound"], 13);
    assert_eq!(tree["nodes"], 56);
    let tree = json(&["tree", "T AE I R", "--json"]);
    let expected = r#"{"class":"t ae i r","dims":"2x2","order":"orderly","count":"multi","bound":7,
        "nodes":29,"sum_nodes":16,"choice_nodes":13}"#;
    assert_eq!(tree, serde_json::from_str::<Value>(expected).unwrap());
}

#[test]
fn tree_draws_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let (svg, dot) = (dir.path().join("tree.svg"), dir.path().join("tree.dot"));
    let class = "lnrsy aeiou chkmpt bdfgjqvwxz";
    let files = ["--svg", svg.to_str().unwrap(), "--dot", dot.to_str().unwrap()];
    let tree = json(&[&["tree", class, "--json", "--most-nodes", "30"], &files[..]].concat());
    let (svg, dot) = (std::fs::read_to_string(svg).unwrap(), std::fs::read_to_string(dot).unwrap());
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains(&format!("bound {}", tree["bound"])));
    assert!(svg.contains(" more</text>") && dot.contains(" more\""));
    assert!(dot.starts_with("digraph"));
}

#[test]
fn classes_that_cannot_be_are_refused_in_one_sentence() {
    refused(&["tree", "a b c"], b"", "no square");
    refused(&["tree", ""], b"", "0 cells");
    refused(&["tree", "a b c d", "--dims", "3x3"], b"", "4 cells, but 3x3 has 9");
    refused(&["tree", "a b c d3"], b"", "'3' at position 2");
    refused(&["tree", "t e a x", "--scoring", "0,0,0,4294967295"], b"", "smaller values");
    refused(&["tree", &". ".repeat(36)], b"", "too large");
    refused(&["tree", "t e a x", "--svg", "/nowhere/at/all.svg"], b"", "cannot write");
}

#[test]
fn buckets_follow_their_seed() {
    let args = [
        "buckets", "--count", "3", "--dims", "2x2", "--sample", "4", "--steps", "20", "--seed", "5", "--json",
    ];
    let found = json(&args);
    assert_eq!(found, json(&[&args[..], &["--threads", "1"]].concat()));
    let mut letters: Vec<char> =
        found["buckets"].as_array().unwrap().iter().flat_map(|b| b.as_str().unwrap().chars()).collect();
    letters.sort_unstable();
    assert!(letters.into_iter().eq('a'..='z'));
    assert!(found["cost"].as_f64().unwrap() > 0.0);
    refused(&["buckets", "--count", "27"], b"", "1 to 26");
    refused(&["buckets", "--count", "0"], b"", "1 to 26");
}

#[test]
fn prove_finds_the_best_small_boards() {
    let dir = tempfile::tempdir().unwrap();
    let prove = |cutoff: &str| {
        let out = dir.path().join(cutoff);
        let out = out.to_str().unwrap();
        let report = json(&["prove", "2x2", "--cutoff", cutoff, "--engine", "paper", "--json", "--out", out]);
        assert_eq!((&report["engine"], &report["dims"]), (&"paper".into(), &"2x2".into()));
        let scored = |b: &Value| (b["board"].as_str().unwrap().to_owned(), b["score"].as_u64().unwrap());
        report["boards"].as_array().unwrap().iter().map(scored).collect::<Vec<_>>()
    };
    let boards = prove("16");
    assert!(!boards.is_empty() && boards.iter().all(|b| b.1 >= 16));
    assert!(boards.windows(2).all(|pair| pair[0].1 >= pair[1].1), "best first");
    let lower = prove("14");
    assert!(lower.len() > boards.len());
    assert_eq!(lower.into_iter().filter(|b| b.1 >= 16).collect::<Vec<_>>(), boards);
}

#[test]
fn prove_refuses_what_cannot_be_proved() {
    refused(&["prove", "6x6", "--cutoff", "9", "--engine", "paper"], b"", "too many board classes");
    refused(&["prove", "2x2", "--cutoff", "4294967296", "--engine", "paper"], b"", "smaller one");
    refused(&["prove", "0x2", "--cutoff", "5"], b"", "no board shape");
}
