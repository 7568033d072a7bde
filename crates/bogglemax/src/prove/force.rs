//! Forcing a cell to a letter: the child's list from its parent's.
//!
//! For cell d and letter m: items that need another letter on d vanish, items that need m lose the
//! pair (they are the **forced** items), the others stay if no forced item of their word dominates
//! them. Forced items cannot be newly dominated, and among the items that do not use d nothing
//! changes, so this one comparison keeps a parent without dominated items free of them.
//!
//! A forced item with an empty residual is a word that every board of the child has: its points go
//! into the base, once, and all its items go.

use super::items::Items;
use super::key::{Key, Layout};
use super::words::{Points, Tag};

/// Residuals compared at a time.
const BLOCK: usize = 4;

/// The forced items of one letter, gathered by word.
pub(crate) struct Dominators<K> {
    /// Residuals of one word looked at per dominance check. Longer runs occur only in first lists and
    /// are cut: dropping fewer items is allowed.
    max_run: usize,
    /// Per word: first index into the arrays below << 32 | entries, 0 if the word has none.
    head: Vec<u64>,
    residual: Vec<K>,
    /// `used` of the residual.
    mask: Vec<K>,
    /// One bit a word: whether it has any. Small enough for the first cache, unlike `head`.
    present: Vec<u64>,
}

impl<K: Key> Dominators<K> {
    pub fn new(max_run: usize) -> Dominators<K> {
        Dominators { max_run, head: Vec::new(), residual: Vec::new(), mask: Vec::new(), present: Vec::new() }
    }

    pub fn set_words(&mut self, words: usize) {
        self.head.clear();
        self.head.resize(words, 0);
        self.present.clear();
        self.present.resize(words.div_ceil(64), 0);
    }

    pub fn bytes(&self) -> usize {
        self.head.capacity() * 8 + 2 * self.residual.capacity() * size_of::<K>()
    }

    /// Gathers forced items, their field of the forced cell already cleared.
    fn gather(&mut self, keys: &[K], tags: &[Tag], layout: &Layout<K>) {
        for tag in tags {
            self.head[tag.word()] += 1;
        }
        let mut end = 0usize;
        for tag in tags {
            let head = &mut self.head[tag.word()];
            if *head >> 32 == 0 && *head != 0 {
                // First sight of the word: reserve whole blocks. Start + 1 keeps the head above 0.
                let run = (*head as usize).min(self.max_run).next_multiple_of(BLOCK);
                *head = (end as u64 + 1) << 32;
                self.present[tag.word() / 64] |= 1 << (tag.word() % 64);
                end += run;
            }
        }
        // A residual of all ones has the unused top bit set, as no key has: it is never within one.
        let never = K::default().not();
        self.residual.clear();
        self.residual.resize(end, never);
        self.mask.clear();
        self.mask.resize(end, never);
        for (&key, tag) in keys.iter().zip(tags) {
            let head = &mut self.head[tag.word()];
            let count = *head as u32 as usize;
            if count < self.max_run {
                let at = (*head >> 32) as usize - 1 + count;
                self.residual[at] = key;
                self.mask[at] = key.used(layout);
                *head += 1;
            }
        }
    }

    fn release(&mut self, tags: &[Tag]) {
        for tag in tags {
            self.head[tag.word()] = 0;
            self.present[tag.word() / 64] = 0;
        }
    }

    /// Whether the word of a forced item has an empty residual. Keys were gathered in order, so it
    /// is the first of its run.
    fn is_found(&self, tag: Tag) -> bool {
        self.residual[(self.head[tag.word()] >> 32) as usize - 1].is_zero()
    }

    #[inline(always)]
    fn dominates(&self, key: K, tag: Tag) -> bool {
        let word = tag.word();
        if self.present[word / 64] >> (word % 64) & 1 == 0 {
            return false;
        }
        let head = self.head[word];
        let start = (head >> 32) as usize - 1;
        let end = start + (head as u32 as usize).next_multiple_of(BLOCK);
        let runs =
            self.residual[start..end].chunks_exact(BLOCK).zip(self.mask[start..end].chunks_exact(BLOCK));
        for (residuals, masks) in runs {
            let mut any = false;
            for i in 0..BLOCK {
                any |= residuals[i].within(masks[i], key);
            }
            if any {
                return true;
            }
        }
        false
    }
}

/// A list split by the letter its items need on one cell.
#[derive(Default)]
pub(crate) struct Parts<K> {
    /// Items that need a letter on the cell, by letter, the cell's field cleared.
    forced: Items<K>,
    /// Letter with code c: `forced[start[c]..start[c + 1]]`.
    start: Vec<usize>,
}

impl<K: Key> Parts<K> {
    pub fn bytes(&self) -> usize {
        self.forced.bytes()
    }

    /// Moves the items that use position p out of `items`.
    pub fn split(&mut self, items: &mut Items<K>, layout: &Layout<K>, p: usize) {
        let clear = layout.mask[p].not();
        self.start.clear();
        self.start.resize(66, 0);
        for &key in &items.keys {
            self.start[layout.code(key, p) + 1] += 1;
        }
        self.start[1] = 0;
        for code in 1..65 {
            self.start[code + 1] += self.start[code];
        }
        let total = self.start[65];
        self.forced.keys.resize(total, K::default());
        self.forced.tags.resize(total, Tag::default());
        let mut next: [usize; 64] = std::array::from_fn(|code| self.start[code]);
        let mut kept = 0;
        for i in 0..items.len() {
            let (key, tag) = (items.keys[i], items.tags[i]);
            let code = layout.code(key, p);
            if code == 0 {
                items.keys[kept] = key;
                items.tags[kept] = tag;
                kept += 1;
            } else {
                self.forced.keys[next[code]] = key.and(clear);
                self.forced.tags[next[code]] = tag;
                next[code] += 1;
            }
        }
        items.keys.truncate(kept);
        items.tags.truncate(kept);
    }

    /// How many items need the letter with this code.
    pub fn count(&self, code: usize) -> usize {
        self.start[code + 1] - self.start[code]
    }

    /// The child's list for the letter with this code: `unused` (what [`split`](Parts::split)
    /// left) without what `dominators` or `keep` rule out, merged with the forced items. Returns
    /// the points of the words found.
    #[allow(clippy::too_many_arguments)] // each is a table of the search, borrowed on its own
    pub fn child(
        &self,
        code: usize,
        unused: &Items<K>,
        layout: &Layout<K>,
        points: &Points,
        dominators: &mut Dominators<K>,
        keep: &impl Fn(K) -> bool,
        child: &mut Items<K>,
    ) -> u64 {
        let range = self.start[code]..self.start[code + 1];
        let (keys, tags) = (&self.forced.keys[range.clone()], &self.forced.tags[range]);
        dominators.gather(keys, tags, layout);
        child.keys.resize(unused.len() + keys.len(), K::default());
        child.tags.resize(unused.len() + keys.len(), Tag::default());
        let mut kept = 0;
        // Keys are sorted: the empty residuals come first.
        let found = keys.iter().take_while(|k| k.is_zero()).count();
        let base = tags[..found].iter().map(|t| points[t.class()]).sum();
        let gathered = &*dominators;
        // Only a parent that still held dominated items has more of a word that is found.
        let stays = |i: usize| keep(keys[i]) && !(found > 0 && gathered.is_found(tags[i]));
        let mut next = found;
        crate::simd::with_vectors(
            #[inline(always)]
            || {
                for (&key, &tag) in unused.keys.iter().zip(&unused.tags) {
                    if !keep(key) || gathered.dominates(key, tag) {
                        continue;
                    }
                    while next < keys.len() && keys[next] < key {
                        (child.keys[kept], child.tags[kept]) = (keys[next], tags[next]);
                        kept += usize::from(stays(next));
                        next += 1;
                    }
                    (child.keys[kept], child.tags[kept]) = (key, tag);
                    kept += 1;
                }
                for i in next..keys.len() {
                    (child.keys[kept], child.tags[kept]) = (keys[i], tags[i]);
                    kept += usize::from(stays(i));
                }
            },
        );
        child.keys.truncate(kept);
        child.tags.truncate(kept);
        dominators.release(tags);
        base
    }
}
