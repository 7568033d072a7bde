//! `/api/gallery`: the best boards known, from `results/` and from finished runs.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bogglemax::{Dims, Scoring};
use serde::Serialize;

use crate::app::App;

/// Name and text of the files of `results/`.
const RESULTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/results.rs"));
/// The most boards shown of one run.
const MOST_OF_A_RUN: usize = 300;

/// The boards that are known from the start.
#[derive(Debug)]
pub(crate) struct Gallery {
    boards: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    board: String,
    dims: String,
    wordlist: String,
    scoring: String,
    score: u64,
    /// What found it.
    source: String,
    /// Whether a finished run proves that no better board is missing.
    proved: bool,
}

#[derive(Serialize)]
pub(crate) struct Boards {
    boards: Vec<Entry>,
}

impl Gallery {
    pub(crate) fn built_in() -> Gallery {
        Gallery { boards: RESULTS.iter().flat_map(|(name, text)| read(name, text)).collect() }
    }
}

/// The boards of a file called `DIMS.WORDLIST[.SCORING[.…]].txt`: lines of `BOARD: SCORE …`, after
/// comments of which the first is the command that found them. Files of another kind have none.
fn read(name: &str, text: &str) -> Vec<Entry> {
    let mut parts = name.trim_end_matches(".txt").split('.');
    let Some(dims) = parts.next().and_then(|d| d.parse::<Dims>().ok()) else { return Vec::new() };
    let wordlist = parts.next().unwrap_or("enable2k");
    let scoring = parts.next().and_then(|s| s.parse::<Scoring>().ok()).unwrap_or_default();
    let source = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or(name);
    let entry = |line: &str| {
        let (board, rest) = line.split_once(": ")?;
        Some(Entry {
            board: board.to_owned(),
            dims: dims.to_string(),
            wordlist: wordlist.to_owned(),
            scoring: scoring.to_string(),
            score: rest.split_whitespace().next()?.parse().ok()?,
            source: source.to_owned(),
            proved: false,
        })
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(entry).collect()
}

pub(crate) async fn gallery(State(app): State<Arc<App>>) -> Json<Boards> {
    let mut boards: Vec<Entry> = Vec::new();
    let mut known = HashSet::new();
    let mut add = |entry: Entry| {
        let key = (entry.board.clone(), entry.dims.clone(), entry.wordlist.clone(), entry.scoring.clone());
        if known.insert(key) {
            boards.push(entry);
        }
    };
    for (name, spec, summary) in app.runs.finished() {
        let entry = |found: &bogglemax::run::FoundBoard| Entry {
            board: found.board.clone(),
            dims: spec.dims.clone(),
            wordlist: spec.wordlist.name.clone(),
            scoring: spec.scoring.clone(),
            score: found.score,
            source: format!("run {name}"),
            proved: true,
        };
        summary.boards.iter().take(MOST_OF_A_RUN).map(entry).for_each(&mut add);
    }
    app.gallery.boards.iter().cloned().for_each(add);
    Json(Boards { boards })
}

#[cfg(test)]
mod tests {
    use bogglemax::{Board, Lexicon, Scorer};

    use super::*;

    #[test]
    fn every_board_of_the_built_in_list_scores_what_is_said() {
        let gallery = Gallery::built_in();
        let ours: Vec<&Entry> = gallery.boards.iter().filter(|b| b.wordlist == "enable2k").collect();
        assert!(ours.iter().any(|b| b.board == "perslatgsineters" && b.score == 3625));
        for entry in ours {
            let board = Board::parse(&entry.board, entry.dims.parse().ok()).unwrap();
            let scoring = entry.scoring.parse().unwrap();
            let mut scorer = Scorer::new(&Lexicon::enable2k(), &scoring, board.dims());
            assert_eq!(scorer.score(&board), entry.score, "{entry:?}");
        }
    }

    #[test]
    fn strange_files_have_no_boards() {
        assert_eq!(read("README.txt", "a: 1\n"), []);
        assert_eq!(read("2x2.enable2k.txt", "# how\nabcd\nabcd: many\n\n"), []);
        assert_eq!(read("2x2.enable2k.words.txt", "abcd: 3  5\n")[0].scoring, "words");
    }
}
