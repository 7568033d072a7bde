//! Runs tasks of the fast engine one after the other and prints processor time and counters of each.
//!
//! `prove_bench 3x3 500` runs all tasks; `prove_bench 4x4 3500 atin prth` those with these letters on
//! the anchors, in row-major order; `prove_bench 4x4 3500 perslatgsineters` the one with this board;
//! `prove_bench 3x4 1500 --random 40 --seed 1` a random sample; `prove_bench 4x4 3625 --group 'es?h' qjxz` the 4x4
//! group with these letters on the anchor that is `?`.

use bogglemax::prove::{Counters, Engine, Options, Split, Task};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [dims, cutoff, rest @ ..] = args.as_slice() else {
        eprintln!("usage: prove_bench RxC CUTOFF [LETTERS... | --random N [--seed N]]");
        std::process::exit(2);
    };
    let dims: Dims = dims.parse().expect("a shape such as 3x3");
    let cutoff: u64 = cutoff.parse().expect("a cutoff");
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    let split = Split::new(&lexicon, &scoring, dims);
    let mut engine = Engine::new(&lexicon, &scoring, dims, cutoff, Options::default());
    let start = cpu_seconds();
    let bound = engine.bound_rest(&split);
    if bound.is_some() {
        println!("rest: {bound:?} points, {:.3} s", cpu_seconds() - start);
    }
    let (mut total, mut boards, mut seconds) = (Counters::default(), Vec::new(), 0.0);
    let tasks = tasks(&split, rest);
    for task in &tasks {
        let start = cpu_seconds();
        let outcome = engine.run(task);
        let spent = cpu_seconds() - start;
        println!("{} {spent:.3} s, {} boards, {:?}", letters(task), outcome.boards.len(), outcome.counters);
        total += &outcome.counters;
        seconds += spent;
        boards.extend(outcome.boards.iter().map(|(board, score)| (*score, board.canonical())));
    }
    boards.sort_unstable();
    boards.dedup();
    boards.iter().rev().for_each(|(score, board)| println!("{board}: {score}"));
    let mean = seconds / tasks.len().max(1) as f64;
    println!("{} boards; {seconds:.2} s, mean {mean:.3} s; {total:?}", boards.len());
}

fn tasks(split: &Split, args: &[String]) -> Vec<Task> {
    let number = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    if let Some(count) = number("--random") {
        let mut state = number("--seed").unwrap_or(1);
        let draw = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            split.task(((u128::from(state) * u128::from(split.len())) >> 64) as u64)
        };
        return (0..count).map(draw).collect();
    }
    if args.first().is_some_and(|a| a == "--group") {
        let english = Alphabet::english();
        let anchors = [5usize, 6, 9, 10];
        let group = |args: &[String]| {
            let mut cells = vec![(1u32 << 26) - 1; 16];
            for (&cell, letter) in anchors.iter().zip(args[0].chars()) {
                let letters = if letter == '?' { args[1].clone() } else { letter.to_string() };
                cells[cell] = letters.chars().fold(0, |m, c| m | 1 << english.tile(c).expect("a letter"));
            }
            let varied = args[0].find('?').map(|i| anchors[i] as u8);
            Task { varied, ..Task::of_class(&cells) }
        };
        return args[1..].chunks_exact(2).map(group).collect();
    }
    if args.is_empty() {
        return (0..split.len()).map(|id| split.task(id)).collect();
    }
    let english = Alphabet::english();
    let with_letters = |text: &String| {
        let first = split.task(0);
        let anchors = (0..first.cells.len()).filter(|&c| first.cells[c].count_ones() == 1);
        let mut tiles = vec![0; first.cells.len()];
        if text.len() == tiles.len() {
            tiles = text.chars().map(|letter| english.tile(letter).expect("a letter")).collect();
            return split.task_of(&tiles).expect("every board lies in a task");
        }
        for (cell, letter) in anchors.zip(text.chars()) {
            tiles[cell] = english.tile(letter).expect("a letter");
        }
        split.task_of(&tiles).expect("every board lies in a task")
    };
    args.iter().map(with_letters).collect()
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
