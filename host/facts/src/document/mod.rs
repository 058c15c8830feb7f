//! Documents written by strangers: YAML and JSON, read into one tree that knows where everything stands.
//!
//! The reader decides what is well-formed and nothing else: which keys are known and whether a key may stand twice is
//! the business of those who read the tree. Mappings keep the order of their members and keep repeated ones.
//!
//! It is made for hostile input. Size is bounded by the caller, nesting costs heap and never stack, an alias is the node
//! it names and not a copy of it, and what merge keys may bring in is bounded by the size of the text.
//!
//! What a plain YAML scalar means is the core schema of [YAML 1.2.2, §10.3](https://yaml.org/spec/1.2.2/#103-core-schema),
//! with one exception: `.inf` and `.nan` are text, since JSON has no such numbers. So `2.3` is a number, and `2.3.0` and
//! `2026-01-01T10:00:00Z` are text. Merge keys follow [the YAML 1.1 type](https://yaml.org/type/merge.html).

mod json;
mod locate;
mod node;
mod scalar;
mod tree;
mod write;
mod yaml;

use std::ops::Range;

pub use locate::Place;
pub use node::{List, Mapping, Member, Node, Value};

/// The two ways to write a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// JSON as RFC 8259 has it; a byte-order mark at the beginning is allowed.
    Json,
    /// One document of YAML 1.2, with merge keys.
    Yaml,
}

impl Syntax {
    /// The syntax that a file's name speaks of: JSON for the ending `.json` in any case, else YAML.
    ///
    /// ```
    /// use appdecl_facts::document::Syntax;
    /// assert_eq!(Syntax::of_name("facts.JSON"), Syntax::Json);
    /// assert_eq!(Syntax::of_name("facts.yaml"), Syntax::Yaml);
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, ending)) if ending.eq_ignore_ascii_case("json") => Self::Json,
            _ => Self::Yaml,
        }
    }
}

/// A stretch of the text, in bytes, always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A place in the text as people count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Why a text is no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where it is wrong; may be empty.
    pub span: Span,
}

/// What is wrong and where, before lines are counted.
#[derive(Debug)]
struct Flaw {
    message: String,
    span: Span,
}

impl Flaw {
    fn new(message: impl Into<String>, span: Span) -> Self {
        Self { message: message.into(), span }
    }
}

/// A document and the text it was read from.
#[derive(Debug)]
pub struct Document {
    text: Box<str>,
    tree: tree::Tree,
}

impl Document {
    /// Reads `text`, which may have at most `max_bytes` bytes.
    ///
    /// An empty text is null in YAML and an error in JSON.
    ///
    /// ```
    /// use appdecl_facts::document::{Document, Syntax};
    ///
    /// let document = Document::parse("os: linux\nfiles: { /usr/bin/acme: file }\n", Syntax::Yaml, 1 << 20)?;
    /// let files = document.root().get("files").unwrap();
    /// assert_eq!(document.position(files.key_span.start).line, 2);
    /// assert_eq!(files.value.get("/usr/bin/acme").unwrap().value.as_text(), Some("file"));
    /// # Ok::<(), appdecl_facts::document::SyntaxError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SyntaxError`] where the text is longer than that or is not well-formed; and in YAML, where it holds a second
    /// document, a key that is a list or a mapping, a tag other than those of the core schema, an alias within the node
    /// it names, or merge keys that take something else than mappings or bring in more members than the text has bytes.
    pub fn parse(text: &str, syntax: Syntax, max_bytes: usize) -> Result<Self, SyntaxError> {
        let read = if text.len() > max_bytes {
            let message = format!("the document has {} bytes, and at most {max_bytes} are read", text.len());
            Err(Flaw::new(message, Span::default()))
        } else {
            match syntax {
                Syntax::Json => json::read(text),
                Syntax::Yaml => yaml::read(text),
            }
        };
        match read {
            Ok(tree) => Ok(Self { text: text.into(), tree }),
            Err(Flaw { message, span }) => {
                let Position { line, column } = position(text, span.start);
                Err(SyntaxError { message, line, column, span })
            }
        }
    }

    /// The outermost node.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::root(&self.tree)
    }

    /// The text the document was read from, whole.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte of the text; those of its end for anything behind it.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        position(&self.text, offset)
    }
}

fn position(text: &str, offset: usize) -> Position {
    let offset = text.floor_char_boundary(offset);
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().trim_start_matches('\u{feff}').chars().count()
            + 1,
    }
}

/// Whether a plain YAML scalar of these characters is text, and no number, boolean or null.
pub(crate) fn is_plain_text(text: &str) -> bool {
    matches!(scalar::plain(text), tree::Content::Text(_))
}

/// The one of `known` that was most likely meant by `found`, if any comes near.
///
/// ```
/// use appdecl_facts::document::nearest;
/// assert_eq!(nearest("proceses", ["files", "processes"]), Some("processes"));
/// assert_eq!(nearest("colour", ["files", "processes"]), None);
/// ```
pub fn nearest<'k>(found: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const LONGEST: usize = 64;
    if found.len() > LONGEST {
        return None;
    }
    let folded = found.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&folded, &name.to_lowercase().replace('-', "_")), name))
        .filter(|(distance, name)| *distance <= name.chars().count().max(folded.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
