//! The connection to the server, and the few things asked of it everywhere.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::ConnectOptions;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use futures_util::TryStreamExt;
use tokio::runtime::Runtime;

use crate::ClusterError;
use crate::names::RUNS;

/// How to reach the server.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Its address, e.g. `nats://user:password@host:4222` or `tls://host:4222`; several, separated by
    /// commas, for a cluster of servers.
    pub url: String,
    /// A credentials file (JWT and key).
    pub credentials: Option<PathBuf>,
    /// A file with an nkey seed.
    pub nkey: Option<PathBuf>,
    /// Certificates to trust, besides the system's.
    pub ca: Option<PathBuf>,
    /// The client's own certificate and key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// What a connection is for: permissions can differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Submits, collects, looks.
    Owner,
    /// Runs tasks. Its inboxes have a prefix of their own, so that it need not be allowed to read
    /// what the server answers to others.
    Worker,
}

impl Role {
    fn inbox(self) -> &'static str {
        match self {
            Role::Owner => "_INBOX",
            Role::Worker => "_INBOX_worker",
        }
    }
}

/// A connection to a server. Its methods wait for the answer; a connection that breaks is made again,
/// for as long as it takes.
pub struct Cluster {
    pub(crate) runtime: Runtime,
    pub(crate) js: Context,
}

/// How long to wait for an answer before asking again or giving up.
const TIMEOUT: Duration = Duration::from_secs(5);

impl Cluster {
    /// Connects.
    ///
    /// # Errors
    /// If the server cannot be reached or does not let us in, or a file cannot be read.
    pub fn connect(options: &ServerOptions, role: Role) -> Result<Cluster, ClusterError> {
        // One thread is plenty: it only waits. Heartbeats must not depend on the threads that compute.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime =
            runtime.map_err(|reason| ClusterError::System { what: "start a thread".into(), reason })?;
        let connect = connect_options(options, role)?;
        let addresses: Vec<&str> = options.url.split(',').map(str::trim).collect();
        let failed = |reason: String| ClusterError::Connect { url: without_password(&options.url), reason };
        let client = runtime.block_on(connect.connect(addresses)).map_err(|error| failed(chain(&error)))?;
        let mut js = {
            let _entered = runtime.enter(); // it starts a task of its own
            async_nats::jetstream::new(client)
        };
        js.set_timeout(TIMEOUT);
        Ok(Cluster { runtime, js })
    }
}

fn connect_options(options: &ServerOptions, role: Role) -> Result<ConnectOptions, ClusterError> {
    let read = |path: &PathBuf| {
        let failed = |e: std::io::Error| ClusterError::File {
            path: path.display().to_string(),
            reason: e.to_string(),
        };
        std::fs::read_to_string(path).map_err(failed)
    };
    let mut connect = ConnectOptions::new()
        .name("bogglemax")
        .custom_inbox_prefix(role.inbox())
        .ping_interval(Duration::from_secs(10));
    if let Some(path) = &options.credentials {
        let failed = |e: std::io::Error| ClusterError::File {
            path: path.display().to_string(),
            reason: e.to_string(),
        };
        connect = connect.credentials(&read(path)?).map_err(failed)?;
    }
    if let Some(path) = &options.nkey {
        connect = connect.nkey(read(path)?.trim().to_owned());
    }
    // The client itself ignores what the address says about the user.
    let first = options.url.split(',').next().unwrap_or_default().trim();
    if let Ok(address) = first.parse::<async_nats::ServerAddr>()
        && let (Some(user), Some(password)) = (address.username(), address.password())
    {
        connect = connect.user_and_password(user.to_owned(), password.to_owned());
    }
    for path in options.ca.iter().chain(options.certificate.iter().flat_map(|(a, b)| [a, b])) {
        read(path)?; // the client would only say "TLS error"
    }
    if let Some(path) = &options.ca {
        connect = connect.add_root_certificates(path.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.certificate {
        connect = connect.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    Ok(connect)
}

fn without_password(url: &str) -> String {
    let hidden = |one: &str| match (one.find("://"), one.rfind('@')) {
        (scheme, Some(at)) => format!("{}…{}", &one[..scheme.map_or(0, |s| s + 3)], &one[at..]),
        _ => one.to_owned(),
    };
    url.split(',').map(hidden).collect::<Vec<_>>().join(",")
}

/// An error with its causes, on one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text += &format!(": {more}");
        }
        cause = error.source();
    }
    text
}

/// A stream; whether it is there shows when something is asked of it.
pub(crate) async fn stream(js: &Context, name: &str) -> Result<Stream<()>, ClusterError> {
    js.get_stream_no_info(name)
        .await
        .map_err(|e| ClusterError::server(format!("open stream {name}"), chain(&e)))
}

/// The last message of a subject, if there is one.
pub(crate) async fn last_message(
    stream: &Stream<()>,
    subject: &str,
) -> Result<Option<StreamMessage>, ClusterError> {
    match stream.get_last_raw_message_by_subject(subject).await {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(ClusterError::server(format!("read {subject}"), chain(&error))),
    }
}

/// All subjects of a stream that match. A stream that does not exist has none.
pub(crate) async fn subjects(js: &Context, name: &str, filter: &str) -> Result<Vec<String>, ClusterError> {
    let failed = |reason: String| ClusterError::server(format!("list {filter}"), reason);
    let stream = stream(js, name).await?;
    let list = match stream.info_with_subjects(filter).await {
        Ok(list) => list,
        Err(error) if is_not_found(&error) => return Ok(Vec::new()),
        Err(error) => return Err(failed(chain(&error))),
    };
    let all: Vec<(String, usize)> = list.try_collect().await.map_err(|e| failed(chain(&e)))?;
    Ok(all.into_iter().map(|(subject, _)| subject).collect())
}

fn is_not_found(error: &dyn std::error::Error) -> bool {
    let answer = error.source().and_then(|cause| cause.downcast_ref::<async_nats::jetstream::Error>());
    answer.is_some_and(|answer| answer.code() == 404)
}

/// How a message was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// It is stored.
    New,
    /// There was one already.
    Duplicate,
}

/// Publishes a message that is to be the first of its subject.
pub(crate) async fn publish_first(
    js: &Context,
    subject: String,
    message: PublishMessage,
) -> Result<Stored, PublishError> {
    publish_after(js, subject, message, 0).await
}

/// Publishes a message if the last one of its subject has this sequence number, 0 for none.
pub(crate) async fn publish_after(
    js: &Context,
    subject: String,
    message: PublishMessage,
    last: u64,
) -> Result<Stored, PublishError> {
    let acknowledged = js.send_publish(subject, message.expected_last_subject_sequence(last)).await?.await;
    match acknowledged {
        Ok(ack) if ack.duplicate => Ok(Stored::Duplicate),
        Ok(_) => Ok(Stored::New),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(Stored::Duplicate),
        Err(error) => Err(error),
    }
}

/// The subjects of all runs.
pub(crate) async fn run_subjects(js: &Context) -> Result<Vec<String>, ClusterError> {
    subjects(js, RUNS, crate::names::RUN_SUBJECTS).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("nats://a:secret@host:4222,tls://b"), "nats://…@host:4222,tls://b");
        assert_eq!(without_password("a:p@ss@host"), "…@host");
    }
}
