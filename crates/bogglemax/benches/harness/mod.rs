//! Timing two ways of doing the same work against each other, in one run.
//!
//! Machines are noisy, and noise comes in stretches: so the two take turns in short rounds, and
//! the ratio is the median over the rounds.

use std::time::Instant;

/// Whether the benchmark of this name was asked for: `cargo bench -- NAME`, or no name at all.
pub fn wanted(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|a| !a.starts_with('-')).peekable();
    names.peek().is_none() || names.any(|n| name.contains(&n))
}

/// Two medians and the median of the rounds' ratios.
pub struct Comparison {
    /// Items a second, the way to be measured.
    pub ours: f64,
    /// Items a second, the way it is measured against.
    pub theirs: f64,
    /// How many times faster ours is.
    pub ratio: f64,
}

/// Runs both ways `rounds` times, taking turns. Each call returns how many items it worked.
pub fn compare(
    rounds: usize,
    mut ours: impl FnMut() -> usize,
    mut theirs: impl FnMut() -> usize,
) -> Comparison {
    let rate = |work: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        let items = work();
        items as f64 / start.elapsed().as_secs_f64()
    };
    rate(&mut ours);
    rate(&mut theirs);
    let rates: Vec<(f64, f64)> = (0..rounds).map(|_| (rate(&mut ours), rate(&mut theirs))).collect();
    let median = |f: &dyn Fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = rates.iter().map(f).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Comparison { ours: median(&|r| r.0), theirs: median(&|r| r.1), ratio: median(&|r| r.0 / r.1) }
}
