//! The files of the page, which are part of the binary.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::error::ApiError;

/// Path, type and content of each file.
const FILES: &[(&str, &str, &str)] = &[
    ("/app.css", CSS, include_str!("../assets/app.css")),
    ("/theme.js", JS, include_str!("../assets/theme.js")),
    ("/api.js", JS, include_str!("../assets/api.js")),
    ("/board.js", JS, include_str!("../assets/board.js")),
    ("/dom.js", JS, include_str!("../assets/dom.js")),
    ("/play.js", JS, include_str!("../assets/play.js")),
    ("/gallery.js", JS, include_str!("../assets/gallery.js")),
    ("/trees.js", JS, include_str!("../assets/trees.js")),
    ("/steps.js", JS, include_str!("../assets/steps.js")),
    ("/runs.js", JS, include_str!("../assets/runs.js")),
    ("/icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
    ("/favicon.ico", "image/svg+xml", include_str!("../assets/icon.svg")),
];

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// Path, title, script and content of each page.
const PAGES: &[(&str, &str, &str, &str)] = &[
    ("/", "Play", "/play.js", include_str!("../assets/play.html")),
    ("/gallery", "Gallery", "/gallery.js", include_str!("../assets/gallery.html")),
    ("/trees", "Trees", "/trees.js", include_str!("../assets/trees.html")),
    ("/runs", "Runs", "/runs.js", include_str!("../assets/runs.html")),
];

const LAYOUT: &str = include_str!("../assets/layout.html");

/// The files and pages.
pub(crate) fn routes() -> Router<Arc<App>> {
    let mut router = Router::new();
    for &(path, kind, content) in FILES {
        router =
            router.route(path, get(move |headers: HeaderMap| async move { file(&headers, kind, content) }));
    }
    for &(path, title, script, content) in PAGES {
        let page = page(path, title, script, content);
        router = router.route(path, get(move || async move { Html(page) }));
    }
    router
}

fn file(headers: &HeaderMap, kind: &'static str, content: &'static str) -> Response {
    let tag = format!("\"{:016x}\"", fnv(content.as_bytes()));
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    ([(header::CONTENT_TYPE, kind), (header::ETAG, tag.as_str())], content).into_response()
}

/// A hash to tell versions of a file apart (FNV-1a).
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

fn page(path: &str, title: &str, script: &str, content: &str) -> String {
    let link = format!("href=\"{path}\" class=\"nav-link\"");
    LAYOUT
        .replace(&link, &format!("{link} aria-current=\"page\""))
        .replace("{{title}}", title)
        .replace("{{script}}", script)
        .replace("{{content}}", content)
}

/// What is nowhere else.
pub(crate) async fn not_found(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at '{}': the page is at '/'", uri.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_whole_and_keep_the_policy() {
        for &(path, title, script, content) in PAGES {
            let page = page(path, title, script, content);
            assert!(!page.contains("{{"), "{path}");
            assert_eq!(page.matches("aria-current").count(), 1, "{path}");
            assert!(!page.contains(" style=") && !page.contains("<style"), "{path}: no inline style");
            assert!(
                page.matches("<script").count()
                    == page.matches("<script src=").count()
                        + page.matches("<script type=\"module\" src=").count(),
                "{path}: no inline script"
            );
            for outside in ["http://", "https://", "//cdn"] {
                assert!(!page.contains(outside), "{path} loads nothing from elsewhere");
            }
        }
    }
}
