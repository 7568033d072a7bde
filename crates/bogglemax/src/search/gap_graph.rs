//! A word graph that can skip one letter: what the walk over a board's neighbours follows.
//!
//! The *gap* of a prefix p is the set of all words that begin with p, with the letter after p left
//! out. A walk that has matched p on the board steps over one cell into the gap of p, and from
//! there goes on along the letters of the board, once for all letters the stepped-over cell might
//! hold instead of once for each.
//!
//! Both the words and the gaps are minimal graphs, with equal endings shared. A gap is the set of
//! pairs (letter left out, state of the word graph after it); where one pair is left the
//! gap goes on in the word graph itself. ENABLE2K has 123,000 edges, and 370,000 in gaps.
//!
//! Sharing loses which word a path spells, so words are told apart by the sum of a random number
//! for each letter at each position. The sums of a word list are checked to be all different.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Lexicon, MAX_CELLS, MAX_TILES, Scoring, Tile};

/// Marks an edge after which no word goes on.
pub(super) const NONE: u32 = u32::MAX;

/// Marks a gap into which more than one letter fits.
pub(super) const ANY: Tile = Tile::MAX;

/// The low bits of a [`Spelled::key`] that are free for a letter.
const LETTER_BITS: u64 = MAX_TILES as u64 - 1;

/// One more letter of a word. The edges of a state stand side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The first edge after this one, or [`NONE`].
    pub first: u32,
    /// Letters that every word through here still needs: none if a word ends here.
    pub need: u32,
    pub letter: Tile,
    /// Whether a word ends here.
    pub word: bool,
    /// Whether this is the last edge of its state.
    pub last: bool,
}

/// One more letter of a word of which one letter before is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapEdge {
    /// The first edge after this one, or [`NONE`]: of the gap if `skipped` is [`ANY`], else of
    /// the words.
    pub first: u32,
    /// Letters that every word through here still needs: none if a word ends here.
    pub need: u32,
    /// The letters that make a word when they are put into the gap.
    pub ends: u32,
    /// The letters that make a word, or lead to one, when they are put into the gap.
    pub fits: u32,
    pub letter: Tile,
    /// The only letter that goes on from here when it is put into the gap, or [`ANY`].
    pub skipped: Tile,
    /// Whether this is the last edge of its state.
    pub last: bool,
}

/// What is known of a string of letters without its text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelled {
    /// Different for different words; a multiple of [`MAX_TILES`].
    pub key: u64,
    /// Number of tiles, one left out included.
    pub tiles: u8,
    /// Number of letters.
    pub letters: u8,
    /// Its tiles, as a bit mask.
    pub mask: u32,
}

/// The words of a list with all their gaps.
#[derive(Debug)]
pub(super) struct GapGraph {
    /// The edges of the empty prefix come first.
    pub edges: Vec<Edge>,
    pub gaps: Vec<GapEdge>,
    /// For the first edge of each state, how its gap begins; meaningless for the others.
    pub gap_of: Vec<GapEdge>,
    /// The value of a word by its number of letters.
    pub points: Vec<u32>,
    keys: Vec<[u64; MAX_TILES]>,
    tile_letters: [u8; MAX_TILES],
}

impl GapGraph {
    /// The words of the list with at most `max_tiles` tiles that are worth at least one point.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, max_tiles: usize) -> GapGraph {
        let alphabet = lexicon.alphabet();
        let mut words: Vec<Vec<Tile>> = Vec::new();
        lexicon.for_each_word(|tiles| {
            if tiles.len() <= max_tiles && scoring.points(alphabet.letters(tiles)) > 0 {
                words.push(tiles.to_vec());
            }
        });
        let mut tile_letters = [1; MAX_TILES];
        (0..alphabet.len()).for_each(|t| tile_letters[t] = alphabet.tile_letters(t as Tile) as u8);
        let longest = tile_letters.iter().fold(1, |most, &n| most.max(usize::from(n))) * max_tiles;
        let mut states = States::default();
        let root = states.of_words(&words, 0).1;
        let order = Layout::of_states(&states, root, &ranks(&words));
        let (gaps, gap_of) = GapBuilder::new(&states, &order).build();
        GapGraph {
            edges: order.edges(&states),
            gaps,
            gap_of,
            points: scoring.table(longest),
            keys: distinct_keys(&words),
            tile_letters,
        }
    }

    /// A string with one more letter.
    #[inline]
    pub fn with(&self, string: Spelled, letter: Tile) -> Spelled {
        let (key, letters) = self.with_skipped(string, string.tiles, letter);
        Spelled { key, letters, tiles: string.tiles + 1, mask: string.mask | 1 << letter }
    }

    /// A string whose next letter is left out.
    #[inline]
    pub fn with_gap(&self, string: Spelled) -> Spelled {
        Spelled { tiles: string.tiles + 1, ..string }
    }

    /// The key and number of letters of a string with the letter put in that was left out after
    /// `tiles` tiles.
    #[inline]
    pub fn with_skipped(&self, string: Spelled, tiles: u8, letter: Tile) -> (u64, u8) {
        let letter = usize::from(letter);
        let key = string.key.wrapping_add(self.keys[usize::from(tiles)][letter]);
        (key, string.letters + self.tile_letters[letter])
    }
}

/// The letters by how often words use them, the most common first.
fn ranks(words: &[Vec<Tile>]) -> [u8; MAX_TILES] {
    let mut counts = [0u32; MAX_TILES];
    words.iter().flatten().for_each(|&t| counts[usize::from(t)] += 1);
    let mut order: [usize; MAX_TILES] = std::array::from_fn(|t| t);
    order.sort_by_key(|&t| std::cmp::Reverse(counts[t]));
    let mut ranks = [0; MAX_TILES];
    order.iter().enumerate().for_each(|(rank, &t)| ranks[t] = rank as u8);
    ranks
}

/// A random number for each letter at each position, such that no two words have the same sum.
/// The low bits of the numbers are zero.
fn distinct_keys(words: &[Vec<Tile>]) -> Vec<[u64; MAX_TILES]> {
    (0..)
        .find_map(|seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let keys: Vec<[u64; MAX_TILES]> =
                (0..MAX_CELLS).map(|_| std::array::from_fn(|_| rng.random::<u64>() & !LETTER_BITS)).collect();
            let sum = |word: &Vec<Tile>| {
                word.iter().zip(&keys).fold(0u64, |sum, (&t, keys)| sum.wrapping_add(keys[usize::from(t)]))
            };
            let mut sums: Vec<u64> = words.iter().map(sum).collect();
            sums.sort_unstable();
            sums.windows(2).all(|pair| pair[0] != pair[1]).then_some(keys)
        })
        .expect("a seed without collisions comes sooner or later")
}

/// A letter, whether a word ends after it, and the state after it.
type Step = (Tile, bool, u32);

/// The minimal graph of a word list. State 0 has no steps.
struct States {
    steps: Vec<Box<[Step]>>,
    ids: HashMap<Box<[Step]>, u32>,
    /// For each state, the letters that every word uses from there on.
    needs: Vec<u32>,
}

impl Default for States {
    fn default() -> States {
        let empty: Box<[Step]> = Box::new([]);
        States { steps: vec![empty.clone()], ids: HashMap::from([(empty, 0)]), needs: vec![0] }
    }
}

impl States {
    /// Whether the prefix that sorted words share is one of them, and the state after it.
    fn of_words(&mut self, mut words: &[Vec<Tile>], depth: usize) -> (bool, u32) {
        let word = words.first().is_some_and(|w| w.len() == depth);
        if word {
            words = &words[1..];
        }
        let groups = words.chunk_by(|a, b| a[depth] == b[depth]);
        let steps = groups.map(|group| {
            let (word, state) = self.of_words(group, depth + 1);
            (group[0][depth], word, state)
        });
        let steps = steps.collect();
        (word, self.id(steps))
    }

    fn id(&mut self, steps: Box<[Step]>) -> u32 {
        if let Some(&id) = self.ids.get(&steps) {
            return id;
        }
        let id = self.steps.len() as u32;
        let need = steps
            .iter()
            .fold(u32::MAX, |need, &(letter, word, to)| need & (1 << letter | self.need(word, to)));
        self.needs.push(need);
        self.steps.push(steps.clone());
        self.ids.insert(steps, id);
        id
    }

    /// The letters that every word still needs after a step.
    fn need(&self, word: bool, to: u32) -> u32 {
        if word { 0 } else { self.needs[to as usize] }
    }
}

/// Where the edges of each state stand.
///
/// Good boards are made of common letters, so the states to which common letters lead come first,
/// and what they touch stays in the processor's caches.
struct Layout {
    order: Vec<u32>,
    first: Vec<u32>,
}

impl Layout {
    fn of_states(states: &States, root: u32, ranks: &[u8; MAX_TILES]) -> Layout {
        let mut layout = Layout { order: Vec::new(), first: vec![NONE; states.steps.len()] };
        let mut queue: Vec<Vec<u32>> = vec![Vec::new(); MAX_TILES + 1];
        queue[0].push(root);
        let mut next = 0;
        // The queue of a rank holds the states found by way of no rarer letter. Going to a more
        // common letter stays in the same queue.
        for rank in 0..queue.len() {
            while let Some(state) = queue[rank].pop() {
                if state == 0 || layout.first[state as usize] != NONE {
                    continue;
                }
                layout.first[state as usize] = next;
                layout.order.push(state);
                let steps = &states.steps[state as usize];
                next += steps.len() as u32;
                for &(letter, _, to) in steps.iter().rev() {
                    queue[rank.max(usize::from(ranks[usize::from(letter)]))].push(to);
                }
            }
        }
        layout
    }

    fn edges(&self, states: &States) -> Vec<Edge> {
        let mut edges = Vec::new();
        for &state in &self.order {
            let steps = &states.steps[state as usize];
            for (i, &(letter, word, to)) in steps.iter().enumerate() {
                let (first, need) = (self.first[to as usize], states.need(word, to));
                edges.push(Edge { first, need, letter, word, last: i + 1 == steps.len() });
            }
        }
        edges
    }
}

/// The letters that may have been left out, each with the state the rest has led to.
type Origins = Box<[(Tile, u32)]>;

struct GapBuilder<'a> {
    states: &'a States,
    layout: &'a Layout,
    /// The place in `origins` of every gap of two or more origins.
    ids: HashMap<Origins, u32>,
    origins: Vec<Origins>,
    /// Where the edges of each of `origins` begin.
    first: Vec<u32>,
    gaps: Vec<GapEdge>,
    /// The gaps that have no edges yet.
    queue: Vec<u32>,
}

impl<'a> GapBuilder<'a> {
    fn new(states: &'a States, layout: &'a Layout) -> Self {
        let (ids, origins, first) = (HashMap::new(), Vec::new(), Vec::new());
        GapBuilder { states, layout, ids, origins, first, gaps: Vec::new(), queue: Vec::new() }
    }

    /// The edges of all gaps, and how the gap of each state begins. Until the end an edge within
    /// gaps has the place of its origins in `first`.
    fn build(mut self) -> (Vec<GapEdge>, Vec<GapEdge>) {
        let mut gap_of = Vec::new();
        for &state in &self.layout.order {
            let steps = &self.states.steps[state as usize];
            gap_of.push(self.edge(0, true, steps));
            gap_of.resize(gap_of.len() + steps.len() - 1, gap_of[gap_of.len() - 1]);
            while let Some(gap) = self.queue.pop() {
                self.add_edges(gap);
            }
        }
        for edge in gap_of.iter_mut().chain(&mut self.gaps) {
            if edge.skipped == ANY && edge.first != NONE {
                edge.first = self.first[edge.first as usize];
            }
        }
        (self.gaps, gap_of)
    }

    /// The edge after which these steps are left: each a letter that may have been left out,
    /// whether it makes a word, and the state the rest has led to.
    fn edge(&mut self, letter: Tile, last: bool, steps: &[Step]) -> GapEdge {
        let ends = steps.iter().filter(|s| s.1).fold(0, |mask, s| mask | 1 << s.0);
        let fits = steps.iter().fold(0, |mask, s| mask | 1 << s.0);
        let need = steps.iter().fold(u32::MAX, |need, &(_, word, to)| need & self.states.need(word, to));
        let origins: Origins = steps.iter().filter(|s| s.2 != 0).map(|s| (s.0, s.2)).collect();
        let (first, skipped) = match origins[..] {
            [] => (NONE, ANY),
            [(skipped, state)] => (self.layout.first[state as usize], skipped),
            _ => (self.id(origins), ANY),
        };
        GapEdge { first, need, ends, fits, letter, skipped, last }
    }

    fn id(&mut self, origins: Origins) -> u32 {
        if let Some(&id) = self.ids.get(&origins) {
            return id;
        }
        let id = self.origins.len() as u32;
        self.origins.push(origins.clone());
        self.first.push(NONE);
        self.ids.insert(origins, id);
        self.queue.push(id);
        id
    }

    fn add_edges(&mut self, gap: u32) {
        let mut steps: Vec<(Tile, Step)> = Vec::new();
        for &(skipped, state) in &self.origins[gap as usize] {
            let from = &self.states.steps[state as usize];
            steps.extend(from.iter().map(|&(letter, word, to)| (letter, (skipped, word, to))));
        }
        steps.sort_unstable();
        self.first[gap as usize] = self.gaps.len() as u32;
        let mut groups = steps.chunk_by(|a, b| a.0 == b.0).peekable();
        while let Some(group) = groups.next() {
            let steps: Vec<Step> = group.iter().map(|&(_, step)| step).collect();
            let edge = self.edge(group[0].0, groups.peek().is_none(), &steps);
            self.gaps.push(edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prefix, what follows the letter left out, and that letter.
    type Split = (Vec<Tile>, Vec<Tile>, Tile);

    struct Collector<'a> {
        graph: &'a GapGraph,
        prefix: Vec<Tile>,
        rest: Vec<Tile>,
        found: Vec<Split>,
        words: Vec<Vec<Tile>>,
    }

    impl Collector<'_> {
        fn words(&mut self, first: u32) {
            let Some(mut i) = (first != NONE).then_some(first as usize) else { return };
            self.gap(self.graph.gap_of[i]);
            loop {
                let edge = self.graph.edges[i];
                self.prefix.push(edge.letter);
                if edge.word {
                    self.words.push(self.prefix.clone());
                }
                self.words(edge.first);
                self.prefix.pop();
                if edge.last {
                    return;
                }
                i += 1;
            }
        }

        fn gap(&mut self, edge: GapEdge) {
            for letter in (0..26).filter(|l| edge.ends >> l & 1 == 1) {
                self.found.push((self.prefix.clone(), self.rest.clone(), letter));
            }
            if edge.skipped != ANY {
                return self.only(edge.first, edge.skipped);
            }
            let Some(mut i) = (edge.first != NONE).then_some(edge.first as usize) else { return };
            loop {
                let edge = self.graph.gaps[i];
                self.rest.push(edge.letter);
                self.gap(edge);
                self.rest.pop();
                if edge.last {
                    return;
                }
                i += 1;
            }
        }

        fn only(&mut self, first: u32, skipped: Tile) {
            let Some(mut i) = (first != NONE).then_some(first as usize) else { return };
            loop {
                let edge = self.graph.edges[i];
                self.rest.push(edge.letter);
                if edge.word {
                    self.found.push((self.prefix.clone(), self.rest.clone(), skipped));
                }
                self.only(edge.first, skipped);
                self.rest.pop();
                if edge.last {
                    return;
                }
                i += 1;
            }
        }
    }

    #[test]
    fn gaps_hold_every_word_once_for_each_of_its_letters() {
        let words = [
            "tea", "team", "teams", "ten", "tens", "sea", "seam", "seams", "quit", "quits", "aaa", "mate",
            "mates", "meat", "met", "mets", "bets", "beams", "beam",
        ];
        let lexicon = Lexicon::from_words("test", words).unwrap();
        let graph = GapGraph::new(&lexicon, &Scoring::boggle(), 16);
        let (mut words, mut splits): (Vec<Vec<Tile>>, Vec<Split>) = Default::default();
        lexicon.for_each_word(|tiles| {
            words.push(tiles.to_vec());
            let split = |i| (tiles[..i].to_vec(), tiles[i + 1..].to_vec(), tiles[i]);
            splits.extend((0..tiles.len()).map(split));
        });
        let mut collector = Collector {
            graph: &graph,
            prefix: Vec::new(),
            rest: Vec::new(),
            found: Vec::new(),
            words: Vec::new(),
        };
        collector.words(0);
        assert_eq!(collector.words, words);
        splits.sort();
        collector.found.sort();
        assert_eq!(collector.found, splits);
    }
}
