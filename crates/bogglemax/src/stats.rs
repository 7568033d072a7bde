//! What boards score on average.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::{Board, DiceSet, Dims, Lexicon, Scorer, Scoring, Tile};

/// The mean of a sample and how sure of it we are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The size of the sample.
    pub samples: usize,
}

/// What random boards score, and how many of them the dice can show.
#[derive(Clone, Debug)]
pub struct BoardStats {
    /// Score of boards with a uniform random tile on each cell.
    pub uniform: Mean,
    /// Score of boards rolled with the dice, if there are dice for this shape.
    pub rolled: Option<Mean>,
    /// Share of the uniform boards that the dice can show.
    pub rollable: Option<Mean>,
}

/// Boards a thread draws from one random stream: the unit that makes results independent of the
/// number of threads.
const CHUNK: usize = 1_000;

/// Scores `boards` uniform and as many rolled boards. Same seed, same result.
pub fn board_stats(
    lexicon: &Lexicon,
    scoring: &Scoring,
    dims: Dims,
    dice: Option<&DiceSet>,
    boards: usize,
    seed: u64,
) -> BoardStats {
    let scorer = Scorer::new(lexicon, scoring, dims);
    let tiles = lexicon.alphabet().len();
    let uniform = sample(boards, seed, 0, &scorer, |scorer, rng| {
        let board = uniform_board(dims, tiles, rng);
        let can_be_rolled = dice.is_some_and(|set| set.assign(&board).is_some());
        [scorer.score(&board) as f64, f64::from(u8::from(can_be_rolled))]
    });
    let rolled = dice.map(|set| {
        sample(boards, seed, 1, &scorer, |scorer, rng| [scorer.score(&set.roll(rng).0) as f64])[0]
    });
    BoardStats { uniform: uniform[0], rolled, rollable: dice.map(|_| uniform[1]) }
}

/// A uniform random tile on each cell.
fn uniform_board(dims: Dims, tiles: usize, rng: &mut impl Rng) -> Board {
    let tiles: Vec<Tile> = (0..dims.cells()).map(|_| rng.random_range(0..tiles) as Tile).collect();
    Board::new(dims, &tiles)
}

/// The means of N values, each call of `draw` giving one of each. `stream` keeps the random
/// numbers of different samples apart.
fn sample<const N: usize>(
    samples: usize,
    seed: u64,
    stream: u64,
    scorer: &Scorer,
    draw: impl Fn(&mut Scorer, &mut ChaCha8Rng) -> [f64; N] + Sync,
) -> [Mean; N] {
    let sums: Vec<[(f64, f64); N]> = (0..samples.div_ceil(CHUNK))
        .into_par_iter()
        .map_init(
            || scorer.clone(),
            |scorer, chunk| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(stream << 32 | chunk as u64);
                let mut sums = [(0.0, 0.0); N];
                for _ in 0..CHUNK.min(samples - chunk * CHUNK) {
                    for (sum, value) in sums.iter_mut().zip(draw(scorer, &mut rng)) {
                        sum.0 += value;
                        sum.1 += value * value;
                    }
                }
                sums
            },
        )
        .collect();
    std::array::from_fn(|i| {
        let total = sums.iter().fold((0.0, 0.0), |t, s| (t.0 + s[i].0, t.1 + s[i].1));
        mean(total.0, total.1, samples)
    })
}

fn mean(sum: f64, squares: f64, samples: usize) -> Mean {
    let n = samples as f64;
    let variance = (squares - sum * sum / n).max(0.0) / (n - 1.0).max(1.0);
    Mean { mean: sum / n, standard_error: (variance / n).sqrt(), samples }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_near_those_of_the_paper() {
        let (lexicon, scoring) = (Lexicon::enable2k(), Scoring::boggle());
        let dims = Dims::new(4, 4).unwrap();
        let dice = DiceSet::named("new");
        let stats = board_stats(&lexicon, &scoring, dims, dice.as_ref(), 20_000, 1);
        // The paper: about 42 and "closer to 120" points, 1 in 12 boards can be rolled.
        assert!((stats.uniform.mean - 42.0).abs() < 3.0, "{stats:?}");
        assert!((stats.rolled.unwrap().mean - 120.0).abs() < 40.0, "{stats:?}");
        let rollable = stats.rollable.unwrap().mean;
        assert!((1.0 / 16.0..1.0 / 8.0).contains(&rollable), "{stats:?}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let lexicon = Lexicon::from_words("x", ["tea", "eat", "sea"]).unwrap();
        let dims = Dims::new(3, 3).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| board_stats(&lexicon, &Scoring::boggle(), dims, None, 5_500, 7).uniform)
        };
        assert_eq!(run(1), run(3));
        assert_eq!(run(1).samples, 5_500);
    }

    #[test]
    fn standard_error_of_a_known_sample() {
        let m = mean(6.0, 14.0, 3); // 1, 2, 3
        assert_eq!((m.mean, m.samples), (2.0, 3));
        assert!((m.standard_error - (1.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
