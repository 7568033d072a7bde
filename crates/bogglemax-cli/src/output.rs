//! Writing results: numbers, boards, JSON, and what to do when nobody reads them.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use bogglemax::{Alphabet, Board};
use serde::Serialize;

/// For what matters most on a screen.
pub const STRONG: Style = Style::new().bold();
/// For numbers of points.
pub const POINTS: Style = AnsiColor::Green.on_default();
/// For what matters least.
pub const FAINT: Style = Style::new().dimmed();

/// Whether an error only says that the reader of our output has gone, as after `| head`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

/// Standard output, buffered; styles are dropped where it is no terminal.
pub fn stdout() -> std::io::BufWriter<anstream::AutoStream<std::io::StdoutLock<'static>>> {
    std::io::BufWriter::with_capacity(1 << 16, anstream::AutoStream::auto(std::io::stdout().lock()))
}

/// Writes one JSON value on a line of its own.
pub fn json(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// 3625 as "3,625".
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 word", "2 words".
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// The board drawn with lines on a terminal, as rows of letters elsewhere.
pub fn drawn(board: &Board, alphabet: &Alphabet) -> String {
    let rows = rows(board, alphabet);
    if std::io::stdout().is_terminal() { boxed(&rows) } else { plain(&rows) }
}

/// Each row's tiles as they stand on dice: P, E, Qu.
fn rows(board: &Board, alphabet: &Alphabet) -> Vec<Vec<String>> {
    let face = |&tile: &u8| {
        let mut letters = alphabet.spelled(tile).chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    };
    board.tiles().chunks(board.dims().cols()).map(|row| row.iter().map(face).collect()).collect()
}

fn plain(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| format!("{}\n", row.join(" "))).collect()
}

fn boxed(rows: &[Vec<String>]) -> String {
    let rule = |left: &str, middle: &str, right: &str| {
        format!("{FAINT}{left}{}{right}{FAINT:#}\n", vec!["────"; rows[0].len()].join(middle))
    };
    let mut text = rule("┌", "┬", "┐");
    for (i, row) in rows.iter().enumerate() {
        if i > 0 {
            text += &rule("├", "┼", "┤");
        }
        for face in row {
            let _ = write!(text, "{FAINT}│{FAINT:#} {STRONG}{face:<2}{STRONG:#} ");
        }
        let _ = writeln!(text, "{FAINT}│{FAINT:#}");
    }
    text + &rule("└", "┴", "┘")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        let all = [0, 999, 1_000, 44_726, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(all, ["0", "999", "1,000", "44,726", "1,234,567", "18,446,744,073,709,551,615"]);
        assert_eq!([counted(1, "word"), counted(1_045, "word")], ["1 word", "1,045 words"]);
    }

    #[test]
    fn boards_are_drawn_row_by_row() {
        let board = Board::parse("qitabc", "2x3".parse().ok()).unwrap();
        let rows = rows(&board, &Alphabet::english());
        assert_eq!(plain(&rows), "Qu I T\nA B C\n");
        assert_eq!(anstream::adapter::strip_str(&boxed(&rows)).to_string().lines().count(), 5);
    }
}
