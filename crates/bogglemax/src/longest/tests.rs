//! The search against every word on every path, and against known results.

use proptest::prelude::*;

use super::*;
use crate::{Alphabet, Scorer};

/// Every word that uses every cell, on every Hamiltonian path, scored one by one.
fn brute_force(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Vec<Longest> {
    let mut scorer = Scorer::new(lexicon, scoring, dims);
    let mut best: Vec<Longest> = Vec::new();
    lexicon.for_each_word(|word| {
        if word.len() == dims.cells() {
            for_each_layout(dims, word, &mut vec![], &mut |board| {
                let (board, letters) = (board.canonical(), lexicon.alphabet().letters(word));
                let new = Longest { letters, board, score: scorer.score(&board), word: word.to_vec() };
                let rank = |l: &Longest| (std::cmp::Reverse(l.score), l.board, l.word.clone());
                match best.iter_mut().find(|old| old.letters == letters) {
                    Some(old) if rank(&new) < rank(old) => *old = new,
                    Some(_) => {}
                    None => best.push(new),
                }
            });
        }
    });
    best.sort_by_key(|l| l.letters);
    best
}

fn for_each_layout(dims: Dims, word: &[Tile], path: &mut Vec<usize>, f: &mut impl FnMut(Board)) {
    if path.len() == dims.cells() {
        let mut tiles = vec![0; dims.cells()];
        path.iter().zip(word).for_each(|(&cell, &tile)| tiles[cell] = tile);
        return f(Board::new(dims, &tiles));
    }
    for cell in 0..dims.cells() {
        let touches = path.last().is_none_or(|&last| dims.neighbor_mask(last) >> cell & 1 == 1);
        if touches && !path.contains(&cell) {
            path.push(cell);
            for_each_layout(dims, word, path, f);
            path.pop();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn agrees_with_brute_force(
        (dims, words) in prop::sample::select(vec![(2, 2), (1, 4), (2, 3), (3, 2), (2, 4)]).prop_flat_map(|(rows, cols)| {
            let tile = prop::sample::select(vec![0u8, 4, 8, 16, 18, 19]);
            let long = prop::collection::vec(prop::collection::vec(tile.clone(), rows * cols), 1..4);
            let short = prop::collection::vec(prop::collection::vec(tile, 2..rows * cols), 1..60);
            (Just(Dims::new(rows, cols).unwrap()), (long, short).prop_map(|(long, short)| [long, short].concat()))
        }),
        scoring in prop::sample::select(vec!["boggle", "words", "pow2", "0,0,0,4294967295"]),
    ) {
        let english = Alphabet::english();
        let lexicon = Lexicon::from_words("random", words.iter().map(|w| english.text(w))).unwrap();
        let scoring = scoring.parse().unwrap();
        prop_assert_eq!(longest(&lexicon, &scoring, dims, |_| {}).unwrap(), brute_force(&lexicon, &scoring, dims));
    }
}

#[test]
fn agrees_with_brute_force_on_3x3() {
    let mut words: Vec<String> = Vec::new();
    Lexicon::enable2k().for_each_word(|tiles| {
        // All short words, and every hundredth of those that use every cell.
        if tiles.len() < 9
            || tiles.len() == 9 && tiles.iter().map(|&t| usize::from(t)).sum::<usize>() % 100 == 0
        {
            words.push(Alphabet::english().text(tiles));
        }
    });
    let lexicon = Lexicon::from_words("some", words).unwrap();
    let dims = Dims::new(3, 3).unwrap();
    for scoring in [Scoring::boggle(), Scoring::pow2()] {
        let mut shares = Vec::new();
        let found = longest(&lexicon, &scoring, dims, |p| shares.push(p.share)).unwrap();
        assert_eq!(found, brute_force(&lexicon, &scoring, dims));
        assert!(shares.is_sorted() && shares.last() == Some(&1.0));
    }
}

/// The 17-letter words of ENABLE2K on 4x4: from the paper's conclusions.
#[test]
fn words_with_qu_on_4x4() {
    let lexicon = Lexicon::enable2k();
    let english = Alphabet::english();
    // Without the words of 16 letters, which take the longest and change nothing for the others'
    // kind but their own points.
    let mut words = Vec::new();
    lexicon.for_each_word(|tiles| {
        if english.letters(tiles) != 16 || tiles.len() != 16 {
            words.push(english.text(tiles));
        }
    });
    let lexicon = Lexicon::from_words("some", words).unwrap();
    let best = longest(&lexicon, &Scoring::boggle(), Dims::new(4, 4).unwrap(), |_| {}).unwrap();
    assert_eq!(best.len(), 1);
    assert_eq!((best[0].letters, best[0].score), (17, 1_391));
    assert_eq!(english.text(&best[0].word), "quadricentennials");
}

#[test]
fn a_list_without_such_a_word_is_refused() {
    let lexicon = Lexicon::from_words("mine", ["tea"]).unwrap();
    let error = longest(&lexicon, &Scoring::boggle(), Dims::new(2, 2).unwrap(), |_| {}).unwrap_err();
    assert!(error.to_string().contains("no word of 'mine' uses every cell of a 2x2 board"), "{error}");
}
