//! What is wrong in a package, as data: where, by which rule, and what it takes down.

use std::collections::BTreeSet;

use super::codes;
use crate::json::Value;
use crate::text::{alternatives, nearest, quoted, shown};

/// The most findings that a report lists. The others are counted.
pub const MOST_FINDINGS: usize = 1000;

/// The longest JSON pointer of a finding, in bytes. A longer one ends at the last whole name before that.
const LONGEST_POINTER: usize = 2048;

/// The most known words that a misspelt one is compared with.
const MOST_COMPARED: usize = 64;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something does not work, or may not be used.
    Error,
    /// Reported and ignored.
    Warning,
}

/// What a finding takes down (SPEC §9).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Boundary {
    /// The whole package.
    Package,
    /// All servers of the package; the skills remain.
    Servers,
    /// All skills of the package; the servers remain.
    Skills,
    /// One server, by its name.
    Server(String),
    /// One skill, by the name of its folder.
    Skill(String),
    /// Nothing.
    Nothing,
}

/// Where in a file something is wrong. At least one of the three is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// A JSON pointer (RFC 6901) into the file, or into its front matter; empty for the whole file. It may name a member
    /// that is missing.
    pub pointer: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in bytes, from 1.
    pub column: Option<u32>,
}

/// One thing that is wrong in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// One of [`super::CODES`], or of [`crate::declaration::CODES`] for a fault of a declaration.
    pub code: &'static str,
    /// The section of SPEC that has the rule.
    pub section: &'static str,
    /// The file, by its path in the package; empty where it is none in particular.
    pub file: String,
    /// Where in the file.
    pub position: Position,
    /// What it takes down.
    pub boundary: Boundary,
    /// One line: the file, the dotted member, what is wrong, what was found, what is accepted.
    pub message: String,
    /// What to do, where that is not plain.
    pub help: Option<String>,
}

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    errors: usize,
    warnings: usize,
    takes_package: bool,
}

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        self.takes_package |= finding.severity == Severity::Error && finding.boundary == Boundary::Package;
        if !self.is_full() {
            self.list.push(finding);
        }
    }

    /// How many errors there are so far: whether a step found one is seen by comparing.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// Whether what is still found is only counted.
    fn is_full(&self) -> bool {
        self.list.len() >= MOST_FINDINGS
    }

    pub(super) fn take_package(&self) -> bool {
        self.takes_package
    }

    /// The files whose findings say that nothing could be reached there.
    pub(super) fn files_without_content(&self) -> BTreeSet<String> {
        const CODES: [&str; 3] = [codes::LINK_LEADS_OUTSIDE, codes::LINK_LEADS_NOWHERE, codes::WRONG_KIND];
        let unreachable = self.list.iter().filter(|finding| CODES.contains(&finding.code));
        unreachable.map(|finding| finding.file.clone()).collect()
    }

    /// The findings, the errors among all of them, and the warnings.
    pub(super) fn finish(self) -> (Vec<Finding>, usize, usize) {
        (self.list, self.errors, self.warnings)
    }
}

/// Where findings are reported to: one file, under one rule's section, with what a fault there takes down.
pub(super) struct Scope<'f> {
    pub(super) findings: &'f mut Findings,
    pub(super) file: &'f str,
    pub(super) section: &'static str,
    pub(super) boundary: Boundary,
}

impl Scope<'_> {
    /// The same file and section with another boundary.
    pub(super) fn within(&mut self, boundary: Boundary) -> Scope<'_> {
        Scope { findings: self.findings, file: self.file, section: self.section, boundary }
    }

    pub(super) fn error(&mut self, code: &'static str, pointer: &str, what: &str) {
        self.report(Severity::Error, code, at(pointer), what, None);
    }

    pub(super) fn error_with_help(&mut self, code: &'static str, pointer: &str, what: &str, help: &str) {
        self.report(Severity::Error, code, at(pointer), what, Some(help.to_owned()));
    }

    /// Something that is reported and ignored: it takes nothing down.
    pub(super) fn warning(&mut self, code: &'static str, pointer: &str, what: &str, help: Option<String>) {
        self.within(Boundary::Nothing).report(Severity::Warning, code, at(pointer), what, help);
    }

    pub(super) fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        position: Position,
        what: &str,
        help: Option<String>,
    ) {
        let dotted = position.pointer.as_deref().map(dotted).unwrap_or_default();
        let mut message = shown(self.file);
        for part in [dotted.as_str(), what] {
            if !part.is_empty() {
                if !message.is_empty() {
                    message.push_str(": ");
                }
                message.push_str(part);
            }
        }
        self.findings.push(Finding {
            severity,
            code,
            section: self.section,
            file: self.file.to_owned(),
            position,
            boundary: self.boundary.clone(),
            message,
            help,
        });
    }

    pub(super) fn missing(&mut self, pointer: &str, expected: &str) {
        self.error(codes::MEMBER_MISSING, pointer, &format!("is missing: expected {expected}"));
    }

    pub(super) fn empty(&mut self, pointer: &str, expected: &str) {
        self.error(codes::MEMBER_EMPTY, pointer, &format!("is empty: expected {expected}"));
    }

    pub(super) fn wrong_type(&mut self, pointer: &str, found: &Value, expected: &str) {
        self.error(codes::MEMBER_WRONG_TYPE, pointer, &expected_and_found(found, expected));
    }

    /// A member that a closed object does not have.
    pub(super) fn unknown(&mut self, pointer: &str, name: &str, known: &[&str]) {
        let what = format!("unknown member {}: known are {}", quoted(name), alternatives(known));
        let help = self.hint(name, known);
        self.report(Severity::Error, codes::MEMBER_UNKNOWN, at(pointer), &what, help);
    }

    /// Asks whether the nearest known word was meant. Words are compared only as long as somebody reads the answer.
    pub(super) fn hint(&self, word: &str, known: &[&str]) -> Option<String> {
        if self.findings.is_full() || known.len() > MOST_COMPARED {
            return None;
        }
        nearest(word, known).map(|meant| format!("did you mean {}?", quoted(meant)))
    }
}

/// A place in a JSON document.
pub(super) fn at(pointer: &str) -> Position {
    Position { pointer: Some(shortened(pointer)), line: None, column: None }
}

/// The pointer to a member.
pub(super) fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// "expected …, found …"
pub(super) fn expected_and_found(found: &Value, expected: &str) -> String {
    match found {
        Value::Text(text) => format!("expected {expected}, found the string {}", quoted(text)),
        other => format!("expected {expected}, found {}", other.type_name()),
    }
}

fn shortened(pointer: &str) -> String {
    if pointer.len() <= LONGEST_POINTER {
        return pointer.to_owned();
    }
    let mut end = 0;
    for (slash, _) in pointer.match_indices('/') {
        if slash > LONGEST_POINTER {
            break;
        }
        end = slash;
    }
    pointer.get(..end).unwrap_or_default().to_owned()
}

/// A pointer as messages show it: the names with dots between them.
pub(super) fn dotted(pointer: &str) -> String {
    let names: Vec<String> =
        pointer.split('/').skip(1).map(|name| shown(&name.replace("~1", "/").replace("~0", "~"))).collect();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_shown_dotted_and_kept_short() {
        assert_eq!(member("/a", "b/c~d"), "/a/b~1c~0d");
        assert_eq!(dotted("/a/b~1c~0d"), "a.b/c~d");
        let long = format!("/short/{}", "x".repeat(5000));
        assert_eq!(shortened(&long), "/short");
    }

    #[test]
    fn more_findings_than_are_listed_are_counted() {
        let mut findings = Findings::default();
        for _ in 0..MOST_FINDINGS + 5 {
            let mut scope = Scope {
                findings: &mut findings,
                file: "mcp.json",
                section: "9.1",
                boundary: Boundary::Servers,
            };
            scope.error("not-json", "", "is no JSON");
        }
        let mut scope = Scope {
            findings: &mut findings,
            file: "plugin.json",
            section: "9.1",
            boundary: Boundary::Package,
        };
        scope.error("not-json", "", "is no JSON");
        assert!(findings.take_package());
        let (list, errors, warnings) = findings.finish();
        assert_eq!((list.len(), errors, warnings), (MOST_FINDINGS, MOST_FINDINGS + 6, 0));
    }
}
