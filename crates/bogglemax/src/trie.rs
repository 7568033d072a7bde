//! A plain, compact trie: the words of a list that fit on a board, each with its id and points.
//!
//! Builders that walk placements of words on a *class* of boards use this one. Scoring single
//! boards has its own, smaller structure: see [`crate::dawg`].

use crate::{Lexicon, Scoring, Tile};

/// The id of a word in a [`Trie`]: its rank in alphabetical order of tiles.
pub type WordId = u32;

/// A node of a [`Trie`], cheap to copy and valid for the trie it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrieNode(u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Tiles that continue this prefix.
    children: u32,
    /// Index of the first child; the children stand side by side in order of their tiles.
    first: u32,
    /// The word that ends here, or [`NO_WORD`].
    word: WordId,
}

const NO_WORD: WordId = WordId::MAX;

/// The words of at most a given number of tiles, as a prefix tree in breadth-first layout.
///
/// ```
/// use bogglemax::{Lexicon, Scoring, Trie};
///
/// let lexicon = Lexicon::from_words("mine", ["tea", "team", "quit"])?;
/// let trie = Trie::new(&lexicon, &Scoring::boggle(), 3);
/// let spelled: Vec<_> = trie.words().iter().map(|w| lexicon.alphabet().text(&w.tiles)).collect();
/// assert_eq!(spelled, ["quit", "tea"]); // team needs four cells
/// let te = trie.root().child(&trie, 19).and_then(|t| t.child(&trie, 4)).unwrap();
/// assert_eq!(te.child(&trie, 0).unwrap().word(&trie), Some(1));
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trie {
    nodes: Vec<Node>,
    words: Vec<Word>,
}

/// A word as it lies on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its tiles.
    pub tiles: Vec<Tile>,
    /// What it is worth.
    pub points: u32,
}

impl Trie {
    /// The words of the list with at most `max_tiles` tiles that are worth at least one point.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, max_tiles: usize) -> Trie {
        let mut words = Vec::new();
        lexicon.for_each_word(|tiles| {
            let points = scoring.points(lexicon.alphabet().letters(tiles));
            if tiles.len() <= max_tiles && points > 0 {
                words.push(Word { tiles: tiles.to_vec(), points });
            }
        });
        Trie::from_sorted(words)
    }

    /// Builds breadth-first: a queue of (range of words that share a prefix, length of the prefix).
    fn from_sorted(words: Vec<Word>) -> Trie {
        let mut nodes = vec![Node { children: 0, first: 0, word: NO_WORD }];
        let mut ranges = vec![(0..words.len(), 0usize)];
        let mut next = 0;
        while next < nodes.len() {
            let (mut range, depth) = ranges[next].clone();
            if range.start < range.end && words[range.start].tiles.len() == depth {
                nodes[next].word = range.start as WordId;
                range.start += 1;
            }
            nodes[next].first = nodes.len() as u32;
            while range.start < range.end {
                let tile = words[range.start].tiles[depth];
                let len = words[range.clone()].partition_point(|w| w.tiles[depth] == tile);
                nodes[next].children |= 1 << tile;
                nodes.push(Node { children: 0, first: 0, word: NO_WORD });
                ranges.push((range.start..range.start + len, depth + 1));
                range.start += len;
            }
            next += 1;
        }
        Trie { nodes, words }
    }

    /// The node of the empty prefix.
    pub fn root(&self) -> TrieNode {
        TrieNode(0)
    }

    /// The words, by id.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

impl TrieNode {
    /// The tiles that continue this prefix, as a bit mask.
    #[inline]
    pub fn children(self, trie: &Trie) -> u32 {
        trie.nodes[self.0 as usize].children
    }

    /// The prefix one tile longer, if a word begins with it.
    #[inline]
    pub fn child(self, trie: &Trie, tile: Tile) -> Option<TrieNode> {
        let node = trie.nodes[self.0 as usize];
        let bit = 1u32 << tile;
        (node.children & bit != 0).then(|| TrieNode(node.first + (node.children & (bit - 1)).count_ones()))
    }

    /// The word that this prefix is, if it is one.
    #[inline]
    pub fn word(self, trie: &Trie) -> Option<WordId> {
        Some(trie.nodes[self.0 as usize].word).filter(|&w| w != NO_WORD)
    }
}
