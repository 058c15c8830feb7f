//! `appdecl validate`: the faults of declarations, the same on every machine.

use appdecl::{Error, Gate};
use serde::Serialize;

use super::clean::clean;
use super::findings::{self, Findings, JsonError, JsonFinding};
use super::sources::{Paths, Sources};
use super::{Format, Outcome, Output};

/// Check declarations for faults. Asks nothing of this machine
///
/// Every fault is shown with the line it stands in, its stable code and what to do. At most 50 are shown, and all are
/// counted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl validate my-plugin
  appdecl validate acme.yaml other.yaml --format json

Exit codes: 0 valid, 2 not valid, 3 could not run";

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    valid: bool,
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
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let sources = self.paths.read();
        let mut findings = Findings::new(self.format);
        let verdicts = judge(&sources, &mut findings)?;
        let valid = findings.count() == 0 && sources.errors.is_empty();
        match self.format {
            Format::Json => output.json(&Report {
                valid,
                servers: verdicts,
                faults: findings.count(),
                diagnostics: findings.json(),
                errors: sources.errors.iter().map(Into::into).collect(),
            })?,
            Format::Text => {
                for error in &sources.errors {
                    output.aside(&findings::error_text(error));
                }
                output.answer(&text(&findings, &verdicts))?;
            }
        }
        Ok(if valid { Outcome::Good } else { Outcome::Invalid })
    }
}

/// Which declarations have no faults; those of the others go to the findings.
fn judge<'s>(sources: &'s Sources, findings: &mut Findings) -> Result<Vec<JsonServer<'s>>, Error> {
    let gate = Gate::new()?;
    let mut verdicts = Vec::new();
    findings.around(sources.findings.clone());
    for declared in &sources.declared {
        let diagnostics = gate.diagnose(&declared.declaration, declared.label())?;
        let valid = diagnostics.is_empty();
        verdicts.push(JsonServer { file: declared.label(), server: &declared.server, valid });
        findings.of(declared, diagnostics);
    }
    Ok(verdicts)
}

fn text(findings: &Findings, verdicts: &[JsonServer<'_>]) -> String {
    let mut text = findings.text();
    for verdict in verdicts.iter().filter(|verdict| verdict.valid) {
        text.push_str(&format!("{}: {}: valid\n", clean(verdict.file), clean(verdict.server)));
    }
    match findings.count() {
        0 => {}
        1 => text.push_str("1 fault\n"),
        many => text.push_str(&format!("{many} faults\n")),
    }
    text
}
