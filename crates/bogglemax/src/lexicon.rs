//! Word lists: from text to the words a board can hold.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::{Alphabet, Error, Tile};

/// The fewest letters of a word in Boggle.
const MIN_LETTERS: usize = 3;

/// A word list, cleaned for the game: words of three or more letters, every q followed by u.
///
/// ```
/// use bogglemax::Lexicon;
///
/// let lexicon = Lexicon::from_words("mine", ["Tea", "tea", "at", "éclair", "don't", "qat"])?;
/// assert_eq!(lexicon.len(), 2); // tea and eclair
/// assert_eq!(lexicon.skipped(), 1); // don't has a character that is on no tile
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: String,
    alphabet: Alphabet,
    words: Vec<Vec<Tile>>,
    skipped: usize,
}

impl Lexicon {
    /// The built-in list: ENABLE2K, by Alan Beale and M. Cooper, in the public domain.
    pub fn enable2k() -> Lexicon {
        Lexicon::from_text("enable2k", include_bytes!("../../../data/enable2k.txt"))
            .expect("the built-in list")
    }

    /// A list from words in memory.
    pub fn from_words<W: AsRef<str>>(
        name: impl Into<String>,
        words: impl IntoIterator<Item = W>,
    ) -> Result<Lexicon, Error> {
        let (name, alphabet) = (name.into(), Alphabet::english());
        let (mut spelled, mut skipped) = (Vec::new(), 0);
        for word in words {
            match alphabet.spell(word.as_ref()) {
                Some(tiles) if alphabet.letters(&tiles) >= MIN_LETTERS => spelled.push(tiles),
                Some(_) => {}
                None if is_english(word.as_ref()) => {}
                None => skipped += 1,
            }
        }
        spelled.sort_unstable();
        spelled.dedup();
        if spelled.is_empty() {
            return Err(Error::EmptyLexicon { name });
        }
        Ok(Lexicon { name, alphabet, words: spelled, skipped })
    }

    /// A list from text: one word a line, any case, LF or CRLF. A line that is not UTF-8 is
    /// skipped like any other with strange characters.
    pub fn from_text(name: impl Into<String>, text: &[u8]) -> Result<Lexicon, Error> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let lines =
            text.split(|&b| b == b'\n' || b == b'\r').map(|line| String::from_utf8_lossy(line.trim_ascii()));
        Lexicon::from_words(name, lines.filter(|line| !line.is_empty()))
    }

    /// A list from a reader, gzipped or plain.
    pub fn from_reader(name: impl Into<String>, mut reader: impl Read) -> Result<Lexicon, Error> {
        let name = name.into();
        let failed = |source| Error::Read { what: format!("word list '{name}'"), source };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).map_err(failed)?;
            bytes = plain;
        }
        Lexicon::from_text(name, &bytes)
    }

    /// A list from a file, gzipped or plain, named after the file.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Lexicon, Error> {
        let name = path.as_ref().display().to_string();
        let file = std::fs::File::open(path.as_ref());
        let file = file.map_err(|source| Error::Read { what: format!("word list '{name}'"), source })?;
        Lexicon::from_reader(name, file)
    }

    /// The list's name: `enable2k`, or the file it came from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tiles its words are spelled with.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Number of words.
    #[allow(clippy::len_without_is_empty)] // a lexicon is never empty
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// How many words were left out because a character of theirs is on no tile.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Calls `f` with the tiles of every word, in alphabetical order of tiles.
    pub fn for_each_word(&self, mut f: impl FnMut(&[Tile])) {
        self.words.iter().for_each(|w| f(w));
    }
}

/// Letters a to z only: if such a word cannot be spelled, it is no Boggle word, and no surprise.
fn is_english(word: &str) -> bool {
    crate::alphabet::fold(word).bytes().all(|b| b.is_ascii_lowercase())
}
