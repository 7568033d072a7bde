//! Do the tasks together hold every board, up to symmetry?
//!
//! **By construction.** An **image** of a task is what a symmetry makes of it: a class with order
//! constraints. Every board has a form in some task exactly if every board lies in some image. Start
//! with the class of all boards and all images. As long as some image allows on some cell only part
//! of the letters of the class, divide the class there, so that each part is allowed whole or not at
//! all by every image, and go on with each part and the images that allow it. In the end every image
//! left allows the whole class, and only order constraints remain: each way in which the letters on
//! the cells concerned can rank, ties included, must satisfy all constraints of some image.
//!
//! Nothing is assumed about how the tasks were made; a split by letters on some cells, by buckets of
//! letters, or with some tasks divided further, all end in few parts.
//!
//! **By counting.** A task's class and its images hold |class| x (number of different images) boards
//! if they do not overlap. If that adds up to the number of all boards, and every board is held,
//! then every board is held by the images of exactly one task's class.

use std::collections::HashSet;

use crate::class::{Letters, Pair, Ranks, class_text, in_class, in_order};
use crate::grid::{Grid, inverse};
use crate::run::Task;

/// The most cells whose ranks are compared with each other: the ways to rank 8 cells are 545,835.
const MOST_RANKED: usize = 8;

/// The most parts the class of all boards is divided into: far above any sensible split.
const MOST_PARTS: u64 = 20_000_000;

/// How many gaps are shown.
const MOST_GAPS: usize = 3;

/// How the classes of the tasks and their images add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// To the number of all boards.
    Exact,
    /// To more: some boards are searched more than once, which costs time only.
    More,
    /// To less: boards are missing.
    Less,
    /// To a number beyond 128 bits.
    TooLarge,
}

struct Cover<'a> {
    ranks: &'a Ranks,
    symmetries: &'a [Vec<usize>],
    inverses: Vec<Vec<usize>>,
    tasks: &'a [&'a Task],
    parts: u64,
    gaps: Vec<String>,
    /// Sets of constraints that were found to leave no way of ranking out.
    settled: HashSet<Ranking>,
}

/// What a comparison of ranks depends on: the cells with their letters, and the orders.
type Ranking = (Vec<(usize, Letters)>, Vec<Vec<Pair>>);

/// A task under a symmetry, by index.
#[derive(Clone, Copy)]
struct Image {
    task: u32,
    symmetry: u32,
}

/// The classes of boards that no task holds in any form, described; empty if there are none.
pub(crate) fn gaps(grid: &Grid, ranks: &Ranks, tasks: &[&Task]) -> Vec<String> {
    let symmetries = &grid.symmetries;
    let inverses = symmetries.iter().map(|s| inverse(s)).collect();
    let mut cover =
        Cover { ranks, symmetries, inverses, tasks, parts: 0, gaps: Vec::new(), settled: HashSet::new() };
    let image = |task| (0..symmetries.len() as u32).map(move |symmetry| Image { task, symmetry });
    let images: Vec<Image> = (0..tasks.len() as u32).flat_map(image).collect();
    cover.divide(&mut vec![ranks.alphabet; grid.cells()], &images);
    cover.gaps
}

impl Cover<'_> {
    /// The letters an image allows on a cell: cell i of a form holds what stood on s[i].
    fn letters(&self, image: Image, cell: usize) -> Letters {
        self.tasks[image.task as usize].class[self.symmetries[image.symmetry as usize][cell]]
    }

    /// The order constraints of an image: what stood on a is now on the cell i with s[i] = a.
    fn order(&self, image: Image) -> Vec<Pair> {
        let moved = &self.inverses[image.symmetry as usize];
        let mut order: Vec<Pair> =
            self.tasks[image.task as usize].order.iter().map(|&(a, b)| (moved[a], moved[b])).collect();
        order.sort_unstable();
        order.dedup();
        order
    }

    fn divide(&mut self, class: &mut Vec<Letters>, images: &[Image]) {
        self.parts += 1;
        if self.gaps.len() >= MOST_GAPS {
            return;
        }
        if images.is_empty() {
            let class = class_text(class, self.ranks.alphabet);
            return self.gaps.push(format!("no task holds the boards of the class '{class}' in any form"));
        }
        if self.parts > MOST_PARTS {
            self.gaps.push("the tasks divide the boards too irregularly to be checked".into());
            return;
        }
        let partial = |cell: usize| {
            images.iter().filter(|&&image| class[cell] & !self.letters(image, cell) != 0).count()
        };
        // The cell that most images restrict: dividing it leaves the fewest images in each part.
        let (cell, restricting) =
            (0..class.len()).map(|cell| (cell, partial(cell))).max_by_key(|&(_, n)| n).expect("a cell");
        if restricting == 0 {
            return self.compare_ranks(class, images);
        }
        let whole = class[cell];
        let mut parts = vec![whole];
        let sets: HashSet<Letters> = images.iter().map(|&image| self.letters(image, cell)).collect();
        for allowed in sets {
            parts = parts
                .iter()
                .flat_map(|&part| [part & allowed, part & !allowed])
                .filter(|&p| p != 0)
                .collect();
        }
        parts.sort_unstable();
        for part in parts {
            class[cell] = part;
            let holds = |&&image: &&Image| part & !self.letters(image, cell) == 0;
            let images: Vec<Image> = images.iter().filter(holds).copied().collect();
            self.divide(class, &images);
        }
        class[cell] = whole;
    }

    /// Every image allows the whole class: do their order constraints together leave nothing out?
    fn compare_ranks(&mut self, class: &[Letters], images: &[Image]) {
        let mut orders: Vec<Vec<Pair>> = images.iter().map(|&image| self.order(image)).collect();
        orders.sort_unstable();
        orders.dedup();
        if orders[0].is_empty() {
            return;
        }
        let mut cells: Vec<usize> = orders.iter().flatten().flat_map(|&(a, b)| [a, b]).collect();
        cells.sort_unstable();
        cells.dedup();
        let key = (cells.iter().map(|&cell| (cell, class[cell])).collect(), orders);
        if self.settled.contains(&key) {
            return;
        }
        let (with_letters, orders) = key;
        let text = class_text(class, self.ranks.alphabet);
        if cells.len() > MOST_RANKED {
            return self.gaps.push(format!(
                "the order constraints on boards of the class '{text}' compare {} cells: too many to be checked",
                cells.len()
            ));
        }
        let possible: Vec<u32> = with_letters.iter().map(|&(_, set)| self.ranks.of_all(set)).collect();
        match ranking_left_out(&cells, &possible, &orders) {
            None => drop(self.settled.insert((with_letters, orders))),
            Some(levels) => {
                let level = |(cell, level)| format!("{cell} has level {level}");
                let levels: Vec<String> = cells.iter().zip(&levels).map(level).collect();
                self.gaps.push(format!(
                    "the order constraints leave out boards of the class '{text}' whose letters rank so that cell {}",
                    levels.join(", ")
                ));
            }
        }
    }
}

/// A way to rank the cells, ties included, that occurs and satisfies none of the orders. Levels run
/// from 0 without gaps; `possible` has the ranks that each cell's letters can have.
fn ranking_left_out(cells: &[usize], possible: &[u32], orders: &[Vec<Pair>]) -> Option<Vec<usize>> {
    let n = cells.len();
    let place = |cell: usize| cells.iter().position(|&c| c == cell).expect("a cell of the orders");
    let orders: Vec<Vec<Pair>> =
        orders.iter().map(|order| order.iter().map(|&(a, b)| (place(a), place(b))).collect()).collect();
    let mut levels = vec![0; n];
    loop {
        let highest = *levels.iter().max()?;
        let without_gaps = (0..highest).all(|level| levels.contains(&level));
        let satisfied = |order: &Vec<Pair>| order.iter().all(|&(a, b)| levels[a] >= levels[b]);
        if without_gaps && !orders.iter().any(satisfied) && occurs(&levels, possible) {
            return Some(levels);
        }
        // The next way to give each cell a level below n.
        let next = levels.iter().position(|&level| level + 1 < n)?;
        levels[next] += 1;
        levels[..next].fill(0);
    }
}

/// Whether letters can be chosen so that the cells rank by these levels: from the lowest level up,
/// take the lowest rank above the last that all cells of the level can have.
fn occurs(levels: &[usize], possible: &[u32]) -> bool {
    let highest = levels.iter().max().copied().unwrap_or(0);
    let mut above = u32::MAX;
    (0..=highest).all(|level| {
        let cells = levels.iter().zip(possible).filter(|(l, _)| **l == level);
        let common = cells.fold(above, |ranks, (_, possible)| ranks & possible);
        above = if common == 0 { 0 } else { !0u32 << common.trailing_zeros() << 1 };
        common != 0
    })
}

/// Adds up the boards of all classes and their images.
pub(crate) fn count(grid: &Grid, ranks: &Ranks, tasks: &[&Task]) -> Count {
    let boards = |task: &Task| -> Option<u128> {
        let images: HashSet<Vec<Letters>> =
            grid.symmetries.iter().map(|s| s.iter().map(|&from| task.class[from]).collect()).collect();
        let sizes = task.class.iter().map(|set| u128::from(set.count_ones()));
        sizes.into_iter().try_fold(images.len() as u128, u128::checked_mul)
    };
    let all = u128::from(ranks.alphabet.count_ones()).checked_pow(grid.cells() as u32);
    let sum = tasks.iter().try_fold(0u128, |sum, task| sum.checked_add(boards(task)?));
    match all.zip(sum) {
        None => Count::TooLarge,
        Some((all, sum)) if sum == all => Count::Exact,
        Some((all, sum)) if sum > all => Count::More,
        Some(_) => Count::Less,
    }
}

/// Whether some form of a board lies in some task.
pub(crate) fn holds(grid: &Grid, ranks: &Ranks, tasks: &[&Task], board: &[u8]) -> bool {
    grid.symmetries.iter().any(|s| {
        let form: Vec<u8> = s.iter().map(|&from| board[from]).collect();
        tasks.iter().any(|task| in_class(&form, &task.class) && in_order(&form, &task.order, ranks))
    })
}
