//! The boards a search may come to: a shape, the letters allowed, and cells that stay as they are.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::{Alphabet, Board, Dims, Error, Tile};

/// The boards a search may come to.
///
/// ```
/// use bogglemax::search::Space;
/// use bogglemax::{Alphabet, Board, Dims};
///
/// let english = Alphabet::english();
/// let space = Space::new("4x4".parse()?, &english)
///     .excluding("qz", &english)?
///     .fixing("p..slatg........", &english)?;
/// assert!(space.holds(&Board::parse("perslatgsineters", None)?));
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    dims: Dims,
    /// The letters a free cell may hold; never empty.
    letters: Vec<Tile>,
    /// The letter of each cell that stays.
    fixed: Vec<Option<Tile>>,
    /// The symmetries that move every fixed cell to one with the same letter, and free cells to
    /// free ones.
    symmetries: Vec<Vec<u8>>,
}

impl Space {
    /// All boards of a shape.
    pub fn new(dims: Dims, alphabet: &Alphabet) -> Space {
        let letters = (0..alphabet.len() as Tile).collect();
        Space { dims, letters, fixed: vec![None; dims.cells()], symmetries: dims.symmetries() }
    }

    /// Without the boards that have any of these letters on a cell that is not fixed.
    pub fn excluding(mut self, letters: &str, alphabet: &Alphabet) -> Result<Space, Error> {
        for (i, letter) in letters.chars().enumerate() {
            let bad = || Error::letter(letter, i + 1, letters, alphabet);
            let tile = alphabet.tile(letter).ok_or_else(bad)?;
            self.letters.retain(|&t| t != tile);
        }
        if self.letters.is_empty() {
            return Err(Error::NoLetters);
        }
        Ok(self)
    }

    /// Only the boards that have the letters of a pattern on the cells where it has one. All
    /// other cells of the pattern are dots.
    pub fn fixing(mut self, pattern: &str, alphabet: &Alphabet) -> Result<Space, Error> {
        let bad = |i, letter| Error::letter(letter, i + 1, pattern, alphabet);
        let read = |(i, letter)| match letter {
            '.' => Ok(None),
            _ => alphabet.tile(letter).map(Some).ok_or_else(|| bad(i, letter)),
        };
        let fixed: Vec<Option<Tile>> = pattern.chars().enumerate().map(read).collect::<Result<_, _>>()?;
        if fixed.len() != self.dims.cells() {
            let (board, cells) = (pattern.to_owned(), fixed.len());
            return Err(Error::BoardLength { board, cells, dims: self.dims });
        }
        let keeps = |s: &Vec<u8>| s.iter().zip(&fixed).all(|(&from, to)| fixed[usize::from(from)] == *to);
        self.symmetries.retain(keeps);
        self.fixed = fixed;
        Ok(self)
    }

    /// The shape of the boards.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Whether a search may come to this board.
    pub fn holds(&self, board: &Board) -> bool {
        board.dims() == self.dims
            && board.tiles().iter().zip(&self.fixed).all(|(tile, fixed)| match fixed {
                Some(letter) => letter == tile,
                None => self.letters.contains(tile),
            })
    }

    /// The smallest of the board's symmetric forms that are in this space, if the board is.
    pub fn canonical(&self, board: &Board) -> Board {
        board.canonical_by(&self.symmetries)
    }

    /// A board with random letters on its free cells.
    pub fn random(&self, rng: &mut impl Rng) -> Board {
        self.draw(|| *self.letters.choose(rng).expect("some letters are allowed"))
    }

    /// A board with random letters on its free cells, each as likely as its weight, which is not 0.
    pub(super) fn random_by(&self, weight: impl Fn(Tile) -> u64, rng: &mut impl Rng) -> Board {
        let mut sum = 0;
        let sums = self.letters.iter().map(|&tile| {
            sum += weight(tile);
            sum
        });
        let sums: Vec<u64> = sums.collect();
        self.draw(|| {
            let at = rng.random_range(0..sum);
            self.letters[sums.partition_point(|&sum| sum <= at)]
        })
    }

    fn draw(&self, mut letter: impl FnMut() -> Tile) -> Board {
        let tiles: Vec<Tile> = self.fixed.iter().map(|fixed| fixed.unwrap_or_else(&mut letter)).collect();
        Board::new(self.dims, &tiles)
    }

    /// The letters a free cell may hold.
    pub(super) fn letters(&self) -> &[Tile] {
        &self.letters
    }

    /// The cells that may change.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.dims.cells()).filter(|&c| self.fixed[c].is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn random_boards_and_their_canonical_forms_stay_inside() {
        let english = Alphabet::english();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for pattern in ["p..s....", "........", "s.......", "a..aa..a", "abcdefgh"] {
            let space = Space::new("2x4".parse().unwrap(), &english).excluding("aeQ", &english).unwrap();
            let space = space.fixing(pattern, &english).unwrap();
            for _ in 0..50 {
                let board = space.random(&mut rng);
                assert!(space.holds(&board), "{pattern} {board}");
                assert!(space.holds(&space.canonical(&board)), "{pattern} {board}");
                assert_eq!(space.canonical(&space.canonical(&board)), space.canonical(&board));
            }
        }
    }

    #[test]
    fn letters_are_drawn_by_their_weights() {
        let english = Alphabet::english();
        let space = Space::new("6x6".parse().unwrap(), &english).excluding("b", &english).unwrap();
        let weight = |tile: Tile| if tile < 3 { 1000 * u64::from(tile + 1) } else { 1 };
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut counts = [0; 26];
        for _ in 0..200 {
            let board = space.random_by(weight, &mut rng);
            board.tiles().iter().for_each(|&tile| counts[usize::from(tile)] += 1);
        }
        // Of 7,200 letters 1,789 are a and 5,369 c, on average, and 41 are others.
        assert!((1_600..2_000).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 0);
        assert!((5_100..5_600).contains(&counts[2]), "{counts:?}");
        assert!((10..100).contains(&counts[3..].iter().sum::<i32>()), "{counts:?}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let english = Alphabet::english();
        let space = Space::new("2x2".parse().unwrap(), &english);
        let message = |r: Result<Space, Error>| r.unwrap_err().to_string();
        assert!(message(space.clone().fixing("abc", &english)).contains("has 3 cells, but 2x2 has 4"));
        assert!(message(space.clone().fixing("ab?.", &english)).contains("'?' at position 3"));
        assert!(message(space.clone().excluding("a-z", &english)).contains("'-' at position 2"));
        let all = ('a'..='z').collect::<String>();
        assert!(message(space.excluding(&all, &english)).contains("every letter"));
    }
}
