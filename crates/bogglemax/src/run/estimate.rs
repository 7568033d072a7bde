//! What a run will cost, from a sample of its tasks.
//!
//! Tasks differ by a factor of a thousand, so a plain sample says little. Tasks are sorted by
//! predicted work and cut into *strata* of about equal predicted total: few tasks where they are
//! heavy, many where they are light. From each stratum tasks are drawn at random without putting
//! back. The estimate is the sum over strata of (number of tasks) x (mean of those drawn): unbiased
//! however wrong the predictions are; they only decide how narrow the interval is.
//!
//! Runs of larger boards have more tasks than anyone can list: 26^8 on 4x5, 26^13 on 5x5. There a
//! task is drawn from a *block* of tasks that are chosen evenly among all N, each with a chance in
//! proportion to its predicted work p. The block's tasks have N/n times their work in all, where n is
//! the size of the block, and the drawn task stands for (sum of p over the block) / p times its own
//! seconds: so
//!
//! > (N/n) x (sum of p over the block) x seconds / p
//!
//! is an unbiased estimate of the whole. The estimates of many draws are averaged. They scatter over
//! orders of magnitude, so the interval is taken on the logarithm of their mean: mean x
//! exp(±t x standard error / mean), t about 2. It knows nothing of tasks rarer and heavier than all drawn.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::engine::Job;

/// Runs with more tasks than this are not listed.
const MAX_LISTED: u64 = 1 << 22;

/// Tasks of a block.
const BLOCK: usize = 1 << 17;

/// The most strata. Each needs at least two tasks for an interval.
const MAX_STRATA: usize = 16;

/// A sample of tasks, drawn one at a time.
pub struct Sampler<'a> {
    plan: Plan<'a>,
}

enum Plan<'a> {
    Listed(Strata),
    Blocks(Box<Blocks<'a>>),
}

/// Tasks by predicted work.
#[derive(Clone, Debug)]
struct Strata {
    strata: Vec<Stratum>,
    /// Strata in the order in which they are drawn from, over and over.
    next: usize,
}

/// Tasks that nobody can list.
struct Blocks<'a> {
    tasks: u64,
    size: usize,
    predicted_cost: Box<dyn Fn(u64) -> f64 + Send + 'a>,
    rng: ChaCha8Rng,
    /// Estimates of the whole, one for each task that is done.
    seconds: Vec<f64>,
    /// What those tasks themselves took.
    spent: f64,
}

#[derive(Clone, Debug)]
struct Stratum {
    /// Its tasks, shuffled.
    tasks: Vec<u64>,
    /// How many have been handed out.
    drawn: usize,
    /// What those that are done took, in seconds.
    seconds: Vec<f64>,
}

/// A task to run for the sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    stratum: usize,
    /// How many times its own seconds the whole is estimated to take; of draws from blocks.
    weight: f64,
    /// The task's id.
    pub task: u64,
}

/// The total of a run with a 95% confidence interval, in seconds of CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub seconds: f64,
    /// The lower end of the interval; never below what the sample itself took.
    pub low: f64,
    /// The upper end; infinite until every stratum of listed tasks has two done.
    pub high: f64,
    /// How many tasks were run.
    pub tasks_run: u64,
    /// The share of the estimate that rests on a single task. Where it is large, others like it are
    /// probably missing from the sample, and the estimate is too low more often than too high.
    pub heaviest: f64,
}

impl<'a> Sampler<'a> {
    /// Prepares to draw about `tasks` tasks of a job.
    pub fn new(job: &'a Job, tasks: u64, seed: u64) -> Sampler<'a> {
        let plan = if job.tasks() <= MAX_LISTED {
            let costs = (0..job.tasks()).map(|task| (task, job.predicted_cost(task)));
            Plan::Listed(Strata::from_costs(costs.collect(), tasks, seed))
        } else {
            let predicted_cost = Box::new(|task| job.predicted_cost(task));
            Plan::Blocks(Box::new(Blocks::new(job.tasks(), BLOCK, predicted_cost, seed)))
        };
        Sampler { plan }
    }

    /// The next task to run; `None` when every task has been drawn.
    pub fn draw(&mut self) -> Option<Draw> {
        match &mut self.plan {
            Plan::Listed(strata) => strata.draw(),
            Plan::Blocks(blocks) => Some(blocks.draw()),
        }
    }

    /// Adds what a drawn task took.
    pub fn add(&mut self, draw: Draw, cpu_seconds: f64) {
        match &mut self.plan {
            Plan::Listed(strata) => strata.strata[draw.stratum].seconds.push(cpu_seconds),
            Plan::Blocks(blocks) => {
                blocks.seconds.push(draw.weight * cpu_seconds);
                blocks.spent += cpu_seconds;
            }
        }
    }

    /// What the sample says so far; `None` until there is a task of every kind, or two where tasks
    /// cannot be listed.
    pub fn estimate(&self) -> Option<Estimate> {
        match &self.plan {
            Plan::Listed(strata) => strata.estimate(),
            Plan::Blocks(blocks) => blocks.estimate(),
        }
    }
}

impl<'a> Blocks<'a> {
    fn new(
        tasks: u64,
        size: usize,
        predicted_cost: Box<dyn Fn(u64) -> f64 + Send + 'a>,
        seed: u64,
    ) -> Blocks<'a> {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Blocks { tasks, size, predicted_cost, rng, seconds: Vec::new(), spent: 0.0 }
    }

    /// Draws a task from a block of its own.
    fn draw(&mut self) -> Draw {
        loop {
            let (mut sum, mut chosen) = (0.0, None);
            for _ in 0..self.size {
                let task = self.rng.random_range(0..self.tasks);
                let cost = (self.predicted_cost)(task);
                sum += cost;
                // After each task, every task so far is the chosen one in proportion to its cost.
                if cost > 0.0 && self.rng.random::<f64>() * sum < cost {
                    chosen = Some((task, cost));
                }
            }
            // A block without any work is as good as impossible.
            if let Some((task, cost)) = chosen {
                let weight = self.tasks as f64 / self.size as f64 * sum / cost;
                return Draw { stratum: 0, weight, task };
            }
        }
    }

    fn estimate(&self) -> Option<Estimate> {
        let run = self.seconds.len() as f64;
        if run < 2.0 {
            return None;
        }
        let mean = self.seconds.iter().sum::<f64>() / run;
        let squares: f64 = self.seconds.iter().map(|s| (s - mean).powi(2)).sum();
        let error = (squares / (run - 1.0) / run).sqrt();
        // Close to Student's t for 95%: few draws know little of how they scatter.
        let free = run - 1.0;
        let quantile = 1.96 + 2.37 / free + 2.8 / (free * free);
        let factor = if mean > 0.0 { (quantile * error / mean).exp() } else { 1.0 };
        let low = (mean / factor).max(self.spent);
        let most = self.seconds.iter().copied().fold(0.0, f64::max);
        let heaviest = if mean > 0.0 { most / (mean * run) } else { 0.0 };
        let tasks_run = self.seconds.len() as u64;
        Some(Estimate { seconds: mean, low, high: mean * factor, tasks_run, heaviest })
    }
}

impl Strata {
    fn from_costs(mut costs: Vec<(u64, f64)>, tasks: u64, seed: u64) -> Strata {
        costs.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let strata = (tasks as usize / 3).clamp(1, MAX_STRATA);
        let share = costs.iter().map(|c| c.1).sum::<f64>() / strata as f64;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut cut, mut current, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for (i, (task, cost)) in costs.iter().enumerate() {
            current.push(*task);
            sum += cost;
            let (left, open) = (costs.len() - i - 1, strata - cut.len());
            if open > 1 && sum >= share && current.len() >= 2 && left >= 2 {
                cut.push(std::mem::take(&mut current));
                sum = 0.0;
            }
        }
        cut.push(current);
        let shuffled = |mut tasks: Vec<u64>| {
            tasks.shuffle(&mut rng);
            Stratum { tasks, drawn: 0, seconds: Vec::new() }
        };
        Strata { strata: cut.into_iter().map(shuffled).collect(), next: 0 }
    }

    /// The next task to run, from each stratum in turn; `None` when every task has been drawn.
    fn draw(&mut self) -> Option<Draw> {
        for _ in 0..self.strata.len() {
            let index = self.next;
            self.next = (self.next + 1) % self.strata.len();
            let stratum = &mut self.strata[index];
            if let Some(&task) = stratum.tasks.get(stratum.drawn) {
                stratum.drawn += 1;
                return Some(Draw { stratum: index, weight: 1.0, task });
            }
        }
        None
    }

    /// What the sample says so far; `None` until every stratum has a task done.
    fn estimate(&self) -> Option<Estimate> {
        let (mut seconds, mut variance, mut spent, mut tasks_run) = (0.0, 0.0, 0.0, 0);
        let mut most = 0.0f64;
        for stratum in &self.strata {
            let (all, run) = (stratum.tasks.len() as f64, stratum.seconds.len() as f64);
            if run == 0.0 {
                return None;
            }
            let sum: f64 = stratum.seconds.iter().sum();
            let mean = sum / run;
            let squares: f64 = stratum.seconds.iter().map(|s| (s - mean).powi(2)).sum();
            // Without putting back, the uncertainty vanishes as the stratum is exhausted.
            let unknown = 1.0 - run / all;
            variance += if unknown == 0.0 { 0.0 } else { all * all * unknown * squares / (run - 1.0) / run };
            if unknown > 0.0 && run < 2.0 {
                variance = f64::INFINITY;
            }
            seconds += all * mean;
            most = stratum.seconds.iter().fold(most, |most, s| most.max(all / run * s));
            spent += sum;
            tasks_run += stratum.seconds.len() as u64;
        }
        let margin = 1.96 * variance.sqrt();
        let heaviest = if seconds > 0.0 { most / seconds } else { 0.0 };
        let (low, high) = ((seconds - margin).max(spent), seconds + margin);
        Some(Estimate { seconds, low, high, tasks_run, heaviest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs over three orders of magnitude; the true time is the prediction, up to a factor that
    /// depends on the task.
    fn costs() -> Vec<(u64, f64)> {
        (0..1000).map(|i| (i, 1000.0 / (i + 1) as f64)).collect()
    }

    fn true_seconds(task: u64) -> f64 {
        costs()[task as usize].1 * (0.5 + (task * 7919 % 101) as f64 / 100.0)
    }

    fn listed(costs: Vec<(u64, f64)>, tasks: u64, seed: u64) -> Sampler<'static> {
        Sampler { plan: Plan::Listed(Strata::from_costs(costs, tasks, seed)) }
    }

    /// Without a list, from blocks much smaller than the number of tasks.
    #[test]
    fn blocks_are_unbiased_and_their_interval_is_wide_enough() {
        let truth: f64 = (0..1000).map(true_seconds).sum();
        let (mut inside, mut sum) = (0, 0.0);
        for seed in 0..300 {
            // Every third task is nothing at all, like those that symmetry makes superfluous.
            let predicted = |task| if task % 3 == 0 { 1000.0 / (task / 3 + 1) as f64 } else { 0.0 };
            let blocks = Blocks::new(3000, 100, Box::new(predicted), seed);
            let mut sampler = Sampler { plan: Plan::Blocks(Box::new(blocks)) };
            for _ in 0..80 {
                let draw = sampler.draw().unwrap();
                sampler.add(draw, true_seconds(draw.task / 3));
            }
            let estimate = sampler.estimate().unwrap();
            assert_eq!(estimate.tasks_run, 80);
            assert!(1.0 / 80.0 < estimate.heaviest && estimate.heaviest < 0.2);
            inside += u32::from(estimate.low <= truth && truth <= estimate.high);
            sum += estimate.seconds;
        }
        assert!((sum / 300.0 / truth - 1.0).abs() < 0.05, "unbiased: {} against {truth}", sum / 300.0);
        assert!(inside >= 250, "{inside} of 300");
    }

    #[test]
    fn the_interval_holds_the_truth_about_as_often_as_it_says() {
        let truth: f64 = (0..1000).map(true_seconds).sum();
        let (mut inside, mut sum) = (0, 0.0);
        for seed in 0..200 {
            let mut sampler = listed(costs(), 60, seed);
            for _ in 0..60 {
                let draw = sampler.draw().unwrap();
                sampler.add(draw, true_seconds(draw.task));
            }
            let estimate = sampler.estimate().unwrap();
            assert_eq!(estimate.tasks_run, 60);
            inside += u32::from(estimate.low <= truth && truth <= estimate.high);
            sum += estimate.seconds;
        }
        assert!(inside >= 170, "{inside} of 200");
        assert!((sum / 200.0 / truth - 1.0).abs() < 0.03, "unbiased: {} against {truth}", sum / 200.0);
    }

    #[test]
    fn all_tasks_give_the_exact_total() {
        for (tasks, strata) in [(1, 9), (5, 9), (1000, 60)] {
            let mut sampler = listed(costs()[..tasks].to_vec(), strata, 1);
            while let Some(draw) = sampler.draw() {
                sampler.add(draw, true_seconds(draw.task));
            }
            let (truth, estimate) =
                ((0..tasks as u64).map(true_seconds).sum::<f64>(), sampler.estimate().unwrap());
            assert!((estimate.seconds / truth - 1.0).abs() < 1e-9);
            assert!((estimate.high - estimate.low).abs() < 1e-6);
        }
    }
}
