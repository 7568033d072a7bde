//! The search of a **group**: a class in which one cell, the **varied** one, has several letters, searched
//! one letter after the other with lists and trees that the letters share.
//!
//! Most items of such a class do not use the varied cell, so they are the same for all its letters. They are
//! listed, sorted and made a tree once: the **shared** tree, of the class with the varied cell closed. Each
//! letter gets a small tree of its own: the placements that use the varied cell. The usual search starts at
//! both roots.
//!
//! **Why the bounds hold.** Take a board of the class with letter z on the varied cell. A placement of a word
//! on it either avoids the varied cell, and then it is in the shared list or a move to a decided cell
//! dominates it; or it uses that cell, and then the same is true of the own list of z. A move puts a decided
//! cell in place of an undecided one, so the placement it leads to avoids the varied cell if the first one
//! did, and uses it if the first one did; as the residual shrinks, moves end at a placement that is listed.
//! So each word of the board has a satisfied residual in one of the two lists, and S(B) is at most the bases
//! plus the points of the satisfied items of both. An active node bounds what its items add, whatever tree
//! it is of (see `descend`), and a list that is gathered from both trees has the items of both.
//!
//! No order constraint may tie the varied cell: then the class and its constraints are the same for all
//! letters but for that cell.

use super::descend;
use super::items::{Class, Items, Listing, Which};
use super::key::Key;
use super::probe::Lane;
use super::search::{Context, Descent, Exhausted, Progress, Rest, Search, Walk, bits};
use super::task::Task;
use crate::Tile;

/// A group, its class with the varied cell closed, and how its cells are ordered.
struct Group<'a, K> {
    task: &'a Task,
    varied: usize,
    closed: Class<K>,
    order: &'a [usize],
}

/// What the lists of a group hold, how many items at most, and how much work is allowed for a letter.
#[derive(Clone, Copy)]
struct Plan {
    /// All words, or those that use a decided cell.
    which: Which,
    /// A bound of the points by words that are not listed.
    rest: u64,
    most: usize,
    limit: u64,
}

/// The shared tree of a group in a [`Descent`], whose first items it has.
struct Shared {
    listing: Listing,
    root: u32,
    items: usize,
}

impl<K: Key> Search<K> {
    /// Searches a group. Returns the letters that were not searched, because their lists are too long for the
    /// memory allowed.
    pub fn run_group(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        varied: usize,
        order: &[usize],
        width: u32,
    ) -> u32 {
        let mut closed = task.clone();
        closed.cells[varied] = 0;
        let closed = Class::<K>::new(context.dims, &closed, order, width, context.words.tile_count);
        self.prepare(context, &closed);
        let group = Group { task, varied, closed, order };
        let most = context.max_memory / self.tuning.bytes_per_item as usize;
        let mut left = task.cells[varied];
        context.counters.paths.groups += 1;
        if let Rest::Bounded(rest) = context.rest {
            // As for a single task: a constant in place of the rest, where that is enough.
            context.counters.paths.bounded_rests += 1;
            let most = most.min(self.tuning.through_items as usize);
            let plan = Plan { which: Which::Through, rest, most, limit: self.tuning.through_work };
            left = self.run_letters_in_lanes(context, &group, left, plan);
        }
        if left != 0 {
            let plan = Plan { which: Which::All, rest: 0, most, limit: u64::MAX };
            left = self.run_letters_in_lanes(context, &group, left, plan);
        }
        self.account(context);
        left
    }

    /// Searches letters of the varied cell by narrow lanes where the cutoff fits into them.
    fn run_letters_in_lanes(
        &mut self,
        context: &mut Context<'_>,
        group: &Group<'_, K>,
        letters: u32,
        plan: Plan,
    ) -> u32 {
        if context.cutoff <= self.tuning.narrow_lanes_up_to {
            let mut tree = std::mem::take(&mut self.narrow_tree);
            let left = self.run_letters(context, &mut tree, group, letters, plan);
            self.narrow_tree = tree;
            left
        } else {
            let mut tree = std::mem::take(&mut self.wide_tree);
            let left = self.run_letters(context, &mut tree, group, letters, plan);
            self.wide_tree = tree;
            left
        }
    }

    /// Searches letters of the varied cell, the rare ones first. Returns those that are left where the lists
    /// grow too long or a letter takes more work than is allowed; the letters after it would take more still.
    fn run_letters<V: Lane>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        group: &Group<'_, K>,
        letters: u32,
        plan: Plan,
    ) -> u32 {
        let fields = group.closed.order.len();
        let Some(shared) = self.plant_shared(context, tree, &group.closed, plan) else { return letters };
        tree.levels.clear();
        tree.levels.resize_with(fields + 1, || descend::Level::new(fields, self.tuning));
        tree.progress = Progress { merge_from: vec![u64::MAX; fields + 1], ..Progress::default() };
        let mut by_rank: Vec<usize> = bits(letters).collect();
        by_rank.sort_by_key(|&letter| group.task.ranks[letter]);
        let mut left = letters;
        for letter in by_rank {
            let boards = context.boards.len();
            match self.run_letter(context, tree, group, &shared, letter, plan) {
                Some(Ok(())) => left &= !(1 << letter),
                done => {
                    // What was found is found again.
                    context.boards.truncate(boards);
                    context.counters.paths.rests_given_up += u64::from(done.is_some());
                    break;
                }
            }
        }
        // The next list is written where these were.
        std::mem::swap(&mut tree.items, &mut self.levels[0].items);
        left
    }

    /// Lists what does not use the varied cell and makes its tree. None if there is too much of it.
    fn plant_shared<V: Lane>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        closed: &Class<K>,
        plan: Plan,
    ) -> Option<Shared> {
        let list = &mut self.levels[0].items;
        let listing = self.lister.list(context.words, closed, plan.which, plan.most, list)?;
        count_list(context, &listing, list);
        let items = list.len();
        let roots = tree.plant(list, None, &context.words.points, &closed.layout);
        Some(Shared { listing, root: roots[0], items })
    }

    /// Searches a letter of the varied cell. None if its list is too long.
    fn run_letter<V: Lane>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        group: &Group<'_, K>,
        shared: &Shared,
        letter: usize,
        plan: Plan,
    ) -> Option<Result<(), Exhausted>> {
        let Group { varied, closed, order, .. } = group;
        let mut task = group.task.clone();
        task.cells[*varied] = 1 << letter;
        let class =
            Class::<K>::new(context.dims, &task, order, closed.layout.width, context.words.tile_count);
        let own = &mut self.levels[0].items;
        let which = Which::Using(*varied);
        let listing =
            self.lister.list(context.words, &class, which, plan.most.saturating_sub(shared.items), own)?;
        if !shared.listing.found.is_empty() {
            own.retain_tagged(|tag| !shared.listing.found.contains(&tag));
        }
        count_list(context, &listing, own);
        let mark = tree.trie.mark();
        tree.items.truncate(shared.items);
        tree.items.extend_from(own);
        let root = tree.trie.build(&tree.items, shared.items, &context.words.points, &class.layout);
        let level = &mut tree.levels[0];
        for (p, &cell) in class.order.iter().enumerate() {
            level.allow(p, class.cells[cell]);
        }
        tree.base = plan.rest + shared.listing.base + listing.base;
        level.start(&tree.trie, &[shared.root, root], tree.base);
        (tree.progress.spent, tree.progress.limit) = (0, plan.limit);
        context.work_left = plan.limit;
        let tiles = class.cells.iter().map(|m| m.trailing_zeros() as Tile).collect();
        let done =
            self.descend(&mut Walk { context: &mut *context, task: &task, class: &class, tiles }, tree, 0);
        tree.trie.cut(mark);
        Some(if context.work_left > 0 { done } else { Err(Exhausted) })
    }
}

fn count_list<K: Key>(context: &mut Context<'_>, listing: &Listing, list: &Items<K>) {
    context.counters.placements += listing.placements;
    context.counters.first_items += list.len() as u64;
    context.counters.built_items += list.len() as u64;
}
