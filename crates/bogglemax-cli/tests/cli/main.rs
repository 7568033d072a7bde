//! End-to-end tests: they run the real binary, by theme.

mod bad_input;
mod climb_anneal;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
mod dice_stats;
mod languages;
mod large_points;
mod longest;
mod other_games;
mod prove_run;
mod solve_score_canon;
mod tree_buckets;
mod verify;
