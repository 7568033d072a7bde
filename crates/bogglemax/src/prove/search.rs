//! The search below one class: bound, eliminate letters, branch.

use super::certificate::{Certificate, Recorder};
use super::counters::Counters;
use super::force::{Dominators, Moves, Parts};
use super::items::{Class, Items, Lister};
use super::key::{Key, Layout};
use super::lanes::{Lanes, bound_last};
use super::probe::{LANES, Lane, Probe, probe};
use super::task::Task;
use super::words::Words;
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
    /// The letters of every node visited and its bound.
    #[cfg(test)]
    pub visited: &'a mut Vec<(Vec<u32>, u64)>,
}

/// Lists and tables for classes of one key width, reused from task to task.
pub(crate) struct Search<K> {
    levels: Vec<Level<K>>,
    lister: Lister<K>,
    dominators: Dominators<K>,
    moves: Moves,
    narrow: Probe<u16>,
    wide: Probe<u64>,
    narrow_lanes: Lanes<u16>,
    wide_lanes: Lanes<u64>,
}

/// One level of the depth-first search.
struct Level<K> {
    /// The node's items; once it is branched on, those that do not use the branch cell.
    items: Items<K>,
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

/// Lists of at least this many items are bounded under the letters of one cell only.
const LONG: usize = if cfg!(test) { 20 } else { 20_000 };

/// A node whose bound is below this many hundredths of the cutoff is probed in full: letters of all
/// cells are worth a try there.
const NEAR: u64 = 110;

impl<K: Key> Search<K> {
    pub fn new(cells: usize) -> Search<K> {
        Search {
            levels: Vec::new(),
            lister: Lister::new(),
            dominators: Dominators::new(),
            moves: Moves::new(),
            narrow: Probe::new(cells),
            wide: Probe::new(cells),
            narrow_lanes: Lanes::new(),
            wide_lanes: Lanes::new(),
        }
    }

    /// Searches a class for all boards that reach the cutoff.
    pub fn run(&mut self, context: &mut Context<'_>, task: &Task, order: &[usize], width: u32) {
        let class = Class::<K>::new(context.dims, task, order, width, context.words.tile_count);
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
        let node = Node {
            allowed: class.order.iter().map(|&c| class.cells[c]).collect(),
            undecided: (0..fields).collect(),
            base: 0,
        };
        let mut tiles: Vec<Tile> = class.cells.iter().map(|m| m.trailing_zeros() as Tile).collect();
        self.visit_listed(context, task, &class, &mut tiles, node);
        let bytes = self.bytes() as u64;
        context.counters.peak_bytes = context.counters.peak_bytes.max(bytes);
        if bytes > context.max_memory as u64 {
            self.levels.clear();
            self.lister = Lister::new();
        }
    }

    /// Lists all items of the class and searches it.
    fn visit_listed(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        class: &Class<K>,
        tiles: &mut Vec<Tile>,
        mut node: Node,
    ) {
        let listing = self.lister.list(context.words, class, &mut self.levels[0].items);
        context.counters.placements += listing.placements;
        context.counters.first_items += self.levels[0].items.len() as u64;
        node.base = listing.base;
        context.recorder.enter(0);
        self.visit(context, task, class, tiles, node, 0);
    }

    fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|l| l.items.bytes() + l.parts.bytes()).sum();
        levels
            + self.lister.bytes()
            + self.dominators.bytes()
            + self.narrow.bytes()
            + self.wide.bytes()
            + self.moves.bytes()
    }

    /// Searches the boards of a node. Its class is entered in the recorder, and is left here.
    fn visit(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        class: &Class<K>,
        tiles: &mut Vec<Tile>,
        mut node: Node,
        depth: usize,
    ) {
        context.counters.nodes[node.undecided.len()] += 1;
        if node.undecided.is_empty() {
            context.counters.bounds[0] += node.base;
            let end = self.leaf(context, tiles, node.base);
            context.recorder.leave(Some(end));
            return;
        }
        let long = self.levels[depth].items.len() >= LONG;
        let verdict = if long {
            self.reduce_last(context, class, tiles, &mut node, depth)
        } else {
            self.reduce(context, class, tiles, &mut node, depth)
        };
        if let Verdict::Pruned(bound) = verdict {
            context.recorder.leave(Some(Certificate::Prune(bound)));
            return;
        }
        let p = match node.undecided.last() {
            Some(&last) if long => last,
            _ => self.branch_position(context.cutoff, &node, depth),
        };
        let children = Self::children(task, class, &node, p);
        context.recorder.divide(class.order[p]);
        let impossible = children.iter().fold(node.allowed[p], |rest, child| rest & !(1 << child.0));
        context.recorder.skip(impossible, 0);
        node.undecided.retain(|&q| q != p);
        let level = &mut self.levels[depth];
        level.parts.split(&mut level.items, &class.layout, p);
        // A board that satisfies items of a child satisfies some that need the forced letter and some that
        // do not use the cell, and each part has its bound.
        let ahead = long && self.levels[depth].items.len() >= LONG && !node.undecided.is_empty();
        let unused = if ahead { Some(self.bound_part(context, class, &node, depth, 0)) } else { None };
        for (letter, mut allowed) in children {
            context.recorder.enter(1 << letter);
            if let (Some(unused), Some(&next)) = (&unused, node.undecided.last()) {
                let forced = self.bound_part(context, class, &node, depth, letter + 1);
                let both = std::array::from_fn(|m| node.base + unused[m] + forced[m]);
                let highest = strike(context, class, next, &both, &mut allowed);
                if allowed[next] == 0 {
                    context.counters.pruned_ahead += 1;
                    context.recorder.leave(Some(Certificate::Prune(highest)));
                    continue;
                }
            }
            tiles[class.order[p]] = letter as Tile;
            let narrowed: Vec<usize> =
                node.undecided.iter().copied().filter(|&q| allowed[q] != node.allowed[q]).collect();
            let found = self.force(context, class, depth, letter + 1, &narrowed, &allowed);
            let child = Node { allowed, undecided: node.undecided.clone(), base: node.base + found };
            self.visit(context, task, class, tiles, child, depth + 1);
        }
        context.recorder.leave(None);
    }

    /// Bounds one of the parts into which a level's list was split, under every letter of the last
    /// undecided position: the items that need the letter with this code, or those that do not use
    /// the branch cell (code 0).
    fn bound_part(
        &mut self,
        context: &mut Context<'_>,
        class: &Class<K>,
        node: &Node,
        depth: usize,
        code: usize,
    ) -> [u64; LANES] {
        let level = &mut self.levels[depth];
        class.layout.restrict_to(&node.undecided, &mut level.layout);
        let part = if code == 0 { level.items.as_slices() } else { level.parts.forced(code) };
        context.counters.bound_items += part.0.len() as u64;
        let points = &context.words.points;
        if context.cutoff <= u64::from(u16::MAX) {
            // A lane that saturates stands for at least its value, which the cutoff is not above.
            let at_least = |lane: u16| if lane == u16::MAX { u64::MAX >> 8 } else { lane.into() };
            bound_last(&mut self.narrow_lanes, part, points, &level.layout).map(at_least)
        } else {
            bound_last(&mut self.wide_lanes, part, points, &level.layout)
        }
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
        if base < context.cutoff {
            context.largest_pruned = context.largest_pruned.max(base);
            return Certificate::Prune(base);
        }
        context.counters.leaves += 1;
        let board = Board::new(context.dims, tiles);
        let score = context.scorer.score(&board);
        assert!(score <= base, "the bound {base} of board {board} is below its score {score}");
        if score >= context.cutoff {
            context.boards.push((board, score));
        } else {
            context.largest_pruned = context.largest_pruned.max(score);
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
        let found = if unused.len() >= LONG {
            let words = (context.words.len(), points);
            level.parts.long_child(code, unused, &class.layout, words, &mut self.moves, &keep, child)
        } else {
            level.parts.child(code, unused, &class.layout, points, dominators, &keep, child)
        };
        context.counters.built_items += (unused.len() + level.parts.count(code)) as u64;
        found
    }

    /// Bounds the children of the last undecided cell, and drops its letters that cannot reach the
    /// cutoff. Near the cutoff letters of other cells are worth a try as well.
    fn reduce_last(
        &mut self,
        context: &mut Context<'_>,
        class: &Class<K>,
        tiles: &[Tile],
        node: &mut Node,
        depth: usize,
    ) -> Verdict {
        let last = *node.undecided.last().expect("undecided cells");
        let row = self.bound_part(context, class, node, depth, 0).map(|value| node.base + value);
        let best = bits(node.allowed[last]).map(|m| row[m]).max().unwrap_or(0);
        context.counters.bounds[node.undecided.len()] += best.min(u64::from(u16::MAX) + node.base);
        #[cfg(test)]
        audit(context, class, tiles, node, best);
        strike(context, class, last, &row, &mut node.allowed);
        if node.allowed[last] == 0 {
            context.counters.pruned_by_bound += 1;
            return Verdict::Pruned(best);
        }
        if best.saturating_mul(100) < context.cutoff.saturating_mul(NEAR) {
            return self.reduce(context, class, tiles, node, depth);
        }
        Verdict::Open
    }

    /// Bounds the node and drops letters that cannot reach the cutoff, with their items, until
    /// that changes little.
    fn reduce(
        &mut self,
        context: &mut Context<'_>,
        class: &Class<K>,
        tiles: &[Tile],
        node: &mut Node,
        depth: usize,
    ) -> Verdict {
        #[cfg(not(test))]
        let _ = tiles;
        // A long list was bounded, and counted, before it came here.
        let mut counts = self.levels[depth].items.len() < LONG;
        loop {
            let bound = node.base + self.probe(context, class, node, depth);
            if std::mem::take(&mut counts) {
                context.counters.bounds[node.undecided.len()] += bound;
            }
            #[cfg(test)]
            audit(context, class, tiles, node, bound);
            if bound < context.cutoff {
                context.largest_pruned = context.largest_pruned.max(bound);
                context.counters.pruned_by_bound += 1;
                return Verdict::Pruned(bound);
            }
            let changed = self.eliminate(context, class, node, depth);
            if node.undecided.iter().any(|&p| node.allowed[p] == 0) {
                context.counters.pruned_by_letters += 1;
                return Verdict::Pruned(context.cutoff - 1);
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
            if items.len() * 16 > before * 15 {
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
        if context.cutoff.saturating_sub(node.base) <= u64::from(u16::MAX) {
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
    fn eliminate(
        &mut self,
        context: &mut Context<'_>,
        class: &Class<K>,
        node: &mut Node,
        depth: usize,
    ) -> Vec<usize> {
        let rows = &self.levels[depth].with_letter;
        let mut changed = Vec::new();
        for &p in &node.undecided {
            let before = node.allowed[p];
            let row = rows[p].map(|value| node.base + value);
            strike(context, class, p, &row, &mut node.allowed);
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
    /// steeply with the bound; its fourth power did well.
    fn branch_position(&self, cutoff: u64, node: &Node, depth: usize) -> usize {
        let rows = &self.levels[depth].with_letter;
        let weight = |p: usize| -> f64 {
            bits(node.allowed[p])
                .map(|letter| ((node.base + rows[p][letter]) as f64 / cutoff.max(1) as f64).powi(4))
                .sum()
        };
        let weighted = node.undecided.iter().map(|&p| (p, weight(p)));
        weighted.min_by(|a, b| a.1.total_cmp(&b.1)).expect("an undecided cell").0
    }
}

/// Drops the letters of a position whose bound is below the cutoff; returns the highest of their bounds.
fn strike<K: Key>(
    context: &mut Context<'_>,
    class: &Class<K>,
    position: usize,
    bounds: &[u64; LANES],
    allowed: &mut [u32],
) -> u64 {
    let low = |&m: &usize| bounds[m] < context.cutoff;
    let (gone, highest) =
        bits(allowed[position]).filter(low).fold((0, 0), |(g, h), m| (g | 1 << m, h.max(bounds[m])));
    if gone != 0 {
        allowed[position] &= !gone;
        context.largest_pruned = context.largest_pruned.max(highest);
        context.counters.letters_eliminated += u64::from(gone.count_ones());
        context.recorder.strike(class.order[position], gone, highest, allowed[position]);
    }
    highest
}

fn copy_rows<V: Lane>(probe: &Probe<V>, undecided: &[usize], with_letter: &mut [[u64; LANES]]) {
    for (row, &p) in probe.rows.iter().zip(undecided) {
        for lane in 0..LANES {
            with_letter[p][lane] = row[lane].value();
        }
    }
}

#[cfg(test)]
fn audit<K>(context: &mut Context<'_>, class: &Class<K>, tiles: &[Tile], node: &Node, bound: u64) {
    let mut cells: Vec<u32> = tiles.iter().map(|&t| 1 << t).collect();
    for &p in &node.undecided {
        cells[class.order[p]] = node.allowed[p];
    }
    context.visited.push((cells, bound));
}

/// The indices of the bits set.
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}
