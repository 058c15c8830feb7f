//! `appdecl check`: what declarations come to on this machine.

mod table;

use std::fmt::Write as _;

use appdecl::input::Declared;
use appdecl::package::{Package, Refusal};
use appdecl::{Availability, Diagnostic, Error, Gate, Status};
use serde::Serialize;

use super::clean::clean;
use super::findings::{self, JsonError, JsonFinding};
use super::packages::{self, JsonPackage};
use super::sources::{Machine, Paths, Sources};
use super::{Format, Outcome, Output};

/// Say for every declared server whether its tools may be offered on this machine
///
/// Of a package also its skills, and whether it may be installed here.
///
/// Asks this machine only what the declarations ask for: files, environment variables, the registry. Nothing is started,
/// connected or written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,
    #[command(flatten)]
    machine: Machine,
    /// Ask only for this server; may be given several times
    #[arg(long = "server", value_name = "NAME")]
    servers: Vec<String>,
    /// Answer as for a caller that is connected to the servers; this is the default
    #[arg(long)]
    connected: bool,
    /// Answer as for a caller that is not connected: says also whether the application runs
    #[arg(long, conflicts_with = "connected")]
    not_connected: bool,
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
    packages: Vec<CheckedPackage<'r>>,
    servers: &'r [Checked],
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

/// What a package comes to.
#[derive(Debug, Serialize)]
struct CheckedPackage<'p> {
    #[serde(flatten)]
    package: JsonPackage<'p>,
    /// What speaks against installing it here.
    refusals: Vec<Refusal>,
    skills_offered: Vec<CheckedSkill<'p>>,
}

#[derive(Debug, Serialize)]
struct CheckedSkill<'p> {
    skill: &'p str,
    offered: bool,
    /// The first application that hides it.
    decided_by: Option<String>,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let gate = match self.machine.gate()? {
            Ok(gate) => gate,
            Err(error) => {
                output.aside(&findings::error_text(&error));
                return Ok(Outcome::Invalid);
            }
        };
        let connected = !self.not_connected;
        let sources = self.paths.read();
        let chosen: Vec<&Declared> =
            sources.declared.iter().filter(|declared| self.is_chosen(&declared.server)).collect();

        let mut findings = sources.findings.clone();
        let mut checked = Vec::new();
        for declared in &chosen {
            let asked = Asked { server: &declared.server, label: declared.label(), text: &declared.declaration() };
            match check(&gate, asked, connected) {
                Ok(answer) => checked.push(answer),
                Err(faults) => findings.extend(faults.into_iter().map(|fault| declared.finding(fault))),
            }
        }
        let mut checked_packages = Vec::new();
        for package in &sources.packages {
            checked.extend(self.check_servers(&gate, package, connected));
            checked_packages.push(check_package(&gate, package)?);
        }

        let strangers = self.strangers(&sources);
        let faulty = sources.packages.iter().any(|package| packages::faults(package, false) > 0);
        let invalid =
            faulty || !findings.is_empty() || !sources.errors.is_empty() || !strangers.is_empty();
        let outcome = outcome(&checked, &checked_packages, invalid);
        match self.format {
            Format::Json => output.json(&Report {
                offered: outcome == Outcome::Good,
                connected,
                packages: checked_packages,
                servers: &checked,
                diagnostics: findings.iter().map(Into::into).collect(),
                errors: sources.errors.iter().map(Into::into).collect(),
            })?,
            Format::Text => {
                sources.errors.iter().for_each(|error| output.aside(&findings::source_error_text(error)));
                sources.packages.iter().for_each(|package| output.aside(&packages::findings_text(package)));
                output.aside(&findings::text(&findings));
                output.answer(&packages_text(&sources.packages, &checked_packages))?;
                output.answer(&table::text(&checked, output.width()))?;
            }
        }
        for name in strangers {
            output.problem(&format!("no server `{name}` is declared there"));
        }
        Ok(outcome)
    }

    fn is_chosen(&self, server: &str) -> bool {
        self.servers.is_empty() || self.servers.iter().any(|name| name == server)
    }

    /// The servers that were asked for and are not declared.
    fn strangers(&self, sources: &Sources) -> Vec<&String> {
        let in_files = |name: &str| sources.declared.iter().any(|declared| declared.server == name);
        let in_packages = |name: &str| {
            let servers = sources.packages.iter().flat_map(|package| &package.validate().servers);
            servers.filter(|server| server.declaration.is_some()).any(|server| server.name == name)
        };
        self.servers.iter().filter(|name| !in_files(name) && !in_packages(name)).collect()
    }

    /// The declared servers of a package that were asked for.
    fn check_servers(&self, gate: &Gate, package: &Package, connected: bool) -> Vec<Checked> {
        let label = package.label();
        let servers = package.validate().servers.iter().filter(|server| self.is_chosen(&server.name));
        let declared = servers.filter_map(|server| Some((&server.name, server.declaration.as_ref()?)));
        declared
            .filter_map(|(server, text)| {
                // The component has judged the declarations of a package already.
                check(gate, Asked { server, label: &label, text }, connected).ok()
            })
            .collect()
    }
}

/// What speaks against installing a package, and which of its skills are offered.
fn check_package<'p>(gate: &Gate, package: &'p Package) -> Result<CheckedPackage<'p>, Error> {
    let report = package.validate();
    let label = package.label();
    for server in &report.servers {
        if let Some(text) = &server.declaration {
            gate.register(&server.name, text, &label, None)?;
        }
    }
    let mut skills_offered = Vec::new();
    for skill in &report.skills {
        let decision = gate.skill_offered(&skill.requires_apps)?;
        skills_offered.push(CheckedSkill {
            skill: &skill.name,
            offered: decision.offered,
            decided_by: decision.decided_by,
        });
    }
    for server in &report.servers {
        gate.unregister(&server.name)?;
    }
    let refusals = package.install_gate(gate, &[])?;
    Ok(CheckedPackage { package: package.into(), refusals, skills_offered })
}

/// For each package the decision about installing it, and its skills.
fn packages_text(packages: &[Package], checked: &[CheckedPackage<'_>]) -> String {
    let mut text = String::new();
    for (package, checked) in packages.iter().zip(checked) {
        let path = package.folder().display().to_string();
        let path = clean(&path);
        if checked.refusals.is_empty() {
            let _ = writeln!(text, "{path}: may be installed here");
        } else {
            let _ = writeln!(text, "{path}: may not be installed here");
        }
        for refusal in &checked.refusals {
            let _ = writeln!(text, "  {}", clean(&refusal.message));
        }
        for skill in &checked.skills_offered {
            let name = clean(skill.skill);
            let _ = match &skill.decided_by {
                None if skill.offered => writeln!(text, "  skill {name}: offered"),
                None => writeln!(text, "  skill {name}: not offered"),
                Some(app) => writeln!(text, "  skill {name}: not offered, because of {}", clean(app)),
            };
        }
    }
    text
}

fn outcome(checked: &[Checked], packages: &[CheckedPackage<'_>], invalid: bool) -> Outcome {
    let hidden = packages.iter().any(|package| {
        !package.refusals.is_empty() || package.skills_offered.iter().any(|skill| !skill.offered)
    });
    let each = checked.iter().map(|server| match server {
        Checked { error: Some(_), .. } => Outcome::Failed,
        Checked { offered: false, .. } => Outcome::NotOffered,
        Checked { .. } => Outcome::Good,
    });
    let each = each.chain(hidden.then_some(Outcome::NotOffered));
    each.chain(invalid.then_some(Outcome::Invalid)).max().unwrap_or(Outcome::Good)
}

/// A declaration that is asked about.
#[derive(Clone, Copy)]
struct Asked<'d> {
    server: &'d str,
    /// What messages about it begin with.
    label: &'d str,
    text: &'d str,
}

/// One server; its faults where its declaration is not valid.
fn check(gate: &Gate, asked: Asked<'_>, connected: bool) -> Result<Checked, Vec<Diagnostic>> {
    let mut checked = Checked {
        file: asked.label.to_owned(),
        server: asked.server.to_owned(),
        offered: false,
        availability: None,
        status: None,
        error: None,
    };
    match ask(gate, asked, connected, &mut checked) {
        Ok(()) => {}
        Err(Error::Invalid(diagnostics)) => return Err(diagnostics),
        Err(error) => checked.error = Some(error.to_string()),
    }
    Ok(checked)
}

/// Registers the declaration for as long as it is asked about, so that equal names in several files do not meet.
fn ask(gate: &Gate, asked: Asked<'_>, connected: bool, checked: &mut Checked) -> Result<(), Error> {
    let Asked { server, label, text } = asked;
    gate.register(server, text, label, None)?;
    checked.availability = gate.availability(server)?;
    checked.status = gate.status(server, connected)?;
    checked.offered = gate.server_offered(server, connected);
    gate.unregister(server)?;
    Ok(())
}
