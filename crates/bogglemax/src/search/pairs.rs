//! Counting in parallel how often each pair of cells occurs in many sets of pairs.

/// Counts, for every bit position of `rows` words of 64 bits, in how many of the added words that
/// bit is on.
///
/// Bit k of all counters is kept in one plane, and a word is added with carries from plane to
/// plane: on average two planes are touched, whatever the number of bits.
#[derive(Clone, Debug)]
pub(super) struct PairCounter {
    rows: usize,
    /// Plane k of row i is at `k * rows + i`.
    planes: Vec<u64>,
}

/// Planes that every addition goes through.
const STEADY: usize = 4;

impl PairCounter {
    pub fn new(rows: usize) -> PairCounter {
        PairCounter { rows, planes: vec![0; STEADY * rows] }
    }

    /// Adds a word to a row.
    #[inline(always)]
    pub fn add(&mut self, row: usize, mut carry: u64) {
        let mut at = row;
        // Where the carries end is hard to foresee: no branch on it in the first planes.
        for _ in 0..STEADY {
            let plane = &mut self.planes[at];
            (*plane, carry) = (*plane ^ carry, *plane & carry);
            at += self.rows;
        }
        while carry != 0 {
            if at >= self.planes.len() {
                self.planes.resize(self.planes.len() + self.rows, 0);
            }
            let plane = &mut self.planes[at];
            (*plane, carry) = (*plane ^ carry, *plane & carry);
            at += self.rows;
        }
    }

    /// Calls `f` with rows, bit positions and parts of their counts, which add up to them; then
    /// forgets all.
    pub fn drain(&mut self, mut f: impl FnMut(usize, usize, u64)) {
        for (i, plane) in self.planes.iter_mut().enumerate() {
            let (row, part) = (i % self.rows, 1u64 << (i / self.rows));
            let mut bits = std::mem::take(plane);
            while bits != 0 {
                f(row, bits.trailing_zeros() as usize, part);
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
                let mut expected = [[0u64; 64]; 3];
                for &(row, set) in &sets {
                    counter.add(row, set);
                    (0..64).for_each(|b| expected[row][b] += set >> b & 1);
                }
                let mut found = [[0u64; 64]; 3];
                counter.drain(|row, bit, part| found[row][bit] += part);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
