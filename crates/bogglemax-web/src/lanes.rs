//! Lanes: work that takes time, apart from the threads that answer requests.
//!
//! Each lane does so many pieces of work at once and lets so many wait; more are turned away. A full
//! lane never holds up another, so typing stays quick while others climb.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// One lane.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    running: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

/// The right to work, given back when dropped.
pub(crate) type Turn = OwnedSemaphorePermit;

/// One that waits; dropped also when its client has gone.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lane {
    pub(crate) fn new(most_running: usize, most_waiting: usize) -> Lane {
        let running = Arc::new(Semaphore::new(most_running.max(1)));
        Lane { running, waiting: Arc::default(), most_waiting }
    }

    /// Waits for a turn.
    pub(crate) async fn turn(&self) -> Result<Turn, ApiError> {
        if let Ok(turn) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(turn);
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(Arc::clone(&self.waiting));
        if before >= self.most_waiting {
            return Err(ApiError::busy());
        }
        Arc::clone(&self.running).acquire_owned().await.map_err(|_| ApiError::busy())
    }

    /// Does a piece of work when its turn comes. Once begun it is finished, even if nobody waits
    /// for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = self.turn().await?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        let panicked = |_| {
            let sentence = "this request met a fault of the program: please report it".to_owned();
            ApiError::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, sentence)
        };
        done.await.map_err(panicked)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_lane_turns_away_and_recovers() {
        let lane = Lane::new(1, 1);
        let turn = lane.turn().await.unwrap();
        let waiting = tokio::spawn({
            let lane = lane.clone();
            async move { lane.run(|| Ok(7)).await }
        });
        while lane.waiting.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(lane.run(|| Ok(8)).await.is_err(), "one works, one waits");
        drop(turn);
        assert_eq!(waiting.await.unwrap().unwrap(), 7);
        assert_eq!(lane.run(|| Ok(9)).await.unwrap(), 9);
    }

    #[tokio::test]
    async fn a_panic_frees_its_place() {
        let lane = Lane::new(1, 0);
        assert!(lane.run::<()>(|| panic!("expected in this test")).await.is_err());
        assert_eq!(lane.run(|| Ok(1)).await.unwrap(), 1);
    }
}
