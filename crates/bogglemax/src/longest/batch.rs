//! Many paths at once: one bit a path.
//!
//! Lay a word on a path: its i-th tile stands on the path's i-th cell. Which other words the board
//! then holds depends only on which *positions* i, j of the word lie on cells that touch. So a batch
//! of paths is, for every pair of positions, the set of those paths that make them touch; a way to
//! spell another word is a walk over positions, and the paths that allow it are the intersection of
//! the sets of its steps.

use super::paths::bits;
use crate::{Dims, MAX_CELLS};

/// 64-bit words of a set of paths.
const WORDS: usize = 32;

/// The most paths of a batch.
pub(super) const PATHS: usize = 64 * WORDS;

/// A set of paths of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathSet([u64; WORDS]);

impl PathSet {
    pub(super) const EMPTY: PathSet = PathSet([0; WORDS]);

    /// The first `count` paths.
    fn first(count: usize) -> PathSet {
        let mut set = PathSet::EMPTY;
        (0..count).for_each(|path| set.insert(path));
        set
    }

    fn insert(&mut self, path: usize) {
        self.0[path / 64] |= 1 << (path % 64);
    }

    #[inline(always)]
    pub(super) fn and(&self, other: &PathSet) -> PathSet {
        PathSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &PathSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, &word)| bits(word).map(move |bit| 64 * i + usize::from(bit)))
    }
}

/// Some paths of a shape.
pub(super) struct Batch {
    pub(super) paths: Vec<Vec<u8>>,
    /// All of them, as a set.
    pub(super) all: PathSet,
    /// Per position: the positions that touch it on some path.
    pub(super) reach: [u64; MAX_CELLS],
    /// The paths on which positions i and j touch, at i * cells + j.
    touching: Vec<PathSet>,
    cells: usize,
}

impl Batch {
    /// A batch of at most [`PATHS`] paths.
    pub(super) fn new(dims: Dims, paths: Vec<Vec<u8>>) -> Batch {
        let cells = dims.cells();
        let mut batch = Batch {
            all: PathSet::first(paths.len()),
            reach: [0; MAX_CELLS],
            touching: vec![PathSet::EMPTY; cells * cells],
            cells,
            paths,
        };
        for (path, order) in batch.paths.iter().enumerate() {
            let mut position = [0; MAX_CELLS];
            order.iter().enumerate().for_each(|(i, &cell)| position[usize::from(cell)] = i);
            for (i, &cell) in order.iter().enumerate() {
                for j in dims.neighbors(cell.into()).map(|near| position[near]) {
                    batch.reach[i] |= 1 << j;
                    batch.touching[i * cells + j].insert(path);
                }
            }
        }
        batch
    }

    /// The paths on which positions `i` and `j` touch.
    #[inline(always)]
    pub(super) fn touching(&self, i: usize, j: usize) -> &PathSet {
        &self.touching[i * self.cells + j]
    }
}

/// A number for every path of a batch, kept bit by bit: plane b has the paths whose number has
/// bit b.
pub(super) struct Totals {
    planes: [PathSet; 64],
    /// Planes from here on are empty.
    used: usize,
}

impl Totals {
    pub(super) fn new() -> Totals {
        Totals { planes: [PathSet::EMPTY; 64], used: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.planes[..self.used].fill(PathSet::EMPTY);
        self.used = 0;
    }

    /// Adds `points` to the numbers of some paths: schoolbook addition, one bit of `points` at a
    /// time. Totals stay below 2^64: at most 2^31 words, each worth less than 2^32.
    pub(super) fn add(&mut self, paths: &PathSet, points: u32) {
        for bit in bits(points.into()) {
            let (mut carry, mut plane) = (*paths, usize::from(bit));
            while !carry.is_empty() {
                let both = self.planes[plane].and(&carry);
                self.planes[plane].0.iter_mut().zip(&carry.0).for_each(|(a, b)| *a ^= b);
                carry = both;
                plane += 1;
                self.used = self.used.max(plane);
            }
        }
    }

    /// The largest number among `paths`, and who has it.
    pub(super) fn largest(&self, paths: &PathSet) -> (u64, PathSet) {
        (0..self.used).rev().fold((0, *paths), |(number, set), plane| {
            let with = set.and(&self.planes[plane]);
            if with.is_empty() { (number, set) } else { (number | 1 << plane, with) }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn totals_add_up(sums in prop::collection::vec((prop::collection::vec(0..PATHS, 1..50), any::<u32>()), 1..40)) {
            let (mut totals, mut plain) = (Totals::new(), vec![0u64; PATHS]);
            for _ in 0..2 {
                totals.clear();
                plain.fill(0);
                for (paths, points) in &sums {
                    let mut set = PathSet::EMPTY;
                    paths.iter().for_each(|&p| set.insert(p));
                    set.iter().for_each(|p| plain[p] += u64::from(*points));
                    totals.add(&set, *points);
                }
            }
            let (largest, set) = totals.largest(&PathSet::first(PATHS));
            prop_assert_eq!(largest, *plain.iter().max().unwrap());
            prop_assert!(set.iter().eq((0..PATHS).filter(|&p| plain[p] == largest)));
        }
    }
}
