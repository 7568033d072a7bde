//! Measures a sample of the whole 4x4 run and estimates its processor time.
//!
//! ```sh
//! cargo run --release -p bogglemax --example prove_ruler -- 3625
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --groups 40 --seed 1 --only 3
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --boards   # measures nothing
//! ```
//!
//! Tasks are drawn in whole **groups**, so that what a run can share between them shows: the tasks that share the
//! letters of three centre cells and differ by the rarest letter, on the fourth, which an engine may search as
//! one task; and the parts of a divided centre. A group is drawn with a
//! probability in proportion to its predicted cost, with replacement; then the mean of (seconds / probability) is
//! an estimate of the run without bias, and its standard error follows from the spread.
//!
//! `--boards` names the tasks of each drawn group by 16-letter boards, which `prove_bench` of any version takes:
//! `tools/ruler` compares two versions by it.

use std::collections::BTreeMap;

use bogglemax::prove::{Engine, Options, Split};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

/// The centre: the cell opposite the one with the rarest letter, those beside it, and that one.
const CENTRE: [usize; 4] = [5, 6, 9, 10];

/// Ranks of the letters opposite the rarest one and beside it, the higher first; and the rank of the rarest one if
/// the centre is divided.
type GroupKey = ([u8; 3], Option<u8>);

#[derive(Default)]
struct Group {
    /// The tasks.
    ids: Vec<u64>,
    /// A board for each letter of the fourth cell in each task: each lies in another task of 5625c8d.
    boards: Vec<Vec<u8>>,
    predicted: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| -> Option<u64> {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse().ok()
    };
    let Some(cutoff) = args.first().and_then(|a| a.parse().ok()) else {
        eprintln!("usage: prove_ruler CUTOFF [--groups N] [--seed N] [--only K] [--tasks] [--boards]");
        std::process::exit(2);
    };
    let (count, seed) = (number("--groups").unwrap_or(40), number("--seed").unwrap_or(1));
    let (lexicon, scoring, dims) = (Lexicon::enable2k(), Scoring::boggle(), Dims::new(4, 4).expect("4x4"));
    let split = Split::new(&lexicon, &scoring, dims);
    let groups = groups(&split);
    let whole: f64 = groups.values().map(|group| group.predicted).sum();
    let sample = draw(&groups, whole, count, seed);
    if args.iter().any(|a| a == "--boards") {
        for (i, (key, group)) in sample.iter().enumerate() {
            let boards: Vec<String> = group.boards.iter().map(|board| text(board)).collect();
            println!("{i} {} {:.6e} {}", name(&split, key), group.predicted / whole, boards.join(" "));
        }
        return;
    }
    let mut engine = Engine::new(&lexicon, &scoring, dims, cutoff, Options::default());
    let start = cpu_seconds();
    let bound = engine.bound_rest(&split);
    println!("rest: {bound:?} points, {:.3} s", cpu_seconds() - start);
    let mut hours = Vec::new();
    for (i, (key, group)) in sample.iter().enumerate() {
        if number("--only").is_some_and(|only| only != i as u64) {
            continue;
        }
        let start = cpu_seconds();
        let mut boards = 0;
        for &id in &group.ids {
            let (start, task) = (cpu_seconds(), split.task(id));
            let outcome = engine.run(&task);
            boards += outcome.boards.len();
            if args.iter().any(|a| a == "--tasks") {
                let (seconds, counters) = (cpu_seconds() - start, &outcome.counters);
                println!("  {id}: {seconds:.2} s, predicted {:.2}, {counters:?}", task.predicted_cost);
            }
        }
        let seconds = cpu_seconds() - start;
        hours.push(seconds * whole / group.predicted / 3600.0);
        let tasks = group.ids.len();
        println!("{i} {} {tasks} tasks, {boards} boards, {seconds:.3} s", name(&split, key));
    }
    let n = hours.len() as f64;
    let mean = hours.iter().sum::<f64>() / n;
    let spread = hours.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    println!(
        "{} groups of {}: {mean:.1} h, standard error {:.1} h",
        hours.len(),
        groups.len(),
        (spread / n).sqrt()
    );
}

/// All tasks of the run by group.
fn groups(split: &Split) -> BTreeMap<GroupKey, Group> {
    let mut groups = BTreeMap::<GroupKey, Group>::new();
    for id in 0..split.len() {
        let task = split.task(id);
        let tile = |cell: usize| task.cells[cell].trailing_zeros() as u8;
        let [opposite, x, y, rarest] = CENTRE.map(|cell| task.ranks[usize::from(tile(cell))]);
        let is_divided = task.cells[1] != task.cells[0];
        let group = groups.entry(([opposite, x.max(y), x.min(y)], is_divided.then_some(rarest))).or_default();
        group.ids.push(id);
        group.predicted += task.predicted_cost;
        for letter in (0..32).filter(|letter| task.cells[CENTRE[3]] >> letter & 1 == 1) {
            // The same letter all around satisfies every order constraint.
            let mut board = vec![tile(1); 16];
            CENTRE.iter().for_each(|&cell| board[cell] = tile(cell));
            board[CENTRE[3]] = letter;
            group.boards.push(board);
        }
    }
    groups
}

/// Draws groups in proportion to their predicted cost.
fn draw(
    groups: &BTreeMap<GroupKey, Group>,
    whole: f64,
    count: u64,
    mut state: u64,
) -> Vec<(&GroupKey, &Group)> {
    let one = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut left = (state >> 11) as f64 / (1u64 << 53) as f64 * whole;
        let found = groups.iter().find(|(_, group)| {
            left -= group.predicted;
            left <= 0.0
        });
        found.or_else(|| groups.iter().next_back()).expect("a group")
    };
    (0..count).map(one).collect()
}

/// The letters of a group, the rarest one as a question mark if it varies.
fn name(split: &Split, (key, rarest): &GroupKey) -> String {
    let ranks = split.task(0).ranks;
    let letter = |rank: u8| {
        let tile = (0..26).find(|&t| ranks[usize::from(t)] == rank).expect("a tile of this rank");
        Alphabet::english().symbol(tile)
    };
    let [opposite, high, low] = key.map(letter);
    format!("{opposite}{high}{low}{}", rarest.map_or('?', letter))
}

fn text(tiles: &[u8]) -> String {
    tiles.iter().map(|&t| Alphabet::english().symbol(t)).collect()
}

/// Seconds of processor time of this thread, by the kernel's account; of wall-clock time elsewhere.
fn cpu_seconds() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedstat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    let wall = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |d| d.as_secs_f64());
    nanos.map_or_else(wall, |n| n * 1e-9)
}
