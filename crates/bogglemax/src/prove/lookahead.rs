//! Bounds for the children of a node before any of their items is touched.
//!
//! While a node is probed, the rows of every subtree below its first three undecided cells are kept:
//! T[c0][c1][c2][d][m] is U(d = m) of the items whose first three fields are c0, c1, c2 (0: the item
//! does not use the cell). The items that boards with the letters m0, m1, m2 on those cells and m on
//! d can satisfy have c0 in {0, m0}, c1 in {0, m1}, c2 in {0, m2}, so
//!
//! S(B) <= base + sum over these eight prefixes of T[..][d][m].
//!
//! (Each of the eight is a bound on the points of its own items, and every satisfied item is in one.)
//!
//! **Elimination.** Fix m0. A pair (m1, m2) is possible only if on every cell d some letter m has a
//! sum that reaches the cutoff; a letter m of d only if it does under some possible pair; letters of
//! the second and third cell only in a possible pair. What is not possible goes, which may make more
//! impossible, until nothing changes. If a cell has no letter left, no board with m0 reaches the
//! cutoff, and the child is never built.
//!
//! Cost: some ten thousand row additions a child, whatever the length of the list.

use super::probe::{LANES, Row};
use super::search::bits;

/// Cells of a prefix.
pub(crate) const PREFIX: usize = 3;

/// The table T of a node.
pub(crate) struct Prefixes {
    /// Undecided cells after the prefix.
    cells: usize,
    /// Codes a field may have: 0, and 1 + a tile.
    codes: usize,
    rows: Vec<Row<u16>>,
    touched: Vec<u32>,
    /// Sums over c0; over c0 and c1.
    second: Vec<Row<u16>>,
    third: Vec<Row<u16>>,
}

/// The rows of the prefixes that occur in a list.
pub(crate) struct Table {
    prefixes: Vec<u32>,
    rows: Vec<Row<u16>>,
}

impl Table {
    pub fn bytes(&self) -> usize {
        self.prefixes.capacity() * 4 + self.rows.capacity() * size_of::<Row<u16>>()
    }
}

/// Letters by undecided cell.
pub(crate) type Letters = Vec<u32>;

impl Prefixes {
    pub fn new(tiles: usize) -> Prefixes {
        Prefixes {
            cells: 0,
            codes: tiles + 1,
            rows: Vec::new(),
            touched: Vec::new(),
            second: Vec::new(),
            third: Vec::new(),
        }
    }

    pub fn bytes(&self) -> usize {
        (self.rows.capacity() + self.second.capacity() + self.third.capacity()) * size_of::<Row<u16>>()
    }

    /// Empties the table for a node with this many undecided cells.
    pub fn reset(&mut self, undecided: usize) {
        let zero = [0; LANES];
        for &at in &self.touched {
            self.rows[at as usize * self.cells..][..self.cells].fill(zero);
        }
        self.touched.clear();
        self.cells = undecided.saturating_sub(PREFIX);
        let codes = self.codes;
        for (table, prefixes) in
            [(&mut self.rows, codes.pow(3)), (&mut self.second, codes.pow(2)), (&mut self.third, codes)]
        {
            if table.len() < prefixes * self.cells {
                table.resize(prefixes * self.cells, zero);
            }
        }
    }

    /// Makes this the sum of tables: bounds of parts of a list add up to bounds of the list.
    pub fn set_sum<'a>(&mut self, undecided: usize, parts: impl Iterator<Item = &'a Table>) {
        self.reset(undecided);
        let n = self.cells;
        for part in parts {
            for (i, &at) in part.prefixes.iter().enumerate() {
                let to = &mut self.rows[at as usize * n..][..n];
                let zero = to.iter().all(|row| row == &[0; LANES]);
                if zero {
                    self.touched.push(at);
                }
                for (sum, row) in to.iter_mut().zip(&part.rows[i * n..][..n]) {
                    for lane in 0..LANES {
                        sum[lane] = sum[lane].saturating_add(row[lane]);
                    }
                }
            }
        }
    }

    /// A copy that takes no more space than it needs.
    pub fn table(&self) -> Table {
        let n = self.cells;
        let rows = self.touched.iter().flat_map(|&at| &self.rows[at as usize * n..][..n]).copied().collect();
        Table { prefixes: self.touched.clone(), rows }
    }

    #[inline(always)]
    pub fn set(&mut self, codes: [usize; PREFIX], rows: &[Row<u16>]) {
        let at = (codes[0] * self.codes + codes[1]) * self.codes + codes[2];
        self.touched.push(at as u32);
        self.rows[at * self.cells..][..self.cells].copy_from_slice(rows);
    }

    /// Fixes the letter of the first cell for the calls of [`possible`](Prefixes::possible) to come,
    /// whose letters on the second and third cell must be among these.
    pub fn fix_first(&mut self, letter: usize, letters: &[u32]) {
        super::simd::with_vectors(
            #[inline(always)]
            || self.sum_first(letter, letters),
        )
    }

    /// Of these letters (by undecided cell, one on the first) those that boards can have if they
    /// are to gain `need` points; `None` if there are no such boards.
    pub fn possible(&mut self, letters: &[u32], need: u64) -> Option<Letters> {
        // Sums saturate: a need beyond the lanes is met by everything that saturates.
        let need = u16::try_from(need).unwrap_or(u16::MAX);
        let mut letters = letters.to_vec();
        loop {
            if letters.contains(&0) {
                return None;
            }
            let left = super::simd::with_vectors(
                #[inline(always)]
                || self.sweep(&letters, need),
            );
            if left == letters {
                return Some(left);
            }
            letters = left;
        }
    }

    /// `second[c1][c2]` = T[0][c1][c2] + T[m0][c1][c2].
    #[inline(always)]
    fn sum_first(&mut self, letter: usize, letters: &[u32]) {
        let n = self.cells;
        let codes = |p: usize| std::iter::once(0).chain(bits(letters[p]).map(|m| m + 1));
        for c1 in codes(1) {
            for c2 in codes(2) {
                let at = (c1 * self.codes + c2) * n;
                let with = ((letter + 1) * self.codes * self.codes * n) + at;
                let (unused, with) = (&self.rows[at..at + n], &self.rows[with..with + n]);
                add(unused, with, &mut self.second[at..at + n]);
            }
        }
    }

    /// One round of elimination.
    #[inline(always)]
    fn sweep(&mut self, letters: &[u32], need: u16) -> Letters {
        let n = self.cells;
        let mut left = vec![0; letters.len()];
        left[0] = letters[0];
        for m1 in bits(letters[1]) {
            for c2 in std::iter::once(0).chain(bits(letters[2]).map(|m| m + 1)) {
                let (unused, with) = (c2 * n, ((m1 + 1) * self.codes + c2) * n);
                add(&self.second[unused..][..n], &self.second[with..][..n], &mut self.third[c2 * n..][..n]);
            }
            let (unused, with) = self.third.split_at(n);
            for m2 in bits(letters[2]) {
                let with = &with[m2 * n..][..n];
                let mut reach = [0u32; 64];
                let possible = (0..n).all(|d| {
                    reach[d] = reaching(&unused[d], &with[d], need) & letters[PREFIX + d];
                    reach[d] != 0
                });
                if possible {
                    left[1] |= 1 << m1;
                    left[2] |= 1 << m2;
                    for d in 0..n {
                        left[PREFIX + d] |= reach[d];
                    }
                }
            }
        }
        left
    }
}

#[inline(always)]
fn add(a: &[Row<u16>], b: &[Row<u16>], sum: &mut [Row<u16>]) {
    for ((a, b), sum) in a.iter().zip(b).zip(sum) {
        for lane in 0..LANES {
            sum[lane] = a[lane].saturating_add(b[lane]);
        }
    }
}

/// The lanes whose sum is at least `need`, as a bit mask. Written as a weighted sum of halves, which
/// compiles to a compare and a few shuffles.
#[inline(always)]
fn reaching(a: &Row<u16>, b: &Row<u16>, need: u16) -> u32 {
    let mut half = [0u16; 2];
    for (h, half) in half.iter_mut().enumerate() {
        for lane in 0..LANES / 2 {
            let sum = a[h * LANES / 2 + lane].saturating_add(b[h * LANES / 2 + lane]);
            *half |= if sum >= need { 1 << lane } else { 0 };
        }
    }
    u32::from(half[0]) | u32::from(half[1]) << 16
}
