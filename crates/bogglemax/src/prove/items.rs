//! Items, and how the first list of a class is made.
//!
//! An item is a word with a **residual**: the (cell, letter) pairs of one placement of the word
//! that the class does not decide yet, as a [`Key`]. The first list of a class holds every
//! placement of every word on it, without repeats, sorted by key.
//!
//! **Dominance.** If a word has residuals r and r' with r a subset of r', every board that
//! satisfies r' satisfies r, so dropping r' leaves "some residual of the word is satisfied" as it
//! is on every board. Minimal residuals are never dropped. Dropping fewer than all dominated ones
//! is always allowed: it only loosens bounds.

use super::key::{Key, Layout};
use super::patterns::Patterns;
use super::search::bits;
use super::sort::{Sorted, Sorter};
use super::task::Task;
use super::tuning::Tuning;
use super::values::Strands;
use super::words::{Tag, Words};
use crate::{Dims, MAX_TILES};

/// A list of items as parallel arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items<K> {
    pub keys: Vec<K>,
    pub tags: Vec<Tag>,
    /// Of the list of a braid: the strands that each item belongs to. Empty otherwise, and once it has a tree.
    pub strands: Vec<Strands>,
}

impl<K: Key> Items<K> {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.tags.clear();
        self.strands.clear();
    }

    #[inline(always)]
    pub fn push(&mut self, key: K, tag: Tag) {
        self.keys.push(key);
        self.tags.push(tag);
    }

    /// Adds an item of some strands of a braid.
    #[inline(always)]
    pub fn push_in(&mut self, key: K, tag: Tag, strands: Strands) {
        self.push(key, tag);
        self.strands.push(strands);
    }

    /// Adds the items of another list.
    pub fn extend_from(&mut self, other: &Items<K>) {
        self.keys.extend_from_slice(&other.keys);
        self.tags.extend_from_slice(&other.tags);
        self.strands.extend_from_slice(&other.strands);
    }

    /// Keeps the first items.
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        self.tags.truncate(len);
    }

    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<K>()
            + self.tags.capacity() * size_of::<Tag>()
            + self.strands.capacity() * size_of::<Strands>()
    }

    /// Gives memory back that the list does not need, if it has more than this many bytes.
    pub fn shrink(&mut self, keep: u64) {
        if self.bytes() as u64 > keep {
            self.keys.shrink_to_fit();
            self.tags.shrink_to_fit();
            self.strands.shrink_to_fit();
        }
    }

    /// Keeps the items of a list without strands that satisfy a condition on their keys, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(K) -> bool) {
        let mut kept = 0;
        for i in 0..self.len() {
            let key = self.keys[i];
            self.keys[kept] = key;
            self.tags[kept] = self.tags[i];
            kept += usize::from(keep(key));
        }
        self.keys.truncate(kept);
        self.tags.truncate(kept);
    }
}

/// Per cell: the positions that order constraints tie it to, and for each tile on the cell the tiles
/// the other may hold.
pub(crate) type Rules = Vec<Vec<(usize, Vec<u32>)>>;

/// What the engine needs to know of a class before it lists its items.
#[derive(Clone, Debug)]
pub(crate) struct Class<K> {
    /// The letters allowed on each cell. A cell without any is **closed**: no placement uses it.
    pub cells: Vec<u32>,
    /// A closed cell on which placements may have these letters all the same; they are no part of the residual.
    pub braided: Option<(usize, u32)>,
    /// The undecided cells in branch order: position -> cell.
    pub order: Vec<usize>,
    pub layout: Layout<K>,
    pub neighbors: Vec<u64>,
    pub rules: Rules,
    /// The order constraints and ranks of the task.
    pub ties: Vec<(u8, u8)>,
    pub ranks: [u8; MAX_TILES],
}

impl<K: Key> Class<K> {
    /// `order`: all cells in branch order; those with a single letter are decided and left out.
    pub fn new(dims: Dims, task: &Task, order: &[usize], width: u32, tiles: usize) -> Class<K> {
        let cells = &task.cells;
        let order: Vec<usize> = order.iter().copied().filter(|&c| cells[c].count_ones() > 1).collect();
        let ties = |cell: usize| {
            let allowed = |other: usize| (0..tiles).map(|t| task.allowed_beside(cell, t, other)).collect();
            let tied = |other: usize| {
                let pair = (cell as u8, other as u8);
                task.order.iter().any(|&(a, b)| (a, b) == pair || (b, a) == pair)
            };
            let positions = order.iter().enumerate().filter(|(_, other)| tied(**other));
            positions.map(|(p, &other)| (p, allowed(other))).collect()
        };
        Class {
            cells: cells.clone(),
            braided: None,
            layout: Layout::new(order.len(), width),
            rules: (0..dims.cells()).map(ties).collect(),
            order,
            neighbors: (0..dims.cells()).map(|c| dims.neighbor_mask(c)).collect(),
            ties: task.order.clone(),
            ranks: task.ranks,
        }
    }

    /// The cells that are not branched on: decided ones, and closed ones.
    pub fn decided(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell].count_ones() <= 1)
    }
}

/// The first list of a class.
pub(crate) struct Listing {
    /// Points of the words that every board of the class has.
    pub base: u64,
    /// These words.
    pub found: Vec<Tag>,
    /// Placements found, repeats included.
    pub placements: u64,
    /// The free placements come from the list that tasks share.
    pub shares_free: bool,
    /// The [free placements](Lister::free) are not in it: they belong to the class all the same.
    pub apart: bool,
}

/// A partial placement: the residual so far, a packed state, which is the cells used (bits 0..36),
/// moves (bits 36..57, see [`dominates`]) and the last cell (bits 58..), and what a [`Track`] keeps.
type Partial<K, S> = (K, u64, S);

/// Decided cells that moves are looked for to. On boards with more of them fewer items are dropped.
const MOVES: usize = 7;

/// First bits of what [`dominates`] reads in a state.
const MOVED: u32 = 36;
const PENDING: u32 = MOVED + MOVES as u32;
const VISITED: u32 = PENDING + MOVES as u32;

const BITS: u64 = (1 << MOVES) - 1;
const LAST: u32 = 58;

// The parts of a state do not overlap.
const _: () = assert!(crate::MAX_CELLS as u32 <= MOVED && VISITED + MOVES as u32 <= LAST);

/// The decided cells, as bits, to which a **move** dominates a placement in this state.
///
/// Let cell j be decided, with letter m, and unused by a placement that has m on another cell, which
/// is not decided. If j touches the cells before and after that one, the placement with j in its place
/// spells the same word, and its residual is smaller by one pair: the placement is dominated. The
/// state of a partial placement has a bit for each such j
/// - "moved": some letter that is not the last can be moved to j;
/// - "pending": the last letter can, if the next cell touches j as well;
/// - "visited": j is used.
///
/// Other ways of dominating, by two moves at once or by letters that change places, are not looked
/// for here: keeping an item is always allowed.
#[inline(always)]
fn dominates(state: u64) -> u64 {
    ((state >> MOVED) | (state >> PENDING)) & !(state >> VISITED) & BITS
}

/// What is kept of the moves of a placement besides its state.
pub(crate) trait Track: Copy {
    /// Of a placement without tiles.
    const NONE: Self;

    /// A tile can be moved to these decided cells, given as "pending" bits.
    fn moved(self, to: u64, tile: usize) -> Self;
    /// A tile is laid on the braided cell.
    fn laid(self, tile: usize) -> Self;
    /// The tiles that can be moved to a decided cell.
    fn tiles(&self, decided: usize) -> u32;
    /// The tile on the braided cell, as a set.
    fn braided(&self) -> u32 {
        0
    }
}

impl Track for () {
    const NONE: Self = ();

    #[inline(always)]
    fn moved(self, _: u64, _: usize) {}

    #[inline(always)]
    fn laid(self, _: usize) {}

    #[inline(always)]
    fn tiles(&self, _: usize) -> u32 {
        0
    }
}

/// Decided cells of classes whose free placements are shared.
const SHARED: usize = 2;

/// For each of the first decided cells the tiles that can be moved to it.
type Movable<const N: usize> = [u32; N];

impl<const N: usize> Track for Movable<N> {
    const NONE: Self = [0; N];

    #[inline(always)]
    fn moved(mut self, to: u64, tile: usize) -> Movable<N> {
        for (j, tiles) in self.iter_mut().enumerate() {
            *tiles |= ((to >> (PENDING as usize + j) & 1) as u32) << tile;
        }
        self
    }

    #[inline(always)]
    fn laid(self, _: usize) -> Movable<N> {
        self
    }

    #[inline(always)]
    fn tiles(&self, decided: usize) -> u32 {
        self.get(decided).copied().unwrap_or(0)
    }
}

/// The tiles that can be moved to the braided cell, the only one that is followed, and the tile on it.
#[derive(Clone, Copy)]
pub(crate) struct Braided {
    movable: u32,
    tile: u32,
}

impl Track for Braided {
    const NONE: Self = Braided { movable: 0, tile: 0 };

    #[inline(always)]
    fn moved(mut self, to: u64, tile: usize) -> Self {
        self.movable |= u32::from(to != 0) << tile;
        self
    }

    #[inline(always)]
    fn laid(mut self, tile: usize) -> Self {
        self.tile = 1 << tile;
        self
    }

    #[inline(always)]
    fn tiles(&self, _: usize) -> u32 {
        self.movable
    }

    #[inline(always)]
    fn braided(&self) -> u32 {
        self.tile
    }
}

/// How a word was laid.
#[derive(Clone, Copy)]
pub(crate) struct Laid {
    /// It uses none of the cells of which one is asked for.
    pub is_free: bool,
    /// A move to a decided cell dominates it.
    pub is_dominated: bool,
    /// The tile on the braided cell, as a set, or none if it does not use that cell.
    pub braided: u32,
}

/// Takes the placements of a board, word by word.
pub(crate) trait Sink<K> {
    /// Whether the placements of a word of these letters are asked for.
    fn wants(&self, letters: u32) -> bool;
    /// Whether placements that use none of the cells asked for are, at a point where these letters may follow.
    fn wants_free(&self, later: u32) -> bool;
    /// A placement of the current word; `movable` gives the tiles that can be moved to a decided cell.
    fn place(&mut self, key: K, laid: Laid, movable: impl Fn(usize) -> u32);
    /// There are no more of this word.
    fn end(&mut self, word: usize, tiles: &[u8], class: u8);
}

/// The **free** placements of classes: those that use no decided cell. They are the same whatever
/// letters the decided cells hold, but for the ones that a move to a decided cell dominates.
struct Free<K> {
    /// The class they belong to: its undecided letters and its rules.
    class: Option<(Vec<u32>, Rules)>,
    usable: bool,
    /// Changes with the items.
    version: u64,
    items: Items<K>,
    movable: Vec<Movable<SHARED>>,
}

impl<K: Key> Free<K> {
    /// Fills a list with sorted items and the free placements that no move dominates.
    fn merge(&self, class: &Class<K>, found: &[Tag], sorted: &Sorted<'_, K>, items: &mut Items<K>) {
        let mut held = [0; SHARED];
        held.iter_mut().zip(class.decided()).for_each(|(to, cell)| *to = class.cells[cell]);
        let stays = |i: usize| {
            (0..SHARED).fold(0, |m, j| m | self.movable[i][j] & held[j]) == 0
                && (found.is_empty() || !found.contains(&self.items.tags[i]))
        };
        let most = items.len() + self.items.len();
        items.clear();
        items.keys.reserve(most);
        items.tags.reserve(most);
        let mut free = (0..self.items.len()).filter(|&i| stays(i)).peekable();
        sorted.for_each(|key, tag, _| {
            while let Some(i) = free.next_if(|&i| self.items.keys[i] <= key) {
                items.push(self.items.keys[i], self.items.tags[i]);
            }
            items.push(key, tag);
        });
        free.for_each(|i| items.push(self.items.keys[i], self.items.tags[i]));
    }
}

/// Gathers free placements.
struct FreeSink<'a, K> {
    free: &'a mut Free<K>,
    /// Longer lists are not kept.
    most: usize,
    /// The word at hand: residuals and movable tiles.
    word: Vec<(K, Movable<SHARED>)>,
    /// The words of the items. While they are being sorted, tags are indices of what belongs to them.
    tags: Vec<Tag>,
    movable: Vec<Movable<SHARED>>,
}

impl<K: Key> Sink<K> for FreeSink<'_, K> {
    fn wants(&self, _: u32) -> bool {
        self.free.usable
    }

    fn wants_free(&self, _: u32) -> bool {
        true
    }

    #[inline(always)]
    fn place(&mut self, key: K, _: Laid, movable: impl Fn(usize) -> u32) {
        self.word.push((key, std::array::from_fn(movable)));
    }

    fn end(&mut self, word: usize, tiles: &[u8], class: u8) {
        if repeats(tiles) {
            // The same residual by two ways: a move of either dominates it.
            self.word.sort_unstable();
            self.word.dedup_by(|a, b| {
                let same = a.0 == b.0;
                if same {
                    (0..SHARED).for_each(|j| b.1[j] |= a.1[j]);
                }
                same
            });
        }
        for (key, movable) in self.word.drain(..) {
            self.free.items.push(key, Tag(self.tags.len() as u32));
            self.tags.push(Tag::new(word, class));
            self.movable.push(movable);
        }
        self.free.usable = self.tags.len() <= self.most;
    }
}

/// Which placements a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// All, but free placements that outnumber the others may be left [apart](Listing::apart). Among
    /// them may be some that a move dominates.
    AllApart,
    /// Those that use no decided cell.
    Free,
    /// Those that use one.
    Through,
}

/// Gathers the items of a class.
struct ListSink<'a, K> {
    items: &'a mut Items<K>,
    listing: Listing,
    points: &'a super::words::Points,
    /// The letters of the cells of which one must be used, unless all placements are asked for.
    only: Option<u32>,
    /// Whether placements are left out that a move dominates.
    moves: bool,
    from: usize,
    is_found: bool,
    /// Longer lists are given up.
    most: usize,
}

impl<K: Key> Sink<K> for ListSink<'_, K> {
    fn wants(&self, letters: u32) -> bool {
        self.items.len() <= self.most && self.only.is_none_or(|only| only & letters != 0)
    }

    fn wants_free(&self, later: u32) -> bool {
        self.only.is_none_or(|letters| letters & later != 0)
    }

    #[inline(always)]
    fn place(&mut self, key: K, laid: Laid, _: impl Fn(usize) -> u32) {
        let counts = self.only.is_none() || !laid.is_free;
        self.listing.placements += u64::from(counts);
        self.is_found |= key.is_zero();
        if counts && !(self.moves && laid.is_dominated) {
            // The tag is known at the end of the word.
            self.items.keys.push(key);
        }
    }

    fn end(&mut self, word: usize, _: &[u8], class: u8) {
        let keys = &mut self.items.keys;
        let tag = Tag::new(word, class);
        if std::mem::take(&mut self.is_found) {
            self.listing.base += self.points[tag.class()];
            self.listing.found.push(tag);
            keys.truncate(self.from);
        }
        self.from = keys.len();
        self.items.tags.resize(keys.len(), tag);
    }
}

/// Lists placements word by word.
pub(crate) struct Lister<K> {
    pub(super) tuning: Tuning,
    pub(super) patterns: Patterns,
    partial: Vec<Vec<Partial<K, ()>>>,
    partial_braided: Vec<Vec<Partial<K, Braided>>>,
    free: Free<K>,
    pub sorter: Sorter<K>,
}

impl<K: Key> Lister<K> {
    pub fn new(tuning: Tuning) -> Lister<K> {
        let free =
            Free { class: None, usable: false, version: 0, items: Items::default(), movable: Vec::new() };
        let (patterns, sorter) = (Patterns::new(tuning), Sorter::new(tuning));
        Lister { tuning, patterns, partial: Vec::new(), partial_braided: Vec::new(), free, sorter }
    }

    pub fn bytes(&self) -> usize {
        let partial: usize = self.partial.iter().map(Vec::capacity).sum();
        let braided: usize = self.partial_braided.iter().map(Vec::capacity).sum();
        let partial = partial + 2 * braided;
        let free = self.free.items.bytes() + self.free.movable.capacity() * size_of::<Movable<SHARED>>();
        let scratch = partial * size_of::<Partial<K, ()>>() + self.sorter.bytes();
        self.patterns.bytes() + free + scratch
    }

    /// The free placements that the list made last leaves apart, sorted, and a number that changes with
    /// them.
    pub fn free(&self) -> (&Items<K>, u64) {
        (&self.free.items, self.free.version)
    }

    /// Fills `items` with the first list of the class; none if it has more than `most` items.
    pub fn list(
        &mut self,
        words: &Words,
        class: &Class<K>,
        which: Which,
        most: usize,
        items: &mut Items<K>,
    ) -> Option<Listing> {
        items.clear();
        let longest = self.patterns.prepare(class);
        let all = matches!(which, Which::All | Which::AllApart);
        if all {
            self.share(words, class, longest);
        }
        let merges = all && self.free.usable;
        let free = which == Which::Free;
        let asked = class.decided().fold(0u64, |all, cell| all | 1 << cell);
        let letters = bits(asked).fold(0, |all, cell| all | class.cells[cell]);
        let mut sink = ListSink {
            items,
            listing: Listing { base: 0, found: Vec::new(), placements: 0, shares_free: merges, apart: false },
            points: &words.points,
            only: (merges || which == Which::Through).then_some(letters),
            moves: !free,
            from: 0,
            is_found: false,
            most: if merges { most.saturating_sub(self.free.items.len()) } else { most },
        };
        self.patterns.place_words(words, class, free, asked, &mut sink);
        let longer = Longer { words, than: longest };
        let tracked = if free { u64::MAX } else { 0 };
        Board::new(class, words.tile_count, tracked, asked, free, &self.tuning).place_words(
            longer,
            &mut self.partial,
            &mut sink,
        );
        let ListSink { mut listing, most, .. } = sink;
        if items.len() > most {
            items.clear();
            return None;
        }
        let sorted = self.sorter.sort(items, &class.layout);
        // Two trees bound less well than one: it pays where little is added to the free ones. A word that
        // every board has would have to be taken from these.
        let apart = items.len() < self.free.items.len() / 3 * self.tuning.free_apart_thirds as usize;
        listing.apart = which == Which::AllApart && merges && apart && listing.found.is_empty();
        if merges && !listing.apart {
            self.free.merge(class, &listing.found, &sorted, items);
        } else {
            items.clear();
            sorted.for_each(|key, tag, _| items.push(key, tag));
        }
        self.sorter.release();
        items.shrink(self.tuning.keep_scratch_bytes);
        assert!(items.len() < 1 << 31, "a list has room for 2^31 items");
        Some(listing)
    }

    /// Hands the placements of a class with a braided cell to a sink. Moves to that cell do not dominate.
    pub(super) fn lay_braid(&mut self, words: &Words, class: &Class<K>, asked: u64, sink: &mut impl Sink<K>) {
        let than = self.patterns.prepare(class);
        self.patterns.place_words(words, class, false, asked, sink);
        let tracked = class.braided.map_or(0, |(cell, _)| 1 << cell);
        let board = Board::new(class, words.tile_count, tracked, asked, false, &self.tuning);
        board.place_words(Longer { words, than }, &mut self.partial_braided, sink);
    }

    /// Sees to it that `free` is that of the class, if it is worth keeping.
    fn share(&mut self, words: &Words, class: &Class<K>, longest: usize) {
        let decided = class.decided().count();
        let undecided: Vec<u32> =
            class.cells.iter().map(|&m| if m.count_ones() <= 1 { 0 } else { m }).collect();
        let rules = (0..class.cells.len())
            .map(|c| if undecided[c] == 0 { Vec::new() } else { class.rules[c].clone() })
            .collect();
        let of = (undecided, rules);
        if self.free.class.as_ref() == Some(&of) {
            return;
        }
        self.free.class = Some(of);
        self.free.version += 1;
        self.free.items.clear();
        self.free.usable = (1..=SHARED.min(self.tuning.free_cells as usize)).contains(&decided);
        if !self.free.usable {
            return;
        }
        let (tags, movable) = (Vec::new(), Vec::new());
        let most = self.tuning.free_items as usize;
        let mut sink = FreeSink { free: &mut self.free, most, word: Vec::new(), tags, movable };
        self.patterns.place_words(words, class, true, 0, &mut sink);
        let longer = Longer { words, than: longest };
        let mut partial: Vec<Vec<Partial<K, Movable<SHARED>>>> = Vec::new();
        Board::new(class, words.tile_count, u64::MAX, 0, true, &self.tuning).place_words(
            longer,
            &mut partial,
            &mut sink,
        );
        let FreeSink { tags, movable, .. } = sink;
        if !self.free.usable {
            self.free.items = Items::default();
            return;
        }
        let sorted = self.sorter.sort(&self.free.items, &class.layout);
        self.free.items.clear();
        self.free.movable.clear();
        sorted.for_each(|key, index, _| {
            self.free.items.push(key, tags[index.0 as usize]);
            self.free.movable.push(movable[index.0 as usize]);
        });
    }
}

/// Whether a tile comes twice.
fn repeats(tiles: &[u8]) -> bool {
    let mut seen = 0u32;
    tiles.iter().any(|&t| {
        let before = seen;
        seen |= 1 << t;
        before == seen
    })
}

/// The words of more tiles.
#[derive(Clone, Copy)]
pub(crate) struct Longer<'a> {
    pub words: &'a Words,
    pub than: usize,
}

/// A class as placements are laid on it, letter by letter.
pub(crate) struct Board<'a, K> {
    class: &'a Class<K>,
    /// `places[tile * cells + cell]`.
    places: Vec<Place<K>>,
    /// The cells that may hold each tile, and those of them that are asked for.
    on: Vec<u64>,
    asked_on: Vec<u64>,
    /// The cells of which a placement must use one, where not all placements are asked for.
    asked: u64,
    /// The decided cells, as bits of a state, of which moves are kept and do not dominate.
    tracked: u64,
    /// Order constraints: bits a field lies at, and the codes it may have (0 among them).
    rules: Vec<(u32, u64)>,
}

/// A tile on a cell.
#[derive(Clone, Copy)]
struct Place<K> {
    /// What the pair adds to a key; nothing on a decided cell.
    code: K,
    /// The cell, as used and as the last one; its "visited" bit if it is decided.
    state: u64,
    /// The decided cells it touches, as "pending" bits.
    touches: u64,
    /// The decided cells that hold the tile, as "pending" bits, unless this is one.
    holds: u64,
    /// Which rules it is tied by.
    rules: (u32, u32),
    is_braided: bool,
}

impl<'a, K: Key> Board<'a, K> {
    /// `tracked`: moves of every tile to these cells are kept, and do not dominate. `free`: decided cells are
    /// not used.
    pub fn new(
        class: &'a Class<K>,
        tiles: usize,
        tracked: u64,
        asked: u64,
        free: bool,
        tuning: &Tuning,
    ) -> Board<'a, K> {
        let cells = class.cells.len();
        let moves = MOVES.min(tuning.move_cells as usize);
        let decided: Vec<usize> = class.decided().take(moves).collect();
        assert!(decided.len() <= MOVES, "a state has bits for {MOVES} cells");
        let set = |keep: &dyn Fn(usize) -> bool| {
            let bits = decided.iter().enumerate().filter(|(_, cell)| keep(**cell));
            bits.fold(0u64, |bits, (j, _)| bits | 1 << (PENDING as usize + j))
        };
        let mut board = Board {
            class,
            places: Vec::new(),
            on: Vec::new(),
            asked_on: Vec::new(),
            asked,
            tracked: set(&|j| tracked >> j & 1 == 1) >> PENDING,
            rules: Vec::new(),
        };
        let braided = |cell: usize| class.braided.map_or(0, |(c, tiles)| if c == cell { tiles } else { 0 });
        for tile in 0..tiles {
            let holds = |m: u32| m >> tile & 1 == 1 && !(free && m.count_ones() == 1);
            let on = (0..cells).filter(|&c| holds(class.cells[c]) || braided(c) >> tile & 1 == 1);
            let on = on.fold(0, |m, c| m | 1 << c);
            board.on.push(on);
            board.asked_on.push(on & asked);
            for cell in 0..cells {
                let from = board.rules.len() as u32;
                board.rules.extend(
                    class.rules[cell]
                        .iter()
                        .map(|(p, allowed)| (class.layout.offset[*p], u64::from(allowed[tile]) << 1 | 1)),
                );
                let position = class.order.iter().position(|&c| c == cell);
                let visits = set(&|j| j == cell) << MOVES;
                board.places.push(Place {
                    code: position
                        .map_or(K::default(), |p| K::place(tile as u32 + 1, class.layout.offset[p])),
                    state: 1 << cell | (cell as u64) << LAST | visits,
                    touches: set(&|j| class.neighbors[cell] >> j & 1 == 1),
                    // A decided cell takes no part in moves: its pair is not in the residual.
                    holds: if position.is_none() {
                        0
                    } else {
                        set(&|j| tracked >> j & 1 == 1 || class.cells[j] == 1 << tile)
                    },
                    rules: (from, board.rules.len() as u32),
                    is_braided: braided(cell) != 0,
                });
            }
        }
        board
    }

    /// Hands all placements of all words to a sink. Words come in dictionary order, and the partial
    /// placements of a prefix serve all words that share it.
    pub fn place_words<S: Track>(
        &self,
        Longer { words, than }: Longer<'_>,
        partial: &mut Vec<Vec<Partial<K, S>>>,
        sink: &mut impl Sink<K>,
    ) {
        partial.resize_with(self.class.cells.len() + 1, Vec::new);
        let mut previous: &[u8] = &[];
        // `partial[j]` holds the placements of the first j + 1 tiles of `previous` for j < valid.
        let mut valid = 0;
        for w in 0..words.len() {
            let tiles = words.tiles(w);
            if tiles.len() <= than || !sink.wants(words.letters(w)) {
                continue;
            }
            let last = tiles.len() - 1;
            let shared = tiles.iter().zip(previous).take_while(|(a, b)| a == b).count();
            valid = valid.min(shared);
            previous = tiles;
            let tile = |j: usize| (usize::from(tiles[j.saturating_sub(1)]), usize::from(tiles[j]));
            let place = |sink: &mut _, key: K, state: u64, track: S| {
                self.place(sink, (key, state, track), tiles[last].into());
            };
            while valid < last && (valid == 0 || !partial[valid - 1].is_empty()) {
                let (before, after) = partial.split_at_mut(valid);
                let to = &mut after[0];
                to.clear();
                let free = sink.wants_free(words.later(w, valid + 1));
                self.extend(before.last(), tile(valid), free, |key, state, track| {
                    to.push((key, state, track))
                });
                valid += 1;
            }
            if valid < last {
                continue;
            }
            // The last tile makes placements of the whole word. They are kept if the next word is longer.
            let (before, after) = partial.split_at_mut(last);
            if valid > last {
                after[0].iter().for_each(|&(key, state, track)| place(sink, key, state, track));
            } else if w + 1 < words.len() && words.tiles(w + 1).starts_with(tiles) {
                let to = &mut after[0];
                to.clear();
                let free = sink.wants_free(words.later(w, tiles.len()));
                self.extend(before.last(), tile(last), free, |key, state, track| {
                    place(sink, key, state, track);
                    to.push((key, state, track));
                });
                valid += 1;
            } else {
                let free = sink.wants_free(0);
                self.extend(before.last(), tile(last), free, |key, state, track| {
                    place(sink, key, state, track)
                });
            }
            sink.end(w, tiles, words.class(w));
        }
    }

    /// Hands a placement of a whole word to a sink. Its last tile has nothing after it that a decided cell must
    /// touch.
    #[inline(always)]
    fn place<S: Track>(&self, sink: &mut impl Sink<K>, (key, state, track): Partial<K, S>, last: usize) {
        let track = track.moved(state & self.tracked << PENDING, last);
        let laid = Laid {
            is_free: state & self.asked == 0,
            braided: track.braided(),
            is_dominated: dominates(state) & !self.tracked != 0,
        };
        sink.place(key, laid, |j| track.tiles(j));
    }

    /// Calls `to` with all placements that go on from those given by one tile; without any, with the
    /// first cells. `before` is the tile before; unless `free`, placements that use none of the cells asked
    /// for are left out.
    #[inline(always)]
    fn extend<S: Track>(
        &self,
        from: Option<&Vec<Partial<K, S>>>,
        (before, tile): (usize, usize),
        free: bool,
        mut to: impl FnMut(K, u64, S),
    ) {
        match from {
            None => self.step((K::default(), 0, S::NONE), u64::MAX, self.on[tile], (0, tile), &mut to),
            Some(from) => {
                for &partial in from {
                    let last = (partial.1 >> LAST) as usize;
                    let on = if free || partial.1 & self.asked != 0 { &self.on } else { &self.asked_on };
                    let cells = self.class.neighbors[last] & on[tile] & !partial.1;
                    self.step(partial, self.places[last].touches, cells, (before, tile), &mut to);
                }
            }
        }
    }

    /// Calls `to` with a placement gone on to each of these cells; `near` are the decided cells that
    /// its last cell touches.
    #[inline(always)]
    fn step<S: Track>(
        &self,
        (key, state, track): Partial<K, S>,
        near: u64,
        mut cells: u64,
        (before, tile): (usize, usize),
        to: &mut impl FnMut(K, u64, S),
    ) {
        let count = self.class.cells.len();
        let places = &self.places[tile * count..(tile + 1) * count];
        let field = (1u32 << self.class.layout.width) - 1;
        let pending = state & BITS << PENDING;
        let rest = state & !(BITS << PENDING) & ((1 << LAST) - 1);
        while cells != 0 {
            let place = &places[cells.trailing_zeros() as usize];
            cells &= cells - 1;
            let rules = &self.rules[place.rules.0 as usize..place.rules.1 as usize];
            if rules.iter().any(|&(offset, codes)| codes >> (key.bits_at(offset) & field) & 1 == 0) {
                continue;
            }
            let moved = pending & place.touches;
            let state = rest | moved >> MOVES | place.holds & near | place.state;
            let track = track.moved(moved & self.tracked << PENDING, before);
            let track = if place.is_braided { track.laid(tile) } else { track };
            to(key.or(place.code), state, track);
        }
    }
}
