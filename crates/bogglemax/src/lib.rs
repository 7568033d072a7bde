//! Finding the best Boggle boards, and proving that they are the best.
//!
//! The way of the data: a word list ([`Lexicon`]) becomes a prefix tree; a [`Board`] of some
//! [`Dims`] is scored by a [`Scorer`] under a [`Scoring`].
//!
//! ```
//! use bogglemax::{Board, Lexicon, Scorer, Scoring};
//!
//! let lexicon = Lexicon::enable2k();
//! let board = Board::parse("perslatgsineters", None)?;
//! let mut scorer = Scorer::new(&lexicon, &Scoring::boggle(), board.dims());
//! assert_eq!(scorer.score(&board), 3625);
//! # Ok::<(), bogglemax::Error>(())
//! ```

#![deny(missing_docs)]
#![deny(unsafe_code)]

mod alphabet;
mod board;
mod class;
mod dawg;
mod dice;
mod dims;
mod error;
mod language;
mod lexicon;
pub mod longest;
pub mod paper;
pub mod prove;
pub mod run;
mod score;
mod scoring;
pub mod search;
mod simd;
mod stats;
pub mod tree;
mod trie;

pub use alphabet::{Alphabet, MAX_TILES, Tile};
pub use board::Board;
pub use class::{BoardClass, BucketSearch, Bucketing, Buckets, CellKind, Classes};
pub use dice::{DiceSet, Die};
pub use dims::{Dims, MAX_CELLS};
pub use error::Error;
pub use language::{Language, ListHint};
pub use lexicon::Lexicon;
pub use score::{Count, FoundWord, Scorer};
pub use scoring::Scoring;
pub use search::{Edit, NeighborScorer, Neighbors};
pub use stats::{BoardStats, Mean, board_stats};
pub use trie::{Trie, TrieNode, Word, WordId};
