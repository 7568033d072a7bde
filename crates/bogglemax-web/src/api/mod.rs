//! The JSON interface. Fields are named as in the command line's JSON.

pub(crate) mod climb;
pub(crate) mod gallery;
pub(crate) mod info;
pub(crate) mod neighbors;
pub(crate) mod plots;
pub(crate) mod roll;
pub(crate) mod runs;
pub(crate) mod solve;
pub(crate) mod steps;
pub(crate) mod tree;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{MethodRouter, get, post};

use crate::app::App;
use crate::error::ApiError;

/// Every path, its method, and who answers.
fn all() -> Vec<(&'static str, MethodRouter<Arc<App>>)> {
    vec![
        ("/config", get(info::config)),
        ("/openapi.json", get(info::openapi)),
        ("/solve", get(solve::solve)),
        ("/neighbors", get(neighbors::neighbors)),
        ("/roll", get(roll::roll)),
        ("/climb", post(climb::climb)),
        ("/gallery", get(gallery::gallery)),
        ("/tree", get(tree::tree)),
        ("/steps", get(steps::steps)),
        ("/runs", get(runs::list)),
        ("/runs/{id}", get(runs::one)),
        ("/runs/{id}/events", get(runs::events)),
    ]
}

pub(crate) fn routes() -> Router<Arc<App>> {
    let wrong_method = || async {
        let sentence = "this address takes another method: see /api/openapi.json".to_owned();
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
    };
    let mut router = Router::new();
    for (path, method) in all() {
        router = router.route(path, method.fallback(wrong_method));
    }
    router
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_description_has_exactly_the_paths_there_are() {
        let openapi: serde_json::Value = serde_json::from_str(super::info::OPENAPI).unwrap();
        let described: BTreeSet<&str> =
            openapi["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let all = super::all();
        let paths: Vec<String> = all.iter().map(|(path, _)| format!("/api{path}")).collect();
        assert_eq!(described, paths.iter().map(String::as_str).collect());
    }
}
