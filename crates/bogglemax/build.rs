//! Makes the graph of the built-in word list, so that the program starts without inserting
//! 173,000 words.

#[path = "src/alphabet.rs"]
#[allow(dead_code)]
mod alphabet;
#[path = "src/dawg.rs"]
#[allow(dead_code)]
mod dawg;

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
}
