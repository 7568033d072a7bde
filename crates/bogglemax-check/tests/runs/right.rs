//! Runs that are right, made in different ways, must pass and say what was checked.

use serde_json::json;

use crate::fixture::Fixture;

#[test]
fn a_letter_on_each_middle_cell() {
    let report = Fixture::letters_in_the_middle(8).assert_right();
    assert_eq!((report.tasks, report.checked), (10, 10));
    assert!(!report.boards.is_empty());
    assert!(report.boards.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let text = report.to_string();
    assert!(text.contains("held exactly once") && text.contains("No fault found"), "{text}");
    assert!(text.contains("which stand in no word"), "{text}");
}

#[test]
fn every_cutoff_from_nothing_to_more_than_any_board() {
    for cutoff in [0, 1, 5, 100] {
        let report = Fixture::letters_in_the_middle(cutoff).assert_right();
        let everything = 1_120; // 4^6 boards of 2x3 up to symmetry
        assert_eq!(report.boards.len() == everything, cutoff == 0);
        assert_eq!(report.boards.is_empty(), cutoff == 100);
    }
}

#[test]
fn one_task_with_orders_for_all_eight_symmetries() {
    let orders = vec![[0, 1], [0, 2], [0, 3], [1, 2]];
    Fixture::new(2, 2, 3, &[("* * * *", orders)]).assert_right();
}

#[test]
fn buckets_of_letters() {
    let classes = ["ae ae ae ae", "ae ae ae st", "ae ae st st", "ae st st ae", "ae st st st", "st st st st"];
    let report = Fixture::new(2, 2, 3, &classes.map(|class| (class, vec![]))).assert_right();
    assert!(report.to_string().contains("held exactly once"), "{report}");
}

#[test]
fn some_tasks_divided_further() {
    let classes = [
        "ae ae ae ae",
        "ae ae ae st",
        "ae ae st st",
        "ae st st ae",
        "ae st st st", //
        "s st st st",
        "t s st st",
        "t t s t",
        "t t st s",
        "t t t t",
    ];
    let report = Fixture::new(2, 2, 3, &classes.map(|class| (class, vec![]))).assert_right();
    assert!(report.to_string().contains("more than once"), "{report}");
}

#[test]
fn an_order_that_a_division_has_settled() {
    // The highest letter first; where it is the lowest there is, all are.
    let orders = || vec![[0, 1], [0, 2], [0, 3], [1, 2]];
    let tasks =
        [("e * * *", orders()), ("t ast ast ast", orders()), ("a as as as", orders()), ("s s s s", vec![])];
    Fixture::new(2, 2, 3, &tasks).assert_right();
}

#[test]
fn certificates_are_walked() {
    let report = Fixture::certified(8).assert_right();
    assert_eq!(report.checked, 10);
    assert!(report.to_string().contains("10 along a certificate"), "{report}");
}

#[test]
fn a_torn_last_line_and_a_task_run_twice_lose_nothing() {
    let mut fixture = Fixture::letters_in_the_middle(8);
    fixture.records.push(fixture.records[3].clone());
    for tail in ["{\"task\":1,\"cla", "{\"task\":1,\"cla\n", "\0\0\0"] {
        fixture.tail = tail;
        let report = fixture.assert_right();
        assert_eq!(report.checked, 10);
        let text = report.to_string();
        assert!(text.contains("torn") && text.contains("count once"), "{text}");
    }
}

#[test]
fn a_shard_is_checked_by_itself_and_says_so() {
    let mut fixture = Fixture::letters_in_the_middle(8);
    fixture.run["shard"] = json!({"index": 2, "count": 3});
    fixture.records.retain(|record| record["task"].as_u64().unwrap() % 3 == 1);
    let report = fixture.assert_right();
    assert_eq!((report.tasks, report.checked), (10, 3));
    assert!(report.to_string().contains("shard 2 of 3"), "{report}");
    fixture.records[0]["task"] = json!(2);
    fixture.assert_fault("does not belong to shard 2 of 3");
}

#[test]
fn samples_follow_the_seed_and_the_budget_is_reported() {
    let mut fixture = Fixture::letters_in_the_middle(8);
    fixture.options.sample = Some(4);
    let one = fixture.assert_right();
    assert_eq!(one.checked, 4);
    assert!(one.to_string().contains("6 tasks not in the sample"), "{one}");
    fixture.options.threads = 3;
    assert_eq!(fixture.assert_right().to_string(), one.to_string());
    fixture.options.budget = 0;
    let none = fixture.assert_right();
    assert_eq!(none.checked, 0);
    assert!(none.to_string().contains("more work than the budget allows"), "{none}");
}
