//! The strings of a tree that lie on a board, with all their placements.

use super::layout::{Layout, cells_of, letters_of};
use super::tree::Tree;
use crate::simd::{prefetch_at, with_vectors};

/// A way to lay a string on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The cells it uses.
    pub used: u64,
    /// The cells it does not use that touch its last one.
    pub near: u64,
}

impl Place {
    /// The place in one number, of boards of at most 16 cells: the cells it uses in the lower half, those near
    /// it in the higher one.
    #[inline(always)]
    pub fn packed(self) -> u32 {
        (self.used | self.near << 16) as u32
    }

    /// The cells between two places; none if they overlap.
    #[inline(always)]
    pub fn gap(&self, other: &Place) -> u64 {
        let apart = u64::from(self.used & other.used == 0).wrapping_neg();
        self.near & other.near & apart
    }
}

/// A string of a tree that lies on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub node: u32,
    first_place: u32,
    end: u32,
    /// The cells near any of its places.
    pub near: u64,
    /// [`MANY`], or 0.
    pub many: u32,
}

/// Places of a string that stand together: most have no more.
pub(super) const FEW: usize = 4;

/// Marks a string with more than [`FEW`] places. Strings on a board are fewer than that.
pub(super) const MANY: u32 = 1 << 31;

/// The strings of a tree that lie on a board.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    all: Vec<Part>,
    places: Vec<Place>,
    /// For each of `all`, its first places, [packed](Place::packed), and then zeros.
    packed: Vec<[u32; FEW]>,
    /// For each node of the tree, where it is in `all`, and [`MANY`]; meaningless if it is not on the
    /// board.
    at: Vec<u32>,
    /// The nodes on the board, a bit for each.
    on_board: Vec<u32>,
}

impl Parts {
    pub fn new(tree: &Tree) -> Parts {
        let (at, on_board) = (vec![0; tree.len()], vec![0; tree.len().div_ceil(32)]);
        Parts { all: Vec::new(), places: Vec::new(), packed: Vec::new(), at, on_board }
    }

    /// Finds the strings that lie on the board, the empty one first.
    pub fn find(&mut self, tree: &Tree, board: &Layout) {
        with_vectors(
            #[inline(always)]
            || self.find_all(tree, board),
        );
    }

    #[inline(always)]
    fn find_all(&mut self, tree: &Tree, board: &Layout) {
        self.all.drain(..).for_each(|part| self.on_board[part.node as usize / 32] = 0);
        self.places.clear();
        self.packed.clear();
        self.places.push(Place { used: 0, near: board.all });
        self.add(0, 0, board.all, [self.places[0].packed(), 0, 0, 0]);
        let mut next = 0;
        while let Some(&Part { node, first_place, end, near, .. }) = self.all.get(next) {
            next += 1;
            let from = tree.node(node);
            for letter in letters_of(from.children & board.letters_on(near)) {
                let holders = board.holders(letter);
                let (start, mut all_near) = (self.places.len(), 0);
                // What is behind the first few comes to the last, and does not count.
                let mut packed = [0; FEW + 1];
                for i in first_place..end {
                    let place = self.places[i as usize];
                    for cell in cells_of(place.near & holders) {
                        let used = place.used | 1 << cell;
                        let near = board.near[cell] & !used;
                        all_near |= near;
                        let place = Place { used, near };
                        packed[(self.places.len() - start).min(FEW)] = place.packed();
                        self.places.push(place);
                    }
                }
                let child = from.child(letter);
                tree.ask_for(child);
                self.add(child, start as u32, all_near, std::array::from_fn(|i| packed[i]));
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, node: u32, first_place: u32, near: u64, packed: [u32; FEW]) {
        self.on_board[node as usize / 32] |= 1 << (node % 32);
        let end = self.places.len() as u32;
        let many = if (end - first_place) as usize > FEW { MANY } else { 0 };
        self.at[node as usize] = self.all.len() as u32 | many;
        self.packed.push(packed);
        self.all.push(Part { node, first_place, end, near, many });
    }

    /// The strings on the board, those with fewer letters first.
    pub fn all(&self) -> &[Part] {
        &self.all
    }

    /// Whether the string of a node is on the board.
    #[inline(always)]
    pub fn has(&self, node: u32) -> bool {
        self.on_board[node as usize / 32] >> (node % 32) & 1 == 1
    }

    /// Asks for the place of a string that is read soon.
    #[inline(always)]
    pub fn ask_for(&self, node: u32) {
        prefetch_at(&self.at, node as usize);
    }

    /// The string of a node that is on the board.
    #[inline(always)]
    pub fn of(&self, node: u32) -> &Part {
        self.part(self.at[node as usize])
    }

    /// A string on the board, by its index in [`all`](Parts::all), with or without [`MANY`].
    #[inline(always)]
    pub fn part(&self, at: u32) -> &Part {
        &self.all[(at & !MANY) as usize]
    }

    #[inline(always)]
    pub fn places(&self, part: &Part) -> &[Place] {
        &self.places[part.first_place as usize..part.end as usize]
    }

    /// For each node of the tree that is on the board, its index in [`all`](Parts::all), and [`MANY`] if it has
    /// many places.
    #[inline(always)]
    pub fn indexes(&self) -> &[u32] {
        &self.at
    }

    /// The nodes on the board, a bit for each.
    #[inline(always)]
    pub fn bits(&self) -> &[u32] {
        &self.on_board
    }

    /// For each string on the board, its first places, [packed](Place::packed), and then zeros.
    #[inline(always)]
    pub fn first_places(&self) -> &[[u32; FEW]] {
        &self.packed
    }

    /// The cells between any place of one string and any place of another that do not overlap.
    #[inline(always)]
    pub fn gaps(&self, own: &Part, others: &Parts, other: &Part) -> u64 {
        let (own, other) = (self.places(own), others.places(other));
        own.iter().flat_map(|a| other.iter().map(|b| a.gap(b))).fold(0, |gaps, gap| gaps | gap)
    }
}
