//! Neighbours a second, against scoring each of the same neighbours with the plain scorer.
//!
//! Climbs once, 4x4 and a pool of 500, and stops at rounds of its beginning, its middle and its end.
//! Of the boards to be expanded there it takes every twentieth, and scores all their neighbours
//! both ways: every score is exact, whether a climb would care or not. Both sides see the same
//! boards in the same run, and what they find is compared.

mod harness;

use std::hint::black_box;

use bogglemax::search::{ClimbOptions, Climber, Space};
use bogglemax::{Board, Dims, Edit, Lexicon, NeighborScorer, Scorer, Scoring};

/// Rounds at which the climb is stopped.
const ROUNDS: [u32; 4] = [1, 4, 8, 14];

fn main() {
    if !harness::wanted("neighbours") {
        return;
    }
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    let dims = Dims::new(4, 4).expect("a shape");
    let climber = Climber::new(&lexicon, &scoring, Space::new(dims, lexicon.alphabet()));
    let mut neighbors = NeighborScorer::new(&lexicon, &scoring, dims);
    let mut scorer = Scorer::new(&lexicon, &scoring, dims);
    println!("round  worst   neighbours   neighbours/s   plain boards/s   ratio");
    for rounds in ROUNDS {
        let pool = climber.climb(&ClimbOptions { rounds, ..Default::default() }, |_| {}).pool;
        let worst = pool[pool.len() - 1].score;
        let boards: Vec<Board> = pool.iter().step_by(20).map(|scored| scored.board).collect();
        let edits: Vec<Vec<Edit>> = boards.iter().map(edits).collect();
        let count: usize = edits.iter().map(Vec::len).sum();
        let mut shared = || {
            let mut sum = 0;
            for (board, edits) in boards.iter().zip(&edits) {
                let scores = neighbors.score(board, 0);
                sum += edits.iter().filter_map(|&edit| scores.get(edit)).sum::<u64>();
            }
            sum
        };
        let mut plain = || {
            let all = boards.iter().zip(&edits);
            all.flat_map(|(board, edits)| edits.iter().map(|e| e.of(board)))
                .map(|b| scorer.score(&b))
                .sum::<u64>()
        };
        assert_eq!(shared(), plain(), "both ways must find the same scores");
        let once = |sum: u64| {
            black_box(sum);
            count
        };
        let c = harness::compare(9, || once(shared()), || once(plain()));
        let (fast, plain, ratio) = (c.ours, c.theirs, c.ratio);
        println!("{rounds:>5} {worst:>6} {count:>12} {fast:>14.0} {plain:>16.0} {ratio:>7.1}");
    }
}

/// All edits that make another board.
fn edits(board: &Board) -> Vec<Edit> {
    let tiles = board.tiles();
    let changes = (0..tiles.len()).flat_map(|cell| (0..26).map(move |tile| Edit::Change { cell, tile }));
    let swaps = (0..tiles.len()).flat_map(|a| (0..a).map(move |b| Edit::Swap(a, b)));
    changes.chain(swaps).filter(|e| e.of(board) != *board).collect()
}
