//! Pictures of trees, as in the paper's Figures 1 and 2: what is shown of a tree, and the DOT form.
//!
//! A sum node shows the letter that leads to it and its points, a choice node its cell; the bound
//! stands beside each. A large tree is cut: what is left out below a node is told as a number.

use std::collections::VecDeque;
use std::fmt::Write;

use super::{ChoiceNode, Order, SumNode, Tree};
use crate::{Alphabet, Tile};

/// What is shown of a tree: shapes in breadth-first order, the root first.
pub(super) struct Picture {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) shapes: Vec<Shape>,
}

pub(super) struct Shape {
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) kind: ShapeKind,
}

pub(super) enum ShapeKind {
    /// The letter that leads here (none at the root), points and bound.
    Sum { letter: String, points: u32, bound: u32 },
    /// Cell and bound.
    Choice { cell: usize, bound: u32 },
    /// This many nodes are left out.
    More(u64),
}

/// A node still to be shown.
enum Node {
    Sum(SumNode),
    Choice(ChoiceNode),
}

impl Picture {
    /// Shows about `most_nodes` nodes, the highest ones. A node's children are shown all or not at
    /// all, so that a picture never hides the best letter behind a cut.
    pub(super) fn of(tree: &Tree, most_nodes: usize) -> Picture {
        let mut picture =
            Picture { title: tree.class.to_string(), subtitle: subtitle(tree), shapes: Vec::new() };
        let mut queue =
            VecDeque::from([(picture.add_sum(tree, None, None, tree.root), Node::Sum(tree.root))]);
        while let Some((at, node)) = queue.pop_front() {
            let children: Vec<(Option<Tile>, Node)> = match node {
                Node::Sum(sum) => tree.choices(sum).iter().map(|&c| (None, Node::Choice(c))).collect(),
                Node::Choice(choice) => {
                    tree.letters(choice).map(|(t, sum)| (Some(t), Node::Sum(sum))).collect()
                }
            };
            if children.is_empty() {
                continue;
            }
            if picture.shapes.len() + children.len() > most_nodes.max(1) {
                let hidden = children.iter().map(|(_, child)| size(tree, child)).sum();
                // To say that two are missing takes as much room as showing them.
                if hidden > 2 {
                    picture.add(Some(at), ShapeKind::More(hidden));
                    continue;
                }
            }
            for (letter, child) in children {
                let index = match child {
                    Node::Sum(sum) => picture.add_sum(tree, Some(at), letter, sum),
                    Node::Choice(choice) => {
                        picture.add(Some(at), ShapeKind::Choice { cell: choice.cell(), bound: choice.bound })
                    }
                };
                queue.push_back((index, child));
            }
        }
        picture
    }

    fn add_sum(&mut self, tree: &Tree, parent: Option<usize>, letter: Option<Tile>, sum: SumNode) -> usize {
        let letter = letter.map_or(String::new(), |t| tile_name(&Alphabet::english(), t));
        self.add(parent, ShapeKind::Sum { letter, points: tree.points(sum), bound: sum.bound })
    }

    fn add(&mut self, parent: Option<usize>, kind: ShapeKind) -> usize {
        let index = self.shapes.len();
        self.shapes.push(Shape { parent, children: Vec::new(), kind });
        if let Some(parent) = parent {
            self.shapes[parent].children.push(index);
        }
        index
    }
}

fn subtitle(tree: &Tree) -> String {
    let order = match tree.order {
        Order::Spelling => "spelling order",
        Order::Orderly => "orderly",
    };
    let nodes = tree.count().nodes();
    format!("{order}, bound {}, {} nodes", thousands(tree.bound().into()), thousands(nodes))
}

fn size(tree: &Tree, node: &Node) -> u64 {
    let below = |sum: SumNode| {
        let (sums, choices) = tree.arena.count(sum);
        sums + choices
    };
    match *node {
        Node::Sum(sum) => below(sum),
        Node::Choice(choice) => 1 + tree.letters(choice).map(|(_, sum)| below(sum)).sum::<u64>(),
    }
}

/// A tile as it is printed on a die: "A", "Qu".
fn tile_name(alphabet: &Alphabet, tile: Tile) -> String {
    let spelled = alphabet.spelled(tile);
    let mut chars = spelled.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// "12,345".
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Tree {
    /// The tree as a Graphviz graph, cut to about `most_nodes` nodes.
    ///
    /// ```
    /// # use bogglemax::tree::{Count, Order, Tree};
    /// # use bogglemax::{BoardClass, Lexicon, Scoring, Trie};
    /// let trie = Trie::new(&Lexicon::from_words("t", ["tea", "ate"])?, &Scoring::boggle(), 4);
    /// let class = BoardClass::parse("t e a x", None)?;
    /// let tree = Tree::build(&class, &trie, Order::Orderly, Count::Multi)?;
    /// assert!(tree.dot(100).starts_with("digraph"));
    /// # Ok::<(), bogglemax::Error>(())
    /// ```
    pub fn dot(&self, most_nodes: usize) -> String {
        let picture = Picture::of(self, most_nodes);
        let mut dot = String::from("digraph sum_choice_tree {\n");
        let _ = writeln!(dot, "  label=\"{}\\n{}\"; labelloc=t;", picture.title, picture.subtitle);
        dot.push_str("  node [fontname=\"Helvetica\"]; edge [arrowhead=none];\n");
        for (i, shape) in picture.shapes.iter().enumerate() {
            let _ = match &shape.kind {
                ShapeKind::Sum { letter, points, bound } => {
                    let points = if *points > 0 { format!("+{points}") } else { String::new() };
                    let label = format!("{letter} {points}");
                    writeln!(
                        dot,
                        "  n{i} [shape=box, style=rounded, label=\"{}\", xlabel=\"{bound}\"];",
                        label.trim()
                    )
                }
                ShapeKind::Choice { cell, bound } => {
                    writeln!(dot, "  n{i} [shape=circle, label=\"{cell}\", xlabel=\"{bound}\"];")
                }
                ShapeKind::More(hidden) => {
                    writeln!(dot, "  n{i} [shape=plaintext, label=\"… {} more\"];", thousands(*hidden))
                }
            };
            if let Some(parent) = shape.parent {
                let _ = writeln!(dot, "  n{parent} -> n{i};");
            }
        }
        dot.push_str("}\n");
        dot
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Count, PathTree};
    use super::*;
    use crate::{BoardClass, Lexicon, Scoring, Trie};

    fn figure_2() -> Tree {
        let class = BoardClass::parse("t ae i r", None).unwrap();
        let trie = Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), 4);
        Tree::build(&class, &trie, Order::Orderly, Count::Multi).unwrap()
    }

    #[test]
    fn small_trees_are_shown_whole() {
        let picture = Picture::of(&figure_2(), 100);
        assert_eq!(picture.shapes.len(), 29);
        assert!(!picture.shapes.iter().any(|s| matches!(s.kind, ShapeKind::More(_))));
        // TAR, RAT and ART share a node.
        assert!(picture.shapes.iter().any(|s| matches!(s.kind, ShapeKind::Sum { points: 3, .. })));
    }

    #[test]
    fn what_is_cut_is_counted() {
        let tree = figure_2();
        for most in [0, 1, 2, 5, 10, 20, 28] {
            let picture = Picture::of(&tree, most);
            let hidden = picture.shapes.iter().map(|s| match s.kind {
                ShapeKind::More(hidden) => hidden,
                _ => 1,
            });
            assert_eq!(hidden.sum::<u64>(), 29, "most {most}");
        }
    }

    #[test]
    fn the_empty_tree_has_a_picture() {
        let tree = PathTree::new(BoardClass::parse("x", None).unwrap()).build().unwrap();
        assert!(tree.dot(10).contains("n0"));
        assert!(tree.svg(10).contains("</svg>"));
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 12, 123, 1234, 1_234_567].map(thousands), ["0", "12", "123", "1,234", "1,234,567"]);
    }
}
