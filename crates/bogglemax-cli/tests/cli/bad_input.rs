//! End to end: each mistake a person can make gets one line, exit code 2, and nothing else.

use crate::common::refused;

#[test]
fn boards_that_do_not_fit() {
    refused(&["solve", "abc"], b"", "no square");
    refused(&["solve", "abcd", "--dims", "3x4"], b"", "has 4 cells, but 3x4 has 12");
    refused(&["solve", ""], b"", "0 cells");
    refused(&["score", "perslatgsineters", "abc"], b"", "'abc'");
    refused(&["canon", "abcde"], b"", "no square");
    refused(&["dice", "check", "abcdefghi"], b"", "no dice for 3x3");
    refused(&["dice", "check", "perslatgsineters", "--set", "big"], b"", "5x5");
}

#[test]
fn letters_that_are_on_no_tile() {
    refused(&["solve", "perslatg5ineters"], b"", "'5' at position 9 of 'perslatg5ineters'");
    refused(&["score", "perslatgsinéters"], b"", "'é' at position 12");
    refused(&["canon", "ab d"], b"", "' ' at position 3");
}

#[test]
fn a_bad_line_is_named_by_its_number() {
    refused(&["score"], b"perslatgsineters\n\nabc1\nxyz9\n", "line 3: '1' at position 4");
    refused(&["canon"], b"abcd\nabcde\n", "line 2: ");
    refused(&["score"], b"perslatgsineters\n\xff\xfe\n", "line 2: ");
}

#[test]
fn shapes_that_are_none() {
    for dims in ["4", "0x4", "7x7", "4x", "axb", "99999999999999999999x1"] {
        refused(&["solve", "abcd", "--dims", dims], b"", "no board shape");
    }
}

#[test]
fn scorings_and_numbers_that_are_none() {
    refused(&["score", "abcd", "--scoring", "bogle"], b"", "no scoring");
    refused(&["score", "abcd", "--scoring", "1,,2"], b"", "no scoring");
    refused(&["score", "abcd", "--scoring", "99999999999"], b"", "no scoring");
    refused(&["score", "abcd", "--threads", "0"], b"", "--threads");
    refused(&["stats", "--boards", "1"], b"", "--boards");
    refused(&["dice", "roll", "--set", "huge"], b"", "no dice set");
    refused(&["dice", "roll", "--dims", "3x3"], b"", "no dice for 3x3");
}

#[test]
fn word_lists_that_cannot_be_used() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    refused(&["score", "abcd", "--wordlist", "/no/such/file"], b"", "cannot read word list '/no/such/file'");
    refused(&["score", "abcd", "--wordlist", dir.path().to_str().unwrap()], b"", "cannot read word list");
    refused(&["score", "abcd", "--wordlist", &path("empty", b"")], b"", "no usable word");
    refused(&["score", "abcd", "--wordlist", &path("short", b"a\nat\nqat\n")], b"", "no usable word");
    refused(
        &["score", "abcd", "--wordlist", &path("torn.gz", b"\x1f\x8b\x08\x00")],
        b"",
        "cannot read word list",
    );
    refused(&["score", "--wordlist", "-"], b"tea\n", "standard input cannot be both");
}

#[test]
fn a_place_that_cannot_be_written() {
    let file = tempfile::NamedTempFile::new().unwrap();
    refused(&["man", "--dir", file.path().to_str().unwrap()], b"", "cannot write manual pages");
}
