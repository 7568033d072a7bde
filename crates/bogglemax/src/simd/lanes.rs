//! Eight numbers of 32 bits at a time.
//!
//! What the compiler does not find by itself in a loop (tables looked up in registers, numbers that
//! are moved together, rows of a table turned into columns) has a name in [`Lanes`]. There are two
//! kinds of lanes: [`Plain`] ones for every processor, which also say what each operation means,
//! and those of AVX2.

use std::ops::{Add, BitAnd, BitOr, BitXor};

use super::prefetch_at;

/// Numbers at a time.
pub(crate) const LANES: usize = 8;

/// 16 sets of 16 bits, their lower and their higher bytes apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SetTable {
    low: [u8; 16],
    high: [u8; 16],
}

impl SetTable {
    #[inline(always)]
    pub fn new(sets: [u16; 16]) -> SetTable {
        SetTable { low: sets.map(|set| set as u8), high: sets.map(|set| (set >> 8) as u8) }
    }
}

/// Eight numbers of 32 bits. An operation treats each by itself.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + From<[u32; LANES]>
    + Into<[u32; LANES]>
{
    fn splat(value: u32) -> Self;
    /// Four numbers, and the same again.
    fn twice(numbers: [u32; 4]) -> Self;
    /// The first and the second numbers of eight pairs.
    fn unzipped(pairs: &[[u32; 2]; LANES]) -> [Self; 2];
    /// Each of four numbers four times, those of the first two first.
    fn fourfold(numbers: [u32; 4]) -> [Self; 2];
    /// The bits of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// All bits if the number is 0, none if not.
    fn is_zero(self) -> Self;
    fn shl<const BITS: i32>(self) -> Self;
    fn shr<const BITS: i32>(self) -> Self;
    /// `self >> bits`, which must be below 32.
    fn shr_by(self, bits: Self) -> Self;
    /// A number with one bit, of number `bit`, which must be below 32.
    fn one_bit(bit: Self) -> Self;
    fn count_ones(self) -> Self;
    /// The lowest bit that is on, or none.
    fn lowest(self) -> Self;
    /// The number of the one bit that is on, which must be below 16.
    fn bit_number(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// The highest bit of each number, that of the first in the lowest bit.
    fn highest_bits(self) -> u8;
    /// What a table holds at `self`, which must be below 16.
    fn look_up(self, table: &[u8; 16]) -> Self;
    /// The set that a table holds at `self`, which must be below 16.
    fn look_up_set(self, table: &SetTable) -> Self;
    /// The sets that each table holds for one of the lowest digits of `self` to base 16, the first table
    /// for the lowest, put together. The first set of each table must be empty.
    fn look_up_digits(self, tables: &[SetTable]) -> Self;
    /// What a table holds at `self`. Behind its end stands its last number again.
    ///
    /// # Panics
    /// If the table is empty.
    fn gather(self, table: &[u32]) -> Self;
    /// The rows of a table at `self`, as columns. Behind its end stands its last row again.
    ///
    /// # Panics
    /// If the table is empty.
    fn rows(self, table: &[[u32; 4]]) -> [Self; 4];
    /// The numbers whose bits are on in `which` moved to the front, in the same order. What comes
    /// behind them is any of the numbers.
    fn packed(self, which: u8) -> Self;
    /// Asks for the memory of the rows of a table at `self`, which need not be there.
    #[inline(always)]
    fn ask_for_rows(self, table: &[[u32; 4]]) {
        let rows: [u32; LANES] = self.into();
        rows.iter().for_each(|&row| prefetch_at(table, row as usize));
    }
}

/// The numbers of the first `count` lanes stay, the others are 0.
#[inline(always)]
pub(crate) fn first_lanes<L: Lanes>(numbers: L, count: usize) -> L {
    const MASKS: [u32; 2 * LANES] = {
        let mut masks = [0; 2 * LANES];
        let mut lane = 0;
        while lane < LANES {
            masks[lane] = u32::MAX;
            lane += 1;
        }
        masks
    };
    let mask: [u32; LANES] = std::array::from_fn(|lane| MASKS[LANES - count.min(LANES) + lane]);
    numbers & L::from(mask)
}

/// The first `count` lanes, as bits.
#[inline(always)]
pub(crate) fn first_bits(count: usize) -> u8 {
    (0xffu32 >> LANES.saturating_sub(count)) as u8
}

/// For each choice of lanes, the numbers of those chosen, the lowest first, and then zeros.
const CHOSEN: [[u8; LANES]; 256] = {
    let mut all = [[0; LANES]; 256];
    let mut which = 0;
    while which < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if which >> lane & 1 == 1 {
                all[which][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        which += 1;
    }
    all
};

/// Lanes for every processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain([u32; LANES]);

impl Plain {
    #[inline(always)]
    fn map(self, f: impl Fn(u32) -> u32) -> Plain {
        Plain(self.0.map(f))
    }

    #[inline(always)]
    fn zip(self, other: Plain, f: impl Fn(u32, u32) -> u32) -> Plain {
        Plain(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl From<[u32; LANES]> for Plain {
    #[inline(always)]
    fn from(lanes: [u32; LANES]) -> Plain {
        Plain(lanes)
    }
}

impl From<Plain> for [u32; LANES] {
    #[inline(always)]
    fn from(lanes: Plain) -> [u32; LANES] {
        lanes.0
    }
}

impl Add for Plain {
    type Output = Plain;
    #[inline(always)]
    fn add(self, other: Plain) -> Plain {
        self.zip(other, u32::wrapping_add)
    }
}

impl BitAnd for Plain {
    type Output = Plain;
    #[inline(always)]
    fn bitand(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Plain {
    type Output = Plain;
    #[inline(always)]
    fn bitor(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Plain {
    type Output = Plain;
    #[inline(always)]
    fn bitxor(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: u32) -> Plain {
        Plain([value; LANES])
    }

    #[inline(always)]
    fn twice(numbers: [u32; 4]) -> Plain {
        Plain(std::array::from_fn(|lane| numbers[lane % 4]))
    }

    #[inline(always)]
    fn unzipped(pairs: &[[u32; 2]; LANES]) -> [Plain; 2] {
        [0, 1].map(|i| Plain(pairs.map(|pair| pair[i])))
    }

    #[inline(always)]
    fn fourfold(numbers: [u32; 4]) -> [Plain; 2] {
        [0, 2].map(|first| Plain(std::array::from_fn(|lane| numbers[first + lane / 4])))
    }

    #[inline(always)]
    fn without(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn is_zero(self) -> Plain {
        self.map(|a| u32::from(a == 0).wrapping_neg())
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Plain {
        self.map(|a| a << BITS)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Plain {
        self.map(|a| a >> BITS)
    }

    #[inline(always)]
    fn shr_by(self, bits: Plain) -> Plain {
        self.zip(bits, |a, bits| a >> (bits % 32))
    }

    #[inline(always)]
    fn one_bit(bit: Plain) -> Plain {
        bit.map(|bit| 1 << (bit % 32))
    }

    #[inline(always)]
    fn count_ones(self) -> Plain {
        self.map(u32::count_ones)
    }

    #[inline(always)]
    fn lowest(self) -> Plain {
        self.map(|a| a & a.wrapping_neg())
    }

    #[inline(always)]
    fn bit_number(self) -> Plain {
        self.map(u32::trailing_zeros)
    }

    #[inline(always)]
    fn min(self, other: Plain) -> Plain {
        self.zip(other, Ord::min)
    }

    #[inline(always)]
    fn max(self, other: Plain) -> Plain {
        self.zip(other, Ord::max)
    }

    #[inline(always)]
    fn highest_bits(self) -> u8 {
        (0..LANES).fold(0, |bits, lane| bits | ((self.0[lane] >> 31) as u8) << lane)
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Plain {
        self.map(|at| table[at as usize % 16].into())
    }

    #[inline(always)]
    fn look_up_set(self, table: &SetTable) -> Plain {
        self.look_up(&table.low) | self.look_up(&table.high).shl::<8>()
    }

    #[inline(always)]
    fn look_up_digits(self, tables: &[SetTable]) -> Plain {
        let (mut rest, mut sets) = (self, Plain::splat(0));
        for table in tables {
            sets = sets | rest.look_up_set(table);
            rest = rest.shr::<4>();
        }
        sets
    }

    #[inline(always)]
    fn gather(self, table: &[u32]) -> Plain {
        self.map(|at| table[(at as usize).min(table.len() - 1)])
    }

    #[inline(always)]
    fn rows(self, table: &[[u32; 4]]) -> [Plain; 4] {
        let rows = self.0.map(|row| table[(row as usize).min(table.len() - 1)]);
        std::array::from_fn(|column| Plain(rows.map(|row| row[column])))
    }

    #[inline(always)]
    fn packed(self, which: u8) -> Plain {
        Plain(CHOSEN[usize::from(which)].map(|lane| self.0[usize::from(lane)]))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! SAFETY of all blocks here: numbers of this kind are made only in code that
    //! [`with_lanes`](crate::simd::with_lanes) runs, which has checked that the processor has AVX2.

    use std::arch::x86_64::*;

    use super::{Add, BitAnd, BitOr, BitXor, CHOSEN, LANES, Lanes, SetTable};

    /// Lanes of AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::simd) struct Avx2(__m256i);

    impl From<[u32; LANES]> for Avx2 {
        #[inline(always)]
        fn from(lanes: [u32; LANES]) -> Avx2 {
            // SAFETY: see above; the array has as many bytes as are read.
            Avx2(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
        }
    }

    impl From<Avx2> for [u32; LANES] {
        #[inline(always)]
        fn from(lanes: Avx2) -> [u32; LANES] {
            let mut array = [0; LANES];
            // SAFETY: see above; the array has as many bytes as are written.
            unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), lanes.0) };
            array
        }
    }

    /// An operation of two numbers that is one instruction.
    macro_rules! operation {
        ($trait:ident, $name:ident, $instruction:ident) => {
            impl $trait for Avx2 {
                type Output = Avx2;
                #[inline(always)]
                fn $name(self, other: Avx2) -> Avx2 {
                    // SAFETY: see above.
                    Avx2(unsafe { $instruction(self.0, other.0) })
                }
            }
        };
    }

    operation!(Add, add, _mm256_add_epi32);
    operation!(BitAnd, bitand, _mm256_and_si256);
    operation!(BitOr, bitor, _mm256_or_si256);
    operation!(BitXor, bitxor, _mm256_xor_si256);

    /// 16 bytes for each half of the lanes.
    #[inline(always)]
    fn twice(table: &[u8; 16]) -> __m256i {
        // SAFETY: see above; the table has as many bytes as are read.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) }
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(value: u32) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_set1_epi32(value as i32) })
        }

        #[inline(always)]
        fn twice(numbers: [u32; 4]) -> Avx2 {
            // SAFETY: see above; there are as many bytes as are read.
            Avx2(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(numbers.as_ptr().cast())) })
        }

        #[inline(always)]
        fn unzipped(pairs: &[[u32; 2]; LANES]) -> [Avx2; 2] {
            // SAFETY: see above; there are as many bytes as are read.
            unsafe {
                let start: *const __m256 = pairs.as_ptr().cast();
                let half = |i| _mm256_loadu_ps(start.add(i).cast());
                let (low, high) = (half(0), half(1));
                // The quarters come out in the order 0, 2, 1, 3.
                let firsts = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
                let seconds = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(low, high));
                [firsts, seconds].map(|quarters| Avx2(_mm256_permute4x64_epi64::<0b11_01_10_00>(quarters)))
            }
        }

        #[inline(always)]
        fn fourfold(numbers: [u32; 4]) -> [Avx2; 2] {
            let both = Avx2::twice(numbers).0;
            // SAFETY: see above.
            unsafe {
                let first = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
                let then = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
                [Avx2(first), Avx2(then)]
            }
        }

        #[inline(always)]
        fn without(self, other: Avx2) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn is_zero(self) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()) })
        }

        #[inline(always)]
        fn shl<const BITS: i32>(self) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_slli_epi32::<BITS>(self.0) })
        }

        #[inline(always)]
        fn shr<const BITS: i32>(self) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_srli_epi32::<BITS>(self.0) })
        }

        #[inline(always)]
        fn shr_by(self, bits: Avx2) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_srlv_epi32(self.0, bits.0) })
        }

        #[inline(always)]
        fn one_bit(bit: Avx2) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_sllv_epi32(_mm256_set1_epi32(1), bit.0) })
        }

        #[inline(always)]
        fn count_ones(self) -> Avx2 {
            const ONES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
            // SAFETY: see above.
            unsafe {
                let (low, ones) = (_mm256_set1_epi8(15), twice(&ONES));
                let even = _mm256_shuffle_epi8(ones, _mm256_and_si256(self.0, low));
                let odd = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi32::<4>(self.0), low));
                let pairs = _mm256_maddubs_epi16(_mm256_add_epi8(even, odd), _mm256_set1_epi8(1));
                Avx2(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
            }
        }

        #[inline(always)]
        fn lowest(self) -> Avx2 {
            // SAFETY: see above.
            self & Avx2(unsafe { _mm256_sub_epi32(_mm256_setzero_si256(), self.0) })
        }

        #[inline(always)]
        fn bit_number(self) -> Avx2 {
            // The exponent of a floating point number is the number of its highest bit, and 127.
            // SAFETY: see above.
            let float = Avx2(unsafe { _mm256_castps_si256(_mm256_cvtepi32_ps(self.0)) });
            float.shr::<23>() + Avx2::splat(127u32.wrapping_neg())
        }

        #[inline(always)]
        fn min(self, other: Avx2) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_min_epu32(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Avx2) -> Avx2 {
            // SAFETY: see above.
            Avx2(unsafe { _mm256_max_epu32(self.0, other.0) })
        }

        #[inline(always)]
        fn highest_bits(self) -> u8 {
            // SAFETY: see above.
            unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) as u8 }
        }

        #[inline(always)]
        fn look_up(self, table: &[u8; 16]) -> Avx2 {
            // Each byte is an index of its own, and those with the highest bit give 0.
            let low_byte_only = self | Avx2::splat(0x8080_8000);
            // SAFETY: see above.
            Avx2(unsafe { _mm256_shuffle_epi8(twice(table), low_byte_only.0) })
        }

        #[inline(always)]
        fn look_up_set(self, table: &SetTable) -> Avx2 {
            self.look_up(&table.low) | self.look_up(&table.high).shl::<8>()
        }

        #[inline(always)]
        fn look_up_digits(self, tables: &[SetTable]) -> Avx2 {
            let (mut rest, zero) = (self, Avx2::splat(0));
            let (mut low, mut high) = (zero, zero);
            for table in tables {
                let digit = (rest & Avx2::splat(15)).0;
                // The other bytes of a digit are 0, for which the set is empty.
                // SAFETY: see above.
                unsafe {
                    low = low | Avx2(_mm256_shuffle_epi8(twice(&table.low), digit));
                    high = high | Avx2(_mm256_shuffle_epi8(twice(&table.high), digit));
                }
                rest = rest.shr::<4>();
            }
            low | high.shl::<8>()
        }

        #[inline(always)]
        fn gather(self, table: &[u32]) -> Avx2 {
            // INVARIANT: no number is behind the last one, and none so far behind the first that its index is
            // too large for 31 bits.
            let last = table.len().checked_sub(1).expect("a number").min(i32::MAX as usize);
            let at = self.min(Avx2::splat(last as u32));
            let at: [u32; LANES] = at.into();
            // One by one: the instruction that does it at once is no faster, and on some processors far slower.
            // SAFETY: see above; by the invariant all numbers are in the table.
            unsafe {
                let [a, b, c, d, e, f, g, h] = at.map(|at| *table.get_unchecked(at as usize) as i32);
                Avx2(_mm256_setr_epi32(a, b, c, d, e, f, g, h))
            }
        }

        #[inline(always)]
        fn rows(self, table: &[[u32; 4]]) -> [Avx2; 4] {
            // INVARIANT: no row is behind the last one, and none begins so far behind the first that the
            // number of bytes between them is too large for 32 bits.
            let last = table.len().checked_sub(1).expect("a row").min((u32::MAX >> 4) as usize);
            let starts: [u32; LANES] = self.min(Avx2::splat(last as u32)).shl::<4>().into();
            // SAFETY: see above; by the invariant all rows are in the table.
            unsafe {
                let row = |lane: usize| {
                    _mm_loadu_si128(table.as_ptr().cast::<u8>().add(starts[lane] as usize).cast())
                };
                let rows =
                    |lane| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(lane)), row(lane + 4));
                let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
                let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
                let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
                [
                    Avx2(_mm256_unpacklo_epi64(ab, cd)),
                    Avx2(_mm256_unpackhi_epi64(ab, cd)),
                    Avx2(_mm256_unpacklo_epi64(ab_high, cd_high)),
                    Avx2(_mm256_unpackhi_epi64(ab_high, cd_high)),
                ]
            }
        }

        #[inline(always)]
        fn packed(self, which: u8) -> Avx2 {
            let chosen = &CHOSEN[usize::from(which)];
            // SAFETY: see above; as many bytes are read as there are lanes.
            unsafe {
                let chosen = _mm256_cvtepu8_epi32(_mm_loadl_epi64(chosen.as_ptr().cast()));
                Avx2(_mm256_permutevar8x32_epi32(self.0, chosen))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, with_lanes};
    use proptest::prelude::*;

    /// Everything that lanes can do with these numbers, as arrays.
    struct All {
        a: [u32; LANES],
        b: [u32; LANES],
        which: u8,
        sets: [u16; 16],
        rows: Vec<[u32; 4]>,
    }

    impl Kernel for All {
        type Output = Vec<[u32; LANES]>;

        fn run<L: Lanes>(self) -> Vec<[u32; LANES]> {
            let (a, b) = (L::from(self.a), L::from(self.b));
            let small = a & L::splat(15);
            let table = SetTable::new(self.sets);
            let digits = [1, 3, 7].map(|shift| {
                let mut sets = self.sets.map(|set| set.rotate_left(shift));
                sets[0] = 0;
                SetTable::new(sets)
            });
            let bytes = self.sets.map(|set| set as u8);
            let chosen = self.which.count_ones() as usize;
            let mut packed: [u32; LANES] = a.packed(self.which).into();
            packed[chosen..].fill(0);
            let mut all = vec![
                a + b,
                a & b,
                a | b,
                a ^ b,
                a.without(b),
                (a & b).is_zero(),
                small.is_zero(),
                a.shl::<8>(),
                a.shr::<23>(),
                a.shr_by(b & L::splat(31)),
                L::one_bit(b & L::splat(31)),
                a.count_ones(),
                a.lowest(),
                L::one_bit(small).bit_number(),
                a.min(b),
                a.max(b),
                L::splat(a.highest_bits().into()),
                first_lanes(a, (self.which % 16).into()),
                small.look_up(&bytes),
                small.look_up_set(&table),
                a.look_up_digits(&digits),
                a.look_up_digits(&digits[..1]),
                L::from(packed),
            ];
            let four = std::array::from_fn(|i| self.a[i]);
            all.push(L::twice(four));
            all.extend(L::fourfold(four));
            all.push(small.gather(self.rows.as_flattened()));
            all.push(a.gather(self.rows.as_flattened()));
            all.extend(L::unzipped(&std::array::from_fn(|i| [self.a[i], self.b[i]])));
            all.extend(small.rows(&self.rows));
            all.extend(a.rows(&self.rows));
            all.into_iter().map(L::into).collect()
        }
    }

    #[test]
    fn the_first_lanes_are_the_first_bits() {
        for count in 0..2 * LANES {
            let lanes: [u32; LANES] = first_lanes(Plain::splat(u32::MAX), count).into();
            assert_eq!(Plain(lanes).highest_bits(), first_bits(count));
            assert_eq!(first_bits(count).count_ones() as usize, count.min(LANES));
        }
    }

    proptest! {
        #[test]
        fn lanes_are_plain_ones(
            a: [u32; LANES], b: [u32; LANES], which: u8, sets: [u16; 16],
            rows in proptest::collection::vec(any::<[u32; 4]>(), 1..20)
        ) {
            let all = || All { a, b, which, sets, rows: rows.clone() };
            prop_assert_eq!(with_lanes(all()), all().run::<Plain>());
        }
    }
}
