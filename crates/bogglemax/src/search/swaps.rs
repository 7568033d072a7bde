//! The words that use both cells of a swap.
//!
//! Such a word lies on the board but for two cells a and b, met in this order: it has the letter of
//! b on a and that of a on b. The walk goes on from each head on the board to a cell a with a letter
//! that other cells hold, the *givers*; along the board; to one of the givers with the letter
//! of a; and along the board again.

use super::changes::Wanted;
use super::found::Found;
use super::layout::{Layout, cells_of, letters_of};
use super::parts::Parts;
use super::splits::Splits;
use super::tree::Node;

/// A string that uses the first cell of a swap.
#[derive(Clone, Copy, Debug)]
struct Half {
    node: Node,
    used: u64,
    /// The cells that may be the second one; never none.
    givers: u64,
    /// The last cell.
    cell: u8,
    first: u8,
}

/// A string that uses both cells of a swap.
#[derive(Clone, Copy, Debug)]
struct Whole {
    node: Node,
    used: u64,
    cell: u8,
    first: u8,
    second: u8,
}

/// Walks over swaps; holds their queues.
#[derive(Clone, Debug, Default)]
pub(super) struct SwapWalk {
    halves: Vec<Half>,
    wholes: Vec<Whole>,
}

/// How many strings are collected before they are gone on with.
const BATCH: usize = 128;

impl SwapWalk {
    /// Tells of all words that are made by swaps of which they use both cells.
    pub fn run(
        &mut self,
        heads: &Parts,
        splits: &Splits,
        board: &Layout,
        wanted: Wanted,
        found: &mut Found,
    ) {
        for head in heads.iter() {
            let node = splits.heads.node(head.node);
            for letter in letters_of(node.children & board.on_board) {
                let child = splits.heads.node(node.child(letter));
                let holders = board.holders(letter);
                let firsts = board.holders_of(child.below) & wanted.free & !holders;
                if firsts & head.near == 0 {
                    continue;
                }
                for place in heads.places(head) {
                    let givers = holders & wanted.free & !place.used;
                    if givers == 0 {
                        continue;
                    }
                    for first in cells_of(place.near & firsts) {
                        let used = place.used | 1 << first;
                        let cell = first as u8;
                        self.halves.push(Half { node: child, used, givers, cell, first: cell });
                    }
                }
            }
            if self.halves.len() >= BATCH {
                self.go_on(splits, board, found);
            }
        }
        self.go_on(splits, board, found);
    }

    fn go_on(&mut self, splits: &Splits, board: &Layout, found: &mut Found) {
        let tree = &splits.heads;
        let mut next = 0;
        while let Some(&Half { node, used, givers, cell, first }) = self.halves.get(next) {
            next += 1;
            let cell = usize::from(cell) & 63;
            let near = board.near[cell] & !used;
            let given = u32::from(board.tiles[usize::from(first) & 63]);
            for letter in letters_of(node.children & board.letters_near[cell]) {
                let cells = board.holders(letter) & near;
                if cells == 0 {
                    continue;
                }
                let child = tree.node(node.child(letter));
                if child.below >> given & 1 == 1 {
                    for cell in cells_of(cells) {
                        let givers = givers & !(1 << cell);
                        if givers != 0 {
                            let (used, cell) = (used | 1 << cell, cell as u8);
                            self.halves.push(Half { node: child, used, givers, cell, first });
                        }
                    }
                }
            }
            let seconds = near & givers;
            if seconds != 0 && node.children >> given & 1 == 1 {
                let child = tree.node(node.child(given));
                for second in cells_of(seconds) {
                    let (used, cell) = (used | 1 << second, second as u8);
                    self.push_whole(Whole { node: child, used, cell, first, second: cell }, splits, found);
                }
            }
        }
        self.halves.clear();
        let mut next = 0;
        while let Some(&whole) = self.wholes.get(next) {
            next += 1;
            let cell = usize::from(whole.cell) & 63;
            for letter in letters_of(whole.node.children & board.letters_near[cell]) {
                let cells = board.holders(letter) & board.near[cell] & !whole.used;
                if cells == 0 {
                    continue;
                }
                let node = tree.node(whole.node.child(letter));
                for cell in cells_of(cells) {
                    let (used, cell) = (whole.used | 1 << cell, cell as u8);
                    self.push_whole(Whole { node, used, cell, ..whole }, splits, found);
                }
            }
        }
        self.wholes.clear();
    }

    #[inline]
    fn push_whole(&mut self, whole: Whole, splits: &Splits, found: &mut Found) {
        if let Some(word) = whole.node.word.checked_sub(1) {
            found.with_swaps(word, splits.letters[word as usize], 1 << whole.first, 1 << whole.second);
        }
        if whole.node.children != 0 {
            self.wholes.push(whole);
        }
    }
}
