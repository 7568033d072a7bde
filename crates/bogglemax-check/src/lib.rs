//! Checks a finished Bogglemax proof run, sharing no code with the engine that made it.
//!
//! A proof is believed because something small and separate has checked it. So everything here is
//! written again, slow and plain: word lists ([`words`](WordList)), the grid and its symmetries
//! (`grid`), classes of boards (`class`), the score (`score`), a bound with a branch and bound search
//! (`items`, `reprove`). The run directory is read as `docs/run-format.md` describes it (`run`), and
//! then
//!
//! 1. the tasks must hold every board, up to symmetry (`cover`);
//! 2. every task must have a record, and the word list must be the run's;
//! 3. every board reported must lie in its task and score what is claimed;
//! 4. a random sample of tasks, all of them on boards of up to nine cells, is proved again, along its
//!    certificate where there is one (`certificate`);
//! 5. random boards and climbs inside tasks must find nothing that the run did not (`climb`).
//!
//! ```no_run
//! let report = bogglemax_check::verify("3x3-500".as_ref(), &bogglemax_check::Options::default())?;
//! println!("{report}");
//! assert!(report.ok);
//! # Ok::<(), bogglemax_check::Unusable>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod certificate;
mod class;
mod climb;
mod cover;
mod grid;
mod items;
mod report;
mod reprove;
mod run;
mod score;
mod verify;
mod words;

pub use report::{Report, ReportedBoard};
pub use verify::{DEFAULT_BUDGET, Options, verify};
pub use words::WordList;

/// Why a run could not be checked at all.
#[derive(Debug)]
pub struct Unusable(String);

impl Unusable {
    pub(crate) fn new(message: String) -> Unusable {
        Unusable(message)
    }
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}
