//! The paper's figures, and every lemma and theorem of the paper against all boards of random
//! small classes.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::{Dims, Lexicon, Scorer, Scoring, Trie, paper};

fn enable2k(cells: usize) -> Trie {
    Trie::new(&Lexicon::enable2k(), &Scoring::boggle(), cells)
}

fn build(class: &str, trie: &Trie, order: Order, count: Count) -> Tree {
    Tree::build(&BoardClass::parse(class, None).unwrap(), trie, order, count).unwrap()
}

/// Figures 1 and 2, and the text beside them.
#[test]
fn two_by_two_trees_are_those_of_figures_1_and_2() {
    let trie = enable2k(4);
    let figures = |class, order| {
        let tree = build(class, &trie, order, Count::Multi);
        (tree.bound(), tree.count().nodes())
    };
    assert_eq!(figures("t ae i r", Order::Spelling), (13, 56));
    assert_eq!(figures("t ae i r", Order::Orderly), (7, 29));
    assert_eq!(figures("t ao e d", Order::Spelling).0, 11);
    assert_eq!(figures("t ao e d", Order::Orderly).0, 10);
    let tree = build("t ae i r", &trie, Order::Orderly, Count::Multi);
    let on_cell_1 = tree.arena.choices.iter().filter(|c| c.cell == 1).count();
    assert_eq!(on_cell_1, 2, "the paper counts two choice nodes for cell 1");
}

/// Table 6's class, its line in Table 14 (3x3 b), and the table of its first branches.
#[test]
fn table_6_has_the_bounds_and_nodes_of_the_paper() {
    const TABLE_6: &str = "lnrsy chkmpt lnrsy aeiou aeiou aeiou chkmpt lnrsy bdfgjqvwxz";
    let trie = enable2k(9);
    assert_eq!(build(TABLE_6, &trie, Order::Spelling, Count::Multi).bound(), 9460);
    assert_eq!(build(TABLE_6, &trie, Order::Orderly, Count::Dedup).bound(), 1311);
    let tree = build(TABLE_6, &trie, Order::Orderly, Count::Multi);
    assert_eq!((tree.bound(), tree.count().nodes()), (1523, 333_492));
    let english = crate::Alphabet::english();
    let branches: Vec<(char, u64, u32)> = tree
        .branch()
        .unwrap()
        .iter()
        .map(|(letter, tree)| (english.symbol(*letter), tree.count().nodes(), tree.bound()))
        .collect();
    assert_eq!(
        branches,
        [
            ('a', 86_420, 1198),
            ('e', 98_585, 1417),
            ('i', 81_062, 994),
            ('o', 75_474, 862),
            ('u', 60_457, 753)
        ]
    );
}

/// The 2x3 board with three words of which M counts each four times and D twice.
#[test]
fn bee_fee_beef() {
    let lexicon = Lexicon::from_words("bees", ["bee", "fee", "beef"]).unwrap();
    let dims = Dims::new(2, 3).unwrap();
    let trie = Trie::new(&lexicon, &Scoring::boggle(), 6);
    let class = BoardClass::parse("ex b ex ex f ex", Some(dims)).unwrap();
    let board = Board::parse("ebeefe", Some(dims)).unwrap();
    for order in [Order::Spelling, Order::Orderly] {
        let force = |count| Tree::build(&class, &trie, order, count).unwrap().force(&board);
        assert_eq!((force(Count::Multi), force(Count::Dedup)), (12, 6), "{order:?}");
    }
}

/// Table 15: one board, so U = F = M, or D.
#[test]
fn table_15_is_pathological() {
    let class = BoardClass::of_board(&Board::parse("eeesrvrreeesrsrs", None).unwrap());
    let trie = enable2k(16);
    let bound = |count| Tree::build(&class, &trie, Order::Orderly, count).unwrap().bound();
    assert_eq!((bound(Count::Multi), bound(Count::Dedup)), (21_953, 13_253));
}

#[test]
fn bounds_that_do_not_fit_are_refused() {
    let lexicon = Lexicon::from_words("big", ["tea", "eat"]).unwrap();
    let huge: Scoring = "0,0,0,4294967295".parse().unwrap();
    let class = BoardClass::parse("t e a x", None).unwrap();
    for order in [Order::Spelling, Order::Orderly] {
        let trie = Trie::new(&lexicon, &huge, 4);
        let error = Tree::build(&class, &trie, order, Count::Multi).unwrap_err();
        assert!(error.to_string().contains("scoring with smaller values"), "{error}");
    }
    let any = BoardClass::new(Dims::new(6, 6).unwrap(), &[u32::MAX >> 6; 36]);
    let small = Trie::new(&lexicon, &Scoring::boggle(), 36);
    let error = Tree::build(&any, &small, Order::Orderly, Count::Multi).unwrap_err();
    assert!(error.to_string().contains("fewer letters"), "{error}");
}

#[test]
fn spelling_trees_do_not_branch() {
    let tree = build("t ae i r", &enable2k(4), Order::Spelling, Count::Multi);
    assert!(tree.branch().is_err() && tree.orderly_bound(1).is_err());
}

/// A word list, a scoring and a class of at most a few hundred boards, all over few letters, so that
/// words are found often and in several ways.
#[derive(Clone, Debug)]
struct Game {
    lexicon: Lexicon,
    scoring: Scoring,
    class: BoardClass,
}

impl Game {
    fn trie(&self) -> Trie {
        Trie::new(&self.lexicon, &self.scoring, self.class.dims().cells())
    }

    fn tree(&self, order: Order, count: Count) -> Tree {
        Tree::build(&self.class, &self.trie(), order, count).unwrap()
    }

    fn scorer(&self) -> Scorer {
        Scorer::new(&self.lexicon, &self.scoring, self.class.dims())
    }
}

const SHAPES: [(usize, usize); 9] = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 4)];

fn classes() -> impl Strategy<Value = BoardClass> {
    prop::sample::select(&SHAPES[..]).prop_flat_map(|(rows, cols)| {
        let cells = rows * cols;
        // Bits 0 to 4 stand for a, e, q, s, t; at most eight cells have a second or third letter.
        let one = prop::collection::vec(0..5u8, cells);
        let more = prop::collection::vec((0..cells, 0..5u8), 0..8);
        (one, more).prop_map(move |(one, more)| {
            let tile = |index: u8| 1u32 << [0, 4, 16, 18, 19][usize::from(index)];
            let mut letters: Vec<u32> = one.into_iter().map(tile).collect();
            more.into_iter().for_each(|(cell, index)| letters[cell] |= tile(index));
            BoardClass::new(Dims::new(rows, cols).unwrap(), &letters)
        })
    })
}

fn games() -> impl Strategy<Value = Game> {
    let word = prop::collection::vec(prop::sample::select(&["a", "e", "qu", "s", "t"][..]), 2..7);
    let words = prop::collection::btree_set(word.prop_map(|tiles| tiles.concat()), 1..40);
    let words =
        words.prop_filter_map("a word of three letters", |words| Lexicon::from_words("random", words).ok());
    let scoring = prop::sample::select(&["boggle", "words", "pow2", "0,0,0,3,1,0,7"][..]);
    (words, scoring, classes()).prop_map(|(lexicon, scoring, class)| Game {
        lexicon,
        scoring: scoring.parse().unwrap(),
        class,
    })
}

fn counts() -> impl Strategy<Value = Count> {
    prop::sample::select(&[Count::Multi, Count::Dedup][..])
}

/// Boards of the class whose F reaches the cutoff, one by one.
fn brute_force(tree: &Tree, cutoff: u32) -> BTreeSet<Board> {
    tree.class().boards().filter(|b| tree.force(b) >= cutoff.into()).collect()
}

proptest! {
    /// F(add_word(T, P, points), B) = F(T, B) + (points if P in B else 0).
    #[test]
    fn add_word_adds_its_points_to_the_boards_it_fits(
        class in classes(),
        picks in prop::collection::vec((any::<u64>(), prop::collection::vec(0..8usize, 16), 0..5u32), 1..12),
    ) {
        let mut paths = PathTree::new(class);
        let mut before = paths.build().unwrap();
        for (cells, letters, points) in picks {
            let cells = (0..class.dims().cells() as u8).filter(|&c| cells >> c & 1 == 1);
            let path: Vec<(u8, Tile)> = cells
                .map(|c| {
                    let set: Vec<Tile> = tiles(class.letters()[usize::from(c)]).collect();
                    (c, set[letters[usize::from(c)] % set.len()])
                })
                .collect();
            paths.add_word(&path, points);
            let after = paths.build().unwrap();
            for board in class.boards() {
                let fits = path.iter().all(|&(cell, letter)| board.tiles()[usize::from(cell)] == letter);
                let gain = if fits { u64::from(points) } else { 0 };
                prop_assert_eq!(after.force(&board), before.force(&board) + gain);
            }
            before = after;
        }
    }

    /// F(T, B) is M(B), or D(B), whatever the class and the order; M >= D >= S.
    #[test]
    fn force_is_independent_of_the_class(game in games()) {
        let mut scorer = game.scorer();
        for order in [Order::Spelling, Order::Orderly] {
            let (multi, dedup) = (game.tree(order, Count::Multi), game.tree(order, Count::Dedup));
            for board in game.class.boards() {
                let (m, d) = (multi.force(&board), dedup.force(&board));
                prop_assert_eq!(m, scorer.multi(&board));
                prop_assert_eq!(d, scorer.dedup(&board));
                prop_assert!(m >= d && d >= scorer.score(&board));
                let alone = Game { class: BoardClass::of_board(&board), ..game.clone() };
                prop_assert_eq!(alone.tree(order, Count::Multi).force(&board), m);
                prop_assert_eq!(alone.tree(order, Count::Dedup).bound(), d as u32);
            }
        }
    }

    /// U(T) >= F(T, B) >= S(B).
    #[test]
    fn bound_is_at_least_force(game in games(), count in counts()) {
        let mut scorer = game.scorer();
        for order in [Order::Spelling, Order::Orderly] {
            let tree = game.tree(order, count);
            for board in game.class.boards() {
                prop_assert!(u64::from(tree.bound()) >= tree.force(&board));
                prop_assert!(u64::from(tree.bound()) >= scorer.score(&board));
            }
        }
    }

    /// The bound kept in every node is U by its definition.
    #[test]
    fn kept_bounds_are_u_by_definition(game in games(), count in counts(), order in
        prop::sample::select(&[Order::Spelling, Order::Orderly][..])) {
        let tree = game.tree(order, count);
        for &choice in &tree.arena.choices {
            let largest = tree.letters(choice).map(|(_, sum)| sum.bound).max();
            prop_assert_eq!(Some(choice.bound), largest);
        }
        for &sum in tree.arena.sums.iter().chain([&tree.root]) {
            let children: u32 = tree.choices(sum).iter().map(|c| c.bound).sum();
            prop_assert_eq!(sum.bound, tree.points(sum) + children);
        }
    }

    /// F(merge(T1, T2), B) = F(T1, B) + F(T2, B), and U(merge) <= U(T1) + U(T2).
    #[test]
    fn merge_adds(game in games(), count in counts(), picks in any::<(prop::sample::Index, prop::sample::Index)>()) {
        let mut tree = game.tree(Order::Orderly, count);
        tree.arena.sums.push(tree.root);
        let (a, b) = (*picks.0.get(&tree.arena.sums), *picks.1.get(&tree.arena.sums));
        let merged = tree.arena.merge(a, b);
        prop_assert!(merged.bound <= a.bound + b.bound);
        for board in game.class.boards() {
            let force = |node| tree.arena.force(node, board.tiles());
            prop_assert_eq!(force(merged), force(a) + force(b));
            prop_assert!(u64::from(merged.bound) >= force(merged));
        }
    }

    /// Each branch has the boards with its letter, with their F, and no higher bound. Down to boards.
    #[test]
    fn branch_partitions_and_never_raises_the_bound(game in games(), count in counts()) {
        let mut level = vec![game.tree(Order::Orderly, count)];
        let whole = level[0].clone();
        for _ in 0..game.class.dims().cells() {
            let mut next = Vec::new();
            for tree in &level {
                for (_, branch) in tree.branch().unwrap() {
                    prop_assert!(branch.bound() <= tree.bound());
                    next.push(branch);
                }
            }
            prop_assert_eq!(next.iter().map(|t| t.class.size()).sum::<u128>(), game.class.size());
            level = next;
            if level.len() > 64 {
                break;
            }
        }
        for tree in &level {
            for board in tree.class.boards() {
                prop_assert_eq!(tree.force(&board), whole.force(&board));
            }
            if tree.class.size() == 1 && tree.depth == game.class.dims().cells() {
                prop_assert_eq!(tree.count().nodes(), 1);
            }
        }
    }

    /// The theorem: exactly the boards with M (or D) at or above the cutoff, before and after branching.
    #[test]
    fn orderly_bound_finds_exactly_the_boards_that_reach_the_cutoff(
        game in games(), count in counts(), part in 0.0..1.2f64,
    ) {
        let tree = game.tree(Order::Orderly, count);
        let cutoff = (f64::from(tree.bound()) * part) as u32;
        let found = tree.orderly_bound(cutoff).unwrap();
        prop_assert_eq!(found.len(), found.iter().collect::<BTreeSet<_>>().len());
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), brute_force(&tree, cutoff));
        for (_, branch) in tree.branch().unwrap() {
            let found: BTreeSet<Board> = branch.orderly_bound(cutoff).unwrap().into_iter().collect();
            prop_assert_eq!(found, brute_force(&branch, cutoff));
        }
    }

    /// The final algorithm finds exactly the boards with S at or above the cutoff, whenever it
    /// switches over, and however often its memory has been used before.
    #[test]
    fn the_engine_finds_exactly_the_boards_that_score_the_cutoff(
        game in games(), count in counts(), part in 0.0..1.2f64, factor in 0.0..3.0f64, unmerged in 0..10usize,
    ) {
        let mut scorer = game.scorer();
        let best = game.class.boards().map(|b| scorer.score(&b)).max().unwrap();
        let cutoff = (best as f64 * part) as u64;
        let options = paper::Options {
            switch_over: paper::SwitchOver::Factor(factor),
            unmerged_cells: unmerged,
            count,
        };
        let dims = game.class.dims();
        let mut engine = paper::Engine::new(&game.lexicon, &game.scoring, dims, cutoff, options).unwrap();
        let any = BoardClass::new(dims, &vec![0b10001; dims.cells()]);
        if any.size() < 300 {
            engine.run(&any).unwrap();
        }
        let outcome = engine.run(&game.class).unwrap();
        let found: BTreeSet<(Board, u64)> = outcome.boards.iter().copied().collect();
        prop_assert_eq!(found.len(), outcome.boards.len());
        let scored = game.class.boards().map(|b| (b, scorer.score(&b)));
        prop_assert_eq!(found, scored.filter(|&(_, s)| s >= cutoff).collect::<BTreeSet<_>>());
        prop_assert!(u64::from(outcome.largest_pruned) < cutoff.max(1));
    }
}
