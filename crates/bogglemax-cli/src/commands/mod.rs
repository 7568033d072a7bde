//! One file a command: its flags with their help, and what it prints.

pub mod anneal;
pub mod buckets;
pub mod canon;
pub mod climb;
pub mod dice;
pub mod estimate;
pub mod gallery;
pub mod generate;
pub mod longest;
pub mod prove;
pub mod run;
pub mod score;
pub mod serve;
pub mod solve;
pub mod stats;
pub mod tree;
pub mod verify;
