//! The bound of a sorted list under every letter of its last undecided cell, in one pass.
//!
//! The last undecided cell, d, has the least significant field, so in the orderly tree it is chosen
//! last, below every other choice. A value of the tree then is not a number but a row of numbers,
//! one for each letter m that d may hold: an item that does not use d counts in every lane, an item
//! that needs m there in lane m only. Maxima and sums go lane by lane.
//!
//! **Why it is a bound.** Lane m is the bound of the tree of the items that boards with m on d can
//! satisfy, the field of d cleared: the list that forcing d = m would make, before anything dominated
//! is dropped from it. So base + lane m bounds the score of every board with m on d, and no bound
//! of the child that knows nothing but the child's items can be better in this order of cells. With d
//! anywhere else in the order the items with and without d would be bounded apart.

use super::key::{Key, Layout};
use super::probe::{LANES, Lane, Row};
use super::words::{Points, Tag};

/// Scratch space of [`bound_last`].
pub(crate) struct Lanes<V> {
    /// By position: the part of an open cell that does not use it, and the best of its letters.
    unused: Box<[Row<V>; 64]>,
    best: Box<[Row<V>; 64]>,
    /// `only[c]`: all ones in the lane of code c, in every lane for code 0.
    only: Box<[Row<V>; 64]>,
}

impl<V: Lane> Lanes<V> {
    pub fn new() -> Lanes<V> {
        let row = [V::default(); LANES];
        let only = std::array::from_fn(|c| std::array::from_fn(|lane| V::mask(c == 0 || lane + 1 == c)));
        Lanes { unused: Box::new([row; 64]), best: Box::new([row; 64]), only: Box::new(only) }
    }

    #[inline(always)]
    fn run<K: Key>(&mut self, items: (&[K], &[Tag]), points: &Points, layout: &Layout<K>) -> Row<V> {
        let zero = [V::default(); LANES];
        let last = layout.offset.len() - 1;
        let above = layout.mask[last].not();
        let Some(first) = items.0.first() else { return zero };
        let mut open = 0u64;
        let mut key = first.and(above);
        let mut row = zero;
        for (&next, tag) in items.0.iter().zip(items.1) {
            let worth = V::of(points[tag.class()]);
            let code = layout.code(next, last) & 63;
            let next = next.and(above);
            let difference = next.xor(key);
            if !difference.is_zero() {
                let s = layout.first_difference(difference) & 63;
                while open >> s > 1 {
                    let f = open.ilog2() as usize & 63;
                    open &= !(1 << f);
                    self.close(f, &mut row);
                }
                if open >> s & 1 == 1 {
                    let best = &mut self.best[s];
                    for lane in 0..LANES {
                        best[lane] = best[lane].max(row[lane]);
                    }
                } else {
                    let uses = V::mask(layout.code(key, s) != 0);
                    let unuses = V::mask(layout.code(key, s) == 0);
                    let (best, unused) = (&mut self.best[s], &mut self.unused[s]);
                    for lane in 0..LANES {
                        best[lane] = row[lane].masked(uses);
                        unused[lane] = row[lane].masked(unuses);
                    }
                    open |= 1 << s;
                }
                key = next;
                row = zero;
            }
            let only = &self.only[code];
            for lane in 0..LANES {
                row[lane] = row[lane].plus(worth.masked(only[lane]));
            }
        }
        while open != 0 {
            let f = open.ilog2() as usize & 63;
            open &= !(1 << f);
            self.close(f, &mut row);
        }
        row
    }

    #[inline(always)]
    fn close(&mut self, f: usize, row: &mut Row<V>) {
        let (best, unused) = (&self.best[f], &self.unused[f]);
        for lane in 0..LANES {
            row[lane] = row[lane].max(best[lane]).plus(unused[lane]);
        }
    }
}

/// U(d = m) for the last position d of the layout and every m: what the child d = m would be bounded
/// by.
pub(crate) fn bound_last<K: Key, V: Lane>(
    lanes: &mut Lanes<V>,
    items: (&[K], &[Tag]),
    points: &Points,
    layout: &Layout<K>,
) -> Row<V> {
    super::simd::with_vectors(
        #[inline(always)]
        || lanes.run(items, points, layout),
    )
}

#[cfg(test)]
impl<V: Lane> Lanes<V> {
    /// [`bound_last`] compiled without the processor's wider instructions.
    pub fn scalar_twin<K: Key>(
        &mut self,
        items: (&[K], &[Tag]),
        points: &Points,
        layout: &Layout<K>,
    ) -> Row<V> {
        self.run(items, points, layout)
    }
}
