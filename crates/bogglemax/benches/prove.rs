//! `cargo bench -p bogglemax -- prove [3x3] [3x4] [4x4]`: fixed tasks of the fast engine, with
//! processor time and counters. Names after `prove` pick some of the sets; without any, all run.
//!
//! Counters do not depend on the machine: judge a change by them first.

use bogglemax::prove::{Counters, Engine, Options, Split, Task};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

/// Centres of 4x4 from weak to strong, in row-major order of the four cells.
const CENTRES: [&str; 5] = ["qmfk", "gdnk", "kdcr", "prth", "atin"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sets = ["3x3", "3x4", "4x4"];
    let named: Vec<&str> = sets.into_iter().filter(|s| args.iter().any(|a| a == s)).collect();
    if args.iter().any(|a| !a.starts_with('-') && a != "prove" && !sets.contains(&a.as_str())) {
        return;
    }
    for set in if named.is_empty() { sets.to_vec() } else { named } {
        run(set);
    }
}

fn run(set: &str) {
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    let dims: Dims = set.parse().expect("a shape");
    let cutoff = match set {
        "3x3" => 500,
        "3x4" => 1500,
        _ => 3500,
    };
    let split = Split::new(&lexicon, &scoring, dims);
    let mut engine = Engine::new(&lexicon, &scoring, dims, cutoff, Options::default());
    engine.bound_rest(&split);
    let mut total = Counters::default();
    let (mut seconds, mut boards) = (0.0, 0);
    for task in tasks(set, &split) {
        let start = cpu_seconds();
        let outcome = engine.run(&task);
        let spent = cpu_seconds() - start;
        let c = &outcome.counters;
        println!(
            "{set} {:>6} {:>4} {spent:>9.3} s {:>8} nodes {:>10} items bounded {:>10} read {:>5} MB",
            task.id,
            letters(&task),
            c.total_nodes(),
            c.bound_items,
            c.built_items,
            c.peak_bytes >> 20,
        );
        seconds += spent;
        boards += outcome.boards.len();
        total += c;
    }
    println!("{set}: {seconds:.2} s, {boards} boards, {total:?}");
}

/// All tasks of 3x3, 40 of 3x4 at equal distances, five of 4x4.
fn tasks(set: &str, split: &Split) -> Vec<Task> {
    match set {
        "3x3" => (0..split.len()).map(|id| split.task(id)).collect(),
        "3x4" => (0..40).map(|i| split.task((2 * i + 1) * split.len() / 80)).collect(),
        _ => {
            let english = Alphabet::english();
            let board = |centre: &str| -> Vec<u8> {
                let mut tiles = vec![0; 16];
                for (cell, letter) in [5, 6, 9, 10].into_iter().zip(centre.chars()) {
                    tiles[cell] = english.tile(letter).expect("a letter");
                }
                tiles
            };
            CENTRES.iter().map(|c| split.task_of(&board(c)).expect("every board lies in a task")).collect()
        }
    }
}

fn letters(task: &Task) -> String {
    let english = Alphabet::english();
    let decided = task.cells.iter().filter(|m| m.count_ones() == 1);
    decided.map(|m| english.symbol(m.trailing_zeros() as u8)).collect()
}

/// Seconds of processor time of this thread, by the kernel's account; of wall-clock time elsewhere.
fn cpu_seconds() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedstat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    let wall = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |d| d.as_secs_f64());
    nanos.map_or_else(wall, |n| n * 1e-9)
}
