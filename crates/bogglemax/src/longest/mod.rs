//! The best board that holds a word using every cell.
//!
//! Such a board is a word laid along a Hamiltonian path of the shape: [`HamiltonianPaths`] gives
//! them, one of each set of symmetric ones (42,898 on 4x4), and [`longest`] scores every word of the
//! list that has as many tiles as the board has cells on every one of them. Nothing is left out but
//! words whose letters cannot do better than what is known: see `Speller::bound`.
//!
//! That would be 83 million boards on 4x4 with ENABLE2K. But the boards of one word differ only in
//! which positions of the word touch, so thousands of paths are scored together, a bit for each: see
//! `batch`. Along a walk over the word graph the sets of paths shrink, and a walk ends where no
//! path is left.

mod batch;
mod paths;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use paths::HamiltonianPaths;

use crate::dawg::{Dawg, Record};
use crate::{Board, Dims, Error, Lexicon, MAX_TILES, Scoring, Tile};
use batch::{Batch, PATHS, PathSet, Totals};
use paths::bits;

/// The best board that holds a word of some number of letters using every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// How many letters the word has: the board's cells, and one more for every tile of two letters.
    pub letters: usize,
    /// The board, in canonical form. Of several equally good ones the smallest.
    pub board: Board,
    /// Its score.
    pub score: u64,
    /// The word.
    pub word: Vec<Tile>,
}

/// How far a search is.
#[derive(Clone, Debug)]
pub struct LongestProgress {
    /// About how much is done, from 0 to 1.
    pub share: f64,
    /// Boards scored so far.
    pub boards: u64,
    /// The best found so far, by number of letters.
    pub best: Vec<Longest>,
}

/// For every number of letters that a word using every cell can have, the best board holding one;
/// fewest letters first. Works on all cores of the current rayon pool; the result does not depend on
/// their number.
///
/// ```
/// use bogglemax::{Alphabet, Lexicon, Scoring, longest::longest};
///
/// let lexicon = Lexicon::from_words("mine", ["teas", "tea", "seat", "quits", "quit"])?;
/// let best = longest(&lexicon, &Scoring::boggle(), "2x2".parse()?, |_| {})?;
/// assert_eq!(best[0].board.to_string(), "aest");
/// assert_eq!((best[0].letters, best[0].score), (4, 3)); // teas, tea, seat
/// assert_eq!((best[1].letters, best[1].score), (5, 3)); // quits, quit
/// # Ok::<(), bogglemax::Error>(())
/// ```
///
/// # Errors
/// If no word of the list uses every cell, or words may have several spellings.
pub fn longest(
    lexicon: &Lexicon,
    scoring: &Scoring,
    dims: Dims,
    mut observer: impl FnMut(&LongestProgress),
) -> Result<Vec<Longest>, Error> {
    let search = Search::new(lexicon, scoring, dims)?;
    let mut paths = HamiltonianPaths::new(dims);
    loop {
        let batch: Vec<Vec<u8>> = paths.by_ref().take(PATHS).collect();
        if batch.is_empty() {
            break;
        }
        search.run(&Batch::new(dims, batch));
        observer(&search.progress(paths.share()));
    }
    Ok(search.progress(1.0).best)
}

/// What all batches share.
struct Search<'a> {
    dims: Dims,
    speller: Speller<'a>,
    /// The words that use every cell.
    words: Vec<LongWord>,
    /// The kinds of words, by number of letters.
    kinds: Vec<Kind>,
    boards: AtomicU64,
}

struct LongWord {
    tiles: Vec<Tile>,
    kind: usize,
    /// No board of its letters scores more.
    bound: u64,
}

struct Kind {
    letters: usize,
    /// The score of `best`, to be looked at without locking.
    bar: AtomicU64,
    best: Mutex<Option<Longest>>,
}

impl<'a> Search<'a> {
    fn new(lexicon: &'a Lexicon, scoring: &Scoring, dims: Dims) -> Result<Search<'a>, Error> {
        let (mut words, alphabet) = (Vec::new(), lexicon.alphabet());
        if !alphabet.is_unambiguous() {
            return Err(Error::Ambiguous { what: "longest" });
        }
        lexicon.for_each_word(|tiles| {
            if tiles.len() == dims.cells() {
                words.push(tiles.to_vec());
            }
        });
        let mut letters: Vec<usize> = words.iter().map(|w| alphabet.letters(w)).collect();
        letters.sort_unstable();
        letters.dedup();
        if letters.is_empty() {
            return Err(Error::NoLongWord { list: lexicon.name().to_owned(), dims });
        }
        let speller = Speller::new(lexicon, scoring);
        let kind = |tiles: &[Tile]| letters.binary_search(&alphabet.letters(tiles)).expect("a kind a word");
        let word = |tiles: Vec<Tile>| LongWord { kind: kind(&tiles), bound: speller.bound(&tiles), tiles };
        let mut words: Vec<LongWord> = words.into_par_iter().map(word).collect();
        // The most promising first: they raise the bar for the others.
        words.sort_by(|a, b| b.bound.cmp(&a.bound).then_with(|| a.tiles.cmp(&b.tiles)));
        let kind = |letters| Kind { letters, bar: AtomicU64::new(0), best: Mutex::new(None) };
        let kinds = letters.into_iter().map(kind).collect();
        Ok(Search { dims, speller, words, kinds, boards: AtomicU64::new(0) })
    }

    /// Lays every word on every path of a batch.
    fn run(&self, batch: &Batch) {
        let lay = |walk: &mut Walk<'_>, word: &LongWord| {
            let kind = &self.kinds[word.kind];
            if word.bound < kind.bar.load(Ordering::Relaxed) {
                return;
            }
            let (score, paths) = walk.score(&word.tiles);
            self.boards.fetch_add(batch.paths.len() as u64, Ordering::Relaxed);
            if score >= kind.bar.load(Ordering::Relaxed) {
                self.offer(batch, word, score, &paths);
            }
        };
        self.words.par_iter().with_max_len(1).for_each_init(|| Walk::new(&self.speller, batch), lay);
    }

    /// Keeps the best: of equal boards the smallest, of its words the first.
    fn offer(&self, batch: &Batch, word: &LongWord, score: u64, paths: &PathSet) {
        let symmetries = self.dims.symmetries();
        let board = |path: usize| {
            let mut tiles = vec![0; self.dims.cells()];
            batch.paths[path].iter().zip(&word.tiles).for_each(|(&c, &t)| tiles[usize::from(c)] = t);
            Board::new(self.dims, &tiles).canonical_by(&symmetries)
        };
        let Some(board) = paths.iter().map(board).min() else { return };
        let kind = &self.kinds[word.kind];
        let mut best = kind.best.lock().expect("no panic while locked");
        let is_better =
            best.as_ref().is_none_or(|old| (old.score, &board, &word.tiles) < (score, &old.board, &old.word));
        if is_better {
            *best = Some(Longest { letters: kind.letters, board, score, word: word.tiles.clone() });
            kind.bar.store(score, Ordering::Relaxed);
        }
    }

    fn progress(&self, share: f64) -> LongestProgress {
        let best = |kind: &Kind| kind.best.lock().expect("no panic while locked").clone();
        let best = self.kinds.iter().filter_map(best).collect();
        LongestProgress { share, boards: self.boards.load(Ordering::Relaxed), best }
    }
}

/// What is needed to spell words of a list.
struct Speller<'a> {
    dawg: &'a Dawg,
    tile_letters: [u8; MAX_TILES],
    /// Points by number of letters.
    points: Vec<u32>,
}

impl<'a> Speller<'a> {
    fn new(lexicon: &'a Lexicon, scoring: &Scoring) -> Speller<'a> {
        let alphabet = lexicon.alphabet();
        let mut tile_letters = [0; MAX_TILES];
        (0..alphabet.len()).for_each(|t| tile_letters[t] = alphabet.tile_letters(t as Tile) as u8);
        let most = usize::from(*tile_letters.iter().max().expect("an alphabet has tiles"));
        Speller { dawg: lexicon.dawg(), tile_letters, points: scoring.table(most * crate::MAX_CELLS) }
    }

    /// The points of all words that can be made of some of these tiles, wherever they lie. A board
    /// of these tiles holds no other words, so none scores more.
    fn bound(&self, tiles: &[Tile]) -> u64 {
        let mut left = [0; MAX_TILES];
        tiles.iter().for_each(|&t| left[usize::from(t)] += 1);
        self.spend(self.dawg.root(), &mut left, 0)
    }

    fn spend(&self, node: Record, left: &mut [u8; MAX_TILES], letters: usize) -> u64 {
        let mut points = u64::from(node.is_word() * self.points[letters]);
        for tile in bits(node.children.into()).map(usize::from) {
            if left[tile] > 0 {
                left[tile] -= 1;
                let child = self.dawg.records()[node.child(1 << tile)];
                points += self.spend(child, left, letters + usize::from(self.tile_letters[tile]));
                left[tile] += 1;
            }
        }
        points
    }
}

/// Scores one word after another on all paths of a batch.
///
/// Walks the word graph; at each prefix it holds all ways to spell the prefix with positions of the
/// laid word, each with the paths that allow it. So every word is met once, and the paths that hold
/// it are the union over its ways.
struct Walk<'a> {
    speller: &'a Speller<'a>,
    batch: &'a Batch,
    /// Per tile: the positions of the laid word that have it.
    positions: [u64; MAX_TILES],
    /// The laid word's tiles, as a bit mask.
    tiles: u32,
    /// The ways to spell the prefix at hand and its prefixes, by length.
    levels: Vec<Level>,
    totals: Totals,
}

#[derive(Clone, Default)]
struct Level {
    ways: Vec<Way>,
    /// The paths that allow each way.
    paths: Vec<PathSet>,
}

#[derive(Clone, Copy)]
struct Way {
    /// Positions in use.
    used: u64,
    last: u8,
}

impl<'a> Walk<'a> {
    fn new(speller: &'a Speller<'a>, batch: &'a Batch) -> Walk<'a> {
        let levels = vec![Level::default(); batch.paths[0].len() + 1];
        Walk { speller, batch, positions: [0; MAX_TILES], tiles: 0, levels, totals: Totals::new() }
    }

    /// The best score of a word over all paths, and the paths that have it.
    fn score(&mut self, word: &[Tile]) -> (u64, PathSet) {
        self.positions = [0; MAX_TILES];
        word.iter().enumerate().for_each(|(i, &t)| self.positions[usize::from(t)] |= 1 << i);
        self.tiles = word.iter().fold(0, |mask, &t| mask | 1 << t);
        self.totals.clear();
        self.visit(self.speller.dawg.root(), 1, 0);
        self.totals.largest(&self.batch.all)
    }

    /// Goes on from a prefix of `depth` - 1 tiles.
    fn visit(&mut self, node: Record, depth: usize, letters: usize) {
        if depth == self.levels.len() {
            return;
        }
        for tile in bits((node.children & self.tiles).into()).map(usize::from) {
            self.extend(depth, tile);
            if self.levels[depth].ways.is_empty() {
                continue;
            }
            let child = self.speller.dawg.records()[node.child(1 << tile)];
            let letters = letters + usize::from(self.speller.tile_letters[tile]);
            if child.is_word() == 1 {
                let mut holding = self.levels[depth].paths[0];
                self.levels[depth].paths[1..].iter().for_each(|paths| holding.add(paths));
                self.totals.add(&holding, self.speller.points[letters]);
            }
            self.visit(child, depth + 1, letters);
        }
    }

    /// Fills a level with the ways to spell the prefix one `tile` longer.
    fn extend(&mut self, depth: usize, tile: usize) {
        let (shorter, longer) = self.levels.split_at_mut(depth);
        let (shorter, longer) = (&shorter[depth - 1], &mut longer[0]);
        longer.ways.clear();
        longer.paths.clear();
        if depth == 1 {
            for last in bits(self.positions[tile]) {
                longer.ways.push(Way { used: 1 << last, last });
                longer.paths.push(self.batch.all);
            }
            return;
        }
        for (way, paths) in shorter.ways.iter().zip(&shorter.paths) {
            let from = usize::from(way.last);
            for last in bits(self.positions[tile] & self.batch.reach[from] & !way.used) {
                let paths = paths.and(self.batch.touching(from, last.into()));
                if !paths.is_empty() {
                    longer.ways.push(Way { used: way.used | 1 << last, last });
                    longer.paths.push(paths);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
