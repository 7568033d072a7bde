//! The score of a single board, by the search that the game itself describes.

use crate::grid::Grid;
use crate::words::{WordList, spell};

/// Points by the number of letters of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scoring {
    /// The last entry stands for all longer words.
    table: Vec<u32>,
}

impl Scoring {
    /// `boggle`, `words`, `pow2`, or points by length separated by commas.
    pub fn parse(text: &str) -> Option<Scoring> {
        let table = match text {
            "boggle" => vec![0, 0, 0, 1, 1, 2, 3, 5, 11],
            "words" => vec![0, 0, 0, 1],
            "pow2" => (0..35).map(|letters| if letters < 3 { 0 } else { 1 << (letters - 3) }).collect(),
            list => list.split(',').map(|points| points.trim().parse().ok()).collect::<Option<Vec<u32>>>()?,
        };
        Some(Scoring { table })
    }

    fn points(&self, letters: usize) -> u32 {
        self.table[letters.min(self.table.len() - 1)]
    }
}

/// A word that fits on the boards of a run and is worth something.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// What its cells hold.
    pub cells: Vec<u8>,
    pub points: u32,
}

/// The words of a list that matter on boards of this many cells.
pub(crate) fn words_that_matter(list: &WordList, scoring: &Scoring, cells: usize) -> Vec<Word> {
    let word = |text: &String| Word {
        cells: spell(text).expect("a cleaned list"),
        points: scoring.points(text.len()),
    };
    list.words().iter().map(word).filter(|w| w.cells.len() <= cells && w.points > 0).collect()
}

/// The words as a tree: each node leads on by letter.
#[derive(Clone, Debug)]
pub(crate) struct Trie {
    nodes: Vec<TrieNode>,
}

#[derive(Clone, Debug, Default)]
struct TrieNode {
    /// 0 where no word goes on: the root is nobody's child.
    children: [u32; 26],
    /// Points of the word that ends here, 0 if none does.
    points: u32,
}

impl Trie {
    pub fn new(words: &[Word]) -> Trie {
        let mut nodes = vec![TrieNode::default()];
        for word in words {
            let mut at = 0;
            for &letter in &word.cells {
                if nodes[at].children[usize::from(letter)] == 0 {
                    nodes[at].children[usize::from(letter)] = nodes.len() as u32;
                    nodes.push(TrieNode::default());
                }
                at = nodes[at].children[usize::from(letter)] as usize;
            }
            nodes[at].points = word.points;
        }
        Trie { nodes }
    }
}

/// Scores boards one after the other.
pub(crate) struct Scorer<'a> {
    grid: &'a Grid,
    trie: &'a Trie,
    /// For each node of the trie the last board on which its word was found.
    found_on: Vec<u64>,
    board_number: u64,
}

impl<'a> Scorer<'a> {
    pub fn new(grid: &'a Grid, trie: &'a Trie) -> Scorer<'a> {
        Scorer { grid, trie, found_on: vec![0; trie.nodes.len()], board_number: 0 }
    }

    /// S(B): the points of all words on the board, each counted once.
    pub fn score(&mut self, board: &[u8]) -> u64 {
        self.board_number += 1;
        (0..board.len()).map(|cell| self.step(board, cell, 0, 0)).sum()
    }

    /// Points of the words not found before whose next letter is on `cell`; `at` is where the
    /// letters so far led, `used` the cells they stand on.
    fn step(&mut self, board: &[u8], cell: usize, at: usize, used: u64) -> u64 {
        let node = self.trie.nodes[at].children[usize::from(board[cell])] as usize;
        if node == 0 {
            return 0;
        }
        let used = used | 1 << cell;
        let mut score = 0;
        if self.found_on[node] != self.board_number {
            self.found_on[node] = self.board_number;
            score += u64::from(self.trie.nodes[node].points);
        }
        let grid = self.grid;
        for &next in &grid.neighbors[cell] {
            if used >> next & 1 == 0 {
                score += self.step(board, next, node, used);
            }
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::parse_board;

    fn score(words: &WordList, scoring: &str, dims: &str, board: &str) -> u64 {
        let (grid, scoring) = (Grid::parse(dims).unwrap(), Scoring::parse(scoring).unwrap());
        let trie = Trie::new(&words_that_matter(words, &scoring, grid.cells()));
        Scorer::new(&grid, &trie).score(&parse_board(board, grid.cells(), (1 << 26) - 1).unwrap())
    }

    #[test]
    fn known_boards_have_their_scores() {
        let enable2k = WordList::enable2k();
        assert_eq!(score(&enable2k, "boggle", "4x4", "perslatgsineters"), 3_625);
        assert_eq!(score(&enable2k, "words", "4x4", "perslatgsineters"), 1_045);
        assert_eq!(score(&enable2k, "boggle", "3x3", "deslatper"), 545);
    }

    #[test]
    fn words_count_once_and_cells_are_used_once() {
        let list = WordList::from_text("x", b"tea\nteat\nquit\n").unwrap();
        assert_eq!(score(&list, "boggle", "2x2", "teat"), 2);
        assert_eq!(score(&list, "boggle", "2x2", "teax"), 1);
        assert_eq!(score(&list, "0,0,0,0,7", "1x3", "qit"), 7); // four letters on three cells
        assert_eq!(score(&list, "boggle", "1x4", "taex"), 0);
        assert_eq!(score(&list, "pow2", "2x2", "teat"), 3);
        for text in ["", "bogle", "1,,2", "-1"] {
            assert!(Scoring::parse(text).is_none(), "{text}");
        }
    }
}
