//! The plots of a run, as in its report: numbers in bars.

use std::collections::BTreeMap;

use bogglemax::run::{Record, Summary};
use serde::Serialize;

/// A bar chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Plot {
    title: &'static str,
    axis: &'static str,
    bars: Vec<Bar>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Bar {
    label: String,
    count: usize,
}

/// The most bars where all are of one width.
const MAX_BARS: f64 = 20.0;

pub(crate) fn plots(records: &BTreeMap<u64, Record>, summary: &Summary) -> Vec<Plot> {
    let seconds: Vec<f64> = records.values().map(|r| r.cpu_seconds).collect();
    let pruned: Vec<f64> = records.values().map(|r| r.largest_pruned as f64).filter(|&b| b > 0.0).collect();
    let scores: Vec<f64> = summary.boards.iter().map(|b| b.score as f64).collect();
    vec![
        Plot {
            title: "CPU time per task",
            axis: "seconds; each bar reaches twice as far as the one before",
            bars: doubling(&seconds),
        },
        Plot {
            title: "Largest bound ruled out, by task",
            axis: "points; all are below the cutoff",
            bars: equal(&pruned),
        },
        Plot {
            title: "Mean bound by depth",
            axis: "points, by the number of cells decided",
            bars: summary
                .depths
                .iter()
                .map(|d| Bar {
                    label: d.decided.to_string(),
                    count: usize::try_from(d.mean_bound).unwrap_or(usize::MAX),
                })
                .collect(),
        },
        Plot { title: "Scores of the boards found", axis: "points", bars: equal(&scores) },
    ]
}

/// Bars from one power of two to the next.
fn doubling(values: &[f64]) -> Vec<Bar> {
    let exponents: Vec<i32> = values.iter().map(|v| v.max(1e-3).log2().floor() as i32).collect();
    let (Some(&low), Some(&high)) = (exponents.iter().min(), exponents.iter().max()) else {
        return Vec::new();
    };
    let label = |e: i32| {
        let from = 2f64.powi(e);
        if e >= 0 { format!("{from}") } else { format!("{from:.3}").trim_end_matches('0').to_owned() }
    };
    let count = |e: i32| exponents.iter().filter(|&&x| x == e).count();
    (low..=high).map(|e| Bar { label: label(e), count: count(e) }).collect()
}

/// Bars of equal, whole width.
fn equal(values: &[f64]) -> Vec<Bar> {
    if values.is_empty() {
        return Vec::new();
    }
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    let width = ((high - low + 1.0) / MAX_BARS).ceil().max(1.0);
    let mut counts = vec![0; ((high - low) / width).floor() as usize + 1];
    values.iter().for_each(|v| counts[((v - low) / width) as usize] += 1);
    let bar = |(i, count)| Bar { label: format!("{}", low + i as f64 * width), count };
    counts.into_iter().enumerate().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_bar() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.7 + 0.01).collect();
        for bars in [equal(&values), doubling(&values)] {
            assert_eq!(bars.iter().map(|b| b.count).sum::<usize>(), values.len());
            assert!(bars.len() <= 21);
        }
        assert_eq!(equal(&[545.0]), [Bar { label: "545".into(), count: 1 }]);
        assert!(equal(&[]).is_empty() && doubling(&[]).is_empty());
    }
}
