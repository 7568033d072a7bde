//! Instruction counts under valgrind: the same on every run, where wall clocks are not.

use std::hint::black_box;

use bogglemax::{Board, Lexicon, Scorer, Scoring};
use gungraun::{library_benchmark, library_benchmark_group, main};

fn scorer(board: &str) -> (Scorer, Board) {
    let board = Board::parse(board, None).unwrap();
    let mut scorer = Scorer::new(&Lexicon::enable2k(), &Scoring::boggle(), board.dims());
    scorer.score(&board); // its scratch space is allocated now
    (scorer, board)
}

#[library_benchmark]
#[bench::best_4x4(args = ("perslatgsineters"), setup = scorer)]
#[bench::random_4x4(args = ("hiohethttbishenf"), setup = scorer)]
#[bench::repeats_4x4(args = ("eeesrvrreeesrsrs"), setup = scorer)]
#[bench::best_5x5(args = ("ligdrmanesietildsracsepes"), setup = scorer)]
fn score((mut scorer, board): (Scorer, Board)) -> u64 {
    black_box(scorer.score(&board))
}

library_benchmark_group!(name = scores, benchmarks = [score]);

main!(library_benchmark_groups = scores);
