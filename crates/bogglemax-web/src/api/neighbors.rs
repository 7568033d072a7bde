//! `/api/neighbors`: what if a cell had another letter?

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bogglemax::{Board, Edit, Tile};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, Params, symbol};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    board: String,
    cell: usize,
    dims: Option<String>,
    wordlist: Option<String>,
    scoring: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Neighbors {
    board: String,
    dims: String,
    cell: usize,
    score: u64,
    /// The score with each letter other than the one that is there.
    changes: Vec<Change>,
}

#[derive(Serialize)]
struct Change {
    letter: String,
    score: u64,
}

pub(crate) async fn neighbors(
    State(app): State<Arc<App>>,
    Params(query): Params<Query>,
) -> Result<Json<Neighbors>, ApiError> {
    let game = Game::named(&app, query.wordlist.as_deref(), query.scoring.as_deref())?;
    let board = game.board(&query.board, query.dims.as_deref())?;
    let (cell, cells) = (query.cell, board.dims().cells());
    if cell >= cells {
        return Err(ApiError::bad(format!("there is no cell {cell}: they are numbered 0 to {}", cells - 1)));
    }
    let shared = Arc::clone(&app);
    app.slow.run(move || Ok(Json(changes(&shared, &game, &board, cell)))).await
}

fn changes(app: &App, game: &Game, board: &Board, cell: usize) -> Neighbors {
    let alphabet = game.alphabet();
    let mut scorer = app.neighbors(game, board.dims()).restricted(1 << cell, u32::MAX);
    let scores = scorer.score(board, 0);
    let others = (0..alphabet.len() as Tile).filter(|&tile| tile != board.tiles()[cell]);
    let change = |tile: Tile| Change {
        letter: symbol(alphabet, tile),
        score: scores.get(Edit::Change { cell, tile }).expect("every score reaches a bar of 0"),
    };
    Neighbors {
        board: game.text(board),
        dims: board.dims().to_string(),
        cell,
        score: scores.board_score(),
        changes: others.map(change).collect(),
    }
}
