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
//! Neighbouring classes have most of their items in common. A task may leave several letters on one of the middle cells
//! and prepares once what does not use that cell; on large boards all letters of one more cell are searched side by
//! side: `braid` has both, `values` the numbers.
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
//! **Widths.** A word is worth less than 2^32 points and there are at most 2^25 words, so a base, a score and a
//! bound of the rest are below 2^57. A list has fewer than 2^31 items, each below one edge of one active node,
//! so what items add to a bound is below 2^63. Their sums fit into 64 bits, and 64-bit lanes never saturate. A
//! 16-bit lane that saturates stands for at least 65,535; such lanes are used only where the cutoff, or what the
//! base leaves of it, is not above that, so that a saturated lane prunes nothing.
//!
//! **A new bound** is a chance to lose boards. Before it lands it gets
//! 1. its argument, in the header of its module: which boards it speaks of, and why none of them scores more;
//! 2. a call of the observer with the class it bounds, so that the fuzzer (`fuzz`) compares it with the score of
//!    every board; a counter in [`Paths`] if it is a way of its own, asserted to be taken by the fuzzer and under
//!    the default [`Tuning`] (`regressions`); and its thresholds as fields of [`Tuning`], so that tests reach it on
//!    small classes;
//! 3. its mutations in `tools/mutants`: each condition of the argument dropped or off by one, and the test that
//!    fails then. A mutation that survives is a missing test.
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

mod braid;
mod braid_list;
mod certificate;
mod counters;
mod descend;
mod force;
#[cfg(test)]
mod fuzz;
mod items;
mod key;
mod patterns;
mod probe;
#[cfg(test)]
mod regressions;
mod search;
mod sort;
mod split;
mod task;
#[cfg(test)]
mod tests;
mod trie;
mod tuning;
mod values;
mod words;

pub use certificate::Certificate;
pub use counters::{Counters, Paths};
pub use split::Split;
pub use task::Task;
pub use tuning::Tuning;

use certificate::Recorder;
use key::{Layout, WideKey};
use search::{Context, Observer, Rest, Search};
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
    /// How the engine goes about it.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_memory: 3 << 30, certificate: false, tuning: Tuning::default() }
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

/// A bound of the points that any board at all can have by words that use none of the anchors of a
/// [`Split`]: made by [`Engine::bound_rest`] for engines of the same words, scoring and shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RestBound {
    /// The anchors, in order.
    cells: Vec<usize>,
    points: u64,
}

/// Searches tasks of one shape under one word list, scoring and cutoff; one for each thread.
///
/// It keeps its lists from task to task, so that memory stays flat over a run; the outcome of a
/// task does not depend on the tasks before it. With the same memory limit and tuning
/// the search visits the same nodes with the same bounds, wherever and however often the task is run.
pub struct Engine {
    dims: Dims,
    cutoff: u64,
    options: Options,
    words: Words,
    scorer: Scorer,
    order: Vec<usize>,
    rest: Option<RestBound>,
    narrow: Option<Search<u64>>,
    wide: Option<Search<u128>>,
    widest: Option<Search<WideKey>>,
}

impl Engine {
    /// Prepares for tasks of this shape.
    ///
    /// # Panics
    /// If more than 2^25 words fit on the board.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims, cutoff: u64, options: Options) -> Engine {
        let tuning = options.tuning.clamped();
        Engine {
            dims,
            cutoff,
            options: Options { tuning, ..options },
            words: Words::new(lexicon, scoring, dims.cells()),
            scorer: Scorer::new(lexicon, scoring, dims),
            order: task::cell_order(dims),
            rest: None,
            narrow: None,
            wide: None,
            widest: None,
        }
    }

    /// Bounds the **rest** for the tasks of a split, and uses that bound from now on: the points that a board
    /// can have by words that use none of the split's anchors, whatever letters those hold. Returns the bound,
    /// or none if the split is too small to gain by one or none is found with little work.
    ///
    /// A board of a task has its points by words that use an anchor and by others, the rest. So a bound of
    /// the former plus a bound of the rest is a bound. The rest is most of the items of weak tasks and worth a
    /// small part of the cutoff, and it does not depend on the letters that make the tasks differ.
    ///
    /// **Why the bound holds for every task.** It is proved for one task (`Split::rest`), whose other cells
    /// may hold every tile. That task's order constraints tie none of the anchors, so the letters on the anchors
    /// exclude no board; they only use up symmetries, and as anchors are whole orbits, a symmetry takes a word
    /// without anchors to a word without anchors. So every board has a form in that task with the same points by
    /// the rest, and the bound is one of all boards. It is used for tasks that decide exactly the anchors.
    ///
    /// For a task whose constraints tie a decided cell this would be false: its letter there excludes boards
    /// that another letter does not. That is why this takes a split and not a task.
    ///
    /// # Panics
    /// If the split is one of another shape or alphabet.
    pub fn bound_rest(&mut self, split: &Split) -> Option<u64> {
        let bound = self.prove_rest(split);
        let points = bound.as_ref().map(|bound| bound.points);
        self.rest = bound;
        points
    }

    /// Proves the bound of [`bound_rest`](Engine::bound_rest) without using it.
    pub(crate) fn prove_rest(&mut self, split: &Split) -> Option<RestBound> {
        let (anchors, task) = split.rest()?;
        let tiles = self.known_tiles();
        let is_open = |cell: &usize| !anchors.contains(cell);
        assert!(
            task.cells.len() == self.dims.cells()
                && (0..task.cells.len()).filter(is_open).all(|cell| task.cells[cell] == tiles),
            "a split of the engine's shape and alphabet"
        );
        let ties_anchor = |&(a, b): &(u8, u8)| !is_open(&a.into()) || !is_open(&b.into());
        assert!(!task.order.iter().any(ties_anchor), "no constraint ties an anchor");
        let points = self.bound_rest_of(&task, None)?;
        let mut cells = anchors.to_vec();
        cells.sort_unstable();
        Some(RestBound { cells, points })
    }

    /// Uses a bound that an engine of the same words, scoring and shape has proved.
    pub(crate) fn use_rest(&mut self, bound: RestBound) {
        self.rest = Some(bound);
    }

    /// True once a bound of the rest is used.
    pub(crate) fn uses_rest(&self) -> bool {
        self.rest.is_some()
    }

    /// Bounds the points that a board of the task can have by words that use none of the cells it decides.
    ///
    /// The bound holds for other letters on those cells only if no order constraint ties one of them.
    fn bound_rest_of(&mut self, task: &Task, mut observer: Option<Observer<'_>>) -> Option<u64> {
        let cutoff = self.cutoff;
        let mut found = None;
        // A group decides its varied cell; here that cell is not decided.
        let task = &Task { varied: None, ..task.clone() };
        for share in self.options.tuning.rest_shares() {
            // Boards that reach this are asked for; where there are none, what was pruned is the bound.
            self.cutoff = (cutoff / share).max(1);
            let observer = observer.as_mut().map(|o| &mut **o as Observer<'_>);
            let (outcome, gave_up) = self.search(task, Rest::Asked, observer);
            if !gave_up {
                found = Some(outcome.largest_pruned);
                break;
            }
        }
        self.cutoff = cutoff;
        found
    }

    /// Finds every board of the task that scores at least the cutoff.
    ///
    /// # Panics
    /// If `task.cells` does not have one entry per cell.
    pub fn run(&mut self, task: &Task) -> Outcome {
        self.run_with(task, None)
    }

    /// Runs a task and reports every bound on the way: `observer` gets a class, as the tiles allowed on each
    /// cell, and a number that no board of the class and the task exceeds. `u64::MAX` means that the bound was
    /// too large for its lanes.
    ///
    /// ```
    /// use bogglemax::prove::{Engine, Options, Task};
    /// use bogglemax::{Dims, Lexicon, Scoring};
    ///
    /// let lexicon = Lexicon::from_words("mine", ["tea", "eat", "ate", "seat"])?;
    /// let mut engine = Engine::new(&lexicon, &Scoring::boggle(), Dims::new(2, 2)?, 3, Options::default());
    /// let mut bounds = Vec::new();
    /// engine.run_observed(&Task::of_class(&[0b111; 4]), &mut |_class, bound| bounds.push(bound));
    /// assert_eq!(bounds, [0]); // no word has only the letters a, b and c
    /// # Ok::<(), bogglemax::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `task.cells` does not have one entry per cell.
    pub fn run_observed(&mut self, task: &Task, observer: &mut dyn FnMut(&[u32], u64)) -> Outcome {
        self.run_with(task, Some(observer))
    }

    fn run_with(&mut self, task: &Task, observer: Option<Observer<'_>>) -> Outcome {
        let is_decided =
            |&cell: &usize| task.cells[cell].count_ones() == 1 || task.varied == Some(cell as u8);
        let decided = (0..task.cells.len()).filter(is_decided);
        let rest = match &self.rest {
            Some(RestBound { cells, points })
                if decided.eq(cells.iter().copied()) && *points < self.cutoff && !task.lists_all =>
            {
                Rest::Bounded(*points)
            }
            _ => Rest::Unknown,
        };
        self.search(task, rest, observer).0
    }

    /// The tiles that words can have.
    fn known_tiles(&self) -> u32 {
        match self.words.tile_count {
            32 => u32::MAX,
            tiles => (1 << tiles) - 1,
        }
    }

    /// Searches a task. The second value is true if the work limit was reached.
    fn search(&mut self, task: &Task, rest: Rest, mut observer: Option<Observer<'_>>) -> (Outcome, bool) {
        assert_eq!(task.cells.len(), self.dims.cells(), "one set of letters for every cell");
        let mut outcome = Outcome {
            boards: Vec::new(),
            largest_pruned: 0,
            counters: Counters::default(),
            certificate: self.options.certificate.then_some(Certificate::Prune(0)),
        };
        let known = self.known_tiles();
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
        let Some(varied) = task.group() else {
            return self.search_class(&task, rest, observer, &mut 0, outcome);
        };
        let is_tied = task.order.iter().any(|&(a, b)| [a, b].contains(&(varied as u8)));
        let mut left = task.cells[varied];
        let mut gave_up = false;
        if !is_tied && !self.options.certificate {
            let observer = observer.as_mut().map(|o| &mut **o as Observer<'_>);
            (outcome, gave_up) = self.search_class(&task, rest, observer, &mut left, outcome);
        }
        outcome.counters.paths.apart_groups += u64::from(left != 0);
        let mut parts = Vec::new();
        for letter in search::bits(left) {
            let mut part = task.clone();
            part.cells[varied] = 1 << letter;
            let observer = observer.as_mut().map(|o| &mut **o as Observer<'_>);
            let (found, stopped) = self.search(&part, rest, observer);
            outcome.boards.extend(found.boards);
            outcome.largest_pruned = outcome.largest_pruned.max(found.largest_pruned);
            outcome.counters += &found.counters;
            parts.extend(found.certificate.map(|tree| (1 << letter, tree)));
            gave_up |= stopped;
        }
        if self.options.certificate {
            outcome.certificate = Some(Certificate::Divide { cell: varied, parts });
        }
        (outcome, gave_up)
    }

    /// Searches a class; of a group, the letters `left`, which becomes those that were not searched.
    fn search_class(
        &mut self,
        task: &Task,
        rest: Rest,
        observer: Option<Observer<'_>>,
        left: &mut u32,
        mut outcome: Outcome,
    ) -> (Outcome, bool) {
        let fields =
            task.cells.iter().filter(|m| m.count_ones() > 1).count() - usize::from(task.group().is_some());
        let width = if self.words.tile_count < 32 { 5 } else { 6 };
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
            // The object's lifetime is shortened to that of the context.
            observer: observer.map(|observer| observer as Observer<'_>),
        };
        let (cells, tuning) = (self.dims.cells(), self.options.tuning);
        let order = self.order.as_slice();
        if Layout::<u64>::fits(fields, width) {
            let search = self.narrow.get_or_insert_with(|| Search::new(cells, tuning));
            search.run(&mut context, task, order, width, left);
        } else if Layout::<u128>::fits(fields, width) {
            let search = self.wide.get_or_insert_with(|| Search::new(cells, tuning));
            search.run(&mut context, task, order, width, left);
        } else {
            let search = self.widest.get_or_insert_with(|| Search::new(cells, tuning));
            search.run(&mut context, task, order, width, left);
        }
        outcome.largest_pruned = context.largest_pruned;
        let gave_up = context.gave_up;
        outcome.certificate = recorder.take();
        (outcome, gave_up)
    }
}
