//! What can go wrong with what a person gave us, each in one sentence that says what to do.

use crate::Dims;

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
    #[error(
        "'{letter}' at position {position} of '{text}' is no letter of a board: use a to z, with q for the Qu tile"
    )]
    Letter {
        /// The character.
        letter: char,
        /// Its position in the text, counted from 1.
        position: usize,
        /// The board or class as given.
        text: String,
    },

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
        "word list '{name}' has no usable word: one word a line, of at least 3 letters, every q followed by u"
    )]
    EmptyLexicon {
        /// The name of the list.
        name: String,
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
