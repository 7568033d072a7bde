//! Points by word length.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// How many points a word of each length is worth.
///
/// ```
/// use bogglemax::Scoring;
///
/// let boggle = Scoring::boggle();
/// assert_eq!(boggle.points(4), 1);
/// assert_eq!(boggle.points(12), 11); // the last value repeats
/// let custom: Scoring = "0,0,0,1,4,9".parse()?;
/// assert_eq!(custom.points(7), 9);
/// # Ok::<(), bogglemax::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    name: String,
    /// `table[n]` = points of a word of n letters; the last entry stands for all longer words.
    table: Vec<u32>,
}

impl Scoring {
    /// The rules of the game: 0,0,0,1,1,2,3,5,11,11,…
    pub fn boggle() -> Scoring {
        Scoring { name: "boggle".into(), table: vec![0, 0, 0, 1, 1, 2, 3, 5, 11] }
    }

    /// One point a word: the board with the most words wins.
    pub fn words() -> Scoring {
        Scoring { name: "words".into(), table: vec![0, 0, 0, 1] }
    }

    /// The paper's powers-of-two Boggle: 1 for three letters, doubling with each letter.
    /// Words of 34 letters and more are worth 2^31.
    pub fn pow2() -> Scoring {
        let doubling = (0..32).map(|exponent| 1u32 << exponent);
        Scoring { name: "pow2".into(), table: [0, 0, 0].into_iter().chain(doubling).collect() }
    }

    /// Points of a word of this many letters.
    #[inline]
    pub fn points(&self, letters: usize) -> u32 {
        self.table[letters.min(self.table.len() - 1)]
    }

    /// Points for 0, 1, 2, … up to `longest` letters.
    pub fn table(&self, longest: usize) -> Vec<u32> {
        (0..=longest).map(|n| self.points(n)).collect()
    }
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring::boggle()
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl FromStr for Scoring {
    type Err = Error;

    fn from_str(text: &str) -> Result<Scoring, Error> {
        match text.trim() {
            "boggle" => return Ok(Scoring::boggle()),
            "words" => return Ok(Scoring::words()),
            "pow2" => return Ok(Scoring::pow2()),
            _ => {}
        }
        let table: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        let table = table.map_err(|_| Error::Scoring { text: text.to_owned() })?;
        let name = table.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        Ok(Scoring { name, table })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_paper() {
        assert_eq!(Scoring::boggle().table(9), [0, 0, 0, 1, 1, 2, 3, 5, 11, 11]);
        assert_eq!(Scoring::words().table(5), [0, 0, 0, 1, 1, 1]);
        assert_eq!(Scoring::pow2().table(8), [0, 0, 0, 1, 2, 4, 8, 16, 32]);
        assert_eq!(Scoring::pow2().points(17), 16_384);
        assert_eq!(Scoring::pow2().points(72), 1 << 31);
    }

    #[test]
    fn names_come_back() {
        for text in ["boggle", "words", "pow2", "0,0,0,7"] {
            assert_eq!(text.parse::<Scoring>().unwrap().to_string(), text);
        }
        for text in ["", "bogle", "1,,2", "-1", "4294967296", "1.5"] {
            assert!(text.parse::<Scoring>().is_err(), "{text}");
        }
    }
}
