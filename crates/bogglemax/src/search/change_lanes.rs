//! Heads and tails [brought together](super::changes) eight at a time, for boards of at most 16 cells.

use super::changes::Sides;
use super::found::Found;
use super::parts::{FEW, MANY, Part};
use super::splits::Kind;
use crate::MAX_TILES;
use crate::simd::{Columns, Kernel, LANES, Lanes, first_bits, first_lanes, with_lanes};

/// Brings the strings of one tree that lie on a board and their mates in the other together.
///
/// As in [`Matcher`](super::changes::Matcher) couples are taken many at a time, in steps, each of which asks
/// for the memory that the next one reads. Sets of cells are in the lower half of a number; where there
/// are two, the other is in the higher half.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneMatcher {
    /// Mates that are on the board with their owners: the mate's node, the first letter that goes between
    /// as a number of [`Mates::fill`](super::splits::Mates::fill), and the owner's index with its
    /// [`MANY`].
    couples: Columns<3>,
    /// Couples with cells between them: a letter that goes there, the cells, and the indexes of both
    /// strings.
    joins: Columns<4>,
    /// Words that changes make and that have the letter only once: word, kind, and the cells that can change
    /// and those that can give the letter.
    singles: Columns<3>,
    /// Words that have it more than once: the same, the number of the repeat, and the indexes of both
    /// strings.
    repeats: Columns<6>,
    /// Those of them for which there are cells that can give the letter.
    given_repeats: Columns<5>,
    /// Words that swaps make: as in `singles`.
    swaps: Columns<3>,
}

/// From this number on couples are worked off.
const FULL: usize = 128;

impl LaneMatcher {
    /// Tells of all words that are made by changes, and by swaps of which they use one cell only.
    pub fn run(&mut self, sides: Sides<'_>, found: &mut Found) {
        with_lanes(Match { matcher: self, sides, found });
    }

    #[inline(always)]
    fn match_all<L: Lanes>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let ways: [u32; MAX_TILES] = std::array::from_fn(|letter| {
            let (letter, givers) = (letter as u32, sides.givers(letter as u32));
            let is_wanted = sides.wanted.letters >> letter & 1 == 1;
            let changing = if is_wanted { sides.wanted.free & !givers } else { 0 };
            (changing | givers << 16) as u32
        });
        let owners = sides.owners.all();
        let mut next = 0;
        while next < owners.len() {
            while next < owners.len() && self.couples.len() < FULL {
                sides.ask_ahead(next);
                self.push_couples::<L>(sides, &owners[next], next as u32);
                next += 1;
            }
            self.push_joins::<L>(sides);
            self.push_words::<L>(sides, &ways, found);
            self.tell::<L>(sides, found);
        }
    }

    /// Queues an owner with all its mates that are on the board.
    #[inline(always)]
    fn push_couples<L: Lanes>(&mut self, sides: Sides<'_>, owner: &Part, index: u32) {
        let of = sides.mates.of(owner.node);
        let owner = L::splat(index | owner.many);
        let mut at = of.start;
        // Once at least: lists are short, and whether one is empty is hard to foresee.
        loop {
            let mates = sides.mates.all()[at..at + LANES].first_chunk().expect("as many as lanes");
            let [nodes, fills] = L::unzipped(mates);
            let bits = nodes.shr::<5>().gather(sides.others.bits()).shr_by(nodes & L::splat(31));
            let on_board = bits.shl::<31>().highest_bits() & first_bits(of.end - at);
            self.couples.push(on_board, [nodes, fills, owner]);
            at += LANES;
            if at >= of.end {
                return;
            }
        }
    }

    /// Queues the couples that have cells between them.
    #[inline(always)]
    fn push_joins<L: Lanes>(&mut self, sides: Sides<'_>) {
        let Sides { owners, others, wanted, .. } = sides;
        for (&node, &fill) in self.couples.column(0).iter().zip(self.couples.column(1)) {
            others.ask_for(node);
            sides.mates.ask_for_fill(fill);
        }
        let mut at = 0;
        while at < self.couples.len() {
            let inside = first_bits(self.couples.len() - at);
            let [nodes, fills, own] = self.couples.at::<L>(at);
            let other = nodes.gather(others.indexes());
            let index = L::splat(!MANY);
            let own_places = (own & index).rows(owners.first_places());
            let other_places = (other & index).rows(others.first_places());
            let gaps = gaps_of_few(own_places, other_places).shr::<16>() & L::splat(wanted.free as u32);
            let many = (own | other).highest_bits() & inside;
            let few = !gaps.is_zero().highest_bits() & inside & !many;
            self.joins.push(few, [fills, gaps, own, other]);
            if many != 0 {
                self.push_joins_of_many(sides, many, [fills, own, other].map(L::into));
            }
            at += LANES;
        }
        self.couples.clear();
    }

    /// As [`push_joins`](LaneMatcher::push_joins), for the couples in `which`, of more than a few placements.
    #[inline(never)]
    fn push_joins_of_many(&mut self, sides: Sides<'_>, which: u8, couples: [[u32; LANES]; 3]) {
        let Sides { owners, others, wanted, .. } = sides;
        for lane in (0..LANES).filter(|lane| which >> lane & 1 == 1) {
            let [fill, own, other] = couples.map(|column| column[lane]);
            let gaps = owners.gaps(owners.part(own), others, others.part(other)) & wanted.free;
            self.joins.push_if(gaps != 0, [fill, gaps as u32, own, other]);
        }
    }

    /// Queues the words that joins make. `ways` are, for each letter, the cells that may change to it, and those
    /// that may give it away.
    #[inline(always)]
    fn push_words<L: Lanes>(&mut self, sides: Sides<'_>, ways: &[u32; MAX_TILES], found: &Found) {
        let mut at = 0;
        while at < self.joins.len() {
            let count = self.joins.len() - at;
            let inside = first_bits(count);
            let [fills, gaps, own, other] = self.joins.at::<L>(at);
            let [words, repeats, kinds, is_last] = fills.rows(sides.mates.rows());
            let letters = kinds & L::splat(MAX_TILES as u32 - 1);
            let cells = letters.gather(ways) & (gaps | L::splat(0xffff_0000));
            let makes = !cells.shl::<16>().is_zero().highest_bits() & inside;
            let is_single = repeats.is_zero().highest_bits();
            self.singles.push(makes & is_single, [words, kinds, cells]);
            self.repeats.push(makes & !is_single, [words, kinds, cells, repeats, own, other]);
            let more = !is_last.highest_bits() & inside;
            // Behind those that are left, and so not yet passed.
            at += LANES.min(count);
            self.joins.push(more, [fills + L::splat(1), gaps, own, other]);
        }
        self.joins.clear();
        self.singles.column(0).iter().for_each(|&word| found.ask_for(word));
        for (&word, &repeat) in self.repeats.column(0).iter().zip(self.repeats.column(3)) {
            found.ask_for(word);
            found.ask_for_repeat(repeat);
        }
    }

    /// Tells of the words.
    #[inline(always)]
    fn tell<L: Lanes>(&mut self, sides: Sides<'_>, found: &mut Found) {
        let low = L::splat(0xffff);
        let mut at = 0;
        while at < self.singles.len() {
            let count = self.singles.len() - at;
            let [words, kinds, cells] = self.singles.at::<L>(at);
            let cells = first_lanes(cells, count);
            found.with_changes(words, kinds, cells & low);
            self.swaps.push(!cells.shr::<16>().is_zero().highest_bits(), [words, kinds, cells]);
            at += LANES;
        }
        let mut at = 0;
        while at < self.repeats.len() {
            let count = self.repeats.len() - at;
            let [words, kinds, cells, repeats, own, other] = self.repeats.at::<L>(at);
            let cells = first_lanes(cells, count);
            found.with_repeats(words, repeats, kinds, cells & low, count);
            let given = !cells.shr::<16>().is_zero().highest_bits();
            self.given_repeats.push(given, [words, kinds, cells, own, other]);
            at += LANES;
        }
        for i in 0..self.given_repeats.len() {
            self.push_swaps_of_repeat::<L>(sides, self.given_repeats.entry(i));
        }
        let columns = [0, 1, 2].map(|column| self.swaps.column(column));
        for ((&word, &kind), &cells) in columns[0].iter().zip(columns[1]).zip(columns[2]) {
            let (cells, givers) = (cells & 0xffff, cells >> 16);
            found.with_swaps::<2>(word, Kind(kind).letters(), cells.into(), givers.into());
        }
        self.singles.clear();
        self.repeats.clear();
        self.given_repeats.clear();
        self.swaps.clear();
    }

    /// Queues the swaps that make a word which has the letter put in elsewhere too. A cell that gives it there
    /// cannot give it here.
    #[inline(always)]
    fn push_swaps_of_repeat<L: Lanes>(
        &mut self,
        sides: Sides<'_>,
        [word, kind, cells, own, other]: [u32; 5],
    ) {
        if (own | other) & MANY != 0 {
            return self.push_swaps_of_many(sides, [word, kind, cells, own, other]);
        }
        let b = L::twice(sides.others.first_places()[other as usize]);
        let used = L::splat(0xffff);
        for a in L::fourfold(sides.owners.first_places()[own as usize]) {
            let gaps = gaps_of(a, b).shr::<16>() & L::splat(cells);
            let givers = L::splat(cells >> 16).without((a | b) & used);
            let makes = !(gaps.is_zero() | givers.is_zero()).highest_bits();
            self.swaps.push(makes, [L::splat(word), L::splat(kind), gaps | givers.shl::<16>()]);
        }
    }

    #[inline(never)]
    fn push_swaps_of_many(&mut self, sides: Sides<'_>, [word, kind, cells, own, other]: [u32; 5]) {
        let Sides { owners, others, .. } = sides;
        for a in owners.places(owners.part(own)) {
            for b in others.places(others.part(other)) {
                let (gaps, givers) = (a.gap(b) as u32 & cells, cells >> 16 & !(a.used | b.used) as u32);
                self.swaps.push_if((gaps != 0) & (givers != 0), [word, kind, gaps | givers << 16]);
            }
        }
    }
}

/// Of [packed](super::parts::Place::packed) places, the cells between them, in the higher half; the lower half is 0.
#[inline(always)]
fn gaps_of<L: Lanes>(a: L, b: L) -> L {
    let both = a & b;
    both & both.shl::<16>().is_zero()
}

/// The same for any of a few places of each side.
#[inline(always)]
fn gaps_of_few<L: Lanes>(own: [L; FEW], other: [L; FEW]) -> L {
    let mut all = L::splat(0);
    for a in own {
        for b in other {
            all = all | gaps_of(a, b);
        }
    }
    all
}

/// The work of [`LaneMatcher::run`].
struct Match<'a> {
    matcher: &'a mut LaneMatcher,
    sides: Sides<'a>,
    found: &'a mut Found,
}

impl Kernel for Match<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.matcher.match_all::<L>(self.sides, self.found);
    }
}
