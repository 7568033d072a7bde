//! The paper's engine and the fast one find the same boards.
//!
//! They share the word list, the scorer of single boards and nothing else: one keeps no words and
//! converges to D(B), the other keeps them and converges to S(B).

use std::collections::BTreeSet;

use bogglemax::{Board, BoardClass, Dims, Lexicon, Scorer, Scoring, paper, prove};

/// A generator of numbers that need not be good.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    /// Letter sets around a good board: every cell keeps its letter, some get more.
    fn class(&mut self, board: &Board, more: usize) -> Vec<u32> {
        let mut cells: Vec<u32> = board.tiles().iter().map(|&t| 1 << t).collect();
        for _ in 0..more {
            let cell = self.below(cells.len());
            cells[cell] |= 1 << self.below(26);
        }
        cells
    }
}

/// Both engines on classes around boards, with cutoffs around the best score of the class.
fn compare(boards: &[&str], classes: usize, more: usize, seed: u64) {
    let (lexicon, mut draw) = (Lexicon::enable2k(), Draw(seed));
    let (mut searched, mut found) = (0.0, 0);
    for scoring in ["boggle", "words"] {
        let scoring: Scoring = scoring.parse().unwrap();
        for i in 0..classes {
            let text = boards[i % boards.len()];
            let dims: Dims = match text.len() {
                9 => "3x3".parse().unwrap(),
                12 => "3x4".parse().unwrap(),
                _ => "4x4".parse().unwrap(),
            };
            let board = Board::parse(text, Some(dims)).unwrap();
            let cells = draw.class(&board, more);
            let score = Scorer::new(&lexicon, &scoring, dims).score(&board);
            let cutoff = score * (60 + draw.below(50) as u64) / 100;

            let options = paper::Options::default();
            let mut paper = paper::Engine::new(&lexicon, &scoring, dims, cutoff, options).unwrap();
            let theirs = paper.run(&BoardClass::new(dims, &cells)).unwrap().boards;
            let mut fast = prove::Engine::new(&lexicon, &scoring, dims, cutoff, prove::Options::default());
            let task = prove::Task::of_class(&cells);
            let ours = fast.run(&task).boards;
            let set = |boards: Vec<(Board, u64)>| boards.into_iter().collect::<BTreeSet<_>>();
            searched += task.boards();
            found += ours.len();
            assert_eq!(set(ours), set(theirs), "{dims} {cells:?} {cutoff}");
        }
    }
    println!("{} classes with {searched:.3e} boards, {found} found", 2 * classes);
    assert!(found > 0);
}

const SMALL: [&str; 3] = ["deslatper", "patlesser", "linsagter"];
const MIDDLE: [&str; 2] = ["dnisetalsrep", "repslatesind"];
const LARGE: [&str; 3] = ["perslatgsineters", "segsrntreiaeslps", "gepsnaletireseds"];

#[test]
fn agree_on_random_classes() {
    compare(&SMALL, 6, 30, 1);
    compare(&MIDDLE, 4, 30, 2);
    compare(&LARGE, 3, 24, 3);
}

/// `cargo test --release -p bogglemax --test engines -- --ignored --nocapture`: larger classes, some
/// minutes.
#[test]
#[ignore = "takes minutes"]
fn agree_on_larger_classes() {
    compare(&SMALL, 20, 90, 4);
    compare(&MIDDLE, 12, 80, 5);
    compare(&LARGE, 8, 60, 6);
}
