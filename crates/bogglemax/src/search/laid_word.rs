//! A word laid on the cells of a board, and the moves that lay it another way.

use rand::Rng;
use rand::seq::{IteratorRandom, SliceRandom};

use crate::{Dims, Tile};

/// A word on a path of cells that touch each other.
#[derive(Clone, Debug)]
pub(super) struct LaidWord {
    dims: Dims,
    word: Vec<Tile>,
    /// INVARIANT: as long as the word, no cell twice, each cell touches the next.
    path: Vec<usize>,
}

/// Steps of the search for a path before it begins anew from another cell.
const PATIENCE: usize = 10_000;
/// How often it begins anew.
const TRIES: usize = 50;

impl LaidWord {
    /// Lays a word on a random path, if one is found; in narrow shapes there may be none.
    pub fn random(word: &[Tile], dims: Dims, rng: &mut impl Rng) -> Option<LaidWord> {
        for _ in 0..TRIES {
            let mut path = vec![rng.random_range(0..dims.cells())];
            let mut patience = PATIENCE;
            if word.len() <= dims.cells() && extend(&mut path, word.len(), dims, rng, &mut patience) {
                return Some(LaidWord { dims, word: word.to_vec(), path });
            }
        }
        None
    }

    /// Whether the word lies on this cell.
    pub fn uses(&self, cell: usize) -> bool {
        self.path.contains(&cell)
    }

    /// The cells of the word, each with its tile.
    pub fn tiles(&self) -> impl Iterator<Item = (usize, Tile)> {
        self.path.iter().copied().zip(self.word.iter().copied())
    }

    /// Moves one end of the path to a cell next to it. If that cell is on the path, the part
    /// of the path between them turns round ("backbite"); else the other end lets go of its cell.
    pub fn move_an_end(&mut self, rng: &mut impl Rng) {
        let at_front = rng.random();
        if at_front {
            self.path.reverse();
        }
        let (dims, len) = (self.dims, self.path.len());
        if let Some(cell) = dims.neighbors(self.path[len - 1]).choose(rng) {
            match self.path.iter().position(|&c| c == cell) {
                Some(i) => self.path[i + 1..].reverse(),
                None => {
                    self.path.rotate_left(1);
                    self.path[len - 1] = cell;
                }
            }
        }
        if at_front {
            self.path.reverse();
        }
    }
}

/// Extends a path to `len` cells, trying those with few ways on first.
fn extend(path: &mut Vec<usize>, len: usize, dims: Dims, rng: &mut impl Rng, patience: &mut usize) -> bool {
    if path.len() >= len {
        return true;
    }
    let ways_on = |path: &[usize], cell| dims.neighbors(cell).filter(|n| !path.contains(n)).count();
    let mut next: Vec<usize> = dims.neighbors(path[path.len() - 1]).filter(|n| !path.contains(n)).collect();
    next.shuffle(rng);
    next.sort_by_key(|&cell| ways_on(path, cell));
    for cell in next {
        *patience = patience.saturating_sub(1);
        if *patience == 0 {
            return false;
        }
        path.push(cell);
        if extend(path, len, dims, rng, patience) {
            return true;
        }
        path.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn moves_keep_the_word_on_a_path() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (dims, len) in [("4x4", 16), ("4x4", 9), ("1x6", 6), ("1x6", 4), ("6x6", 36), ("2x2", 1)] {
            let dims: Dims = dims.parse().unwrap();
            let word: Vec<Tile> = (0..len).map(|i| i as Tile % 26).collect();
            let mut laid = LaidWord::random(&word, dims, &mut rng).expect("a path");
            for _ in 0..200 {
                laid.move_an_end(&mut rng);
                let path: Vec<usize> = laid.tiles().map(|(cell, _)| cell).collect();
                assert_eq!(laid.tiles().map(|(_, tile)| tile).collect::<Vec<_>>(), word);
                assert!(path.windows(2).all(|p| dims.neighbor_mask(p[0]) >> p[1] & 1 == 1), "{path:?}");
                assert!((0..len).all(|i| !path[..i].contains(&path[i])), "{path:?}");
            }
        }
        assert!(LaidWord::random(&[0; 5], Dims::new(2, 2).unwrap(), &mut rng).is_none());
    }
}
