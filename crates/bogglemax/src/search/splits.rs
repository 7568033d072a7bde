//! Every word cut open at every one of its letters: a *head*, the letter, and a *tail*.
//!
//! A board on which one cell changes holds a new word w only if some head and the tail that belongs
//! to it lie on the board as it is, on both sides of the changed cell. So heads and tails are found
//! on the board first, each by a walk down its own prefix tree (that of tails holds the words
//! backwards), and then brought together by lists made here once and for all: which tails go with a
//! head, and with which letters between them.
//!
//! Each split stands in one list only, that of its longer part. Long parts are on a board seldom and
//! have short lists; a short part is on almost every board, and its list would be endless.

use std::ops::Range;

use super::tree::Tree;
use crate::simd::{LANES, prefetch_at};
use crate::{Lexicon, MAX_TILES, Scoring, Tile};

/// A letter that makes a word of a head and a tail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fill {
    pub word: u32,
    /// 0 if the word has this letter only once; else a number that all splits of the word at this
    /// letter share.
    pub repeat: u32,
    pub kind: Kind,
}

/// A letter put in, in the lowest five bits, and above it the number of letters of the word that it makes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kind(pub u32);

impl Kind {
    fn new(letter: Tile, letters: u8) -> Kind {
        Kind(u32::from(letters) * MAX_TILES as u32 + u32::from(letter))
    }

    #[inline(always)]
    pub fn letter(self) -> u32 {
        self.0 % MAX_TILES as u32
    }

    /// Number of letters of the word.
    #[inline(always)]
    pub fn letters(self) -> u8 {
        (self.0 / MAX_TILES as u32) as u8
    }
}

/// A node of the other tree that goes with an owner, and where the letters that go between begin; they end
/// where those of the next mate begin.
pub(super) type Mate = [u32; 2];

/// What goes with the nodes of one tree, the *owners*.
#[derive(Debug)]
pub(super) struct Mates {
    /// For each owner, where its mates begin.
    first: Vec<u32>,
    /// Those of an owner in ascending order; and some more, which are none.
    mates: Vec<Mate>,
    /// The letters that go between as [`Fill`]s: word, repeat, kind; and all bits if it is the last one of its
    /// mate.
    fills: Vec<[u32; 4]>,
}

impl Mates {
    /// All mates, those of the first owner first, and as many more as there are lanes.
    #[inline(always)]
    pub fn all(&self) -> &[Mate] {
        &self.mates
    }

    /// Where the mates of an owner are.
    #[inline(always)]
    pub fn of(&self, owner: u32) -> Range<usize> {
        self.first[owner as usize] as usize..self.first[owner as usize + 1] as usize
    }

    /// Where that is which goes between a mate, given as an index, and its owner.
    #[inline(always)]
    pub fn between(&self, mate: u32) -> Range<u32> {
        let [from, to] = [0, 1].map(|i| self.mates[mate as usize + i][1]);
        from..to
    }

    #[inline(always)]
    pub fn fill(&self, fill: u32) -> Fill {
        let [word, repeat, kind, _] = self.fills[fill as usize];
        Fill { word, repeat, kind: Kind(kind) }
    }

    /// What goes between all mates and their owners: word, repeat, kind, and all bits if it is the last of
    /// its mate.
    #[inline(always)]
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.fills
    }

    /// Asks for a letter that goes between.
    #[inline(always)]
    pub fn ask_for_fill(&self, fill: u32) {
        prefetch_at(&self.fills, fill as usize);
    }

    /// Asks for where the mates of an owner are.
    #[inline(always)]
    pub fn ask_for(&self, owner: u32) {
        prefetch_at(&self.first, owner as usize);
    }

    /// Asks for the mates of an owner.
    #[inline(always)]
    pub fn ask_for_mates(&self, owner: u32) {
        prefetch_at(&self.mates, self.first[owner as usize] as usize);
    }

    fn new(owners: usize, splits: &[Split]) -> Mates {
        let mut starts = vec![0u32; owners + 1];
        splits.iter().for_each(|split| starts[split.owner as usize + 1] += 1);
        (0..owners).for_each(|i| starts[i + 1] += starts[i]);
        let mut order = vec![0u32; splits.len()];
        let mut next = starts.clone();
        for (i, split) in splits.iter().enumerate() {
            order[next[split.owner as usize] as usize] = i as u32;
            next[split.owner as usize] += 1;
        }
        for owner in 0..owners {
            let own = &mut order[starts[owner] as usize..starts[owner + 1] as usize];
            own.sort_unstable_by_key(|&i| (splits[i as usize].mate, splits[i as usize].fill.kind.letter()));
        }
        let (mut first, mut mates) = (Vec::with_capacity(owners + 1), Vec::<Mate>::new());
        let mut fills: Vec<[u32; 4]> = Vec::with_capacity(splits.len());
        for owner in 0..owners {
            first.push(mates.len() as u32);
            let own = starts[owner] as usize..starts[owner + 1] as usize;
            for at in own.clone() {
                let Split { mate, fill, .. } = splits[order[at] as usize];
                if at == own.start || mates[mates.len() - 1][0] != mate {
                    mates.push([mate, at as u32]);
                }
                let is_last = at + 1 == own.end || splits[order[at + 1] as usize].mate != mate;
                fills.push([fill.word, fill.repeat, fill.kind.0, u32::from(is_last).wrapping_neg()]);
            }
        }
        first.push(mates.len() as u32);
        mates.extend([[0, splits.len() as u32]; LANES]);
        Mates { first, mates, fills }
    }
}

#[derive(Clone, Copy)]
struct Split {
    owner: u32,
    mate: u32,
    fill: Fill,
}

/// A word list, cut open.
#[derive(Debug)]
pub(super) struct Splits {
    pub heads: Tree,
    pub tails: Tree,
    pub by_head: Mates,
    pub by_tail: Mates,
    /// The number that stands for each tile in here: the most common have the lowest.
    pub letter_of: [Tile; MAX_TILES],
    /// Number of letters of each word.
    pub letters: Vec<u8>,
    /// One more than the highest [`Fill::repeat`].
    pub repeats: usize,
    /// The value of a word by its number of letters.
    pub points: Vec<u32>,
}

impl Splits {
    /// The words of the list with at most `max_tiles` tiles that are worth at least one point.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, max_tiles: usize) -> Splits {
        let alphabet = lexicon.alphabet();
        let mut words: Vec<Vec<Tile>> = Vec::new();
        lexicon.for_each_word(|tiles| {
            if tiles.len() <= max_tiles && scoring.points(alphabet.letters(tiles)) > 0 {
                words.push(tiles.to_vec());
            }
        });
        let letter_of = most_common_first(&words);
        words.iter_mut().flatten().for_each(|tile| *tile = letter_of[usize::from(*tile)]);
        words.sort_unstable();
        let tile_letters = |tile| alphabet.tile_letters(tile as Tile) as u8;
        let mut sizes = [1; MAX_TILES];
        (0..alphabet.len()).for_each(|tile| sizes[usize::from(letter_of[tile])] = tile_letters(tile));
        let numbers = numbers(&words);
        let mut letters = vec![0u8; words.len()];
        for (word, &number) in words.iter().zip(&numbers) {
            letters[number as usize] = word.iter().map(|&t| sizes[usize::from(t)]).sum();
        }
        let longest = letters.iter().copied().max().unwrap_or(0);

        let (heads, head_paths) = Tree::new(&words, &numbers);
        let mut backwards: Vec<(Vec<Tile>, u32)> =
            words.iter().zip(0..).map(|(word, i)| (word.iter().rev().copied().collect(), i)).collect();
        backwards.sort_unstable();
        let (reversed, order): (Vec<Vec<Tile>>, Vec<u32>) = backwards.into_iter().unzip();
        let reversed_numbers: Vec<u32> = order.iter().map(|&i| numbers[i as usize]).collect();
        let (tails, tail_paths) = Tree::new(&reversed, &reversed_numbers);
        let mut tail_path_of = vec![&[][..]; words.len()];
        tail_paths.iter().zip(&order).for_each(|(path, &i)| tail_path_of[i as usize] = path);

        let (mut by_head, mut by_tail, mut repeats) = (Vec::new(), Vec::new(), 1);
        for (i, word) in words.iter().enumerate() {
            let (heads, tails, number) = (head_paths.get(i), tail_path_of[i], numbers[i]);
            let mut repeat_of = [0u32; MAX_TILES];
            for (at, &letter) in word.iter().enumerate() {
                let slot = &mut repeat_of[usize::from(letter)];
                if *slot == 0 && word[at + 1..].contains(&letter) {
                    *slot = repeats;
                    repeats += 1;
                }
                let kind = Kind::new(letter, letters[number as usize]);
                let fill = Fill { word: number, repeat: *slot, kind };
                let after = word.len() - 1 - at;
                let (head, tail) = (heads[at], tails[after]);
                if at >= after {
                    by_head.push(Split { owner: head, mate: tail, fill });
                } else {
                    by_tail.push(Split { owner: tail, mate: head, fill });
                }
            }
        }
        Splits {
            by_head: Mates::new(heads.len(), &by_head),
            by_tail: Mates::new(tails.len(), &by_tail),
            heads,
            tails,
            letter_of,
            letters,
            repeats: repeats as usize,
            points: scoring.table(longest.into()),
        }
    }
}

fn most_common_first(words: &[Vec<Tile>]) -> [Tile; MAX_TILES] {
    let mut counts = [0u32; MAX_TILES];
    words.iter().flatten().for_each(|&tile| counts[usize::from(tile)] += 1);
    let mut order: [usize; MAX_TILES] = std::array::from_fn(|tile| tile);
    order.sort_by_key(|&tile| std::cmp::Reverse(counts[tile]));
    let mut letter_of = [0; MAX_TILES];
    order.iter().zip(0..).for_each(|(&tile, letter)| letter_of[tile] = letter);
    letter_of
}

/// Numbers for words such that those of common letters come first.
fn numbers(words: &[Vec<Tile>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..words.len() as u32).collect();
    order.sort_by_key(|&i| words[i as usize].iter().max());
    let mut numbers = vec![0; words.len()];
    order.iter().zip(0..).for_each(|(&i, number)| numbers[i as usize] = number);
    numbers
}
