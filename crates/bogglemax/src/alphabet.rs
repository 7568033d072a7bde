//! Tiles: what stands on a cell of a board, and how words are spelled with them.
//!
//! Inside the library a cell holds a small number, the tile's index in its [`Alphabet`]. A tile
//! spells one or more letters: English boards have the tile `q`, which spells "qu".
//!
//! This file is also compiled into the build script; it must not refer to the rest of the crate.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The index of a tile in its [`Alphabet`]; below [`MAX_TILES`].
pub type Tile = u8;

/// The most tiles an alphabet may have: sets of tiles are `u32` bit masks.
pub const MAX_TILES: usize = 32;

/// The fewest letters of a word in Boggle.
const MIN_LETTERS: usize = 3;

/// The most tiles of a word that some board can hold: the cells of a 6x6 board.
const MAX_WORD_TILES: usize = 36;

/// The most letters of a tile.
const MOST_TILE_LETTERS: usize = 3;

/// The face of a die without a letter: no word can use it.
pub(crate) const BLANK: &str = "_";

/// A word with more spellings than this is no word of the game. Only odd alphabets have any.
const MOST_SPELLINGS: usize = 4_096;

/// The tiles of a language, in alphabetical order, and how its words are folded onto them.
///
/// On an *unambiguous* alphabet every tile begins with another letter, so that a word has at most
/// one spelling, and a tile can be written as its first letter. Where tiles such as "in" stand
/// beside "i" and "n", a word has several [spellings](Alphabet::spellings) and counts once.
///
/// ```
/// use bogglemax::Alphabet;
///
/// let english = Alphabet::english();
/// let quit = english.spell("Quit").unwrap();
/// assert_eq!(quit, [16, 8, 19]); // three cells ...
/// assert_eq!(english.letters(&quit), 4); // ... four letters
/// assert_eq!(english.text(&quit), "quit");
/// assert_eq!(english.spell("qat"), None);
///
/// let tiles = ["h", "e", "he", "t", "th"].map(str::to_owned).to_vec();
/// let mixed = Alphabet::new(tiles, vec![]).unwrap();
/// assert_eq!(mixed.spellings("the").len(), 3); // t-h-e, t-he, th-e
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// The letters each tile spells.
    tiles: Vec<String>,
    /// Per tile: the other tiles that begin with the same letter, as a bit mask.
    alike: Vec<u32>,
    /// What stands in for a character of a word.
    replacements: Vec<(char, String)>,
    /// All letters of the tiles, sorted, each with the tiles that begin with it as a bit mask.
    begun: Vec<(char, u32)>,
}

impl Alphabet {
    /// a to z, with `q` standing for the Qu tile.
    pub fn english() -> Alphabet {
        let spelled = |c: char| if c == 'q' { "qu".to_owned() } else { c.to_string() };
        Alphabet::new(('a'..='z').map(spelled).collect(), Vec::new()).expect("26 different tiles")
    }

    /// An alphabet of these tiles, in this order, and what stands in for characters of words before
    /// they are spelled: `('ß', "ss")`. A tile may be `_`, the face of a die without a letter.
    ///
    /// # Errors
    /// A sentence about what is wrong: no tile or more than [`MAX_TILES`], one twice, or one that is
    /// not made of lower-case letters.
    pub fn new(tiles: Vec<String>, replacements: Vec<(char, String)>) -> Result<Alphabet, String> {
        if tiles.is_empty() || tiles.len() > MAX_TILES {
            return Err(format!("{} tiles are given: there must be 1 to {MAX_TILES}", tiles.len()));
        }
        let is_letter = |c: char| c.is_alphabetic() && c.to_lowercase().eq([c]);
        for (i, tile) in tiles.iter().enumerate() {
            if tiles[..i].contains(tile) {
                return Err(format!("tile '{tile}' is given twice"));
            }
            if tile != BLANK
                && !(tile.chars().all(is_letter) && (1..=MOST_TILE_LETTERS).contains(&tile.chars().count()))
            {
                return Err(format!("'{tile}' is no tile: give one to three lower-case letters, or _"));
            }
        }
        let alike = |tile: &String| {
            let same = |other: &&String| *other != tile && other.chars().next() == tile.chars().next();
            (0..tiles.len()).filter(|&i| same(&&tiles[i])).fold(0, |mask, i| mask | 1 << i)
        };
        let alike = tiles.iter().map(alike).collect();
        let mut letters: Vec<char> = tiles.iter().filter(|t| *t != BLANK).flat_map(|t| t.chars()).collect();
        letters.sort_unstable();
        letters.dedup();
        let begin =
            |c| (0..tiles.len()).filter(|&i| tiles[i].starts_with(c)).fold(0, |mask, i| mask | 1 << i);
        let begun = letters.into_iter().map(|c| (c, begin(c))).collect();
        Ok(Alphabet { tiles, alike, replacements, begun })
    }

    /// Number of tiles.
    #[allow(clippy::len_without_is_empty)] // an alphabet is never empty
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether every tile begins with another letter: no word has two spellings then.
    pub fn is_unambiguous(&self) -> bool {
        self.alike.iter().all(|&others| others == 0)
    }

    /// Whether the tiles are those of [`english`](Alphabet::english), whatever the folding.
    pub fn has_english_tiles(&self) -> bool {
        self.tiles == Alphabet::english().tiles
    }

    /// Per tile: the other tiles that begin with the same letter, as a bit mask. Tiles without such
    /// others spell a word in at most one way.
    pub(crate) fn alike(&self, tile: Tile) -> u32 {
        self.alike[usize::from(tile)]
    }

    /// The tile written as this character on a board, in either case: the tile that is this letter,
    /// or else the only one that begins with it.
    pub fn tile(&self, c: char) -> Option<Tile> {
        let mut lower = c.to_lowercase();
        let c = lower.next().filter(|_| lower.next().is_none())?;
        let begins = |t: &&String| t.starts_with(c);
        let position = self.tiles.iter().position(|t| t.chars().eq([c])).or_else(|| {
            let only = self.tiles.iter().filter(begins).count() == 1;
            self.tiles.iter().position(|t| begins(&t)).filter(|_| only)
        });
        position.map(|i| i as Tile)
    }

    /// The tile of a cell that is written apart from the others: "qu", "in", or as for
    /// [`tile`](Alphabet::tile).
    pub fn tile_of(&self, cell: &str) -> Option<Tile> {
        let lower = cell.to_lowercase();
        let whole = self.tiles.iter().position(|t| *t == lower).map(|i| i as Tile);
        let mut letters = cell.chars();
        whole.or_else(|| self.tile(letters.next()?).filter(|_| letters.next().is_none()))
    }

    /// How the tile is written on a board: the first letter it spells. Where
    /// [`has_symbol`](Alphabet::has_symbol) is not so, another tile is written like that.
    pub fn symbol(&self, tile: Tile) -> char {
        self.tiles[usize::from(tile)].chars().next().expect("a tile spells at least one letter")
    }

    /// Whether the tile can be written as one character.
    pub fn has_symbol(&self, tile: Tile) -> bool {
        self.alike(tile) == 0 || self.tile_letters(tile) == 1
    }

    /// The letters a tile spells, "qu" for `q`.
    pub fn spelled(&self, tile: Tile) -> &str {
        &self.tiles[usize::from(tile)]
    }

    /// How many letters a tile spells.
    pub fn tile_letters(&self, tile: Tile) -> usize {
        self.tiles[usize::from(tile)].chars().count()
    }

    /// How many letters these tiles spell together: the length by which a word is scored.
    pub fn letters(&self, tiles: &[Tile]) -> usize {
        tiles.iter().map(|&t| self.tile_letters(t)).sum()
    }

    /// What these tiles spell.
    pub fn text(&self, tiles: &[Tile]) -> String {
        tiles.iter().map(|&t| self.spelled(t)).collect()
    }

    /// What to write on a board, for people.
    pub(crate) fn described(&self) -> String {
        if self.has_english_tiles() {
            return "use a to z, with q for the Qu tile".to_owned();
        }
        let joined = self.tiles.join(" ");
        let dashes = if self.is_unambiguous() { "" } else { ", and a dash between cells" };
        format!("use the tiles {joined}{dashes}")
    }

    /// Lower case, with the language's replacements; accents are dropped from what is then no letter
    /// of any tile. On English tiles "Éclair" becomes "eclair".
    pub fn fold(&self, word: &str) -> String {
        let has_ascii_rule = self.replacements.iter().any(|(c, _)| c.is_ascii());
        if !has_ascii_rule && word.bytes().all(|b| b.is_ascii_lowercase()) {
            return word.to_owned();
        }
        let mut folded = String::with_capacity(word.len());
        for c in word.chars().flat_map(char::to_lowercase).nfc() {
            if let Some((_, stand_in)) = self.replacements.iter().find(|(replaced, _)| *replaced == c) {
                folded.push_str(stand_in);
            } else if self.has_letter(c) {
                folded.push(c);
            } else {
                let plain = std::iter::once(c).nfkd().filter(|&c| !is_combining_mark(c));
                folded.extend(plain.flat_map(char::to_lowercase));
            }
        }
        folded
    }

    /// Whether a tile has this letter.
    pub(crate) fn has_letter(&self, c: char) -> bool {
        self.begun.binary_search_by_key(&c, |(letter, _)| *letter).is_ok()
    }

    /// The tiles that spell a word, the first of its [spellings](Alphabet::spellings); `None` if the
    /// word cannot be spelled, be it for a strange character, for a q that no u follows, or because no
    /// board has room for it.
    pub fn spell(&self, word: &str) -> Option<Vec<Tile>> {
        self.some_spellings(word, 1).pop()
    }

    /// All ways to spell a word with tiles, folded first.
    pub fn spellings(&self, word: &str) -> Vec<Vec<Tile>> {
        self.some_spellings(word, usize::MAX)
    }

    fn some_spellings(&self, word: &str, most: usize) -> Vec<Vec<Tile>> {
        self.spell_folded(&self.fold(word), most)
    }

    fn spell_folded(&self, folded: &str, most: usize) -> Vec<Vec<Tile>> {
        let mut spellings = Vec::new();
        // No board has room for more letters.
        if folded.chars().count() > MOST_TILE_LETTERS * MAX_WORD_TILES {
            return spellings;
        }
        // From where on the rest can be spelled, so that no dead end is entered.
        let mut good = vec![false; folded.len()];
        good.push(true);
        for at in (0..folded.len()).rev().filter(|&at| folded.is_char_boundary(at)) {
            good[at] = self.tiles_at(folded, at).any(|tile| good[at + self.spelled(tile).len()]);
        }
        if good[0] {
            self.spell_from(folded, 0, &good, &mut Vec::new(), most, &mut spellings);
        }
        spellings
    }

    /// The tiles whose letters stand in a text from some byte on.
    fn tiles_at(&self, text: &str, at: usize) -> impl Iterator<Item = Tile> {
        let first = text[at..].chars().next();
        let letter = first.and_then(|c| self.begun.binary_search_by_key(&c, |(letter, _)| *letter).ok());
        let mut rest = letter.map_or(0, |i| self.begun[i].1);
        std::iter::from_fn(move || {
            let tile = (rest != 0).then_some(rest.trailing_zeros() as Tile);
            rest &= rest.wrapping_sub(1);
            tile
        })
        .filter(move |&tile| text[at..].starts_with(self.spelled(tile)))
    }

    fn spell_from(
        &self,
        text: &str,
        at: usize,
        good: &[bool],
        before: &mut Vec<Tile>,
        most: usize,
        all: &mut Vec<Vec<Tile>>,
    ) {
        if at == text.len() {
            return all.push(before.clone());
        }
        for tile in self.tiles_at(text, at) {
            let next = at + self.spelled(tile).len();
            if all.len() < most && good[next] {
                before.push(tile);
                self.spell_from(text, next, good, before, most, all);
                before.pop();
            }
        }
    }

    /// All spellings of a word of the game: one that can be spelled, has at least three letters, and
    /// fits on the largest board. The word must be folded already.
    pub(crate) fn boggle_words(&self, folded: &str) -> Vec<Vec<Tile>> {
        let mut spellings = self.spell_folded(folded, MOST_SPELLINGS + 1);
        if spellings.len() > MOST_SPELLINGS {
            spellings.clear();
        }
        spellings.retain(|tiles| self.letters(tiles) >= MIN_LETTERS && tiles.len() <= MAX_WORD_TILES);
        spellings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_fold_and_strange_characters_do_not_spell() {
        let english = Alphabet::english();
        assert_eq!(english.spell("ÉCLAIR"), english.spell("eclair"));
        assert_eq!(english.spell("naïve"), english.spell("naive"));
        for word in ["don't", "straße", "q", "tranq", "qat", "日本", "a b", "x1"] {
            assert_eq!(english.spell(word), None, "{word}");
        }
        assert_eq!(english.spell(""), Some(vec![]));
    }

    fn polish() -> Alphabet {
        let tiles = "a ą b c ć d e ę f g h i j k l ł m n ń o ó p r s ś t u w y z ź ż";
        Alphabet::new(tiles.split(' ').map(str::to_owned).collect(), Vec::new()).unwrap()
    }

    #[test]
    fn letters_of_the_language_keep_their_accents() {
        let polish = polish();
        assert_eq!(polish.fold("Żółć"), "żółć");
        assert_eq!(polish.fold("z\u{307}o\u{301}łc\u{301}"), "żółć"); // written with combining marks
        assert_eq!(polish.fold("ŠATÉ"), "sate");
        assert_eq!(polish.spell("żółć").map(|tiles| tiles.len()), Some(4));
        assert_eq!(polish.spell("quiz"), None);
    }

    #[test]
    fn replacements_come_before_accents_are_dropped() {
        let rules = [('ä', "ae"), ('ß', "ss")].map(|(c, text)| (c, text.to_owned())).to_vec();
        let german = Alphabet::new(Alphabet::english().tiles, rules).unwrap();
        assert!(german.has_english_tiles() && german != Alphabet::english());
        assert_eq!(german.fold("STRAẞE"), "strasse");
        assert_eq!(german.fold("Äpfel"), "aepfel");
        assert_eq!(german.fold("Café"), "cafe");
    }

    #[test]
    fn tiles_that_begin_alike_need_to_be_written_out() {
        let tiles = ["i", "n", "in", "qu", "_"].map(str::to_owned).to_vec();
        let mixed = Alphabet::new(tiles, Vec::new()).unwrap();
        assert!(!mixed.is_unambiguous());
        assert_eq!([mixed.tile('i'), mixed.tile('Q'), mixed.tile('_')], [Some(0), Some(3), Some(4)]);
        assert_eq!([mixed.tile_of("In"), mixed.tile_of("q"), mixed.tile_of("x")], [Some(2), Some(3), None]);
        assert_eq!([0, 1, 2, 3].map(|t| mixed.has_symbol(t)), [true, true, false, true]);
        assert_eq!(mixed.spellings("quinin").len(), 4);
        assert!(mixed.spellings("in_").is_empty());
    }

    #[test]
    fn words_with_too_many_spellings_are_none() {
        let alphabet = Alphabet::new(vec!["a".into(), "aa".into()], Vec::new()).unwrap();
        assert_eq!(alphabet.boggle_words("aaaa").len(), 5);
        assert!(alphabet.boggle_words(&"a".repeat(36)).is_empty());
        assert_eq!(alphabet.spell(&("a".repeat(100) + "b")), None);
    }

    #[test]
    fn alphabets_that_are_none() {
        for tiles in ["", "a a", "ab1", "abcd", "A", "a -"] {
            let tiles = tiles.split(' ').map(str::to_owned).collect();
            assert!(Alphabet::new(tiles, Vec::new()).is_err());
        }
        assert!(
            Alphabet::new((0..33).map(|i| format!("{}x", char::from(b'a' + i % 26))).collect(), vec![])
                .is_err()
        );
    }

    #[test]
    fn every_q_needs_its_u() {
        let english = Alphabet::english();
        assert_eq!(english.letters(&english.spell("quaquaversal").unwrap()), 12);
        assert_eq!(english.spell("quaqaversal"), None);
    }
}
