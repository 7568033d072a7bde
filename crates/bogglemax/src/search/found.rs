//! What is found on a board: its words, and those that edits make.

use super::layout::{ByCell, cells_of};
use super::neighbors::{Neighbors, pair};
use super::pairs::PairCounter;
use super::queue::Queue;
use super::splits::{Fill, Kind, Splits};
use crate::simd::{LANES, Lanes, prefetch_at, with_vectors};
use crate::{MAX_CELLS, MAX_TILES, Tile};

/// A word that is on the board or that a swap puts there.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    number: u32,
    letters: u8,
}

/// Counters of cells come in groups of this many, which are counted up together.
const GROUP: usize = 16;

/// Bytes of a set of cells: two for all boards of at most 16, so that the same code does for them.
const fn bytes(cells: usize) -> usize {
    let bytes = cells.div_ceil(8);
    if bytes < 2 { 2 } else { bytes }
}

/// Words of 64 bits of a set of pairs of cells.
const fn stride(bytes: usize) -> usize {
    (bytes * 8 * (bytes * 8 - 1) / 2).div_ceil(64)
}

/// That of the largest boards.
const MAX_STRIDE: usize = stride(bytes(MAX_CELLS));

/// What is found on a board.
///
/// A set of pairs of cells is a few words of 64 bits, in which pairs are numbered by [`pair`]. The
/// functions are compiled for `BYTES` bytes of a set of cells, so that their shortest loops are
/// none; 0 stands for any number.
#[derive(Clone, Debug)]
pub(super) struct Found {
    cells: usize,
    /// The value of a word by its number of letters.
    points: Vec<u32>,
    /// For each byte of a set of cells, and each value of it, the pairs that have one of its cells.
    pairs_with: Vec<u64>,

    /// The words met so far, behind one that stands for the others: first those on the board, then
    /// those that swaps make. What is behind `met` is meaningless.
    words: Vec<Word>,
    met: usize,
    /// For each word number, where it is in `words`; 0 if it has not been met.
    at: Vec<u32>,
    /// For each of `words` on the board, the cells that every placement uses, the lowest 32 first. All cells
    /// for the first one, and for one more behind them that stands for the words not on the board.
    essential: Vec<[u32; 2]>,
    /// For each of `words` on the board, the pairs of which every placement uses a cell: their
    /// swaps may lose the word.
    lost: Vec<u64>,
    /// For each of `words`, the pairs whose swap makes a placement of it. Zero behind `met`.
    made: Vec<u64>,

    /// For each [`Kind`], how many words of it a change of each cell makes, since they were last
    /// [valued](Found::value_changes).
    changes: Vec<[u16; GROUP]>,
    /// How often `changes` were counted up: none of them is larger.
    counted: usize,
    /// For each letter, the points of the words that a change of each cell makes, but for those in `changes`.
    gained: Vec<u64>,
    /// For words that have a letter more than once, by the number of that, the cells that make the
    /// word when they change to the letter.
    repeats: Vec<u64>,
    repeats_met: Queue<Fill>,

    /// By number of letters, how many words the swap of each pair makes, and how many it loses.
    gains: Vec<PairCounter>,
    losses: Vec<PairCounter>,
}

/// The essential cells of words that are not on the board: whichever cell makes them, they are new.
const NOT_ON_BOARD: [u32; 2] = [u32::MAX; 2];

/// Counters of changes may be counted up so often before they are valued. Few times in tests, so that it happens.
const MOST_COUNTED: usize = if cfg!(test) { 100 } else { u16::MAX as usize };

/// Groups of counters of all cells.
const fn groups(cells: usize) -> usize {
    (bytes(cells) * 8).div_ceil(GROUP)
}

/// Marks a set of cells in `repeats` as met, even if it has no cells.
const MET: u64 = 1 << 63;

impl Found {
    pub fn new(splits: &Splits, cells: usize) -> Found {
        let stride = stride(bytes(cells));
        let counters = vec![PairCounter::new(stride); splits.points.len()];
        Found {
            cells,
            points: splits.points.clone(),
            pairs_with: pairs_with(cells),
            words: vec![Word::default(); 2],
            met: 1,
            at: vec![0; splits.letters.len()],
            essential: vec![NOT_ON_BOARD; 2],
            lost: vec![0; stride],
            made: vec![0; 2 * stride],
            changes: vec![[0; GROUP]; MAX_TILES * splits.points.len() * groups(cells)],
            counted: 0,
            gained: vec![0; MAX_TILES * groups(cells) * GROUP],
            repeats: vec![0; splits.repeats],
            repeats_met: Queue::default(),
            gains: counters.clone(),
            losses: counters,
        }
    }

    #[inline(always)]
    fn bytes<const BYTES: usize>(&self) -> usize {
        if BYTES == 0 { bytes(self.cells) } else { BYTES }
    }

    #[inline(always)]
    fn stride<const BYTES: usize>(&self) -> usize {
        stride(self.bytes::<BYTES>())
    }

    /// The set of pairs that have one of these cells.
    #[inline(always)]
    fn pairs_with<const BYTES: usize>(&self, cells: u64) -> [u64; MAX_STRIDE] {
        let (bytes, stride) = (self.bytes::<BYTES>(), self.stride::<BYTES>());
        let mut pairs = [0; MAX_STRIDE];
        for byte in 0..bytes {
            let at = (byte * 256 + (cells >> (byte * 8)) as usize % 256) * stride;
            let row = &self.pairs_with[at..at + stride];
            pairs.iter_mut().zip(row).for_each(|(pairs, more)| *pairs |= more);
        }
        pairs
    }

    /// A word lies on the board on each of these sets of cells, and in no other way. To be told
    /// before all that edits make.
    #[inline(always)]
    pub fn on_board<const BYTES: usize>(
        &mut self,
        number: u32,
        letters: u8,
        placements: impl Iterator<Item = u64>,
    ) {
        let (stride, start) = (self.stride::<BYTES>(), self.lost.len());
        self.lost.resize(start + stride, u64::MAX);
        let mut essential = u64::MAX;
        for used in placements {
            essential &= used;
            let pairs = self.pairs_with::<BYTES>(used);
            self.lost[start..].iter_mut().zip(pairs).for_each(|(lost, pairs)| *lost &= pairs);
        }
        self.place_of::<BYTES>(number, letters);
        self.essential.push(NOT_ON_BOARD);
        let place = self.on_board_end() - 1;
        self.essential[place] = [essential as u32, (essential >> 32) as u32];
    }

    /// One more than the number of words on the board: `words` from here on are made by swaps.
    #[inline(always)]
    fn on_board_end(&self) -> usize {
        self.essential.len() - 1
    }

    #[inline(always)]
    fn essential(&self, place: usize) -> u64 {
        let [low, high] = self.essential[place];
        u64::from(low) | u64::from(high) << 32
    }

    /// Where a word is in `words`, which it comes to if it is not there yet. No branch on that: it
    /// is hard to foresee.
    #[inline(always)]
    fn place_of<const BYTES: usize>(&mut self, number: u32, letters: u8) -> usize {
        if self.met + 1 >= self.words.len() {
            self.words.resize(2 * self.words.len(), Word::default());
            self.made.resize(self.words.len() * self.stride::<BYTES>(), 0);
        }
        let at = &mut self.at[number as usize];
        let is_new = *at == 0;
        let place = if is_new { self.met } else { *at as usize };
        *at = place as u32;
        self.words[self.met] = Word { number, letters };
        self.met += usize::from(is_new);
        place
    }

    /// The cells of which a change makes a word that the board with that change does not have
    /// otherwise.
    #[inline(always)]
    fn lacking(&self, number: u32, cells: u64) -> u64 {
        let at = self.at[number as usize] as usize;
        cells & self.essential(at.min(self.on_board_end()))
    }

    /// As [`lacking`](Found::lacking), for sets of at most 32 cells.
    #[inline(always)]
    fn lacking_lanes<L: Lanes>(&self, numbers: L, cells: L) -> L {
        let at = numbers.gather(&self.at).min(L::splat(self.on_board_end() as u32));
        cells & at.shl::<1>().gather(self.essential.as_flattened())
    }

    /// Makes sure that no counter gets too large if each is counted up so many times.
    #[inline(always)]
    fn will_count(&mut self, times: usize) {
        if self.counted + times > MOST_COUNTED {
            self.value_changes();
        }
        self.counted += times;
    }

    /// To be announced by [`will_count`](Found::will_count).
    #[inline(always)]
    fn count<const BYTES: usize>(&mut self, kind: Kind, cells: u64) {
        let groups = if BYTES == 2 { 1 } else { groups(self.cells) };
        for group in 0..groups {
            let cells = (cells >> (group * GROUP)) as u16;
            let counts = &mut self.changes[kind.0 as usize * groups + group];
            counts
                .iter_mut()
                .enumerate()
                .for_each(|(lane, count)| *count += u16::from(cells & 1 << lane != 0));
        }
    }

    /// Each of these cells makes a word, which has the letter only once, when it changes to that letter.
    /// The same must not be told twice.
    #[inline(always)]
    pub fn with_change<const BYTES: usize>(&mut self, fill: &Fill, cells: u64) {
        let lacking = self.lacking(fill.word, cells);
        self.will_count(1);
        self.count::<BYTES>(fill.kind, lacking);
    }

    /// As [`with_change`](Found::with_change), for words and [`Kind`]s by number, on boards of at most 16 cells.
    #[inline(always)]
    pub fn with_changes<L: Lanes>(&mut self, words: L, kinds: L, cells: L) {
        let lacking: [u32; LANES] = self.lacking_lanes(words, cells).into();
        let kinds: [u32; LANES] = kinds.into();
        self.will_count(LANES);
        // A loop and not a closure, which would be compiled without vectors.
        for (kind, cells) in kinds.into_iter().zip(lacking) {
            self.count::<2>(Kind(kind), cells.into());
        }
    }

    /// Each of these cells makes a word, which has the letter more than once, when it changes to that
    /// letter.
    #[inline(always)]
    pub fn with_repeat(&mut self, fill: &Fill, cells: u64) {
        let lacking = self.lacking(fill.word, cells);
        self.repeat(fill, lacking);
    }

    /// As [`with_repeat`](Found::with_repeat), for the first `count` of some [`Fill`]s on boards of at most 16 cells.
    #[inline(always)]
    pub fn with_repeats<L: Lanes>(&mut self, words: L, repeats: L, kinds: L, cells: L, count: usize) {
        let lacking: [u32; LANES] = self.lacking_lanes(words, cells).into();
        let [words, repeats, kinds]: [[u32; LANES]; 3] = [words, repeats, kinds].map(L::into);
        for lane in 0..count.min(LANES) {
            let fill = Fill { word: words[lane], repeat: repeats[lane], kind: Kind(kinds[lane]) };
            self.repeat(&fill, lacking[lane].into());
        }
    }

    #[inline(always)]
    fn repeat(&mut self, fill: &Fill, lacking: u64) {
        let all = &mut self.repeats[fill.repeat as usize];
        self.repeats_met.push_if(*all == 0, *fill);
        *all |= lacking | MET;
    }

    /// A word lies on the board after any of `cells` is swapped with any of `others`; no cell is
    /// among both.
    #[inline(always)]
    pub fn with_swaps<const BYTES: usize>(&mut self, number: u32, letters: u8, cells: u64, others: u64) {
        let place = self.place_of::<BYTES>(number, letters);
        let stride = self.stride::<BYTES>();
        let (cells, others) = (self.pairs_with::<BYTES>(cells), self.pairs_with::<BYTES>(others));
        let made = &mut self.made[place * stride..][..stride];
        made.iter_mut().zip(cells.iter().zip(&others)).for_each(|(made, (a, b))| *made |= a & b);
    }

    /// A word lies on the board after the two cells of a [`pair`] are swapped.
    #[inline(always)]
    pub fn with_swap<const BYTES: usize>(&mut self, number: u32, letters: u8, pair: usize) {
        let place = self.place_of::<BYTES>(number, letters);
        let stride = self.stride::<BYTES>();
        self.made[place * stride + pair / 64] |= 1 << (pair % 64);
    }

    /// Asks for what is known of a word that is told of soon.
    #[inline(always)]
    pub fn ask_for(&self, number: u32) {
        prefetch_at(&self.at, number as usize);
    }

    /// Asks for what is known of a word that a change makes, and that is told of soon.
    #[inline(always)]
    pub fn ask_for_fill(&self, fill: &Fill) {
        self.ask_for(fill.word);
        self.ask_for_repeat(fill.repeat);
    }

    /// Asks for what is known of a letter that a word has more than once.
    #[inline(always)]
    pub fn ask_for_repeat(&self, repeat: u32) {
        prefetch_at(&self.repeats, repeat as usize);
    }

    /// Turns what was found into scores, and forgets it.
    pub fn settle<const BYTES: usize>(&mut self, letter_of: &[Tile; MAX_TILES], scores: &mut Neighbors) {
        with_vectors(
            #[inline(always)]
            || self.settle_all::<BYTES>(letter_of, scores),
        );
    }

    #[inline(always)]
    fn settle_all<const BYTES: usize>(&mut self, letter_of: &[Tile; MAX_TILES], scores: &mut Neighbors) {
        for i in 0..std::mem::take(&mut self.repeats_met.end) {
            let fill = self.repeats_met.items[i];
            let cells = std::mem::take(&mut self.repeats[fill.repeat as usize]) & !MET;
            self.will_count(1);
            self.count::<BYTES>(fill.kind, cells);
        }
        let mut lost: ByCell<u64> = [0; 64];
        scores.board = 0;
        for place in 1..self.on_board_end() {
            let points = u64::from(self.points[usize::from(self.words[place].letters)]);
            scores.board += points;
            cells_of(self.essential(place)).for_each(|cell| lost[cell] += points);
        }
        self.settle_changes(letter_of, &lost, scores);
        self.settle_swaps::<BYTES>(scores);
        let (met, stride) = (std::mem::replace(&mut self.met, 1), self.stride::<BYTES>());
        self.words[1..met].iter().for_each(|word| self.at[word.number as usize] = 0);
        self.made[..met * stride].fill(0);
        self.essential.truncate(2);
        self.essential[1] = NOT_ON_BOARD;
        self.lost.truncate(stride);
    }

    /// Turns counts of words into points.
    #[inline(never)]
    fn value_changes(&mut self) {
        let width = groups(self.cells) * GROUP;
        let rows = self.changes.as_flattened_mut().chunks_exact_mut(width);
        for (kind, counts) in rows.enumerate() {
            let kind = Kind(kind as u32);
            let points = u64::from(self.points[usize::from(kind.letters())]);
            let gained = &mut self.gained[kind.letter() as usize * width..][..width];
            for (gained, count) in gained.iter_mut().zip(counts) {
                *gained += points * u64::from(std::mem::take(count));
            }
        }
        self.counted = 0;
    }

    #[inline(always)]
    fn settle_changes(&mut self, letter_of: &[Tile; MAX_TILES], lost: &ByCell<u64>, scores: &mut Neighbors) {
        self.value_changes();
        let width = groups(self.cells) * GROUP;
        for (tile, &letter) in letter_of.iter().enumerate().take(scores.tiles) {
            let gained = &mut self.gained[usize::from(letter) * width..][..width];
            for (cell, gained) in gained.iter_mut().enumerate().take(self.cells) {
                scores.changes[cell * scores.tiles + tile] =
                    scores.board - lost[cell] + std::mem::take(gained);
            }
        }
    }

    #[inline(always)]
    fn settle_swaps<const BYTES: usize>(&mut self, scores: &mut Neighbors) {
        let (stride, on_board) = (self.stride::<BYTES>(), self.on_board_end());
        for place in 1..on_board {
            let counter = &mut self.losses[usize::from(self.words[place].letters)];
            for i in place * stride..(place + 1) * stride {
                counter.add(i - place * stride, self.lost[i] & !self.made[i]);
            }
        }
        for place in on_board..self.met {
            let counter = &mut self.gains[usize::from(self.words[place].letters)];
            for i in place * stride..(place + 1) * stride {
                counter.add(i - place * stride, self.made[i]);
            }
        }
        scores.swaps.fill(scores.board);
        for (counter, &points) in self.gains.iter_mut().zip(&self.points) {
            counter.drain(|row, bit, count| scores.swaps[row * 64 + bit] += u64::from(points) * count);
        }
        for (counter, &points) in self.losses.iter_mut().zip(&self.points) {
            counter.drain(|row, bit, count| scores.swaps[row * 64 + bit] -= u64::from(points) * count);
        }
    }
}

/// See [`Found::pairs_with`].
fn pairs_with(cells: usize) -> Vec<u64> {
    let stride = stride(bytes(cells));
    let mut table = vec![0; bytes(cells) * 256 * stride];
    for a in 0..cells {
        for value in (0..256).filter(|value| value >> (a % 8) & 1 == 1) {
            for b in (0..cells).filter(|&b| b != a) {
                table[(a / 8 * 256 + value) * stride + pair(a, b) / 64] |= 1 << (pair(a, b) % 64);
            }
        }
    }
    table
}
