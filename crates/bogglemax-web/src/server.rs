//! The server: an address, the routes, and the end.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use bogglemax::Lexicon;
use tokio::sync::Notify;

use crate::app::App;
use crate::guard::{self, Hosts, MAX_BODY};
use crate::{api, assets};

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 picks a free one.
    pub address: SocketAddr,
    /// The word lists to choose from, the usual one first.
    pub wordlists: Vec<Lexicon>,
    /// The run directories to show. One that does not exist yet is watched for.
    pub runs: Vec<PathBuf>,
    /// Names by which the server may be addressed, besides `localhost` and plain addresses.
    pub hosts: Vec<String>,
}

impl Default for Config {
    /// Port 8080 of this machine alone, the built-in word list, no runs.
    fn default() -> Config {
        Config {
            address: ([127, 0, 0, 1], 8080).into(),
            wordlists: vec![Lexicon::enable2k()],
            runs: Vec::new(),
            hosts: Vec::new(),
        }
    }
}

/// A server that listens, and answers once it [runs](Server::run).
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    config: Config,
    stop: Stopper,
}

/// Ends a server from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends the server: now, or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// If it cannot be had, most often because another program has it.
    pub fn bind(config: Config) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind(config.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address, config, stop: Stopper::default() })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle to end it with.
    pub fn stopper(&self) -> Stopper {
        self.stop.clone()
    }

    /// Answers requests until it is stopped, by its [`Stopper`] or by Ctrl-C.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let result = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let app = App::new(self.config.wordlists, self.config.runs)?;
            let service = router(Arc::new(app), Hosts::new(self.config.hosts));
            tokio::select! {
                served = axum::serve(listener, service) => served,
                () = self.stop.0.notified() => Ok(()),
                signal = tokio::signal::ctrl_c() => signal,
            }
        });
        // Work in progress, such as a climb, need not be waited for.
        runtime.shutdown_background();
        result
    }
}

fn router(app: Arc<App>, hosts: Hosts) -> Router {
    Router::new()
        .nest("/api", api::routes())
        .merge(assets::routes())
        .fallback(assets::not_found)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn(guard::limit_time))
        .layer(middleware::from_fn_with_state(hosts, guard::check_request))
        .layer(middleware::from_fn(guard::add_headers))
        .with_state(app)
}
