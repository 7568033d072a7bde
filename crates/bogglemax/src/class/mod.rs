//! Board classes: the sets of boards that branch and bound works on, and how all boards of a shape
//! are split into them.
//!
//! A class gives every cell a set of letters; its boards are all the ways to choose one letter a
//! cell. A [`Bucketing`] cuts the alphabet into a few buckets per kind of cell, which turns the
//! boards of a shape into a modest number of classes, most of them seen in eight orientations.

mod bucketing;
mod search;

use std::fmt;

use crate::{Alphabet, Board, Dims, Error, MAX_CELLS, Tile};

pub use bucketing::{Bucketing, Buckets, CellKind, Classes};
pub use search::BucketSearch;

/// C(L_1, …, L_mn): the boards whose cell i holds a letter of L_i.
///
/// Letter sets are bit masks, bit t for tile t. Classes of one shape compare by their masks, cell
/// by cell, and the smallest of a class's symmetric forms is its canonical one.
///
/// ```
/// use bogglemax::{Board, BoardClass};
///
/// let class = BoardClass::parse("t ae i r", None)?;
/// assert_eq!(class.size(), 2);
/// assert!(class.contains(&Board::parse("teir", None)?));
/// assert_eq!(class.to_string(), "t ae i r");
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardClass {
    dims: Dims,
    /// INVARIANT: not 0 for the cells of the shape, 0 beyond them.
    letters: [u32; MAX_CELLS],
}

impl BoardClass {
    /// Makes a class from a mask of tiles for every cell.
    ///
    /// # Panics
    /// If there are not exactly `dims.cells()` masks, or one is empty.
    pub fn new(dims: Dims, letters: &[u32]) -> BoardClass {
        assert_eq!(letters.len(), dims.cells(), "a {dims} class has {} cells", dims.cells());
        assert!(letters.iter().all(|&set| set != 0), "a cell of a class has at least one letter");
        let mut padded = [0; MAX_CELLS];
        padded[..letters.len()].copy_from_slice(letters);
        BoardClass { dims, letters: padded }
    }

    /// The class of this one board.
    pub fn of_board(board: &Board) -> BoardClass {
        let letters: Vec<u32> = board.tiles().iter().map(|&t| 1 << t).collect();
        BoardClass::new(board.dims(), &letters)
    }

    /// Reads a class of English tiles: the letters of each cell in row-major order, cells separated
    /// by blanks, `.` or `*` for all letters. Without `dims` the number of cells must be a square.
    pub fn parse(text: &str, dims: Option<Dims>) -> Result<BoardClass, Error> {
        BoardClass::parse_with(text, dims, &Alphabet::english())
    }

    /// Reads a class written with the symbols of an alphabet.
    pub fn parse_with(text: &str, dims: Option<Dims>, alphabet: &Alphabet) -> Result<BoardClass, Error> {
        let class = || text.to_owned();
        let mut letters = Vec::new();
        for cell in text.split_whitespace() {
            letters.push(match cell {
                "." | "*" => all_tiles(alphabet),
                _ => parse_letters(cell, alphabet)?,
            });
        }
        let cells = letters.len();
        match dims.or_else(|| Dims::square_of(cells)) {
            Some(dims) if dims.cells() == cells => Ok(BoardClass::new(dims, &letters)),
            Some(dims) => Err(Error::ClassLength { class: class(), cells, dims }),
            None => Err(Error::ClassShape { class: class(), cells }),
        }
    }

    /// The shape of the class's boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// C_i of the paper for every cell: the letters it may hold, as bit masks of tiles.
    pub fn letters(&self) -> &[u32] {
        &self.letters[..self.dims.cells()]
    }

    /// Number of boards in the class; `u128::MAX` if there are more than that.
    pub fn size(&self) -> u128 {
        self.letters().iter().fold(1, |size: u128, set| size.saturating_mul(set.count_ones().into()))
    }

    /// Whether a board is in the class.
    pub fn contains(&self, board: &Board) -> bool {
        board.dims() == self.dims
            && board.tiles().iter().zip(self.letters()).all(|(&t, set)| set >> t & 1 == 1)
    }

    /// The class with one cell's letters replaced.
    ///
    /// # Panics
    /// If the class has no such cell, or no letter is given.
    pub fn with_letters(&self, cell: usize, letters: u32) -> BoardClass {
        assert!(letters != 0, "a cell of a class has at least one letter");
        let mut class = *self;
        class.letters[..self.dims.cells()][cell] = letters;
        class
    }

    /// The class moved by one of [`Dims::symmetries`].
    pub fn moved(&self, symmetry: &[u8]) -> BoardClass {
        let mut letters = [0; MAX_CELLS];
        for (to, &from) in letters.iter_mut().zip(symmetry) {
            *to = self.letters[usize::from(from)];
        }
        BoardClass { dims: self.dims, letters }
    }

    /// The canonical orientation: the smallest of the class's symmetric forms.
    pub fn canonical(&self) -> BoardClass {
        self.dims.symmetries().iter().map(|s| self.moved(s)).min().unwrap_or(*self)
    }

    /// Every board of the class. There are [`size`](BoardClass::size) of them: for small classes.
    pub fn boards(&self) -> impl Iterator<Item = Board> + use<> {
        let (class, sets) = (*self, self.letters().iter().map(|&set| tiles(set).collect()).collect());
        let sets: Vec<Vec<Tile>> = sets;
        (0..self.size()).map(move |mut rank| {
            let mut board = Board::new(class.dims, &vec![0; sets.len()]);
            for (cell, set) in sets.iter().enumerate() {
                board.set(cell, set[(rank % set.len() as u128) as usize]);
                rank /= set.len() as u128;
            }
            board
        })
    }

    /// The class as text, in the symbols of an alphabet.
    pub fn text(&self, alphabet: &Alphabet) -> String {
        let cell = |&set: &u32| tiles(set).map(|t| alphabet.symbol(t)).collect::<String>();
        self.letters().iter().map(cell).collect::<Vec<_>>().join(" ")
    }
}

/// The tiles of a mask, in ascending order.
pub(crate) fn tiles(mut set: u32) -> impl Iterator<Item = Tile> {
    std::iter::from_fn(move || {
        let tile = (set != 0).then(|| set.trailing_zeros() as Tile);
        set &= set.wrapping_sub(1);
        tile
    })
}

/// The mask of all tiles of an alphabet.
pub(crate) fn all_tiles(alphabet: &Alphabet) -> u32 {
    u32::MAX >> (32 - alphabet.len())
}

/// The mask of the letters of a word.
fn parse_letters(text: &str, alphabet: &Alphabet) -> Result<u32, Error> {
    text.chars().enumerate().try_fold(0, |set, (i, letter)| match alphabet.tile(letter) {
        Some(tile) => Ok(set | 1 << tile),
        None => Err(Error::letter(letter, i + 1, text, alphabet)),
    })
}

/// English letters; see [`BoardClass::text`] for other alphabets.
impl fmt::Display for BoardClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |&set: &u32| tiles(set).map(|t| char::from(b'a' + t)).collect::<String>();
        f.pad(&self.letters().iter().map(cell).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Debug for BoardClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoardClass({self}, {})", self.dims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        let text = "lnrsy chkmpt lnrsy aeiou aeiou aeiou chkmpt lnrsy bdfgjqvwxz";
        let class = BoardClass::parse(text, None).unwrap();
        assert_eq!(class.to_string(), text);
        assert_eq!(class.size(), 5_625_000);
        let any = BoardClass::parse(" . *\tA  aA ", None).unwrap();
        assert_eq!(any.size(), 26 * 26);
        assert_eq!(BoardClass::parse(&any.to_string(), None).unwrap(), any);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |text: &str, dims: Option<&str>| {
            BoardClass::parse(text, dims.map(|d| d.parse().unwrap())).unwrap_err().to_string()
        };
        assert!(message("a b c", None).contains("3 cells"));
        assert!(message("", None).contains("0 cells"));
        assert!(message("a b c d", Some("2x3")).contains("4 cells, but 2x3 has 6"));
        assert!(message("a b. c d", None).contains("'.' at position 2 of 'b.'"));
    }

    #[test]
    fn boards_are_all_distinct_members() {
        let class = BoardClass::parse("abc q xy", Some(Dims::new(3, 1).unwrap())).unwrap();
        let mut boards: Vec<Board> = class.boards().collect();
        assert_eq!(boards.len(), 6);
        assert!(boards.iter().all(|b| class.contains(b)));
        boards.sort_unstable();
        boards.dedup();
        assert_eq!(boards.len(), 6);
        assert!(!class.contains(&Board::parse("dqx", Some(Dims::new(3, 1).unwrap())).unwrap()));
    }

    #[test]
    fn sizes_beyond_u128_saturate() {
        let dims = Dims::new(6, 6).unwrap();
        assert_eq!(BoardClass::new(dims, &[u32::MAX >> 6; 36]).size(), u128::MAX);
    }

    #[test]
    fn canonical_form_is_shared_by_all_orientations() {
        let class = BoardClass::parse("ab c d ef g h", Some(Dims::new(2, 3).unwrap())).unwrap();
        for symmetry in class.dims().symmetries() {
            assert_eq!(class.moved(&symmetry).canonical(), class.canonical());
        }
    }
}
