//! Reading and comparing versions (SPEC §3). Versions are text; suffixes are not ordered.

use std::cmp::Ordering;

/// A version as it is compared: the run of digits and dots at its beginning, cut into segments.
#[derive(Clone, Debug)]
pub struct Version<'a> {
    segments: Vec<&'a str>,
}

impl<'a> Version<'a> {
    /// Reads what a machine says. None where it is unreadable: no ASCII digit, or anything but blanks, `v` or `version`
    /// before the first one.
    pub fn read(found: &'a str) -> Option<Self> {
        let found = found.trim();
        let first_digit = found.find(|character: char| character.is_ascii_digit())?;
        let (before, rest) = found.split_at_checked(first_digit)?;
        if !is_lead_in(before) {
            return None;
        }
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.');
        let number = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        Some(Self { segments: number.split('.').map(|segment| segment.trim_start_matches('0')).collect() })
    }

    /// The version as it is compared, for traces: `5.1rc2` is `5.1`, an empty segment is 0.
    pub fn as_compared(&self) -> String {
        let segments: Vec<&str> =
            self.segments.iter().map(|segment| if segment.is_empty() { "0" } else { segment }).collect();
        segments.join(".")
    }
}

impl Ord for Version<'_> {
    /// Segment by segment as numbers of any length; the shorter side is padded with 0.
    fn cmp(&self, other: &Self) -> Ordering {
        let longest = self.segments.len().max(other.segments.len());
        (0..longest)
            .map(|index| {
                let left = self.segments.get(index).copied().unwrap_or("");
                let right = other.segments.get(index).copied().unwrap_or("");
                // Without leading zeros the longer number is the larger one.
                left.len().cmp(&right.len()).then_with(|| left.cmp(right))
            })
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Version<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version<'_> {}

/// Whether `found` is at least `minimum`. Unreadable on either side is never at least anything.
///
/// ```
/// use appdecl_guest::version::at_least;
/// assert!(at_least("2.3.0.12594", "2.3.0"));
/// assert!(!at_least("5.1rc2", "5.2"));
/// assert!(!at_least("latest", "0"));
/// ```
pub fn at_least(found: &str, minimum: &str) -> bool {
    match (Version::read(found), Version::read(minimum)) {
        (Some(found), Some(minimum)) => found >= minimum,
        _ => false,
    }
}

/// Whether a declaration may ask for it: `^[0-9]+(\.[0-9]+)*$`, ASCII (SPEC §2.5).
pub fn is_minimum(text: &str) -> bool {
    text.split('.').all(|segment| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether `text` may stand before the first digit: nothing, or the word `v` or `version`, then blanks with at most one of
/// `.`, `:`, `-` among them.
fn is_lead_in(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let word_end = text.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(text.len());
    let Some((word, mark)) = text.split_at_checked(word_end) else { return false };
    let mark = mark.trim();
    (word.eq_ignore_ascii_case("v") || word.eq_ignore_ascii_case("version"))
        && matches!(mark, "" | "." | ":" | "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_do_not_overflow() {
        let huge = "9".repeat(10_000);
        assert!(at_least(&format!("{huge}.1"), &huge));
        assert!(!at_least("18446744073709551615", "18446744073709551616"));
        assert!(at_least(&format!("{}1", "0".repeat(50)), "1"));
    }

    #[test]
    fn only_a_known_word_may_stand_before_the_first_digit() {
        for readable in ["v5", "V5", "version 5", "VERSION: 5", "v - 5", "  version.5"] {
            assert!(at_least(readable, "5"), "{readable}");
        }
        for unreadable in
            ["-5", ".5", "ver 5", "Acme 5", "v..5", "v: -5", "version version 5", "vv5", "\u{665}5"]
        {
            assert!(!at_least(unreadable, "0"), "{unreadable}");
        }
    }

    #[test]
    fn what_a_declaration_may_ask_for_is_digits_and_dots() {
        for good in ["0", "1.0", "2024.01.02"] {
            assert!(is_minimum(good), "{good}");
        }
        for bad in ["", ".", "1.", ".1", "1..2", "1.0\n", "v1", "1.0-beta", "\u{661}", "latest", " 1"] {
            assert!(!is_minimum(bad), "{bad:?}");
        }
    }

    #[test]
    fn the_compared_form_shows_the_cut() {
        assert_eq!(Version::read("v5.1rc2").map(|version| version.as_compared()), Some("5.1".to_owned()));
        assert_eq!(Version::read("2..030").map(|version| version.as_compared()), Some("2.0.30".to_owned()));
    }
}
