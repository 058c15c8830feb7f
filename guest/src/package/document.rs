//! A JSON file of a package, and the members of its objects.

use std::collections::BTreeSet;

use super::codes;
use super::finding::{Help, Scope};
use super::listing::{Files, Found, Tree};
use super::place::{At, Quoted};
use crate::facts::FaultCode;
use crate::json::{self, Value};

/// The most bytes of a JSON file of a package.
pub const LARGEST_DOCUMENT: u64 = 1024 * 1024;

/// The most levels of objects and arrays of a JSON file of a package, the root being 1.
const LEVELS: usize = 64;

/// Finds a regular file and reads it as JSON. Nothing where it is faulty, or where its content has to be asked for first.
pub(super) fn read(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    path: &str,
    scope: &mut Scope<'_>,
) -> Option<Value> {
    match tree.resolve(path) {
        Found::File(entry) => parse(read_bytes(tree, files, &entry.path, scope)?, scope),
        found => {
            not_found(&found, "", "a regular file", &At::Root, scope);
            None
        }
    }
}

/// Says what a path leads to instead of what it should. `path` is how a document writes it; empty where it is the file
/// itself.
pub(super) fn not_found(found: &Found<'_>, path: &str, expected: &str, at: &At<'_>, scope: &mut Scope<'_>) {
    let (code, what) = match found {
        Found::Missing => (codes::FILE_MISSING, "is not there"),
        Found::Outside => (codes::LINK_LEADS_OUTSIDE, "leads out of the package"),
        Found::Broken => (codes::LINK_LEADS_NOWHERE, "is a link that leads nowhere"),
        Found::File(_) => (codes::WRONG_KIND, "is a file"),
        Found::Folder(_) => (codes::WRONG_KIND, "is a folder"),
        Found::Other => (codes::WRONG_KIND, "is a pipe, a device or a socket"),
    };
    if path.is_empty() {
        scope.error(code, at, format_args!("{what}: expected {expected}"));
    } else {
        scope.error(code, at, format_args!("{} {what}: expected {expected}", Quoted(path)));
    }
}

/// Reads a regular file whole.
pub(super) fn read_bytes<'a>(
    tree: &Tree<'_>,
    files: &mut Files<'a>,
    path: &str,
    scope: &mut Scope<'_>,
) -> Option<&'a [u8]> {
    let listed = tree.entry(path).map_or(0, |entry| entry.size);
    // One byte more than allowed shows a file that has grown since it was listed.
    let bytes = match listed > LARGEST_DOCUMENT {
        true => None,
        false => Some(readable(files.read(path, LARGEST_DOCUMENT + 1)?, scope)?),
    };
    let fitting = bytes.filter(|bytes| bytes.len() as u64 <= LARGEST_DOCUMENT);
    if fitting.is_none() {
        let what = format_args!("is too large: expected at most {LARGEST_DOCUMENT} bytes");
        scope.error(codes::FILE_TOO_LARGE, &At::Root, what);
    }
    fitting
}

/// The bytes of a file, or a finding that says why there are none.
pub(super) fn readable<'a>(answer: Result<&'a [u8], FaultCode>, scope: &mut Scope<'_>) -> Option<&'a [u8]> {
    match answer {
        Ok(bytes) => Some(bytes),
        Err(code) => {
            scope.error(
                codes::FILE_UNREADABLE,
                &At::Root,
                format_args!("could not be read: {}", code.name()),
            );
            None
        }
    }
}

/// The text of a file, or a finding at the line that is none.
pub(super) fn text<'a>(bytes: &'a [u8], scope: &mut Scope<'_>) -> Option<&'a str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            let column = 1 + good.iter().rev().take_while(|byte| **byte != b'\n').count();
            let what = format_args!("is no UTF-8 text: line {line}, column {column}");
            scope.report_line(codes::FILE_NOT_UTF8, None, (line, column), what, Help::None);
            None
        }
    }
}

/// Reads bytes as JSON.
pub(super) fn parse(bytes: &[u8], scope: &mut Scope<'_>) -> Option<Value> {
    let text = text(bytes, scope)?;
    match json::parse(text, LEVELS) {
        Ok(value) => return Some(value),
        Err(json::Fault::TooDeep) => {
            let what = format_args!("has more than {LEVELS} levels of objects and arrays");
            scope.error(codes::JSON_TOO_DEEP, &At::Root, what);
        }
        Err(json::Fault::Syntax { line, column }) => {
            let help = match text.starts_with('\u{feff}') {
                true => Help::Text("the file begins with a byte order mark: save it without one"),
                false => Help::None,
            };
            let what = format_args!("is no JSON: line {line}, column {column}");
            scope.report_line(codes::NOT_JSON, None, (line, column.max(1)), what, help);
        }
    }
    None
}

/// The members of an object, each name once: of one that stands twice the first counts.
pub(super) struct Members<'v> {
    pub(super) once: Vec<(&'v str, &'v Value)>,
    pub(super) twice: Vec<&'v str>,
}

impl<'v> Members<'v> {
    /// The members of what must be an object; a name that stands twice is a fault of the object.
    pub(super) fn read(value: &'v Value, at: &At<'_>, expected: &str, scope: &mut Scope<'_>) -> Option<Self> {
        let members = Self::split(value, at, expected, scope)?;
        for name in &members.twice {
            members.report_twice(&at.member(name), name, scope);
        }
        Some(members)
    }

    /// The same, where a name that stands twice is left to the caller.
    pub(super) fn split(
        value: &'v Value,
        at: &At<'_>,
        expected: &str,
        scope: &mut Scope<'_>,
    ) -> Option<Self> {
        let Value::Mapping(all) = value else {
            scope.wrong_type(at, value, expected);
            return None;
        };
        let mut seen = BTreeSet::new();
        let mut members = Self { once: Vec::new(), twice: Vec::new() };
        for (name, value) in all {
            if seen.insert(name.as_str()) {
                members.once.push((name, value));
            } else {
                members.twice.push(name);
            }
        }
        Some(members)
    }

    pub(super) fn report_twice(&self, at: &At<'_>, name: &str, scope: &mut Scope<'_>) {
        let what = format_args!("{} stands here a second time", Quoted(name));
        scope.report(codes::MEMBER_TWICE, at, what, Help::Text("keep one of them"));
    }

    pub(super) fn get(&self, name: &str) -> Option<&'v Value> {
        self.once.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// Reports every member but the known ones; those that belong to an object of another kind by a code of their own.
    pub(super) fn close(&self, at: &At<'_>, known: &[&str], of_others: &[&str], scope: &mut Scope<'_>) {
        for (name, _) in &self.once {
            let at = at.member(name);
            if of_others.contains(name) {
                let what = format_args!("{} belongs to another transport", Quoted(name));
                scope.error(codes::MEMBER_OF_OTHER_TRANSPORT, &at, what);
            } else if !known.contains(name) {
                scope.unknown(codes::MEMBER_UNKNOWN, &at, "member", name, known);
            }
        }
    }
}

/// The text of what must be a string.
pub(super) fn string<'v>(value: &'v Value, at: &At<'_>, scope: &mut Scope<'_>) -> Option<&'v str> {
    if value.as_text().is_none() {
        scope.wrong_type(at, value, "a string");
    }
    value.as_text()
}

/// The text of a member that must be a string with something in it.
pub(super) fn required<'v>(
    members: &Members<'v>,
    at: &At<'_>,
    name: &str,
    expected: &str,
    scope: &mut Scope<'_>,
) -> Option<&'v str> {
    let Some(value) = members.get(name) else {
        scope.missing(at, name, expected);
        return None;
    };
    filled(string(value, &at.member(name), scope)?, &at.member(name), expected, scope)
}

/// A text with something in it.
pub(super) fn filled<'v>(
    text: &'v str,
    at: &At<'_>,
    expected: &str,
    scope: &mut Scope<'_>,
) -> Option<&'v str> {
    if text.is_empty() {
        scope.error(codes::MEMBER_EMPTY, at, format_args!("is empty: expected {expected}"));
        return None;
    }
    Some(text)
}

/// The texts of a member that must be a list of strings, where it is there.
pub(super) fn strings<'v>(
    members: &Members<'v>,
    at: &At<'_>,
    name: &str,
    scope: &mut Scope<'_>,
) -> Option<Vec<&'v str>> {
    let at = at.member(name);
    let Value::List(items) = members.get(name)? else {
        scope.wrong_type(&at, members.get(name)?, "a list of strings");
        return None;
    };
    let mut texts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        texts.extend(string(item, &at.item(index), scope));
    }
    (texts.len() == items.len()).then_some(texts)
}

/// The members of a member that must be an object of strings, where it is there.
pub(super) fn string_map<'v>(
    members: &Members<'v>,
    at: &At<'_>,
    name: &str,
    scope: &mut Scope<'_>,
) -> Vec<(&'v str, &'v str)> {
    let at = at.member(name);
    let mut texts = Vec::new();
    let map = members.get(name).and_then(|value| Members::read(value, &at, "an object of strings", scope));
    for (name, value) in map.iter().flat_map(|map| &map.once) {
        texts.extend(string(value, &at.member(name), scope).map(|text| (*name, text)));
    }
    texts
}
