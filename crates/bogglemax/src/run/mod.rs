//! Proof runs: all tasks of a shape, worked on many cores, recorded so that nothing is lost.
//!
//! A run lives in a directory (`docs/run-format.md`): [`Spec`] says what is to be proved, the
//! journal has a [`Record`] for every finished task. The result of a run depends on its parameters
//! alone, not on the number of threads, the order of the tasks, or how often it was interrupted.

mod bundle;
mod directory;
mod engine;
mod estimate;
mod journal;
mod merge;
mod report;
mod spec;
mod summary;
#[cfg(test)]
mod tests;
mod work;

use std::path::PathBuf;

pub use bundle::{Packed, pack};
pub use directory::{Existing, RunDir, read_run};
pub use engine::{EngineName, Job, Worker};
pub use estimate::{Draw, Estimate, Sampler};
pub use journal::{Depth, FoundBoard, Record, Signature};
pub use merge::merge;
pub use report::report;
pub use spec::{FORMAT, Shard, Spec, WordList, fingerprint};
pub use summary::Summary;
pub use work::{MEMORY_OF_A_THREAD, Observer, Progress, WorkOptions, work};

/// What can go wrong with a run. Its `Display` says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// An input that an engine cannot use.
    #[error(transparent)]
    Input(#[from] crate::Error),
    /// A run whose tiles are none.
    #[error("the tiles of the run cannot be used: {0}")]
    Tiles(String),
    /// No parts were given.
    #[error("nothing to merge: give at least one run directory")]
    NothingToMerge,
    /// The engine writes no certificates.
    #[error("only the fast engine writes certificates: leave out --certificate, or use --engine fast")]
    NoCertificates,
    /// Reading or writing failed.
    #[error("{what}: {reason}; what is recorded is safe: continue with --resume when that is mended")]
    Io {
        /// What failed.
        what: String,
        /// Why.
        reason: std::io::Error,
    },
    /// There is a run already.
    #[error("'{}' holds a run already: continue it with --resume, or choose another directory with --out", path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// There is no run.
    #[error("'{}' holds no run: {reason}", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
        /// Why it cannot be read.
        reason: std::io::Error,
    },
    /// Another process has the lock.
    #[error("another process is working on '{}': wait for it, or choose another directory with --out", path.display())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// A bundle that is not as it was packed.
    #[error("'{}' is not as it was packed: SHA256SUMS says otherwise; get the bundle anew", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
    },
    /// The directory holds a run with other parameters.
    #[error("'{}' holds another run: {difference}; choose another directory with --out", path.display())]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// How it differs.
        difference: String,
    },
    /// A file that cannot be understood.
    #[error("line {line} of '{}' is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}
