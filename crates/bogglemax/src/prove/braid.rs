//! The search of a **braid**: all letters of one cell, the **braided** one, side by side.
//!
//! Neighbouring classes have most of their items in common, and a search reads and merges the same nodes for each
//! of them. So the letters of the first undecided cell are searched together, each as a **strand**: the tree is
//! that of the other undecided cells, and a value in it is a number of points for each strand (see `values`). A
//! class of the search decides a few of those cells; it is a class of boards for each strand that is alive.
//!
//! **Why the bounds hold.** Take a board of the class with letter s on the braided cell. A placement of a word on
//! it either avoids that cell, and then it is in the list with strand s, unless a move to a decided cell or of the
//! letter s to the braided cell dominates it; or it uses that cell, and then the same is true of what was laid for
//! s (see `braid_list`). A move shrinks the residual, and leads to a placement that uses the same decided cells and
//! one more, so moves end at a placement that is listed with strand s. So each word of the board has a satisfied
//! residual in strand s, and what is summed up for s bounds S(B) as it does in a search of the class that decides
//! the braided cell: no number of one strand ever enters that of another. Order constraints that tie the braided
//! cell rule letters of other cells out in some strands from the start.
//!
//! A task may leave several letters on its last anchor, too, the **varied** cell: a **group**. Most items do not use
//! it. They are listed, sorted and made a tree once: the **shared** tree, of the class with the varied cell closed.
//! Each letter gets a small tree of its own: the placements that use the varied cell. The search of a letter starts
//! at both roots.
//!
//! **Why that holds.** A placement on a board with letter z on the varied cell either avoids that cell, and then it
//! is in the shared list or a move dominates it; or it uses that cell, and then the same is true of the own list of
//! z. A move to a cell that is decided leads to a placement that avoids the varied cell if the first one did, and
//! uses it if the first one did. So each word of the board has a satisfied residual in one of the two lists, and
//! S(B) is at most the bases plus the points of the satisfied items of both. An active node bounds what its items
//! add, whatever tree it is of (see `descend`), and a list that is gathered from both trees has the items of both.
//! No order constraint may tie the varied cell: then the class and its constraints are the same for all its letters.

use super::braid_list::BraidListing;
use super::items::{Class, Items};
use super::key::Key;
use super::search::{Context, Descent, Exhausted, Rest, Search, Walk, bits};
use super::task::Task;
use super::values::{STRANDS, Strands, Value};
use crate::Tile;

/// A braid, and the task it belongs to.
struct Braid<'a, K> {
    task: &'a Task,
    /// The class with the braided cell closed, and the varied one.
    class: Class<K>,
    cell: usize,
    varied: Option<usize>,
    /// The letter of each strand.
    letters: Vec<Tile>,
    /// By position and letter, the strands whose boards may hold it.
    open: Vec<[Strands; 32]>,
}

impl<'a, K: Key> Braid<'a, K> {
    fn new(context: &Context<'_>, task: &'a Task, varied: Option<usize>, cell: usize, how: How<'_>) -> Self {
        let letters: Vec<Tile> = bits(task.cells[cell]).map(|tile| tile as Tile).collect();
        let mut closed = task.clone();
        closed.cells[cell] = 0;
        varied.iter().for_each(|&cell| closed.cells[cell] = 0);
        let mut class =
            Class::<K>::new(context.dims, &closed, how.order, how.width, context.words.tile_count);
        class.braided = Some((cell, task.cells[cell]));
        let open = |&other: &usize| {
            let mut strands = [0; 32];
            for (s, &letter) in letters.iter().enumerate() {
                let allowed = class.cells[other] & task.allowed_beside(cell, letter.into(), other);
                bits(allowed).for_each(|m| strands[m] |= 1 << s);
            }
            strands
        };
        let open = class.order.iter().map(open).collect();
        Braid { task, class, cell, varied, letters, open }
    }

    fn alive(&self) -> Strands {
        u32::MAX >> (STRANDS - self.letters.len())
    }
}

/// How cells are ordered, and how wide the fields of keys are.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    pub order: &'a [usize],
    pub width: u32,
}

/// What the lists of a braid hold, how many items at most, and how much work is allowed for a search.
#[derive(Clone, Copy)]
struct Plan {
    /// Only words that use a decided cell.
    through: bool,
    /// A bound of the points by words that are not listed.
    rest: u64,
    most: usize,
    limit: u64,
}

impl<K: Key> Search<K> {
    /// The cell whose letters are searched side by side.
    pub(super) fn braided_cell(&self, context: &Context<'_>, task: &Task, order: &[usize]) -> Option<usize> {
        let is_undecided =
            |cell: &&usize| task.cells[**cell].count_ones() > 1 && task.group() != Some(**cell);
        let undecided = order.iter().filter(is_undecided).count() as u64;
        let braids = !context.recorder.is_on()
            && context.rest != Rest::Asked
            && undecided >= self.tuning.braid_from_cells.max(2);
        order.iter().copied().find(|cell| braids && is_undecided(&cell))
    }

    /// Searches a class with a braided cell; with a varied one, one of its letters after the other. False if its
    /// list is too long for the memory allowed; of a group, `left` gets the letters that were not searched.
    pub(super) fn run_braid(
        &mut self,
        context: &mut Context<'_>,
        task: &Task,
        cell: usize,
        how: How<'_>,
        left: &mut u32,
    ) -> bool {
        let braid = Braid::new(context, task, task.group(), cell, how);
        self.prepare(context, &braid.class);
        let most = context.max_memory / self.tuning.bytes_per_braid_item as usize;
        context.counters.paths.braids += 1;
        context.counters.paths.groups += u64::from(braid.varied.is_some());
        let mut done = false;
        if let Rest::Bounded(rest) = context.rest {
            // A board has at most `rest` points by the rest, so a bound of the other words plus that is a bound.
            // The rest is most of the items of weak tasks, and worth little.
            context.counters.paths.bounded_rests += 1;
            let most = most.min(self.tuning.through_items as usize);
            let plan = Plan { through: true, rest, most, limit: self.tuning.through_work };
            done = self.run_in_lanes(context, &braid, left, plan);
            context.counters.paths.rests_given_up += u64::from(!done);
        }
        if !done {
            let plan = Plan { through: false, rest: 0, most, limit: u64::MAX };
            done = self.run_in_lanes(context, &braid, left, plan);
        }
        self.account(context);
        done
    }

    /// Searches a braid by narrow lanes where the cutoff fits into them. True if nothing is left.
    fn run_in_lanes(
        &mut self,
        context: &mut Context<'_>,
        braid: &Braid<'_, K>,
        left: &mut u32,
        plan: Plan,
    ) -> bool {
        if context.cutoff <= self.tuning.narrow_lanes_up_to {
            let mut tree = std::mem::take(&mut self.narrow_braid);
            let done = self.run_strands(context, &mut tree, braid, left, plan);
            self.narrow_braid = tree;
            done
        } else {
            let mut tree = std::mem::take(&mut self.wide_braid);
            let done = self.run_strands(context, &mut tree, braid, left, plan);
            self.wide_braid = tree;
            done
        }
    }

    fn run_strands<V: Value<Sums = [u64; STRANDS]>>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        braid: &Braid<'_, K>,
        left: &mut u32,
        plan: Plan,
    ) -> bool {
        let Braid { task, class, varied, .. } = braid;
        let through = plan.through.then(|| {
            let others = class.decided().filter(|&cell| cell != braid.cell);
            others.fold(0, |all, cell| all | 1 << cell)
        });
        let list = &mut self.levels[0].items;
        let Some(shared) =
            self.lister.list_braid(context.words, (class, &braid.letters), through, None, plan.most, list)
        else {
            return false;
        };
        count_list(context, &shared, list);
        let items = list.len();
        let roots = tree.plant(list, None, &context.words.points, &class.layout);
        tree.prepare(class.order.len(), self.tuning);
        let done = match varied {
            None => self.search_strands(context, tree, braid, &roots, (task, &shared.base, plan)),
            Some(varied) => {
                // The rare letters first: those after them take more work and more memory.
                let mut letters: Vec<usize> = bits(*left).collect();
                letters.sort_by_key(|&letter| task.ranks[letter]);
                letters.iter().all(|&letter| {
                    let shared = Shared { listing: &shared, root: roots[0], items };
                    let done = self.search_letter(context, tree, braid, shared, (*varied, letter), plan);
                    *left &= !(u32::from(done) << letter);
                    done
                })
            }
        };
        // The next list is written where this one was.
        std::mem::swap(&mut tree.items, &mut self.levels[0].items);
        done
    }

    /// Searches a letter of the varied cell. False if its list is too long or it took too much work.
    fn search_letter<V: Value<Sums = [u64; STRANDS]>>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        braid: &Braid<'_, K>,
        shared: Shared<'_>,
        (varied, letter): (usize, usize),
        plan: Plan,
    ) -> bool {
        let mut task = braid.task.clone();
        task.cells[varied] = 1 << letter;
        let mut class = braid.class.clone();
        class.cells[varied] = 1 << letter;
        let own = &mut self.levels[0].items;
        let (listed, found) = ((&class, &braid.letters[..]), Some(&shared.listing.found[..]));
        let most = plan.most.saturating_sub(shared.items);
        let Some(listing) =
            self.lister.list_braid(context.words, listed, Some(1 << varied), found, most, own)
        else {
            return false;
        };
        count_list(context, &listing, own);
        let mark = tree.trie.mark();
        let root = tree.plant_beside(own, shared.items, &context.words.points, &class.layout);
        let base = std::array::from_fn(|s| shared.listing.base[s] + listing.base[s]);
        let done = self.search_strands(context, tree, braid, &[shared.root, root], (&task, &base, plan));
        tree.trie.cut(mark);
        done
    }

    /// Searches the boards of all strands from the roots of trees on. False if it took too much work; what was
    /// found is forgotten then.
    fn search_strands<V: Value<Sums = [u64; STRANDS]>>(
        &mut self,
        context: &mut Context<'_>,
        tree: &mut Descent<K, V>,
        braid: &Braid<'_, K>,
        roots: &[u32],
        (task, base, plan): (&Task, &[u64; STRANDS], Plan),
    ) -> bool {
        let boards = context.boards.len();
        let base = base.map(|base| base + plan.rest);
        tree.start(roots, |p, m| braid.open[p][m], (base, braid.alive()), plan.limit);
        context.work_left = plan.limit;
        if roots.len() > 1 {
            // The own tree of a letter is small, and merging takes as long as what overlaps.
            let layout = &braid.class.layout;
            let read = tree.levels[0].merge(&mut tree.trie, &tree.items, layout, (0, 0));
            context.counters.built_items += read;
        }
        let tiles = task.cells.iter().map(|m| m.trailing_zeros() as Tile).collect();
        let letters = Some((braid.cell, braid.letters.clone()));
        let mut walk = Walk { context: &mut *context, task, class: &braid.class, tiles, braid: letters };
        let done = if Self::narrow(&mut walk, &mut tree.levels[0], 0) {
            self.descend(&mut walk, tree, 0)
        } else {
            Ok(())
        };
        let done = context.work_left > 0 && !matches!(done, Err(Exhausted));
        if !done {
            // What was found is found again.
            context.boards.truncate(boards);
        }
        done
    }
}

/// The shared tree of a group, whose items come first.
#[derive(Clone, Copy)]
struct Shared<'a> {
    listing: &'a BraidListing,
    root: u32,
    items: usize,
}

fn count_list<K: Key>(context: &mut Context<'_>, listing: &BraidListing, list: &Items<K>) {
    context.counters.placements += listing.placements;
    context.counters.first_items += list.len() as u64;
    context.counters.built_items += list.len() as u64;
}
