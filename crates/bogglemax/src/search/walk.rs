//! One walk over the words that meets every word on every neighbour of a board.
//!
//! A neighbour differs from the board B in the letter of one cell, or in two cells that exchange
//! their letters. A word on a neighbour lies on B but for at most one changed cell, or but for two
//! cells that exchange their letters. The walk goes down the word graph once, and at every prefix
//! holds all its *stands*: the ways to lay the prefix on B, of three kinds.
//!
//! - [`Plain`]: all letters are on B.
//! - [`Open`]: one letter of the prefix is on no cell yet. The cell that is to hold it stays open:
//!   a mask of the cells that touch both sides and are not used, so that one stand serves all of
//!   them; and a [gap](super::gap_graph) serves all letters at once.
//! - [`Swapped`]: two cells have exchanged their letters. Such a stand comes from an open one: the
//!   next letter x of the word is put on a cell that does not hold it; then the open cell must be
//!   one that does, and the letter left out is the one the other cell gave.
//!
//! Swaps of which a word uses only one of the two cells need no stand of their own: such a word is
//! one with a change of that cell to the letter of a cell it does not use.
//!
//! Going down the graph with all stands of a prefix, rather than over the board with one of them,
//! looks at each prefix once. The walk is bound by memory more than by anything else.

use std::ops::Range;

use super::found::Found;
use super::gap_graph::{ANY, GapEdge, GapGraph, NONE, Spelled};
use crate::{Dims, MAX_TILES, Tile};

/// The cells of a shape: what a walk needs to know of it.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub count: usize,
    pub all: u64,
    /// The neighbours of each cell.
    near: ByCell<u64>,
    /// The cells that share a neighbour with each cell.
    near2: ByCell<u64>,
}

/// Something for each cell, as long as a mask has bits: the compiler sees that no index that comes
/// out of a mask is too large.
pub(super) type ByCell<V> = [V; 64];

impl Cells {
    pub fn new(dims: Dims) -> Cells {
        let count = dims.cells();
        let mut cells = Cells { count, all: (1 << count) - 1, near: [0; 64], near2: [0; 64] };
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
struct Swapped {
    used: u64,
    next: u64,
    /// The cells that have exchanged their letters.
    cells: [u8; 2],
    /// The letter that was left out and is now on the first of them.
    letter: Tile,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    used: u64,
    next: u64,
    /// The cells that may hold the letter left out; never empty.
    open: u64,
}

/// The stands of all strings on the way down, those of the longest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Stands {
    plain: Vec<Plain>,
    open: Vec<Open>,
    swapped: Vec<Swapped>,
}

/// Where the stands of a string with a gap begin in [`Stands`]; they go on to the end.
#[derive(Clone, Copy)]
struct From {
    open: usize,
    swapped: usize,
    /// The cells on which the next letter of any of them may lie if they hold it.
    next: u64,
    /// The cells that any of them leaves open: they can take part in a swap if they hold the next
    /// letter.
    firsts: u64,
}

/// A string of which one letter is left out.
#[derive(Clone, Copy)]
struct Gapped {
    string: Spelled,
    /// How many tiles come before the letter left out.
    before: u8,
    /// The letters of which any are left.
    any_left: u32,
}

/// A walk over one board.
pub(super) struct Walk<'a> {
    graph: &'a GapGraph,
    cells: &'a Cells,
    /// The cells that may change.
    free: u64,
    /// The letters a cell may get.
    letters: u32,
    /// The letters on the board.
    on_board: u32,
    tiles: ByCell<Tile>,
    /// The cells that hold each letter.
    holders: [u64; MAX_TILES],
    /// How many of each letter the string leaves. Swaps make no difference to it.
    left: [u8; MAX_TILES],
    stands: &'a mut Stands,
    found: &'a mut Found,
}

/// Takes the cells out of a mask one by one.
#[inline]
pub(super) fn cells_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let cell = mask.trailing_zeros() as usize & 63;
            mask &= mask - 1;
            cell
        })
    })
}

impl<'a> Walk<'a> {
    pub fn new(
        graph: &'a GapGraph,
        cells: &'a Cells,
        tiles: &[Tile],
        stands: &'a mut Stands,
        found: &'a mut Found,
    ) -> Self {
        let mut walk = Walk {
            graph,
            cells,
            free: cells.all,
            letters: u32::MAX,
            on_board: 0,
            tiles: [0; 64],
            holders: [0; MAX_TILES],
            left: [0; MAX_TILES],
            stands,
            found,
        };
        walk.tiles[..tiles.len()].copy_from_slice(tiles);
        for (cell, &tile) in tiles.iter().enumerate() {
            walk.holders[usize::from(tile)] |= 1 << cell;
            walk.left[usize::from(tile)] += 1;
            walk.on_board |= 1 << tile;
        }
        walk
    }

    /// Leaves out edits of other cells than `free` and changes to other letters than `letters` or
    /// those of the board, which come to other cells by swaps anyway.
    pub fn restricted(mut self, free: u64, letters: u32) -> Self {
        self.free = free;
        self.letters = letters | self.on_board;
        self
    }

    pub fn run(mut self) {
        if self.graph.edges.is_empty() {
            return;
        }
        self.stands.plain.push(Plain { used: 0, next: self.cells.all, beyond: self.cells.all });
        // Edits are told after all words on the board.
        self.prefix::<false>(0, Spelled::default(), self.on_board, 0);
        if self.free != 0 {
            self.prefix::<true>(0, Spelled::default(), self.on_board, 0);
        }
        self.stands.plain.clear();
    }

    /// The cells that hold a letter.
    #[inline]
    fn holders(&self, letter: Tile) -> u64 {
        self.holders[usize::from(letter) % MAX_TILES]
    }

    /// Takes a letter of those that are left; gives which are left then.
    #[inline]
    fn take(&mut self, letter: Tile, any_left: u32) -> u32 {
        let left = &mut self.left[usize::from(letter) % MAX_TILES];
        *left -= 1;
        any_left & !(u32::from(*left == 0) << letter)
    }

    #[inline]
    fn put_back(&mut self, letter: Tile) {
        self.left[usize::from(letter) % MAX_TILES] += 1;
    }

    /// The plain stands from `from` on, of which there are some, are those of `prefix`, and its
    /// first edge is `first`. With `EDITS` tells of the words that edits make, else of those on
    /// the board.
    fn prefix<const EDITS: bool>(&mut self, first: u32, prefix: Spelled, any_left: u32, from: usize) {
        let graph = self.graph;
        if EDITS {
            self.leave_open(&graph.gap_of[first as usize], prefix, any_left, from);
        }
        for edge in &graph.edges[first as usize..] {
            if any_left >> edge.letter & 1 == 1 {
                let any_left = self.take(edge.letter, any_left);
                // With an edit one letter may come that is not left.
                let missing = edge.need & !any_left;
                let enough = if EDITS { missing & missing.wrapping_sub(1) == 0 } else { missing == 0 };
                if enough {
                    let start = self.step_plain(edge.letter, from);
                    if self.stands.plain.len() > start {
                        let prefix = graph.with(prefix, edge.letter);
                        if edge.word && !EDITS {
                            let placements = self.stands.plain[start..].iter().map(|at| at.used);
                            self.found.on_board(prefix.key, prefix.letters, placements);
                        }
                        if edge.first != NONE {
                            self.prefix::<EDITS>(edge.first, prefix, any_left, start);
                        }
                        self.stands.plain.truncate(start);
                    }
                }
                self.put_back(edge.letter);
            }
            if edge.last {
                break;
            }
        }
    }

    /// Goes on to a letter with the plain stands from `from` on; gives where the new ones begin.
    fn step_plain(&mut self, letter: Tile, from: usize) -> usize {
        let (holders, stands) = (self.holders(letter), &mut self.stands.plain);
        let start = stands.len();
        for i in from..start {
            let at = stands[i];
            for cell in cells_of(holders & at.next) {
                let used = at.used | 1 << cell;
                let (next, beyond) = (self.cells.near[cell] & !used, self.cells.near2[cell] & !used);
                stands.push(Plain { used, next, beyond });
            }
        }
        start
    }

    /// Leaves the letter after a prefix out.
    fn leave_open(&mut self, gap: &GapEdge, prefix: Spelled, any_left: u32, from: usize) {
        let Stands { plain, open, .. } = &mut *self.stands;
        let (mut next, mut firsts) = (0, 0);
        for at in &plain[from..] {
            let cells = at.next & self.free;
            if cells != 0 {
                open.push(Open { used: at.used, next: at.beyond, open: cells });
                (next, firsts) = (next | at.beyond, firsts | cells);
            }
        }
        if !open.is_empty() {
            let gapped = Gapped { string: self.graph.with_gap(prefix), before: prefix.tiles, any_left };
            self.gap::<true>(gap, gapped, From { open: 0, swapped: 0, next, firsts });
            self.stands.open.clear();
        }
    }

    /// The open and swapped stands from `from` on, of which there are some, are those of `gapped`.
    /// At the `FRONT` of the gap the next letter must touch the open cell, not the last one used.
    fn gap<const FRONT: bool>(&mut self, at: &GapEdge, gapped: Gapped, from: From) {
        let graph = self.graph;
        let ends = at.ends & self.letters;
        if ends != 0 {
            self.words(ends, gapped, from);
        }
        if at.first == NONE {
            return;
        }
        if at.skipped != ANY {
            if self.letters >> at.skipped & 1 == 1 {
                self.gap_only::<FRONT>(at.first, at.skipped, gapped, from);
            }
            return;
        }
        for edge in &graph.gaps[at.first as usize..] {
            if gapped.any_left >> edge.letter & 1 == 1 {
                let any_left = self.take(edge.letter, gapped.any_left);
                if edge.need & !any_left == 0
                    && let Some(start) = self.step_gap::<FRONT>(edge.letter, edge.fits, from)
                {
                    let string = graph.with(gapped.string, edge.letter);
                    self.gap::<false>(edge, Gapped { string, any_left, ..gapped }, start);
                    self.drop_gapped(start);
                }
                self.put_back(edge.letter);
            }
            if edge.last {
                break;
            }
        }
    }

    /// [`gap`](Walk::gap) where only the letter `skipped` fits.
    fn gap_only<const FRONT: bool>(&mut self, first: u32, skipped: Tile, gapped: Gapped, from: From) {
        let graph = self.graph;
        for edge in &graph.edges[first as usize..] {
            if gapped.any_left >> edge.letter & 1 == 1 {
                let any_left = self.take(edge.letter, gapped.any_left);
                if edge.need & !any_left == 0
                    && let Some(start) = self.step_gap::<FRONT>(edge.letter, 1 << skipped, from)
                {
                    let string = graph.with(gapped.string, edge.letter);
                    let gapped = Gapped { string, any_left, ..gapped };
                    if edge.word {
                        self.words(1 << skipped, gapped, start);
                    }
                    if edge.first != NONE {
                        self.gap_only::<false>(edge.first, skipped, gapped, start);
                    }
                    self.drop_gapped(start);
                }
                self.put_back(edge.letter);
            }
            if edge.last {
                break;
            }
        }
    }

    /// Goes on to a letter with the open and swapped stands from `from` on; gives where the new
    /// ones begin, if there are any. Only letters of `fits` can go into the gap.
    #[inline]
    fn step_gap<const FRONT: bool>(&mut self, letter: Tile, fits: u32, from: From) -> Option<From> {
        let holders = self.holders(letter);
        if holders & (from.next | from.firsts) == 0 {
            return None;
        }
        let Stands { open: opens, swapped, .. } = &mut *self.stands;
        let mut start = From { open: opens.len(), swapped: swapped.len(), next: 0, firsts: 0 };
        if holders & from.next != 0 {
            for i in from.swapped..start.swapped {
                let at = swapped[i];
                let fits = 0u64.wrapping_sub(u64::from(fits >> at.letter & 1));
                for cell in cells_of(holders & at.next & fits) {
                    let used = at.used | 1 << cell;
                    let next = self.cells.near[cell] & !used;
                    start.next |= next;
                    swapped.push(Swapped { used, next, ..at });
                }
            }
            for i in from.open..start.open {
                let at = opens[i];
                for cell in cells_of(holders & at.next) {
                    let near = self.cells.near[cell];
                    let open = at.open & if FRONT { near } else { !(1 << cell) };
                    if open != 0 {
                        let used = at.used | 1 << cell;
                        let next = near & !used;
                        (start.next, start.firsts) = (start.next | next, start.firsts | open);
                        opens.push(Open { used, next, open });
                    }
                }
            }
        }
        if holders & from.firsts != 0 {
            start.next |= self.swap::<FRONT>(letter, fits, from.open..start.open);
        }
        let Stands { open, swapped, .. } = &*self.stands;
        (open.len() > start.open || swapped.len() > start.swapped).then_some(start)
    }

    /// Puts a letter on a cell that does not hold it, which exchanges its letter with an open
    /// cell that does. Gives the cells on which the letter after it may lie.
    fn swap<const FRONT: bool>(&mut self, letter: Tile, fits: u32, from: Range<usize>) -> u64 {
        let (holders, mut givers, mut fits) = (self.holders(letter), 0, fits & self.on_board);
        while fits != 0 {
            givers |= self.holders(fits.trailing_zeros() as Tile);
            fits &= fits - 1;
        }
        let givers = givers & self.free & !holders;
        let mut all_next = 0;
        for at in &self.stands.open[from] {
            let firsts = at.open & holders;
            for second in cells_of(if firsts != 0 { at.next & givers } else { 0 }) {
                let near = self.cells.near[second];
                for first in cells_of(if FRONT { firsts & near } else { firsts }) {
                    let used = at.used | 1 << first | 1 << second;
                    let (cells, letter, next) =
                        ([first as u8, second as u8], self.tiles[second], near & !used);
                    all_next |= next;
                    self.stands.swapped.push(Swapped { used, next, cells, letter });
                }
            }
        }
        all_next
    }

    #[inline]
    fn drop_gapped(&mut self, from: From) {
        self.stands.open.truncate(from.open);
        self.stands.swapped.truncate(from.swapped);
    }

    /// Each of these letters makes a word when it is put into the gap.
    fn words(&mut self, mut letters: u32, gapped: Gapped, from: From) {
        let (opens, swapped) = (&self.stands.open[from.open..], &self.stands.swapped[from.swapped..]);
        let open = opens.iter().fold(0, |mask, at| mask | at.open);
        while letters != 0 {
            let letter = letters.trailing_zeros() as Tile;
            letters &= letters - 1;
            let holders = self.holders[usize::from(letter) % MAX_TILES];
            let (key, length) = self.graph.with_skipped(gapped.string, gapped.before, letter);
            let word = self.found.made(key, length);
            // Only a word that has the letter elsewhere too can be met with another gap for it.
            let again = gapped.string.mask >> letter & 1 == 1;
            self.found.with_change(word, letter, open & !holders, again);
            for giver in cells_of(holders & self.free) {
                // A cell that holds the letter and is not used can give it by a swap.
                let open = opens
                    .iter()
                    .fold(0, |mask, at| mask | (at.open & !(0u64.wrapping_sub(at.used >> giver & 1))));
                self.found.with_swap(word, open & !holders, giver);
            }
            for at in swapped.iter().filter(|at| at.letter == letter) {
                self.found.with_swap(word, 1 << at.cells[0], at.cells[1].into());
            }
        }
    }
}
