//! Where in a package's files the findings stand.

use std::collections::BTreeMap;
use std::str;

use appdecl_facts::document::{Document, Span, Syntax};

use super::Package;
use crate::input::caret;

/// What encloses the front matter of a skill.
const FENCE: &str = "---";

/// Where a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingPlace<'p> {
    /// The text of the whole file, as far as it was read.
    pub text: &'p str,
    /// Where in it a caret should stand.
    pub span: Span,
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

impl Package {
    /// Where each finding of the report stands, in their order; none for one about a file that is missing, was not read,
    /// or is no text.
    #[must_use]
    pub fn places(&self) -> Vec<Option<FindingPlace<'_>>> {
        let mut files: BTreeMap<&str, Option<File<'_>>> = BTreeMap::new();
        let findings = self.report.findings.iter();
        findings
            .map(|finding| {
                let file = files
                    .entry(&finding.file)
                    .or_insert_with(|| File::parse(&finding.file, self.content(&finding.file)?))
                    .as_ref()?;
                match (finding.line, &finding.pointer) {
                    (Some(line), _) => {
                        Some(file.at(line as usize, finding.column.map_or(1, |at| at as usize)))
                    }
                    (None, Some(pointer)) => Some(file.pointed(pointer, &finding.code)),
                    (None, None) => None,
                }
            })
            .collect()
    }
}

/// A file, and the document in it.
struct File<'p> {
    text: &'p str,
    document: Option<Document>,
    /// Where in the text the document begins, and how many lines stand before it.
    offset: usize,
    lines_before: usize,
}

impl<'p> File<'p> {
    fn parse(name: &str, bytes: &'p [u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (offset, part, syntax) = match front_matter(name, text) {
            Some((offset, part)) => (offset, part, Syntax::Yaml),
            None => (0, text, Syntax::Json),
        };
        let lines_before = text.get(..offset).unwrap_or_default().matches('\n').count();
        let document = Document::parse(part, syntax, part.len()).ok();
        Some(Self { text, document, offset, lines_before })
    }

    /// The rest of a line from a column on.
    fn at(&self, line: usize, column: usize) -> FindingPlace<'p> {
        let mut start = 0;
        for text in self.text.split_inclusive('\n').take(line.saturating_sub(1)) {
            start += text.len();
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let end = start + rest.lines().next().unwrap_or_default().len();
        let start = self.text.floor_char_boundary((start + column.saturating_sub(1)).min(end));
        FindingPlace { text: self.text, span: Span { start, end }, line, column }
    }

    fn pointed(&self, pointer: &str, code: &str) -> FindingPlace<'p> {
        let Some(document) = &self.document else { return self.at(self.lines_before + 1, 1) };
        let span = caret(document, pointer, code);
        let position = document.position(span.start);
        FindingPlace {
            text: self.text,
            span: Span { start: span.start + self.offset, end: span.end + self.offset },
            line: position.line + self.lines_before,
            column: position.column,
        }
    }
}

/// The front matter of a skill, and where it begins.
fn front_matter<'t>(name: &str, text: &'t str) -> Option<(usize, &'t str)> {
    if !name.ends_with(".md") {
        return None;
    }
    let first = text.split_inclusive('\n').next()?;
    let start = (first.trim_start_matches('\u{feff}').trim_end() == FENCE).then_some(first.len())?;
    let mut end = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            break;
        }
        end += line.len();
    }
    Some((start, text.get(start..end)?))
}
