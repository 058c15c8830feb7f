//! A JSON file of a package, and the members of its objects.

use std::collections::BTreeSet;

use super::finding::{Scope, Severity, member};
use super::listing::{Files, Found, Tree};
use super::{Position, codes};
use crate::facts::FaultCode;
use crate::json::{self, Value};
use crate::text::quoted;

/// The most bytes of a JSON file of a package.
pub const LARGEST_DOCUMENT: u64 = 1024 * 1024;

/// The most levels of objects and arrays of a JSON file of a package, the root being 1.
pub(super) const LEVELS: usize = 64;

/// Finds a regular file and says what is wrong where there is none. `path` is shown as the scope's file.
pub(super) fn find_file(tree: &Tree<'_>, path: &str, scope: &mut Scope<'_>) -> Option<String> {
    match tree.resolve(path) {
        Found::File(entry) => Some(entry.path.clone()),
        found => {
            not_found(&found, "a regular file", "", scope);
            None
        }
    }
}

/// Says what a path leads to instead of what it should.
pub(super) fn not_found(found: &Found<'_>, expected: &str, pointer: &str, scope: &mut Scope<'_>) {
    let (code, what) = match found {
        Found::Missing => (codes::FILE_MISSING, "is not there"),
        Found::Outside => (codes::LINK_LEADS_OUTSIDE, "leads out of the package"),
        Found::Broken => (codes::LINK_LEADS_NOWHERE, "is a link that leads nowhere"),
        Found::File(_) => (codes::WRONG_KIND, "is a file"),
        Found::Folder(_) => (codes::WRONG_KIND, "is a folder"),
        Found::Other => (codes::WRONG_KIND, "is a pipe, a device or a socket"),
    };
    scope.error(code, pointer, &format!("{what}: expected {expected}"));
}

/// Reads a regular file as JSON; nothing where it is faulty, or where its content has to be asked for first.
pub(super) fn read(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    path: &str,
    scope: &mut Scope<'_>,
) -> Option<Value> {
    let bytes = read_bytes(tree, files, path, scope)?;
    parse(bytes, scope)
}

/// Reads a regular file whole.
pub(super) fn read_bytes<'a>(
    tree: &Tree<'_>,
    files: &mut Files<'a>,
    path: &str,
    scope: &mut Scope<'_>,
) -> Option<&'a [u8]> {
    let size = tree.entry(path).map_or(0, |entry| entry.size);
    if size > LARGEST_DOCUMENT {
        too_large(scope);
        return None;
    }
    // One byte more than allowed shows a file that has grown since it was listed.
    let bytes = readable(files.read(path, LARGEST_DOCUMENT + 1)?, scope)?;
    if bytes.len() as u64 > LARGEST_DOCUMENT {
        too_large(scope);
        return None;
    }
    Some(bytes)
}

/// The bytes of a file, or a finding that says why there are none.
pub(super) fn readable<'a>(answer: Result<&'a [u8], FaultCode>, scope: &mut Scope<'_>) -> Option<&'a [u8]> {
    answer
        .map_err(|code| {
            let what = format!("could not be read: {}", code.name());
            scope.error(codes::FILE_UNREADABLE, "", &what);
        })
        .ok()
}

fn too_large(scope: &mut Scope<'_>) {
    let what = format!("is too large: expected at most {LARGEST_DOCUMENT} bytes");
    scope.error(codes::FILE_TOO_LARGE, "", &what);
}

/// The text of a file, or a finding at the line that is none.
pub(super) fn text<'a>(bytes: &'a [u8], scope: &mut Scope<'_>) -> Option<&'a str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            let column = 1 + good.iter().rev().take_while(|byte| **byte != b'\n').count();
            let what = format!("is no UTF-8 text: line {line}, column {column}");
            scope.report(Severity::Error, codes::FILE_NOT_UTF8, position(line, column), &what, None);
            None
        }
    }
}

/// A line and a column, both from 1.
pub(super) fn position(line: usize, column: usize) -> Position {
    let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
    Position { pointer: None, line: Some(number(line)), column: Some(number(column.max(1))) }
}

pub(super) fn parse(bytes: &[u8], scope: &mut Scope<'_>) -> Option<Value> {
    let text = text(bytes, scope)?;
    match json::parse(text, LEVELS) {
        Ok(value) => Some(value),
        Err(json::Fault::TooDeep) => {
            let what = format!("has more than {LEVELS} levels of objects and arrays");
            scope.error(codes::JSON_TOO_DEEP, "", &what);
            None
        }
        Err(json::Fault::Syntax { line, column }) => {
            let help = text
                .starts_with('\u{feff}')
                .then(|| "the file begins with a byte order mark: save it without one".to_owned());
            let what = format!("is no JSON: line {line}, column {column}");
            scope.report(Severity::Error, codes::NOT_JSON, position(line, column), &what, help);
            None
        }
    }
}

/// The members of an object, each name once: where one stands twice the first counts and the fault is reported.
pub(super) struct Members<'v> {
    members: Vec<(&'v str, &'v Value)>,
}

impl<'v> Members<'v> {
    pub(super) fn read(
        value: &'v Value,
        pointer: &str,
        expected: &str,
        scope: &mut Scope<'_>,
    ) -> Option<Self> {
        Self::read_with(value, pointer, expected, scope, |scope, name| {
            let what = format!("the member {} stands here a second time", quoted(name));
            scope.error_with_help(codes::MEMBER_TWICE, &member(pointer, name), &what, "keep one of them");
        })
    }

    /// The same, where a name that stands twice is reported by the caller.
    pub(super) fn read_with(
        value: &'v Value,
        pointer: &str,
        expected: &str,
        scope: &mut Scope<'_>,
        mut twice: impl FnMut(&mut Scope<'_>, &'v str),
    ) -> Option<Self> {
        let Value::Mapping(members) = value else {
            scope.wrong_type(pointer, value, expected);
            return None;
        };
        let mut seen = BTreeSet::new();
        let mut once = Vec::new();
        for (name, value) in members {
            if seen.insert(name.as_str()) {
                once.push((name.as_str(), value));
            } else {
                twice(scope, name);
            }
        }
        Some(Self { members: once })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'v str, &'v Value)> + '_ {
        self.members.iter().copied()
    }

    pub(super) fn get(&self, name: &str) -> Option<&'v Value> {
        self.members.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

/// The text of what must be a string.
pub(super) fn string<'v>(value: &'v Value, pointer: &str, scope: &mut Scope<'_>) -> Option<&'v str> {
    if value.as_text().is_none() {
        scope.wrong_type(pointer, value, "a string");
    }
    value.as_text()
}

/// The text of what must be a string with something in it.
pub(super) fn filled_string<'v>(
    value: &'v Value,
    pointer: &str,
    expected: &str,
    scope: &mut Scope<'_>,
) -> Option<&'v str> {
    let text = string(value, pointer, scope)?;
    if text.is_empty() {
        scope.empty(pointer, expected);
        return None;
    }
    Some(text)
}

/// The texts of what must be a list of strings.
pub(super) fn strings<'v>(value: &'v Value, pointer: &str, scope: &mut Scope<'_>) -> Option<Vec<&'v str>> {
    let Value::List(items) = value else {
        scope.wrong_type(pointer, value, "a list of strings");
        return None;
    };
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item.as_text() {
            Some(text) => texts.push(text),
            None => scope.wrong_type(&format!("{pointer}/{index}"), item, "a string"),
        }
    }
    (texts.len() == items.len()).then_some(texts)
}

/// The members of what must be an object whose members are strings.
pub(super) fn string_map<'v>(
    value: &'v Value,
    pointer: &str,
    scope: &mut Scope<'_>,
) -> Option<Vec<(&'v str, &'v str)>> {
    let members = Members::read(value, pointer, "an object of strings", scope)?;
    let mut texts = Vec::new();
    for (name, value) in members.iter() {
        if let Some(text) = string(value, &member(pointer, name), scope) {
            texts.push((name, text));
        }
    }
    Some(texts)
}
