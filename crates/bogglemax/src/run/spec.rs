//! What a run is to prove: the content of `run.json`.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::RunError;
use crate::{Alphabet, Lexicon};

/// The format of run directories that this version writes and reads.
pub const FORMAT: u32 = 1;

/// The parameters of a run. Two runs with equal parameters have the same tasks and the same result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// [`FORMAT`].
    pub format: u32,
    /// The program that made the run, for people.
    pub program: String,
    /// Rows x columns.
    pub dims: String,
    /// The word list.
    pub wordlist: WordList,
    /// The scoring's name.
    pub scoring: String,
    /// Boards with at least this many points are to be found.
    pub cutoff: u64,
    /// The engine's name.
    pub engine: String,
    /// Changes when an engine divides the boards into other tasks.
    pub engine_version: u32,
    /// How many tasks the whole run has.
    pub tasks: u64,
    /// All letters, lowest rank first.
    pub ranks: String,
    /// What each tile spells, unless the tiles are [English](Alphabet::english).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<String>>,
    /// Which part of the run this is.
    pub shard: Option<Shard>,
    /// Whether branch trees are written.
    pub certificate: bool,
}

/// A word list by content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordList {
    /// For people.
    pub name: String,
    /// How many words a board can hold.
    pub words: usize,
    /// Of the cleaned list: see [`fingerprint`].
    pub sha256: String,
}

/// Part `index` of `count`, counted from 1: the tasks whose id is `index` - 1 modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// 1 to `count`.
    pub index: u64,
    /// How many parts there are.
    pub count: u64,
}

impl Shard {
    /// Whether a task belongs to the part.
    pub fn contains(self, task: u64) -> bool {
        task % self.count == self.index - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let shard = Shard { index: index.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.index).then_some(shard)
        };
        parse().ok_or_else(|| format!("'{text}' is no shard: give part/parts such as 1/4"))
    }
}

impl WordList {
    /// The word list of a lexicon.
    pub fn of(lexicon: &Lexicon) -> WordList {
        WordList { name: lexicon.name().to_owned(), words: lexicon.len(), sha256: fingerprint(lexicon) }
    }
}

/// The sha256 of the words a board can hold, lower case, sorted, one a line: independent of how
/// the file was written.
pub fn fingerprint(lexicon: &Lexicon) -> String {
    let mut words = Vec::with_capacity(lexicon.len());
    lexicon.for_each_word(|tiles| words.push(lexicon.alphabet().text(tiles)));
    words.sort_unstable();
    let mut hasher = Sha256::new();
    for word in words {
        hasher.update(word);
        hasher.update("\n");
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Spec {
    /// What stands in the way of treating two directories as one run, in words; `None` if nothing
    /// does. Names of word lists and the program's version do not matter; shards are compared only
    /// by the caller that cares.
    pub fn difference(&self, other: &Spec) -> Option<String> {
        let pairs = [
            ("format", self.format.to_string(), other.format.to_string()),
            ("dims", self.dims.clone(), other.dims.clone()),
            ("word list (sha256)", self.wordlist.sha256.clone(), other.wordlist.sha256.clone()),
            ("scoring", self.scoring.clone(), other.scoring.clone()),
            ("cutoff", self.cutoff.to_string(), other.cutoff.to_string()),
            ("engine", self.engine.clone(), other.engine.clone()),
            ("engine version", self.engine_version.to_string(), other.engine_version.to_string()),
            ("tasks", self.tasks.to_string(), other.tasks.to_string()),
            ("ranks", self.ranks.clone(), other.ranks.clone()),
            ("tiles", format!("{:?}", self.tiles), format!("{:?}", other.tiles)),
            ("certificate", self.certificate.to_string(), other.certificate.to_string()),
        ];
        pairs
            .into_iter()
            .find(|(_, a, b)| a != b)
            .map(|(what, a, b)| format!("{what} is {a} there, {b} here"))
    }

    /// The tiles that boards and classes are written with.
    ///
    /// # Errors
    /// If they make no alphabet.
    pub fn alphabet(&self) -> Result<Alphabet, RunError> {
        match &self.tiles {
            None => Ok(Alphabet::english()),
            Some(tiles) => Alphabet::new(tiles.clone(), Vec::new()).map_err(RunError::Tiles),
        }
    }

    /// The tasks of this directory: all, or those of its shard.
    pub fn holds(&self, task: u64) -> bool {
        task < self.tasks && self.shard.is_none_or(|shard| shard.contains(task))
    }

    /// How many tasks this directory has.
    pub fn own_tasks(&self) -> u64 {
        match self.shard {
            None => self.tasks,
            Some(Shard { index, count }) => self.tasks.saturating_sub(index - 1).div_ceil(count),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn shards_are_a_partition() {
        for tasks in [0, 1, 7, 26] {
            for count in [1, 2, 5, 30] {
                let shards: Vec<Shard> = (1..=count).map(|index| Shard { index, count }).collect();
                for task in 0..tasks {
                    assert_eq!(shards.iter().filter(|s| s.contains(task)).count(), 1);
                }
                for shard in shards {
                    let spec = Spec { tasks, shard: Some(shard), ..example() };
                    assert_eq!(spec.own_tasks(), (0..tasks).filter(|&t| spec.holds(t)).count() as u64);
                }
            }
        }
        for text in ["", "1", "0/3", "4/3", "a/b", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_fingerprint_is_of_the_words_not_of_the_file() {
        let print = |text: &str| fingerprint(&Lexicon::from_text("x", text.as_bytes()).unwrap());
        assert_eq!(print("tea\nquit\n"), print("QUIT\r\nat\r\ntea\r\ntea"));
        assert_ne!(print("tea\nquit\n"), print("tea\n"));
        // `printf 'quit\ntea\n' | sha256sum`
        let expected = "0e90dd9539f84cab828aaa0642a35cd27dfeedd680bb270f7c0805c039165767";
        assert_eq!(print("tea\nquit\n"), expected);
    }

    pub(crate) fn example() -> Spec {
        Spec {
            format: FORMAT,
            program: "test".into(),
            dims: "2x2".into(),
            wordlist: WordList { name: "x".into(), words: 1, sha256: "0".into() },
            scoring: "boggle".into(),
            cutoff: 1,
            engine: "fast".into(),
            engine_version: 1,
            tasks: 26,
            ranks: "ab".into(),
            tiles: None,
            shard: None,
            certificate: false,
        }
    }
}
