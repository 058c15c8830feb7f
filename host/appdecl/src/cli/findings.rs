//! Faults for people, each with the line it stands in, and for programs.

use std::borrow::Cow;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use appdecl::facts::document::{Span, SyntaxError};
use appdecl::input::{Declared, Finding, InputError};
use appdecl::{Diagnostic, Severity};
use serde::Serialize;

use super::clean::{clean, visible};

/// So many faults are shown to people, and so many to programs. All of them are counted.
const SHOWN: usize = 50;
const LISTED: usize = 10_000;

/// The first faults that were found, and how many there are.
#[derive(Debug)]
pub(super) struct Findings {
    kept: Vec<Finding>,
    count: usize,
    most: usize,
}

impl Findings {
    /// None yet; as many will be kept as people read.
    pub(super) fn for_people() -> Self {
        Self { kept: Vec::new(), count: 0, most: SHOWN }
    }

    /// None yet; as many will be kept as programs read.
    pub(super) fn for_programs() -> Self {
        Self { kept: Vec::new(), count: 0, most: LISTED }
    }

    /// Takes in what is wrong around declarations.
    pub(super) fn around(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            self.add(|| finding);
        }
    }

    /// Takes in what is wrong with one declaration.
    pub(super) fn of(&mut self, declared: &Declared, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            self.add(|| declared.finding(diagnostic));
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Those that are kept.
    pub(super) fn kept(&self) -> &[Finding] {
        &self.kept
    }

    /// Those that are kept, for programs.
    pub(super) fn json(&self) -> Vec<JsonFinding<'_>> {
        self.kept.iter().map(Into::into).collect()
    }

    /// Those that are kept, for people, and the number of the others.
    pub(super) fn text(&self) -> String {
        let mut text: String = self.kept.iter().map(report).collect();
        if self.count > self.kept.len() {
            let _ = writeln!(text, "{} more faults are not shown\n", self.count - self.kept.len());
        }
        text
    }

    fn add(&mut self, finding: impl FnOnce() -> Finding) {
        self.count += 1;
        if self.kept.len() < self.most {
            self.kept.push(finding());
        }
    }
}

/// A fault as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct JsonFinding<'f> {
    file: &'f str,
    server: Option<&'f str>,
    #[serde(flatten)]
    diagnostic: &'f Diagnostic,
    line: usize,
    column: usize,
}

impl<'f> From<&'f Finding> for JsonFinding<'f> {
    fn from(finding: &'f Finding) -> Self {
        let position = finding.source.position(finding.span);
        Self {
            file: &finding.source.name,
            server: finding.server.as_deref(),
            diagnostic: &finding.diagnostic,
            line: position.line,
            column: position.column,
        }
    }
}

/// A path that could not be read, as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct JsonError {
    path: String,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
}

impl From<&InputError> for JsonError {
    fn from(error: &InputError) -> Self {
        let (line, column) = match error {
            InputError::Syntax { error, .. } => (Some(error.line), Some(error.column)),
            InputError::NotText { line, .. } => (Some(*line), None),
            _ => (None, None),
        };
        Self { path: error.path().display().to_string(), message: error.to_string(), line, column }
    }
}

/// The first faults for people, and the number of the others.
pub(super) fn text(faults: &[Finding]) -> String {
    let mut findings = Findings::for_people();
    findings.around(faults.to_vec());
    findings.text()
}

/// A fault for people.
fn report(finding: &Finding) -> String {
    let place = Place {
        name: &finding.source.name,
        text: finding.source.document.text(),
        span: finding.span,
        line: finding.source.position(finding.span).line,
    };
    let Diagnostic { severity, code, message, help, .. } = &finding.diagnostic;
    let message = message.strip_prefix(&format!("{}: ", finding.source.name)).unwrap_or(message);
    let message = match &finding.server {
        Some(server) => format!("{server}: {message}"),
        None => message.to_owned(),
    };
    place.report(*severity, Some(code), &message, &[help.as_deref().map(Remark::Help)])
}

/// Why a path could not be read, for people.
pub(super) fn error_text(error: &InputError) -> String {
    match error {
        InputError::Syntax { path, text, error: SyntaxError { message, line, span, .. } } => {
            let name = path.display().to_string();
            let place = Place { name: &name, text, span: *span, line: *line };
            place.report(Severity::Error, None, message, &[])
        }
        InputError::Facts(faults) | InputError::Suite(faults) => self::text(faults),
        _ => {
            let error = clean(&error.to_string()).into_owned();
            let group = Group::with_title(Level::ERROR.primary_title(&error));
            format!("{}\n\n", Renderer::styled().render(&[group]))
        }
    }
}

/// What is said below an excerpt.
pub(super) enum Remark<'r> {
    Help(&'r str),
    Note(&'r str),
}

/// A stretch of a file.
pub(super) struct Place<'p> {
    pub(super) name: &'p str,
    pub(super) text: &'p str,
    pub(super) span: Span,
    pub(super) line: usize,
}

impl Place<'_> {
    pub(super) fn report(
        &self,
        severity: Severity,
        code: Option<&str>,
        message: &str,
        remarks: &[Option<Remark<'_>>],
    ) -> String {
        let level = level(severity);
        let (message, name) = (clean(message), clean(self.name));
        let code = code.map(clean);
        let remarks = cleaned(remarks);
        let (line, caret) = self.excerpt();

        let mut title = level.primary_title(message.as_ref());
        if let Some(code) = &code {
            title = title.id(code.as_ref());
        }
        let mut group = title.element(
            Snippet::source(line.as_str())
                .path(name.as_ref())
                .line_start(self.line)
                .annotation(AnnotationKind::Primary.span(caret.into())),
        );
        for (level, remark) in &remarks {
            group = group.element(level.clone().message(remark.as_ref()));
        }
        format!("{}\n\n", Renderer::styled().render(&[group]))
    }

    /// The line in which the span begins, made safe character by character so that columns stay, and where the span lies
    /// in it.
    fn excerpt(&self) -> (String, Span) {
        let start = self.text.floor_char_boundary(self.span.start);
        let before = self.text.get(..start).unwrap_or_default();
        let after = self.text.get(start..).unwrap_or_default();
        let inside = self.span.end.saturating_sub(start);

        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let mut line: String = before.trim_start_matches('\u{feff}').chars().map(visible).collect();
        let mut caret = Span { start: line.len(), end: line.len() };
        for (offset, character) in after.char_indices() {
            line.push(visible(character));
            if offset < inside {
                caret.end = line.len();
            }
        }
        (line, caret)
    }
}

/// A fault of a file that can not be shown.
pub(super) fn report_without_place(
    severity: Severity,
    code: &str,
    message: &str,
    remarks: &[Option<Remark<'_>>],
) -> String {
    let (message, code, remarks) = (clean(message), clean(code), cleaned(remarks));
    let mut group = Group::with_title(level(severity).primary_title(message.as_ref()).id(code.as_ref()));
    for (level, remark) in &remarks {
        group = group.element(level.clone().message(remark.as_ref()));
    }
    format!("{}\n\n", Renderer::styled().render(&[group]))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

fn cleaned<'r>(remarks: &[Option<Remark<'r>>]) -> Vec<(Level<'static>, Cow<'r, str>)> {
    let each = remarks.iter().flatten().map(|remark| match remark {
        Remark::Help(text) => (Level::HELP, clean(text)),
        Remark::Note(text) => (Level::NOTE, clean(text)),
    });
    each.collect()
}
