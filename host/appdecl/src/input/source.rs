//! Files: opened with care, read within bounds, and looked at by place.

use std::path::{Path, PathBuf};

use appdecl_facts::document::{Document, Place, Position, Span, Syntax};
use appdecl_facts::{Fault, read_file};

use super::InputError;

/// The codes of faults that speak of a key and not of what it stands for.
const ABOUT_KEYS: [&str; 6] =
    ["unknown-key", "unknown-os", "duplicate-key", "liveness-twice", "member-twice", "orphan-declaration"];

/// The codes of faults that speak of a key's second appearance.
const ABOUT_REPEATED_KEYS: [&str; 2] = ["duplicate-key", "member-twice"];

/// A file that holds declarations.
#[derive(Debug)]
pub struct Source {
    /// The file as the user would name it.
    pub name: String,
    /// What it holds.
    pub document: Document,
}

impl Source {
    /// Reads the file at `path`, of at most `limit` bytes, as text of the syntax that the shown name speaks of.
    pub(crate) fn open(path: &Path, shown: &Path, limit: u64) -> Result<Self, InputError> {
        let bytes = read_file(path, limit).map_err(|fault| unreadable(shown, fault))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            InputError::NotText { path: shown.to_owned(), line }
        })?;
        let syntax = Syntax::of_name(&shown.to_string_lossy());
        match Document::parse(&text, syntax, text.len()) {
            Ok(document) => Ok(Self { name: shown.display().to_string(), document }),
            Err(error) => Err(InputError::Syntax { path: shown.to_owned(), text, error }),
        }
    }

    /// Where a caret should stand for a fault at `pointer`: at the value, at the key where the fault speaks of that or the
    /// value takes several lines, and at what is nearest where the pointer names something that is missing.
    pub(super) fn caret(&self, pointer: &str, code: &str) -> Span {
        caret(&self.document, pointer, code)
    }

    /// The syntax that its name speaks of.
    pub(crate) fn syntax(&self) -> Syntax {
        Syntax::of_name(&self.name)
    }

    /// The line and column where a span begins.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.document.position(span.start)
    }
}

/// Where a caret should stand in a document; see [`Source::caret`].
pub(crate) fn caret(document: &Document, pointer: &str, code: &str) -> Span {
    let root = document.root();
    let Place { node, key, exact } = if ABOUT_REPEATED_KEYS.contains(&code) {
        root.locate_repeated(pointer)
    } else {
        root.locate(pointer)
    };
    let line = first_line(document, node);
    match key {
        Some(key) if !exact || line.end < node.end || ABOUT_KEYS.contains(&code) => key,
        _ => line,
    }
}

/// The part of a span that lies in the line where it begins.
fn first_line(document: &Document, span: Span) -> Span {
    let text = document.text().get(span.start..span.end).unwrap_or_default();
    let length = text.find('\n').unwrap_or(text.len());
    Span { start: span.start, end: span.start + text.get(..length).unwrap_or_default().trim_end().len() }
}

/// The folder that a file stands in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

pub(super) fn unreadable(path: &Path, fault: Fault) -> InputError {
    InputError::Unreadable { path: path.to_owned(), fault }
}
