//! Joining the shards of a run into one directory.

use std::path::Path;

use super::directory::{Existing, RunDir, read_certificate, read_run};
use super::{RunError, Spec};

/// Writes the records of all `parts` into the run directory `out`, which is created or continued.
/// Parts may overlap and may be unfinished.
///
/// # Errors
/// If a part belongs to another run, or two parts disagree about a task.
pub fn merge(parts: &[impl AsRef<Path>], out: &Path) -> Result<RunDir, RunError> {
    let mut merged: Option<RunDir> = None;
    for part in parts {
        let part = part.as_ref();
        let (spec, records) = read_run(part)?;
        let whole = Spec { shard: None, ..spec };
        let run = match &mut merged {
            None => merged.insert(RunDir::open(out, &whole, Existing::Resume)?),
            Some(run) => run,
        };
        if let Some(difference) = run.spec().difference(&whole) {
            return Err(RunError::OtherRun { path: part.to_owned(), difference });
        }
        for (task, record) in records {
            if run.done().get(&task).is_some_and(|known| known.boards != record.boards) {
                let difference = format!("task {task} found other boards there than elsewhere");
                return Err(RunError::OtherRun { path: part.to_owned(), difference });
            }
            if whole.certificate {
                run.certify(task, &read_certificate(part, task)?)?;
            }
            run.record(record)?;
        }
    }
    let mut run = merged.ok_or(RunError::NothingToMerge)?;
    run.sync()?;
    Ok(run)
}
