//! `/api/steps`: a proof on a small class, step by step: `branch` or `orderly_bound` of the paper.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use bogglemax::tree::{ChoiceNode, Order, Tree, cell_order};
use bogglemax::{Alphabet, Board, BoardClass, Scorer, Tile};
use serde::{Deserialize, Serialize};

use super::tree::{CountName, check_size, read_class};
use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, Params, face, symbol};

/// The most steps told.
pub(crate) const MAX_STEPS: usize = 3_000;
/// The largest tree that is stepped through, in nodes: `branch` copies it at every step.
const MAX_NODES: u64 = 200_000;
/// When to give up.
const MAX_TIME: Duration = Duration::from_secs(3);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    class: String,
    cutoff: u32,
    dims: Option<String>,
    #[serde(default)]
    method: Method,
    #[serde(default)]
    count: CountName,
    wordlist: Option<String>,
    scoring: Option<String>,
}

#[derive(Deserialize, Serialize, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Listing 6: the letter is fixed and the subtrees below it are merged into a new tree.
    Branch,
    /// Listing 7: bounds are added up from stacks of nodes, and no tree is made.
    #[default]
    OrderlyBound,
}

#[derive(Serialize)]
pub(crate) struct Report {
    class: String,
    dims: String,
    cutoff: u32,
    method: Method,
    count: CountName,
    /// The bound of the whole class.
    bound: u32,
    cell_order: Vec<u8>,
    steps: Vec<Step>,
    boards: Vec<Found>,
    /// Whether these are all the steps there are.
    complete: bool,
}

/// A letter tried on a cell, after the letters of the steps above it.
#[derive(Serialize, Clone, Debug, PartialEq)]
struct Step {
    depth: usize,
    cell: usize,
    letter: String,
    face: String,
    bound: u64,
    outcome: Outcome,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    /// The bound is below the cutoff: no board with these letters needs to be looked at.
    Pruned,
    /// There may be such boards: the next cell comes.
    Descend,
    /// All cells have letters, and the count reaches the cutoff.
    Found,
}

#[derive(Serialize)]
struct Found {
    board: String,
    /// The count of the tree, M or D, by which it was found.
    count: u64,
    score: u64,
}

pub(crate) async fn steps(
    State(app): State<Arc<App>>,
    Params(query): Params<Query>,
) -> Result<Json<Report>, ApiError> {
    let game = Game::named(&app, query.wordlist.as_deref(), query.scoring.as_deref())?;
    let class = read_class(&game, &query.class, query.dims.as_deref())?;
    let shared = Arc::clone(&app);
    app.slow.run(move || report(&shared, &game, &class, &query).map(Json)).await
}

fn report(app: &App, game: &Game, class: &BoardClass, query: &Query) -> Result<Report, ApiError> {
    let trie = app.trie(game, class.dims());
    check_size(class, &trie, MAX_NODES)?;
    let tree = Tree::build(class, &trie, Order::Orderly, query.count.into())?;
    let mut steps = Steps::new(class, game.alphabet(), query.cutoff);
    let complete = match query.method {
        _ if tree.bound() < query.cutoff => Some(()),
        Method::Branch => steps.branch(&tree, 0),
        Method::OrderlyBound => {
            steps.push_choices(tree.choices(tree.root()));
            steps.orderly_bound(&tree, tree.bound().into(), 0)
        }
    };
    let mut scorer = Scorer::new(&game.lexicon, &game.scoring, class.dims());
    let found = |(board, count): &(Board, u64)| Found {
        board: game.text(board),
        count: *count,
        score: scorer.score(board),
    };
    Ok(Report {
        class: class.text(game.alphabet()),
        dims: class.dims().to_string(),
        cutoff: query.cutoff,
        method: query.method,
        count: query.count,
        bound: tree.bound(),
        cell_order: cell_order(class.dims()),
        boards: steps.found.iter().map(found).collect(),
        steps: steps.steps,
        complete: complete.is_some(),
    })
}

/// A search that writes down what it does.
struct Steps<'a> {
    class: &'a BoardClass,
    alphabet: &'a Alphabet,
    cutoff: u64,
    order: Vec<u8>,
    /// For each cell, the choices on it that the letters so far have led to.
    stacks: Vec<Vec<ChoiceNode>>,
    board: Board,
    steps: Vec<Step>,
    found: Vec<(Board, u64)>,
    begin: Instant,
}

impl<'a> Steps<'a> {
    fn new(class: &'a BoardClass, alphabet: &'a Alphabet, cutoff: u32) -> Steps<'a> {
        let dims = class.dims();
        Steps {
            class,
            alphabet,
            cutoff: cutoff.into(),
            order: cell_order(dims),
            stacks: vec![Vec::new(); dims.cells()],
            board: Board::new(dims, &vec![0; dims.cells()]),
            steps: Vec::new(),
            found: Vec::new(),
            begin: Instant::now(),
        }
    }

    /// Writes down that a letter was tried; says what came of it, `None` if that was too much.
    fn tried(&mut self, depth: usize, cell: usize, tile: Tile, bound: u64) -> Option<Outcome> {
        if self.steps.len() == MAX_STEPS || self.begin.elapsed() > MAX_TIME {
            return None;
        }
        self.board.set(cell, tile);
        let outcome = if bound < self.cutoff {
            Outcome::Pruned
        } else if depth + 1 == self.order.len() {
            self.found.push((self.board, bound));
            Outcome::Found
        } else {
            Outcome::Descend
        };
        let (letter, face) = (symbol(self.alphabet, tile), face(self.alphabet, tile));
        self.steps.push(Step { depth, cell, letter, face, bound, outcome });
        Some(outcome)
    }

    /// Listing 6 on every cell in turn.
    fn branch(&mut self, tree: &Tree, depth: usize) -> Option<()> {
        let cell = usize::from(self.order[depth]);
        for (tile, branch) in tree.branch().expect("an orderly tree with a free cell") {
            if self.tried(depth, cell, tile, branch.bound().into())? == Outcome::Descend {
                self.branch(&branch, depth + 1)?;
            }
        }
        Some(())
    }

    /// Listing 7. `bound` is that of the letters chosen so far.
    fn orderly_bound(&mut self, tree: &Tree, bound: u64, depth: usize) -> Option<()> {
        let cell = usize::from(self.order[depth]);
        let choices = self.stacks[cell].clone();
        let without: u64 = bound - choices.iter().map(|c| u64::from(c.bound())).sum::<u64>();
        for tile in (0..self.alphabet.len() as Tile).filter(|t| self.class.letters()[cell] >> t & 1 == 1) {
            let chosen = |c: &ChoiceNode| tree.letters(*c).find(|(t, _)| *t == tile).map(|(_, sum)| sum);
            let sums: Vec<_> = choices.iter().filter_map(chosen).collect();
            let next = without + sums.iter().map(|s| u64::from(s.bound())).sum::<u64>();
            if self.tried(depth, cell, tile, next)? == Outcome::Descend {
                let heights: Vec<usize> = self.stacks.iter().map(Vec::len).collect();
                sums.iter().for_each(|&sum| self.push_choices(tree.choices(sum)));
                self.orderly_bound(tree, next, depth + 1)?;
                self.stacks.iter_mut().zip(heights).for_each(|(stack, height)| stack.truncate(height));
            }
        }
        Some(())
    }

    fn push_choices(&mut self, choices: &[ChoiceNode]) {
        choices.iter().for_each(|choice| self.stacks[choice.cell()].push(*choice));
    }
}

#[cfg(test)]
mod tests {
    use bogglemax::tree::Count;
    use bogglemax::{Lexicon, Scoring, Trie};

    use super::*;

    #[test]
    fn both_methods_find_the_boards_of_the_library() {
        let class = BoardClass::parse("st ae lr pt ei nr s ai dr", None).unwrap();
        let trie = Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), 9);
        let tree = Tree::build(&class, &trie, Order::Orderly, Count::Dedup).unwrap();
        let best = class.boards().map(|b| tree.force(&b)).max().unwrap() as u32;
        for cutoff in [best, best * 9 / 10, best + 1] {
            let mut expected = tree.orderly_bound(cutoff).unwrap();
            expected.sort_unstable();
            let alphabet = Alphabet::english();
            let mut branch = Steps::new(&class, &alphabet, cutoff);
            branch.branch(&tree, 0).unwrap();
            let mut orderly = Steps::new(&class, &alphabet, cutoff);
            orderly.push_choices(tree.choices(tree.root()));
            orderly.orderly_bound(&tree, tree.bound().into(), 0).unwrap();
            for steps in [branch, orderly] {
                let mut boards: Vec<Board> = steps.found.iter().map(|f| f.0).collect();
                assert!(steps.found.iter().all(|(b, count)| tree.force(b) == *count));
                boards.sort_unstable();
                assert_eq!(boards, expected, "{cutoff}");
            }
        }
    }
}
