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
//! **All children in one pass.** Once cell k holds m, every edge (k, m) makes a node active. Its edges
//! add to the rows of the child; edges over other cells stay. So one pass over the edges of the nodes
//! below all edges of cell k gives the rows of all children, for a few instructions an edge.
//!
//! The bound is looser than that of a merged list, by a factor of two where half of the cells are
//! decided, and some thousand times cheaper. What is left when few items are is gathered into a list
//! without dominated items, and `search` takes over.

use super::items::{Class, Items};
use super::key::{Key, Layout};
use super::probe::{LANES, Lane, Row};
use super::trie::{Below, Edge, Merging, Pair, TAIL, Trie};
use super::tuning::Tuning;
use super::words::{Points, Tag};
use crate::simd::{prefetch, with_vectors};

/// A node whose pairs the class holds, or a single residual.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<V> {
    /// The node, or [`TAIL`] and the item.
    what: u32,
    /// Its edges over undecided cells.
    edges: u32,
    edges_end: u32,
    /// How many items there are, about.
    count: u32,
    /// Points of a single residual.
    value: V,
}

impl<V> Active<V> {
    fn is_tail(&self) -> bool {
        self.what & TAIL != 0
    }
}

/// A level of the descent: a class, the active nodes and the rows.
pub(crate) struct Level<V> {
    tuning: Tuning,
    pub active: Vec<Active<V>>,
    /// Nodes and single residuals that end here or before: what they hold is found.
    pub finished: Vec<u32>,
    pub rows: Vec<Row<V>>,
    /// Letters allowed, by position, and as lanes.
    pub allowed: Vec<u32>,
    pub lanes: Vec<Row<V>>,
    pub base: u64,
    /// What each letter of the cell at hand adds: `slabs[m * fields + d]`, and to the base.
    slabs: Vec<Row<V>>,
    found: [u64; LANES],
    /// Edges over the cell being decided whose letters are allowed.
    steps: Vec<Edge<V>>,
    /// Nodes that become active, linked by letter.
    events: Vec<(u32, Active<V>)>,
    head: [u32; LANES],
    /// The bound of each child.
    pub bounds: [u64; LANES],
}

impl<V: Lane> Level<V> {
    pub fn new(fields: usize, tuning: Tuning) -> Level<V> {
        Level {
            tuning,
            active: Vec::new(),
            finished: Vec::new(),
            rows: vec![[V::default(); LANES]; fields],
            allowed: vec![0; fields],
            lanes: vec![[V::default(); LANES]; fields],
            base: 0,
            slabs: vec![[V::default(); LANES]; fields * LANES],
            found: [0; LANES],
            steps: Vec::new(),
            events: Vec::new(),
            head: [0; LANES],
            bounds: [0; LANES],
        }
    }

    pub fn bytes(&self) -> usize {
        self.active.capacity() * size_of::<Active<V>>()
            + self.events.capacity() * size_of::<(u32, Active<V>)>()
            + (self.slabs.capacity() + self.rows.capacity() + self.lanes.capacity()) * size_of::<Row<V>>()
    }

    /// Items that the class leaves possible.
    pub fn items(&self) -> usize {
        self.active.iter().map(|a| a.count as usize).sum()
    }

    /// Work that merging takes, about: the items of all active nodes but the largest.
    pub fn overlap(&self) -> u64 {
        let largest = self.active.iter().map(|a| a.count).max().unwrap_or(0);
        (self.items() - largest as usize) as u64
    }

    /// What [`expand`](Level::expand) changes, to be given to [`restore`](Level::restore).
    pub fn state(&self) -> (Vec<Active<V>>, usize) {
        (self.active.clone(), self.finished.len())
    }

    /// Goes back to the state before the class was expanded.
    pub fn restore(&mut self, (active, finished): (Vec<Active<V>>, usize)) {
        self.active = active;
        self.finished.truncate(finished);
    }

    /// Allows these letters only.
    pub fn allow(&mut self, position: usize, letters: u32) {
        self.allowed[position] = letters;
        self.lanes[position] = std::array::from_fn(|m| V::mask(letters >> m & 1 == 1));
    }

    /// Starts at the roots of trees.
    pub fn start(&mut self, trie: &Trie<V>, roots: &[u32], base: u64) {
        self.active.clear();
        self.finished.clear();
        self.rows.iter_mut().for_each(|row| *row = [V::default(); LANES]);
        self.base = base;
        for &root in roots {
            let (edges, edges_end) = trie.edges_of(root);
            for edge in &trie.pairs[edges as usize..edges_end as usize] {
                let lane = &mut self.rows[usize::from(edge.slot) / LANES][usize::from(edge.slot) % LANES];
                *lane = lane.plus(edge.value);
            }
            self.base += trie.own(root).value();
            let count = trie.count(root);
            self.active.push(Active { what: root, edges, edges_end, count, value: V::default() });
        }
    }

    /// Decides position p, the first undecided one: fills `bounds` for its letters. Returns the
    /// number of edges read.
    pub fn expand<K: Key>(&mut self, trie: &Trie<V>, keys: &[K], layout: &Layout<K>, p: usize) -> u64 {
        let fields = layout.offset.len();
        for letter in 0..LANES {
            self.slabs[letter * fields + p + 1..(letter + 1) * fields].fill([V::default(); LANES]);
        }
        self.found = [0; LANES];
        self.head = [u32::MAX; LANES];
        self.events.clear();
        self.take_steps(trie, keys, layout, p);
        let mut read = 0;
        let steps = std::mem::take(&mut self.steps);
        let distance = self.tuning.prefetch_steps as usize;
        for (i, &edge) in steps.iter().enumerate() {
            // Memory is asked for what lies ahead.
            if let Some(ahead) = steps.get(i + distance) {
                match ahead.below() {
                    Below::Node(node) => prefetch(&trie.pairs[node as usize]),
                    Below::Tail(item) => prefetch(&keys[item as usize]),
                }
            }
            let letter = usize::from(edge.slot) % LANES;
            match edge.below() {
                Below::Node(below) => {
                    self.found[letter] += trie.own(below).value();
                    let (from, to) = trie.edges_of(below);
                    let edges = &trie.pairs[from as usize..to as usize];
                    read += edges.len() as u64;
                    let slab = self.slabs[letter * fields..(letter + 1) * fields].as_flattened_mut();
                    for edge in edges {
                        let lane = &mut slab[usize::from(edge.slot)];
                        *lane = lane.plus(edge.value);
                    }
                    let count = trie.count(below);
                    self.activate(
                        letter,
                        Active { what: below, edges: from, edges_end: to, count, value: V::default() },
                    );
                }
                Below::Tail(item) => {
                    read += 1;
                    let next =
                        Active { what: edge.below, edges: 0, edges_end: 0, count: 1, value: edge.value };
                    self.activate_tail(letter, next, layout.from(keys[item as usize], p + 1), layout);
                }
            }
        }
        self.steps = steps;
        let mut kept = 0;
        for i in 0..self.active.len() {
            let active = self.active[i];
            if active.is_tail() || active.edges < active.edges_end {
                self.active[kept] = active;
                kept += 1;
            } else {
                self.finished.push(active.what);
            }
        }
        self.active.truncate(kept);
        self.bounds = std::array::from_fn(|letter| {
            if self.allowed[p] >> letter & 1 == 0 {
                return 0;
            }
            let sum = self.sum(fields, p, letter);
            self.base.saturating_add(self.found[letter]).saturating_add(sum)
        });
        read
    }

    /// Takes the edges over position p from the active nodes, and the single residuals that use it.
    fn take_steps<K: Key>(&mut self, trie: &Trie<V>, keys: &[K], layout: &Layout<K>, p: usize) {
        self.steps.clear();
        let mut kept = 0;
        for i in 0..self.active.len() {
            let mut active = self.active[i];
            if active.is_tail() {
                let rest = layout.from(keys[(active.what & !TAIL) as usize], p);
                if layout.first_difference(rest) == p {
                    let letter = layout.code(rest, p) - 1;
                    if self.allowed[p] >> letter & 1 == 1 {
                        self.activate_tail(letter, active, layout.from(rest, p + 1), layout);
                    }
                    continue;
                }
            } else {
                let end = active.edges_end;
                while active.edges < active.edges_end {
                    let Pair { slot, value } = trie.pairs[active.edges_end as usize - 1];
                    if usize::from(slot) / LANES != p {
                        break;
                    }
                    active.edges_end -= 1;
                    if self.allowed[p] >> (usize::from(slot) % LANES) & 1 == 1 {
                        self.steps.push(Edge { slot, value, below: trie.below(active.edges_end) });
                    }
                }
                if active.edges_end < end {
                    active.count = trie.count_before(active.what, active.count, (active.edges_end, end));
                }
            }
            self.active[kept] = active;
            kept += 1;
        }
        self.active.truncate(kept);
    }

    /// A single residual whose pair on the cell at hand is satisfied by the letter.
    #[inline(always)]
    fn activate_tail<K: Key>(&mut self, letter: usize, active: Active<V>, rest: K, layout: &Layout<K>) {
        if rest.is_zero() {
            self.found[letter] += active.value.value();
        } else {
            let d = layout.first_difference(rest);
            let lane = &mut self.slabs[letter * layout.offset.len() + d][layout.code(rest, d) - 1];
            *lane = lane.plus(active.value);
        }
        self.activate(letter, active);
    }

    #[inline(always)]
    fn activate(&mut self, letter: usize, active: Active<V>) {
        self.events.push((self.head[letter], active));
        self.head[letter] = self.events.len() as u32 - 1;
    }

    /// The sum over the undecided cells of the largest value in the rows of a child.
    pub(crate) fn sum(&self, fields: usize, p: usize, letter: usize) -> u64 {
        with_vectors(
            #[inline(always)]
            || self.plain_sum(fields, p, letter),
        )
    }

    #[inline(always)]
    fn plain_sum(&self, fields: usize, p: usize, letter: usize) -> u64 {
        let slabs = &self.slabs[letter * fields..(letter + 1) * fields];
        let (rows, lanes) = (&self.rows[..fields], &self.lanes[..fields]);
        let mut sum = 0;
        for d in p + 1..fields {
            let mut best = V::default();
            for m in 0..LANES {
                best = best.max(rows[d][m].plus(slabs[d][m]).masked(lanes[d][m]));
            }
            sum += best.value();
        }
        sum
    }

    /// [`sum`](Level::sum) without vector instructions.
    #[cfg(test)]
    pub fn scalar_twin(&self, fields: usize, p: usize, letter: usize) -> u64 {
        self.plain_sum(fields, p, letter)
    }

    /// Makes the child with this letter on position p. Its letters are this level's; `narrow` may
    /// then take some away.
    pub fn child<K: Key>(&self, keys: &[K], layout: &Layout<K>, p: usize, letter: usize, to: &mut Level<V>) {
        let fields = layout.offset.len();
        to.base = self.base + self.found[letter];
        to.active.clear();
        to.active.extend_from_slice(&self.active);
        to.finished.clear();
        to.finished.extend_from_slice(&self.finished);
        let mut at = self.head[letter];
        while at != u32::MAX {
            let (next, active) = self.events[at as usize];
            let ends = if active.is_tail() {
                layout.from(keys[(active.what & !TAIL) as usize], p + 1).is_zero()
            } else {
                active.edges == active.edges_end
            };
            if ends {
                to.finished.push(active.what);
            } else {
                to.active.push(active);
            }
            at = next;
        }
        to.allowed.copy_from_slice(&self.allowed);
        to.allowed[p] = 1 << letter;
        for d in p + 1..fields {
            let slab = &self.slabs[letter * fields + d];
            to.lanes[d] = self.lanes[d];
            to.rows[d] = std::array::from_fn(|m| self.rows[d][m].plus(slab[m]).masked(self.lanes[d][m]));
        }
    }

    /// The bound of the class by its rows.
    pub fn bound(&self, p: usize) -> u64 {
        self.rows[p..].iter().fold(self.base, |sum, row| {
            let best = row.iter().copied().max().unwrap_or_default();
            sum.saturating_add(best.value())
        })
    }

    /// The bound under every letter of position d, given the bound of the class.
    pub fn with_letters(&self, bound: u64, d: usize) -> [u64; LANES] {
        let best = self.rows[d].iter().copied().max().unwrap_or_default();
        let others = bound - best.value();
        self.rows[d].map(|value| others + value.value())
    }

    /// Takes letters of position d away.
    pub fn strike(&mut self, d: usize, left: u32) {
        self.allow(d, left);
        for m in 0..LANES {
            self.rows[d][m] = self.rows[d][m].masked(self.lanes[d][m]);
        }
    }

    /// Merges the active nodes into one that leaves the positions from p on undecided, but for the edges
    /// over p itself; its rows are the new ones. Returns the number of edges read.
    pub fn merge<K: Key>(
        &mut self,
        trie: &mut Trie<V>,
        items: &Items<K>,
        layout: &Layout<K>,
        p: usize,
    ) -> u64 {
        let mut edges: Vec<Edge<V>> = Vec::new();
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
        let (root, read) =
            trie.merge(&edges, &Merging { items, layout, allowed: &self.allowed, from: p + 1 });
        let (base, finished) = (self.base, std::mem::take(&mut self.finished));
        self.start(trie, &[root], base);
        self.finished = finished;
        read
    }

    /// Calls `each` with the items of the class that its letters allow, decided cells left out.
    #[inline(always)]
    fn for_each_item<K: Key>(
        &self,
        trie: &Trie<V>,
        items: &Items<K>,
        class: &Class<K>,
        p: usize,
        mut each: impl FnMut(K, Tag),
    ) {
        let layout = &class.layout;
        let narrowed: Vec<usize> =
            (p..layout.offset.len()).filter(|&d| self.allowed[d] != class.cells[class.order[d]]).collect();
        let mut range = |from: usize, to: usize| {
            for i in from..to {
                let key = layout.from(items.keys[i], p);
                let allowed = |&d: &usize| {
                    let code = layout.code(key, d);
                    code == 0 || self.allowed[d] >> (code - 1) & 1 == 1
                };
                if narrowed.iter().all(allowed) {
                    each(key, items.tags[i]);
                }
            }
        };
        for active in &self.active {
            trie.for_each_end(active.what, items, &mut range);
            trie.for_each_below((active.edges, active.edges_end), items, &mut range);
        }
        for &what in &self.finished {
            trie.for_each_end(what, items, &mut range);
        }
    }

    /// Fills `list` with the items of the class, without those that its letters or other items of
    /// their word rule out, and returns the points of the words that all its boards have.
    #[allow(clippy::too_many_arguments)] // each is a table of the search, borrowed on its own
    pub fn gather<K: Key>(
        &self,
        trie: &Trie<V>,
        items: &Items<K>,
        class: &Class<K>,
        p: usize,
        points: &Points,
        gathered: &mut Vec<(u32, K)>,
        list: &mut Items<K>,
    ) -> u64 {
        let layout = &class.layout;
        gathered.clear();
        self.for_each_item(trie, items, class, p, |key, tag| gathered.push((tag.0, key)));
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
