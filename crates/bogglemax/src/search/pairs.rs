//! Counting in parallel how often each pair of cells occurs in many sets of pairs.

/// Counts, for every bit position of a set of `width` words of 64 bits, in how many of the added
/// sets that bit is on.
///
/// Bit k of all counters is kept in one plane, and a set is added with carries from plane to
/// plane: on average two planes are touched, whatever the number of positions.
#[derive(Clone, Debug)]
pub(super) struct PairCounter {
    width: usize,
    /// Plane k of word i is at `k * width + i`.
    planes: Vec<u64>,
}

impl PairCounter {
    pub fn new(width: usize) -> PairCounter {
        PairCounter { width, planes: Vec::new() }
    }

    /// Adds word `index` of a set.
    #[inline]
    pub fn add(&mut self, index: usize, mut carry: u64) {
        let mut at = index;
        while carry != 0 {
            if at >= self.planes.len() {
                self.planes.resize(self.planes.len() + self.width, 0);
            }
            let plane = &mut self.planes[at];
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
            at += self.width;
        }
    }

    /// Calls `f` with positions and parts of their counts, which add up to them; then forgets all.
    pub fn drain(&mut self, mut f: impl FnMut(usize, u64)) {
        for (i, plane) in self.planes.iter_mut().enumerate() {
            let (part, base) = (1u64 << (i / self.width), i % self.width * 64);
            let mut bits = std::mem::take(plane);
            while bits != 0 {
                f(base + bits.trailing_zeros() as usize, part);
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_those_of_counting_one_by_one(
            sets in proptest::collection::vec((0usize..3, any::<u64>()), 0..200)
        ) {
            let mut counter = PairCounter::new(3);
            for _ in 0..2 {
                let mut expected = vec![0u64; 192];
                for &(index, set) in &sets {
                    counter.add(index, set);
                    (0..64).for_each(|b| expected[index * 64 + b] += set >> b & 1);
                }
                let mut found = vec![0u64; 192];
                counter.drain(|position, part| found[position] += part);
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
