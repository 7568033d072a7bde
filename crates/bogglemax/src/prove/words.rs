//! The words as the engine reads them: flat, in dictionary order, with points as small classes.

use crate::{Lexicon, Scoring, Tile};

/// Bits of an item's tag that hold the class of its points; the others hold the word.
const CLASS_BITS: u32 = 7;

/// A word and what it is worth, in 32 bits: `word << 7 | class`.
///
/// Points go by the number of letters, of which a word on 36 cells has 3 to 72: 7 bits are enough
/// for every scoring, and the table of points stays in the first cache line or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tag(pub u32);

impl Tag {
    #[inline(always)]
    pub fn new(word: usize, class: u8) -> Tag {
        debug_assert!(word < 1 << (32 - CLASS_BITS));
        Tag((word as u32) << CLASS_BITS | u32::from(class))
    }

    #[inline(always)]
    pub fn word(self) -> usize {
        (self.0 >> CLASS_BITS) as usize
    }

    #[inline(always)]
    pub fn class(self) -> usize {
        (self.0 & ((1 << CLASS_BITS) - 1)) as usize
    }
}

/// Points by class; 128 entries, so that a class needs no bounds check.
pub(crate) type Points = [u64; 1 << CLASS_BITS];

/// The words that fit on a board and are worth something.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    tiles: Vec<Tile>,
    /// Word w is `tiles[start[w]..start[w + 1]]`.
    start: Vec<u32>,
    class: Vec<u8>,
    /// The tiles of each word, as a set.
    letters: Vec<u32>,
    /// Beside each tile of a word: the tiles that come later in any word with the same beginning.
    later: Vec<u32>,
    pub points: Points,
    pub tile_count: usize,
}

impl Words {
    /// The words of at most `max_tiles` tiles with at least one point, in dictionary order.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, max_tiles: usize) -> Words {
        let mut words = Words {
            tiles: Vec::new(),
            start: vec![0],
            class: Vec::new(),
            letters: Vec::new(),
            later: Vec::new(),
            points: [0; 1 << CLASS_BITS],
            tile_count: lexicon.alphabet().len(),
        };
        lexicon.for_each_word(|tiles| {
            let letters = lexicon.alphabet().letters(tiles);
            let points = scoring.points(letters);
            if tiles.len() <= max_tiles && points > 0 {
                let class = letters.min(words.points.len() - 1);
                words.points[class] = points.into();
                words.tiles.extend_from_slice(tiles);
                words.start.push(words.tiles.len() as u32);
                words.class.push(class as u8);
                words.letters.push(tiles.iter().fold(0, |all, &tile| all | 1 << tile));
            }
        });
        assert!(words.len() <= 1 << (32 - CLASS_BITS), "tags have room for 2^25 words");
        words.later = words.later_tiles();
        words
    }

    fn later_tiles(&self) -> Vec<u32> {
        let mut later = vec![0; self.tiles.len()];
        // From the last word to the first, each beginning takes over what the next word has seen, and
        // back again, so that all words with a beginning know the same.
        let shared =
            |w: usize| self.tiles(w).iter().zip(self.tiles(w + 1)).take_while(|(a, b)| a == b).count();
        for w in (0..self.len()).rev() {
            let (from, to) = (self.start[w] as usize, self.start[w + 1] as usize);
            let mut seen = 0;
            for at in (from..to).rev() {
                later[at] = seen;
                seen |= 1 << self.tiles[at];
            }
            if w + 1 < self.len() {
                (0..shared(w)).for_each(|j| later[from + j] |= later[to + j]);
            }
        }
        for w in 0..self.len().saturating_sub(1) {
            let (from, to) = (self.start[w] as usize, self.start[w + 1] as usize);
            (0..shared(w)).for_each(|j| later[to + j] = later[from + j]);
        }
        later
    }

    /// The tiles that come after the first `count` tiles of a word in any word that begins with them.
    pub fn later(&self, word: usize, count: usize) -> u32 {
        self.later[self.start[word] as usize + count - 1]
    }

    pub fn len(&self) -> usize {
        self.class.len()
    }

    pub fn tiles(&self, word: usize) -> &[Tile] {
        &self.tiles[self.start[word] as usize..self.start[word + 1] as usize]
    }

    /// The tiles of a word, as a set.
    #[inline(always)]
    pub fn letters(&self, word: usize) -> u32 {
        self.letters[word]
    }

    pub fn class(&self, word: usize) -> u8 {
        self.class[word]
    }

    /// How often each tile occurs in the words: the rarity order of letters comes from here.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut counts = vec![0; self.tile_count];
        self.tiles.iter().for_each(|&t| counts[usize::from(t)] += 1);
        counts
    }

    /// How often each tile stands before each other one.
    pub fn pairs(&self) -> Vec<Vec<u64>> {
        let mut counts = vec![vec![0; self.tile_count]; self.tile_count];
        for w in 0..self.len() {
            for two in self.tiles(w).windows(2) {
                counts[usize::from(two[0])][usize::from(two[1])] += 1;
            }
        }
        counts
    }
}
