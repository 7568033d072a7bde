//! The paths of a class as sorted numbers, ready to be assembled into an orderly tree.
//!
//! A path is one number, its *key*: a field of bits per cell, the top cell's most significant,
//! holding the index of the letter in the cell's set, or the size of the set if the path does not
//! use the cell. Sorted keys are then paths in the order of the finished tree.

use super::assemble::Assembler;
use crate::class::tiles;
use crate::{BoardClass, Tile};

/// Where in a key each cell has its field.
pub(super) struct Fields {
    /// Cells, top first.
    pub(super) cells: Vec<Field>,
    pub(super) bits: u32,
}

pub(super) struct Field {
    pub(super) cell: u8,
    pub(super) shift: u32,
    mask: u32,
    /// The field of a path that does not use the cell.
    pub(super) unused: u32,
    /// Tile of each field value.
    pub(super) tiles: Vec<Tile>,
}

impl Fields {
    pub(super) fn new(class: &BoardClass, order: &[u8]) -> Fields {
        let mut bits = 0;
        let mut cells = Vec::with_capacity(order.len());
        for &cell in order.iter().rev() {
            let tiles: Vec<Tile> = tiles(class.letters()[usize::from(cell)]).collect();
            let unused = tiles.len() as u32;
            let width = u32::BITS - unused.leading_zeros();
            cells.push(Field { cell, shift: bits, mask: (1 << width) - 1, unused, tiles });
            bits += width;
        }
        cells.reverse();
        Fields { cells, bits }
    }
}

/// A key wide enough for a class.
pub(super) trait Key:
    Copy + Ord + Default + std::ops::BitXor<Output = Self> + std::ops::Sub<Output = Self>
{
    fn field(value: u32, shift: u32) -> Self;
    fn get(self, field: &Field) -> u32;
    fn add(self, other: Self) -> Self;
    /// Position of the highest set bit.
    fn highest(self) -> u32;
}

macro_rules! key {
    ($int:ty) => {
        impl Key for $int {
            fn field(value: u32, shift: u32) -> Self {
                <$int>::from(value) << shift
            }
            #[inline]
            fn get(self, field: &Field) -> u32 {
                (self >> field.shift) as u32 & field.mask
            }
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline]
            fn highest(self) -> u32 {
                self.ilog2()
            }
        }
    };
}
key!(u64);
key!(u128);

/// The paths of a class with their points: a sorted run without repeats, and a buffer of new ones
/// that is sorted into it whenever it has grown to half its size. So memory stays within a small
/// factor of the tree's own, however often paths repeat.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths<K> {
    sorted: Vec<(K, u32)>,
    new: Vec<(K, u32)>,
    capacity: usize,
    /// Keys of one word, to drop repeats.
    pub(super) word: Vec<K>,
    /// Partial placements by number of tiles.
    pub(super) frontiers: Vec<Vec<Placement<K>>>,
}

/// The fewest paths worth sorting by themselves.
const MIN_RUN: usize = 1 << 21;

impl<K: Key> Paths<K> {
    pub(super) fn clear(&mut self) {
        self.sorted.clear();
        self.new.clear();
        self.capacity = MIN_RUN;
    }

    #[inline]
    pub(super) fn push(&mut self, key: K, points: u32) {
        if self.new.len() == self.capacity {
            self.settle();
        }
        self.new.push((key, points));
    }

    /// Sorts the new paths into the old ones, adding up points of the same path.
    fn settle(&mut self) {
        self.new.sort_unstable_by_key(|&(key, _)| key);
        self.new.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        if self.sorted.is_empty() {
            std::mem::swap(&mut self.sorted, &mut self.new);
        } else {
            self.merge_new();
        }
        self.new.clear();
        self.capacity = MIN_RUN.max(self.sorted.len() / 2);
    }

    /// Merges from the back, in place. Repeats leave a gap in front, which is closed at the end.
    fn merge_new(&mut self) {
        let (mut old, mut new) = (self.sorted.len(), self.new.len());
        let mut to = old + new;
        self.sorted.resize(to, (K::default(), 0));
        while new > 0 {
            to -= 1;
            let (key, points) = self.new[new - 1];
            if old > 0 && self.sorted[old - 1].0 >= key {
                old -= 1;
                self.sorted[to] = self.sorted[old];
                if self.sorted[to].0 == key {
                    new -= 1;
                    self.sorted[to].1 = self.sorted[to].1.saturating_add(points);
                }
            } else {
                new -= 1;
                self.sorted[to] = (key, points);
            }
        }
        self.sorted.drain(old..to);
    }

    /// Hands the paths to the assembler in order; leaves none behind.
    pub(super) fn assemble(&mut self, fields: &Fields, assembler: &mut Assembler) {
        self.settle();
        // Rank of the field that holds a bit.
        let mut rank_of_bit = [0u8; 128];
        for (rank, field) in fields.cells.iter().enumerate() {
            let end = fields.bits.min(field.shift + field.mask.count_ones());
            rank_of_bit[field.shift as usize..end as usize].fill(rank as u8);
        }
        let mut open: Vec<u8> = Vec::with_capacity(fields.cells.len());
        let mut previous = None;
        for &(key, points) in &self.sorted {
            let common = previous.map_or(0, |p: K| usize::from(rank_of_bit[(p ^ key).highest() as usize]));
            while open.last().is_some_and(|&rank| usize::from(rank) >= common) {
                assembler.leave();
                open.pop();
            }
            for (rank, field) in fields.cells.iter().enumerate().skip(common) {
                let value = key.get(field);
                if value != field.unused {
                    assembler.enter(field.cell, field.tiles[value as usize]);
                    open.push(rank as u8);
                }
            }
            assembler.add_points(points);
            previous = Some(key);
        }
        open.iter().for_each(|_| assembler.leave());
        self.clear();
        // The runs of a hard class would stand idle beside its tree while that grows by merging.
        self.sorted.shrink_to(MIN_RUN);
        self.new.shrink_to(MIN_RUN);
    }
}

/// A prefix laid on cells of the board, in one of the ways the class allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<K> {
    pub(super) key: K,
    pub(super) used: u64,
    /// The last cell; for the empty prefix, a number that all cells neighbor.
    pub(super) cell: u8,
}
