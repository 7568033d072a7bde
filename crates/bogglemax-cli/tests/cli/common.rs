//! A tiny harness over the real binary.
#![allow(dead_code)] // each test file uses its part

use assert_cmd::Command;

/// `bogglemax` with these arguments.
pub fn bogglemax(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("bogglemax").unwrap();
    command.args(args).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// What it prints when all is well.
pub fn stdout(args: &[&str]) -> String {
    stdout_with(args, "")
}

/// What it prints when all is well, given this on standard input.
pub fn stdout_with(args: &[&str], input: &str) -> String {
    let output = bogglemax(args).write_stdin(input).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What it prints as JSON.
pub fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// Asserts that an input is refused as it should be: exit code 2, nothing on stdout, and one line
/// on stderr that contains `message`.
pub fn refused(args: &[&str], input: &[u8], message: &str) {
    let output = bogglemax(args).write_stdin(input).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}: something was written");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: one line, not {stderr:?}");
    assert!(stderr.starts_with("bogglemax: ") && stderr.contains(message), "{args:?}: {stderr:?}");
}
