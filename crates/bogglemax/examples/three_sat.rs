//! Why finding the best board of a Sum/Choice tree is NP-hard, by doing it: a 3-CNF formula becomes
//! a tree, and the boards that reach its number of clauses are the assignments that satisfy it.
//!
//! A cell is a variable, holding `t` or `f`. A clause (a or b or c) becomes three paths worth a point
//! each, of which a board satisfies at most one: a; not a, b; not a, not b, c. So F(T, B) is the
//! number of clauses that B satisfies.
//!
//! ```text
//! cargo run --release --example three_sat
//! ```
//!
//! checks the reduction on random formulas against all assignments, and says how they fared.

use bogglemax::tree::PathTree;
use bogglemax::{Board, BoardClass, Dims, Error, Tile};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const FALSE: Tile = 5; // f
const TRUE: Tile = 19; // t

/// A variable or its negation.
#[derive(Clone, Copy, Debug)]
struct Literal {
    variable: u8,
    positive: bool,
}

impl Literal {
    /// The step of a path that makes the literal true, or false.
    fn step(self, value: bool) -> (u8, Tile) {
        (self.variable, if self.positive == value { TRUE } else { FALSE })
    }

    fn holds(self, board: &Board) -> bool {
        board.tiles()[usize::from(self.variable)] == self.step(true).1
    }
}

/// One to three literals on different variables, of which at least one must hold.
type Clause = Vec<Literal>;

/// All assignments that satisfy every clause, found as the boards with F(T, B) >= m.
fn satisfying(variables: usize, formula: &[Clause]) -> Result<Vec<Board>, Error> {
    let class = BoardClass::new(Dims::new(1, variables)?, &vec![1 << TRUE | 1 << FALSE; variables]);
    let mut tree = PathTree::new(class);
    for clause in formula {
        for (i, literal) in clause.iter().enumerate() {
            let path: Vec<(u8, Tile)> =
                clause[..i].iter().map(|earlier| earlier.step(false)).chain([literal.step(true)]).collect();
            tree.add_word(&path, 1);
        }
    }
    tree.build()?.orderly_bound(formula.len() as u32)
}

/// The same by trying all assignments.
fn brute_force(variables: usize, formula: &[Clause]) -> Result<Vec<Board>, Error> {
    let class = BoardClass::new(Dims::new(1, variables)?, &vec![1 << TRUE | 1 << FALSE; variables]);
    let holds =
        |board: &Board| formula.iter().all(|clause| clause.iter().any(|literal| literal.holds(board)));
    Ok(class.boards().filter(holds).collect())
}

fn random_formula(variables: usize, clauses: usize, rng: &mut ChaCha8Rng) -> Vec<Clause> {
    let clause = |rng: &mut ChaCha8Rng| {
        let mut chosen: Vec<u8> = (0..variables as u8).collect();
        chosen.shuffle(rng);
        chosen.truncate(rng.random_range(1..=3));
        chosen.into_iter().map(|variable| Literal { variable, positive: rng.random() }).collect()
    };
    (0..clauses).map(|_| clause(rng)).collect()
}

/// Runs random formulas both ways: how many could be satisfied, and how many not.
fn compare(formulas: usize, seed: u64) -> Result<(usize, usize), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..formulas {
        let variables = rng.random_range(1..=12);
        let clauses = rng.random_range(1..=3 * variables);
        let formula = random_formula(variables, clauses, &mut rng);
        let (mut found, mut expected) = (satisfying(variables, &formula)?, brute_force(variables, &formula)?);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{formula:?}");
        if found.is_empty() { unsatisfiable += 1 } else { satisfiable += 1 }
    }
    Ok((satisfiable, unsatisfiable))
}

fn main() -> Result<(), Error> {
    let (satisfiable, unsatisfiable) = compare(2000, 1)?;
    println!(
        "{satisfiable} formulas satisfiable, {unsatisfiable} not: the tree and brute force agree on all"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reduction_agrees_with_brute_force() {
        let (satisfiable, unsatisfiable) = compare(300, 2).unwrap();
        assert!(satisfiable > 30 && unsatisfiable > 30, "{satisfiable} {unsatisfiable}");
    }
}
