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

use super::tree::{Tree, rank_letters};
use crate::{Lexicon, Scoring, Tile};

/// A letter that makes a word of a head and a tail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub word: u32,
    /// 0 if the word has this letter only once; else a number that all splits of the word at this
    /// letter share.
    pub repeat: u32,
    pub letter: Tile,
    /// Number of letters of the word.
    pub letters: u8,
}

/// What goes with the nodes of one tree, the *owners*.
///
/// The three vectors behind each other hold: for each owner, where its mates begin; the mates, which
/// are nodes of the other tree; for each mate, where its fills begin; the fills.
#[derive(Debug)]
pub(super) struct Mates {
    first_mate: Vec<u32>,
    mates: Vec<u32>,
    first_fill: Vec<u32>,
    fills: Vec<Fill>,
}

impl Mates {
    /// The places of the mates of an owner.
    #[inline]
    pub fn of(&self, owner: u32) -> std::ops::Range<usize> {
        self.first_mate[owner as usize] as usize..self.first_mate[owner as usize + 1] as usize
    }

    /// The nodes at places of mates.
    #[inline]
    pub fn nodes(&self, places: std::ops::Range<usize>) -> &[u32] {
        &self.mates[places]
    }

    /// What fits between an owner and its mate at this place.
    #[inline]
    pub fn fills(&self, place: u32) -> &[Fill] {
        let place = place as usize;
        &self.fills[self.first_fill[place] as usize..self.first_fill[place + 1] as usize]
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
        let mut mates = Mates {
            first_mate: Vec::with_capacity(owners + 1),
            mates: Vec::new(),
            first_fill: Vec::new(),
            fills: Vec::with_capacity(splits.len()),
        };
        for owner in 0..owners {
            mates.first_mate.push(mates.mates.len() as u32);
            let own = &mut order[starts[owner] as usize..starts[owner + 1] as usize];
            own.sort_unstable_by_key(|&i| (splits[i as usize].mate, splits[i as usize].fill.letter));
            for same in own.chunk_by(|&i, &j| splits[i as usize].mate == splits[j as usize].mate) {
                mates.mates.push(splits[same[0] as usize].mate);
                mates.first_fill.push(mates.fills.len() as u32);
                mates.fills.extend(same.iter().map(|&i| splits[i as usize].fill));
            }
        }
        mates.first_mate.push(mates.mates.len() as u32);
        mates.first_fill.push(mates.fills.len() as u32);
        mates
    }
}

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
        let letters: Vec<u8> = words.iter().map(|word| alphabet.letters(word) as u8).collect();
        let longest = letters.iter().copied().max().unwrap_or(0);
        let ranks = rank_letters(&words);
        let (heads, head_paths) = Tree::new(&words, &ranks);
        let mut backwards: Vec<(Vec<Tile>, u32)> = words
            .iter()
            .zip(0..)
            .map(|(word, number)| (word.iter().rev().copied().collect(), number))
            .collect();
        backwards.sort_unstable();
        let (reversed, numbers): (Vec<Vec<Tile>>, Vec<u32>) = backwards.into_iter().unzip();
        let (tails, tail_paths) = Tree::new_with_numbers(&reversed, &numbers, &ranks);
        let mut tail_path_of = vec![&[][..]; words.len()];
        tail_paths.iter().zip(&numbers).for_each(|(path, &number)| tail_path_of[number as usize] = path);

        let (mut by_head, mut by_tail, mut repeats) = (Vec::new(), Vec::new(), 1);
        for (number, word) in words.iter().enumerate() {
            let (heads, tails) = (head_paths.get(number), tail_path_of[number]);
            let mut repeat_of = [0u32; crate::MAX_TILES];
            for (at, &letter) in word.iter().enumerate() {
                let slot = &mut repeat_of[usize::from(letter)];
                if *slot == 0 && word[at + 1..].contains(&letter) {
                    *slot = repeats;
                    repeats += 1;
                }
                let fill = Fill { word: number as u32, repeat: *slot, letter, letters: letters[number] };
                let (head, tail, after) = (heads[at], tails[word.len() - 1 - at], word.len() - 1 - at);
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
            letters,
            repeats: repeats as usize,
            points: scoring.table(longest.into()),
        }
    }
}
