//! Listings 5 and 6: `merge` and `branch` on orderly trees.
//!
//! Both trees stay as they are. Where only one of them has a node, its record is copied and the
//! subtree below shared; where both have it, a new record is written. Bounds are set on the way, so
//! the bound of a merged tree is known at once.

use super::{Arena, ChoiceNode, SumNode};
use crate::Tile;

impl Arena {
    /// Splits a tree at its top cell, the one of this rank: the choice there, if any path uses the
    /// cell, and the tree of all paths that skip it.
    pub(crate) fn split(&self, node: SumNode, rank: u8) -> (Option<ChoiceNode>, SumNode) {
        match self.choices(node).first() {
            Some(&top) if top.rank == rank => {
                let skip =
                    SumNode { bound: node.bound - top.bound, first: node.first + 1, len: node.len - 1 };
                (Some(top), skip)
            }
            // The cell is irrelevant.
            _ => (None, node),
        }
    }

    /// One branch of Listing 6: the tree for one letter on the top cell.
    pub(crate) fn branch(&mut self, top: Option<ChoiceNode>, skip: SumNode, letter: Tile) -> SumNode {
        match top.and_then(|top| self.child(top, letter)) {
            Some(child) => self.merge(child, skip),
            // A dead letter.
            None => skip,
        }
    }

    /// Listing 5: F(merge(a, b), B) = F(a, B) + F(b, B) for every board B.
    pub(crate) fn merge(&mut self, a: SumNode, b: SumNode) -> SumNode {
        if a.len == 0 {
            return SumNode { bound: a.bound + b.bound, ..b };
        }
        if b.len == 0 {
            return SumNode { bound: a.bound + b.bound, ..a };
        }
        let (a_end, b_end) = (a.first as usize + usize::from(a.len), b.first as usize + usize::from(b.len));
        let len = self.union_len(a, b);
        let first = self.reserve_choices(len);
        // The bounds of the parents' children are taken off here and those of the merged ones added
        // below: what remains in between is the points of both nodes.
        let mut bound = self.points(a) + self.points(b);
        let (mut i, mut j) = (a.first as usize, b.first as usize);
        for slot in first..first + len {
            let merged = if j == b_end {
                i += 1;
                self.choices[i - 1]
            } else if i == a_end {
                j += 1;
                self.choices[j - 1]
            } else {
                let (ac, bc) = (self.choices[i], self.choices[j]);
                i += usize::from(ac.rank <= bc.rank);
                j += usize::from(bc.rank <= ac.rank);
                match ac.rank.cmp(&bc.rank) {
                    std::cmp::Ordering::Less => ac,
                    std::cmp::Ordering::Greater => bc,
                    std::cmp::Ordering::Equal => self.merge_choice(ac, bc),
                }
            };
            bound += merged.bound;
            self.choices[slot] = merged;
        }
        SumNode { bound, first: first as u32, len: len as u8 }
    }

    fn merge_choice(&mut self, a: ChoiceNode, b: ChoiceNode) -> ChoiceNode {
        let letters = a.letters | b.letters;
        let first = self.reserve_sums(letters.count_ones() as usize);
        let (mut i, mut j, mut slot) = (a.first as usize, b.first as usize, first);
        let (mut bound, mut rest) = (0, letters);
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let merged = match (a.letters & bit != 0, b.letters & bit != 0) {
                (true, true) => self.merge(self.sums[i], self.sums[j]),
                (true, false) => self.sums[i],
                _ => self.sums[j],
            };
            i += usize::from(a.letters & bit != 0);
            j += usize::from(b.letters & bit != 0);
            bound = bound.max(merged.bound);
            self.sums[slot] = merged;
            slot += 1;
        }
        ChoiceNode { bound, first: first as u32, letters, ..a }
    }

    /// How many cells have a choice below one node or the other.
    fn union_len(&self, a: SumNode, b: SumNode) -> usize {
        let ranks = |node| self.choices(node).iter().fold(0u64, |set, c| set | 1 << c.rank);
        (ranks(a) | ranks(b)).count_ones() as usize
    }

    /// Makes room for records to be written by index, which deeper ones may come to stand behind.
    fn reserve_choices(&mut self, len: usize) -> usize {
        let first = self.choices.len();
        self.choices.resize(first + len, ChoiceNode::default());
        assert!(self.choices.len() <= u32::MAX as usize, "more choice nodes than an index can tell apart");
        first
    }

    fn reserve_sums(&mut self, len: usize) -> usize {
        let first = self.sums.len();
        self.sums.resize(first + len, SumNode::default());
        assert!(self.sums.len() <= u32::MAX as usize, "more sum nodes than an index can tell apart");
        first
    }
}
