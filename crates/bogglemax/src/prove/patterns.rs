//! Ways to lay words of each length on a shape, worked out once for many words.
//!
//! Where the cells of a word lie does not depend on its letters, but for those on decided cells. So
//! the **patterns** of a class are made first: all paths of each length, with the shift that brings a
//! letter to its field of a key. A placement of a word is then a handful of shifts, and what it takes
//! to leave it out is asked of whole words of bits:
//!
//! - Patterns are grouped by which decided cells they use for which letter of a word. A word goes over
//!   the groups that fit it: those where it has the letters that the decided cells hold.
//! - A pattern has a bit for each pair of its positions that an order constraint ties. A word has a bit
//!   for each pair of positions whose letters would break one.
//! - A pattern has a bit for each position whose letter can be moved to each unused decided cell (see
//!   [`super::items::Board`]), a word one for each position that has the letter of that cell.
//!
//! Long words on large boards have too many patterns; they are laid letter by letter.

use super::items::{Class, Laid, Sink};
use super::key::Key;
use super::search::bits;
use super::tuning::Tuning;
use super::words::Words;

/// Words of more tiles are laid letter by letter: pairs of positions are the bits of a `u128`.
const LONGEST: usize = 11;

/// Classes with more decided cells have no patterns: moves to them are the bits of a `u128`.
const MOST_DECIDED: usize = 5;

/// What patterns depend on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Frame {
    decided: Vec<usize>,
    /// The shift of each cell; 0 of a decided one.
    shifts: Vec<u8>,
    ties: Vec<(u8, u8)>,
}

/// The patterns of classes that decide the same cells.
#[derive(Debug)]
pub(crate) struct Patterns {
    tuning: Tuning,
    frame: Frame,
    /// By length.
    lengths: Vec<Length>,
}

/// The patterns of one length.
#[derive(Debug, Default)]
struct Length {
    length: usize,
    /// Where the patterns of each group begin, and how many they are. In the number of a group each
    /// decided cell has a digit: 1 + its position in the word, or 0.
    groups: Vec<(u32, u32)>,
    /// As many shifts as the length, for each pattern.
    shifts: Vec<u8>,
    checks: Vec<Checks>,
}

/// What rules a placement out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Checks {
    /// Pairs of positions that are tied, or whose letters break a tie: see [`tie`].
    ties: u128,
    /// Positions by decided cells they can be moved to, or that hold their letters: see [`to`].
    moves: u128,
}

/// The bit of a pair of positions, of which the first must not rank below the second.
#[inline(always)]
fn tie(first: usize, second: usize) -> u128 {
    1 << (first * LONGEST + second)
}

/// The bit of a position and a decided cell.
#[inline(always)]
fn to(decided: usize, position: usize) -> u128 {
    1 << (decided * LONGEST + position)
}

impl Patterns {
    pub fn new(tuning: Tuning) -> Patterns {
        Patterns { tuning, frame: Frame::default(), lengths: Vec::new() }
    }

    /// Makes the patterns of a class, unless they are at hand. Returns the length up to which words
    /// have any.
    pub fn prepare<K: Key>(&mut self, class: &Class<K>) -> usize {
        let cells = class.cells.len();
        let decided: Vec<usize> = class.decided().collect();
        let most_decided = MOST_DECIDED.min(self.tuning.pattern_cells as usize);
        if decided.len() > most_decided || K::BITS > u128::BITS {
            *self = Patterns::new(self.tuning);
            return 0;
        }
        let mut shifts = vec![0; cells];
        class.order.iter().zip(&class.layout.offset).for_each(|(&cell, &o)| shifts[cell] = o as u8);
        let is_open = |cell: u8| !decided.contains(&usize::from(cell));
        let ties = class.ties.iter().copied().filter(|&(a, b)| is_open(a) && is_open(b)).collect();
        let frame = Frame { decided, shifts, ties };
        if self.lengths.is_empty() || self.frame != frame {
            let paths = paths(&class.neighbors, &self.tuning);
            let lengths = paths.iter().enumerate().map(|(n, paths)| Length::new(n, paths, &frame, class));
            self.lengths = lengths.collect();
            self.frame = frame;
        }
        self.lengths.len() - 1
    }

    pub fn bytes(&self) -> usize {
        let of = |l: &Length| l.shifts.len() + size_of_val(&l.checks[..]) + size_of_val(&l.groups[..]);
        self.lengths.iter().map(of).sum()
    }

    /// Hands all placements of the words that have patterns to a sink; if `free`, only those that use no
    /// decided cell.
    pub fn place_words<K: Key>(
        &self,
        words: &Words,
        class: &Class<K>,
        free: bool,
        asked: u64,
        sink: &mut impl Sink<K>,
    ) {
        if self.lengths.is_empty() {
            return;
        }
        let holders = Holders::new(class, words.tile_count, &self.frame, asked);
        let digits = if free { 0 } else { self.frame.decided.len() };
        for w in 0..words.len() {
            let tiles = words.tiles(w);
            if tiles.len() < self.lengths.len() && sink.wants(words.letters(w)) {
                let word = Word::new(tiles, &holders, class);
                let (decided, group) = (&holders.decided[..digits], Group::default());
                self.lengths[tiles.len()].over_groups(&word, decided, group, sink);
                sink.end(w, tiles, words.class(w));
            }
        }
    }
}

/// All paths of each length, from 0 on, as long as there are not too many of them.
fn paths(neighbors: &[u64], tuning: &Tuning) -> Vec<Vec<u8>> {
    let cells = neighbors.len() as u8;
    let mut lengths = vec![Vec::new(), (0..cells).collect::<Vec<u8>>()];
    let longest = LONGEST.min(tuning.pattern_tiles as usize).min(neighbors.len());
    for length in 2..=longest {
        let mut longer = Vec::new();
        for path in lengths[length - 1].chunks_exact(length - 1) {
            let used = path.iter().fold(0u64, |used, &cell| used | 1 << cell);
            for cell in bits(neighbors[usize::from(path[length - 2])] & !used) {
                longer.extend_from_slice(path);
                longer.push(cell as u8);
            }
        }
        if (longer.len() / length) as u64 > tuning.patterns_of_length {
            break;
        }
        lengths.push(longer);
    }
    lengths
}

/// What a decided cell may hold: one tile, of a closed one none, of the braided one any.
#[derive(Clone, Copy)]
struct Holder {
    tiles: u32,
    is_asked: bool,
    is_braided: bool,
}

/// What the cells of a class may hold.
struct Holders {
    /// The tiles that each decided cell may hold, and whether it is asked for.
    decided: Vec<Holder>,
    /// The tiles that all other cells may hold.
    anywhere: u32,
    /// For each tile, the shifts of the cells that may hold it.
    shifts: Vec<u128>,
}

impl Holders {
    fn new<K: Key>(class: &Class<K>, tiles: usize, frame: &Frame, asked: u64) -> Holders {
        let holder = |cell: usize| match class.braided {
            Some((braided, tiles)) if braided == cell => {
                Holder { tiles, is_asked: asked >> cell & 1 == 1, is_braided: true }
            }
            _ => Holder { tiles: class.cells[cell], is_asked: asked >> cell & 1 == 1, is_braided: false },
        };
        let may_hold = |tile: usize| class.order.iter().filter(move |&&c| class.cells[c] >> tile & 1 == 1);
        Holders {
            decided: frame.decided.iter().map(|&cell| holder(cell)).collect(),
            anywhere: class.order.iter().fold(u32::MAX, |all, &c| all & class.cells[c]),
            shifts: (0..tiles).map(|t| may_hold(t).fold(0, |all, &c| all | 1 << frame.shifts[c])).collect(),
        }
    }
}

/// A word as patterns want to see it.
struct Word<'a> {
    tiles: &'a [u8],
    /// What each position adds to a key, before it is shifted.
    codes: [u32; LONGEST],
    /// The pairs of positions that must not be tied, and the positions that have the letters of
    /// decided cells.
    checks: Checks,
    /// For each position, the shifts it may have, unless it may have all of them.
    shifts: Option<[u128; LONGEST]>,
}

impl<'a> Word<'a> {
    fn new<K: Key>(tiles: &'a [u8], holders: &Holders, class: &Class<K>) -> Word<'a> {
        let mut codes = [0; LONGEST];
        let mut checks = Checks::default();
        for (p, &tile) in tiles.iter().enumerate() {
            codes[p] = u32::from(tile) + 1;
            let rank = class.ranks[usize::from(tile)];
            for (q, &other) in tiles.iter().enumerate() {
                checks.ties |= u128::from(class.ranks[usize::from(other)] > rank) * tie(p, q);
            }
            // What can be moved to the braided cell is told of, and does not dominate.
            let holds = |holder: &Holder| !holder.is_braided && holder.tiles >> tile & 1 == 1;
            let same = holders.decided.iter().enumerate().filter(|(_, holder)| holds(holder));
            same.for_each(|(j, _)| checks.moves |= to(j, p));
        }
        let mut shifts = [0; LONGEST];
        shifts.iter_mut().zip(tiles).for_each(|(s, &t)| *s = holders.shifts[usize::from(t)]);
        let fits = tiles.iter().all(|&t| holders.anywhere >> t & 1 == 1);
        Word { tiles, codes, checks, shifts: (!fits).then_some(shifts) }
    }
}

/// A choice of positions for decided cells.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Its number, made of the digits of the cells chosen for so far.
    number: usize,
    digits: u32,
    /// The positions on decided cells.
    positions: u32,
    /// One of the cells asked for is used.
    uses_asked: bool,
    /// The tile on the braided cell, as a set.
    braided: u32,
}

impl Length {
    fn new<K: Key>(length: usize, paths: &[u8], frame: &Frame, class: &Class<K>) -> Length {
        let count = (length + 1).pow(frame.decided.len() as u32);
        let position = |path: &[u8], cell: usize| path.iter().position(|&c| usize::from(c) == cell);
        let group = |path: &[u8]| {
            let digits = frame.decided.iter().map(|&cell| position(path, cell).map_or(0, |p| p + 1));
            digits.rev().fold(0, |number, digit| number * (length + 1) + digit)
        };
        let mut order: Vec<(u32, &[u8])> = match length {
            0 => Vec::new(),
            _ => paths.chunks_exact(length).map(|path| (group(path) as u32, path)).collect(),
        };
        order.sort_by_key(|(group, _)| *group);
        let mut patterns = Length { length, groups: vec![(0, 0); count], ..Length::default() };
        for (i, (group, path)) in order.into_iter().enumerate() {
            let (start, count) = &mut patterns.groups[group as usize];
            *start = if *count == 0 { i as u32 } else { *start };
            *count += 1;
            patterns.shifts.extend(path.iter().map(|&cell| frame.shifts[usize::from(cell)]));
            patterns
                .checks
                .push(Checks { ties: ties(path, frame), moves: moves(path, frame, &class.neighbors) });
        }
        patterns
    }

    /// Places a word in all ways that have it on decided cells as `group` says, and on the rest of them,
    /// whose letters are `rest`, in any way.
    fn over_groups<K: Key>(&self, word: &Word<'_>, rest: &[Holder], group: Group, sink: &mut impl Sink<K>) {
        let Some((&holder, rest)) = rest.split_first() else {
            return self.place(word, group, sink);
        };
        let Group { number, digits, positions, uses_asked, braided } = group;
        self.over_groups(word, rest, Group { digits: digits + 1, ..group }, sink);
        let fits = |(p, tile): &(usize, &u8)| holder.tiles >> **tile & 1 == 1 && positions >> p & 1 == 0;
        for (p, &tile) in word.tiles.iter().enumerate().filter(fits) {
            let number = number + (p + 1) * (self.length + 1).pow(digits);
            self.over_groups(
                word,
                rest,
                Group {
                    number,
                    digits: digits + 1,
                    positions: positions | 1 << p,
                    uses_asked: uses_asked | holder.is_asked,
                    braided: if holder.is_braided { 1 << tile } else { braided },
                },
                sink,
            );
        }
    }

    fn place<K: Key>(&self, word: &Word<'_>, group: Group, sink: &mut impl Sink<K>) {
        // The length is known to the compiler where it matters.
        match self.length {
            3 => self.place_all::<3, K>(word, group, sink),
            4 => self.place_all::<4, K>(word, group, sink),
            5 => self.place_all::<5, K>(word, group, sink),
            6 => self.place_all::<6, K>(word, group, sink),
            7 => self.place_all::<7, K>(word, group, sink),
            8 => self.place_all::<8, K>(word, group, sink),
            9 => self.place_all::<9, K>(word, group, sink),
            10 => self.place_all::<10, K>(word, group, sink),
            _ => self.place_all::<0, K>(word, group, sink),
        }
    }

    /// Places a word by all patterns of a group. `LENGTH` is that of the word, or 0.
    #[inline(always)]
    fn place_all<const LENGTH: usize, K: Key>(&self, word: &Word<'_>, group: Group, sink: &mut impl Sink<K>) {
        let is_free = !group.uses_asked;
        if is_free && !sink.wants_free(0) {
            return;
        }
        let length = if LENGTH == 0 { self.length } else { LENGTH };
        let (start, count) = self.groups[group.number];
        let (start, end) = (start as usize, (start + count) as usize);
        let mut codes = word.codes;
        bits(group.positions).for_each(|p| codes[p] = 0);
        let shifts = self.shifts[start * length..end * length].chunks_exact(length);
        for (checks, shifts) in self.checks[start..end].iter().zip(shifts) {
            if checks.ties & word.checks.ties != 0 {
                continue;
            }
            if let Some(allowed) = &word.shifts {
                let is_allowed = |p: usize| codes[p] == 0 || allowed[p] >> shifts[p] & 1 == 1;
                if !(0..length).all(is_allowed) {
                    continue;
                }
            }
            let mut key = K::default();
            for p in 0..length {
                key = key.or(K::place(codes[p], shifts[p].into()));
            }
            let is_dominated = checks.moves & word.checks.moves != 0;
            let movable = |j: usize| {
                let positions = checks.moves >> (j * LONGEST) & ((1 << LONGEST) - 1);
                bits(positions as u64).fold(0, |tiles, p| tiles | 1 << word.tiles[p])
            };
            sink.place(key, Laid { is_free, is_dominated, braided: group.braided }, movable);
        }
    }
}

/// The pairs of positions of a path that are tied.
fn ties(path: &[u8], frame: &Frame) -> u128 {
    let position = |cell: u8| path.iter().position(|&c| c == cell);
    let tied = frame.ties.iter().filter_map(|&(a, b)| Some(tie(position(a)?, position(b)?)));
    tied.fold(0, |all, tie| all | tie)
}

/// The positions of a path whose letters can be moved to decided cells: cells that it does not use and
/// that touch what comes before and what comes after.
fn moves(path: &[u8], frame: &Frame, neighbors: &[u64]) -> u128 {
    let mut moves = 0;
    for (j, &cell) in frame.decided.iter().enumerate().filter(|(_, cell)| !path.contains(&(**cell as u8))) {
        let touches =
            |p: Option<usize>| p.and_then(|p| path.get(p)).is_none_or(|&c| neighbors[cell] >> c & 1 == 1);
        for p in (0..path.len()).filter(|&p| !frame.decided.contains(&path[p].into())) {
            if touches(p.checked_sub(1)) && touches(Some(p + 1)) {
                moves |= to(j, p);
            }
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::items::{Board, Longer};
    use super::super::task::{Task, cell_order, tighten};
    use super::*;
    use crate::{Dims, Lexicon, Scoring};
    use proptest::prelude::*;

    /// Key, free, dominated, and the tiles that can be moved.
    type Placement = (u64, bool, bool, [u32; 2]);

    /// All that is told of placements, by word.
    #[derive(Default)]
    struct Told {
        word: Vec<Placement>,
        all: Vec<(usize, Vec<Placement>)>,
    }

    impl Sink<u64> for Told {
        fn wants(&self, _: u32) -> bool {
            true
        }

        fn wants_free(&self, _: u32) -> bool {
            true
        }

        fn place(&mut self, key: u64, laid: Laid, movable: impl Fn(usize) -> u32) {
            self.word.push((key, laid.is_free, laid.is_dominated, std::array::from_fn(movable)));
        }

        fn end(&mut self, word: usize, _: &[u8], _: u8) {
            let mut placements = std::mem::take(&mut self.word);
            placements.sort_unstable();
            if !placements.is_empty() {
                self.all.push((word, placements));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn patterns_place_words_as_letter_by_letter(
            (rows, cols) in prop::sample::select(&[(1, 5), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3)][..]),
            decided in prop::collection::vec((0usize..12, 0u32..6), 0..4),
            masks in prop::collection::vec(1u32..64, 12),
            full in any::<bool>(),
            ties in prop::collection::vec((0u8..12, 0u8..12), 0..5),
            words in prop::collection::vec("[a-f]{3,8}", 1..60),
            free in any::<bool>(),
            closed in prop::option::of(0usize..12),
            asked in any::<u64>(),
        ) {
            let dims = Dims::new(rows, cols).unwrap();
            let cells = dims.cells();
            let mut task = Task::of_class(&masks[..cells]);
            if full {
                task.cells.fill(63);
            }
            decided.iter().for_each(|&(cell, letter)| task.cells[cell % cells] = 1 << letter);
            let open = |c: u8| usize::from(c) < cells;
            task.order = ties.into_iter().filter(|&(a, b)| a != b && open(a) && open(b)).collect();
            prop_assume!(tighten(&mut task));
            closed.iter().for_each(|&cell| task.cells[cell % cells] = 0);
            let lexicon = Lexicon::from_words("some", words).unwrap();
            let words = Words::new(&lexicon, &Scoring::words(), cells);
            let class = Class::<u64>::new(dims, &task, &cell_order(dims), 5, words.tile_count);
            let mut patterns = Patterns::new(Tuning::default());
            let longest = patterns.prepare(&class);
            let (mut told, mut expected) = (Told::default(), Told::default());
            let asked = class.decided().filter(|cell| asked >> cell & 1 == 1).fold(0, |all, cell| all | 1 << cell);
            patterns.place_words(&words, &class, free, asked, &mut told);
            let all = Longer { words: &words, than: 0 };
            let tracked = if free { u64::MAX } else { 0 };
            let board = Board::new(&class, words.tile_count, tracked, asked, free, &Tuning::default());
            board.place_words(all, &mut Vec::<Vec<(u64, u64, [u32; 2])>>::new(), &mut expected);
            expected.all.retain(|(word, _)| words.tiles(*word).len() <= longest);
            // Of free placements the letters that can be moved are asked for, of others whether one can.
            for (_, placements) in told.all.iter_mut().chain(&mut expected.all) {
                placements.iter_mut().for_each(|p| if free { p.2 = false } else { p.3 = [0; 2] });
                placements.sort_unstable();
            }
            prop_assert_eq!(told.all, expected.all);
        }
    }
}
