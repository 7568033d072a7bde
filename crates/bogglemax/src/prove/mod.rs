//! The fast engine: finds all boards of a class that reach a cutoff, with bounds that converge to
//! the true score.
//!
//! The paper's tree forgets which word a point came from, so its bound converges to D(B), which
//! counts a word once for every set of cells. This engine keeps the word. A node of the search is a
//! class of boards with a **base** (points of words that all its boards have) and a list of
//! **items**: words with a residual, the (cell, letter) pairs that the class does not decide yet.
//! Forcing a cell shortens residuals, and a word that several placements spell is soon left with
//! one: dominance. At a single board the base is S(B), not D(B).
//!
//! The way of a task: `task` (letters and order constraints) -> `patterns`, `items` and `sort` (every
//! placement of every word, sorted; in weak tasks a bound in place of those that use no decided cell) ->
//! `trie` (the list as a tree with bounds) -> `descend` (cells are decided one after the other, by sums
//! over the nodes that stay possible; nodes are merged where that pays) -> short lists without dominated
//! items -> `probe` (the bound, and the bound under every letter of every undecided cell) -> letters that
//! cannot reach the cutoff go, with their items -> `force` (a cell takes a letter) -> `probe` … -> single
//! boards, scored by the independent [`Scorer`]. `search` has the steps.
//!
//! Where a [`Certificate`] is asked for, lists are not made trees: fewer and stronger bounds are easier to
//! check.
//!
//! ```
//! use bogglemax::{Dims, Lexicon, Scoring};
//! use bogglemax::prove::{Engine, Options, Task};
//!
//! let lexicon = Lexicon::from_words("mine", ["tea", "eat", "ate", "seat"])?;
//! let mut engine = Engine::new(&lexicon, &Scoring::boggle(), Dims::new(2, 2)?, 3, Options::default());
//! let letters = "aest".bytes().fold(0, |mask, c| mask | 1u32 << (c - b'a'));
//! let outcome = engine.run(&Task::of_class(&[letters; 4]));
//! let best = outcome.boards.iter().map(|b| b.1).max();
//! assert_eq!(best, Some(4)); // a board with all four letters has all four words
//! # Ok::<(), bogglemax::Error>(())
//! ```

mod certificate;
mod counters;
mod descend;
mod force;
mod items;
mod key;
mod patterns;
mod probe;
mod search;
mod sort;
mod split;
mod task;
#[cfg(test)]
mod tests;
mod trie;
mod words;

pub use certificate::Certificate;
pub use counters::Counters;
pub use split::Split;
pub use task::Task;

use certificate::Recorder;
use key::{Layout, WideKey};
use search::{Context, Rest, Search};
use task::tighten;
use words::Words;

use crate::{Board, Dims, Lexicon, Scorer, Scoring};

/// Settings of an [`Engine`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Bytes that an engine may keep from task to task. The lists of a task take what they need; if that
    /// was more, they are given back after it.
    pub max_memory: usize,
    /// Whether outcomes have a [`Certificate`].
    pub certificate: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_memory: 2 << 30, certificate: false }
    }
}

/// What the search of a task found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Every board of the task that reaches the cutoff, with its score.
    pub boards: Vec<(Board, u64)>,
    /// The largest bound by which boards were ruled out; 0 if none were. Every board of the task
    /// that is not in `boards` scores at most this.
    pub largest_pruned: u64,
    /// What it took.
    pub counters: Counters,
    /// The branch tree, if it was asked for.
    pub certificate: Option<Certificate>,
}

/// Bounds of the rest that are tried, as parts of the cutoff.
const REST_SHARES: [u64; 3] = [14, 8, 4];

/// Searches tasks of one shape under one word list, scoring and cutoff; one for each thread.
///
/// It keeps its lists from task to task, so that memory stays flat over a run; the outcome of a
/// task does not depend on the tasks before it.
pub struct Engine {
    dims: Dims,
    cutoff: u64,
    options: Options,
    words: Words,
    scorer: Scorer,
    order: Vec<usize>,
    /// Cells, and a bound of the points of the words that use none of them.
    rest: Option<(Vec<usize>, u64)>,
    narrow: Option<Search<u64>>,
    wide: Option<Search<u128>>,
    widest: Option<Search<WideKey>>,
    /// The letters of every node visited and its bound.
    #[cfg(test)]
    visited: Vec<(Vec<u32>, u64)>,
}

impl Engine {
    /// Prepares for tasks of this shape.
    ///
    /// # Panics
    /// If more than 2^25 words fit on the board.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims, cutoff: u64, options: Options) -> Engine {
        Engine {
            dims,
            cutoff,
            options,
            words: Words::new(lexicon, scoring, dims.cells()),
            scorer: Scorer::new(lexicon, scoring, dims),
            order: task::cell_order(dims),
            rest: None,
            narrow: None,
            wide: None,
            widest: None,
            #[cfg(test)]
            visited: Vec::new(),
        }
    }

    /// Proves a bound of the **rest**: the points that a board of the task can have by words that use none
    /// of the cells that the task decides, whatever letters those hold. None if no useful one is found
    /// with little work.
    ///
    /// A board of a task has its points by words that use a decided cell and by others, the rest. So a
    /// bound of the former plus a bound of the rest is a bound. The rest of the tasks of a [`Split`] is most
    /// of the items of weak ones and worth a small part of the cutoff, and it does not depend on the
    /// letters that make the tasks differ: an engine that [knows](Engine::know_rest) a bound of it does
    /// without those lists. See [`Split::rest`].
    ///
    /// # Panics
    /// If the task has not one set of letters for every cell.
    pub fn bound_rest(&mut self, task: &Task) -> Option<u64> {
        let cutoff = self.cutoff;
        let mut found = None;
        for share in REST_SHARES {
            // Boards that reach this are asked for; where there are none, what was pruned is the bound.
            self.cutoff = (cutoff / share).max(1);
            let (outcome, gave_up) = self.search(task, Rest::Asked);
            if !gave_up {
                found = Some(outcome.largest_pruned);
                break;
            }
        }
        self.cutoff = cutoff;
        found
    }

    /// Makes use of a [bound](Engine::bound_rest) for tasks that decide these cells alone, and whose other
    /// cells have no letters that those of its task had not, up to symmetry.
    pub fn know_rest(&mut self, cells: &[usize], bound: u64) {
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        self.rest = Some((cells, bound));
    }

    /// Whether a bound of the rest is known.
    pub(crate) fn knows_rest(&self) -> bool {
        self.rest.is_some()
    }

    /// Finds every board of the task that scores at least the cutoff.
    ///
    /// # Panics
    /// If the task has not one set of letters for every cell.
    pub fn run(&mut self, task: &Task) -> Outcome {
        let decided = (0..task.cells.len()).filter(|&cell| task.cells[cell].count_ones() == 1);
        let rest = match &self.rest {
            Some((cells, bound)) if decided.eq(cells.iter().copied()) && *bound < self.cutoff => {
                Rest::Bounded(*bound)
            }
            _ => Rest::Unknown,
        };
        self.search(task, rest).0
    }

    /// Searches a task; tells also whether it gave up.
    fn search(&mut self, task: &Task, rest: Rest) -> (Outcome, bool) {
        assert_eq!(task.cells.len(), self.dims.cells(), "one set of letters for every cell");
        let mut outcome = Outcome {
            boards: Vec::new(),
            largest_pruned: 0,
            counters: Counters::default(),
            certificate: self.options.certificate.then_some(Certificate::Prune(0)),
        };
        let tiles = self.words.tile_count;
        let known = if tiles == 32 { u32::MAX } else { (1 << tiles) - 1 };
        let mut task = task.clone();
        task.cells.iter_mut().for_each(|mask| *mask &= known);
        let decided = |task: &Task| task.cells.iter().filter(|mask| mask.count_ones() == 1).count();
        let before = decided(&task);
        if !tighten(&mut task) {
            return (outcome, false);
        }
        if rest == Rest::Asked && decided(&task) > before {
            // The rest is what uses none of the cells decided before.
            return (outcome, true);
        }
        let fields = task.cells.iter().filter(|m| m.count_ones() > 1).count();
        let width = if tiles < 32 { 5 } else { 6 };
        let mut recorder = Recorder::new(self.options.certificate && rest != Rest::Asked);
        let mut context = Context {
            dims: self.dims,
            cutoff: self.cutoff,
            max_memory: self.options.max_memory,
            words: &self.words,
            scorer: &mut self.scorer,
            counters: &mut outcome.counters,
            boards: &mut outcome.boards,
            largest_pruned: 0,
            recorder: &mut recorder,
            rest,
            work_left: u64::MAX,
            gave_up: false,
            #[cfg(test)]
            visited: &mut self.visited,
        };
        let cells = self.dims.cells();
        if Layout::<u64>::fits(fields, width) {
            let search = self.narrow.get_or_insert_with(|| Search::new(cells));
            search.run(&mut context, &task, &self.order, width);
        } else if Layout::<u128>::fits(fields, width) {
            self.wide.get_or_insert_with(|| Search::new(cells)).run(&mut context, &task, &self.order, width);
        } else {
            self.widest.get_or_insert_with(|| Search::new(cells)).run(
                &mut context,
                &task,
                &self.order,
                width,
            );
        }
        outcome.largest_pruned = context.largest_pruned;
        let gave_up = context.gave_up;
        outcome.certificate = recorder.take();
        (outcome, gave_up)
    }
}
