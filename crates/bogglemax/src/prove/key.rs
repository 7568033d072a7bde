//! Residuals as integers: one field of bits for each undecided cell.
//!
//! A field is 0 where the residual does not use the cell, else 1 + the tile it needs there. The
//! first cell of the order has the most significant field, so sorting keys sorts residuals the way
//! the orderly tree nests its choices. Three facts carry the engine:
//!
//! - forcing a cell to the letter an item needs clears its field;
//! - keys that agree in a field keep their order when that field is cleared, and 0 sorts first, so
//!   any cell can be forced in a sorted list and the list stays sorted;
//! - r is a subset of r' exactly when r' agrees with r in every field that r uses.

use std::fmt::Debug;

/// An integer wide enough for the fields of a class.
pub(crate) trait Key: Copy + Ord + Default + Debug + Send + 'static {
    /// Bits of the integer. One is left unused, so that masks can be made by subtraction.
    const BITS: u32;

    /// A code placed at a bit offset.
    fn place(code: u32, offset: u32) -> Self;
    /// The bits `offset..offset + 6`, of which the caller keeps one field.
    fn bits_at(self, offset: u32) -> u32;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Bitwise complement.
    fn not(self) -> Self;
    /// Index of the highest bit set. The key is not 0.
    fn high_bit(self) -> u32;
    /// The lowest 64 bits.
    fn low_bits(self) -> u64;
    /// The key with these lowest bits and no others.
    fn from_low_bits(bits: u64) -> Self;
    /// All ones in every field that is not 0.
    fn used(self, layout: &Layout<Self>) -> Self;

    /// Whether no field is used: the word is on every board of the class.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Whether this residual is a subset of `other`, where `used` is `self.used(..)`.
    #[inline(always)]
    fn within(self, used: Self, other: Self) -> bool {
        self.xor(other).and(used).is_zero()
    }
}

/// Where the fields of a key lie.
#[derive(Clone, Debug)]
pub(crate) struct Layout<K> {
    /// Bits of a field: 5 for up to 31 tiles, 6 for 32.
    pub width: u32,
    /// `offset[p]`: lowest bit of the field at position p, position 0 being the most significant.
    pub offset: Vec<u32>,
    /// `mask[p]`: all ones in the field at position p.
    pub mask: Vec<K>,
    /// `position[b]`: the position whose field holds bit b.
    pub position: Vec<u8>,
    /// `from[p]`: all ones in the fields at position p and after.
    from: Vec<K>,
    /// The lowest bit of every field.
    lows: K,
    /// The highest bit of every field.
    highs: K,
}

impl<K: Key> Layout<K> {
    /// Whether this many fields fit.
    pub fn fits(fields: usize, width: u32) -> bool {
        (fields as u32) * width < K::BITS
    }

    /// Fields of equal width for an order of cells.
    pub fn new(fields: usize, width: u32) -> Layout<K> {
        assert!(Layout::<K>::fits(fields, width));
        let offset: Vec<u32> = (0..fields).map(|p| width * (fields - 1 - p) as u32).collect();
        let mask: Vec<K> = offset.iter().map(|&o| K::place((1 << width) - 1, o)).collect();
        let from = (0..=fields).map(|p| mask[p..].iter().fold(K::default(), |k, &m| k.or(m))).collect();
        let mut position = vec![0; K::BITS as usize];
        for (p, &o) in offset.iter().enumerate() {
            position[o as usize..(o + width) as usize].fill(p as u8);
        }
        let at = |bit: u32| offset.iter().fold(K::default(), |k, &o| k.or(K::place(1, o + bit)));
        Layout { width, lows: at(0), highs: at(width - 1), offset, mask, position, from }
    }

    /// The fields at these positions alone, renumbered 0, 1, … in the same order: what is left when
    /// the other cells are decided and their fields are 0 everywhere.
    pub fn restrict_to(&self, positions: &[usize], part: &mut Layout<K>) {
        part.offset.clear();
        part.mask.clear();
        for (i, &p) in positions.iter().enumerate() {
            let o = self.offset[p];
            part.offset.push(o);
            part.mask.push(self.mask[p]);
            part.position[o as usize..(o + self.width) as usize].fill(i as u8);
        }
    }

    /// The field at position p: 0, or 1 + a tile.
    #[inline(always)]
    pub fn code(&self, key: K, p: usize) -> usize {
        (key.bits_at(self.offset[p]) & ((1 << self.width) - 1)) as usize
    }

    /// The key without the fields before position p.
    #[inline(always)]
    pub fn from(&self, key: K, p: usize) -> K {
        key.and(self.from[p])
    }

    /// The position of the most significant field in which two different keys differ.
    #[inline(always)]
    pub fn first_difference(&self, difference: K) -> usize {
        usize::from(self.position[difference.high_bit() as usize])
    }
}

macro_rules! integer_key {
    ($int:ty) => {
        impl Key for $int {
            const BITS: u32 = <$int>::BITS;
            #[inline(always)]
            fn place(code: u32, offset: u32) -> $int {
                <$int>::from(code) << offset
            }
            #[inline(always)]
            fn bits_at(self, offset: u32) -> u32 {
                (self >> offset) as u32 & 63
            }
            #[inline(always)]
            fn and(self, other: $int) -> $int {
                self & other
            }
            #[inline(always)]
            fn or(self, other: $int) -> $int {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: $int) -> $int {
                self ^ other
            }
            #[inline(always)]
            fn not(self) -> $int {
                !self
            }
            #[inline(always)]
            fn high_bit(self) -> u32 {
                <$int>::BITS - 1 - self.leading_zeros()
            }
            #[inline(always)]
            fn low_bits(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn from_low_bits(bits: u64) -> $int {
                bits.into()
            }
            /// Adding all ones to the lower bits of a field carries into its highest bit exactly
            /// when one of them is set; a field's highest bit h becomes 2h - l, its mask.
            #[inline(always)]
            fn used(self, layout: &Layout<$int>) -> $int {
                let lower = (layout.highs << 1).wrapping_sub(layout.lows) & !layout.highs;
                let set = (((self & lower) + lower) | self) & layout.highs;
                (set << 1) - (set >> (layout.width - 1))
            }
        }
    };
}

integer_key!(u64);
integer_key!(u128);

/// Four words, the most significant first so that the derived order is the integer's: for the 36
/// cells of 6x6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct WideKey([u64; 4]);

impl WideKey {
    fn zip(self, other: WideKey, f: impl Fn(u64, u64) -> u64) -> WideKey {
        WideKey(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn bit(self, b: u32) -> u64 {
        self.0[3 - b as usize / 64] >> (b % 64) & 1
    }
}

impl Key for WideKey {
    const BITS: u32 = 256;

    fn place(code: u32, offset: u32) -> WideKey {
        let mut key = WideKey::default();
        for b in (0..32).filter(|b| code >> b & 1 == 1).map(|b| b + offset) {
            key.0[3 - b as usize / 64] |= 1 << (b % 64);
        }
        key
    }

    fn bits_at(self, offset: u32) -> u32 {
        (0..6).filter(|b| b + offset < 256).map(|b| (self.bit(b + offset) as u32) << b).sum()
    }

    fn and(self, other: WideKey) -> WideKey {
        self.zip(other, |a, b| a & b)
    }

    fn or(self, other: WideKey) -> WideKey {
        self.zip(other, |a, b| a | b)
    }

    fn xor(self, other: WideKey) -> WideKey {
        self.zip(other, |a, b| a ^ b)
    }

    fn not(self) -> WideKey {
        WideKey(self.0.map(|w| !w))
    }

    fn high_bit(self) -> u32 {
        let word = self.0.iter().position(|&w| w != 0).expect("the key is not 0");
        64 * (3 - word as u32) + 63 - self.0[word].leading_zeros()
    }

    fn low_bits(self) -> u64 {
        self.0[3]
    }

    fn from_low_bits(bits: u64) -> WideKey {
        WideKey([0, 0, 0, bits])
    }

    fn used(self, layout: &Layout<WideKey>) -> WideKey {
        let fields = (0..layout.offset.len()).filter(|&p| layout.code(self, p) != 0);
        fields.fold(WideKey::default(), |mask, p| mask.or(layout.mask[p]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key<K: Key>(layout: &Layout<K>, codes: &[u32]) -> K {
        codes.iter().zip(&layout.offset).fold(K::default(), |k, (&c, &o)| k.or(K::place(c, o)))
    }

    /// Everything the engine asks of a key, against plain lists of codes.
    fn check<K: Key>(width: u32, a: &[u32], b: &[u32]) {
        let n = a.len().min(b.len()).min(((K::BITS - 1) / width) as usize);
        let (a, b) = (&a[..n], &b[..n]);
        let layout = Layout::<K>::new(n, width);
        let (ka, kb) = (key(&layout, a), key(&layout, b));
        assert_eq!(ka.cmp(&kb), a.cmp(b));
        for (p, &code) in a.iter().enumerate() {
            assert_eq!(layout.code(ka, p), code as usize);
            let used = ka.used(&layout).and(layout.mask[p]);
            assert_eq!(used, if code == 0 { K::default() } else { layout.mask[p] });
        }
        let subset = a.iter().zip(b).all(|(&x, &y)| x == 0 || x == y);
        assert_eq!(ka.within(ka.used(&layout), kb), subset);
        if let Some(p) = (0..n).find(|&p| a[p] != b[p]) {
            assert_eq!(layout.first_difference(ka.xor(kb)), p);
        }
    }

    proptest! {
        #[test]
        fn keys_are_lists_of_codes(
            a in prop::collection::vec(0u32..32, 1..36),
            b in prop::collection::vec(0u32..32, 36),
            same in any::<u64>(),
        ) {
            let mixed: Vec<u32> = (0..a.len()).map(|p| if same >> p & 1 == 1 { a[p] } else { b[p] }).collect();
            for width in [5, 6] {
                check::<u64>(width, &a, &mixed);
                check::<u128>(width, &a, &mixed);
                check::<WideKey>(width, &a, &mixed);
            }
        }
    }
}
