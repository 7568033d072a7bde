//! A trie that can skip one letter: what the walk over a board's neighbours follows.
//!
//! The *gap* of a prefix p is the trie of all words that begin with p, with the letter after p
//! left out: the merged tries of p's children. A walk that has matched p on the board steps
//! over one cell into the gap of p, and from there goes on along the letters of the board, once
//! for all letters the stepped-over cell might hold instead of once for each.
//!
//! Deep in a gap nearly every node comes from a single child of p. Such a node is not copied: it
//! is a [`GapNode`] that points back into the trie proper and remembers the skipped letter. This
//! keeps the gaps of ENABLE2K to about the size of its trie.

use crate::{Lexicon, Scoring, Tile, Trie, TrieNode};

/// Index of a word in a [`GapTrie`].
pub(super) type WordIndex = u32;

/// Marks a node that ends no word.
pub(super) const NO_WORD: WordIndex = WordIndex::MAX;

/// Marks a node without children, and a gap node that does not point into the trie proper.
pub(super) const NONE: u32 = u32::MAX;

/// A prefix of a word. Siblings stand side by side in order of their letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The first child, or [`NONE`].
    pub first: u32,
    /// Letters that every word from here on still needs: none if a word ends here.
    pub need: u32,
    /// Letters that some word from here on still uses.
    pub below: u32,
    /// The word that ends here, or [`NO_WORD`].
    pub word: WordIndex,
    /// The last letter of the prefix.
    pub letter: Tile,
    /// Whether this is the last of its siblings.
    pub last: bool,
}

/// A prefix with one letter left out. Siblings stand side by side in order of their letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapNode {
    /// The first child in the gap, or [`NONE`].
    pub first: u32,
    /// Letters that every word from here on still needs.
    pub need: u32,
    /// The first of the words that end here, in [`GapTrie::ends`], or [`NONE`].
    pub ends: u32,
    /// If only one letter fits into the gap: the node of the trie proper with that letter put
    /// back, whose subtree is this node's. Else [`NONE`], and `first` and `ends` hold.
    pub only: u32,
    /// The letter that fits if `only` is set.
    pub skipped: Tile,
    /// The letter after which this node stands; of no meaning for the gap of a prefix itself.
    pub letter: Tile,
    /// Whether this is the last of its siblings.
    pub last: bool,
}

/// A word that ends at a [`GapNode`], with the letter that was left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub word: WordIndex,
    pub skipped: Tile,
    /// Whether this is the last word that ends there.
    pub last: bool,
}

/// What a word is worth and where its [slots](GapTrie::slot) begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordInfo {
    /// Index into [`GapTrie::points`].
    pub class: u32,
    /// The letters of the word.
    letters: u32,
    first_slot: u32,
}

/// The trie of a word list with all its gaps.
#[derive(Debug)]
pub(super) struct GapTrie {
    /// Node 0 is the root.
    pub nodes: Vec<Node>,
    /// The first `nodes.len()` gap nodes are the gaps of the nodes.
    pub gaps: Vec<GapNode>,
    pub ends: Vec<End>,
    pub words: Vec<WordInfo>,
    /// The distinct values of words.
    pub points: Vec<u32>,
    slots: u32,
}

impl GapTrie {
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, max_tiles: usize) -> GapTrie {
        let trie = Trie::new(lexicon, scoring, max_tiles);
        let mut points: Vec<u32> = trie.words().iter().map(|w| w.points).collect();
        points.sort_unstable();
        points.dedup();
        let mut slots = 0;
        let info = |word: &crate::Word| {
            let letters = word.tiles.iter().fold(0u32, |mask, &t| mask | 1 << t);
            let class = points.partition_point(|&p| p < word.points) as u32;
            let first_slot = slots;
            slots += letters.count_ones();
            WordInfo { class, letters, first_slot }
        };
        let words = trie.words().iter().map(info).collect();
        let nodes = copy_nodes(&trie);
        let (gaps, ends) = GapBuilder::new(&nodes).build();
        GapTrie { nodes, gaps, ends, words, points, slots }
    }

    /// A number for the pair (word, letter of it): below [`slots`](GapTrie::slots).
    #[inline]
    pub fn slot(&self, word: WordIndex, letter: Tile) -> usize {
        let info = &self.words[word as usize];
        (info.first_slot + (info.letters & ((1 << letter) - 1)).count_ones()) as usize
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.slots as usize
    }
}

/// The trie's nodes in breadth-first order, with the letters needed and used below each.
fn copy_nodes(trie: &Trie) -> Vec<Node> {
    let node = |from: TrieNode, letter, last| {
        let word = from.word(trie).unwrap_or(NO_WORD);
        Node { first: NONE, need: 0, below: 0, word, letter, last }
    };
    let mut nodes = vec![node(trie.root(), 0, true)];
    let mut sources = vec![trie.root()];
    let mut next = 0;
    while next < nodes.len() {
        let source = sources[next];
        let mut letters = source.children(trie);
        if letters != 0 {
            nodes[next].first = nodes.len() as u32;
        }
        while letters != 0 {
            let letter = letters.trailing_zeros() as Tile;
            letters &= letters - 1;
            let child = source.child(trie, letter).expect("a letter that continues the prefix");
            nodes.push(node(child, letter, letters == 0));
            sources.push(child);
        }
        next += 1;
    }
    // Children stand after their parents, so one pass backwards sees them first.
    for i in (0..nodes.len()).rev() {
        let (mut need, mut below) = (u32::MAX, 0);
        for child in siblings(&nodes, nodes[i].first) {
            let bit = 1 << nodes[child].letter;
            need &= nodes[child].need | bit;
            below |= nodes[child].below | bit;
        }
        nodes[i].need = if nodes[i].word == NO_WORD { need } else { 0 };
        nodes[i].below = below;
    }
    nodes
}

/// The indices of a node and its later siblings.
fn siblings(nodes: &[Node], first: u32) -> impl Iterator<Item = usize> {
    let mut next = (first != NONE).then_some(first as usize);
    std::iter::from_fn(move || {
        let now = next?;
        next = (!nodes[now].last).then_some(now + 1);
        Some(now)
    })
}

/// The letters that fit into a gap, each with the node it leads to.
type Origins = Vec<(Tile, u32)>;

struct GapBuilder<'a> {
    nodes: &'a [Node],
    gaps: Vec<GapNode>,
    ends: Vec<End>,
    /// The gap nodes that are still to get their children.
    queue: Vec<(usize, Origins)>,
}

impl<'a> GapBuilder<'a> {
    fn new(nodes: &'a [Node]) -> Self {
        GapBuilder { nodes, gaps: Vec::with_capacity(nodes.len()), ends: Vec::new(), queue: Vec::new() }
    }

    fn build(mut self) -> (Vec<GapNode>, Vec<End>) {
        for node in self.nodes {
            let origins = siblings(self.nodes, node.first).map(|c| (self.nodes[c].letter, c as u32)).collect();
            self.push(0, true, origins);
        }
        while let Some((gap, origins)) = self.queue.pop() {
            self.add_children(gap, &origins);
        }
        (self.gaps, self.ends)
    }

    fn push(&mut self, letter: Tile, last: bool, origins: Origins) {
        let mut gap = GapNode { first: NONE, need: 0, ends: NONE, only: NONE, skipped: 0, letter, last };
        gap.need = origins.iter().fold(u32::MAX, |need, &(_, n)| need & self.nodes[n as usize].need);
        if let [(skipped, node)] = origins[..] {
            (gap.skipped, gap.only) = (skipped, node);
        } else if !origins.is_empty() {
            gap.ends = self.push_ends(&origins);
            self.queue.push((self.gaps.len(), origins));
        }
        self.gaps.push(gap);
    }

    fn push_ends(&mut self, origins: &Origins) -> u32 {
        let start = self.ends.len();
        for &(skipped, node) in origins {
            let word = self.nodes[node as usize].word;
            if word != NO_WORD {
                self.ends.push(End { word, skipped, last: false });
            }
        }
        match self.ends[start..].last_mut() {
            Some(end) => {
                end.last = true;
                start as u32
            }
            None => NONE,
        }
    }

    fn add_children(&mut self, gap: usize, origins: &Origins) {
        let mut by_letter: Vec<(Tile, (Tile, u32))> = Vec::new();
        for &(skipped, node) in origins {
            for child in siblings(self.nodes, self.nodes[node as usize].first) {
                by_letter.push((self.nodes[child].letter, (skipped, child as u32)));
            }
        }
        by_letter.sort_unstable();
        if !by_letter.is_empty() {
            self.gaps[gap].first = self.gaps.len() as u32;
        }
        let mut groups = by_letter.chunk_by(|a, b| a.0 == b.0).peekable();
        while let Some(group) = groups.next() {
            let origins = group.iter().map(|&(_, origin)| origin).collect();
            self.push(group[0].0, groups.peek().is_none(), origins);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(trie: &GapTrie, gap: u32, path: &mut Vec<Tile>, found: &mut Vec<(Vec<Tile>, Tile, WordIndex)>) {
        let node = trie.gaps[gap as usize];
        if node.only != NONE {
            return collect_only(trie, node.only, node.skipped, path, found);
        }
        if node.ends != NONE {
            let mut i = node.ends as usize;
            loop {
                let end = trie.ends[i];
                found.push((path.clone(), end.skipped, end.word));
                if end.last {
                    break;
                }
                i += 1;
            }
        }
        let mut child = node.first;
        while child != NONE {
            path.push(trie.gaps[child as usize].letter);
            collect(trie, child, path, found);
            path.pop();
            child = if trie.gaps[child as usize].last { NONE } else { child + 1 };
        }
    }

    fn collect_only(
        trie: &GapTrie,
        node: u32,
        skipped: Tile,
        path: &mut Vec<Tile>,
        found: &mut Vec<(Vec<Tile>, Tile, WordIndex)>,
    ) {
        let at = trie.nodes[node as usize];
        if at.word != NO_WORD {
            found.push((path.clone(), skipped, at.word));
        }
        for child in siblings(&trie.nodes, at.first) {
            path.push(trie.nodes[child].letter);
            collect_only(trie, child as u32, skipped, path, found);
            path.pop();
        }
    }

    #[test]
    fn gaps_hold_every_word_once_for_each_of_its_letters() {
        let words = ["tea", "team", "teams", "ten", "sea", "seam", "quit", "aaa", "mate", "meat", "met"];
        let lexicon = Lexicon::from_words("test", words).unwrap();
        let trie = GapTrie::new(&lexicon, &Scoring::boggle(), 16);
        let mut expected = Vec::new();
        let mut index = 0;
        lexicon.for_each_word(|tiles| {
            for i in 0..tiles.len() {
                let rest: Vec<Tile> = tiles[i + 1..].to_vec();
                expected.push((tiles[..i].to_vec(), rest, tiles[i], index));
            }
            index += 1;
        });
        let mut found = Vec::new();
        fn visit(
            trie: &GapTrie,
            node: usize,
            prefix: &mut Vec<Tile>,
            found: &mut Vec<(Vec<Tile>, Vec<Tile>, Tile, u32)>,
        ) {
            let mut here = Vec::new();
            collect(trie, node as u32, &mut Vec::new(), &mut here);
            found.extend(here.into_iter().map(|(rest, skipped, word)| (prefix.clone(), rest, skipped, word)));
            for child in siblings(&trie.nodes, trie.nodes[node].first) {
                prefix.push(trie.nodes[child].letter);
                visit(trie, child, prefix, found);
                prefix.pop();
            }
        }
        visit(&trie, 0, &mut Vec::new(), &mut found);
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
