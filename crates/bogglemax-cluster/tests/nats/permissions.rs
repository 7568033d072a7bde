//! The server configuration in `deploy/`: workers can work with it, and do nothing else; encryption.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use async_nats::jetstream;

use crate::common::{Game, Nats};

const CONFIGURATION: &str = include_str!("../../../../deploy/nats.conf");

/// `deploy/nats.conf` and more, as a file.
fn write(dir: &Path, more: &str) -> std::path::PathBuf {
    let passwords = CONFIGURATION.replace("$OWNER_PASSWORD", "open").replace("$WORKER_PASSWORD", "work");
    let path = dir.join("nats.conf");
    std::fs::write(&path, passwords + more).unwrap();
    path
}

#[test]
fn workers_need_no_more_than_they_are_allowed() {
    let Some(nats) = Nats::configured(|dir| Some(write(dir, ""))) else { return };
    let (owner, worker) = (nats.url_with("nats://owner:open@"), nats.url_with("nats://worker:work@"));
    let game = Game::quick();
    let list = game.wordlist(&nats);
    let succeeds = |args: &[&str]| {
        let output = nats.run(&[args, &["--wordlist", &list]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{args:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    let submit =
        ["submit", "2x3", "--cutoff", "60", "--engine", "paper", "--check-share", "0.5", "--nats", &owner];
    succeeds(&submit);
    let mut workers = ["a", "b"].map(|name| nats.worker(name, &["--nats", &worker, "--wordlist", &list]));
    assert!(workers.iter_mut().all(|worker| worker.wait() == Some(0)));
    let text = succeeds(&["collect", "--out", &nats.path("run"), "--nats", &owner]);
    assert!(text.contains("proved"), "{text}");

    for (url, message) in
        [(nats.url(), "authorization"), (nats.url_with("nats://worker:wrong@"), "authorization")]
    {
        let output = nats.run(&["work", "--nats", &url]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message) && !said.contains("wrong"), "{said}");
    }
    let output = nats.run(&[&submit[..9], &[worker.as_str()], &["--wordlist", &list]].concat());
    assert_eq!(output.status.code(), Some(2), "a worker cannot submit");
}

#[test]
fn workers_cannot_do_harm() {
    let Some(nats) = Nats::configured(|dir| Some(write(dir, ""))) else { return };
    let owner = nats.url_with("nats://owner:open@");
    let submit = nats.run(&["submit", "2x2", "--cutoff", "20", "--nats", &owner]);
    assert!(submit.status.success());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = nats.url();
        let connect = async |user: &str, password: &str, prefix| {
            let options = async_nats::ConnectOptions::new().custom_inbox_prefix(prefix);
            let options = options.user_and_password(user.into(), password.into());
            let mut js = jetstream::new(options.connect(&url).await.unwrap());
            js.set_timeout(Duration::from_millis(500));
            js
        };
        let owner = connect("owner", "open", "_INBOX").await;
        let worker = connect("worker", "work", "_INBOX_worker").await;
        let stream = owner.get_stream("bogglemax-runs").await.unwrap();
        let subject = stream.get_raw_message(1).await.unwrap().subject;
        let run = subject.rsplit('.').next().unwrap().to_owned();
        let queue = format!("bogglemax-{run}-queue");
        let before = owner.get_stream(&queue).await.unwrap().cached_info().state.clone();
        let more_work =
            worker.publish(format!("bogglemax.{run}.queue.task.0"), "0".into()).await.unwrap().await;
        assert!(more_work.is_err(), "queued a task");
        assert!(worker.delete_stream(&queue).await.is_err(), "deleted a stream");
        assert!(worker.get_stream_no_info(&queue).await.unwrap().purge().await.is_err(), "purged a stream");
        let other_run = worker.publish(format!("bogglemax.run.{run}"), "{}".into()).await.unwrap().await;
        assert!(other_run.is_err(), "changed a run");
        let after = owner.get_stream(&queue).await.unwrap().cached_info().state.clone();
        assert_eq!(before, after);
    });
}

#[test]
fn connections_can_be_encrypted() {
    let openssl = |dir: &Path, args: &str| {
        let run =
            Command::new("openssl").args(args.split(' ')).current_dir(dir).stderr(Stdio::null()).status();
        run.is_ok_and(|status| status.success())
    };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let made = [
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem",
        "req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr",
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
    ];
    if !made.iter().all(|args| openssl(dir.path(), args)) {
        let required = std::env::var_os("BOGGLEMAX_REQUIRE_ALL").is_some_and(|v| v == "1");
        assert!(!required, "openssl is not installed: apt-get install openssl");
        eprintln!("skipped: openssl is not installed");
        return;
    }
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let tls =
        format!("\ntls {{ cert_file: \"{}\", key_file: \"{}\" }}\n", path("server.pem"), path("server.key"));
    let Some(nats) = Nats::configured(|dir| Some(write(dir, &tls))) else { return };
    let url = nats.url_with("tls://owner:open@");
    let trusted = nats.run(&["status", "--nats", &url, "--tls-ca", &path("ca.pem")]);
    assert!(trusted.status.success(), "{}", String::from_utf8_lossy(&trusted.stderr));
    let strange = nats.run(&["status", "--nats", &url]);
    assert_eq!(strange.status.code(), Some(2), "an unknown authority must not be trusted");
}
