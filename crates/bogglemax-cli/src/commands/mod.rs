//! One file a command: its flags with their help, and what it prints.

pub mod buckets;
pub mod canon;
pub mod dice;
pub mod generate;
pub mod prove;
pub mod score;
pub mod solve;
pub mod stats;
pub mod tree;
