//! Neighbours a second, against scoring each of the same neighbours with the plain scorer.
//!
//! Prints both rates and their ratio for boards as a climb meets them: random ones at its start,
//! half-climbed ones, and those near the top. Both sides score the same boards in one run, and
//! their scores are compared.

use std::time::{Duration, Instant};

use bogglemax::{Board, Dims, Edit, Lexicon, NeighborScorer, Scorer, Scoring, Tile};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TOP: [&str; 6] = [
    "perslatgsineters",
    "segsrntreiaeslps",
    "gepsnaletireseds",
    "aresstapenildres",
    "cinslateperidsng",
    "sdesrtnreaiespls",
];

fn main() {
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    let dims = Dims::new(4, 4).expect("a shape");
    let mut neighbors = NeighborScorer::new(&lexicon, &scoring, dims);
    let mut scorer = Scorer::new(&lexicon, &scoring, dims);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let top: Vec<Board> = TOP.iter().map(|t| Board::parse(t, None).expect("a board")).collect();
    let halfway: Vec<Board> = top.iter().cycle().take(24).map(|b| spoiled(b, 3, &mut rng)).collect();
    let random: Vec<Board> = (0..60).map(|_| random_board(dims, &mut rng)).collect();
    println!("boards     mean score   neighbours   neighbours/s   plain boards/s   ratio");
    for (name, boards) in [("random", random), ("halfway", halfway), ("top", top)] {
        let edits: Vec<Vec<Edit>> = boards.iter().map(edits).collect();
        let count: usize = edits.iter().map(Vec::len).sum();
        let mut fast_sum = 0u64;
        let fast = rate(count, || {
            fast_sum = 0;
            for (board, edits) in boards.iter().zip(&edits) {
                let scores = neighbors.score(board);
                fast_sum += edits.iter().map(|&e| scores.get(e)).sum::<u64>();
            }
        });
        let mut plain_sum = 0u64;
        let plain = rate(count, || {
            plain_sum = 0;
            for (board, edits) in boards.iter().zip(&edits) {
                plain_sum += edits.iter().map(|e| scorer.score(&e.of(board))).sum::<u64>();
            }
        });
        assert_eq!(fast_sum, plain_sum, "both ways must give the same scores");
        let mean = boards.iter().map(|b| scorer.score(b)).sum::<u64>() / boards.len() as u64;
        println!("{name:8} {mean:>12} {count:>12} {fast:>14.0} {plain:>16.0} {:>7.1}", fast / plain);
    }
}

/// How many of `count` things a second `f` does, by the best of the rounds that fit in two seconds.
fn rate(count: usize, mut f: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while best == Duration::MAX || begin.elapsed() < Duration::from_secs(2) {
        let round = Instant::now();
        f();
        best = best.min(round.elapsed());
    }
    count as f64 / best.as_secs_f64()
}

/// All edits that make another board.
fn edits(board: &Board) -> Vec<Edit> {
    let tiles = board.tiles();
    let changes = (0..tiles.len()).flat_map(|cell| (0..26).map(move |tile| Edit::Change { cell, tile }));
    let swaps = (0..tiles.len()).flat_map(|a| (0..a).map(move |b| Edit::Swap(a, b)));
    changes.chain(swaps).filter(|e| e.of(board) != *board).collect()
}

fn random_board(dims: Dims, rng: &mut ChaCha8Rng) -> Board {
    let tiles: Vec<Tile> = (0..dims.cells()).map(|_| rng.random_range(0..26)).collect();
    Board::new(dims, &tiles)
}

fn spoiled(board: &Board, changes: usize, rng: &mut ChaCha8Rng) -> Board {
    (0..changes).fold(*board, |b, _| {
        Edit::Change { cell: rng.random_range(0..board.dims().cells()), tile: rng.random_range(0..26) }.of(&b)
    })
}
