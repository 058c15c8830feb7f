//! The front matter of a `SKILL.md`: YAML between two lines `---`.
//!
//! Read here is the part of YAML 1.2 that describes a skill: block mappings and sequences, flow ones, plain and quoted
//! scalars on one or several lines, block scalars, comments. Refused, with the place and the reason, is everything else:
//! anchors and aliases (a few bytes of them make millions of nodes), tags, directives, several documents, keys that are
//! no text, tabs as indentation. A complete YAML parser would be a third of the whole component, and would still need a
//! consumer that refuses all of this.
//!
//! What is accepted means the same to a complete parser; the tests compare the two.

mod block;
mod flow;
mod scalar;
#[cfg(test)]
mod tests;

/// The most bytes of a `SKILL.md` that are read: its front matter ends before that.
pub(super) const LONGEST: usize = 8 * 1024;

/// The most levels of mappings and sequences, the root being 1.
const LEVELS: usize = 16;

/// A node, and where it begins: its line in the file and its column in bytes, both from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) yaml: Yaml,
}

/// What a node is. Plain scalars are told apart by the core schema of YAML 1.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    Null,
    Bool,
    Number,
    Text(String),
    List(Vec<Node>),
    Mapping(Vec<(Key, Node)>),
}

/// A key of a mapping, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) name: String,
    /// Whether it is a string; a plain `1` or `true` is none.
    pub(super) is_text: bool,
}

impl Yaml {
    /// The type, in the words that messages use.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// Why there is no front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) line: usize,
    pub(super) column: usize,
    /// What is wrong and what is expected, without any of the text.
    pub(super) what: &'static str,
}

/// The kinds of faults, which have a code each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// The text does not begin with `---`.
    Missing,
    /// There is no second `---`.
    Unclosed,
    /// Not YAML.
    Syntax,
    /// YAML that is not read here.
    Unsupported,
}

type Parsed<T> = Result<T, Fault>;

/// Reads the front matter of a text.
pub(super) fn parse(text: &str) -> Parsed<Node> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut all = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if all.next().is_none_or(|first| !is_marker(first)) {
        let what = "expected a first line `---`, then the fields of the skill, then a line `---`";
        return Err(Fault { kind: FaultKind::Missing, line: 1, column: 1, what });
    }
    let mut lines = Vec::new();
    for line in all {
        if is_marker(line) {
            return read(&lines);
        }
        lines.push(line);
    }
    let what = "expected a line `---` that ends the front matter within the first 8 KiB";
    Err(Fault { kind: FaultKind::Unclosed, line: 1, column: 1, what })
}

fn is_marker(line: &str) -> bool {
    line.trim_end_matches([' ', '\t']) == "---"
}

fn read(lines: &[&str]) -> Parsed<Node> {
    let mut reader = Reader { lines, line: 0, column: 0 };
    reader.judge_characters()?;
    let root = reader.block(-1, 1)?;
    if reader.peek()?.is_some() {
        return Err(reader.syntax("expected the next field at the indentation of the first one"));
    }
    root.ok_or(Fault {
        kind: FaultKind::Syntax,
        line: 1,
        column: 1,
        what: "expected fields such as `name: …`",
    })
}

/// The lines between the markers, and how far they are read.
struct Reader<'t> {
    lines: &'t [&'t str],
    line: usize,
    column: usize,
}

impl<'t> Reader<'t> {
    /// What is left of the current line; nothing after the last one.
    fn rest(&self) -> Option<&'t str> {
        self.lines.get(self.line)?.get(self.column..)
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.column = 0;
    }

    /// The indentation of what comes next and its text to the end of the line; comments and empty lines are passed.
    fn peek(&mut self) -> Parsed<Option<(usize, &'t str)>> {
        while let Some(rest) = self.rest() {
            let content = rest.trim_start_matches(' ');
            let stands_free = self.column == 0 || content.len() < rest.len();
            if content.trim_start_matches('\t').is_empty() || (content.starts_with('#') && stands_free) {
                self.next_line();
                continue;
            }
            self.column += rest.len() - content.len();
            if content.starts_with('\t') {
                return Err(self.unsupported("a tab indents here: indent with blanks"));
            }
            return Ok(Some((self.column, content)));
        }
        Ok(None)
    }

    /// Passes what may stand after a value on its line: blanks and a comment.
    fn end_of_line(&mut self) -> Parsed<()> {
        let rest = self.rest().unwrap_or_default();
        let content = rest.trim_start_matches([' ', '\t']);
        if content.is_empty() || (content.starts_with('#') && content.len() < rest.len()) {
            self.next_line();
            return Ok(());
        }
        Err(self.syntax("expected the end of the line after this value"))
    }

    fn judge_characters(&self) -> Parsed<()> {
        for (index, line) in self.lines.iter().enumerate() {
            let fault = |column, kind, what| Fault { kind, line: index + 2, column, what };
            let control =
                |character: char| character.is_control() && character != '\t' && character != '\u{85}';
            if let Some((at, _)) = line.char_indices().find(|(_, character)| control(*character)) {
                return Err(fault(at + 1, FaultKind::Syntax, "a control character stands here"));
            }
            let begins_document = ["---", "..."].iter().any(|marker| {
                line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
            });
            if begins_document {
                return Err(fault(1, FaultKind::Unsupported, "a second document begins here: one is read"));
            }
            if line.starts_with('%') {
                return Err(fault(1, FaultKind::Unsupported, "a directive stands here: none is read"));
            }
        }
        Ok(())
    }

    fn syntax(&self, what: &'static str) -> Fault {
        self.fault(FaultKind::Syntax, what)
    }

    fn unsupported(&self, what: &'static str) -> Fault {
        self.fault(FaultKind::Unsupported, what)
    }

    /// A fault where the reader stands. The first line of the file is the marker.
    fn fault(&self, kind: FaultKind, what: &'static str) -> Fault {
        Fault { kind, line: self.line + 2, column: self.column + 1, what }
    }

    fn node(&self, yaml: Yaml) -> Node {
        Node { line: self.line + 2, column: self.column + 1, yaml }
    }
}
