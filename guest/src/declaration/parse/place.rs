//! Places: paths and the kinds of places (SPEC §2.2, §2.3).

use super::super::reader::{At, Members, Reader};
use super::super::{Place, Presence};
use super::only_on;
use crate::facts::Os;
use crate::json::Value;
use crate::path::{self, PathFault};
use crate::text::quoted;

const KINDS: [&str; 5] = ["command", "uninstall_registry", "app_bundle", "flatpak", "snap"];

/// One place of a list.
pub(super) fn read(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    os: Os,
    presence: Option<Presence>,
) -> Option<Place> {
    if let Value::Text(path) = value {
        return read_path(reader, at, path, os);
    }
    if !matches!(value, Value::Mapping(_)) {
        reader.wrong_type(at, value, "a path, or a mapping with `kind`");
        return None;
    }
    let members = reader.mapping(at, value, "with `kind`")?;
    let kind = read_kind(reader, at, &members, os, presence)?;
    let known: &[&str] = match kind {
        "uninstall_registry" => &["kind", "display_name_prefix", "file"],
        "flatpak" => &["kind", "app_id"],
        _ => &["kind", "name"],
    };
    for (index, name, _) in members.iter().filter(|(_, name, _)| !known.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, known);
    }
    match kind {
        "command" => {
            read_name(reader, at, &members, "name", is_bare_name, BARE).map(|name| Place::Command { name })
        }
        "app_bundle" => read_name(reader, at, &members, "name", is_bundle_name, BUNDLE)
            .map(|name| Place::AppBundle { name }),
        "flatpak" => read_name(reader, at, &members, "app_id", is_bare_name, BARE)
            .map(|app_id| Place::Flatpak { app_id }),
        "snap" => {
            read_name(reader, at, &members, "name", is_bare_name, BARE).map(|name| Place::Snap { name })
        }
        _ => {
            let prefix = read_prefix(reader, at, &members, true);
            let file = read_name(reader, at, &members, "file", is_relative_file, RELATIVE);
            Some(Place::UninstallRegistry { display_name_prefix: prefix??, file: file? })
        }
    }
}

/// A path, of a location or of a runtime file.
pub(super) fn read_path(reader: &mut Reader, at: &At<'_>, path: &str, os: Os) -> Option<Place> {
    if path.is_empty() {
        reader.empty(at, "a path");
        return None;
    }
    match path::judge(path, os) {
        Ok(()) => Some(Place::Path(path.to_owned())),
        Err(fault) => {
            report_path(reader, at, path, fault, os);
            None
        }
    }
}

/// Says what is wrong with a path and what is accepted on that system.
pub(super) fn report_path(reader: &mut Reader, at: &At<'_>, path: &str, fault: PathFault, os: Os) {
    let found = quoted(path.trim());
    let what = match fault {
        PathFault::TooLong => format!("a path has at most {} characters, this one has more", path::LONGEST),
        PathFault::BadCharacter => format!("a control character in {found}: a path is plain text"),
        PathFault::IsUrl => format!("{found} is a URL: expected a path of this machine"),
        PathFault::IsNetwork => format!("{found} names a network or a device: expected a path on a drive"),
        PathFault::Traversal => format!("a `..` segment in {found}: write the path without it"),
        PathFault::NotRooted => {
            let root = if os == Os::Win32 { "a drive (`C:\\`)" } else { "`/`" };
            format!("{found} is relative under `{}`: begin with {root}, `~`, `%NAME%` or `$NAME`", os.name())
        }
        PathFault::DoubleStar => format!("`**` in {found}: a `*` stands for text within one segment"),
    };
    reader.report(at, fault.code(), &what);
}

/// `display_name_prefix`: a non-empty string. The inner option is none where it is absent and not required; the outer one
/// where it is faulty.
pub(super) fn read_prefix(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'_>,
    required: bool,
) -> Option<Option<String>> {
    const MEMBER: &str = "display_name_prefix";
    const EXPECTED: &str = "what the entry's `DisplayName` begins with";
    let Some((index, value)) = members.get(MEMBER) else {
        if required {
            reader.missing(at, MEMBER, EXPECTED);
            return None;
        }
        return Some(None);
    };
    let at = at.member(index, MEMBER);
    let text = reader.text(&at, value, "a string")?;
    if text.is_empty() {
        reader.empty(&at, EXPECTED);
        return None;
    }
    Some(Some(text.to_owned()))
}

fn read_kind<'v>(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'v>,
    os: Os,
    presence: Option<Presence>,
) -> Option<&'v str> {
    const EXPECTED: &str = "the kind of place";
    let Some((index, value)) = members.get("kind") else {
        reader.missing(at, "kind", EXPECTED);
        return None;
    };
    let at = at.member(index, "kind");
    let kind = reader.text(&at, value, "a string")?;
    let (system, needed) = match kind {
        "command" => (os, Presence::Executable),
        "uninstall_registry" => (Os::Win32, Presence::Executable),
        "app_bundle" => (Os::Darwin, Presence::Bundle),
        "flatpak" | "snap" => (Os::Linux, Presence::Executable),
        "" => {
            reader.empty(&at, EXPECTED);
            return None;
        }
        _ => {
            reader.unknown_value(&at, kind, &KINDS);
            return None;
        }
    };
    if let Err(what) = only_on(os, system) {
        reader.report(&at, "wrong-os", &format!("a place of kind `{kind}` {what}"));
        return None;
    }
    if presence.is_some_and(|presence| presence != needed) {
        let what = format!("a place of kind `{kind}` needs the presence `{}`", needed.name());
        reader.report(&at, "wrong-presence", &what);
        return None;
    }
    Some(kind)
}

const BARE: &str = "a bare name, without `/`, `\\` and `:`";
const BUNDLE: &str = "the bare name of a bundle, ending in `.app`";
const RELATIVE: &str = "a path below the install location, without `..` and `:`";

fn read_name(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'_>,
    member: &str,
    accepts: fn(&str) -> bool,
    expected: &str,
) -> Option<String> {
    let Some((index, value)) = members.get(member) else {
        reader.missing(at, member, expected);
        return None;
    };
    let at = at.member(index, member);
    let text = reader.text(&at, value, "a string")?;
    if accepts(text) {
        Some(text.to_owned())
    } else {
        reader.report(&at, "bad-name", &format!("expected {expected}, found {}", quoted(text)));
        None
    }
}

fn is_bare_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..")
        && text.chars().count() <= path::LONGEST
        && !text.chars().any(|character| matches!(character, '/' | '\\' | ':') || character.is_control())
}

fn is_bundle_name(text: &str) -> bool {
    is_bare_name(text) && text.ends_with(".app")
}

fn is_relative_file(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= path::LONGEST
        && !text.starts_with(['/', '\\'])
        && !text.chars().any(|character| character == ':' || character.is_control())
        && !text.split(['/', '\\']).any(|segment| segment == "..")
}
