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
use super::words::Points;

/// The number of letters a lane vector holds.
pub(crate) const LANES: usize = 32;

/// Values per letter, wide enough for two AVX2 registers of 16-bit lanes.
pub(crate) type Row<V> = [V; LANES];

/// A lane of a row. Sums saturate: a lane at its maximum means "at least that".
pub(crate) trait Lane: Copy + Ord + Default {
    fn of(points: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    /// The difference, or 0 if `other` is more.
    fn minus(self, other: Self) -> Self;
    /// All bits where `keep`, else none: the mask of [`masked`](Lane::masked).
    fn mask(keep: bool) -> Self;
    fn masked(self, mask: Self) -> Self;
    fn value(self) -> u64;
    /// What a sum of lanes says: the largest number if one of them may have saturated.
    fn at_least(sum: u64) -> u64;
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
            #[inline(always)]
            fn minus(self, other: $int) -> $int {
                self.saturating_sub(other)
            }
            #[inline(always)]
            fn mask(keep: bool) -> $int {
                <$int>::from(keep).wrapping_neg()
            }
            #[inline(always)]
            fn masked(self, mask: $int) -> $int {
                self & mask
            }
            #[inline(always)]
            fn value(self) -> u64 {
                self.into()
            }
            #[inline(always)]
            fn at_least(sum: u64) -> u64 {
                if sum >= <$int>::MAX as u64 { u64::MAX } else { sum }
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
    /// Whether the unused part, or the part of any letter, has been seen; rows mean something then.
    has_unused: bool,
    has_best: bool,
    /// Value of each letter's part.
    letters: Row<V>,
}

/// A subtree that is complete. `rows` of the probe hold its values per letter for positions from
/// `done` on. At the positions before, all its items agree with `key`: they keep their value under
/// the letter they need there and have none under another.
#[derive(Clone, Copy)]
struct Subtree<K> {
    key: K,
    value: u64,
    done: usize,
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
            open: vec![Open { unused: 0, best: 0, has_unused: false, has_best: false, letters: row }; cells],
            unused: vec![row; cells * cells],
            best: vec![row; cells * cells],
            rows: vec![row; cells],
            only,
        }
    }

    pub fn bytes(&self) -> usize {
        2 * self.unused.len() * size_of::<Row<V>>()
    }

    /// U of the items; fills `rows`.
    #[inline(always)]
    fn run<K: Key>(&mut self, items: &Items<K>, points: &Points, layout: &Layout<K>) -> u64 {
        self.cells = layout.offset.len();
        let Some((&first, rest)) = items.keys.split_first() else {
            self.rows.fill([V::default(); LANES]);
            return 0;
        };
        let n = self.cells;
        let mut open = 0u64;
        let mut subtree = Subtree { key: first, value: points[items.tags[0].class()], done: n };
        for (&key, tag) in rest.iter().zip(&items.tags[1..]) {
            let difference = key.xor(subtree.key);
            let worth = points[tag.class()];
            if difference.is_zero() {
                subtree.value += worth;
                continue;
            }
            let s = layout.first_difference(difference);
            self.close_from(s + 1, &mut open, &mut subtree, layout);
            self.attach(s, open >> s & 1 == 1, &subtree, layout);
            open |= 1 << s;
            subtree = Subtree { key, value: worth, done: n };
        }
        self.close_from(0, &mut open, &mut subtree, layout);
        self.write_out(&mut subtree, layout);
        subtree.value
    }

    /// Completes the open cells at positions from `from` on, the deepest first.
    #[inline(always)]
    fn close_from<K: Key>(
        &mut self,
        from: usize,
        open: &mut u64,
        subtree: &mut Subtree<K>,
        layout: &Layout<K>,
    ) {
        while *open >> from != 0 {
            let f = 63 - open.leading_zeros() as usize;
            *open &= !(1 << f);
            self.close(f, subtree, layout);
        }
    }

    /// Calls `f` with the position and the row of a subtree for the positions from `from` on.
    #[inline(always)]
    fn for_rows<K: Key>(
        rows: &mut [Row<V>],
        only: &[Row<V>],
        from: usize,
        subtree: &Subtree<K>,
        layout: &Layout<K>,
        mut f: impl FnMut(usize, &mut Row<V>),
    ) {
        let value = V::of(subtree.value);
        for d in from..subtree.done {
            let only = &only[layout.code(subtree.key, d) & 63];
            let mut row = [V::default(); LANES];
            for lane in 0..LANES {
                row[lane] = value.masked(only[lane]);
            }
            f(d, &mut row);
            rows[d] = row;
        }
        let complete = from.max(subtree.done)..layout.offset.len();
        for (d, row) in complete.clone().zip(&mut rows[complete]) {
            f(d, row);
        }
    }

    /// Brings all of `rows` up to date.
    #[inline(always)]
    fn write_out<K: Key>(&mut self, subtree: &mut Subtree<K>, layout: &Layout<K>) {
        Self::for_rows(&mut self.rows, &self.only, 0, subtree, layout, |_, _| {});
        subtree.done = 0;
    }

    /// Hangs a complete subtree below cell s.
    #[inline(always)]
    fn attach<K: Key>(&mut self, s: usize, is_open: bool, subtree: &Subtree<K>, layout: &Layout<K>) {
        let n = self.cells;
        let node = &mut self.open[s];
        let code = layout.code(subtree.key, s);
        if !is_open {
            node.letters = [V::default(); LANES];
            (node.unused, node.best) = (0, 0);
            (node.has_unused, node.has_best) = (false, false);
        }
        let (rows, only) = (&mut self.rows, &self.only);
        if code == 0 {
            (node.unused, node.has_unused) = (subtree.value, true);
            let unused = &mut self.unused[s * n..][..n];
            Self::for_rows(rows, only, s + 1, subtree, layout, |d, row| unused[d] = *row);
            return;
        }
        node.letters[(code - 1) % LANES] = V::of(subtree.value);
        node.best = node.best.max(subtree.value);
        let best = &mut self.best[s * n..][..n];
        if node.has_best {
            Self::for_rows(rows, only, s + 1, subtree, layout, |d, row| raise(&mut best[d], row));
        } else {
            node.has_best = true;
            Self::for_rows(rows, only, s + 1, subtree, layout, |d, row| best[d] = *row);
        }
    }

    /// Completes cell f with its last part. Sorted keys bring the unused part first and a cell is
    /// opened by two parts, so the last one has a letter.
    #[inline(always)]
    fn close<K: Key>(&mut self, f: usize, subtree: &mut Subtree<K>, layout: &Layout<K>) {
        let n = self.cells;
        let node = &mut self.open[f];
        let code = layout.code(subtree.key, f);
        node.letters[(code - 1) % LANES] = V::of(subtree.value);
        let (rows, only) = (&mut self.rows, &self.only);
        let (unused, best) = (&self.unused[f * n..][..n], &self.best[f * n..][..n]);
        match (node.has_unused, node.has_best) {
            (true, true) => Self::for_rows(rows, only, f + 1, subtree, layout, |d, row| {
                raise(row, &best[d]);
                add(row, &unused[d]);
            }),
            (true, false) => {
                Self::for_rows(rows, only, f + 1, subtree, layout, |d, row| add(row, &unused[d]))
            }
            (false, _) => Self::for_rows(rows, only, f + 1, subtree, layout, |d, row| raise(row, &best[d])),
        }
        rows[f] = node.letters;
        add(&mut rows[f], &[V::of(node.unused); LANES]);
        subtree.value = node.unused + node.best.max(subtree.value);
        subtree.done = f;
    }
}

#[inline(always)]
fn raise<V: Lane>(row: &mut Row<V>, to: &Row<V>) {
    for lane in 0..LANES {
        row[lane] = row[lane].max(to[lane]);
    }
}

#[inline(always)]
fn add<V: Lane>(row: &mut Row<V>, other: &Row<V>) {
    for lane in 0..LANES {
        row[lane] = row[lane].plus(other[lane]);
    }
}

#[cfg(test)]
impl<V: Lane> Probe<V> {
    /// [`probe`] compiled without the processor's wider instructions.
    pub fn scalar_twin<K: Key>(&mut self, items: &Items<K>, points: &Points, layout: &Layout<K>) -> u64 {
        self.run(items, points, layout)
    }
}

/// Probes a sorted list: returns U and leaves U(p = m) in `probe.rows`.
pub(crate) fn probe<K: Key, V: Lane>(
    probe: &mut Probe<V>,
    items: &Items<K>,
    points: &Points,
    layout: &Layout<K>,
) -> u64 {
    crate::simd::with_vectors(
        #[inline(always)]
        || probe.run(items, points, layout),
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
