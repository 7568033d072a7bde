//! The cells of a board: which of them touch, and how the board can be turned and mirrored.

const MOST_CELLS: usize = 36;

/// Rows and columns, with everything that follows from them. Cells are numbered row by row.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    rows: usize,
    cols: usize,
    /// The cells that touch each cell, diagonals included.
    pub neighbors: Vec<Vec<usize>>,
    /// Every turn and mirroring that maps the board onto itself, without repeats, the identity
    /// first. Under the symmetry s a board B becomes the form whose cell i holds B[s[i]].
    pub symmetries: Vec<Vec<usize>>,
}

impl Grid {
    /// The grid for a text such as `3x4`.
    pub fn parse(text: &str) -> Option<Grid> {
        let (rows, cols) = text.split_once('x')?;
        let (rows, cols): (usize, usize) = (rows.parse().ok()?, cols.parse().ok()?);
        let cells = rows.checked_mul(cols)?;
        (1..=MOST_CELLS).contains(&cells).then(|| Grid::new(rows, cols))
    }

    fn new(rows: usize, cols: usize) -> Grid {
        let cells = rows * cols;
        let touch = |a: usize, b: usize| {
            a != b && (a / cols).abs_diff(b / cols) <= 1 && (a % cols).abs_diff(b % cols) <= 1
        };
        let neighbors = (0..cells).map(|a| (0..cells).filter(|&b| touch(a, b)).collect()).collect();
        let mut symmetries: Vec<Vec<usize>> = Vec::new();
        for transpose in [false, true] {
            for flip_rows in [false, true] {
                for flip_cols in [false, true] {
                    if transpose && rows != cols {
                        continue;
                    }
                    let source = |cell: usize| {
                        let (mut r, mut c) = (cell / cols, cell % cols);
                        if transpose {
                            (r, c) = (c, r);
                        }
                        r = if flip_rows { rows - 1 - r } else { r };
                        c = if flip_cols { cols - 1 - c } else { c };
                        r * cols + c
                    };
                    let symmetry: Vec<usize> = (0..cells).map(source).collect();
                    if !symmetries.contains(&symmetry) {
                        symmetries.push(symmetry);
                    }
                }
            }
        }
        Grid { rows, cols, neighbors, symmetries }
    }

    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The smallest of a board's forms.
    pub fn canonical(&self, board: &[u8]) -> Vec<u8> {
        let form = |s: &Vec<usize>| s.iter().map(|&from| board[from]).collect::<Vec<u8>>();
        self.symmetries.iter().map(form).min().expect("the identity is a symmetry")
    }

    /// How many boards of this many letters there are up to symmetry, by Burnside's lemma: the
    /// mean over the symmetries of the number of boards each leaves as they are. `None` if that
    /// does not fit in 128 bits.
    pub fn boards_up_to_symmetry(&self, letters: u32) -> Option<u128> {
        let mut fixed = 0u128;
        for symmetry in &self.symmetries {
            fixed = fixed.checked_add(u128::from(letters).checked_pow(cycles(symmetry))?)?;
        }
        Some(fixed / self.symmetries.len() as u128)
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

fn cycles(permutation: &[usize]) -> u32 {
    let mut seen = vec![false; permutation.len()];
    let mut count = 0;
    for start in 0..permutation.len() {
        count += u32::from(!seen[start]);
        let mut cell = start;
        while !seen[cell] {
            seen[cell] = true;
            cell = permutation[cell];
        }
    }
    count
}

/// Where each cell goes under a symmetry: `inverse(s)[s[i]] == i`.
pub(crate) fn inverse(symmetry: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; symmetry.len()];
    symmetry.iter().enumerate().for_each(|(i, &from)| inverse[from] = i);
    inverse
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn shapes_have_their_symmetries_and_neighbors() {
        let count = |text: &str| Grid::parse(text).unwrap().symmetries.len();
        assert_eq!(["3x3", "3x4", "1x5", "1x1", "2x2"].map(count), [8, 4, 2, 1, 8]);
        let grid = Grid::parse("3x4").unwrap();
        assert_eq!(grid.neighbors[0], [1, 4, 5]);
        assert_eq!(grid.neighbors[5], [0, 1, 2, 4, 6, 8, 9, 10]);
        for text in ["", "3", "3x", "0x4", "7x6", "3x3x3", "-1x2", "99999999999999999999x1"] {
            assert!(Grid::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn symmetries_keep_neighbors_and_form_a_group() {
        for text in ["3x3", "2x3", "4x4", "1x4"] {
            let grid = Grid::parse(text).unwrap();
            let group: HashSet<&Vec<usize>> = grid.symmetries.iter().collect();
            for s in &grid.symmetries {
                assert!(group.contains(&inverse(s)));
                for a in 0..grid.cells() {
                    let mut moved: Vec<usize> = grid.neighbors[a].iter().map(|&b| s[b]).collect();
                    moved.sort_unstable();
                    assert_eq!(moved, grid.neighbors[s[a]]);
                }
                for t in &grid.symmetries {
                    assert!(group.contains(&t.iter().map(|&i| s[i]).collect::<Vec<_>>()));
                }
            }
        }
    }

    #[test]
    fn burnside_counts_what_canonical_forms_count() {
        for text in ["2x2", "2x3", "1x4"] {
            let grid = Grid::parse(text).unwrap();
            let board = |n: u32| -> Vec<u8> {
                (0..grid.cells()).map(|cell| (n / 3u32.pow(cell as u32) % 3) as u8).collect()
            };
            let all = 0..3u32.pow(grid.cells() as u32);
            let forms: HashSet<Vec<u8>> = all.map(|n| grid.canonical(&board(n))).collect();
            assert_eq!(grid.boards_up_to_symmetry(3), Some(forms.len() as u128));
        }
        // The number of tasks with a letter on each of the four middle cells of 4x4.
        assert_eq!(Grid::parse("2x2").unwrap().boards_up_to_symmetry(26), Some(61_776));
        assert_eq!(Grid::parse("6x6").unwrap().boards_up_to_symmetry(26), None);
    }
}
