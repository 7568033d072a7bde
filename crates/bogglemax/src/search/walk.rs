//! One walk over the words that meets every word on every neighbour of a board.
//!
//! A neighbour differs from the board B in the letter of one cell, or in two cells that exchange
//! their letters. A word on a neighbour lies on B but for at most one changed cell, or but for two
//! cells that exchange their letters. The walk goes down the trie once, and at every prefix holds
//! all its *stands*: the ways to lay the prefix on B, of four kinds.
//!
//! - [`Plain`]: all letters are on B.
//! - [`Half`]: one cell, the first, holds the letter of another, its partner, which must come later
//!   with the letter of the first.
//! - [`Done`]: two cells have exchanged their letters.
//! - [`Open`]: one letter of the prefix is on no cell yet. The cell that is to hold it stays open:
//!   a mask of the cells that touch both sides and are not used, so that one stand serves all of
//!   them; and the gaps of a [`GapTrie`] serve all letters at once.
//!
//! Swaps of which a word uses only one of the two cells need no stand of their own: such a word is
//! one with a change of that cell to the letter of a cell it does not use.
//!
//! Going down the trie with all stands of a prefix, rather than over the board with one of them,
//! visits each node once, in the order of memory. The walk is bound by memory: this, and the layout
//! of the [`GapTrie`], is what makes it fast.

use super::gap_trie::{GapTrie, NO_WORD, NONE, WordIndex};
use crate::{Dims, MAX_CELLS, MAX_TILES, Tile};

/// What a [`Walk`] tells of the words it meets. The same word may be told many times.
pub(super) trait Tally {
    /// `word` lies on the board as these stands.
    fn on_board(&mut self, word: WordIndex, stands: &[Plain]);

    /// `word` is on the board after any of the cells `open`, none of which holds `letter`, is
    /// changed to `letter`.
    fn with_change(&mut self, word: WordIndex, letter: Tile, open: u64);

    /// `word` is on the board after any of the cells `a` is swapped with any of the cells `b`.
    /// No cell is in both.
    fn with_swap(&mut self, word: WordIndex, a: u64, b: u64);
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
}

impl Cells {
    pub fn new(dims: Dims) -> Cells {
        let count = dims.cells();
        let mut cells =
            Cells { count, all: (1 << count) - 1, near: [0; MAX_CELLS], near2: [0; MAX_CELLS] };
        for cell in 0..count {
            cells.near[cell] = dims.neighbor_mask(cell);
            cells.near2[cell] = dims.neighbors(cell).fold(0, |mask, n| mask | dims.neighbor_mask(n));
        }
        cells
    }
}

/// A way to lay a prefix on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The cells it uses.
    pub used: u64,
    /// The cells on which the next letter may lie.
    next: u64,
    /// The cells on which the letter after next may lie.
    beyond: u64,
}

#[derive(Clone, Copy, Debug)]
struct Half {
    used: u64,
    next: u64,
    /// The cells, none of them used, with one of which the first exchanges its letter.
    partners: u64,
    first: u8,
    /// The letter of the first on the board.
    wanted: Tile,
}

#[derive(Clone, Copy, Debug)]
struct Done {
    used: u64,
    next: u64,
    first: u8,
    second: u8,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    used: u64,
    next: u64,
    /// The cells that may hold the letter left out; never empty.
    open: u64,
}

/// The stands of all prefixes on the way down, those of the longest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Stands {
    plain: Vec<Plain>,
    half: Vec<Half>,
    done: Vec<Done>,
    open: Vec<Open>,
}

/// Where the stands of a prefix begin in [`Stands`]; they go on to the end.
#[derive(Clone, Copy)]
struct From {
    plain: usize,
    half: usize,
    done: usize,
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
    /// How many of each letter the prefix leaves. Swaps make no difference to it.
    left: [u8; MAX_TILES],
    /// The letters of which any are left.
    any_left: u32,
    stands: &'a mut Stands,
    tally: &'a mut T,
}

/// Takes the cells out of a mask one by one.
#[inline]
pub(super) fn cells_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let cell = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            cell
        })
    })
}

impl<'a, T: Tally> Walk<'a, T> {
    pub fn new(
        trie: &'a GapTrie,
        cells: &'a Cells,
        tiles: &[Tile],
        stands: &'a mut Stands,
        tally: &'a mut T,
    ) -> Self {
        let mut walk = Walk {
            trie,
            cells,
            free: cells.all,
            letters: u32::MAX,
            tiles: [0; MAX_CELLS],
            holders: [0; MAX_TILES],
            left: [0; MAX_TILES],
            any_left: 0,
            stands,
            tally,
        };
        walk.tiles[..tiles.len()].copy_from_slice(tiles);
        for (cell, &tile) in tiles.iter().enumerate() {
            walk.holders[usize::from(tile)] |= 1 << cell;
            walk.left[usize::from(tile)] += 1;
            walk.any_left |= 1 << tile;
        }
        walk
    }

    /// Leaves out edits of other cells than `free` and changes to other letters than `letters` or
    /// those of the board, which come to other cells by swaps anyway.
    pub fn restricted(mut self, free: u64, letters: u32) -> Self {
        self.free = free;
        self.letters = letters | self.any_left;
        self
    }

    pub fn run(mut self) {
        self.stands.plain.push(Plain { used: 0, next: self.cells.all, beyond: self.cells.all });
        self.prefix(0, From { plain: 0, half: 0, done: 0 });
        self.stands.plain.clear();
    }

    #[inline]
    fn take(&mut self, letter: Tile) {
        let left = &mut self.left[usize::from(letter)];
        *left -= 1;
        if *left == 0 {
            self.any_left &= !(1 << letter);
        }
    }

    #[inline]
    fn put_back(&mut self, letter: Tile) {
        self.left[usize::from(letter)] += 1;
        self.any_left |= 1 << letter;
    }

    /// The stands of the prefix `node` are the last of each kind.
    fn prefix(&mut self, node: u32, from: From) {
        let trie = self.trie;
        if self.stands.plain.len() > from.plain {
            self.leave_open(node, from.plain);
        }
        let mut child = trie.nodes[node as usize].first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            if self.any_left >> to.letter & 1 == 1 {
                self.take(to.letter);
                // One letter that is not left may still come with a change.
                let missing = to.need & !self.any_left;
                if missing & missing.wrapping_sub(1) == 0 {
                    self.step(child, from, missing == 0);
                }
                self.put_back(to.letter);
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// Goes on to a child.
    fn step(&mut self, child: u32, from: From, all_left: bool) {
        let to = &self.trie.nodes[child as usize];
        let (plain, half, done) =
            (self.stands.plain.len(), self.stands.half.len(), self.stands.done.len());
        if all_left {
            self.step_exchanges(child, from);
        }
        let holders = self.holders[usize::from(to.letter)];
        for i in from.plain..plain {
            let at = self.stands.plain[i];
            for cell in cells_of(holders & at.next) {
                let used = at.used | 1 << cell;
                let (next, beyond) = (self.cells.near[cell] & !used, self.cells.near2[cell] & !used);
                self.stands.plain.push(Plain { used, next, beyond });
            }
        }
        let (plains, dones) = (&self.stands.plain[plain..], &self.stands.done[done..]);
        if to.word != NO_WORD {
            if !plains.is_empty() {
                self.tally.on_board(to.word, plains);
            }
            for at in dones {
                self.tally.with_swap(to.word, 1 << at.first, 1 << at.second);
            }
        }
        if !plains.is_empty() || !dones.is_empty() || self.stands.half.len() > half {
            self.prefix(child, From { plain, half, done });
            self.stands.plain.truncate(plain);
            self.stands.half.truncate(half);
            self.stands.done.truncate(done);
        }
    }

    /// Goes on to a child with the stands that exchange two cells.
    fn step_exchanges(&mut self, child: u32, from: From) {
        let to = &self.trie.nodes[child as usize];
        let Stands { plain, half, done, .. } = &mut *self.stands;
        let holders = self.holders[usize::from(to.letter)];
        let (halves, dones) = (half.len(), done.len());
        for i in from.done..dones {
            let at = done[i];
            for cell in cells_of(holders & at.next) {
                let used = at.used | 1 << cell;
                done.push(Done { used, next: self.cells.near[cell] & !used, ..at });
            }
        }
        for i in from.half..halves {
            let at = half[i];
            if at.wanted == to.letter {
                for cell in cells_of(at.partners & at.next) {
                    let used = at.used | 1 << cell;
                    let next = self.cells.near[cell] & !used;
                    done.push(Done { used, next, first: at.first, second: cell as u8 });
                }
            }
            if to.below >> at.wanted & 1 == 1 {
                for cell in cells_of(holders & at.next) {
                    let (used, partners) = (at.used | 1 << cell, at.partners & !(1 << cell));
                    if partners != 0 {
                        half.push(Half { used, next: self.cells.near[cell] & !used, partners, ..at });
                    }
                }
            }
        }
        if to.below & self.any_left == 0 {
            return;
        }
        for at in &plain[from.plain..] {
            let partners = holders & !at.used & self.free;
            if partners != 0 {
                for cell in cells_of(at.next & self.free & !holders) {
                    let wanted = self.tiles[cell];
                    if to.below >> wanted & 1 == 1 {
                        let used = at.used | 1 << cell;
                        let next = self.cells.near[cell] & !used;
                        half.push(Half { used, next, partners, first: cell as u8, wanted });
                    }
                }
            }
        }
    }

    /// Leaves the letter after a prefix out.
    fn leave_open(&mut self, node: u32, plain: usize) {
        let Stands { plain: plains, open, .. } = &mut *self.stands;
        for at in &plains[plain..] {
            let cells = at.next & self.free;
            if cells != 0 {
                open.push(Open { used: at.used, next: at.beyond, open: cells });
            }
        }
        self.gap::<true>(node, 0);
        self.stands.open.clear();
    }

    /// One letter is left out, and the stands from `from` on are those of the prefix. At the
    /// `FRONT` of the gap the next letter must touch the open cell, not the last one used.
    fn gap<const FRONT: bool>(&mut self, gap: u32, from: usize) {
        let trie = self.trie;
        let at = &trie.gaps[gap as usize];
        if self.stands.open.len() == from {
            return;
        }
        if at.only != NONE {
            if self.letters >> at.skipped & 1 == 1 {
                self.gap_only::<FRONT>(at.only, at.skipped, from);
            }
            return;
        }
        if at.ends != NONE {
            let mut i = at.ends as usize;
            loop {
                let end = &trie.ends[i];
                self.change(end.word, end.skipped, from);
                if end.last {
                    break;
                }
                i += 1;
            }
        }
        let mut child = at.first;
        while child != NONE {
            let to = &trie.gaps[child as usize];
            if self.any_left >> to.letter & 1 == 1 {
                self.take(to.letter);
                if to.need & !self.any_left == 0 {
                    let start = self.step_open::<FRONT>(to.letter, from);
                    self.gap::<false>(child, start);
                    self.stands.open.truncate(start);
                }
                self.put_back(to.letter);
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// [`gap`](Walk::gap) where only one letter fits.
    fn gap_only<const FRONT: bool>(&mut self, node: u32, skipped: Tile, from: usize) {
        let trie = self.trie;
        let at = &trie.nodes[node as usize];
        if self.stands.open.len() == from {
            return;
        }
        if at.word != NO_WORD {
            self.change(at.word, skipped, from);
        }
        let mut child = at.first;
        while child != NONE {
            let to = &trie.nodes[child as usize];
            if self.any_left >> to.letter & 1 == 1 {
                self.take(to.letter);
                if to.need & !self.any_left == 0 {
                    let start = self.step_open::<FRONT>(to.letter, from);
                    self.gap_only::<false>(child, skipped, start);
                    self.stands.open.truncate(start);
                }
                self.put_back(to.letter);
            }
            child = if to.last { NONE } else { child + 1 };
        }
    }

    /// Goes on to a letter with the stands from `from` on; gives where the new ones begin.
    #[inline]
    fn step_open<const FRONT: bool>(&mut self, letter: Tile, from: usize) -> usize {
        let (holders, stands) = (self.holders[usize::from(letter)], &mut self.stands.open);
        let start = stands.len();
        for i in from..start {
            let at = stands[i];
            for cell in cells_of(holders & at.next) {
                let near = self.cells.near[cell];
                let open = at.open & if FRONT { near } else { !(1 << cell) };
                if open != 0 {
                    let used = at.used | 1 << cell;
                    stands.push(Open { used, next: near & !used, open });
                }
            }
        }
        start
    }

    /// The word is complete but for `letter`.
    #[inline]
    fn change(&mut self, word: WordIndex, letter: Tile, from: usize) {
        if self.letters >> letter & 1 == 0 {
            return;
        }
        let holders = self.holders[usize::from(letter)];
        let stands = &self.stands.open[from..];
        let open = stands.iter().fold(0, |mask, at| mask | at.open) & !holders;
        if open != 0 {
            self.tally.with_change(word, letter, open);
        }
        if holders & self.free != 0 {
            for at in stands {
                let (open, partners) = (at.open & !holders, holders & self.free & !at.used);
                if open != 0 && partners != 0 {
                    self.tally.with_swap(word, open, partners);
                }
            }
        }
    }
}
