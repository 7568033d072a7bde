//! Tasks that fail, results that are wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bogglemax::run::{Record, Worker};
use bogglemax_cluster::{Ended, EngineRunner, Runner, SubmitOptions, WorkOptions};

use crate::common::{Game, Nats, wait_for, work_here, work_with};

/// Runs tasks, and then does something to their records.
struct Tampering<F>(F);

impl<F: Fn(Record) -> Result<Record, String> + Send + Sync> Runner for Tampering<F> {
    fn run(&self, engine: &mut Worker<'_>, task: u64) -> Result<Record, String> {
        EngineRunner.run(engine, task).and_then(&self.0)
    }
}

#[test]
fn a_poison_task_is_parked_and_the_run_proves_nothing() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    game.submit(&cluster);
    let tries = AtomicU32::new(0);
    let poisoned = Arc::new(Tampering(move |record: Record| match record.task {
        5 => Err(format!("no room (try {})", tries.fetch_add(1, Ordering::Relaxed))),
        7 => panic!("a bug"),
        _ => Ok(record),
    }));
    std::thread::scope(|scope| {
        for name in ["a", "b", "c", "d"] {
            let (runner, options) = (poisoned.clone(), WorkOptions::new(name));
            let (nats, game) = (&nats, &game);
            scope.spawn(move || work_with(nats, game, &options, runner));
        }
    });
    let run = cluster.run(None).unwrap();
    let status = cluster.status(&run).unwrap();
    assert_eq!((status.done, status.running, status.waiting), (status.tasks - 2, 0, 0));
    let parked = status.parked.join("\n");
    assert!(parked.contains("task 5: no room") && parked.contains("task 7: panic: a bug"), "{parked}");

    let list = game.wordlist(&nats);
    let output = nats.run(&["collect", "--out", &nats.path("partly"), "--wordlist", &list]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("parked: task 7: panic: a bug") && text.contains("proves nothing yet"), "{text}");
    assert!(!text.contains("proved"), "{text}");

    assert_eq!(game.submit(&cluster).added, 0, "parked tasks stay parked");
    let again = game.submit_with(&cluster, SubmitOptions { retry_parked: true, ..SubmitOptions::default() });
    assert_eq!(again.added, 2);
    assert_eq!(work_here(&nats, &game, "healthy").tasks, 2);
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn a_task_that_fails_on_the_only_worker_is_parked_too() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    game.submit(&cluster);
    let failing = Tampering(|record: Record| if record.task == 0 { Err("no".into()) } else { Ok(record) });
    let report = work_with(&nats, &game, &WorkOptions::new("alone"), Arc::new(failing));
    assert_eq!((report.tasks, report.failures), (game.job.tasks() - 1, 6));
    assert_eq!(wait_for(&cluster, "the server answers", |_| true).parked, ["task 0: no"]);
}

#[test]
fn wrong_results_are_rejected_and_can_be_made_good() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    game.submit(&cluster);
    let expected = game.locally();
    let with_boards: Vec<u64> = expected.iter().filter(|r| !r.boards.is_empty()).map(|r| r.task).collect();
    let liar = with_boards[0];
    let tampering = Tampering(move |mut record: Record| {
        match record.task {
            task if task == liar => record.boards[0].score += 1,
            1 => record.class = record.class.replacen(' ', "", 1),
            2 => record.task = 3,
            4 => record.largest_pruned = 1 << 20,
            _ => {}
        }
        Ok(record)
    });
    work_with(&nats, &game, &WorkOptions::new("liar"), Arc::new(tampering));
    let run = cluster.run(None).unwrap();
    let collected = cluster.collect(&run, &game.lexicon, &nats.dir.path().join("collected")).unwrap();
    assert!(!collected.is_complete());
    let mut wrong: Vec<u64> = collected.rejected.iter().map(|r| r.task).collect();
    wrong.sort_unstable();
    let mut planted = vec![liar, 1, 2, 4];
    planted.sort_unstable();
    planted.dedup();
    assert_eq!(wrong, planted, "{:?}", collected.rejected);
    assert!(collected.rejected.iter().all(|r| r.worker == "liar"));
    let again = game.submit_with(&cluster, SubmitOptions { retry_parked: true, ..SubmitOptions::default() });
    assert_eq!(again.added, planted.len() as u64);
    work_here(&nats, &game, "honest");
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn a_worker_that_hides_a_board_is_found_out_by_another() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    let submitted =
        game.submit_with(&cluster, SubmitOptions { check_share: 1.0, ..SubmitOptions::default() });
    assert_eq!((submitted.run.checks, submitted.added), (game.job.tasks(), 2 * game.job.tasks()));
    let hiding = Tampering(|mut record: Record| {
        record.boards.pop();
        Ok(record)
    });
    std::thread::scope(|scope| {
        scope.spawn(|| work_with(&nats, &game, &WorkOptions::new("hiding"), Arc::new(hiding)));
        scope.spawn(|| work_here(&nats, &game, "honest"));
    });
    wait_for(&cluster, "all is run twice", |s| s.checks_done == s.checks && s.done == s.tasks);
    // Those who left have told of their last tasks, too.
    wait_for(&cluster, "both have told that they ran every task", |s| {
        s.workers.len() == 2 && s.workers.iter().all(|worker| worker.tasks == game.job.tasks())
    });
    let out = nats.dir.path().join("collected");
    let collected = cluster.collect(&submitted.run, &game.lexicon, &out).unwrap();
    let with_boards = game.locally().iter().filter(|r| !r.boards.is_empty()).count();
    assert!(with_boards > 0);
    assert_eq!(collected.rejected.len(), with_boards, "each was run by both");
    assert_eq!(collected.checked, game.job.tasks() - with_boards as u64);
    assert!(!collected.is_complete());

    let again = game.submit_with(&cluster, SubmitOptions { retry_parked: true, ..SubmitOptions::default() });
    assert_eq!(again.added, 2 * with_boards as u64);
    std::thread::scope(|scope| {
        scope.spawn(|| work_here(&nats, &game, "honest"));
        scope.spawn(|| work_here(&nats, &game, "upright"));
    });
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn what_cannot_be_finished_in_time_is_handed_back() {
    struct Dawdling;
    impl Runner for Dawdling {
        fn run(&self, engine: &mut Worker<'_>, task: u64) -> Result<Record, String> {
            std::thread::sleep(Duration::from_secs(20));
            EngineRunner.run(engine, task)
        }
    }
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    // Only handing back can free the task within the time of this test.
    let patient = SubmitOptions { ack_wait: Duration::from_secs(3600), ..SubmitOptions::default() };
    cluster.submit(&game.job, &patient).unwrap();
    let options = WorkOptions { grace: Duration::from_millis(50), ..WorkOptions::new("slow") };
    let worker = nats.connect_as(bogglemax_cluster::Role::Worker);
    let report = std::thread::scope(|scope| {
        let slow = scope.spawn(|| worker.work(&game.lexicon, &options, Arc::new(Dawdling), |_| {}).unwrap());
        wait_for(&cluster, "it has a task", |s| s.running == 1);
        options.stop.store(true, Ordering::Relaxed);
        slow.join().unwrap()
    });
    assert_eq!(report.ended, Ended::HandedBack(1));
    assert_eq!(work_here(&nats, &game, "quick").tasks, game.job.tasks());
    game.collect_and_compare(&cluster, &nats);
}
