use bogglemax::run::RunError;

/// What can go wrong. Its `Display` says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// No connection.
    #[error("cannot connect to NATS at '{url}': {reason}")]
    Connect {
        /// Where.
        url: String,
        /// Why not.
        reason: String,
    },
    /// A file of keys or certificates that cannot be used.
    #[error("cannot use '{path}': {reason}")]
    File {
        /// Which.
        path: String,
        /// Why not.
        reason: String,
    },
    /// The server did not do what was asked.
    #[error("NATS: cannot {what}: {reason}")]
    Server {
        /// What was asked.
        what: String,
        /// What it said.
        reason: String,
    },
    /// No run fits.
    #[error("no such run on this server: submit one with `cluster submit`, see all with `cluster status`")]
    NoRun,
    /// Several runs fit.
    #[error("this server has {count} runs that fit: choose one with --run, see all with `cluster status`")]
    ManyRuns {
        /// How many.
        count: usize,
    },
    /// The parameters differ from the run's.
    #[error(
        "run {run} is refused: {difference}; use the word list and the version of bogglemax that it was submitted with"
    )]
    OtherRun {
        /// The run.
        run: String,
        /// How.
        difference: String,
    },
    /// More tasks than can be queued.
    #[error("{tasks} tasks are too many to queue (at most {most}): try a smaller shape")]
    TooManyTasks {
        /// How many.
        tasks: u64,
        /// The limit.
        most: u64,
    },
    /// A thread could not be started, or the like.
    #[error("cannot {what}: {reason}")]
    System {
        /// What.
        what: String,
        /// Why not.
        reason: std::io::Error,
    },
    /// The library's word on an input or a run directory.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl ClusterError {
    /// An error of the server's, told by what was asked.
    pub(crate) fn server(what: impl Into<String>, reason: impl std::fmt::Display) -> ClusterError {
        ClusterError::Server { what: what.into(), reason: reason.to_string() }
    }
}
