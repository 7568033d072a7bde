//! Points of several searches side by side: the **strands** of a braid.
//!
//! The letters of one cell, the **braided** one, are searched together, each as a strand (see `braid`). A number
//! of points is then one number for each strand, and what is done with it is done for all of them at once, strand
//! by strand. So in each strand the search is that of its letter alone: sums are sums of its items and maxima are
//! over its letters, whatever the other strands hold. A search without a braided cell has one strand.
//!
//! Most numbers of a tree are the same in all strands that have any points, so trees keep them **packed**: the
//! points and the strands that have them. The others stand in a pool beside the tree, small ones in bytes.

use std::fmt::Debug;

use super::probe::Lane;
use super::search::bits;

/// The most strands of a braid: one for each tile.
pub(crate) const STRANDS: usize = crate::MAX_TILES;

/// A set of strands, as bits.
pub(crate) type Strands = u32;

/// The strands of a set.
#[inline(always)]
pub(crate) fn strands_of(set: Strands) -> impl Iterator<Item = usize> {
    bits(set)
}

/// Points, one number for each strand. Sums saturate as those of a [`Lane`] do.
pub(crate) trait Value: Copy + Default + PartialEq {
    /// How many strands there are.
    const STRANDS: usize;
    /// A sum for each strand.
    type Sums: Copy + AsRef<[u64]> + AsMut<[u64]>;
    /// A value as trees keep it.
    type Packed: Copy + Default + Debug;
    /// What packed values leave out.
    type Pool: Pool;

    /// A value as trees keep it.
    fn pack(self, pool: &mut Self::Pool) -> Self::Packed;
    /// The same points in each of these strands; none if they are too many to be packed without a pool.
    fn pack_points(points: u64, strands: Strands) -> Option<Self::Packed>;
    fn unpack(packed: Self::Packed, pool: &Self::Pool) -> Self;
    /// The same value in another pool.
    fn repack(packed: Self::Packed, from: &Self::Pool, to: &mut Self::Pool) -> Self::Packed;
    /// The value in some strands only; none if it is known to be 0 there. Where that is not at hand, strands that
    /// are not asked for keep their points.
    fn keep(packed: Self::Packed, strands: Strands) -> Option<Self::Packed>;
    /// The value in some strands only.
    fn unpack_in(packed: Self::Packed, strands: Strands, pool: &Self::Pool) -> Self;
    /// The strands that have points, or more than those.
    fn strands(packed: Self::Packed) -> Strands;
    /// Whether a value is known to have points only where another has.
    fn is_within(packed: Self::Packed, other: Self::Packed) -> bool;
    /// A number that stands in the place of a packed value.
    fn of_number(number: u16) -> Self::Packed;
    /// That number.
    fn number(packed: Self::Packed) -> u16;

    /// The same number in each of these strands, and 0 in the others.
    fn of(points: u64, strands: Strands) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn masked(self, keep: bool) -> Self;
    /// The strands in which this is less.
    fn less(self, other: Self) -> Strands;
    /// The value in some strands, and 0 in the others.
    fn only(self, strands: Strands) -> Self;
    /// Sums as numbers, which saturate.
    fn of_sums(sums: Self::Sums) -> Self;
    /// The points of a strand.
    fn get(self, strand: usize) -> u64;
    fn add_to(self, sums: &mut Self::Sums);
    /// The same sum for every strand.
    fn sums(sum: u64) -> Self::Sums;
    /// What a sum says: the largest number if a lane may have saturated.
    fn at_least(sum: u64) -> u64;
}

/// Values that are not packed.
pub(crate) trait Pool: Default + Debug {
    fn bytes(&self) -> usize;
    fn mark(&self) -> [usize; 2];
    /// Drops what was added since.
    fn cut(&mut self, mark: [usize; 2]);
}

impl Pool for () {
    fn bytes(&self) -> usize {
        0
    }

    fn mark(&self) -> [usize; 2] {
        [0; 2]
    }

    fn cut(&mut self, _: [usize; 2]) {}
}

/// [`Value`] of one strand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct Single<T>(T);

impl<T: Lane + Debug> Value for Single<T> {
    const STRANDS: usize = 1;
    type Sums = [u64; 1];
    type Packed = Single<T>;
    type Pool = ();

    #[inline(always)]
    fn pack(self, _: &mut ()) -> Single<T> {
        self
    }

    #[inline(always)]
    fn pack_points(points: u64, strands: Strands) -> Option<Single<T>> {
        Some(Self::of(points, strands))
    }

    #[inline(always)]
    fn unpack(packed: Single<T>, _: &()) -> Single<T> {
        packed
    }

    #[inline(always)]
    fn repack(packed: Single<T>, _: &(), _: &mut ()) -> Single<T> {
        packed
    }

    #[inline(always)]
    fn keep(packed: Single<T>, strands: Strands) -> Option<Single<T>> {
        (strands != 0).then_some(packed)
    }

    #[inline(always)]
    fn unpack_in(packed: Single<T>, strands: Strands, _: &()) -> Single<T> {
        packed.masked(strands != 0)
    }

    #[inline(always)]
    fn strands(_: Single<T>) -> Strands {
        1
    }

    #[inline(always)]
    fn is_within(_: Single<T>, _: Single<T>) -> bool {
        true
    }

    #[inline(always)]
    fn of_number(number: u16) -> Single<T> {
        Single(T::of(number.into()))
    }

    #[inline(always)]
    fn number(packed: Single<T>) -> u16 {
        packed.0.value() as u16
    }

    #[inline(always)]
    fn of(points: u64, strands: Strands) -> Single<T> {
        Single(T::of(points)).masked(strands != 0)
    }

    #[inline(always)]
    fn plus(self, other: Single<T>) -> Single<T> {
        Single(self.0.plus(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Single<T>) -> Single<T> {
        Single(self.0.minus(other.0))
    }

    #[inline(always)]
    fn max(self, other: Single<T>) -> Single<T> {
        Single(self.0.max(other.0))
    }

    #[inline(always)]
    fn masked(self, keep: bool) -> Single<T> {
        Single(self.0.masked(T::mask(keep)))
    }

    #[inline(always)]
    fn less(self, other: Single<T>) -> Strands {
        u32::from(self.0 < other.0)
    }

    #[inline(always)]
    fn only(self, strands: Strands) -> Single<T> {
        self.masked(strands & 1 == 1)
    }

    #[inline(always)]
    fn of_sums(sums: [u64; 1]) -> Single<T> {
        Single(T::of(sums[0]))
    }

    #[inline(always)]
    fn get(self, _: usize) -> u64 {
        self.0.value()
    }

    #[inline(always)]
    fn add_to(self, sums: &mut [u64; 1]) {
        sums[0] += self.0.value();
    }

    #[inline(always)]
    fn sums(sum: u64) -> [u64; 1] {
        [sum]
    }

    #[inline(always)]
    fn at_least(sum: u64) -> u64 {
        T::at_least(sum)
    }
}

/// [`Value`] of the strands of a braid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct Braid<T>([T; STRANDS]);

/// A packed value: points in some strands; or, with the largest number as points, a place in the pool.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PackedBraid<T> {
    points: T,
    /// The strands, or twice the place and whether it is one of whole numbers; the upper half first.
    strands: [u16; 2],
}

impl<T: Lane> PackedBraid<T> {
    #[inline(always)]
    fn new(points: T, strands: Strands) -> PackedBraid<T> {
        PackedBraid { points, strands: [(strands >> 16) as u16, strands as u16] }
    }

    #[inline(always)]
    fn strands(self) -> Strands {
        u32::from(self.strands[0]) << 16 | u32::from(self.strands[1])
    }

    #[inline(always)]
    fn is_pooled(self) -> bool {
        self.points == T::of(u64::MAX)
    }
}

/// Values that differ from strand to strand.
#[derive(Debug, Default)]
pub(crate) struct BraidPool<T> {
    /// Those of numbers below 256.
    small: Vec<[u8; STRANDS]>,
    large: Vec<[T; STRANDS]>,
}

impl<T: Lane + Debug> Pool for BraidPool<T> {
    fn bytes(&self) -> usize {
        self.small.len() * STRANDS + self.large.len() * STRANDS * size_of::<T>()
    }

    fn mark(&self) -> [usize; 2] {
        [self.small.len(), self.large.len()]
    }

    fn cut(&mut self, [small, large]: [usize; 2]) {
        self.small.truncate(small);
        self.large.truncate(large);
    }
}

impl<T: Lane> Braid<T> {
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        // `f` must be inlined, or it is not part of vector code.
        for s in 0..STRANDS {
            self.0[s] = f(self.0[s], other.0[s]);
        }
        self
    }
}

impl<T: Lane + Debug> Value for Braid<T> {
    const STRANDS: usize = STRANDS;
    type Sums = [u64; STRANDS];
    type Packed = PackedBraid<T>;
    type Pool = BraidPool<T>;

    #[inline(always)]
    fn pack(self, pool: &mut BraidPool<T>) -> PackedBraid<T> {
        let mut most = T::default();
        for s in 0..STRANDS {
            most = Ord::max(most, self.0[s]);
        }
        let none = Braid::default();
        let has = none.less(self);
        if has == !self.less(Self::of(most.value(), has)) & has && most < T::of(u64::MAX) {
            return PackedBraid::new(most, has);
        }
        let place = if most.value() < 256 {
            let mut small = [0; STRANDS];
            for (small, value) in small.iter_mut().zip(self.0) {
                *small = value.value() as u8;
            }
            pool.small.push(small);
            (pool.small.len() - 1) * 2
        } else {
            pool.large.push(self.0);
            (pool.large.len() - 1) * 2 + 1
        };
        PackedBraid::new(T::of(u64::MAX), u32::try_from(place).expect("a pool has room for 2^31 values"))
    }

    #[inline(always)]
    fn pack_points(points: u64, strands: Strands) -> Option<PackedBraid<T>> {
        let points = T::of(points);
        (points < T::of(u64::MAX)).then_some(PackedBraid::new(points, strands))
    }

    #[inline(always)]
    fn unpack(packed: PackedBraid<T>, pool: &BraidPool<T>) -> Braid<T> {
        let place = packed.strands();
        if !packed.is_pooled() {
            Self::of(packed.points.value(), place)
        } else if place & 1 == 0 {
            let small = &pool.small[place as usize / 2];
            let mut value = Braid::default();
            for (value, &small) in value.0.iter_mut().zip(small) {
                *value = T::of(small.into());
            }
            value
        } else {
            Braid(pool.large[place as usize / 2])
        }
    }

    #[inline(always)]
    fn repack(packed: PackedBraid<T>, from: &BraidPool<T>, to: &mut BraidPool<T>) -> PackedBraid<T> {
        let place = packed.strands() as usize;
        if !packed.is_pooled() {
            return packed;
        }
        let place = if place & 1 == 0 {
            to.small.push(from.small[place / 2]);
            (to.small.len() - 1) * 2
        } else {
            to.large.push(from.large[place / 2]);
            (to.large.len() - 1) * 2 + 1
        };
        PackedBraid::new(packed.points, u32::try_from(place).expect("a pool has room for 2^31 values"))
    }

    #[inline(always)]
    fn keep(packed: PackedBraid<T>, strands: Strands) -> Option<PackedBraid<T>> {
        if packed.is_pooled() {
            return (strands != 0).then_some(packed);
        }
        let strands = packed.strands() & strands;
        (strands != 0).then_some(PackedBraid::new(packed.points, strands))
    }

    #[inline(always)]
    fn unpack_in(packed: PackedBraid<T>, strands: Strands, pool: &BraidPool<T>) -> Braid<T> {
        if packed.is_pooled() {
            return Self::unpack(packed, pool).only(strands);
        }
        Self::of(packed.points.value(), packed.strands() & strands)
    }

    #[inline(always)]
    fn strands(packed: PackedBraid<T>) -> Strands {
        if packed.is_pooled() { Strands::MAX } else { packed.strands() }
    }

    #[inline(always)]
    fn is_within(packed: PackedBraid<T>, other: PackedBraid<T>) -> bool {
        !packed.is_pooled() && !other.is_pooled() && packed.strands() & !other.strands() == 0
    }

    #[inline(always)]
    fn of_number(number: u16) -> PackedBraid<T> {
        PackedBraid::new(T::default(), number.into())
    }

    #[inline(always)]
    fn number(packed: PackedBraid<T>) -> u16 {
        packed.strands[1]
    }

    #[inline(always)]
    fn of(points: u64, strands: Strands) -> Braid<T> {
        let points = T::of(points);
        Braid([points; STRANDS]).only(strands)
    }

    #[inline(always)]
    fn plus(self, other: Braid<T>) -> Braid<T> {
        self.zip(other, T::plus)
    }

    #[inline(always)]
    fn minus(self, other: Braid<T>) -> Braid<T> {
        self.zip(other, T::minus)
    }

    #[inline(always)]
    fn max(self, other: Braid<T>) -> Braid<T> {
        self.zip(other, Ord::max)
    }

    #[inline(always)]
    fn masked(self, keep: bool) -> Braid<T> {
        if keep { self } else { Self::default() }
    }

    #[inline(always)]
    fn less(self, other: Braid<T>) -> Strands {
        // Bits of 16 strands, as the or of numbers that have one each.
        let mut halves = [0u16; 2];
        for (half, set) in halves.iter_mut().enumerate() {
            for s in 0..16 {
                let is_less = u16::from(self.0[16 * half + s] < other.0[16 * half + s]).wrapping_neg();
                *set |= is_less & 1 << s;
            }
        }
        u32::from(halves[0]) | u32::from(halves[1]) << 16
    }

    #[inline(always)]
    fn only(mut self, strands: Strands) -> Braid<T> {
        for s in 0..STRANDS {
            self.0[s] = self.0[s].masked(T::mask(strands & 1 << s != 0));
        }
        self
    }

    #[inline(always)]
    fn of_sums(sums: [u64; STRANDS]) -> Braid<T> {
        let mut value = Braid::default();
        for (value, sum) in value.0.iter_mut().zip(sums) {
            *value = T::of(sum);
        }
        value
    }

    #[inline(always)]
    fn get(self, strand: usize) -> u64 {
        self.0[strand].value()
    }

    #[inline(always)]
    fn add_to(self, sums: &mut [u64; STRANDS]) {
        for (sum, value) in sums.iter_mut().zip(self.0) {
            *sum += value.value();
        }
    }

    #[inline(always)]
    fn sums(sum: u64) -> [u64; STRANDS] {
        [sum; STRANDS]
    }

    #[inline(always)]
    fn at_least(sum: u64) -> u64 {
        T::at_least(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of all kinds that are packed in ways of their own.
    fn number() -> impl Strategy<Value = u16> {
        prop_oneof![Just(0), 1u16..4, 250u16..260, 0u16..600, Just(u16::MAX - 1), Just(u16::MAX)]
    }

    /// What packing must keep, in whatever pool a value is.
    fn keeps<T: Lane + Debug>(value: Braid<T>, strands: Strands) {
        let (mut pool, mut other) = (BraidPool::default(), BraidPool::default());
        // Something stands in the pools already.
        for number in [300, 7] {
            let mixed = Braid([T::of(number); STRANDS]).only(5).plus(Braid::of(1, 6));
            mixed.pack(&mut pool);
            mixed.pack(&mut other);
        }
        let packed = value.pack(&mut pool);
        assert_eq!(Braid::unpack(packed, &pool), value);
        let repacked = Braid::repack(packed, &pool, &mut other);
        assert_eq!(Braid::unpack(repacked, &other), value);
        let has = (0..STRANDS).filter(|&s| value.get(s) != 0).fold(0, |all, s| all | 1 << s);
        assert_eq!(has & !Braid::strands(packed), 0);
        assert_eq!(Braid::unpack_in(packed, strands, &pool), value.only(strands));
        let kept = Braid::keep(packed, strands).map_or(Braid::default(), |kept| Braid::unpack(kept, &pool));
        assert_eq!(kept.only(strands), value.only(strands));
    }

    proptest! {
        #[test]
        fn packing_keeps_values(
            numbers in prop::collection::vec(number(), STRANDS),
            most in number(),
            set in any::<u32>(),
            strands in any::<u32>(),
        ) {
            let value = |of: &dyn Fn(usize) -> u16| std::array::from_fn::<u16, STRANDS, _>(of);
            let narrow = [
                Braid(value(&|s| numbers[s])),
                Braid(value(&|s| numbers[s])).only(set),
                Braid(value(&|s| numbers[s].min(most))),
                Braid::of(numbers[0].into(), set),
            ];
            for narrow in narrow {
                keeps(narrow, strands);
                keeps(Braid(narrow.0.map(u64::from)), strands);
            }
        }
    }
}
