//! Every word on a board with all its placements, plainly: for M, D and lists of words.
//!
//! Walks the word graph, not the board: at each prefix it holds all *placements* of that prefix
//! on the board at once. So each word is met exactly once.

use super::{Game, POINTS};
use crate::dawg::Record;
use crate::{Board, MAX_CELLS, Tile};

/// Placements of one prefix that end on the same cell and use the same cells: they continue alike.
#[derive(Clone, Copy)]
struct Placement {
    /// The cells in use.
    used: u64,
    /// The last cell.
    cell: u8,
    /// One of the placements of the prefix one shorter that this came from, on the level below.
    parent: u32,
    /// How many paths there are.
    paths: u64,
}

/// A walk over one board.
pub(super) struct Walk<'a> {
    game: &'a Game,
    neighbors: [u64; MAX_CELLS],
    /// The cells that hold each tile.
    cells_with: [u64; crate::MAX_TILES],
    /// The placements of the current prefix's prefixes, by length; `levels[0]` is unused.
    levels: Vec<Vec<Placement>>,
    prefix: Vec<Tile>,
    letters: usize,
}

/// A word that was met, with the state of the walk at that moment.
pub(super) struct Found<'w, 'a>(&'w Walk<'a>);

impl<'a> Walk<'a> {
    pub(super) fn new(game: &'a Game, board: &Board) -> Walk<'a> {
        let dims = board.dims();
        let mut neighbors = [0; MAX_CELLS];
        let mut cells_with = [0; crate::MAX_TILES];
        for (cell, &tile) in board.tiles().iter().enumerate() {
            neighbors[cell] = dims.neighbor_mask(cell);
            cells_with[usize::from(tile)] |= 1 << cell;
        }
        let levels = vec![Vec::new(); dims.cells() + 1];
        Walk { game, neighbors, cells_with, levels, prefix: Vec::new(), letters: 0 }
    }

    /// Calls `f` for every word on the board, in alphabetical order.
    pub(super) fn run(mut self, f: &mut impl FnMut(Found<'_, 'a>)) {
        self.children(self.game.dawg.root(), f);
    }

    fn children(&mut self, node: Record, f: &mut impl FnMut(Found<'_, 'a>)) {
        let depth = self.prefix.len() + 1;
        if depth == self.levels.len() {
            return;
        }
        let mut rest = node.children;
        while rest != 0 {
            let tile = rest.trailing_zeros() as Tile;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            self.extend(depth, tile);
            if self.levels[depth].is_empty() {
                continue;
            }
            let child = self.game.dawg.records()[node.child(bit)];
            let letters = self.game.tile_letters[usize::from(tile)] as usize;
            self.prefix.push(tile);
            self.letters += letters;
            if child.is_word() == 1 {
                f(Found(self));
            }
            self.children(child, f);
            self.letters -= letters;
            self.prefix.pop();
        }
    }

    /// Fills a level with the placements of the prefix one `tile` longer.
    fn extend(&mut self, depth: usize, tile: Tile) {
        let (shorter, longer) = self.levels.split_at_mut(depth);
        let (shorter, longer) = (&shorter[depth - 1], &mut longer[0]);
        let with_tile = self.cells_with[usize::from(tile)];
        longer.clear();
        if depth == 1 {
            longer.extend(cells(with_tile).map(|cell| Placement {
                used: 1 << cell,
                cell,
                parent: 0,
                paths: 1,
            }));
            return;
        }
        for (parent, p) in shorter.iter().enumerate() {
            let free = with_tile & self.neighbors[usize::from(p.cell)] & !p.used;
            longer.extend(cells(free).map(|cell| Placement {
                used: p.used | 1 << cell,
                cell,
                parent: parent as u32,
                paths: p.paths,
            }));
        }
        longer.sort_unstable_by_key(|p| (p.used, p.cell));
        longer.dedup_by(|p, kept| {
            let same = (p.used, p.cell) == (kept.used, kept.cell);
            if same {
                kept.paths = kept.paths.saturating_add(p.paths);
            }
            same
        });
    }
}

impl Found<'_, '_> {
    /// The word.
    pub(super) fn tiles(&self) -> &[Tile] {
        &self.0.prefix
    }

    /// What it is worth.
    pub(super) fn points(&self) -> u32 {
        self.0.game.points[self.0.letters % POINTS]
    }

    fn placements(&self) -> &[Placement] {
        &self.0.levels[self.0.prefix.len()]
    }

    /// On how many paths it lies.
    pub(super) fn paths(&self) -> u64 {
        self.placements().iter().fold(0, |sum, p| sum.saturating_add(p.paths))
    }

    /// On how many different sets of cells it lies.
    pub(super) fn cell_sets(&self) -> u64 {
        self.each_cell_set().count() as u64
    }

    /// The sets of cells it lies on, as bit masks. Placements are sorted by their set.
    pub(super) fn each_cell_set(&self) -> impl Iterator<Item = u64> {
        self.placements().chunk_by(|a, b| a.used == b.used).map(|same| same[0].used)
    }

    /// The cells of one path.
    pub(super) fn path(&self) -> Vec<u8> {
        let mut index = 0;
        let mut path: Vec<u8> = (1..=self.0.prefix.len())
            .rev()
            .map(|depth| {
                let p = self.0.levels[depth][index];
                index = p.parent as usize;
                p.cell
            })
            .collect();
        path.reverse();
        path
    }
}

fn cells(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = mask.trailing_zeros() as u8;
        (mask != 0).then(|| {
            mask &= mask - 1;
            cell
        })
    })
}
