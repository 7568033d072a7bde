//! Runs tasks of the fast engine one after the other and prints time and counters of each.
//!
//! `prove_bench 3x3 500` runs all tasks; `prove_bench 4x4 3500 atin prth` those of these anchors;
//! `prove_bench 3x4 1500 --random 40 --seed 1` a random sample.

use bogglemax::prove::{Counters, Engine, Options, Split};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dims: Dims = args[0].parse().expect("a shape such as 3x3");
    let cutoff: u64 = args[1].parse().expect("a cutoff");
    let value = |name: &str| args.iter().position(|a| a == name).map(|i| args[i + 1].parse::<u64>().unwrap());
    let (random, mut seed) = (value("--random"), value("--seed").unwrap_or(1));
    let quiet = args.iter().any(|a| a == "--quiet");
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    let start = cpu_seconds();
    let split = Split::new(&lexicon, &scoring, dims);
    let mut engine = Engine::new(&lexicon, &scoring, dims, cutoff, Options::default());
    let english = Alphabet::english();
    let anchors: Vec<&String> =
        args[2..].iter().filter(|a| a.bytes().all(|b| b.is_ascii_lowercase())).collect();
    let name = |task: &bogglemax::prove::Task| -> String {
        task.cells
            .iter()
            .filter(|m| m.count_ones() == 1)
            .map(|m| english.symbol(m.trailing_zeros() as u8))
            .collect()
    };
    let ids: Vec<u64> = if let Some(count) = random {
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((u128::from(seed) * u128::from(split.len())) >> 64) as u64
        };
        (0..count).map(|_| next()).collect()
    } else if anchors.is_empty() {
        (0..split.len()).collect()
    } else {
        let wanted = |id: &u64| {
            let mut have: Vec<char> = name(&split.task(*id)).chars().collect();
            have.sort_unstable();
            anchors.iter().any(|a| {
                let mut want: Vec<char> = a.chars().collect();
                want.sort_unstable();
                want == have && {
                    let exact = name(&split.task(*id));
                    let rot = |s: &str, o: [usize; 4]| -> String {
                        let c: Vec<char> = s.chars().collect();
                        o.iter().map(|&i| c[i]).collect()
                    };
                    if a.len() != 4 {
                        true
                    } else {
                        [
                            [0, 1, 2, 3],
                            [1, 0, 3, 2],
                            [2, 3, 0, 1],
                            [3, 2, 1, 0],
                            [0, 2, 1, 3],
                            [2, 0, 3, 1],
                            [1, 3, 0, 2],
                            [3, 1, 2, 0],
                        ]
                        .iter()
                        .any(|o| rot(a, *o) == exact)
                    }
                }
            })
        };
        (0..split.len()).filter(wanted).collect()
    };
    println!("{} tasks of {}; set up in {:.2} s", ids.len(), split.len(), cpu_seconds() - start);
    let mut total = Counters::default();
    let mut boards = Vec::new();
    let mut times = Vec::new();
    for id in ids {
        let task = split.task(id);
        let start = cpu_seconds();
        let outcome = engine.run(&task);
        let seconds = cpu_seconds() - start;
        let c = &outcome.counters;
        times.push(seconds);
        if !quiet {
            println!(
                "{} {:.3} s pred {:.4} nodes {} place {} first {} bound {} built {} ahead {} elim {} leaves {} found {} max {} mb {} {:?}",
                name(&task),
                seconds,
                task.predicted_cost,
                c.total_nodes(),
                c.placements,
                c.first_items,
                c.bound_items,
                c.built_items,
                c.pruned_ahead,
                c.letters_eliminated,
                c.leaves,
                outcome.boards.len(),
                outcome.largest_pruned,
                c.peak_bytes >> 20,
                c.nodes.iter().take(14).collect::<Vec<_>>()
            );
        }
        total += c;
        boards.extend(outcome.boards.iter().map(|(b, s)| (*s, b.canonical())));
    }
    boards.sort();
    boards.dedup();
    boards.reverse();
    for (score, board) in &boards {
        println!("{board}: {score}");
    }
    let sum: f64 = times.iter().sum();
    println!(
        "{} boards; {sum:.2} s in tasks; mean {:.3} s; {total:?}",
        boards.len(),
        sum / times.len() as f64
    );
}

/// Seconds of processor time of this thread, by the kernel's account; wall-clock seconds elsewhere.
fn cpu_seconds() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedstat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    let wall = || {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
    };
    nanos.map_or_else(wall, |n| n * 1e-9)
}
