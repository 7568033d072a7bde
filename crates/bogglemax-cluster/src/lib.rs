//! Proof runs over many machines, on NATS JetStream.
//!
//! A run is submitted once ([`Cluster::submit`]), worked on by any number of processes that come and
//! go ([`Cluster::work`]), and collected into a normal run directory ([`Cluster::collect`]).
//! `docs/cluster.md` says how to set it up; this is how it holds together:
//!
//! | stream | holds |
//! | --- | --- |
//! | `bogglemax-runs` | the parameters of each run, once |
//! | `bogglemax-RUN-queue` | a message for each task that is not settled, hardest first; a *work queue*: acknowledged messages are gone |
//! | `bogglemax-RUN-results` | a message for each finished task; the server refuses a second one |
//! | `bogglemax-RUN-trouble` | what went wrong with a task, where something did |
//! | `bogglemax-workers` | what each worker is doing, forgotten after a while |
//!
//! **Nothing is lost.** A worker stores a task's result *before* it acknowledges the task. So at any
//! moment each submitted task is in the queue, or has a result, or is parked. The server gives a task
//! to another worker when the one that had it sends no heartbeat for a while: because it was killed,
//! hangs, or cannot be reached. Should messages get lost all the same (a disk that lies), submitting
//! again publishes the tasks that are nowhere.
//!
//! **Nothing counts twice.** Two workers may run one task, but its result has one subject, and the
//! server keeps the first message there.
//!
//! **Nothing is retried for ever.** A task that fails on three workers is *parked* with its error, as is
//! one whose workers vanish over and over. A run with parked tasks proves nothing.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod cli;
mod collect;
mod error;
mod names;
mod queue;
mod server;
mod status;
mod submit;
mod trouble;
mod work;

pub use collect::{Collected, Rejected};
pub use error::ClusterError;
pub use names::{Kind, RunId};
pub use server::{Cluster, Role, ServerOptions};
pub use status::{RunStatus, WorkerStatus};
pub use submit::{RunInfo, SubmitOptions, Submitted};
pub use trouble::{Failure, Trouble};
pub use work::{Ended, EngineRunner, Runner, WorkOptions, WorkReport};

/// This program and its version, as results and workers name it.
pub(crate) const PROGRAM: &str = concat!("bogglemax ", env!("CARGO_PKG_VERSION"));
