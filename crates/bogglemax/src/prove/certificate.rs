//! The branch tree of a task, for others to check.
//!
//! What the search prunes is a leaf with its bound, what it branches on is a division of a cell's
//! letters; letters that were eliminated are a division into those, pruned, and the rest. The
//! format is described in `docs/run-format.md`.

use crate::Alphabet;

/// A node of the branch tree: how the boards of its class were dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// No board of the class scores more than this.
    Prune(u64),
    /// The class is a single board with this score.
    Board(u64),
    /// The letters of a cell are divided into parts.
    Divide {
        /// The cell.
        cell: usize,
        /// Letters as bit masks, each with its node.
        parts: Vec<(u32, Certificate)>,
    },
}

impl Certificate {
    /// As JSON, in the letters of an alphabet.
    ///
    /// ```
    /// use bogglemax::Alphabet;
    /// use bogglemax::prove::Certificate;
    ///
    /// let parts = vec![(0b11, Certificate::Prune(7)), (0b100, Certificate::Board(9))];
    /// let tree = Certificate::Divide { cell: 4, parts };
    /// let json = tree.to_json(&Alphabet::english());
    /// assert_eq!(json, r#"{"cell":4,"parts":[["ab",{"prune":7}],["c",{"board":9}]]}"#);
    /// ```
    pub fn to_json(&self, alphabet: &Alphabet) -> String {
        let mut json = String::new();
        self.write(alphabet, &mut json);
        json
    }

    fn write(&self, alphabet: &Alphabet, json: &mut String) {
        match self {
            Certificate::Prune(bound) => *json += &format!("{{\"prune\":{bound}}}"),
            Certificate::Board(score) => *json += &format!("{{\"board\":{score}}}"),
            Certificate::Divide { cell, parts } => {
                *json += &format!("{{\"cell\":{cell},\"parts\":[");
                for (i, (letters, below)) in parts.iter().enumerate() {
                    *json += if i == 0 { "[\"" } else { ",[\"" };
                    json.extend(super::search::bits(*letters).map(|t| alphabet.symbol(t as u8)));
                    *json += "\",";
                    below.write(alphabet, json);
                    json.push(']');
                }
                *json += "]}";
            }
        }
    }
}

/// Collects the tree of a search that goes depth first. Does nothing unless it is asked to.
///
/// A node is opened, letters are struck out, parts are added, and the node is closed: what is closed
/// becomes the last part of the node around it.
#[derive(Debug)]
pub(crate) struct Recorder {
    on: bool,
    open: Vec<Open>,
    result: Option<Certificate>,
}

#[derive(Debug)]
struct Open {
    /// The letters of the parent's cell that lead here.
    letters: u32,
    /// Letters struck out before anything else: cell, letters, bound, letters left.
    struck: Vec<(usize, u32, u64, u32)>,
    /// Set once the node is branched on.
    cell: usize,
    parts: Vec<(u32, Certificate)>,
}

impl Recorder {
    pub fn new(on: bool) -> Recorder {
        Recorder { on, open: Vec::new(), result: None }
    }

    /// Whether a tree is asked for.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Goes down to a node, by these letters of the cell its parent is divided on.
    pub fn enter(&mut self, letters: u32) {
        if self.on {
            self.open.push(Open { letters, struck: Vec::new(), cell: 0, parts: Vec::new() });
        }
    }

    /// Letters of a cell are eliminated by a bound; `left` are those that stay.
    pub fn strike(&mut self, cell: usize, letters: u32, bound: u64, left: u32) {
        if let (true, Some(open)) = (self.on && letters != 0, self.open.last_mut()) {
            open.struck.push((cell, letters, bound, left));
        }
    }

    /// The node is branched on a cell.
    pub fn divide(&mut self, cell: usize) {
        if let Some(open) = self.open.last_mut() {
            open.cell = cell;
        }
    }

    /// Letters of the branch cell that lead to no board.
    pub fn skip(&mut self, letters: u32, bound: u64) {
        if let (true, Some(open)) = (letters != 0, self.open.last_mut()) {
            open.parts.push((letters, Certificate::Prune(bound)));
        }
    }

    /// Leaves a node that ended in this way, or that was divided.
    pub fn leave(&mut self, end: Option<Certificate>) {
        let Some(open) = self.open.pop() else { return };
        let mut tree = end.unwrap_or(Certificate::Divide { cell: open.cell, parts: open.parts });
        for (cell, letters, bound, left) in open.struck.into_iter().rev() {
            let mut parts = vec![(letters, Certificate::Prune(bound))];
            // Where no letter is left, nothing below was looked at.
            if left != 0 {
                parts.push((left, tree));
            }
            tree = Certificate::Divide { cell, parts };
        }
        match self.open.last_mut() {
            Some(parent) => parent.parts.push((open.letters, tree)),
            None => self.result = Some(tree),
        }
    }

    /// The tree of the whole search.
    pub fn take(&mut self) -> Option<Certificate> {
        self.result.take()
    }
}
