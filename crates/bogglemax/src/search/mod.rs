//! Hunting for high-scoring boards: hillclimbing (Listing 1 of the paper) and simulated
//! annealing, over a scorer that values all neighbours of a board in one go.

mod gap_trie;
mod neighbors;
mod pairs;
mod walk;

pub use neighbors::{Edit, NeighborScorer, Neighbors};
