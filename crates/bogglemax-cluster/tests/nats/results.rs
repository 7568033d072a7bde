//! Nothing lost, nothing twice; what is collected is a normal run.

use async_nats::jetstream;
use bogglemax_cluster::RunId;

use crate::common::{Game, Nats, wait_for, work_here};

/// Does something to the server directly.
fn directly<F: Future<Output = ()>>(
    nats: &Nats,
    run: &RunId,
    act: impl FnOnce(jetstream::Context, String) -> F,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(nats.url()).await.unwrap();
        act(jetstream::new(client), run.to_string()).await;
    });
}

#[test]
fn submitting_again_adds_only_what_was_lost() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    let first = game.submit(&cluster);
    assert_eq!((first.new, first.added), (true, game.job.tasks()));
    let again = game.submit(&cluster);
    assert_eq!((again.new, again.added), (false, 0));
    directly(&nats, &first.run.id, |js, run| async move {
        let queue = js.get_stream(format!("bogglemax-{run}-queue")).await.unwrap();
        for task in [3, 11] {
            let subject = format!("bogglemax.{run}.queue.task.{task}");
            let message = queue.get_last_raw_message_by_subject(&subject).await.unwrap();
            queue.delete_message(message.sequence).await.unwrap();
        }
    });
    // The server remembers ids for two minutes, unless it is started anew.
    let mut nats = nats;
    nats.restart(std::time::Duration::ZERO);
    wait_for(&cluster, "the server is back", |_| true);
    assert_eq!(game.submit(&cluster).added, 2);
    work_here(&nats, &game, "a");
    assert_eq!(game.submit(&cluster).added, 0, "what is done is not queued again");
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn submitting_again_mends_a_queue_that_gives_nothing_out() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    let run = game.submit(&cluster).run;
    // Some versions of the server move a consumer past all messages when one subject is purged.
    directly(&nats, &run.id, |js, run| async move {
        let queue = js.get_stream(format!("bogglemax-{run}-queue")).await.unwrap();
        queue.delete_consumer("task").await.unwrap();
        let past = async_nats::jetstream::consumer::pull::Config {
            durable_name: Some("task".into()),
            filter_subject: format!("bogglemax.{run}.queue.task.none"),
            ..Default::default()
        };
        queue.create_consumer(past).await.unwrap();
    });
    assert_eq!(work_here(&nats, &game, "a").tasks, 0);
    game.submit(&cluster);
    work_here(&nats, &game, "a");
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn tasks_delivered_twice_count_once() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    let run = game.submit(&cluster).run;
    let tasks = game.job.tasks();
    directly(&nats, &run.id, |js, run| async move {
        for task in 0..tasks {
            let subject = format!("bogglemax.{run}.queue.task.{task}");
            js.publish(subject, "0".into()).await.unwrap().await.unwrap();
        }
    });
    let reports = std::thread::scope(|scope| {
        let workers = ["a", "b"].map(|name| scope.spawn(|| work_here(&nats, &game, name)));
        workers.map(|worker| worker.join().unwrap().tasks)
    });
    assert_eq!(reports.iter().sum::<u64>(), 2 * tasks, "every task was run twice");
    directly(&nats, &run.id, |js, run| async move {
        let results = js.get_stream(format!("bogglemax-{run}-results")).await.unwrap();
        assert_eq!(results.cached_info().state.messages, tasks, "but stored once");
        // Not even without the worker's precautions:
        let again = js.publish(format!("bogglemax.{run}.result.task.0"), "other".into()).await.unwrap().await;
        assert!(again.is_err(), "a result cannot be replaced");
    });
    game.collect_and_compare(&cluster, &nats);
}

#[test]
fn the_checker_accepts_what_is_collected() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    game.submit(&cluster);
    work_here(&nats, &game, "a");
    game.collect_and_compare(&cluster, &nats);
    let wordlist = bogglemax_check::WordList::from_file(game.wordlist(&nats)).unwrap();
    let budget = bogglemax_check::DEFAULT_BUDGET;
    let options = bogglemax_check::Options { wordlist, sample: None, seed: 1, threads: 2, budget };
    let report = bogglemax_check::verify(&nats.dir.path().join("collected"), &options).unwrap();
    assert!(report.ok, "{report:?}");
}

#[test]
fn a_run_can_be_removed_and_submitted_anew() {
    let Some(nats) = Nats::start() else { return };
    let (game, cluster) = (Game::quick(), nats.connect());
    let run = game.submit(&cluster).run;
    work_here(&nats, &game, "a");
    cluster.remove(&run.id).unwrap();
    assert_eq!(cluster.runs().unwrap(), []);
    let again = game.submit(&cluster);
    assert_eq!((again.new, again.added), (true, game.job.tasks()));
}
