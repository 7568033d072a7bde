//! What a run will cost, from a sample of its tasks.
//!
//! Tasks differ by a factor of a thousand, so a plain sample says little. Tasks are sorted by
//! predicted work and cut into *strata* of about equal predicted total: few tasks where they are
//! heavy, many where they are light. From each stratum tasks are drawn at random without putting
//! back. The estimate is the sum over strata of (number of tasks) x (mean of those drawn): unbiased
//! however wrong the predictions are; they only decide how narrow the interval is.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::RunError;
use super::engine::Job;

/// Runs with more tasks than this cannot be sampled yet: they cannot be listed.
const MAX_TASKS: u64 = 1 << 22;

/// The most strata. Each needs at least two tasks for an interval.
const MAX_STRATA: usize = 16;

/// A sample of tasks, drawn one at a time.
#[derive(Clone, Debug)]
pub struct Sampler {
    strata: Vec<Stratum>,
    /// Strata in the order in which they are drawn from, over and over.
    next: usize,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    stratum: usize,
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
    /// The upper end; infinite until every stratum has two tasks done.
    pub high: f64,
    /// How many tasks were run.
    pub tasks_run: u64,
}

impl Sampler {
    /// Prepares to draw about `tasks` tasks of a job.
    ///
    /// # Errors
    /// If the job has too many tasks to list.
    pub fn new(job: &Job, tasks: u64, seed: u64) -> Result<Sampler, RunError> {
        if job.tasks() > MAX_TASKS {
            return Err(RunError::TooManyTasks { tasks: job.tasks() });
        }
        let costs = (0..job.tasks()).map(|task| (task, job.predicted_cost(task)));
        Ok(Sampler::from_costs(costs.collect(), tasks, seed))
    }

    fn from_costs(mut costs: Vec<(u64, f64)>, tasks: u64, seed: u64) -> Sampler {
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
        Sampler { strata: cut.into_iter().map(shuffled).collect(), next: 0 }
    }

    /// The next task to run, from each stratum in turn; `None` when every task has been drawn.
    pub fn draw(&mut self) -> Option<Draw> {
        for _ in 0..self.strata.len() {
            let index = self.next;
            self.next = (self.next + 1) % self.strata.len();
            let stratum = &mut self.strata[index];
            if let Some(&task) = stratum.tasks.get(stratum.drawn) {
                stratum.drawn += 1;
                return Some(Draw { stratum: index, task });
            }
        }
        None
    }

    /// Adds what a drawn task took.
    pub fn add(&mut self, draw: Draw, cpu_seconds: f64) {
        self.strata[draw.stratum].seconds.push(cpu_seconds);
    }

    /// What the sample says so far; `None` until every stratum has a task done.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mut seconds, mut variance, mut spent, mut tasks_run) = (0.0, 0.0, 0.0, 0);
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
            spent += sum;
            tasks_run += stratum.seconds.len() as u64;
        }
        let margin = 1.96 * variance.sqrt();
        Some(Estimate { seconds, low: (seconds - margin).max(spent), high: seconds + margin, tasks_run })
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

    #[test]
    fn the_interval_holds_the_truth_about_as_often_as_it_says() {
        let truth: f64 = (0..1000).map(true_seconds).sum();
        let (mut inside, mut sum) = (0, 0.0);
        for seed in 0..200 {
            let mut sampler = Sampler::from_costs(costs(), 60, seed);
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
            let mut sampler = Sampler::from_costs(costs()[..tasks].to_vec(), strata, 1);
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
