//! `appdecl status`: what a user should read about each server.

use appdecl::input::{Declared, Finding};
use appdecl::{Error, Gate, Status};
use serde::Serialize;

use super::clean::clean;
use super::findings::{self, JsonError, JsonFinding};
use super::packages::JsonPackage;
use super::sources::{Question, while_registered};
use super::{Outcome, Output};

/// Say for every declared server why its tools are not there, and what to do
///
/// Nothing is started, connected or written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    question: Question,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// How many tools a line of a listing counts for each server
    #[arg(long, value_name = "N", default_value_t)]
    tools: u32,
}

const EXAMPLES: &str = "\
Examples:
  appdecl status my-plugin --not-connected
  appdecl status my-plugin --server acme --format json
  appdecl status my-plugin --format listing --tools 12

Exit codes: 0 all offered, 1 some not, 2 usage or invalid input, 3 could not run";

/// How statuses are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document.
    Json,
    /// A line for each server that is not offered, as catalogues of tools show it.
    Listing,
}

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    offered: bool,
    connected: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    packages: Vec<JsonPackage<'r>>,
    servers: &'r [Answer],
    diagnostics: Vec<JsonFinding<'r>>,
    errors: Vec<JsonError>,
}

/// What is said of one server.
#[derive(Debug, Serialize)]
struct Answer {
    file: String,
    server: String,
    /// Null where the server is offered and connected.
    status: Option<Status>,
    /// Why there is no answer.
    error: Option<String>,
    #[serde(skip)]
    line: Option<String>,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let Some(gate) = self.question.machine.gate(output)? else { return Ok(Outcome::Invalid) };
        let sources = self.question.paths.read();
        let mut findings = sources.findings.clone();
        let mut answers = Vec::new();
        for declared in self.question.servers.choose(&sources.declared) {
            match self.answer(&gate, declared) {
                Ok(answer) => answers.push(answer),
                Err(faults) => findings.extend(faults),
            }
        }

        let strangers = self.question.servers.strangers(&sources.declared);
        let is_invalid = !findings.is_empty() || sources.is_faulty() || !strangers.is_empty();
        let each = answers.iter().map(Answer::outcome);
        let outcome = each.chain(is_invalid.then_some(Outcome::Invalid)).max().unwrap_or(Outcome::Good);
        if self.format == Format::Json {
            output.json(&Report {
                offered: outcome == Outcome::Good,
                connected: self.question.is_connected(),
                packages: sources.packages.iter().map(Into::into).collect(),
                servers: &answers,
                diagnostics: findings.iter().map(Into::into).collect(),
                errors: sources.errors.iter().map(Into::into).collect(),
            })?;
        } else {
            sources.tell(output);
            output.aside(&findings::text(&findings));
            let lines: String = answers.iter().filter_map(|answer| answer.text(self.format)).collect();
            output.answer(&lines)?;
        }
        for name in strangers {
            output.problem(&format!("no server `{name}` is declared there"));
        }
        Ok(outcome)
    }

    /// One server; its faults where its declaration is not valid.
    fn answer(&self, gate: &Gate, declared: &Declared) -> Result<Answer, Vec<Finding>> {
        let mut answer = Answer {
            file: declared.label().to_owned(),
            server: declared.server.clone(),
            status: None,
            error: None,
            line: None,
        };
        let connected = self.question.is_connected();
        let answered = while_registered(gate, declared, |server| {
            if self.format == Format::Listing {
                answer.line = gate.listing(server, self.tools, connected)?;
            }
            answer.status = gate.status(server, connected)?;
            Ok(())
        });
        match answered {
            Ok(()) => Ok(answer),
            Err(Error::Invalid(diagnostics)) => {
                Err(diagnostics.into_iter().map(|diagnostic| declared.finding(diagnostic)).collect())
            }
            Err(error) => Ok(Answer { error: Some(error.to_string()), ..answer }),
        }
    }
}

impl Answer {
    fn outcome(&self) -> Outcome {
        match (&self.error, &self.status) {
            (Some(_), _) => Outcome::Failed,
            (None, Some(_)) => Outcome::NotOffered,
            (None, None) => Outcome::Good,
        }
    }

    fn text(&self, format: Format) -> Option<String> {
        let line = match (&self.error, &self.status) {
            (Some(error), _) => format!("{}: {error}", self.server),
            (None, _) if format == Format::Listing => self.line.clone()?,
            (None, Some(status)) => format!("{}; {}", status.message, status.user_action),
            (None, None) => format!("{} is offered", self.server),
        };
        Some(format!("{}\n", clean(&line)))
    }
}
