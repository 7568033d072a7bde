//! Searching for a partition of the alphabet that makes classes easy.
//!
//! The paper says no more than "found via a heuristic search". Here: what a partition costs is the
//! mean bound of the orderly trees of a sample of its classes. The sample is drawn once, as bucket
//! numbers per cell, so that two partitions are compared on the same classes; each is taken with all
//! rotations of the numbers, so that every bucket stands on every cell equally often and none can
//! win by being large where it is rarely used. A random walk moves or swaps letters and keeps what
//! does not cost more.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{BoardClass, Buckets};
use crate::tree::{Count, Workspace};
use crate::{Dims, Error, Lexicon, Scoring, Trie};

/// What to search for, and how long.
#[derive(Clone, Copy, Debug)]
pub struct BucketSearch {
    /// Shape of the classes that are measured.
    pub dims: Dims,
    /// Number of buckets, 1 to 26.
    pub count: usize,
    /// A partition is measured on `count` times as many classes.
    pub sample: usize,
    /// Number of partitions tried after the first.
    pub steps: usize,
    /// Every random choice follows it.
    pub seed: u64,
}

impl BucketSearch {
    /// The best partition found and its cost. `progress` hears of every step: its number, and the
    /// best cost so far. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If there cannot be so many buckets, or the tree of a class cannot be held.
    pub fn run(
        &self,
        lexicon: &Lexicon,
        scoring: &Scoring,
        mut progress: impl FnMut(usize, f64),
    ) -> Result<(Buckets, f64), Error> {
        if !(1..=26).contains(&self.count) {
            return Err(Error::BucketCount { count: self.count });
        }
        let trie = Trie::new(lexicon, scoring, self.dims.cells());
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let sample = self.draw_sample(&mut rng);
        let mut best = random_partition(self.count, &mut rng);
        let mut cost = self.cost_on(&best, &sample, &trie)?;
        for step in 0..self.steps {
            progress(step, cost);
            let Some(next) = neighbor(&best, &mut rng) else { break };
            let next_cost = self.cost_on(&next, &sample, &trie)?;
            if next_cost <= cost {
                (best, cost) = (next, next_cost);
            }
        }
        progress(self.steps, cost);
        Ok((Buckets::new(best)?, cost))
    }

    /// The cost of a given partition on the sample that [`run`](BucketSearch::run) would use, if it
    /// has that many buckets.
    ///
    /// # Errors
    /// As for `run`.
    pub fn cost(&self, buckets: &Buckets, lexicon: &Lexicon, scoring: &Scoring) -> Result<f64, Error> {
        if buckets.masks().len() != self.count {
            return Err(Error::BucketCount { count: buckets.masks().len() });
        }
        let trie = Trie::new(lexicon, scoring, self.dims.cells());
        let sample = self.draw_sample(&mut ChaCha8Rng::seed_from_u64(self.seed));
        self.cost_on(buckets.masks(), &sample, &trie)
    }

    /// Bucket numbers of the cells of each class.
    fn draw_sample(&self, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
        let mut sample = Vec::new();
        for _ in 0..self.sample.max(1) {
            let drawn: Vec<usize> = (0..self.dims.cells()).map(|_| rng.random_range(0..self.count)).collect();
            let rotated = |by| drawn.iter().map(|b| (b + by) % self.count).collect();
            sample.extend((0..self.count).map(rotated));
        }
        sample
    }

    fn cost_on(&self, buckets: &[u32], sample: &[Vec<usize>], trie: &Trie) -> Result<f64, Error> {
        // In ascending order, as `Buckets` has them: a partition costs the same however it is written.
        let mut buckets = buckets.to_vec();
        buckets.sort_unstable();
        let bound = |workspace: &mut Workspace, cells: &Vec<usize>| {
            let letters: Vec<u32> = cells.iter().map(|&b| buckets[b]).collect();
            let class = BoardClass::new(self.dims, &letters);
            workspace.build_orderly(&class, trie, Count::Dedup).map(|root| u64::from(root.bound()))
        };
        let bounds: Result<Vec<u64>, Error> = sample.par_iter().map_init(Workspace::default, bound).collect();
        Ok(bounds?.iter().sum::<u64>() as f64 / sample.len() as f64)
    }
}

/// Shuffled letters dealt out in turn.
fn random_partition(count: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut letters: Vec<u32> = (0..26).collect();
    letters.shuffle(rng);
    let mut buckets = vec![0; count];
    letters.iter().enumerate().for_each(|(i, letter)| buckets[i % count] |= 1 << letter);
    buckets
}

/// One letter moved to another bucket, or two of different buckets swapped. A bucket never runs
/// empty. `None` if there is only one bucket.
fn neighbor(buckets: &[u32], rng: &mut ChaCha8Rng) -> Option<Vec<u32>> {
    if buckets.len() < 2 {
        return None;
    }
    let home =
        |letter: u32| buckets.iter().position(|b| b >> letter & 1 == 1).expect("every letter has a bucket");
    loop {
        let mut next = buckets.to_vec();
        let letter = rng.random_range(0..26u32);
        let from = home(letter);
        let to = if rng.random_bool(0.5) {
            rng.random_range(0..buckets.len())
        } else {
            let other = rng.random_range(0..26u32);
            next[from] |= 1 << other;
            next[home(other)] &= !(1 << other);
            home(other)
        };
        next[from] &= !(1 << letter);
        next[to] |= 1 << letter;
        if from != to && !next.contains(&0) {
            return Some(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_stay_partitions() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for count in [2, 3, 13, 25] {
            let mut buckets = random_partition(count, &mut rng);
            for _ in 0..200 {
                let next = neighbor(&buckets, &mut rng).unwrap();
                assert_ne!(next, buckets);
                assert!(Buckets::new(next.clone()).is_ok(), "{next:?}");
                buckets = next;
            }
        }
    }

    #[test]
    fn searching_never_makes_it_worse_and_follows_its_seed() {
        let lexicon = Lexicon::enable2k();
        let search = BucketSearch { dims: Dims::new(2, 2).unwrap(), count: 2, sample: 6, steps: 60, seed: 7 };
        let run =
            |steps| BucketSearch { steps, ..search }.run(&lexicon, &Scoring::boggle(), |_, _| {}).unwrap();
        let (first, (best, cost)) = (run(0), run(60));
        assert!(cost < first.1);
        assert_eq!(run(60), (best.clone(), cost));
        assert_eq!(search.cost(&best, &lexicon, &Scoring::boggle()).unwrap(), cost);
    }
}
