//! A board as the walks over it want to see it.

use crate::{Dims, MAX_CELLS, MAX_TILES, Tile};

/// Something for each cell, as long as a mask has bits: the compiler sees that no index that comes
/// out of a mask is too large.
pub(super) type ByCell<V> = [V; 64];

/// Takes the cells out of a mask one by one.
#[inline(always)]
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
#[inline(always)]
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
    /// Letters are numbered as in [`Splits`](super::splits::Splits).
    pub letters: ByCell<Tile>,
    /// The cells that hold each letter.
    pub holders: [u64; MAX_TILES],
    /// The letters on the board.
    pub on_board: u32,
    /// For each byte of a mask of letters, and each value of it, the cells that hold one of them.
    holders_of: Box<[[u64; 256]; MAX_TILES / 8]>,
    /// For each byte of a set of cells, and each value of it, the letters that they hold.
    letters_on: Box<[[u32; 256]; MAX_CELLS.div_ceil(8)]>,
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
            letters: [0; 64],
            holders: [0; MAX_TILES],
            on_board: 0,
            holders_of: Box::new([[0; 256]; MAX_TILES / 8]),
            letters_on: Box::new([[0; 256]; MAX_CELLS.div_ceil(8)]),
        }
    }

    #[inline(always)]
    pub fn set(&mut self, tiles: &[Tile], letter_of: &[Tile; MAX_TILES]) {
        self.holders = [0; MAX_TILES];
        self.on_board = 0;
        for (cell, &tile) in tiles.iter().enumerate() {
            let letter = letter_of[usize::from(tile)];
            self.letters[cell] = letter;
            self.holders[usize::from(letter)] |= 1 << cell;
            self.on_board |= 1 << letter;
        }
        for (byte, table) in self.holders_of.iter_mut().enumerate() {
            for letters in 1..256usize {
                let (lowest, rest) = (letters.trailing_zeros() as usize, letters & (letters - 1));
                table[letters] = table[rest] | self.holders[byte * 8 + lowest];
            }
        }
        for (byte, table) in self.letters_on.iter_mut().enumerate().take(self.count.div_ceil(8)) {
            for cells in 1..256usize {
                let (lowest, rest) = (cells.trailing_zeros() as usize, cells & (cells - 1));
                table[cells] = table[rest] | 1 << self.letters[byte * 8 + lowest];
            }
        }
    }

    /// The cells that hold a letter.
    #[inline(always)]
    pub fn holders(&self, letter: impl Into<u32>) -> u64 {
        self.holders[letter.into() as usize % MAX_TILES]
    }

    /// The letters that cells hold.
    #[inline(always)]
    pub fn letters_on(&self, cells: u64) -> u32 {
        let bytes = self.letters_on.iter().zip(cells.to_le_bytes()).take(self.count.div_ceil(8));
        bytes.fold(0, |all, (table, cells)| all | table[usize::from(cells)])
    }

    /// The cells that hold any of these letters.
    #[inline(always)]
    pub fn holders_of(&self, letters: u32) -> u64 {
        let holders = |byte: usize| self.holders_of[byte][usize::from(letters.to_le_bytes()[byte])];
        let common = holders(0) | holders(1);
        if self.on_board >> 16 == 0 { common } else { common | holders(2) | holders(3) }
    }
}
