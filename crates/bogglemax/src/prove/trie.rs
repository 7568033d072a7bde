//! A sorted list of items as an explicit tree with the bound of every subtree.
//!
//! A node stands for the items that begin with the same pairs, in the order of the cells. Its edges
//! lead to the items whose next pair is (cell, letter), each with the **value** of what lies there:
//! the points that end on the way plus, for every later cell, the largest value among its letters.
//! Values are the paper's bound of the orderly tree: `probe` has the argument.
//!
//! Sorted keys are this tree written depth first, with the latest cells first below each node: an
//! unused field is 0. So the items of a node are a range of the list, and those of its edges over
//! the cells after any given one are the beginning of that range.
//!
//! Most subtrees hold a single residual. They are not written out: their edge names the item.
//!
//! **Merging.** The nodes that a class makes active can be merged into one: its edges are theirs, and
//! where several have an edge over the same pair, what lies below is merged in turn. Values only shrink
//! by this, since the best letter of a cell is then the same for all. Subtrees that only one of them
//! has are shared, so merging costs as much as the parts that overlap. Merged nodes stand behind all
//! others and are cut off when they are no longer needed.

use super::items::Items;
use super::key::{Key, Layout};
use super::probe::{LANES, Lane};
use super::words::Points;

/// What an edge leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// A node.
    Node(u32),
    /// A single residual: the first of the items that have it.
    Tail(u32),
}

/// A step to the items with one more pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<V> {
    /// `position * LANES + letter`.
    pub slot: u16,
    pub value: V,
    /// A node, or [`TAIL`] and an item.
    pub below: u32,
}

/// Marks an item, as against a node.
pub(crate) const TAIL: u32 = 1 << 31;

/// Marks a merged node.
const MERGED: u32 = 1 << 31;

impl<V> Edge<V> {
    /// Its place among the edges of a node: the last cells first.
    #[inline(always)]
    fn rank(&self) -> u16 {
        self.slot ^ !(LANES as u16 - 1)
    }

    /// What the edge leads to.
    #[inline(always)]
    pub fn below(&self) -> Below {
        if self.below & TAIL == 0 { Below::Node(self.below) } else { Below::Tail(self.below & !TAIL) }
    }
}

/// A node. Its edges are those from `edges` up to where those of the next node begin, the last cells
/// first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<V> {
    pub edges: u32,
    /// Its items, those that end here first; of a merged node, [`MERGED`] and the links to what ends here.
    items: u32,
    items_end: u32,
    /// How many items there are, about.
    pub count: u32,
    /// Points of the items that end here.
    pub own: V,
}

/// The tree of a list.
#[derive(Debug)]
pub(crate) struct Trie<V> {
    pub nodes: Vec<Node<V>>,
    pub edges: Vec<Edge<V>>,
    open: Vec<Open<V>>,
    /// Edges of the open nodes, those of the deepest last.
    pending: Vec<Edge<V>>,
    /// Nodes and items that end at merged nodes.
    links: Vec<u32>,
    /// Lists not in use.
    spare: Vec<Vec<Edge<V>>>,
}

/// How far the nodes of a tree reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    nodes: usize,
    edges: usize,
    links: usize,
}

/// What merging needs to know of a class.
pub(crate) struct Merging<'a, K> {
    pub items: &'a Items<K>,
    pub layout: &'a Layout<K>,
    /// The letters allowed, by position.
    pub allowed: &'a [u32],
}

/// A node whose items are still being read.
#[derive(Clone, Copy, Debug, Default)]
struct Open<V> {
    slot: u16,
    own: V,
    items: u32,
    /// Where its edges begin among the pending ones.
    edges: usize,
}

impl<V: Lane> Trie<V> {
    pub fn new() -> Trie<V> {
        Trie {
            nodes: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            pending: Vec::new(),
            links: Vec::new(),
            spare: Vec::new(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<V>>() + self.edges.len() * size_of::<Edge<V>>()
    }

    /// Makes the tree of a sorted list; returns its root.
    ///
    /// # Panics
    /// If the list has 2^31 items or more.
    pub fn build<K: Key>(&mut self, items: &Items<K>, points: &Points, layout: &Layout<K>) -> u32 {
        assert!(items.len() < TAIL as usize, "edges have room for 2^31 items");
        self.nodes.clear();
        self.edges.clear();
        self.links.clear();
        let fields = layout.offset.len();
        self.open.resize(fields + 1, Open::default());
        self.pending.clear();
        // Nodes open besides the root, and where the key at hand differs from the one before.
        let (mut depth, mut differed) = (0, 0);
        self.open(0, 0, 0);
        let mut at = 0;
        while at < items.len() {
            let key = items.keys[at];
            let mut value = V::default();
            let mut next = at;
            while next < items.len() && items.keys[next] == key {
                value = value.plus(V::of(points[items.tags[next].class()]));
                next += 1;
            }
            // Of its pairs those before the first difference from the key before have their nodes, and
            // those before the first difference from the next key get theirs now.
            let differs = items.keys.get(next).map_or(0, |&other| layout.first_difference(key.xor(other)));
            let mut rest = layout.from(key, differed);
            let slot = loop {
                if rest.is_zero() {
                    break None;
                }
                let p = layout.first_difference(rest);
                let slot = (p * LANES + layout.code(key, p) - 1) as u16;
                if p >= differs {
                    break Some(slot);
                }
                depth += 1;
                self.open(depth, slot, at as u32);
                rest = rest.and(layout.mask[p].not());
            };
            match slot {
                None => self.open[depth].own = self.open[depth].own.plus(value),
                Some(slot) => self.pending.push(Edge { slot, value, below: TAIL | at as u32 }),
            }
            while depth > 0 && usize::from(self.open[depth].slot) / LANES >= differs {
                self.close(depth, next as u32);
                depth -= 1;
            }
            differed = differs;
            at = next;
        }
        self.close(0, items.len() as u32);
        self.nodes.len() as u32 - 1
    }

    fn open(&mut self, depth: usize, slot: u16, items: u32) {
        self.open[depth] = Open { slot, own: V::default(), items, edges: self.pending.len() };
    }

    /// Writes the node out; unless it is the root, its parent gets an edge to it.
    fn close(&mut self, depth: usize, items_end: u32) {
        let Open { slot, own, items, edges: from } = self.open[depth];
        let value = own.plus(value_of(&self.pending[from..]));
        let below = self.nodes.len() as u32;
        let edges = self.edges.len() as u32;
        self.edges.extend_from_slice(&self.pending[from..]);
        self.pending.truncate(from);
        self.nodes.push(Node { edges, items, items_end, count: items_end - items, own });
        if depth > 0 {
            self.pending.push(Edge { slot, value, below });
        }
    }

    /// The edges of a node, as a range.
    #[inline(always)]
    pub fn edges_of(&self, node: u32) -> (u32, u32) {
        let next = self.nodes.get(node as usize + 1).map_or(self.edges.len() as u32, |next| next.edges);
        (self.nodes[node as usize].edges, next)
    }

    /// How far the tree reaches now.
    pub fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), edges: self.edges.len(), links: self.links.len() }
    }

    /// Drops the nodes made since.
    pub fn cut(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.edges.truncate(mark.edges);
        self.links.truncate(mark.links);
    }

    /// Makes one node of all these edges, and returns it with the number of edges it took.
    pub fn merge<K: Key>(&mut self, edges: &mut Vec<Edge<V>>, of: &Merging<'_, K>) -> (u32, u64) {
        let mut work = 0;
        let count = edges.iter().map(|e| self.count_below(e)).sum();
        self.join_edges(edges, of, &mut work);
        (self.write_merged(edges, V::default(), &[], count), work)
    }

    fn count_below(&self, edge: &Edge<V>) -> u32 {
        match edge.below() {
            Below::Node(node) => self.nodes[node as usize].count,
            Below::Tail(_) => 1,
        }
    }

    /// Sorts edges and leaves one for each pair, as far as that makes a difference.
    fn join_edges<K: Key>(&mut self, edges: &mut Vec<Edge<V>>, of: &Merging<'_, K>, work: &mut u64) {
        *work += edges.len() as u64;
        edges.retain(|e| of.allowed[usize::from(e.slot) / LANES] >> (usize::from(e.slot) % LANES) & 1 == 1);
        edges.sort_unstable_by_key(Edge::rank);
        let mut joined = self.spare.pop().unwrap_or_default();
        joined.clear();
        for same in edges.chunk_by(|a, b| a.slot == b.slot) {
            let [first, others @ ..] = same else { continue };
            let after = usize::from(first.slot) / LANES + 1;
            let rest = |edge: &Edge<V>| match edge.below() {
                Below::Node(_) => None,
                Below::Tail(item) => Some(of.layout.from(of.items.keys[item as usize], after)),
            };
            if others.is_empty() {
                joined.push(*first);
            } else if rest(first).is_some() && others.iter().all(|other| rest(other) == rest(first)) {
                // The same residual: there is nothing to gain below. A word counts once.
                let start = joined.len();
                for edge in same {
                    // Only where there is one word, not where several have the residual.
                    let word = |e: &Edge<V>| {
                        let item = (e.below & !TAIL) as usize;
                        (end_of_run(of.items, item) == item + 1).then(|| of.items.tags[item])
                    };
                    if word(edge).is_none() || joined[start..].iter().all(|e| word(e) != word(edge)) {
                        joined.push(*edge);
                    }
                }
            } else {
                joined.push(self.join(same, after, of, work));
            }
        }
        std::mem::swap(edges, &mut joined);
        self.spare.push(joined);
    }

    /// Merges what lies below edges over the same pair; positions from `after` on follow.
    fn join<K: Key>(
        &mut self,
        same: &[Edge<V>],
        after: usize,
        of: &Merging<'_, K>,
        work: &mut u64,
    ) -> Edge<V> {
        let mut edges = self.spare.pop().unwrap_or_default();
        edges.clear();
        let (mut own, mut count, mut links) = (V::default(), 0, Vec::new());
        for edge in same {
            count += self.count_below(edge);
            match edge.below() {
                Below::Node(node) => {
                    let (from, to) = self.edges_of(node);
                    edges.extend_from_slice(&self.edges[from as usize..to as usize]);
                    let ends = self.nodes[node as usize].own;
                    if ends != V::default() {
                        own = own.plus(ends);
                        links.push(node);
                    }
                }
                Below::Tail(item) => {
                    let rest = of.layout.from(of.items.keys[item as usize], after);
                    if rest.is_zero() {
                        own = own.plus(edge.value);
                        links.push(edge.below);
                    } else {
                        let p = of.layout.first_difference(rest);
                        let slot = (p * LANES + of.layout.code(rest, p) - 1) as u16;
                        edges.push(Edge { slot, ..*edge });
                    }
                }
            }
        }
        self.join_edges(&mut edges, of, work);
        let value = own.plus(value_of(&edges));
        let below = self.write_merged(&edges, own, &links, count);
        self.spare.push(edges);
        Edge { slot: same[0].slot, value, below }
    }

    fn write_merged(&mut self, edges: &[Edge<V>], own: V, links: &[u32], count: u32) -> u32 {
        let items = self.links.len() as u32 | MERGED;
        self.links.extend_from_slice(links);
        let node =
            Node { edges: self.edges.len() as u32, items, items_end: self.links.len() as u32, count, own };
        self.edges.extend_from_slice(edges);
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Calls `each` with the ranges of items that end at a node or are a single residual.
    pub fn for_each_end<K: Key>(&self, what: u32, items: &Items<K>, each: &mut impl FnMut(usize, usize)) {
        if what & TAIL != 0 {
            let from = (what & !TAIL) as usize;
            each(from, end_of_run(items, from));
            return;
        }
        let node = &self.nodes[what as usize];
        if node.items & MERGED != 0 {
            for &link in &self.links[(node.items & !MERGED) as usize..node.items_end as usize] {
                self.for_each_end(link, items, each);
            }
        } else if node.own != V::default() {
            each(node.items as usize, end_of_run(items, node.items as usize));
        }
    }

    /// Calls `each` with the ranges of items below edges.
    pub fn for_each_below<K: Key>(
        &self,
        edges: (u32, u32),
        items: &Items<K>,
        each: &mut impl FnMut(usize, usize),
    ) {
        for edge in &self.edges[edges.0 as usize..edges.1 as usize] {
            match edge.below() {
                Below::Tail(_) => self.for_each_end(edge.below, items, each),
                Below::Node(below) => {
                    let node = &self.nodes[below as usize];
                    if node.items & MERGED == 0 {
                        each(node.items as usize, node.items_end as usize);
                    } else {
                        self.for_each_end(below, items, each);
                        self.for_each_below(self.edges_of(below), items, each);
                    }
                }
            }
        }
    }
}

/// The end of the items with the same key as this one.
fn end_of_run<K: Key>(items: &Items<K>, from: usize) -> usize {
    let key = items.keys[from];
    from + items.keys[from..].iter().take_while(|&&k| k == key).count()
}

/// What the edges of a node add to its value: the best letter of each cell.
fn value_of<V: Lane>(edges: &[Edge<V>]) -> V {
    let (mut value, mut best, mut cell) = (V::default(), V::default(), usize::MAX);
    let (mut pair, mut slot) = (V::default(), u16::MAX);
    for edge in edges {
        let at = usize::from(edge.slot) / LANES;
        if at != cell {
            value = value.plus(best);
            (best, cell) = (V::default(), at);
        }
        // Several edges over the same pair go together.
        pair = if edge.slot == slot { pair.plus(edge.value) } else { edge.value };
        slot = edge.slot;
        best = best.max(pair);
    }
    value.plus(best)
}
