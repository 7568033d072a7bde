//! Word lists: read, cleaned and hashed as the run format says.
//!
//! A word counts if folding its case and accents leaves letters a to z only, every q is followed by
//! u, it has at least three letters, and it takes at most 36 cells (`qu` takes one).

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Unusable;

const FEWEST_LETTERS: usize = 3;
const MOST_CELLS: usize = 36;

/// A cleaned word list.
///
/// ```
/// use bogglemax_check::WordList;
///
/// let list = WordList::from_text("mine", b"Tea\nat\nqat\ntea\r\nquit\n")?;
/// assert_eq!(list.words(), ["quit", "tea"]);
/// assert_eq!(list.sha256().len(), 64);
/// # Ok::<(), bogglemax_check::Unusable>(())
/// ```
#[derive(Clone, Debug)]
pub struct WordList {
    name: String,
    /// Sorted, without repeats.
    words: Vec<String>,
}

impl WordList {
    /// The built-in list.
    pub fn enable2k() -> WordList {
        let text = include_bytes!("../../../data/enable2k.txt");
        WordList::from_text("enable2k", text).expect("the built-in list has words")
    }

    /// A list from text: one word a line, any case, LF or CRLF.
    pub fn from_text(name: &str, text: &[u8]) -> Result<WordList, Unusable> {
        let text = String::from_utf8_lossy(text);
        let lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']);
        let mut words: Vec<String> = lines
            .map(|line| fold(line.trim_matches(|c: char| c.is_ascii_whitespace())))
            .filter(|w| counts(w))
            .collect();
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            return Err(Unusable::new(format!("the word list '{name}' has no word that a board can hold")));
        }
        Ok(WordList { name: name.to_owned(), words })
    }

    /// A list from a reader, gzipped or plain.
    pub fn from_reader(name: &str, mut reader: impl Read) -> Result<WordList, Unusable> {
        let failed = |error| Unusable::new(format!("cannot read the word list '{name}': {error}"));
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).map_err(failed)?;
            bytes = plain;
        }
        WordList::from_text(name, &bytes)
    }

    /// A list from a file, gzipped or plain.
    pub fn from_file(path: impl AsRef<Path>) -> Result<WordList, Unusable> {
        let name = path.as_ref().display().to_string();
        let file = std::fs::File::open(path.as_ref())
            .map_err(|error| Unusable::new(format!("cannot read the word list '{name}': {error}")))?;
        WordList::from_reader(&name, file)
    }

    /// `enable2k`, or what the list was called where it was read.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The words, sorted.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// SHA-256 of the words, each followed by LF, in hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for word in &self.words {
            hash.update(word.as_bytes());
            hash.update(b"\n");
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Lower case without accents.
fn fold(word: &str) -> String {
    word.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase).collect()
}

fn counts(word: &str) -> bool {
    word.len() >= FEWEST_LETTERS && spell(word).is_some_and(|cells| cells.len() <= MOST_CELLS)
}

/// What stands on the cells that spell a word: 0 to 25 for a to z, where q stands for qu.
pub(crate) fn spell(word: &str) -> Option<Vec<u8>> {
    let mut letters = word.bytes().peekable();
    let mut cells = Vec::new();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_lowercase() || (letter == b'q' && letters.next() != Some(b'u')) {
            return None;
        }
        cells.push(letter - b'a');
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_list_has_the_words_of_the_run_format() {
        let list = WordList::enable2k();
        assert_eq!(list.words().len(), 173_402);
        assert!(list.words().iter().all(|w| w.len() >= 3));
        assert!(list.words().windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn cleaning_keeps_what_a_board_can_hold() {
        let text = "\u{feff}TEA\r\nat\nqat\ntranq\nquit\r\néclair\ndon't\n\ntea\n  eat \nzz9";
        let list = WordList::from_text("x", text.as_bytes()).unwrap();
        assert_eq!(list.words(), ["eat", "eclair", "quit", "tea"]);
        let too_long = format!("tea\n{}\n{}", "a".repeat(37), "a".repeat(36));
        assert_eq!(WordList::from_text("x", too_long.as_bytes()).unwrap().words().len(), 2);
        assert!(WordList::from_text("x", b"at\n").is_err());
        assert!(WordList::from_text("x", b"caf\xe9s\ntea").is_ok_and(|l| l.words() == ["tea"]));
    }

    #[test]
    fn the_hash_is_of_the_cleaned_words() {
        let plain = WordList::from_text("x", b"eat\ntea\n").unwrap();
        // printf 'eat\ntea\n' | sha256sum
        assert_eq!(plain.sha256(), "63d6aa61f646356b59e75d1b785c45307358283f364728b27b5dc6cf6e4d1c99");
        assert_eq!(WordList::from_text("y", b"Tea\r\nEAT").unwrap().sha256(), plain.sha256());
        assert_ne!(WordList::from_text("x", b"eat\nteas\n").unwrap().sha256(), plain.sha256());
    }

    #[test]
    fn qu_takes_one_cell() {
        assert_eq!(spell("quit"), Some(vec![16, 8, 19]));
        assert_eq!(spell("qat"), None);
        assert_eq!(spell("suq"), None);
    }
}
