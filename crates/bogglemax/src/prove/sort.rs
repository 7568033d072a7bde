//! Sorting of items by key: first into parts that the cache holds, by the highest bits, then each part.
//!
//! Where what a part does not know yet of a key fits into 64 bits together with the tag, items are
//! sorted as such integers; otherwise as pairs, field by field.

use super::items::Items;
use super::key::{Key, Layout};
use super::tuning::Tuning;
use super::values::Strands;
use super::words::Tag;

/// An item: key, tag and, of a group, strands.
type Sortable<K> = (K, Tag, Strands);

/// Scratch space for sorting.
pub(crate) struct Sorter<K> {
    tuning: Tuning,
    pairs: Vec<Sortable<K>>,
    spare: Vec<Sortable<K>>,
    counts: Vec<u32>,
    packed: Vec<u64>,
    /// Where the parts end.
    ends: Vec<u32>,
}

/// Items in the order of their keys.
pub(crate) enum Sorted<'a, K> {
    Pairs(&'a [Sortable<K>]),
    /// By parts, of which the ends are given.
    Packed(Packing, &'a [u64], &'a [u32]),
}

impl<K: Key> Sorted<'_, K> {
    /// Calls `each` with all items in order and their strands, if they have any. Where a word has the same
    /// residual several times and these come one after the other, they are one item.
    #[inline(always)]
    pub fn for_each(&self, mut each: impl FnMut(K, Tag, Strands)) {
        match self {
            Sorted::Pairs(items) => {
                for same in items.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                    each(same[0].0, same[0].1, same.iter().fold(0, |all, item| all | item.2));
                }
            }
            Sorted::Packed(packing, items, ends) => {
                let mut from = 0;
                for (part, &end) in ends.iter().enumerate() {
                    let mut last = None;
                    for &item in &items[from..end as usize] {
                        if last != Some(item) {
                            let (key, tag) = packing.unpack(part, item);
                            each(key, tag, 0);
                        }
                        last = Some(item);
                    }
                    from = end as usize;
                }
            }
        }
    }
}

impl<K: Key> Sorter<K> {
    pub fn new(tuning: Tuning) -> Sorter<K> {
        Sorter {
            tuning,
            pairs: Vec::new(),
            spare: Vec::new(),
            counts: Vec::new(),
            packed: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Gives memory back, if it is much.
    pub fn release(&mut self) {
        if self.bytes() as u64 > self.tuning.keep_scratch_bytes {
            *self = Sorter::new(self.tuning);
        }
    }

    pub fn bytes(&self) -> usize {
        (self.pairs.capacity() + self.spare.capacity()) * size_of::<Sortable<K>>()
            + self.packed.capacity() * size_of::<u64>()
    }

    /// Sorts by key. Those of a word that have the same key come one after the other if they do so in the
    /// list.
    pub fn sort(&mut self, items: &Items<K>, layout: &Layout<K>) -> Sorted<'_, K> {
        match Packing::new(items, layout, self.tuning.sort_part_bits as u32) {
            Some(packing) => {
                self.sort_packed(items, &packing);
                Sorted::Packed(packing, &self.packed, &self.ends)
            }
            None => {
                self.sort_pairs(items, layout);
                Sorted::Pairs(&self.pairs)
            }
        }
    }

    fn sort_packed(&mut self, items: &Items<K>, packing: &Packing) {
        self.packed.resize(items.len(), 0);
        self.ends.clear();
        self.ends.resize(1 << packing.first, 0);
        items.keys.iter().for_each(|key| self.ends[packing.part(key.low_bits())] += 1);
        starts(&mut self.ends);
        for (key, &tag) in items.keys.iter().zip(&items.tags) {
            let key = key.low_bits();
            let at = &mut self.ends[packing.part(key)];
            self.packed[*at as usize] = packing.pack(key, tag);
            *at += 1;
        }
        let mut from = 0;
        for &end in &self.ends {
            self.packed[from..end as usize].sort_unstable();
            from = end as usize;
        }
    }

    /// Sorts by the first two fields, then within each part from the least significant field on. Items
    /// with the same key keep their order.
    fn sort_pairs(&mut self, items: &Items<K>, layout: &Layout<K>) {
        let (n, fields) = (items.len(), layout.offset.len());
        let one_field = self.tuning.sort_one_field as usize;
        let first = if n > one_field { fields.min(2) } else { 0 };
        self.pairs.resize(n, Sortable::default());
        let digit = Digit::new(layout, 0, first);
        let mut ends = vec![0u32; digit.values];
        items.keys.iter().for_each(|&key| ends[digit.of(key)] += 1);
        starts(&mut ends);
        for (i, (&key, &tag)) in items.keys.iter().zip(&items.tags).enumerate() {
            let at = &mut ends[digit.of(key)];
            self.pairs[*at as usize] = (key, tag, items.strands.get(i).copied().unwrap_or(0));
            *at += 1;
        }
        let mut from = 0;
        for end in ends {
            let end = end as usize;
            let part = &mut self.pairs[from..end];
            if part.len() as u64 <= self.tuning.sort_by_comparison {
                part.sort_by_key(|item| item.0);
            } else {
                let step = if part.len() > one_field { 2 } else { 1 };
                sort_part(part, &mut self.spare, &mut self.counts, layout, first, step);
            }
            from = end;
        }
    }

    /// Sorts a list by key.
    pub fn sort_list(&mut self, items: &mut Items<K>, layout: &Layout<K>) {
        let sorted = self.sort(items, layout);
        items.clear();
        sorted.for_each(|key, tag, _| items.push(key, tag));
    }
}

/// How items are packed: the lower bits of a key before the tag.
pub(crate) struct Packing {
    key_bits: u32,
    /// The highest bits of a key, which name the part it is in.
    first: u32,
    tag_bits: u32,
}

impl Packing {
    /// Names parts by at most `most` bits. None if items do not fit, or have strands.
    fn new<K: Key>(items: &Items<K>, layout: &Layout<K>, most: u32) -> Option<Packing> {
        if !items.strands.is_empty() {
            return None;
        }
        let key_bits = layout.offset.first()? + layout.width;
        let tag_bits = u32::BITS - items.tags.iter().fold(0, |all, tag| all | tag.0).leading_zeros();
        let least = (key_bits + tag_bits).saturating_sub(u64::BITS);
        // Parts of a few thousand items, which the nearest cache holds.
        let wanted = items.len().checked_ilog2()?.saturating_sub(11).min(key_bits).min(most - 1);
        let first = wanted.max(least);
        (key_bits <= u64::BITS && first <= most).then_some(Packing { key_bits, first, tag_bits })
    }

    #[inline(always)]
    fn part(&self, key: u64) -> usize {
        (key >> (self.key_bits - self.first)) as usize
    }

    #[inline(always)]
    fn pack(&self, key: u64, tag: Tag) -> u64 {
        (key & ((1 << (self.key_bits - self.first)) - 1)) << self.tag_bits | u64::from(tag.0)
    }

    #[inline(always)]
    fn unpack<K: Key>(&self, part: usize, packed: u64) -> (K, Tag) {
        let key = (part as u64) << (self.key_bits - self.first) | packed >> self.tag_bits;
        (K::from_low_bits(key), Tag((packed & ((1 << self.tag_bits) - 1)) as u32))
    }
}

/// A number of neighbouring fields, at most two, as a number.
struct Digit {
    /// Where the fields lie.
    offsets: [u32; 2],
    masks: [u32; 2],
    /// How far the first is brought to the left.
    width: u32,
    values: usize,
}

impl Digit {
    fn new<K: Key>(layout: &Layout<K>, at: usize, fields: usize) -> Digit {
        let mask = (1 << layout.width) - 1;
        let (offsets, masks) = match fields {
            0 => ([0, 0], [0, 0]),
            1 => ([0, layout.offset[at]], [0, mask]),
            _ => ([layout.offset[at], layout.offset[at + 1]], [mask, mask]),
        };
        Digit { offsets, masks, width: layout.width, values: 1 << (layout.width as usize * fields) }
    }

    #[inline(always)]
    fn of<K: Key>(&self, key: K) -> usize {
        let [first, second] = [0, 1].map(|i| key.bits_at(self.offsets[i]) & self.masks[i]);
        (first << self.width | second) as usize
    }
}

/// Turns counts into the index where each value starts.
fn starts(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
}

/// Sorts items by the fields from p on, `step` fields at a time.
fn sort_part<K: Key>(
    part: &mut [Sortable<K>],
    spare: &mut Vec<Sortable<K>>,
    counts: &mut Vec<u32>,
    layout: &Layout<K>,
    p: usize,
    step: usize,
) {
    let n = part.len();
    if spare.len() < n {
        spare.resize(n, Sortable::default());
    }
    let (mut here, mut there) = (part, &mut spare[..n]);
    let mut moved = false;
    let mut end = layout.offset.len();
    while end > p {
        let from = end.saturating_sub(step).max(p);
        let digit = Digit::new(layout, from, end - from);
        counts.clear();
        counts.resize(digit.values, 0);
        here.iter().for_each(|item| counts[digit.of(item.0)] += 1);
        starts(counts);
        for &item in here.iter() {
            let at = &mut counts[digit.of(item.0)];
            there[*at as usize] = item;
            *at += 1;
        }
        std::mem::swap(&mut here, &mut there);
        moved = !moved;
        end = from;
    }
    if moved {
        there.copy_from_slice(here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Few and many fields, small and large tags: as integers and as pairs.
        #[test]
        fn sorts_by_key(
            fields in 1usize..=12,
            tag_bits in 1u32..=32,
            seeds in prop::collection::vec(any::<u64>(), 1..5_000),
        ) {
            let layout = Layout::<u64>::new(fields, 5);
            let mut items = Items::default();
            for seed in &seeds {
                // Few different tags, in runs, and keys that often come again.
                let tag = Tag((items.len() as u32 / 16).wrapping_mul(0x9e37_79b1) >> (32 - tag_bits));
                items.push(seed % 40 * (seed >> 40) % (1 << (5 * fields)), tag);
            }
            let mut wanted: Vec<(u64, Tag)> =
                items.keys.iter().copied().zip(items.tags.iter().copied()).collect();
            wanted.sort_by_key(|item| (item.0, item.1.0));
            wanted.dedup();
            let mut sorter = Sorter::new(Tuning::default());
            let mut sorted = Vec::new();
            sorter.sort(&items, &layout).for_each(|key, tag, _| sorted.push((key, tag)));
            prop_assert!(sorted.is_sorted_by_key(|item| item.0));
            sorted.sort_by_key(|item| (item.0, item.1.0));
            sorted.dedup();
            prop_assert_eq!(&sorted, &wanted);
            let fits = 5 * fields as u32 + tag_bits <= 64;
            prop_assert!(!fits || Packing::new(&items, &layout, 11).is_some());
        }
    }
}
