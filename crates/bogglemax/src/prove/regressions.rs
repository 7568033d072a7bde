//! Faults that the engine must never have, each in the smallest case that shows it. `tools/mutants` plants
//! every one of them and sees its test fail.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::fuzz::{BruteForce, Game, Tally, assert_every_path, check_rest, check_task, wide_alphabet};
use super::*;
use crate::Alphabet;

/// A game with words over the letters given.
fn game(dims: &str, words: &[&str], scoring: &str) -> Game {
    let lexicon = Lexicon::from_words("mine", words).unwrap();
    game_of(dims, lexicon, scoring)
}

fn game_of(dims: &str, lexicon: Lexicon, scoring: &str) -> Game {
    Game {
        dims: dims.parse().unwrap(),
        lexicon,
        scoring: scoring.parse().unwrap(),
        tiles: Vec::new(),
        blank: 25,
    }
}

/// The class with these letters, cells separated by blanks.
fn task(class: &str) -> Task {
    let mask = |letters: &str| letters.bytes().fold(0, |mask, c| mask | 1u32 << (c - b'a'));
    Task::of_class(&class.split(' ').map(mask).collect::<Vec<_>>())
}

fn ordered(class: &str, order: &[(u8, u8)]) -> Task {
    Task { order: order.to_vec(), ..task(class) }
}

fn engine(game: &Game, cutoff: u64, tuning: Tuning) -> Engine {
    let options = Options { tuning, ..Options::default() };
    Engine::new(&game.lexicon, &game.scoring, game.dims, cutoff, options)
}

fn truth(game: &Game, task: &Task) -> BruteForce {
    BruteForce::new(game, task, &mut Scorer::new(&game.lexicon, &game.scoring, game.dims))
}

/// Runs the tasks one after the other on one engine, with the best score of each as a cutoff in turn, and
/// compares everything with brute force.
fn check(game: &Game, tasks: &[Task], tunings: &[Tuning]) -> Paths {
    let truths: Vec<BruteForce> = tasks.iter().map(|task| truth(game, task)).collect();
    let mut tally = Tally::default();
    for &tuning in tunings {
        for best in truths.iter().filter_map(|truth| truth.boards.first()) {
            let mut engine = engine(game, best.1, tuning);
            for (task, truth) in tasks.iter().zip(&truths) {
                check_task(&mut engine, game, task, truth, &mut tally);
            }
        }
    }
    tally.paths
}

/// Everything a tree, a braid, and a list.
fn trees_and_lists() -> [Tuning; 4] {
    let lists = Tuning { braid_from_cells: u64::MAX, tree_from_items: u64::MAX, ..Tuning::default() };
    let trees = Tuning { tree_from_items: 0, list_up_to_items: 0, merge_from_items: 0, ..lists };
    [trees, Tuning { braid_from_cells: 1, ..trees }, lists, Tuning::tiny()]
}

const TWO_LETTERS: [&str; 6] = ["aab", "aba", "abb", "baa", "bab", "bba"];

/// Free placements that break a constraint of one class belong to another without it: the board abbc has its
/// word in one way only, and the first task excludes it.
#[test]
fn free_lists_are_shared_only_under_the_same_rules() {
    let game = game("1x4", &["abb"], "boggle");
    let tasks = [&[(0, 1)][..], &[], &[(1, 0)], &[(0, 1)]].map(|order| ordered("ab ab ab c", order));
    let paths = check(&game, &tasks, &trees_and_lists());
    assert!(paths.shared_free > 0, "{paths:?}");
}

/// Every board has the word of the two decided cells, Qu and a; the free placements of other words stay.
#[test]
fn a_word_that_every_board_has_takes_no_other_with_it() {
    let game = game("1x6", &["qua", "bcb", "cbc", "bbb"], "boggle");
    let paths = check(&game, &[task("q a bc bc bc bc")], &trees_and_lists());
    assert!(paths.shared_free > 0, "{paths:?}");
}

/// Without decided cells there are no free lists, only patterns.
#[test]
fn patterns_follow_the_order_constraints() {
    let game = game("1x3", &["abb"], "boggle");
    let tasks = [&[(0, 1)][..], &[], &[(1, 0)], &[(0, 1)]].map(|order| ordered("ab ab ab", order));
    check(&game, &tasks, &trees_and_lists());
}

/// A bound of the words that avoid four cells says nothing of the words that avoid one of them.
#[test]
fn a_bound_of_the_rest_is_used_only_where_its_cells_are_decided() {
    let game = game("2x3", &TWO_LETTERS, "boggle");
    for tuning in trees_and_lists() {
        let mut engine = engine(&game, 4, tuning);
        let mut asked = task("a b a b ab ab");
        check_rest(&mut engine, &game, &mut asked, &mut Tally::default());
        assert!(engine.uses_rest());
        for other in ["a ab ab ab ab ab", "a b a b ab ab", "b b a a ab ab", "ab ab b a b a"] {
            let task = task(other);
            check_task(&mut engine, &game, &task, &truth(&game, &task), &mut Tally::default());
        }
    }
}

/// Proves the rest of a class and searches the class beside it.
fn check_beside_rest(dims: &str, words: &[&str], cutoff: u64, class: &str) {
    let game = game(dims, words, "boggle");
    for tuning in trees_and_lists() {
        let shares = Tuning { rest_first_share: 1, rest_second_share: 1, rest_last_share: 1, ..tuning };
        let mut engine = engine(&game, cutoff, shares);
        let (mut class, mut tally) = (task(class), Tally::default());
        check_rest(&mut engine, &game, &mut class, &mut tally);
        check_task(&mut engine, &game, &class, &truth(&game, &class), &mut tally);
        assert!(tally.paths.bounded_rests > 0);
    }
}

/// The board abbcbaa has two words without its middle cell and one with it.
#[test]
fn the_rest_counts_in_full() {
    check_beside_rest("1x7", &["abb", "baa", "bcb"], 3, "ab ab ab c ab ab ab");
}

/// Words that use one of two decided cells count beside the rest: the board abbcbdbaa has one with each.
#[test]
fn words_with_any_decided_cell_count_beside_the_rest() {
    check_beside_rest("1x9", &["abb", "baa", "bcb", "bdb"], 4, "ab ab ab c ab d ab ab ab");
}

/// The rest counts in full for a group, too.
#[test]
fn the_rest_counts_in_full_for_every_letter_of_a_group() {
    let game = game("1x7", &["abb", "baa", "bcb", "bdb"], "boggle");
    for tuning in trees_and_lists() {
        let shares = Tuning { rest_first_share: 1, rest_second_share: 1, rest_last_share: 1, ..tuning };
        let mut engine = engine(&game, 3, shares);
        let mut tally = Tally::default();
        check_rest(&mut engine, &game, &mut task("ab ab ab c ab ab ab"), &mut tally);
        let group = Task { varied: Some(3), ..task("ab ab ab cd ab ab ab") };
        check_task(&mut engine, &game, &group, &truth(&game, &group), &mut tally);
        let braids = tuning.braid_from_cells < 7;
        assert!(!braids || tally.paths.groups > 0 && tally.paths.bounded_rests > 0);
    }
}

/// A placement that could move to the varied cell of a group under one of its letters counts under the others.
#[test]
fn moves_to_the_varied_cell_depend_on_its_letter() {
    let game = game("3x3", &["tat", "tbt", "att"], "words");
    let group = Task { varied: Some(4), ..task("at at at at ab at at at at") };
    let paths = check(&game, &[group], &trees_and_lists());
    assert!(paths.groups > 0);
}

/// Where memory has room for the shared list of a group and not for those of all its letters, the others are searched
/// alone.
#[test]
fn letters_that_memory_has_no_room_for_are_searched_alone() {
    let game = game("3x3", &["tat", "tbt", "att", "tab", "bat", "abt"], "words");
    let group = Task { varied: Some(4), ..task("at abt at abt abt abt at abt at") };
    let truth = truth(&game, &group);
    let mut tally = Tally::default();
    for items in (0..60).map(|step| 10 + 20 * step) {
        let tuning = Tuning { braid_from_cells: 1, ..Tuning::tiny() };
        let max_memory = items * tuning.bytes_per_braid_item as usize;
        let options = Options { max_memory, tuning, ..Options::default() };
        let mut engine = Engine::new(&game.lexicon, &game.scoring, game.dims, truth.boards[0].1 - 1, options);
        check_task(&mut engine, &game, &group, &truth, &mut tally);
    }
    assert!(tally.paths.groups > 0 && tally.paths.apart_groups > 0);
}

/// Where the work allowed beside a bound of the rest ends after boards were found, they are found again, and count once.
#[test]
fn boards_of_a_search_that_is_given_up_count_once() {
    let game = game("1x7", &["abb", "baa", "bcb", "bdb"], "boggle");
    let group = Task { varied: Some(3), ..task("ab ab ab cd ab ab ab") };
    let truth = truth(&game, &group);
    let mut tally = Tally::default();
    for through_work in (0..200).map(|step| 100 * step) {
        let mut tuning = Tuning { braid_from_cells: 1, through_work, ..Tuning::tiny() };
        (tuning.rest_first_share, tuning.rest_second_share, tuning.rest_last_share) = (1, 1, 1);
        let mut engine = engine(&game, 3, tuning);
        check_rest(&mut engine, &game, &mut task("ab ab ab c ab ab ab"), &mut tally);
        check_task(&mut engine, &game, &group, &truth, &mut tally);
    }
    assert!(tally.paths.rests_given_up > 0 && tally.paths.rests_given_up < tally.paths.bounded_rests);
}

/// Words that have a residual in common once a cell is decided, one by that cell and one without it, both count where
/// their nodes are merged: values add up.
#[test]
fn words_with_the_same_residual_add_up_where_nodes_are_merged() {
    let words = ["cab", "dab", "abc", "abd", "acb", "adb", "cabd", "dabc", "aba", "bab"];
    let merged_at_once = Tuning { merge_item_work: 0, ..trees_and_lists()[0] };
    let tunings = [merged_at_once, Tuning { braid_from_cells: 1, ..merged_at_once }];
    for scoring in ["words", "1,1,1,1,7"] {
        let game = game("2x3", &words, scoring);
        for class in
            ["abcd abcd c abcd abcd abcd", "abcd c abcd abcd d abcd", "abcd abcd abcd abcd abcd abcd"]
        {
            let truth = truth(&game, &task(class));
            let best = truth.boards[0].1;
            let mut tally = Tally::default();
            for cutoff in 1.max(best / 3)..=best + 1 {
                for tuning in tunings {
                    let mut engine = engine(&game, cutoff, tuning);
                    check_task(&mut engine, &game, &task(class), &truth, &mut tally);
                }
            }
            assert!(tally.paths.merges > 0);
        }
    }
}

/// A constraint that ties a decided cell makes the bound of the rest depend on the letter there: with b on
/// cell 0 the first task has no board with c on cell 1, and its bound would lose the board ccbc of the second.
/// So a bound is proved for a split, whose constraints tie no anchor.
#[test]
fn bounds_of_the_rest_are_proved_for_splits_only() {
    let game = game("1x4", &["cbc"], "words");
    let with = |letter: &str| ordered(&format!("{letter} abc abc abc"), &[(0, 1)]);
    let mut engine = engine(&game, 1, Tuning::default());
    let tied = engine.bound_rest_of(&with("b"), None).unwrap();
    let lost = truth(&game, &with("c")).rest[0].1;
    assert!(tied < lost, "the reason for the rule is gone: {tied} and {lost}");
    // Where the letter leaves another cell a single letter, words that use that cell would be forgotten.
    assert_eq!(engine.bound_rest_of(&ordered("b bc bc bc", &[(0, 1)]), None), None);

    for (rows, cols) in (1..=6).flat_map(|rows| (1..=6).map(move |cols| (rows, cols))) {
        let split = Split::with_tiles(Dims::new(rows, cols).unwrap(), (0..26).collect(), &[1; 26]);
        if let Some((anchors, task)) = split.rest() {
            let tied = |cell: u8| anchors.contains(&usize::from(cell));
            assert!(!task.order.iter().any(|&(a, b)| tied(a) || tied(b)));
            assert!(anchors.iter().all(|&cell| task.cells[cell].count_ones() == 1));
        }
    }
}

/// The beginning of one word serves the next, which may use a decided cell where the first has no letter for
/// it: `cabc` needs the first c of `caab` on an undecided cell. Words of twelve letters have no patterns.
#[test]
fn beginnings_keep_what_later_words_need() {
    let game = |dims, words: [&str; 2]| game(dims, &words, "boggle");
    let long = game("3x4", ["caaaaaaaaaab", "caaaaaaaaabc"]);
    check(&long, &[task("cx ax ax ax ax ax ax ax ax ax bx c")], &trees_and_lists());
    let by_letter = Tuning { pattern_tiles: 0, ..Tuning::tiny() };
    let short = game("2x2", ["caab", "cabc"]);
    check(&short, &[task("ac ac ab c"), task("c bc ab ac")], &[by_letter]);
}

/// A lane of 16 bits holds at most 65,535: a cutoff above it must not be compared with one.
#[test]
fn cutoffs_around_sixteen_bits() {
    for points in [32_768u64, 65_535, 65_536, 65_537] {
        let game = game("1x3", &["aaa", "aba"], &format!("0,0,0,{points}"));
        let class = task("ab ab ab");
        let truth = truth(&game, &class);
        for cutoff in (65_533..=65_538).chain([points - 1, points, points + 1, 2 * points]) {
            for tuning in trees_and_lists() {
                check_task(&mut engine(&game, cutoff, tuning), &game, &class, &truth, &mut Tally::default());
            }
        }
    }
}

/// Points of 2^32 - 1 a word, several words a board, residuals that are counted several times.
#[test]
fn points_at_the_limit_of_thirty_two_bits() {
    let most = u64::from(u32::MAX);
    let game = game("2x2", &["aaa", "aab", "aba", "baa", "bab", "aabb", "abab"], &format!("0,0,0,{most}"));
    let class = task("ab ab ab ab");
    let truth = truth(&game, &class);
    let best = truth.boards[0].1;
    assert!(best > most);
    for cutoff in [1, most - 1, most, most + 1, best - 1, best, best + 1, u64::MAX - 1, u64::MAX] {
        for tuning in trees_and_lists() {
            check_task(&mut engine(&game, cutoff, tuning), &game, &class, &truth, &mut Tally::default());
        }
    }
}

/// The last of 32 tiles has code 32, which takes six bits.
#[test]
fn the_last_of_thirty_two_tiles() {
    let lexicon = Lexicon::from_words_with(&wide_alphabet(), "wide", ["aßa", "ßaß", "ßßa", "aað"]).unwrap();
    let game = game_of("2x3", lexicon, "boggle");
    let task = Task::of_class(&[1 | 1 << 30 | 1 << 31; 6]);
    check(&game, &[task], &trees_and_lists());
}

/// More decided cells than moves are looked for to.
#[test]
fn many_decided_cells() {
    let rng = &mut ChaCha8Rng::seed_from_u64(8);
    // Seven decided cells, and nine.
    for most in [300.0, 30.0].repeat(20) {
        let mut word = || -> String { (0..5).map(|_| ['a', 'b', 'c'].choose(rng).unwrap()).collect() };
        let words: Vec<String> = (0..60).map(|_| word()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut class = Task::of_class(&[7; 12]);
        while class.boards() > most {
            class.cells[rng.random_range(0..12)] = 1 << rng.random_range(0..3);
        }
        check(&game("3x4", &words, "boggle"), &[class], &[Tuning::default(), Tuning::tiny()]);
    }
}

/// The constants as users run them, on classes that are large enough for every way of the search: 4^8 boards
/// of 3x3 with a letter in the centre, against brute force.
#[test]
fn the_default_tuning_takes_every_way() {
    let english = Alphabet::english();
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    let mut words = Vec::new();
    while words.len() < 600 {
        let tiles = (0..rng.random_range(3..8)).map(|_| *[0u8, 4, 18, 19].choose(rng).unwrap());
        words.push(english.text(&tiles.collect::<Vec<u8>>()));
    }
    let lexicon = Lexicon::from_words("four", words).unwrap();
    let mut tally = Tally::default();
    for scoring in ["boggle", "0,0,0,3000,7000,2000"] {
        let game = game_of("3x3", lexicon.clone(), scoring);
        let any = "aest aest aest";
        let ring = ["e", "t", "z"].map(|centre| format!("{any} aest {centre} aest {any}"));
        let rows = ["e t a", "s e t", "z z e"].map(|middle| format!("{any} {middle} {any}"));
        let order = [(0, 2), (0, 6), (2, 6)];
        let [ring, rows] = [ring, rows].map(|classes| classes.map(|class| ordered(&class, &order)));
        let group = Task { varied: Some(4), ..ordered("aes aest aes aest et aest aes aest aes", &order) };
        for (tasks, braid_from_cells) in [
            (ring.to_vec(), u64::MAX),
            (rows.to_vec(), u64::MAX),
            (ring.to_vec(), 8),
            (vec![group, ring[1].clone()], 8),
        ] {
            let truths: Vec<BruteForce> = tasks.iter().map(|task| truth(&game, task)).collect();
            let best = truths[0].boards[0].1;
            for (cutoff, max_memory) in [(best, 2 << 30), (best * 3 / 4, 2 << 30), (best, 1 << 18)] {
                let tuning = Tuning { braid_from_cells, ..Tuning::default() };
                let options = Options { max_memory, tuning, ..Options::default() };
                let mut engine = Engine::new(&game.lexicon, &game.scoring, game.dims, cutoff, options);
                for (i, (task, truth)) in
                    tasks.iter().zip(&truths).chain(tasks.iter().zip(&truths)).enumerate()
                {
                    if i == tasks.len() {
                        check_rest(&mut engine, &game, &mut tasks[1].clone(), &mut tally);
                    }
                    check_task(&mut engine, &game, task, truth, &mut tally);
                }
            }
        }
    }
    assert_every_path(&tally.paths);
}
