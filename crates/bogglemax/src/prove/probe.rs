//! The bound of a sorted list of items, and the bound under every letter of every undecided cell.
//!
//! The items of a node form the orderly tree: at each undecided cell, in order, the items that do
//! not use it plus the best of its letters. Sorted keys are that tree written depth first, so one
//! pass with a stack of open cells computes
//!
//! - **U**, the paper's bound: value(cell) = value(unused) + max over letters of value(letter);
//! - **U(d = m)** for every undecided cell d and letter m: the same without the items that need
//!   another letter on d. At d the maximum becomes the value of letter m; elsewhere nothing changes.
//!
//! **Why they are bounds.** On a board B of the class with m on d, S(B) is the base plus the points
//! of the words with a satisfied residual, hence at most the base plus the points of all satisfied
//! items. The satisfied items below a choice lie in the unused part and in one letter's part, by
//! induction their points are at most the value, and none of them needs another letter on d.
//! So S(B) <= base + U(d = m) <= base + U.
//!
//! If base + U(d = m) is below the cutoff, no board with m on d reaches it: the letter goes, and
//! with it every item that needs it.
//!
//! Cost: a subtree hangs below the cells before it, so only the cells after its branching point
//! need values per letter. Neighbours in a sorted list differ late, and most steps touch few cells.

use super::items::Items;
use super::key::{Key, Layout};
use super::lookahead::{PREFIX, Prefixes};
use super::words::Points;

/// The number of letters a lane vector holds.
pub(crate) const LANES: usize = 32;

/// Values per letter, wide enough for two AVX2 registers of 16-bit lanes.
pub(crate) type Row<V> = [V; LANES];

/// A lane of a row. Sums saturate: a lane at its maximum means "at least that".
pub(crate) trait Lane: Copy + Ord + Default {
    fn of(points: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    /// All bits where `keep`, else none: the mask of [`masked`](Lane::masked).
    fn mask(keep: bool) -> Self;
    fn masked(self, mask: Self) -> Self;
    fn value(self) -> u64;
}

macro_rules! lane {
    ($int:ty) => {
        impl Lane for $int {
            #[inline(always)]
            fn of(points: u64) -> $int {
                points.min(<$int>::MAX as u64) as $int
            }
            #[inline(always)]
            fn plus(self, other: $int) -> $int {
                self.saturating_add(other)
            }
            fn mask(keep: bool) -> $int {
                if keep { <$int>::MAX } else { 0 }
            }
            #[inline(always)]
            fn masked(self, mask: $int) -> $int {
                self & mask
            }
            #[inline(always)]
            fn value(self) -> u64 {
                self.into()
            }
        }
    };
}
lane!(u16);
lane!(u64);

/// An open cell of the depth-first walk: the parts of its subtree that are complete.
#[derive(Clone, Copy)]
struct Open<V> {
    unused: u64,
    best: u64,
    /// Value of each letter's part.
    letters: Row<V>,
}

/// Scratch space of [`probe`] and its result.
pub(crate) struct Probe<V> {
    /// Fields of the layout in use.
    cells: usize,
    open: Vec<Open<V>>,
    /// `unused[s * cells + d]`, `best[..]`: the open cell s as seen from the lanes of cell d > s.
    unused: Vec<Row<V>>,
    best: Vec<Row<V>>,
    /// Of the subtree just completed; after a probe `rows[p][m]` is U(p = m) for position p.
    pub rows: Vec<Row<V>>,
    /// `only[c]`: all ones in the lane of code c, in every lane for code 0.
    only: Vec<Row<V>>,
}

impl<V: Lane> Probe<V> {
    pub fn new(cells: usize) -> Probe<V> {
        let row = [V::default(); LANES];
        let only =
            (0..64).map(|c: usize| std::array::from_fn(|lane| V::mask(c == 0 || lane + 1 == c))).collect();
        Probe {
            cells,
            open: vec![Open { unused: 0, best: 0, letters: row }; cells],
            unused: vec![row; cells * cells],
            best: vec![row; cells * cells],
            rows: vec![row; cells],
            only,
        }
    }

    pub fn bytes(&self) -> usize {
        2 * self.unused.len() * size_of::<Row<V>>()
    }

    /// U of the items; fills `rows`. Calls `record` with a key and `rows` whenever the subtree below
    /// the first [`PREFIX`] cells of that key is complete.
    #[inline(always)]
    fn run<K: Key>(
        &mut self,
        items: &Items<K>,
        points: &Points,
        layout: &Layout<K>,
        mut record: impl FnMut(K, &[Row<V>]),
    ) -> u64 {
        self.cells = layout.offset.len();
        let Some((&first, rest)) = items.keys.split_first() else {
            self.rows.fill([V::default(); LANES]);
            return 0;
        };
        let n = self.cells;
        let mut open = 0u64;
        let mut previous = first;
        let mut value = points[items.tags[0].class()];
        for (&key, tag) in rest.iter().zip(&items.tags[1..]) {
            let difference = key.xor(previous);
            let worth = points[tag.class()];
            if difference.is_zero() {
                value += worth;
                continue;
            }
            let s = layout.first_difference(difference);
            let mut done = n;
            if s < PREFIX && n > PREFIX {
                value = self.close_below(PREFIX, done, &mut open, previous, value, layout);
                record(previous, &self.rows[PREFIX..n]);
                done = PREFIX;
            }
            value = self.close_below(s + 1, done, &mut open, previous, value, layout);
            self.attach(s, open >> s & 1 == 1, layout.code(previous, s), value);
            open |= 1 << s;
            previous = key;
            value = worth;
        }
        let mut done = n;
        if n > PREFIX {
            value = self.close_below(PREFIX, done, &mut open, previous, value, layout);
            record(previous, &self.rows[PREFIX..n]);
            done = PREFIX;
        }
        self.close_below(0, done, &mut open, previous, value, layout)
    }

    /// Completes the open cells at positions >= `from`, the deepest first, and brings `rows` up to
    /// date for those before `done`. Returns the value of the completed subtree.
    #[inline(always)]
    fn close_below<K: Key>(
        &mut self,
        from: usize,
        mut done: usize,
        open: &mut u64,
        key: K,
        mut value: u64,
        layout: &Layout<K>,
    ) -> u64 {
        while *open >> from != 0 {
            let f = 63 - open.leading_zeros() as usize;
            *open &= !(1 << f);
            self.extend(f + 1, done, key, value, layout);
            value = self.close(f, layout.code(key, f), value);
            done = f;
        }
        self.extend(from, done, key, value, layout);
        value
    }

    /// All items of the subtree agree on the cells `from..to`: they keep their value under the
    /// letter they need there and have none under another.
    #[inline(always)]
    fn extend<K: Key>(&mut self, from: usize, to: usize, key: K, value: u64, layout: &Layout<K>) {
        let value = V::of(value);
        for p in from..to {
            let only = &self.only[layout.code(key, p) & 63];
            let row = &mut self.rows[p];
            for lane in 0..LANES {
                row[lane] = value.masked(only[lane]);
            }
        }
    }

    /// Hangs the completed subtree (`rows` after s, `value`) below cell s.
    #[inline(always)]
    fn attach(&mut self, s: usize, is_open: bool, code: usize, value: u64) {
        let n = self.cells;
        let node = &mut self.open[s];
        let (unused, best) = (&mut self.unused[s * n..][s + 1..n], &mut self.best[s * n..][s + 1..n]);
        let rows = &self.rows[s + 1..n];
        if is_open {
            node.best = node.best.max(value);
            node.letters[(code - 1) % LANES] = V::of(value);
            for (best, row) in best.iter_mut().zip(rows) {
                for lane in 0..LANES {
                    best[lane] = best[lane].max(row[lane]);
                }
            }
            return;
        }
        node.letters = [V::default(); LANES];
        if code == 0 {
            (node.unused, node.best) = (value, 0);
            unused.copy_from_slice(rows);
            best.fill([V::default(); LANES]);
        } else {
            (node.unused, node.best) = (0, value);
            node.letters[(code - 1) % LANES] = V::of(value);
            unused.fill([V::default(); LANES]);
            best.copy_from_slice(rows);
        }
    }

    /// Completes cell f with its last part, which has letter `code`. Sorted keys bring the unused
    /// part first and a cell is opened by two parts, so the last one has a letter.
    #[inline(always)]
    fn close(&mut self, f: usize, code: usize, value: u64) -> u64 {
        let n = self.cells;
        let node = &mut self.open[f];
        node.letters[(code - 1) % LANES] = V::of(value);
        let unused = V::of(node.unused);
        for lane in 0..LANES {
            self.rows[f][lane] = unused.plus(node.letters[lane]);
        }
        let (unused, best) = (&self.unused[f * n..][f + 1..n], &self.best[f * n..][f + 1..n]);
        for ((row, unused), best) in self.rows[f + 1..n].iter_mut().zip(unused).zip(best) {
            for lane in 0..LANES {
                row[lane] = unused[lane].plus(best[lane].max(row[lane]));
            }
        }
        node.unused + node.best.max(value)
    }
}

#[cfg(test)]
impl<V: Lane> Probe<V> {
    /// [`probe`] compiled without the processor's wider instructions.
    pub fn scalar_twin<K: Key>(&mut self, items: &Items<K>, points: &Points, layout: &Layout<K>) -> u64 {
        self.run(items, points, layout, |_, _| {})
    }
}

/// Probes a sorted list: returns U and leaves U(p = m) in `probe.rows`.
pub(crate) fn probe<K: Key, V: Lane>(
    probe: &mut Probe<V>,
    items: &Items<K>,
    points: &Points,
    layout: &Layout<K>,
) -> u64 {
    super::simd::with_vectors(
        #[inline(always)]
        || probe.run(items, points, layout, |_, _| {}),
    )
}

/// [`probe`] that also keeps the rows below every prefix.
pub(crate) fn probe_prefixes<K: Key>(
    probe: &mut Probe<u16>,
    items: &Items<K>,
    points: &Points,
    layout: &Layout<K>,
    prefixes: &mut Prefixes,
) -> u64 {
    prefixes.reset(layout.offset.len());
    super::simd::with_vectors(
        #[inline(always)]
        || {
            probe.run(
                items,
                points,
                layout,
                #[inline(always)]
                |key, rows| prefixes.set(std::array::from_fn(|p| layout.code(key, p)), rows),
            )
        },
    )
}

/// The bound alone, by recursion on the definition: the twin that tests compare with.
#[cfg(test)]
pub(crate) fn bound_by_definition<K: Key>(
    items: &[(K, u64)],
    layout: &Layout<K>,
    p: usize,
    forced: Option<(usize, usize)>,
) -> u64 {
    if p == layout.offset.len() {
        return items.iter().map(|i| i.1).sum();
    }
    let part = |code: usize| {
        let part: Vec<_> = items.iter().filter(|i| layout.code(i.0, p) == code).copied().collect();
        if part.is_empty() { 0 } else { bound_by_definition(&part, layout, p + 1, forced) }
    };
    let best = match forced {
        Some((q, m)) if q == p => part(m + 1),
        _ => (1..=LANES).map(part).max().unwrap_or(0),
    };
    part(0) + best
}
