//! The words that changes of one cell make: heads and tails brought together.

use super::found::Found;
use super::layout::Layout;
use super::parts::{Part, Parts};
use super::queue::Queue;
use super::splits::Mates;
use crate::Tile;
use crate::simd::{Columns, Kernel, Lanes, with_lanes};

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

/// A letter that makes a word which has it elsewhere too.
#[derive(Clone, Copy, Debug, Default)]
struct Repeat {
    /// Its couple, as an index of [`Matcher::couples`].
    couple: u32,
    /// The letter, as an index of [`Mates::fills`].
    fill: u32,
    /// The cells that can change to the letter.
    cells: u64,
}

/// A word that swaps make of any of some cells and any of others.
#[derive(Clone, Copy, Debug, Default)]
struct Swaps {
    word: u32,
    letters: u8,
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
    /// Both parts of a couple.
    #[inline(always)]
    fn parts(&self, couple: Couple) -> (&'a Part, &'a Part) {
        let mate = self.mates.all()[couple.mate as usize];
        (&self.owners.all()[couple.owner as usize], self.others.of(mate.node))
    }

    /// The cells that hold a letter and may give it away.
    #[inline(always)]
    fn givers(&self, letter: Tile) -> u64 {
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
    /// For each of `couples`, the free cells between them.
    gaps: Vec<u64>,
    /// Couples, as indexes of `couples`, that have cells between them; behind each letter that goes there, as an
    /// index of [`Mates::fills`].
    joins: Columns<2>,
    repeats: Queue<Repeat>,
    swaps: Queue<Swaps>,
}

/// From this number on couples are worked off.
const FULL: usize = 64;

/// Owners between asking for a list of mates and reading it.
const AHEAD: usize = 8;

impl Matcher {
    /// Tells of all words that are made by changes, and by swaps of which they use one cell only.
    pub fn run<const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        with_lanes(Match::<'_, BYTES> { matcher: self, sides, found });
    }

    #[inline(always)]
    fn match_all<L: Lanes, const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let (all, mates, others) = (sides.owners.all(), sides.mates, sides.others);
        let mut next = 0;
        while next < all.len() {
            while next < all.len() && self.couples.end < FULL {
                if let Some(ahead) = all.get(next + 2 * AHEAD) {
                    mates.ask_for(ahead.node);
                }
                if let Some(ahead) = all.get(next + AHEAD) {
                    mates.ask_for_mates(ahead.node);
                }
                let of = mates.of(all[next].node);
                let mut couples = self.couples.room(of.len());
                let first = of.start as u32;
                for (mate, i) in mates.all()[of].iter().zip(first..) {
                    couples.push_if(others.has(mate.node), Couple { owner: next as u32, mate: i });
                }
                self.couples.end = couples.end;
                next += 1;
            }
            self.join::<L, BYTES>(sides, found);
        }
    }

    /// Works off the couples.
    #[inline(always)]
    fn join<L: Lanes, const BYTES: usize>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let Sides { owners, mates, others, board, wanted } = sides;
        for couple in self.couples.all() {
            let mate = mates.all()[couple.mate as usize];
            others.ask_for(mate.node);
            mates.ask_for_fills(mate);
        }
        self.gaps.resize(self.couples.end, 0);
        for (i, (&couple, free)) in self.couples.all().iter().zip(&mut self.gaps).enumerate() {
            let node = mates.all()[couple.mate as usize].node;
            let gaps = owners.gaps::<L, BYTES>(couple.owner as usize, others, node) & wanted.free;
            *free = gaps;
            let between = mates.between(couple.mate);
            let count = if gaps == 0 { 0 } else { between.len() };
            self.joins.push_range(between.start as u32, count, L::splat(i as u32));
        }
        let (fills, couples) = (self.joins.column(0), self.joins.column(1));
        let (mut swaps, mut repeats) = (self.swaps.room(fills.len()), self.repeats.room(fills.len()));
        for (i, (&fill, &couple)) in fills.iter().zip(couples).enumerate() {
            if let Some(&ahead) = fills.get(i + AHEAD) {
                found.ask_for_fill(&mates.fills()[ahead as usize]);
            }
            let at = fill;
            let fill = &mates.fills()[fill as usize];
            let is_wanted = u64::from(wanted.letters >> fill.letter & 1).wrapping_neg();
            let all_cells = self.gaps[couple as usize] & is_wanted & !board.holders(fill.letter);
            let is_single = fill.repeat == 0;
            // Repeats are counted when all of them are known.
            let cells = if is_single { all_cells } else { 0 };
            found.with_change::<BYTES>(fill, cells);
            repeats.push_if(!is_single & (all_cells != 0), Repeat { fill: at, couple, cells: all_cells });
            let givers = sides.givers(fill.letter);
            let made = Swaps { word: fill.word, letters: fill.letters, cells, givers };
            swaps.push_if((givers != 0) & (cells != 0), made);
        }
        (self.swaps.end, self.repeats.end) = (swaps.end, repeats.end);
        for &Repeat { couple, fill, cells } in self.repeats.all() {
            let fill = &mates.fills()[fill as usize];
            found.with_repeat(fill, cells);
            let givers = sides.givers(fill.letter);
            if givers == 0 {
                continue;
            }
            // The word has the letter elsewhere too. A cell that gives it there cannot give it here.
            let (own, other) = sides.parts(self.couples.all()[couple as usize]);
            let (own, other) = (owners.places(own), others.places(other));
            let mut swaps = self.swaps.room(own.len() * other.len());
            for a in own {
                for b in other {
                    let (givers, cells) = (givers & !a.used & !b.used, a.gap(b) & cells);
                    let made = Swaps { word: fill.word, letters: fill.letters, cells, givers };
                    swaps.push_if((givers != 0) & (cells != 0), made);
                }
            }
            self.swaps.end = swaps.end;
        }
        for &Swaps { word, letters, cells, givers } in self.swaps.all() {
            found.with_swaps::<BYTES>(word, letters, cells, givers);
        }
        (self.couples.end, self.joins.end, self.repeats.end, self.swaps.end) = (0, 0, 0, 0);
    }
}

/// The work of [`Matcher::run`].
struct Match<'a, const BYTES: usize> {
    matcher: &'a mut Matcher,
    sides: Sides<'a>,
    found: &'a mut Found,
}

impl<const BYTES: usize> Kernel for Match<'_, BYTES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.matcher.match_all::<L, BYTES>(self.sides, self.found);
    }
}
