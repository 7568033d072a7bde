//! What a run did, in numbers that do not depend on the machine.

use std::ops::AddAssign;

use crate::MAX_CELLS;

/// Work done and nodes pruned, by rule. Sums over tasks with `+=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Nodes visited, by number of undecided cells.
    pub nodes: [u64; MAX_CELLS + 1],
    /// The sum of their first bounds, by number of undecided cells. Bounds too large for the lanes of a
    /// pass count as the largest that fits.
    pub bounds: [u64; MAX_CELLS + 1],
    /// Placements listed when tasks were prepared, repeats included.
    pub placements: u64,
    /// Items of the first lists.
    pub first_items: u64,
    /// Items read by bounds.
    pub bound_items: u64,
    /// Items read to build children.
    pub built_items: u64,
    /// Nodes pruned by their bound.
    pub pruned_by_bound: u64,
    /// Nodes pruned because a cell had no letter left.
    pub pruned_by_letters: u64,
    /// Letters eliminated from undecided cells.
    pub letters_eliminated: u64,
    /// Classes searched by trees, whose strands count as one.
    pub classes: u64,
    /// Boards whose score was computed.
    pub leaves: u64,
    /// A hash over all bounds by which anything was pruned, in any order.
    pub pruned_hash: u64,
    /// Largest number of bytes held by lists and tables.
    pub peak_bytes: u64,
    /// How often the search took each of its ways.
    pub paths: Paths,
}

/// How often a search took each of its ways. Tests assert that they reach all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paths {
    /// First lists that were searched as lists.
    pub lists: u64,
    /// First lists that were searched as trees with 16-bit lanes.
    pub narrow_trees: u64,
    /// First lists that were searched as trees with 64-bit lanes.
    pub wide_trees: u64,
    /// First lists whose free placements came from the list shared by tasks.
    pub shared_free: u64,
    /// First lists whose free placements were searched as a tree of their own.
    pub free_apart: u64,
    /// Searches with a bound in place of the words that use no anchor.
    pub bounded_rests: u64,
    /// Those of them that were given up.
    pub rests_given_up: u64,
    /// Classes halved because their lists were too long for the memory allowed.
    pub halvings: u64,
    /// Classes whose active nodes were merged.
    pub merges: u64,
    /// Searches of a class that were given up for a merge.
    pub restarts: u64,
    /// Searches of all letters of a cell side by side.
    pub braids: u64,
    /// Groups whose letters shared their lists.
    pub groups: u64,
    /// Groups, or some letters of them, that were searched letter by letter, sharing nothing.
    pub apart_groups: u64,
}

impl AddAssign<&Paths> for Paths {
    fn add_assign(&mut self, other: &Paths) {
        self.lists += other.lists;
        self.narrow_trees += other.narrow_trees;
        self.wide_trees += other.wide_trees;
        self.shared_free += other.shared_free;
        self.free_apart += other.free_apart;
        self.bounded_rests += other.bounded_rests;
        self.rests_given_up += other.rests_given_up;
        self.halvings += other.halvings;
        self.merges += other.merges;
        self.restarts += other.restarts;
        self.braids += other.braids;
        self.groups += other.groups;
        self.apart_groups += other.apart_groups;
    }
}

impl Default for Counters {
    fn default() -> Counters {
        Counters {
            nodes: [0; MAX_CELLS + 1],
            bounds: [0; MAX_CELLS + 1],
            placements: 0,
            first_items: 0,
            bound_items: 0,
            built_items: 0,
            pruned_by_bound: 0,
            pruned_by_letters: 0,
            letters_eliminated: 0,
            classes: 0,
            leaves: 0,
            pruned_hash: 0,
            peak_bytes: 0,
            paths: Paths::default(),
        }
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.nodes.iter_mut().zip(other.nodes).for_each(|(a, b)| *a += b);
        self.bounds.iter_mut().zip(other.bounds).for_each(|(a, b)| *a += b);
        self.placements += other.placements;
        self.first_items += other.first_items;
        self.bound_items += other.bound_items;
        self.built_items += other.built_items;
        self.pruned_by_bound += other.pruned_by_bound;
        self.pruned_by_letters += other.pruned_by_letters;
        self.letters_eliminated += other.letters_eliminated;
        self.classes += other.classes;
        self.leaves += other.leaves;
        self.pruned_hash = self.pruned_hash.wrapping_add(other.pruned_hash);
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
        self.paths += &other.paths;
    }
}

impl Counters {
    /// Adds a bound to the hash of those that pruned.
    #[inline(always)]
    pub(super) fn hash_pruned(&mut self, bound: u64) {
        // The sum of numbers in which every bit of the bound moves many bits.
        let mixed = (bound ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.pruned_hash = self.pruned_hash.wrapping_add(mixed ^ mixed >> 32);
    }

    /// Nodes of all levels.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().sum()
    }
}
