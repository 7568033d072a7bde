//! The search below one class: bound, eliminate letters, branch.

use super::counters::Counters;
use super::force::{Dominators, Parts};
use super::groups::{Groups, MOST_DECIDED, Maker};
use super::items::{Class, Items, Lister};
use super::key::{Key, Layout};
use super::lookahead::{PREFIX, Prefixes};
use super::probe::{LANES, Lane, Probe, probe, probe_prefixes};
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
    /// The letters of every node visited and its bound.
    #[cfg(test)]
    pub visited: &'a mut Vec<(Vec<u32>, u64)>,
}

/// Lists and tables for classes of one key width, reused from task to task.
pub(crate) struct Search<K> {
    levels: Vec<Level<K>>,
    lister: Lister<K>,
    dominators: Dominators<K>,
    narrow: Probe<u16>,
    wide: Probe<u64>,
    prefixes: Prefixes,
    groups: Groups<K>,
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
    Pruned,
    Open,
}

/// What is known of the children of a node: the branch position, and for each letter that is left
/// the letters of the child.
struct Branch {
    position: usize,
    children: Vec<(usize, Vec<u32>)>,
}

/// Word lists of at least this many words are worth sharing items between tasks.
const MANY_WORDS: usize = if cfg!(test) { 100 } else { 2_000 };

/// Lists of at least this many items are worth a table of prefixes.
const LOOK_AHEAD: usize = if cfg!(test) { 20 } else { 20_000 };

impl<K: Key> Search<K> {
    pub fn new(cells: usize, tiles: usize) -> Search<K> {
        Search {
            levels: Vec::new(),
            lister: Lister::new(),
            dominators: Dominators::new(),
            narrow: Probe::new(cells),
            wide: Probe::new(cells),
            prefixes: Prefixes::new(tiles),
            groups: Groups::new(),
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
        let decided = class.cells.len() - fields;
        if (1..=MOST_DECIDED).contains(&decided)
            && fields > PREFIX
            && (1..=u64::from(u16::MAX)).contains(&context.cutoff)
            && context.words.len() >= MANY_WORDS
        {
            self.visit_groups(context, task, &class, &mut tiles, node);
        } else {
            self.visit_listed(context, task, &class, &mut tiles, node);
        }
        let bytes = self.bytes() as u64;
        context.counters.peak_bytes = context.counters.peak_bytes.max(bytes);
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
        self.visit(context, task, class, tiles, node, 0);
    }

    /// Branches on the first cell by the tables of the task's groups, and lists only the children
    /// that these do not rule out.
    fn visit_groups(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        class: &Class<K>,
        tiles: &mut Vec<Tile>,
        mut node: Node,
    ) {
        context.counters.nodes[node.undecided.len()] += 1;
        let mut maker = Maker {
            words: context.words,
            lister: &mut self.lister,
            probe: &mut self.narrow,
            prefixes: &mut self.prefixes,
            counters: context.counters,
        };
        let names = self.groups.prepare(&mut maker, task, class, context.max_memory / 4);
        self.prefixes.set_sum(class.order.len(), self.groups.tables(&names));
        let children = self.children(context, task, class, &node, 0, true);
        node.undecided.remove(0);
        for (letter, allowed) in children {
            let mut maker = Maker {
                words: context.words,
                lister: &mut self.lister,
                probe: &mut self.narrow,
                prefixes: &mut self.prefixes,
                counters: context.counters,
            };
            let items = &mut self.levels[1].items;
            self.groups.child(&mut maker, class, &names, &allowed, items);
            tiles[class.order[0]] = letter as Tile;
            // Dominance costs more than bounds: most children die or shrink without it.
            let base = items.take_found(&context.words.points);
            let mut child = Node { allowed, undecided: node.undecided.clone(), base };
            if let Verdict::Open = self.reduce(context, class, tiles, &mut child, 1) {
                let items = &mut self.levels[1].items;
                self.dominators.clean(items, &class.layout);
                self.visit(context, task, class, tiles, child, 1);
            }
        }
        self.groups.shrink(context.max_memory / 4);
    }

    fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|l| l.items.bytes() + l.parts.bytes()).sum();
        levels
            + self.groups.bytes()
            + self.lister.bytes()
            + self.dominators.bytes()
            + self.narrow.bytes()
            + self.wide.bytes()
            + self.prefixes.bytes()
    }

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
            self.leaf(context, tiles, node.base);
            return;
        }
        if let Verdict::Pruned = self.reduce(context, class, tiles, &mut node, depth) {
            return;
        }
        let branch = self.branch(context, task, class, &node, depth);
        let p = branch.position;
        node.undecided.retain(|&q| q != p);
        let level = &mut self.levels[depth];
        level.parts.split(&mut level.items, &class.layout, p);
        for (letter, allowed) in branch.children {
            tiles[class.order[p]] = letter as Tile;
            let narrowed: Vec<usize> =
                node.undecided.iter().copied().filter(|&q| allowed[q] != node.allowed[q]).collect();
            let found = self.force(context, class, depth, letter + 1, &narrowed, &allowed);
            let child = Node { allowed, undecided: node.undecided.clone(), base: node.base + found };
            self.visit(context, task, class, tiles, child, depth + 1);
        }
    }

    /// Picks the cell to branch on and the letters worth a child.
    fn branch(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        class: &Class<K>,
        node: &Node,
        depth: usize,
    ) -> Branch {
        let need = context.cutoff.saturating_sub(node.base);
        let looks_ahead = self.levels[depth].items.len() >= LOOK_AHEAD
            && node.undecided.len() > PREFIX
            && need <= u64::from(u16::MAX);
        let position =
            if looks_ahead { node.undecided[0] } else { self.branch_position(context.cutoff, node, depth) };
        Branch { position, children: self.children(context, task, class, node, position, looks_ahead) }
    }

    /// The letters of a position that are worth a child, with the letters of the child. With
    /// `looks_ahead` the position is the first undecided one and the table of prefixes is filled.
    fn children(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        class: &Class<K>,
        node: &Node,
        position: usize,
        looks_ahead: bool,
    ) -> Vec<(usize, Vec<u32>)> {
        let need = context.cutoff.saturating_sub(node.base);
        let cell = class.order[position];
        let mut children = Vec::new();
        for letter in bits(node.allowed[position]) {
            let mut allowed = node.allowed.clone();
            allowed[position] = 1 << letter;
            for &q in &node.undecided {
                if q != position {
                    allowed[q] &= task.allowed_beside(cell, letter, class.order[q]);
                }
            }
            if looks_ahead {
                let letters: Vec<u32> = node.undecided.iter().map(|&q| allowed[q]).collect();
                self.prefixes.fix_first(letter, &letters);
                let possible = self.prefixes.possible(&letters, need);
                if possible.as_ref() != Some(&letters) {
                    // The table tells which sums miss the cutoff, not by how much.
                    let below = context.cutoff.saturating_sub(1);
                    context.largest_pruned = context.largest_pruned.max(below);
                }
                let Some(possible) = possible else {
                    context.counters.pruned_ahead += 1;
                    continue;
                };
                for (&q, letters) in node.undecided.iter().zip(possible) {
                    allowed[q] = letters;
                }
            }
            if node.undecided.iter().all(|&q| allowed[q] != 0) {
                children.push((letter, allowed));
            }
        }
        children
    }

    /// A single board. Its base is its score where every dominated item was dropped, and at least
    /// that otherwise; the scorer, which shares no code with this search, has the last word.
    fn leaf(&mut self, context: &mut Context<'_>, tiles: &[Tile], base: u64) {
        if base < context.cutoff {
            context.largest_pruned = context.largest_pruned.max(base);
            return;
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
        loop {
            let bound = node.base + self.probe(context, class, node, depth);
            #[cfg(test)]
            audit(context, class, tiles, node, bound);
            if bound < context.cutoff {
                context.largest_pruned = context.largest_pruned.max(bound);
                context.counters.pruned_by_bound += 1;
                return Verdict::Pruned;
            }
            let changed = self.eliminate(context, node, depth);
            if node.undecided.iter().any(|&p| node.allowed[p] == 0) {
                context.counters.pruned_by_letters += 1;
                return Verdict::Pruned;
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
            let bound = if level.items.len() >= LOOK_AHEAD {
                probe_prefixes(probe_space, &level.items, points, layout, &mut self.prefixes)
            } else {
                probe(probe_space, &level.items, points, layout)
            };
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
    fn eliminate(&mut self, context: &mut Context<'_>, node: &mut Node, depth: usize) -> Vec<usize> {
        let rows = &self.levels[depth].with_letter;
        let mut changed = Vec::new();
        for &p in &node.undecided {
            let mut left = 0;
            for letter in bits(node.allowed[p]) {
                let bound = node.base + rows[p][letter];
                if bound >= context.cutoff {
                    left |= 1 << letter;
                } else {
                    context.largest_pruned = context.largest_pruned.max(bound);
                }
            }
            if left != node.allowed[p] {
                context.counters.letters_eliminated += u64::from((node.allowed[p] ^ left).count_ones());
                node.allowed[p] = left;
                changed.push(p);
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
