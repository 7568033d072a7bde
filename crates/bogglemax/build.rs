//! Makes the graph of the built-in word list, so that the program starts without inserting
//! 173,000 words; and tells the commit that the library is built from.

#[path = "src/alphabet.rs"]
#[allow(dead_code)]
mod alphabet;
#[path = "src/dawg.rs"]
#[allow(dead_code)]
mod dawg;

use std::process::Command;
use std::{env, fs, path::Path};

fn main() {
    let list = "../../data/enable2k.txt";
    for input in [list, "build.rs", "src/alphabet.rs", "src/dawg.rs"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let text = fs::read_to_string(list).expect("data/enable2k.txt is part of the project");
    let english = alphabet::Alphabet::english();
    let mut words: Vec<Vec<u8>> = text.lines().flat_map(|w| english.boggle_words(&english.fold(w))).collect();
    words.sort_unstable();
    words.dedup();
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("enable2k.dawg");
    fs::write(out, dawg::Dawg::from_sorted(&words).to_bytes()).expect("OUT_DIR is writable");
    println!("cargo::rustc-env=BOGGLEMAX_BUILT_FROM={}", commit().unwrap_or("unknown".into()));
}

/// The last commit that changed the library, with a `+` if files were changed since; of a package, the commit it
/// was made of.
fn commit() -> Option<String> {
    let package = ".cargo_vcs_info.json";
    if let Ok(info) = fs::read_to_string(package) {
        println!("cargo::rerun-if-changed={package}");
        return Some(info.split('"').find(|part| part.len() == 40)?.to_owned());
    }
    // A copy of the library in another repository has no commit of its own.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    for file in ["HEAD", "logs/HEAD"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", file])?);
    }
    let sources = ["src", "Cargo.toml", "build.rs", "../../data/enable2k.txt"];
    sources.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
    let commit = git(&[&["log", "-1", "--format=%H", "--"], &sources[..]].concat())?;
    let changed = git(&[&["status", "--porcelain", "--"], &sources[..]].concat())?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

/// What git prints; none if there is no git or it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
