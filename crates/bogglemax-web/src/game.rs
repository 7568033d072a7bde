//! From the parameters of a request to boards, word lists and scorings.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::{Json, RequestExt};
use bogglemax::{Alphabet, Board, Dims, Lexicon, MAX_CELLS, Scoring, Tile};
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::ApiError;

/// The longest text that is read as a board, in bytes: a cell may take several.
const MAX_TEXT: usize = MAX_CELLS * 8;

/// Which words count, and for how much. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The place of the word list among those served.
    pub(crate) list: usize,
    pub(crate) lexicon: Lexicon,
    pub(crate) scoring: Scoring,
}

impl Game {
    /// The game that a request names; the first word list and the rules of the box by default.
    pub(crate) fn named(app: &App, wordlist: Option<&str>, scoring: Option<&str>) -> Result<Game, ApiError> {
        let list = match wordlist {
            None => 0,
            Some(name) => app.wordlists.iter().position(|l| l.name() == name).ok_or_else(|| {
                let known: Vec<&str> = app.wordlists.iter().map(Lexicon::name).collect();
                let known = known.join(", ");
                ApiError::bad(format!("there is no word list '{name}' here: use one of {known}"))
            })?,
        };
        let scoring = scoring.map_or(Ok(Scoring::boggle()), str::parse)?;
        Ok(Game { list, lexicon: app.wordlists[list].clone(), scoring })
    }

    pub(crate) fn alphabet(&self) -> &Alphabet {
        self.lexicon.alphabet()
    }

    /// Reads a board.
    pub(crate) fn board(&self, text: &str, dims: Option<&str>) -> Result<Board, ApiError> {
        if text.len() > MAX_TEXT {
            let sentence =
                format!("a board of {} letters is too large: give at most {MAX_CELLS}", text.len());
            return Err(ApiError::bad(sentence));
        }
        Ok(Board::parse_with(text, dims.map(str::parse).transpose()?, self.alphabet())?)
    }

    /// A board as text.
    pub(crate) fn text(&self, board: &Board) -> String {
        board.text(self.alphabet())
    }

    /// What stands on each cell of a board.
    pub(crate) fn faces(&self, board: &Board) -> Vec<String> {
        board.tiles().iter().map(|&tile| face(self.alphabet(), tile)).collect()
    }
}

/// A tile as it is printed on a die: "A", "Qu".
pub(crate) fn face(alphabet: &Alphabet, tile: Tile) -> String {
    let mut letters = alphabet.spelled(tile).chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A tile as it is written in a board's text.
pub(crate) fn symbol(alphabet: &Alphabet, tile: Tile) -> String {
    alphabet.symbol(tile).to_string()
}

/// A shape.
pub(crate) fn dims(text: &str) -> Result<Dims, ApiError> {
    Ok(text.parse()?)
}

/// The parameters of an address, with a sentence for those that cannot be read.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params<T>, ApiError> {
        let Query(params) = Query::<T>::try_from_uri(&parts.uri)
            .map_err(|error| ApiError::bad(error.body_text().replace('`', "'")))?;
        Ok(Params(params))
    }
}

/// A JSON body, with a sentence for one that cannot be read.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, ApiError> {
        let refused =
            |error: JsonRejection| ApiError::new(error.status(), error.body_text().replace('`', "'"));
        let Json(body) = request.extract::<Json<T>, _>().await.map_err(refused)?;
        Ok(JsonBody(body))
    }
}
