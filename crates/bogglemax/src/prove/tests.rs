//! Parts of the engine against their definitions, splits, and figures that are known. `fuzz` has the whole
//! engine against brute force.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::descend::Level;
use super::probe::{Probe, bound_by_definition, probe};
use super::search::bits;
use super::trie::Trie;
use super::values::{Braid, Single};
use super::words::Tag;
use super::*;
use crate::prove::items::Items;
use crate::prove::task::cell_order;

/// Every board of a class.
fn boards(cells: &[u32]) -> Vec<Vec<u8>> {
    cells.iter().fold(vec![Vec::new()], |all, &mask| {
        let longer = |board: Vec<u8>| bits(mask).map(move |t| [board.as_slice(), &[t as u8]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

proptest! {
    #[test]
    fn probes_are_what_their_definition_says(
        keys in prop::collection::vec((prop::collection::vec(0u32..5, 5), 0u8..3), 0..60),
    ) {
        let layout = Layout::<u64>::new(5, 5);
        let mut points = [0; 128];
        points[..3].copy_from_slice(&[1, 11, 40_000]);
        let key = |codes: &[u32]| {
            codes.iter().zip(&layout.offset).fold(0, |k, (&c, &o)| k | u64::from(c) << o)
        };
        let mut pairs: Vec<(u64, u8)> =
            keys.iter().map(|(codes, class)| (key(codes), *class)).filter(|p| p.0 != 0).collect();
        pairs.sort_unstable();
        let mut items = Items::default();
        pairs.iter().for_each(|&(key, class)| items.push(key, Tag::new(0, class)));
        let plain: Vec<(u64, u64)> = pairs.iter().map(|p| (p.0, points[usize::from(p.1)])).collect();
        let mut wide = Probe::<u64>::new(5);
        let mut narrow = Probe::<u16>::new(5);
        let mut scalar = Probe::<u16>::new(5);
        let bound = bound_by_definition(&plain, &layout, 0, None);
        prop_assert_eq!(probe(&mut wide, &items, &points, &layout), bound);
        prop_assert_eq!(probe(&mut narrow, &items, &points, &layout), bound);
        prop_assert_eq!(scalar.scalar_twin(&items, &points, &layout), bound);
        for p in 0..5 {
            for m in 0..4 {
                let wanted = bound_by_definition(&plain, &layout, 0, Some((p, m)));
                prop_assert_eq!(wide.rows[p][m], wanted);
                prop_assert_eq!(u64::from(narrow.rows[p][m]), wanted.min(65_535));
                prop_assert_eq!(narrow.rows[p], scalar.rows[p]);
            }
        }
    }
}

proptest! {
    /// The tree of a list has the bound of the list, and what it says of the letters of the first cell
    /// is what the two parts of the child's list have, row by row; vectors or not.
    #[test]
    fn trees_are_bounded_like_their_lists(
        keys in prop::collection::vec((prop::collection::vec(0u32..5, 5), 0u8..3), 1..60),
    ) {
        let layout = Layout::<u64>::new(5, 5);
        let mut points = [0; 128];
        points[..3].copy_from_slice(&[1, 11, 40_000]);
        let key = |codes: &[u32]| {
            codes.iter().zip(&layout.offset).fold(0, |k, (&c, &o)| k | u64::from(c) << o)
        };
        let mut pairs: Vec<(u64, u8)> = keys.iter().map(|(codes, class)| (key(codes), *class)).collect();
        pairs.sort_unstable();
        let mut items = Items::default();
        pairs.iter().for_each(|&(key, class)| items.push(key, Tag::new(0, class)));
        let plain: Vec<(u64, u64)> = pairs.iter().map(|p| (p.0, points[usize::from(p.1)])).collect();
        let mut wide = (Trie::<Single<u64>>::new(), Level::<Single<u64>>::new(5, Tuning::default()));
        let mut narrow = (Trie::<Single<u16>>::new(), Level::<Single<u16>>::new(5, Tuning::default()));
        let root = wide.0.build(&items, &[], 0, &points, &layout);
        prop_assert_eq!(narrow.0.build(&items, &[], 0, &points, &layout), root);
        (wide.1.alive, narrow.1.alive) = (1, 1);
        (0..5).for_each(|p| wide.1.allow(p, |_| 1));
        (0..5).for_each(|p| narrow.1.allow(p, |_| 1));
        wide.1.start(&wide.0, &[root], [7]);
        narrow.1.start(&narrow.0, &[root], [7]);
        let bound = 7 + bound_by_definition(&plain, &layout, 0, None);
        prop_assert_eq!(wide.1.bound(0)[0], bound);
        prop_assert_eq!(narrow.1.bound(0)[0].min(65_535), bound.min(65_535));
        prop_assert_eq!(wide.1.items(), items.len());

        wide.1.take_steps(&wide.0, &items.keys, &layout, 0);
        narrow.1.take_steps(&narrow.0, &items.keys, &layout, 0);
        // A part of the list by the first cell and letter that an item has after position 0.
        let row = |code: usize, d: usize, m: usize| {
            let here = |i: &&(u64, u64)| {
                let first = (1..5).find(|&q| layout.code(i.0, q) != 0);
                layout.code(i.0, 0) == code && first == Some(d) && layout.code(i.0, d) == m + 1
            };
            let part: Vec<(u64, u64)> =
                plain.iter().filter(here).map(|&(k, v)| (layout.from(k, d + 1), v)).collect();
            bound_by_definition(&part, &layout, 0, None)
        };
        let ends = |code: usize| -> u64 {
            let over = |i: &&(u64, u64)| layout.code(i.0, 0) == code && layout.from(i.0, 1) == 0;
            plain.iter().filter(over).map(|i| i.1).sum()
        };
        for letter in 0..4 {
            let rows = (1..5).map(|d| (0..4).map(|m| row(0, d, m) + row(letter + 1, d, m)).max().unwrap());
            let wanted = 7 + ends(0) + ends(letter + 1) + rows.sum::<u64>();
            let [in_wide, in_narrow] = [
                wide.1.try_letter(&wide.0, &items.keys, &layout, (0, letter)).0[0],
                narrow.1.try_letter(&narrow.0, &items.keys, &layout, (0, letter)).0[0],
            ];
            prop_assert_eq!(in_wide, wanted);
            prop_assert_eq!(in_narrow.min(65_535), wanted.min(65_535));
            prop_assert_eq!(wide.1.scalar_twin(0)[0], in_wide);
            prop_assert_eq!(narrow.1.scalar_twin(0)[0], in_narrow);
            // The child's own rows have the same bound, and its items are those of the two parts.
            let mut child = Level::new(5, Tuning::default());
            wide.1.child(&items.keys, &layout, (0, letter), 1, &mut child);
            prop_assert_eq!(child.bound(1)[0], wanted);
        }
    }
}

proptest! {
    /// In each strand of a braid the tree, its rows and its children have the bounds of the tree of that strand's
    /// items alone. Merged, it has no larger ones, and bounds every board.
    #[test]
    fn strands_are_bounded_like_lists_of_their_own(
        keys in prop::collection::vec((prop::collection::vec(0u32..4, 4), 0u8..3, any::<u32>(), 0u8..4), 1..60),
        open in prop::collection::vec(any::<u32>(), 4 * 3),
    ) {
        let layout = Layout::<u64>::new(4, 5);
        let mut points = [0; 128];
        points[..3].copy_from_slice(&[1, 300, 40_000]);
        let key = |codes: &[u32]| {
            codes.iter().zip(&layout.offset).fold(0, |k, (&c, &o)| k | u64::from(c) << o)
        };
        // All strands, one, or any.
        let strands = |(_, _, any, kind): &(Vec<u32>, u8, u32, u8)| match kind {
            0 => u32::MAX,
            1 => 1 << (any % 32),
            _ => *any,
        };
        let mut rows: Vec<(u64, u8, u32)> =
            keys.iter().map(|item| (key(&item.0), item.1, strands(item))).collect();
        rows.sort_unstable();
        let opens = |p: usize, m: usize| if m < 3 { open[3 * p + m] | open[(3 * p + m + 5) % 12] } else { 0 };
        let list = |keep: &dyn Fn(u32) -> bool| {
            let (mut items, mut strands) = (Items::default(), Vec::new());
            for &(key, class, of) in rows.iter().filter(|row| keep(row.2)) {
                items.push(key, Tag::new(items.len(), class));
                strands.push(of);
            }
            (items, strands)
        };
        let (items, strands) = list(&|_| true);
        let mut trie = Trie::<Braid<u16>>::new();
        let root = trie.build(&items, &strands, 0, &points, &layout);
        let mut level = Level::<Braid<u16>>::new(4, Tuning::default());
        level.alive = u32::MAX;
        (0..4).for_each(|p| level.allow(p, |m| opens(p, m)));
        level.start(&trie, &[root], [7; 32]);
        let bounds = level.bound(0);
        level.take_steps(&trie, &items.keys, &layout, 0);
        let tried: Vec<[u64; 32]> =
            (0..3).map(|m| level.try_letter(&trie, &items.keys, &layout, (0, m)).0).collect();
        let mut merged = Level::<Braid<u16>>::new(4, Tuning::default());
        level.try_letter(&trie, &items.keys, &layout, (0, 1));
        level.child(&items.keys, &layout, (0, 1), level.open[0][1], &mut merged);
        merged.merge(&mut trie, &items, &layout, (1, 1));
        let merged_bounds = merged.bound(1);
        for s in 0..32 {
            let (items, _) = list(&|of| of >> s & 1 == 1);
            let mut trie = Trie::<Single<u64>>::new();
            let root = trie.build(&items, &[], 0, &points, &layout);
            let mut level = Level::<Single<u64>>::new(4, Tuning::default());
            level.alive = 1;
            (0..4).for_each(|p| level.allow(p, |m| opens(p, m) >> s & 1));
            level.start(&trie, &[root], [7]);
            let same = |a: u64, b: u64| a.min(65_535) == b.min(65_535);
            prop_assert!(same(bounds[s], level.bound(0)[0]), "{} {}", bounds[s], level.bound(0)[0]);
            level.take_steps(&trie, &items.keys, &layout, 0);
            for (m, tried) in tried.iter().enumerate().filter(|(m, _)| opens(0, *m) >> s & 1 == 1) {
                let alone = level.try_letter(&trie, &items.keys, &layout, (0, m)).0[0];
                prop_assert!(same(tried[s], alone), "{m}: {} {alone}", tried[s]);
            }
            if opens(0, 1) >> s & 1 == 1 {
                level.try_letter(&trie, &items.keys, &layout, (0, 1));
                let mut apart = Level::<Single<u64>>::new(4, Tuning::default());
                level.child(&items.keys, &layout, (0, 1), 1, &mut apart);
                prop_assert!(merged_bounds[s].min(65_535) <= apart.bound(1)[0]);
                // The best board of the strand: a letter for each cell.
                for board in (0..27u64).map(|n| [1, n % 3, n / 3 % 3, n / 9]) {
                    let is_open = |(p, &m): (usize, &u64)| opens(p, m as usize) >> s & 1 == 1;
                    if !board.iter().enumerate().all(is_open) {
                        continue;
                    }
                    let holds = |key: u64| {
                        (0..4).all(|p| layout.code(key, p) == 0 || layout.code(key, p) as u64 == board[p] + 1)
                    };
                    let satisfied = rows.iter().filter(|row| row.2 >> s & 1 == 1 && holds(row.0));
                    let score = 7 + satisfied.map(|row| points[usize::from(row.1)]).sum::<u64>();
                    prop_assert!(score.min(65_535) <= merged_bounds[s], "{score} {}", merged_bounds[s]);
                }
            }
        }
    }
}

/// Every board over three letters lies in a task, up to symmetry.
#[test]
fn splits_miss_no_board() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 2), (2, 3), (1, 9), (3, 3), (2, 5)] {
        let dims = Dims::new(rows, cols).unwrap();
        // Of 2x5, which has two anchors, some tasks are groups of the two rare letters.
        let letters = if dims.cells() < 9 || rows == 2 { 3 } else { 2 };
        let split = Split::with_tiles(dims, (0..letters).collect(), &[1, 1, 9][..usize::from(letters)]);
        let tasks: Vec<Task> = (0..split.len()).map(|id| split.task(id)).collect();
        assert_eq!(tasks.iter().any(|task| task.varied.is_some()), dims.cells() == 10);
        let symmetries = dims.symmetries();
        for board in boards(&vec![(1 << letters) - 1; dims.cells()]) {
            let board = Board::new(dims, &board);
            let forms: BTreeSet<Board> = symmetries.iter().map(|s| board.moved(s)).collect();
            let holds = |b: &Board| tasks.iter().filter(|t| t.contains(b.tiles())).count();
            assert!(forms.iter().map(holds).sum::<usize>() > 0, "{board} lies in no task of {dims}");
            let task = split.task_of(board.tiles()).expect("a task");
            assert!(forms.iter().any(|f| tasks[task.id as usize].contains(f.tiles())));
        }
        // Tasks overlap only where letters tie: almost every board lies in one task, in one form.
        let held: usize = tasks.iter().map(|t| boards(&t.cells).iter().filter(|b| t.orders(b)).count()).sum();
        let all: BTreeSet<Board> = boards(&vec![(1 << letters) - 1; dims.cells()])
            .iter()
            .map(|b| Board::new(dims, b).canonical())
            .collect();
        assert!(held >= all.len() && held <= 3 * all.len(), "{dims}: {held} for {} boards", all.len());
    }
}

#[test]
fn tasks_fix_canonical_anchors() {
    let lexicon = Lexicon::enable2k();
    let split = Split::new(&lexicon, &Scoring::boggle(), Dims::new(4, 4).unwrap());
    for text in ["perslatgsineters", "segsrntreiaeslps", "aaaaaaaaaaaaaaaa"] {
        let board = Board::parse(text, None).unwrap();
        let task = split.task_of(board.tiles()).unwrap();
        assert_eq!(split.task(task.id), task);
        let held = board.dims().symmetries().iter().filter(|s| task.contains(board.moved(s).tiles())).count();
        assert!(held > 0);
    }
}

/// Every centre, up to symmetry, belongs to one task, alone or in a group.
#[test]
fn tasks_have_every_centre_once() {
    let split = Split::new(&Lexicon::enable2k(), &Scoring::boggle(), Dims::new(4, 4).unwrap());
    let mut centres = std::collections::BTreeSet::new();
    let (mut whole, mut groups) = (0.0, 0);
    for task in (0..split.len()).map(|id| split.task(id)) {
        assert!(task.predicted_cost > 0.0);
        whole += task.predicted_cost;
        groups += usize::from(task.varied.is_some());
        for letter in bits(task.cells[10]) {
            let centre = [task.cells[5], task.cells[6], task.cells[9], 1 << letter];
            assert!(centres.insert(centre), "{centre:?} comes twice");
        }
    }
    assert!(groups > 1_000 && groups < 15_000 && whole.is_finite(), "{groups} groups");
    assert_eq!(centres.len(), 61_776);
}

#[test]
fn orders_name_every_cell_once() {
    for (rows, cols) in [(1, 1), (1, 7), (2, 3), (3, 3), (3, 4), (4, 4), (6, 6)] {
        let dims = Dims::new(rows, cols).unwrap();
        let mut order = cell_order(dims);
        order.sort_unstable();
        assert_eq!(order, (0..dims.cells()).collect::<Vec<_>>());
    }
}

/// The real word list on 4x4: the best board, with every letter tried in its corners.
#[test]
fn the_best_board_is_the_only_one_with_its_edges() {
    let (lexicon, dims) = (Lexicon::enable2k(), Dims::new(4, 4).unwrap());
    let best = Board::parse("perslatgsineters", None).unwrap();
    let mut cells: Vec<u32> = best.tiles().iter().map(|&t| 1 << t).collect();
    for corner in [0, 3, 12, 15] {
        cells[corner] = (1 << 26) - 1;
    }
    let mut engine = Engine::new(&lexicon, &Scoring::boggle(), dims, 3500, Options::default());
    let outcome = engine.run(&Task::of_class(&cells));
    assert_eq!(outcome.boards, [(best, 3625)]);
    assert!(outcome.counters.leaves < 10, "the bound is exact on single boards");
}

#[test]
fn absurd_tasks_have_an_answer() {
    let lexicon = Lexicon::from_words("one", ["tea"]).unwrap();
    let (dims, scoring) = (Dims::new(2, 2).unwrap(), Scoring::boggle());
    let mut engine = Engine::new(&lexicon, &scoring, dims, u64::MAX, Options::default());
    assert!(engine.run(&Task::of_class(&[u32::MAX; 4])).boards.is_empty());
    let mut engine = Engine::new(&lexicon, &scoring, dims, 0, Options::default());
    assert!(engine.run(&Task::of_class(&[1, 1, 0, 1])).boards.is_empty());
    assert!(engine.run(&Task::of_class(&[1 << 31; 4])).boards.is_empty());
    assert_eq!(engine.run(&Task::of_class(&[1, 3, 1, 1])).boards.len(), 2);
}
