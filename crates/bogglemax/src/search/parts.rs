//! The strings of a tree that lie on a board, with all their placements.

use super::layout::{Layout, cells_of, letters_of};
use super::tree::Tree;
use crate::simd::prefetch_at;

/// A way to lay a string on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The cells it uses.
    pub used: u64,
    /// The cells it does not use that touch its last one.
    pub near: u64,
}

/// A string of a tree that lies on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub node: u32,
    first_place: u32,
    end: u32,
    /// The cells near any of its places.
    pub near: u64,
    /// Its first place, and whether it has more: most have not.
    pub place: Place,
    pub has_more: bool,
}

/// The strings of a tree that lie on a board.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    all: Vec<Part>,
    places: Vec<Place>,
    /// For each node of the tree, where it is in `all`; meaningless if it is not on the board.
    at: Vec<u32>,
    /// The nodes on the board, a bit for each.
    on_board: Vec<u64>,
}

impl Parts {
    pub fn new(tree: &Tree) -> Parts {
        let (at, on_board) = (vec![0; tree.len()], vec![0; tree.len().div_ceil(64)]);
        Parts { all: Vec::new(), places: Vec::new(), at, on_board }
    }

    /// Finds the strings that lie on the board, the empty one first.
    #[inline(always)]
    pub fn find(&mut self, tree: &Tree, board: &Layout) {
        self.all.drain(..).for_each(|part| self.on_board[part.node as usize / 64] = 0);
        self.places.clear();
        self.places.push(Place { used: 0, near: board.all });
        self.add(0, 0, board.all);
        let mut next = 0;
        while let Some(&Part { node, first_place, end, near, .. }) = self.all.get(next) {
            next += 1;
            let from = tree.node(node);
            for letter in letters_of(from.children & board.on_board) {
                let holders = board.holders(letter) & near;
                if holders == 0 {
                    continue;
                }
                let (start, mut all_near) = (self.places.len(), 0);
                for i in first_place..end {
                    let place = self.places[i as usize];
                    for cell in cells_of(place.near & holders) {
                        let used = place.used | 1 << cell;
                        let near = board.near[cell] & !used;
                        all_near |= near;
                        self.places.push(Place { used, near });
                    }
                }
                if self.places.len() > start {
                    let child = from.child(letter);
                    tree.ask_for(child);
                    self.add(child, start as u32, all_near);
                }
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, node: u32, first_place: u32, near: u64) {
        self.at[node as usize] = self.all.len() as u32;
        self.on_board[node as usize / 64] |= 1 << (node % 64);
        let (end, place) = (self.places.len() as u32, self.places[first_place as usize]);
        self.all.push(Part { node, first_place, end, near, place, has_more: end - first_place > 1 });
    }

    /// The strings on the board, those with fewer letters first.
    pub fn all(&self) -> &[Part] {
        &self.all
    }

    /// Whether the string of a node is on the board.
    #[inline(always)]
    pub fn has(&self, node: u32) -> bool {
        self.on_board[node as usize / 64] >> (node % 64) & 1 == 1
    }

    /// Asks for the place of a string that is read soon.
    #[inline(always)]
    pub fn ask_for(&self, node: u32) {
        prefetch_at(&self.at, node as usize);
    }

    /// The string of a node that is on the board.
    #[inline(always)]
    pub fn of(&self, node: u32) -> &Part {
        &self.all[self.at[node as usize] as usize]
    }

    #[inline(always)]
    pub fn places(&self, part: &Part) -> &[Place] {
        &self.places[part.first_place as usize..part.end as usize]
    }
}
