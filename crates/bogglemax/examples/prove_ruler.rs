//! Measures a sample of the whole 4x4 run and estimates its processor time.
//!
//! ```sh
//! cargo run --release -p bogglemax --example prove_ruler -- 3625
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --tasks 40 --seed 1 --only 3
//! cargo run --release -p bogglemax --example prove_ruler -- 3625 --boards   # measures nothing
//! ```
//!
//! A task is drawn with a probability in proportion to its predicted cost, with replacement; then the mean of
//! (seconds / probability) is an estimate of the run without bias, and its standard error follows from the spread.
//! Tasks share nothing but the bound of the rest: what neighbouring classes share, they share within a task, which
//! has several letters on the fourth cell of the centre.
//!
//! `--boards` names the tasks that version 5625c8d has for each drawn task by 16-letter boards, which its
//! `prove_bench` takes: `tools/ruler` compares the two by it, and `tools/same-boards`, which draws with the same chance
//! for all tasks (`--uniform`) or takes those that hold certain boards, the cheapest of them (`--of BOARD,BOARD`).

use bogglemax::prove::{Engine, Options, Split, Task};
use bogglemax::{Alphabet, Dims, Lexicon, Scoring};

/// The centre, the cell that may have several letters last.
const CENTRE: [usize; 4] = [5, 6, 9, 10];

/// The tasks of version 5625c8d with a larger product of frequencies in the centre were divided by the letter of the
/// cell beside it.
const DIVIDED_FROM: f64 = 0.07;

/// Into the ten most frequent letters, and two parts of all others.
const PARTS: usize = 12;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| -> Option<u64> {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)?.parse().ok()
    };
    let Some(cutoff) = args.first().and_then(|a| a.parse().ok()) else {
        eprintln!("usage: prove_ruler CUTOFF [--tasks N] [--seed N] [--only K] [--boards] [--counters]");
        std::process::exit(2);
    };
    let (count, seed) = (number("--tasks").unwrap_or(24), number("--seed").unwrap_or(1));
    let (lexicon, scoring, dims) = (Lexicon::enable2k(), Scoring::boggle(), Dims::new(4, 4).expect("4x4"));
    let split = Split::new(&lexicon, &scoring, dims);
    let tasks: Vec<Task> = (0..split.len()).map(|id| split.task(id)).collect();
    let whole: f64 = tasks.iter().map(|task| task.predicted_cost).sum();
    let sample = match args.iter().position(|a| a == "--of") {
        Some(at) => holding(&split, args.get(at + 1).map_or("", |boards| boards), count),
        None if args.iter().any(|a| a == "--uniform") => {
            draw(&tasks, tasks.len() as f64, count, seed, |_| 1.0)
        }
        None => draw(&tasks, whole, count, seed, |task| task.predicted_cost),
    };
    if args.iter().any(|a| a == "--boards") {
        let frequencies = frequencies();
        for (i, task) in sample.iter().enumerate() {
            let boards: Vec<String> = old_tasks(task, &frequencies).iter().map(|board| text(board)).collect();
            println!("{i} {} {:.6e} {}", name(task), task.predicted_cost / whole, boards.join(" "));
        }
        return;
    }
    let mut engine = Engine::new(&lexicon, &scoring, dims, cutoff, Options::default());
    let start = cpu_seconds();
    let bound = engine.bound_rest(&split);
    println!("rest: {bound:?} points, {:.3} s", cpu_seconds() - start);
    let mut hours = Vec::new();
    for (i, task) in sample.iter().enumerate() {
        if number("--only").is_some_and(|only| only != i as u64) {
            continue;
        }
        let start = cpu_seconds();
        let outcome = engine.run(task);
        let seconds = cpu_seconds() - start;
        hours.push(seconds * whole / task.predicted_cost / 3600.0);
        let (boards, predicted) = (outcome.boards.len(), task.predicted_cost);
        println!("{i} {}: {boards} boards, {seconds:.3} s, predicted {predicted:.1}", name(task));
        if args.iter().any(|a| a == "--counters") {
            println!("  {:?}", outcome.counters);
        }
    }
    let n = hours.len() as f64;
    let mean = hours.iter().sum::<f64>() / n;
    let spread = hours.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let error = (spread / n).sqrt();
    println!("{} tasks of {}: {mean:.1} h, standard error {error:.1} h", hours.len(), tasks.len());
}

/// Draws tasks in proportion to a weight; `whole` is the sum of all.
fn draw(tasks: &[Task], whole: f64, count: u64, mut state: u64, weight: impl Fn(&Task) -> f64) -> Vec<Task> {
    let one = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut left = (state >> 11) as f64 / (1u64 << 53) as f64 * whole;
        let found = tasks.iter().find(|task| {
            left -= weight(task);
            left <= 0.0
        });
        found.or(tasks.last()).expect("a task").clone()
    };
    (0..count).map(one).collect()
}

/// The tasks that hold boards, the cheapest ones.
fn holding(split: &Split, boards: &str, count: u64) -> Vec<Task> {
    let tile = |letter: char| Alphabet::english().tile(letter).expect("a letter");
    let task = |board: &str| {
        split.task_of(&board.chars().map(tile).collect::<Vec<u8>>()).expect("every board lies in a task")
    };
    let mut tasks: Vec<Task> = boards.split(',').map(task).collect();
    tasks.sort_by(|a, b| a.predicted_cost.total_cmp(&b.predicted_cost).then(a.id.cmp(&b.id)));
    tasks.dedup_by_key(|task| task.id);
    tasks.truncate(count as usize);
    tasks
}

/// A board in each task of version 5625c8d that has boards of a task.
fn old_tasks(task: &Task, frequencies: &[f64; 26]) -> Vec<Vec<u8>> {
    let mut by_rank: Vec<u8> = (0..26).collect();
    by_rank.sort_by_key(|&tile| task.ranks[usize::from(tile)]);
    let mut centre = CENTRE.map(|cell| task.cells[cell].trailing_zeros() as u8);
    let mut boards = Vec::new();
    for letter in (0..26).filter(|letter| task.cells[CENTRE[3]] >> letter & 1 == 1) {
        centre[3] = letter;
        let strength: f64 = centre.iter().map(|&tile| 0.01 + frequencies[usize::from(tile)]).product();
        let parts = if strength > DIVIDED_FROM { PARTS } else { 1 };
        // The same letter all around satisfies every order constraint.
        for &around in &by_rank[by_rank.len() - parts..] {
            let mut board = vec![around; 16];
            CENTRE.iter().zip(centre).for_each(|(&cell, tile)| board[cell] = tile);
            boards.push(board);
        }
    }
    boards
}

/// How often each letter occurs in words, the most frequent being 1.
fn frequencies() -> [f64; 26] {
    let lexicon = Lexicon::enable2k();
    let mut counts = [0.0; 26];
    lexicon.for_each_word(|tiles| {
        if tiles.len() <= 16 && lexicon.alphabet().letters(tiles) >= 3 {
            tiles.iter().for_each(|&tile| counts[usize::from(tile)] += 1.0);
        }
    });
    let most = counts.iter().fold(0.0f64, |most, &count| most.max(count));
    counts.map(|count| count / most)
}

/// The letters of the centre; those of the last cell together, such as `tao(bcfghjk)`.
fn name(task: &Task) -> String {
    let cell = |cell: usize| -> String {
        let tiles = (0..26).filter(|tile| task.cells[cell] >> tile & 1 == 1);
        tiles.map(|tile| Alphabet::english().symbol(tile)).collect()
    };
    let [opposite, x, y, last] = CENTRE.map(cell);
    format!("{opposite}{x}{y}({last})")
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
