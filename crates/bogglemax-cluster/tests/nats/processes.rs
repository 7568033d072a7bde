//! Worker processes that are killed, stopped and told to go; servers that are killed.

use std::time::Duration;

use bogglemax::run::{Summary, read_run};
use bogglemax_cluster::SubmitOptions;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::{Game, Nats, Process, wait_for};

#[test]
fn three_workers_prove_3x3_as_prove_does() {
    let Some(nats) = Nats::start() else { return };
    let submitted = nats.run(&["submit", "3x3", "--cutoff", "500"]);
    assert!(submitted.status.success(), "{}", String::from_utf8_lossy(&submitted.stderr));
    let mut workers = ["a", "b", "c"].map(|name| nats.worker(name, &[]));
    assert!(workers.iter_mut().all(|worker| worker.wait() == Some(0)));
    let out = nats.path("run");
    let collected = nats.run(&["collect", "--out", &out]);
    let text = String::from_utf8(collected.stdout).unwrap();
    assert_eq!(collected.status.code(), Some(0), "{text}");
    assert!(text.contains("No 3x3 board beats 545 points: proved"), "{text}");
    let (spec, records) = read_run(out.as_ref()).unwrap();
    let found = Summary::new(&spec, &records).unwrap().boards;
    let mut found: Vec<String> = found.iter().map(|b| format!("{}: {}", b.board, b.score)).collect();
    // What `prove` is tested to find.
    let known = include_str!("../../../bogglemax/tests/data/boards.3x3.enable2k.500.txt");
    let mut expected: Vec<&str> = known.lines().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// Keeps three workers going until the run is complete, doing something to a random one now and then.
fn with_three_workers(nats: &Nats, list: &str, mut disturb: impl FnMut(&mut [Process], &mut ChaCha8Rng)) {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let start = |i: u32| nats.worker(&format!("w{i}"), &["--wordlist", list]);
    let mut workers: Vec<Process> = (0..3).map(start).collect();
    let mut started = 3;
    for _ in 0..12 {
        std::thread::sleep(Duration::from_millis(rng.random_range(10..400)));
        disturb(&mut workers, &mut rng);
        for dead in workers.iter_mut().filter_map(|worker| (!worker.is_running()).then_some(worker)) {
            *dead = start(started);
            started += 1;
        }
    }
    for worker in &mut workers {
        assert_eq!(worker.wait(), Some(0));
    }
}

#[test]
fn workers_killed_at_random_moments_lose_nothing() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::slower(), nats.connect());
    game.submit(&cluster);
    let mut killed = 0;
    with_three_workers(&nats, &game.wordlist(&nats), |workers, rng| {
        let victim = rng.random_range(0..workers.len());
        killed += u32::from(workers[victim].is_running());
        workers[victim].kill();
    });
    assert!(killed > 5, "only {killed} were alive to be killed");
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn a_server_killed_in_mid_run_goes_on_where_it_was() {
    let Some(mut nats) = Nats::start() else { return };
    let (game, cluster) = (Game::slower(), nats.connect());
    let list = game.wordlist(&nats);
    game.submit(&cluster);
    let mut workers = ["a", "b"].map(|name| nats.worker(name, &["--wordlist", &list]));
    for (done, pause) in [(5, 0), (30, 1500)] {
        let status = wait_for(&cluster, "some tasks are done", |s| s.done >= done);
        assert!(status.done < status.tasks, "in mid-run");
        nats.restart(Duration::from_millis(pause));
    }
    assert!(workers.iter_mut().all(|worker| worker.wait() == Some(0)));
    game.collect_and_compare(&cluster, &nats);
    assert_eq!(game.submit(&cluster).added, 0, "the server forgot nothing");
}

#[test]
fn a_worker_that_hangs_loses_its_task_and_its_late_result_counts_once() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::slower(), nats.connect());
    let list = game.wordlist(&nats);
    game.submit(&cluster);
    let mut hanging = nats.worker("hanging", &["--wordlist", &list]);
    wait_for(&cluster, "it works", |s| s.done >= 2);
    // Between two tasks it has none: then try again.
    loop {
        hanging.signal("STOP");
        if wait_for(&cluster, "it stands still", |_| true).running > 0 {
            break;
        }
        hanging.signal("CONT");
    }
    let before = wait_for(&cluster, "it stands still", |_| true);
    assert!(before.done < before.tasks);
    assert_eq!(nats.worker("healthy", &["--wordlist", &list]).wait(), Some(0));
    let after = wait_for(&cluster, "the other did it all", |_| true);
    assert_eq!((after.done, after.running), (after.tasks, 0));
    hanging.signal("CONT"); // it sends the result of a task that another has done meanwhile
    assert_eq!(hanging.wait(), Some(0));
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn a_worker_told_to_go_leaves_in_order() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::slower(), nats.connect());
    let list = game.wordlist(&nats);
    cluster.submit(&game.job, &SubmitOptions::default()).unwrap(); // heartbeats are missed after 30 s
    let mut worker = nats.worker("leaving", &["--wordlist", &list]);
    wait_for(&cluster, "it works", |s| s.done >= 2);
    worker.signal("TERM");
    assert_eq!(worker.wait(), Some(0));
    let status = wait_for(&cluster, "it is gone", |_| true);
    assert!(status.done < status.tasks);
    assert_eq!(status.running, 0, "nothing is left behind");
}

#[test]
fn a_worker_with_another_word_list_is_refused() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    game.submit(&cluster);
    let other = nats.path("other.txt");
    std::fs::write(&other, std::fs::read_to_string(game.wordlist(&nats)).unwrap() + "zzzz\n").unwrap();
    for args in [&["work", "--wordlist", &other][..], &["work"], &["collect", "--out", &nats.path("no")]] {
        let refused = nats.run(args);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("is refused: its word list is"), "{said}");
    }
    assert!(!nats.dir.path().join("no").exists());
    let status = wait_for(&cluster, "the server answers", |_| true);
    assert_eq!((status.waiting, status.running, status.done), (status.tasks, 0, 0));
}

#[test]
fn bad_input_gets_one_line() {
    let Some(nats) = Nats::start() else { return };
    let refused = |args: &[&str], message: &str| {
        let output = nats.run(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
        assert!(said.starts_with("bogglemax: ") && said.contains(message), "{args:?}: {said}");
    };
    refused(&["collect", "--out", &nats.path("x")], "no such run");
    refused(&["status", "--run", "ff"], "no such run");
    refused(&["remove", "ff"], "no such run");
    refused(&["submit", "5x5", "--cutoff", "9000"], "too many to queue");
    refused(&["submit", "3x3", "--cutoff", "5", "--check-share", "2"], "no share");
    refused(&["submit", "3x3", "--cutoff", "5", "--wordlist", "/no/such/list"], "/no/such/list");
    refused(&["status", "--nats", "nats://127.0.0.1:1"], "cannot connect to NATS at 'nats://127.0.0.1:1'");
    refused(&["status", "--creds", "/no/such/creds"], "/no/such/creds");
    refused(&["status", "--tls-ca", "/no/such/ca"], "/no/such/ca");
}
