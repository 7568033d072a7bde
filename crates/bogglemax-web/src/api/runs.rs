//! `/api/runs`: the run directories named at the start, and what happens in them.
//!
//! One watcher a run reads its directory when it has changed; all who look at the page share what
//! it read. A request names a run by its number, never by a path.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use bogglemax::run::{EngineName, Job, RunError, Spec, Summary, fingerprint, read_run};
use bogglemax::{Lexicon, Scoring};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::watch;

use super::plots::{Plot, plots};
use crate::app::App;
use crate::error::ApiError;

/// How often a directory is looked at. Reading a long journal takes time, so it is read again only
/// after many times as long as it took.
const LOOK_EVERY: Duration = Duration::from_millis(300);
const REST: u32 = 10;
/// The most boards sent.
const MOST_BOARDS: usize = 100;
/// Runs with more tasks are not weighed by predicted work.
const MOST_WEIGHED: u64 = 1 << 16;

/// The runs of the server.
#[derive(Debug)]
pub(crate) struct Runs(Vec<watch::Receiver<Arc<Seen>>>);

/// What is known of a run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Seen {
    id: usize,
    name: String,
    state: RunState,
    /// What is wrong, or what is being waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Spec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary>,
    /// How many boards were found; `summary.boards` has the best of them.
    boards_found: usize,
    /// The share of the predicted work that is done, from 0 to 1, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    plots: Vec<Plot>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum RunState {
    /// There is no run in the directory yet.
    Waiting,
    /// Some tasks are not done.
    Open,
    /// All tasks are done.
    Complete,
    /// The directory cannot be read.
    Damaged,
}

impl Seen {
    fn nothing(id: usize, path: &Path) -> Seen {
        let name = path.file_name().map_or("run".into(), |n| n.to_string_lossy().into_owned());
        let message = Some("there is no run in this directory yet: it shows up here when it begins".into());
        Seen {
            id,
            name,
            state: RunState::Waiting,
            message,
            complete: false,
            run: None,
            summary: None,
            boards_found: 0,
            share: None,
            plots: Vec::new(),
        }
    }
}

impl Runs {
    /// Begins to watch. Must be called on the runtime.
    pub(crate) fn watch(paths: Vec<PathBuf>, wordlists: &[Lexicon]) -> Runs {
        let wordlists: Arc<[Lexicon]> = wordlists.into();
        let start = |(id, path): (usize, PathBuf)| {
            let (sender, receiver) = watch::channel(Arc::new(Seen::nothing(id, &path)));
            tokio::spawn(Watcher { id, path, wordlists: Arc::clone(&wordlists), costs: None }.run(sender));
            receiver
        };
        Runs(paths.into_iter().enumerate().map(start).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, id: &str) -> Result<&watch::Receiver<Arc<Seen>>, ApiError> {
        let run = id.parse::<usize>().ok().and_then(|id| self.0.get(id));
        run.ok_or_else(|| ApiError::not_found(format!("there is no run '{id}': /api/runs lists them")))
    }

    /// Name, parameters and result of the whole runs that are done.
    pub(crate) fn finished(&self) -> Vec<(String, Spec, Summary)> {
        let finished = |run: &watch::Receiver<Arc<Seen>>| {
            let seen = Arc::clone(&run.borrow());
            let (spec, summary) = (seen.run.clone()?, seen.summary.clone()?);
            (seen.complete && spec.shard.is_none()).then(|| (seen.name.clone(), spec, summary))
        };
        self.0.iter().filter_map(finished).collect()
    }
}

/// Looks at one directory.
struct Watcher {
    id: usize,
    path: PathBuf,
    wordlists: Arc<[Lexicon]>,
    /// The predicted work of each task, once it was asked for; empty if it cannot be told.
    costs: Option<Vec<f64>>,
}

impl Watcher {
    async fn run(mut self, sender: watch::Sender<Arc<Seen>>) {
        let mut known = None;
        while !sender.is_closed() {
            let now = stamp(&self.path);
            let mut rest = LOOK_EVERY;
            if known.as_ref() != Some(&now) {
                let begin = Instant::now();
                let looked = tokio::task::spawn_blocking(move || {
                    let seen = self.look();
                    (self, seen)
                });
                let Ok((watcher, seen)) = looked.await else { return };
                self = watcher;
                // The watch channel is lossy on purpose: who is slow sees the latest state.
                sender.send_replace(Arc::new(seen));
                known = Some(now);
                rest = rest.max(begin.elapsed() * REST);
            }
            tokio::time::sleep(rest).await;
        }
    }

    fn look(&mut self) -> Seen {
        let nothing = Seen::nothing(self.id, &self.path);
        let read = read_run(&self.path).and_then(|(spec, records)| {
            let summary = Summary::new(&spec, &records)?;
            Ok((spec, records, summary))
        });
        let (spec, records, mut summary) = match read {
            Ok(read) => read,
            Err(RunError::NoRun { .. }) => return nothing,
            Err(error) => {
                // Its sentence names the directory; the page need not know where that is.
                let told = error.to_string().replace(&*self.path.to_string_lossy(), &nothing.name);
                return Seen { state: RunState::Damaged, message: Some(told), ..nothing };
            }
        };
        let complete = summary.is_complete();
        let plots = plots(&records, &summary);
        let (wordlists, boards_found) = (&self.wordlists, summary.boards.len());
        let costs = self.costs.get_or_insert_with(|| predicted_costs(&spec, wordlists));
        let share = (!costs.is_empty()).then(|| {
            let of = |tasks: &mut dyn Iterator<Item = u64>| -> f64 { tasks.map(|t| costs[t as usize]).sum() };
            let all = of(&mut (0..spec.tasks).filter(|&t| spec.holds(t)));
            if all > 0.0 { of(&mut records.keys().copied()) / all } else { 1.0 }
        });
        summary.boards.truncate(MOST_BOARDS);
        Seen {
            state: if complete { RunState::Complete } else { RunState::Open },
            message: None,
            complete,
            run: Some(spec),
            summary: Some(summary),
            boards_found,
            share,
            plots,
            ..nothing
        }
    }
}

/// The predicted work of each task, if the run's word list is one of ours; else nothing.
fn predicted_costs(spec: &Spec, wordlists: &[Lexicon]) -> Vec<f64> {
    let job = || {
        let engine: EngineName = spec.engine.parse().ok()?;
        let scoring: Scoring = spec.scoring.parse().ok()?;
        let same =
            |list: &&Lexicon| list.len() == spec.wordlist.words && fingerprint(list) == spec.wordlist.sha256;
        let lexicon = wordlists.iter().find(same)?;
        let job = Job::new(engine, lexicon, &scoring, spec.dims.parse().ok()?, spec.cutoff).ok()?;
        (job.tasks() == spec.tasks).then_some(job)
    };
    if spec.tasks > MOST_WEIGHED {
        return Vec::new();
    }
    job().map_or(Vec::new(), |job| (0..spec.tasks).map(|task| job.predicted_cost(task)).collect())
}

/// What changes when a run's files do.
fn stamp(path: &Path) -> [Option<(u64, SystemTime)>; 2] {
    ["run.json", "journal.jsonl"].map(|file| {
        let data = std::fs::metadata(path.join(file)).ok()?;
        Some((data.len(), data.modified().ok()?))
    })
}

#[derive(Serialize)]
pub(crate) struct List {
    runs: Vec<Seen>,
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<List> {
    Json(List { runs: app.runs.0.iter().map(|run| Seen::clone(&run.borrow())).collect() })
}

pub(crate) async fn one(
    State(app): State<Arc<App>>,
    UrlPath(id): UrlPath<String>,
) -> Result<Json<Seen>, ApiError> {
    let seen = Seen::clone(&app.runs.get(&id)?.borrow());
    Ok(Json(seen))
}

pub(crate) async fn events(
    State(app): State<Arc<App>>,
    UrlPath(id): UrlPath<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, ApiError> {
    let mut receiver = app.runs.get(&id)?.clone();
    receiver.mark_changed();
    let events = stream::unfold(receiver, |mut receiver| async {
        receiver.changed().await.ok()?;
        let seen = Arc::clone(&receiver.borrow_and_update());
        Some((Event::default().event("run").json_data(&*seen), receiver))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
