//! The search below one class: bound, eliminate letters, branch.

use super::braid::How;
use super::certificate::{Certificate, Recorder};
use super::counters::Counters;
use super::descend;
use super::force::{Dominators, Parts};
use super::items::{Class, Items, Lister, Which};
use super::key::{Key, Layout};
use super::probe::{LANES, Lane, Probe, probe};
use super::task::{Task, tighten};
use super::trie::{Mark, Trie};
use super::tuning::Tuning;
use super::values::{Braid, Single, Strands, Value, strands_of};
use super::words::{Points, Words};
use crate::{Board, Dims, Scorer, Tile};

/// What a search needs besides the task and shares with searches of other key widths.
pub(crate) struct Context<'a> {
    pub dims: Dims,
    pub cutoff: u64,
    pub max_memory: usize,
    pub words: &'a Words,
    pub scorer: &'a mut Scorer,
    pub counters: &'a mut Counters,
    pub boards: &'a mut Vec<(Board, u64)>,
    /// Largest bound below the cutoff by which anything was pruned.
    pub largest_pruned: u64,
    pub recorder: &'a mut Recorder,
    pub rest: Rest,
    /// Work that may be done on short lists, in units of [`Progress::spent`]; without any, nothing is.
    pub work_left: u64,
    /// The bound of the rest was not found with the work allowed.
    pub gave_up: bool,
    /// Is told every bound.
    pub observer: Option<Observer<'a>>,
}

/// Is called with a class, as the letters of each cell, and a bound of its boards.
pub(crate) type Observer<'a> = &'a mut dyn FnMut(&[u32], u64);

impl Context<'_> {
    /// Whether a bound rules a class out. If so, it is written down.
    #[inline(always)]
    fn prunes(&mut self, bound: u64) -> bool {
        let prunes = bound < self.cutoff;
        if prunes {
            self.largest_pruned = self.largest_pruned.max(bound);
            self.counters.hash_pruned(bound);
        }
        prunes
    }
}

/// What is known of the **rest**, the words that use no decided cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing: they are listed with the others.
    Unknown,
    /// No board of the class has more points by them.
    Bounded(u64),
    /// This bound is what is asked for: only the rest is listed, and boards are not scored.
    Asked,
}

/// A list to be searched: which items, how many at most, and how much work is allowed.
#[derive(Clone, Copy)]
struct Plan {
    which: Which,
    most: usize,
    limit: u64,
}

/// Lists and tables for classes of one key width, reused from task to task.
pub(crate) struct Search<K> {
    pub tuning: Tuning,
    pub(super) levels: Vec<Level<K>>,
    pub(super) lister: Lister<K>,
    dominators: Dominators<K>,
    narrow: Probe<u16>,
    wide: Probe<u64>,
    narrow_tree: Descent<K, Single<u16>>,
    wide_tree: Descent<K, Single<u64>>,
    pub(super) narrow_braid: Descent<K, Braid<u16>>,
    pub(super) wide_braid: Descent<K, Braid<u64>>,
    gathered: Vec<(u32, K)>,
}

/// The tree of a long list and the levels of the search through it.
pub(super) struct Descent<K, V: Value> {
    pub items: Items<K>,
    pub trie: Trie<V>,
    free: Option<FreeTree>,
    pub levels: Vec<descend::Level<V>>,
    /// Points of the words that all boards of the task have.
    pub base: V::Sums,
    pub progress: Progress,
}

/// The tree of the [free placements](Lister::free) that a list begins with. Tasks that differ in the
/// letters of decided cells only share it.
#[derive(Clone, Copy)]
struct FreeTree {
    /// That of the placements.
    version: u64,
    root: u32,
    end: Mark,
    items: usize,
}

impl<K: Key, V: Value> Default for Descent<K, V> {
    fn default() -> Descent<K, V> {
        Descent {
            items: Items::default(),
            trie: Trie::new(),
            free: None,
            levels: Vec::new(),
            base: V::sums(0),
            progress: Progress::default(),
        }
    }
}

impl<K: Key, V: Value> Descent<K, V> {
    /// Makes the trees of a list and of the free placements apart from it, if there are any; returns
    /// their roots. The list is taken if there are none.
    ///
    /// Every item stands in one of them, and an active node bounds what its items add, whatever tree
    /// it is of: bounds are the sums over both.
    pub(super) fn plant(
        &mut self,
        list: &mut Items<K>,
        apart: Option<(&Items<K>, u64)>,
        points: &Points,
        layout: &Layout<K>,
    ) -> Vec<u32> {
        let Some((free, version)) = apart else {
            self.free = None;
            self.trie.cut(Mark::default());
            std::mem::swap(&mut self.items, list);
            return vec![self.build(0, points, layout)];
        };
        let tree = self.free.filter(|tree| tree.version == version).unwrap_or_else(|| {
            self.trie.cut(Mark::default());
            self.items.clone_from(free);
            let root = self.trie.build(free, &[], 0, points, layout);
            FreeTree { version, root, end: self.trie.mark(), items: free.len() }
        });
        self.free = Some(tree);
        self.trie.cut(tree.end);
        self.items.truncate(tree.items);
        self.items.extend_from(list);
        vec![tree.root, self.build(tree.items, points, layout)]
    }

    /// Makes the tree of another list beside the one of the first items; returns its root.
    pub(super) fn plant_beside(
        &mut self,
        list: &Items<K>,
        items: usize,
        points: &Points,
        layout: &Layout<K>,
    ) -> u32 {
        self.items.truncate(items);
        self.items.extend_from(list);
        self.build(items, points, layout)
    }

    /// Makes the tree of the items from `from` on. Their strands are not needed any longer: the tree has them.
    fn build(&mut self, from: usize, points: &Points, layout: &Layout<K>) -> u32 {
        let strands = std::mem::take(&mut self.items.strands);
        self.trie.build(&self.items, &strands, from, points, layout)
    }

    /// Makes ready for searches of classes of this many undecided cells.
    pub(super) fn prepare(&mut self, fields: usize, tuning: Tuning) {
        self.levels.clear();
        self.levels.resize_with(fields + 1, || descend::Level::new(fields, tuning));
        self.progress = Progress { spent: 0, limit: u64::MAX, merge_from: vec![u64::MAX; fields + 1] };
    }

    /// Starts the search of a class in some strands at the roots of its trees. `open` tells the strands that allow
    /// a letter on a position.
    pub(super) fn start(
        &mut self,
        roots: &[u32],
        open: impl Fn(usize, usize) -> Strands,
        (base, alive): (V::Sums, Strands),
        limit: u64,
    ) {
        let level = &mut self.levels[0];
        level.alive = alive;
        (0..level.allowed.len()).for_each(|p| level.allow(p, |m| open(p, m)));
        level.start(&self.trie, roots, base);
        self.base = base;
        (self.progress.spent, self.progress.limit) = (0, limit);
    }

    fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(descend::Level::bytes).sum();
        self.items.bytes() + self.trie.bytes() + levels
    }
}

/// How far a search through trees has come.
#[derive(Default)]
pub(super) struct Progress {
    /// Work done, in units of about a nanosecond.
    pub spent: u64,
    /// The search is given up when the work reaches this.
    pub limit: u64,
    /// By position: classes with this bound or more are merged at once.
    pub merge_from: Vec<u64>,
}

/// A search was given up because it took more than it was allowed to.
pub(super) struct Exhausted;

/// One level of the depth-first search.
pub(super) struct Level<K> {
    /// The node's items; once it is branched on, those that do not use the branch cell.
    pub items: Items<K>,
    parts: Parts<K>,
    layout: Layout<K>,
    /// U(d = m) by position of the class, base not included.
    with_letter: Vec<[u64; LANES]>,
}

/// A node: its letters, and where its items stand is its level.
#[derive(Clone)]
struct Node {
    /// Letters allowed, by position of the class's order.
    allowed: Vec<u32>,
    /// Positions not decided yet, in order.
    undecided: Vec<usize>,
    base: u64,
}

enum Verdict {
    /// With the bound that did it.
    Pruned(u64),
    Open,
}

/// What is searched, and where: the tiles of the cells that are decided.
pub(super) struct Walk<'a, 'c, K> {
    pub context: &'a mut Context<'c>,
    pub task: &'a Task,
    pub class: &'a Class<K>,
    pub tiles: Vec<Tile>,
    /// The braided cell, and its letter in each strand.
    pub braid: Option<(usize, Vec<Tile>)>,
}

impl<K: Key> Walk<'_, '_, K> {
    /// Puts the letter of a strand on the braided cell, if there is one.
    fn enter_strand(&mut self, strand: usize) {
        if let Some((cell, letters)) = &self.braid {
            self.tiles[*cell] = letters[strand];
        }
    }

    /// Tells the observer a bound of a strand of a class that leaves the positions from p on undecided; with
    /// `only`, of its boards that have one of these letters on a position.
    #[cold]
    fn tell_strand<V: Value>(
        &mut self,
        level: &descend::Level<V>,
        (p, strand): (usize, usize),
        only: Option<(usize, u32)>,
        bound: u64,
    ) {
        self.enter_strand(strand);
        let allowed: Vec<u32> = (0..level.allowed.len()).map(|d| level.letters(d, strand)).collect();
        self.tell(p..self.class.order.len(), &allowed, only, V::at_least(bound));
    }

    /// Notes the bounds of a class, strand by strand, and returns the strands in which they do not rule it out.
    #[inline(always)]
    fn survivors(&mut self, bounds: &[u64], alive: Strands) -> Strands {
        let mut left = 0;
        for strand in strands_of(alive) {
            if self.context.prunes(bounds[strand]) {
                self.context.counters.pruned_by_bound += 1;
            } else {
                left |= 1 << strand;
            }
        }
        left
    }

    /// As [`observe`](Walk::observe), of a node.
    #[inline(always)]
    fn observe_node(&mut self, node: &Node, only: Option<(usize, u32)>, bound: u64) {
        if self.context.observer.is_some() {
            self.tell(node.undecided.iter().copied(), &node.allowed, only, bound);
        }
    }

    #[cold]
    fn tell(
        &mut self,
        undecided: impl Iterator<Item = usize>,
        allowed: &[u32],
        only: Option<(usize, u32)>,
        bound: u64,
    ) {
        let mut cells: Vec<u32> = self.tiles.iter().map(|&t| 1 << t).collect();
        undecided.for_each(|p| cells[self.class.order[p]] = allowed[p]);
        if let Some((p, letters)) = only {
            cells[self.class.order[p]] = letters;
        }
        if let Some(observer) = &mut self.context.observer {
            observer(&cells, bound);
        }
    }
}

impl<K: Key> Search<K> {
    pub fn new(cells: usize, tuning: Tuning) -> Search<K> {
        Search {
            tuning,
            levels: Vec::new(),
            lister: Lister::new(tuning),
            dominators: Dominators::new(tuning.force_run as usize),
            narrow: Probe::new(cells),
            wide: Probe::new(cells),
            narrow_tree: Descent::default(),
            wide_tree: Descent::default(),
            narrow_braid: Descent::default(),
            wide_braid: Descent::default(),
            gathered: Vec::new(),
        }
    }

    /// Searches a class for all boards that reach the cutoff.
    ///
    /// Of a group, `left` are the letters of the varied cell that are searched; it gets those that were not, because
    /// their lists are too long for the memory allowed.
    pub fn run(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        order: &[usize],
        width: u32,
        left: &mut u32,
    ) {
        if let Some(cell) = self.braided_cell(context, task, order) {
            let how = How { order, width };
            if !self.run_braid(context, task, cell, how, left) && task.group().is_none() {
                self.run_halves(context, task, cell, order, width);
            }
            return;
        }
        if task.group().is_some() {
            return;
        }
        let class = Class::<K>::new(context.dims, task, order, width, context.words.tile_count);
        let fields = class.order.len();
        self.prepare(context, &class);
        let node = Node {
            allowed: class.order.iter().map(|&c| class.cells[c]).collect(),
            undecided: (0..fields).collect(),
            base: 0,
        };
        let tiles = class.cells.iter().map(|m| m.trailing_zeros() as Tile).collect();
        let mut walk = Walk { context: &mut *context, task, class: &class, tiles, braid: None };
        if !self.visit_listed(&mut walk, node) {
            if context.rest == Rest::Asked {
                // A half of one letter would decide the cell, and words that use it would be forgotten.
                context.gave_up = true;
                return;
            }
            let cell = class.order[0];
            self.run_halves(context, task, cell, order, width);
            return;
        }
        self.account(context);
    }

    /// Searches a task by two halves of the letters of a cell.
    fn run_halves(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        cell: usize,
        order: &[usize],
        width: u32,
    ) {
        context.counters.paths.halvings += 1;
        // A task with so many items is not weak: a bound of the rest would only cost time in its halves.
        context.rest = Rest::Unknown;
        // Every board of the task has one half or the other of the letters on the cell. Halves of
        // about the same weight list the least twice.
        let mut letters: Vec<usize> = bits(task.cells[cell]).collect();
        letters.sort_by_key(|&t| task.ranks[t]);
        for half in 0..2 {
            let mut part = task.clone();
            part.cells[cell] = letters.iter().skip(half).step_by(2).fold(0, |m, t| m | 1 << t);
            if tighten(&mut part) {
                self.run(context, &part, order, width, &mut 0);
            }
        }
    }

    /// Notes the memory in use, and gives it back if it is more than may be kept.
    pub(super) fn account(&mut self, context: &mut Context<'_>) {
        let bytes = self.bytes() as u64;
        context.counters.peak_bytes = context.counters.peak_bytes.max(bytes);
        if bytes > context.max_memory as u64 {
            self.levels.clear();
            self.lister = Lister::new(self.tuning);
            self.narrow_tree = Descent::default();
            self.wide_tree = Descent::default();
            self.narrow_braid = Descent::default();
            self.wide_braid = Descent::default();
        }
    }

    /// Makes room for the lists of a class.
    pub(super) fn prepare(&mut self, context: &Context<'_>, class: &Class<K>) {
        let fields = class.order.len();
        let level = || Level {
            items: Items::default(),
            parts: Parts::default(),
            layout: class.layout.clone(),
            with_letter: Vec::new(),
        };
        while self.levels.len() <= fields {
            self.levels.push(level());
        }
        for level in &mut self.levels {
            level.layout = class.layout.clone();
            level.with_letter.resize(fields, [0; LANES]);
        }
        self.dominators.set_words(context.words.len());
    }

    /// Lists all items of the class and searches it. False if they are too many for the memory allowed.
    fn visit_listed(&mut self, walk: &mut Walk<'_, '_, K>, node: Node) -> bool {
        let splits = !walk.class.order.is_empty() && !walk.context.recorder.is_on();
        let most =
            if splits { walk.context.max_memory / self.tuning.bytes_per_item as usize } else { usize::MAX };
        if let Rest::Bounded(rest) = walk.context.rest
            && splits
        {
            // A board has at most `rest` points by the rest, so a bound of the other words plus that
            // is a bound. The rest is most of the items of weak tasks, and worth little.
            let boards = walk.context.boards.len();
            walk.context.counters.paths.bounded_rests += 1;
            let start = Node { base: rest, ..node.clone() };
            let Tuning { through_items, through_work, .. } = self.tuning;
            let most = most.min(through_items as usize);
            let plan = Plan { which: Which::Through, most, limit: through_work };
            match self.visit_list(walk, start, plan) {
                Some(Ok(())) => return true,
                // What was found is found again.
                Some(Err(Exhausted)) => walk.context.boards.truncate(boards),
                None => {}
            }
            walk.context.counters.paths.rests_given_up += 1;
        }
        let plan = match walk.context.rest {
            Rest::Asked => Plan { which: Which::Free, most, limit: self.tuning.rest_work },
            _ => Plan { which: if splits { Which::AllApart } else { Which::All }, most, limit: u64::MAX },
        };
        let done = self.visit_list(walk, node, plan);
        walk.context.gave_up |= matches!(done, Some(Err(Exhausted)));
        done.is_some()
    }

    /// Lists items of the class and searches it. None if they are too many.
    fn visit_list(
        &mut self,
        walk: &mut Walk<'_, '_, K>,
        mut node: Node,
        plan: Plan,
    ) -> Option<Result<(), Exhausted>> {
        let items = &mut self.levels[0].items;
        let Plan { which, most, limit } = plan;
        walk.context.work_left = limit;
        let listing = self.lister.list(walk.context.words, walk.class, which, most, items)?;
        walk.context.counters.placements += listing.placements;
        walk.context.counters.first_items += self.levels[0].items.len() as u64;
        node.base += listing.base;
        walk.context.recorder.enter(0);
        let long = self.is_long(0) || listing.apart;
        let paths = &mut walk.context.counters.paths;
        paths.shared_free += u64::from(listing.shares_free);
        paths.free_apart += u64::from(listing.apart);
        let done;
        if !long || walk.context.recorder.is_on() {
            paths.lists += 1;
            self.visit(walk, node, 0);
            done = Ok(());
        } else if walk.context.cutoff <= self.tuning.narrow_lanes_up_to {
            paths.narrow_trees += 1;
            // A lane that saturates stands for at least its value, which the cutoff is not above.
            let mut tree = std::mem::take(&mut self.narrow_tree);
            done = self.start_descent(walk, &mut tree, node, limit, listing.apart);
            self.narrow_tree = tree;
        } else {
            paths.wide_trees += 1;
            let mut tree = std::mem::take(&mut self.wide_tree);
            done = self.start_descent(walk, &mut tree, node, limit, listing.apart);
            self.wide_tree = tree;
        }
        Some(if walk.context.work_left > 0 { done } else { Err(Exhausted) })
    }

    /// Searches the tree of the first list, for as much work as is allowed.
    fn start_descent<V: Value>(
        &mut self,
        walk: &mut Walk<'_, '_, K>,
        tree: &mut Descent<K, V>,
        node: Node,
        limit: u64,
        apart: bool,
    ) -> Result<(), Exhausted> {
        let (list, points) = (&mut self.levels[0].items, &walk.context.words.points);
        walk.context.counters.built_items += list.len() as u64;
        let roots = tree.plant(list, apart.then(|| self.lister.free()), points, &walk.class.layout);
        tree.prepare(node.allowed.len(), self.tuning);
        let open = |p: usize, m: usize| node.allowed[p] >> m & 1;
        tree.start(&roots, open, (V::sums(node.base), 1), limit);
        let done = self.descend(walk, tree, 0);
        assert!(done.is_ok() || limit < u64::MAX, "a search without a limit was given up");
        if !apart {
            // The next list is written where this one was.
            std::mem::swap(&mut tree.items, &mut self.levels[0].items);
        }
        done
    }

    /// Searches the boards of a class that decides the positions before p.
    pub(super) fn descend<V: Value>(
        &mut self,
        walk: &mut Walk<'_, '_, K>,
        tree: &mut Descent<K, V>,
        p: usize,
    ) -> Result<(), Exhausted> {
        let fields = walk.class.order.len();
        let level = &tree.levels[p];
        let items = level.items();
        if p == fields || items as u64 <= self.tuning.list_up_to_items {
            self.search_list(walk, tree, p);
            return Ok(());
        }
        if level.active.len() == 1 || (items as u64) < self.tuning.merge_from_items {
            return self.search_children(walk, tree, p);
        }
        // Merging costs about as much as the work that is allowed before it. Where similar classes
        // took more, it is done at once.
        let bound = level.largest_bound(p);
        let cost = level.overlap() * self.tuning.merge_item_work;
        let (outer, start) = (tree.progress.limit, tree.progress.spent);
        if bound < tree.progress.merge_from[p] {
            let boards = walk.context.boards.len();
            let state = level.state();
            let limit = start + cost;
            tree.progress.limit = limit.min(outer);
            let done = self.search_children(walk, tree, p);
            tree.progress.limit = outer;
            if done.is_ok() || tree.progress.spent > outer {
                return done;
            }
            // What was found is found again.
            walk.context.counters.paths.restarts += 1;
            walk.context.boards.truncate(boards);
            tree.levels[p].restore(state);
            tree.progress.merge_from[p] = bound - (bound - walk.context.cutoff) / self.tuning.merge_sooner_by;
        }
        self.merge(walk, tree, p, bound)
    }

    /// Searches a class by its active nodes made one.
    fn merge<V: Value>(
        &mut self,
        walk: &mut Walk<'_, '_, K>,
        tree: &mut Descent<K, V>,
        p: usize,
        bound: u64,
    ) -> Result<(), Exhausted> {
        walk.context.counters.paths.merges += 1;
        let mark = tree.trie.mark();
        let level = &mut tree.levels[p];
        let read = level.merge(&mut tree.trie, &tree.items, &walk.class.layout, (p, p + 1));
        walk.context.counters.built_items += read;
        let cost = read * self.tuning.merge_edge_work;
        tree.progress.spent += cost;
        let start = tree.progress.spent;
        let mut done = Ok(());
        if Self::narrow(walk, level, p) {
            done = self.search_children(walk, tree, p);
        }
        tree.trie.cut(mark);
        // The search took so little that it would have ended without merging.
        if done.is_ok() && self.tuning.merge_regret * (tree.progress.spent - start) < cost {
            tree.progress.merge_from[p] = tree.progress.merge_from[p].max(bound + 1);
        }
        done
    }

    /// Searches a class with few items by their lists, strand by strand.
    fn search_list<V: Value>(&mut self, walk: &mut Walk<'_, '_, K>, tree: &mut Descent<K, V>, p: usize) {
        let class = walk.class;
        let level = &tree.levels[p];
        for strand in strands_of(level.alive) {
            walk.enter_strand(strand);
            let list = &mut self.levels[0].items;
            let points = &walk.context.words.points;
            let at = (p, strand);
            let found = level.gather(&tree.trie, &tree.items, class, at, points, &mut self.gathered, list);
            walk.context.counters.built_items += self.gathered.len() as u64;
            tree.progress.spent += self.gathered.len() as u64 * self.tuning.gather_item_work;
            self.lister.sorter.sort_list(list, &class.layout);
            let undecided = (p..class.order.len()).collect();
            let allowed = (0..class.order.len()).map(|d| level.letters(d, strand)).collect();
            let node = Node { allowed, undecided, base: tree.base.as_ref()[strand] + found };
            self.visit(walk, node, 0);
        }
    }

    /// Decides position p.
    fn search_children<V: Value>(
        &mut self,
        walk: &mut Walk<'_, '_, K>,
        tree: &mut Descent<K, V>,
        p: usize,
    ) -> Result<(), Exhausted> {
        let class = walk.class;
        let fields = class.order.len();
        let level = &mut tree.levels[p];
        level.take_steps(&tree.trie, &tree.items.keys, &class.layout, p);
        tree.progress.spent += self.tuning.expand_work;
        let cell = class.order[p];
        for letter in bits(level.allowed[p]) {
            let (above, below) = tree.levels.split_at_mut(p + 1);
            let (level, child) = (&mut above[p], &mut below[0]);
            let (keys, layout) = (&tree.items.keys, &class.layout);
            let (bounds, read) = level.try_letter(&tree.trie, keys, layout, (p, letter));
            walk.context.counters.bound_items += read;
            tree.progress.spent += read * self.tuning.read_edge_work + self.tuning.try_work;
            let alive = level.open[p][letter];
            walk.tiles[cell] = letter as Tile;
            for strand in strands_of(alive) {
                let bound = bounds.as_ref()[strand];
                walk.context.counters.nodes[fields - p - 1] += 1;
                walk.context.counters.bounds[fields - p - 1] += bound;
                if walk.context.observer.is_some() {
                    walk.tell_strand(level, (p + 1, strand), None, bound);
                }
            }
            let alive = walk.survivors(bounds.as_ref(), alive);
            if alive == 0 {
                continue;
            }
            if tree.progress.spent > tree.progress.limit {
                return Err(Exhausted);
            }
            walk.context.counters.classes += 1;
            level.child(keys, layout, (p, letter), alive, child);
            if Self::obey_order(class, child, letter, p) && Self::narrow(walk, child, p + 1) {
                self.descend(walk, tree, p + 1)?;
            }
        }
        Ok(())
    }

    /// Takes the letters that order constraints rule out from a class that has just decided position
    /// p. False if no board is left.
    fn obey_order<V: Value>(
        class: &Class<K>,
        child: &mut descend::Level<V>,
        letter: usize,
        p: usize,
    ) -> bool {
        class.rules[class.order[p]].iter().filter(|rule| rule.0 > p).all(|(q, beside)| {
            child.strike(*q, child.allowed[*q] & beside[letter]);
            child.allowed[*q] != 0
        })
    }

    /// Takes the letters that its rows rule out from a class that leaves the positions from p on
    /// undecided, strand by strand. False if no board is left.
    pub(super) fn narrow<V: Value>(
        walk: &mut Walk<'_, '_, K>,
        child: &mut descend::Level<V>,
        p: usize,
    ) -> bool {
        let bounds = child.bound(p);
        if walk.context.observer.is_some() {
            for strand in strands_of(child.alive) {
                walk.tell_strand(child, (p, strand), None, bounds.as_ref()[strand]);
            }
        }
        let alive = walk.survivors(bounds.as_ref(), child.alive);
        if alive == 0 {
            return false;
        }
        child.keep_strands(alive, p);
        let cutoff = walk.context.cutoff;
        let eliminated = child.narrow(p, bounds, cutoff, |level, d, letter, strands, under| {
            for strand in strands_of(strands) {
                let bound = under.get(strand);
                walk.context.prunes(bound);
                if walk.context.observer.is_some() {
                    walk.tell_strand(level, (p, strand), Some((d, 1 << letter)), bound);
                }
            }
        });
        walk.context.counters.letters_eliminated += eliminated;
        true
    }

    /// Whether the list of a level is long enough for a tree.
    fn is_long(&self, depth: usize) -> bool {
        self.levels[depth].items.len() as u64 >= self.tuning.tree_from_items
    }

    fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|l| l.items.bytes() + l.parts.bytes()).sum();
        levels
            + self.lister.bytes()
            + self.dominators.bytes()
            + self.narrow.bytes()
            + self.wide.bytes()
            + self.narrow_tree.bytes()
            + self.wide_tree.bytes()
            + self.narrow_braid.bytes()
            + self.wide_braid.bytes()
    }

    /// Searches the boards of a node. Its class is entered in the recorder, and is left here.
    fn visit(&mut self, walk: &mut Walk<'_, '_, K>, mut node: Node, depth: usize) {
        let class = walk.class;
        let items = self.levels[depth].items.len() as u64;
        let work = self.tuning.expand_work + self.tuning.gather_item_work * items;
        walk.context.work_left = walk.context.work_left.saturating_sub(work);
        if walk.context.work_left == 0 {
            return;
        }
        walk.context.counters.nodes[node.undecided.len()] += 1;
        if node.undecided.is_empty() {
            walk.context.counters.bounds[0] += node.base;
            walk.observe_node(&node, None, node.base);
            let end = self.leaf(walk.context, &walk.tiles, node.base);
            walk.context.recorder.leave(Some(end));
            return;
        }
        let verdict = self.reduce(walk, &mut node, depth);
        if let Verdict::Pruned(bound) = verdict {
            walk.context.recorder.leave(Some(Certificate::Prune(bound)));
            return;
        }
        let recorded = walk.context.recorder.is_on() && self.is_long(depth);
        let p = if recorded {
            node.undecided[0]
        } else {
            self.branch_position(walk.context.cutoff, &node, depth)
        };
        let children = Self::children(walk.task, class, &node, p);
        walk.context.recorder.divide(class.order[p]);
        let impossible = children.iter().fold(node.allowed[p], |rest, child| rest & !(1 << child.0));
        walk.context.recorder.skip(impossible, 0);
        node.undecided.retain(|&q| q != p);
        let level = &mut self.levels[depth];
        level.parts.split(&mut level.items, &class.layout, p);
        for (letter, allowed) in children {
            walk.context.recorder.enter(1 << letter);
            walk.tiles[class.order[p]] = letter as Tile;
            let narrowed: Vec<usize> =
                node.undecided.iter().copied().filter(|&q| allowed[q] != node.allowed[q]).collect();
            let found = self.force(walk.context, class, depth, letter + 1, &narrowed, &allowed);
            let child = Node { allowed, undecided: node.undecided.clone(), base: node.base + found };
            self.visit(walk, child, depth + 1);
        }
        walk.context.recorder.leave(None);
    }

    /// The letters of a position that are worth a child, with the letters of the child.
    fn children(task: &Task, class: &Class<K>, node: &Node, position: usize) -> Vec<(usize, Vec<u32>)> {
        let cell = class.order[position];
        let child = |letter: usize| {
            let mut allowed = node.allowed.clone();
            allowed[position] = 1 << letter;
            for &q in node.undecided.iter().filter(|&&q| q != position) {
                allowed[q] &= task.allowed_beside(cell, letter, class.order[q]);
            }
            (letter, allowed)
        };
        let lives = |child: &(usize, Vec<u32>)| node.undecided.iter().all(|&q| child.1[q] != 0);
        bits(node.allowed[position]).map(child).filter(lives).collect()
    }

    /// A single board. Its base is its score where every dominated item was dropped, and at least
    /// that otherwise; the scorer, which shares no code with this search, has the last word.
    fn leaf(&mut self, context: &mut Context<'_>, tiles: &[Tile], base: u64) -> Certificate {
        if context.prunes(base) {
            return Certificate::Prune(base);
        }
        context.counters.leaves += 1;
        if context.rest == Rest::Asked {
            // There are such boards: the bound that was hoped for does not hold.
            context.work_left = 0;
            return Certificate::Prune(base);
        }
        let board = Board::new(context.dims, tiles);
        let score = context.scorer.score(&board);
        assert!(score <= base, "the bound {base} of board {board} is below its score {score}");
        if !context.prunes(score) {
            context.boards.push((board, score));
        }
        Certificate::Board(score)
    }

    /// Builds the child's list in the next level; returns the points of the words found.
    fn force(
        &mut self,
        context: &mut Context<'_>,
        class: &Class<K>,
        depth: usize,
        code: usize,
        narrowed: &[usize],
        allowed: &[u32],
    ) -> u64 {
        let (levels, below) = self.levels.split_at_mut(depth + 1);
        let (level, child) = (&levels[depth], &mut below[0].items);
        let keep = |key: K| {
            narrowed.iter().all(|&q| {
                let code = class.layout.code(key, q);
                code == 0 || allowed[q] >> (code - 1) & 1 == 1
            })
        };
        let points = &context.words.points;
        let (unused, dominators) = (&level.items, &mut self.dominators);
        let found = level.parts.child(code, unused, &class.layout, points, dominators, &keep, child);
        context.counters.built_items += (unused.len() + level.parts.count(code)) as u64;
        found
    }

    /// Bounds the node and drops letters that cannot reach the cutoff, with their items, until
    /// that changes little.
    fn reduce(&mut self, walk: &mut Walk<'_, '_, K>, node: &mut Node, depth: usize) -> Verdict {
        let class = walk.class;
        let mut counts = true;
        loop {
            let bound = node.base + self.probe(walk.context, class, node, depth);
            if std::mem::take(&mut counts) {
                walk.context.counters.bounds[node.undecided.len()] += bound;
            }
            walk.observe_node(node, None, bound);
            if walk.context.prunes(bound) {
                walk.context.counters.pruned_by_bound += 1;
                return Verdict::Pruned(bound);
            }
            if walk.context.recorder.is_on() && self.is_long(depth) {
                // A checker would have to bound the whole class again for every cell that loses letters:
                // only the cell that is branched on does, the first one.
                let p = node.undecided[0];
                let row = self.levels[depth].with_letter[p].map(|value| node.base + value);
                strike(walk, p, &row, node);
                return if node.allowed[p] == 0 { Verdict::Pruned(bound) } else { Verdict::Open };
            }
            let changed = self.eliminate(walk, node, depth);
            if node.undecided.iter().any(|&p| node.allowed[p] == 0) {
                walk.context.counters.pruned_by_letters += 1;
                return Verdict::Pruned(walk.context.cutoff - 1);
            }
            if changed.is_empty() {
                return Verdict::Open;
            }
            let items = &mut self.levels[depth].items;
            let before = items.len();
            let allowed = &node.allowed;
            items.retain(|key| {
                changed.iter().all(|&p| {
                    let code = class.layout.code(key, p);
                    code == 0 || allowed[p] >> (code - 1) & 1 == 1
                })
            });
            if items.len() as u64 * 16 > before as u64 * self.tuning.probe_again_sixteenths {
                return Verdict::Open;
            }
        }
    }

    /// U of the node without its base; fills `with_letter`.
    fn probe(&mut self, context: &mut Context<'_>, class: &Class<K>, node: &Node, depth: usize) -> u64 {
        let level = &mut self.levels[depth];
        class.layout.restrict_to(&node.undecided, &mut level.layout);
        context.counters.bound_items += level.items.len() as u64;
        let points = &context.words.points;
        // A lane that saturates stands for at least 65,535, which must not be below the cutoff.
        if context.cutoff.saturating_sub(node.base) <= self.tuning.narrow_lanes_up_to {
            let (probe_space, layout) = (&mut self.narrow, &level.layout);
            let bound = probe(probe_space, &level.items, points, layout);
            copy_rows(&self.narrow, &node.undecided, &mut level.with_letter);
            bound
        } else {
            let bound = probe(&mut self.wide, &level.items, points, &level.layout);
            copy_rows(&self.wide, &node.undecided, &mut level.with_letter);
            bound
        }
    }

    /// Drops the letters m of undecided cells d with base + U(d = m) below the cutoff; returns the
    /// positions that lost any.
    fn eliminate(&mut self, walk: &mut Walk<'_, '_, K>, node: &mut Node, depth: usize) -> Vec<usize> {
        let rows = &self.levels[depth].with_letter;
        let mut changed = Vec::new();
        for i in 0..node.undecided.len() {
            let p = node.undecided[i];
            let before = node.allowed[p];
            let row = rows[p].map(|value| node.base + value);
            strike(walk, p, &row, node);
            if node.allowed[p] != before {
                changed.push(p);
            }
            if node.allowed[p] == 0 {
                break;
            }
        }
        changed
    }

    /// The cell to branch on: the one whose letters promise the smallest subtrees. Subtrees grow
    /// steeply with the bound: see [`Tuning::branch_power`].
    fn branch_position(&self, cutoff: u64, node: &Node, depth: usize) -> usize {
        let rows = &self.levels[depth].with_letter;
        let power = self.tuning.branch_power as i32;
        let weight = |p: usize| -> f64 {
            bits(node.allowed[p])
                .map(|letter| ((node.base + rows[p][letter]) as f64 / cutoff.max(1) as f64).powi(power))
                .sum()
        };
        let weighted = node.undecided.iter().map(|&p| (p, weight(p)));
        weighted.min_by(|a, b| a.1.total_cmp(&b.1)).expect("an undecided cell").0
    }
}

/// The letters whose bound is below the cutoff, and the highest of their bounds.
fn below_cutoff(letters: u32, bounds: &[u64; LANES], cutoff: u64) -> (u32, u64) {
    let low = bits(letters).filter(|&m| bounds[m] < cutoff);
    low.fold((0, 0), |(gone, highest), m| (gone | 1 << m, highest.max(bounds[m])))
}

/// Drops the letters of a position whose bound is below the cutoff.
fn strike<K: Key>(walk: &mut Walk<'_, '_, K>, position: usize, bounds: &[u64; LANES], node: &mut Node) {
    let (gone, highest) = below_cutoff(node.allowed[position], bounds, walk.context.cutoff);
    if gone != 0 {
        walk.observe_node(node, Some((position, gone)), highest);
        node.allowed[position] &= !gone;
        walk.context.prunes(highest);
        walk.context.counters.letters_eliminated += u64::from(gone.count_ones());
        walk.context.recorder.strike(walk.class.order[position], gone, highest, node.allowed[position]);
    }
}

fn copy_rows<V: Lane>(probe: &Probe<V>, undecided: &[usize], with_letter: &mut [[u64; LANES]]) {
    for (row, &p) in probe.rows.iter().zip(undecided) {
        for lane in 0..LANES {
            with_letter[p][lane] = row[lane].value();
        }
    }
}

/// The indices of the bits set.
#[inline(always)]
pub(crate) fn bits(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask: u64 = mask.into();
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
