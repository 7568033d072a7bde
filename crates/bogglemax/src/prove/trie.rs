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
//! has are shared, so merging costs as much as the parts that overlap. Edges over the same pair may as
//! well stay side by side: their values add up, as those of different nodes do. Merged nodes stand
//! behind all others and are cut off when they are no longer needed.

use super::items::Items;
use super::key::{Key, Layout};
use super::probe::LANES;
use super::values::{Pool, Strands, Value};
use super::words::Points;
use crate::simd::{prefetch, with_vectors};

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
pub(crate) struct Edge<P> {
    /// `position * LANES + letter`.
    pub slot: u16,
    /// The [packed](Value::Packed) value.
    pub value: P,
    /// A node, or [`TAIL`] and an item.
    pub below: u32,
}

/// Marks an item, as against a node.
pub(crate) const TAIL: u32 = 1 << 31;

/// Marks a merged node.
const MERGED: u32 = 1 << 31;

impl<P> Edge<P> {
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

/// What bounds read of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<P> {
    /// `position * LANES + letter`.
    pub slot: u16,
    /// The [packed](Value::Packed) value.
    pub value: P,
}

/// The places that the header of a node takes before its edges.
const HEADER: usize = 2;

/// The tree of a list.
///
/// A node is the index of its header. It and the edges behind it, the last cells first, stand in two
/// parallel arrays, so that summing up values reads four bytes an edge and one place in memory for a node:
///
/// | place | `pairs` | `below` |
/// | --- | --- | --- |
/// | node | the number of its edges, the points of the items that end here | its first item; of a merged node, [`MERGED`] and its first link |
/// | node + 1 | how many items there are, about, the upper half before the lower | the end of its items or links |
/// | node + 2 … | slot, value | what the edge leads to |
///
/// The items that end at a node are the first of its items. The links of a merged node lead to what ends there.
#[derive(Debug)]
pub(crate) struct Trie<V: Value> {
    pub pairs: Vec<Pair<V::Packed>>,
    below: Vec<u32>,
    pub pool: V::Pool,
    /// The values of the pending edges while a tree is built: they go to the pool with their node, so that those
    /// of a node stand side by side.
    pending_pool: V::Pool,
    open: Vec<Open<V>>,
    /// Edges of the open nodes, those of the deepest last.
    pending: Vec<Edge<V::Packed>>,
    /// Pending edges, as offsets, with the other edge over their pair.
    matches: Vec<(u32, Edge<V::Packed>)>,
    /// Nodes and items that end at merged nodes.
    links: Vec<u32>,
}

/// How far the nodes of a tree reach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    places: usize,
    links: usize,
    pool: [usize; 2],
}

/// What merging needs to know of a class.
pub(crate) struct Merging<'a, K> {
    pub items: &'a Items<K>,
    pub layout: &'a Layout<K>,
    /// By position and letter, the strands that allow it.
    pub open: &'a [[Strands; LANES]],
    /// The first position whose pairs are merged. Those before are left as they are: it is the cell decided
    /// next, and most of its letters turn out not to be worth it.
    pub from: usize,
}

impl<K: Key> Merging<'_, K> {
    /// The edge in the strands that allow its letter, if there are any.
    #[inline(always)]
    fn allowed<V: Value>(&self, edge: Edge<V::Packed>) -> Option<Edge<V::Packed>> {
        let slot = usize::from(edge.slot);
        V::keep(edge.value, self.open[slot / LANES][slot % LANES]).map(|value| Edge { value, ..edge })
    }

    /// The rest of a single residual behind its edge.
    #[inline(always)]
    fn rest<P>(&self, edge: &Edge<P>) -> K {
        let key = self.items.keys[(edge.below & !TAIL) as usize];
        self.layout.from(key, usize::from(edge.slot) / LANES + 1)
    }

    /// Whether edges over the same pair lead to the same single residual.
    #[inline(always)]
    fn is_same_residual<P>(&self, a: &Edge<P>, b: &Edge<P>) -> bool {
        a.below & b.below & TAIL != 0 && self.rest(a) == self.rest(b)
    }

    /// Whether a single residual is needless beside another: it is of the same word, in no other strands. Where
    /// several words have a residual, the answer is no.
    fn is_repeat<V: Value>(&self, a: &Edge<V::Packed>, of: &Edge<V::Packed>) -> bool {
        let [x, y] = [a, of].map(|edge| (edge.below & !TAIL) as usize);
        self.items.tags[x] == self.items.tags[y]
            && V::is_within(a.value, of.value)
            && [x, y].iter().all(|&item| end_of_run(self.items, item) == item + 1)
    }

    /// Asks for what an edge leads to.
    #[inline(always)]
    fn ask_for<P>(&self, edge: &Edge<P>, pairs: &[Pair<P>], below: &[u32]) {
        match edge.below() {
            Below::Node(node) => {
                prefetch(&pairs[node as usize]);
                prefetch(&below[node as usize]);
            }
            Below::Tail(item) => prefetch(&self.items.keys[item as usize]),
        }
    }
}

/// What lies below an edge.
#[derive(Clone, Copy)]
enum Side<P> {
    /// A range of edges.
    Edges(usize, usize),
    /// The next pair of a single residual, and the item.
    One(Pair<P>, u32),
}

impl<P> Side<P> {
    /// The edges, as what bounds read of them and what they lead to.
    #[inline(always)]
    fn edges<'a>(&'a self, pairs: &'a [Pair<P>], below: &'a [u32]) -> (&'a [Pair<P>], &'a [u32]) {
        match self {
            Side::Edges(from, to) => (&pairs[*from..*to], &below[*from..*to]),
            Side::One(pair, item) => (std::slice::from_ref(pair), std::slice::from_ref(item)),
        }
    }
}

/// What is known of a merged node besides its edges.
#[derive(Default)]
struct Joined<V> {
    own: V,
    count: u32,
    /// Nodes and items that end there.
    links: Vec<u32>,
}

impl<V: Value> Joined<V> {
    fn add(&mut self, points: V, link: u32) {
        self.own = self.own.plus(points);
        self.links.push(link);
    }
}

/// A node whose items are still being read.
#[derive(Clone, Copy, Debug, Default)]
struct Open<V> {
    slot: u16,
    own: V,
    items: u32,
    /// Where its edges begin among the pending ones, and their values in the pool of those.
    edges: usize,
    pool: [usize; 2],
}

impl<V: Value> Trie<V> {
    pub fn new() -> Trie<V> {
        Trie {
            pairs: Vec::new(),
            below: Vec::new(),
            pool: V::Pool::default(),
            pending_pool: V::Pool::default(),
            open: Vec::new(),
            pending: Vec::new(),
            matches: Vec::new(),
            links: Vec::new(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.pairs.len() * (size_of::<Pair<V::Packed>>() + size_of::<u32>()) + self.pool.bytes()
    }

    /// Adds the tree of the items from `from` on, which are sorted; returns its root. `strands` are theirs; without
    /// any, items belong to all strands.
    ///
    /// # Panics
    /// If the list has 2^31 items or more.
    pub fn build<K: Key>(
        &mut self,
        items: &Items<K>,
        strands: &[Strands],
        from: usize,
        points: &Points,
        layout: &Layout<K>,
    ) -> u32 {
        with_vectors(
            #[inline(always)]
            || self.plain_build(items, strands, from, points, layout),
        )
    }

    #[inline(always)]
    fn plain_build<K: Key>(
        &mut self,
        items: &Items<K>,
        strands: &[Strands],
        from: usize,
        points: &Points,
        layout: &Layout<K>,
    ) -> u32 {
        assert!(items.len() < TAIL as usize, "edges have room for 2^31 items");
        let fields = layout.offset.len();
        self.open.resize(fields + 1, Open::default());
        self.pending.clear();
        self.pending_pool.cut([0; 2]);
        // Nodes open besides the root, and where the key at hand differs from the one before.
        let (mut depth, mut differed) = (0, 0);
        self.open(0, 0, from as u32);
        let mut at = from;
        while at < items.len() {
            let key = items.keys[at];
            let item = |i: usize| {
                let strands = strands.get(i - from).copied().unwrap_or(Strands::MAX);
                (points[items.tags[i].class()], strands)
            };
            let (value, strands) = item(at);
            let mut value = V::pack_points(value, strands);
            let mut next = at + 1;
            if value.is_none() || items.keys.get(next) == Some(&key) {
                let mut sum = V::default();
                next = at;
                while items.keys.get(next) == Some(&key) {
                    let (points, strands) = item(next);
                    sum = sum.plus(V::of(points, strands));
                    next += 1;
                }
                value = Some(sum.pack(&mut self.pending_pool));
            }
            let value = value.unwrap_or_default();
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
                None => {
                    let own = &mut self.open[depth].own;
                    *own = own.plus(V::unpack(value, &self.pending_pool));
                }
                Some(slot) => self.pending.push(Edge { slot, value, below: TAIL | at as u32 }),
            }
            while depth > 0 && usize::from(self.open[depth].slot) / LANES >= differs {
                self.close(depth, next as u32);
                depth -= 1;
            }
            differed = differs;
            at = next;
        }
        self.close(0, items.len() as u32)
    }

    #[inline(always)]
    fn open(&mut self, depth: usize, slot: u16, items: u32) {
        let (edges, pool) = (self.pending.len(), self.pending_pool.mark());
        self.open[depth] = Open { slot, own: V::default(), items, edges, pool };
    }

    /// Writes the node out and returns it; unless it is the root, its parent gets an edge to it.
    #[inline(always)]
    fn close(&mut self, depth: usize, items_end: u32) -> u32 {
        let Open { slot, own, items, edges: from, pool } = self.open[depth];
        let value = own.plus(value_of::<V>(&self.pending[from..], &self.pending_pool));
        for edge in &mut self.pending[from..] {
            edge.value = V::repack(edge.value, &self.pending_pool, &mut self.pool);
        }
        self.pending_pool.cut(pool);
        let below = self.write(from, own, items_end - items, [items, items_end]);
        if depth > 0 {
            let value = value.pack(&mut self.pending_pool);
            self.pending.push(Edge { slot, value, below });
        }
        below
    }

    /// Writes a node of the pending edges from `from` on.
    #[inline(always)]
    fn write(&mut self, from: usize, own: V, count: u32, items: [u32; HEADER]) -> u32 {
        let node = self.pairs.len();
        let edges = self.pending.len() - from;
        assert!(node < TAIL as usize && edges <= u16::MAX.into(), "a tree has room for 2^31 places");
        let own = own.pack(&mut self.pool);
        self.pairs.extend([
            Pair { slot: edges as u16, value: own },
            Pair { slot: (count >> 16) as u16, value: V::of_number(count as u16) },
        ]);
        self.below.extend(items);
        self.pairs.extend(self.pending[from..].iter().map(|e| Pair { slot: e.slot, value: e.value }));
        self.below.extend(self.pending[from..].iter().map(|e| e.below));
        self.pending.truncate(from);
        node as u32
    }

    /// Points of the items that end at a node.
    #[inline(always)]
    pub fn own(&self, node: u32) -> V::Packed {
        self.pairs[node as usize].value
    }

    /// How many items a node has, about.
    #[inline(always)]
    pub fn count(&self, node: u32) -> u32 {
        let Pair { slot, value } = self.pairs[node as usize + 1];
        u32::from(slot) << 16 | u32::from(V::number(value))
    }

    /// The edges of a node, as a range of places.
    #[inline(always)]
    pub fn edges_of(&self, node: u32) -> (u32, u32) {
        let from = node + HEADER as u32;
        (from, from + u32::from(self.pairs[node as usize].slot))
    }

    /// What the edge at a place leads to.
    #[inline(always)]
    pub fn below(&self, place: u32) -> u32 {
        self.below[place as usize]
    }

    /// The edges at a range of places.
    pub fn edges(&self, (from, to): (u32, u32)) -> impl Iterator<Item = Edge<V::Packed>> {
        let range = from as usize..to as usize;
        let both = self.pairs[range.clone()].iter().zip(&self.below[range]);
        both.map(|(pair, &below)| Edge { slot: pair.slot, value: pair.value, below })
    }

    /// The items of a node, or its links.
    fn items_of(&self, node: u32) -> (u32, u32) {
        (self.below[node as usize], self.below[node as usize + 1])
    }

    /// How far the tree reaches now.
    pub fn mark(&self) -> Mark {
        Mark { places: self.pairs.len(), links: self.links.len(), pool: self.pool.mark() }
    }

    /// Drops the nodes made since.
    pub fn cut(&mut self, mark: Mark) {
        self.pairs.truncate(mark.places);
        self.below.truncate(mark.places);
        self.links.truncate(mark.links);
        self.pool.cut(mark.pool);
    }

    /// Makes one node of all these edges, and returns it with the number of edges it took.
    pub fn merge<K: Key>(&mut self, edges: &[Edge<V::Packed>], of: &Merging<'_, K>) -> (u32, u64) {
        with_vectors(
            #[inline(always)]
            || self.plain_merge(edges, of),
        )
    }

    #[inline(always)]
    fn plain_merge<K: Key>(&mut self, edges: &[Edge<V::Packed>], of: &Merging<'_, K>) -> (u32, u64) {
        let mut work = 0;
        let count = edges.iter().map(|e| self.count_below(e)).sum();
        let start = self.pending.len();
        self.pending.extend_from_slice(edges);
        self.join_pending(start, of, &mut work);
        (self.write_merged(start, V::default(), &[], count), work)
    }

    fn count_below(&self, edge: &Edge<V::Packed>) -> u32 {
        match edge.below() {
            Below::Node(node) => self.count(node),
            Below::Tail(_) => 1,
        }
    }

    /// Sorts the pending edges from `start` on and leaves one for each pair, as far as that makes a
    /// difference.
    fn join_pending<K: Key>(&mut self, start: usize, of: &Merging<'_, K>, work: &mut u64) {
        let mut end = start;
        for at in start..self.pending.len() {
            if let Some(edge) = of.allowed::<V>(self.pending[at]) {
                self.pending[end] = edge;
                end += 1;
            }
        }
        *work += (self.pending.len() - start) as u64;
        self.pending.truncate(end);
        self.pending[start..].sort_unstable_by_key(Edge::rank);
        let (mut kept, mut at) = (start, start);
        while at < end {
            let slot = self.pending[at].slot;
            let next = at + self.pending[at..].iter().take_while(|e| e.slot == slot).count();
            // What is merged goes to the end of the pending edges and is gone when it is done.
            let same = at..next;
            if next == at + 1 || usize::from(slot) / LANES < of.from {
                for i in same {
                    self.pending[kept] = self.pending[i];
                    kept += 1;
                }
            } else if self.pending[same.clone()].windows(2).all(|two| of.is_same_residual(&two[0], &two[1])) {
                let from = kept;
                for i in same {
                    let edge = self.pending[i];
                    if self.pending[from..kept].iter().all(|other| !of.is_repeat::<V>(&edge, other)) {
                        self.pending[kept] = edge;
                        kept += 1;
                    }
                }
            } else if next == at + 2 && self.are_apart(at) {
                self.pending[kept] = self.pending[at];
                self.pending[kept + 1] = self.pending[at + 1];
                kept += 2;
            } else if next == at + 2 {
                self.pending[kept] = self.join_two(self.pending[at], self.pending[at + 1], of, work);
                kept += 1;
            } else {
                self.pending[kept] = self.join(at, next, of, work);
                kept += 1;
            }
            at = next;
        }
        self.pending.truncate(kept);
    }

    /// Whether a pending edge and the next have no strand in common: then merging them gains nothing.
    fn are_apart(&self, at: usize) -> bool {
        V::strands(self.pending[at].value) & V::strands(self.pending[at + 1].value) == 0
    }

    /// Merges what lies below the pending edges of a range, which are over the same pair.
    fn join<K: Key>(
        &mut self,
        from: usize,
        to: usize,
        of: &Merging<'_, K>,
        work: &mut u64,
    ) -> Edge<V::Packed> {
        let slot = self.pending[from].slot;
        let start = self.pending.len();
        let mut joined = Joined::default();
        for at in from..to {
            let edge = self.pending[at];
            let below = self.enter(edge, of, &mut joined);
            let (pairs, below) = below.edges(&self.pairs, &self.below);
            let edges = pairs.iter().zip(below);
            self.pending.extend(edges.map(|(p, &below)| Edge { slot: p.slot, value: p.value, below }));
        }
        self.join_pending(start, of, work);
        self.leave(slot, start, &joined)
    }

    /// What lies below an edge; what ends there is added to `joined`.
    #[inline(always)]
    fn enter<K: Key>(
        &self,
        edge: Edge<V::Packed>,
        of: &Merging<'_, K>,
        joined: &mut Joined<V>,
    ) -> Side<V::Packed> {
        match edge.below() {
            Below::Node(at) => {
                joined.count += self.count(at);
                let own = self.own(at);
                let own = V::unpack(own, &self.pool);
                if own != V::default() {
                    joined.add(own, at);
                }
                let (from, to) = self.edges_of(at);
                Side::Edges(from as usize, to as usize)
            }
            Below::Tail(_) => {
                joined.count += 1;
                let rest = of.rest(&edge);
                if rest.is_zero() {
                    joined.add(V::unpack(edge.value, &self.pool), edge.below);
                    return Side::Edges(0, 0);
                }
                let p = of.layout.first_difference(rest);
                let slot = (p * LANES + of.layout.code(rest, p) - 1) as u16;
                Side::One(Pair { slot, value: edge.value }, edge.below)
            }
        }
    }

    /// Makes a node of the pending edges from `start` on, and an edge to it.
    #[inline(always)]
    fn leave(&mut self, slot: u16, start: usize, joined: &Joined<V>) -> Edge<V::Packed> {
        let Trie { pending, pool, .. } = self;
        let value = with_vectors(
            #[inline(always)]
            || joined.own.plus(value_of::<V>(&pending[start..], pool)).pack(pool),
        );
        let below = self.write_merged(start, joined.own, &joined.links, joined.count);
        Edge { slot, value, below }
    }

    /// Merges what lies below two edges over the same pair: [`join`](Trie::join) for the case that nearly all
    /// merging consists of, in which two sorted lists need no sorting.
    fn join_two<K: Key>(
        &mut self,
        a: Edge<V::Packed>,
        b: Edge<V::Packed>,
        of: &Merging<'_, K>,
        work: &mut u64,
    ) -> Edge<V::Packed> {
        let mut joined = Joined::default();
        let sides = [self.enter(a, of, &mut joined), self.enter(b, of, &mut joined)];
        let (start, first) = (self.pending.len(), self.matches.len());
        let Trie { pairs, below, pending, matches, .. } = self;
        let [(left, left_below), (right, right_below)] =
            [sides[0].edges(pairs, below), sides[1].edges(pairs, below)];
        let edge = |pairs: &[Pair<V::Packed>], below: &[u32], i: usize| Edge {
            slot: pairs[i].slot,
            value: pairs[i].value,
            below: below[i],
        };
        let read = left.len() + right.len();
        *work += read as u64;
        pending.resize(start + read, Edge { slot: 0, value: V::Packed::default(), below: 0 });
        let out = &mut pending[start..];
        // Pairs that one of them has twice are left to `join_pending`.
        let (mut i, mut j, mut k, mut last, mut twice) = (0, 0, 0, u16::MAX, false);
        // Writes an edge behind the others, and keeps it if its letter is allowed.
        macro_rules! keep {
            ($edge:expr) => {{
                let edge = $edge;
                let kept = of.allowed::<V>(edge);
                let (at, allowed) = (k, kept.is_some());
                out[at] = kept.unwrap_or(edge);
                twice |= allowed & (edge.slot == last);
                last = if allowed { edge.slot } else { last };
                k += usize::from(allowed);
                (at, allowed)
            }};
        }
        while i < left.len() && j < right.len() {
            let (x, y) = (edge(left, left_below, i), edge(right, right_below, j));
            if x.slot == y.slot {
                let (at, allowed) = keep!(x);
                match of.allowed::<V>(y) {
                    Some(y) if allowed && V::strands(out[at].value) & V::strands(y.value) == 0 => {
                        // They have no strand in common: there is nothing to gain below.
                        out[k] = y;
                        k += 1;
                    }
                    Some(y) if allowed => {
                        [x, y].iter().for_each(|e| of.ask_for(e, pairs, below));
                        matches.push((at as u32, y));
                    }
                    Some(y) => _ = keep!(y),
                    None => {}
                }
                (i, j) = (i + 1, j + 1);
            } else {
                let is_left = x.rank() < y.rank();
                keep!(if is_left { x } else { y });
                i += usize::from(is_left);
                j += usize::from(!is_left);
            }
        }
        for i in i..left.len() {
            keep!(edge(left, left_below, i));
        }
        for j in j..right.len() {
            keep!(edge(right, right_below, j));
        }
        pending.truncate(start + k);
        if twice {
            pending.extend(matches[first..].iter().map(|m| m.1));
            matches.truncate(first);
            *work -= read as u64;
            self.join_pending(start, of, work);
            return self.leave(a.slot, start, &joined);
        }
        while self.matches.len() > first {
            let (k, y) = self.matches.pop().expect("there is one");
            let at = start + k as usize;
            let x = self.pending[at];
            if of.is_same_residual(&x, &y) {
                // There is nothing to gain below. A word counts once.
                if of.is_repeat::<V>(&x, &y) {
                    self.pending[at] = y;
                } else if !of.is_repeat::<V>(&y, &x) {
                    self.pending.insert(at + 1, y);
                }
            } else {
                self.pending[at] = self.join_two(x, y, of, work);
            }
        }
        self.leave(a.slot, start, &joined)
    }

    /// Makes a node of the pending edges from `start` on.
    fn write_merged(&mut self, start: usize, own: V, links: &[u32], count: u32) -> u32 {
        let from = self.links.len() as u32 | MERGED;
        self.links.extend_from_slice(links);
        self.write(start, own, count, [from, self.links.len() as u32])
    }

    /// Calls `each` with the ranges of items that end at a node or are a single residual.
    pub fn for_each_end<K: Key>(&self, what: u32, items: &Items<K>, each: &mut impl FnMut(usize, usize)) {
        if what & TAIL != 0 {
            let from = (what & !TAIL) as usize;
            each(from, end_of_run(items, from));
            return;
        }
        let (from, to) = self.items_of(what);
        if from & MERGED != 0 {
            for &link in &self.links[(from & !MERGED) as usize..to as usize] {
                self.for_each_end(link, items, each);
            }
        } else if V::unpack(self.own(what), &self.pool) != V::default() {
            each(from as usize, end_of_run(items, from as usize));
        }
    }

    /// Calls `each` with the ranges of items below edges, as far as they may belong to a strand.
    pub fn for_each_below<K: Key>(
        &self,
        edges: (u32, u32),
        strand: usize,
        items: &Items<K>,
        each: &mut impl FnMut(usize, usize),
    ) {
        for edge in self.edges(edges).filter(|edge| V::strands(edge.value) >> strand & 1 == 1) {
            self.for_each_end(edge.below, items, each);
            if let Below::Node(below) = edge.below() {
                self.for_each_below(self.edges_of(below), strand, items, each);
            }
        }
    }
}

/// The end of the items with the same key as this one.
fn end_of_run<K: Key>(items: &Items<K>, from: usize) -> usize {
    let key = items.keys[from];
    from + items.keys[from..].iter().take_while(|&&k| k == key).count()
}

/// What the edges of a node add to its value: the best letter of each cell. Several edges over the same pair go
/// together.
#[inline(always)]
fn value_of<V: Value>(edges: &[Edge<V::Packed>], pool: &V::Pool) -> V {
    let (mut value, mut best, mut cell) = (V::default(), V::default(), u16::MAX);
    let (mut pair, mut slot) = (V::default(), u16::MAX);
    if V::STRANDS == 1 {
        // Without branches.
        for edge in edges {
            let at = edge.slot / LANES as u16;
            value = value.plus(best.masked(at != cell));
            pair = pair.masked(edge.slot == slot).plus(V::unpack(edge.value, pool));
            best = best.masked(at == cell).max(pair);
            (cell, slot) = (at, edge.slot);
        }
        return value.plus(best);
    }
    for edge in edges {
        let points = V::unpack(edge.value, pool);
        if edge.slot == slot {
            pair = pair.plus(points);
            continue;
        }
        best = best.max(pair);
        let at = edge.slot / LANES as u16;
        if at != cell {
            value = value.plus(best);
            best = V::default();
        }
        pair = points;
        (cell, slot) = (at, edge.slot);
    }
    value.plus(best.max(pair))
}
