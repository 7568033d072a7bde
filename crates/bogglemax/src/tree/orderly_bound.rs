//! Listing 7: `orderly_bound`, which finds all boards of an orderly tree that reach a cutoff
//! without writing nodes.
//!
//! One stack of choice nodes per cell, with the sum of their bounds, as the paper advises. The bound
//! that `step` of Listing 7 computes on entry is here computed by its caller, for all letters of the
//! cell in one pass and before anything is pushed: the bound of a [`SumNode`] *is* its points plus
//! the bounds of the choices it would push. The values compared, and so the paths followed, are
//! those of the paper.

use super::{Arena, ChoiceNode, SumNode};
use crate::class::tiles;
use crate::{BoardClass, MAX_CELLS, MAX_TILES, Tile};

/// Stacks and class of a search, reused between searches.
#[derive(Clone, Debug)]
pub(crate) struct OrderlyBound {
    letters: Vec<u32>,
    cell_order: Vec<u8>,
    /// For each cell, the choices on it that the letters chosen so far have led to.
    stacks: Vec<Vec<ChoiceNode>>,
    /// For each cell, the sum of the bounds on its stack.
    sums: [u64; MAX_CELLS],
    /// Calls of `step`.
    pub(crate) visits: u64,
    /// The largest bound that fell below the cutoff.
    pub(crate) largest_pruned: u32,
}

/// One search: what stays the same in all its steps.
struct Search<'a, F> {
    state: &'a mut OrderlyBound,
    arena: &'a Arena,
    cutoff: u64,
    board: &'a mut [Tile],
    found: &'a mut F,
}

impl OrderlyBound {
    pub(crate) fn new(class: &BoardClass, cell_order: &[u8]) -> OrderlyBound {
        OrderlyBound {
            letters: class.letters().to_vec(),
            cell_order: cell_order.to_vec(),
            stacks: vec![Vec::new(); cell_order.len()],
            sums: [0; MAX_CELLS],
            visits: 0,
            largest_pruned: 0,
        }
    }

    pub(crate) fn set_class(&mut self, class: &BoardClass) {
        self.letters.copy_from_slice(class.letters());
    }

    /// Calls `found` with every board for which F(root, B) reaches the cutoff, and with that value.
    /// The first `depth` cells of the order keep the letters that `board` has there.
    pub(crate) fn run(
        &mut self,
        arena: &Arena,
        root: SumNode,
        depth: usize,
        cutoff: u32,
        board: &mut [Tile],
        found: &mut impl FnMut(&[Tile], u64),
    ) {
        debug_assert!(self.stacks.iter().all(Vec::is_empty));
        if root.bound < cutoff {
            self.largest_pruned = self.largest_pruned.max(root.bound);
            return;
        }
        let mut search = Search { state: self, arena, cutoff: cutoff.into(), board, found };
        search.push(root);
        search.step(root.bound.into(), depth);
        self.stacks.iter_mut().for_each(Vec::clear);
        self.sums = [0; MAX_CELLS];
    }
}

impl<F: FnMut(&[Tile], u64)> Search<'_, F> {
    /// INVARIANT: `bound` is the points of the letters chosen plus all of `sums`, and reaches the
    /// cutoff; the stacks hold no cell before `depth` in the order, but for what callers still use.
    fn step(&mut self, bound: u64, depth: usize) {
        self.state.visits += 1;
        let Some(&cell) = self.state.cell_order.get(depth) else {
            (self.found)(self.board, bound);
            return;
        };
        let cell = usize::from(cell);
        let rest = bound - self.state.sums[cell];
        let gains = self.gains(cell);
        for letter in tiles(self.state.letters[cell]) {
            let next = rest + gains[usize::from(letter)];
            if next < self.cutoff {
                self.state.largest_pruned = self.state.largest_pruned.max(next as u32);
                continue;
            }
            self.board[cell] = letter;
            self.descend(cell, letter, next, depth + 1);
        }
    }

    /// What each letter on the cell is worth at most: the bounds it leads to.
    fn gains(&self, cell: usize) -> [u64; MAX_TILES] {
        let mut gains = [0; MAX_TILES];
        for &choice in &self.state.stacks[cell] {
            for (letter, sum) in tiles(choice.letters).zip(self.arena.sums(choice)) {
                gains[usize::from(letter)] += u64::from(sum.bound);
            }
        }
        gains
    }

    /// Pushes what the letter leads to, steps on, and takes it off again.
    fn descend(&mut self, cell: usize, letter: Tile, bound: u64, depth: usize) {
        let later = depth..self.state.cell_order.len();
        let mut lengths = [0; MAX_CELLS];
        for i in later.clone() {
            lengths[i] = self.state.stacks[usize::from(self.state.cell_order[i])].len();
        }
        let sums = self.state.sums;
        for i in 0..self.state.stacks[cell].len() {
            if let Some(child) = self.arena.child(self.state.stacks[cell][i], letter) {
                self.push(child);
            }
        }
        self.state.sums[cell] = 0;
        self.step(bound, depth);
        self.state.sums = sums;
        for i in later {
            self.state.stacks[usize::from(self.state.cell_order[i])].truncate(lengths[i]);
        }
    }

    fn push(&mut self, node: SumNode) {
        for &choice in self.arena.choices(node) {
            self.state.stacks[choice.cell()].push(choice);
            self.state.sums[choice.cell()] += u64::from(choice.bound);
        }
    }
}
