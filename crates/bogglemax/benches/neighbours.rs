//! Neighbours a second, against scoring each of the same neighbours with the plain scorer.
//!
//! Climbs once, 4x4 and a pool of 500, and stops at rounds of its beginning, its middle and its end.
//! Of the boards to be expanded there it takes every twentieth, with the bar that a neighbour must
//! reach to enter the pool, and scores all their neighbours both ways. Both sides see the same boards
//! in the same run, and what reaches the bar is compared.

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
    println!("round    bar   neighbours   at bar   neighbours/s   plain boards/s   ratio");
    for rounds in ROUNDS {
        let pool = climber.climb(&ClimbOptions { rounds, ..Default::default() }, |_| {}).pool;
        let bar = pool[pool.len() - 1].score;
        let boards: Vec<Board> = pool.iter().step_by(20).map(|scored| scored.board).collect();
        let edits: Vec<Vec<Edit>> = boards.iter().map(edits).collect();
        let count: usize = edits.iter().map(Vec::len).sum();
        let mut walk = || {
            let mut reached = Reached::default();
            for (board, edits) in boards.iter().zip(&edits) {
                let scores = neighbors.score(board, bar);
                edits.iter().filter_map(|&edit| scores.get(edit)).for_each(|score| reached.add(score));
            }
            reached
        };
        let mut plain = || {
            let mut reached = Reached::default();
            for (board, edits) in boards.iter().zip(&edits) {
                let scores = edits.iter().map(|edit| scorer.score(&edit.of(board)));
                scores.filter(|&score| score >= bar).for_each(|score| reached.add(score));
            }
            reached
        };
        let reached = walk();
        assert_eq!(reached, plain(), "both ways must find the same neighbours");
        let once = |reached: Reached| {
            black_box(reached);
            count
        };
        let c = harness::compare(5, || once(walk()), || once(plain()));
        let (at_bar, fast, plain, ratio) = (reached.count, c.ours, c.theirs, c.ratio);
        println!("{rounds:>5} {bar:>6} {count:>12} {at_bar:>8} {fast:>14.0} {plain:>16.0} {ratio:>7.1}");
    }
}

/// What reached the bar.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reached {
    count: u64,
    sum: u64,
}

impl Reached {
    fn add(&mut self, score: u64) {
        (self.count, self.sum) = (self.count + 1, self.sum + score);
    }
}

/// All edits that make another board.
fn edits(board: &Board) -> Vec<Edit> {
    let tiles = board.tiles();
    let changes = (0..tiles.len()).flat_map(|cell| (0..26).map(move |tile| Edit::Change { cell, tile }));
    let swaps = (0..tiles.len()).flat_map(|a| (0..a).map(move |b| Edit::Swap(a, b)));
    changes.chain(swaps).filter(|e| e.of(board) != *board).collect()
}
