//! The paper's final algorithm: branch and bound with Sum/Choice trees, one board class at a time.
//!
//! For each class, build the orderly tree with de-duplicated counting; `branch` while the bound is
//! high and enough cells are left; then `orderly_bound`, which names the boards with D(B) at or above
//! the cutoff; score each of them. A board is lost nowhere: `branch` partitions the class, U bounds
//! D from above, and D is never below S.

use std::sync::Arc;

use crate::class::tiles;
use crate::tree::{Arena, Count, OrderlyBound, Workspace, cell_order};
use crate::tree::{ChoiceNode, SumNode};
use crate::{Board, BoardClass, Bucketing, Classes, Dims, Error, Lexicon, Scorer, Scoring, Tile, Trie};

/// The tasks of a full run: all boards of a shape, up to symmetry, as numbered classes.
///
/// # Errors
/// If the shape has more classes than anyone could walk.
pub fn tasks(dims: Dims) -> Result<Classes, Error> {
    Bucketing::paper(dims).classes()
}

/// When to stop branching and switch over to `orderly_bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Bounds at or below this switch over.
    pub switch_over: SwitchOver,
    /// With this many cells left, or fewer, switch over whatever the bound.
    pub unmerged_cells: usize,
    /// M or D.
    pub count: Count,
}

/// The bound at which to switch over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SwitchOver {
    /// This many times the cutoff.
    Factor(f64),
    /// This many points; 0 never switches for its sake, `u32::MAX` always does.
    Score(u32),
}

impl Default for Options {
    /// The paper's choice: 1.5 times the cutoff, or four cells.
    fn default() -> Options {
        Options { switch_over: SwitchOver::Factor(1.5), unmerged_cells: 4, count: Count::Dedup }
    }
}

/// What a class came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Every board of the class that scores at least the cutoff, with its score S. Boards that are
    /// symmetric to each other are each listed.
    pub boards: Vec<(Board, u64)>,
    /// The bound of the class's tree.
    pub root_bound: u32,
    /// The largest bound of a set of boards that was set aside; below the cutoff.
    pub largest_pruned: u32,
    /// Boards whose D (or M) reaches the cutoff: those that were scored.
    pub candidates: u64,
    /// Nodes written, building and merging.
    pub nodes: u64,
    /// Steps of `orderly_bound`.
    pub visits: u64,
    /// The most bytes that nodes held at a time.
    pub peak_bytes: u64,
}

/// Runs classes of one shape, one after another, in memory that is reused.
///
/// Clones share the words; each thread should have its own.
///
/// ```
/// use bogglemax::{BoardClass, Lexicon, Scoring, paper};
///
/// let class = BoardClass::parse("d e s l ae t p e r", None)?;
/// let lexicon = Lexicon::enable2k();
/// let options = paper::Options::default();
/// let mut engine = paper::Engine::new(&lexicon, &Scoring::boggle(), class.dims(), 500, options)?;
/// let outcome = engine.run(&class)?;
/// assert_eq!(outcome.boards.len(), 1);
/// assert_eq!(outcome.boards[0].0.to_string(), "deslatper");
/// assert_eq!(outcome.boards[0].1, 545);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    trie: Arc<Trie>,
    scorer: Scorer,
    dims: Dims,
    cutoff: u32,
    /// The resolved [`SwitchOver`].
    switch_over: u32,
    options: Options,
    cell_order: Vec<u8>,
    workspace: Workspace,
    search: OrderlyBound,
}

impl Engine {
    /// Prepares to find boards that score at least `cutoff`.
    ///
    /// # Errors
    /// If the cutoff is beyond what bounds are kept in (`u32`).
    pub fn new(
        lexicon: &Lexicon,
        scoring: &Scoring,
        dims: Dims,
        cutoff: u64,
        options: Options,
    ) -> Result<Engine, Error> {
        let cutoff = u32::try_from(cutoff).map_err(|_| Error::CutoffTooLarge { cutoff })?;
        let switch_over = match options.switch_over {
            SwitchOver::Factor(factor) => (f64::from(cutoff) * factor) as u32,
            SwitchOver::Score(score) => score,
        };
        let order = cell_order(dims);
        let any = BoardClass::new(dims, &vec![1; dims.cells()]);
        Ok(Engine {
            trie: Trie::new(lexicon, scoring, dims.cells()).into(),
            scorer: Scorer::new(lexicon, scoring, dims),
            dims,
            cutoff,
            switch_over,
            options,
            search: OrderlyBound::new(&any, &order),
            cell_order: order,
            workspace: Workspace::default(),
        })
    }

    /// Finds every board of the class that scores at least the cutoff.
    ///
    /// # Errors
    /// If the tree of the class cannot be held.
    ///
    /// # Panics
    /// If the class has another shape than the engine.
    pub fn run(&mut self, class: &BoardClass) -> Result<Outcome, Error> {
        assert_eq!(class.dims(), self.dims);
        let root = self.workspace.build_orderly(class, &self.trie, self.options.count)?;
        let arena = self.workspace.arena_mut();
        let outcome = Outcome {
            root_bound: root.bound(),
            nodes: arena.len() as u64,
            peak_bytes: arena.bytes() as u64,
            ..Outcome::default()
        };
        self.search.set_class(class);
        let mut run = Run {
            class,
            cutoff: self.cutoff,
            switch_over: self.switch_over,
            merged_cells: self.dims.cells().saturating_sub(self.options.unmerged_cells),
            cell_order: &self.cell_order,
            arena,
            search: &mut self.search,
            scorer: &mut self.scorer,
            board: vec![0; self.dims.cells()],
            outcome,
        };
        run.branch_and_bound(root, 0);
        let mut outcome = run.outcome;
        outcome.visits = std::mem::take(&mut self.search.visits);
        outcome.largest_pruned = outcome.largest_pruned.max(std::mem::take(&mut self.search.largest_pruned));
        Ok(outcome)
    }
}

/// The search of one class.
struct Run<'a> {
    class: &'a BoardClass,
    cutoff: u32,
    switch_over: u32,
    /// Cells to branch on at most.
    merged_cells: usize,
    cell_order: &'a [u8],
    arena: &'a mut Arena,
    search: &'a mut OrderlyBound,
    scorer: &'a mut Scorer,
    /// Letters fixed so far.
    board: Vec<Tile>,
    outcome: Outcome,
}

impl Run<'_> {
    fn branch_and_bound(&mut self, node: SumNode, depth: usize) {
        if node.bound() < self.cutoff {
            self.prune(node.bound());
        } else if node.bound() <= self.switch_over || depth >= self.merged_cells {
            self.orderly_bound(node, depth);
        } else {
            let (top, skip) = self.arena.split(node, depth as u8);
            let cell = usize::from(self.cell_order[depth]);
            for letter in tiles(self.class.letters()[cell]) {
                self.board[cell] = letter;
                self.branch(top, skip, letter, depth + 1);
            }
        }
    }

    /// Fixes a letter on the top cell, and forgets the nodes of its tree afterwards.
    fn branch(&mut self, top: Option<ChoiceNode>, skip: SumNode, letter: Tile, depth: usize) {
        // Adding the bounds of the two parts gives a valid bound, if a looser one than merging them.
        let child = top.and_then(|top| self.arena.child(top, letter)).map_or(0, SumNode::bound);
        if child + skip.bound() < self.cutoff {
            return self.prune(child + skip.bound());
        }
        let mark = self.arena.watermark();
        let before = self.arena.len();
        let node = self.arena.branch(top, skip, letter);
        self.outcome.nodes += (self.arena.len() - before) as u64;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(self.arena.bytes() as u64);
        self.branch_and_bound(node, depth);
        self.arena.cut_back(mark);
    }

    fn orderly_bound(&mut self, node: SumNode, depth: usize) {
        let (dims, cutoff, scorer, outcome) =
            (self.class.dims(), self.cutoff, &mut *self.scorer, &mut self.outcome);
        self.search.run(self.arena, node, depth, cutoff, &mut self.board, &mut |tiles, _| {
            outcome.candidates += 1;
            let board = Board::new(dims, tiles);
            let score = scorer.score(&board);
            if score >= u64::from(cutoff) {
                outcome.boards.push((board, score));
            }
        });
    }

    fn prune(&mut self, bound: u32) {
        self.outcome.largest_pruned = self.outcome.largest_pruned.max(bound);
    }
}
