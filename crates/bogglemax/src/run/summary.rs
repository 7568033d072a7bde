//! What the records of a run come to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::RunError;
use super::journal::{Depth, FoundBoard, Record};
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
    /// Nodes and their mean bound by number of cells decided, where the engine told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<Depth>,
}

impl Summary {
    /// Adds up records.
    ///
    /// # Errors
    /// If a board in them is no board of the run's shape.
    pub fn new(spec: &Spec, records: &BTreeMap<u64, Record>) -> Result<Summary, RunError> {
        let (dims, alphabet): (Dims, _) = (spec.dims.parse()?, spec.alphabet()?);
        let mut boards = BTreeSet::new();
        for found in records.values().flat_map(|record| &record.boards) {
            let canonical = Board::parse_with(&found.board, Some(dims), &alphabet)?.canonical();
            boards.insert((Reverse(found.score), canonical.text(&alphabet)));
        }
        Ok(Summary {
            boards: boards.into_iter().map(|(Reverse(score), board)| FoundBoard { board, score }).collect(),
            done: records.len() as u64,
            tasks: spec.own_tasks(),
            cpu_seconds: records.values().map(|r| r.cpu_seconds).sum(),
            peak_bytes: records.values().map(|r| r.peak_bytes).max().unwrap_or(0),
            nodes: records.values().map(|r| r.nodes).sum(),
            depths: depths(records),
        })
    }

    /// Whether every task of the directory is done.
    pub fn is_complete(&self) -> bool {
        self.done == self.tasks
    }
}

fn depths(records: &BTreeMap<u64, Record>) -> Vec<Depth> {
    // By cells decided: nodes, and the sum of their bounds.
    let mut sums: BTreeMap<u8, (u64, u128)> = BTreeMap::new();
    for depth in records.values().flat_map(|record| &record.depths) {
        let sum = sums.entry(depth.decided).or_default();
        sum.0 += depth.nodes;
        sum.1 += u128::from(depth.nodes) * u128::from(depth.mean_bound);
    }
    let mean = |(nodes, sum): (u64, u128)| (sum / u128::from(nodes.max(1))) as u64;
    let depth = |(decided, sum): (u8, (u64, u128))| Depth { decided, nodes: sum.0, mean_bound: mean(sum) };
    sums.into_iter().map(depth).collect()
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::*;

    #[test]
    fn means_of_tasks_are_weighed_by_their_nodes() {
        let with = |task: u64, nodes: u64, mean_bound: u64| {
            let depths = vec![Depth { decided: 2, nodes, mean_bound }];
            (task, Record { depths, ..record(task) })
        };
        let records = BTreeMap::from([with(0, 1, 100), with(1, 3, 200), (2, record(2))]);
        assert_eq!(depths(&records), [Depth { decided: 2, nodes: 4, mean_bound: 175 }]);
    }
}
