//! Hunting for high-scoring boards: hillclimbing (Listing 1 of the paper) and simulated
//! annealing, over a scorer that values all neighbours of a board in one go.

mod anneal;
mod climb;
mod found;
mod gap_graph;
mod laid_word;
mod neighbors;
mod pairs;
mod space;
mod walk;

pub use anneal::{AnnealOptions, AnnealProgress, Annealer};
pub use climb::{ClimbOptions, ClimbProgress, ClimbResult, Climber, ScoredBoard, climb};
pub use neighbors::{Edit, NeighborScorer, Neighbors};
pub use space::Space;
