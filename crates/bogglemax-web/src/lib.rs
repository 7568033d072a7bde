//! The web page of Bogglemax: play with boards, browse the best ones, see the paper's trees at
//! work, and watch proofs.
//!
//! A thin user of the library. Everything the page needs is in the binary: the server reads no file
//! but those of the run directories it was given, and the page loads nothing from elsewhere. The
//! JSON interface under `/api/` is described by `assets/openapi.json`, which the server serves too.
//!
//! # What keeps it standing
//! - Every input is bounded before work begins on it: the length of addresses and bodies, the size
//!   of boards and classes, the time of a climb.
//! - Work runs in lanes apart from the threads that answer requests, so that a climb never
//!   holds up a person who types.
//! - Requests must name a host that is ours ([`Config::hosts`]), so that no foreign page can reach
//!   the server by giving its own name our address.
//!
//! ```
//! use bogglemax_web::{Config, Server};
//!
//! let server = Server::bind(Config { address: ([127, 0, 0, 1], 0).into(), ..Config::default() })?;
//! println!("http://{}/", server.address());
//! let stop = server.stopper();
//! let running = std::thread::spawn(move || server.run());
//! stop.stop();
//! running.join().unwrap()?;
//! # Ok::<(), std::io::Error>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod api;
mod app;
mod assets;
mod cache;
mod error;
mod game;
mod guard;
mod lanes;
mod server;

pub use server::{Config, Server, Stopper};
