//! The engine against brute force under random tuning: the fuzzer of the bounds.
//!
//! A case is an engine and a few tasks that it runs one after the other, so that what it keeps from task to
//! task is tested too. Everything is drawn from the seed of the case: shape, tiles, words, scoring, cutoff,
//! tuning, memory and tasks. Of every task all boards are scored by the independent [`Scorer`], and then
//!
//! - the boards found are those at the cutoff, each once;
//! - every bound the engine reports is at least the score of every board of its class and task;
//! - boards that were not found score at most `largest_pruned`, which is below the cutoff;
//! - a certificate covers its class, and its bounds hold.
//!
//! ```sh
//! BOGGLEMAX_FUZZ_CASES=20000 cargo test --release -p bogglemax --lib fuzz::random_cases -- --nocapture
//! BOGGLEMAX_FUZZ_SEED=17 BOGGLEMAX_FUZZ_CASES=1 …  # one case again
//! ```
//!
//! The last line of output is a digest of all outcomes. It must not change with `BOGGLEMAX_PORTABLE=1`.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::search::bits;
use super::*;
use crate::Alphabet;

/// Shapes, the small ones often.
const SHAPES: [(usize, usize); 20] = [
    (1, 1),
    (1, 3),
    (1, 4),
    (1, 6),
    (2, 2),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 4),
    (3, 3),
    (3, 3),
    (3, 3),
    (3, 3),
    (3, 4),
    (3, 4),
    (4, 3),
    (2, 7),
    (4, 4),
    (5, 5),
    (6, 6),
];

/// Scorings besides random ones: zeros inside, points that fall, points at the limits of 16 and 32 bits.
const SCORINGS: [&str; 10] = [
    "boggle",
    "words",
    "pow2",
    "0,0,0,5,1,9,0,3",
    "0,0,0,70000,1,2147483648",
    "0,0,0,4294967295",
    "0,0,0,65535",
    "0,0,0,32768,32767,1",
    "0,0,0,0,1,65536",
    "0,0,0,21845,13107,4369,257",
];

/// Boards that a task may have at most, as a rule and now and then.
const FEW_BOARDS: usize = 3_000;
const MANY_BOARDS: usize = 40_000;

/// What the engine is made of, and the tiles it may use.
pub(super) struct Game {
    pub dims: Dims,
    pub lexicon: Lexicon,
    pub scoring: Scoring,
    /// Tiles of the words; not all of the alphabet's.
    pub tiles: Vec<u8>,
    /// A tile in no word.
    pub blank: u8,
}

/// A board with its score.
pub(super) type Scored = (Vec<u8>, u64);

/// All boards of a task, the best first.
pub(super) struct BruteForce {
    pub boards: Vec<Scored>,
    /// The same boards by what they score without their decided cells.
    pub rest: Vec<Scored>,
}

/// An alphabet of as many tiles as there can be, for fields of six bits.
pub(super) fn wide_alphabet() -> Alphabet {
    let letters = ('a'..='z').chain(['æ', 'ø', 'å', 'þ', 'ð', 'ß']);
    Alphabet::new(letters.map(String::from).collect(), Vec::new()).expect("32 different tiles")
}

fn draw_game(rng: &mut ChaCha8Rng) -> Game {
    let (rows, cols) = *SHAPES.choose(rng).expect("a shape");
    let dims = Dims::new(rows, cols).expect("a shape");
    let is_wide = rng.random_ratio(1, 8);
    let alphabet = if is_wide { wide_alphabet() } else { Alphabet::english() };
    let mut pool: Vec<u8> =
        if is_wide { (26..32).chain([0, 4, 16]).collect() } else { vec![0, 3, 4, 11, 16, 17, 18, 19] };
    pool.shuffle(rng);
    let tiles = pool[..rng.random_range(1..=6)].to_vec();
    // Large boards have so many placements that few words make long lists.
    let is_large = dims.cells() > 12;
    let most = if is_large || rng.random_bool(0.5) { 15 } else { 150 };
    let count = rng.random_range(1..=most);
    let mut words: Vec<String> = Vec::new();
    let kind = rng.random_range(0..4);
    let longest = rng.random_range(3..=if is_large { 5 } else { dims.cells().clamp(3, 9) });
    while words.len() < count {
        let mut word: Vec<u8> =
            (0..rng.random_range(2..=longest)).map(|_| *tiles.choose(rng).expect("a tile")).collect();
        match kind {
            // Anagrams of one word.
            0 => (0..4).for_each(|_| {
                word.shuffle(rng);
                words.push(alphabet.text(&word));
            }),
            // Palindromes.
            1 if !is_large => {
                let back: Vec<u8> = word.iter().rev().skip(1).copied().collect();
                word.extend(back);
            }
            // Few letters, each several times.
            2 => word = word.iter().flat_map(|&t| [t, t]).take(longest).collect(),
            _ => {}
        }
        words.push(alphabet.text(&word));
    }
    let lexicon = Lexicon::from_words_with(&alphabet, "fuzz", &words)
        .or_else(|_| Lexicon::from_words_with(&alphabet, "fuzz", ["aaa"]))
        .expect("a word");
    let scoring = if rng.random_ratio(1, 4) {
        let points: Vec<String> = (0..rng.random_range(4..10))
            .map(|_| match rng.random_range(0..4) {
                0 => 0,
                1 => rng.random_range(1..12),
                2 => 1u32 << rng.random_range(0..32),
                _ => rng.random(),
            })
            .map(|points: u32| points.to_string())
            .collect();
        format!("0,0,0,{}", points.join(","))
    } else {
        (*SCORINGS.choose(rng).expect("a scoring")).to_owned()
    };
    let scoring = scoring.parse().unwrap_or_else(|_| Scoring::boggle());
    Game { dims, lexicon, scoring, tiles, blank: 25 }
}

fn draw_tuning(rng: &mut ChaCha8Rng) -> Tuning {
    let mut tuning = draw_any_tuning(rng);
    if rng.random_bool(0.5) {
        // Trees of a single strand have ways of their own.
        tuning.braid_from_cells = u64::MAX;
    }
    tuning
}

fn draw_any_tuning(rng: &mut ChaCha8Rng) -> Tuning {
    match rng.random_range(0..4) {
        0 => Tuning::default(),
        1 => Tuning::tiny(),
        _ => {
            let mut tuning = if rng.random_bool(0.5) { Tuning::tiny() } else { Tuning::default() };
            for (_, range, value) in tuning.fields() {
                let (low, high) = range.into_inner();
                *value = match rng.random_range(0..8) {
                    0 => low,
                    1 => low.saturating_add(rng.random_range(0..30)),
                    2 => high,
                    3 => low.saturating_add(1 << rng.random_range(0..40)),
                    _ => *value,
                }
                .clamp(low, high);
            }
            tuning
        }
    }
}

/// Order constraints: none, those of a task of a split, or arbitrary ones; and the ranks they speak of.
fn draw_order(game: &Game, task: &mut Task, rng: &mut ChaCha8Rng) {
    let cells = game.dims.cells() as u8;
    let factor = rng.random::<u8>() | 1;
    let shift = rng.random::<u8>();
    task.ranks = std::array::from_fn(|t| (t as u8).wrapping_mul(factor).wrapping_add(shift));
    task.order = match rng.random_range(0..3) {
        0 => Vec::new(),
        1 => {
            let mut by_rank = game.tiles.clone();
            by_rank.shuffle(rng);
            let frequencies: Vec<u64> = (0..32).map(|_| rng.random_range(1..100)).collect();
            let split = Split::with_tiles(game.dims, by_rank, &frequencies);
            let of = split.task(rng.random_range(0..split.len()));
            task.ranks = of.ranks;
            if rng.random_bool(0.5) && of.cells.iter().all(|&mask| mask != 0) {
                task.cells = of.cells;
            }
            of.order
        }
        _ => (0..rng.random_range(1..4))
            .map(|_| (rng.random_range(0..cells), rng.random_range(0..cells)))
            .filter(|(a, b)| a != b)
            .collect(),
    };
}

/// A task of few boards.
fn draw_task(game: &Game, rng: &mut ChaCha8Rng) -> Task {
    let cells = game.dims.cells();
    let decided = rng.random_range(0.0..0.8);
    let masks: Vec<u32> = (0..cells)
        .map(|_| {
            let count = if rng.random_bool(decided) { 1 } else { rng.random_range(1..=game.tiles.len()) };
            let mut tiles = game.tiles.clone();
            tiles.shuffle(rng);
            tiles[..count].iter().fold(0, |mask, &t| mask | 1 << t)
        })
        .collect();
    let mut task = Task::of_class(&masks);
    draw_order(game, &mut task, rng);
    if cells > 12 && game.tiles.len() > 1 && rng.random_bool(0.5) {
        // More undecided cells than brute force could bear, but for a chain of constraints: wide keys.
        let pair = 1 << game.tiles[0] | 1 << game.tiles[1];
        task.cells.fill(pair);
        task.order = (1..cells as u8).map(|cell| (cell - 1, cell)).collect();
        if rng.random_bool(0.5) {
            task.order.swap_remove(rng.random_range(0..cells - 1));
        }
        return task;
    }
    let most = if rng.random_ratio(1, 16) { MANY_BOARDS } else { FEW_BOARDS };
    while task.boards() > most as f64 {
        let at = rng.random_range(0..cells);
        let some = bits(task.cells[at]).nth(rng.random_range(0..task.cells[at].count_ones()) as usize);
        task.cells[at] = 1 << some.expect("a tile");
    }
    if rng.random_bool(0.4) {
        task.varied = Some(rng.random_range(0..cells) as u8);
    }
    task
}

/// A task that shares something with another: what an engine keeps may serve it, or must not.
fn draw_neighbor(game: &Game, task: &Task, rng: &mut ChaCha8Rng) -> Task {
    let mut other = task.clone();
    match rng.random_range(0..4) {
        0 => other = draw_task(game, rng),
        // Other letters on decided cells.
        1 | 2 => {
            for mask in other.cells.iter_mut().filter(|mask| mask.count_ones() == 1) {
                if rng.random_bool(0.7) {
                    *mask = 1 << game.tiles.choose(rng).expect("a tile");
                }
            }
            let decided: Vec<usize> =
                (0..other.cells.len()).filter(|&cell| other.cells[cell].count_ones() == 1).collect();
            if let Some(&cell) = decided.choose(rng).filter(|_| rng.random_bool(0.5)) {
                // Several letters on one of them: a group.
                other.varied = Some(cell as u8);
                other.cells[cell] |= 1 << game.tiles.choose(rng).expect("a tile");
            }
        }
        // Another order.
        _ => {
            draw_order(game, &mut other, rng);
            other.cells = task.cells.clone();
        }
    }
    if other.boards() > MANY_BOARDS as f64 && other.order.len() + 2 < game.dims.cells() {
        return task.clone();
    }
    other
}

/// The boards of a task, as tiles.
fn boards_of(task: &Task) -> Vec<Vec<u8>> {
    fn fill(task: &Task, board: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
        let at = board.len();
        if at == task.cells.len() {
            all.push(board.clone());
            return;
        }
        for tile in bits(task.cells[at]) {
            board.push(tile as u8);
            let rank = |cell: u8| task.ranks[usize::from(board[usize::from(cell)])];
            let newest = |&&(a, b): &&(u8, u8)| usize::from(a.max(b)) == at;
            if task.order.iter().filter(newest).all(|&(a, b)| rank(a) >= rank(b)) {
                fill(task, board, all);
            }
            board.pop();
        }
    }
    let mut all = Vec::new();
    fill(task, &mut Vec::new(), &mut all);
    all
}

impl BruteForce {
    pub fn new(game: &Game, task: &Task, scorer: &mut Scorer) -> BruteForce {
        let mut score = |tiles: &[u8]| scorer.score(&Board::new(game.dims, tiles));
        let without_decided = |board: &[u8]| -> Vec<u8> {
            let blank = |(cell, &tile): (usize, &u8)| {
                if task.cells[cell].count_ones() == 1 { game.blank } else { tile }
            };
            board.iter().enumerate().map(blank).collect()
        };
        let mut boards: Vec<Scored> = Vec::new();
        let mut rest: Vec<Scored> = Vec::new();
        for board in boards_of(task) {
            rest.push((board.clone(), score(&without_decided(&board))));
            let points = score(&board);
            boards.push((board, points));
        }
        boards.sort_by_key(|b| std::cmp::Reverse(b.1));
        rest.sort_by_key(|b| std::cmp::Reverse(b.1));
        BruteForce { boards, rest }
    }
}

/// A board of a class that scores more than a bound says; `boards` are sorted, the best first.
fn above<'a>(boards: &'a [Scored], cells: &[u32], bound: u64) -> Option<&'a Scored> {
    let lies_in = |b: &&Scored| b.0.iter().zip(cells).all(|(&tile, &mask)| mask >> tile & 1 == 1);
    boards.iter().take_while(|b| b.1 > bound).find(lies_in)
}

/// Checks that a certificate covers its class and that its bounds hold.
fn check_certificate(tree: &Certificate, cells: &[u32], boards: &[Scored], cutoff: u64) {
    match tree {
        Certificate::Prune(bound) => {
            assert_eq!(above(boards, cells, *bound), None, "certificate: bound {bound} of {cells:?}");
            assert!(*bound < cutoff || above(boards, cells, 0).is_none());
        }
        Certificate::Board(score) => {
            // Order constraints may have decided cells that the certificate does not name.
            let lies_in = |b: &&Scored| b.0.iter().zip(cells).all(|(&tile, &mask)| mask >> tile & 1 == 1);
            let held: Vec<&Scored> = boards.iter().filter(lies_in).collect();
            assert!(
                held.len() <= 1 && held.iter().all(|b| b.1 == *score),
                "certificate: {score} of {held:?}"
            );
        }
        Certificate::Divide { cell, parts } => {
            let mut left = cells[*cell];
            for (letters, below) in parts {
                assert_eq!(letters & !left, 0, "certificate: parts are disjoint");
                left &= !letters;
                let mut part = cells.to_vec();
                part[*cell] = *letters;
                check_certificate(below, &part, boards, cutoff);
            }
            let mut part = cells.to_vec();
            part[*cell] = left;
            assert_eq!(above(boards, &part, 0), None, "certificate: letters are missing");
        }
    }
}

/// What a fuzz run did.
#[derive(Default)]
pub(super) struct Tally {
    tasks: u64,
    boards: u64,
    found: u64,
    bounds: u64,
    rests: u64,
    pub paths: Paths,
    digest: DefaultHasher,
}

/// Runs a task and compares what the engine finds and reports with the scores of all boards.
pub(super) fn check_task(
    engine: &mut Engine,
    game: &Game,
    task: &Task,
    truth: &BruteForce,
    tally: &mut Tally,
) {
    let mut observed = 0;
    let mut observer = |cells: &[u32], bound: u64| {
        observed += 1;
        if let Some((board, score)) = above(&truth.boards, cells, bound) {
            let board = Board::new(game.dims, board);
            panic!("bound {bound} of {cells:?} is below {score}, the score of {board}");
        }
    };
    let outcome = engine.run_observed(task, &mut observer);
    let cutoff = engine.cutoff;
    let found: BTreeSet<Scored> = outcome.boards.iter().map(|(b, s)| (b.tiles().to_vec(), *s)).collect();
    assert_eq!(found.len(), outcome.boards.len(), "a board was found twice");
    let wanted: BTreeSet<Scored> = truth.boards.iter().filter(|b| b.1 >= cutoff).cloned().collect();
    assert_eq!(found, wanted, "boards found, and those there are");
    assert!(outcome.largest_pruned < cutoff || cutoff == 0, "{} was pruned", outcome.largest_pruned);
    let missed = truth.boards.iter().find(|b| b.1 < cutoff).map_or(0, |b| b.1);
    assert!(missed <= outcome.largest_pruned, "{missed} is above {}", outcome.largest_pruned);
    if let Some(tree) = &outcome.certificate {
        check_certificate(tree, &task.cells, &truth.boards, cutoff);
    }
    tally.tasks += 1;
    tally.boards += truth.boards.len() as u64;
    tally.found += found.len() as u64;
    tally.bounds += observed;
    tally.paths += &outcome.counters.paths;
    (found, outcome.largest_pruned, outcome.counters.nodes).hash(&mut tally.digest);
}

/// Bounds the words without the decided cells of a task, and returns what engines may use it for: the same
/// task with any letters on those cells. Constraints that tie decided cells are dropped first.
pub(super) fn check_rest(engine: &mut Engine, game: &Game, task: &mut Task, tally: &mut Tally) {
    let decided: Vec<usize> = (0..task.cells.len()).filter(|&c| task.cells[c].count_ones() == 1).collect();
    task.order.retain(|&(a, b)| !decided.contains(&a.into()) && !decided.contains(&b.into()));
    if task.boards() > MANY_BOARDS as f64 {
        return;
    }
    let truth = BruteForce::new(game, task, &mut Scorer::new(&game.lexicon, &game.scoring, game.dims));
    let mut observer = |cells: &[u32], bound: u64| {
        if let Some((board, score)) = above(&truth.rest, cells, bound) {
            panic!("rest: bound {bound} of {cells:?} is below {score} of {board:?}");
        }
    };
    let bound = engine.bound_rest_of(task, Some(&mut observer));
    if let Some(points) = bound {
        let most = truth.rest.first().map_or(0, |b| b.1);
        assert!(points >= most, "rest: {points} is below {most}");
        engine.use_rest(RestBound { cells: decided, points });
        tally.rests += 1;
    }
    bound.hash(&mut tally.digest);
}

/// Whether a bound of the words without the decided cells of a task holds for another: one that differs by its
/// decided letters, or has fewer boards.
fn rest_holds(asked: &Task, task: &Task) -> bool {
    let within = |(&from, &to): (&u32, &u32)| from.count_ones() == 1 || to & !from == 0;
    let same_order = asked.order == task.order && (task.order.is_empty() || asked.ranks == task.ranks);
    same_order && asked.cells.iter().zip(&task.cells).all(within)
}

fn draw_cutoff(boards: &[Scored], rng: &mut ChaCha8Rng) -> u64 {
    let (best, worst) = (boards.first().map_or(1, |b| b.1), boards.last().map_or(0, |b| b.1));
    match rng.random_range(0..10) {
        0 => best.saturating_sub(1),
        1 | 2 => best,
        3 => best + 1,
        4 => rng.random_range(0..3),
        5 => *[65_534, 65_535, 65_536, 65_537].choose(rng).expect("a cutoff"),
        _ => rng.random_range(worst..=best),
    }
}

/// Runs one case.
fn run_case(seed: u64, tally: &mut Tally) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let game = draw_game(rng);
    let mut scorer = Scorer::new(&game.lexicon, &game.scoring, game.dims);
    let mut task = draw_task(&game, rng);
    let mut truth = BruteForce::new(&game, &task, &mut scorer);
    let cutoff = draw_cutoff(&truth.boards, rng);
    // A task that is halved down to single boards prepares for each of them.
    let may_be_halved = game.dims.cells() <= 12 && truth.boards.len() <= 1_000;
    let memory = if may_be_halved && rng.random_bool(0.6) { 1 << rng.random_range(0..22) } else { 2 << 30 };
    let mut options = Options {
        max_memory: memory - usize::from(rng.random_bool(0.5)),
        certificate: rng.random_ratio(1, 8),
        tuning: draw_tuning(rng),
    };
    let tasks = rng.random_range(1..4);
    let knows_rest = rng.random_bool(0.5);
    if knows_rest && rng.random_bool(0.7) {
        // Of few words the rest is often worth as much as the others.
        options.tuning.rest_last_share = rng.random_range(1..3);
        options.certificate = false;
    }
    let mut engine = Engine::new(&game.lexicon, &game.scoring, game.dims, cutoff, options);
    for i in 0..tasks {
        check_task(&mut engine, &game, &task, &truth, tally);
        if i + 1 == tasks {
            break;
        }
        if knows_rest {
            check_rest(&mut engine, &game, &mut task, tally);
        }
        let next = draw_neighbor(&game, &task, rng);
        let asked = std::mem::replace(&mut task, next);
        if !rest_holds(&asked, &task) {
            engine.rest = None;
        }
        truth = BruteForce::new(&game, &task, &mut scorer);
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn random_cases() {
    let (first, cases) = (number("BOGGLEMAX_FUZZ_SEED", 1), number("BOGGLEMAX_FUZZ_CASES", 400));
    let mut tally = Tally::default();
    for seed in first..first + cases {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_case(seed, &mut tally)));
        assert!(
            result.is_ok(),
            "case {seed} failed: BOGGLEMAX_FUZZ_SEED={seed} BOGGLEMAX_FUZZ_CASES=1 runs it again"
        );
    }
    let Tally { tasks, boards, found, bounds, rests, paths, digest } = tally;
    println!(
        "{cases} cases from seed {first}: {tasks} tasks, {boards} boards, {found} at the cutoff, \
         {bounds} bounds, {rests} bounds of the rest, {paths:?}"
    );
    println!("digest {:016x}", digest.finish());
    if cases >= 400 {
        assert_every_path(&paths);
    }
}

/// Asserts that every way of the search was taken.
pub(super) fn assert_every_path(paths: &Paths) {
    let Paths {
        lists,
        narrow_trees,
        wide_trees,
        shared_free,
        free_apart,
        bounded_rests,
        rests_given_up,
        halvings,
        merges,
        restarts,
        braids,
        groups,
        apart_groups,
    } = *paths;
    let all = [
        lists,
        narrow_trees,
        wide_trees,
        shared_free,
        free_apart,
        bounded_rests,
        rests_given_up,
        halvings,
        merges,
        restarts,
        braids,
        groups,
        apart_groups,
    ];
    assert!(all.iter().all(|&count| count > 0), "a way was not taken: {paths:?}");
}
