//! Puts the files of `results/` into the binary, whatever files there are.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let results = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../results");
    println!("cargo:rerun-if-changed={}", results.display());
    let mut names: Vec<String> = fs::read_dir(&results)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".txt"))
        .collect();
    names.sort_unstable();
    let mut list = String::from("&[\n");
    for name in names {
        let path = results.join(&name).canonicalize().unwrap();
        writeln!(list, "({name:?}, include_str!({path:?})),").unwrap();
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("results.rs"), list).unwrap();
}
