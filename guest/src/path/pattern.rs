//! `*` within one segment, and the order of what it matches (SPEC §2.2).

use std::cmp::Ordering;

use super::folded;
use crate::facts::Os;

/// A segment with stars.
#[derive(Clone, Debug)]
pub struct Pattern<'a> {
    /// What stands between the stars; at least two pieces.
    pieces: Vec<&'a str>,
    ignores_case: bool,
}

impl<'a> Pattern<'a> {
    /// A segment of a path whose stars stand at these bytes of it.
    pub fn new(segment: &'a str, stars: &[usize], os: Os) -> Self {
        let mut pieces = Vec::new();
        let mut start = 0;
        for star in stars {
            pieces.push(segment.get(start..*star).unwrap_or(""));
            start = star + 1;
        }
        pieces.push(segment.get(start..).unwrap_or(""));
        Self { pieces, ignores_case: os != Os::Linux }
    }

    /// What every match begins with.
    pub fn prefix(&self) -> &'a str {
        self.pieces.first().copied().unwrap_or("")
    }

    /// Whether a name matches: a star stands for any run of characters, none too.
    pub fn matches(&self, name: &str) -> bool {
        let fold = |text: &str| if self.ignores_case { folded(text).collect() } else { text.to_owned() };
        let name = fold(name);
        let pieces: Vec<String> = self.pieces.iter().map(|piece| fold(piece)).collect();
        let (Some((first, rest)), Some(mut left)) =
            (pieces.split_first(), pieces.first().and_then(|first| name.strip_prefix(first.as_str())))
        else {
            return false;
        };
        let Some((last, middle)) = rest.split_last() else { return name == *first };
        for piece in middle {
            // The earliest place leaves most for the pieces behind it.
            match left.split_once(piece.as_str()) {
                Some((_, behind)) => left = behind,
                None => return false,
            }
        }
        left.ends_with(last.as_str())
    }
}

/// The order in which matches of one folder are tried: character by character, runs of ASCII digits as numbers and before
/// other text, highest and longest first, then by the bytes of the name.
pub fn compare_matches(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    loop {
        let ordering = match (next_token(left_rest), next_token(right_rest)) {
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some((left_token, left_behind)), Some((right_token, right_behind))) => {
                (left_rest, right_rest) = (left_behind, right_behind);
                match (left_token, right_token) {
                    (Token::Number(left), Token::Number(right)) => {
                        (right.len(), right).cmp(&(left.len(), left))
                    }
                    (Token::Number(_), Token::Character(_)) => Ordering::Less,
                    (Token::Character(_), Token::Number(_)) => Ordering::Greater,
                    (Token::Character(left), Token::Character(right)) => right.cmp(&left),
                }
            }
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
}

enum Token<'a> {
    /// The digits without leading zeros: the longer one is the larger one.
    Number(&'a str),
    Character(char),
}

fn next_token(text: &str) -> Option<(Token<'_>, &str)> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
        let (digits, behind) = text.split_at_checked(end)?;
        Some((Token::Number(digits.trim_start_matches('0')), behind))
    } else {
        let (_, behind) = text.split_at_checked(first.len_utf8())?;
        Some((Token::Character(first), behind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str, os: Os) -> bool {
        let stars: Vec<usize> = pattern.match_indices('*').map(|(index, _)| index).collect();
        Pattern::new(pattern, &stars, os).matches(name)
    }

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (pattern, name) in
            [("*", ""), ("*", ".x"), ("a*", "a"), ("a*b*c", "abbc"), ("*a*a", "aXa"), ("a*a", "aa")]
        {
            assert!(matches(pattern, name, Os::Linux), "{pattern} {name}");
        }
        for (pattern, name) in [("a*a", "a"), ("a*b*b", "ab"), ("*.exe", "exe"), ("a*", "A"), ("*a*b", "ba")]
        {
            assert!(!matches(pattern, name, Os::Linux), "{pattern} {name}");
        }
    }

    #[test]
    fn letter_case_counts_on_linux_alone() {
        assert!(matches("ACME*Ä", "acme 5ä", Os::Darwin));
        assert!(matches("acme*", "ACME", Os::Win32));
        assert!(!matches("acme*", "ACME", Os::Linux));
    }

    #[test]
    fn the_highest_and_longest_come_first_and_numbers_before_text() {
        let mut names = ["a", "a-9", "a-10", "a-beta", "a-rc", "a-10.1", "a-9 LTS", "a-010"];
        names.sort_by(|left, right| compare_matches(left, right));
        assert_eq!(names, ["a-10.1", "a-010", "a-10", "a-9 LTS", "a-9", "a-rc", "a-beta", "a"]);
    }

    #[test]
    fn the_order_is_total_for_numbers_of_any_length() {
        let long = "9".repeat(400);
        assert_eq!(compare_matches(&format!("v{long}"), "v1"), Ordering::Less);
        assert_eq!(compare_matches("v", "v"), Ordering::Equal);
    }
}
