//! The words that use both cells of a swap.
//!
//! Such a word lies on the board but for two cells a and b, met in this order: it has the letter of
//! b on a and that of a on b. The walk goes on from each head on the board to a cell a with a letter
//! that other cells hold, the *givers*; along the board; to one of the givers with the letter
//! of a; and along the board again.

use super::changes::Wanted;
use super::found::Found;
use super::layout::{Layout, letters_of};
use super::neighbors::pair;
use super::parts::Parts;
use super::queue::{Queue, Room};
use super::splits::Splits;
use super::tree::{Node, Tree};
use crate::Tile;
use crate::simd::{prefetch_at, with_vectors};

/// A string on its way through the cells of a swap.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    node: Node,
    state: State,
    /// The cells that are next. Not 0 in a queue.
    ///
    /// Of a string that uses no cell of a swap these are the cells that may be the first one, in place of
    /// whose letters it has its last; of one that goes on to the second, the givers; of others the cells
    /// that hold a letter that goes on.
    next: u64,
}

/// The cells that a string uses, and what is known of the swap: its first cell, the letters that it has
/// there and that it must have on the second one, and the second one. In one word, so that a [`Step`] is
/// short.
#[derive(Clone, Copy, Debug, Default)]
struct State(u64);

impl State {
    #[inline(always)]
    fn new(used: u64, letter: u32) -> State {
        State(used | u64::from(letter) << 40)
    }

    #[inline(always)]
    fn used(self) -> u64 {
        self.0 & ((1 << 40) - 1)
    }

    /// The letter on the first cell.
    #[inline(always)]
    fn letter(self) -> u32 {
        (self.0 >> 40) as u32 & 31
    }

    /// The letter on the second cell, once the first is known.
    #[inline(always)]
    fn given(self) -> u32 {
        (self.0 >> 45) as u32 & 31
    }

    #[inline(always)]
    fn first(self) -> u8 {
        (self.0 >> 50) as u8 & 63
    }

    #[inline(always)]
    fn second(self) -> u8 {
        (self.0 >> 56) as u8 & 63
    }

    #[inline(always)]
    fn with(self, cell: usize) -> State {
        State(self.0 | 1 << cell)
    }

    #[inline(always)]
    fn with_first(self, cell: usize, given: Tile) -> State {
        State(self.with(cell).0 | u64::from(given) << 45 | (cell as u64) << 50)
    }

    #[inline(always)]
    fn with_second(self, cell: usize) -> State {
        State(self.with(cell).0 | (cell as u64) << 56)
    }
}

/// Walks over swaps; holds what they have yet to go on with.
#[derive(Clone, Debug, Default)]
pub(super) struct SwapWalk {
    /// Strings that use no cell of a swap yet.
    starts: Queue<Step>,
    /// Those that use the first one.
    halves: Queue<Step>,
    /// Those that go on to the second.
    seconds: Queue<Step>,
    /// Those that use both.
    wholes: Queue<Step>,
    /// Words, and the swaps that make them.
    words: Queue<(u32, u8, u8)>,
}

/// From this length on the first queue is worked off, so that all of them stay in the cache.
const FULL: usize = 32;

/// Cells that touch one, at most: a step is taken out of its queue as often, and puts one in each time.
const NEAR: usize = 8;

/// Heads, or words, between asking for what belongs to one and reading it.
const AHEAD: usize = 8;

/// What a walk over swaps goes through.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub heads: &'a Parts,
    pub splits: &'a Splits,
    pub board: &'a Layout,
    pub wanted: Wanted,
}

/// A head on the board and one letter more, for the first cell of a swap.
pub(super) struct Start {
    pub node: Node,
    pub letter: u32,
    /// The cells that the head uses.
    pub used: u64,
    /// The cells that can give the letter.
    pub givers: u64,
    /// The cells that can get it.
    pub firsts: u64,
}

impl Start {
    /// Whether there is a swap for it.
    #[inline(always)]
    pub fn lives(&self) -> bool {
        (self.givers != 0) & (self.firsts != 0)
    }
}

impl Field<'_> {
    /// Tells of all ways to go on from a head, by its index, to the first cell of a swap; and of some that there
    /// are not, see [`Start::lives`].
    #[inline(always)]
    pub fn starts(&self, head: usize, mut tell: impl FnMut(Start)) {
        let Field { heads, splits, board, wanted } = *self;
        let (tree, all) = (&splits.heads, heads.all());
        if let Some(ahead) = all.get(head + 2 * AHEAD) {
            tree.ask_for(ahead.node);
        }
        if let Some(ahead) = all.get(head + AHEAD) {
            tree.ask_for(tree.node(ahead.node).first_child());
        }
        let node = tree.node(all[head].node);
        for letter in letters_of(node.children & board.on_board) {
            let node = tree.node(node.child(letter));
            let holders = board.holders(letter);
            let firsts = board.holders_of(node.children | node.below) & wanted.free & !holders;
            for place in heads.places(&all[head]) {
                let (firsts, givers) = (place.near & firsts, holders & wanted.free & !place.used);
                tell(Start { node, letter, used: place.used, givers, firsts });
            }
        }
    }
}

impl SwapWalk {
    /// Tells of all words that are made by swaps of which they use both cells.
    pub fn run<const BYTES: usize>(&mut self, field: Field<'_>, found: &mut Found) {
        with_vectors(
            #[inline(always)]
            || self.walk_all::<BYTES>(field, found),
        );
    }

    #[inline(always)]
    fn walk_all<const BYTES: usize>(&mut self, field: Field<'_>, found: &mut Found) {
        let mut next = 0;
        loop {
            while self.starts.end < FULL && next < field.heads.all().len() {
                field.starts(
                    next,
                    #[inline(always)]
                    |start| {
                        let state = State::new(start.used, start.letter);
                        let step = Step { node: start.node, state, next: start.firsts };
                        self.starts.push_if(start.lives(), step);
                    },
                );
                next += 1;
            }
            if self.starts.end == 0 {
                return;
            }
            self.go_on::<BYTES>(field.splits, field.board, field.wanted.free, found);
        }
    }

    /// Empties all queues.
    #[inline(always)]
    fn go_on<const BYTES: usize>(&mut self, splits: &Splits, board: &Layout, free: u64, found: &mut Found) {
        let tree = &splits.heads;
        let mut start = 0;
        while start < self.starts.end {
            let mut starts = self.starts.room(0);
            let mut halves = self.halves.room(FULL);
            let mut seconds = self.seconds.room(NEAR * (starts.end - start));
            while start < starts.end && halves.end < FULL {
                let (step, first) = starts.take(&mut start);
                let state = step.state.with_first(first, board.letters[first]);
                push_half(step.node, state, first, free, tree, board, &mut halves, &mut seconds);
            }
            (self.halves.end, self.seconds.end) = (halves.end, seconds.end);
            self.finish_halves(tree, board, free);
        }
        let mut seconds = self.seconds.room(0);
        let mut at = 0;
        while at < seconds.end {
            let most = NEAR * (seconds.end - at);
            let mut wholes = self.wholes.room(most);
            let mut words = self.words.room(most);
            while at < seconds.end {
                let (step, second) = seconds.take(&mut at);
                let node = tree.node(step.node.child(step.state.given()));
                push_whole(
                    node,
                    step.state.with_second(second),
                    second,
                    tree,
                    board,
                    &mut wholes,
                    &mut words,
                );
            }
            (self.wholes.end, self.words.end) = (wholes.end, words.end);
        }
        let mut at = 0;
        while at < self.wholes.end {
            let stop = self.wholes.end;
            let most = NEAR * (stop - at);
            let (mut wholes, mut words) = (self.wholes.room(most), self.words.room(most));
            while at < stop {
                let (step, cell) = wholes.take(&mut at);
                let node = tree.node(step.node.child(board.letters[cell].into()));
                push_whole(node, step.state.with(cell), cell, tree, board, &mut wholes, &mut words);
            }
            (self.wholes.end, self.words.end) = (wholes.end, words.end);
        }
        for (i, &(word, first, second)) in self.words.all().iter().enumerate() {
            if let Some(ahead) = self.words.all().get(i + AHEAD) {
                found.ask_for(ahead.0);
                prefetch_at(&splits.letters, ahead.0 as usize);
            }
            found.with_swap::<BYTES>(word, splits.letters[word as usize], pair(first.into(), second.into()));
        }
        (self.starts.end, self.seconds.end, self.wholes.end, self.words.end) = (0, 0, 0, 0);
    }

    /// Goes on with all halves.
    #[inline(always)]
    fn finish_halves(&mut self, tree: &Tree, board: &Layout, free: u64) {
        let mut at = 0;
        while at < self.halves.end {
            let stop = self.halves.end;
            let most = NEAR * (stop - at);
            let (mut halves, mut seconds) = (self.halves.room(most), self.seconds.room(most));
            while at < stop {
                let (step, cell) = halves.take(&mut at);
                let node = tree.node(step.node.child(board.letters[cell].into()));
                push_half(node, step.state.with(cell), cell, free, tree, board, &mut halves, &mut seconds);
            }
            (self.halves.end, self.seconds.end) = (halves.end, seconds.end);
        }
        self.halves.end = 0;
    }
}

/// Queues a string that uses the first cell of a swap, and whose last cell is `cell`, for what may
/// come next.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // the queues are borrowed each on its own
fn push_half(
    node: Node,
    state: State,
    cell: usize,
    free: u64,
    tree: &Tree,
    board: &Layout,
    halves: &mut Room<'_, Step>,
    seconds: &mut Room<'_, Step>,
) {
    tree.ask_for(node.first_child());
    let givers = board.holders(state.letter()) & free & !state.used();
    let near = board.near[cell] & !state.used();
    let lives = (givers != 0) & (node.below >> state.given() & 1 == 1);
    let next = board.holders_of(node.children) & near;
    halves.push_if(lives & (next != 0), Step { node, state, next });
    let next = near & givers;
    seconds.push_if((next != 0) & (node.children >> state.given() & 1 == 1), Step { node, state, next });
}

/// Queues a string that uses both cells of a swap, and whose last cell is `cell`.
#[inline(always)]
fn push_whole(
    node: Node,
    state: State,
    cell: usize,
    tree: &Tree,
    board: &Layout,
    wholes: &mut Room<'_, Step>,
    words: &mut Room<'_, (u32, u8, u8)>,
) {
    tree.ask_for(node.first_child());
    words.push_if(node.word != 0, (node.word.wrapping_sub(1), state.first(), state.second()));
    let next = board.holders_of(node.children) & board.near[cell] & !state.used();
    wholes.push_if(next != 0, Step { node, state, next });
}

impl Room<'_, Step> {
    /// The step at `at` and the lowest of its next cells. If there are no others, `at` goes on.
    #[inline(always)]
    fn take(&mut self, at: &mut usize) -> (Step, usize) {
        let slot = &mut self.items[*at];
        let step = *slot;
        slot.next = step.next & step.next.wrapping_sub(1);
        *at += usize::from(slot.next == 0);
        (step, lowest(step.next))
    }
}

/// The lowest of some cells.
#[inline(always)]
fn lowest(cells: u64) -> usize {
    cells.trailing_zeros() as usize & 63
}
