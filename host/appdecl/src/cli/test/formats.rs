//! The results, as people and programs read them.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use appdecl::facts::document::Position;
use appdecl::suite::{Coverage, Difference, Outcome};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::reach::Reach;
use super::{Ran, title};
use crate::cli::annotations::{self, Annotation};
use crate::cli::clean::clean;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// What programs read.
#[derive(Debug, Serialize)]
struct JsonReport<'r> {
    passed: usize,
    failed: usize,
    broken: usize,
    cases: Vec<JsonCase<'r>>,
    /// Where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<JsonCoverage<'r>>>,
}

/// What the cases of one suite reach.
#[derive(Debug, Serialize)]
struct JsonCoverage<'r> {
    suite: &'r str,
    #[serde(flatten)]
    coverage: &'r Coverage,
}

#[derive(Debug, Serialize)]
struct JsonCase<'r> {
    file: &'r str,
    line: usize,
    suite: &'r str,
    name: &'r str,
    outcome: &'static str,
    differences: &'r [Difference],
    /// Why the case could not run.
    error: Option<&'r str>,
}

/// Cases that ran, and how many came to what.
pub(super) struct Report<'r> {
    ran: &'r [Ran<'r>],
    passed: usize,
    failed: usize,
    broken: usize,
}

impl<'r> Report<'r> {
    pub(super) fn new(ran: &'r [Ran<'r>]) -> Self {
        let count = |is: fn(&Outcome) -> bool| ran.iter().filter(|ran| is(&ran.verdict.outcome)).count();
        Self {
            ran,
            passed: count(Outcome::passed),
            failed: count(|outcome| matches!(outcome, Outcome::Failed(_))),
            broken: count(|outcome| matches!(outcome, Outcome::Broken(_))),
        }
    }

    /// What failed, with the differences alone, and the sum.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for ran in self.ran.iter().filter(|ran| !ran.verdict.outcome.passed()) {
            let (file, line) = place(ran);
            let _ = writeln!(text, "{BAD}FAILED{BAD:#} {}", clean(&title(ran.suite, ran.case)));
            let _ = writeln!(text, "  at {}:{line}", clean(file));
            for said in said(&ran.verdict.outcome) {
                let _ = writeln!(text, "  {said}");
            }
            text.push('\n');
        }
        let style = if self.passed == self.ran.len() { GOOD } else { BAD };
        let _ = write!(text, "{style}{} of {} cases passed{style:#}", self.passed, self.ran.len());
        if self.broken > 0 {
            let _ = write!(text, ", {} could not run", self.broken);
        }
        text.push('\n');
        text
    }

    pub(super) fn json(&self, reached: Option<&[Reach<'_>]>) -> anyhow::Result<String> {
        let cases = self.ran.iter().map(|ran| {
            let (file, line) = place(ran);
            let (outcome, differences, error) = match &ran.verdict.outcome {
                Outcome::Passed => ("passed", [].as_slice(), None),
                Outcome::Failed(differences) => ("failed", differences.as_slice(), None),
                Outcome::Broken(message) => ("broken", [].as_slice(), Some(message.as_str())),
            };
            JsonCase { file, line, suite: &ran.suite.name, name: &ran.case.name, outcome, differences, error }
        });
        let coverage = reached.map(|reached| {
            let each = reached.iter();
            each.map(|Reach { suite, coverage }| JsonCoverage { suite: &suite.name, coverage }).collect()
        });
        let Self { passed, failed, broken, .. } = *self;
        let report = JsonReport { passed, failed, broken, cases: cases.collect(), coverage };
        let mut text = serde_json::to_string_pretty(&report)?;
        text.push('\n');
        Ok(text)
    }

    /// JUnit's XML, a test suite for each file.
    pub(super) fn junit(&self) -> anyhow::Result<String> {
        let mut report = quick_junit::Report::new("appdecl");
        for of_one_suite in self.ran.chunk_by(|a, b| std::ptr::eq(a.suite, b.suite)) {
            let Some(first) = of_one_suite.first() else { continue };
            let mut suite = TestSuite::new(clean(&first.suite.name).into_owned());
            for ran in of_one_suite {
                let status = match &ran.verdict.outcome {
                    Outcome::Passed => TestCaseStatus::success(),
                    Outcome::Failed(_) => failure(NonSuccessKind::Failure, &ran.verdict.outcome),
                    Outcome::Broken(_) => failure(NonSuccessKind::Error, &ran.verdict.outcome),
                };
                let mut case = TestCase::new(clean(&ran.case.name).into_owned(), status);
                case.set_classname(clean(&first.suite.name).into_owned());
                case.set_time(ran.verdict.in_component);
                let (file, line) = place(ran);
                case.extra.insert("file".into(), clean(file).into_owned().into());
                case.extra.insert("line".into(), line.to_string().into());
                suite.add_test_case(case);
            }
            report.add_test_suite(suite);
        }
        Ok(report.to_string()?)
    }

    /// <https://testanything.org/tap-version-14-specification.html>
    pub(super) fn tap(&self) -> String {
        let mut text = format!("TAP version 14\n1..{}\n", self.ran.len());
        for (index, ran) in self.ran.iter().enumerate() {
            let verdict = if ran.verdict.outcome.passed() { "ok" } else { "not ok" };
            let name = clean(&title(ran.suite, ran.case)).replace('\\', "\\\\").replace('#', "\\#");
            let _ = writeln!(text, "{verdict} {} - {name}", index + 1);
            if !ran.verdict.outcome.passed() {
                let (file, line) = place(ran);
                let at = serde_json::Value::from(format!("{file}:{line}"));
                let message = serde_json::Value::from(said(&ran.verdict.outcome).join("; "));
                let _ = writeln!(text, "  ---\n  at: {at}\n  message: {message}\n  ...");
            }
        }
        text
    }

    /// Annotations of GitHub's workflows, and the sum.
    pub(super) fn github(&self) -> String {
        let failed = self.ran.iter().filter(|ran| !ran.verdict.outcome.passed());
        let annotations: Vec<Annotation> = failed
            .map(|ran| {
                let Position { line, column, .. } = ran.suite.source.position(ran.case.span);
                Annotation {
                    level: "error",
                    code: clean(&title(ran.suite, ran.case)).into_owned(),
                    file: clean(&ran.suite.source.name).into_owned(),
                    place: Some((line, column)),
                    message: said(&ran.verdict.outcome).join("\n"),
                }
            })
            .collect();
        format!("{}{} of {} cases passed\n", annotations::github(&annotations), self.passed, self.ran.len())
    }
}

fn place<'r>(ran: &Ran<'r>) -> (&'r str, usize) {
    (&ran.suite.source.name, ran.suite.source.position(ran.case.span).line)
}

/// A line for each difference, or why there is no answer.
fn said(outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Passed => Vec::new(),
        Outcome::Broken(message) => vec![format!("could not run: {}", clean(message))],
        Outcome::Failed(differences) => differences
            .iter()
            .map(|Difference { pointer, expected, found }| {
                let (expected, found) = (expected.to_string(), found.to_string());
                format!("{}: expected {}, found {}", clean(pointer), clean(&expected), clean(&found))
            })
            .collect(),
    }
}

fn failure(kind: NonSuccessKind, outcome: &Outcome) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(said(outcome).join("; "));
    status
}
