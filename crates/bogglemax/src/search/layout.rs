//! A board as the walks over it want to see it.

use crate::{Dims, MAX_TILES, Tile};

/// Something for each cell, as long as a mask has bits: the compiler sees that no index that comes
/// out of a mask is too large.
pub(super) type ByCell<V> = [V; 64];

/// Takes the cells out of a mask one by one.
#[inline]
pub(super) fn cells_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let cell = mask.trailing_zeros() as usize & 63;
            mask &= mask - 1;
            cell
        })
    })
}

/// Takes the letters out of a mask one by one.
#[inline]
pub(super) fn letters_of(mask: u32) -> impl Iterator<Item = u32> {
    cells_of(mask.into()).map(|letter| letter as u32 & 31)
}

/// A shape, and what lies on its cells.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub count: usize,
    pub all: u64,
    /// The neighbours of each cell.
    pub near: ByCell<u64>,
    pub tiles: ByCell<Tile>,
    /// The cells that hold each letter.
    pub holders: [u64; MAX_TILES],
    /// The letters on the board.
    pub on_board: u32,
    /// The letters on the neighbours of each cell.
    pub letters_near: ByCell<u32>,
}

impl Layout {
    pub fn new(dims: Dims) -> Layout {
        let count = dims.cells();
        let mut near = [0; 64];
        (0..count).for_each(|cell| near[cell] = dims.neighbor_mask(cell));
        Layout {
            count,
            all: (1 << count) - 1,
            near,
            tiles: [0; 64],
            holders: [0; MAX_TILES],
            on_board: 0,
            letters_near: [0; 64],
        }
    }

    pub fn set(&mut self, tiles: &[Tile]) {
        self.tiles[..self.count].copy_from_slice(tiles);
        self.holders = [0; MAX_TILES];
        self.on_board = 0;
        for (cell, &tile) in tiles.iter().enumerate() {
            self.holders[usize::from(tile)] |= 1 << cell;
            self.on_board |= 1 << tile;
        }
        for cell in 0..self.count {
            self.letters_near[cell] = cells_of(self.near[cell]).fold(0, |m, c| m | 1 << tiles[c]);
        }
    }

    /// The cells that hold a letter.
    #[inline]
    pub fn holders(&self, letter: impl Into<u32>) -> u64 {
        self.holders[letter.into() as usize % MAX_TILES]
    }

    /// The cells that hold any of these letters.
    #[inline]
    pub fn holders_of(&self, letters: u32) -> u64 {
        letters_of(letters & self.on_board).fold(0, |cells, letter| cells | self.holders(letter))
    }
}
