//! The whole space of boards of a shape, cut into tasks.
//!
//! The **anchors** are the cells nearest to the middle, whole orbits of the shape's symmetries at a
//! time. A task fixes a letter on each anchor; of the assignments that symmetries turn into each
//! other only the one with the largest digits is a task. The symmetries that leave the assignment
//! as it is are used up by order constraints.
//!
//! **No board is missed, up to symmetry.** Let G be the group of symmetries; anchors are whole
//! orbits, so G permutes them. Some form of a board has the largest assignment of its orbit, and
//! that assignment is a task. Let H be the symmetries that leave it as it is; every form under H
//! still has it. Take a cell x, let X be its orbit under H and move the letter of X with the highest
//! rank to x: the form satisfies "x ranks at least as high as each cell of X". The symmetries of H
//! that fix x leave these constraints satisfied. Continue with them in place of H, and another cell,
//! until only the identity is left.
//!
//! **Strong tasks are divided**, where a task leaves twelve cells undecided and more: by the letters of
//! the first undecided cell, the frequent ones alone, the others in two sets. The parts of a task are
//! disjoint and together hold its boards.
//!
//! Forms of a board whose letters tie may lie in several tasks, or several times in one: whoever
//! collects boards makes them canonical.

use super::search::bits;
use super::task::{Task, cell_order};
use super::words::Words;
use crate::{Dims, Lexicon, MAX_TILES, Scoring};

/// Assignments up to this many are listed without those that symmetry makes superfluous; beyond,
/// the superfluous ones keep their ids and have no boards.
const MAX_LISTED: u64 = 1 << 20;

/// Undecided cells a task should have: twelve fields of five bits fill a 64-bit key.
const MOST_UNDECIDED: usize = 12;

/// Boards of at most this many cells are one task.
const SMALL: usize = 8;

/// Tasks with a strength (see [`Split::strength`]) above this are divided if they leave at least
/// [`MOST_UNDECIDED`] cells undecided: those of 4x4 that take more than a few minutes.
const STRONG: f64 = 0.07;

/// Splits of fewer tasks are done before a bound of the rest has paid.
const WORTH_A_REST: usize = 10_000;

/// Letters of a divided cell that get a part of their own.
const ALONE: usize = 10;

/// A division of all boards of a shape into tasks: the same for the run, its shards and its checker.
///
/// ```
/// use bogglemax::{Dims, Lexicon, Scoring};
/// use bogglemax::prove::Split;
///
/// let lexicon = Lexicon::enable2k();
/// let tasks = |dims: &str| Split::new(&lexicon, &Scoring::boggle(), dims.parse().unwrap()).len();
/// assert_eq!([tasks("2x2"), tasks("3x3"), tasks("3x4")], [1, 26, 351]);
/// // 61,776 letters on the four cells in the middle, up to symmetry; frequent ones are divided further.
/// assert!(tasks("4x4") > 61_776);
/// assert_eq!(tasks("5x5"), 26u64.pow(13));
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    dims: Dims,
    anchors: Vec<usize>,
    symmetries: Vec<Vec<u8>>,
    /// Tiles by rank: rare ones first.
    by_rank: Vec<u8>,
    ranks: [u8; MAX_TILES],
    weights: Vec<f64>,
    order: Vec<usize>,
    /// The assignments that are tasks, where there are few enough to list them, each with the letters
    /// of the divided cell.
    listed: Option<Vec<(u32, u32)>>,
    /// The first cell that is not an anchor.
    divided: Option<usize>,
    assignments: u64,
}

impl Split {
    /// The division for a shape. It depends on the words only by how frequent each tile is.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Split {
        let words = Words::new(lexicon, scoring, dims.cells());
        let frequencies = words.frequencies();
        let mut by_rank: Vec<u8> = (0..words.tile_count as u8).collect();
        by_rank.sort_by_key(|&t| (frequencies[usize::from(t)], t));
        Split::with_tiles(dims, by_rank, &frequencies)
    }

    /// `by_rank`: the tiles in use, rare ones first; `frequencies` by tile.
    pub(crate) fn with_tiles(dims: Dims, by_rank: Vec<u8>, frequencies: &[u64]) -> Split {
        let mut ranks = [0; MAX_TILES];
        by_rank.iter().enumerate().for_each(|(rank, &t)| ranks[usize::from(t)] = rank as u8);
        let most = frequencies.iter().copied().max().unwrap_or(0).max(1) as f64;
        let weights = frequencies.iter().map(|&f| f as f64 / most).collect();
        let symmetries = dims.symmetries();
        let anchors = anchors(dims, &symmetries, by_rank.len() as u64);
        let assignments = (by_rank.len() as u64).pow(anchors.len() as u32);
        let order = cell_order(dims);
        let divided = order.iter().copied().find(|c| !anchors.contains(c));
        let mut split = Split {
            dims,
            anchors,
            symmetries,
            by_rank,
            ranks,
            weights,
            order,
            listed: None,
            divided,
            assignments,
        };
        if assignments <= MAX_LISTED {
            let is_task = |&id: &u32| split.is_largest(&split.digits(id.into()));
            let parts = |id: u32| split.parts(&split.digits(id.into())).into_iter().map(move |p| (id, p));
            split.listed = Some((0..assignments as u32).filter(is_task).flat_map(parts).collect());
        }
        split
    }

    /// Number of tasks. Ids run from 0 to this.
    #[allow(clippy::len_without_is_empty)] // a split is never empty
    pub fn len(&self) -> u64 {
        self.listed.as_ref().map_or(self.assignments, |ids| ids.len() as u64)
    }

    /// The task with this id.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn task(&self, id: u64) -> Task {
        assert!(id < self.len(), "there are {} tasks", self.len());
        let all = self.all();
        let (assignment, part) =
            self.listed.as_ref().map_or((id, all), |ids| (ids[id as usize].0.into(), ids[id as usize].1));
        let digits = self.digits(assignment);
        let mut task = Task {
            id,
            cells: vec![all; self.dims.cells()],
            order: Vec::new(),
            ranks: self.ranks,
            predicted_cost: 0.0,
        };
        if !self.is_largest(&digits) {
            task.cells.fill(0);
            return task;
        }
        for (&anchor, &digit) in self.anchors.iter().zip(&digits) {
            task.cells[anchor] = 1 << self.by_rank[digit];
        }
        let weight = |mask: u32| bits(mask).map(|t| self.weights[t].powf(1.5)).sum::<f64>();
        let share = if part == all { 1.0 } else { weight(part) / weight(all).max(1e-9) };
        // Listing takes about the same time for all; the search grows steeply with the strength.
        task.predicted_cost =
            0.14f64.powi(self.anchors.len() as i32) + share * self.strength(&digits).powf(1.5);
        if let Some(cell) = self.divided {
            task.cells[cell] = part;
        }
        task.order = self.constraints(&digits);
        task
    }

    /// Where it pays to [bound the rest](super::Engine::bound_rest): the cells that have a single letter in
    /// every task, and a task of all boards up to symmetry, as far as the letters on those do not matter.
    ///
    /// Anchors are whole orbits, so a symmetry takes words that use none to such words, and every board has
    /// a form in that task with the same points by them.
    pub(crate) fn rest(&self) -> Option<(&[usize], Task)> {
        if self.listed.as_ref().is_none_or(|ids| ids.len() < WORTH_A_REST) {
            return None;
        }
        let mut cells = vec![self.all(); self.dims.cells()];
        self.anchors.iter().for_each(|&anchor| cells[anchor] = 1 << self.by_rank[0]);
        // Equal letters on the anchors leave all symmetries to be used up.
        let order = self.constraints(&vec![0; self.anchors.len()]);
        Some((&self.anchors, Task { id: 0, cells, order, ranks: self.ranks, predicted_cost: 0.0 }))
    }

    /// The task that holds a form of the board: the one whose class and constraints admit it.
    pub fn task_of(&self, tiles: &[u8]) -> Option<Task> {
        self.symmetries.iter().find_map(|s| {
            let form: Vec<u8> = s.iter().map(|&from| tiles[usize::from(from)]).collect();
            let digits: Option<Vec<usize>> =
                self.anchors.iter().map(|&a| self.by_rank.iter().position(|&t| t == form[a])).collect();
            let assignment =
                digits?.iter().fold(0u64, |id, &digit| id * self.by_rank.len() as u64 + digit as u64);
            let ids = match &self.listed {
                None => assignment..assignment + 1,
                Some(ids) => {
                    let from = ids.partition_point(|&(id, _)| u64::from(id) < assignment);
                    let to = ids.partition_point(|&(id, _)| u64::from(id) <= assignment);
                    from as u64..to as u64
                }
            };
            ids.map(|id| self.task(id)).find(|task| task.contains(&form))
        })
    }

    /// The rank of the letter on each anchor; the first anchor has the most significant digit.
    fn digits(&self, mut assignment: u64) -> Vec<usize> {
        let tiles = self.by_rank.len() as u64;
        let mut digits = vec![0; self.anchors.len()];
        for digit in digits.iter_mut().rev() {
            *digit = (assignment % tiles) as usize;
            assignment /= tiles;
        }
        digits
    }

    /// All tiles in use.
    fn all(&self) -> u32 {
        self.by_rank.iter().fold(0, |mask, &t| mask | 1u32 << t)
    }

    /// The product of how frequent the letters of an assignment are, the most frequent being 1.
    fn strength(&self, digits: &[usize]) -> f64 {
        digits.iter().map(|&d| 0.01 + self.weights[usize::from(self.by_rank[d])]).product()
    }

    /// The letters of the divided cell in each part of an assignment.
    fn parts(&self, digits: &[usize]) -> Vec<u32> {
        let undecided = self.dims.cells() - self.anchors.len();
        if undecided < MOST_UNDECIDED || self.strength(digits) <= STRONG {
            return vec![self.all()];
        }
        let (rare, frequent) = self.by_rank.split_at(self.by_rank.len().saturating_sub(ALONE));
        let set = |skip: usize| rare.iter().skip(skip).step_by(2).fold(0, |mask, &t| mask | 1u32 << t);
        let alone = frequent.iter().rev().map(|&t| 1 << t);
        alone.chain([set(0), set(1)]).filter(|&part| part != 0).collect()
    }

    /// The digits after a symmetry: anchor i gets what stood on its source.
    fn moved(&self, digits: &[usize], symmetry: &[u8]) -> Vec<usize> {
        let source = |&a: &usize| self.anchors.iter().position(|&b| b == usize::from(symmetry[a]));
        self.anchors.iter().map(|a| digits[source(a).expect("anchors are whole orbits")]).collect()
    }

    fn is_largest(&self, digits: &[usize]) -> bool {
        self.symmetries.iter().all(|s| self.moved(digits, s).as_slice() <= digits)
    }

    /// Order constraints that use up the symmetries of an assignment: see the module's argument.
    fn constraints(&self, digits: &[usize]) -> Vec<(u8, u8)> {
        let same = |s: &&Vec<u8>| self.moved(digits, s) == digits;
        let mut group: Vec<&Vec<u8>> = self.symmetries.iter().filter(same).collect();
        let mut order = Vec::new();
        for &x in self.order.iter().filter(|c| !self.anchors.contains(c)) {
            let orbit = group.iter().fold(0u64, |m, s| m | 1 << s[x]);
            order.extend((0..64).filter(|&y| orbit >> y & 1 == 1 && y != x).map(|y| (x as u8, y as u8)));
            group.retain(|s| usize::from(s[x]) == x);
        }
        order
    }
}

/// The cells whose letters make a task: orbits from the middle outwards, at least one unless the
/// board is small, until few cells are undecided or ids would not fit.
fn anchors(dims: Dims, symmetries: &[Vec<u8>], tiles: u64) -> Vec<usize> {
    let mut anchors: Vec<usize> = Vec::new();
    if dims.cells() <= SMALL {
        return anchors;
    }
    let from_middle = |c: usize| {
        let (r, k) = (2 * (c / dims.cols()) + 1, 2 * (c % dims.cols()) + 1);
        r.abs_diff(dims.rows()).pow(2) + k.abs_diff(dims.cols()).pow(2)
    };
    let mut cells: Vec<usize> = (0..dims.cells()).collect();
    cells.sort_by_key(|&c| (from_middle(c), c));
    for cell in cells {
        if anchors.contains(&cell) {
            continue;
        }
        let enough = !anchors.is_empty() && dims.cells() - anchors.len() <= MOST_UNDECIDED;
        let mut orbit: Vec<usize> = symmetries.iter().map(|s| usize::from(s[cell])).collect();
        orbit.sort_unstable();
        orbit.dedup();
        if enough || tiles.checked_pow((anchors.len() + orbit.len()) as u32).is_none() {
            break;
        }
        anchors.extend(orbit);
    }
    anchors
}

impl Task {
    /// How many boards the class has, order constraints not counted.
    pub fn boards(&self) -> f64 {
        self.cells.iter().map(|&mask| bits(mask).count() as f64).product()
    }
}
