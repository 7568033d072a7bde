//! What every request passes: whose page it comes from, how long it is, and the headers of answers.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// The largest body of a request, in bytes.
pub(crate) const MAX_BODY: usize = 16 << 10;
/// The longest address of a request, in bytes.
pub(crate) const MAX_ADDRESS: usize = 8 << 10;
/// How long an answer may take to begin. Work is bounded more tightly than this; here it is for
/// requests that wait for their turn.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Nothing but our own files; no inline script or style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The names by which the server may be addressed.
#[derive(Clone, Debug)]
pub(crate) struct Hosts(Arc<[String]>);

impl Hosts {
    pub(crate) fn new(named: Vec<String>) -> Hosts {
        Hosts(named.into_iter().map(|name| name.to_ascii_lowercase()).collect())
    }

    /// Whether a `Host` header is ours. A page elsewhere can point a name of its own at our address
    /// (DNS rebinding), but it cannot make `localhost` or a plain address its name.
    fn allow(&self, host: &str) -> bool {
        let Some(name) = host_name(host) else { return false };
        let name = name.to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(&name);
        name == "localhost" || address.parse::<IpAddr>().is_ok() || self.0.contains(&name)
    }
}

/// The host without its port; `None` if that is no number.
fn host_name(host: &str) -> Option<&str> {
    let (name, port) = match host.rfind(':') {
        Some(colon) if !host.ends_with(']') => (&host[..colon], &host[colon + 1..]),
        _ => (host, ""),
    };
    (port.is_empty() || port.parse::<u16>().is_ok()).then_some(name)
}

/// Refuses requests that are not for us, or too long to be meant well.
pub(crate) async fn check_request(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or(0, |p| p.as_str().len());
    if address > MAX_ADDRESS {
        let sentence = format!("the address has {address} characters: at most {MAX_ADDRESS} are read");
        return ApiError::new(StatusCode::URI_TOO_LONG, sentence).into_response();
    }
    let host = header_text(request.headers(), header::HOST).or_else(|| request.uri().host()).unwrap_or("");
    if !hosts.allow(host) {
        let sentence = format!(
            "'{}' is no name of this server: open it as localhost, or start it with --allow-host",
            host.escape_debug()
        );
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, sentence).into_response();
    }
    if is_foreign(request.headers(), host) {
        let sentence = "requests from the pages of other sites are not answered".to_owned();
        return ApiError::new(StatusCode::FORBIDDEN, sentence).into_response();
    }
    next.run(request).await
}

/// Whether a browser says that a page of another site made the request, other than by a link that a
/// person followed.
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let site = header_text(headers, HeaderName::from_static("sec-fetch-site"));
    let mode = header_text(headers, HeaderName::from_static("sec-fetch-mode"));
    let origin = header_text(headers, header::ORIGIN);
    let is_other = origin.is_some_and(|o| o.split_once("://").map_or(o, |(_, name)| name) != host);
    is_other || (matches!(site, Some("cross-site" | "same-site")) && mode != Some("navigate"))
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Gives up on answers that do not begin in time.
pub(crate) async fn limit_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(MAX_WAIT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::busy().into_response(),
    }
}

/// Tells the browser to trust nothing but us.
pub(crate) async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_are_ours() {
        let hosts = Hosts::new(vec!["Boggle.Example".into()]);
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "[::1]:8080",
            "[::1]",
            "192.168.1.7:8080",
            "boggle.example:8080",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:8080",
            "localhost:99999",
            "localhost:x",
            "a@localhost",
            "[::1",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
    }

    #[test]
    fn requests_of_other_pages_are_foreign() {
        let headers = |pairs: &[(&'static str, &'static str)]| -> HeaderMap {
            let pair = |(n, v): &(&'static str, &'static str)| {
                (HeaderName::from_static(n), HeaderValue::from_static(v))
            };
            pairs.iter().map(pair).collect()
        };
        let ours = "localhost:8080";
        assert!(!is_foreign(&headers(&[]), ours));
        assert!(!is_foreign(&headers(&[("origin", "http://localhost:8080")]), ours));
        assert!(!is_foreign(&headers(&[("origin", "https://localhost:8080")]), ours), "behind a proxy");
        assert!(is_foreign(&headers(&[("origin", "http://localhost:8081")]), ours));
        assert!(is_foreign(&headers(&[("origin", "null")]), ours));
        assert!(is_foreign(
            &headers(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]),
            ours
        ));
        let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert!(!is_foreign(&headers(&link), ours));
    }
}
