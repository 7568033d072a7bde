//! How long a million tasks take on many workers, against the best that is possible: a simulation of
//! the queue with costs recorded from a real run.
//!
//! ```sh
//! cargo run --release -p bogglemax-cluster --example simulate -- docs/cluster-costs.txt docs/cluster-simulation.svg
//! ```
//!
//! A worker takes the next task of the queue as soon as it is free; taking and settling a task costs
//! [`OVERHEAD`]. Nobody can do better than the *ideal*: all work divided by the number of workers, or
//! the longest task if that is longer. Costs are drawn from the recorded ones with replacement.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TASKS: usize = 1_000_000;
const WORKERS: [usize; 3] = [10, 100, 1000];
/// Seconds for asking, storing the result and acknowledging: several round trips of a slow network.
const OVERHEAD: f64 = 0.005;
/// A machine that can be interrupted is interrupted after so many seconds, on average.
const LIFE: f64 = 3600.0;
/// It, or another in its place, is back after so many seconds.
const ABSENCE: f64 = 120.0;
/// The task that it had is given to another after so many seconds without heartbeat.
const ACK_WAIT: f64 = 30.0;
const SEED: u64 = 1;

/// In which order tasks stand in the queue, and what happens to workers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    /// By what they take.
    HardestFirst,
    /// By a prediction that is off by a factor of e, up or down, at one standard deviation.
    Predicted,
    /// As they come.
    Unsorted,
    /// By prediction, on machines that die without a word.
    Interrupted,
}

impl Case {
    const ALL: [Case; 4] = [Case::HardestFirst, Case::Predicted, Case::Unsorted, Case::Interrupted];

    fn label(self) -> &'static str {
        match self {
            Case::HardestFirst => "hardest first",
            Case::Predicted => "hardest first, predictions off by e",
            Case::Unsorted => "in no order",
            Case::Interrupted => "predictions off by e, each machine killed once an hour",
        }
    }
}

/// A moment; times are never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A normal deviate (Box and Muller).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// The costs in the order in which the queue gives them out.
fn queue(costs: &[f64], case: Case, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut keyed: Vec<(f64, f64)> = costs
        .iter()
        .map(|&cost| match case {
            Case::HardestFirst => (cost, cost),
            Case::Predicted | Case::Interrupted => (cost * normal(rng).exp(), cost),
            Case::Unsorted => (0.0, cost),
        })
        .collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    keyed.into_iter().map(|(_, cost)| cost).collect()
}

/// When the last task is done.
fn makespan(queue: &[f64], workers: usize, life: f64, rng: &mut ChaCha8Rng) -> f64 {
    let lifetime = |rng: &mut ChaCha8Rng| match life.is_finite() {
        true => -life * (1.0 - rng.random::<f64>()).ln(),
        false => f64::INFINITY,
    };
    // Workers by the time at which they are free, each with the time at which it dies.
    let mut free: BinaryHeap<Reverse<(Time, Time)>> =
        (0..workers).map(|_| Reverse((Time(0.0), Time(lifetime(rng))))).collect();
    // Tasks whose worker died, by the time at which the server gives them out again.
    let mut again: BinaryHeap<Reverse<(Time, Time)>> = BinaryHeap::new();
    let mut fresh = queue.iter();
    let mut end: f64 = 0.0;
    while let Some(Reverse((Time(now), Time(death)))) = free.pop() {
        let overdue = again.peek().is_some_and(|Reverse((Time(at), _))| *at <= now);
        let (start, cost) = match (overdue, fresh.as_slice().is_empty()) {
            (false, false) => (now, *fresh.next().expect("not empty")),
            _ => match again.pop() {
                Some(Reverse((Time(at), Time(cost)))) => (now.max(at), cost),
                None => continue, // nothing left for this worker
            },
        };
        let done = start + cost + OVERHEAD;
        if done <= death {
            end = end.max(done);
            free.push(Reverse((Time(done), Time(death))));
            continue;
        }
        // It died with the task, or before the task could be had.
        let died = death.max(start);
        again.push(Reverse((Time(died + ACK_WAIT), Time(cost))));
        let back = died + ABSENCE;
        free.push(Reverse((Time(back), Time(back + lifetime(rng)))));
    }
    end
}

fn ideal(costs: &[f64], workers: usize) -> f64 {
    let longest = costs.iter().copied().fold(0.0, f64::max);
    (costs.iter().sum::<f64>() / workers as f64).max(longest)
}

/// Bars: how much longer than ideal, by number of workers and case.
fn plot(rows: &[(usize, [f64; 4])]) -> String {
    const COLOURS: [&str; 4] = ["#1b7837", "#2166ac", "#b2182b", "#756bb1"];
    let most = rows.iter().flat_map(|r| r.1).fold(0.0, f64::max).max(0.01);
    let (left, bottom, height, group, bar) = (60.0, 300.0, 240.0, 220.0, 44.0);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 430\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"760\" height=\"430\" fill=\"#fff\"/>\n\
         <text x=\"20\" y=\"28\" font-size=\"16\">A million tasks: time beyond the ideal</text>\n",
    );
    let _ = writeln!(svg, "<path d=\"M{left} {bottom}H740\" stroke=\"#333\"/>");
    for (i, (workers, beyond)) in rows.iter().enumerate() {
        let x = left + 20.0 + i as f64 * group;
        for (j, value) in beyond.iter().enumerate() {
            let (bx, h) = (x + j as f64 * bar, value / most * height);
            let (top, width) = (bottom - h, bar - 6.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{bx}\" y=\"{top:.1}\" width=\"{width}\" height=\"{h:.1}\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{:.2} %</text>",
                COLOURS[j],
                bx + width / 2.0,
                top - 4.0,
                100.0 * value
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{workers} workers</text>",
            x + 2.0 * bar,
            bottom + 20.0
        );
    }
    for (j, case) in Case::ALL.into_iter().enumerate() {
        let y = 345.0 + 20.0 * j as f64;
        let (colour, label) = (COLOURS[j], case.label());
        let _ = writeln!(
            svg,
            "<rect x=\"60\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"80\" y=\"{y}\">{label}</text>",
            y - 11.0
        );
    }
    svg + "</svg>\n"
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (recorded, picture) = (args.next(), args.next());
    let (recorded, picture) =
        recorded.zip(picture).context("give a file of costs and a file for the plot")?;
    let text = std::fs::read_to_string(&recorded).with_context(|| format!("cannot read '{recorded}'"))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let recorded: Vec<f64> =
        lines.map(|line| line.parse().context("a line is no number")).collect::<Result<_>>()?;
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let costs: Vec<f64> = (0..TASKS).map(|_| recorded[rng.random_range(0..recorded.len())]).collect();
    let mut rows = Vec::new();
    println!("| workers | ideal | {} |", Case::ALL.map(Case::label).join(" | "));
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for workers in WORKERS {
        let ideal = ideal(&costs, workers);
        let times = Case::ALL.map(|case| {
            let life = if case == Case::Interrupted { LIFE } else { f64::INFINITY };
            makespan(&queue(&costs, case, &mut rng), workers, life, &mut rng)
        });
        let cells = times.map(|time| format!("{time:.0} s (+{:.2} %)", 100.0 * (time / ideal - 1.0)));
        println!("| {workers} | {ideal:.0} s | {} |", cells.join(" | "));
        rows.push((workers, times.map(|time| time / ideal - 1.0)));
    }
    std::fs::write(&picture, plot(&rows)).with_context(|| format!("cannot write '{picture}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rng() -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(7)
    }

    fn costs() -> Vec<f64> {
        (1..=1000).map(|i| f64::from(i * 7919 % 1000) / 100.0).collect()
    }

    #[test]
    fn one_worker_takes_the_sum() {
        let costs = costs();
        let expected = costs.iter().sum::<f64>() + costs.len() as f64 * OVERHEAD;
        let time = makespan(&queue(&costs, Case::Unsorted, &mut rng()), 1, f64::INFINITY, &mut rng());
        assert!((time - expected).abs() < 1e-6, "{time} {expected}");
    }

    #[test]
    fn nobody_beats_the_ideal_and_hardest_first_is_nearly_there() {
        let costs = costs();
        for workers in [2, 10, 100, 2000] {
            let best = ideal(&costs, workers);
            for case in Case::ALL {
                let life = if case == Case::Interrupted { 100.0 } else { f64::INFINITY };
                assert!(makespan(&queue(&costs, case, &mut rng()), workers, life, &mut rng()) >= best);
            }
            // Graham's bound: the last task began when all were busy.
            let sorted = queue(&costs, Case::HardestFirst, &mut rng());
            let time = makespan(&sorted, workers, f64::INFINITY, &mut rng());
            assert!(time <= (4.0 / 3.0) * best + costs.len() as f64 * OVERHEAD, "{workers}: {time} {best}");
        }
    }

    #[test]
    fn deaths_cost_time_but_lose_no_task() {
        // One worker that dies now and then must still do everything.
        let costs = vec![1.0; 500];
        let time = makespan(&costs, 1, 50.0, &mut rng());
        assert!(time.is_finite() && time > 500.0 + ABSENCE, "{time}");
    }
}
