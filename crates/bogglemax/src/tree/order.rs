//! The canonical order of cells: which cell stands highest in an orderly tree.

use crate::Dims;

/// CELL_ORDER of the paper: the cells in the order in which an orderly tree decides them.
///
/// The paper's orders for 2x2, 3x3, 3x4 and 4x4 (its Table 11); for other shapes inner
/// cells first (they have the most neighbors), the most central of them leading.
///
/// ```
/// use bogglemax::{Dims, tree::cell_order};
/// assert_eq!(cell_order(Dims::new(3, 3)?), [4, 5, 3, 1, 7, 0, 2, 6, 8]);
/// # Ok::<(), bogglemax::Error>(())
/// ```
pub fn cell_order(dims: Dims) -> Vec<u8> {
    match (dims.rows(), dims.cols()) {
        (2, 2) => vec![0, 1, 2, 3],
        (3, 3) => vec![4, 5, 3, 1, 7, 0, 2, 6, 8],
        (3, 4) => vec![5, 6, 1, 9, 2, 10, 4, 7, 0, 8, 3, 11],
        (4, 4) => vec![5, 9, 6, 10, 4, 7, 8, 11, 1, 13, 2, 14, 0, 3, 12, 15],
        _ => centre_first(dims),
    }
}

fn centre_first(dims: Dims) -> Vec<u8> {
    // Twice the distance from the middle of the board, so that it is a whole number.
    let off_centre = |cell: usize| {
        let (row, col) = (cell / dims.cols(), cell % dims.cols());
        (2 * row).abs_diff(dims.rows() - 1) + (2 * col).abs_diff(dims.cols() - 1)
    };
    let mut cells: Vec<u8> = (0..dims.cells() as u8).collect();
    cells.sort_by_key(|&c| {
        let cell = usize::from(c);
        (std::cmp::Reverse(dims.neighbor_mask(cell).count_ones()), off_centre(cell), c)
    });
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_each_cell_once() {
        for rows in 1..=6 {
            for cols in 1..=6 {
                let dims = Dims::new(rows, cols).unwrap();
                let mut order = cell_order(dims);
                order.sort_unstable();
                assert!(order.iter().copied().eq(0..dims.cells() as u8), "{dims}");
            }
        }
        assert_eq!(cell_order(Dims::new(5, 5).unwrap())[0], 12);
    }

    /// Table 11: higher numbers are sorted to the start of a path.
    #[test]
    fn four_by_four_is_table_11() {
        let table = [3, 7, 5, 2, 11, 15, 13, 10, 9, 14, 12, 8, 1, 6, 4, 0];
        for (position, &cell) in cell_order(Dims::new(4, 4).unwrap()).iter().enumerate() {
            assert_eq!(table[usize::from(cell)], 15 - position, "cell {cell}");
        }
    }
}
