//! Expansion of `~`, `%NAME%`, `$NAME` and `${NAME}` (SPEC §2.4): one pass, a value is ordinary text.

use super::{Unresolved, fault_anywhere, is_rooted, is_separator, with_own_separators};
use crate::facts::{Facts, Os};

/// A path that may be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The path with the system's own separators.
    pub path: String,
    /// Where, in bytes of `path`, the stars stand that the declaration wrote. A star that a value brings in is no pattern.
    pub stars: Vec<usize>,
}

/// Expands a declared path and judges the result.
pub fn expand(declared: &str, os: Os, facts: &dyn Facts) -> Result<Expanded, Unresolved> {
    let (text, stars) = resolve(declared.trim(), os, facts)?;
    if fault_anywhere(&text, os).is_some() || !is_rooted(&text, os) {
        return Err(Unresolved::Refused);
    }
    Ok(Expanded { path: with_own_separators(&text, os), stars })
}

/// Expands a registry value of the expandable kind. The result is text, not yet a path.
pub fn expand_value(value: &str, os: Os, facts: &dyn Facts) -> Option<String> {
    resolve(value, os, facts).map(|(text, _)| text).ok()
}

/// Whether a path begins with `~` or with a whole reference to a variable.
pub fn starts_with_reference(text: &str) -> bool {
    text.starts_with('~') || matches!(next_piece(text), Some((Piece::Variable(_), _)))
}

enum Piece<'a> {
    Literal(&'a str),
    Variable(&'a str),
}

fn resolve(text: &str, os: Os, facts: &dyn Facts) -> Result<(String, Vec<usize>), Unresolved> {
    let mut resolved = String::new();
    let mut stars = Vec::new();
    let value_of = |name: &str| {
        let value = facts.variable(name).ok().filter(|value| !value.is_empty());
        value.ok_or_else(|| Unresolved::VariableUnset(name.to_owned()))
    };
    let mut rest = text;
    if let Some(below) = rest.strip_prefix('~') {
        if !(below.is_empty() || below.starts_with(|mark| is_separator(mark, os))) {
            return Err(Unresolved::Refused);
        }
        resolved.push_str(&value_of(if os == Os::Win32 { "USERPROFILE" } else { "HOME" })?);
        rest = below;
    }
    while let Some((piece, behind)) = next_piece(rest) {
        match piece {
            Piece::Literal(literal) => {
                stars.extend(literal.match_indices('*').map(|(index, _)| resolved.len() + index));
                resolved.push_str(literal);
            }
            Piece::Variable(name) => resolved.push_str(&value_of(name)?),
        }
        // A few references to one long variable can grow without end; a path of this length is refused anyhow.
        if resolved.len() > super::LONGEST * 4 {
            return Err(Unresolved::Refused);
        }
        rest = behind;
    }
    Ok((resolved, stars))
}

/// The next piece of a text, and what stands behind it; none at the end.
fn next_piece(text: &str) -> Option<(Piece<'_>, &str)> {
    if text.is_empty() {
        return None;
    }
    if let Some((name, behind)) = reference(text) {
        return Some((Piece::Variable(name), behind));
    }
    // Both marks are ASCII: no byte of another character is like them.
    let next_mark = text.bytes().skip(1).position(|byte| matches!(byte, b'%' | b'$'));
    let next_mark = next_mark.map_or(text.len(), |index| index + 1);
    text.split_at_checked(next_mark).map(|(literal, behind)| (Piece::Literal(literal), behind))
}

/// The name of a reference at the very beginning, and what stands behind it.
fn reference(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix('%') {
        let (name, behind) = rest.split_once('%')?;
        return (!name.is_empty() && !name.contains(['/', '\\'])).then_some((name, behind));
    }
    let rest = text.strip_prefix('$')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let (name, behind) = braced.split_once('}')?;
        return (is_name(name)).then_some((name, behind));
    }
    let end = rest.find(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
    let (name, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    is_name(name).then_some((name, behind))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Fake;

    fn expanded(text: &str, os: Os, variables: &[(&str, &str)]) -> Result<String, Unresolved> {
        let facts = Fake::new(os).variables(variables);
        expand(text, os, &facts).map(|expanded| expanded.path)
    }

    #[test]
    fn every_spelling_of_a_reference_is_known_on_every_system() {
        let variables = [("A", "/a"), ("B_1", "b"), ("C (x86)", "c")];
        assert_eq!(expanded("$A/${B_1}/%C (x86)%", Os::Linux, &variables), Ok("/a/b/c".into()));
        assert_eq!(expanded("$A$B_1", Os::Darwin, &variables), Ok("/ab".into()));
        assert_eq!(expanded(r"%A%\x", Os::Win32, &[("A", r"D:\a")]), Ok(r"D:\a\x".into()));
    }

    #[test]
    fn what_begins_no_reference_is_ordinary() {
        for text in
            ["/a%", "/a%%b", "/a%/b%", "/$", "/$5", "/${", "/${}", "/${5}", "/${A", "/a$/b", "/$\u{e4}"]
        {
            assert_eq!(expanded(text, Os::Linux, &[("A", "no"), ("b", "no")]), Ok(text.into()), "{text}");
        }
    }

    #[test]
    fn home_is_a_name_of_its_own_on_each_system_and_never_another_users() {
        assert_eq!(expanded("~", Os::Linux, &[("HOME", "/home/u")]), Ok("/home/u".into()));
        assert_eq!(
            expanded("~/x", Os::Win32, &[("HOME", r"C:\h"), ("USERPROFILE", r"C:\u")]),
            Ok(r"C:\u\x".into())
        );
        assert_eq!(expanded(r"~\x", Os::Win32, &[("USERPROFILE", r"C:\u")]), Ok(r"C:\u\x".into()));
        assert_eq!(expanded(r"~\x", Os::Linux, &[("HOME", "/home/u")]), Err(Unresolved::Refused));
        assert_eq!(expanded("~root/x", Os::Linux, &[("HOME", "/home/u")]), Err(Unresolved::Refused));
        assert_eq!(expanded("/a/~/b", Os::Linux, &[("HOME", "/home/u")]), Ok("/a/~/b".into()));
    }

    #[test]
    fn a_value_can_not_break_the_rules_of_paths() {
        for value in ["x", "../x", "/a/..", "/a\u{0}b", "/a\nb", "http://x"] {
            assert_eq!(expanded("$A/x", Os::Linux, &[("A", value)]), Err(Unresolved::Refused), "{value:?}");
        }
        assert_eq!(expanded("/a/$A./x", Os::Linux, &[("A", ".")]), Err(Unresolved::Refused));
        assert_eq!(expanded("$A/x", Os::Win32, &[("A", r"\\srv\s")]), Err(Unresolved::Refused));
        assert_eq!(expanded("$A/x", Os::Win32, &[("A", "C:")]), Ok(r"C:\x".into()));
        assert_eq!(expanded("$A$A", Os::Linux, &[("A", "/")]), Ok("//".into()));
    }

    #[test]
    fn stars_of_the_declaration_are_marked_and_those_of_a_value_are_not() {
        let facts = Fake::new(Os::Linux).variables(&[("A", "/a*")]);
        let expanded = expand("$A/v*/*", Os::Linux, &facts);
        assert_eq!(expanded, Ok(Expanded { path: "/a*/v*/*".into(), stars: vec![5, 7] }));
    }

    #[test]
    fn a_few_references_can_not_grow_without_end() {
        let long = "/x".repeat(50_000);
        assert_eq!(expanded(&"$A".repeat(1_300), Os::Linux, &[("A", &long)]), Err(Unresolved::Refused));
    }
}
