//! End to end: `prove`, `run`, `estimate`: what a run finds, and that nothing can make it forget.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{bogglemax, json, refused, stdout};

/// The boards of a report as `BOARD: SCORE` lines.
fn boards(report: &Value) -> String {
    let line = |b: &Value| format!("{}: {}\n", b["board"].as_str().unwrap(), b["score"]);
    report["boards"].as_array().unwrap().iter().map(line).collect()
}

fn journal(dir: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.join("journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A small word list, so that whole runs take no time.
fn small_list(dir: &Path) -> String {
    let path = dir.join("words.txt");
    std::fs::write(&path, "tea\neat\nate\neta\nteas\nseat\neast\neats\nsate\netas\nquit\n").unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn prove_3x3_finds_the_42_boards_of_500_points() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let report = json(&["prove", "3x3", "--cutoff", "500", "--out", out.to_str().unwrap(), "--json"]);
    let known = include_str!("../../../bogglemax/tests/data/boards.3x3.enable2k.500.txt");
    let mut found: Vec<String> = boards(&report).lines().map(str::to_owned).collect();
    let mut expected: Vec<&str> = known.lines().collect();
    assert!(found.windows(2).all(|p| p[0][11..] >= p[1][11..]), "best first");
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for (key, value) in [("dims", "3x3"), ("wordlist", "enable2k"), ("scoring", "boggle"), ("engine", "fast")]
    {
        assert_eq!(report[key], value);
    }
    assert_eq!(report["cutoff"], 500);
    assert_eq!(report["tasks"].as_u64().unwrap() as usize, journal(&out).len());
    assert!(report["cpu_seconds"].as_f64().unwrap() > 0.0 && report["wall_seconds"].as_f64().unwrap() > 0.0);
}

/// The code for every processor visits the same nodes with the same bounds as the code for this one, on any number of
/// threads; signatures included.
#[test]
fn the_portable_path_gives_the_same_records() {
    let dir = tempfile::tempdir().unwrap();
    let records = |name: &str, portable: &str, threads: &str, args: &[&str]| -> Vec<Value> {
        let out = dir.path().join(name);
        let args = [args, &["--out", out.to_str().unwrap(), "--threads", threads]].concat();
        let output = bogglemax(&args).env("BOGGLEMAX_PORTABLE", portable).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut records = journal(&out);
        for record in &mut records {
            for varies in ["cpu_seconds", "peak_bytes"] {
                record.as_object_mut().unwrap().remove(varies);
            }
        }
        records.sort_by_key(|record| record["task"].as_u64());
        records
    };
    // Lists, and trees of one strand; and a group of 4x4, whose trees are braids.
    let all = ["prove", "3x3", "--cutoff", "541"];
    let group = ["prove", "4x4", "--cutoff", "3625", "--shard", "5000/14603"];
    for (shape, args, tasks) in [("3x3", &all[..], 26), ("4x4", &group[..], 1)] {
        let vector = records(&format!("vector {shape}"), "0", "1", args);
        let portable = records(&format!("portable {shape}"), "1", "2", args);
        assert_eq!(vector.len(), tasks);
        assert!(vector.iter().all(|record| record["signature"]["pruned"] != "0000000000000000"));
        assert_eq!(vector, portable);
    }
}

#[test]
fn without_a_cutoff_a_climb_comes_first() {
    let dir = tempfile::tempdir().unwrap();
    let list = small_list(dir.path());
    let mut command = bogglemax(&["prove", "2x2", "--wordlist", &list]);
    let output = command.current_dir(dir.path()).output().unwrap();
    let (text, notes) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{notes}");
    assert!(notes.contains("a climb found"), "{notes}");
    assert!(text.contains("No 2x2 board beats 10 points"), "{text}");
    assert!(text.contains("Next: bogglemax solve"), "{text}");
    assert!(dir.path().join("run-2x2-words.txt-boggle-10-fast/run.json").exists());
}

#[test]
fn a_cutoff_that_no_board_reaches() {
    let dir = tempfile::tempdir().unwrap();
    let (list, out) = (small_list(dir.path()), dir.path().join("run"));
    let args = ["prove", "2x2", "--cutoff", "99", "--wordlist", &list, "--out", out.to_str().unwrap()];
    assert!(stdout(&args).starts_with("No 2x2 board has 99 points or more\n"));
}

#[test]
fn threads_shards_and_engines_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let list = small_list(dir.path());
    let prove = |name: &str, more: &[&str]| {
        let out = dir.path().join(name);
        let args =
            ["prove", "2x3", "--cutoff", "9", "--wordlist", &list, "--json", "--out", out.to_str().unwrap()];
        json(&[&args[..], more].concat())
    };
    let whole = boards(&prove("whole", &["--threads", "1"]));
    assert!(whole.lines().count() > 1, "{whole}");
    assert_eq!(boards(&prove("threads", &["--threads", "4"])), whole);
    let paper = boards(&prove("paper", &["--engine", "paper"]));
    assert_eq!(paper, whole);
    let parts: Vec<String> = (1..=3)
        .map(|i| {
            let name = format!("part{i}");
            prove(&name, &["--engine", "paper", "--shard", &format!("{i}/3")]);
            dir.path().join(name).to_str().unwrap().to_owned()
        })
        .collect();
    let merged = dir.path().join("merged");
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let args = [&["run", "merge"], &parts[..], &["--out", merged.to_str().unwrap(), "--json"]].concat();
    let report = json(&args);
    assert_eq!(report["complete"], true);
    assert_eq!(boards(&report["summary"]), whole);
    let unfinished =
        bogglemax(&["run", "merge", parts[0], "--out", dir.path().join("some").to_str().unwrap()])
            .output()
            .unwrap();
    assert_eq!(unfinished.status.code(), Some(1), "a part is no proof");
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_end() {
    kill_at(&[5, 20, 40, 60, 80]);
}

/// The longer list: `cargo test --release -p bogglemax-cli --test cli twenty -- --ignored`.
#[test]
#[ignore = "takes longer than the five moments above and tests the same"]
fn a_run_killed_at_twenty_random_moments_goes_on_to_the_same_end() {
    let seed = u64::from(std::process::id());
    let moment = |i: u64| (seed.wrapping_mul(0x9E37_79B9).wrapping_add(i * 0x85EB_CA6B) >> 7) % 400;
    let moments: Vec<u64> = (0..20).map(moment).collect();
    println!("{moments:?}");
    kill_at(&moments);
}

/// Kills a run after each of these numbers of milliseconds, resumes it, and compares its end with that
/// of a run that was left alone.
fn kill_at(moments: &[u64]) {
    let dir = tempfile::tempdir().unwrap();
    let (whole, out) = (dir.path().join("whole"), dir.path().join("run"));
    let args = |out: &Path| {
        let words =
            ["prove", "2x3", "--cutoff", "115", "--engine", "paper", "--threads", "2", "--json", "--resume"];
        let mut args: Vec<String> = words.map(str::to_owned).into();
        args.extend(["--out", out.to_str().unwrap()].map(str::to_owned));
        args
    };
    let run = |out: &Path| json(&args(out).iter().map(String::as_str).collect::<Vec<_>>());
    let expected = boards(&run(&whole));
    for &moment in moments {
        let program = assert_cmd::cargo::cargo_bin("bogglemax");
        let mut child = Command::new(program)
            .args(args(&out))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        let _ = child.kill(); // SIGKILL on Unix
        child.wait().unwrap();
    }
    let report = run(&out);
    assert_eq!(boards(&report), expected);
    let mut tasks: Vec<u64> = journal(&out).iter().map(|r| r["task"].as_u64().unwrap()).collect();
    tasks.sort_unstable();
    assert!(tasks.into_iter().eq(0..report["tasks"].as_u64().unwrap()), "every task once");
}

#[test]
fn directories_that_cannot_be_continued_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (list, out) = (small_list(dir.path()), dir.path().join("run"));
    let out = out.to_str().unwrap();
    let prove = ["prove", "2x2", "--wordlist", &list, "--out", out, "--cutoff"];
    stdout(&[&prove[..], &["5"]].concat());
    refused(&[&prove[..], &["5"]].concat(), b"", "holds a run already: continue it with --resume");
    refused(&[&prove[..], &["6", "--resume"]].concat(), b"", "cutoff is 5 there, 6 here");
    let other = [&prove[..], &["5", "--resume", "--scoring", "words"]].concat();
    refused(&other, b"", "scoring is boggle there, words here");
    let path = Path::new(out).join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("garbage\n{text}")).unwrap();
    let again = [&prove[..], &["5", "--resume"]].concat();
    refused(&again, b"", "line 1 of");
    refused(&["run", "status", "/no/such/run"], b"", "holds no run");
    refused(&["prove", "2x2", "--cutoff", "5", "--shard", "3/2"], b"", "no shard");
    refused(&["prove", "2x2", "--cutoff", "5", "--max-memory", "lots"], b"", "no size");
    refused(&["prove", "2x2", "--cutoff", "5", "--engine", "warp"], b"", "no engine");
}

/// A run of engine version 2, whose records have no signatures, is read and verified; it cannot be continued, since
/// its tasks are others.
#[test]
fn runs_of_an_earlier_engine_are_read_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    let (list, out) = (small_list(dir.path()), dir.path().join("run"));
    let path = out.to_str().unwrap();
    let prove = ["prove", "2x2", "--wordlist", &list, "--cutoff", "5", "--out", path];
    stdout(&prove);
    let edit = |file: &str, edit: &dyn Fn(&mut Value)| {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let mut values: Vec<Value> = values.map(Result::unwrap).collect();
        values.iter_mut().for_each(edit);
        let text: String = values.iter().map(|value| format!("{value}\n")).collect();
        std::fs::write(out.join(file), text).unwrap();
    };
    edit("run.json", &|spec| spec["engine_version"] = 2.into());
    edit("journal.jsonl", &|record| drop(record.as_object_mut().unwrap().remove("signature").unwrap()));
    assert_eq!(json(&["run", "status", path, "--json"])["complete"], true);
    stdout(&["run", "report", path]);
    stdout(&["verify", path, "--wordlist", &list]);
    refused(&[&prove[..], &["--resume"]].concat(), b"", "engine version is 2 there, 3 here");
    let merged = dir.path().join("merged");
    stdout(&["run", "merge", path, "--out", merged.to_str().unwrap()]);
}

/// A bundle is a run directory: it is read, verified and continued as it is, and refused where it was tampered with.
#[test]
fn a_run_is_packed_continued_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    let (run, bundle) = (dir.path().join("run"), dir.path().join("bundle"));
    let (run, bundle) = (run.to_str().unwrap(), bundle.to_str().unwrap());
    let prove = ["prove", "3x3", "--cutoff", "20", "--resume", "--out"];
    let small = small_list(dir.path());
    let list = ["--wordlist", &small];
    stdout(&[&prove[..], &[run], &list].concat());
    // Half of the tasks are packed, the others come later.
    let journal = Path::new(run).join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let all = text.lines().count() as u64;
    let half: String = text.split_inclusive('\n').take(all as usize / 2).collect();
    std::fs::write(&journal, half).unwrap();
    assert_eq!(json(&["run", "pack", run, "--out", bundle, "--json"])["done"], all / 2);
    let done = |dir: &str| -> Value {
        let output = bogglemax(&["run", "status", dir, "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(done(bundle)["summary"]["done"], all / 2);
    stdout(&[&prove[..], &[bundle], &list].concat());
    assert_eq!(done(bundle)["summary"]["done"], all);
    let packed = json(&["run", "pack", bundle, "--json"]);
    assert_eq!((&packed["packed"], &packed["done"]), (&(all - all / 2).into(), &all.into()));
    assert!(!Path::new(bundle).join("journal.jsonl").exists());
    stdout(&["run", "report", bundle]);
    stdout(&[&["verify", bundle], &list[..]].concat());
    // Another part in the place of the second.
    let part = |number: u32| Path::new(bundle).join(format!("journal-000{number}.jsonl.gz"));
    std::fs::copy(part(1), part(2)).unwrap();
    refused(&["run", "status", bundle], b"", "is not as it was packed");
    let output = bogglemax(&[&["verify", bundle], &list[..]].concat()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && text.contains("is not what SHA256SUMS says"), "{text}");
}

#[test]
fn a_second_process_on_a_run_stops_with_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let (list, out) = (small_list(dir.path()), dir.path().join("run"));
    let args = ["prove", "2x2", "--cutoff", "5", "--wordlist", &list, "--out", out.to_str().unwrap()];
    stdout(&args);
    let lock = std::fs::File::open(out.join("lock")).unwrap();
    lock.lock().unwrap();
    refused(&[&args[..], &["--resume"]].concat(), b"", "another process is working on");
}

#[test]
fn a_full_disk_is_said_and_the_run_goes_on_later() {
    let dir = tempfile::tempdir().unwrap();
    let disk = dir.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"]).arg(&disk).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: mounting a small file system needs root");
        return;
    }
    let out = disk.join("run");
    let args =
        ["prove", "2x3", "--cutoff", "60", "--engine", "paper", "--out", out.to_str().unwrap(), "--resume"];
    let output = bogglemax(&args).output().unwrap();
    let (message, recorded) = (String::from_utf8(output.stderr).unwrap(), journal(&out).len());
    let more = Command::new("mount").args(["-o", "remount,size=4m"]).arg(&disk).status().unwrap();
    let result = bogglemax(&[&args[..], &["--json"]].concat()).output().unwrap();
    let tasks = journal(&out).len();
    Command::new("umount").arg(&disk).status().unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("cannot write") && message.contains("--resume"), "{message}");
    assert!(more.success() && result.status.success());
    let report: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(report["tasks"], tasks);
    assert!(0 < recorded && recorded < tasks, "{recorded} of {tasks} were recorded before");
    let notes = String::from_utf8(result.stderr).unwrap();
    assert!(notes.contains(&format!("{recorded} of {tasks} tasks are recorded")), "{notes}");
}

#[test]
fn status_and_report_tell_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let (list, out) = (small_list(dir.path()), dir.path().join("run"));
    let out = out.to_str().unwrap();
    stdout(&["prove", "2x2", "--cutoff", "5", "--wordlist", &list, "--out", out]);
    let text = stdout(&["run", "status", out]);
    assert!(text.contains("2x2, cutoff 5: 1 of 1 task done"), "{text}");
    let page = dir.path().join("page.html");
    stdout(&["run", "report", out, "--html", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("No 2x2 board beats"));
}

#[test]
fn an_estimate_of_all_tasks_is_their_sum() {
    let dir = tempfile::tempdir().unwrap();
    let list = small_list(dir.path());
    let args = ["estimate", "2x3", "--cutoff", "9", "--engine", "paper", "--wordlist", &list, "--json"];
    let report = json(&[&args[..], &["--tasks", "1000"]].concat());
    assert_eq!(report["tasks_run"], report["tasks_total"]);
    let hours = |key: &str| report[key].as_f64().unwrap();
    assert!(hours("cpu_hours") > 0.0);
    assert!((hours("cpu_hours_high") - hours("cpu_hours_low")).abs() <= 1e-9 * hours("cpu_hours"));
    for key in ["dims", "cutoff", "peak_mb"] {
        assert!(!report[key].is_null(), "{key}");
    }
}

#[test]
fn certificates_are_followed_by_the_checker() {
    let dir = tempfile::tempdir().unwrap();
    let list = small_list(dir.path());
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    for part in ["1", "2"] {
        let shard = format!("{part}/2");
        let out = path(part);
        let args = ["prove", "2x3", "--cutoff", "8", "--wordlist", &list, "--certificate", "--out", &out];
        stdout(&[&args[..], &["--shard", &shard]].concat());
    }
    let whole = path("whole");
    stdout(&["run", "merge", &path("1"), &path("2"), "--out", &whole]);
    let verify = || {
        let output = bogglemax(&["verify", &whole, "--wordlist", &list]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let tasks = journal(Path::new(&whole)).len();
    let (code, text) = verify();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(&format!("{tasks} along a certificate")), "{text}");

    // A part of the tree is taken out, then the whole of it.
    let certificates = Path::new(&whole).join("certificates");
    let mut files: Vec<_> = std::fs::read_dir(&certificates).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort_by_key(|f| std::cmp::Reverse(std::fs::metadata(f).unwrap().len()));
    let right = std::fs::read_to_string(&files[0]).unwrap();
    let mut tree: Value = serde_json::from_str(&right).unwrap();
    tree["parts"].as_array_mut().unwrap().pop();
    std::fs::write(&files[0], tree.to_string()).unwrap();
    let (code, text) = verify();
    assert!(code == Some(1) && text.contains("in no part of cell"), "{text}");
    std::fs::remove_file(&files[0]).unwrap();
    let (code, text) = verify();
    assert!(code == Some(1) && text.contains("has no certificate"), "{text}");

    let paper = ["prove", "2x2", "--cutoff", "5", "--engine", "paper", "--certificate", "--out", &path("x")];
    refused(&paper, b"", "only the fast engine writes certificates");
}
