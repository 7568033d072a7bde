//! The shape of a board: its cells, which of them touch, and its symmetries.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The largest number of cells a board may have (6x6).
pub const MAX_CELLS: usize = 36;

/// Rows and columns of a board. Cells are numbered `0..cells()` in row-major order.
///
/// Every shape of at most [`MAX_CELLS`] cells is allowed, 1xN included.
///
/// ```
/// use bogglemax::Dims;
///
/// let dims: Dims = "3x4".parse()?;
/// assert_eq!((dims.rows(), dims.cols(), dims.cells()), (3, 4, 12));
/// assert_eq!(dims.neighbors(0).collect::<Vec<_>>(), [1, 4, 5]);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dims {
    rows: u8,
    cols: u8,
}

impl Dims {
    /// Makes a shape, or says why it is none of ours.
    pub fn new(rows: usize, cols: usize) -> Result<Dims, Error> {
        match rows.checked_mul(cols) {
            Some(1..=MAX_CELLS) => Ok(Dims { rows: rows as u8, cols: cols as u8 }),
            _ => Err(Error::Dims { text: format!("{rows}x{cols}") }),
        }
    }

    /// The square shape with this many cells, if there is one.
    ///
    /// ```
    /// use bogglemax::Dims;
    /// assert_eq!(Dims::square_of(16), Dims::new(4, 4).ok());
    /// assert_eq!(Dims::square_of(12), None);
    /// ```
    pub fn square_of(cells: usize) -> Option<Dims> {
        let side = cells.isqrt();
        if side * side == cells { Dims::new(side, side).ok() } else { None }
    }

    /// Number of rows.
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// Number of columns.
    pub fn cols(self) -> usize {
        self.cols.into()
    }

    /// Number of cells.
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The cells that touch `cell`, diagonals included, as a bit mask.
    pub fn neighbor_mask(self, cell: usize) -> u64 {
        self.neighbors(cell).fold(0, |mask, n| mask | 1 << n)
    }

    /// The cells that touch `cell`, diagonals included, in ascending order.
    pub fn neighbors(self, cell: usize) -> impl Iterator<Item = usize> {
        let (row, col) = (cell / self.cols(), cell % self.cols());
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows());
        let cols = col.saturating_sub(1)..(col + 2).min(self.cols());
        rows.flat_map(move |r| cols.clone().map(move |c| r * self.cols() + c)).filter(move |&n| n != cell)
    }

    /// The symmetries of the shape, the identity first. Each is a list `p` that moves the
    /// content of cell `p[i]` to cell `i`.
    ///
    /// A square has 8, a rectangle 4, a row or column of two or more cells 2, a single cell 1:
    /// symmetries that move every cell alike are counted once.
    ///
    /// ```
    /// use bogglemax::Dims;
    /// let count = |rows, cols| Dims::new(rows, cols).unwrap().symmetries().len();
    /// assert_eq!([count(4, 4), count(3, 4), count(1, 4), count(1, 1)], [8, 4, 2, 1]);
    /// ```
    pub fn symmetries(self) -> Vec<Vec<u8>> {
        let (rows, cols) = (self.rows(), self.cols());
        let transposes: &[bool] = if rows == cols { &[false, true] } else { &[false] };
        let mut all: Vec<Vec<u8>> = Vec::with_capacity(8);
        for &transpose in transposes {
            for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
                let source = |cell: usize| {
                    let (mut r, mut c) = (cell / cols, cell % cols);
                    if flip_rows {
                        r = rows - 1 - r;
                    }
                    if flip_cols {
                        c = cols - 1 - c;
                    }
                    if transpose {
                        (r, c) = (c, r);
                    }
                    (r * cols + c) as u8
                };
                let permutation: Vec<u8> = (0..self.cells()).map(source).collect();
                if !all.contains(&permutation) {
                    all.push(permutation);
                }
            }
        }
        all
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Dims {
    type Err = Error;

    fn from_str(text: &str) -> Result<Dims, Error> {
        let bad = || Error::Dims { text: text.to_owned() };
        let (rows, cols) = text.trim().split_once(['x', 'X']).ok_or_else(bad)?;
        let number = |s: &str| s.parse::<usize>().map_err(|_| bad());
        Dims::new(number(rows)?, number(cols)?).map_err(|_| bad())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims(text: &str) -> Dims {
        text.parse().unwrap()
    }

    #[test]
    fn neighbors_touch_each_other_and_never_themselves() {
        for (rows, cols) in [(1, 1), (1, 5), (2, 2), (3, 4), (6, 6), (36, 1)] {
            let dims = Dims::new(rows, cols).unwrap();
            for a in 0..dims.cells() {
                for b in 0..dims.cells() {
                    let near = (a / cols).abs_diff(b / cols) <= 1 && (a % cols).abs_diff(b % cols) <= 1;
                    assert_eq!(dims.neighbor_mask(a) >> b & 1 == 1, a != b && near, "{dims} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn symmetries_are_distinct_permutations_that_keep_neighbors() {
        for shape in ["1x1", "1x2", "5x1", "2x2", "2x3", "3x4", "4x4", "5x5", "6x6"] {
            let dims = dims(shape);
            let all = dims.symmetries();
            for (i, p) in all.iter().enumerate() {
                assert!(!all[..i].contains(p));
                for a in 0..dims.cells() {
                    let moved = dims.neighbors(a).fold(0u64, |m, n| m | 1 << p[n]);
                    assert_eq!(moved, dims.neighbor_mask(p[a].into()), "{shape} {p:?}");
                }
            }
        }
    }

    #[test]
    fn absurd_shapes_are_refused() {
        for text in ["", "4", "x", "4x", "0x4", "7x6", "99999999999999999999x1", "4x4x4", "-1x2", "axb"] {
            assert!(text.parse::<Dims>().is_err(), "{text}");
        }
    }
}
