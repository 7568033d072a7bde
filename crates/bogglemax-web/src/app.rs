//! What all requests share.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bogglemax::search::{Climber, Space};
use bogglemax::{Dims, Lexicon, NeighborScorer, Trie};

use crate::api::gallery::Gallery;
use crate::api::runs::Runs;
use crate::cache::Cache;
use crate::error::ApiError;
use crate::game::Game;
use crate::lanes::Lane;

/// Word list by its place among those served, scoring, shape.
type GameKey = (usize, String, Dims);

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) wordlists: Vec<Lexicon>,
    pub(crate) gallery: Gallery,
    pub(crate) runs: Runs,
    /// For what takes a moment: solving, rolling.
    pub(crate) quick: Lane,
    /// For what takes longer: neighbours, trees.
    pub(crate) slow: Lane,
    /// For climbs, which take seconds. They share [`App::climb_threads`].
    pub(crate) climbs: Lane,
    /// Half the cores, so that the others are free for the rest.
    pub(crate) climb_threads: rayon::ThreadPool,
    neighbors: Cache<GameKey, NeighborScorer>,
    climbers: Cache<GameKey, Climber>,
    tries: Cache<GameKey, Trie>,
}

impl App {
    pub(crate) fn new(wordlists: Vec<Lexicon>, runs: Vec<PathBuf>) -> io::Result<App> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(cores.div_ceil(2));
        Ok(App {
            runs: Runs::watch(runs, &wordlists),
            wordlists,
            gallery: Gallery::built_in(),
            quick: Lane::new(cores, 1_000),
            slow: Lane::new(cores, 100),
            climbs: Lane::new(1, 8),
            climb_threads: threads.build().map_err(io::Error::other)?,
            neighbors: Cache::new(4),
            climbers: Cache::new(2),
            tries: Cache::new(4),
        })
    }

    /// A scorer of neighbours, to be cloned for use.
    pub(crate) fn neighbors(&self, game: &Game, dims: Dims) -> NeighborScorer {
        let make = || Ok::<_, ApiError>(NeighborScorer::new(&game.lexicon, &game.scoring, dims));
        let key = (game.list, game.scoring.to_string(), dims);
        let scorer = self.neighbors.get(key, make).expect("making one does not fail");
        NeighborScorer::clone(&scorer)
    }

    /// What climbs over all boards of a shape.
    pub(crate) fn climber(&self, game: &Game, dims: Dims) -> Arc<Climber> {
        let space = Space::new(dims, game.alphabet());
        let make = || Ok::<_, ApiError>(Climber::new(&game.lexicon, &game.scoring, space));
        let key = (game.list, game.scoring.to_string(), dims);
        self.climbers.get(key, make).expect("making one does not fail")
    }

    /// The words that fit on boards of a shape.
    pub(crate) fn trie(&self, game: &Game, dims: Dims) -> Arc<Trie> {
        let make = || Ok::<_, ApiError>(Trie::new(&game.lexicon, &game.scoring, dims.cells()));
        let key = (game.list, game.scoring.to_string(), dims);
        self.tries.get(key, make).expect("making one does not fail")
    }
}
