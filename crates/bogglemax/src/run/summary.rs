//! What the records of a run come to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::RunError;
use super::journal::{FoundBoard, Record};
use super::spec::Spec;
use crate::{Board, Dims};

/// The result of a run, or of the part that is done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The boards that reach the cutoff, canonical, each once, best first.
    pub boards: Vec<FoundBoard>,
    /// Tasks done.
    pub done: u64,
    /// Tasks of the directory.
    pub tasks: u64,
    /// CPU time of the tasks done.
    pub cpu_seconds: f64,
    /// The most memory a task took.
    pub peak_bytes: u64,
    /// Nodes visited.
    pub nodes: u64,
}

impl Summary {
    /// Adds up records.
    ///
    /// # Errors
    /// If a board in them is no board of the run's shape.
    pub fn new(spec: &Spec, records: &BTreeMap<u64, Record>) -> Result<Summary, RunError> {
        let dims: Dims = spec.dims.parse()?;
        let mut boards = BTreeSet::new();
        for found in records.values().flat_map(|record| &record.boards) {
            let canonical = Board::parse(&found.board, Some(dims))?.canonical().to_string();
            boards.insert((Reverse(found.score), canonical));
        }
        Ok(Summary {
            boards: boards.into_iter().map(|(Reverse(score), board)| FoundBoard { board, score }).collect(),
            done: records.len() as u64,
            tasks: spec.own_tasks(),
            cpu_seconds: records.values().map(|r| r.cpu_seconds).sum(),
            peak_bytes: records.values().map(|r| r.peak_bytes).max().unwrap_or(0),
            nodes: records.values().map(|r| r.nodes).sum(),
        })
    }

    /// Whether every task of the directory is done.
    pub fn is_complete(&self) -> bool {
        self.done == self.tasks
    }
}
