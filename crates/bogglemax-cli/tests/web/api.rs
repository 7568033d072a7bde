//! The JSON interface: it says what the command line says, and what its description says.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::server::Server;

fn bogglemax(args: &[&str]) -> Value {
    let output = Command::new(assert_cmd::cargo::cargo_bin("bogglemax")).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn answers_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    for (board, scoring) in
        [("perslatgsineters", "boggle"), ("qitabcdefghi", "0,0,0,7,1"), ("deslatper", "pow2")]
    {
        let dims = if board.len() == 12 { "3x4" } else { "" };
        let flags: &[&str] = if dims.is_empty() { &[] } else { &["--dims", dims] };
        let expected = bogglemax(&[&["solve", board, "--scoring", scoring, "--json"], flags].concat());
        let parameters =
            if dims.is_empty() { format!("board={board}") } else { format!("board={board}&dims={dims}") };
        let answer = server.json(&format!("/api/solve?{parameters}&scoring={scoring}"));
        for key in ["board", "dims", "score", "words"] {
            assert_eq!(answer[key], expected[key], "{board} {key}");
        }
    }
    let expected = bogglemax(&["score", "perslatgsineters", "--count", "multi", "--json"]);
    assert_eq!(server.json("/api/solve?board=perslatgsineters&count=multi")["multi"], expected["multi"]);
    let class = "st aeiou lr tp e nq s ai dr";
    for order in ["orderly", "spelling"] {
        let expected = bogglemax(&["tree", class, "--order", order, "--json"]);
        let answer = server.json(&format!("/api/tree?class={}&order={order}", class.replace(' ', "+")));
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&answer[key], value, "{order} {key}");
        }
    }
    let rolled = server.json("/api/roll?seed=7&set=new");
    assert_eq!(
        rolled["board"],
        bogglemax(&["dice", "roll", "--seed", "7", "--set", "new", "--json"])["board"]
    );
}

#[test]
fn what_if_is_the_score_of_each_board() {
    let server = Server::start(&[]);
    let board = "segsrntreiaeslps";
    let answer = server.json(&format!("/api/neighbors?board={board}&cell=5"));
    let changes = answer["changes"].as_array().unwrap();
    assert_eq!((changes.len(), &answer["score"]), (25, &Value::from(3603)));
    for change in changes.iter().step_by(4) {
        let mut other = board.to_owned();
        other.replace_range(5..6, change["letter"].as_str().unwrap());
        assert_eq!(server.json(&format!("/api/solve?board={other}"))["score"], change["score"], "{other}");
    }
}

#[test]
fn a_climb_tells_each_round_and_ends_in_time() {
    let server = Server::start(&[]);
    let answer = server.connect().post("/api/climb", r#"{"board":"abcdefghi","pool":10,"seconds":2}"#);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = answer.text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (end, rounds) = lines.split_last().unwrap();
    let scores: Vec<u64> = rounds.iter().map(|r| r["score"].as_u64().unwrap()).collect();
    assert!(scores.len() > 2 && scores.is_sorted(), "{scores:?}");
    assert_eq!(end["runs"][0]["score"], *scores.last().unwrap());
    assert_eq!(end["runs"][0]["best"], rounds.last().unwrap()["best"]);
    let best = end["runs"][0]["best"].as_str().unwrap();
    assert_eq!(server.json(&format!("/api/solve?board={best}"))["score"], *scores.last().unwrap());
}

#[test]
fn other_word_lists_can_be_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.txt");
    std::fs::write(&file, "tea\neat\n").unwrap();
    let server = Server::start(&["--wordlist", file.to_str().unwrap()]);
    let lists = server.json("/api/config")["wordlists"].clone();
    let name = lists[1]["name"].as_str().unwrap();
    assert_eq!((lists[0]["name"].as_str(), lists[1]["words"].as_u64()), (Some("enable2k"), Some(2)));
    assert_eq!(server.json(&format!("/api/solve?board=texaxxxxx&wordlist={name}"))["score"], 2);
}

/// Checks a value against a schema of our description: types, required and known fields.
fn check(value: &Value, schema: &Value, api: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return check(value, &api["components"]["schemas"][name], api, &format!("{at}:{name}"));
    }
    let kind = schema["type"].as_str().unwrap_or_else(|| panic!("{at}: no type"));
    let fits = match kind {
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: {other}"),
    };
    assert!(fits, "{at}: {value} is no {kind}");
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value}");
    }
    for item in value.as_array().into_iter().flatten() {
        check(item, &schema["items"], api, &format!("{at}[]"));
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    for required in schema["required"].as_array().unwrap() {
        assert!(value.get(required.as_str().unwrap()).is_some(), "{at}: {required} is missing");
    }
    for (key, field) in value.as_object().unwrap() {
        let schema = properties.get(key).unwrap_or_else(|| panic!("{at}: {key} is not described"));
        check(field, schema, api, &format!("{at}.{key}"));
    }
}

fn finished_run(dir: &Path) -> String {
    let (list, out) = (dir.join("words.txt"), dir.join("run"));
    std::fs::write(&list, "tea\neat\nate\neta\nteas\nseat\n").unwrap();
    let out = out.to_str().unwrap().to_owned();
    bogglemax(&[
        "prove",
        "2x2",
        "--cutoff",
        "5",
        "--wordlist",
        list.to_str().unwrap(),
        "--out",
        &out,
        "--json",
    ]);
    out
}

#[test]
fn answers_are_as_described() {
    let dir = tempfile::tempdir().unwrap();
    let run = finished_run(dir.path());
    let missing = dir.path().join("not-yet");
    let server = Server::start(&["--run", &run, "--run", missing.to_str().unwrap()]);
    let api = server.json("/api/openapi.json");
    // The watcher has read the run when its first event comes.
    let mut events = server.connect();
    events.listen("/api/runs/0/events");
    let mut seen = events.event();
    while seen["state"] == "waiting" {
        seen = events.event();
    }
    assert_eq!((&seen["state"], &seen["complete"]), (&"complete".into(), &true.into()), "{seen}");
    check(&seen, &api["components"]["schemas"]["Run"], &api, "event");
    for (path, request) in [
        ("/api/config", "/api/config"),
        ("/api/solve", "/api/solve?board=qitabcdef&count=dedup"),
        ("/api/neighbors", "/api/neighbors?board=qitabcdef&cell=8"),
        ("/api/roll", "/api/roll?dims=5x5"),
        ("/api/gallery", "/api/gallery"),
        ("/api/tree", "/api/tree?class=t+ae+i+r&count=dedup"),
        ("/api/steps", "/api/steps?class=t+ae+i+r&cutoff=6&method=branch"),
        ("/api/runs", "/api/runs"),
        ("/api/runs/{id}", "/api/runs/1"),
    ] {
        let schema = &api["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        check(&server.json(request), schema, &api, path);
    }
    let gallery = server.json("/api/gallery");
    let proved = gallery["boards"].as_array().unwrap().iter().find(|b| b["proved"] == true);
    assert_eq!(proved.unwrap()["dims"], "2x2", "boards of finished runs are in the gallery");
}

#[test]
fn a_run_is_seen_from_its_first_line_to_its_last() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&["--run", dir.path().join("run").to_str().unwrap()]);
    let mut events = server.connect();
    events.listen("/api/runs/0/events");
    assert_eq!(events.event()["state"], "waiting");
    finished_run(dir.path());
    loop {
        let seen = events.event();
        assert_ne!(seen["state"], "damaged", "{seen}");
        if seen["complete"] == true {
            assert_eq!(seen["summary"]["done"], seen["run"]["tasks"]);
            break;
        }
    }
    let journal = dir.path().join("run/journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, format!("garbage\n{text}")).unwrap();
    let damaged = events.event();
    assert_eq!(damaged["state"], "damaged");
    let message = damaged["message"].as_str().unwrap();
    assert!(message.contains("line 1") && !message.contains(dir.path().to_str().unwrap()), "{message}");
}
