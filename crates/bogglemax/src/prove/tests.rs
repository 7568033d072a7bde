//! The engine against brute force: small classes of small boards, word lists over few letters, so
//! that repeats, anagrams, prefixes and several placements of a word are common.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::descend::Level;
use super::probe::{Probe, bound_by_definition, probe};
use super::search::bits;
use super::trie::Trie;
use super::words::Tag;
use super::*;
use crate::prove::items::Items;
use crate::prove::task::cell_order;

/// Letters of the random lists: few, so that boards hold many words.
const LETTERS: [char; 6] = ['a', 'e', 'q', 's', 't', 'r'];

#[derive(Clone, Debug)]
struct Case {
    dims: Dims,
    lexicon: Lexicon,
    scoring: Scoring,
    task: Task,
    /// Where between the lowest and the highest score the cutoff lies.
    cutoff: f64,
}

fn lexicon() -> impl Strategy<Value = Lexicon> {
    let word = prop::collection::vec(0..LETTERS.len(), 2..8).prop_map(|word| {
        let spell = |&i: &usize| if LETTERS[i] == 'q' { "qu".to_owned() } else { LETTERS[i].to_string() };
        word.iter().map(spell).collect::<String>()
    });
    prop::collection::vec(word, 50..400)
        .prop_map(|words| Lexicon::from_words("random", words).unwrap_or_else(|_| Lexicon::enable2k()))
}

fn scoring() -> impl Strategy<Value = Scoring> {
    let text = prop_oneof![
        Just("boggle"),
        Just("words"),
        Just("pow2"),
        Just("0,0,0,5,1,9,0,3"),
        Just("0,0,0,70000,1,2147483648"),
    ];
    text.prop_map(|text| text.parse().unwrap())
}

fn dims() -> impl Strategy<Value = Dims> {
    let shapes = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4), (2, 7), (5, 5), (6, 6)];
    prop::sample::select(shapes.to_vec()).prop_map(|(r, c)| Dims::new(r, c).unwrap())
}

/// Letters per cell and some order constraints: at most 2,000 boards, every 16th time up to 100,000.
fn task(dims: Dims) -> impl Strategy<Value = Task> {
    let cells = dims.cells();
    let letter = 0..LETTERS.len();
    let sets = prop::collection::vec(prop::collection::vec(letter, 1..=5), cells);
    let pairs = prop::collection::vec((0..cells as u8, 0..cells as u8), 0..3);
    (sets, pairs, any::<u64>()).prop_map(|(sets, pairs, seed)| {
        let english = crate::Alphabet::english();
        let tile = |&i: &usize| english.tile(LETTERS[i]).unwrap();
        let mut masks: Vec<u32> =
            sets.iter().map(|set| set.iter().fold(0, |mask, i| mask | 1u32 << tile(i))).collect();
        let boards = |masks: &[u32]| masks.iter().map(|m| f64::from(m.count_ones())).product::<f64>();
        let mut at = seed as usize % masks.len();
        let most = if seed >> 60 == 0 { 1e5 } else { 2e3 };
        while boards(&masks) > most {
            masks[at] = 1 << masks[at].trailing_zeros();
            at = (at + 11) % masks.len();
        }
        let mut task = Task::of_class(&masks);
        task.order = pairs.into_iter().filter(|(a, b)| a != b).collect();
        task.ranks = std::array::from_fn(|t| (t as u8).wrapping_mul(seed as u8 | 1));
        task
    })
}

fn case() -> impl Strategy<Value = Case> {
    dims().prop_flat_map(|dims| (lexicon(), scoring(), task(dims), 0.0f64..1.1)).prop_map(
        |(lexicon, scoring, task, cutoff)| {
            let dims = if task.cells.len() == 6 { Dims::new(2, 3) } else { shape(task.cells.len()) };
            Case { dims: dims.unwrap(), lexicon, scoring, task, cutoff }
        },
    )
}

fn shape(cells: usize) -> Result<Dims, crate::Error> {
    match cells {
        12 => Dims::new(3, 4),
        14 => Dims::new(2, 7),
        _ => Dims::square_of(cells).map_or_else(|| Dims::new(1, cells), Ok),
    }
}

/// Every board of a class.
fn boards(cells: &[u32]) -> Vec<Vec<u8>> {
    cells.iter().fold(vec![Vec::new()], |all, &mask| {
        let longer = |board: Vec<u8>| bits(mask).map(move |t| [board.as_slice(), &[t as u8]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let mut scorer = Scorer::new(&case.lexicon, &case.scoring, case.dims);
    let ordered = boards(&case.task.cells).into_iter().filter(|b| case.task.orders(b));
    let scored: Vec<(Board, u64)> =
        ordered.map(|b| Board::new(case.dims, &b)).map(|b| (b, scorer.score(&b))).collect();
    let best = scored.iter().map(|b| b.1).max().unwrap_or(0);
    let worst = scored.iter().map(|b| b.1).min().unwrap_or(0);
    let cutoff = worst + ((best - worst) as f64 * case.cutoff) as u64;
    let wanted: BTreeSet<(Board, u64)> = scored.iter().copied().filter(|b| b.1 >= cutoff).collect();

    // Little memory makes the engine search long lists in parts.
    let max_memory = if case.cutoff < 0.5 { 2 << 30 } else { 64 << 20 };
    let options = Options { max_memory, ..Options::default() };
    let mut engine = Engine::new(&case.lexicon, &case.scoring, case.dims, cutoff, options);
    // Tasks that differ in their decided letters share work.
    let mut neighbor = case.task.clone();
    for mask in neighbor.cells.iter_mut().filter(|m| m.count_ones() == 1) {
        *mask = 1 << ((mask.trailing_zeros() + 1) % 26);
    }
    engine.run(&neighbor);
    check_outcome(&mut engine, &case.task, &scored, &wanted)?;
    // The outcome does not depend on what the engine did before.
    let again: BTreeSet<(Board, u64)> = engine.run(&case.task).boards.into_iter().collect();
    prop_assert_eq!(&again, &wanted);
    // Nor on whether it knows what the words without the decided cells are worth.
    if let Some(bound) = engine.bound_rest(&case.task) {
        let decided: Vec<usize> =
            (0..case.dims.cells()).filter(|&c| case.task.cells[c].count_ones() == 1).collect();
        let nowhere = crate::Alphabet::english().tile('z').unwrap();
        for (board, _) in &scored {
            let mut rest = *board;
            decided.iter().for_each(|&cell| rest.set(cell, nowhere));
            prop_assert!(scorer.score(&rest) <= bound, "{} has more than {} by the rest", board, bound);
        }
        engine.know_rest(&decided, bound);
        check_outcome(&mut engine, &case.task, &scored, &wanted)?;
    }
    Ok(())
}

/// Compares what the engine finds, and the bounds of the nodes it visits, with the scores of all boards.
fn check_outcome(
    engine: &mut Engine,
    task: &Task,
    scored: &[(Board, u64)],
    wanted: &BTreeSet<(Board, u64)>,
) -> Result<(), TestCaseError> {
    engine.visited.clear();
    let outcome = engine.run(task);
    let visited = std::mem::take(&mut engine.visited);
    for (cells, bound) in visited.iter().step_by(visited.len() / 100 + 1) {
        let bound = *bound;
        let lies_in = |b: &Board| b.tiles().iter().zip(cells).all(|(&t, &m)| m >> t & 1 == 1);
        let best = scored.iter().filter(|b| lies_in(&b.0)).map(|b| b.1).max().unwrap_or(0);
        prop_assert!(bound >= best, "bound {} of {:?} below {}", bound, cells, best);
    }
    let found: BTreeSet<(Board, u64)> = outcome.boards.iter().copied().collect();
    prop_assert_eq!(found.len(), outcome.boards.len(), "a board was found twice");
    prop_assert_eq!(&found, wanted);
    for (board, score) in scored.iter().filter(|b| !found.contains(b)) {
        prop_assert!(*score <= outcome.largest_pruned, "{} {} {}", board, score, outcome.largest_pruned);
    }
    Ok(())
}

proptest! {
    #[test]
    fn finds_exactly_the_boards_at_the_cutoff(case in case()) {
        check(&case)?;
    }

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
        let mut wide = (Trie::<u64>::new(), Level::<u64>::new(5));
        let mut narrow = (Trie::<u16>::new(), Level::<u16>::new(5));
        let root = wide.0.build(&items, 0, &points, &layout);
        prop_assert_eq!(narrow.0.build(&items, 0, &points, &layout), root);
        (0..5).for_each(|p| wide.1.allow(p, u32::MAX));
        (0..5).for_each(|p| narrow.1.allow(p, u32::MAX));
        wide.1.start(&wide.0, &[root], 7);
        narrow.1.start(&narrow.0, &[root], 7);
        let bound = 7 + bound_by_definition(&plain, &layout, 0, None);
        prop_assert_eq!(wide.1.bound(0), bound);
        prop_assert_eq!(narrow.1.bound(0).min(65_535), bound.min(65_535));
        prop_assert_eq!(wide.1.items(), items.len());

        wide.1.expand(&wide.0, &items.keys, &layout, 0);
        narrow.1.expand(&narrow.0, &items.keys, &layout, 0);
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
            prop_assert_eq!(wide.1.bounds[letter], wanted);
            prop_assert_eq!(narrow.1.bounds[letter].min(65_535), wanted.min(65_535));
            prop_assert_eq!(wide.1.sum(5, 0, letter), wide.1.scalar_twin(5, 0, letter));
            prop_assert_eq!(narrow.1.sum(5, 0, letter), narrow.1.scalar_twin(5, 0, letter));
            // The child's own rows have the same bound, and its items are those of the two parts.
            let mut child = Level::new(5);
            wide.1.child(&items.keys, &layout, 0, letter, &mut child);
            prop_assert_eq!(child.bound(1), wanted);
        }
    }
}

/// Every board over three letters lies in a task, up to symmetry.
#[test]
fn splits_miss_no_board() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 2), (2, 3), (1, 9), (3, 3), (2, 5)] {
        let dims = Dims::new(rows, cols).unwrap();
        let letters = if dims.cells() < 9 { 3 } else { 2 };
        let split = Split::with_tiles(dims, (0..letters).collect(), &[3, 2, 1][..usize::from(letters)]);
        let tasks: Vec<Task> = (0..split.len()).map(|id| split.task(id)).collect();
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

/// Strong centres are divided by the letters of one cell, and the parts make the whole.
#[test]
fn parts_of_a_task_make_the_whole() {
    let split = Split::new(&Lexicon::enable2k(), &Scoring::boggle(), Dims::new(4, 4).unwrap());
    let mut parts = std::collections::BTreeMap::<Vec<u32>, Vec<u32>>::new();
    let mut whole = 0.0;
    for task in (0..split.len()).map(|id| split.task(id)) {
        assert!(task.predicted_cost > 0.0);
        whole += task.predicted_cost;
        let centre = [5, 6, 9, 10].map(|c| task.cells[c]).to_vec();
        parts.entry(centre).or_default().push(task.cells[1]);
    }
    assert_eq!(parts.len(), 61_776);
    assert!(parts.values().any(|p| p.len() > 1) && whole.is_finite());
    for letters in parts.values() {
        assert_eq!(letters.iter().fold(0, |all, p| all | p), (1 << 26) - 1);
        assert_eq!(letters.iter().map(|p| p.count_ones()).sum::<u32>(), 26);
    }
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
