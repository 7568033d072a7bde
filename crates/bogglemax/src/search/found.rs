//! What a walk has found: the words on the board, and what edits would add to them.

use super::gap_graph::GapGraph;
use super::pairs::PairCounter;
use super::walk::cells_of;
use super::{Neighbors, neighbors::pair};
use crate::{MAX_CELLS, MAX_TILES, Tile};

/// Numbers keys in the order in which they come.
///
/// An open table of places, kept at most a quarter full, beside the dense list of keys.
#[derive(Clone, Debug)]
struct Numbering {
    keys: Vec<u64>,
    /// 1 + the number of a key, or 0. A power of two long.
    places: Vec<u32>,
}

impl Numbering {
    fn new() -> Numbering {
        Numbering { keys: Vec::new(), places: vec![0; 1 << 10] }
    }

    /// Where a key is or would be. The high bits of keys are random.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (key >> 32) as usize & mask;
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

    fn add(&mut self, key: u64) {
        let place = self.place(key);
        debug_assert_eq!(self.places[place], 0, "a prefix is met once");
        self.keys.push(key);
        self.places[place] = self.keys.len() as u32;
        if 4 * self.keys.len() > self.places.len() {
            self.places = vec![0; 4 * self.places.len()];
            for i in 0..self.keys.len() {
                let place = self.place(self.keys[i]);
                self.places[place] = i as u32 + 1;
            }
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.places.fill(0);
    }
}

/// A word on the board.
#[derive(Clone, Copy, Debug)]
struct OnBoard {
    /// Cells that every placement uses.
    essential: u64,
    letters: u8,
}

/// A word after an edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    points: u64,
    /// Its number among the words on the board.
    on_board: Option<usize>,
}

/// What a walk has found.
///
/// A set of pairs of cells is `width` words of 64 bits, each pair the bit of its [`pair`] number.
#[derive(Clone, Debug)]
pub(super) struct Found {
    width: usize,
    tiles: usize,
    /// The value of a word by its number of letters.
    points: Vec<u32>,
    /// For each cell, the set of pairs that have it.
    touching: Vec<u64>,

    /// Words on the board by their key.
    numbers: Numbering,
    words: Vec<OnBoard>,
    /// For each word on the board, the pairs that every placement touches.
    lost: Vec<u64>,
    /// For each number of letters, how many words the swap of each pair may lose.
    losses: Vec<PairCounter>,

    /// Points made by changes, as in [`Neighbors`].
    changes: Vec<u64>,
    /// For each letter, the cells whose change to it may have been told the same word twice.
    unsure: [u64; MAX_TILES],
    /// At most the points made by swaps, as in [`Neighbors`].
    swaps: Vec<u64>,
}

impl Found {
    pub fn new(graph: &GapGraph, cells: usize, tiles: usize) -> Found {
        let pairs = cells * (cells - 1) / 2;
        let width = pairs.div_ceil(64).max(1);
        let mut touching = vec![0; cells * width];
        for a in 0..cells {
            for b in (0..cells).filter(|&b| b != a) {
                touching[a * width + pair(a, b) / 64] |= 1 << (pair(a, b) % 64);
            }
        }
        Found {
            width,
            tiles,
            losses: vec![PairCounter::new(width); graph.points.len()],
            points: graph.points.clone(),
            touching,
            numbers: Numbering::new(),
            words: Vec::new(),
            lost: Vec::new(),
            changes: vec![0; cells * tiles],
            unsure: [0; MAX_TILES],
            swaps: vec![0; pairs],
        }
    }

    /// The word with this key lies on the board on each of these sets of cells, and in no other way.
    pub fn on_board(&mut self, key: u64, letters: u8, placements: impl Iterator<Item = u64>) {
        self.numbers.add(key);
        let start = self.lost.len();
        self.lost.resize(start + self.width, u64::MAX);
        let mut essential = u64::MAX;
        for used in placements {
            essential &= used;
            for (i, lost) in self.lost[start..].iter_mut().enumerate() {
                *lost &= cells_of(used).fold(0, |set, cell| set | self.touching[cell * self.width + i]);
            }
        }
        self.words.push(OnBoard { essential, letters });
    }

    /// A word that an edit makes. All words on the board must have been told before.
    #[inline]
    pub fn made(&self, key: u64, letters: u8) -> Made {
        Made { points: u64::from(self.points[usize::from(letters)]), on_board: self.numbers.get(key) }
    }

    /// The word is on the board after any of the cells `open` is changed to `letter`. `again` says
    /// whether the same may be told once more.
    #[inline]
    pub fn with_change(&mut self, word: Made, letter: Tile, open: u64, again: bool) {
        let lacking = open & word.on_board.map_or(u64::MAX, |w| self.words[w].essential);
        for cell in cells_of(lacking) {
            self.changes[cell * self.tiles + usize::from(letter)] += word.points;
        }
        if again {
            self.unsure[usize::from(letter) % MAX_TILES] |= lacking;
        }
    }

    /// The word is on the board after any of the cells `open` is swapped with `cell`.
    #[inline]
    pub fn with_swap(&mut self, word: Made, open: u64, cell: usize) {
        for other in cells_of(open) {
            let pair = pair(cell, other);
            let lacking =
                word.on_board.is_none_or(|w| self.lost[w * self.width + pair / 64] >> (pair % 64) & 1 == 1);
            self.swaps[pair] += if lacking { word.points } else { 0 };
        }
    }

    /// Turns what was found into scores or bounds on them, and forgets it.
    pub fn settle(&mut self, scores: &mut Neighbors) {
        let mut lost = [0; MAX_CELLS];
        scores.board = 0;
        for (word, sets) in self.words.iter().zip(self.lost.chunks_exact(self.width)) {
            let points = u64::from(self.points[usize::from(word.letters)]);
            scores.board += points;
            cells_of(word.essential).for_each(|cell| lost[cell] += points);
            let counter = &mut self.losses[usize::from(word.letters)];
            sets.iter().enumerate().for_each(|(i, &set)| counter.add(i, set));
        }
        let kept = lost.iter().flat_map(|lost| std::iter::repeat_n(scores.board - lost, self.tiles));
        for ((score, made), kept) in scores.changes.iter_mut().zip(&mut self.changes).zip(kept) {
            *score = kept + std::mem::take(made);
        }
        for (score, made) in scores.swaps.iter_mut().zip(&mut self.swaps) {
            *score = scores.board + std::mem::take(made);
        }
        for (counter, &points) in self.losses.iter_mut().zip(&self.points) {
            counter.drain(|pair, count| {
                if let Some(score) = scores.swaps.get_mut(pair) {
                    *score -= u64::from(points) * count;
                }
            });
        }
        scores.unsure = std::mem::replace(&mut self.unsure, [0; MAX_TILES]);
        self.numbers.clear();
        self.words.clear();
        self.lost.clear();
    }
}
