//! A word list as a minimal acyclic graph (DAWG): the prefix tree with equal subtrees shared.
//!
//! ENABLE2K's prefix tree has 382,000 nodes, its graph 122,000 records of eight bytes: what a
//! board touches of it stays in the second-level cache. The children of a node stand side by side
//! in order of their tiles, so a bit mask of tiles and the place of the first child are all a node
//! needs. A record carries no depth and no points: sharing would lose them, and every scoring can
//! use the same graph.
//!
//! This file is also compiled into the build script, which makes the graph of the built-in list;
//! it must not refer to the rest of the crate.

use std::collections::HashMap;

/// A node of the graph: which tiles continue it, whether a word ends here, where its children are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    /// The tiles that continue this prefix, as a bit mask.
    pub(crate) children: u32,
    /// Place of the first child << 1 | whether a word ends here.
    link: u32,
}

impl Record {
    /// 1 if the prefix is a word, else 0.
    #[inline(always)]
    pub(crate) fn is_word(self) -> u32 {
        self.link & 1
    }

    /// The place of the child for the tile whose bit is `bit`; the child must exist.
    #[inline(always)]
    pub(crate) fn child(self, bit: u32) -> usize {
        ((self.link >> 1) + (self.children & bit.wrapping_sub(1)).count_ones()) as usize
    }
}

/// The graph of a word list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dawg {
    /// INVARIANT: for every record r here, and for the root, the places `first ..
    /// first + popcount(r.children)` lie within the vector.
    records: Vec<Record>,
    root: Record,
    words: usize,
}

impl Dawg {
    /// Builds the graph of words that are sorted and distinct. Takes time and memory in proportion
    /// to the prefix tree.
    pub(crate) fn from_sorted<W: AsRef<[u8]>>(words: &[W]) -> Dawg {
        debug_assert!(words.windows(2).all(|w| w[0].as_ref() < w[1].as_ref()));
        let mut builder = Builder { records: Vec::new(), places: HashMap::new() };
        let root = builder.node(words, 0);
        let records = breadth_first(&builder.records, root);
        Dawg { root: records.1, records: records.0, words: words.len() }
    }

    /// The node of the empty prefix.
    #[inline(always)]
    pub(crate) fn root(&self) -> Record {
        self.root
    }

    /// All records; [`Record::child`] is an index into them.
    #[inline(always)]
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Number of words.
    pub(crate) fn len(&self) -> usize {
        self.words
    }

    /// Calls `f` with every word, in alphabetical order.
    pub(crate) fn for_each_word(&self, f: &mut impl FnMut(&[u8])) {
        self.visit(self.root, &mut Vec::new(), f);
    }

    fn visit(&self, node: Record, prefix: &mut Vec<u8>, f: &mut impl FnMut(&[u8])) {
        if node.is_word() == 1 {
            f(prefix);
        }
        let mut rest = node.children;
        while rest != 0 {
            prefix.push(rest.trailing_zeros() as u8);
            self.visit(self.records[node.child(rest & rest.wrapping_neg())], prefix, f);
            prefix.pop();
            rest &= rest - 1;
        }
    }

    /// The graph as bytes, for the build script.
    #[allow(dead_code)] // unused outside the build script
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.words as u64).to_le_bytes().to_vec();
        for record in std::iter::once(&self.root).chain(&self.records) {
            bytes.extend(record.children.to_le_bytes());
            bytes.extend(record.link.to_le_bytes());
        }
        bytes
    }

    /// The graph that [`to_bytes`](Dawg::to_bytes) wrote. Trusts its input, which is part of the
    /// program.
    #[allow(dead_code)] // unused in the build script
    pub(crate) fn from_bytes(bytes: &[u8]) -> Dawg {
        let (words, rest) = bytes.split_first_chunk().expect("a header");
        let half = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes"));
        let mut records =
            rest.chunks_exact(8).map(|b| Record { children: half(&b[..4]), link: half(&b[4..]) });
        let root = records.next().expect("a root");
        Dawg { words: u64::from_le_bytes(*words) as usize, root, records: records.collect() }
    }
}

/// Hash-conses lists of siblings: `places` knows every list that stands in `records`.
struct Builder {
    records: Vec<Record>,
    places: HashMap<Box<[Record]>, u32>,
}

impl Builder {
    /// The record of a prefix of `depth` tiles, given the words that begin with it.
    fn node<W: AsRef<[u8]>>(&mut self, mut words: &[W], depth: usize) -> Record {
        let mut is_word = 0;
        if let Some((first, rest)) = words.split_first()
            && first.as_ref().len() == depth
        {
            is_word = 1;
            words = rest;
        }
        let (mut children, mut siblings) = (0, Vec::new());
        while let Some(first) = words.first() {
            let tile = first.as_ref()[depth];
            let (group, rest) = words.split_at(words.partition_point(|w| w.as_ref()[depth] == tile));
            children |= 1 << tile;
            siblings.push(self.node(group, depth + 1));
            words = rest;
        }
        Record { children, link: self.place(siblings) << 1 | is_word }
    }

    /// Lists that are equal record by record stand for the same suffixes *below* each sibling, but
    /// for other tiles they may hang under another mask; that is the parent's business.
    fn place(&mut self, siblings: Vec<Record>) -> u32 {
        if siblings.is_empty() {
            return 0;
        }
        let next = self.records.len() as u32;
        *self.places.entry(siblings.into_boxed_slice()).or_insert_with_key(|list| {
            self.records.extend_from_slice(list);
            next
        })
    }
}

/// Moves the lists into the order in which a breadth-first walk meets them, so that the short
/// prefixes every board looks at stand together.
fn breadth_first(records: &[Record], root: Record) -> (Vec<Record>, Record) {
    let mut moved: HashMap<(u32, u32), u32> = HashMap::new();
    let mut lists: Vec<(u32, u32)> = Vec::new();
    let mut next = 0;
    let mut relink = |node: Record, lists: &mut Vec<(u32, u32)>| {
        let (first, len) = (node.link >> 1, node.children.count_ones());
        let place = if len == 0 {
            0
        } else {
            *moved.entry((first, len)).or_insert_with(|| {
                lists.push((first, len));
                next += len;
                next - len
            })
        };
        Record { link: place << 1 | node.is_word(), ..node }
    };
    let root = relink(root, &mut lists);
    let mut ordered = Vec::with_capacity(records.len());
    let mut done = 0;
    while done < lists.len() {
        let (first, len) = lists[done];
        for node in &records[first as usize..(first + len) as usize] {
            ordered.push(relink(*node, &mut lists));
        }
        done += 1;
    }
    (ordered, root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(dawg: &Dawg) -> Vec<Vec<u8>> {
        let mut words = Vec::new();
        dawg.for_each_word(&mut |w| words.push(w.to_vec()));
        words
    }

    #[test]
    fn holds_exactly_its_words_and_shares_endings() {
        let words: Vec<Vec<u8>> =
            [&[0, 1][..], &[0, 1, 2], &[0, 1, 2, 2], &[5, 1], &[5, 1, 2], &[5, 1, 2, 2], &[6]]
                .map(<[u8]>::to_vec)
                .into();
        let dawg = Dawg::from_sorted(&words);
        assert_eq!(words_of(&dawg), words);
        assert_eq!(dawg.len(), 7);
        // The root's three children, and one shared chain 1 -> 2 -> 2.
        assert_eq!(dawg.records().len(), 3 + 3);
        assert_eq!(Dawg::from_bytes(&dawg.to_bytes()), dawg);
    }

    #[test]
    fn equal_lists_under_other_tiles_stay_apart() {
        // "ab" and "cd": the lists below a and c hold equal records, under the tiles b and d.
        let words: Vec<Vec<u8>> = vec![vec![0, 1], vec![2, 3]];
        assert_eq!(words_of(&Dawg::from_sorted(&words)), words);
    }
}
