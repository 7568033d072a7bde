//! Listings 3 and 4: `add_word` and `build_tree`.
//!
//! The paper inserts words one by one. Here all (path, points) of a class are collected, sorted and
//! added up, and the tree is assembled in one sweep from its leftmost path to its rightmost: the
//! same tree, but its nodes never move and their children stand side by side.

use std::collections::HashSet;

use super::assemble::Assembler;
use super::paths::{Fields, Key, Paths, Placement};
use super::{Arena, SumNode, Tree, cell_order};
use crate::class::tiles;
use crate::{BoardClass, Error, MAX_CELLS, MAX_TILES, Tile, Trie, TrieNode, WordId};

/// In which order the cells of a word are put into the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the word is spelled (the paper's Figure 1).
    Spelling,
    /// In the [canonical order](cell_order) of cells (Figure 2).
    Orderly,
}

/// What a word counts for when a board holds it in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// M: every path counts.
    Multi,
    /// D: a word counts once for each set of cells it can be formed on.
    Dedup,
}

impl Tree {
    /// Listing 4: the tree of all words of the trie on the boards of a class.
    ///
    /// # Errors
    /// If the class is so large, or words are worth so much, that its tree cannot be held.
    pub fn build(class: &BoardClass, trie: &Trie, order: Order, count: Count) -> Result<Tree, Error> {
        let mut workspace = Workspace::default();
        let root = match order {
            Order::Orderly => workspace.build_orderly(class, trie, count)?,
            Order::Spelling => workspace.build_spelling(class, trie, count)?,
        };
        let arena = workspace.into_arena();
        Ok(Tree { class: *class, order, cell_order: cell_order(class.dims()), arena, root, depth: 0 })
    }
}

/// Builds trees, reusing its memory from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    assembler: Assembler,
    narrow: Paths<u64>,
    wide: Paths<u128>,
}

impl Workspace {
    /// The nodes of the tree built last.
    pub(crate) fn arena_mut(&mut self) -> &mut Arena {
        &mut self.assembler.arena
    }

    fn into_arena(self) -> Arena {
        self.assembler.arena
    }

    /// Replaces the tree built before by the orderly one of this class; returns its root.
    pub(crate) fn build_orderly(
        &mut self,
        class: &BoardClass,
        trie: &Trie,
        count: Count,
    ) -> Result<SumNode, Error> {
        let order = cell_order(class.dims());
        self.assembler.start(&order);
        let fields = Fields::new(class, &order);
        match fields.bits {
            ..=64 => {
                Walk::new(class, trie, count, &fields, &mut self.narrow).collect();
                self.narrow.assemble(&fields, &mut self.assembler);
            }
            65..=128 => {
                Walk::new(class, trie, count, &fields, &mut self.wide).collect();
                self.wide.assemble(&fields, &mut self.assembler);
            }
            _ => return Err(Error::ClassTooLarge { class: class.to_string() }),
        }
        self.assembler.finish(class)
    }

    fn build_spelling(&mut self, class: &BoardClass, trie: &Trie, count: Count) -> Result<SumNode, Error> {
        self.assembler.start(&cell_order(class.dims()));
        let mut spelling = Spelling {
            class,
            trie,
            count,
            assembler: &mut self.assembler,
            seen: HashSet::new(),
            path: Vec::new(),
        };
        spelling.sum_step(trie.root(), u64::MAX >> (64 - class.dims().cells()), 0);
        self.assembler.finish(class)
    }
}

/// The two steps of Listing 4 with the loops exchanged: the trie outside, and for each prefix all
/// its placements together. So all placements of a word are at hand at once, and those that repeat
/// an earlier one with its tiles exchanged can be dropped.
struct Walk<'a, K> {
    trie: &'a Trie,
    count: Count,
    /// Cells that allow each tile.
    cells: [u64; MAX_TILES],
    /// Neighbors of each cell, and of the empty prefix.
    neighbors: Vec<u64>,
    /// What a tile on a cell takes off the key of the empty path.
    terms: Vec<[K; MAX_TILES]>,
    paths: &'a mut Paths<K>,
}

impl<'a, K: Key> Walk<'a, K> {
    fn new(
        class: &BoardClass,
        trie: &'a Trie,
        count: Count,
        fields: &Fields,
        paths: &'a mut Paths<K>,
    ) -> Walk<'a, K> {
        let dims = class.dims();
        let mut cells = [0; MAX_TILES];
        let mut terms = vec![[K::default(); MAX_TILES]; dims.cells()];
        let mut empty = K::default();
        for field in &fields.cells {
            for (value, &tile) in field.tiles.iter().enumerate() {
                cells[usize::from(tile)] |= 1 << field.cell;
                terms[usize::from(field.cell)][usize::from(tile)] =
                    K::field(field.unused - value as u32, field.shift);
            }
            empty = empty.add(K::field(field.unused, field.shift));
        }
        let all = u64::MAX >> (64 - dims.cells());
        let neighbors = (0..dims.cells()).map(|c| dims.neighbor_mask(c)).chain([all]).collect();
        paths.clear();
        // One for each number of tiles, and one that stays empty.
        paths.frontiers.resize(dims.cells() + 2, Vec::new());
        paths.frontiers[0] = vec![Placement { key: empty, used: 0, cell: dims.cells() as u8 }];
        Walk { trie, count, cells, neighbors, terms, paths }
    }

    fn collect(mut self) {
        self.step(self.trie.root(), 0, 0, false);
    }

    /// Adds the words that begin with a prefix; its placements are in the frontier of its length.
    fn step(&mut self, node: TrieNode, depth: usize, letters: u32, repeats: bool) {
        if let Some(word) = node.word(self.trie) {
            self.add_word(word, depth, repeats);
        }
        for tile in tiles(node.children(self.trie)) {
            if self.extend(depth, tile) {
                let child = node.child(self.trie, tile).expect("a child the node has");
                self.step(child, depth + 1, letters | 1 << tile, repeats || letters >> tile & 1 == 1);
            }
        }
    }

    /// Fills the next frontier: every placement with one more tile. Says whether there is any.
    fn extend(&mut self, depth: usize, tile: Tile) -> bool {
        let (shorter, longer) = self.paths.frontiers.split_at_mut(depth + 1);
        let (shorter, longer) = (&shorter[depth], &mut longer[0]);
        longer.clear();
        for placement in shorter {
            let mut rest =
                self.neighbors[usize::from(placement.cell)] & self.cells[usize::from(tile)] & !placement.used;
            while rest != 0 {
                let cell = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                longer.push(Placement {
                    key: placement.key - self.terms[cell][usize::from(tile)],
                    used: placement.used | 1 << cell,
                    cell: cell as u8,
                });
            }
        }
        !longer.is_empty()
    }

    /// Listing 3 for all placements of a word. Without repeated tiles no two of them have the same
    /// key, for each tile of the key tells its cell.
    fn add_word(&mut self, word: WordId, depth: usize, repeats: bool) {
        let points = self.trie.words()[word as usize].points;
        let paths = &mut *self.paths;
        if self.count == Count::Dedup && repeats {
            let mut keys = std::mem::take(&mut paths.word);
            keys.extend(paths.frontiers[depth].iter().map(|p| p.key));
            keys.sort_unstable();
            keys.dedup();
            keys.drain(..).for_each(|key| paths.push(key, points));
            paths.word = keys;
        } else {
            for i in 0..paths.frontiers[depth].len() {
                paths.push(paths.frontiers[depth][i].key, points);
            }
        }
    }
}

/// Listing 4 as it stands, for spelling order: the walk is the tree.
struct Spelling<'a> {
    class: &'a BoardClass,
    trie: &'a Trie,
    count: Count,
    assembler: &'a mut Assembler,
    /// For [`Count::Dedup`], the words found so far with their cells and letters.
    seen: HashSet<(WordId, Vec<(u8, Tile)>)>,
    path: Vec<(u8, Tile)>,
}

impl Spelling<'_> {
    fn sum_step(&mut self, node: TrieNode, neighbors: u64, used: u64) {
        if let Some(word) = node.word(self.trie) {
            let mut cells = Vec::new();
            if self.count == Count::Dedup {
                cells.clone_from(&self.path);
                cells.sort_unstable();
            }
            if self.count == Count::Multi || self.seen.insert((word, cells)) {
                self.assembler.add_points(self.trie.words()[word as usize].points);
            }
        }
        for cell in (0..MAX_CELLS as u8).filter(|&c| (neighbors & !used) >> c & 1 == 1) {
            self.choice_step(cell, node, used);
        }
    }

    fn choice_step(&mut self, cell: u8, node: TrieNode, used: u64) {
        for letter in tiles(self.class.letters()[usize::from(cell)] & node.children(self.trie)) {
            let child = node.child(self.trie, letter).expect("a child the node has");
            self.path.push((cell, letter));
            self.assembler.enter(cell, letter);
            self.sum_step(child, self.class.dims().neighbor_mask(cell.into()), used | 1 << cell);
            self.assembler.leave();
            self.path.pop();
        }
    }
}
