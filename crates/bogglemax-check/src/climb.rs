//! Looks for a counterexample the way people look for good boards: random boards of a task and
//! climbs from them. It proves nothing, but needs no bound to find a mistake.

use std::collections::HashSet;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::class::{board_text, each, in_order};
use crate::run::{Run, Task};
use crate::score::Scorer;

/// Random boards tried in a task.
pub(crate) const BOARDS: usize = 100;
/// Climbs in a task.
pub(crate) const CLIMBS: usize = 3;
/// How often a random board of the class is drawn until it satisfies the order.
const TRIES: usize = 1_000;

/// What the journal says of a task, against which boards of the task are held.
pub(crate) struct Claim<'a> {
    run: &'a Run,
    task: &'a Task,
    /// The boards listed, in canonical form.
    listed: HashSet<Vec<u8>>,
    /// The first board found that is not as claimed.
    pub contradiction: Option<String>,
}

impl<'a> Claim<'a> {
    pub fn new(run: &'a Run, task: &'a Task) -> Claim<'a> {
        let listed = task.boards.iter().map(|(board, _)| run.grid.canonical(board)).collect();
        Claim { run, task, listed, contradiction: None }
    }

    /// Holds a board of the task against the claim.
    pub fn hold(&mut self, board: &[u8], score: u64) {
        // The order of the comparisons matters for speed only: most boards score little.
        if (score <= self.task.largest_pruned && score < self.run.cutoff)
            || self.contradiction.is_some()
            || self.listed.contains(&self.run.grid.canonical(board))
        {
            return;
        }
        let text = board_text(board);
        self.contradiction = Some(if score >= self.run.cutoff {
            format!("task {} does not list board {text}, which scores {score}", self.task.id)
        } else {
            let largest = self.task.largest_pruned;
            format!(
                "task {} says that no other board scores more than {largest}, but {text} scores {score}",
                self.task.id
            )
        });
    }
}

/// Draws boards of a task, climbs from some of them, and holds all against the claim.
pub(crate) fn probe(
    run: &Run,
    task: &Task,
    scorer: &mut Scorer<'_>,
    rng: &mut ChaCha8Rng,
    claim: &mut Claim<'_>,
) {
    for number in 0..BOARDS {
        let Some(mut board) = random_board(run, task, rng) else { return };
        let mut score = scorer.score(&board);
        claim.hold(&board, score);
        while number < CLIMBS && step(run, task, scorer, &mut board, &mut score, claim) {}
    }
}

/// A random board of the task; `None` if its order is too hard to meet by chance.
fn random_board(run: &Run, task: &Task, rng: &mut ChaCha8Rng) -> Option<Vec<u8>> {
    let sets: Vec<Vec<u8>> = task.class.iter().map(|&set| each(set).collect()).collect();
    if sets.iter().any(Vec::is_empty) {
        return None;
    }
    let draw = |_| -> Vec<u8> { sets.iter().map(|set| set[rng.random_range(0..set.len())]).collect() };
    (0..TRIES).map(draw).find(|board| in_order(board, &task.order, &run.ranks))
}

/// Changes the letter that gains most; false if none gains.
fn step(
    run: &Run,
    task: &Task,
    scorer: &mut Scorer<'_>,
    board: &mut Vec<u8>,
    score: &mut u64,
    claim: &mut Claim<'_>,
) -> bool {
    let mut best: Option<Vec<u8>> = None;
    for cell in 0..board.len() {
        for letter in each(task.class[cell]) {
            let mut changed = board.clone();
            changed[cell] = letter;
            if changed == *board || !in_order(&changed, &task.order, &run.ranks) {
                continue;
            }
            let changed_score = scorer.score(&changed);
            claim.hold(&changed, changed_score);
            if changed_score > *score {
                *score = changed_score;
                best = Some(changed);
            }
        }
    }
    best.is_some_and(|best| {
        *board = best;
        true
    })
}
