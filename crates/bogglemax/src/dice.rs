//! Dice: rolling boards, and which boards can be rolled.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::alphabet::BLANK;
use crate::{Alphabet, Board, Dims, Error, Language, Tile};

/// A set of dice that fills a board.
///
/// ```
/// use bogglemax::{Board, DiceSet};
///
/// let new = DiceSet::named("new").unwrap();
/// let board = Board::parse("perslatgsineters", None)?;
/// let dice = new.assign(&board).expect("a die for every cell");
/// assert!(new.dice()[dice[0]].shows(board.tiles()[0]));
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiceSet {
    name: String,
    title: String,
    dims: Dims,
    dice: Vec<Die>,
}

/// A die.
#[derive(Clone, Debug)]
pub struct Die {
    /// As printed, with blanks between the faces.
    text: String,
    /// The faces that are tiles of the alphabet.
    faces: Vec<Tile>,
}

impl DiceSet {
    /// The English set of this name: `classic` (1976) and `new` (1987) for 4x4, `big` 5x5, `super`
    /// 6x6. Other languages have [their own](Language::dice).
    pub fn named(name: &str) -> Option<DiceSet> {
        Language::english().dice().iter().find(|set| set.name == name).cloned()
    }

    /// The English set for boards of this shape, the newest if there are several.
    pub fn for_dims(dims: Dims) -> Option<DiceSet> {
        Language::english().dice_for(dims).cloned()
    }

    /// A set from text: one die a line, its faces separated by blanks, `-` or `_` for a face without
    /// a letter.
    ///
    /// Faces that are no tile of the alphabet are never rolled.
    ///
    /// # Errors
    /// If the dice fill no square board, or a die has no face that is a tile.
    pub fn parse(name: &str, title: &str, dice: &str, alphabet: &Alphabet) -> Result<DiceSet, Error> {
        let bad = |why| Error::LanguageFile { name: name.to_owned(), why };
        let lines = dice.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let dice: Vec<Die> = lines.map(|line| Die::read(line, alphabet)).collect();
        if let Some(die) = dice.iter().find(|die| die.faces.is_empty()) {
            return Err(bad(format!("no face of the die '{}' is a tile", die.text)));
        }
        let dims = Dims::square_of(dice.len());
        let dims = dims.ok_or_else(|| bad(format!("{} dice fill no square board", dice.len())))?;
        Ok(DiceSet { name: name.to_owned(), title: title.to_owned(), dims, dice })
    }

    /// The set's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the set is, for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The shape of the board the set fills.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// The dice.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// Shakes: a random die on each cell, a random face of each up. Returns the board and the index
    /// of each cell's die.
    pub fn roll(&self, rng: &mut impl Rng) -> (Board, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.dice.len()).collect();
        order.shuffle(rng);
        let faces = order.iter().map(|&die| &self.dice[die].faces);
        let tiles: Vec<Tile> = faces.map(|faces| faces[rng.random_range(0..faces.len())]).collect();
        (Board::new(self.dims, &tiles), order)
    }

    /// The index of a die for each cell, all different, that can show the board; `None` if the
    /// board cannot be rolled. Exact: a maximum matching of cells and dice (Kuhn's algorithm).
    pub fn assign(&self, board: &Board) -> Option<Vec<usize>> {
        let tiles = board.tiles();
        if tiles.len() != self.dice.len() {
            return None;
        }
        let mut cell_of: Vec<Option<usize>> = vec![None; self.dice.len()];
        for cell in 0..tiles.len() {
            if !self.place(tiles, cell, &mut cell_of, &mut vec![false; self.dice.len()]) {
                return None;
            }
        }
        let mut die_of = vec![0; tiles.len()];
        for (die, cell) in cell_of.iter().enumerate() {
            die_of[cell.expect("as many dice as cells")] = die;
        }
        Some(die_of)
    }

    /// Finds a die for a cell, moving other cells to other dice where that helps.
    fn place(&self, tiles: &[Tile], cell: usize, cell_of: &mut [Option<usize>], tried: &mut [bool]) -> bool {
        for die in 0..self.dice.len() {
            if !self.dice[die].shows(tiles[cell]) || std::mem::replace(&mut tried[die], true) {
                continue;
            }
            let is_free = match cell_of[die] {
                None => true,
                Some(other) => self.place(tiles, other, cell_of, tried),
            };
            if is_free {
                cell_of[die] = Some(cell);
                return true;
            }
        }
        false
    }
}

impl Die {
    fn read(text: &str, alphabet: &Alphabet) -> Die {
        let tile = |face: &str| alphabet.tile_of(if face == "-" { BLANK } else { face });
        Die { text: text.to_owned(), faces: text.split_whitespace().filter_map(tile).collect() }
    }

    /// Whether a face shows this tile.
    pub fn shows(&self, tile: Tile) -> bool {
        self.faces.contains(&tile)
    }

    /// The faces as printed, without blanks: "ABJMOQu".
    pub fn text(&self) -> String {
        self.text.split_whitespace().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn all_sets() -> impl Iterator<Item = DiceSet> {
        Language::names().flat_map(|name| Language::named(name).unwrap().dice().to_vec())
    }

    #[test]
    fn every_set_fills_its_board_with_dice_of_six_faces() {
        for set in all_sets() {
            assert_eq!(set.dice().len(), set.dims().cells());
            assert!(set.title().ends_with(&set.dims().to_string()), "{}", set.title());
            for die in set.dice() {
                assert_eq!(die.text.split_whitespace().count(), 6, "{} {}", set.name(), die.text());
            }
        }
        assert_eq!(DiceSet::for_dims(Dims::new(4, 4).unwrap()).unwrap().name(), "new");
        assert!(DiceSet::for_dims(Dims::new(3, 3).unwrap()).is_none());
    }

    #[test]
    fn only_plain_english_leaves_faces_out() {
        let odd = ["An", "Er", "He", "In", "Th", "-"];
        for name in Language::names() {
            for set in Language::named(name).unwrap().dice() {
                for die in set.dice() {
                    let left_out = |face: &&str| name == "english" && odd.contains(face);
                    let tiles = die.text.split_whitespace().filter(|face| !left_out(face)).count();
                    assert_eq!(die.faces.len(), tiles, "{name} {} {}", set.name(), die.text());
                }
            }
        }
    }

    #[test]
    fn what_is_rolled_can_be_rolled() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for set in all_sets() {
            for _ in 0..50 {
                let (board, dice) = set.roll(&mut rng);
                assert!(dice.iter().zip(board.tiles()).all(|(&d, &t)| set.dice()[d].shows(t)));
                let assigned = set.assign(&board).expect("it was rolled");
                assert!(assigned.iter().zip(board.tiles()).all(|(&d, &t)| set.dice()[d].shows(t)));
                let mut sorted = assigned.clone();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..set.dice().len()), "every die once");
            }
        }
    }

    #[test]
    fn dice_that_cannot_be_used() {
        let message =
            |text: &str| DiceSet::parse("x", "x", text, &Alphabet::english()).unwrap_err().to_string();
        assert!(message("a b\nc d").contains("2 dice fill no square"));
        assert!(message("a b\nc d\n1 2\ne f").contains("'1 2'"));
    }

    /// Whether every set of cells has at least as many dice that show one of its tiles: Hall's
    /// condition, which holds exactly if all cells can be served.
    fn hall(set: &DiceSet, board: &Board) -> bool {
        let tiles = board.tiles();
        (0u32..1 << tiles.len()).all(|cells| {
            let wanted = |die: &&Die| (0..tiles.len()).any(|c| cells >> c & 1 == 1 && die.shows(tiles[c]));
            set.dice().iter().filter(wanted).count() >= cells.count_ones() as usize
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn assign_agrees_with_halls_condition(tiles in prop::collection::vec(0u8..26, 16)) {
            let board = Board::new(Dims::new(4, 4).unwrap(), &tiles);
            for name in ["classic", "new"] {
                let set = DiceSet::named(name).unwrap();
                prop_assert_eq!(set.assign(&board).is_some(), hall(&set, &board));
            }
        }
    }
}
