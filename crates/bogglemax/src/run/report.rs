//! A page about a run: self-contained HTML with plots as SVG, nothing loaded from elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::RunError;
use super::journal::Record;
use super::spec::Spec;
use super::summary::Summary;
use crate::{Alphabet, Board, Dims};

/// The most boards drawn.
const MAX_DRAWN: usize = 100;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#1d1d1f, #eee); --soft: light-dark(#6b6b70, #aaa);
  --line: light-dark(#d8d8dd, #444); --bar: light-dark(#2f6fab, #6fb1ee); --paper: light-dark(#fff, #18181a); }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table.facts td { padding: .15rem 1rem .15rem 0; } table.facts td:first-child { color: var(--soft); }
.boards { display: flex; flex-wrap: wrap; gap: 1rem; } .board { text-align: center; }
.board table { border-collapse: collapse; } .board td { border: 1px solid var(--line); width: 2rem; height: 2rem;
  font-weight: 600; } .board p { margin: .2rem 0 0; color: var(--soft); }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
svg rect { fill: var(--bar); } svg line { stroke: var(--line); }";

/// The page.
///
/// # Errors
/// If a board in the records is no board of the run's shape.
pub fn report(spec: &Spec, records: &BTreeMap<u64, Record>) -> Result<String, RunError> {
    let summary = Summary::new(spec, records)?;
    let dims: Dims = spec.dims.parse()?;
    let title = format!("{} Boggle, {} points and more", spec.dims, spec.cutoff);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p>{}</p>\n{}",
        escape(&statement(spec, &summary)),
        facts(spec, &summary)
    );
    let seconds: Vec<f64> = records.values().map(|r| r.cpu_seconds).collect();
    section(
        &mut page,
        "CPU time per task",
        "seconds; each bar is twice as far as the one before",
        &powers(&seconds),
    );
    let pruned: Vec<f64> = records.values().map(|r| r.largest_pruned as f64).filter(|&b| b > 0.0).collect();
    section(
        &mut page,
        "Largest bound ruled out, by task",
        "points; all are below the cutoff",
        &equal(&pruned),
    );
    let depths: Vec<(String, usize)> = summary
        .depths
        .iter()
        .map(|d| (d.decided.to_string(), usize::try_from(d.mean_bound).unwrap_or(usize::MAX)))
        .collect();
    section(&mut page, "Mean bound by depth", "points, by the number of cells decided", &depths);
    let scores: Vec<f64> = summary.boards.iter().map(|b| b.score as f64).collect();
    section(&mut page, "Scores of the boards found", "points", &equal(&scores));
    boards(&mut page, &summary, dims, &spec.alphabet()?)?;
    page += "</body>\n</html>\n";
    Ok(page)
}

fn statement(spec: &Spec, summary: &Summary) -> String {
    let Spec { dims, cutoff, .. } = spec;
    match (summary.is_complete() && spec.shard.is_none(), summary.boards.first()) {
        (false, _) => {
            format!("{} of {} tasks are done: this proves nothing yet.", summary.done, summary.tasks)
        }
        (true, Some(best)) => format!(
            "No {dims} board beats {} with {} points; up to symmetry, {cutoff} points or more: {}.",
            best.board,
            best.score,
            match summary.boards.len() {
                1 => "this board only".to_owned(),
                n => format!("{n} boards"),
            }
        ),
        (true, None) => format!("No {dims} board has {cutoff} points or more."),
    }
}

fn facts(spec: &Spec, summary: &Summary) -> String {
    let list =
        format!("{} ({} words, sha256 {})", spec.wordlist.name, spec.wordlist.words, spec.wordlist.sha256);
    let rows = [
        ("word list", list),
        ("scoring", spec.scoring.clone()),
        ("engine", format!("{} {} ({})", spec.engine, spec.engine_version, spec.program)),
        ("tasks", format!("{} of {}", summary.done, summary.tasks)),
        ("CPU time", format!("{:.1} s", summary.cpu_seconds)),
        ("largest task", format!("{} MB", summary.peak_bytes >> 20)),
        ("nodes", summary.nodes.to_string()),
    ];
    let mut table = String::from("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(table, "<tr><td>{name}</td><td>{}</td></tr>", escape(&value));
    }
    table + "</table>\n"
}

fn section(page: &mut String, title: &str, axis: &str, bars: &[(String, usize)]) {
    let _ = write!(page, "<h2>{title}</h2>\n<p>{axis}</p>\n");
    *page += &if bars.is_empty() { "<p>none</p>\n".to_owned() } else { histogram(title, bars) };
}

/// Bars from one power of two to the next.
fn powers(values: &[f64]) -> Vec<(String, usize)> {
    let exponents: Vec<i32> = values.iter().map(|v| v.max(1e-4).log2().floor() as i32).collect();
    let (Some(&low), Some(&high)) = (exponents.iter().min(), exponents.iter().max()) else {
        return Vec::new();
    };
    let label =
        |e: i32| if e >= 0 { format!("{}", 1u64 << e.min(62)) } else { format!("{:.2e}", 2f64.powi(e)) };
    (low..=high).map(|e| (label(e), exponents.iter().filter(|&&x| x == e).count())).collect()
}

/// Up to twenty bars of equal, whole width.
fn equal(values: &[f64]) -> Vec<(String, usize)> {
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    if values.is_empty() {
        return Vec::new();
    }
    let width = ((high - low + 1.0) / 20.0).ceil().max(1.0);
    let bars = ((high - low) / width).floor() as usize + 1;
    let mut counts = vec![0; bars];
    values.iter().for_each(|v| counts[((v - low) / width) as usize] += 1);
    counts.into_iter().enumerate().map(|(i, count)| (format!("{}", low + i as f64 * width), count)).collect()
}

fn histogram(title: &str, bars: &[(String, usize)]) -> String {
    let (width, height, base) = (720.0, 180.0, 150.0);
    let step = width / bars.len() as f64;
    let most = bars.iter().map(|b| b.1).max().unwrap_or(1).max(1) as f64;
    let mut svg =
        format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n", escape(title));
    let _ = writeln!(svg, "<line x1=\"0\" y1=\"{base}\" x2=\"{width}\" y2=\"{base}\"/>");
    for (i, (label, count)) in bars.iter().enumerate() {
        let (x, tall) = (i as f64 * step, *count as f64 / most * 125.0);
        let (y, w, middle) = (base - tall, (step - 4.0).max(1.0), x + step / 2.0);
        let _ =
            writeln!(svg, "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{tall:.1}\"/>", x + 2.0);
        if *count > 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                y - 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"166\" text-anchor=\"middle\">{}</text>",
            escape(label)
        );
    }
    svg + "</svg>\n"
}

fn boards(page: &mut String, summary: &Summary, dims: Dims, alphabet: &Alphabet) -> Result<(), RunError> {
    *page += "<h2>Boards</h2>\n<div class=\"boards\">\n";
    for found in summary.boards.iter().take(MAX_DRAWN) {
        let board = Board::parse_with(&found.board, Some(dims), alphabet)?;
        *page += "<div class=\"board\"><table>";
        for row in board.tiles().chunks(dims.cols()) {
            let face = |&t: &u8| {
                let (symbol, spelled) = (alphabet.symbol(t), alphabet.spelled(t));
                format!("<td>{}{}</td>", symbol.to_uppercase(), &spelled[symbol.len_utf8()..])
            };
            let _ = write!(page, "<tr>{}</tr>", row.iter().map(face).collect::<String>());
        }
        let _ = writeln!(page, "</table><p>{}</p></div>", found.score);
    }
    *page += "</div>\n";
    if summary.boards.len() > MAX_DRAWN {
        let _ = writeln!(page, "<p>… {} more</p>", summary.boards.len() - MAX_DRAWN);
    }
    Ok(())
}

/// For text that comes from files: a word list may be called anything.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::record;
    use super::super::spec::tests::example;
    use super::*;

    #[test]
    fn the_page_tells_what_is_known_and_escapes_what_is_foreign() {
        let mut spec = Spec { dims: "1x2".into(), tasks: 2, ..example() };
        spec.wordlist.name = "<script>alert(1)</script>".into();
        let records: BTreeMap<u64, Record> = (0..2).map(|task| (task, record(task))).collect();
        let page = report(&spec, &records).unwrap();
        assert!(page.contains("No 1x2 board beats ab with 1 points"));
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"));
        let unfinished = report(&Spec { tasks: 3, ..spec }, &records).unwrap();
        assert!(unfinished.contains("proves nothing yet"));
        assert!(report(&example(), &BTreeMap::new()).unwrap().contains("<p>none</p>"));
    }

    #[test]
    fn every_value_is_in_one_bar() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.7 + 3.0).collect();
        for bars in [equal(&values), powers(&values)] {
            assert_eq!(bars.iter().map(|b| b.1).sum::<usize>(), values.len());
            assert!(bars.len() <= 21);
        }
        assert_eq!(equal(&[545.0]), [("545".to_owned(), 1)]);
    }
}
