//! A single board: a tile on every cell.

use std::fmt;

use crate::{Alphabet, Dims, Error, MAX_CELLS, Tile};

/// A board: its shape and the tile on each cell, in row-major order.
///
/// Boards of one shape compare like their texts, so the smallest of a board's symmetric forms is
/// its [canonical](Board::canonical) one.
///
/// ```
/// use bogglemax::Board;
///
/// let board = Board::parse("deslatper", None)?;
/// assert_eq!(board.to_string(), "deslatper");
/// assert_eq!(Board::parse("REPTALSED", None)?.canonical(), board);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    dims: Dims,
    /// INVARIANT: cells beyond `dims.cells()` are 0, so that the derived comparisons hold.
    tiles: [Tile; MAX_CELLS],
}

impl Board {
    /// Makes a board from its tiles.
    ///
    /// # Panics
    /// If there are not exactly `dims.cells()` tiles.
    pub fn new(dims: Dims, tiles: &[Tile]) -> Board {
        assert_eq!(tiles.len(), dims.cells(), "a {dims} board has {} cells", dims.cells());
        let mut padded = [0; MAX_CELLS];
        padded[..tiles.len()].copy_from_slice(tiles);
        Board { dims, tiles: padded }
    }

    /// Reads a board of English tiles: row-major, any case, `q` for Qu. Without `dims` its length
    /// must be a square.
    pub fn parse(text: &str, dims: Option<Dims>) -> Result<Board, Error> {
        Board::parse_with(text, dims, &Alphabet::english())
    }

    /// Reads a board written with the tiles of an alphabet: either one character a cell, for tiles
    /// that [have a symbol](Alphabet::has_symbol), or the letters of each cell with dashes between
    /// cells.
    ///
    /// ```
    /// use bogglemax::{Alphabet, Board};
    ///
    /// let english = Alphabet::english();
    /// let board = Board::parse_with("qu-i-t-s", None, &english)?;
    /// assert_eq!(board, Board::parse_with("qits", None, &english)?);
    /// # Ok::<(), bogglemax::Error>(())
    /// ```
    pub fn parse_with(text: &str, dims: Option<Dims>, alphabet: &Alphabet) -> Result<Board, Error> {
        let mut tiles = Vec::with_capacity(text.len());
        if text.contains('-') {
            for (i, cell) in text.split('-').enumerate() {
                let tile = alphabet.tile_of(cell);
                tiles.push(tile.ok_or_else(|| Error::letter(cell, i + 1, text, alphabet))?);
            }
        } else {
            for (i, letter) in text.chars().enumerate() {
                let tile = alphabet.tile(letter);
                tiles.push(tile.ok_or_else(|| Error::letter(letter, i + 1, text, alphabet))?);
            }
        }
        let (board, cells) = (text.to_owned(), tiles.len());
        match dims.or_else(|| Dims::square_of(cells)) {
            Some(dims) if dims.cells() == cells => Ok(Board::new(dims, &tiles)),
            Some(dims) => Err(Error::BoardLength { board, cells, dims }),
            None => Err(Error::BoardShape { board, cells }),
        }
    }

    /// The board's shape.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The tile on each cell.
    #[inline]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.dims.cells()]
    }

    /// Puts another tile on a cell.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn set(&mut self, cell: usize, tile: Tile) {
        let cells = self.dims.cells();
        self.tiles[..cells][cell] = tile;
    }

    /// The board moved by one of [`Dims::symmetries`].
    pub fn moved(&self, symmetry: &[u8]) -> Board {
        let mut tiles = [0; MAX_CELLS];
        for (to, &from) in tiles.iter_mut().zip(symmetry) {
            *to = self.tiles[usize::from(from)];
        }
        Board { dims: self.dims, tiles }
    }

    /// The lexicographically smallest of the board's symmetric forms.
    pub fn canonical(&self) -> Board {
        self.canonical_by(&self.dims.symmetries())
    }

    /// [`canonical`](Board::canonical) with the symmetries at hand, for many boards of one shape.
    pub fn canonical_by(&self, symmetries: &[Vec<u8>]) -> Board {
        symmetries.iter().map(|s| self.moved(s)).min().unwrap_or(*self)
    }

    /// The board as text that [`parse_with`](Board::parse_with) reads: one character a cell if all
    /// of its tiles have a symbol, else with dashes.
    pub fn text(&self, alphabet: &Alphabet) -> String {
        if self.tiles().iter().all(|&t| alphabet.has_symbol(t)) {
            return self.tiles().iter().map(|&t| alphabet.symbol(t)).collect();
        }
        let cells: Vec<&str> = self.tiles().iter().map(|&t| alphabet.spelled(t)).collect();
        cells.join("-")
    }
}

/// English letters; see [`Board::text`] for other alphabets.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.tiles().iter().map(|&t| char::from(b'a' + t)).collect::<String>())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self} {})", self.dims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_is_the_smallest_of_all_forms() {
        for (text, dims) in
            [("perslatgsineters", "4x4"), ("dnisetalsrep", "3x4"), ("ba", "2x1"), ("z", "1x1")]
        {
            let board = Board::parse(text, Some(dims.parse().unwrap())).unwrap();
            let canonical = board.canonical();
            for symmetry in board.dims().symmetries() {
                let form = board.moved(&symmetry);
                assert!(canonical.to_string() <= form.to_string());
                assert_eq!(form.canonical(), canonical);
            }
        }
        assert_eq!(Board::parse("ba", Some(Dims::new(2, 1).unwrap())).unwrap().canonical().to_string(), "ab");
    }

    #[test]
    fn cells_of_several_letters_are_written_apart() {
        let tiles = ["a", "i", "in", "n", "qu", "_"].map(str::to_owned).to_vec();
        let alphabet = Alphabet::new(tiles, vec![]).unwrap();
        for (text, written) in [("A-In-Qu-_", "a-in-qu-_"), ("a-i-q-n", "aiqn"), ("aQ_n", "aq_n")] {
            let board = Board::parse_with(text, None, &alphabet).unwrap();
            assert_eq!(board.text(&alphabet), written);
            assert_eq!(Board::parse_with(written, None, &alphabet).unwrap(), board);
        }
        let message = |text| Board::parse_with(text, None, &alphabet).unwrap_err().to_string();
        assert!(message("a-in-xy-a").contains("'xy' at position 3"));
        assert!(message("a-a-").contains("'' at position 3"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let dims = Dims::new(3, 4).ok();
        let message = |text: &str, dims| Board::parse(text, dims).unwrap_err().to_string();
        assert!(message("perslatgsineter5", None).starts_with("'5' at position 16 of"));
        assert!(message("abc", None).contains("no square"));
        assert!(message("abcd", dims).contains("has 4 cells, but 3x4 has 12"));
        assert!(message("", None).contains("0 cells"));
        assert!(message("é", None).contains("'é' at position 1"));
    }
}
