//! Queues whose entries are put in and taken out eight at a time.

use super::lanes::{LANES, Lanes};

/// A queue of entries of `N` numbers. The same number of all entries stands side by side.
///
/// What is put behind the end only counts if the end moves on, so that nothing is ever branched on
/// that is hard to foresee. Entries are never taken out one by one: [`clear`](Columns::clear) takes
/// all.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const N: usize> {
    /// INVARIANT: `N` columns of `height` numbers, one behind the other.
    numbers: Vec<u32>,
    height: usize,
    /// Number of entries. INVARIANT: at most `height`.
    end: usize,
}

impl<const N: usize> Default for Columns<N> {
    fn default() -> Columns<N> {
        let height = 256;
        Columns { numbers: vec![0; N * height], height, end: 0 }
    }
}

impl<const N: usize> Columns<N> {
    /// Number of entries.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.end
    }

    /// Takes all entries out.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.end = 0;
    }

    /// Twice as high.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let height = 2 * self.height;
        let mut numbers = vec![0; N * height];
        for (new, old) in numbers.chunks_exact_mut(height).zip(self.numbers.chunks_exact(self.height)) {
            new[..self.height].copy_from_slice(old);
        }
        (self.numbers, self.height) = (numbers, height);
    }

    /// Puts an entry in, if a condition holds.
    #[inline(always)]
    pub fn push_if(&mut self, condition: bool, entry: [u32; N]) {
        if self.end >= self.height {
            self.grow();
        }
        for (column, number) in entry.into_iter().enumerate() {
            self.numbers[column * self.height + self.end] = number;
        }
        self.end += usize::from(condition);
    }

    /// Puts those of eight entries in whose bits are on in `which`.
    #[inline(always)]
    pub fn push<L: Lanes>(&mut self, which: u8, entries: [L; N]) {
        if self.end + LANES > self.height {
            self.grow();
        }
        for (column, numbers) in entries.into_iter().enumerate() {
            let at = column * self.height + self.end;
            // SAFETY: there are `height` numbers in the column, and `end + LANES` is not more: if it was,
            // the column has just become twice as high, by at least 256.
            let place = unsafe { self.numbers.get_unchecked_mut(at..at + LANES) };
            place.copy_from_slice(&numbers.packed(which).into());
        }
        self.end += which.count_ones() as usize;
    }

    /// Eight entries from `at` on. What is behind the end is what was there before.
    ///
    /// # Panics
    /// If `at` is not before the end.
    #[inline(always)]
    pub fn at<L: Lanes>(&mut self, at: usize) -> [L; N] {
        assert!(at < self.end);
        if at + LANES > self.height {
            self.grow();
        }
        std::array::from_fn(|column| {
            let at = column * self.height + at;
            // SAFETY: as in `push`; `at` is before `end`.
            let numbers = unsafe { self.numbers.get_unchecked(at..at + LANES) };
            let numbers: [u32; LANES] = numbers.try_into().expect("as many as lanes");
            L::from(numbers)
        })
    }

    /// An entry.
    #[inline(always)]
    pub fn entry(&self, at: usize) -> [u32; N] {
        assert!(at < self.end);
        std::array::from_fn(|column| self.numbers[column * self.height + at])
    }

    /// A column.
    #[inline(always)]
    pub fn column(&self, column: usize) -> &[u32] {
        &self.numbers[column * self.height..][..self.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, with_lanes};
    use proptest::prelude::*;

    /// Puts entries in, eight at a time, and takes them out again.
    struct Through(Vec<(u8, [[u32; LANES]; 3])>);

    impl Kernel for Through {
        type Output = Vec<[u32; 3]>;

        fn run<L: Lanes>(self) -> Vec<[u32; 3]> {
            let (mut columns, mut out) = (Columns::<3>::default(), Vec::new());
            for (which, entries) in self.0 {
                columns.push(which, entries.map(L::from));
                columns.push_if(which % 2 == 0, [which.into(), 1, 2]);
                columns.push_if(false, [3, 3, 3]);
            }
            let mut at = 0;
            while at < columns.len() {
                let entries = columns.at::<L>(at).map(L::into);
                let lanes = LANES.min(columns.len() - at);
                out.extend((0..lanes).map(|lane| entries.map(|column| column[lane])));
                at += lanes;
            }
            (0..3).for_each(|i| assert!(columns.column(i).iter().eq(out.iter().map(|entry| &entry[i]))));
            out
        }
    }

    proptest! {
        #[test]
        fn what_is_put_in_comes_out(
            entries in proptest::collection::vec((any::<u8>(), any::<[[u32; LANES]; 3]>()), 0..300)
        ) {
            let mut expected = Vec::new();
            for (which, entries) in &entries {
                let chosen = (0..LANES).filter(|lane| which >> lane & 1 == 1);
                expected.extend(chosen.map(|lane| entries.map(|column| column[lane])));
                expected.extend((which % 2 == 0).then_some([u32::from(*which), 1, 2]));
            }
            prop_assert_eq!(with_lanes(Through(entries)), expected);
        }
    }
}
