//! Items, and how the first list of a class is made.
//!
//! An item is a word with a **residual**: the (cell, letter) pairs of one placement of the word
//! that the class does not decide yet, as a [`Key`]. The first list of a class holds every
//! placement of every word on it, without repeats, sorted by key.
//!
//! **Dominance.** If a word has residuals r and r' with r a subset of r', every board that
//! satisfies r' satisfies r, so dropping r' leaves "some residual of the word is satisfied" as it
//! is on every board. Minimal residuals are never dropped. Dropping fewer than all dominated ones
//! is always allowed: it only loosens bounds.

use super::key::{Key, Layout};
use super::task::Task;
use super::words::{Tag, Words};
use crate::Dims;

/// A list of items as two parallel arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items<K> {
    pub keys: Vec<K>,
    pub tags: Vec<Tag>,
}

impl<K: Key> Items<K> {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.tags.clear();
    }

    #[inline(always)]
    pub fn push(&mut self, key: K, tag: Tag) {
        self.keys.push(key);
        self.tags.push(tag);
    }

    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<K>() + self.tags.capacity() * size_of::<Tag>()
    }

    /// The keys and the tags.
    pub fn as_slices(&self) -> (&[K], &[Tag]) {
        (&self.keys, &self.tags)
    }

    /// Keeps the items that satisfy a condition on their keys, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        let mut kept = 0;
        for i in 0..self.len() {
            let key = self.keys[i];
            self.keys[kept] = key;
            self.tags[kept] = self.tags[i];
            kept += usize::from(keep(key));
        }
        self.keys.truncate(kept);
        self.tags.truncate(kept);
    }
}

/// What the engine needs to know of a class before it lists its items.
#[derive(Clone, Debug)]
pub(crate) struct Class<K> {
    /// The letters allowed on each cell.
    pub cells: Vec<u32>,
    /// The undecided cells in branch order: position -> cell.
    pub order: Vec<usize>,
    pub layout: Layout<K>,
    neighbors: Vec<u64>,
    /// Per cell: the positions that order constraints tie it to, and for each tile on the cell the
    /// tiles the other may hold.
    rules: Vec<Vec<(usize, Vec<u32>)>>,
}

impl<K: Key> Class<K> {
    /// `order`: all cells in branch order; those with a single letter are decided and left out.
    pub fn new(dims: Dims, task: &Task, order: &[usize], width: u32, tiles: usize) -> Class<K> {
        let cells = &task.cells;
        let order: Vec<usize> = order.iter().copied().filter(|&c| cells[c].count_ones() > 1).collect();
        let ties = |cell: usize| {
            let allowed = |other: usize| (0..tiles).map(|t| task.allowed_beside(cell, t, other)).collect();
            let tied = |other: usize| {
                let pair = (cell as u8, other as u8);
                task.order.iter().any(|&(a, b)| (a, b) == pair || (b, a) == pair)
            };
            let positions = order.iter().enumerate().filter(|(_, other)| tied(**other));
            positions.map(|(p, &other)| (p, allowed(other))).collect()
        };
        Class {
            cells: cells.clone(),
            layout: Layout::new(order.len(), width),
            rules: (0..dims.cells()).map(ties).collect(),
            order,
            neighbors: (0..dims.cells()).map(|c| dims.neighbor_mask(c)).collect(),
        }
    }

    /// Whether no order constraint forbids the tile on the cell beside the letters of a residual.
    /// A residual that violates one is on no board of the task.
    #[inline(always)]
    fn in_order(&self, key: K, cell: usize, tile: usize) -> bool {
        self.rules[cell].iter().all(|(p, allowed)| {
            let code = self.layout.code(key, *p);
            code == 0 || allowed[tile] >> (code - 1) & 1 == 1
        })
    }

    /// The letters that stand on decided cells.
    fn decided_letters(&self) -> u32 {
        self.cells.iter().filter(|m| m.count_ones() == 1).fold(0, |all, m| all | m)
    }
}

/// The first list of a class.
pub(crate) struct Listing {
    /// Points of the words that every board of the class has.
    pub base: u64,
    /// Placements found, repeats included.
    pub placements: u64,
}

/// A partial placement: the residual so far, the cells used (bits 0..36), the last one (bits 58..).
type Partial<K> = (K, u64);

/// Lists placements word by word. Words come in dictionary order, and the partial placements of a
/// prefix serve all words that share it.
pub(crate) struct Lister<K> {
    partial: Vec<Vec<Partial<K>>>,
    found: Vec<K>,
    bloom: Vec<u64>,
    scratch: Items<K>,
}

impl<K: Key> Lister<K> {
    pub fn new() -> Lister<K> {
        Lister { partial: Vec::new(), found: Vec::new(), bloom: vec![0; 512], scratch: Items::default() }
    }

    pub fn bytes(&self) -> usize {
        let partial: usize = self.partial.iter().map(Vec::capacity).sum();
        partial * size_of::<Partial<K>>() + self.found.capacity() * size_of::<K>() + self.scratch.bytes()
    }

    /// Fills `items` with the first list of the class.
    pub fn list(&mut self, words: &Words, class: &Class<K>, items: &mut Items<K>) -> Listing {
        items.clear();
        let mut listing = Listing { base: 0, placements: 0 };
        let (code, on) = (codes(class, words.tile_count), cells_of(class, words.tile_count));
        let decided = class.decided_letters();
        self.partial.resize_with(class.cells.len() + 1, Vec::new);
        let mut previous: &[u8] = &[];
        // `partial[j]` holds the placements of the first j + 1 tiles of `previous` for j < valid.
        let mut valid = 0;
        for w in 0..words.len() {
            let tiles = words.tiles(w);
            let shared = tiles.iter().zip(previous).take_while(|(a, b)| a == b).count();
            valid = valid.min(shared);
            previous = tiles;
            while valid < tiles.len() && (valid == 0 || !self.partial[valid - 1].is_empty()) {
                self.extend(class, &code, &on, tiles, valid);
                valid += 1;
            }
            if valid < tiles.len() || self.partial[valid - 1].is_empty() {
                continue;
            }
            self.found.clear();
            self.found.extend(self.partial[tiles.len() - 1].iter().map(|p| p.0));
            listing.placements += self.found.len() as u64;
            self.found.sort_unstable();
            self.found.dedup();
            if self.found[0].is_zero() {
                listing.base += words.points[usize::from(words.class(w))];
                continue;
            }
            let tag = Tag::new(w, words.class(w));
            let removable = tiles.iter().fold(0, |m, &t| m | 1u32 << t) & decided;
            self.undominated(&class.layout, removable, |key| items.push(key, tag));
        }
        sort(items, &mut self.scratch, &class.layout);
        listing
    }

    /// Makes `partial[j]` from `partial[j - 1]`.
    fn extend(&mut self, class: &Class<K>, code: &[Vec<K>], on: &[u64], tiles: &[u8], j: usize) {
        let tile = usize::from(tiles[j]);
        let (before, after) = self.partial.split_at_mut(j);
        let to = &mut after[0];
        to.clear();
        let mut step = |key: K, used: u64, mut cells: u64| {
            while cells != 0 {
                let c = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                if !class.in_order(key, c, tile) {
                    continue;
                }
                to.push((key.or(code[c][tile]), used & ((1 << 58) - 1) | 1 << c | (c as u64) << 58));
            }
        };
        if j == 0 {
            step(K::default(), 0, on[tile]);
        } else {
            for &(key, used) in &before[j - 1] {
                step(key, used, class.neighbors[(used >> 58) as usize] & on[tile] & !used);
            }
        }
    }

    /// Calls `keep` with the residuals in `found`, without those that lose one or two pairs and
    /// become another residual. A smaller residual has more decided cells, so the letters lost are
    /// among those that decided cells hold.
    fn undominated(&mut self, layout: &Layout<K>, removable: u32, mut keep: impl FnMut(K)) {
        if removable == 0 {
            self.found.iter().for_each(|&key| keep(key));
            return;
        }
        let bits = self.bloom.len() * 64;
        self.bloom.fill(0);
        for &key in &self.found {
            let h = key.hash() as usize & (bits - 1);
            self.bloom[h / 64] |= 1 << (h % 64);
        }
        let (bloom, found) = (&self.bloom, &self.found);
        let listed = |key: K| {
            let h = key.hash() as usize & (bits - 1);
            bloom[h / 64] >> (h % 64) & 1 == 1 && found.binary_search(&key).is_ok()
        };
        let fields = layout.offset.len();
        let loses = |key: K, p: usize| {
            let code = layout.code(key, p);
            code != 0 && removable >> (code - 1) & 1 == 1
        };
        for &key in found {
            let dominated = (0..fields).filter(|&p| loses(key, p)).any(|p| {
                let smaller = key.and(layout.mask[p].not());
                listed(smaller)
                    || (p + 1..fields)
                        .filter(|&q| loses(key, q))
                        .any(|q| listed(smaller.and(layout.mask[q].not())))
            });
            if !dominated {
                keep(key);
            }
        }
    }
}

/// `codes[cell][tile]`: what the pair adds to a key; nothing for a decided cell.
fn codes<K: Key>(class: &Class<K>, tiles: usize) -> Vec<Vec<K>> {
    let mut code = vec![vec![K::default(); tiles]; class.cells.len()];
    for (p, &cell) in class.order.iter().enumerate() {
        for (tile, code) in code[cell].iter_mut().enumerate() {
            *code = K::place(tile as u32 + 1, class.layout.offset[p]);
        }
    }
    code
}

/// `cells_of[tile]`: the cells that may hold it.
fn cells_of<K>(class: &Class<K>, tiles: usize) -> Vec<u64> {
    let holds = |tile: usize| {
        (0..class.cells.len()).filter(|&c| class.cells[c] >> tile & 1 == 1).fold(0u64, |m, c| m | 1 << c)
    };
    (0..tiles).map(holds).collect()
}

/// Sorts by key: most significant digit first while a part is larger than the cache, then by
/// comparison.
pub(crate) fn sort<K: Key>(items: &mut Items<K>, scratch: &mut Items<K>, layout: &Layout<K>) {
    scratch.keys.clear();
    scratch.keys.resize(items.len(), K::default());
    scratch.tags.clear();
    scratch.tags.resize(items.len(), Tag::default());
    sort_part(
        (&mut items.keys[..], &mut items.tags[..]),
        (&mut scratch.keys[..], &mut scratch.tags[..]),
        layout,
        0,
    );
}

type Part<'a, K> = (&'a mut [K], &'a mut [Tag]);

fn sort_part<K: Key>(items: Part<'_, K>, scratch: Part<'_, K>, layout: &Layout<K>, p: usize) {
    let n = items.0.len();
    if n <= 64 || p == layout.offset.len() {
        let mut pairs: Vec<(K, Tag)> = items.0.iter().copied().zip(items.1.iter().copied()).collect();
        pairs.sort_unstable_by_key(|pair| (pair.0, pair.1.0));
        for (i, (key, tag)) in pairs.into_iter().enumerate() {
            (items.0[i], items.1[i]) = (key, tag);
        }
        return;
    }
    let mut start = [0usize; 65];
    for &key in items.0.iter() {
        start[layout.code(key, p) + 1] += 1;
    }
    for code in 0..64 {
        start[code + 1] += start[code];
    }
    let mut next = start;
    for i in 0..n {
        let to = &mut next[layout.code(items.0[i], p)];
        (scratch.0[*to], scratch.1[*to]) = (items.0[i], items.1[i]);
        *to += 1;
    }
    items.0.copy_from_slice(scratch.0);
    items.1.copy_from_slice(scratch.1);
    for code in 0..64 {
        let range = start[code]..start[code + 1];
        if range.len() > 1 {
            sort_part(
                (&mut items.0[range.clone()], &mut items.1[range.clone()]),
                (&mut scratch.0[range.clone()], &mut scratch.1[range]),
                layout,
                p + 1,
            );
        }
    }
}
