//! Walks the branch tree that an engine wrote for a task, and believes none of it.
//!
//! At every division the parts must hold all letters of the cell; every bound is checked by a search
//! of its own, which ends at once where the checker's bound is low enough too and divides further
//! where it is not; every board is scored. So a certificate steers the proof, and can make it short,
//! but cannot make it wrong.

use std::path::Path;

use serde_json::Value;

use crate::class::{Letters, board_text, class_text, letters_text, parse_letters};
use crate::items::Node;
use crate::reprove::{OutOfBudget, Prover};

/// Trees are read and walked by recursion. Each division nests three brackets.
const DEEPEST: usize = 12_000;

/// Why a walk ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The work allowed is used up.
    Budget,
    /// The certificate is wrong.
    Fault(String),
}

impl From<OutOfBudget> for Stop {
    fn from(_: OutOfBudget) -> Stop {
        Stop::Budget
    }
}

fn fault<T>(what: String) -> Result<T, Stop> {
    Err(Stop::Fault(what))
}

/// Reads a certificate, if there is one.
pub(crate) fn read(path: &Path) -> Option<Result<Value, String>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Err(format!("cannot be read: {error}"))),
    };
    Some(parse(&bytes))
}

fn parse(bytes: &[u8]) -> Result<Value, String> {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in bytes {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > DEEPEST {
        return Err(format!("nests {deepest} brackets, more than {DEEPEST}"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    json.disable_recursion_limit();
    let tree = serde::Deserialize::deserialize(&mut json).map_err(|error| format!("is not JSON: {error}"))?;
    json.end().map_err(|error| format!("is not JSON: {error}"))?;
    Ok(tree)
}

/// A walk through the certificate of a task.
pub(crate) struct Walk<'p, 'a> {
    pub prover: &'p mut Prover<'a>,
    pub cutoff: u64,
    pub alphabet: Letters,
}

impl Walk<'_, '_> {
    /// Checks the tree below a node. Calls `visit` with every board that scores at least the
    /// cutoff, and with some that score less.
    pub fn walk(&mut self, node: &Node, tree: &Value, visit: &mut dyn FnMut(&[u8], u64)) -> Result<(), Stop> {
        self.prover.spend()?;
        if node.is_empty() {
            return Ok(());
        }
        let keys: Vec<&str> = tree.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        match keys[..] {
            ["prune"] => self.prune(node, &tree["prune"], visit),
            ["board"] => self.board(node, &tree["board"], visit),
            ["cell", "parts"] => self.division(node, tree, visit),
            _ => fault(format!("the node of the class '{}' is none of the three kinds", self.text(node))),
        }
    }

    fn text(&self, node: &Node) -> String {
        class_text(&node.class, self.alphabet)
    }

    fn prune(&mut self, node: &Node, bound: &Value, visit: &mut dyn FnMut(&[u8], u64)) -> Result<(), Stop> {
        let class = self.text(node);
        let Some(bound) = bound.as_u64() else {
            return fault(format!("the class '{class}' is pruned with no number"));
        };
        if bound >= self.cutoff {
            return fault(format!("the class '{class}' is pruned with bound {bound}, not below the cutoff"));
        }
        let mut better = None;
        self.prover.search(node, bound + 1, &mut |board, score| {
            if score > bound {
                better = Some((board_text(board), score));
            } else {
                visit(board, score);
            }
        })?;
        match better {
            None => Ok(()),
            Some((board, score)) => fault(format!(
                "the class '{class}' is pruned with bound {bound}, but its board {board} scores {score}"
            )),
        }
    }

    fn board(&mut self, node: &Node, score: &Value, visit: &mut dyn FnMut(&[u8], u64)) -> Result<(), Stop> {
        let class = self.text(node);
        if node.items.as_ref().is_none_or(|items| !items.is_empty()) {
            return fault(format!("the class '{class}' is called a board, but its boards differ in words"));
        }
        if score.as_u64() != Some(node.base) {
            return fault(format!("the board '{class}' scores {}, not {score}", node.base));
        }
        if node.base < self.cutoff {
            return Ok(());
        }
        Ok(self.prover.search(node, self.cutoff, visit)?)
    }

    fn division(&mut self, node: &Node, tree: &Value, visit: &mut dyn FnMut(&[u8], u64)) -> Result<(), Stop> {
        let class = self.text(node);
        let cell =
            tree["cell"].as_u64().and_then(|c| usize::try_from(c).ok()).filter(|&c| c < node.class.len());
        let (Some(cell), Some(parts)) = (cell, tree["parts"].as_array()) else {
            return fault(format!("the class '{class}' is divided without a cell and parts"));
        };
        let mut seen: Letters = 0;
        for part in parts {
            let (letters, below) = match part.as_array().map(Vec::as_slice) {
                Some([Value::String(letters), below]) => (letters, below),
                _ => return fault(format!("a part of the class '{class}' is not letters with a node")),
            };
            let letters = parse_letters(letters, self.alphabet).map_err(Stop::Fault)?;
            if letters & seen != 0 {
                let twice = letters_text(letters & seen);
                return fault(format!("'{twice}' is in two parts of cell {cell} in the class '{class}'"));
            }
            seen |= letters;
            let below_node = self.prover.items.part(node, cell, letters);
            self.walk(&below_node, below, visit)?;
        }
        match node.class[cell] & !seen {
            0 => Ok(()),
            missing => fault(format!(
                "'{}' is in no part of cell {cell} in the class '{class}'",
                letters_text(missing)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_and_broken_files_are_refused_and_moderately_deep_ones_are_read() {
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(parse(nested(1_000).as_bytes()).is_ok());
        assert!(parse(nested(1_000_000).as_bytes()).unwrap_err().contains("brackets"));
        for text in ["", "{", "{} {}", "{\"prune\":}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
