//! The check as a whole, step by step.

use std::collections::BTreeMap;
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::certificate::{self, Stop, Walk};
use crate::class::{board_text, in_class, in_order, letters_text};
use crate::climb::{self, Claim};
use crate::cover::{self, Count};
use crate::report::{Report, ReportedBoard, counted};
use crate::reprove::Prover;
use crate::run::{Journal, Run, Task};
use crate::score::{Scorer, Trie, Word, words_that_matter};
use crate::{Unusable, WordList};

/// Boards of at most this many cells have all their tasks proved again unless told otherwise.
const SMALL: usize = 9;
/// Tasks of larger boards that are proved again unless told otherwise.
const SAMPLE: u64 = 10;
/// Tasks in which boards are drawn and climbed, at least.
const CLIMBED: u64 = 64;
/// Random boards that must lie in some task.
const SAMPLE_BOARDS: usize = 200;
/// For trees that nest deeply; memory is taken only where it is used.
const STACK: usize = 256 << 20;

/// Work allowed for a task unless told otherwise, in millions of items.
pub const DEFAULT_BUDGET: u64 = 1_000;

/// How much to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The run's word list; checked against the hash in the run.
    pub wordlist: WordList,
    /// How many tasks to prove again, drawn at random; by default all on boards of up to nine
    /// cells, ten on larger ones.
    pub sample: Option<u64>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Number of threads, 0 for all cores.
    pub threads: usize,
    /// Work allowed to prove one task again, in millions of items looked at. A task that needs
    /// more is reported as not proved again.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { wordlist: WordList::enable2k(), sample: None, seed: 1, threads: 0, budget: DEFAULT_BUDGET }
    }
}

/// Checks the run in a directory; the same options give the same report, whatever the threads.
///
/// # Errors
/// If there is no run that could be checked: no readable `run.json` of a known format, no journal.
pub fn verify(dir: &Path, options: &Options) -> Result<Report, Unusable> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).stack_size(STACK).build();
    let pool = pool.map_err(|error| Unusable::new(format!("cannot start the threads: {error}")))?;
    let run = Run::read(dir)?;
    let mut report = Report::of(run.tasks);
    let journal = run.journal(&mut report)?;
    pool.install(|| check(&run, &journal, options, &mut report));
    Ok(report.finish())
}

fn check(run: &Run, journal: &Journal, options: &Options, report: &mut Report) {
    let complete = check_records(run, journal, report);
    let tasks: Vec<&Task> = journal.tasks.values().collect();
    check_cover(run, &tasks, complete, options.seed, report);
    if !check_word_list(run, &options.wordlist, report) {
        report
            .not_done("no board was scored and no task proved again: that takes the run's word list".into());
        return;
    }
    let words = words_that_matter(&options.wordlist, &run.scoring, run.grid.cells());
    if !check_letters(run, &words, report) {
        return;
    }
    let trie = Trie::new(&words);
    check_boards(run, &tasks, &trie, report);
    prove_again(run, &tasks, &words, options, report);
    climb_inside(run, &tasks, &trie, options, report);
}

/// Every task of the directory has a record: whether that is so.
fn check_records(run: &Run, journal: &Journal, report: &mut Report) -> bool {
    let held = run.tasks_held();
    let have = journal.tasks.len() as u64;
    if have == held {
        let took =
            format!("{} nodes and {:.1} CPU seconds by its own account", journal.nodes, journal.cpu_seconds);
        let all = counted(held, "task");
        report.done(format!("{all}, each with a valid record ({took}, engine {})", run.engine));
    } else {
        let missing = run.ids_held().filter(|id| !journal.tasks.contains_key(id));
        let some: Vec<String> = missing.take(5).map(|id| id.to_string()).collect();
        let more = if held - have > some.len() as u64 { ", …" } else { "" };
        let (missing, some) = (counted(held - have, "task"), some.join(", "));
        report.fault(format!("{missing} of {held} without a valid record: {some}{more}"));
    }
    for task in journal.tasks.values() {
        if task.largest_pruned >= run.cutoff.max(1) {
            let (id, largest, cutoff) = (task.id, task.largest_pruned, run.cutoff);
            report.fault(format!(
                "task {id} ruled boards out by a bound of {largest}, but the cutoff is {cutoff}"
            ));
        }
    }
    have == held
}

/// The tasks together hold every board, up to symmetry.
fn check_cover(run: &Run, tasks: &[&Task], complete: bool, seed: u64, report: &mut Report) {
    if let Some(shard) = run.shard {
        let (index, count) = (shard.index, shard.count);
        return report.not_done(format!(
            "whether the tasks hold every board: this is shard {index} of {count}; merge the shards and check that"
        ));
    }
    if !complete {
        return report.not_done("whether the tasks hold every board: some have no record".into());
    }
    let (grid, ranks) = (&run.grid, &run.ranks);
    let gaps = cover::gaps(grid, ranks, tasks);
    let count = cover::count(grid, ranks, tasks);
    if gaps.is_empty() && count != Count::Less {
        let letters = ranks.alphabet.count_ones();
        let boards = grid.boards_up_to_symmetry(letters);
        let boards =
            boards.map_or("every board".into(), |n| format!("each of the {n} boards up to symmetry"));
        let exactly = match count {
            Count::Exact => "; counted, each class of boards is held exactly once",
            Count::More => "; counted, some are held more than once, which costs time only",
            _ => "; too many to be counted",
        };
        report.done(format!("the tasks hold {boards} of {letters} letters on {grid}{exactly}"));
    }
    gaps.into_iter().for_each(|gap| report.fault(gap));
    if count == Count::Less {
        report.fault("counted, the tasks hold fewer boards than there are".into());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let letters: Vec<u8> = crate::class::each(ranks.alphabet).collect();
    let board =
        |_| -> Vec<u8> { (0..grid.cells()).map(|_| letters[rng.random_range(0..letters.len())]).collect() };
    let boards: Vec<Vec<u8>> = (0..SAMPLE_BOARDS).map(board).collect();
    let lost: Vec<&Vec<u8>> = boards.par_iter().filter(|b| !cover::holds(grid, ranks, tasks, b)).collect();
    match lost.first() {
        None => report.done(format!("{SAMPLE_BOARDS} random boards each lie in some task")),
        Some(board) => report.fault(format!("board {} lies in no task in any form", board_text(board))),
    }
}

/// The word list is the run's: whether that is so.
fn check_word_list(run: &Run, list: &WordList, report: &mut Report) -> bool {
    let (words, sha256) = (list.words().len() as u64, list.sha256());
    if (words, sha256.as_str()) == (run.list_words, run.list_sha256.as_str()) {
        report.done(format!("the word list is the run's ({words} words, sha256 {sha256})"));
        return true;
    }
    report.fault(format!(
        "the word list '{}' ({words} words, sha256 {sha256}) is not the run's '{}' ({} words, sha256 {}): name the run's list",
        list.name(),
        run.list_name,
        run.list_words,
        run.list_sha256
    ));
    false
}

/// The run's letters are all that words are made of: whether that is so.
fn check_letters(run: &Run, words: &[Word], report: &mut Report) -> bool {
    let used = words.iter().flat_map(|word| &word.cells).fold(0, |set, letter| set | 1 << letter);
    let left_out = !run.ranks.alphabet & ((1 << 26) - 1);
    if used & left_out != 0 {
        let letters = letters_text(used & left_out);
        report.fault(format!("the run has no boards with the letters '{letters}', which words need"));
        return false;
    }
    if left_out != 0 {
        let letters = letters_text(left_out);
        report.not_done(format!(
            "boards with the letters '{letters}', which stand in no word and are not in the run"
        ));
    }
    true
}

/// Every board reported lies in its task, scores what is claimed, and reaches the cutoff.
fn check_boards(run: &Run, tasks: &[&Task], trie: &Trie, report: &mut Report) {
    let mut scorer = Scorer::new(&run.grid, trie);
    let mut different: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut listed = 0;
    for task in tasks {
        for (board, claimed) in &task.boards {
            listed += 1;
            let (id, text, score) = (task.id, board_text(board), scorer.score(board));
            if score != *claimed {
                report.fault(format!(
                    "task {id} says that board {text} scores {claimed}, but it scores {score}"
                ));
            } else if score < run.cutoff {
                report.fault(format!(
                    "task {id} lists board {text}, whose {score} points are below the cutoff"
                ));
            } else if !in_class(board, &task.class) || !in_order(board, &task.order, &run.ranks) {
                report.fault(format!("task {id} lists board {text}, which is not one of its boards"));
            } else {
                different.insert(run.grid.canonical(board), score);
            }
        }
    }
    let kinds = counted(different.len() as u64, "board");
    report.done(format!(
        "scored each board that a task lists: {listed} in all, {kinds} up to symmetry, of at least {} points ({})",
        run.cutoff, run.scoring_name
    ));
    let board = |(board, score): (Vec<u8>, u64)| ReportedBoard { board: board_text(&board), score };
    report.boards = different.into_iter().map(board).collect();
    report.boards.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.board.cmp(&b.board)));
}

/// How an attempt to prove a task again ended.
enum Again {
    Proved { along_certificate: bool },
    Stopped,
    Refuted(String),
}

/// Proves a sample of the tasks again.
fn prove_again(run: &Run, tasks: &[&Task], words: &[Word], options: &Options, report: &mut Report) {
    let by_default = if run.grid.cells() <= SMALL { u64::MAX } else { SAMPLE };
    let sample = draw(tasks, options.sample.unwrap_or(by_default), options.seed);
    let budget = options.budget.saturating_mul(1_000_000);
    let attempt = |task: &&Task| prove_task(run, task, words, budget);
    let outcomes: Vec<Again> = sample.par_iter().with_max_len(1).map(attempt).collect();
    let (mut along, mut stopped) = (0, Vec::new());
    for (task, outcome) in sample.iter().zip(outcomes) {
        match outcome {
            Again::Proved { along_certificate } => {
                report.checked += 1;
                along += u64::from(along_certificate);
            }
            Again::Stopped => stopped.push(task.id),
            Again::Refuted(what) => report.fault(what),
        }
    }
    if report.checked > 0 {
        let proved = counted(report.checked, "task");
        let what = "the boards listed are all that reach the cutoff";
        report.done(format!("proved {proved} again in full, {along} along a certificate: {what}"));
    }
    if !stopped.is_empty() {
        let some: Vec<String> = stopped.iter().take(5).map(u64::to_string).collect();
        let more = if stopped.len() > some.len() { ", …" } else { "" };
        let (count, some) = (counted(stopped.len() as u64, "task"), some.join(", "));
        report.not_done(format!("{count} ({some}{more}) not proved again: more work than the budget allows"));
    }
    let left = tasks.len() - sample.len();
    if left > 0 {
        report.not_done(format!("{} not in the sample to be proved again", counted(left as u64, "task")));
    }
}

fn prove_task(run: &Run, task: &Task, words: &[Word], budget: u64) -> Again {
    let id = task.id;
    let tree = match certificate::read(&run.certificate_path(id)) {
        Some(Ok(tree)) => Some(tree),
        Some(Err(what)) => return Again::Refuted(format!("the certificate of task {id} {what}")),
        None if run.certificate => return Again::Refuted(format!("task {id} has no certificate")),
        None => None,
    };
    let mut prover = Prover::new(&run.grid, words, &run.ranks, &task.order, &task.class, budget);
    let root = prover.items.node(&task.class);
    let mut claim = Claim::new(run, task);
    let mut reached = 0;
    let mut visit = |board: &[u8], score: u64| {
        claim.hold(board, score);
        let listed = task.boards.binary_search_by(|(other, _)| other.as_slice().cmp(board)).is_ok();
        reached += usize::from(listed && score >= run.cutoff);
    };
    let outcome = match &tree {
        Some(tree) => {
            let mut walk = Walk { prover: &mut prover, cutoff: run.cutoff, alphabet: run.ranks.alphabet };
            walk.walk(&root, tree, &mut visit)
        }
        None => prover.search(&root, run.cutoff, &mut visit).map_err(Stop::from),
    };
    if let Some(contradiction) = claim.contradiction {
        return Again::Refuted(contradiction);
    }
    match outcome {
        Err(Stop::Budget) => Again::Stopped,
        Err(Stop::Fault(what)) => Again::Refuted(format!("in the certificate of task {id}, {what}")),
        Ok(()) if reached < task.boards.len() => {
            Again::Refuted(format!("task {id} lists a board that its proof does not reach"))
        }
        Ok(()) => Again::Proved { along_certificate: tree.is_some() },
    }
}

/// Draws boards and climbs inside tasks; none may contradict what the journal says.
fn climb_inside(run: &Run, tasks: &[&Task], trie: &Trie, options: &Options, report: &mut Report) {
    let sample = draw(tasks, options.sample.unwrap_or(0).max(CLIMBED), options.seed.wrapping_add(1));
    let contradictions: Vec<Option<String>> = sample
        .par_iter()
        .map_init(
            || Scorer::new(&run.grid, trie),
            |scorer, task| {
                let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
                rng.set_stream(task.id);
                let mut claim = Claim::new(run, task);
                climb::probe(run, task, scorer, &mut rng, &mut claim);
                claim.contradiction
            },
        )
        .collect();
    let contradictions: Vec<String> = contradictions.into_iter().flatten().collect();
    let found_any = !contradictions.is_empty();
    for contradiction in contradictions {
        // The same board may have been met when its task was proved again.
        if !report.faults.contains(&contradiction) {
            report.fault(contradiction);
        }
    }
    if found_any {
        return;
    }
    let (boards, climbs) = (climb::BOARDS, climb::CLIMBS);
    let inside = counted(sample.len() as u64, "task");
    let of = tasks.len();
    report.done(format!(
        "drew {boards} random boards and made {climbs} climbs in each of {inside} of {of}: nothing new found"
    ));
}

/// This many of the tasks, drawn at random, in the order of their ids.
fn draw<'a>(tasks: &[&'a Task], count: u64, seed: u64) -> Vec<&'a Task> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = tasks.to_vec();
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(drawn.len());
    for index in 0..count {
        let other = rng.random_range(index..drawn.len());
        drawn.swap(index, other);
    }
    drawn.truncate(count);
    drawn.sort_unstable_by_key(|task| task.id);
    drawn
}
