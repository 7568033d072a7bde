//! The scores of all neighbours of a board from shared work.
//!
//! A *neighbour* of a board is what one edit makes of it: one letter changed, or two letters
//! swapped. An edit keeps every word that can be placed without the edited cells, so
//!
//! S(B with c := l) = points of words with a placement on B that does not use c
//! + points of the other words that can be placed through c when it holds l,
//!
//! and likewise for swaps. A word on a neighbour uses one edited cell or both cells of a swap:
//!
//! - One: what comes before that cell and what comes after it, its [head and tail](super::splits),
//!   lie on the board as it is. They are [found](super::parts) once and [brought
//!   together](super::changes), for all cells and all letters at once.
//! - Both: a [walk](super::swaps) puts letters on cells that do not hold them, and goes on to
//!   cells that do.
//!
//! [`Found`] keeps, for every word met, the set of swaps that make it, so that no word is counted
//! twice and every score is exact.

use std::sync::Arc;

use super::change_lanes::LaneMatcher;
use super::changes::{Matcher, Sides, Wanted};
use super::found::Found;
use super::layout::{Layout, letters_of};
use super::parts::Parts;
use super::splits::Splits;
use super::swap_lanes::{LaneWalk, MOST_CELLS};
use super::swaps::{Field, SwapWalk};
use crate::simd::has_lanes;
use crate::{Board, Dims, Lexicon, Scoring, Tile};

/// A step from a board to one of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// A cell gets another letter.
    Change {
        /// The cell.
        cell: usize,
        /// Its new letter.
        tile: Tile,
    },
    /// Two cells exchange their letters.
    Swap(usize, usize),
}

impl Edit {
    /// The neighbour that the edit makes of a board.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn of(self, board: &Board) -> Board {
        let mut edited = *board;
        match self {
            Edit::Change { cell, tile } => edited.set(cell, tile),
            Edit::Swap(a, b) => {
                edited.set(a, board.tiles()[b]);
                edited.set(b, board.tiles()[a]);
            }
        }
        edited
    }
}

/// Scores all neighbours of boards of one shape.
///
/// Holds scratch space: clone it for another thread; the clone shares the words.
///
/// ```
/// use bogglemax::{Board, Edit, Lexicon, NeighborScorer, Scorer, Scoring};
///
/// let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
/// let board = Board::parse("perslatgsineters", None)?;
/// let mut neighbors = NeighborScorer::new(&lexicon, &scoring, board.dims());
/// let mut scorer = Scorer::new(&lexicon, &scoring, board.dims());
///
/// let scores = neighbors.score(&board, 3_300);
/// assert_eq!(scores.board_score(), 3625);
/// for edit in [Edit::Change { cell: 7, tile: 3 }, Edit::Swap(3, 7), Edit::Swap(0, 12)] {
///     let score = scorer.score(&edit.of(&board));
///     assert_eq!(scores.get(edit), (score >= 3_300).then_some(score));
/// }
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NeighborScorer {
    dims: Dims,
    splits: Arc<Splits>,
    board: Layout,
    /// Whether eight numbers are worked at a time. Only on boards of at most [`MOST_CELLS`] cells; where the
    /// processor has no lanes, it takes longer.
    by_lanes: bool,
    wanted: Wanted,
    heads: Parts,
    tails: Parts,
    matcher: Matcher,
    lane_matcher: LaneMatcher,
    swap_walk: SwapWalk,
    lane_walk: LaneWalk,
    found: Found,
    scores: Neighbors,
}

impl NeighborScorer {
    /// Prepares for boards of this shape.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> NeighborScorer {
        let splits = Arc::new(Splits::new(lexicon, scoring, dims.cells()));
        let (board, tiles) = (Layout::new(dims), lexicon.alphabet().len());
        NeighborScorer {
            dims,
            by_lanes: board.count <= MOST_CELLS && has_lanes(),
            wanted: Wanted { free: board.all, letters: u32::MAX >> (32 - tiles) },
            heads: Parts::new(&splits.heads),
            tails: Parts::new(&splits.tails),
            matcher: Matcher::default(),
            lane_matcher: LaneMatcher::default(),
            swap_walk: SwapWalk::default(),
            lane_walk: LaneWalk::default(),
            found: Found::new(&splits, board.count),
            scores: Neighbors::new(dims, tiles),
            splits,
            board,
        }
    }

    /// Leaves out edits of the cells that are not in `free`, and changes to letters that are not
    /// in `letters`; both are bit masks. The scores of edits left out are meaningless.
    #[must_use]
    pub fn restricted(mut self, free: u64, letters: u32) -> NeighborScorer {
        self.wanted.free &= free;
        self.wanted.letters &= letters;
        self
    }

    /// The score of a board, and those of its neighbours that are at least `bar`.
    ///
    /// # Panics
    /// If the board is of another shape.
    pub fn score(&mut self, board: &Board, bar: u64) -> &Neighbors {
        assert_eq!(board.dims(), self.dims);
        match self.board.count {
            ..=MOST_CELLS => self.find::<2>(board.tiles()),
            _ => self.find::<0>(board.tiles()),
        }
        self.scores.bar = bar;
        &self.scores
    }

    /// Finds the words of the board and those that edits make, with `BYTES` bytes of a set of cells as in
    /// [`Found`].
    fn find<const BYTES: usize>(&mut self, tiles: &[Tile]) {
        let NeighborScorer { splits, board, heads, tails, found, .. } = self;
        let NeighborScorer { matcher, lane_matcher, swap_walk, lane_walk, .. } = self;
        board.set(tiles, &splits.letter_of);
        let mut wanted = Wanted { letters: board.on_board, ..self.wanted };
        for tile in letters_of(self.wanted.letters) {
            wanted.letters |= 1 << splits.letter_of[tile as usize];
        }
        heads.find(&splits.heads, board);
        for part in heads.all() {
            if let Some(word) = splits.heads.node(part.node).word.checked_sub(1) {
                let placements = heads.places(part).iter().map(|place| place.used);
                found.on_board::<BYTES>(word, splits.letters[word as usize], placements);
            }
        }
        if wanted.free != 0 {
            tails.find(&splits.tails, board);
            let by_head = Sides { owners: heads, mates: &splits.by_head, others: tails, board, wanted };
            let by_tail = Sides { owners: tails, mates: &splits.by_tail, others: heads, board, wanted };
            let field = Field { heads, splits, board, wanted };
            if self.by_lanes {
                [by_head, by_tail].into_iter().for_each(|sides| lane_matcher.run(sides, found));
                lane_walk.run(field, found);
            } else {
                [by_head, by_tail].into_iter().for_each(|sides| matcher.run::<BYTES>(sides, found));
                swap_walk.run::<BYTES>(field, found);
            }
        }
        found.settle::<BYTES>(&splits.letter_of, &mut self.scores);
    }
}

/// The scores of a board and its neighbours.
#[derive(Clone, Debug)]
pub struct Neighbors {
    cells: usize,
    pub(super) tiles: usize,
    pub(super) board: u64,
    bar: u64,
    /// The score after cell c changes to tile t is at `c * tiles + t`.
    pub(super) changes: Vec<u64>,
    /// By [`pair`].
    pub(super) swaps: Vec<u64>,
}

impl Neighbors {
    fn new(dims: Dims, tiles: usize) -> Neighbors {
        let cells = dims.cells();
        Neighbors {
            cells,
            tiles,
            board: 0,
            bar: 0,
            changes: vec![0; cells * tiles],
            swaps: vec![0; cells * (cells - 1) / 2],
        }
    }

    /// The score of the board itself.
    pub fn board_score(&self) -> u64 {
        self.board
    }

    /// The score of the neighbour that an edit makes, if it is at least the bar. An edit that
    /// changes nothing, such as a swap of equal letters, makes no neighbour, and what it gets here
    /// is meaningless.
    ///
    /// # Panics
    /// If there is no such cell or tile, or a cell is swapped with itself.
    pub fn get(&self, edit: Edit) -> Option<u64> {
        let score = match edit {
            Edit::Change { cell, tile } => {
                assert!(cell < self.cells && usize::from(tile) < self.tiles);
                self.changes[cell * self.tiles + usize::from(tile)]
            }
            Edit::Swap(a, b) => {
                assert!(a != b && a < self.cells && b < self.cells);
                self.swaps[pair(a, b)]
            }
        };
        (score >= self.bar).then_some(score)
    }
}

/// A number for two different cells, in any order: pairs of lower cells come first.
#[inline(always)]
pub(super) const fn pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high - 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scorer;
    use proptest::prelude::*;

    /// Short words over few letters, so that boards are full of repeats and of several placements.
    fn dense_lexicon() -> Lexicon {
        let letters = ["a", "e", "s", "t", "qu"];
        let mut words = Vec::new();
        for length in 3..=5usize {
            for code in 0..letters.len().pow(length as u32) {
                // Leaves out two words of three, by a rule that mixes the digits.
                if (code * 7 + code / 11 + length) % 3 == 0 {
                    let digits = (0..length).map(|i| code / letters.len().pow(i as u32) % letters.len());
                    words.push(digits.map(|d| letters[d]).collect::<String>());
                }
            }
        }
        words.extend(["tests", "quests", "aesthetes", "teases", "settees", "sasses"].map(String::from));
        Lexicon::from_words("dense", words).unwrap()
    }

    /// Compares all neighbours of a board with the plain scorer.
    fn check(lexicon: &Lexicon, scoring: &Scoring, board: &Board) {
        let mut neighbors = NeighborScorer::new(lexicon, scoring, board.dims());
        let mut scorer = Scorer::new(lexicon, scoring, board.dims());
        check_with(&mut neighbors, &mut scorer, board);
    }

    fn check_with(neighbors: &mut NeighborScorer, scorer: &mut Scorer, board: &Board) {
        let cells = board.dims().cells();
        let mut edits: Vec<Edit> = Vec::new();
        for cell in 0..cells {
            edits.extend((0..26).map(|tile| Edit::Change { cell, tile }));
            edits.extend((0..cell).flat_map(|other| [Edit::Swap(cell, other), Edit::Swap(other, cell)]));
        }
        edits.retain(|edit| edit.of(board) != *board);
        let expected: Vec<u64> = edits.iter().map(|edit| scorer.score(&edit.of(board))).collect();
        let mut bars = expected.clone();
        bars.sort_unstable();
        let bars =
            [0, 1].into_iter().chain(bars.get(bars.len() / 2).copied()).chain(bars.last().map(|b| b + 1));
        for (bar, by_lanes) in bars.flat_map(|bar| [(bar, false), (bar, cells <= MOST_CELLS)]) {
            neighbors.by_lanes = by_lanes;
            let scores = neighbors.score(board, bar);
            assert_eq!(scores.board_score(), scorer.score(board), "{board:?}");
            for (&edit, &score) in edits.iter().zip(&expected) {
                assert_eq!(scores.get(edit), (score >= bar).then_some(score), "{board:?} {edit:?} {bar}");
            }
        }
    }

    type Shape = (usize, usize);

    fn small_shapes() -> Vec<Shape> {
        vec![(1, 1), (1, 2), (2, 1), (1, 7), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (6, 1), (2, 6)]
    }

    fn large_shapes() -> Vec<Shape> {
        vec![(4, 5), (3, 6), (5, 5), (1, 33), (6, 6)]
    }

    fn scorings() -> impl Strategy<Value = Scoring> {
        proptest::sample::select(&["boggle", "words", "pow2", "0,0,0,5,0,2,9", "3", "0,0,0,0,1"][..])
            .prop_map(|text| text.parse().unwrap())
    }

    fn board_of(shapes: Vec<Shape>, letters: &'static str) -> impl Strategy<Value = Board> {
        proptest::sample::select(shapes).prop_flat_map(move |(rows, cols)| {
            let dims = Dims::new(rows, cols).unwrap();
            proptest::collection::vec(proptest::sample::select(letters.as_bytes()), dims.cells())
                .prop_map(move |text| Board::new(dims, &text.iter().map(|b| b - b'a').collect::<Vec<_>>()))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn neighbors_score_as_from_scratch_with_many_repeats(
            board in board_of(small_shapes(), "aaeestqx"), scoring in scorings()
        ) {
            check(&dense_lexicon(), &scoring, &board);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn neighbors_of_large_boards_score_as_from_scratch(
            board in board_of(large_shapes(), "aestqbcdfghijkl"), scoring in scorings()
        ) {
            check(&dense_lexicon(), &scoring, &board);
        }
    }

    #[test]
    fn neighbors_score_as_from_scratch_with_real_words() {
        let lexicon = Lexicon::enable2k();
        for scoring in [Scoring::boggle(), Scoring::pow2()] {
            let boards = [
                ("4x4", ["perslatgsineters", "rpqaselinifcoita", "eeesrvrreeesrsrs", "xkqjzvwbyhgfuudd"]),
                ("2x8", ["segsrntreiaeslps", "cineqetnsniasesl", "gesorntreaieslps", "quqeenslitqstaer"]),
            ];
            for (dims, texts) in boards {
                let dims: Dims = dims.parse().unwrap();
                let mut neighbors = NeighborScorer::new(&lexicon, &scoring, dims);
                let mut scorer = Scorer::new(&lexicon, &scoring, dims);
                for text in texts {
                    let board = Board::parse(text, Some(dims)).unwrap();
                    check_with(&mut neighbors, &mut scorer, &board);
                }
            }
        }
    }

    #[test]
    fn large_boards_score_as_from_scratch() {
        let lexicon = Lexicon::from_text("some", include_bytes!("../../../../data/enable2k.txt")).unwrap();
        for (dims, text) in [("5x5", "ligdrmanesietildsracsepes"), ("4x5", "persqlatgisinelterso")] {
            let dims: Dims = dims.parse().unwrap();
            let board = Board::parse(text, Some(dims)).unwrap();
            check(&lexicon, &Scoring::boggle(), &board);
        }
        let dims = Dims::new(6, 6).unwrap();
        let board = Board::parse("xxtestxxxqaseaxxxesttexxxquaexxxtsex", Some(dims)).unwrap();
        check(&dense_lexicon(), &Scoring::words(), &board);
    }

    #[test]
    fn a_list_without_words_scores_nothing() {
        let lexicon = dense_lexicon();
        for text in ["a", "aetsqesta", "perslatgsineters", "ligdrmanesietildsracsepes"] {
            check(&lexicon, &"0".parse().unwrap(), &Board::parse(text, None).unwrap());
        }
    }

    #[test]
    fn restriction_leaves_the_other_scores_alone() {
        let (lexicon, scoring) = (dense_lexicon(), Scoring::boggle());
        let board = Board::parse("aetsqesta", None).unwrap();
        let all = NeighborScorer::new(&lexicon, &scoring, board.dims());
        let (free, letters) = (0b101101110, 0b10_0000_0000_0000_0001);
        let mut some = all.clone().restricted(free, letters);
        let (all, some) = (all.clone().score(&board, 0).clone(), some.score(&board, 0));
        for cell in (0..9).filter(|c| free >> c & 1 == 1) {
            for tile in (0..26).filter(|t| letters >> t & 1 == 1 && *t != board.tiles()[cell]) {
                let edit = Edit::Change { cell, tile };
                assert_eq!(all.get(edit), some.get(edit));
            }
            for other in (0..cell).filter(|o| free >> o & 1 == 1 && board.tiles()[*o] != board.tiles()[cell])
            {
                assert_eq!(all.get(Edit::Swap(cell, other)), some.get(Edit::Swap(cell, other)));
            }
        }
    }
}
