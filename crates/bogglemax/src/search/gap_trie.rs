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
//!
//! Walks over good boards come to a small part of all this again and again: what is spelled with
//! common letters, but for at most one. What they touch stands close together, so that it stays in
//! the processor's caches: nodes, gaps and words are laid out by [`Heat`]. This alone makes
//! the walk several times faster.

use crate::{Lexicon, MAX_TILES, Scoring, Tile, Trie, TrieNode, Word};

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
        let ranks = Ranks::new(trie.words());
        let (words, points, numbers) = number_words(trie.words(), &ranks);
        let slots = words.iter().map(|w| w.letters.count_ones()).sum();
        let (nodes, heats) = copy_nodes(&trie, &ranks, &numbers);
        let (gaps, ends) = GapBuilder::new(&nodes, &ranks).build(&heats);
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

/// The ranks of the letters by how often words use them, the most common first.
struct Ranks([u8; MAX_TILES]);

impl Ranks {
    fn new(words: &[Word]) -> Ranks {
        let mut counts = [0u32; MAX_TILES];
        words.iter().flat_map(|w| &w.tiles).for_each(|&t| counts[usize::from(t)] += 1);
        let mut order: Vec<usize> = (0..MAX_TILES).collect();
        order.sort_by_key(|&t| std::cmp::Reverse(counts[t]));
        let mut ranks = [0; MAX_TILES];
        order.iter().enumerate().for_each(|(rank, &t)| ranks[t] = rank as u8);
        Ranks(ranks)
    }
}

/// How likely good boards lead to a string of letters: by the ranks of its two rarest letters.
#[derive(Clone, Copy, Default)]
struct Heat {
    rarest: u8,
    second: u8,
}

/// One more than the highest [`Heat::level`].
const LEVELS: usize = 4;

impl Heat {
    fn with(self, letter: Tile, ranks: &Ranks) -> Heat {
        let rank = ranks.0[usize::from(letter)];
        let (rarest, other) = (self.rarest.max(rank), self.rarest.min(rank));
        Heat { rarest, second: self.second.max(other) }
    }

    /// What has the same level is laid out together, the most common letters first. Few levels,
    /// for within a level neighbours in the trie are neighbours in memory.
    fn level(rank: u8) -> usize {
        [10, 14, 18].iter().filter(|&&limit| rank >= limit).count()
    }
}

/// A stack for each level of heat.
struct Levels<T>([Vec<T>; LEVELS]);

impl<T> Levels<T> {
    fn new() -> Levels<T> {
        Levels(std::array::from_fn(|_| Vec::new()))
    }

    fn push(&mut self, level: usize, item: T) {
        self.0[level].push(item);
    }

    /// The last of the hottest.
    fn pop(&mut self) -> Option<T> {
        self.0.iter_mut().find_map(Vec::pop)
    }
}

/// The words from the hottest to the coldest, their values, and for each word of the trie its number
/// in that order.
fn number_words(words: &[Word], ranks: &Ranks) -> (Vec<WordInfo>, Vec<u32>, Vec<WordIndex>) {
    let mut points: Vec<u32> = words.iter().map(|w| w.points).collect();
    points.sort_unstable();
    points.dedup();
    let heat = |word: &Word| word.tiles.iter().fold(Heat::default(), |heat, &t| heat.with(t, ranks));
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&w| Heat::level(heat(&words[w]).second));
    let mut numbers = vec![0; words.len()];
    let (mut infos, mut first_slot) = (Vec::with_capacity(words.len()), 0);
    for (number, &w) in order.iter().enumerate() {
        numbers[w] = number as WordIndex;
        let letters = words[w].tiles.iter().fold(0u32, |mask, &t| mask | 1 << t);
        let class = points.partition_point(|&p| p < words[w].points) as u32;
        infos.push(WordInfo { class, letters, first_slot });
        first_slot += letters.count_ones();
    }
    (infos, points, numbers)
}

/// The trie's nodes, with the letters needed and used below each, and how hot they are.
fn copy_nodes(trie: &Trie, ranks: &Ranks, numbers: &[WordIndex]) -> (Vec<Node>, Vec<Heat>) {
    let node = |from: TrieNode, letter, last| {
        let word = from.word(trie).map_or(NO_WORD, |w| numbers[w as usize]);
        Node { first: NONE, need: 0, below: 0, word, letter, last }
    };
    let mut nodes = vec![node(trie.root(), 0, true)];
    let mut heats = vec![Heat::default()];
    let mut sources = vec![trie.root()];
    let mut queue = Levels::new();
    queue.push(0, 0);
    while let Some(parent) = queue.pop() {
        let source = sources[parent];
        let mut letters = source.children(trie);
        if letters != 0 {
            nodes[parent].first = nodes.len() as u32;
        }
        while letters != 0 {
            let letter = letters.trailing_zeros() as Tile;
            letters &= letters - 1;
            let child = source.child(trie, letter).expect("a letter that continues the prefix");
            nodes.push(node(child, letter, letters == 0));
            heats.push(heats[parent].with(letter, ranks));
            sources.push(child);
        }
        // The first child goes last on the stack, so that it is laid out first.
        for child in siblings(&nodes, nodes[parent].first).collect::<Vec<_>>().into_iter().rev() {
            queue.push(Heat::level(heats[child].second), child);
        }
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
    (nodes, heats)
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
    ranks: &'a Ranks,
    gaps: Vec<GapNode>,
    ends: Vec<End>,
    /// The gap nodes that are still to get their children.
    queue: Levels<(usize, Heat, Origins)>,
}

impl<'a> GapBuilder<'a> {
    fn new(nodes: &'a [Node], ranks: &'a Ranks) -> Self {
        let gaps = Vec::with_capacity(nodes.len());
        GapBuilder { nodes, ranks, gaps, ends: Vec::new(), queue: Levels::new() }
    }

    fn build(mut self, heats: &[Heat]) -> (Vec<GapNode>, Vec<End>) {
        for (node, &heat) in self.nodes.iter().zip(heats) {
            let origins = siblings(self.nodes, node.first).map(|c| (self.nodes[c].letter, c as u32)).collect();
            self.push(0, true, heat, origins);
        }
        while let Some((gap, heat, origins)) = self.queue.pop() {
            self.add_children(gap, heat, &origins);
        }
        (self.gaps, self.ends)
    }

    fn push(&mut self, letter: Tile, last: bool, heat: Heat, origins: Origins) {
        let mut gap = GapNode { first: NONE, need: 0, ends: NONE, only: NONE, skipped: 0, letter, last };
        gap.need = origins.iter().fold(u32::MAX, |need, &(_, n)| need & self.nodes[n as usize].need);
        if let [(skipped, node)] = origins[..] {
            (gap.skipped, gap.only) = (skipped, node);
        } else if !origins.is_empty() {
            gap.ends = self.push_ends(&origins);
            // The letter left out may be any: all others must be common.
            self.queue.push(Heat::level(heat.rarest), (self.gaps.len(), heat, origins));
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

    fn add_children(&mut self, gap: usize, heat: Heat, origins: &Origins) {
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
            self.push(group[0].0, groups.peek().is_none(), heat.with(group[0].0, self.ranks), origins);
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
        lexicon.for_each_word(|tiles| {
            for i in 0..tiles.len() {
                let rest: Vec<Tile> = tiles[i + 1..].to_vec();
                let letters = tiles.iter().fold(0u32, |mask, &t| mask | 1 << t);
                expected.push((tiles[..i].to_vec(), rest, tiles[i], letters));
            }
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
            found.extend(here.into_iter().map(|(rest, skipped, word)| {
                (prefix.clone(), rest, skipped, trie.words[word as usize].letters)
            }));
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
