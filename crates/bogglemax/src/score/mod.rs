//! Scores of single boards: S, M and D of the paper, and the words themselves.
//!
//! [`kernel`] finds S fast; it is what heuristics call millions of times. [`walk`] finds every word
//! with its placements, from which M, D and the list of words follow.

mod kernel;
mod walk;

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::dawg::Dawg;
use crate::{Alphabet, Board, Dims, Lexicon, Scoring, Tile};
use kernel::Kernel;
use walk::Walk;

/// Which of the paper's three counts of a board's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Count {
    /// S(B): every word counts once. The score of the game.
    #[default]
    Score,
    /// M(B), multi-boggle: a word counts once for every path.
    Multi,
    /// D(B), de-duplicated: a word counts once for every set of cells it can be formed on.
    Dedup,
}

/// Scores boards of one shape under one word list and scoring.
///
/// It holds scratch space, hence `&mut self`: no call allocates once the first boards have been
/// scored. Clone it for another thread; clones share the words.
///
/// ```
/// use bogglemax::{Board, Lexicon, Scorer, Scoring};
///
/// let board = Board::parse("eeesrvrreeesrsrs", None)?;
/// let mut scorer = Scorer::new(&Lexicon::enable2k(), &Scoring::boggle(), board.dims());
/// assert_eq!(scorer.score(&board), 189);
/// assert_eq!(scorer.multi(&board), 21_953);
/// assert_eq!(scorer.dedup(&board), 13_253);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scorer {
    dims: Dims,
    game: Game,
    kernel: Kernel,
}

/// What a scorer must know of word list and scoring.
#[derive(Clone, Debug)]
struct Game {
    dawg: Arc<Dawg>,
    /// Points by number of letters; masked indices stay inside.
    points: [u32; POINTS],
    /// Letters each tile spells.
    tile_letters: [u32; crate::MAX_TILES],
    /// Where words may have several spellings: the alphabet they are spelled with.
    ambiguous: Option<Alphabet>,
}

/// More than the letters that the tiles of the largest board spell (36 cells, three letters each).
const POINTS: usize = 128;

impl Game {
    fn new(lexicon: &Lexicon, scoring: &Scoring) -> Game {
        let alphabet: &Alphabet = lexicon.alphabet();
        let mut tile_letters = [0; crate::MAX_TILES];
        for (tile, letters) in tile_letters.iter_mut().enumerate().take(alphabet.len()) {
            *letters = alphabet.tile_letters(tile as Tile) as u32;
        }
        let points = std::array::from_fn(|letters| scoring.points(letters));
        let ambiguous = (!alphabet.is_unambiguous()).then(|| alphabet.clone());
        Game { dawg: Arc::clone(lexicon.dawg()), points, tile_letters, ambiguous }
    }

    /// The alphabet, if some word may have two spellings on this board: if two of its tiles begin
    /// with the same letter. Where no two do, the letters of a word determine its tiles one after
    /// the other.
    fn spells_twice(&self, board: &Board) -> Option<&Alphabet> {
        let alphabet = self.ambiguous.as_ref()?;
        let on_board = board.tiles().iter().fold(0u32, |mask, &t| mask | 1 << t);
        let alike = board.tiles().iter().any(|&t| alphabet.alike(t) & on_board != 0);
        alike.then_some(alphabet)
    }
}

/// A word on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundWord {
    /// Its tiles.
    pub tiles: Vec<Tile>,
    /// What it is worth.
    pub points: u32,
    /// The cells of one of its paths, in the order of its tiles.
    pub path: Vec<u8>,
}

impl Scorer {
    /// Prepares for boards of this shape. Cheap: the words are shared with the lexicon.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Scorer {
        Scorer { dims, game: Game::new(lexicon, scoring), kernel: Kernel::new(dims) }
    }

    /// S(B): every word counts once.
    ///
    /// # Panics
    /// This and the other methods, if the board has another shape than the scorer.
    pub fn score(&mut self, board: &Board) -> u64 {
        self.check(board);
        match self.game.spells_twice(board) {
            None => self.kernel.score(&self.game, board.tiles()),
            Some(_) => self.solve(board).iter().map(|word| u64::from(word.points)).sum(),
        }
    }

    /// M(B): every path counts.
    pub fn multi(&mut self, board: &Board) -> u64 {
        self.count(board, Count::Multi)
    }

    /// D(B): a word counts once for every set of cells it can be formed on.
    pub fn dedup(&mut self, board: &Board) -> u64 {
        self.count(board, Count::Dedup)
    }

    /// S, M or D.
    pub fn count(&mut self, board: &Board, count: Count) -> u64 {
        self.check(board);
        let mut total = 0u64;
        match count {
            Count::Score => return self.score(board),
            Count::Multi => Walk::new(&self.game, board).run(&mut |found| {
                total = total.saturating_add(found.paths().saturating_mul(found.points().into()));
            }),
            Count::Dedup => match self.game.spells_twice(board) {
                None => Walk::new(&self.game, board).run(&mut |found| {
                    total += found.cell_sets() * u64::from(found.points());
                }),
                // Two spellings of a word can lie on the same cells.
                Some(alphabet) => {
                    let mut seen = HashSet::new();
                    Walk::new(&self.game, board).run(&mut |found| {
                        let word = alphabet.text(found.tiles());
                        let new = found.each_cell_set().filter(|&set| seen.insert((word.clone(), set)));
                        total += new.count() as u64 * u64::from(found.points());
                    });
                }
            },
        }
        total
    }

    /// Every word on the board, once, with one of its spellings and paths; in alphabetical order of
    /// tiles. Words worth nothing are listed too.
    pub fn solve(&mut self, board: &Board) -> Vec<FoundWord> {
        self.check(board);
        let (mut words, mut seen) = (Vec::new(), HashSet::new());
        let spells_twice = self.game.spells_twice(board);
        Walk::new(&self.game, board).run(&mut |found| {
            if spells_twice.is_some_and(|alphabet| !seen.insert(alphabet.text(found.tiles()))) {
                return;
            }
            words.push(FoundWord {
                tiles: found.tiles().to_vec(),
                points: found.points(),
                path: found.path(),
            });
        });
        words
    }

    /// One of the counts for many boards, on all cores of the current rayon pool, in order.
    pub fn count_all(&self, boards: &[Board], count: Count) -> Vec<u64> {
        let each = |scorer: &mut Scorer, board: &Board| scorer.count(board, count);
        boards.par_iter().with_min_len(64).map_init(|| self.clone(), each).collect()
    }

    fn check(&self, board: &Board) {
        assert_eq!(board.dims(), self.dims, "this scorer is for {} boards", self.dims);
    }
}

#[cfg(test)]
mod tests;
