//! The words that use both cells of a swap.
//!
//! Such a word lies on the board but for two cells a and b, met in this order: it has the letter of
//! b on a and that of a on b. The walk goes on from each head on the board to a cell a with a letter
//! that other cells hold, the *givers*; along the board; to one of the givers with the letter
//! of a; and along the board again.

use super::changes::Wanted;
use super::found::Found;
use super::layout::{Layout, letters_of};
use super::parts::Parts;
use super::splits::Splits;
use super::tree::Node;

/// A string that uses none or one of the cells of a swap, and where to go on from it.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    node: Node,
    used: u64,
    /// The cells that may be the second one.
    givers: u64,
    /// The cells that are next: of a string that uses no cell of a swap the cells that may be the
    /// first one, in place of whose letters it has its last; of others the ones that hold a letter
    /// that goes on. Not 0 in a queue.
    next: u64,
    first: u8,
}

/// A string that uses the first cell of a swap and goes on to the second, or that uses both.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    node: Node,
    used: u64,
    /// The cells that are next: not 0 in a queue.
    next: u64,
    first: u8,
    second: u8,
}

/// A queue, in which nothing is ever branched on that is hard to foresee: what is put behind its
/// end only counts if the end moves on.
///
/// A queue and not a stack, so that what is taken out does not wait for what was just put in.
#[derive(Clone, Debug, Default)]
struct Queue<V> {
    /// The last one is never in the queue.
    all: Vec<V>,
    end: usize,
}

impl<V: Copy + Default> Queue<V> {
    #[inline(always)]
    fn push_if(&mut self, condition: bool, value: V) {
        if self.end + 1 >= self.all.len() {
            self.all.resize(2 * self.all.len() + 64, V::default());
        }
        self.all[self.end] = value;
        self.end += usize::from(condition);
    }
}

/// Walks over swaps; holds what they have yet to go on with.
#[derive(Clone, Debug, Default)]
pub(super) struct SwapWalk {
    starts: Queue<Half>,
    halves: Queue<Half>,
    seconds: Queue<Whole>,
    wholes: Queue<Whole>,
    /// Words, and the swaps that make them.
    words: Queue<(u32, u8, u8)>,
}

/// From this length on the first queue is worked off, so that all of them stay in the cache.
const FULL: usize = 32;

impl SwapWalk {
    /// Tells of all words that are made by swaps of which they use both cells.
    #[inline(always)]
    pub fn run<const BYTES: usize>(
        &mut self,
        heads: &Parts,
        splits: &Splits,
        board: &Layout,
        wanted: Wanted,
        found: &mut Found,
    ) {
        let mut heads_left = heads.iter();
        loop {
            while self.starts.end < FULL
                && let Some(head) = heads_left.next()
            {
                let node = splits.heads.node(head.node);
                for letter in letters_of(node.children & board.on_board) {
                    let node = splits.heads.node(node.child(letter));
                    let holders = board.holders(letter);
                    let firsts = board.holders_of(node.below) & wanted.free & !holders;
                    for place in heads.places(head) {
                        let givers = holders & wanted.free & !place.used;
                        let next = place.near & firsts;
                        let start = Half { node, used: place.used, givers, next, first: 0 };
                        self.starts.push_if((givers != 0) & (next != 0), start);
                    }
                }
            }
            if self.starts.end == 0 {
                return;
            }
            self.go_on::<BYTES>(splits, board, found);
        }
    }

    /// Empties all queues.
    #[inline(always)]
    fn go_on<const BYTES: usize>(&mut self, splits: &Splits, board: &Layout, found: &mut Found) {
        let tree = &splits.heads;
        let mut start = 0;
        while start < self.starts.end {
            while start < self.starts.end && self.halves.end < FULL {
                let half = self.starts.all[start];
                let (first, rest) = take(half.next);
                self.starts.all[start].next = rest;
                start += usize::from(rest == 0);
                let used = half.used | 1 << first;
                self.push_half(Half { used, first: first as u8, ..half }, first, true, board);
            }
            let mut at = 0;
            while at < self.halves.end {
                let half = self.halves.all[at];
                let (cell, rest) = take(half.next);
                self.halves.all[at].next = rest;
                at += usize::from(rest == 0);
                let node = tree.node(half.node.child(board.letters[cell].into()));
                let given = board.letters[usize::from(half.first) & 63];
                let (used, givers) = (half.used | 1 << cell, half.givers & !(1 << cell));
                let lives = (givers != 0) & (node.below >> given & 1 == 1);
                self.push_half(Half { node, used, givers, ..half }, cell, lives, board);
            }
            self.halves.end = 0;
        }
        let mut at = 0;
        while at < self.seconds.end {
            let whole = self.seconds.all[at];
            let (second, rest) = take(whole.next);
            self.seconds.all[at].next = rest;
            at += usize::from(rest == 0);
            let given = board.letters[usize::from(whole.first) & 63];
            let node = tree.node(whole.node.child(given.into()));
            self.push_whole(Whole { node, second: second as u8, ..whole }, second, board);
        }
        let mut at = 0;
        while at < self.wholes.end {
            let whole = self.wholes.all[at];
            let (cell, rest) = take(whole.next);
            self.wholes.all[at].next = rest;
            at += usize::from(rest == 0);
            let node = tree.node(whole.node.child(board.letters[cell].into()));
            self.push_whole(Whole { node, ..whole }, cell, board);
        }
        for &(word, first, second) in &self.words.all[..self.words.end] {
            found.with_swaps::<BYTES>(word, splits.letters[word as usize], 1 << first, 1 << second);
        }
        (self.starts.end, self.seconds.end, self.wholes.end, self.words.end) = (0, 0, 0, 0);
    }

    /// Queues a string whose last cell is `cell`, if it `lives`, for what may come next.
    #[inline(always)]
    fn push_half(&mut self, half: Half, cell: usize, lives: bool, board: &Layout) {
        let near = board.near[cell] & !half.used;
        let next = board.holders_of(half.node.children) & near;
        self.halves.push_if(lives & (next != 0), Half { next, ..half });
        let Half { node, used, first, .. } = half;
        let next = near & half.givers;
        let given = board.letters[usize::from(first) & 63];
        let goes_on = lives & (next != 0) & (node.children >> given & 1 == 1);
        if goes_on {
            self.seconds.push_if(true, Whole { node, used, next, first, second: 0 });
        }
    }

    /// Queues a string that uses both cells and whose last cell is `cell`.
    #[inline(always)]
    fn push_whole(&mut self, whole: Whole, cell: usize, board: &Layout) {
        let Whole { node, first, second, .. } = whole;
        self.words.push_if(node.word != 0, (node.word.wrapping_sub(1), first, second));
        let used = whole.used | 1 << cell;
        let next = board.holders_of(node.children) & board.near[cell] & !used;
        self.wholes.push_if(next != 0, Whole { used, next, ..whole });
    }
}

/// The lowest of some cells, and the others.
#[inline(always)]
fn take(cells: u64) -> (usize, u64) {
    (cells.trailing_zeros() as usize & 63, cells & cells.wrapping_sub(1))
}
