//! The words that changes of one cell make: heads and tails brought together.

use super::found::Found;
use super::layout::Layout;
use super::parts::{Part, Parts, Place};
use super::splits::{Fill, Mates};

/// A head and a tail that may lie on both sides of a cell, as places in lists.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    owner: Part,
    mate: Part,
    /// The place of the mate.
    place: u32,
}

/// How many pairs are collected before they are looked at. Collecting and looking are loops of
/// their own so that neither waits for the other's loads.
const BATCH: usize = 256;

/// Which edits of a board are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The cells that may change.
    pub free: u64,
    /// The letters they may change to; also letters of the board, which come by swaps anyway.
    pub letters: u32,
}

/// Brings owners and their mates together.
#[derive(Clone, Debug, Default)]
pub(super) struct Matcher {
    meetings: Vec<Meeting>,
}

impl Matcher {
    /// Tells of all words that are made by changes, and by swaps of which they use one cell only.
    pub fn run(
        &mut self,
        owners: &Parts,
        others: &Parts,
        mates: &Mates,
        board: &Layout,
        wanted: Wanted,
        found: &mut Found,
    ) {
        for owner in owners.iter() {
            let places = mates.of(owner.node);
            let open = owner.near & wanted.free;
            for (place, &node) in (places.start as u32..).zip(mates.nodes(places)) {
                let mate = others.of(node);
                if mate.near & open != 0 {
                    self.meetings.push(Meeting { owner: *owner, mate: *mate, place });
                }
            }
            if self.meetings.len() >= BATCH {
                self.join(owners, others, mates, board, wanted, found);
            }
        }
        self.join(owners, others, mates, board, wanted, found);
    }

    fn join(
        &mut self,
        owners: &Parts,
        others: &Parts,
        mates: &Mates,
        board: &Layout,
        wanted: Wanted,
        found: &mut Found,
    ) {
        for meeting in &self.meetings {
            let (own, other) = (owners.places(&meeting.owner), others.places(&meeting.mate));
            let mut gaps = 0;
            for a in own {
                for b in other {
                    gaps |= gap(a, b);
                }
            }
            gaps &= wanted.free;
            if gaps == 0 {
                continue;
            }
            for fill in mates.fills(meeting.place) {
                if wanted.letters >> fill.letter & 1 == 0 {
                    continue;
                }
                let holders = board.holders(fill.letter);
                if fill.repeat == 0 {
                    let cells = gaps & !holders;
                    found.with_change(fill.word, fill.letters, fill.letter, cells);
                    let givers = holders & wanted.free;
                    if givers != 0 && cells != 0 {
                        found.with_swaps(fill.word, fill.letters, cells, givers);
                    }
                } else {
                    fill_repeat(fill, own, other, gaps, holders, wanted, found);
                }
            }
        }
        self.meetings.clear();
    }
}

/// The cells between two placements; none if they overlap.
#[inline]
fn gap(a: &Place, b: &Place) -> u64 {
    if a.used & b.used == 0 { a.near & b.near } else { 0 }
}

/// A word that has the letter elsewhere too may use a cell that holds it: then that cell cannot
/// give it by a swap.
fn fill_repeat(
    fill: &Fill,
    own: &[Place],
    other: &[Place],
    gaps: u64,
    holders: u64,
    wanted: Wanted,
    found: &mut Found,
) {
    let cells = gaps & !holders;
    if cells == 0 {
        return;
    }
    found.with_repeat(fill.repeat, fill.word, fill.letters, fill.letter, cells);
    for a in own {
        for b in other {
            let givers = holders & wanted.free & !a.used & !b.used;
            let cells = gap(a, b) & cells;
            if givers != 0 && cells != 0 {
                found.with_swaps(fill.word, fill.letters, cells, givers);
            }
        }
    }
}
