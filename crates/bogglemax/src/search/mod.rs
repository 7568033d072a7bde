//! Hunting for high-scoring boards: hillclimbing (Listing 1 of the paper) and simulated
//! annealing, over a scorer that values all neighbours of a board in one go.

mod anneal;
mod change_lanes;
mod changes;
mod climb;
mod found;
mod laid_word;
mod layout;
mod neighbors;
mod pairs;
mod parts;
mod queue;
mod space;
mod splits;
mod swap_lanes;
mod swaps;
mod tree;

pub use anneal::{AnnealOptions, AnnealProgress, Annealer};
pub use climb::{ClimbOptions, ClimbProgress, ClimbResult, Climber, ScoredBoard, climb};
pub use neighbors::{Edit, NeighborScorer, Neighbors};
pub use space::Space;
