//! Uninstall entries of the Windows registry (SPEC §5.2): as places, and as a source of versions. Which of several entries
//! counts never depends on the order in which they are listed.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::{Made, Visit};
use crate::facts::{Facts, Hive, NodeKind, Os, RegistryValue, Subkey, View};
use crate::inquiry::{Inquiry, is_denied};
use crate::order::sorted;
use crate::path::{self, Unresolved};
use crate::trace::Detail;
use crate::version::Version;

const KEY: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall";
const VALUES: [&str; 4] = ["DisplayName", "DisplayVersion", "InstallLocation", "SystemComponent"];

/// The roots in the order that settles ties.
const ROOTS: [(Hive, View, &str); 3] = [
    (Hive::LocalMachine, View::Bits64, "HKLM 64-bit"),
    (Hive::LocalMachine, View::Bits32, "HKLM 32-bit"),
    (Hive::CurrentUser, View::Bits64, "HKCU"),
];

/// How many times one evaluation asks whether an install location holds another copy.
const TWINS: usize = 1_000;

/// All entries of the machine and the user, sorted by root and key.
pub struct Entries {
    keys: Vec<(&'static str, Subkey)>,
    denied: bool,
    twins_left: Cell<usize>,
}

impl Entries {
    /// Asks for each root once. A root that is denied, gone or odd is left out alone.
    pub(crate) fn read(inquiry: &Inquiry<'_>) -> Self {
        let mut entries = Self { keys: Vec::new(), denied: false, twins_left: Cell::new(TWINS) };
        for (hive, view, root) in ROOTS {
            let answer = inquiry.subkeys(hive, view, KEY, &VALUES);
            entries.denied |= is_denied(&answer);
            let keys = sorted(answer.unwrap_or_default(), |left, right| left.name.cmp(&right.name));
            entries.keys.extend(keys.into_iter().map(|key| (root, key)));
        }
        entries
    }

    fn matching(&self, inquiry: &Inquiry<'_>, prefix: &str) -> Vec<Entry<'_>> {
        self.keys.iter().filter_map(|(root, key)| Entry::read(inquiry, root, key, prefix)).collect()
    }

    /// The version that the entries give for the file found at `found`; none where no entry of the best rank has a
    /// readable one.
    pub fn version_for(&self, inquiry: &Inquiry<'_>, prefix: &str, found: &str) -> Option<String> {
        let matching = self.matching(inquiry, prefix);
        let rank =
            |entry: &Entry<'_>| Some(entry.rank(Bearing::of(entry, inquiry, found, &self.twins_left)?));
        let ranks: Vec<Option<Rank>> = matching.iter().map(rank).collect();
        let best = ranks.iter().copied().flatten().min();
        let of_best = matching.iter().zip(&ranks).filter(|(_, rank)| rank.is_some() && **rank == best);
        let winner =
            of_best.filter_map(|(entry, _)| Some((entry, entry.readable_version()?))).reduce(highest);
        let winner = winner.map(|(entry, _)| entry);
        for (entry, rank) in matching.iter().zip(ranks) {
            let wins = winner.is_some_and(|winner| std::ptr::eq(winner, entry));
            entry.note_rank(inquiry, rank, || match rank.zip(best) {
                None => "left out, its place holds another copy",
                Some(_) if wins => "counts",
                Some((rank, best)) => rank.behind(best),
            });
        }
        winner.and_then(|entry| entry.version.clone())
    }
}

/// The file below the install location of each matching entry, the best entry first.
pub(super) fn candidates(
    entries: &Entries,
    inquiry: &Inquiry<'_>,
    os: Os,
    prefix: &str,
    file: &str,
    visit: &mut Visit<'_>,
) -> Result<Made, Unresolved> {
    // Sorting keeps the order of root and key among equals.
    let matching = sorted(entries.matching(inquiry, prefix), |left, right| {
        let by_version = || right.readable_version().cmp(&left.readable_version());
        left.rank(Bearing::Nowhere).cmp(&right.rank(Bearing::Nowhere)).then_with(by_version)
    });
    let mut before = None;
    for entry in &matching {
        let rank = entry.rank(Bearing::Nowhere);
        entry.note_rank(inquiry, Some(rank), || before.map_or("first", |before| rank.behind(before)));
        before = Some(rank);
        if let Some(location) = &entry.location
            && let ControlFlow::Break(()) = visit(&path::join(location, file, os))
        {
            break;
        }
    }
    Ok(Made { shown: None, denied: entries.denied })
}

struct Entry<'a> {
    root: &'static str,
    key: &'a str,
    is_the_prefix: bool,
    is_a_proper_name: bool,
    version: Option<String>,
    location: Option<String>,
    is_hidden: bool,
}

/// The steps of SPEC §5.2, in turn; the lower one is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    another_name: bool,
    bearing: Bearing,
    hidden: bool,
    more_than_the_prefix: bool,
}

impl Rank {
    /// The first step by which an entry of this rank stands behind one of a better or the same rank, in words.
    fn behind(self, better: Self) -> &'static str {
        if self.another_name != better.another_name {
            "behind by its name"
        } else if self.bearing != better.bearing {
            "behind by its place"
        } else if self.hidden != better.hidden {
            "behind since it is hidden"
        } else if self.more_than_the_prefix != better.more_than_the_prefix {
            "behind since its name is more than the prefix"
        } else {
            "behind by its version, or by its key where that is the same"
        }
    }
}

/// How an install location stands to the file that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bearing {
    Holds,
    Nowhere,
    Elsewhere,
}

impl Bearing {
    /// None where the entry speaks for another copy, since its location holds one of the same name, or where that may not
    /// be asked any more.
    fn of(entry: &Entry<'_>, inquiry: &Inquiry<'_>, found: &str, twins_left: &Cell<usize>) -> Option<Self> {
        let Some(location) = &entry.location else { return Some(Self::Nowhere) };
        if path::holds(location, found, Os::Win32) {
            return Some(Self::Holds);
        }
        let twin = path::join(location, path::file_name(found, Os::Win32), Os::Win32);
        if !path::is_plain_rooted(&twin, Os::Win32) {
            return Some(Self::Elsewhere);
        }
        twins_left.set(twins_left.get().checked_sub(1)?);
        let is_file = inquiry.stat(&twin).is_ok_and(|node| node.kind == NodeKind::File);
        (!is_file).then_some(Self::Elsewhere)
    }
}

impl<'a> Entry<'a> {
    fn read(inquiry: &Inquiry<'_>, root: &'static str, key: &'a Subkey, prefix: &str) -> Option<Self> {
        let [name, version, location, hidden] = key.values.as_slice() else { return None };
        let name = text(inquiry, name)?;
        let more = name.strip_prefix(prefix)?;
        Some(inquiry.trace().within("uninstall-entry", || {
            let entry = Self {
                root,
                key: &key.name,
                is_the_prefix: more.trim().is_empty(),
                is_a_proper_name: is_proper_addition(more, prefix),
                version: text(inquiry, version),
                location: text(inquiry, location).as_deref().and_then(install_location),
                is_hidden: *hidden == RegistryValue::Number(1),
            };
            entry.note(inquiry, &name);
            entry
        }))
    }

    fn rank(&self, bearing: Bearing) -> Rank {
        Rank {
            another_name: !self.is_a_proper_name,
            bearing,
            hidden: self.is_hidden,
            more_than_the_prefix: !self.is_the_prefix,
        }
    }

    fn readable_version(&self) -> Option<Version<'_>> {
        self.version.as_deref().and_then(Version::read)
    }

    fn note(&self, inquiry: &Inquiry<'_>, name: &str) {
        let trace = inquiry.trace();
        trace.detail("root", || self.root);
        trace.detail("key", || self.key);
        trace.detail("display_name", || name);
        trace.detail("display_version", || self.version.as_deref());
        trace.detail("as_compared", || self.readable_version().map(|version| version.as_compared()));
        trace.detail("install_location", || self.location.as_deref());
    }

    fn note_rank(&self, inquiry: &Inquiry<'_>, rank: Option<Rank>, outcome: impl FnOnce() -> &'static str) {
        inquiry.trace().step("rank", || {
            let bearing = rank.map(|rank| match rank.bearing {
                Bearing::Holds => "holds the file",
                Bearing::Nowhere => "names no place, or none is compared",
                Bearing::Elsewhere => "names another place",
            });
            [
                ("root", Detail::from(self.root)),
                ("key", Detail::from(self.key)),
                ("proper_name", Detail::from(self.is_a_proper_name)),
                ("place", Detail::from(bearing)),
                ("hidden", Detail::from(self.is_hidden)),
                ("is_the_prefix", Detail::from(self.is_the_prefix)),
                ("outcome", Detail::from(outcome())),
            ]
        });
    }
}

fn highest<'a, T>(left: (T, Version<'a>), right: (T, Version<'a>)) -> (T, Version<'a>) {
    if right.1.cmp(&left.1) == Ordering::Greater { right } else { left }
}

/// The text of a value: cut at the first NUL, the expandable kind expanded; none where that fails.
fn text(inquiry: &Inquiry<'_>, value: &RegistryValue) -> Option<String> {
    let cut = |text: &str| text.split('\0').next().unwrap_or_default().to_owned();
    match value {
        RegistryValue::Text(text) => Some(cut(text)),
        RegistryValue::ExpandableText(text) => path::expand_value(&cut(text), Os::Win32, inquiry),
        _ => None,
    }
}

/// The folder that an `InstallLocation` names; none where it names no place: empty, relative, on a network.
fn install_location(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text).trim();
    let text =
        text.strip_prefix(r"\\?\").filter(|rest| path::is_plain_rooted(rest, Os::Win32)).unwrap_or(text);
    if !path::is_plain_rooted(text, Os::Win32) {
        return None;
    }
    let folder = path::with_own_separators(text, Os::Win32);
    let trimmed = folder.trim_end_matches('\\');
    // `C:` alone is not the root of the drive.
    Some(if trimmed.ends_with(':') { format!("{trimmed}\\") } else { trimmed.to_owned() })
}

/// Whether a name is the prefix itself, or goes on with blanks and then only versions, architectures and brackets.
fn is_proper_addition(more: &str, prefix: &str) -> bool {
    if more.trim().is_empty() {
        return true;
    }
    if !(more.starts_with(char::is_whitespace) || prefix.ends_with(char::is_whitespace)) {
        return false;
    }
    let words =
        more.split(|character: char| character.is_whitespace() || matches!(character, '(' | ')' | '[' | ']'));
    let mut version_must_follow = false;
    for word in words.filter(|word| !word.is_empty()) {
        if is_version(word) {
            version_must_follow = false;
        } else if version_must_follow {
            return false;
        } else if word.eq_ignore_ascii_case("version") {
            version_must_follow = true;
        } else if !is_architecture(word) {
            return false;
        }
    }
    !version_must_follow
}

fn is_architecture(word: &str) -> bool {
    ["x86", "x64", "amd64", "arm64", "32-bit", "64-bit"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']).unwrap_or(word);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|character| character.is_ascii_digit() || character == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proper_name_goes_on_with_versions_architectures_and_brackets_alone() {
        for proper in
            ["", " ", " 5.1", " (x64)", " v5.1 (64-bit)", " version 2.43.0", " 2024 [ARM64] (5.1)", " ()"]
        {
            assert!(is_proper_addition(proper, "Acme"), "{proper:?}");
        }
        for other in [
            "5.1",
            "-5.1",
            " Plugin Pack",
            " 5.1 Plugin Pack",
            " (Plugin)",
            " version",
            " 5.1-beta",
            " Pro 5",
        ] {
            assert!(!is_proper_addition(other, "Acme"), "{other:?}");
        }
        assert!(is_proper_addition("5.1", "Acme "));
    }

    #[test]
    fn an_install_location_is_a_folder_on_a_drive_or_no_place() {
        for (text, folder) in [
            (r#" "C:\P\Acme\" "#, r"C:\P\Acme"),
            (r"\\?\C:\P", r"C:\P"),
            ("C:/P//", r"C:\P"),
            (r"C:\", r"C:\"),
        ] {
            assert_eq!(install_location(text).as_deref(), Some(folder), "{text}");
        }
        for no_place in [
            "",
            "  ",
            r#""""#,
            r"\\srv\P",
            r"\\?\UNC\srv\P",
            "//srv/P",
            r"\P",
            "P",
            "C:P",
            r"C:\a\..\P",
            "%A%",
        ] {
            assert_eq!(install_location(no_place), None, "{no_place:?}");
        }
        assert_eq!(install_location(r#""C:\P"#), None, "one quote is no pair");
    }
}
