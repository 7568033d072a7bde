//! The paper's Sum/Choice trees: every word of a board class, stored once for all its boards.
//!
//! A [`ChoiceNode`] is a choice of letter on a cell, a [`SumNode`] the ways to go on from there.
//! [`Tree::build`] inserts every path to a word; [`Tree::bound`] is U of the paper, [`Tree::force`]
//! is F. On *orderly* trees, whose paths visit cells in the [canonical order](cell_order), `branch`
//! (`merge.rs`) fixes the letter of the top cell, and `orderly_bound` finds all boards that reach a
//! cutoff. [`paper`](crate::paper) makes the paper's final algorithm of them.
//!
//! # Layout
//! Nodes are plain records in two vectors. The children of a node stand side by side, so a node is
//! known by its record, and a subtree is shared by copying 12 or 16 bytes. A record never changes
//! once its tree stands: merging writes new records behind the old ones, and cutting the vectors
//! back to their old length (a watermark) forgets them.
//!
//! Every record carries its bound U. The points of a [`SumNode`] are not stored: they are its bound
//! less the bounds of its children. No bound exceeds that of the root, so arithmetic is safe for the
//! whole tree once the root's bound fits, which building checks.

mod assemble;
mod build;
mod draw;
mod merge;
mod order;
mod orderly_bound;
mod paths;
mod svg;
#[cfg(test)]
mod tests;

use crate::class::tiles;
use crate::{Board, BoardClass, Error, Tile};

pub use assemble::PathTree;
pub(crate) use build::Workspace;
pub use build::{Count, Order};
pub use order::cell_order;
pub(crate) use orderly_bound::OrderlyBound;

/// A sum of points and choices: where a path may end, and where it may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SumNode {
    bound: u32,
    /// Index of the first child in [`Arena::choices`].
    first: u32,
    /// Number of children; in orderly trees they ascend by rank.
    len: u8,
}

/// A choice of letter on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ChoiceNode {
    bound: u32,
    /// Index of the first child in [`Arena::sums`]; one child per letter, in order of tiles.
    first: u32,
    letters: u32,
    cell: u8,
    /// Position of the cell in the canonical order.
    rank: u8,
}

impl SumNode {
    /// U: no board reaches more points below this node.
    pub fn bound(self) -> u32 {
        self.bound
    }
}

impl ChoiceNode {
    /// U: the largest bound of its letters.
    pub fn bound(self) -> u32 {
        self.bound
    }

    /// The cell whose letter is chosen.
    pub fn cell(self) -> usize {
        self.cell.into()
    }

    /// The letters that lead on, as a mask of tiles. Any other letter is worth nothing here.
    pub fn letters(self) -> u32 {
        self.letters
    }
}

/// The nodes of one or several trees that share subtrees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    sums: Vec<SumNode>,
    choices: Vec<ChoiceNode>,
}

/// A length of an [`Arena`] to cut back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watermark {
    sums: usize,
    choices: usize,
}

impl Arena {
    #[inline]
    pub(crate) fn choices(&self, node: SumNode) -> &[ChoiceNode] {
        &self.choices[node.first as usize..][..usize::from(node.len)]
    }

    /// The children of a choice, in order of their letters.
    #[inline]
    pub(crate) fn sums(&self, node: ChoiceNode) -> &[SumNode] {
        &self.sums[node.first as usize..][..node.letters.count_ones() as usize]
    }

    #[inline]
    pub(crate) fn child(&self, node: ChoiceNode, letter: Tile) -> Option<SumNode> {
        let bit = 1u32 << letter;
        let before = (node.letters & (bit - 1)).count_ones();
        (node.letters & bit != 0).then(|| self.sums[(node.first + before) as usize])
    }

    /// Points of the node itself.
    #[inline]
    pub(crate) fn points(&self, node: SumNode) -> u32 {
        node.bound - self.choices(node).iter().map(|c| c.bound).sum::<u32>()
    }

    pub(crate) fn watermark(&self) -> Watermark {
        Watermark { sums: self.sums.len(), choices: self.choices.len() }
    }

    /// Forgets all nodes written since the watermark was taken.
    pub(crate) fn cut_back(&mut self, mark: Watermark) {
        self.sums.truncate(mark.sums);
        self.choices.truncate(mark.choices);
    }

    pub(crate) fn clear(&mut self) {
        self.cut_back(Watermark { sums: 0, choices: 0 });
    }

    /// Number of nodes held, sum and choice.
    pub(crate) fn len(&self) -> usize {
        self.sums.len() + self.choices.len()
    }

    /// Bytes of the nodes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.sums.as_slice()) + size_of_val(self.choices.as_slice())
    }

    /// F of the paper for a list of tiles by cell.
    pub(crate) fn force(&self, node: SumNode, tiles: &[Tile]) -> u64 {
        let choices = self.choices(node).iter();
        let forced =
            choices.filter_map(|&c| self.child(c, tiles[c.cell()])).map(|child| self.force(child, tiles));
        u64::from(self.points(node)) + forced.sum::<u64>()
    }

    /// Nodes below and including this one: (sum nodes, choice nodes).
    pub(crate) fn count(&self, node: SumNode) -> (u64, u64) {
        let mut counted = (1, u64::from(node.len));
        for &choice in self.choices(node) {
            for &sum in self.sums(choice) {
                let (sums, choices) = self.count(sum);
                counted = (counted.0 + sums, counted.1 + choices);
            }
        }
        counted
    }
}

/// A Sum/Choice tree and the class it was made for.
///
/// ```
/// use bogglemax::tree::{Count, Order, Tree};
/// use bogglemax::{Board, BoardClass, Lexicon, Scoring, Trie};
///
/// let trie = Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), 4);
/// let class = BoardClass::parse("t ae i r", None)?;
/// let spelling = Tree::build(&class, &trie, Order::Spelling, Count::Multi)?;
/// let orderly = Tree::build(&class, &trie, Order::Orderly, Count::Multi)?;
/// assert_eq!((spelling.bound(), orderly.bound()), (13, 7));
/// assert_eq!(orderly.force(&Board::parse("tair", None)?), 7);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    class: BoardClass,
    order: Order,
    cell_order: Vec<u8>,
    arena: Arena,
    root: SumNode,
    /// Number of leading cells of the order whose letters are fixed by [`Tree::branch`].
    depth: usize,
}

/// How many nodes a tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCount {
    /// Sum nodes, the root among them.
    pub sum_nodes: u64,
    /// Choice nodes.
    pub choice_nodes: u64,
}

impl NodeCount {
    /// All nodes.
    pub fn nodes(self) -> u64 {
        self.sum_nodes + self.choice_nodes
    }
}

impl Tree {
    /// The root.
    pub fn root(&self) -> SumNode {
        self.root
    }

    /// The class the tree was made for.
    pub fn class(&self) -> &BoardClass {
        &self.class
    }

    /// U of the paper for the whole tree: an upper bound on the score of every board of the class.
    pub fn bound(&self) -> u32 {
        self.root.bound
    }

    /// F of the paper: the points of all paths that the board satisfies. For a tree built with
    /// [`Count::Multi`] that is M(B), with [`Count::Dedup`] D(B).
    ///
    /// # Panics
    /// If the board has another shape than the tree's class.
    pub fn force(&self, board: &Board) -> u64 {
        assert_eq!(board.dims(), self.class.dims());
        self.arena.force(self.root, board.tiles())
    }

    /// The points of a node itself, without those of its children.
    pub fn points(&self, node: SumNode) -> u32 {
        self.arena.points(node)
    }

    /// The choices below a node of this tree.
    pub fn choices(&self, node: SumNode) -> &[ChoiceNode] {
        self.arena.choices(node)
    }

    /// The letters of a choice of this tree, and where each leads.
    pub fn letters(&self, node: ChoiceNode) -> impl Iterator<Item = (Tile, SumNode)> {
        tiles(node.letters).zip(self.arena.sums(node).iter().copied())
    }

    /// Number of nodes, shared subtrees counted each time they appear.
    pub fn count(&self) -> NodeCount {
        let (sum_nodes, choice_nodes) = self.arena.count(self.root);
        NodeCount { sum_nodes, choice_nodes }
    }

    /// Listing 6: fixes the top cell, the first of the canonical order that is not fixed yet. One
    /// tree per letter the class allows there, in order of tiles. Each is a tree over the cells that
    /// remain: it has forgotten the fixed cell.
    ///
    /// Every branch holds a copy of this tree's nodes beside its own: this is for study. The engine
    /// keeps all branches in one place, and one at a time.
    ///
    /// # Errors
    /// Spelling trees cannot branch: their paths have no common top.
    pub fn branch(&self) -> Result<Vec<(Tile, Tree)>, Error> {
        if self.order != Order::Orderly || self.depth == self.cell_order.len() {
            return Err(Error::NotOrderly);
        }
        let cell = usize::from(self.cell_order[self.depth]);
        let branches = tiles(self.class.letters()[cell]).map(|letter| {
            let mut tree = self.clone();
            let (top, skip) = tree.arena.split(self.root, self.depth as u8);
            tree.root = tree.arena.branch(top, skip, letter);
            tree.class = self.class.with_letters(cell, 1 << letter);
            tree.depth += 1;
            (letter, tree)
        });
        Ok(branches.collect())
    }

    /// Listing 7: every board of the class for which F, that is M or D, reaches the cutoff.
    ///
    /// # Errors
    /// Only orderly trees can be searched.
    pub fn orderly_bound(&self, cutoff: u32) -> Result<Vec<Board>, Error> {
        if self.order != Order::Orderly {
            return Err(Error::NotOrderly);
        }
        let mut search = OrderlyBound::new(&self.class, &self.cell_order);
        let mut found = Vec::new();
        let mut board: Vec<Tile> =
            self.class.letters().iter().map(|set| set.trailing_zeros() as Tile).collect();
        search.run(&self.arena, self.root, self.depth, cutoff, &mut board, &mut |tiles, _| {
            found.push(Board::new(self.class.dims(), tiles));
        });
        Ok(found)
    }
}
