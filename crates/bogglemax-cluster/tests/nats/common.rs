//! A server of our own, workers of our own, and a small run.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bogglemax::Lexicon;
use bogglemax::run::{EngineName, Job, Record, WorkOptions as LocalOptions, work};
use bogglemax_cluster::{
    Cluster, EngineRunner, Role, RunStatus, Runner, ServerOptions, SubmitOptions, Submitted, WorkOptions,
    WorkReport,
};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(300);

/// A `nats-server` on loopback with its store in a temporary directory; killed when dropped.
pub struct Nats {
    child: Child,
    port: u16,
    /// In place of the default flags.
    configuration: Option<PathBuf>,
    pub dir: tempfile::TempDir,
}

impl Nats {
    /// Starts a server; `None` where there is none to start.
    pub fn start() -> Option<Nats> {
        Nats::configured(|_| None)
    }

    /// Starts a server with the configuration file that `write` makes, if it makes one. It gets the
    /// directory, and must not set port and store.
    pub fn configured(write: impl FnOnce(&Path) -> Option<PathBuf>) -> Option<Nats> {
        if Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_err() {
            let required = std::env::var_os("BOGGLEMAX_REQUIRE_ALL").is_some_and(|v| v == "1");
            assert!(!required, "nats-server is not installed: apt-get install nats-server");
            eprintln!("skipped: nats-server is not installed");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let port = free_port();
        let configuration = write(dir.path());
        let child = spawn(dir.path(), port, configuration.as_deref());
        let nats = Nats { child, port, configuration, dir };
        nats.wait_until_up();
        Some(nats)
    }

    /// Kills the server without warning and starts it again, after a while.
    pub fn restart(&mut self, pause: Duration) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::thread::sleep(pause);
        self.child = spawn(self.dir.path(), self.port, self.configuration.as_deref());
        self.wait_until_up();
    }

    fn wait_until_up(&self) {
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// With a scheme, and a user and password if there are any: `nats://`, `nats://a:b@`.
    pub fn url_with(&self, start: &str) -> String {
        format!("{start}127.0.0.1:{}", self.port)
    }

    pub fn connect(&self) -> Cluster {
        self.connect_as(Role::Owner)
    }

    pub fn connect_as(&self, role: Role) -> Cluster {
        Cluster::connect(&ServerOptions { url: self.url(), ..ServerOptions::default() }, role).unwrap()
    }

    /// A file in the test's directory.
    pub fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs the program to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Starts a worker process.
    pub fn worker(&self, name: &str, more: &[&str]) -> Process {
        let mut command = self.command(&["work", "--until-done", "--threads", "1", "--name", name]);
        Process(command.args(more).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bogglemax-cluster"));
        command.args(args).env("NATS_URL", self.url());
        command
    }
}

/// A port that no other test has. The system gives those from 32768 on to outgoing connections, and one of
/// them could take the port of a server while it is down: a client that tries to reach it would end up
/// connected to itself.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let turn = std::process::id().wrapping_mul(64).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = (15_000 + turn % 15_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

fn spawn(dir: &Path, port: u16, configuration: Option<&Path>) -> Child {
    let mut command = Command::new("nats-server");
    command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--store_dir"]).arg(dir.join("store"));
    match configuration {
        Some(file) => command.arg("--config").arg(file),
        None => command.arg("--jetstream"),
    };
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A worker process; killed when dropped.
pub struct Process(Child);

impl Process {
    /// SIGKILL.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        self.0.wait().unwrap();
    }

    /// Sends a signal such as STOP.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.0.id().to_string()]).status();
        assert!(sent.unwrap().success(), "cannot send {name}");
    }

    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(start.elapsed() < PATIENCE, "the worker does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A run: a shape, a word list, a cutoff. The paper's engine has more tasks where boards are small.
pub struct Game {
    pub lexicon: Lexicon,
    pub job: Job,
    /// The word list as a file.
    text: String,
    dims: &'static str,
    cutoff: u64,
}

impl Game {
    /// 24 tasks that take no time.
    pub fn quick() -> Game {
        Game::new("2x3", 60, 4)
    }

    /// 76 tasks of some hundredths of a second each.
    pub fn slower() -> Game {
        Game::new("2x4", 165, 5)
    }

    fn new(dims: &'static str, cutoff: u64, longest: usize) -> Game {
        let all = Lexicon::enable2k();
        let mut text = String::new();
        all.for_each_word(|tiles| {
            let word = all.alphabet().text(tiles);
            if word.len() <= longest {
                text += &word;
                text.push('\n');
            }
        });
        let lexicon = Lexicon::from_text("short", text.as_bytes()).unwrap();
        let scoring = "boggle".parse().unwrap();
        let job = Job::new(EngineName::Paper, &lexicon, &scoring, dims.parse().unwrap(), cutoff).unwrap();
        Game { lexicon, job, text, dims, cutoff }
    }

    /// Writes the word list into the server's directory, for processes.
    pub fn wordlist(&self, nats: &Nats) -> String {
        let path = nats.path("short.txt");
        std::fs::write(&path, &self.text).unwrap();
        path
    }

    /// Submits with heartbeats expected every second: what is lost is missed soon.
    pub fn submit(&self, cluster: &Cluster) -> Submitted {
        self.submit_with(cluster, SubmitOptions::default())
    }

    pub fn submit_with(&self, cluster: &Cluster, options: SubmitOptions) -> Submitted {
        cluster.submit(&self.job, &SubmitOptions { ack_wait: Duration::from_secs(1), ..options }).unwrap()
    }

    /// The same run by the library alone, without a server.
    pub fn locally(&self) -> Vec<Record> {
        struct Silent;
        impl bogglemax::run::Observer for Silent {
            fn finished(&self, _: &Record, _: &bogglemax::run::Progress) {}
        }
        let dir = tempfile::tempdir().unwrap();
        let spec = self.job.spec(None);
        let mut run =
            bogglemax::run::RunDir::open(dir.path(), &spec, bogglemax::run::Existing::Refuse).unwrap();
        work(&self.job, &mut run, &LocalOptions { threads: 2, max_memory: 1 << 30 }, &Silent).unwrap();
        run.done().values().cloned().collect()
    }

    /// Collects, and asserts that the run is complete, each task recorded once, and the same as without
    /// a server.
    pub fn collect_and_compare(&self, cluster: &Cluster, nats: &Nats) {
        let out = nats.dir.path().join("collected");
        let run = cluster.run(None).unwrap();
        let collected = cluster.collect(&run, &self.lexicon, &out).unwrap();
        assert!(collected.is_complete(), "{collected:?}");
        let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
        assert_eq!(journal.lines().count() as u64, self.job.tasks(), "every task once");
        let (_, records) = bogglemax::run::read_run(&out).unwrap();
        let expected = self.locally();
        assert!(
            expected.iter().any(|record| !record.boards.is_empty()),
            "{} {}: no boards",
            self.dims,
            self.cutoff
        );
        let (there, here) = (records.into_values().map(essence), expected.into_iter().map(essence));
        assert!(there.eq(here), "other records than without a server");
    }
}

/// What does not depend on where a task was run.
fn essence(record: Record) -> Record {
    Record { cpu_seconds: 0.0, peak_bytes: 0, ..record }
}

/// A worker in this process.
pub fn work_here(nats: &Nats, game: &Game, name: &str) -> WorkReport {
    work_with(nats, game, &WorkOptions::new(name), Arc::new(EngineRunner))
}

/// With a runner of the test's.
pub fn work_with(nats: &Nats, game: &Game, options: &WorkOptions, runner: Arc<dyn Runner>) -> WorkReport {
    let name = options.name.clone();
    let tell = move |line: &str| eprintln!("{name}: {line}");
    nats.connect_as(Role::Worker).work(&game.lexicon, options, runner, tell).unwrap()
}

/// Waits until the run's status is as wanted.
pub fn wait_for(cluster: &Cluster, what: &str, wanted: impl Fn(&RunStatus) -> bool) -> RunStatus {
    let start = Instant::now();
    loop {
        let status = cluster.run(None).and_then(|run| cluster.status(&run));
        match status {
            Ok(status) if wanted(&status) => return status,
            status => assert!(start.elapsed() < PATIENCE, "waited in vain until {what}: {status:?}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
