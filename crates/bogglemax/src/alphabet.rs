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

/// The tiles of a language, in alphabetical order.
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
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// The letters each tile spells.
    tiles: Vec<String>,
}

impl Alphabet {
    /// a to z, with `q` standing for the Qu tile.
    pub fn english() -> Alphabet {
        let spelled = |c: char| if c == 'q' { "qu".to_owned() } else { c.to_string() };
        Alphabet { tiles: ('a'..='z').map(spelled).collect() }
    }

    /// Number of tiles.
    #[allow(clippy::len_without_is_empty)] // an alphabet is never empty
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The tile written as this character on a board, in either case.
    pub fn tile(&self, c: char) -> Option<Tile> {
        let mut lower = c.to_lowercase();
        let c = lower.next().filter(|_| lower.next().is_none())?;
        self.tiles.iter().position(|t| t.starts_with(c)).map(|i| i as Tile)
    }

    /// How the tile is written on a board: the first letter it spells.
    pub fn symbol(&self, tile: Tile) -> char {
        self.tiles[usize::from(tile)].chars().next().expect("a tile spells at least one letter")
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

    /// The tiles that spell a word. Case and accents are dropped first; `None` if the word cannot
    /// be spelled, be it for a strange character or for a q that no u follows.
    pub fn spell(&self, word: &str) -> Option<Vec<Tile>> {
        let plain = fold(word);
        let mut rest = plain.as_str();
        let mut spelling = Vec::with_capacity(plain.len());
        while !rest.is_empty() {
            let tile = self.tiles.iter().position(|t| rest.starts_with(t.as_str()))?;
            spelling.push(tile as Tile);
            rest = &rest[self.tiles[tile].len()..];
        }
        Some(spelling)
    }

    /// The tiles of a word of the game: one that can be spelled, has at least three letters, and
    /// fits on the largest board.
    pub(crate) fn boggle_word(&self, word: &str) -> Option<Vec<Tile>> {
        self.spell(word).filter(|tiles| self.letters(tiles) >= MIN_LETTERS && tiles.len() <= MAX_WORD_TILES)
    }
}

/// Lower case without accents: "Éclair" becomes "eclair".
pub(crate) fn fold(word: &str) -> String {
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    word.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase).collect()
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

    #[test]
    fn every_q_needs_its_u() {
        let english = Alphabet::english();
        assert_eq!(english.letters(&english.spell("quaquaversal").unwrap()), 12);
        assert_eq!(english.spell("quaqaversal"), None);
    }
}
