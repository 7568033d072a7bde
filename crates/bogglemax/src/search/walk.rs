//! One walk over a board that meets every word on every neighbour of it.
//!
//! A neighbour differs from the board B in the letter of one cell, or in two cells that exchange
//! their letters. A word on a neighbour lies on B but for at most one changed cell, or but for two
//! cells that exchange their letters. So the walk follows, from every prefix that it matches on B,
//! three branches, and reports to a [`Tally`]:
//!
//! - **prefix**: the next letter is on B. Words that end are on B itself ([`Tally::on_board`]).
//! - **gap**: the next letter is on no cell yet, and the rest is on B. The cell that is to hold it
//!   stays open: a mask of the cells that touch both sides and are not used elsewhere, so that
//!   one walk serves all of them, and [`GapTrie`] serves all letters
//!   ([`Tally::with_change`]).
//! - **exchange**: the next letter l is put on cell c, and a cell d that holds l on B must come
//!   later with the letter of c ([`Tally::with_swap`]).
//!
//! Swaps of which a word uses only one of the two cells need no branch: such a word is one with a
//! change of that cell to the letter of a cell it does not use.

use super::gap_trie::{GapTrie, NO_WORD, NONE, WordIndex};
use crate::{Dims, MAX_CELLS, MAX_TILES, Tile};

/// What a [`Walk`] tells of the words it meets. The same word may be told many times.
pub(super) trait Tally {
    /// `word` lies on the cells `used` of the board.
    fn on_board(&mut self, word: WordIndex, used: u64);

    /// `word` lies on the cells `used` and one of the cells `open`, if that one is changed to
    /// `letter`, which it does not hold now. `partners` are cells that hold `letter` and are not
    /// used: after a swap with any of them the word is there too.
    fn with_change(&mut self, word: WordIndex, letter: Tile, open: u64, partners: u64);

    /// `word` uses the cells `a` and `b`, if they exchange their letters.
    fn with_swap(&mut self, word: WordIndex, a: usize, b: usize);
}

/// The cells of a shape: what a walk needs to know of it.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub count: usize,
    pub all: u64,
    /// The neighbours of each cell.
    near: [u64; MAX_CELLS],
    /// The cells that share a neighbour with each cell.
    near2: [u64; MAX_CELLS],
    /// All cells but this one.
    but: [u64; MAX_CELLS],
}

impl Cells {
    pub fn new(dims: Dims) -> Cells {
        let count = dims.cells();
        let mut cells = Cells {
            count,
            all: (1 << count) - 1,
            near: [0; MAX_CELLS],
            near2: [0; MAX_CELLS],
            but: [0; MAX_CELLS],
        };
        for cell in 0..count {
            cells.near[cell] = dims.neighbor_mask(cell);
            cells.near2[cell] = dims.neighbors(cell).fold(0, |mask, n| mask | dims.neighbor_mask(n));
            cells.but[cell] = cells.all & !(1 << cell);
        }
        cells
    }
}

/// A walk over one board.
pub(super) struct Walk<'a, T> {
    trie: &'a GapTrie,
    cells: &'a Cells,
    /// The cells that may change.
    free: u64,
    /// The letters a cell may get.
    letters: u32,
    tiles: [Tile; MAX_CELLS],
    /// The cells that hold each letter.
    holders: [u64; MAX_TILES],
    tally: &'a mut T,
}

/// Where a walk stands: how far it has come, and what is left.
#[derive(Clone, Copy)]
struct At {
    /// The cells on which the next letter may lie.
    next: u64,
    /// The cells that are used up.
    used: u64,
    /// The letters of the cells that are not used up.
    left: u32,
}

impl<'a, T: Tally> Walk<'a, T> {
    pub fn new(
        trie: &'a GapTrie,
        cells: &'a Cells,
        free: u64,
        letters: u32,
        tiles: &[Tile],
        tally: &'a mut T,
    ) -> Self {
        let mut padded = [0; MAX_CELLS];
        padded[..tiles.len()].copy_from_slice(tiles);
        let mut holders = [0; MAX_TILES];
        for (cell, &tile) in tiles.iter().enumerate() {
            holders[usize::from(tile)] |= 1 << cell;
        }
        // Letters on the board come to other cells by swaps.
        let letters = tiles.iter().fold(letters, |mask, &t| mask | 1 << t);
        Walk { trie, cells, free, letters, tiles: padded, holders, tally }
    }

    pub fn run(&mut self) {
        let left = self.tiles[..self.cells.count].iter().fold(0, |mask, &t| mask | 1 << t);
        let at = At { next: self.cells.all, used: 0, left };
        self.prefix(0, at, self.cells.all);
    }

    /// Where the walk stands when one of the cells that hold `letter` is used up. Which one makes
    /// no difference to what is left.
    #[inline]
    fn left_without(&self, letter: Tile, at: &At) -> u32 {
        let holders = self.holders[usize::from(letter)] & !at.used;
        if holders & holders.wrapping_sub(1) == 0 { at.left & !(1 << letter) } else { at.left }
    }

    /// The letters so far are on the board. `beyond` are the cells from which the walk may go on
    /// when it leaves a cell open.
    fn prefix(&mut self, node: u32, at: At, beyond: u64) {
        let trie = self.trie;
        let open = at.next & self.free;
        if open != 0 {
            self.gap(node, At { next: beyond & !at.used, ..at }, open, &self.cells.near);
            self.exchange(node, at);
        }
        let mut child = trie.nodes[node as usize].first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            let mut cells = self.holders[usize::from(to.letter)] & at.next;
            if cells != 0 {
                let left = self.left_without(to.letter, &at);
                // One letter that is not left may still come with a change.
                let missing = to.need & !left;
                if missing & missing.wrapping_sub(1) == 0 {
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        let used = at.used | 1 << cell;
                        if to.word != NO_WORD {
                            self.tally.on_board(to.word, used);
                        }
                        let next = self.cells.near[cell] & !used;
                        self.prefix(child, At { next, used, left }, self.cells.near2[cell]);
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// One letter is left out, to stand on one of the cells `open`. Going on to a cell keeps
    /// those of them that `keep` has for it.
    fn gap(&mut self, gap: u32, at: At, open: u64, keep: &'a [u64; MAX_CELLS]) {
        let trie = self.trie;
        let from = &trie.gaps[gap as usize];
        if from.only != NONE {
            let open = open & !self.holders[usize::from(from.skipped)];
            if open != 0 && self.letters >> from.skipped & 1 == 1 {
                self.gap_only(from.only, from.skipped, at, open, keep);
            }
            return;
        }
        if from.ends != NONE {
            let mut i = from.ends as usize;
            loop {
                let end = &trie.ends[i];
                self.change(end.word, end.skipped, open, at.used);
                if end.last {
                    break;
                }
                i += 1;
            }
        }
        let mut child = from.first;
        while child != NONE {
            let to = &trie.gaps[child as usize];
            let mut cells = self.holders[usize::from(to.letter)] & at.next;
            if cells != 0 {
                let left = self.left_without(to.letter, &at);
                if to.need & !left == 0 {
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        let open = open & keep[cell];
                        if open != 0 {
                            let used = at.used | 1 << cell;
                            let next = self.cells.near[cell] & !used;
                            self.gap(child, At { next, used, left }, open, &self.cells.but);
                        }
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// [`gap`](Walk::gap) where only one letter fits.
    fn gap_only(&mut self, node: u32, skipped: Tile, at: At, open: u64, keep: &'a [u64; MAX_CELLS]) {
        let trie = self.trie;
        let from = &trie.nodes[node as usize];
        if from.word != NO_WORD {
            self.change(from.word, skipped, open, at.used);
        }
        let mut child = from.first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            let mut cells = self.holders[usize::from(to.letter)] & at.next;
            if cells != 0 {
                let left = self.left_without(to.letter, &at);
                if to.need & !left == 0 {
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        let open = open & keep[cell];
                        if open != 0 {
                            let used = at.used | 1 << cell;
                            let next = self.cells.near[cell] & !used;
                            self.gap_only(child, skipped, At { next, used, left }, open, &self.cells.but);
                        }
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    #[inline]
    fn change(&mut self, word: WordIndex, letter: Tile, open: u64, used: u64) {
        let holders = self.holders[usize::from(letter)];
        let open = open & !holders;
        if open != 0 && self.letters >> letter & 1 == 1 {
            self.tally.with_change(word, letter, open, holders & !used & self.free);
        }
    }

    /// The next letter is put on a cell that holds another, and a cell that holds it must come
    /// later with that other letter.
    fn exchange(&mut self, node: u32, at: At) {
        let trie = self.trie;
        let mut child = trie.nodes[node as usize].first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            let holders = self.holders[usize::from(to.letter)];
            let partners = holders & !at.used & self.free;
            if partners != 0 {
                // The cell keeps its letter for its partner, which gives this one for it.
                let left = self.left_without(to.letter, &at);
                if to.need & !left == 0 {
                    let mut cells = at.next & self.free & !holders;
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        if to.below >> self.tiles[cell] & 1 == 1 {
                            let used = at.used | 1 << cell;
                            let next = self.cells.near[cell] & !used;
                            self.exchange_half(child, At { next, used, left }, cell, partners);
                        }
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// Cell `first` holds the letter of one of the `partners`, which are not used up: one of them
    /// must come with the letter of `first`, which therefore is left all the while.
    fn exchange_half(&mut self, node: u32, at: At, first: usize, partners: u64) {
        let trie = self.trie;
        let wanted = self.tiles[first];
        let mut child = trie.nodes[node as usize].first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            if to.letter == wanted {
                self.exchange_second(child, &at, first, partners & at.next);
            }
            let mut cells = self.holders[usize::from(to.letter)] & at.next;
            if cells != 0 && to.below >> wanted & 1 == 1 {
                let left = self.left_without(to.letter, &at) | 1 << wanted;
                if to.need & !left == 0 {
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        let partners = partners & self.cells.but[cell];
                        if partners != 0 {
                            let used = at.used | 1 << cell;
                            let next = self.cells.near[cell] & !used;
                            self.exchange_half(child, At { next, used, left }, first, partners);
                        }
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// The letter of cell `first` is put on one of the cells `seconds`.
    #[inline]
    fn exchange_second(&mut self, node: u32, at: &At, first: usize, mut seconds: u64) {
        let letter = self.tiles[first];
        let gone = self.holders[usize::from(letter)] & !at.used == 0;
        let left = if gone { at.left & !(1 << letter) } else { at.left };
        if self.trie.nodes[node as usize].need & !left != 0 {
            return;
        }
        while seconds != 0 {
            let second = seconds.trailing_zeros() as usize;
            seconds &= seconds - 1;
            let used = at.used | 1 << second;
            let next = self.cells.near[second] & !used;
            self.exchange_done(node, At { next, used, left }, first, second);
        }
    }

    /// Both cells of the swap are used up; the rest is on the board.
    fn exchange_done(&mut self, node: u32, at: At, first: usize, second: usize) {
        let trie = self.trie;
        let from = &trie.nodes[node as usize];
        if from.word != NO_WORD {
            self.tally.with_swap(from.word, first, second);
        }
        let mut child = from.first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            let mut cells = self.holders[usize::from(to.letter)] & at.next;
            if cells != 0 {
                let left = self.left_without(to.letter, &at);
                if to.need & !left == 0 {
                    while cells != 0 {
                        let cell = cells.trailing_zeros() as usize;
                        cells &= cells - 1;
                        let used = at.used | 1 << cell;
                        let next = self.cells.near[cell] & !used;
                        self.exchange_done(child, At { next, used, left }, first, second);
                    }
                }
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }
}
