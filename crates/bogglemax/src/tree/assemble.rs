//! Putting a tree together from its paths in order, and [`PathTree`], which takes them in any order.

use std::collections::BTreeMap;

use super::{Arena, ChoiceNode, Order, SumNode, Tree, cell_order};
use crate::{BoardClass, Error, Tile};

/// Puts a tree together from its paths in order, leftmost first: a path is entered step by step,
/// given points, and left again, and what is left can never be entered again.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembler {
    pub(super) arena: Arena,
    rank: Vec<u8>,
    /// The sum nodes from the root to where we are. Kept when left, for their memory.
    open: Vec<OpenNode>,
    depth: usize,
}

/// A sum node whose children are not all known yet.
#[derive(Clone, Debug, Default)]
struct OpenNode {
    points: u32,
    choices: Vec<ChoiceNode>,
    /// The letter of the parent's choice that leads here.
    letter: Tile,
    /// The last child, with the letters it has so far.
    cell: u8,
    letters: u32,
    sums: Vec<SumNode>,
}

impl Assembler {
    pub(super) fn start(&mut self, order: &[u8]) {
        self.arena.clear();
        self.rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, &cell)| self.rank[usize::from(cell)] = rank as u8);
        self.depth = 0;
        if self.open.is_empty() {
            self.open.push(OpenNode::default());
        }
    }

    pub(super) fn add_points(&mut self, points: u32) {
        let node = &mut self.open[self.depth];
        node.points = node.points.saturating_add(points);
    }

    /// Steps from the current node to the one for a letter on a cell.
    pub(super) fn enter(&mut self, cell: u8, letter: Tile) {
        let node = &self.open[self.depth];
        if node.letters != 0 && node.cell != cell {
            self.close_choice();
        }
        self.open[self.depth].cell = cell;
        self.depth += 1;
        if self.depth == self.open.len() {
            self.open.push(OpenNode::default());
        }
        self.open[self.depth].letter = letter;
    }

    /// Steps back to the parent. A node that came to nothing is dropped.
    pub(super) fn leave(&mut self) {
        let letter = self.open[self.depth].letter;
        let node = self.close_sum();
        self.depth -= 1;
        if node != SumNode::default() {
            let parent = &mut self.open[self.depth];
            debug_assert!(parent.letters >> letter == 0, "letters are entered in order");
            parent.letters |= 1 << letter;
            parent.sums.push(node);
        }
    }

    /// Writes the children of the current node and takes its record.
    fn close_sum(&mut self) -> SumNode {
        if self.open[self.depth].letters != 0 {
            self.close_choice();
        }
        let node = &mut self.open[self.depth];
        let bound = node.choices.iter().fold(node.points, |sum, c| sum.saturating_add(c.bound));
        let first = if node.choices.is_empty() { 0 } else { self.arena.choices.len() as u32 };
        let len = node.choices.len() as u8;
        self.arena.choices.append(&mut node.choices);
        node.points = 0;
        SumNode { bound, first, len }
    }

    /// Writes the letters of the current node's last choice and takes it among its children.
    fn close_choice(&mut self) {
        let node = &mut self.open[self.depth];
        let bound = node.sums.iter().map(|s| s.bound).max().unwrap_or(0);
        let (first, cell) = (self.arena.sums.len() as u32, node.cell);
        let rank = self.rank[usize::from(cell)];
        node.choices.push(ChoiceNode { bound, first, letters: node.letters, cell, rank });
        self.arena.sums.append(&mut node.sums);
        node.letters = 0;
    }

    /// The root. Bounds saturate while a tree is assembled, and a saturated one shows up here, for
    /// the root's bound is at least every other.
    pub(super) fn finish(&mut self, class: &BoardClass) -> Result<SumNode, Error> {
        debug_assert_eq!(self.depth, 0);
        let root = self.close_sum();
        if self.arena.sums.len().max(self.arena.choices.len()) > u32::MAX as usize {
            return Err(Error::ClassTooLarge { class: class.to_string() });
        }
        if root.bound == u32::MAX {
            return Err(Error::BoundTooLarge { class: class.to_string() });
        }
        Ok(root)
    }
}

/// A tree made of any paths at all: `add_word` of Listing 3 for uses other than Boggle.
///
/// ```
/// use bogglemax::tree::PathTree;
/// use bogglemax::{Board, BoardClass};
///
/// let class = BoardClass::parse("ab xy", Some("1x2".parse()?))?;
/// let mut paths = PathTree::new(class);
/// paths.add_word(&[(1, 24), (0, 0)], 3); // y on cell 1, a on cell 0
/// let tree = paths.build()?;
/// assert_eq!(tree.bound(), 3);
/// assert_eq!(tree.orderly_bound(3)?, [Board::parse("ay", Some("1x2".parse()?))?]);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathTree {
    class: BoardClass,
    rank: Vec<u8>,
    /// Points of each path; its steps are (rank of the cell, letter), top first.
    paths: BTreeMap<Vec<(u8, Tile)>, u32>,
}

impl PathTree {
    /// The empty tree.
    pub fn new(class: BoardClass) -> PathTree {
        let order = cell_order(class.dims());
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(r, &cell)| rank[usize::from(cell)] = r as u8);
        PathTree { class, rank, paths: BTreeMap::new() }
    }

    /// Adds points for all boards that hold these letters on these cells. The steps may come in any
    /// order: they are sorted as an orderly tree needs them.
    ///
    /// # Panics
    /// If a cell appears twice or is not on the board, or a letter is not in its cell's set.
    pub fn add_word(&mut self, path: &[(u8, Tile)], points: u32) {
        let mut steps: Vec<(u8, Tile)> =
            path.iter().map(|&(cell, letter)| (self.rank[usize::from(cell)], letter)).collect();
        steps.sort_unstable();
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "a path uses a cell once");
        let allowed =
            |&(cell, letter): &(u8, Tile)| self.class.letters()[usize::from(cell)] >> letter & 1 == 1;
        assert!(path.iter().all(allowed), "a path keeps to the letters of the class");
        let sum = self.paths.entry(steps).or_default();
        *sum = sum.saturating_add(points);
    }

    /// The orderly tree of the paths added.
    ///
    /// # Errors
    /// If its bound is too large to hold.
    pub fn build(&self) -> Result<Tree, Error> {
        let order = cell_order(self.class.dims());
        let mut assembler = Assembler::default();
        assembler.start(&order);
        let mut open: &[(u8, Tile)] = &[];
        for (path, &points) in &self.paths {
            let common = open.iter().zip(path).take_while(|(a, b)| a == b).count();
            open[common..].iter().for_each(|_| assembler.leave());
            path[common..]
                .iter()
                .for_each(|&(rank, letter)| assembler.enter(order[usize::from(rank)], letter));
            assembler.add_points(points);
            open = path;
        }
        open.iter().for_each(|_| assembler.leave());
        let root = assembler.finish(&self.class)?;
        let class = self.class;
        Ok(Tree { class, order: Order::Orderly, cell_order: order, arena: assembler.arena, root, depth: 0 })
    }
}
