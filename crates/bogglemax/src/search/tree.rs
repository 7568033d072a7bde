//! Prefix trees of word lists, for walks over boards that must know which string they have met.

use crate::simd::prefetch_at;
use crate::{MAX_TILES, Tile};

/// A node of a [`Tree`]. The children of a node stand side by side in the order of their letters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The letters that go on from here, as a bit mask.
    pub children: u32,
    first: u32,
    /// The letters on any way on from here, but for those on the first step.
    pub below: u32,
    /// 1 + the number of the word that ends here, or 0.
    pub word: u32,
}

impl Node {
    /// The node in four numbers: children, first child, letters below, word.
    fn row(self) -> [u32; 4] {
        [self.children, self.first, self.below, self.word]
    }

    /// The child for a letter, which must go on from here.
    #[inline(always)]
    pub fn child(self, letter: u32) -> u32 {
        self.first + (self.children & ((1u32 << letter) - 1)).count_ones()
    }

    /// The first child, if there is one.
    #[inline(always)]
    pub fn first_child(self) -> u32 {
        self.first
    }
}

/// The prefixes of a word list. Node 0 is the empty one.
///
/// Letters are numbered with the most common first. Good boards are made of common letters, so the
/// prefixes of common letters come first: what such boards touch stands close together and stays
/// in the processor's caches.
#[derive(Debug)]
pub(super) struct Tree {
    /// See [`Node::row`].
    nodes: Vec<[u32; 4]>,
}

/// For each word of a list, the nodes of its prefixes, itself included.
pub(super) struct Paths {
    nodes: Vec<u32>,
    starts: Vec<usize>,
}

impl Paths {
    /// The nodes of the prefixes of a word by their lengths.
    pub fn get(&self, word: usize) -> &[u32] {
        &self.nodes[self.starts[word]..self.starts[word + 1]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.nodes[ends[0]..ends[1]])
    }
}

impl Tree {
    /// The tree of sorted, different words that have these numbers; and their paths.
    pub fn new(words: &[Vec<Tile>], numbers: &[u32]) -> (Tree, Paths) {
        let mut grown = Grown::default();
        let mut paths = Paths { nodes: Vec::new(), starts: vec![0] };
        let mut path = vec![0];
        for (i, (word, &number)) in words.iter().zip(numbers).enumerate() {
            let before: &[Tile] = if i == 0 { &[] } else { &words[i - 1] };
            let shared = word.iter().zip(before).take_while(|(a, b)| a == b).count();
            path.truncate(shared + 1);
            word[shared..].iter().for_each(|&letter| path.push(grown.add(path[path.len() - 1], letter)));
            grown.words[path[path.len() - 1] as usize] = number + 1;
            paths.nodes.extend(&path);
            paths.starts.push(paths.nodes.len());
        }
        let (tree, places) = grown.lay_out();
        paths.nodes.iter_mut().for_each(|node| *node = places[*node as usize]);
        (tree, paths)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline(always)]
    pub fn node(&self, node: u32) -> Node {
        let [children, first, below, word] = self.nodes[node as usize];
        Node { children, first, below, word }
    }

    /// All nodes: of each the letters that go on from it, the first of its children, the letters on
    /// any way on from those, and 1 + the number of the word that ends there, or 0.
    #[inline(always)]
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.nodes
    }

    /// Asks for a node that is read soon.
    #[inline(always)]
    pub fn ask_for(&self, node: u32) {
        prefetch_at(&self.nodes, node as usize);
    }
}

/// A tree in the order in which sorted words make it: every node before its children.
struct Grown {
    letters: Vec<Tile>,
    words: Vec<u32>,
    first_child: Vec<u32>,
    last_child: Vec<u32>,
    next_sibling: Vec<u32>,
}

impl Default for Grown {
    fn default() -> Grown {
        let none = || vec![0];
        Grown {
            letters: vec![0],
            words: none(),
            first_child: none(),
            last_child: none(),
            next_sibling: none(),
        }
    }
}

impl Grown {
    fn add(&mut self, parent: u32, letter: Tile) -> u32 {
        let node = self.letters.len() as u32;
        self.letters.push(letter);
        for column in [&mut self.words, &mut self.first_child, &mut self.last_child, &mut self.next_sibling] {
            column.push(0);
        }
        match std::mem::replace(&mut self.last_child[parent as usize], node) {
            0 => self.first_child[parent as usize] = node,
            sibling => self.next_sibling[sibling as usize] = node,
        }
        node
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let next = |node: u32| (node != 0).then_some(node);
        std::iter::successors(next(self.first_child[node as usize]), move |&child| {
            next(self.next_sibling[child as usize])
        })
    }

    /// The tree, and where each node has come to.
    fn lay_out(self) -> (Tree, Vec<u32>) {
        let count = self.letters.len();
        let (mut places, mut firsts, mut next) = (vec![0u32; count], vec![0u32; count], 1u32);
        // The queue of a letter holds the nodes whose rarest letter it is.
        let mut queues: Vec<Vec<u32>> = vec![Vec::new(); MAX_TILES];
        queues[0].push(0);
        for rarest in 0..MAX_TILES {
            let mut done = 0;
            while let Some(&node) = queues[rarest].get(done) {
                done += 1;
                firsts[node as usize] = next;
                for child in self.children(node) {
                    places[child as usize] = next;
                    next += 1;
                    queues[rarest.max(self.letters[child as usize].into())].push(child);
                }
            }
        }
        let mut nodes = vec![Node::default(); count];
        for node in (0..count as u32).rev() {
            let (mut children, mut below) = (0, 0);
            for child in self.children(node) {
                children |= 1 << self.letters[child as usize];
                let child = nodes[places[child as usize] as usize];
                below |= child.children | child.below;
            }
            nodes[places[node as usize] as usize] =
                Node { children, first: firsts[node as usize], below, word: self.words[node as usize] };
        }
        (Tree { nodes: nodes.into_iter().map(Node::row).collect() }, places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_holds_its_words_and_knows_their_paths() {
        let words: Vec<Vec<Tile>> =
            [&[0, 1][..], &[0, 1, 2], &[0, 2, 2, 5], &[5, 1], &[31]].map(<[u8]>::to_vec).into();
        let (tree, paths) = Tree::new(&words, &[0, 1, 2, 3, 4]);
        assert_eq!(tree.len(), 1 + 3 + 2 + 1 + 1 + 1 + 1);
        for (number, word) in words.iter().enumerate() {
            let path = paths.get(number);
            assert_eq!((path.len(), path[0]), (word.len() + 1, 0));
            for (step, &letter) in path.windows(2).zip(word) {
                assert_eq!(tree.node(step[0]).children >> letter & 1, 1);
                assert_eq!(tree.node(step[0]).child(letter.into()), step[1]);
            }
            assert_eq!(tree.node(path[word.len()]).word, number as u32 + 1);
        }
        assert_eq!(tree.node(0).below, 1 << 1 | 1 << 2 | 1 << 5);
        assert_eq!(paths.iter().count(), words.len());
    }
}
