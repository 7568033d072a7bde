//! `/api/solve`: the words on a board.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bogglemax::{Board, Count, Scorer};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, Params};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    board: String,
    dims: Option<String>,
    wordlist: Option<String>,
    scoring: Option<String>,
    /// Which count to add to the score, if any.
    #[serde(default)]
    count: CountName,
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum CountName {
    #[default]
    Score,
    Multi,
    Dedup,
}

#[derive(Serialize)]
pub(crate) struct Solution {
    board: String,
    dims: String,
    wordlist: String,
    scoring: String,
    /// What stands on each cell.
    cells: Vec<String>,
    canonical: String,
    score: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dedup: Option<u64>,
    words: Vec<Word>,
}

#[derive(Serialize)]
struct Word {
    word: String,
    points: u32,
    path: Vec<u8>,
}

pub(crate) async fn solve(
    State(app): State<Arc<App>>,
    Params(query): Params<Query>,
) -> Result<Json<Solution>, ApiError> {
    let game = Game::named(&app, query.wordlist.as_deref(), query.scoring.as_deref())?;
    let board = game.board(&query.board, query.dims.as_deref())?;
    app.quick.run(move || Ok(Json(solution(&game, &board, query.count)))).await
}

fn solution(game: &Game, board: &Board, count: CountName) -> Solution {
    let mut scorer = Scorer::new(&game.lexicon, &game.scoring, board.dims());
    let alphabet = game.alphabet();
    let mut found = scorer.solve(board);
    found.sort_by_cached_key(|word| (Reverse(alphabet.letters(&word.tiles)), alphabet.text(&word.tiles)));
    let word =
        |w: bogglemax::FoundWord| Word { word: alphabet.text(&w.tiles), points: w.points, path: w.path };
    let words: Vec<Word> = found.into_iter().map(word).collect();
    let mut counted = |of| Some(scorer.count(board, of));
    let (multi, dedup) = match count {
        CountName::Score => (None, None),
        CountName::Multi => (counted(Count::Multi), None),
        CountName::Dedup => (None, counted(Count::Dedup)),
    };
    Solution {
        board: game.text(board),
        dims: board.dims().to_string(),
        wordlist: game.lexicon.name().to_owned(),
        scoring: game.scoring.to_string(),
        cells: game.faces(board),
        canonical: game.text(&board.canonical()),
        score: words.iter().map(|w| u64::from(w.points)).sum(),
        multi,
        dedup,
        words,
    }
}
