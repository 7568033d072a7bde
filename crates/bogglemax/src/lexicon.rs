//! Word lists: from text to the words a board can hold.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use crate::dawg::Dawg;
use crate::{Alphabet, Error, Tile};

/// A word list, cleaned for the game: words of three or more letters, every q followed by u.
///
/// Words that fold to the same letters are one word. A word with several spellings on the tiles of
/// its alphabet is one word too.
///
/// ```
/// use bogglemax::Lexicon;
///
/// let lexicon = Lexicon::from_words("mine", ["Tea", "tea", "at", "éclair", "don't", "qat"])?;
/// assert_eq!(lexicon.len(), 2); // tea and eclair
/// assert_eq!(lexicon.written("eclair"), ["éclair"]);
/// assert_eq!(lexicon.skipped(), 1); // don't has a character that is on no tile
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: String,
    alphabet: Alphabet,
    /// All spellings of the words. Shared by all scorers of the list.
    dawg: Arc<Dawg>,
    words: usize,
    skipped: usize,
    /// How words are written in the list, in lower case, where that is not what they fold to.
    written: Arc<HashMap<String, Vec<String>>>,
}

impl Lexicon {
    /// The built-in list: ENABLE2K, by Alan Beale and M. Cooper, in the public domain.
    pub fn enable2k() -> Lexicon {
        let dawg = Dawg::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/enable2k.dawg")));
        Lexicon {
            name: "enable2k".into(),
            alphabet: Alphabet::english(),
            words: dawg.len(),
            dawg: dawg.into(),
            skipped: 0,
            written: Arc::default(),
        }
    }

    /// A list of English words in memory.
    pub fn from_words<W: AsRef<str>>(
        name: impl Into<String>,
        words: impl IntoIterator<Item = W>,
    ) -> Result<Lexicon, Error> {
        Lexicon::from_words_with(&Alphabet::english(), name, words)
    }

    /// A list of words in memory, to be spelled with the tiles of an alphabet.
    pub fn from_words_with<W: AsRef<str>>(
        alphabet: &Alphabet,
        name: impl Into<String>,
        words: impl IntoIterator<Item = W>,
    ) -> Result<Lexicon, Error> {
        let name = name.into();
        let (mut spelled, mut folds) = (Vec::new(), Vec::new());
        let (mut skipped, mut written) = (0, HashMap::<String, Vec<String>>::new());
        for word in words {
            let word = word.as_ref();
            let folded = alphabet.fold(word);
            let spellings = alphabet.boggle_words(&folded);
            if spellings.is_empty() {
                // A word of plain letters that is no word of the game ("at", "qat") is no surprise.
                skipped +=
                    usize::from(!folded.chars().all(|c| c.is_ascii_lowercase() || alphabet.has_letter(c)));
                continue;
            }
            let lower = word.to_lowercase();
            if lower != folded {
                written.entry(folded.clone()).or_default().push(lower);
            }
            if !alphabet.is_unambiguous() {
                folds.push(folded);
            }
            spelled.extend(spellings);
        }
        spelled.sort_unstable();
        spelled.dedup();
        if spelled.is_empty() {
            return Err(Error::EmptyLexicon { name });
        }
        folds.sort_unstable();
        folds.dedup();
        let words = if alphabet.is_unambiguous() { spelled.len() } else { folds.len() };
        for forms in written.values_mut() {
            forms.sort_unstable();
            forms.dedup();
        }
        let (alphabet, dawg) = (alphabet.clone(), Dawg::from_sorted(&spelled).into());
        Ok(Lexicon { name, alphabet, dawg, words, skipped, written: written.into() })
    }

    /// A list from text: one word a line, any case, LF or CRLF. A line that is not UTF-8 is
    /// skipped like any other with strange characters.
    pub fn from_text(name: impl Into<String>, text: &[u8]) -> Result<Lexicon, Error> {
        Lexicon::from_text_with(&Alphabet::english(), name, text)
    }

    /// A list from text, to be spelled with the tiles of an alphabet.
    pub fn from_text_with(
        alphabet: &Alphabet,
        name: impl Into<String>,
        text: &[u8],
    ) -> Result<Lexicon, Error> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let lines =
            text.split(|&b| b == b'\n' || b == b'\r').map(|line| String::from_utf8_lossy(line.trim_ascii()));
        Lexicon::from_words_with(alphabet, name, lines.filter(|line| !line.is_empty()))
    }

    /// A list from a reader, gzipped or plain.
    pub fn from_reader(name: impl Into<String>, reader: impl Read) -> Result<Lexicon, Error> {
        Lexicon::from_reader_with(&Alphabet::english(), name, reader)
    }

    /// A list from a reader, to be spelled with the tiles of an alphabet.
    pub fn from_reader_with(
        alphabet: &Alphabet,
        name: impl Into<String>,
        mut reader: impl Read,
    ) -> Result<Lexicon, Error> {
        let name = name.into();
        let failed = |reason| Error::Read { what: format!("word list '{name}'"), reason };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).map_err(failed)?;
            bytes = plain;
        }
        Lexicon::from_text_with(alphabet, name, &bytes)
    }

    /// A list from a file, gzipped or plain, named after the file.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Lexicon, Error> {
        Lexicon::from_file_with(&Alphabet::english(), path)
    }

    /// A list from a file, to be spelled with the tiles of an alphabet.
    pub fn from_file_with(alphabet: &Alphabet, path: impl AsRef<Path>) -> Result<Lexicon, Error> {
        let name = path.as_ref().display().to_string();
        let file = std::fs::File::open(path.as_ref());
        let file = file.map_err(|reason| Error::Read { what: format!("word list '{name}'"), reason })?;
        Lexicon::from_reader_with(alphabet, name, file)
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
        self.words
    }

    /// How a word is written in the list, given as it is spelled on tiles: with its accents, in
    /// lower case. Empty if it is always written as it is spelled.
    pub fn written(&self, word: &str) -> &[String] {
        self.written.get(word).map_or(&[], Vec::as_slice)
    }

    /// How many words were left out because a character of theirs is on no tile.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// The words as a graph, for the scorer.
    pub(crate) fn dawg(&self) -> &Arc<Dawg> {
        &self.dawg
    }

    /// Calls `f` with the tiles of every word, in alphabetical order of tiles; with each of its
    /// spellings, where the alphabet gives it several.
    pub fn for_each_word(&self, mut f: impl FnMut(&[Tile])) {
        self.dawg.for_each_word(&mut f);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn words(lexicon: &Lexicon) -> Vec<String> {
        let mut words = Vec::new();
        lexicon.for_each_word(|tiles| words.push(lexicon.alphabet().text(tiles)));
        words
    }

    #[test]
    fn the_built_in_list_is_the_text_it_was_made_from() {
        let text = include_bytes!("../../../data/enable2k.txt");
        let made = Lexicon::from_text("enable2k", text).unwrap();
        let built_in = Lexicon::enable2k();
        assert_eq!(made.dawg, built_in.dawg);
        assert_eq!(text.split(|&b| b == b'\n').filter(|w| !w.is_empty()).count(), 173_528);
    }

    #[test]
    fn line_ends_case_and_gzip_make_no_difference() {
        let plain = Lexicon::from_text("x", b"tea\neat\nquit\n").unwrap();
        for text in ["QUIT\r\nEat\r\ntea", "\u{feff}tea\n\n  eat \nquit\ntea\n", "tea\reat\rquit"] {
            assert_eq!(words(&Lexicon::from_text("x", text.as_bytes()).unwrap()), words(&plain), "{text:?}");
        }
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(b"tea\neat\nquit\n").unwrap();
        assert_eq!(
            words(&Lexicon::from_reader("x", gz.finish().unwrap().as_slice()).unwrap()),
            words(&plain)
        );
    }

    #[test]
    fn words_that_fold_alike_are_one() {
        let lexicon = Lexicon::from_words("x", ["pêche", "Péché", "peche", "thé"]).unwrap();
        assert_eq!(words(&lexicon), ["peche", "the"]);
        assert_eq!(lexicon.written("peche"), ["péché", "pêche"]);
        assert!(lexicon.written("tea").is_empty());
    }

    #[test]
    fn several_spellings_are_one_word() {
        let tiles = ["a", "e", "h", "he", "t", "th"].map(str::to_owned).to_vec();
        let alphabet = Alphabet::new(tiles, vec![]).unwrap();
        let lexicon = Lexicon::from_words_with(&alphabet, "x", ["the", "heat", "Thé"]).unwrap();
        assert_eq!(lexicon.len(), 2);
        assert_eq!(words(&lexicon), ["heat", "heat", "the", "the", "the"]);
    }

    #[test]
    fn strange_lines_never_panic() {
        let long = "a".repeat(100_000);
        let text =
            format!("tea\nno-one\n\u{0}\n日本語\n{long}\npneumonoultramicroscopicsilicovolcanoconiosis\n");
        let mut bytes = text.into_bytes();
        bytes.extend(b"caf\xe9\n"); // Latin-1, not UTF-8
        let lexicon = Lexicon::from_text("x", &bytes).unwrap();
        assert_eq!(words(&lexicon), ["tea"]);
        assert_eq!(lexicon.skipped(), 4);
        assert!(Lexicon::from_text("x", b"").is_err());
        assert!(Lexicon::from_reader("x", &[0x1f, 0x8b, 1, 2][..]).is_err());
    }
}
