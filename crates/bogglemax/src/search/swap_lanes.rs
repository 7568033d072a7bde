//! The [walk](super::swaps) over words that use both cells of a swap, eight steps at a time, for
//! boards of at most 16 cells.
//!
//! Entries of a queue have several cells to go on to. Each time eight entries are taken out they go on
//! to one cell each, and those that have more are put in again.

use super::found::Found;
use super::layout::Layout;
use super::neighbors::pair;
use super::swaps::Field;
use super::tree::Tree;
use crate::simd::{Columns, Kernel, LANES, Lanes, SetTable, first_lanes, prefetch_at, with_lanes};

/// The most cells of a board.
pub(super) const MOST_CELLS: usize = 16;

/// A walk eight steps at a time; holds what it has yet to go on with.
///
/// Entries are: of a node, the letters that go on from it and the first of its children; sets of cells, the
/// lower bits for those that the string uses and the higher ones for something else; and the cells
/// to go on to.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneWalk {
    /// Strings that use no cell of a swap but have the letter of one already: children, first child,
    /// letters below, used cells and givers, the cells that may be the first of the swap.
    starts: Columns<5>,
    /// Strings that use the first cell: children, first child, used cells and givers, the letter that the second
    /// cell must get and above eight bits the first cell, next cells.
    halves: Columns<5>,
    /// The same of those that go on to a giver.
    seconds: Columns<5>,
    /// Strings that use both cells: children, first child, used cells and the number of the pair, next cells.
    wholes: Columns<4>,
    /// Words, and used cells and the number of the pair.
    words: Columns<2>,
}

/// From this number on strings that use no cell of a swap are worked off.
const FULL: usize = 64;

/// Words between asking for what belongs to one and reading it.
const AHEAD: usize = 8;

/// The board in tables.
struct Ground<'a> {
    nodes: &'a [[u32; 4]],
    letters: [u8; MOST_CELLS],
    near: SetTable,
    /// For each digit to base 16 of a mask of letters, the cells that hold one of them; as many as the
    /// letters on the board need.
    holders: [SetTable; 8],
    digits: usize,
}

impl<'a> Ground<'a> {
    #[inline(always)]
    fn new(board: &Layout, tree: &'a Tree) -> Ground<'a> {
        let holders = |digit: usize, mask: usize| {
            (0..4)
                .filter(|bit| mask >> bit & 1 == 1)
                .fold(0, |all, bit| all | board.holders[digit * 4 + bit] as u16)
        };
        Ground {
            nodes: tree.rows(),
            letters: std::array::from_fn(|cell| board.letters[cell]),
            near: SetTable::new(std::array::from_fn(|cell| board.near[cell] as u16)),
            holders: std::array::from_fn(|digit| {
                SetTable::new(std::array::from_fn(|mask| holders(digit, mask)))
            }),
            digits: (32 - board.on_board.leading_zeros()).div_ceil(4) as usize,
        }
    }

    /// The children of nodes for a letter each.
    #[inline(always)]
    fn child<L: Lanes>(&self, children: L, first: L, letter: L) -> [L; 4] {
        let before = L::one_bit(letter) + L::splat(u32::MAX);
        (first + (children & before).count_ones()).rows(self.nodes)
    }

    /// The cells that touch one and are not used; none if there is none, so that `bit` is 0.
    #[inline(always)]
    fn near<L: Lanes>(&self, bit: L, cell: L, used: L) -> L {
        cell.look_up_set(&self.near).without(used | bit.is_zero())
    }

    /// The cells that hold one of these letters.
    #[inline(always)]
    fn holders_of<L: Lanes>(&self, letters: L) -> L {
        letters.look_up_digits(&self.holders[..self.digits])
    }
}

/// Takes eight entries out of a queue, of which the last number is a set of cells: gives them, the lowest of
/// the cells (as a set), and its number. Puts those in again that have more.
#[inline(always)]
fn take<L: Lanes, const N: usize>(queue: &mut Columns<N>, at: &mut usize) -> ([L; N], L, L) {
    let mut entries = queue.at::<L>(*at);
    let next = first_lanes(entries[N - 1], queue.len() - *at);
    *at += LANES.min(queue.len() - *at);
    let bit = next.lowest();
    entries[N - 1] = next ^ bit;
    queue.push(!entries[N - 1].is_zero().highest_bits(), entries);
    (entries, bit, bit.bit_number())
}

impl LaneWalk {
    /// Tells of all words that are made by swaps of which they use both cells.
    pub fn run(&mut self, field: Field<'_>, found: &mut Found) {
        with_lanes(Walk { walk: self, field, found });
    }

    #[inline(always)]
    fn walk_all<L: Lanes>(&mut self, field: Field<'_>, found: &mut Found) {
        let ground = Ground::new(field.board, &field.splits.heads);
        let mut next = 0;
        loop {
            while self.starts.len() < FULL && next < field.heads.all().len() {
                field.starts(
                    next,
                    #[inline(always)]
                    |start| {
                        let (node, lives) = (start.node, start.lives());
                        let cells = (start.used | start.givers << 16) as u32;
                        let firsts = start.firsts as u32;
                        let entry = [node.children, node.first_child(), node.below, cells, firsts];
                        self.starts.push_if(lives, entry);
                    },
                );
                next += 1;
            }
            if self.starts.len() == 0 {
                return;
            }
            self.go_on::<L>(&ground);
            self.tell(&field.splits.letters, found);
        }
    }

    /// Empties all queues but that of words.
    #[inline(always)]
    fn go_on<L: Lanes>(&mut self, ground: &Ground<'_>) {
        let mut at = 0;
        while at < self.starts.len() {
            let ([children, first, below, cells, _], bit, cell) = take::<L, 5>(&mut self.starts, &mut at);
            let swap = cell.look_up(&ground.letters) | cell.shl::<8>();
            self.push_half(ground, [children, first, below], bit, cell, cells | bit, swap);
        }
        let mut at = 0;
        while at < self.halves.len() {
            let ([children, first, cells, swap, _], bit, cell) = take::<L, 5>(&mut self.halves, &mut at);
            let letter = cell.look_up(&ground.letters);
            let [children, first, below, _] = ground.child(children, first, letter);
            // The cell no longer gives.
            let cells = (cells | bit).without(bit.shl::<16>());
            self.push_half(ground, [children, first, below], bit, cell, cells, swap);
        }
        let mut at = 0;
        while at < self.seconds.len() {
            let ([children, first, cells, swap, _], bit, cell) = take::<L, 5>(&mut self.seconds, &mut at);
            let node = ground.child(children, first, swap & L::splat(31));
            let pair = pair_of(swap.shr::<8>(), cell);
            let cells = (cells & L::splat(0xffff)) | bit | pair.shl::<16>();
            self.push_whole(ground, node, bit, cell, cells);
        }
        let mut at = 0;
        while at < self.wholes.len() {
            let ([children, first, cells, _], bit, cell) = take::<L, 4>(&mut self.wholes, &mut at);
            let node = ground.child(children, first, cell.look_up(&ground.letters));
            self.push_whole(ground, node, bit, cell, cells | bit);
        }
        self.starts.clear();
        self.halves.clear();
        self.seconds.clear();
        self.wholes.clear();
    }

    /// Queues strings that use the first cell of a swap for what may come next.
    #[inline(always)]
    fn push_half<L: Lanes>(
        &mut self,
        ground: &Ground<'_>,
        [children, first, below]: [L; 3],
        bit: L,
        cell: L,
        cells: L,
        swap: L,
    ) {
        first.ask_for_rows(ground.nodes);
        let (near, givers) = (ground.near(bit, cell, cells), cells.shr::<16>());
        let given = swap & L::splat(31);
        let next = ground.holders_of(children) & near;
        let lives = below.shr_by(given).shl::<31>().without(next.is_zero() | givers.is_zero());
        self.halves.push(lives.highest_bits(), [children, first, cells, swap, next]);
        let next = near & givers;
        let goes_on = children.shr_by(given).shl::<31>().without(next.is_zero());
        self.seconds.push(goes_on.highest_bits(), [children, first, cells, swap, next]);
    }

    /// Queues strings that use both cells of a swap for what may come next.
    #[inline(always)]
    fn push_whole<L: Lanes>(
        &mut self,
        ground: &Ground<'_>,
        [children, first, _, word]: [L; 4],
        bit: L,
        cell: L,
        cells: L,
    ) {
        first.ask_for_rows(ground.nodes);
        let is_none = word.is_zero() | bit.is_zero();
        self.words.push(!is_none.highest_bits(), [word, cells]);
        let next = ground.holders_of(children) & ground.near(bit, cell, cells);
        self.wholes.push(!next.is_zero().highest_bits(), [children, first, cells, next]);
    }

    /// Tells of the words.
    #[inline(always)]
    fn tell(&mut self, letters: &[u8], found: &mut Found) {
        let (words, cells) = (self.words.column(0), self.words.column(1));
        for (i, (&word, &cells)) in words.iter().zip(cells).enumerate() {
            if let Some(&ahead) = words.get(i + AHEAD) {
                found.ask_for(ahead - 1);
                prefetch_at(letters, ahead as usize - 1);
            }
            found.with_swap::<2>(word - 1, letters[word as usize - 1], (cells >> 16) as usize);
        }
        self.words.clear();
    }
}

/// The work of [`LaneWalk::run`].
struct Walk<'a> {
    walk: &'a mut LaneWalk,
    field: Field<'a>,
    found: &'a mut Found,
}

impl Kernel for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.walk.walk_all::<L>(self.field, self.found);
    }
}

/// The number of a [`pair`] of cells.
#[inline(always)]
fn pair_of<L: Lanes>(a: L, b: L) -> L {
    const WITH_FIRST: [u8; MOST_CELLS] = {
        let mut pairs = [0; MOST_CELLS];
        let mut high = 1;
        while high < MOST_CELLS {
            pairs[high] = pair(0, high) as u8;
            high += 1;
        }
        pairs
    };
    a.max(b).look_up(&WITH_FIRST) + a.min(b)
}
