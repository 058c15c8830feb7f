//! What is wrong in a package, as data: where, by which rule, and what it takes down.

use std::fmt::{Arguments, Write};

use super::codes;
use super::place::{At, Known, Quoted};
use crate::json::Value;
use crate::text::{nearest, quoted, shown};

/// The most findings that a report lists. The others are counted.
pub const MOST_FINDINGS: usize = 1000;

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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Where in a file something is wrong. The pointer or the line is there, or both.
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
    pub(super) list: Vec<Finding>,
    /// How many errors there are so far: whether a step found one is seen by comparing.
    pub(super) errors: usize,
    pub(super) warnings: usize,
    /// Whether one of the errors takes the package down.
    pub(super) reject: bool,
}

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        if self.count(finding.severity, finding.boundary == Boundary::Package) {
            self.list.push(finding);
        }
    }

    /// Counts a finding; true where it is still listed.
    fn count(&mut self, severity: Severity, takes_package: bool) -> bool {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        self.reject |= severity == Severity::Error && takes_package;
        !self.is_full()
    }

    /// Whether what is still found is only counted.
    fn is_full(&self) -> bool {
        self.list.len() >= MOST_FINDINGS
    }
}

/// What a fault takes down, as rules say it.
#[derive(Clone, Copy)]
pub(super) enum Takes<'a> {
    Package,
    Servers,
    Skills,
    Server(&'a str),
    Skill(&'a str),
    Nothing,
}

impl Takes<'_> {
    fn boundary(self) -> Boundary {
        match self {
            Self::Package => Boundary::Package,
            Self::Servers => Boundary::Servers,
            Self::Skills => Boundary::Skills,
            Self::Server(name) => Boundary::Server(name.to_owned()),
            Self::Skill(name) => Boundary::Skill(name.to_owned()),
            Self::Nothing => Boundary::Nothing,
        }
    }
}

/// What to do about a finding.
#[derive(Clone, Copy)]
pub(super) enum Help<'a> {
    /// Plain from the message.
    None,
    Text(&'a str),
    /// Asks whether the nearest of the known words was meant.
    Nearest(&'a str, &'a [&'a str]),
}

/// Where findings are reported to: one file, under one rule's section, with what a fault there takes down.
pub(super) struct Scope<'f> {
    pub(super) findings: &'f mut Findings,
    pub(super) file: &'f str,
    pub(super) section: &'static str,
    pub(super) takes: Takes<'f>,
}

impl<'f> Scope<'f> {
    pub(super) fn new(
        findings: &'f mut Findings,
        file: &'f str,
        section: &'static str,
        takes: Takes<'f>,
    ) -> Self {
        Self { findings, file, section, takes }
    }

    /// The same section, for another file or with another boundary.
    pub(super) fn within<'g>(&'g mut self, file: &'g str, takes: Takes<'g>) -> Scope<'g> {
        Scope { findings: self.findings, file, section: self.section, takes }
    }

    pub(super) fn error(&mut self, code: &'static str, at: &At<'_>, what: Arguments<'_>) {
        self.report(code, at, what, Help::None);
    }

    /// An error, with what to do.
    pub(super) fn report(&mut self, code: &'static str, at: &At<'_>, what: Arguments<'_>, help: Help<'_>) {
        self.add(Severity::Error, code, Some(at), (0, 0), what, help);
    }

    /// An error at a line and a column, both from 1, and at a member where that can be told.
    pub(super) fn report_line(
        &mut self,
        code: &'static str,
        at: Option<&At<'_>>,
        line: (usize, usize),
        what: Arguments<'_>,
        help: Help<'_>,
    ) {
        self.add(Severity::Error, code, at, line, what, help);
    }

    /// Something that is reported and ignored: it takes nothing down. `line` is (0, 0) where it is not known.
    pub(super) fn warning(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        line: (usize, usize),
        what: Arguments<'_>,
        help: Help<'_>,
    ) {
        let file = self.file;
        self.within(file, Takes::Nothing).add(Severity::Warning, code, Some(at), line, what, help);
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: Option<&At<'_>>,
        (line, column): (usize, usize),
        what: Arguments<'_>,
        help: Help<'_>,
    ) {
        if !self.findings.count(severity, matches!(self.takes, Takes::Package)) {
            return;
        }
        let mut message = shown(self.file);
        // Writing to a string does not fail.
        let _ = match at {
            Some(At::Root) | None => Ok(()),
            Some(at) => write!(message, ": {at}"),
        };
        let _ = write!(message, "{}{what}", if message.is_empty() { "" } else { ": " });
        let number = |number: usize| if number == 0 { None } else { u32::try_from(number).ok() };
        let help = match help {
            Help::None => None,
            Help::Text(text) => Some(text.to_owned()),
            Help::Nearest(_, known) if known.len() > MOST_COMPARED => None,
            Help::Nearest(word, known) => {
                nearest(word, known).map(|meant| format!("did you mean {}?", quoted(meant)))
            }
        };
        self.findings.list.push(Finding {
            severity,
            code,
            section: self.section,
            file: self.file.to_owned(),
            position: Position {
                pointer: at.map(|at| at.pointer("")),
                line: number(line),
                column: number(column),
            },
            boundary: self.takes.boundary(),
            message,
            help,
        });
    }

    pub(super) fn missing(&mut self, at: &At<'_>, name: &str, expected: &str) {
        self.error(codes::MEMBER_MISSING, &at.member(name), format_args!("is missing: expected {expected}"));
    }

    pub(super) fn wrong_type(&mut self, at: &At<'_>, found: &Value, expected: &str) {
        self.expected(codes::MEMBER_WRONG_TYPE, at, expected, found);
    }

    /// "expected …, found …"
    pub(super) fn expected(&mut self, code: &'static str, at: &At<'_>, expected: &str, found: &Value) {
        match found {
            Value::Text(text) => {
                self.error(code, at, format_args!("expected {expected}, found the string {}", Quoted(text)));
            }
            other => self.error(code, at, format_args!("expected {expected}, found {}", other.type_name())),
        }
    }

    /// A word that is none of those known.
    pub(super) fn unknown(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        noun: &str,
        word: &str,
        known: &[&str],
    ) {
        let what = format_args!("unknown {noun} {}: known are {}", Quoted(word), Known(known));
        self.report(code, at, what, Help::Nearest(word, known));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_findings_than_are_listed_are_counted() {
        let mut findings = Findings::default();
        for _ in 0..MOST_FINDINGS + 5 {
            let mut scope = Scope::new(&mut findings, "mcp.json", "9.1", Takes::Servers);
            scope.error(codes::NOT_JSON, &At::Root, format_args!("is no JSON"));
        }
        assert!(!findings.reject);
        let mut scope = Scope::new(&mut findings, "plugin.json", "9.1", Takes::Package);
        scope.error(codes::NOT_JSON, &At::Root, format_args!("is no JSON"));
        assert!(findings.reject);
        assert_eq!(
            (findings.list.len(), findings.errors, findings.warnings),
            (MOST_FINDINGS, MOST_FINDINGS + 6, 0)
        );
    }
}
