//! What can go wrong with what a person gave us, each in one sentence that says what to do.

use crate::{Alphabet, Dims};

/// An input that cannot be used. Its `Display` is a whole sentence for the person who gave it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A shape that is no shape, or has more than 36 cells.
    #[error("'{text}' is no board shape: give rows x columns such as 4x4 or 3x4, at most 36 cells in all")]
    Dims {
        /// What was given.
        text: String,
    },

    /// A board whose length fits no shape or another one.
    #[error(
        "board '{board}' has {cells} cells, but {dims} has {}: add or remove letters, or give its shape with --dims",
        dims.cells()
    )]
    BoardLength {
        /// The board as given.
        board: String,
        /// How many cells it has.
        cells: usize,
        /// The shape it should have.
        dims: Dims,
    },

    /// A board without a shape, where its length is not a square.
    #[error(
        "board '{board}' has {cells} cells, which is no square: give its shape with --dims, e.g. --dims 3x4"
    )]
    BoardShape {
        /// The board as given.
        board: String,
        /// How many cells it has.
        cells: usize,
    },

    /// A character that is on no tile.
    #[error("'{letter}' at position {position} of '{text}' is no letter of a board: {allowed}")]
    Letter {
        /// The character, or the cell where cells are written apart.
        letter: String,
        /// Its position in the text, counted from 1.
        position: usize,
        /// The board or class as given.
        text: String,
        /// What may be used.
        allowed: String,
    },

    /// A language that is neither built in nor a file.
    #[error("'{name}' is no language: use one of {known}, or a language file")]
    UnknownLanguage {
        /// What was given.
        name: String,
        /// The names of those built in.
        known: String,
    },

    /// A language file that cannot be used.
    #[error("language file '{name}': {why}")]
    LanguageFile {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: String,
    },

    /// A search that counts spellings, with words that have several.
    #[error(
        "{what} cannot tell the spellings of one word apart, and this language has tiles that begin alike: use solve, score, canon, dice or stats, or another language"
    )]
    Ambiguous {
        /// What cannot be done.
        what: &'static str,
    },

    /// Something that works with a to z only.
    #[error(
        "{what} knows boards of a to z only, and this language has other tiles: use another command or language"
    )]
    OtherTiles {
        /// What cannot be done.
        what: &'static str,
    },

    /// A class whose number of cells fits another shape.
    #[error(
        "class '{class}' has {cells} cells, but {dims} has {}: cells are separated by blanks; add or remove some, or give the shape with --dims",
        dims.cells()
    )]
    ClassLength {
        /// The class as given.
        class: String,
        /// How many cells it has.
        cells: usize,
        /// The shape it should have.
        dims: Dims,
    },

    /// A class without a shape, where its number of cells is not a square.
    #[error(
        "class '{class}' has {cells} cells, which is no square: separate cells by blanks, or give the shape with --dims, e.g. --dims 3x4"
    )]
    ClassShape {
        /// The class as given.
        class: String,
        /// How many cells it has.
        cells: usize,
    },

    /// A class whose sum/choice tree cannot be held.
    #[error("class '{class}' is too large for a sum/choice tree: give fewer letters a cell")]
    ClassTooLarge {
        /// The class.
        class: String,
    },

    /// Bounds beyond what a node holds.
    #[error("the bound of class '{class}' is beyond {}: use a scoring with smaller values", u32::MAX - 1)]
    BoundTooLarge {
        /// The class.
        class: String,
    },

    /// Branching on a tree in spelling order, or on one whose cells are all fixed.
    #[error(
        "only orderly trees with a free cell can be branched or searched: build the tree in orderly order"
    )]
    NotOrderly,

    /// A cutoff beyond what bounds are kept in.
    #[error("a cutoff of {cutoff} is beyond {}, the largest this engine knows: give a smaller one", u32::MAX)]
    CutoffTooLarge {
        /// The cutoff.
        cutoff: u64,
    },

    /// A shape with more classes than anyone could walk.
    #[error("{dims} has too many board classes for this engine: give a smaller shape")]
    TooManyClasses {
        /// The shape.
        dims: Dims,
    },

    /// Buckets that are no partition of the alphabet.
    #[error(
        "'{text}' is no partition of the alphabet: give every letter once, buckets separated by commas, such as aeiosuy,bcdfghjklmnpqrtvwxz"
    )]
    Buckets {
        /// What was given.
        text: String,
    },

    /// A number of buckets that cannot be.
    #[error("{count} buckets cannot be: the alphabet has 26 letters, so give 1 to 26")]
    BucketCount {
        /// What was given.
        count: usize,
    },
    /// A search that may use no letter.
    #[error("every letter is excluded: leave at least one for the boards to be made of")]
    NoLetters,

    /// A scoring that is no scoring.
    #[error(
        "'{text}' is no scoring: use boggle, words, pow2, or points by word length such as 0,0,0,1,1,2,3,5,11"
    )]
    Scoring {
        /// What was given.
        text: String,
    },

    /// A word list in which no line is a word that a board can hold.
    #[error(
        "word list '{name}' has no usable word: one word a line, of at least 3 letters, all of them on tiles, every q followed by u"
    )]
    EmptyLexicon {
        /// The name of the list.
        name: String,
    },

    /// A list without a word that uses every cell.
    #[error("no word of '{list}' uses every cell of a {dims} board: give another shape or word list")]
    NoLongWord {
        /// The name of the list.
        list: String,
        /// The shape.
        dims: Dims,
    },

    /// Reading failed.
    #[error("cannot read {what}: {reason}")]
    Read {
        /// What was being read.
        what: String,
        /// Why it failed.
        reason: std::io::Error,
    },
}

impl Error {
    /// A letter, or a cell written apart, that is on no tile.
    pub(crate) fn letter(letter: impl ToString, position: usize, text: &str, alphabet: &Alphabet) -> Error {
        let (letter, text) = (letter.to_string(), text.to_owned());
        Error::Letter { letter, position, text, allowed: alphabet.described() }
    }
}
