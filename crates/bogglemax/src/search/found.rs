//! What is found on a board: its words, and those that edits make.

use super::layout::{ByCell, Layout, cells_of};
use super::neighbors::{Neighbors, pair};
use super::pairs::PairCounter;
use super::splits::Splits;
use crate::{MAX_TILES, Tile};

/// A word that is on the board or that a swap puts there.
#[derive(Clone, Copy, Debug)]
struct Word {
    number: u32,
    letters: u8,
    /// The cells that every placement on the board uses: all cells if there is no placement.
    essential: u64,
}

/// What is found on a board.
///
/// A set of pairs of cells is `stride` words of 64 bits, numbered by [`pair`].
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The value of a word by its number of letters.
    points: Vec<u32>,
    stride: usize,
    /// For each cell, the pairs that it is in.
    pairs_with: Vec<u64>,

    /// Behind one that stands for all words not yet met: first those on the board, then others.
    words: Vec<Word>,
    on_board: usize,
    /// For each word number, where it is in `words`; 0 if it has not been met.
    at: Vec<u32>,
    /// For each of `words`, the pairs of which every placement on the board uses a cell: their
    /// swaps may lose the word. Only for those on the board.
    lost: Vec<u64>,
    /// For each of `words`, the pairs whose swap makes a placement of it.
    made: Vec<u64>,

    /// For each letter, the points that changes of each cell to it make.
    changes: Box<[ByCell<u64>; MAX_TILES]>,
    /// For words that have a letter more than once, by the number of that, the cells that make the
    /// word when they change to the letter.
    repeats: Vec<u64>,
    repeats_met: Vec<Repeat>,

    /// By number of letters, in how many words the swap of each pair results, or how many it loses.
    gains: Vec<PairCounter>,
    losses: Vec<PairCounter>,
}

#[derive(Clone, Copy, Debug)]
struct Repeat {
    number: u32,
    letter: Tile,
    letters: u8,
}

/// Marks a set of cells in `repeats` as met, even if it has no cells.
const MET: u64 = 1 << 63;

impl Found {
    pub fn new(splits: &Splits, cells: usize) -> Found {
        let stride = (cells * (cells - 1) / 2).div_ceil(64);
        let mut pairs_with = vec![0; cells * stride];
        for a in 0..cells {
            for b in (0..cells).filter(|&b| b != a) {
                pairs_with[a * stride + pair(a, b) / 64] |= 1 << (pair(a, b) % 64);
            }
        }
        let counters = vec![PairCounter::new(stride); splits.points.len()];
        Found {
            points: splits.points.clone(),
            stride,
            pairs_with,
            words: vec![Word { number: 0, letters: 0, essential: u64::MAX }],
            on_board: 0,
            at: vec![0; splits.letters.len()],
            lost: vec![0; stride],
            made: vec![0; stride],
            changes: Box::new([[0; 64]; MAX_TILES]),
            repeats: vec![0; splits.repeats],
            repeats_met: Vec::new(),
            gains: counters.clone(),
            losses: counters,
        }
    }

    /// A word lies on the board on each of these sets of cells, and in no other way. To be told
    /// before all that edits make.
    pub fn on_board(&mut self, number: u32, letters: u8, placements: impl Iterator<Item = u64>) {
        let start = self.lost.len();
        self.lost.resize(start + self.stride, u64::MAX);
        let mut essential = u64::MAX;
        for used in placements {
            essential &= used;
            for i in 0..self.stride {
                let touched = cells_of(used).fold(0, |m, cell| m | self.pairs_with[cell * self.stride + i]);
                self.lost[start + i] &= touched;
            }
        }
        self.add(number, letters, essential);
        self.on_board += 1;
    }

    fn add(&mut self, number: u32, letters: u8, essential: u64) -> usize {
        let at = self.words.len();
        self.at[number as usize] = at as u32;
        self.words.push(Word { number, letters, essential });
        self.made.resize(self.made.len() + self.stride, 0);
        at
    }

    /// Each of these cells makes a word when it changes to a letter. The same must not be told
    /// twice.
    #[inline]
    pub fn with_change(&mut self, number: u32, letters: u8, letter: Tile, cells: u64) {
        let lacking = cells & self.words[self.at[number as usize] as usize].essential;
        let points = u64::from(self.points[usize::from(letters)]);
        let changes = &mut self.changes[usize::from(letter) % MAX_TILES];
        cells_of(lacking).for_each(|cell| changes[cell] += points);
    }

    /// The same, but it may be told twice. `repeat` tells letters and words apart.
    #[inline]
    pub fn with_repeat(&mut self, repeat: u32, number: u32, letters: u8, letter: Tile, cells: u64) {
        let lacking = cells & self.words[self.at[number as usize] as usize].essential;
        let all = &mut self.repeats[repeat as usize];
        if *all == 0 {
            self.repeats_met.push(Repeat { number: repeat, letter, letters });
        }
        *all |= lacking | MET;
    }

    /// A word lies on the board after any of `cells` is swapped with any of `others`; none of them
    /// are the same.
    #[inline]
    pub fn with_swaps(&mut self, number: u32, letters: u8, cells: u64, others: u64) {
        let mut at = self.at[number as usize] as usize;
        if at == 0 {
            at = self.add(number, letters, u64::MAX);
        }
        let made = &mut self.made[at * self.stride..(at + 1) * self.stride];
        for a in cells_of(cells) {
            for b in cells_of(others) {
                let pair = pair(a, b);
                made[pair / 64] |= 1 << (pair % 64);
            }
        }
    }

    /// Turns what was found into scores, and forgets it.
    pub fn settle(&mut self, board: &Layout, scores: &mut Neighbors) {
        let points = |letters: u8| u64::from(self.points[usize::from(letters)]);
        for Repeat { number, letter, letters } in self.repeats_met.drain(..) {
            let cells = std::mem::take(&mut self.repeats[number as usize]) & !MET;
            let changes = &mut self.changes[usize::from(letter) % MAX_TILES];
            cells_of(cells).for_each(|cell| changes[cell] += points(letters));
        }
        let mut lost: ByCell<u64> = [0; 64];
        scores.board = 0;
        for word in &self.words[1..=self.on_board] {
            scores.board += points(word.letters);
            cells_of(word.essential).for_each(|cell| lost[cell] += points(word.letters));
        }
        for (letter, made) in self.changes.iter_mut().enumerate().take(scores.tiles) {
            for cell in 0..board.count {
                let made = std::mem::take(&mut made[cell]);
                scores.changes[cell * scores.tiles + letter] = scores.board - lost[cell] + made;
            }
        }
        self.settle_swaps(scores);
        self.words.drain(1..).for_each(|word| self.at[word.number as usize] = 0);
        self.on_board = 0;
        self.lost.truncate(self.stride);
        self.made.truncate(self.stride);
    }

    fn settle_swaps(&mut self, scores: &mut Neighbors) {
        let stride = self.stride;
        for (i, word) in self.words.iter().enumerate().skip(1) {
            let made = &self.made[i * stride..(i + 1) * stride];
            if i <= self.on_board {
                let lost = &self.lost[i * stride..(i + 1) * stride];
                let counter = &mut self.losses[usize::from(word.letters)];
                made.iter().zip(lost).enumerate().for_each(|(k, (made, lost))| counter.add(k, lost & !made));
            } else {
                let counter = &mut self.gains[usize::from(word.letters)];
                made.iter().enumerate().for_each(|(k, &made)| counter.add(k, made));
            }
        }
        scores.swaps.fill(scores.board);
        for (letters, &points) in self.points.iter().enumerate() {
            let points = u64::from(points);
            self.gains[letters].drain(|row, bit, count| scores.swaps[row * 64 + bit] += points * count);
        }
        for (letters, &points) in self.points.iter().enumerate() {
            let points = u64::from(points);
            self.losses[letters].drain(|row, bit, count| scores.swaps[row * 64 + bit] -= points * count);
        }
    }
}
