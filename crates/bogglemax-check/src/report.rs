//! What was checked, what was not, and what is wrong.

use std::fmt;

use serde::Serialize;

/// The outcome of a check.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Whether no fault was found.
    pub ok: bool,
    /// How many tasks the run has.
    pub tasks: u64,
    /// How many of them were proved again in full.
    pub checked: u64,
    /// What is wrong, a sentence each.
    pub faults: Vec<String>,
    /// What was checked, a sentence each.
    pub done: Vec<String>,
    /// What was not checked, a sentence each.
    pub not_done: Vec<String>,
    /// The boards that the run found and that score what it says, canonical, best first.
    pub boards: Vec<ReportedBoard>,
    #[serde(skip)]
    repeats: u64,
}

/// A board with its score.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReportedBoard {
    /// The smallest of its forms, row by row.
    pub board: String,
    /// Its points.
    pub score: u64,
}

impl Report {
    pub(crate) fn of(tasks: u64) -> Report {
        Report { tasks, ..Report::default() }
    }

    pub(crate) fn fault(&mut self, what: String) {
        self.faults.push(what);
    }

    pub(crate) fn done(&mut self, what: String) {
        self.done.push(what);
    }

    pub(crate) fn not_done(&mut self, what: String) {
        self.not_done.push(what);
    }

    /// Two records of a task agree: the task was run twice, which harms nothing.
    pub(crate) fn note_repeat(&mut self) {
        self.repeats += 1;
    }

    pub(crate) fn finish(mut self) -> Report {
        if self.repeats > 0 {
            self.done
                .push(format!("{} say what another says, and count once", counted(self.repeats, "record")));
        }
        self.ok = self.faults.is_empty();
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = [("Checked", &self.done), ("Not checked", &self.not_done), ("Wrong", &self.faults)];
        for (title, lines) in sections {
            if !lines.is_empty() {
                writeln!(f, "{title}:")?;
            }
            for line in lines {
                writeln!(f, "  - {line}")?;
            }
        }
        match self.faults.len() {
            0 => write!(f, "No fault found."),
            n => write!(f, "{}: this run proves nothing as it stands.", counted(n as u64, "fault")),
        }
    }
}

/// "1 task", "2 tasks".
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
