//! The Hamiltonian paths of a shape, one of each set of symmetric ones.

use crate::Dims;

/// The paths that visit every cell of a shape once, each step to a cell that touches the last.
///
/// A path and its reverse are different paths. Of the images of a path under the symmetries of the
/// shape, only the lexicographically smallest comes. Paths come in lexicographic order, so that
/// neighbours in the sequence have long beginnings in common.
///
/// ```
/// use bogglemax::longest::HamiltonianPaths;
///
/// let count = |dims: &str| HamiltonianPaths::new(dims.parse().unwrap()).count();
/// assert_eq!([count("1x3"), count("2x2"), count("3x3")], [1, 3, 98]);
/// ```
#[derive(Clone, Debug)]
pub struct HamiltonianPaths {
    neighbors: Vec<u64>,
    /// `symmetries[s][c]`: where symmetry s puts the content of cell c.
    symmetries: Vec<Vec<u8>>,
    path: Vec<u8>,
    levels: Vec<Level>,
}

/// What is left to try behind the first cells of the path.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Cells still to be tried here.
    rest: u64,
    /// How many there were at first.
    choices: u32,
    /// Cells on the path before this one.
    used: u64,
    /// The symmetries that leave every cell before this one where it is.
    fixing: u64,
}

impl HamiltonianPaths {
    /// The paths of a shape.
    pub fn new(dims: Dims) -> HamiltonianPaths {
        let cells = dims.cells();
        let symmetries = dims.symmetries();
        let all = u64::MAX >> (64 - cells);
        let fixing = u64::MAX >> (64 - symmetries.len());
        let mut paths = HamiltonianPaths {
            neighbors: (0..cells).map(|c| dims.neighbor_mask(c)).collect(),
            symmetries,
            path: Vec::with_capacity(cells),
            levels: Vec::with_capacity(cells),
        };
        paths.open(all, 0, fixing);
        paths
    }

    /// About how much of the search is behind the last path, from 0 to 1: its place in the tree of
    /// all choices, each choice counted as even.
    pub fn share(&self) -> f64 {
        let (mut share, mut width) = (0.0, 1.0);
        for level in &self.levels {
            width /= f64::from(level.choices.max(1));
            // The choice that is being tried counts where its own levels are.
            let tried = level.choices - level.rest.count_ones();
            share += width * f64::from(tried.saturating_sub(1));
        }
        if self.levels.is_empty() { 1.0 } else { share }
    }

    /// A level for the cells that may come next: none that a symmetry which leaves the path so far
    /// as it is would make smaller.
    fn open(&mut self, next: u64, used: u64, fixing: u64) {
        let smallest = |&cell: &u8| {
            let moved = |s: usize| self.symmetries[s][usize::from(cell)];
            bits(fixing).all(|s| moved(usize::from(s)) >= cell)
        };
        let rest = bits(next & !used).filter(smallest).fold(0, |mask, cell| mask | 1 << cell);
        self.levels.push(Level { rest, choices: rest.count_ones(), used, fixing });
    }
}

impl Iterator for HamiltonianPaths {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        while let Some(level) = self.levels.last_mut() {
            let (before, cell) = (*level, level.rest.trailing_zeros() as usize);
            level.rest &= level.rest.wrapping_sub(1);
            self.path.truncate(self.levels.len() - 1);
            if before.rest == 0 {
                self.levels.pop();
                continue;
            }
            self.path.push(cell as u8);
            if self.path.len() == self.neighbors.len() {
                return Some(self.path.clone());
            }
            let fixes = |&s: &u8| usize::from(self.symmetries[usize::from(s)][cell]) == cell;
            let fixing = bits(before.fixing).filter(fixes).fold(0, |mask, s| mask | 1 << s);
            self.open(self.neighbors[cell], before.used | 1 << cell, fixing);
        }
        None
    }
}

/// The numbers of the bits that are set, in ascending order.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as u8);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// All paths, by extending every path with every cell.
    fn all_paths(dims: Dims) -> Vec<Vec<u8>> {
        let mut paths: Vec<Vec<u8>> = (0..dims.cells() as u8).map(|c| vec![c]).collect();
        for _ in 1..dims.cells() {
            let longer = |path: &Vec<u8>| {
                let last = usize::from(*path.last().unwrap());
                let free: Vec<u8> =
                    dims.neighbors(last).map(|c| c as u8).filter(|c| !path.contains(c)).collect();
                free.into_iter().map(|c| [path.as_slice(), &[c]].concat()).collect::<Vec<_>>()
            };
            paths = paths.iter().flat_map(longer).collect();
        }
        paths
    }

    #[test]
    fn every_path_has_one_image_among_them() {
        for dims in ["1x1", "1x4", "2x2", "2x3", "3x2", "3x3", "3x4"] {
            let dims: Dims = dims.parse().unwrap();
            let image = |path: &[u8], s: &[u8]| path.iter().map(|&c| s[usize::from(c)]).collect::<Vec<u8>>();
            let smallest = |path: &Vec<u8>| dims.symmetries().iter().map(|s| image(path, s)).min().unwrap();
            let expected: HashSet<Vec<u8>> = all_paths(dims).iter().map(smallest).collect();
            let paths: Vec<Vec<u8>> = HamiltonianPaths::new(dims).collect();
            assert_eq!(paths.len(), expected.len(), "{dims}");
            assert!(paths.iter().all(|p| expected.contains(p)), "{dims}");
            assert!(paths.is_sorted());
        }
        // The king's graph of 4x4 has 343,184 Hamiltonian paths, and no symmetry keeps one.
        assert_eq!(8 * HamiltonianPaths::new(Dims::new(4, 4).unwrap()).count(), 343_184);
    }

    #[test]
    fn the_share_grows_from_0_to_1() {
        let mut paths = HamiltonianPaths::new(Dims::new(3, 3).unwrap());
        let mut last = 0.0;
        while paths.next().is_some() {
            assert!((last..1.0).contains(&paths.share()), "{} after {last}", paths.share());
            last = paths.share();
        }
        assert!(last > 0.8);
        assert_eq!(paths.share(), 1.0);
    }
}
