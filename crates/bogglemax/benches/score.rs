//! `cargo bench -p bogglemax -- score`: the scorer against the paper's Listing 0, one thread.

mod harness;

use std::cell::Cell;
use std::hint::black_box;

use bogglemax::{Board, Dims, Lexicon, Scorer, Scoring, Tile};

/// A node of a prefix tree with a pointer for each letter.
#[derive(Default)]
struct Node {
    children: [Option<Box<Node>>; 26],
    is_word: bool,
    letters: usize,
    /// The last board on which the word was found.
    mark: Cell<u32>,
}

/// The paper's Listing 0, as one would write it down.
struct Listing0 {
    root: Node,
    neighbors: Vec<Vec<usize>>,
    points: Vec<u32>,
    boards: Cell<u32>,
}

impl Listing0 {
    fn new(lexicon: &Lexicon, scoring: &Scoring, dims: Dims) -> Listing0 {
        let mut root = Node::default();
        lexicon.for_each_word(|tiles| {
            let mut node = &mut root;
            for (i, &tile) in tiles.iter().enumerate() {
                node = node.children[usize::from(tile)].get_or_insert_default();
                node.letters = lexicon.alphabet().letters(&tiles[..=i]);
            }
            node.is_word = true;
        });
        let neighbors = (0..dims.cells()).map(|c| dims.neighbors(c).collect()).collect();
        Listing0 { root, neighbors, points: scoring.table(72), boards: Cell::new(0) }
    }

    fn score(&self, board: &[Tile]) -> u32 {
        self.boards.set(self.boards.get() + 1);
        let mut used = [false; 36];
        (0..board.len()).map(|cell| self.step(board, cell, &self.root, &mut used)).sum()
    }

    fn step(&self, board: &[Tile], cell: usize, node: &Node, used: &mut [bool; 36]) -> u32 {
        let mut score = 0;
        used[cell] = true;
        if let Some(child) = &node.children[usize::from(board[cell])] {
            if child.is_word && child.mark.get() != self.boards.get() {
                score += self.points[child.letters];
                child.mark.set(self.boards.get());
            }
            for &next in &self.neighbors[cell] {
                if !used[next] {
                    score += self.step(board, next, child, used);
                }
            }
        }
        used[cell] = false;
        score
    }
}

/// Boards of uniform random letters, by xorshift: the same on every run.
fn random_boards(dims: Dims, count: usize) -> Vec<Board> {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut tile = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 33) % 26) as Tile
    };
    (0..count).map(|_| Board::new(dims, &(0..dims.cells()).map(|_| tile()).collect::<Vec<_>>())).collect()
}

/// The known 4x4 boards of 3,500 points and more.
fn best_4x4() -> Vec<Board> {
    let list = include_str!("../tests/data/boards.4x4.enable2k.3500.txt");
    list.lines().map(|line| Board::parse(&line[..16], None).unwrap()).collect()
}

/// The best known 5x5 board, and its neighbours by one letter.
fn best_5x5() -> Vec<Board> {
    let best = Board::parse("ligdrmanesietildsracsepes", None).unwrap();
    let change = |cell: usize| {
        let mut board = best;
        board.set(cell, (best.tiles()[cell] + 1) % 26);
        board
    };
    std::iter::once(best).chain((0..25).map(change)).collect()
}

fn main() {
    if !harness::wanted("score") {
        return;
    }
    let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
    println!("score, one thread         boards/s     Listing 0      ratio");
    let square = |n| Dims::new(n, n).unwrap();
    for (name, boards, repeat) in [
        ("4x4 uniform random", random_boards(square(4), 10_000), 1),
        ("4x4 best", best_4x4(), 40),
        ("5x5 uniform random", random_boards(square(5), 5_000), 1),
        ("5x5 best", best_5x5(), 10),
    ] {
        let dims = boards[0].dims();
        let listing0 = Listing0::new(&lexicon, &scoring, dims);
        let mut scorer = Scorer::new(&lexicon, &scoring, dims);
        for board in &boards {
            assert_eq!(scorer.score(board), u64::from(listing0.score(board.tiles())), "{board}");
        }
        let ours = || {
            let total: u64 = (0..repeat).flat_map(|_| &boards).map(|b| scorer.score(b)).sum();
            black_box(total);
            boards.len() * repeat
        };
        let theirs = || {
            let total: u32 = (0..repeat).flat_map(|_| &boards).map(|b| listing0.score(b.tiles())).sum();
            black_box(total);
            boards.len() * repeat
        };
        let c = harness::compare(9, ours, theirs);
        println!("  {name:<20} {:>11.0} {:>13.0} {:>9.2}x", c.ours, c.theirs, c.ratio);
    }
}
