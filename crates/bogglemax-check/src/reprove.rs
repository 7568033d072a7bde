//! Proves a task again by branch and bound over [`items`](crate::items): all boards of a class whose
//! score is above a limit are met, or the search says that it was stopped.

use crate::class::{Letters, Pair, Ranks, each, in_order};
use crate::grid::Grid;
use crate::items::{Items, Node};
use crate::score::Word;

/// The work allowed for a task is used up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OutOfBudget;

/// Searches classes within one task.
pub(crate) struct Prover<'a> {
    pub items: Items<'a>,
    ranks: &'a Ranks,
    order: &'a [Pair],
    budget: u64,
}

impl<'a> Prover<'a> {
    /// For the task of this class and order; `budget` is the number of items it may look at.
    pub fn new(
        grid: &'a Grid,
        words: &'a [Word],
        ranks: &'a Ranks,
        order: &'a [Pair],
        class: &[Letters],
        budget: u64,
    ) -> Prover<'a> {
        Prover { items: Items::new(grid, words, ranks, order, class), ranks, order, budget }
    }

    /// To be called at every step: tells when the work allowed is used up.
    pub fn spend(&mut self) -> Result<(), OutOfBudget> {
        self.items.work += 1;
        if self.items.work > self.budget { Err(OutOfBudget) } else { Ok(()) }
    }

    /// Calls `visit` with every board of the node that scores at least `least` and satisfies the
    /// order, and with some that score less; always with the board's true score.
    pub fn search(
        &mut self,
        node: &Node,
        least: u64,
        visit: &mut dyn FnMut(&[u8], u64),
    ) -> Result<(), OutOfBudget> {
        self.spend()?;
        if node.is_empty() {
            return Ok(());
        }
        let Some(cell) = self.items.open_cell(&node.class) else {
            let board: Vec<u8> = node.class.iter().map(|set| set.trailing_zeros() as u8).collect();
            if in_order(&board, self.order, self.ranks) {
                visit(&board, node.base);
            }
            return Ok(());
        };
        let parts = self.items.promising_parts(node, cell, least).unwrap_or_else(|| {
            let fix = |letter: u8| {
                let mut class = node.class.clone();
                class[cell] = 1 << letter;
                class
            };
            each(node.class[cell]).map(fix).collect()
        });
        for class in parts {
            let part = self.items.node_within(node, class);
            self.search(&part, least, visit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::class::in_class;
    use crate::score::{Scorer, Scoring, Trie, words_that_matter};
    use crate::words::WordList;

    const LIST: &[u8] = b"tea\neat\nate\neta\ntat\nteat\netat\ntaste\nseat\neats\nteas\nstate\nquit\nsuit\nquits\nsets\nass\nsea\nasea\ntease\n";

    /// Every board of the class that satisfies the order, with its score.
    fn brute_force(
        grid: &Grid,
        trie: &Trie,
        class: &[Letters],
        order: &[Pair],
        ranks: &Ranks,
    ) -> BTreeMap<Vec<u8>, u64> {
        let mut boards = vec![Vec::new()];
        for &set in class {
            boards = boards
                .iter()
                .flat_map(|b: &Vec<u8>| each(set).map(move |l| b.iter().copied().chain([l]).collect()))
                .collect();
        }
        let mut scorer = Scorer::new(grid, trie);
        let boards = boards.into_iter().filter(|b| in_order(b, order, ranks));
        boards
            .map(|b| {
                let score = scorer.score(&b);
                (b, score)
            })
            .collect()
    }

    fn class() -> impl Strategy<Value = Vec<Letters>> {
        // a, e, i, q, s, t, u
        let letters = [0u8, 4, 8, 16, 18, 19, 20];
        let set = prop::sample::subsequence(letters.to_vec(), 1..4);
        prop::collection::vec(set.prop_map(|s| s.iter().fold(0, |m, l| m | 1 << l)), 6)
    }

    proptest! {
        #[test]
        fn the_search_finds_exactly_the_boards_of_brute_force(
            class in class(),
            order in prop::collection::vec((0usize..6, 0usize..6), 0..3),
            dims in prop::sample::select(vec!["2x3", "3x2", "1x6"]),
            cutoff in 0u64..14,
        ) {
            let (grid, scoring) = (Grid::parse(dims).unwrap(), Scoring::parse("boggle").unwrap());
            let words = words_that_matter(&WordList::from_text("x", LIST).unwrap(), &scoring, 6);
            let trie = Trie::new(&words);
            let ranks = Ranks::parse("uqitsea").unwrap();
            let all = brute_force(&grid, &trie, &class, &order, &ranks);
            let mut prover = Prover::new(&grid, &words, &ranks, &order, &class, u64::MAX);
            let root = prover.items.node(&class);
            let mut found = BTreeMap::new();
            prover.search(&root, cutoff, &mut |board, score| {
                assert_eq!(all[board], score);
                if score >= cutoff {
                    assert!(found.insert(board.to_vec(), score).is_none());
                }
            }).unwrap();
            let expected: BTreeMap<_, _> = all.into_iter().filter(|(_, s)| *s >= cutoff).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn bounds_hold_for_a_class_and_its_parts_in_any_cell_order(
            class in class(),
            cuts in prop::collection::vec((0usize..6, 0usize..3, any::<bool>()), 0..5),
        ) {
            let (grid, scoring) = (Grid::parse("2x3").unwrap(), Scoring::parse("boggle").unwrap());
            let words = words_that_matter(&WordList::from_text("x", LIST).unwrap(), &scoring, 6);
            let trie = Trie::new(&words);
            let ranks = Ranks::parse("uqitsea").unwrap();
            let mut items = Items::new(&grid, &words, &ranks, &[], &class);
            let mut node = items.node(&class);
            for (cell, which, one) in cuts {
                let letters: Vec<u8> = each(node.class[cell]).collect();
                let letter = letters[which % letters.len()];
                let keep = if one || letters.len() == 1 { 1 << letter } else { node.class[cell] & !(1 << letter) };
                node = items.part(&node, cell, keep);
                let fresh = items.node(&node.class);
                prop_assert_eq!(node.base, fresh.base);
                prop_assert_eq!(&node.items, &fresh.items);
            }
            let boards = brute_force(&grid, &trie, &node.class, &[], &ranks);
            prop_assert!(boards.keys().all(|b| in_class(b, &class)));
            if let Some(cell) = items.open_cell(&node.class) {
                for least in [1, 3, 6, 10] {
                    let parts = items.promising_parts(&node, cell, least).unwrap();
                    let good = boards.iter().filter(|(_, score)| **score >= least);
                    for (board, score) in good {
                        prop_assert!(parts.iter().any(|p| in_class(board, p)), "{:?} {}", board, score);
                    }
                }
            } else {
                prop_assert_eq!(boards.into_values().collect::<Vec<_>>(), [node.base]);
            }
        }
    }

    #[test]
    fn a_budget_stops_the_search() {
        let grid = Grid::parse("2x3").unwrap();
        let words = words_that_matter(
            &WordList::from_text("x", LIST).unwrap(),
            &Scoring::parse("boggle").unwrap(),
            6,
        );
        let ranks = Ranks::parse("uqitsea").unwrap();
        let class = vec![ranks.alphabet; 6];
        let mut prover = Prover::new(&grid, &words, &ranks, &[], &class, 100);
        let root = prover.items.node(&class);
        assert_eq!(prover.search(&root, 1, &mut |_, _| {}), Err(OutOfBudget));
    }
}
