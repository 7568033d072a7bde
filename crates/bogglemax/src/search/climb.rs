//! Listing 1 of the paper: hillclimbing with a pool of boards.

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Edit, NeighborScorer, Neighbors, Space};
use crate::{Board, Dims, Lexicon, Scorer, Scoring};

/// How to climb.
#[derive(Clone, Debug)]
pub struct ClimbOptions {
    /// μ of the paper: how many boards are kept.
    pub pool: usize,
    /// What the first pool is drawn from: random boards with letters as common as in the words.
    pub seed: u64,
    /// All letters are as likely in the first pool. Scorings that live on rare letters may want this.
    pub uniform: bool,
    /// Which of the independent climbs with this seed to make.
    pub run: u64,
    /// If not empty, these boards are the first pool, in place of random ones.
    pub start: Vec<Board>,
    /// After how many rounds to stop even if the pool still changes.
    pub rounds: u32,
}

impl Default for ClimbOptions {
    fn default() -> ClimbOptions {
        ClimbOptions { pool: 500, seed: 1, uniform: false, run: 0, start: Vec::new(), rounds: u32::MAX }
    }
}

/// A board and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredBoard {
    /// The board.
    pub board: Board,
    /// Its score.
    pub score: u64,
}

impl ScoredBoard {
    /// Sorts the best first, and boards of equal score as their texts.
    fn rank(&self) -> (Reverse<u64>, Board) {
        (Reverse(self.score), self.board)
    }
}

/// How far a climb has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClimbProgress {
    /// Rounds of Listing 1 so far.
    pub iterations: u32,
    /// The best board of the pool.
    pub best: ScoredBoard,
    /// The lowest score in the pool.
    pub worst: u64,
    /// How many neighbours were scored so far.
    pub neighbors: u64,
}

/// What a climb came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClimbResult {
    /// The boards of the last pool, canonical in their [`Space`], the best first; never empty.
    pub pool: Vec<ScoredBoard>,
    /// Rounds of Listing 1 until the pool no longer changed.
    pub iterations: u32,
    /// How many neighbours were scored.
    pub neighbors: u64,
}

impl ClimbResult {
    /// The best board found.
    pub fn best(&self) -> ScoredBoard {
        self.pool[0]
    }
}

/// Climbs once over all boards of a shape, on the threads of the current rayon pool. `observer`
/// hears of every round.
///
/// ```
/// use bogglemax::search::{ClimbOptions, climb};
/// use bogglemax::{Dims, Lexicon, Scoring};
///
/// let options = ClimbOptions { pool: 20, ..Default::default() };
/// let found = climb(&Lexicon::enable2k(), &Scoring::boggle(), Dims::new(2, 2)?, &options, |_| {});
/// assert_eq!(found.best().score, 18);
/// # Ok::<(), bogglemax::Error>(())
/// ```
pub fn climb(
    lexicon: &Lexicon,
    scoring: &Scoring,
    dims: Dims,
    options: &ClimbOptions,
    observer: impl FnMut(&ClimbProgress),
) -> ClimbResult {
    let space = Space::new(dims, lexicon.alphabet());
    Climber::new(lexicon, scoring, space).climb(options, observer)
}

/// Climbs in one [`Space`]; made once for many climbs.
#[derive(Clone, Debug)]
pub struct Climber {
    space: Space,
    edits: Vec<Edit>,
    scorer: Scorer,
    neighbors: NeighborScorer,
    /// For each tile, how often the words have it.
    uses: Vec<u64>,
}

/// How many boards are expanded before their neighbours are thinned out to the best, which raises
/// the bar for the next: few at first, since the first neighbours of a round are worth the most.
const FIRST_BATCH: usize = 16;
/// The most boards in a batch: bounds the memory of large pools.
const LARGEST_BATCH: usize = 256;

impl Climber {
    /// Prepares for climbs in a space.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, space: Space) -> Climber {
        let (free, letters) = (space.free(), space.letters());
        let (free_mask, letter_mask) =
            (free.iter().fold(0, |mask, &c| mask | 1 << c), letters.iter().fold(0, |mask, &t| mask | 1 << t));
        let changes =
            free.iter().flat_map(|&cell| letters.iter().map(move |&tile| Edit::Change { cell, tile }));
        let swaps =
            free.iter().enumerate().flat_map(|(i, &a)| free[..i].iter().map(move |&b| Edit::Swap(b, a)));
        let mut uses = vec![0; lexicon.alphabet().len()];
        lexicon.for_each_word(|tiles| tiles.iter().for_each(|&tile| uses[usize::from(tile)] += 1));
        Climber {
            uses,
            edits: changes.chain(swaps).collect(),
            scorer: Scorer::new(lexicon, scoring, space.dims()),
            neighbors: NeighborScorer::new(lexicon, scoring, space.dims()).restricted(free_mask, letter_mask),
            space,
        }
    }

    /// Climbs until the pool no longer changes. Every board of `options.start` must be in the
    /// space; those that are not are passed over, and a random board stands in if none is left.
    ///
    /// The result depends on the options alone, not on the number of threads.
    pub fn climb(&self, options: &ClimbOptions, mut observer: impl FnMut(&ClimbProgress)) -> ClimbResult {
        let size = options.pool.max(1);
        let mut pool = Pool::new(size);
        pool.add(self.first_boards(options, size));
        let (mut iterations, mut neighbors) = (0, 0);
        let spare = Mutex::new(Vec::new());
        loop {
            observer(&ClimbProgress { iterations, best: pool.best(), worst: pool.worst(), neighbors });
            let expanding = pool.take_new();
            if expanding.is_empty() || iterations == options.rounds {
                break;
            }
            let (mut rest, mut size) = (&expanding[..], FIRST_BATCH);
            while !rest.is_empty() {
                let (batch, later) = rest.split_at(size.min(rest.len()));
                (rest, size) = (later, LARGEST_BATCH.min(2 * size));
                let bar = pool.bar();
                let expanded: Vec<Vec<ScoredBoard>> = batch
                    .par_iter()
                    .map_init(
                        || self.borrow_scorer(&spare),
                        |scorer, board| self.expand(scorer.get(), board, bar),
                    )
                    .collect();
                neighbors += batch.iter().map(|board| self.edits(board).count() as u64).sum::<u64>();
                pool.add(expanded.into_iter().flatten());
            }
            iterations += 1;
        }
        ClimbResult { pool: pool.into_boards(), iterations, neighbors }
    }

    fn borrow_scorer<'a>(&self, spare: &'a Mutex<Vec<NeighborScorer>>) -> Borrowed<'a> {
        let one = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Borrowed { neighbors: Some(one.unwrap_or_else(|| self.neighbors.clone())), spare }
    }

    fn first_boards(&self, options: &ClimbOptions, size: usize) -> Vec<ScoredBoard> {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(options.run);
        let mut boards: Vec<Board> =
            options.start.iter().copied().filter(|board| self.space.holds(board)).collect();
        if boards.is_empty() {
            let count = if options.start.is_empty() { size } else { 1 };
            // Letters as common as in the words: climbs end on the best board more often than from
            // letters that are all as likely.
            let weight = |tile| 1 + self.uses[usize::from(tile)];
            boards.extend((0..count).map(|_| match options.uniform {
                true => self.space.random(&mut rng),
                false => self.space.random_by(weight, &mut rng),
            }));
        }
        let mut scorer = self.scorer.clone();
        boards
            .into_iter()
            .map(|board| ScoredBoard { board: self.space.canonical(&board), score: scorer.score(&board) })
            .collect()
    }

    /// The edits that make a neighbour of a board.
    fn edits(&self, board: &Board) -> impl Iterator<Item = Edit> {
        let tiles: [u8; crate::MAX_CELLS] = {
            let mut tiles = [0; crate::MAX_CELLS];
            tiles[..board.tiles().len()].copy_from_slice(board.tiles());
            tiles
        };
        self.edits.iter().copied().filter(move |edit| match *edit {
            Edit::Change { cell, tile } => tiles[cell] != tile,
            Edit::Swap(a, b) => tiles[a] != tiles[b],
        })
    }

    /// The neighbours of a board that score at least `bar`.
    fn expand(&self, scorer: &mut NeighborScorer, from: &Board, bar: u64) -> Vec<ScoredBoard> {
        let scores: &Neighbors = scorer.score(from, bar);
        self.edits(from)
            .filter_map(|edit| Some((edit, scores.get(edit)?)))
            .map(|(edit, score)| ScoredBoard { board: self.space.canonical(&edit.of(from)), score })
            .collect()
    }
}

/// A scorer for one thread, which goes back to the spare ones: it has megabytes of scratch space.
struct Borrowed<'a> {
    /// None only while it is dropped.
    neighbors: Option<NeighborScorer>,
    spare: &'a Mutex<Vec<NeighborScorer>>,
}

impl Borrowed<'_> {
    fn get(&mut self) -> &mut NeighborScorer {
        self.neighbors.as_mut().expect("a scorer until it is dropped")
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let neighbors = self.neighbors.take();
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).extend(neighbors);
    }
}

/// The μ best boards so far.
///
/// Boards are in a strict order, so a board that falls out of the pool can never come back, and the
/// best of many are the same whatever the order they are added in.
struct Pool {
    size: usize,
    /// INVARIANT: at most `size`, all different, by [`ScoredBoard::rank`].
    members: Vec<Member>,
}

#[derive(Clone, Copy)]
struct Member {
    scored: ScoredBoard,
    expanded: bool,
}

impl Pool {
    fn new(size: usize) -> Pool {
        Pool { size, members: Vec::new() }
    }

    fn add(&mut self, boards: impl IntoIterator<Item = ScoredBoard>) {
        self.members.extend(boards.into_iter().map(|scored| Member { scored, expanded: false }));
        // Of equal boards the expanded one comes first, and stays.
        self.members.sort_unstable_by_key(|m| (m.scored.rank(), !m.expanded));
        self.members.dedup_by_key(|m| m.scored.board);
        self.members.truncate(self.size);
    }

    fn best(&self) -> ScoredBoard {
        self.members[0].scored
    }

    fn worst(&self) -> u64 {
        self.members[self.members.len() - 1].scored.score
    }

    /// The score without which a board cannot enter.
    fn bar(&self) -> u64 {
        if self.members.len() < self.size { 0 } else { self.worst() }
    }

    /// The boards that were not yet expanded. They are now.
    fn take_new(&mut self) -> Vec<Board> {
        let new = self.members.iter_mut().filter(|m| !m.expanded);
        new.map(|member| {
            member.expanded = true;
            member.scored.board
        })
        .collect()
    }

    fn into_boards(self) -> Vec<ScoredBoard> {
        self.members.into_iter().map(|m| m.scored).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Listing 1, word for word, with the plain scorer.
    fn listing_1(
        lexicon: &Lexicon,
        scoring: &Scoring,
        space: &Space,
        start: &[Board],
        size: usize,
    ) -> Vec<Board> {
        let mut scorer = Scorer::new(lexicon, scoring, space.dims());
        let mut pool: BTreeSet<(Reverse<u64>, Board)> =
            start.iter().map(|b| (Reverse(scorer.score(b)), space.canonical(b))).collect();
        loop {
            let mut next = pool.clone();
            for (_, board) in &pool {
                for a in 0..board.dims().cells() {
                    let changes = space.letters().iter().map(|&tile| Edit::Change { cell: a, tile });
                    let swaps = (0..a).map(|b| Edit::Swap(a, b));
                    for edited in changes.chain(swaps).map(|edit| edit.of(board)).filter(|b| space.holds(b)) {
                        next.insert((Reverse(scorer.score(&edited)), space.canonical(&edited)));
                    }
                }
            }
            let next: BTreeSet<_> = next.into_iter().take(size).collect();
            if next == pool {
                return pool.into_iter().map(|(_, board)| board).collect();
            }
            pool = next;
        }
    }

    #[test]
    fn a_climb_is_listing_1() {
        let lexicon = Lexicon::enable2k();
        let alphabet = lexicon.alphabet();
        let all = |dims: &str| Space::new(dims.parse().unwrap(), alphabet);
        let spaces = [
            all("2x3"),
            all("1x4"),
            all("3x2").excluding("aeq", alphabet).unwrap(),
            all("2x3").fixing("q..t..", alphabet).unwrap(),
            all("2x2").fixing("teas", alphabet).unwrap(),
        ];
        for space in spaces {
            for (size, scoring) in [(1, "boggle"), (7, "pow2"), (30, "words")] {
                let scoring: Scoring = scoring.parse().unwrap();
                let mut rng = ChaCha8Rng::seed_from_u64(5);
                let start: Vec<Board> = (0..size).map(|_| space.random(&mut rng)).collect();
                let options = ClimbOptions { pool: size, start: start.clone(), ..Default::default() };
                let result = Climber::new(&lexicon, &scoring, space.clone()).climb(&options, |_| {});
                let boards: Vec<Board> = result.pool.iter().map(|s| s.board).collect();
                assert_eq!(boards, listing_1(&lexicon, &scoring, &space, &start, size), "{space:?} {size}");
            }
        }
    }

    #[test]
    fn the_result_depends_on_the_seed_alone() {
        let lexicon = Lexicon::enable2k();
        let space = Space::new("3x3".parse().unwrap(), lexicon.alphabet());
        let climber = Climber::new(&lexicon, &Scoring::boggle(), space);
        let climb = |threads, run| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = ClimbOptions { pool: 30, seed: 7, run, ..Default::default() };
            let mut rounds = Vec::new();
            let result = pool.install(|| climber.climb(&options, |p| rounds.push(*p)));
            (result, rounds)
        };
        let (one, rounds) = climb(1, 0);
        assert_eq!(climb(3, 0), (one.clone(), rounds.clone()));
        assert_ne!(climb(1, 1).1[0], rounds[0]);
        assert!(rounds.windows(2).all(|r| r[0].best.score <= r[1].best.score && r[0].worst <= r[1].worst));
        assert_eq!(one.iterations as usize + 1, rounds.len());
    }

    #[test]
    fn starts_outside_the_space_are_passed_over() {
        let lexicon = Lexicon::enable2k();
        let space = Space::new("2x2".parse().unwrap(), lexicon.alphabet()).excluding("t", lexicon.alphabet());
        let climber = Climber::new(&lexicon, &Scoring::boggle(), space.unwrap());
        let start = vec![Board::parse("teas", None).unwrap()];
        let result = climber.climb(&ClimbOptions { pool: 5, start, ..Default::default() }, |_| {});
        assert!(result.pool.iter().all(|s| !s.board.tiles().contains(&19)));
    }
}
