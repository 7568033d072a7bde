//! Measures a sample of the whole 4x4 run and estimates its processor time.
//!
//! ```sh
//! cargo run --release -p bogglemax --example prove_ruler -- 3625
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --groups 40 --seed 1 --only 3
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --boards   # measures nothing
//! ```
//!
//! Tasks are drawn in whole **groups**, so that what a run can share between them shows: the tasks that share the
//! letters of three centre cells and differ by the rarest letter, on the fourth; and the parts of a divided
//! centre. A group is drawn with a
//! probability in proportion to its predicted cost, with replacement; then the mean of (seconds / probability) is
//! an estimate of the run without bias, and its standard error follows from the spread.
//!
//! `--boards` names the tasks of each drawn group by 16-letter boards, which `prove_bench` of any version takes:
//! `tools/ruler` compares two versions by it.

use std::collections::BTreeMap;

use bogglemax::prove::{Engine, Options, Split};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

/// The centre, in row-major order: each cell, the one opposite, the two beside.
const CENTRE: [(usize, usize, [usize; 2]); 4] =
    [(5, 10, [6, 9]), (6, 9, [5, 10]), (9, 6, [5, 10]), (10, 5, [6, 9])];

/// Ranks of the letters opposite the rarest one and beside it, the higher first; and the rank of the rarest one if
/// the centre is divided.
type GroupKey = ([u8; 3], Option<u8>);

/// A task of a group and a board that lies in it.
struct Member {
    id: u64,
    board: Vec<u8>,
}

struct Group {
    members: Vec<Member>,
    /// Guessed seconds of the group.
    predicted: f64,
    /// The predicted search of the parts of a divided centre, as tasks have it.
    parts: f64,
}

/// What listing adds to the predicted cost of every task of 4x4: see `Split::task`.
const LISTING: f64 = 0.14 * 0.14 * 0.14 * 0.14;

/// Seconds of a centre at 5625c8d, fitted by eye to a dozen measured ones, by the predicted search.
fn seconds_of(search: f64) -> f64 {
    250.0 * search.powf(0.4)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| -> Option<u64> {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse().ok()
    };
    let Some(cutoff) = args.first().and_then(|a| a.parse().ok()) else {
        eprintln!("usage: prove_ruler CUTOFF [--groups N] [--seed N] [--only K] [--boards]");
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
            let boards: Vec<String> = group.members.iter().map(|m| text(&m.board)).collect();
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
        let boards: usize = group.members.iter().map(|m| engine.run(&split.task(m.id)).boards.len()).sum();
        let seconds = cpu_seconds() - start;
        hours.push(seconds * whole / group.predicted / 3600.0);
        let tasks = group.members.len();
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
        let rank = |cell: usize| task.ranks[usize::from(tile(cell))];
        let rarest = CENTRE.iter().map(|c| rank(c.0)).min().expect("four cells");
        let keys = CENTRE.iter().filter(|c| rank(c.0) == rarest).map(|&(_, opposite, beside)| {
            let [x, y] = beside.map(rank);
            [rank(opposite), x.max(y), x.min(y)]
        });
        let key = keys.max().expect("a rarest letter");
        let is_divided = task.cells[1] != task.cells[0];
        let group = groups.entry((key, is_divided.then_some(rarest))).or_insert(Group {
            members: Vec::new(),
            predicted: 0.0,
            parts: 0.0,
        });
        let search = task.predicted_cost - LISTING;
        group.predicted += 2.0 + if is_divided { 0.0 } else { seconds_of(search) };
        group.parts += if is_divided { search } else { 0.0 };
        // The same letter all around satisfies every order constraint.
        let around = task.cells[1].trailing_zeros() as u8;
        let centre = CENTRE.map(|c| c.0);
        let board = (0..16).map(|cell| if centre.contains(&cell) { tile(cell) } else { around }).collect();
        group.members.push(Member { id, board });
    }
    groups.values_mut().for_each(|group| group.predicted += seconds_of(group.parts));
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
