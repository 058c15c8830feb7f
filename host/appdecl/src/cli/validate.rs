//! `appdecl validate`: the faults of declarations and packages, the same on every machine.

use appdecl::input::{self, Finding};
use appdecl::{Error, Gate};
use serde::Serialize;

use super::clean::clean;
use super::annotations::{self, Annotation};
use super::findings::{self, Findings, JsonError, JsonFinding};
use super::packages::{self, JsonPackage};
use super::sources::{Paths, Sources};
use super::{Outcome, Output};

/// Check declarations and packages for faults. Asks nothing of this machine
///
/// Every fault is shown with the line it stands in, its stable code and what to do; in a package also with what it takes
/// down. What of a package may be used is listed. At most 50 faults are shown, and all are counted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// Count warnings as faults
    #[arg(long)]
    strict: bool,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document.
    Json,
    /// Annotations of a GitHub Actions workflow.
    Github,
    /// A SARIF 2.1.0 log, for code scanning.
    Sarif,
}

const EXAMPLES: &str = "\
Examples:
  appdecl validate my-plugin
  appdecl validate acme.yaml other.yaml --format json
  appdecl validate my-plugin --strict --format github

Exit codes: 0 valid, 2 not valid, 3 could not run";

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    valid: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    packages: Vec<JsonPackage<'r>>,
    servers: Vec<JsonServer<'r>>,
    faults: usize,
    diagnostics: Vec<JsonFinding<'r>>,
    errors: Vec<JsonError>,
}

/// A declaration that was looked at.
#[derive(Debug, Serialize)]
struct JsonServer<'r> {
    file: &'r str,
    server: &'r str,
    valid: bool,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl JsonServer<'_> {
    fn failure(&self) -> Option<String> {
        Some(format!("{}: {}: {}", self.file, self.server, self.error.as_ref()?))
    }
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let sources = self.paths.read();
        let mut findings = match self.format {
            Format::Text => Findings::for_people(),
            Format::Json | Format::Github | Format::Sarif => Findings::for_programs(),
        };
        let verdicts = judge(&sources, &mut findings)?;
        let failed: Vec<String> = verdicts.iter().filter_map(JsonServer::failure).collect();
        let in_packages: usize =
            sources.packages.iter().map(|package| packages::faults(package, self.strict)).sum();
        let faults = findings.count() + in_packages;
        let valid = faults == 0 && sources.errors.is_empty() && failed.is_empty();
        match self.format {
            Format::Json => output.json(&Report {
                valid,
                packages: sources.packages.iter().map(Into::into).collect(),
                servers: verdicts,
                faults,
                diagnostics: findings.json(),
                errors: sources.errors.iter().map(Into::into).collect(),
            })?,
            Format::Text => {
                for error in &sources.errors {
                    output.aside(&findings::error_text(error));
                }
                for package in &sources.packages {
                    let findings = packages::findings_text(package);
                    output.answer(&format!("{findings}{}", packages::summary(package)))?;
                }
                output.answer(&text(&findings, &verdicts, faults))?;
            }
            Format::Github => output.answer(&annotations::github(&annotate(&sources, findings.kept())))?,
            Format::Sarif => output.json(&annotations::sarif(&annotate(&sources, findings.kept())))?,
        }
        failed.iter().for_each(|failure| output.problem(failure));
        Ok(match (failed.is_empty(), valid) {
            (false, _) => Outcome::Failed,
            (true, true) => Outcome::Good,
            (true, false) => Outcome::Invalid,
        })
    }
}

/// Which declarations have no faults; those of the others go to the findings.
fn judge<'s>(sources: &'s Sources, findings: &mut Findings) -> Result<Vec<JsonServer<'s>>, Error> {
    let gate = Gate::new()?;
    let mut verdicts = Vec::new();
    findings.around(sources.findings.clone());
    for declared in &sources.declared {
        let mut verdict =
            JsonServer { file: declared.label(), server: &declared.server, valid: false, error: None };
        match gate.diagnose(&declared.declaration, declared.label()) {
            Ok(diagnostics) => {
                verdict.valid = diagnostics.is_empty();
                findings.of(declared, diagnostics);
            }
            Err(error) => verdict.error = Some(error.to_string()),
        }
        verdicts.push(verdict);
    }
    Ok(verdicts)
}

/// Everything that is wrong anywhere, without what only people look at.
fn annotate(sources: &Sources, findings: &[Finding]) -> Vec<Annotation> {
    let errors = sources.errors.iter().map(|error| {
        let (code, file) = (input::UNREADABLE.to_owned(), error.path().display().to_string());
        Annotation { level: "error", code, file, place: None, message: error.to_string() }
    });
    let in_packages = sources.packages.iter().flat_map(|package| {
        packages::places(package).into_iter().map(move |(finding, place)| Annotation {
            level: packages::severity_name(finding.severity),
            code: finding.code.clone(),
            file: packages::file_of(package, finding),
            place: place.map(|place| (place.line, place.column)),
            message: finding.message.clone(),
        })
    });
    let in_files = findings.iter().map(|finding| {
        let position = finding.source.position(finding.span);
        Annotation {
            level: packages::severity_name(finding.diagnostic.severity),
            code: finding.diagnostic.code.clone(),
            file: finding.source.name.clone(),
            place: Some((position.line, position.column)),
            message: finding.diagnostic.message.clone(),
        }
    });
    errors.chain(in_packages).chain(in_files).collect()
}

fn text(findings: &Findings, verdicts: &[JsonServer<'_>], faults: usize) -> String {
    let mut text = findings.text();
    for verdict in verdicts.iter().filter(|verdict| verdict.valid) {
        text.push_str(&format!("{}: {}: valid\n", clean(verdict.file), clean(verdict.server)));
    }
    match faults {
        0 => {}
        1 => text.push_str("1 fault\n"),
        many => text.push_str(&format!("{many} faults\n")),
    }
    text
}
