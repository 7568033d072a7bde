//! The paper's engine on real classes, against the known list of all 3x3 boards of 500 points or more.

use std::collections::BTreeSet;

use rayon::prelude::*;

use bogglemax::{Board, BoardClass, Bucketing, Buckets, Dims, Lexicon, Scoring, paper};

const CUTOFF: u64 = 500;

/// The 42 boards with their scores, as `board: score` lines.
fn known() -> BTreeSet<(Board, u64)> {
    let line = |line: &str| {
        let (board, score) = line.split_once(": ").unwrap();
        (Board::parse(board, None).unwrap().canonical(), score.parse().unwrap())
    };
    include_str!("data/boards.3x3.enable2k.500.txt").lines().map(line).collect()
}

fn engine(dims: Dims) -> paper::Engine {
    let options = paper::Options::default();
    paper::Engine::new(&Lexicon::enable2k(), &Scoring::boggle(), dims, CUTOFF, options).unwrap()
}

/// The class of a board when every cell has four buckets.
fn class_of(board: &Board) -> BoardClass {
    let buckets = Buckets::paper(4).unwrap();
    let set = |tile: &u8| *buckets.masks().iter().find(|&mask| mask >> tile & 1 == 1).unwrap();
    BoardClass::new(board.dims(), &board.tiles().iter().map(set).collect::<Vec<_>>())
}

/// A class holds exactly those forms of the known boards that lie in it.
#[test]
fn classes_of_known_boards_hold_the_known_boards() {
    let known = known();
    let mut engine = engine("3x3".parse().unwrap());
    for text in ["deslatper", "patlesser", "linsagter"] {
        let class = class_of(&Board::parse(text, None).unwrap());
        let forms = known.iter().flat_map(|&(board, score)| {
            let symmetries = board.dims().symmetries();
            symmetries.into_iter().map(move |s| (board.moved(&s), score))
        });
        let expected: BTreeSet<(Board, u64)> = forms.filter(|(board, _)| class.contains(board)).collect();
        assert!(!expected.is_empty());
        let found: BTreeSet<(Board, u64)> = engine.run(&class).unwrap().boards.into_iter().collect();
        assert_eq!(found, expected, "{text}");
    }
}

/// The whole of 3x3: half a minute on one core with optimisation.
#[test]
fn all_classes_of_3x3_hold_exactly_the_known_boards() {
    let dims: Dims = "3x3".parse().unwrap();
    let (engine, classes) = (engine(dims), paper::tasks(dims).unwrap());
    let run = |engine: &mut paper::Engine, id: usize| {
        let outcome = engine.run(&classes.get(id).unwrap()).unwrap();
        assert!(u64::from(outcome.largest_pruned) < CUTOFF);
        outcome.boards.into_iter().map(|(board, score)| (board.canonical(), score)).collect::<Vec<_>>()
    };
    let ids = (0..classes.len()).into_par_iter().with_max_len(1);
    let found: BTreeSet<(Board, u64)> = ids.map_init(|| engine.clone(), run).flatten().collect();
    assert_eq!(found, known());
}

/// All boards of a small shape, whatever the buckets: the tasks leave nothing out.
#[test]
fn small_shapes_are_searched_whole() {
    let (lexicon, scoring, dims) = (Lexicon::enable2k(), Scoring::boggle(), Dims::new(1, 4).unwrap());
    let words = |cutoff| {
        let mut engine =
            paper::Engine::new(&lexicon, &scoring, dims, cutoff, paper::Options::default()).unwrap();
        let mut found = BTreeSet::new();
        for class in Bucketing::paper(dims).classes().unwrap().iter() {
            found.extend(engine.run(&class).unwrap().boards.iter().map(|(board, _)| board.canonical()));
        }
        found
    };
    let mut scorer = bogglemax::Scorer::new(&lexicon, &scoring, dims);
    let any = BoardClass::new(dims, &[u32::MAX >> 6; 4]);
    let expected: BTreeSet<Board> =
        any.boards().filter(|b| scorer.score(b) >= 3).map(|board| board.canonical()).collect();
    assert!(expected.len() > 10);
    assert_eq!(words(3), expected);
}
