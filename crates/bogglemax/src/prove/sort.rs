//! Sorting of items by key: first into parts that the cache holds, by the highest bits, then each part.
//!
//! Where what a part does not know yet of a key fits into 64 bits together with the tag, items are
//! sorted as such integers; otherwise as pairs, field by field.

use super::items::Items;
use super::key::{Key, Layout};
use super::words::Tag;
use std::ops::Range;

/// Scratch space of more bytes is given back after a list is made.
pub(crate) const LARGE: usize = 256 << 20;

/// Scratch space for sorting.
#[derive(Default)]
pub(crate) struct Sorter<K> {
    /// What was sorted last.
    pub parts: Vec<(K, Tag)>,
    spare: Vec<(K, Tag)>,
    counts: Vec<u32>,
    packed: Vec<u64>,
    packed_spare: Vec<u64>,
}

impl<K: Key> Sorter<K> {
    /// Gives memory back, if it is much.
    pub fn release(&mut self) {
        if self.bytes() > LARGE {
            *self = Sorter::default();
        }
    }

    pub fn bytes(&self) -> usize {
        (self.parts.capacity() + self.spare.capacity()) * size_of::<(K, Tag)>()
            + (self.packed.capacity() + self.packed_spare.capacity()) * size_of::<u64>()
    }

    /// Sorts by key, and those of a word that have the same key next to each other if they are so in the
    /// list. `parts` has the outcome.
    pub fn sort(&mut self, items: &Items<K>, layout: &Layout<K>) {
        match Packing::new(items, layout) {
            Some(packing) => self.sort_packed(items, &packing),
            None => self.sort_pairs(items, layout),
        }
    }

    fn sort_packed(&mut self, items: &Items<K>, packing: &Packing) {
        let n = items.len();
        self.parts.resize(n, (K::default(), Tag::default()));
        self.packed.resize(n, 0);
        let mut ends = vec![0u32; 1 << packing.first];
        items.keys.iter().for_each(|key| ends[packing.part(key.low_bits())] += 1);
        starts(&mut ends);
        for (key, &tag) in items.keys.iter().zip(&items.tags) {
            let key = key.low_bits();
            let at = &mut ends[packing.part(key)];
            self.packed[*at as usize] = packing.pack(key, tag);
            *at += 1;
        }
        let mut from = 0;
        for (part, end) in ends.into_iter().enumerate() {
            let end = end as usize;
            let unpack = |packed: u64| packing.unpack(part, packed);
            let (packed, sorted) = (&mut self.packed[from..end], &mut self.parts[from..end]);
            if packed.len() < RADIX {
                packed.sort_unstable();
                sorted.iter_mut().zip(packed).for_each(|(to, &mut item)| *to = unpack(item));
            } else {
                if self.packed_spare.len() < packed.len() {
                    self.packed_spare.resize(packed.len(), 0);
                }
                let spare = &mut self.packed_spare[..packed.len()];
                sort_bits(packed, spare, &mut self.counts, packing.tag_bits..packing.bits(), sorted, unpack);
            }
            from = end;
        }
    }

    /// Sorts by the first two fields, then within each part from the least significant field on. Items
    /// with the same key keep their order.
    fn sort_pairs(&mut self, items: &Items<K>, layout: &Layout<K>) {
        let (n, fields) = (items.len(), layout.offset.len());
        let first = if n > SMALL_PART { fields.min(2) } else { 0 };
        self.parts.resize(n, (K::default(), Tag::default()));
        let digit = Digit::new(layout, 0, first);
        let mut ends = vec![0u32; digit.values];
        items.keys.iter().for_each(|&key| ends[digit.of(key)] += 1);
        starts(&mut ends);
        for (&key, &tag) in items.keys.iter().zip(&items.tags) {
            let at = &mut ends[digit.of(key)];
            self.parts[*at as usize] = (key, tag);
            *at += 1;
        }
        let mut from = 0;
        for end in ends {
            let end = end as usize;
            let part = &mut self.parts[from..end];
            if part.len() <= 24 {
                part.sort_by_key(|item| item.0);
            } else {
                sort_part(part, &mut self.spare, &mut self.counts, layout, first);
            }
            from = end;
        }
    }

    /// Sorts a list by key.
    pub fn sort_list(&mut self, items: &mut Items<K>, layout: &Layout<K>) {
        self.sort(items, layout);
        items.clear();
        for &(key, tag) in &self.parts {
            items.push(key, tag);
        }
    }
}

/// Packed parts of fewer items are sorted by comparing.
const RADIX: usize = 256;

/// Bits of a digit of packed items, at most.
const DIGIT: u32 = 10;

/// How items are packed: the lower bits of a key before the tag.
struct Packing {
    key_bits: u32,
    /// The highest bits of a key, which name the part it is in.
    first: u32,
    tag_bits: u32,
}

impl Packing {
    /// None if items do not fit.
    fn new<K: Key>(items: &Items<K>, layout: &Layout<K>) -> Option<Packing> {
        let key_bits = layout.offset.first()? + layout.width;
        let tag_bits = u32::BITS - items.tags.iter().fold(0, |all, tag| all | tag.0).leading_zeros();
        let least = (key_bits + tag_bits).saturating_sub(u64::BITS);
        // Parts of a thousand items, if they are alike.
        let first = items.len().checked_ilog2()?.saturating_sub(10).min(DIGIT).min(key_bits).max(least);
        (key_bits <= u64::BITS && first <= DIGIT + 1).then_some(Packing { key_bits, first, tag_bits })
    }

    /// Bits of a packed item.
    fn bits(&self) -> u32 {
        self.key_bits - self.first + self.tag_bits
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

/// Sorts integers by these bits, digit by digit from the least significant on, and hands them to
/// `unpack` on the way to where they belong.
#[inline(always)]
fn sort_bits<T>(
    items: &mut [u64],
    spare: &mut [u64],
    counts: &mut Vec<u32>,
    bits: Range<u32>,
    sorted: &mut [T],
    unpack: impl Fn(u64) -> T,
) {
    let digits = (bits.end - bits.start).div_ceil(DIGIT).max(1);
    let width = (bits.end - bits.start).div_ceil(digits);
    let values = 1usize << width;
    let digit = |item: u64, d: u32| (item >> (bits.start + d * width)) as usize & (values - 1);
    counts.clear();
    counts.resize(values * digits as usize, 0);
    for &item in items.iter() {
        for d in 0..digits {
            counts[values * d as usize + digit(item, d)] += 1;
        }
    }
    let (mut here, mut there) = (items, spare);
    for (d, counts) in (0..digits).zip(counts.chunks_exact_mut(values)) {
        starts(counts);
        if d + 1 == digits {
            for &item in here.iter() {
                let at = &mut counts[digit(item, d)];
                sorted[*at as usize] = unpack(item);
                *at += 1;
            }
        } else {
            for &item in here.iter() {
                let at = &mut counts[digit(item, d)];
                there[*at as usize] = item;
                *at += 1;
            }
            std::mem::swap(&mut here, &mut there);
        }
    }
}

/// Parts of at most this many items are sorted one field at a time, larger ones two.
const SMALL_PART: usize = 1 << 11;

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

/// Sorts items by the fields from p on.
fn sort_part<K: Key>(
    part: &mut [(K, Tag)],
    spare: &mut Vec<(K, Tag)>,
    counts: &mut Vec<u32>,
    layout: &Layout<K>,
    p: usize,
) {
    let n = part.len();
    if spare.len() < n {
        spare.resize(n, (K::default(), Tag::default()));
    }
    let (mut here, mut there) = (part, &mut spare[..n]);
    let step = if n > SMALL_PART { 2 } else { 1 };
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
