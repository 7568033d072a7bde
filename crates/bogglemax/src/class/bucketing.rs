//! Splitting all boards of a shape into classes: buckets of letters per kind of cell.

use std::fmt;
use std::str::FromStr;

use super::{BoardClass, all_tiles, parse_letters, tiles};
use crate::{Alphabet, Dims, Error};

/// A partition of the English alphabet. Buckets are kept in ascending order of their masks, so that
/// comparing bucket numbers compares classes.
///
/// ```
/// use bogglemax::Buckets;
///
/// let buckets: Buckets = "hklnrsty,aeijou,bcdfgmpqvwxz".parse()?;
/// assert_eq!(buckets, Buckets::paper(3).unwrap());
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets(Vec<u32>);

impl Buckets {
    /// A partition from the letters of its buckets. Every letter must be in exactly one of them: a
    /// letter in none would leave boards out of every proof.
    pub fn new(mut buckets: Vec<u32>) -> Result<Buckets, Error> {
        buckets.sort_unstable();
        let bad = || Error::Buckets { text: Buckets(buckets.clone()).to_string() };
        let disjoint = buckets.iter().map(|b| b.count_ones()).sum::<u32>() == 26;
        let covering = buckets.iter().fold(0, |all, b| all | b) == all_tiles(&Alphabet::english());
        let empty = buckets.contains(&0);
        if disjoint && covering && !empty { Ok(Buckets(buckets)) } else { Err(bad()) }
    }

    /// The paper's partition into one, two, three or four buckets.
    pub fn paper(count: usize) -> Option<Buckets> {
        let text = match count {
            1 => "abcdefghijklmnopqrstuvwxyz",
            2 => "aeiosuy,bcdfghjklmnpqrtvwxz",
            3 => "aeijou,bcdfgmpqvwxz,hklnrsty",
            4 => "aeiou,bdfgjqvwxz,lnrsy,chkmpt",
            _ => return None,
        };
        text.parse().ok()
    }

    /// The letters of each bucket, as masks of tiles.
    pub fn masks(&self) -> &[u32] {
        &self.0
    }
}

impl fmt::Display for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |&set: &u32| tiles(set).map(|t| char::from(b'a' + t)).collect::<String>();
        f.write_str(&self.0.iter().map(text).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Buckets {
    type Err = Error;

    fn from_str(text: &str) -> Result<Buckets, Error> {
        let (english, bad) = (Alphabet::english(), || Error::Buckets { text: text.to_owned() });
        if text.chars().filter(|&c| c != ',').count() != english.len() {
            return Err(bad());
        }
        let masks: Result<Vec<u32>, Error> =
            text.split(',').map(|bucket| parse_letters(bucket.trim(), &english)).collect();
        Buckets::new(masks?).map_err(|_| bad())
    }
}

/// Where a cell lies. Every symmetry of a shape keeps the kinds of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// At an end of its row and of its column.
    Corner,
    /// At one end only, or in the middle of a single row or column.
    Edge,
    /// Inside.
    Centre,
}

impl CellKind {
    /// The kind of a cell.
    pub fn of(dims: Dims, cell: usize) -> CellKind {
        let (row, col) = (cell / dims.cols(), cell % dims.cols());
        let row_end = row == 0 || row == dims.rows() - 1;
        let col_end = col == 0 || col == dims.cols() - 1;
        match (row_end, col_end) {
            (true, true) => CellKind::Corner,
            (false, false) => CellKind::Centre,
            _ => CellKind::Edge,
        }
    }
}

/// The buckets used on each kind of cell of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucketing {
    dims: Dims,
    corner: Buckets,
    edge: Buckets,
    centre: Buckets,
}

impl Bucketing {
    /// Any choice of buckets per kind of cell.
    pub fn new(dims: Dims, corner: Buckets, edge: Buckets, centre: Buckets) -> Bucketing {
        Bucketing { dims, corner, edge, centre }
    }

    /// The paper's choice: two buckets everywhere up to nine cells (3x3), two in corners and three
    /// elsewhere up to sixteen (3x4, 4x4). Other shapes follow suit: one bucket up to four cells,
    /// three in corners and four elsewhere beyond sixteen.
    pub fn paper(dims: Dims) -> Bucketing {
        let (corner, elsewhere) = match dims.cells() {
            ..=4 => (1, 1),
            5..=9 => (2, 2),
            10..=16 => (2, 3),
            _ => (3, 4),
        };
        let preset = |n| Buckets::paper(n).expect("the paper has one to four buckets");
        Bucketing::new(dims, preset(corner), preset(elsewhere), preset(elsewhere))
    }

    /// The shape.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The buckets of a cell.
    pub fn buckets(&self, cell: usize) -> &Buckets {
        match CellKind::of(self.dims, cell) {
            CellKind::Corner => &self.corner,
            CellKind::Edge => &self.edge,
            CellKind::Centre => &self.centre,
        }
    }

    /// Number of canonical classes, by Burnside's lemma: the average over the symmetries of the
    /// number of classes each leaves as they are. `None` if it is beyond `u128`.
    ///
    /// ```
    /// use bogglemax::{Bucketing, Dims};
    /// assert_eq!(Bucketing::paper(Dims::new(4, 4)?).count(), Some(1_068_363));
    /// # Ok::<(), bogglemax::Error>(())
    /// ```
    pub fn count(&self) -> Option<u128> {
        let symmetries = self.dims.symmetries();
        let mut fixed = symmetries.iter().map(|s| self.fixed_classes(s));
        let total = fixed.try_fold(0u128, |sum, n| sum.checked_add(n?))?;
        Some(total / symmetries.len() as u128)
    }

    /// A class stays as it is if all cells of each cycle of the symmetry have the same bucket.
    fn fixed_classes(&self, symmetry: &[u8]) -> Option<u128> {
        let mut seen = 0u64;
        let mut classes = 1u128;
        for start in 0..symmetry.len() {
            if seen >> start & 1 == 1 {
                continue;
            }
            classes = classes.checked_mul(self.buckets(start).masks().len() as u128)?;
            let mut cell = start;
            while seen >> cell & 1 == 0 {
                seen |= 1 << cell;
                cell = symmetry[cell].into();
            }
        }
        Some(classes)
    }

    /// All canonical classes. Costs a second or so for 4x4; refuses what could never be walked.
    pub fn classes(&self) -> Result<Classes, Error> {
        const MOST: u128 = 1 << 27;
        let all = self.fixed_classes(&(0..self.dims.cells() as u8).collect::<Vec<_>>());
        match all {
            Some(all) if all <= MOST => {
                Ok(Classes { codes: self.canonical_codes(), bucketing: self.clone() })
            }
            _ => Err(Error::TooManyClasses { dims: self.dims }),
        }
    }

    /// Counts through all bucket numbers like an odometer, cell 0 the slowest, and keeps those that
    /// no symmetry makes smaller.
    fn canonical_codes(&self) -> Vec<u64> {
        let cells = self.dims.cells();
        let radix: Vec<u8> = (0..cells).map(|c| self.buckets(c).masks().len() as u8).collect();
        let symmetries = self.dims.symmetries();
        let mut digits = vec![0u8; cells];
        let mut codes = Vec::new();
        for code in 0.. {
            let moved =
                |s: &Vec<u8>| s.iter().map(|&from| digits[usize::from(from)]).lt(digits.iter().copied());
            if !symmetries.iter().any(moved) {
                codes.push(code);
            }
            let Some(turn) = (0..cells).rfind(|&c| digits[c] + 1 < radix[c]) else { break };
            digits[turn] += 1;
            digits[turn + 1..].fill(0);
        }
        codes
    }
}

/// The canonical classes of a [`Bucketing`], numbered `0..len()`.
#[derive(Clone, Debug)]
pub struct Classes {
    bucketing: Bucketing,
    /// Bucket numbers of the cells in mixed radix, cell 0 the most significant; ascending.
    codes: Vec<u64>,
}

impl Classes {
    /// Number of classes.
    #[allow(clippy::len_without_is_empty)] // every shape has a class
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// The buckets the classes are made of.
    pub fn bucketing(&self) -> &Bucketing {
        &self.bucketing
    }

    /// The class with this number, if there is one.
    pub fn get(&self, id: usize) -> Option<BoardClass> {
        let mut code = *self.codes.get(id)?;
        let mut letters = vec![0; self.bucketing.dims.cells()];
        for (cell, set) in letters.iter_mut().enumerate().rev() {
            let masks = self.bucketing.buckets(cell).masks();
            *set = masks[(code % masks.len() as u64) as usize];
            code /= masks.len() as u64;
        }
        Some(BoardClass::new(self.bucketing.dims, &letters))
    }

    /// All classes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = BoardClass> {
        (0..self.len()).map(|id| self.get(id).expect("an id below the length"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn as_many_canonical_classes_as_burnside_says() {
        for shape in ["1x1", "1x2", "2x1", "2x2", "1x5", "2x3", "3x2", "3x3", "3x4", "4x3"] {
            let dims: Dims = shape.parse().unwrap();
            let preset = |n| Buckets::paper(n).unwrap();
            for bucketing in [
                Bucketing::paper(dims),
                Bucketing::new(dims, preset(2), preset(2), preset(3)),
                Bucketing::new(dims, preset(3), preset(1), preset(4)),
            ] {
                let classes = bucketing.classes().unwrap();
                assert_eq!(Some(classes.len() as u128), bucketing.count(), "{bucketing:?}");
                assert!(classes.iter().all(|class| class.canonical() == class));
            }
        }
        assert_eq!(Bucketing::paper("3x3".parse().unwrap()).classes().unwrap().len(), 102);
    }

    #[test]
    fn every_board_is_in_a_canonical_class_once_turned() {
        let dims = Dims::new(2, 3).unwrap();
        let classes = Bucketing::paper(dims).classes().unwrap();
        for text in ["aaaaaa", "zyxwvu", "qasben", "teaser"] {
            let board = Board::parse(text, Some(dims)).unwrap();
            let turned =
                |class: &BoardClass| dims.symmetries().iter().any(|s| class.contains(&board.moved(s)));
            assert_eq!(classes.iter().filter(turned).count(), 1, "{text}");
        }
    }

    #[test]
    fn buckets_that_miss_or_repeat_a_letter_are_refused() {
        for text in [
            "",
            "abc",
            "abcdefghijklmnopqrstuvwxyy",
            "abcdefghijklmnopqrstuvwxyz,",
            "abcdefghijklmnopqrstuvwxyz,a",
        ] {
            assert!(text.parse::<Buckets>().is_err(), "{text}");
        }
    }

    #[test]
    fn classes_that_nobody_can_walk_are_refused() {
        assert!(Bucketing::paper(Dims::new(6, 6).unwrap()).classes().is_err());
        assert!(Bucketing::paper(Dims::new(6, 6).unwrap()).count().is_some());
    }
}
