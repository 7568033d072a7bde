//! Simulated annealing: one board that wanders, ever less willing to lose points.
//!
//! Temperatures are shares of the score: a step that loses the share d of the score is taken with
//! probability (1 - d)^(1/T). So one schedule serves all shapes and scorings.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::laid_word::LaidWord;
use super::{ClimbOptions, ClimbResult, Climber, Edit, ScoredBoard, Space};
use crate::{Board, Lexicon, Scorer, Scoring, Tile};

/// How to anneal.
#[derive(Clone, Debug)]
pub struct AnnealOptions {
    /// How many steps to try.
    pub steps: u64,
    /// The temperature at the first step.
    pub hot: f64,
    /// The temperature at the last step; in between it falls at a constant rate.
    pub cold: f64,
    /// What random choices follow.
    pub seed: u64,
    /// Which of the independent runs with this seed to make.
    pub run: u64,
    /// Where to begin; a random board if none.
    pub start: Option<Board>,
    /// Whether every board must hold one of the most valuable words, which steps lay out anew.
    pub long_words: bool,
    /// The size of the pool of the climb at the end, from the best board of the run.
    pub pool: usize,
}

impl Default for AnnealOptions {
    fn default() -> AnnealOptions {
        AnnealOptions {
            steps: 300_000,
            hot: 0.1,
            cold: 0.003,
            seed: 1,
            run: 0,
            start: None,
            long_words: false,
            pool: 20,
        }
    }
}

/// How far an annealing has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnealProgress {
    /// Steps tried so far.
    pub steps: u64,
    /// The board at hand.
    pub current: ScoredBoard,
    /// The best board so far.
    pub best: ScoredBoard,
}

/// Steps between two reports to the observer.
const REPORT: u64 = 1 << 12;

/// Anneals in one [`Space`]; made once for many runs.
///
/// ```
/// use bogglemax::search::{AnnealOptions, Annealer, Space};
/// use bogglemax::{Dims, Lexicon, Scoring};
///
/// let lexicon = Lexicon::enable2k();
/// let space = Space::new(Dims::new(2, 2)?, lexicon.alphabet());
/// let annealer = Annealer::new(&lexicon, &Scoring::boggle(), space);
/// let options = AnnealOptions { steps: 20_000, ..Default::default() };
/// assert_eq!(annealer.anneal(&options, |_| {}).best().score, 18);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Annealer {
    space: Space,
    climber: Climber,
    scorer: Scorer,
    free: Vec<usize>,
    /// The words worth at least half as much as the most valuable, that one first.
    long_words: Vec<Vec<Tile>>,
}

impl Annealer {
    /// Prepares for runs in a space.
    pub fn new(lexicon: &Lexicon, scoring: &Scoring, space: Space) -> Annealer {
        let mut words: Vec<(u32, Vec<Tile>)> = Vec::new();
        lexicon.for_each_word(|tiles| {
            let points = scoring.points(lexicon.alphabet().letters(tiles));
            let spelled = tiles.iter().all(|t| space.letters().contains(t));
            if points > 0 && spelled && tiles.len() <= space.dims().cells() {
                words.push((points, tiles.to_vec()));
            }
        });
        words.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        let half = words.first().map_or(0, |(most, _)| most.div_ceil(2));
        words.retain(|(points, _)| *points >= half);
        Annealer {
            climber: Climber::new(lexicon, scoring, space.clone()),
            scorer: Scorer::new(lexicon, scoring, space.dims()),
            free: space.free(),
            long_words: words.into_iter().map(|(_, tiles)| tiles).collect(),
            space,
        }
    }

    /// Anneals once, then climbs from the best board met. The result is that of the climb, with the
    /// number of steps added to its `neighbors`; it depends on the options alone.
    pub fn anneal(&self, options: &AnnealOptions, observer: impl FnMut(&AnnealProgress)) -> ClimbResult {
        let best = self.wander(options, observer);
        let climb = ClimbOptions { pool: options.pool, start: vec![best], ..ClimbOptions::default() };
        let mut result = self.climber.climb(&climb, |_| {});
        result.neighbors += options.steps;
        result
    }

    fn wander(&self, options: &AnnealOptions, mut observer: impl FnMut(&AnnealProgress)) -> Board {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(options.run);
        let mut scorer = self.scorer.clone();
        let start = options.start.filter(|board| self.space.holds(board));
        let mut at = Wanderer { board: start.unwrap_or_else(|| self.space.random(&mut rng)), laid: None };
        if options.long_words && !self.long_words.is_empty() {
            // The runs take the words in turn, the most valuable first.
            let word = &self.long_words[(options.run % self.long_words.len() as u64) as usize];
            at.laid = LaidWord::random(word, self.space.dims(), &mut rng);
            at.lay();
        }
        let scored = |board, score| ScoredBoard { board, score };
        let mut current = scored(at.board, scorer.score(&at.board));
        let mut best = current;
        for step in 0..options.steps {
            if step % REPORT == 0 {
                observer(&AnnealProgress { steps: step, current, best });
            }
            let part = step as f64 / options.steps.max(2) as f64;
            let temperature = options.hot * (options.cold / options.hot).powf(part);
            let next = self.step(&at, &mut rng);
            let score = scorer.score(&next.board);
            let ratio = (score + 1) as f64 / (current.score + 1) as f64;
            // At a temperature of 0 or less only steps that lose nothing are taken.
            if score >= current.score
                || (temperature > 0.0 && rng.random::<f64>() < ratio.powf(1.0 / temperature))
            {
                current = scored(next.board, score);
                at = next;
                if score > best.score {
                    best = current;
                }
            }
        }
        observer(&AnnealProgress { steps: options.steps, current, best });
        best.board
    }

    fn step(&self, from: &Wanderer, rng: &mut impl Rng) -> Wanderer {
        let mut to = from.clone();
        match &mut to.laid {
            Some(laid) => {
                let spare: Vec<usize> = self.free.iter().copied().filter(|c| !laid.uses(*c)).collect();
                if !spare.is_empty() && rng.random_bool(0.5) {
                    self.change(&spare, &mut to.board, rng);
                } else {
                    laid.move_an_end(rng);
                    to.lay();
                }
            }
            None if self.free.len() >= 2 && rng.random_bool(1.0 / 3.0) => {
                let (a, b) = (self.pick(&self.free, rng), self.pick(&self.free, rng));
                to.board = Edit::Swap(a, b).of(&to.board);
            }
            None if !self.free.is_empty() => self.change(&self.free, &mut to.board, rng),
            None => {}
        }
        to
    }

    fn change(&self, cells: &[usize], board: &mut Board, rng: &mut impl Rng) {
        board.set(self.pick(cells, rng), self.pick(self.space.letters(), rng));
    }

    fn pick<V: Copy>(&self, from: &[V], rng: &mut impl Rng) -> V {
        *from.choose(rng).expect("something to choose from")
    }
}

#[derive(Clone)]
struct Wanderer {
    board: Board,
    laid: Option<LaidWord>,
}

impl Wanderer {
    /// Writes the laid word on the board.
    fn lay(&mut self) {
        if let Some(laid) = &self.laid {
            laid.tiles().for_each(|(cell, tile)| self.board.set(cell, tile));
        }
    }
}
