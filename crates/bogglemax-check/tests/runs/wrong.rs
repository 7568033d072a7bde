//! Runs that are wrong in one way each.

use bogglemax_check::WordList;
use serde_json::{Value, json};

use crate::fixture::{Fixture, LIST};

fn run() -> Fixture {
    Fixture::letters_in_the_middle(8)
}

#[test]
fn a_task_without_a_record() {
    let mut fixture = run();
    fixture.records.remove(4);
    fixture.assert_fault("1 task of 10 without a valid record: 4");
    fixture.records.truncate(1);
    fixture.assert_fault("9 tasks of 10 without a valid record: 1, 2, 3, 4, 5, …");
}

#[test]
fn a_torn_line_takes_its_task_with_it() {
    let mut fixture = run();
    fixture.records.pop();
    fixture.tail = "{\"task\":9,\"class\":\"* e";
    fixture.assert_fault("1 task of 10 without a valid record: 9");
}

#[test]
fn a_broken_line_in_the_middle() {
    let mut fixture = run();
    fixture.records[2] = json!("nothing");
    fixture.assert_fault("line 3 of the journal is no record");
}

#[test]
fn a_task_that_the_run_does_not_have() {
    let mut fixture = run();
    let mut record = fixture.records[0].clone();
    record["task"] = json!(10);
    fixture.records.push(record);
    fixture.assert_fault("task 10 has a record, but the run has tasks 0 to 9");
}

#[test]
fn malformed_records() {
    let changes: [(&str, Value, &str); 5] = [
        ("class", json!("* a * * a"), "has 5 cells"),
        ("class", json!("* a * * x *"), "no set of letters"),
        ("order", json!([[0, 6]]), "does not have"),
        ("boards", json!([{"board": "seat", "score": 9}]), "no board of 6 letters"),
        ("boards", json!([{"board": "seates", "score": 9}, {"board": "seates", "score": 9}]), "twice"),
    ];
    for (field, value, fault) in changes {
        let mut fixture = run();
        fixture.records[5][field] = value;
        fixture.assert_fault(fault);
    }
}

#[test]
fn a_changed_score() {
    let mut fixture = run();
    let score = &mut fixture.record_with_boards()["boards"][0]["score"];
    *score = json!(score.as_u64().unwrap() + 1);
    fixture.assert_fault("but it scores");
}

#[test]
fn a_dropped_board() {
    let mut fixture = run();
    fixture.record_with_boards()["boards"].as_array_mut().unwrap().remove(0);
    fixture.assert_fault("does not list board");
}

#[test]
fn a_dropped_board_is_met_by_climbing_alone() {
    let mut fixture = run();
    fixture.records.iter_mut().for_each(|record| record["boards"] = json!([]));
    fixture.options.sample = Some(0);
    fixture.assert_fault("does not list board");
}

#[test]
fn a_board_of_another_task() {
    let mut fixture = run();
    let listed = fixture.record_with_boards()["boards"].clone();
    let empty = fixture.records.iter_mut().find(|r| r["boards"].as_array().unwrap().is_empty()).unwrap();
    empty["boards"] = listed;
    fixture.assert_fault("which is not one of its boards");
}

#[test]
fn another_cutoff() {
    let mut fixture = run();
    let best = fixture.verify().boards[0].score;
    fixture.run["cutoff"] = json!(best + 1);
    fixture.assert_fault("points are below the cutoff");
    fixture.run["cutoff"] = json!(7);
    fixture.assert_fault("but the cutoff is 7");
    fixture.records.iter_mut().for_each(|record| record["largest_pruned"] = json!(6));
    fixture.assert_fault("does not list board");
}

#[test]
fn a_largest_bound_that_boards_exceed() {
    let mut fixture = run();
    fixture.records[5]["largest_pruned"] = json!(1);
    fixture.assert_fault("task 5 says that no other board scores more than 1, but");
}

#[test]
fn another_word_list() {
    let mut fixture = run();
    fixture.options.wordlist = WordList::from_text("other", LIST.replace("setae\n", "").as_bytes()).unwrap();
    fixture.assert_fault("is not the run's 'small'");
    let mut fixture = run();
    fixture.run["wordlist"]["sha256"] = json!("0".repeat(64));
    fixture.assert_fault("is not the run's 'small'");
}

#[test]
fn another_scoring() {
    let mut fixture = run();
    fixture.run["scoring"] = json!("words");
    fixture.assert_fault("but it scores");
}

#[test]
fn letters_that_the_run_leaves_out() {
    let mut fixture = Fixture::new(2, 2, 3, &[("ate ate ate ate", vec![])]);
    fixture.run["ranks"] = json!("ate");
    fixture.assert_fault("no boards with the letters 's', which words need");
}

#[test]
fn two_records_that_disagree() {
    let mut fixture = run();
    let mut record = fixture.record_with_boards().clone();
    record["boards"].as_array_mut().unwrap().remove(0);
    fixture.records.push(record);
    fixture.assert_fault("two records that disagree");
}

#[test]
fn a_class_made_smaller() {
    let mut fixture = run();
    fixture.records[5]["class"] = json!("* a * * t ate");
    fixture.assert_fault("no task holds the boards of the class");
    fixture.records[5]["class"] = json!("ate a ate * t *");
    fixture.assert_fault("counted, the tasks hold fewer boards than there are");
}

#[test]
fn a_task_in_place_of_another() {
    // The same class twice and another not at all: the count alone would not tell.
    let mut fixture = run();
    let id = fixture.records[1]["task"].clone();
    fixture.records[1] = fixture.records[2].clone();
    fixture.records[1]["task"] = id;
    fixture.assert_fault("no task holds the boards of the class");
}

#[test]
fn an_order_that_loses_boards() {
    // Both corners of each row: no symmetry of the task sorts both rows.
    let mut fixture = run();
    fixture.records[5]["order"] = json!([[0, 2], [3, 5]]);
    fixture.assert_fault("the order constraints leave out boards of the class");
}

#[test]
fn an_order_on_a_task_without_symmetries() {
    let classes = ["ae ae ae ae", "ae ae ae st", "ae ae st st", "ae st st ae", "ae st st st", "st st st st"];
    let mut fixture = Fixture::new(2, 2, 3, &classes.map(|class| (class, vec![])));
    fixture.records[1]["order"] = json!([[1, 2]]); // the mirror image swaps them
    assert!(!fixture.verify().faults.iter().any(|fault| fault.contains("order")));
    fixture.records[1]["order"] = json!([[0, 1]]);
    fixture.assert_fault("the order constraints leave out boards");
}

#[test]
fn a_missing_certificate() {
    let mut fixture = Fixture::certified(8);
    fixture.certificates.remove(&3);
    fixture.assert_fault("task 3 has no certificate");
}

/// The first node of a kind in a tree, depth first.
fn first<'a>(tree: &'a mut Value, kind: &str) -> Option<&'a mut Value> {
    if tree.get(kind).is_some() {
        return Some(tree);
    }
    tree.get_mut("parts")?.as_array_mut()?.iter_mut().find_map(|part| first(&mut part[1], kind))
}

/// Changes the first node of this kind in all certificates that have one.
fn change(fixture: &mut Fixture, kind: &str, to: impl Fn(&mut Value)) {
    let nodes = fixture.certificates.values_mut().filter_map(|tree| first(tree, kind));
    assert!(nodes.map(to).count() > 0);
}

#[test]
fn a_certificate_without_a_letter() {
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "parts", |node| drop(node["parts"].as_array_mut().unwrap().pop()));
    fixture.assert_fault("is in no part of cell 0");
}

#[test]
fn a_certificate_with_a_letter_twice() {
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "parts", |node| {
        let part = node["parts"][0].clone();
        node["parts"].as_array_mut().unwrap().push(part);
    });
    fixture.assert_fault("is in two parts of cell 0");
}

#[test]
fn a_certificate_with_a_bound_that_does_not_hold() {
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "board", |node| *node = json!({"prune": 7}));
    fixture.assert_fault("is pruned with bound 7, but its board");
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "prune", |node| {
        *node = json!({"prune": node["prune"].as_u64().unwrap().saturating_sub(1)})
    });
    fixture.assert_fault("is pruned with bound");
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "prune", |node| *node = json!({"prune": 8}));
    fixture.assert_fault("not below the cutoff");
}

#[test]
fn a_certificate_that_prunes_everything() {
    let mut fixture = Fixture::certified(8);
    fixture.certificates.values_mut().for_each(|tree| *tree = json!({"prune": 7}));
    fixture.assert_fault("is pruned with bound 7, but its board");
}

#[test]
fn a_certificate_with_a_wrong_board() {
    let mut fixture = Fixture::certified(8);
    change(&mut fixture, "board", |node| *node = json!({"board": 9_999}));
    fixture.assert_fault("not 9999");
    let mut fixture = Fixture::certified(8);
    fixture.certificates.values_mut().for_each(|tree| *tree = json!({"board": 8}));
    fixture.assert_fault("is called a board, but its boards differ in words");
}

#[test]
fn a_certificate_of_another_task() {
    let mut fixture = Fixture::certified(8);
    let dividing = |fixture: &Fixture, n: usize| {
        *fixture.certificates.iter().filter(|(_, tree)| tree.get("cell").is_some()).nth(n).unwrap().0
    };
    let (one, two) = (dividing(&fixture, 0), dividing(&fixture, 1));
    let tree = fixture.certificates[&two].clone();
    fixture.certificates.insert(one, tree);
    fixture.assert_fault(&format!("in the certificate of task {one},"));
}

#[test]
fn certificates_that_are_no_trees() {
    let broken = [
        json!(3),
        json!({}),
        json!({"cell": 0}),
        json!({"cell": 9, "parts": []}),
        json!({"prune": -1}),
        json!({"prune": 1, "board": 1}),
        json!({"cell": 0, "parts": [["s"]]}),
        json!({"cell": 0, "parts": [["S", {}]]}),
    ];
    for tree in broken {
        let mut fixture = Fixture::certified(8);
        fixture.certificates.insert(5, tree.clone());
        let report = fixture.verify();
        assert!(
            report.faults.iter().any(|f| f.starts_with("in the certificate of task 5,")),
            "{tree}: {report}"
        );
    }
}

#[test]
fn directories_without_a_run_are_unusable() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |run: Option<&str>, message: &str| {
        if let Some(run) = run {
            std::fs::write(dir.path().join("run.json"), run).unwrap();
        }
        let options = run_options();
        let error = bogglemax_check::verify(dir.path(), &options).unwrap_err().to_string();
        assert!(error.contains(message) && error.lines().count() == 1, "{error}");
    };
    refused(None, "no run directory");
    refused(Some("{"), "is not JSON");
    refused(Some("{}"), "has format null");
    refused(Some("{\"format\":2}"), "this checker reads format 1");
    refused(Some("{\"format\":1}"), "is incomplete");
    let whole = run().run;
    for (field, value, message) in [
        ("dims", json!("7x7"), "unknown dims"),
        ("scoring", json!("golf"), "unknown scoring"),
        ("ranks", json!("aa"), "each once"),
        ("tasks", json!(0), "no tasks"),
        ("shard", json!({"index": 0, "count": 2}), "shard 0 of 2"),
        ("cutoff", json!(-1), "is incomplete"),
    ] {
        let mut changed = whole.clone();
        changed[field] = value;
        refused(Some(&changed.to_string()), message);
    }
    refused(Some(&whole.to_string()), "journal.jsonl");
    let twice = whole.to_string().replacen("{", "{\"cutoff\":1,", 1);
    refused(Some(&twice), "duplicate field");
}

fn run_options() -> bogglemax_check::Options {
    run().options
}
