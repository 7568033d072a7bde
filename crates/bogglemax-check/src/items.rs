//! An upper bound on the scores of a class of boards, and how it follows a class into its parts.
//!
//! A **placement** of a word is a walk over touching cells, none used twice, that allow its letters.
//! The (cell, letter) pairs of a placement on cells with more than one letter left are its
//! **residual**: what a board must still hold for the word to stand there. An **item** is a word
//! with a residual. For a board B of the class a word is on B exactly if B satisfies one of the
//! word's residuals. So with `base` the points of words with an empty residual,
//!
//! > S(B) = base + sum over the other words of points x [B satisfies some residual of the word].
//!
//! **Dominance.** If a residual contains another of the same word, it may go: whoever satisfies it
//! satisfies the other. Repeats may go for the same reason.
//!
//! **The bound.** [some residual] <= the number of satisfied residuals, so S(B) <= base + the points
//! of all items that B satisfies. Take the cells in a fixed order and let V(L) bound the points that
//! any board can satisfy in a list of items L. On the first cell the board holds one letter: it
//! satisfies none of the items with another letter there. So V(L) is the sum of V(items that do not
//! use the cell) and of max over letters of V(items with that letter on the cell), each over the
//! remaining cells; with no cells left, V is the sum of the points.
//!
//! **Looking into parts.** Divide the items that do not contradict a letter m on a cell c by the first
//! other cell d they use and their letter l there: T(d, l) = V of those. Boards with m on c score at
//! most total = base + points of items that use c only + sum over d of max over l of T(d, l); those
//! with l on d as well at most total - max over l' of T(d, l') + T(d, l), since the other cells'
//! maxima stay. Where that is too little, l is impossible on d, and with l gone the maxima fall.
//!
//! **At a single board** every residual is empty, and base is the score itself. A bound that is not
//! tight therefore costs time only.
//!
//! **Into a part.** When cells lose letters, items with a lost letter go (no board satisfies them);
//! cells with one letter left are struck from residuals (every board satisfies them). A residual
//! that was struck can be contained in others of its word; of two that were not, neither contains
//! the other, as before.
//!
//! An item is a `u128`: five bits a cell in the order of the cells, first cell highest, 0 for a cell
//! not used and 1 + letter otherwise; the number of the word in the low bits. Lists are sorted, so
//! all items that agree on the first cells stand together.

use crate::class::{Letters, Pair, Ranks, each, tighten};
use crate::grid::Grid;
use crate::score::Word;

const FIELD_BITS: usize = 5;
const WORD_BITS: usize = 24;
const WORD_MASK: u128 = (1 << WORD_BITS) - 1;

/// The most cells with more than one letter that an item has room for.
const MOST_FIELDS: usize = (128 - WORD_BITS) / FIELD_BITS;

/// Lists are kept up to this length, 16 bytes an item; classes that would need more are split first.
const MOST_ITEMS: usize = 24 << 20;

/// A class of boards with the items of its words.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// No letters on any cell means that the class has no boards.
    pub class: Vec<Letters>,
    /// Points of the words that every board of the class has.
    pub base: u64,
    /// The items of the other words; `None` where they are too many to keep.
    pub items: Option<Vec<u128>>,
}

impl Node {
    pub fn is_empty(&self) -> bool {
        self.class.contains(&0)
    }
}

/// Makes nodes for the classes of one task.
pub(crate) struct Items<'a> {
    grid: &'a Grid,
    words: &'a [Word],
    ranks: &'a Ranks,
    order: &'a [Pair],
    /// The cells with fields, in the order of their fields.
    cells: Vec<usize>,
    /// For each cell how far its field is from the lowest bit; `None` for cells without a field.
    shift: Vec<Option<usize>>,
    /// Scratch: for each word the first of its struck items, as index + 1 into a list.
    struck_of: Vec<u32>,
    /// Items looked at so far, the measure of work.
    pub work: u64,
}

/// What a placement still asks of a board.
#[derive(Clone, Copy, Debug, Default)]
struct Residual {
    /// How many cells.
    size: u32,
    /// Their letters, as in an item.
    pairs: u128,
    /// All bits of their fields.
    fields: u128,
}

/// V of a list of items, divided by the first cell they use.
struct Table {
    /// Points of the items that use none.
    own: u64,
    /// For each cell in the order of fields, V of the items with each letter there.
    by_place: Vec<[u64; 26]>,
}

impl<'a> Items<'a> {
    /// For boards of the class `root` and classes within it.
    pub fn new(
        grid: &'a Grid,
        words: &'a [Word],
        ranks: &'a Ranks,
        order: &'a [Pair],
        root: &[Letters],
    ) -> Items<'a> {
        assert!(words.len() < 1 << WORD_BITS, "at most {} words", 1 << WORD_BITS);
        let open = branch_order(grid).into_iter().filter(|&cell| root[cell].count_ones() > 1);
        let cells: Vec<usize> = open.collect();
        let mut shift = vec![None; grid.cells()];
        for (place, &cell) in cells.iter().take(MOST_FIELDS).enumerate() {
            shift[cell] = Some(128 - FIELD_BITS * (place + 1));
        }
        Items { grid, words, ranks, order, cells, shift, struck_of: vec![0; words.len()], work: 0 }
    }

    /// The first cell in branch order that is still open.
    pub fn open_cell(&self, class: &[Letters]) -> Option<usize> {
        self.cells.iter().copied().find(|&cell| class[cell].count_ones() > 1)
    }

    /// The node of a class, made from scratch.
    pub fn node(&mut self, class: &[Letters]) -> Node {
        let mut class = class.to_vec();
        tighten(&mut class, self.order, self.ranks);
        let mut node = Node { class, base: 0, items: Some(Vec::new()) };
        if node.is_empty() {
            return node;
        }
        let roomy = (0..node.class.len()).all(|c| node.class[c].count_ones() <= 1 || self.shift[c].is_some());
        let mut items = Vec::new();
        let mut placements = Vec::new();
        for (number, word) in self.words.iter().enumerate() {
            if !roomy || items.len() > MOST_ITEMS {
                return Node { items: None, base: 0, ..node };
            }
            placements.clear();
            for start in 0..self.grid.cells() {
                self.place(&node.class, &word.cells, start, 0, Residual::default(), &mut placements);
            }
            self.work += placements.len() as u64;
            keep_smallest(&mut placements);
            if placements.first().is_some_and(|residual| residual.size == 0) {
                node.base += u64::from(word.points);
            } else {
                items.extend(placements.iter().map(|residual| residual.pairs | number as u128));
            }
        }
        items.sort_unstable();
        node.items = Some(items);
        node
    }

    /// Collects the residuals of the placements of `rest` that start on `cell`.
    fn place(
        &self,
        class: &[Letters],
        rest: &[u8],
        cell: usize,
        used: u64,
        mut residual: Residual,
        placements: &mut Vec<Residual>,
    ) {
        let letter = rest[0];
        if class[cell] >> letter & 1 == 0 {
            return;
        }
        if let Some(shift) = self.shift[cell]
            && class[cell].count_ones() > 1
        {
            residual.size += 1;
            residual.pairs |= u128::from(letter + 1) << shift;
            residual.fields |= field(shift);
        }
        if rest.len() == 1 {
            placements.push(residual);
            return;
        }
        let used = used | 1 << cell;
        for &next in &self.grid.neighbors[cell] {
            if used >> next & 1 == 0 {
                self.place(class, &rest[1..], next, used, residual, placements);
            }
        }
    }

    /// The part of a node's class whose boards hold one of these letters on a cell.
    pub fn part(&mut self, node: &Node, cell: usize, letters: Letters) -> Node {
        let mut class = node.class.clone();
        class[cell] &= letters;
        tighten(&mut class, self.order, self.ranks);
        self.node_within(node, class)
    }

    /// The node of a class within a node's class, made from that node's items.
    pub fn node_within(&mut self, node: &Node, class: Vec<Letters>) -> Node {
        if class.contains(&0) {
            return Node { class, base: 0, items: Some(Vec::new()) };
        }
        let Some(items) = &node.items else { return self.node(&class) };
        let narrowed: Vec<(usize, Letters)> = (0..class.len())
            .filter(|&c| class[c] != node.class[c])
            .map(|c| (self.shift[c].expect("a node with items has fields for open cells"), class[c]))
            .collect();
        let strike = narrowed.iter().filter(|(_, set)| set.count_ones() == 1);
        let strike = strike.fold(0u128, |mask, (shift, _)| mask | field(*shift));
        let (without, with) = self.candidates(node, items, &class);
        self.work += (without.len() + with.len()) as u64;
        let (mut whole, mut struck) = (Vec::new(), Vec::new());
        for &item in without.iter().chain(with) {
            let possible = |&(shift, set): &(usize, Letters)| {
                let code = item >> shift & 31;
                code == 0 || set >> (code - 1) & 1 == 1
            };
            if narrowed.iter().all(possible) {
                if item & strike == 0 { whole.push(item) } else { struck.push(item & !strike) }
            }
        }
        let found = self.keep_undominated(&mut whole, &mut struck, strike.count_ones() as usize / FIELD_BITS);
        whole.append(&mut struck);
        whole.sort(); // two sorted runs
        Node { class, base: node.base + found, items: Some(whole) }
    }

    /// The stretches of a node's list that can hold items possible in the class: where the class
    /// decides the first open cell, those without it and those with its letter; else all.
    fn candidates<'i>(&self, node: &Node, items: &'i [u128], class: &[Letters]) -> (&'i [u128], &'i [u128]) {
        let first = self.open_cell(&node.class).filter(|&cell| class[cell].count_ones() == 1);
        let Some((cell, shift)) = first.and_then(|cell| Some((cell, self.shift[cell]?))) else {
            return (items, &[]);
        };
        let code = u128::from(class[cell].trailing_zeros() + 1);
        let end = |code: u128| items.partition_point(|item| item >> shift & 31 <= code);
        (&items[..end(0)], &items[end(code - 1)..end(code)])
    }

    /// Drops the items that contain a struck one of their word, and all items of words whose
    /// residual has become empty; returns the points of those. Leaves both lists sorted.
    ///
    /// Where a single cell was struck, all struck items held the same pair on it and neither of two
    /// contained the other; so it is without the pair.
    fn keep_undominated(
        &mut self,
        whole: &mut Vec<u128>,
        struck: &mut Vec<u128>,
        cells_struck: usize,
    ) -> u64 {
        struck.sort();
        struck.dedup();
        let masks: Vec<u128> = struck.iter().map(|&item| self.used_fields(item)).collect();
        // The struck items of a word form a chain from `struck_of` along `next`.
        let mut next = vec![0u32; struck.len()];
        for (index, &item) in struck.iter().enumerate() {
            let first = &mut self.struck_of[(item & WORD_MASK) as usize];
            next[index] = *first;
            *first = index as u32 + 1;
        }
        let dominated = |item: u128| {
            let mut link = self.struck_of[(item & WORD_MASK) as usize] as usize;
            while link > 0 {
                let (other, mask) = (struck[link - 1], masks[link - 1]);
                if other != item && (item ^ other) & mask == 0 {
                    return true;
                }
                link = next[link - 1] as usize;
            }
            false
        };
        whole.retain(|&item| !dominated(item));
        let keep = |item: &u128| cells_struck == 1 || !dominated(*item);
        let kept: Vec<u128> = struck.iter().copied().filter(keep).collect();
        for &item in struck.iter() {
            self.struck_of[(item & WORD_MASK) as usize] = 0;
        }
        // Sorted lists have empty residuals first.
        let empty = kept.partition_point(|&item| item & !WORD_MASK == 0);
        *struck = kept[empty..].to_vec();
        kept[..empty].iter().map(|&item| u64::from(self.points(item))).sum()
    }

    /// The parts of a node by the letter on its first open cell, less those whose boards all score
    /// less than `least`, and less letters that such boards alone hold; `None` without items.
    pub fn promising_parts(&mut self, node: &Node, cell: usize, least: u64) -> Option<Vec<Vec<Letters>>> {
        let items = node.items.as_ref()?;
        self.work += items.len() as u64;
        let place = self.cells.iter().position(|&c| c == cell).expect("an open cell");
        let shift = self.shift[cell].expect("a node with items has fields for open cells");
        let unused = items.partition_point(|item| item >> shift & 31 == 0);
        let without = self.table(&items[..unused], place + 1);
        let none = self.table(&[], place + 1);
        let mut with: Vec<Option<Table>> = (0..26).map(|_| None).collect();
        for (code, group) in groups(&items[unused..], shift) {
            with[code - 1] = Some(self.table(group, place + 1));
        }
        let part = |letter: u8| {
            let mut class = node.class.clone();
            class[cell] = 1 << letter;
            let with = with[usize::from(letter)].as_ref().unwrap_or(&none);
            self.reduce(class, node.base, [&without, with], least)
        };
        Some(each(node.class[cell]).filter_map(part).collect())
    }

    /// Takes away letters that only boards below `least` can hold, given the tables T whose sum
    /// bounds the class; `None` if no boards are left.
    fn reduce(
        &self,
        mut class: Vec<Letters>,
        base: u64,
        tables: [&Table; 2],
        least: u64,
    ) -> Option<Vec<Letters>> {
        loop {
            tighten(&mut class, self.order, self.ranks);
            if class.contains(&0) {
                return None;
            }
            let value = |place: usize, letter: u8| -> u64 {
                tables.iter().map(|table| table.by_place[place][usize::from(letter)]).sum()
            };
            let fields = self.cells.iter().take(MOST_FIELDS).enumerate();
            let best: Vec<u64> = fields
                .map(|(place, &cell)| each(class[cell]).map(|l| value(place, l)).max().unwrap_or(0))
                .collect();
            let total = base + tables.iter().map(|table| table.own).sum::<u64>() + best.iter().sum::<u64>();
            if total < least {
                return None;
            }
            let mut changed = false;
            for (place, &cell) in self.cells.iter().take(MOST_FIELDS).enumerate() {
                for letter in each(class[cell]) {
                    if total - best[place] + value(place, letter) < least {
                        class[cell] &= !(1 << letter);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(class);
            }
        }
    }

    /// V of the items by the first cell they use from `place` on, and by their letter there.
    fn table(&self, mut items: &[u128], place: usize) -> Table {
        let fields = self.cells.len().min(MOST_FIELDS);
        let mut table = Table { own: 0, by_place: vec![[0; 26]; fields] };
        for place in place..fields {
            let shift = 128 - FIELD_BITS * (place + 1);
            let unused = items.partition_point(|item| item >> shift & 31 == 0);
            for (code, group) in groups(&items[unused..], shift) {
                table.by_place[place][code - 1] = self.value(group, place + 1);
            }
            items = &items[..unused];
        }
        table.own = items.iter().map(|&item| u64::from(self.points(item))).sum();
        table
    }

    /// V of a sorted list whose items agree on all cells before `place` in the order of cells.
    fn value(&self, items: &[u128], place: usize) -> u64 {
        if items.len() <= 1 || place >= self.cells.len().min(MOST_FIELDS) {
            return items.iter().map(|&item| u64::from(self.points(item))).sum();
        }
        let shift = 128 - FIELD_BITS * (place + 1);
        let unused = items.partition_point(|item| item >> shift & 31 == 0);
        let with = groups(&items[unused..], shift).map(|(_, group)| self.value(group, place + 1)).max();
        self.value(&items[..unused], place + 1) + with.unwrap_or(0)
    }

    fn points(&self, item: u128) -> u32 {
        self.words[(item & WORD_MASK) as usize].points
    }

    /// All bits of the fields that an item uses.
    fn used_fields(&self, item: u128) -> u128 {
        let shifts = self.cells.iter().filter_map(|&cell| self.shift[cell]);
        shifts.map(field).filter(|field| item & field != 0).fold(0, |mask, field| mask | field)
    }
}

fn field(shift: usize) -> u128 {
    31 << shift
}

/// The stretches of a sorted list with the same letter in a field, with that field's value.
fn groups(items: &[u128], shift: usize) -> impl Iterator<Item = (usize, &[u128])> {
    items.chunk_by(move |a, b| (a ^ b) >> shift & 31 == 0).map(move |g| ((g[0] >> shift & 31) as usize, g))
}

/// Drops repeats and residuals that contain another. Small ones come first after it.
fn keep_smallest(residuals: &mut Vec<Residual>) {
    residuals.sort_unstable_by_key(|residual| (residual.size, residual.pairs));
    residuals.dedup_by_key(|residual| residual.pairs);
    let mut kept = 0;
    for index in 0..residuals.len() {
        let residual = residuals[index];
        // One of the same size cannot be contained without being the same.
        let smaller = residuals[..kept].partition_point(|other| other.size < residual.size);
        let contains = |other: &Residual| (residual.pairs ^ other.pairs) & other.fields == 0;
        if !residuals[..smaller].iter().any(contains) {
            residuals[kept] = residual;
            kept += 1;
        }
    }
    residuals.truncate(kept);
}

/// The cells with the most neighbors first, each followed by the cell opposite: words pass through
/// them most, and what is far apart says most together.
fn branch_order(grid: &Grid) -> Vec<usize> {
    let mut by_degree: Vec<usize> = (0..grid.cells()).collect();
    by_degree.sort_by_key(|&cell| std::cmp::Reverse(grid.neighbors[cell].len()));
    let mut order = Vec::new();
    for cell in by_degree {
        for cell in [cell, grid.cells() - 1 - cell] {
            if !order.contains(&cell) {
                order.push(cell);
            }
        }
    }
    order
}
