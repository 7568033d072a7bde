//! The page in a real browser: Chromium, driven by the scripts in `crates/bogglemax-web/e2e`.
//!
//! They need `chromium`, `node` and, once, `npm ci` in that directory. Pictures of the pages go to
//! the directory that `BOGGLEMAX_SCREENSHOTS` names; those of the README are in `docs/screenshots`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{Server, alone};

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bogglemax-web/e2e")
}

/// Where Chromium is, if all that the tests need is there; what is missing otherwise.
fn chromium() -> Result<PathBuf, &'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = |name: &str| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|f| f.is_file());
    program("node").ok_or("no node")?;
    if !scripts().join("node_modules/playwright-core").exists() {
        return Err("no playwright-core: run npm ci in crates/bogglemax-web/e2e");
    }
    program("chromium").or_else(|| program("chromium-browser")).ok_or("no chromium")
}

/// Runs a script against a server, or says why it cannot.
fn browse(script: &str, server: &[&str], variables: &[(&str, &str)]) {
    let chromium = match chromium() {
        Ok(chromium) => chromium,
        Err(missing) => {
            let required = std::env::var_os("BOGGLEMAX_REQUIRE_ALL").is_some_and(|v| v == "1");
            assert!(!required, "{missing}");
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let _alone = alone();
    // On a machine with other work a page may be slower than a script expects: such a failure is told, and
    // tried once more.
    if let Err(first) = attempt(script, server, &chromium, variables) {
        eprintln!("once more, since the first time {first}");
        for (_, run) in variables.iter().filter(|(name, _)| *name == "BOGGLEMAX_RUN") {
            // What the first attempt proved would not be proved again.
            let _ = std::fs::remove_dir_all(run);
        }
        attempt(script, server, &chromium, variables).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

fn attempt(
    script: &str,
    server: &[&str],
    chromium: &std::path::Path,
    variables: &[(&str, &str)],
) -> Result<(), String> {
    let server = Server::start(server);
    let output = Command::new("node")
        .arg(scripts().join(script))
        .env("BOGGLEMAX_URL", format!("http://{}", server.host))
        .env("BOGGLEMAX", assert_cmd::cargo::cargo_bin("bogglemax"))
        .env("CHROMIUM", chromium)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    server.is_well();
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

#[test]
fn a_board_is_typed_explored_and_improved() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("mine.txt");
    std::fs::write(&list, "perl\nsine\n").unwrap();
    browse("play.mjs", &["--wordlist", list.to_str().unwrap()], &[]);
}

#[test]
fn boards_are_browsed_and_trees_unfolded() {
    browse("pages.mjs", &[], &[]);
}

#[test]
fn phones_keyboards_and_screen_readers_get_all_of_it() {
    browse("access.mjs", &[], &[]);
}

#[test]
fn a_proof_is_watched_live_and_its_report_opens() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    let run = run.to_str().unwrap();
    browse("runs.mjs", &["--run", run], &[("BOGGLEMAX_RUN", run)]);
}
