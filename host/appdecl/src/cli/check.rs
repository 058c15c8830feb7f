//! `appdecl check`: what declarations come to on this machine.

mod package;
mod table;

use appdecl::input::Declared;
use appdecl::{Availability, Diagnostic, Error, Gate, Status};
use serde::Serialize;

use super::findings::{Findings, JsonError, JsonFinding};
use super::sources::{Question, while_registered};
use super::{Format, Outcome, Output};
use package::CheckedPackage;

/// Say for every declared server whether its tools may be offered on this machine
///
/// Of a package also whether it may be installed here, and which of its skills are offered; not where --server is given.
///
/// Asks this machine only what the declarations ask for: files, environment variables, the registry. Nothing is started,
/// connected or written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    question: Question,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl check my-plugin
  appdecl check acme.yaml --server acme --format json
  appdecl check my-plugin --facts windows.yaml
  appdecl check my-plugin --not-connected

Exit codes: 0 all offered, 1 some not, 2 usage or invalid input, 3 could not run";

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    offered: bool,
    connected: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    packages: &'r Vec<CheckedPackage<'r>>,
    servers: &'r [Checked],
    faults: usize,
    diagnostics: Vec<JsonFinding<'r>>,
    errors: Vec<JsonError>,
}

/// What one server comes to.
#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    server: String,
    offered: bool,
    availability: Option<Availability>,
    status: Option<Status>,
    /// Why there is no answer.
    error: Option<String>,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let Some(gate) = self.question.machine.gate(output)? else { return Ok(Outcome::Invalid) };
        let connected = self.question.is_connected();
        let sources = self.question.paths.read();
        let chosen = self.question.servers.choose(&sources.declared);

        let mut findings = match self.format {
            Format::Text => Findings::for_people(),
            Format::Json => Findings::for_programs(),
        };
        findings.around(sources.findings.clone());
        let mut checked = Vec::new();
        for declared in &chosen {
            match check(&gate, declared, connected) {
                Ok(answer) => checked.push(answer),
                Err(faults) => findings.of(declared, faults),
            }
        }

        let packages = if self.question.servers.are_all() { sources.packages.as_slice() } else { &[] };
        let packages: Vec<_> = packages.iter().map(|package| CheckedPackage::new(&gate, package)).collect();

        let strangers = self.question.servers.strangers(&sources.declared);
        let invalid = findings.count() > 0 || sources.is_faulty() || !strangers.is_empty();
        let each = checked.iter().map(Checked::outcome).chain(packages.iter().map(CheckedPackage::outcome));
        let outcome = each.chain(invalid.then_some(Outcome::Invalid)).max().unwrap_or(Outcome::Good);
        match self.format {
            Format::Json => output.json(&Report {
                offered: outcome == Outcome::Good,
                connected,
                packages: &packages,
                servers: &checked,
                faults: findings.count(),
                diagnostics: findings.json(),
                errors: sources.errors.iter().map(Into::into).collect(),
            })?,
            Format::Text => {
                sources.tell(output);
                output.aside(&findings.text());
                output.answer(&packages.iter().map(CheckedPackage::text).collect::<String>())?;
                output.answer(&table::text(&checked, output.width()))?;
            }
        }
        for name in strangers {
            output.problem(&format!("no server `{name}` is declared there"));
        }
        Ok(outcome)
    }
}

impl Checked {
    fn outcome(&self) -> Outcome {
        match self {
            Self { error: Some(_), .. } => Outcome::Failed,
            Self { offered: false, .. } => Outcome::NotOffered,
            Self { .. } => Outcome::Good,
        }
    }
}

/// One server; its faults where its declaration is not valid.
fn check(gate: &Gate, declared: &Declared, connected: bool) -> Result<Checked, Vec<Diagnostic>> {
    let mut checked = Checked {
        file: declared.label().to_owned(),
        server: declared.server.clone(),
        offered: false,
        availability: None,
        status: None,
        error: None,
    };
    let answered = while_registered(gate, declared, |server| {
        checked.availability = gate.availability(server)?;
        checked.status = gate.status(server, connected)?;
        checked.offered = gate.server_offered(server, connected);
        Ok(())
    });
    match answered {
        Ok(()) => {}
        Err(Error::Invalid(diagnostics)) => return Err(diagnostics),
        Err(error) => checked.error = Some(error.to_string()),
    }
    Ok(checked)
}
