//! Languages: which tiles there are, how words are folded onto them, and dice.
//!
//! A language is a small TOML file; those in `data/languages` are compiled in.

use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::{Alphabet, DiceSet, Dims, Error};

/// A language to play in.
///
/// ```
/// use bogglemax::{Language, Lexicon};
///
/// let german = Language::named("german").unwrap();
/// let lexicon = Lexicon::from_words_with(german.alphabet(), "mine", ["Straße", "Öl"])?;
/// assert_eq!(lexicon.len(), 2); // strasse and oel
///
/// let mine = Language::parse("mine", r#"tiles = "a b c ch d e""#)?;
/// assert_eq!(mine.alphabet().spellings("had").len(), 0); // there is no h
/// assert_eq!(mine.alphabet().spellings("bach").len(), 1);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Language {
    name: String,
    alphabet: Alphabet,
    dice: Vec<DiceSet>,
    list: Option<ListHint>,
}

/// Where a word list of a language is to be had.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListHint {
    /// The Debian package.
    pub package: String,
    /// The file it installs.
    pub file: String,
}

/// A language file, field by field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The tiles in alphabetical order, separated by blanks.
    tiles: String,
    /// What stands in for a character before a word is spelled.
    #[serde(default)]
    fold: std::collections::BTreeMap<String, String>,
    list: Option<ListHint>,
    #[serde(default)]
    dice: Vec<FileDice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDice {
    name: String,
    title: String,
    /// One die a line, faces separated by blanks.
    dice: String,
}

/// The languages compiled in. English first: it is the default.
const FILES: [(&str, &str); 6] = [
    ("english", include_str!("../../../data/languages/english.toml")),
    ("super", include_str!("../../../data/languages/super.toml")),
    ("french", include_str!("../../../data/languages/french.toml")),
    ("german", include_str!("../../../data/languages/german.toml")),
    ("polish", include_str!("../../../data/languages/polish.toml")),
    ("spanish", include_str!("../../../data/languages/spanish.toml")),
];

/// The dice of the boxed English games.
const ENGLISH_DICE: [(&str, &str); 4] = [
    ("classic", include_str!("../../../data/dice/classic.txt")),
    ("new", include_str!("../../../data/dice/new.txt")),
    ("big", include_str!("../../../data/dice/big.txt")),
    ("super", include_str!("../../../data/dice/super.txt")),
];

impl Language {
    /// English: a to z, with `q` for the Qu tile.
    pub fn english() -> &'static Language {
        static ENGLISH: OnceLock<Language> = OnceLock::new();
        ENGLISH.get_or_init(|| Language::named("english").expect("it is compiled in"))
    }

    /// The names of the languages compiled in. `super` is English with the tiles of the 6x6 game: An,
    /// Er, He, In, Th and blank ones.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// The language compiled in under this name.
    pub fn named(name: &str) -> Option<Language> {
        let (name, file) = FILES.iter().find(|(known, _)| *known == name)?;
        let mut language = Language::parse(name, file).expect("the files compiled in are good");
        if matches!(*name, "english" | "super") {
            language.dice = english_dice(&language.alphabet);
        }
        Some(language)
    }

    /// The language of this name, or in this file.
    ///
    /// # Errors
    /// If there is neither, or the file cannot be used.
    pub fn open(name: &str) -> Result<Language, Error> {
        if let Some(language) = Language::named(name) {
            return Ok(language);
        }
        if !Path::new(name).exists() {
            let known = Language::names().collect::<Vec<_>>().join(", ");
            return Err(Error::UnknownLanguage { name: name.to_owned(), known });
        }
        let what = format!("language file '{name}'");
        let text = std::fs::read_to_string(name).map_err(|reason| Error::Read { what, reason })?;
        Language::parse(name, &text)
    }

    /// A language from the text of its file.
    ///
    /// # Errors
    /// If the file is no TOML, lacks its tiles, or has tiles, rules or dice that cannot be used.
    pub fn parse(name: &str, file: &str) -> Result<Language, Error> {
        let bad = |why: String| Error::LanguageFile { name: name.to_owned(), why };
        let file: File = toml::from_str(file).map_err(|error| bad(one_line(&error)))?;
        let tiles = file.tiles.split_whitespace().map(str::to_lowercase).collect();
        let mut rules = Vec::new();
        for (from, to) in file.fold {
            let mut lower = from.chars().flat_map(char::to_lowercase);
            match (lower.next(), lower.next()) {
                (Some(c), None) => rules.push((c, to.to_lowercase())),
                _ => return Err(bad(format!("'{from}' in [fold] must be one character"))),
            }
        }
        let alphabet = Alphabet::new(tiles, rules).map_err(bad)?;
        let dice = file.dice.iter().map(|d| DiceSet::parse(&d.name, &d.title, &d.dice, &alphabet));
        let dice = dice.collect::<Result<_, _>>()?;
        Ok(Language { name: name.to_owned(), alphabet, dice, list: file.list })
    }

    /// Its name, or the file it came from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tiles and folding rules.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Its dice; of two sets for one shape the newer is the later.
    pub fn dice(&self) -> &[DiceSet] {
        &self.dice
    }

    /// The dice for boards of a shape, the newest if there are several.
    pub fn dice_for(&self, dims: Dims) -> Option<&DiceSet> {
        self.dice.iter().rev().find(|set| set.dims() == dims)
    }

    /// Where a word list is to be had.
    pub fn list(&self) -> Option<&ListHint> {
        self.list.as_ref()
    }
}

/// The sets of the boxed English games, whose titles are the first lines of their files.
fn english_dice(alphabet: &Alphabet) -> Vec<DiceSet> {
    let read = |(name, file): &(&str, &str)| {
        let title = file.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a title");
        DiceSet::parse(name, title, file, alphabet).expect("the files compiled in are good")
    };
    ENGLISH_DICE.iter().map(read).collect()
}

/// What is wrong with a TOML file, and on which line, without the excerpt.
fn one_line(error: &toml::de::Error) -> String {
    error.message().trim().replace('\n', "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_fold_as_they_should() {
        let fold = |name: &str, word: &str| Language::named(name).unwrap().alphabet().fold(word);
        for (language, word, folded) in [
            ("english", "Éclair", "eclair"),
            ("super", "Éclair", "eclair"),
            ("german", "Größenmaß", "groessenmass"),
            ("german", "Café", "cafe"),
            ("french", "Œuvre", "oeuvre"),
            ("french", "garçonnière", "garconniere"),
            ("spanish", "Pingüino", "pinguino"),
            ("spanish", "MAÑANA", "mañana"),
            ("spanish", "corazón", "corazon"),
            ("polish", "Zażółć", "zażółć"),
            ("polish", "Müsli", "musli"),
        ] {
            assert_eq!(fold(language, word), folded, "{language}");
        }
    }

    #[test]
    fn tiles_are_those_of_the_language() {
        let alphabet = |name: &str| Language::named(name).unwrap().alphabet().clone();
        assert_eq!(alphabet("english"), Alphabet::english());
        assert!(alphabet("german").has_english_tiles() && alphabet("french").has_english_tiles());
        assert_eq!(
            [alphabet("spanish").len(), alphabet("polish").len(), alphabet("super").len()],
            [27, 32, 32]
        );
        for name in Language::names() {
            assert_eq!(alphabet(name).is_unambiguous(), name != "super", "{name}");
        }
        assert_eq!(alphabet("super").spellings("thin").len(), 4); // t-h-i-n, th-i-n, t-h-in, th-in
    }

    #[test]
    fn files_that_cannot_be_used() {
        let message = |text: &str| Language::parse("mine.toml", text).unwrap_err().to_string();
        for (text, why) in [
            ("", "missing field `tiles`"),
            ("tiles = 3", "invalid type"),
            ("tiles = 'a b'\nletters = 'x'", "unknown field"),
            ("tiles = 'a a'", "tile 'a' is given twice"),
            ("tiles = 'a ?'", "'?' is no tile"),
            ("tiles = 'a b'\n[fold]\nxy = 'a'", "'xy' in [fold] must be one character"),
            (
                "tiles = 'a b'\n[[dice]]\nname = 'x'\ntitle = 'x'\ndice = 'a b'\n[[dice]]\nname = 'y'\ntitle = 'y'\ndice = '''a\nb'''",
                "2 dice fill no square",
            ),
        ] {
            assert!(message(text).contains(why), "{text:?}: {}", message(text));
            assert_eq!(message(text).lines().count(), 1);
        }
        assert!(
            Language::open("klingon").unwrap_err().to_string().contains("use one of english, super, french")
        );
    }
}
