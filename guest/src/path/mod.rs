//! Paths as declarations write them (SPEC §2.3, §2.4): judged as text, expanded, judged again. Nothing here asks whether
//! a path exists.

mod expand;
mod pattern;

pub use expand::{Expanded, expand, expand_value, starts_with_reference};
pub use pattern::{Pattern, compare_matches};

use crate::facts::Os;

/// The most characters a path may have.
pub const LONGEST: usize = 4_096;

/// What is wrong with a path, in the order in which the first one is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathFault {
    /// More than 4,096 characters.
    TooLong,
    /// A NUL or another control character.
    BadCharacter,
    /// `://` in it.
    IsUrl,
    /// A network or device path of Windows.
    IsNetwork,
    /// A `..` segment.
    Traversal,
    /// Relative.
    NotRooted,
    /// `**` in it.
    DoubleStar,
}

impl PathFault {
    /// The diagnostic code.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLong => "path-too-long",
            Self::BadCharacter => "path-bad-character",
            Self::IsUrl => "path-is-url",
            Self::IsNetwork => "path-is-network",
            Self::Traversal => "path-traversal",
            Self::NotRooted => "path-not-rooted",
            Self::DoubleStar => "path-has-double-star",
        }
    }
}

/// Why a place could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// The variable of that name, which the declared text refers to, is unset or empty.
    VariableUnset(String),
    /// The result is no path that may be asked about, or `~name` is in it.
    Refused,
}

impl Unresolved {
    /// The reason code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::VariableUnset(_) => "variable-unset",
            Self::Refused => "path-refused",
        }
    }
}

/// Judges a path as a declaration writes it: trimmed, before any expansion.
pub fn judge(declared: &str, os: Os) -> Result<(), PathFault> {
    let declared = declared.trim();
    if let Some(fault) = fault_anywhere(declared, os) {
        Err(fault)
    } else if !(starts_with_reference(declared) || is_rooted(declared, os)) {
        Err(PathFault::NotRooted)
    } else if declared.contains("**") {
        Err(PathFault::DoubleStar)
    } else {
        Ok(())
    }
}

/// Whether text is a rooted path just as it stands: not trimmed, nothing in it expanded, `*` an ordinary character.
pub fn is_plain_rooted(text: &str, os: Os) -> bool {
    fault_anywhere(text, os).is_none() && is_rooted(text, os)
}

/// The system's own separator.
pub fn separator(os: Os) -> char {
    if os == Os::Win32 { '\\' } else { '/' }
}

/// Whether a character parts segments on that system.
pub fn is_separator(character: char, os: Os) -> bool {
    character == '/' || (os == Os::Win32 && character == '\\')
}

/// Text with the system's own separators.
pub fn with_own_separators(text: &str, os: Os) -> String {
    if os == Os::Win32 { text.replace('/', "\\") } else { text.to_owned() }
}

/// `folder` and `below` with one separator between them, all of them the system's own.
pub fn join(folder: &str, below: &str, os: Os) -> String {
    let mut path = with_own_separators(folder, os);
    if !path.ends_with(separator(os)) {
        path.push(separator(os));
    }
    path.push_str(&with_own_separators(below, os));
    path
}

/// The last segment.
pub fn file_name(path: &str, os: Os) -> &str {
    path.rsplit(|character| is_separator(character, os)).next().unwrap_or(path)
}

/// Whether the folder holds the file, directly or further down. Compared segment by segment, letter case aside on win32
/// and darwin, doubled separators and `.` aside.
pub fn holds(folder: &str, file: &str, os: Os) -> bool {
    let mut rest = segments(file, os);
    segments(folder, os).all(|segment| rest.next().is_some_and(|other| same_name(segment, other, os)))
        && rest.next().is_some()
}

/// Whether two names mean the same file there.
pub fn same_name(left: &str, right: &str, os: Os) -> bool {
    left == right || (os != Os::Linux && folded(left).eq(folded(right)))
}

/// The characters without regard to their case.
pub fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

fn segments(path: &str, os: Os) -> impl Iterator<Item = &str> {
    path.split(move |character| is_separator(character, os)).filter(|segment| !matches!(*segment, "" | "."))
}

/// Byte by byte: every evaluation comes through here, and what is looked for is ASCII, but for the control characters from
/// U+0080 to U+009F, whose first byte is C2.
fn fault_anywhere(text: &str, os: Os) -> Option<PathFault> {
    let bytes = text.as_bytes();
    let is_mark = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_c1 = |pair: &[u8]| matches!(pair, [0xc2, 0x80..=0x9f]);
    if bytes.len() > LONGEST && text.chars().count() > LONGEST {
        Some(PathFault::TooLong)
    } else if bytes.iter().any(u8::is_ascii_control) || bytes.windows(2).any(is_c1) {
        Some(PathFault::BadCharacter)
    } else if bytes.windows(3).any(|three| matches!(three, b"://")) {
        Some(PathFault::IsUrl)
    } else if os == Os::Win32 && matches!(bytes, [b'/' | b'\\', b'/' | b'\\', ..]) {
        Some(PathFault::IsNetwork)
    } else if bytes.split(is_mark).any(|segment| matches!(segment, b"..")) {
        Some(PathFault::Traversal)
    } else {
        None
    }
}

fn is_rooted(text: &str, os: Os) -> bool {
    let mut characters = text.chars();
    match os {
        Os::Win32 => {
            characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
                && characters.next() == Some(':')
                && characters.next().is_some_and(|mark| is_separator(mark, os))
        }
        Os::Darwin | Os::Linux => characters.next() == Some('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_path_has_many_spellings() {
        for network in [r"\\srv\s", "//srv/s", r"\/srv", r"/\srv", r"\\?\C:\x", r"\\.\pipe\x"] {
            assert_eq!(judge(network, Os::Win32), Err(PathFault::IsNetwork), "{network}");
        }
        assert_eq!(judge(r"\??\C:\x", Os::Win32), Err(PathFault::NotRooted));
        assert_eq!(judge("//srv/s", Os::Linux), Ok(()));
    }

    #[test]
    fn white_space_around_a_declared_path_is_none_and_around_a_plain_one_is_some() {
        assert_eq!(judge("\n /opt/a \t", Os::Linux), Ok(()));
        assert!(!is_plain_rooted(" /opt/a", Os::Linux));
        assert!(is_plain_rooted("/opt/a**", Os::Linux));
        assert!(!is_plain_rooted("~/a", Os::Linux));
        assert!(!is_plain_rooted("%A%", Os::Linux));
    }

    #[test]
    fn a_segment_of_two_dots_climbs_and_longer_names_do_not() {
        assert_eq!(judge(r"/a\..\b", Os::Linux), Err(PathFault::Traversal));
        assert_eq!(judge("/a/...", Os::Linux), Ok(()));
        assert_eq!(judge("/a/..b", Os::Linux), Ok(()));
        assert_eq!(judge("..", Os::Linux), Err(PathFault::Traversal));
    }

    #[test]
    fn control_characters_are_the_same_as_those_of_the_standard_library() {
        for character in ('\0'..='\u{2fff}').chain(['\u{ffff}', '\u{1f600}', '\u{10ffff}']) {
            let judged = judge(&format!("/a{character}b"), Os::Linux);
            assert_eq!(judged == Err(PathFault::BadCharacter), character.is_control(), "{character:?}");
        }
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(judge(&format!("/{}", "ä".repeat(LONGEST - 1)), Os::Linux), Ok(()));
        assert_eq!(judge(&format!("/{}", "ä".repeat(LONGEST)), Os::Linux), Err(PathFault::TooLong));
    }

    #[test]
    fn a_folder_holds_what_lies_beneath_it() {
        assert!(holds(r"C:\Acme\", r"c:\ACME\bin\a.exe", Os::Win32));
        assert!(holds(r"C:/Acme//.", r"C:\Acme\a.exe", Os::Win32));
        assert!(!holds(r"C:\Ac", r"C:\Acme\a.exe", Os::Win32));
        assert!(!holds(r"C:\Acme\a.exe", r"C:\Acme\a.exe", Os::Win32));
        assert!(!holds("/OPT", "/opt/a", Os::Linux));
    }
}
