//! A task: a class of boards with order constraints, the unit of work of a proof.

use crate::{Dims, MAX_TILES};

/// A set of boards to search: the letters allowed on each cell, and pairs of cells whose letters
/// must come in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its number in the [`Split`](super::Split) it comes from.
    pub id: u64,
    /// The tiles allowed on each cell, as bit masks.
    pub cells: Vec<u32>,
    /// (a, b): the letter on cell a has at least the rank of the letter on cell b.
    pub order: Vec<(u8, u8)>,
    /// The rank of each tile, for `order`.
    pub ranks: [u8; MAX_TILES],
    /// A cell whose letters share their lists if it has several: the class is searched as a group. It changes
    /// how the task is searched, not which boards it has.
    pub varied: Option<u8>,
    /// The task is so strong that a [bound of the rest](super::Engine::bound_rest) would not be enough: it is not
    /// tried.
    pub lists_all: bool,
    /// A guess of the work relative to other tasks of the split.
    pub predicted_cost: f64,
}

impl Task {
    /// All boards with these letters, without constraints.
    pub fn of_class(cells: &[u32]) -> Task {
        let ranks = std::array::from_fn(|t| t as u8);
        Task {
            id: 0,
            cells: cells.to_vec(),
            order: Vec::new(),
            ranks,
            varied: None,
            lists_all: false,
            predicted_cost: 1.0,
        }
    }

    /// The varied cell, if it has several letters.
    pub(crate) fn group(&self) -> Option<usize> {
        self.varied.map(usize::from).filter(|&cell| self.cells[cell].count_ones() > 1)
    }

    /// Whether a board of the class satisfies the order constraints.
    pub fn orders(&self, tiles: &[u8]) -> bool {
        let rank = |cell: u8| self.ranks[usize::from(tiles[usize::from(cell)])];
        self.order.iter().all(|&(a, b)| rank(a) >= rank(b))
    }

    /// Whether a board lies in the task.
    pub fn contains(&self, tiles: &[u8]) -> bool {
        tiles.len() == self.cells.len()
            && tiles.iter().zip(&self.cells).all(|(&t, &mask)| mask >> t & 1 == 1)
            && self.orders(tiles)
    }

    /// The tiles that `other` may hold once `cell` holds `letter`.
    pub(crate) fn allowed_beside(&self, cell: usize, letter: usize, other: usize) -> u32 {
        let rank = self.ranks[letter];
        let mut mask = u32::MAX;
        for &(a, b) in &self.order {
            let (a, b) = (usize::from(a), usize::from(b));
            if (a, b) == (cell, other) {
                mask &= self.tiles_ranked(|r| r <= rank);
            } else if (a, b) == (other, cell) {
                mask &= self.tiles_ranked(|r| r >= rank);
            }
        }
        mask
    }

    fn tiles_ranked(&self, keep: impl Fn(u8) -> bool) -> u32 {
        (0..MAX_TILES).filter(|&t| keep(self.ranks[t])).fold(0, |mask, t| mask | 1 << t)
    }
}

/// Applies order constraints that decided cells already settle. False if no board is left.
pub(crate) fn tighten(task: &mut Task) -> bool {
    loop {
        if task.cells.contains(&0) {
            return false;
        }
        let before = task.cells.clone();
        for (cell, mask) in before.iter().enumerate().filter(|(_, mask)| mask.count_ones() == 1) {
            for other in 0..before.len() {
                task.cells[other] &= task.allowed_beside(cell, mask.trailing_zeros() as usize, other);
            }
        }
        if task.cells == before {
            return true;
        }
    }
}

/// The cells of a shape in the order in which trees nest them: the most connected first, the
/// opposite of each right after it.
pub(crate) fn cell_order(dims: Dims) -> Vec<usize> {
    let cells = dims.cells();
    let mut order: Vec<usize> = Vec::with_capacity(cells);
    let mut rest: Vec<usize> = (0..cells).collect();
    rest.sort_by_key(|&c| (std::cmp::Reverse(dims.neighbors(c).count()), c));
    for cell in rest {
        for c in [cell, cells - 1 - cell] {
            if !order.contains(&c) {
                order.push(c);
            }
        }
    }
    order
}
