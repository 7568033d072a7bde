//! Classes of boards: the letters allowed on each cell, and pairs of cells whose letters must come
//! in order.

/// A set of letters, bit 0 for a.
pub(crate) type Letters = u32;

/// The letters in a set.
pub(crate) fn each(letters: Letters) -> impl Iterator<Item = u8> {
    (0..26).filter(move |&letter| letters >> letter & 1 == 1)
}

/// How the run ranks letters, for order constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranks {
    rank: [u8; 26],
    /// The letters that have a rank: all that stand on boards of the run.
    pub alphabet: Letters,
}

impl Ranks {
    /// From all letters, lowest rank first.
    pub fn parse(text: &str) -> Result<Ranks, String> {
        let mut ranks = Ranks { rank: [0; 26], alphabet: 0 };
        for (rank, letter) in text.bytes().enumerate() {
            if !letter.is_ascii_lowercase() || ranks.alphabet >> (letter - b'a') & 1 == 1 {
                return Err(format!("'ranks' must list letters a to z, each once, not '{text}'"));
            }
            ranks.rank[usize::from(letter - b'a')] = rank as u8;
            ranks.alphabet |= 1 << (letter - b'a');
        }
        if ranks.alphabet == 0 { Err("'ranks' lists no letters".into()) } else { Ok(ranks) }
    }

    pub fn of(&self, letter: u8) -> u8 {
        self.rank[usize::from(letter)]
    }

    /// The ranks of a set of letters, as a set.
    pub fn of_all(&self, letters: Letters) -> u32 {
        each(letters).fold(0, |set, letter| set | 1 << self.of(letter))
    }

    fn letters_where(&self, keep: impl Fn(u8) -> bool) -> Letters {
        each(self.alphabet).filter(|&l| keep(self.of(l))).fold(0, |set, l| set | 1 << l)
    }
}

/// A pair (a, b): the letter on cell a ranks at least as high as the letter on cell b.
pub(crate) type Pair = (usize, usize);

/// Whether a board satisfies all pairs.
pub(crate) fn in_order(board: &[u8], order: &[Pair], ranks: &Ranks) -> bool {
    order.iter().all(|&(a, b)| ranks.of(board[a]) >= ranks.of(board[b]))
}

/// Whether every cell of a board holds one of the letters its class allows there.
pub(crate) fn in_class(board: &[u8], class: &[Letters]) -> bool {
    board.len() == class.len() && board.iter().zip(class).all(|(&letter, set)| set >> letter & 1 == 1)
}

/// Takes away letters that no board of the class in order can have on their cell. It loses no
/// board: for (a, b), b ranks at most as high as a, so at most as high as the highest letter
/// allowed on a; and a at least as high as the lowest allowed on b.
pub(crate) fn tighten(class: &mut [Letters], order: &[Pair], ranks: &Ranks) {
    let mut changed = true;
    while changed {
        changed = false;
        for &(a, b) in order {
            let highest = each(class[a]).map(|l| ranks.of(l)).max();
            let lowest = each(class[b]).map(|l| ranks.of(l)).min();
            let (Some(highest), Some(lowest)) = (highest, lowest) else { return };
            for (cell, possible) in
                [(a, ranks.letters_where(|r| r >= lowest)), (b, ranks.letters_where(|r| r <= highest))]
            {
                changed |= class[cell] & !possible != 0;
                class[cell] &= possible;
            }
        }
    }
}

/// Reads a class as a journal writes it: sets of letters separated by blanks, `*` for all.
pub(crate) fn parse_class(text: &str, cells: usize, alphabet: Letters) -> Result<Vec<Letters>, String> {
    let class: Result<Vec<Letters>, String> =
        text.split_ascii_whitespace().map(|set| parse_letters(set, alphabet)).collect();
    let class = class?;
    if class.len() == cells {
        Ok(class)
    } else {
        Err(format!("the class '{text}' has {} cells, not {cells}", class.len()))
    }
}

/// Reads a set of letters, each written once, or `*` for the whole alphabet.
pub(crate) fn parse_letters(text: &str, alphabet: Letters) -> Result<Letters, String> {
    if text == "*" {
        return Ok(alphabet);
    }
    text.bytes().try_fold(0, |set: Letters, byte| {
        let bit = if byte.is_ascii_lowercase() { 1 << (byte - b'a') } else { 0 };
        match bit & alphabet & !set {
            0 => Err(format!("'{text}' is no set of letters of the run, each written once")),
            _ => Ok(set | bit),
        }
    })
}

/// Reads a board, row by row.
pub(crate) fn parse_board(text: &str, cells: usize, alphabet: Letters) -> Result<Vec<u8>, String> {
    let known = |byte: u8| byte.is_ascii_lowercase() && alphabet >> (byte - b'a') & 1 == 1;
    if text.len() == cells && text.bytes().all(known) {
        Ok(text.bytes().map(|byte| byte - b'a').collect())
    } else {
        Err(format!("'{text}' is no board of {cells} letters of the run"))
    }
}

/// A board as text.
pub(crate) fn board_text(board: &[u8]) -> String {
    board.iter().map(|&letter| char::from(b'a' + letter)).collect()
}

/// A set of letters as text.
pub(crate) fn letters_text(letters: Letters) -> String {
    board_text(&each(letters).collect::<Vec<u8>>())
}

/// A class as a journal writes it.
pub(crate) fn class_text(class: &[Letters], alphabet: Letters) -> String {
    let cell = |&set: &Letters| match set {
        0 => "-".to_owned(),
        _ if set == alphabet => "*".to_owned(),
        _ => letters_text(set),
    };
    class.iter().map(cell).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn classes_come_back() {
        let all = (1 << 26) - 1;
        for text in ["* * abc q", "a b c d"] {
            assert_eq!(class_text(&parse_class(text, 4, all).unwrap(), all), text);
        }
        for text in ["* *", "* * * aa", "* * * A", "* * * é", "* * * **", "", "* * * * *"] {
            assert!(parse_class(text, 4, all).is_err(), "{text}");
        }
        assert!(parse_class("a b c d", 4, 0b111).is_err());
        assert!(Ranks::parse("abca").is_err() && Ranks::parse("").is_err() && Ranks::parse("aB").is_err());
    }

    proptest! {
        #[test]
        fn tightening_loses_no_board(
            class in prop::collection::vec(1u32..32, 4),
            order in prop::collection::vec((0usize..4, 0usize..4), 0..5),
            board in prop::collection::vec(0u8..5, 4),
        ) {
            let ranks = Ranks::parse("cebad").unwrap();
            let mut tight = class.clone();
            tighten(&mut tight, &order, &ranks);
            prop_assert!(tight.iter().zip(&class).all(|(t, c)| t & !c == 0));
            let lies_in = |class: &[Letters]| in_class(&board, class) && in_order(&board, &order, &ranks);
            prop_assert_eq!(lies_in(&tight), lies_in(&class));
        }
    }
}
