//! The words that changes of one cell make: heads and tails brought together.
//!
//! Small boards have [lanes](super::change_lanes) for this, where the processor has them.

use super::found::Found;
use super::layout::Layout;
use super::parts::{Part, Parts};
use super::queue::Queue;
use super::splits::{Kind, Mates};
use crate::simd::with_vectors;

/// Which edits of a board are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The cells that may change.
    pub free: u64,
    /// The letters they may change to, and those of the board, which come by swaps anyway.
    pub letters: u32,
}

/// A mate that is on the board with its owner.
#[derive(Clone, Copy, Debug, Default)]
struct Couple {
    /// The owner, as an index of [`Parts::all`].
    owner: u32,
    /// The mate, as an index of [`Mates::all`].
    mate: u32,
}

/// A couple and a letter between them that makes a word.
#[derive(Clone, Copy, Debug, Default)]
struct Join {
    couple: Couple,
    /// The letter, by its number in [`Mates::fill`].
    fill: u32,
    /// The cells that can change to the letter.
    cells: u64,
}

/// A word that swaps make of any of some cells and any of others.
#[derive(Clone, Copy, Debug, Default)]
struct Swaps {
    word: u32,
    kind: Kind,
    cells: u64,
    givers: u64,
}

/// What is brought together.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    /// The strings on the board that own lists of mates.
    pub owners: &'a Parts,
    pub mates: &'a Mates,
    /// The strings of the other tree on the board, among which the mates are looked for.
    pub others: &'a Parts,
    pub board: &'a Layout,
    pub wanted: Wanted,
}

impl<'a> Sides<'a> {
    /// Asks for the lists of mates of owners that come some time after one.
    #[inline(always)]
    pub fn ask_ahead(&self, owner: usize) {
        let all = self.owners.all();
        if let Some(ahead) = all.get(owner + 2 * AHEAD) {
            self.mates.ask_for(ahead.node);
        }
        if let Some(ahead) = all.get(owner + AHEAD) {
            self.mates.ask_for_mates(ahead.node);
        }
    }

    /// Both parts of a couple.
    #[inline(always)]
    fn parts(&self, couple: Couple) -> (&'a Part, &'a Part) {
        let [mate, _] = self.mates.all()[couple.mate as usize];
        (&self.owners.all()[couple.owner as usize], self.others.of(mate))
    }

    /// The cells that hold a letter and may give it away.
    #[inline(always)]
    pub fn givers(&self, letter: u32) -> u64 {
        self.board.holders(letter) & self.wanted.free
    }
}

/// Brings the strings of one tree that lie on a board and their mates in the other together.
///
/// All of it stands in tables that the caches do not hold, and little of it can be foreseen. So couples
/// are taken many at a time, in steps, each of which asks for the memory that the next one reads, and
/// sorts out what it has to do.
#[derive(Clone, Debug, Default)]
pub(super) struct Matcher {
    couples: Queue<Couple>,
    joins: Queue<Join>,
    /// Those whose word has the letter more than once.
    repeats: Queue<Join>,
    swaps: Queue<Swaps>,
}

/// From this number on couples are worked off.
const FULL: usize = 64;

/// Owners between asking for a list of mates and reading it.
const AHEAD: usize = 8;

impl Matcher {
    /// Tells of all words that are made by changes, and by swaps of which they use one cell only.
    pub fn run<const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        with_vectors(
            #[inline(always)]
            || self.match_all::<BYTES>(sides, found),
        );
    }

    #[inline(always)]
    fn match_all<const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let (all, mates, others) = (sides.owners.all(), sides.mates, sides.others);
        let mut next = 0;
        while next < all.len() {
            while next < all.len() && self.couples.end < FULL {
                sides.ask_ahead(next);
                let of = mates.of(all[next].node);
                let mut couples = self.couples.room(of.len());
                let first = of.start as u32;
                for (&[mate, _], i) in mates.all()[of].iter().zip(first..) {
                    couples.push_if(others.has(mate), Couple { owner: next as u32, mate: i });
                }
                self.couples.end = couples.end;
                next += 1;
            }
            self.join::<BYTES>(sides, found);
        }
    }

    /// Works off the couples.
    #[inline(always)]
    fn join<const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let Sides { owners, mates, others, board, wanted } = sides;
        for couple in self.couples.all() {
            let [mate, fill] = mates.all()[couple.mate as usize];
            others.ask_for(mate);
            mates.ask_for_fill(fill);
        }
        for &couple in self.couples.all() {
            let (own, other) = sides.parts(couple);
            if own.near & other.near & wanted.free == 0 {
                continue;
            }
            let gaps = owners.gaps(own, others, other) & wanted.free;
            let between = mates.between(couple.mate);
            let between = if gaps == 0 { 0..0 } else { between };
            let mut joins = self.joins.room(between.len());
            for i in between {
                let fill = mates.fill(i);
                let letter = fill.kind.letter();
                found.ask_for_fill(&fill);
                let cells = gaps & !board.holders(letter);
                let makes = (cells != 0) & (wanted.letters >> letter & 1 == 1);
                joins.push_if(makes, Join { couple, fill: i, cells });
            }
            self.joins.end = joins.end;
        }
        let (mut swaps, mut repeats) = (self.swaps.room(self.joins.end), self.repeats.room(self.joins.end));
        for &join in self.joins.all() {
            let fill = mates.fill(join.fill);
            let is_single = fill.repeat == 0;
            // Repeats are counted when all of them are known.
            let cells = if is_single { join.cells } else { 0 };
            found.with_change::<BYTES>(&fill, cells);
            repeats.push_if(!is_single, join);
            let givers = sides.givers(fill.kind.letter());
            let made = Swaps { word: fill.word, kind: fill.kind, cells, givers };
            swaps.push_if(is_single & (givers != 0), made);
        }
        (self.swaps.end, self.repeats.end) = (swaps.end, repeats.end);
        for &Join { couple, fill, cells } in self.repeats.all() {
            let fill = mates.fill(fill);
            found.with_repeat(&fill, cells);
            let givers = sides.givers(fill.kind.letter());
            if givers == 0 {
                continue;
            }
            // The word has the letter elsewhere too. A cell that gives it there cannot give it here.
            let (own, other) = sides.parts(couple);
            let (own, other) = (owners.places(own), others.places(other));
            let mut swaps = self.swaps.room(own.len() * other.len());
            for a in own {
                for b in other {
                    let (givers, cells) = (givers & !a.used & !b.used, a.gap(b) & cells);
                    let made = Swaps { word: fill.word, kind: fill.kind, cells, givers };
                    swaps.push_if((givers != 0) & (cells != 0), made);
                }
            }
            self.swaps.end = swaps.end;
        }
        for &Swaps { word, kind, cells, givers } in self.swaps.all() {
            found.with_swaps::<BYTES>(word, kind.letters(), cells, givers);
        }
        (self.couples.end, self.joins.end, self.repeats.end, self.swaps.end) = (0, 0, 0, 0);
    }
}
