//! `/api/roll`: boards by chance, of dice or of random letters.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bogglemax::search::Space;
use bogglemax::{DiceSet, Dims, Language};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, Params, dims};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    dims: Option<String>,
    /// A dice set, or `random` for letters that are all equally likely.
    set: Option<String>,
    wordlist: Option<String>,
    seed: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Roll {
    board: String,
    dims: String,
    rollable: bool,
    dice: Vec<String>,
}

pub(crate) async fn roll(
    State(app): State<Arc<App>>,
    Params(query): Params<Query>,
) -> Result<Json<Roll>, ApiError> {
    let game = Game::named(&app, query.wordlist.as_deref(), None)?;
    let shape = dims(query.dims.as_deref().unwrap_or("4x4"))?;
    let seed = query.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let dims = shape.to_string();
    if query.set.as_deref() == Some("random") {
        let board = Space::new(shape, game.alphabet()).random(&mut rng);
        return Ok(Json(Roll { board: game.text(&board), dims, rollable: false, dice: Vec::new() }));
    }
    let set = dice_set(query.set.as_deref(), shape)?;
    let (board, order) = set.roll(&mut rng);
    let dice = order.iter().map(|&die| set.dice()[die].text()).collect();
    Ok(Json(Roll { board: game.text(&board), dims, rollable: true, dice }))
}

fn dice_set(name: Option<&str>, dims: Dims) -> Result<DiceSet, ApiError> {
    let Some(name) = name else {
        return DiceSet::for_dims(dims).ok_or_else(|| {
            ApiError::bad(format!("there are no dice for {dims} boards: use 4x4, 5x5 or 6x6, or set=random"))
        });
    };
    let names: Vec<&str> = Language::english().dice().iter().map(DiceSet::name).collect();
    let unknown = || format!("'{name}' is no dice set: use random or one of {}", names.join(", "));
    let set = DiceSet::named(name).ok_or_else(|| ApiError::bad(unknown()))?;
    if set.dims() != dims {
        return Err(ApiError::bad(format!("dice set '{name}' is for {} boards, not {dims}", set.dims())));
    }
    Ok(set)
}
