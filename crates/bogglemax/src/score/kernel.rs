//! S(B), fast.
//!
//! Like [`super::walk`], the kernel walks the word graph and not the board, so that it meets every
//! prefix at most once and needs no marks against counting a word twice. What makes it fast:
//!
//! - **A lone placement is the rule.** Most prefixes lie on the board in one way only. Such a
//!   prefix is an [`Entry`] of a queue; the few with several placements are *groups*. A group sends
//!   every tile that only one of its placements can continue with to the queue, and stays a group
//!   only for the tiles that several can.
//! - **Letters, not neighbours.** An entry holds the tiles of the free neighbours of its last cell
//!   that continue a word, as a bit mask (`live`); it is never asked about the others.
//! - **No branch on chance.** The queue's loop takes one tile of one entry a turn. Whether the tile
//!   leads on, makes a word, or was its entry's last, is computed, not branched on; only a tile that
//!   lies on two free neighbours (a new group) branches. A queue and not a stack, so that turns do
//!   not wait for each other's loads.
//!
//! Cells and tiles of a placement travel in one word ([`Packed`]): low half the cells in use, high
//! half the *lone* tiles in use. A tile is lone if one cell only holds it; once that cell is used
//! the tile cannot come again, so it is taken out of `live` at once. A tile on several cells can
//! stay in `live` though all of its cells are used: then `cells == 0` and the turn comes to nothing.

use super::{Game, POINTS};
use crate::dawg::Record;
use crate::{Dims, MAX_TILES, Tile};

/// Cells and tiles in one word: `u64` for boards of up to 32 cells, `u128` for the others.
trait Packed: Copy + Default + Ord + std::fmt::Debug {
    fn pack(cells: u64, tiles: u32) -> Self;
    fn cells(self) -> u64;
    fn tiles(self) -> u32;
    fn or(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
}

macro_rules! packed {
    ($word:ty, $half:ty) => {
        impl Packed for $word {
            #[inline(always)]
            fn pack(cells: u64, tiles: u32) -> Self {
                <$word>::from(tiles) << <$half>::BITS | <$word>::from(cells as $half)
            }
            #[inline(always)]
            fn cells(self) -> u64 {
                u64::from(self as $half)
            }
            #[inline(always)]
            fn tiles(self) -> u32 {
                (self >> <$half>::BITS) as u32
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn without(self, other: Self) -> Self {
                self & !other
            }
        }
    };
}
packed!(u64, u32);
packed!(u128, u64);

/// A prefix with one placement, and what is left to try of it.
#[derive(Clone, Copy, Debug)]
struct Entry<P> {
    /// Cells and lone tiles in use.
    used: P,
    /// Free neighbours of the last cell.
    free: u64,
    /// Tiles still to be tried. Not 0 while the entry is in the queue.
    live: u32,
    letters: u32,
    node: Record,
}

/// A prefix with several placements: the last `placements` of the stack of placements.
#[derive(Clone, Copy, Debug)]
struct Group {
    node: Record,
    letters: u32,
    placements: u32,
}

/// One placement of a group: what it uses, and what its last cell can go on to. Equal ones have
/// the same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Placement<P> {
    used: P,
    /// Free neighbours of the last cell, and the tiles on them.
    next: P,
}

/// Indices of cells, plus [`NOWHERE`]; a power of two, so that a masked index needs no check.
const CELLS: usize = 128;

/// The "cell" of an empty set of cells, `0u64.trailing_zeros()`: it has no neighbours.
const NOWHERE: usize = 64;

/// The queue is emptied before it grows beyond this, so that it stays in the first-level cache
/// on any board. It has room for what one more group and one more turn can add.
const QUEUE_FULL: usize = 1024;

/// From this many placements on a group is searched for equal ones. Boards of few different tiles
/// have words with thousands of paths, most of them over the same cells.
const MANY: usize = 48;

/// Scratch space and tables for boards of one shape.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    Small(Box<Sized<u64>>),
    Large(Box<Sized<u128>>),
}

impl Kernel {
    pub(super) fn new(dims: Dims) -> Kernel {
        let inner = match dims.cells() {
            ..=32 => Inner::Small(Box::new(Sized::new(dims))),
            _ => Inner::Large(Box::new(Sized::new(dims))),
        };
        Kernel { inner }
    }

    /// S of a board of the kernel's shape.
    #[inline]
    pub(super) fn score(&mut self, game: &Game, tiles: &[Tile]) -> u64 {
        match &mut self.inner {
            Inner::Small(sized) => dispatch(sized, game, tiles),
            Inner::Large(sized) => dispatch(sized, game, tiles),
        }
    }
}

/// Runs the kernel compiled for this processor.
#[inline]
#[allow(unsafe_code)]
fn dispatch<P: Packed>(sized: &mut Sized<P>, game: &Game, tiles: &[Tile]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
        fn with_bmi<P: Packed>(sized: &mut Sized<P>, game: &Game, tiles: &[Tile]) -> u64 {
            sized.score(game, tiles)
        }
        let has_bmi = !crate::simd::portable()
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        if has_bmi {
            // SAFETY: the processor has the features the function is compiled for. Without them a
            // count of bits is a dozen instructions, and scoring takes half as long again.
            return unsafe { with_bmi(sized, game, tiles) };
        }
    }
    sized.score(game, tiles)
}

#[derive(Clone, Debug)]
struct Sized<P> {
    dims: Dims,
    neighbors: [u64; CELLS],
    /// Per cell: itself, and its tile if that is lone.
    own: [P; CELLS],
    /// Per cell: its neighbours, and the tiles on them (and on itself, which does no harm).
    around: [P; CELLS],
    /// Per tile: the cells that hold it.
    cells_with: [u64; MAX_TILES],
    queue: Vec<Entry<P>>,
    groups: Vec<Group>,
    /// The placements of all groups, the last group's last.
    stack: Vec<Placement<P>>,
    /// The placements of the group at hand.
    current: Vec<Placement<P>>,
}

impl<P: Packed> Sized<P> {
    fn new(dims: Dims) -> Sized<P> {
        let mut neighbors = [0; CELLS];
        for (cell, mask) in neighbors.iter_mut().enumerate().take(dims.cells()) {
            *mask = dims.neighbor_mask(cell);
        }
        Sized {
            dims,
            neighbors,
            own: [P::default(); CELLS],
            around: [P::default(); CELLS],
            cells_with: [0; MAX_TILES],
            queue: Vec::new(),
            groups: Vec::new(),
            stack: Vec::new(),
            current: Vec::new(),
        }
    }

    #[inline(always)]
    fn score(&mut self, game: &Game, tiles: &[Tile]) -> u64 {
        let on_board = self.set_board(tiles);
        let mut total = self.begin(game, on_board);
        loop {
            let mut tail = 0;
            while tail < QUEUE_FULL
                && let Some(group) = self.groups.pop()
            {
                total += self.expand_group(game, group, &mut tail);
            }
            if tail == 0 {
                return total;
            }
            total += self.empty_queue(game, tail);
        }
    }

    /// Fills the tables that depend on the board; returns the tiles on it.
    #[inline(always)]
    fn set_board(&mut self, tiles: &[Tile]) -> u32 {
        /// A frame of empty cells around the board; 1x36 has the largest with 3 x 38.
        const FRAMED: usize = 128;
        let (rows, cols) = (self.dims.rows(), self.dims.cols());
        let width = cols + 2;
        let mut framed = [0u32; FRAMED];
        let (mut on_board, mut repeated) = (0u32, 0u32);
        self.cells_with = [0; MAX_TILES];
        for (cell, &tile) in tiles.iter().enumerate() {
            let bit = 1u32 << (tile % MAX_TILES as u8);
            self.cells_with[usize::from(tile) % MAX_TILES] |= 1 << cell;
            repeated |= on_board & bit;
            on_board |= bit;
        }
        for (row, tiles) in tiles.chunks_exact(cols).enumerate() {
            for (col, &tile) in tiles.iter().enumerate() {
                framed[((row + 1) * width + col + 1) % FRAMED] = 1 << (tile % MAX_TILES as u8);
            }
        }
        let mut triples = [0u32; FRAMED];
        for i in 1..((rows + 2) * width - 1).min(FRAMED - 1) {
            triples[i] = framed[i - 1] | framed[i] | framed[i + 1];
        }
        for row in 0..rows {
            for col in 0..cols {
                let (cell, i) = (row * cols + col, (row + 1) * width + col + 1);
                let near = triples[i - width] | triples[i] | triples[i + width];
                self.around[cell] = P::pack(self.neighbors[cell], near);
                self.own[cell] = P::pack(1 << cell, framed[i] & !repeated);
            }
        }
        on_board
    }

    /// Makes a group of every tile that begins a word.
    #[inline(always)]
    fn begin(&mut self, game: &Game, on_board: u32) -> u64 {
        let (root, mut total) = (game.dawg.root(), 0);
        self.stack.clear();
        self.groups.clear();
        let mut rest = root.children & on_board;
        while rest != 0 {
            let tile = rest.trailing_zeros() as usize % MAX_TILES;
            let node = game.dawg.records()[root.child(rest & rest.wrapping_neg())];
            rest &= rest - 1;
            total +=
                self.push_group(game, node, game.tile_letters[tile], self.cells_with[tile], P::default());
        }
        total
    }

    /// Makes a group of the placements that put `cells`, one each, behind `used`. Returns the
    /// points of the new prefix, if it is a word.
    #[inline(always)]
    fn push_group(&mut self, game: &Game, node: Record, letters: u32, cells: u64, used: P) -> u64 {
        let mut rest = cells;
        while rest != 0 {
            self.push_placement(rest.trailing_zeros() as usize, used);
            rest &= rest - 1;
        }
        self.groups.push(Group { node, letters, placements: cells.count_ones() });
        points(game, node, letters)
    }

    #[inline(always)]
    fn push_placement(&mut self, cell: usize, used: P) {
        let used = used.or(self.own[cell % CELLS]);
        self.stack.push(Placement { used, next: self.around[cell % CELLS].without(used) });
    }

    /// Sends the tiles that one placement alone can continue with to the queue, and makes new
    /// groups for those that several can.
    #[inline(always)]
    fn expand_group(&mut self, game: &Game, group: Group, tail: &mut usize) -> u64 {
        let children = group.node.children;
        let bottom = self.stack.len() - group.placements as usize;
        self.current.clear();
        self.current.extend_from_slice(&self.stack[bottom..]);
        self.stack.truncate(bottom);
        let (mut once, mut twice) = (0, 0);
        for p in &self.current {
            let live = p.next.tiles() & children;
            twice |= once & live;
            once |= live;
        }
        self.reserve_queue(*tail + self.current.len());
        for p in &self.current {
            let live = p.next.tiles() & children & !twice;
            let entry =
                Entry { used: p.used, free: p.next.cells(), live, letters: group.letters, node: group.node };
            self.queue[*tail] = entry;
            *tail += usize::from(live != 0);
        }
        let mut total = 0;
        while twice != 0 {
            total += self.expand_shared(game, group, twice & twice.wrapping_neg());
            twice &= twice - 1;
        }
        total
    }

    /// The group of the prefix one tile longer, where several placements may continue with it.
    #[inline(always)]
    fn expand_shared(&mut self, game: &Game, group: Group, bit: u32) -> u64 {
        let tile = bit.trailing_zeros() as usize % MAX_TILES;
        let (bottom, with_tile) = (self.stack.len(), self.cells_with[tile]);
        for i in 0..self.current.len() {
            let p = self.current[i];
            let mut rest = p.next.cells() & with_tile;
            while rest != 0 {
                self.push_placement(rest.trailing_zeros() as usize, p.used);
                rest &= rest - 1;
            }
        }
        if self.stack.len() - bottom > MANY {
            self.drop_equal(bottom);
        }
        let placements = (self.stack.len() - bottom) as u32;
        if placements == 0 {
            return 0;
        }
        let node = game.dawg.records()[group.node.child(bit)];
        let letters = group.letters + game.tile_letters[tile];
        self.groups.push(Group { node, letters, placements });
        points(game, node, letters)
    }

    /// Drops repeats among the placements above `bottom`.
    #[cold]
    fn drop_equal(&mut self, bottom: usize) {
        self.stack[bottom..].sort_unstable();
        let mut kept = bottom;
        for i in bottom + 1..self.stack.len() {
            if self.stack[i] != self.stack[kept] {
                kept += 1;
                self.stack[kept] = self.stack[i];
            }
        }
        self.stack.truncate(kept + 1);
    }

    /// Works the queue's entries `0..tail` and all that they lead to; groups are left for later.
    #[inline(always)]
    fn empty_queue(&mut self, game: &Game, mut tail: usize) -> u64 {
        let records = game.dawg.records();
        let (mut total, mut head, mut live) = (0, 0, self.queue[0].live);
        while head < tail {
            if tail + 1 >= self.queue.len() {
                self.reserve_queue(tail + 1);
            }
            let entry = self.queue[head];
            let tile = live.trailing_zeros() as usize % MAX_TILES;
            let node = records[entry.node.child(live & live.wrapping_neg())];
            let cells = self.cells_with[tile] & entry.free;
            let letters = entry.letters + game.tile_letters[tile];
            if cells & cells.wrapping_sub(1) == 0 {
                let is_there = u64::from(cells != 0);
                total += points(game, node, letters) * is_there;
                let cell = cells.trailing_zeros() as usize % CELLS;
                debug_assert!(cells != 0 || cell == NOWHERE);
                let used = entry.used.or(self.own[cell]);
                let next = self.around[cell].without(used);
                let live = next.tiles() & node.children;
                self.queue[tail] = Entry { used, free: next.cells(), live, letters, node };
                tail += usize::from(live != 0);
            } else {
                total += self.push_group(game, node, letters, cells, entry.used);
            }
            let rest = live & (live - 1);
            head += usize::from(rest == 0);
            live = std::hint::select_unpredictable(rest == 0, self.queue[head].live, rest);
        }
        total
    }

    /// Makes room for one more than `entries`: the loops write an entry before they know whether
    /// it counts.
    #[inline(always)]
    fn reserve_queue(&mut self, entries: usize) {
        if self.queue.len() <= entries + 1 {
            self.grow_queue(entries + 1);
        }
    }

    #[cold]
    fn grow_queue(&mut self, entries: usize) {
        let blank = Entry { used: P::default(), free: 0, live: 0, letters: 0, node: Record::default() };
        self.queue.resize((entries + 1).next_power_of_two().max(2 * QUEUE_FULL), blank);
    }
}

/// The points of a prefix: 0 if it is no word.
#[inline(always)]
fn points(game: &Game, node: Record, letters: u32) -> u64 {
    u64::from(game.points[letters as usize % POINTS]) * u64::from(node.is_word())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The kernel for boards of more than 32 cells, in the portable version, for any board: a
    /// twin of the one that small boards get.
    pub(in super::super) struct Large(Sized<u128>);

    impl Large {
        pub(in super::super) fn new(dims: Dims) -> Large {
            Large(Sized::new(dims))
        }

        pub(in super::super) fn score(&mut self, game: &Game, tiles: &[Tile]) -> u64 {
            self.0.score(game, tiles)
        }
    }
}
