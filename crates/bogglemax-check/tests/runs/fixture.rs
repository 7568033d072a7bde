//! Run directories of small boards, made by scoring every board.

use std::collections::BTreeMap;

use bogglemax_check::{Options, Report, WordList, verify};
use serde_json::{Value, json};

pub const LIST: &str =
    "ate\neast\neat\neats\neta\netas\nsat\nsate\nsea\nseat\nset\nseta\ntae\ntea\nteas\ntease\nsetae\n";
/// Lowest rank first.
const RANKS: &str = "sate";

pub struct Fixture {
    pub rows: usize,
    pub cols: usize,
    pub run: Value,
    pub records: Vec<Value>,
    pub certificates: BTreeMap<u64, Value>,
    /// Added to the journal after all records.
    pub tail: &'static str,
    pub options: Options,
}

impl Fixture {
    /// A run over these (class, order) tasks, searched by brute force.
    pub fn new(rows: usize, cols: usize, cutoff: u64, tasks: &[(&str, Vec<[usize; 2]>)]) -> Fixture {
        let wordlist = WordList::from_text("small", LIST.as_bytes()).unwrap();
        let run = json!({
            "format": 1, "program": "test", "dims": format!("{rows}x{cols}"),
            "wordlist": {"name": "small", "words": wordlist.words().len(), "sha256": wordlist.sha256()},
            "scoring": "boggle", "cutoff": cutoff, "engine": "brute force", "engine_version": 1,
            "tasks": tasks.len(), "ranks": RANKS, "shard": null, "certificate": false,
        });
        let options = Options { wordlist, sample: None, seed: 1, threads: 1, budget: 100 };
        let (records, certificates) = (Vec::new(), BTreeMap::new());
        let mut fixture = Fixture { rows, cols, run, records, certificates, tail: "", options };
        for (id, (class, order)) in tasks.iter().enumerate() {
            let boards = fixture.boards(&sets(class), order);
            let (good, bad): (Vec<_>, Vec<_>) = boards.into_iter().partition(|b| b.1 >= cutoff);
            let listed: Vec<Value> = good.iter().map(|(b, s)| json!({"board": b, "score": s})).collect();
            let largest = bad.iter().map(|b| b.1).max().unwrap_or(0);
            fixture.records.push(json!({
                "task": id, "class": class, "order": order, "boards": listed, "largest_pruned": largest,
                "nodes": 1, "cpu_seconds": 0.5, "peak_bytes": 1000,
            }));
        }
        fixture
    }

    /// 2x3 with a letter on each of the two middle cells, symmetries used up by orders.
    pub fn letters_in_the_middle(cutoff: u64) -> Fixture {
        let mut tasks = Vec::new();
        for (i, a) in RANKS.chars().enumerate() {
            for b in RANKS.chars().skip(i) {
                let order = if a == b { vec![[0, 2], [0, 3], [0, 5]] } else { vec![[0, 2]] };
                tasks.push((format!("* {a} * * {b} *"), order));
            }
        }
        let tasks: Vec<(&str, Vec<[usize; 2]>)> =
            tasks.iter().map(|(c, o)| (c.as_str(), o.clone())).collect();
        Fixture::new(2, 3, cutoff, &tasks)
    }

    /// The same with a certificate for every task.
    pub fn certified(cutoff: u64) -> Fixture {
        let mut fixture = Fixture::letters_in_the_middle(cutoff);
        fixture.run["certificate"] = json!(true);
        for (id, record) in fixture.records.iter().enumerate() {
            let order: Vec<[usize; 2]> = serde_json::from_value(record["order"].clone()).unwrap();
            let tree = fixture.tree(&sets(record["class"].as_str().unwrap()), &order);
            fixture.certificates.insert(id as u64, tree);
        }
        fixture
    }

    fn cutoff(&self) -> u64 {
        self.run["cutoff"].as_u64().unwrap()
    }

    /// Every board of a class that satisfies the order, with its score.
    fn boards(&self, class: &[String], order: &[[usize; 2]]) -> Vec<(String, u64)> {
        let mut boards = vec![String::new()];
        for set in class {
            boards = boards.iter().flat_map(|b| set.chars().map(move |c| format!("{b}{c}"))).collect();
        }
        let rank = |board: &str, cell: usize| RANKS.find(&board[cell..=cell]).unwrap();
        boards.retain(|b| order.iter().all(|&[x, y]| rank(b, x) >= rank(b, y)));
        boards.into_iter().map(|b| (b.clone(), self.score(&b))).collect()
    }

    fn score(&self, board: &str) -> u64 {
        let on_board = |word: &&str| (0..board.len()).any(|cell| self.spells(board, word, cell, 0));
        let points = |word: &str| [0, 0, 0, 1, 1, 2, 3, 5, 11][word.len().min(8)];
        LIST.lines().filter(on_board).map(points).sum()
    }

    fn spells(&self, board: &str, word: &str, cell: usize, used: u32) -> bool {
        let touch = |a: usize, b: usize| {
            (a / self.cols).abs_diff(b / self.cols) <= 1 && (a % self.cols).abs_diff(b % self.cols) <= 1
        };
        if used >> cell & 1 == 1 || board[cell..=cell] != word[..1] {
            return false;
        }
        let mut next = (0..self.rows * self.cols).filter(|&other| touch(cell, other));
        word.len() == 1 || next.any(|other| self.spells(board, &word[1..], other, used | 1 << cell))
    }

    /// A certificate with the tightest bounds there are, dividing letters by halves.
    fn tree(&self, class: &[String], order: &[[usize; 2]]) -> Value {
        let boards = self.boards(class, order);
        let best = boards.iter().map(|b| b.1).max().unwrap_or(0);
        if best < self.cutoff() {
            return json!({ "prune": best });
        }
        let Some(cell) = class.iter().position(|set| set.len() > 1) else {
            return json!({ "board": best });
        };
        let possible = |c: &char| boards.iter().any(|(b, _)| b[cell..].starts_with(*c));
        let letters: String = class[cell].chars().filter(possible).collect();
        let (left, right) = letters.split_at(letters.len() / 2);
        let parts = [left, right].into_iter().filter(|part| !part.is_empty()).map(|part| {
            let mut class = class.to_vec();
            class[cell] = part.to_owned();
            json!([part, self.tree(&class, order)])
        });
        json!({ "cell": cell, "parts": parts.collect::<Vec<_>>() })
    }

    /// Writes the directory and checks it.
    pub fn verify(&self) -> Report {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("run.json"), self.run.to_string()).unwrap();
        let mut journal: String = self.records.iter().map(|record| format!("{record}\n")).collect();
        journal += self.tail;
        std::fs::write(dir.path().join("journal.jsonl"), journal).unwrap();
        std::fs::create_dir(dir.path().join("certificates")).unwrap();
        for (id, tree) in &self.certificates {
            std::fs::write(dir.path().join(format!("certificates/{id}.json")), tree.to_string()).unwrap();
        }
        verify(dir.path(), &self.options).unwrap()
    }

    /// Asserts that there are faults, and that one contains `text`.
    #[track_caller]
    pub fn assert_fault(&self, text: &str) {
        let report = self.verify();
        assert!(!report.ok && report.faults.iter().any(|fault| fault.contains(text)), "{text}: {report}");
    }

    #[track_caller]
    pub fn assert_right(&self) -> Report {
        let report = self.verify();
        assert!(report.ok && report.faults.is_empty(), "{report}");
        report
    }

    /// The first record that lists boards.
    pub fn record_with_boards(&mut self) -> &mut Value {
        self.records.iter_mut().find(|r| !r["boards"].as_array().unwrap().is_empty()).unwrap()
    }
}

fn sets(class: &str) -> Vec<String> {
    class.split(' ').map(|set| if set == "*" { RANKS.to_owned() } else { set.to_owned() }).collect()
}
