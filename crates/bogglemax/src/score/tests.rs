//! S, M and D against the paper, against known boards, and against a twin that shares nothing.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::{Board, Dims, Lexicon, Scoring};

fn board(text: &str) -> Board {
    Board::parse(text, None).unwrap()
}

fn scorer(board: &Board, scoring: &str) -> Scorer {
    Scorer::new(&Lexicon::enable2k(), &scoring.parse().unwrap(), board.dims())
}

/// (board, S, M, D) under the rules of the game, from the paper.
const PAPER: [(&str, u64, u64, u64); 2] =
    [("perslatgsineters", 3625, 4747, 4732), ("eeesrvrreeesrsrs", 189, 21_953, 13_253)];

#[test]
fn counts_are_those_of_the_paper() {
    for (text, s, m, d) in PAPER {
        let board = board(text);
        let mut scorer = scorer(&board, "boggle");
        let counts = [Count::Score, Count::Multi, Count::Dedup].map(|c| scorer.count(&board, c));
        assert_eq!(counts, [s, m, d], "{text}");
    }
}

#[test]
fn scores_are_those_of_the_paper() {
    for (text, scoring, expected) in [
        ("rpqaselinifcoita", "pow2", 44_726),
        ("cineqetnsniasesl", "pow2", 28_542),
        ("gesorntreaieslps", "words", 1_158),
        ("gesorntreaieslps", "boggle", 3_569),
        ("ligdrmanesietildsracsepes", "boggle", 10_406),
        ("ligdrmanesietildsracsepes", "words", 2_344),
        // Table 4
        ("agmdipelr", "boggle", 85),
        ("bhmcipelr", "boggle", 62),
        ("bhmdjpfkq", "boggle", 0),
    ] {
        let board = board(text);
        assert_eq!(scorer(&board, scoring).score(&board), expected, "{text} {scoring}");
    }
}

#[test]
fn best_board_has_its_words() {
    let board = board("perslatgsineters");
    let words = scorer(&board, "boggle").solve(&board);
    assert_eq!(words.len(), 1_045);
    assert_eq!(words.iter().map(|w| u64::from(w.points)).sum::<u64>(), 3_625);
    let longest = words.iter().max_by_key(|w| w.tiles.len()).unwrap();
    assert_eq!(Alphabet::english().text(&longest.tiles), "replastering");
    for word in &words {
        let cells: HashSet<u8> = word.path.iter().copied().collect();
        assert_eq!(cells.len(), word.tiles.len());
        assert!(word.path.iter().zip(&word.tiles).all(|(&c, &t)| board.tiles()[usize::from(c)] == t));
        let near = |p: &[u8]| board.dims().neighbors(p[0].into()).any(|n| n == usize::from(p[1]));
        assert!(word.path.windows(2).all(near));
    }
}

#[test]
fn known_boards_score_what_is_known() {
    for list in [
        include_str!("../../tests/data/boards.3x3.enable2k.500.txt"),
        include_str!("../../tests/data/boards.4x4.enable2k.3500.txt"),
    ] {
        for line in list.lines() {
            let (text, score) = line.split_once(": ").unwrap();
            let board = board(text);
            assert_eq!(scorer(&board, "boggle").score(&board), score.parse::<u64>().unwrap(), "{text}");
            assert_eq!(board.canonical(), board, "{text}");
        }
    }
}

#[test]
fn many_boards_come_back_in_order() {
    let boards: Vec<Board> = ["perslatgsineters", "eeesrvrreeesrsrs"].map(board).repeat(500);
    let scores = scorer(&boards[0], "boggle").count_all(&boards, Count::Score);
    assert!(scores.chunks(2).all(|pair| pair == [3625, 189]));
}

#[test]
fn a_board_of_one_tile_does_not_explode() {
    let lexicon = Lexicon::from_words("x", ["aaaaaaaa"]).unwrap();
    let dims = Dims::new(3, 3).unwrap();
    let board = Board::new(dims, &[0; 9]);
    let mut scorer = Scorer::new(&lexicon, &Scoring::boggle(), dims);
    assert_eq!(scorer.score(&board), 11);
    // Eight of nine cells: 9 sets less those that leave no walk; every walk counted by the twin.
    let twin = Twin::new(&board, &[vec![0; 8]], &Scoring::boggle());
    assert_eq!([scorer.multi(&board), scorer.dedup(&board)], [twin.m, twin.d]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Tiles that begin alike: a word counts once however it is spelled, against a walk over all
    /// paths of the board that keeps the texts it meets.
    #[test]
    fn a_word_with_several_spellings_counts_once(
        tiles in prop::collection::vec(0u8..6, 6),
        words in prop::collection::hash_set(prop::collection::vec(prop::sample::select(vec!["a", "h", "t"]), 3..6), 1..20),
    ) {
        let alphabet = Alphabet::new(["a", "h", "ha", "t", "th", "at"].map(str::to_owned).to_vec(), vec![]).unwrap();
        let dims = Dims::new(2, 3).unwrap();
        let (board, words): (_, Vec<String>) = (Board::new(dims, &tiles), words.iter().map(|w| w.concat()).collect());
        let lexicon = Lexicon::from_words_with(&alphabet, "x", &words).unwrap();
        let mut texts: Vec<(String, u64)> = Vec::new();
        for cell in 0..6 {
            every_text(&board, &alphabet, &mut vec![cell], &mut texts);
        }
        texts.retain(|(text, _)| words.contains(text));
        let points = |text: &str| u64::from(Scoring::pow2().points(text.len()));
        let sum = |texts: &[(String, u64)]| texts.iter().map(|(text, _)| points(text)).sum::<u64>();
        let mut scorer = Scorer::new(&lexicon, &Scoring::pow2(), dims);
        prop_assert_eq!(scorer.multi(&board), sum(&texts));
        texts.sort();
        texts.dedup();
        prop_assert_eq!(scorer.dedup(&board), sum(&texts));
        texts.dedup_by(|a, b| a.0 == b.0);
        prop_assert_eq!(scorer.score(&board), sum(&texts));
        let mut found: Vec<String> = scorer.solve(&board).iter().map(|w| alphabet.text(&w.tiles)).collect();
        found.sort();
        prop_assert!(found.iter().eq(texts.iter().map(|(text, _)| text)));
    }
}

/// What every path that goes on from this one spells, with its cells.
fn every_text(board: &Board, alphabet: &Alphabet, path: &mut Vec<usize>, texts: &mut Vec<(String, u64)>) {
    let text = path.iter().map(|&cell| alphabet.spelled(board.tiles()[cell])).collect();
    texts.push((text, path.iter().fold(0, |mask, cell| mask | 1 << cell)));
    for next in board.dims().neighbors(path[path.len() - 1]) {
        if !path.contains(&next) {
            path.push(next);
            every_text(board, alphabet, path, texts);
            path.pop();
        }
    }
}

/// S, M, D by looking for each word on every path: no graph, no pruning, no sharing.
struct Twin {
    s: u64,
    m: u64,
    d: u64,
}

impl Twin {
    fn new(board: &Board, words: &[Vec<Tile>], scoring: &Scoring) -> Twin {
        let mut twin = Twin { s: 0, m: 0, d: 0 };
        for word in words {
            let points = u64::from(scoring.points(Alphabet::english().letters(word)));
            let mut paths = Vec::new();
            for cell in 0..board.dims().cells() {
                Twin::look(board, word, &mut vec![cell], &mut paths);
            }
            let sets: HashSet<Vec<usize>> = paths
                .iter()
                .cloned()
                .map(|mut path: Vec<usize>| {
                    path.sort_unstable();
                    path
                })
                .collect();
            twin.s += points * u64::from(!paths.is_empty());
            twin.m += points * paths.len() as u64;
            twin.d += points * sets.len() as u64;
        }
        twin
    }

    fn look(board: &Board, word: &[Tile], path: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
        let cell = *path.last().unwrap();
        if board.tiles()[cell] != word[path.len() - 1] {
            return;
        }
        if path.len() == word.len() {
            paths.push(path.clone());
            return;
        }
        for next in board.dims().neighbors(cell) {
            if !path.contains(&next) {
                path.push(next);
                Twin::look(board, word, path, paths);
                path.pop();
            }
        }
    }
}

/// Tiles from a small alphabet, so that letters repeat and words are found; q among them.
fn tile() -> impl Strategy<Value = Tile> {
    prop::sample::select(vec![0, 4, 8, 16, 18, 19])
}

fn game() -> impl Strategy<Value = (Board, Vec<Vec<Tile>>, Scoring)> {
    let dims = (1..=4usize, 1..=4usize).prop_map(|(rows, cols)| Dims::new(rows, cols).unwrap());
    let board = dims.prop_flat_map(|dims| {
        prop::collection::vec(tile(), dims.cells()).prop_map(move |tiles| Board::new(dims, &tiles))
    });
    let words = prop::collection::hash_set(prop::collection::vec(tile(), 2..=8), 1..60);
    let scoring = prop::sample::select(vec!["boggle", "words", "pow2", "0,0,0,3,1,4,1,5,9,2,6"]);
    (board, words, scoring).prop_map(|(board, words, scoring)| {
        let words = words.into_iter().filter(|w| Alphabet::english().letters(w) >= 3).collect();
        (board, words, scoring.parse().unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn counts_agree_with_the_twin((board, words, scoring) in game()) {
        prop_assume!(!words.is_empty());
        let texts: Vec<String> = words.iter().map(|w| Alphabet::english().text(w)).collect();
        let lexicon = Lexicon::from_words("random", texts).unwrap();
        let mut scorer = Scorer::new(&lexicon, &scoring, board.dims());
        let twin = Twin::new(&board, &words, &scoring);
        prop_assert_eq!([scorer.score(&board), scorer.multi(&board), scorer.dedup(&board)], [twin.s, twin.m, twin.d]);
        let words = scorer.solve(&board);
        prop_assert_eq!(words.iter().map(|w| u64::from(w.points)).sum::<u64>(), twin.s);
        // The kernel for large boards, on the same board.
        let mut large: kernel::tests::Large = kernel::tests::Large::new(board.dims());
        prop_assert_eq!(large.score(&scorer.game, board.tiles()), twin.s);
    }
}
