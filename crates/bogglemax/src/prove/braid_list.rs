//! The first list of a braid: the items of all its strands, each with the strands it belongs to.
//!
//! What uses the braided cell belongs to the strand of the letter on it. What does not belongs to all strands but
//! those whose letter could move to the braided cell, where it is dominated (see `items`). So the items of a strand
//! are those of the class that has its letter on the braided cell.

use super::items::{Class, Items, Laid, Lister, Sink};
use super::key::Key;
use super::search::bits;
use super::values::{STRANDS, Strands, strands_of};
use super::words::{Points, Tag, Words};
use crate::Tile;

/// What is known of the list of a braid.
pub(super) struct BraidListing {
    /// Points of the words that every board of a strand has, and by word, the strands whose boards all have it.
    pub base: [u64; STRANDS],
    pub found: Vec<Strands>,
    /// Placements found, repeats included.
    pub placements: u64,
}

/// Gathers the items of a braid.
struct BraidSink<'a, K> {
    items: &'a mut Items<K>,
    listing: BraidListing,
    points: &'a Points,
    /// Longer lists are given up.
    most: usize,
    /// The strand of each tile, all strands, and the braided cell's place among the decided ones.
    strand_of: [Strands; 32],
    all: Strands,
    braided_at: usize,
    /// The letters of the cells of which one must be used, unless all placements are asked for.
    only: Option<u32>,
    from: usize,
    /// The strands whose boards all have the current word.
    found: Strands,
}

impl<K: Key> Sink<K> for BraidSink<'_, K> {
    fn wants(&self, letters: u32) -> bool {
        self.items.keys.len() <= self.most && self.only.is_none_or(|only| only & letters != 0)
    }

    fn wants_free(&self, later: u32) -> bool {
        self.only.is_none_or(|letters| letters & later != 0)
    }

    #[inline(always)]
    fn place(&mut self, key: K, laid: Laid, movable: impl Fn(usize) -> u32) {
        let counts = self.only.is_none() || !laid.is_free;
        self.listing.placements += u64::from(counts);
        if !counts || laid.is_dominated {
            return;
        }
        let strands_of = |tiles: u32| bits(tiles).fold(0, |all, tile| all | self.strand_of[tile]);
        let strands = match laid.braided {
            0 => self.all & !strands_of(movable(self.braided_at)),
            tile => strands_of(tile),
        };
        if key.is_zero() {
            self.found |= strands;
        } else if strands != 0 {
            // The tag is known at the end of the word.
            self.items.keys.push(key);
            self.items.strands.push(strands);
        }
    }

    fn end(&mut self, word: usize, _: &[u8], class: u8) {
        let tag = Tag::new(word, class);
        let found = std::mem::take(&mut self.found) & !self.listing.found[word];
        strands_of(found).for_each(|s| self.listing.base[s] += self.points[tag.class()]);
        self.listing.found[word] |= found;
        if self.listing.found[word] == self.all {
            self.items.keys.truncate(self.from);
            self.items.strands.truncate(self.from);
        }
        self.from = self.items.keys.len();
        self.items.tags.resize(self.from, tag);
    }
}

impl<K: Key> Lister<K> {
    /// Fills `items` with the first list of a class with a braided cell, whose strands have these letters; with
    /// `through`, with those items alone that use one of these cells. `found` are the words that were found before:
    /// their points are known, and they are not listed. None if there are more than `most` items.
    pub fn list_braid(
        &mut self,
        words: &Words,
        (class, letters): (&Class<K>, &[Tile]),
        through: Option<u64>,
        found: Option<&[Strands]>,
        most: usize,
        items: &mut Items<K>,
    ) -> Option<BraidListing> {
        items.clear();
        let mut strand_of = [0; 32];
        letters.iter().enumerate().for_each(|(s, &tile)| strand_of[usize::from(tile)] = 1 << s);
        let braided = class.braided.map(|(cell, _)| cell);
        let mut sink = BraidSink {
            items,
            listing: BraidListing {
                base: [0; STRANDS],
                found: found.map_or_else(|| vec![0; words.len()], <[_]>::to_vec),
                placements: 0,
            },
            points: &words.points,
            most,
            all: strand_of.iter().fold(0, |all, strand| all | strand),
            strand_of,
            braided_at: class.decided().position(|cell| Some(cell) == braided).expect("a braided cell"),
            only: through.map(|cells| bits(cells).fold(0, |all, cell| all | class.cells[cell])),
            from: 0,
            found: 0,
        };
        self.lay_braid(words, class, through.unwrap_or(u64::MAX), &mut sink);
        let BraidSink { listing, .. } = sink;
        if items.keys.len() > most {
            items.clear();
            return None;
        }
        let sorted = self.sorter.sort(items, &class.layout);
        items.clear();
        sorted.for_each(|key, tag, strands| {
            let strands = strands & !listing.found[tag.word()];
            if strands != 0 {
                items.push_in(key, tag, strands);
            }
        });
        self.sorter.release();
        items.shrink(self.tuning.keep_scratch_bytes);
        assert!(items.len() < 1 << 31, "a list has room for 2^31 items");
        Some(listing)
    }
}
