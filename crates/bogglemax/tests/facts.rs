//! Boards known to be best under word lists that are not part of the project.
//!
//! `BOGGLEMAX_SHARED` names a directory with `facts/boards.DIMS.LIST.CUTOFF.txt` (lines
//! `BOARD: SCORE`) and `wordlists/LIST.txt.gz`.

use std::path::Path;

use bogglemax::{Board, Lexicon, Scorer, Scoring};

#[test]
fn known_boards_score_what_is_known_under_their_lists() {
    let Ok(shared) = std::env::var("BOGGLEMAX_SHARED") else {
        eprintln!("skipped: BOGGLEMAX_SHARED is not set");
        return;
    };
    let mut checked = 0;
    for entry in std::fs::read_dir(Path::new(&shared).join("facts")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let [_, dims, list, cutoff, _] = name.split('.').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let lexicon = match list {
            "enable2k" => Lexicon::enable2k(),
            _ => Lexicon::from_file(Path::new(&shared).join(format!("wordlists/{list}.txt.gz"))).unwrap(),
        };
        let dims = dims.parse().unwrap();
        let mut scorer = Scorer::new(&lexicon, &Scoring::boggle(), dims);
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let (text, score) = line.split_once(": ").unwrap();
            let (board, score) = (Board::parse(text, Some(dims)).unwrap(), score.parse::<u64>().unwrap());
            assert_eq!(scorer.score(&board), score, "{name} {text}");
            assert_eq!(board.canonical(), board, "{name} {text}");
            assert!(score >= cutoff.parse().unwrap(), "{name} {text}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}
