//! `/api/tree`: the Sum/Choice tree of a class of boards, or the part of it that can be shown.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bogglemax::tree::{ChoiceNode, Count, Order, SumNode, Tree, cell_order};
use bogglemax::{Alphabet, BoardClass, Trie, TrieNode};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, Params, face, symbol};

/// The most nodes of a tree that the server builds; a spelling tree is larger than an orderly one.
pub(crate) const MAX_NODES: u64 = 2_000_000;
/// The most nodes sent at once.
const MAX_SHOWN: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    class: String,
    dims: Option<String>,
    #[serde(default)]
    order: OrderName,
    #[serde(default)]
    count: CountName,
    wordlist: Option<String>,
    scoring: Option<String>,
    /// The node to begin with: the steps to it, `CELL:LETTER` separated by commas.
    at: Option<String>,
    /// About how many nodes to show.
    most_nodes: Option<usize>,
}

#[derive(Deserialize, Serialize, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OrderName {
    #[default]
    Orderly,
    Spelling,
}

/// Which words with several paths count more than once.
#[derive(Deserialize, Serialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CountName {
    #[default]
    Multi,
    Dedup,
}

impl From<CountName> for Count {
    fn from(name: CountName) -> Count {
        match name {
            CountName::Multi => Count::Multi,
            CountName::Dedup => Count::Dedup,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Report {
    class: String,
    dims: String,
    /// How many boards the class has, as text: it may be beyond the numbers of JSON.
    boards: String,
    order: OrderName,
    count: CountName,
    bound: u32,
    nodes: u64,
    sum_nodes: u64,
    choice_nodes: u64,
    /// The order in which orderly trees ask for cells.
    cell_order: Vec<u8>,
    tree: Shown,
}

/// A node and what is shown below it.
#[derive(Serialize, Default)]
pub(crate) struct Shown {
    kind: &'static str,
    /// For sum nodes below a choice: the letter that leads here, as it is written and as it stands
    /// on a die.
    #[serde(skip_serializing_if = "Option::is_none")]
    letter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<String>,
    /// For choice nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
    /// For sum nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    bound: u32,
    children: Vec<Shown>,
    /// How many nodes below are left out.
    hidden: u64,
}

pub(crate) async fn tree(
    State(app): State<Arc<App>>,
    Params(query): Params<Query>,
) -> Result<Json<Report>, ApiError> {
    let game = Game::named(&app, query.wordlist.as_deref(), query.scoring.as_deref())?;
    let class = read_class(&game, &query.class, query.dims.as_deref())?;
    let shared = Arc::clone(&app);
    app.slow.run(move || report(&shared, &game, &class, &query).map(Json)).await
}

/// Reads a class.
pub(crate) fn read_class(game: &Game, text: &str, dims: Option<&str>) -> Result<BoardClass, ApiError> {
    let dims = dims.map(str::parse).transpose()?;
    Ok(BoardClass::parse_with(text, dims, game.alphabet())?)
}

fn report(app: &App, game: &Game, class: &BoardClass, query: &Query) -> Result<Report, ApiError> {
    let trie = app.trie(game, class.dims());
    check_size(class, &trie, MAX_NODES)?;
    let order = match query.order {
        OrderName::Orderly => Order::Orderly,
        OrderName::Spelling => Order::Spelling,
    };
    let tree = Tree::build(class, &trie, order, query.count.into())?;
    let count = tree.count();
    let begin = find(&tree, query.at.as_deref().unwrap_or(""), game.alphabet())?;
    let most = query.most_nodes.unwrap_or(200).clamp(1, MAX_SHOWN);
    Ok(Report {
        class: class.text(game.alphabet()),
        dims: class.dims().to_string(),
        boards: class.size().to_string(),
        order: query.order,
        count: query.count,
        bound: tree.bound(),
        nodes: count.nodes(),
        sum_nodes: count.sum_nodes,
        choice_nodes: count.choice_nodes,
        cell_order: cell_order(class.dims()),
        tree: shown(&tree, begin, most, game.alphabet()),
    })
}

/// Refuses a class whose trees have more than so many nodes, before anything is built.
///
/// Counts the prefixes of words that can be placed, each with each of its placements. Those that
/// lead to a word are the sum nodes of the spelling tree; the orderly tree has fewer, and neither has
/// more choice nodes than sum nodes.
pub(crate) fn check_size(class: &BoardClass, trie: &Trie, most: u64) -> Result<(), ApiError> {
    let dims = class.dims();
    let mut count = Counting { class, trie, neighbors: Vec::new(), left: most / 2 };
    count.neighbors = (0..dims.cells()).map(|cell| dims.neighbor_mask(cell)).collect();
    let all = u64::MAX >> (64 - dims.cells());
    if count.walk(trie.root(), all, 0).is_some() {
        return Ok(());
    }
    Err(ApiError::too_large(format!(
        "this class has trees of more than {most} nodes, too large for a page: give fewer letters a cell, or use \
         'bogglemax tree'"
    )))
}

struct Counting<'a> {
    class: &'a BoardClass,
    trie: &'a Trie,
    neighbors: Vec<u64>,
    left: u64,
}

impl Counting<'_> {
    /// `None` once there are too many.
    fn walk(&mut self, node: TrieNode, next: u64, used: u64) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let children = node.children(self.trie);
        if children == 0 {
            return Some(());
        }
        let mut cells = next & !used;
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let mut letters = children & self.class.letters()[cell];
            while letters != 0 {
                let letter = letters.trailing_zeros() as u8;
                letters &= letters - 1;
                let child = node.child(self.trie, letter)?;
                self.walk(child, self.neighbors[cell], used | 1 << cell)?;
            }
        }
        Some(())
    }
}

/// The sum node that steps lead to.
fn find(tree: &Tree, steps: &str, alphabet: &Alphabet) -> Result<SumNode, ApiError> {
    let mut node = tree.root();
    for step in steps.split(',').filter(|s| !s.is_empty()) {
        let next = || {
            let (cell, letter) = step.split_once(':')?;
            let cell: usize = cell.parse().ok()?;
            let choice = *tree.choices(node).iter().find(|c| c.cell() == cell)?;
            tree.letters(choice).find(|(t, _)| symbol(alphabet, *t) == letter).map(|(_, sum)| sum)
        };
        node = next().ok_or_else(|| ApiError::bad(format!("the tree has no step '{step}' there")))?;
    }
    Ok(node)
}

/// A node whose children are still to be shown.
#[derive(Clone, Copy)]
enum Node {
    Sum(SumNode),
    Choice(ChoiceNode),
}

/// Shows about `most` nodes, the highest ones; a node's children all or not at all.
fn shown(tree: &Tree, begin: SumNode, most: usize, alphabet: &Alphabet) -> Shown {
    // Breadth first into a list, whose children come after their parents.
    let mut nodes = vec![(None, sum_node(tree, begin))];
    let mut queue = VecDeque::from([(0, Node::Sum(begin))]);
    while let Some((at, node)) = queue.pop_front() {
        let children: Vec<(Shown, Node)> = match node {
            Node::Sum(sum) => {
                let choices = tree.choices(sum).iter();
                choices.map(|&c| (choice_node(c), Node::Choice(c))).collect()
            }
            Node::Choice(choice) => tree
                .letters(choice)
                .map(|(tile, sum)| {
                    let (letter, face) = (Some(symbol(alphabet, tile)), Some(face(alphabet, tile)));
                    (Shown { letter, face, ..sum_node(tree, sum) }, Node::Sum(sum))
                })
                .collect(),
        };
        if nodes.len() + children.len() > most && at > 0 {
            nodes[at].1.hidden = below(tree, node);
            continue;
        }
        for (child, node) in children {
            queue.push_back((nodes.len(), node));
            nodes.push((Some(at), child));
        }
    }
    while let Some((Some(parent), mut node)) = nodes.pop() {
        node.children.reverse();
        nodes[parent].1.children.push(node);
        if nodes.len() == 1 {
            break;
        }
    }
    let mut root = nodes.swap_remove(0).1;
    root.children.reverse();
    root
}

fn sum_node(tree: &Tree, node: SumNode) -> Shown {
    Shown { kind: "sum", points: Some(tree.points(node)), bound: node.bound(), ..Shown::default() }
}

fn choice_node(node: ChoiceNode) -> Shown {
    Shown { kind: "choice", cell: Some(node.cell()), bound: node.bound(), ..Shown::default() }
}

/// Nodes below this one.
fn below(tree: &Tree, node: Node) -> u64 {
    let each = |node| 1 + below(tree, node);
    match node {
        Node::Sum(sum) => tree.choices(sum).iter().map(|&c| each(Node::Choice(c))).sum(),
        Node::Choice(choice) => tree.letters(choice).map(|(_, sum)| each(Node::Sum(sum))).sum(),
    }
}

#[cfg(test)]
mod tests {
    use bogglemax::{Lexicon, Scoring};

    use super::*;

    fn size(node: &Shown) -> u64 {
        1 + node.hidden + node.children.iter().map(size).sum::<u64>()
    }

    fn build(text: &str, order: Order) -> Tree {
        let class = BoardClass::parse(text, None).unwrap();
        let trie = Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), class.dims().cells());
        Tree::build(&class, &trie, order, Count::Multi).unwrap()
    }

    #[test]
    fn what_is_shown_and_what_is_hidden_are_the_tree() {
        let alphabet = Alphabet::english();
        for order in [Order::Orderly, Order::Spelling] {
            let tree = build("st aeiou lr tp e nq s ai dr", order);
            for most in [1, 10, 200, 100_000] {
                let picture = shown(&tree, tree.root(), most, &alphabet);
                assert_eq!(size(&picture), tree.count().nodes(), "{order:?} {most}");
                assert_eq!(picture.bound, tree.bound());
            }
            let whole = shown(&tree, tree.root(), usize::MAX, &alphabet);
            let (choice, letter) = (&whole.children[0], &whole.children[0].children[0]);
            let at = format!("{}:{}", choice.cell.unwrap(), letter.letter.as_ref().unwrap());
            let part = shown(&tree, find(&tree, &at, &alphabet).unwrap(), usize::MAX, &alphabet);
            assert_eq!((part.bound, size(&part)), (letter.bound, size(letter)), "{order:?}");
            assert!(find(&tree, "99:a", &alphabet).is_err());
        }
    }

    #[test]
    fn letters_stand_in_their_order() {
        let tree = build("t ae i r", Order::Orderly);
        let picture = shown(&tree, tree.root(), 1_000, &Alphabet::english());
        fn check(node: &Shown) {
            let letters: Vec<_> = node.children.iter().filter_map(|c| c.letter.clone()).collect();
            assert!(letters.is_sorted(), "{letters:?}");
            node.children.iter().for_each(check);
        }
        check(&picture);
        assert_eq!(picture.bound, 7);
    }

    #[test]
    fn no_tree_is_larger_than_was_allowed() {
        for text in ["t ae i r", "st aeiou lr tp e nq s ai dr"] {
            let class = BoardClass::parse(text, None).unwrap();
            let trie = Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), class.dims().cells());
            let sums = build(text, Order::Spelling).count().sum_nodes;
            assert!(check_size(&class, &trie, 100 * sums).is_ok());
            assert!(check_size(&class, &trie, 2 * sums - 2).is_err());
        }
    }
}
