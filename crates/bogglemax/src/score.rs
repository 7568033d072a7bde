//! Scores of single boards: S, M and D of the paper, and the words themselves.

use crate::{Board, Dims, Lexicon, Scoring, Tile, Trie, TrieNode, WordId};

/// Scores boards of one shape under one word list and scoring.
///
/// Not `Sync`: it holds scratch space. Clone it for another thread; the clone shares the words.
#[derive(Clone, Debug)]
pub struct Scorer {
    dims: Dims,
    trie: std::sync::Arc<Trie>,
    neighbors: Vec<u64>,
    /// Points of a word not seen on this board are added once; `seen[w] == stamp` marks it seen.
    seen: Vec<u64>,
    stamp: u64,
}

/// A word on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundWord {
    /// Its tiles.
    pub tiles: Vec<Tile>,
    /// What it is worth.
    pub points: u32,
    /// The cells it lies on, in the order of its tiles.
    pub path: Vec<u8>,
}

impl Scorer {
    /// Prepares for boards of this shape.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Scorer {
        let trie = Trie::new(lexicon, scoring, dims.cells());
        let neighbors = (0..dims.cells()).map(|c| dims.neighbor_mask(c)).collect();
        Scorer { dims, seen: vec![0; trie.words().len()], trie: trie.into(), neighbors, stamp: 0 }
    }

    /// S(B): every word counts once.
    pub fn score(&mut self, board: &Board) -> u64 {
        assert_eq!(board.dims(), self.dims);
        self.stamp += 1;
        let (seen, stamp, words) = (&mut self.seen, self.stamp, self.trie.words());
        let mut total = 0;
        walk(&self.trie, &self.neighbors, board.tiles(), &mut |word, _, _| {
            if seen[word as usize] != stamp {
                seen[word as usize] = stamp;
                total += u64::from(words[word as usize].points);
            }
        });
        total
    }

    /// M(B): every path counts.
    pub fn multi(&mut self, board: &Board) -> u64 {
        assert_eq!(board.dims(), self.dims);
        let words = self.trie.words();
        let mut total = 0;
        walk(&self.trie, &self.neighbors, board.tiles(), &mut |word, _, _| {
            total += u64::from(words[word as usize].points)
        });
        total
    }

    /// D(B): a word counts once for every set of cells it can be formed on.
    pub fn dedup(&mut self, board: &Board) -> u64 {
        assert_eq!(board.dims(), self.dims);
        let mut sets = std::collections::HashSet::new();
        let words = self.trie.words();
        walk(&self.trie, &self.neighbors, board.tiles(), &mut |word, used, _| {
            sets.insert((word, used));
        });
        sets.iter().map(|&(w, _)| u64::from(words[w as usize].points)).sum()
    }
}

fn walk(trie: &Trie, neighbors: &[u64], tiles: &[Tile], f: &mut impl FnMut(WordId, u64, &[u8])) {
    fn step(
        trie: &Trie,
        neighbors: &[u64],
        tiles: &[Tile],
        node: TrieNode,
        cells: u64,
        used: u64,
        path: &mut Vec<u8>,
        f: &mut impl FnMut(WordId, u64, &[u8]),
    ) {
        let mut rest = cells & !used;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(child) = node.child(trie, tiles[cell]) else { continue };
            path.push(cell as u8);
            let used = used | 1 << cell;
            if let Some(word) = child.word(trie) {
                f(word, used, path);
            }
            step(trie, neighbors, tiles, child, neighbors[cell], used, path, f);
            path.pop();
        }
    }
    step(trie, neighbors, tiles, trie.root(), (1 << tiles.len()) - 1, 0, &mut Vec::new(), f);
}
