//! The words that changes of one cell make: heads and tails brought together.

use super::found::Found;
use super::layout::Layout;
use super::parts::{Parts, Place};
use super::splits::{Fill, Mates};

/// Which edits of a board are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The cells that may change.
    pub free: u64,
    /// The letters they may change to, and those of the board, which come by swaps anyway.
    pub letters: u32,
}

/// Brings the strings of one tree that lie on a board and their mates in the other together.
#[derive(Clone, Debug, Default)]
pub(super) struct Matcher {
    /// Scratch: the mates of one owner that are on the board.
    met: Vec<u32>,
}

impl Matcher {
    /// Tells of all words that are made by changes, and by swaps of which they use one cell only.
    #[inline(always)]
    pub fn run<const BYTES: usize>(
        &mut self,
        owners: &Parts,
        others: &Parts,
        mates: &Mates,
        board: &Layout,
        wanted: Wanted,
        found: &mut Found,
    ) {
        for owner in owners.iter() {
            let own = owners.places(owner);
            let (nodes, fills) = mates.of(owner.node);
            if self.met.len() < nodes.len() {
                self.met.resize(nodes.len(), 0);
            }
            let mut met = 0;
            // Whether a mate is on the board is hard to foresee: no branch on it.
            for (i, &node) in nodes.iter().enumerate() {
                self.met[met] = i as u32;
                met += usize::from(others.has(node));
            }
            for &i in &self.met[..met] {
                let mate = others.of(nodes[i as usize]);
                if mate.near & owner.near & wanted.free == 0 {
                    continue;
                }
                let other = others.places(mate);
                let mut gaps = 0;
                for a in own {
                    for b in other {
                        gaps |= gap(a, b);
                    }
                }
                let fill = &fills[i as usize];
                if gaps & wanted.free != 0 && wanted.letters >> fill.letter & 1 == 1 {
                    put_in::<BYTES>(fill, own, other, gaps & wanted.free, board, wanted, found);
                }
            }
        }
    }
}

/// The cells between two placements; none if they overlap.
#[inline(always)]
fn gap(a: &Place, b: &Place) -> u64 {
    if a.used & b.used == 0 { a.near & b.near } else { 0 }
}

/// Puts a letter between a head and a tail, which leave `gaps` for it.
#[inline(always)]
fn put_in<const BYTES: usize>(
    fill: &Fill,
    own: &[Place],
    other: &[Place],
    gaps: u64,
    board: &Layout,
    wanted: Wanted,
    found: &mut Found,
) {
    let holders = board.holders(fill.letter);
    let (cells, givers) = (gaps & !holders, holders & wanted.free);
    if cells == 0 {
        return;
    }
    found.with_change::<BYTES>(fill, cells);
    if givers == 0 {
        return;
    }
    if fill.repeat == 0 {
        found.with_swaps::<BYTES>(fill.word, fill.letters, cells, givers);
        return;
    }
    // The word has the letter elsewhere too. A cell that gives it there cannot give it here.
    for a in own {
        for b in other {
            let (givers, cells) = (givers & !a.used & !b.used, gap(a, b) & cells);
            if givers != 0 && cells != 0 {
                found.with_swaps::<BYTES>(fill.word, fill.letters, cells, givers);
            }
        }
    }
}
