//! One file a command: its flags with their help, and what it prints.

pub mod canon;
pub mod score;
pub mod solve;
