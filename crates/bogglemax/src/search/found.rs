//! What a walk has found, gathered by word so that each counts once.

use super::gap_graph::GapGraph;
use super::pairs::PairCounter;
use super::walk::cells_of;
use super::{Neighbors, neighbors::pair};
use crate::MAX_TILES;

/// Numbers keys in the order in which they come.
///
/// An open table of places, kept at most half full, beside the dense list of keys: the walk is
/// bound by memory, and dense lists are what fits into the caches.
#[derive(Clone, Debug)]
struct Numbering {
    keys: Vec<u64>,
    /// 1 + the number of a key, or 0. A power of two long.
    places: Vec<u32>,
}

impl Numbering {
    fn new() -> Numbering {
        Numbering { keys: Vec::new(), places: vec![0; 1 << 12] }
    }

    /// Where a key is or would be.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.places[place] {
                0 => return place,
                number if self.keys[number as usize - 1] == key => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// The number of a key, if it has one.
    #[inline]
    fn get(&self, key: u64) -> Option<usize> {
        (self.places[self.place(key)] as usize).checked_sub(1)
    }

    /// The number of a key, and whether it is new.
    #[inline]
    fn number(&mut self, key: u64) -> (usize, bool) {
        let place = self.place(key);
        match self.places[place] {
            0 => {
                self.keys.push(key);
                self.places[place] = self.keys.len() as u32;
                if 2 * self.keys.len() > self.places.len() {
                    self.grow();
                }
                (self.keys.len() - 1, true)
            }
            number => (number as usize - 1, false),
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![0; 2 * self.places.len()];
        for i in 0..self.keys.len() {
            let place = self.place(self.keys[i]);
            self.places[place] = i as u32 + 1;
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.places.fill(0);
    }
}

/// What is known of a word that is on the board or on a board after a swap.
#[derive(Clone, Copy, Debug)]
struct WordFound {
    /// Cells that every placement on the board uses; all cells for a word that is not on it.
    essential: u64,
    letters: u8,
}

/// What a walk has found.
///
/// A set of pairs of cells is `width` words of 64 bits, each pair the bit of its [`pair`] number.
#[derive(Clone, Debug)]
pub(super) struct Found {
    width: usize,
    /// For each cell, the set of pairs that have it.
    touching: Vec<u64>,

    /// Words by their key.
    numbers: Numbering,
    words: Vec<WordFound>,
    /// For each word, the pairs that every placement on the board touches.
    lost: Vec<u64>,
    /// For each word, the pairs whose swap makes a placement that uses one or both of them.
    gained: Vec<u64>,

    /// Changes by the key of the word they make and their letter.
    changes: Numbering,
    /// For each change, the cells that can be changed, and the word's number of letters.
    changed: Vec<(u64, u8)>,

    /// For each number of letters, how many words are lost to and gained by the swap of each pair.
    losses: Vec<PairCounter>,
    gains: Vec<PairCounter>,
}

impl Found {
    pub fn new(graph: &GapGraph, cells: usize) -> Found {
        let width = (cells * (cells - 1) / 2).div_ceil(64).max(1);
        let mut touching = vec![0; cells * width];
        for a in 0..cells {
            for b in (0..cells).filter(|&b| b != a) {
                touching[a * width + pair(a, b) / 64] |= 1 << (pair(a, b) % 64);
            }
        }
        let counters = vec![PairCounter::new(width); graph.points.len()];
        Found {
            width,
            touching,
            numbers: Numbering::new(),
            words: Vec::new(),
            lost: Vec::new(),
            gained: Vec::new(),
            changes: Numbering::new(),
            changed: Vec::new(),
            losses: counters.clone(),
            gains: counters,
        }
    }

    /// The number of a word.
    #[inline]
    pub fn word(&mut self, key: u64, letters: u8) -> usize {
        let (number, new) = self.numbers.number(key);
        if new {
            self.words.push(WordFound { essential: u64::MAX, letters });
            self.lost.resize(self.lost.len() + self.width, u64::MAX);
            self.gained.resize(self.gained.len() + self.width, 0);
        }
        number
    }

    /// The word lies on the board on the cells `used`.
    pub fn on_board(&mut self, word: usize, used: u64) {
        self.words[word].essential &= used;
        for i in 0..self.width {
            let touched = cells_of(used).fold(0, |set, cell| set | self.touching[cell * self.width + i]);
            self.lost[word * self.width + i] &= touched;
        }
    }

    /// The word with this key is on the board after any of the cells `open` is changed to `letter`.
    #[inline]
    pub fn with_change(&mut self, key: u64, letters: u8, letter: u8, open: u64) {
        let (number, new) = self.changes.number(key | u64::from(letter));
        if new {
            self.changed.push((open, letters));
        } else {
            self.changed[number].0 |= open;
        }
    }

    /// The word is on the board after any of the cells `a` is swapped with any of the cells `b`.
    #[inline]
    pub fn with_swap(&mut self, word: usize, a: u64, b: u64) {
        for a in cells_of(a) {
            for b in cells_of(b) {
                let pair = pair(a, b);
                self.gained[word * self.width + pair / 64] |= 1 << (pair % 64);
            }
        }
    }

    /// Turns what was found into scores, and forgets it.
    pub fn settle(&mut self, points: &[u32], scores: &mut Neighbors) {
        self.settle_changes(points, scores);
        self.settle_swaps(points, scores);
        self.numbers.clear();
        self.words.clear();
        self.lost.clear();
        self.gained.clear();
        self.changes.clear();
        self.changed.clear();
    }

    /// S(B with c := l): the words that do not need c on B, and those made by l on c.
    fn settle_changes(&mut self, points: &[u32], scores: &mut Neighbors) {
        let points = |letters: u8| u64::from(points[usize::from(letters)]);
        let mut lost = [0; crate::MAX_CELLS];
        scores.board = 0;
        for word in self.words.iter().filter(|w| w.essential != u64::MAX) {
            scores.board += points(word.letters);
            cells_of(word.essential).for_each(|cell| lost[cell] += points(word.letters));
        }
        for (cell, changes) in scores.changes.chunks_exact_mut(scores.tiles).enumerate() {
            changes.fill(scores.board - lost[cell]);
        }
        for (&key, &(open, letters)) in self.changes.keys.iter().zip(&self.changed) {
            let letter = key % MAX_TILES as u64;
            let lacking = self.numbers.get(key - letter).map_or(u64::MAX, |w| self.words[w].essential);
            for cell in cells_of(open & lacking) {
                scores.changes[cell * scores.tiles + letter as usize] += points(letters);
            }
        }
    }

    fn settle_swaps(&mut self, points: &[u32], scores: &mut Neighbors) {
        let sets = self.lost.chunks_exact(self.width).zip(self.gained.chunks_exact(self.width));
        for (word, (lost, gained)) in self.words.iter().zip(sets) {
            let letters = usize::from(word.letters);
            for i in 0..self.width {
                if word.essential != u64::MAX {
                    self.losses[letters].add(i, lost[i] & !gained[i]);
                } else {
                    self.gains[letters].add(i, gained[i]);
                }
            }
        }
        scores.swaps.fill(scores.board);
        for (letters, &points) in points.iter().enumerate() {
            let points = u64::from(points);
            self.gains[letters].drain(|pair, count| scores.swaps[pair] += points * count);
            self.losses[letters].drain(|pair, count| scores.swaps[pair] -= points * count);
        }
    }
}
