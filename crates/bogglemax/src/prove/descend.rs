//! The search through the tree of a long list, all letters of a cell at a time.
//!
//! Cells are decided in the order of the tree. At a class that decides the first k cells, the items
//! it leaves possible are those of the **active** nodes: the nodes whose pairs the class holds, each
//! with its edges over the cells still undecided. Lists are not merged; what is summed up are
//! **rows**: for every undecided cell d and letter m, the values of all edges (d, m) of active nodes.
//!
//! **Why they bound.** On a board of the class that holds m_d on every cell d, the satisfied items of
//! an active node lie below its edges (d, m_d), and their points are at most the values of those
//! edges. So S(B) <= base + sum over d of `row[d][m_d]` <= base + sum over d of max over m of `row[d][m]`,
//! where the base is the points of the items that end at active nodes. The same sum with m in place
//! of the maximum at d bounds the boards that hold m there: letters that fall below the cutoff go.
//!
//! **A child by the edges of its letter.** Once cell k holds m, every edge (k, m) makes a node active. Its edges
//! add to the rows of the child; edges over other cells stay. So the rows of a child are those of its parent and
//! the sum over the edges of the nodes below the edges (k, m), for a few instructions an edge.
//!
//! All this is done for the strands of a braid at once (see `values`): a letter may be ruled out in some strands
//! and open in others, and a class ends when it is ruled out in all of them.
//!
//! The bound is looser than that of a merged list, by a factor of two where half of the cells are
//! decided, and some thousand times cheaper. What is left when few items are is gathered into a list
//! without dominated items, and `search` takes over.

use super::items::{Class, Items};
use super::key::{Key, Layout};
use super::probe::{LANES, Row};
use super::search::bits;
use super::trie::{Below, Edge, Merging, Pair, TAIL, Trie};
use super::tuning::Tuning;
use super::values::{Strands, Value, strands_of};
use super::words::{Points, Tag};
use crate::simd::{prefetch, with_vectors};

/// A node whose pairs the class holds, or a single residual.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<P> {
    /// The node, or [`TAIL`] and the item.
    what: u32,
    /// Its edges over undecided cells.
    edges: u32,
    edges_end: u32,
    /// How many items there are, about.
    count: u32,
    /// Points of a single residual.
    value: P,
}

impl<P> Active<P> {
    fn is_tail(&self) -> bool {
        self.what & TAIL != 0
    }
}

/// A level of the descent: a class, the active nodes and the rows.
pub(crate) struct Level<V: Value> {
    tuning: Tuning,
    /// The strands in which the class has boards left.
    pub alive: Strands,
    pub active: Vec<Active<V::Packed>>,
    /// Nodes and single residuals that end here or before: what they hold is found.
    pub finished: Vec<u32>,
    /// By position and letter; 0 in the strands that rule a letter out. Of letters that no strand allows, anything
    /// if there are several strands.
    pub rows: Vec<Row<V>>,
    /// Letters allowed in any strand, by position.
    pub allowed: Vec<u32>,
    /// By position and letter, the strands that allow it.
    pub open: Vec<[Strands; LANES]>,
    pub base: V::Sums,
    /// What the letter that is tried on the next cell adds to the rows and to the base.
    slab: Vec<Row<V>>,
    found: V::Sums,
    /// The nodes that the letter makes active.
    fresh: Vec<Active<V::Packed>>,
    /// Edges over the next cell by letter, and where those of each letter begin.
    steps: Vec<Edge<V::Packed>>,
    starts: [u32; LANES + 1],
    unsorted: Vec<Edge<V::Packed>>,
}

impl<V: Value> Level<V> {
    pub fn new(fields: usize, tuning: Tuning) -> Level<V> {
        Level {
            tuning,
            alive: 0,
            active: Vec::new(),
            finished: Vec::new(),
            rows: vec![[V::default(); LANES]; fields],
            allowed: vec![0; fields],
            open: vec![[0; LANES]; fields],
            base: V::sums(0),
            slab: vec![[V::default(); LANES]; fields],
            found: V::sums(0),
            fresh: Vec::new(),
            steps: Vec::new(),
            starts: [0; LANES + 1],
            unsorted: Vec::new(),
        }
    }

    pub fn bytes(&self) -> usize {
        (self.active.capacity() + self.fresh.capacity()) * size_of::<Active<V::Packed>>()
            + (self.steps.capacity() + self.unsorted.capacity()) * size_of::<Edge<V::Packed>>()
            + (self.slab.capacity() + self.rows.capacity()) * size_of::<Row<V>>()
    }

    /// Items that the class leaves possible, about.
    pub fn items(&self) -> usize {
        self.active.iter().map(|a| a.count as usize).sum()
    }

    /// Work that merging takes, about: the items of all active nodes but the largest.
    pub fn overlap(&self) -> u64 {
        let largest = self.active.iter().map(|a| a.count).max().unwrap_or(0);
        (self.items() - largest as usize) as u64
    }

    /// What [`take_steps`](Level::take_steps) changes, to be given to [`restore`](Level::restore).
    pub fn state(&self) -> (Vec<Active<V::Packed>>, usize) {
        (self.active.clone(), self.finished.len())
    }

    /// Goes back to the state before the edges over a position were taken.
    pub fn restore(&mut self, (active, finished): (Vec<Active<V::Packed>>, usize)) {
        self.active = active;
        self.finished.truncate(finished);
    }

    /// Allows these letters only, each in some of the strands that are alive.
    pub fn allow(&mut self, position: usize, strands: impl Fn(usize) -> Strands) {
        self.open[position] = std::array::from_fn(|m| strands(m) & self.alive);
        self.allowed[position] =
            (0..LANES).filter(|&m| self.open[position][m] != 0).fold(0, |letters, m| letters | 1 << m);
    }

    /// The letters that a strand allows on a position.
    pub fn letters(&self, position: usize, strand: usize) -> u32 {
        let allows = |m: &usize| self.open[position][*m] >> strand & 1 == 1;
        bits(self.allowed[position]).filter(allows).fold(0, |letters, m| letters | 1 << m)
    }

    /// Starts at the roots of trees.
    pub fn start(&mut self, trie: &Trie<V>, roots: &[u32], base: V::Sums) {
        self.active.clear();
        self.finished.clear();
        self.rows.iter_mut().for_each(|row| *row = [V::default(); LANES]);
        self.base = base;
        let rows = self.rows.as_flattened_mut();
        for &root in roots {
            let (edges, edges_end) = trie.edges_of(root);
            for edge in &trie.pairs[edges as usize..edges_end as usize] {
                add(rows, self.open.as_flattened(), edge, &trie.pool);
            }
            V::unpack(trie.own(root), &trie.pool).add_to(&mut self.base);
            let count = trie.count(root);
            self.active.push(Active { what: root, edges, edges_end, count, value: V::Packed::default() });
        }
    }

    /// Takes the edges over position p, the first undecided one, from the active nodes, and the single residuals
    /// that use it.
    pub fn take_steps<K: Key>(&mut self, trie: &Trie<V>, keys: &[K], layout: &Layout<K>, p: usize) {
        self.unsorted.clear();
        let mut counts = [0; LANES];
        let mut kept = 0;
        for i in 0..self.active.len() {
            let mut active = self.active[i];
            let mut step = |letter: usize, edge: Edge<V::Packed>| {
                if V::keep(edge.value, self.open[p][letter]).is_some() {
                    counts[letter] += 1;
                    self.unsorted.push(edge);
                }
            };
            if active.is_tail() {
                let rest = layout.from(keys[(active.what & !TAIL) as usize], p);
                if layout.first_difference(rest) == p {
                    let letter = layout.code(rest, p) - 1;
                    let slot = (p * LANES + letter) as u16;
                    step(letter, Edge { slot, value: active.value, below: active.what });
                    continue;
                }
            } else {
                let (from, end) = (active.edges, active.edges_end);
                while active.edges < active.edges_end {
                    let Pair { slot, value } = trie.pairs[active.edges_end as usize - 1];
                    if usize::from(slot) / LANES != p {
                        break;
                    }
                    active.edges_end -= 1;
                    let below = trie.below(active.edges_end);
                    step(usize::from(slot) % LANES, Edge { slot, value, below });
                }
                if active.edges == active.edges_end {
                    self.finished.push(active.what);
                    continue;
                }
                // As if all edges had as many items.
                let left = u64::from(active.edges_end - from) * u64::from(active.count);
                active.count = (left / u64::from(end - from)) as u32;
            }
            self.active[kept] = active;
            kept += 1;
        }
        self.active.truncate(kept);
        self.starts[0] = 0;
        for (letter, count) in counts.into_iter().enumerate() {
            self.starts[letter + 1] = self.starts[letter] + count;
        }
        let mut at = self.starts;
        self.steps.clear();
        self.steps.resize(self.unsorted.len(), Edge { slot: 0, value: V::Packed::default(), below: 0 });
        for &edge in &self.unsorted {
            let at = &mut at[usize::from(edge.slot) % LANES];
            self.steps[*at as usize] = edge;
            *at += 1;
        }
    }

    /// Tries a letter on position p, whose edges were taken. Returns the bound of the child and the number of
    /// edges read.
    pub fn try_letter<K: Key>(
        &mut self,
        trie: &Trie<V>,
        keys: &[K],
        layout: &Layout<K>,
        (p, letter): (usize, usize),
    ) -> (V::Sums, u64) {
        with_vectors(
            #[inline(always)]
            || {
                let read = self.expand(trie, keys, layout, (p, letter));
                (self.child_bound(p), read)
            },
        )
    }

    #[inline(always)]
    fn expand<K: Key>(
        &mut self,
        trie: &Trie<V>,
        keys: &[K],
        layout: &Layout<K>,
        (p, letter): (usize, usize),
    ) -> u64 {
        for d in p + 1..self.allowed.len() {
            if V::STRANDS == 1 {
                self.slab[d] = [V::default(); LANES];
            } else {
                // Only what is read again is cleared: other letters may hold anything.
                for m in bits(self.allowed[d]) {
                    self.slab[d][m] = V::default();
                }
            }
        }
        self.found = V::sums(0);
        self.fresh.clear();
        let mut read = 0;
        let distance = self.tuning.prefetch_steps as usize;
        let (slab, open) = (self.slab.as_flattened_mut(), self.open.as_flattened());
        for i in self.starts[letter] as usize..self.starts[letter + 1] as usize {
            let edge = self.steps[i];
            // Memory is asked for what lies ahead.
            if let Some(ahead) = self.steps.get(i + distance) {
                match ahead.below() {
                    Below::Node(node) => prefetch(&trie.pairs[node as usize]),
                    Below::Tail(item) => prefetch(&keys[item as usize]),
                }
            }
            match edge.below() {
                Below::Node(below) => {
                    let own = trie.own(below);
                    if V::strands(own) != 0 {
                        V::unpack(own, &trie.pool).add_to(&mut self.found);
                    }
                    let (edges, edges_end) = trie.edges_of(below);
                    let pairs = &trie.pairs[edges as usize..edges_end as usize];
                    read += pairs.len() as u64;
                    for edge in pairs {
                        add(slab, open, edge, &trie.pool);
                    }
                    let (count, value) = (trie.count(below), V::Packed::default());
                    self.fresh.push(Active { what: below, edges, edges_end, count, value });
                }
                Below::Tail(item) => {
                    read += 1;
                    let rest = layout.from(keys[item as usize], p + 1);
                    if rest.is_zero() {
                        V::unpack(edge.value, &trie.pool).add_to(&mut self.found);
                    } else {
                        let d = layout.first_difference(rest);
                        let slot = (d * LANES + layout.code(rest, d) - 1) as u16;
                        add(slab, open, &Pair { slot, value: edge.value }, &trie.pool);
                    }
                    let value = edge.value;
                    self.fresh.push(Active { what: edge.below, edges: 0, edges_end: 0, count: 1, value });
                }
            }
        }
        read
    }

    /// The bound of the child whose letter was tried: its base and, over the undecided cells, the sum of the
    /// largest value in its rows.
    #[inline(always)]
    fn child_bound(&self, p: usize) -> V::Sums {
        let mut sums = self.base;
        for (sum, found) in sums.as_mut().iter_mut().zip(self.found.as_ref()) {
            *sum += found;
        }
        for d in p + 1..self.allowed.len() {
            let (row, slab) = (&self.rows[d], &self.slab[d]);
            let mut best = V::default();
            if V::STRANDS == 1 {
                // Letters are the lanes of vectors.
                for m in 0..LANES {
                    best = best.max(row[m].plus(slab[m]));
                }
            } else {
                for m in bits(self.allowed[d]) {
                    best = best.max(row[m].plus(slab[m]));
                }
            }
            best.add_to(&mut sums);
        }
        sums
    }

    /// [`try_letter`](Level::try_letter) without vector instructions.
    #[cfg(test)]
    pub fn scalar_twin(&self, p: usize) -> V::Sums {
        self.child_bound(p)
    }

    /// Makes the child with the letter that was tried last on position p, in these strands. Its letters are this
    /// level's; `narrow` may then take some away.
    pub fn child<K: Key>(
        &self,
        keys: &[K],
        layout: &Layout<K>,
        (p, letter): (usize, usize),
        alive: Strands,
        to: &mut Level<V>,
    ) {
        to.alive = alive;
        to.base = self.base;
        to.base.as_mut().iter_mut().zip(self.found.as_ref()).for_each(|(base, found)| *base += found);
        to.active.clear();
        to.active.extend_from_slice(&self.active);
        to.finished.clear();
        to.finished.extend_from_slice(&self.finished);
        for &active in &self.fresh {
            let ends = if active.is_tail() {
                layout.from(keys[(active.what & !TAIL) as usize], p + 1).is_zero()
            } else {
                active.edges == active.edges_end
            };
            if ends { to.finished.push(active.what) } else { to.active.push(active) }
        }
        to.allowed.copy_from_slice(&self.allowed);
        to.allowed[p] = 1 << letter;
        to.open[p] = [0; LANES];
        to.open[p][letter] = alive;
        with_vectors(
            #[inline(always)]
            || {
                for d in p + 1..self.allowed.len() {
                    if V::STRANDS == 1 {
                        to.open[d] = self.open[d];
                        to.rows[d] = std::array::from_fn(|m| self.rows[d][m].plus(self.slab[d][m]));
                        continue;
                    }
                    to.open[d] = [0; LANES];
                    for m in bits(self.allowed[d]) {
                        let open = self.open[d][m] & alive;
                        to.open[d][m] = open;
                        to.allowed[d] &= !(u32::from(open == 0) << m);
                        to.rows[d][m] = self.rows[d][m].plus(self.slab[d][m]);
                    }
                }
            },
        );
    }

    /// The bound of the class by its rows.
    pub fn bound(&self, p: usize) -> V::Sums {
        with_vectors(
            #[inline(always)]
            || {
                let mut sums = self.base;
                for d in p..self.allowed.len() {
                    best(&self.rows[d], self.allowed[d]).add_to(&mut sums);
                }
                sums
            },
        )
    }

    /// The largest bound of a strand that is alive.
    pub fn largest_bound(&self, p: usize) -> u64 {
        let bound = self.bound(p);
        strands_of(self.alive).map(|s| bound.as_ref()[s]).max().unwrap_or(0)
    }

    /// Takes the letters away with which no board of a strand reaches the cutoff, where `bounds` are those of the
    /// class. `gone` is called with the position, the letter, the strands, and the bounds under that letter. Returns
    /// how many letters of a strand that were.
    ///
    /// The bound under a letter is that of the class with its row's value in place of the largest one of its cell.
    pub fn narrow(
        &mut self,
        p: usize,
        bounds: V::Sums,
        cutoff: u64,
        mut gone: impl FnMut(&Level<V>, usize, usize, Strands, V),
    ) -> u64 {
        let mut eliminated = 0;
        for d in p..self.allowed.len() {
            let mut less = [0; LANES];
            let others = with_vectors(
                #[inline(always)]
                || self.too_small(d, bounds, cutoff, &mut less),
            );
            for m in bits(self.allowed[d]).filter(|&m| less[m] != 0) {
                gone(self, d, m, less[m], self.rows[d][m].plus(others));
                self.strike_in(d, m, less[m]);
                eliminated += u64::from(less[m].count_ones());
            }
        }
        eliminated
    }

    /// The strands in which each letter of position d is not enough for the cutoff, and the bound without that
    /// position.
    #[inline(always)]
    fn too_small(&self, d: usize, bounds: V::Sums, cutoff: u64, less: &mut [Strands; LANES]) -> V {
        let best = best(&self.rows[d], self.allowed[d]);
        let mut others = bounds;
        for (s, sum) in others.as_mut().iter_mut().enumerate() {
            *sum = sum.saturating_sub(best.get(s));
        }
        // Where a sum does not fit, the cutoff is not above what does: nothing is needed there.
        let others = V::of_sums(others);
        let needed = V::of(cutoff, Strands::MAX).minus(others);
        for m in bits(self.allowed[d]) {
            less[m] = self.rows[d][m].less(needed) & self.open[d][m];
        }
        others
    }

    /// Takes letters of position d away, in all strands.
    pub fn strike(&mut self, d: usize, left: u32) {
        for m in bits(self.allowed[d] & !left) {
            self.strike_in(d, m, Strands::MAX);
        }
    }

    /// Takes a letter of position d away in some strands.
    fn strike_in(&mut self, d: usize, letter: usize, strands: Strands) {
        let open = self.open[d][letter] & !strands;
        self.open[d][letter] = open;
        self.rows[d][letter] = self.rows[d][letter].only(open);
        if open == 0 {
            self.allowed[d] &= !(1 << letter);
        }
    }

    /// Leaves only these strands alive.
    pub fn keep_strands(&mut self, alive: Strands, p: usize) {
        if alive != self.alive {
            self.alive = alive;
            for d in p..self.allowed.len() {
                for m in bits(self.allowed[d]) {
                    self.open[d][m] &= alive;
                    self.allowed[d] &= !(u32::from(self.open[d][m] == 0) << m);
                }
            }
        }
    }

    /// Merges the active nodes into one that leaves the positions from p on undecided, but for the edges
    /// over the positions before `from`; its rows are the new ones. Returns the number of edges read.
    pub fn merge<K: Key>(
        &mut self,
        trie: &mut Trie<V>,
        items: &Items<K>,
        layout: &Layout<K>,
        (p, from): (usize, usize),
    ) -> u64 {
        let mut edges: Vec<Edge<V::Packed>> = Vec::new();
        for active in &self.active {
            if active.is_tail() {
                let rest = layout.from(items.keys[(active.what & !TAIL) as usize], p);
                let d = layout.first_difference(rest);
                let slot = (d * LANES + layout.code(rest, d) - 1) as u16;
                edges.push(Edge { slot, value: active.value, below: active.what });
            } else {
                edges.extend(trie.edges((active.edges, active.edges_end)));
                // What ends here is in the base already.
                self.finished.push(active.what);
            }
        }
        let (root, read) = trie.merge(&edges, &Merging { items, layout, open: &self.open, from });
        let (base, finished) = (self.base, std::mem::take(&mut self.finished));
        self.start(trie, &[root], base);
        self.finished = finished;
        read
    }

    /// Calls `each` with the items of the class that the letters of a strand allow, decided cells left out.
    #[inline(always)]
    fn for_each_item<K: Key>(
        &self,
        trie: &Trie<V>,
        items: &Items<K>,
        class: &Class<K>,
        (p, strand): (usize, usize),
        mut each: impl FnMut(K, Tag),
    ) {
        let layout = &class.layout;
        let letters: Vec<u32> = (0..layout.offset.len()).map(|d| self.letters(d, strand)).collect();
        let narrowed: Vec<usize> =
            (p..layout.offset.len()).filter(|&d| letters[d] != class.cells[class.order[d]]).collect();
        let mut range = |from: usize, to: usize| {
            for i in from..to {
                let key = layout.from(items.keys[i], p);
                let allowed = |&d: &usize| {
                    let code = layout.code(key, d);
                    code == 0 || letters[d] >> (code - 1) & 1 == 1
                };
                if narrowed.iter().all(allowed) {
                    each(key, items.tags[i]);
                }
            }
        };
        for active in &self.active {
            trie.for_each_end(active.what, items, &mut range);
            trie.for_each_below((active.edges, active.edges_end), strand, items, &mut range);
        }
        for &what in &self.finished {
            trie.for_each_end(what, items, &mut range);
        }
    }

    /// Fills `list` with the items of the class in a strand, without those that its letters or other items of
    /// their word rule out, and returns the points of the words that all its boards have.
    #[allow(clippy::too_many_arguments)] // each is a table of the search, borrowed on its own
    pub fn gather<K: Key>(
        &self,
        trie: &Trie<V>,
        items: &Items<K>,
        class: &Class<K>,
        at: (usize, usize),
        points: &Points,
        gathered: &mut Vec<(u32, K)>,
        list: &mut Items<K>,
    ) -> u64 {
        let layout = &class.layout;
        gathered.clear();
        self.for_each_item(trie, items, class, at, |key, tag| gathered.push((tag.0, key)));
        gathered.sort_unstable();
        gathered.dedup();
        list.clear();
        let mut base = 0;
        for word in gathered.chunk_by(|a, b| a.0 == b.0) {
            let tag = Tag(word[0].0);
            if word[0].1.is_zero() {
                base += points[tag.class()];
                continue;
            }
            for &(_, key) in word {
                let dominates =
                    |&&(_, other): &&(u32, K)| other != key && other.within(other.used(layout), key);
                // Dropping fewer items is allowed: very long runs are not compared in full.
                if word.iter().take(self.tuning.gather_run as usize).find(dominates).is_none() {
                    list.push(key, tag);
                }
            }
        }
        base
    }
}

/// Adds the value of an edge to its lane, in the strands that allow its letter.
#[inline(always)]
fn add<V: Value>(lanes: &mut [V], open: &[Strands], edge: &Pair<V::Packed>, pool: &V::Pool) {
    let slot = usize::from(edge.slot);
    if V::STRANDS == 1 || V::strands(edge.value) & open[slot] != 0 {
        lanes[slot] = lanes[slot].plus(V::unpack_in(edge.value, open[slot], pool));
    }
}

/// The largest value of a row, strand by strand.
#[inline(always)]
fn best<V: Value>(row: &Row<V>, allowed: u32) -> V {
    let mut best = V::default();
    if V::STRANDS == 1 {
        for value in row {
            best = best.max(*value);
        }
    } else {
        for m in bits(allowed) {
            best = best.max(row[m]);
        }
    }
    best
}
