//! What there is to choose from, and how to ask for it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use bogglemax::{Language, Lexicon, MAX_CELLS, Tile};
use serde::Serialize;

use crate::app::App;
use crate::game::{face, symbol};
use crate::{api, guard};

/// The description of the interface.
pub(crate) const OPENAPI: &str = include_str!("../../assets/openapi.json");

/// What can be chosen, and how much can be asked for.
#[derive(Serialize)]
pub(crate) struct Config {
    version: &'static str,
    wordlists: Vec<WordList>,
    scorings: [&'static str; 3],
    dice: Vec<Dice>,
    runs: usize,
    limits: Limits,
}

#[derive(Serialize)]
struct WordList {
    name: String,
    words: usize,
    /// The alphabet: how each tile is written in a board's text, and what stands on it.
    tiles: Vec<TileText>,
}

#[derive(Serialize)]
struct TileText {
    symbol: String,
    face: String,
}

#[derive(Serialize)]
struct Dice {
    name: &'static str,
    title: &'static str,
    dims: String,
}

#[derive(Serialize)]
struct Limits {
    cells: usize,
    body_bytes: usize,
    climb_seconds: f64,
    climb_pool: usize,
    tree_nodes: u64,
    steps: usize,
}

pub(crate) async fn config(State(app): State<Arc<App>>) -> Json<Config> {
    let dice = Language::english().dice().iter();
    Json(Config {
        version: env!("CARGO_PKG_VERSION"),
        wordlists: app.wordlists.iter().map(word_list).collect(),
        scorings: ["boggle", "words", "pow2"],
        dice: dice
            .map(|set| Dice { name: set.name(), title: set.title(), dims: set.dims().to_string() })
            .collect(),
        runs: app.runs.len(),
        limits: Limits {
            cells: MAX_CELLS,
            body_bytes: guard::MAX_BODY,
            climb_seconds: api::climb::MAX_SECONDS,
            climb_pool: api::climb::MAX_POOL,
            tree_nodes: api::tree::MAX_NODES,
            steps: api::steps::MAX_STEPS,
        },
    })
}

fn word_list(lexicon: &Lexicon) -> WordList {
    let alphabet = lexicon.alphabet();
    let tile = |tile: Tile| TileText { symbol: symbol(alphabet, tile), face: face(alphabet, tile) };
    let tiles = (0..alphabet.len() as Tile).map(tile).collect();
    WordList { name: lexicon.name().to_owned(), words: lexicon.len(), tiles }
}

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
