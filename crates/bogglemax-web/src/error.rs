//! What is said to a request that cannot be met.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A status and a sentence for the person who asked.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
}

#[derive(Serialize)]
struct Body {
    error: String,
}

/// Input is quoted in sentences; this keeps them sentences.
const MAX_SENTENCE: usize = 400;

impl ApiError {
    pub(crate) fn new(status: StatusCode, sentence: String) -> ApiError {
        ApiError { status, sentence }
    }

    pub(crate) fn bad(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, sentence.into())
    }

    /// Well understood, but more work than a page may ask for.
    pub(crate) fn too_large(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence.into())
    }

    pub(crate) fn not_found(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, sentence.into())
    }

    pub(crate) fn busy() -> ApiError {
        let sentence = "the server is busy with other requests: try again in a moment".to_owned();
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }
}

/// The library's sentences name flags of the command line; here they are parameters.
impl From<bogglemax::Error> for ApiError {
    fn from(error: bogglemax::Error) -> ApiError {
        ApiError::bad(error.to_string().replace("--", ""))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = self.sentence;
        if error.chars().count() > MAX_SENTENCE {
            error = error.chars().take(MAX_SENTENCE).chain(['…']).collect();
        }
        (self.status, Json(Body { error })).into_response()
    }
}
