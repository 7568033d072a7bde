//! What a walk has found: the words on the board, and what edits would add to them.

use super::gap_graph::GapGraph;
use super::pairs::PairCounter;
use super::walk::{ByCell, cells_of};
use super::{Neighbors, neighbors::pair};
use crate::{MAX_TILES, Tile};

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
#[derive(Clone, Debug)]
pub(super) struct Found {
    cells: usize,
    all: u64,
    /// The value of a word by its number of letters.
    points: Vec<u32>,

    /// Words on the board by their key.
    numbers: Numbering,
    words: Vec<OnBoard>,
    /// For each word on the board and each cell a, the cells b such that every placement uses a or
    /// b: the swap of a and b may lose the word.
    lost: Vec<u64>,
    /// For each number of letters, how many words the swap of each two cells may lose.
    losses: Vec<PairCounter>,

    /// For each letter, the points that changes of each cell to it make.
    changes: Box<[ByCell<u64>; MAX_TILES]>,
    /// For each letter, the cells whose change to it may have been told the same word twice.
    unsure: [u64; MAX_TILES],
    /// At most the points that the swap of two cells makes is the sum over both orders of them.
    swaps: Box<ByCell<ByCell<u64>>>,
}

impl Found {
    pub fn new(graph: &GapGraph, cells: usize) -> Found {
        Found {
            cells,
            all: (1 << cells) - 1,
            losses: vec![PairCounter::new(cells); graph.points.len()],
            points: graph.points.clone(),
            numbers: Numbering::new(),
            words: Vec::new(),
            lost: Vec::new(),
            changes: Box::new([[0; 64]; MAX_TILES]),
            unsure: [0; MAX_TILES],
            swaps: Box::new([[0; 64]; 64]),
        }
    }

    /// The word with this key lies on the board on each of these sets of cells, and in no other way.
    pub fn on_board(&mut self, key: u64, letters: u8, placements: impl Iterator<Item = u64>) {
        self.numbers.add(key);
        let start = self.lost.len();
        self.lost.resize(start + self.cells, self.all);
        let mut essential = self.all;
        for used in placements {
            essential &= used;
            for (cell, lost) in self.lost[start..].iter_mut().enumerate() {
                *lost &= used | 0u64.wrapping_sub(used >> cell & 1);
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
        let letter = usize::from(letter) % MAX_TILES;
        for cell in cells_of(lacking) {
            self.changes[letter][cell] += word.points;
        }
        if again {
            self.unsure[letter] |= lacking;
        }
    }

    /// The word is on the board after any of the cells `open` is swapped with `cell`.
    #[inline]
    pub fn with_swap(&mut self, word: Made, open: u64, cell: usize) {
        let lacking = open & word.on_board.map_or(u64::MAX, |w| self.lost[w * self.cells + cell]);
        for other in cells_of(lacking) {
            self.swaps[cell % 64][other] += word.points;
        }
    }

    /// Turns what was found into scores or bounds on them, and forgets it.
    pub fn settle(&mut self, scores: &mut Neighbors) {
        let mut lost: ByCell<u64> = [0; 64];
        scores.board = 0;
        for (word, rows) in self.words.iter().zip(self.lost.chunks_exact(self.cells)) {
            let points = u64::from(self.points[usize::from(word.letters)]);
            scores.board += points;
            cells_of(word.essential).for_each(|cell| lost[cell] += points);
            let counter = &mut self.losses[usize::from(word.letters)];
            rows.iter().enumerate().for_each(|(a, &row)| counter.add(a, row & ((1 << a) - 1)));
        }
        let board = scores.board;
        for (letter, made) in self.changes.iter_mut().enumerate().take(scores.tiles) {
            for cell in 0..self.cells {
                let made = std::mem::take(&mut made[cell]);
                scores.changes[cell * scores.tiles + letter] = board - lost[cell] + made;
            }
        }
        for a in 0..self.cells {
            for b in 0..a {
                scores.swaps[pair(a, b)] = board + self.swaps[a][b] + self.swaps[b][a];
            }
        }
        self.swaps[..self.cells].iter_mut().for_each(|row| row[..self.cells].fill(0));
        for (counter, &points) in self.losses.iter_mut().zip(&self.points) {
            counter.drain(|a, b, count| scores.swaps[pair(a, b)] -= u64::from(points) * count);
        }
        scores.unsure = std::mem::replace(&mut self.unsure, [0; MAX_TILES]);
        self.numbers.clear();
        self.words.clear();
        self.lost.clear();
    }
}
