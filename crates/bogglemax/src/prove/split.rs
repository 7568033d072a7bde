//! The whole space of boards of a shape, cut into tasks.
//!
//! The **anchors** are the cells nearest to the middle, whole orbits of the shape's symmetries at a
//! time. A task fixes a letter on each anchor; of the assignments that symmetries turn into each
//! other only one is searched: of those whose last digit is the smallest, the one with the largest digits.
//! The symmetries that leave the assignment as it is are used up by order constraints.
//!
//! **No board is missed, up to symmetry.** Let G be the group of symmetries; anchors are whole
//! orbits, so G permutes them. Some form of a board has the assignment that is searched of its orbit. Let H
//! be the symmetries that leave that assignment as it is; every form under H
//! still has it. Take a cell x, let X be its orbit under H and move the letter of X with the highest
//! rank to x: the form satisfies "x ranks at least as high as each cell of X". The symmetries of H
//! that fix x leave these constraints satisfied. Continue with them in place of H, and another cell,
//! until only the identity is left.
//!
//! **Groups.** Assignments that differ by a rare letter on the last anchor and have the same constraints are one task:
//! a [group](Task::varied), whose letters share their lists. Frequent letters are searched alone: many items use the
//! last anchor with them, and many of the others could move to it.
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

/// Splits of fewer tasks are done before a bound of the rest has paid.
const WORTH_A_REST: usize = 10_000;

/// Letters that are at most this frequent, the most frequent being 1, are searched in groups. On 4x4 n,r,c a
/// group with p costs half as much as its letters alone; g and d together cost a tenth more.
const RARE: f64 = 0.26;

/// So are assignments of at most this strength.
const WEAK: f64 = 0.02;

/// A group gets no more letters once their strengths, to the power of [`COST_GROWTH`], come to this: tasks of even
/// size are shared better among workers.
const ENOUGH: f64 = 0.85;

/// What a search costs grows with the strength to this power, about.
const COST_GROWTH: f64 = 0.9;

/// Tasks with a larger strength list all words at once: a bound of the rest would not be enough for them.
const TOO_STRONG_FOR_A_REST: f64 = 0.045;

/// Anchors of the smallest split with groups.
const GROUPED_ANCHORS: usize = 2;

/// A division of all boards of a shape into tasks: the same for the run, its shards and its checker.
///
/// ```
/// use bogglemax::{Dims, Lexicon, Scoring};
/// use bogglemax::prove::Split;
///
/// let lexicon = Lexicon::enable2k();
/// let tasks = |dims: &str| Split::new(&lexicon, &Scoring::boggle(), dims.parse().unwrap()).len();
/// assert_eq!([tasks("2x2"), tasks("3x3")], [1, 26]);
/// // 351 pairs of letters in the middle, up to symmetry; rare ones are grouped.
/// assert_eq!(tasks("3x4"), 131);
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
    /// By two tiles, how much oftener than by chance they stand side by side.
    affinities: Vec<Vec<f64>>,
    order: Vec<usize>,
    /// The tasks, where there are few enough assignments to list them, in the order of their assignments.
    listed: Option<Vec<Listed>>,
    assignments: u64,
}

/// A task of a split that lists them.
#[derive(Clone, Copy, Debug)]
struct Listed {
    /// The number of its assignment; of a group, that with the rarest letter.
    assignment: u32,
    /// The letters of the last anchor, or none without anchors.
    letters: u32,
}

/// A task that may get further letters.
struct Group {
    order: Vec<(u8, u8)>,
    task: usize,
    cost: f64,
}

impl Split {
    /// The division for a shape. It depends on the words only by how frequent each tile is; what tasks are predicted
    /// to cost also by how often tiles stand side by side.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Split {
        let words = Words::new(lexicon, scoring, dims.cells());
        let frequencies = words.frequencies();
        let mut by_rank: Vec<u8> = (0..words.tile_count as u8).collect();
        by_rank.sort_by_key(|&t| (frequencies[usize::from(t)], t));
        let mut split = Split::with_tiles(dims, by_rank, &frequencies);
        split.affinities = affinities(&frequencies, &words.pairs());
        split
    }

    /// `by_rank`: the tiles in use, rare ones first; `frequencies` by tile.
    pub(crate) fn with_tiles(dims: Dims, by_rank: Vec<u8>, frequencies: &[u64]) -> Split {
        let mut ranks = [0; MAX_TILES];
        by_rank.iter().enumerate().for_each(|(rank, &t)| ranks[usize::from(t)] = rank as u8);
        let most = frequencies.iter().copied().max().unwrap_or(0).max(1) as f64;
        let weights = frequencies.iter().map(|&f| f as f64 / most).collect();
        let affinities = vec![vec![1.0; frequencies.len()]; frequencies.len()];
        let symmetries = dims.symmetries();
        let anchors = anchors(dims, &symmetries, by_rank.len() as u64);
        let assignments = (by_rank.len() as u64).pow(anchors.len() as u32);
        let order = cell_order(dims);
        let mut split = Split {
            dims,
            anchors,
            symmetries,
            by_rank,
            ranks,
            weights,
            affinities,
            order,
            listed: None,
            assignments,
        };
        if assignments <= MAX_LISTED {
            split.listed = Some(split.list(assignments as u32));
        }
        split
    }

    /// All tasks. Assignments that can be a group come one after the other: they differ by the last digit.
    fn list(&self, assignments: u32) -> Vec<Listed> {
        let mut listed: Vec<Listed> = Vec::new();
        // The groups of the assignments that have the other digits of the current one.
        let mut groups: Vec<Group> = Vec::new();
        for assignment in 0..assignments {
            let digits = self.digits(assignment.into());
            let rarest = digits.last().copied();
            if rarest == Some(0) {
                groups.clear();
            }
            if !self.is_searched(&digits) {
                continue;
            }
            let letters = rarest.map_or(0, |digit| 1 << self.by_rank[digit]);
            let weight = |digit: usize| self.weights[usize::from(self.by_rank[digit])];
            let is_weak = self.strength(&digits) <= WEAK || rarest.is_some_and(|digit| weight(digit) <= RARE);
            if is_weak && digits.len() >= GROUPED_ANCHORS {
                let order = self.constraints(&digits);
                let cost = self.strength(&digits).powf(COST_GROWTH);
                let has_room = |group: &&mut Group| group.order == order && group.cost + cost <= ENOUGH;
                if let Some(group) = groups.iter_mut().find(has_room) {
                    listed[group.task].letters |= letters;
                    group.cost += cost;
                    continue;
                }
                groups.push(Group { order, task: listed.len(), cost });
            }
            listed.push(Listed { assignment, letters });
        }
        listed
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
        let listed = self.listed.as_ref().map(|listed| listed[id as usize]);
        let assignment = listed.map_or(id, |listed| listed.assignment.into());
        let mut digits = self.digits(assignment);
        let mut task = Task {
            id,
            cells: vec![all; self.dims.cells()],
            order: Vec::new(),
            ranks: self.ranks,
            varied: None,
            lists_all: false,
            predicted_cost: 0.0,
        };
        if !self.is_searched(&digits) {
            task.cells.fill(0);
            return task;
        }
        for (&anchor, &digit) in self.anchors.iter().zip(&digits) {
            task.cells[anchor] = 1 << self.by_rank[digit];
        }
        task.order = self.constraints(&digits);
        let mut strongest = self.strength(&digits);
        let mut searches = vec![self.search_cost(&digits)];
        if let (Some(listed), Some(&last)) = (listed, self.anchors.last()) {
            task.cells[last] = listed.letters;
            task.varied = (listed.letters.count_ones() > 1).then_some(last as u8);
            searches = bits(listed.letters)
                .map(|tile| {
                    *digits.last_mut().expect("an anchor") = self.ranks[tile].into();
                    strongest = strongest.max(self.strength(&digits));
                    self.search_cost(&digits)
                })
                .collect();
        }
        task.lists_all = strongest > TOO_STRONG_FOR_A_REST;
        task.predicted_cost = self.listing_cost() + searches.iter().sum::<f64>();
        task
    }

    /// What listing costs, which is about the same for all tasks. On 3x4 and 4x4 the costs are about seconds.
    fn listing_cost(&self) -> f64 {
        match self.anchors.len() {
            4 => 2.0,
            2 => 0.5,
            anchors => 0.14f64.powi(anchors as i32),
        }
    }

    /// What the search of a single assignment costs: it grows with the strength, and with the affinity of the
    /// letters where all anchors touch each other. Fitted to 40 measured tasks of 4x4 and all of 3x4, and by eye to
    /// 3x3.
    fn search_cost(&self, digits: &[usize]) -> f64 {
        match digits.len() {
            4 => 0.4 + 100.0 * self.strength(digits).powf(COST_GROWTH) * self.affinity(digits).powf(1.2),
            2 => 11.0 * self.strength(digits).powf(0.8),
            _ => self.strength(digits).powf(1.5),
        }
    }

    /// How much oftener than by chance letters of an assignment stand side by side.
    fn affinity(&self, digits: &[usize]) -> f64 {
        let tile = |i: usize| usize::from(self.by_rank[digits[i]]);
        let pairs = (0..digits.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let (sum, count) = pairs.fold((0.0, 0), |(sum, count), (i, j)| {
            (sum + self.affinities[tile(i)][tile(j)].min(3.0), count + 1)
        });
        sum / f64::from(count.max(1))
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
        Some((
            &self.anchors,
            Task {
                id: 0,
                cells,
                order,
                ranks: self.ranks,
                varied: None,
                lists_all: false,
                predicted_cost: 0.0,
            },
        ))
    }

    /// The task that holds a form of the board: the one whose class and constraints admit it.
    pub fn task_of(&self, tiles: &[u8]) -> Option<Task> {
        self.symmetries.iter().find_map(|s| {
            let form: Vec<u8> = s.iter().map(|&from| tiles[usize::from(from)]).collect();
            let digits: Option<Vec<usize>> =
                self.anchors.iter().map(|&a| self.by_rank.iter().position(|&t| t == form[a])).collect();
            let tiles = self.by_rank.len() as u64;
            let assignment = digits?.iter().fold(0u64, |id, &digit| id * tiles + digit as u64);
            let ids = match &self.listed {
                None => assignment..assignment + 1,
                Some(listed) => {
                    // A group has the assignments that differ by the last digit.
                    let others = |listed: &Listed| u64::from(listed.assignment) / tiles;
                    let from = listed.partition_point(|l| others(l) < assignment / tiles);
                    let to = listed.partition_point(|l| others(l) <= assignment / tiles);
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

    /// The digits after a symmetry: anchor i gets what stood on its source.
    fn moved(&self, digits: &[usize], symmetry: &[u8]) -> Vec<usize> {
        let source = |&a: &usize| self.anchors.iter().position(|&b| b == usize::from(symmetry[a]));
        self.anchors.iter().map(|a| digits[source(a).expect("anchors are whole orbits")]).collect()
    }

    /// Whether an assignment is the one of its orbit that is searched.
    fn is_searched(&self, digits: &[usize]) -> bool {
        let not_before = |other: Vec<usize>| {
            let by_last = digits.last().cmp(&other.last());
            by_last.then_with(|| other.as_slice().cmp(digits)).is_le()
        };
        self.symmetries.iter().all(|s| not_before(self.moved(digits, s)))
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

/// By two tiles, how much oftener than by chance they stand side by side; `pairs` are the counts of one before the
/// other.
fn affinities(frequencies: &[u64], pairs: &[Vec<u64>]) -> Vec<Vec<f64>> {
    let all: u64 = frequencies.iter().sum();
    let all_pairs: u64 = pairs.iter().flatten().sum();
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let affinity = |a: usize, b: usize| {
        let by_chance = share(frequencies[a], all) * share(frequencies[b], all);
        if by_chance > 0.0 { share(pairs[a][b] + pairs[b][a], 2 * all_pairs) / by_chance } else { 0.0 }
    };
    let tiles = 0..frequencies.len();
    tiles.clone().map(|a| tiles.clone().map(|b| affinity(a, b)).collect()).collect()
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
