//! `/api/climb`: climbs from a board, round by round.
//!
//! The answer is one JSON object a line: the best board after each round, and at the end what
//! `bogglemax climb --json` prints. A climb ends when its pool no longer changes, when its time is
//! up, or when nobody listens any more.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use bogglemax::Board;
use bogglemax::search::{ClimbOptions, Climber, ScoredBoard};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;

use crate::app::App;
use crate::error::ApiError;
use crate::game::{Game, JsonBody};

/// The longest climb.
pub(crate) const MAX_SECONDS: f64 = 10.0;
/// The largest pool.
pub(crate) const MAX_POOL: usize = 100;
/// How many boards of the last pool are told.
const TOP: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    board: String,
    dims: Option<String>,
    wordlist: Option<String>,
    scoring: Option<String>,
    #[serde(default = "default_pool")]
    pool: usize,
    #[serde(default = "default_seconds")]
    seconds: f64,
}

fn default_pool() -> usize {
    20
}

fn default_seconds() -> f64 {
    5.0
}

/// What is told of a round.
#[derive(Serialize)]
struct Round {
    iterations: u32,
    best: String,
    score: u64,
    seconds: f64,
}

pub(crate) async fn climb(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<Request>,
) -> Result<impl IntoResponse, ApiError> {
    let game = Game::named(&app, request.wordlist.as_deref(), request.scoring.as_deref())?;
    let board = game.board(&request.board, request.dims.as_deref())?;
    if !(1..=MAX_POOL).contains(&request.pool) {
        return Err(ApiError::too_large(format!(
            "a pool of {} cannot be: give 1 to {MAX_POOL}",
            request.pool
        )));
    }
    if !(request.seconds > 0.0 && request.seconds <= MAX_SECONDS) {
        let sentence = format!("{} seconds cannot be: give at most {MAX_SECONDS}", request.seconds);
        return Err(ApiError::too_large(sentence));
    }
    let turn = app.climbs.turn().await?;
    let (lines, told) = mpsc::channel::<Bytes>(64);
    let shared = Arc::clone(&app);
    tokio::task::spawn_blocking(move || {
        let climber = shared.climber(&game, board.dims());
        let rounds = Rounds { game, lines, begin: Instant::now() };
        shared.climb_threads.install(|| rounds.run(&climber, board, &request));
        drop(turn);
    });
    let body = stream::unfold(told, |mut told| async {
        let line = told.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(line), told))
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(body)))
}

/// A climb in single rounds, so that it can be ended between any two.
struct Rounds {
    game: Game,
    lines: mpsc::Sender<Bytes>,
    begin: Instant,
}

impl Rounds {
    fn run(self, climber: &Climber, start: Board, request: &Request) {
        let mut options =
            ClimbOptions { pool: request.pool, start: vec![start], rounds: 1, ..ClimbOptions::default() };
        let (mut shown, mut iterations) = (start, 0);
        let mut pool: Vec<ScoredBoard> = Vec::new();
        loop {
            let begin = self.seconds();
            let next = climber.climb(&options, |_| {}).pool;
            let each = (self.seconds() - begin) / options.start.len() as f64;
            iterations += 1;
            if next == pool {
                break;
            }
            pool = next;
            let round = self.round(&pool[0], &mut shown, iterations);
            // The next round takes only as many boards as there is time for: it cannot be cut short.
            let fitting = ((request.seconds - self.seconds()) / each) as usize;
            if self.tell(&round).is_none() || fitting == 0 {
                break;
            }
            options.start = pool.iter().take(fitting).map(|b| b.board).collect();
        }
        self.tell_end(&pool, iterations, &shown);
    }

    /// What to tell of a round: the best board, turned so that it looks most like the one before.
    fn round(&self, best: &ScoredBoard, shown: &mut Board, iterations: u32) -> Round {
        let alike = |b: &Board| b.tiles().iter().zip(shown.tiles()).filter(|(a, b)| a == b).count();
        let forms = best.board.dims().symmetries().into_iter().map(|s| best.board.moved(&s));
        *shown = forms.max_by_key(|b| (alike(b), std::cmp::Reverse(*b))).unwrap_or(best.board);
        Round { iterations, best: self.game.text(shown), score: best.score, seconds: self.seconds() }
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// `None` if nobody listens any more.
    fn tell(&self, line: &impl Serialize) -> Option<()> {
        let mut text = serde_json::to_vec(line).expect("plain data");
        text.push(b'\n');
        self.lines.blocking_send(text.into()).ok()
    }

    fn tell_end(&self, pool: &[ScoredBoard], iterations: u32, shown: &Board) {
        let board =
            |b: &ScoredBoard| json!({ "board": self.game.text(&b.board), "score": b.score, "runs": 1 });
        let boards: Vec<_> = pool.iter().take(TOP).map(board).collect();
        let seconds = self.seconds();
        let score = pool.first().map_or(0, |b| b.score);
        let best = self.game.text(shown);
        self.tell(&json!({
            "runs": [{ "best": best, "score": score, "iterations": iterations, "seconds": seconds }],
            "boards": boards,
        }));
    }
}
