//! What a package comes to: whether it may be installed here, and which of its skills are offered.

use std::fmt::Write as _;

use appdecl::package::{Package, PackageSkill, Refusal};
use appdecl::{Error, Gate};
use serde::Serialize;

use crate::cli::Outcome;
use crate::cli::clean::clean;
use crate::cli::packages::JsonPackage;

/// What a package comes to.
#[derive(Debug, Serialize)]
pub(super) struct CheckedPackage<'p> {
    #[serde(flatten)]
    package: JsonPackage<'p>,
    /// What speaks against installing it here.
    refusals: Vec<Refusal>,
    skills_offered: Vec<CheckedSkill<'p>>,
    /// Why there is no answer.
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct CheckedSkill<'p> {
    skill: &'p str,
    offered: bool,
    /// The first application that hides it.
    decided_by: Option<String>,
}

impl<'p> CheckedPackage<'p> {
    pub(super) fn new(gate: &Gate, package: &'p Package) -> Self {
        let mut checked =
            Self { package: package.into(), refusals: Vec::new(), skills_offered: Vec::new(), error: None };
        if let Err(error) = checked.ask(gate, package) {
            checked.error = Some(error.to_string());
        }
        checked
    }

    fn ask(&mut self, gate: &Gate, package: &'p Package) -> Result<(), Error> {
        let report = package.validate();
        let label = package.label();
        let declared = || report.servers.iter().filter_map(|server| Some((server, server.declaration.as_ref()?)));
        let skills = || -> Result<Vec<_>, Error> {
            for (server, declaration) in declared() {
                gate.register(&server.name, declaration, &label, None)?;
            }
            report.skills.iter().map(|skill| CheckedSkill::new(gate, skill)).collect()
        };
        let skills = skills();
        // Whatever came of it: no other package's skills are judged by these servers.
        for (server, _) in declared() {
            gate.unregister(&server.name)?;
        }
        self.skills_offered = skills?;
        self.refusals = package.install_gate(gate, &[])?;
        Ok(())
    }

    pub(super) fn outcome(&self) -> Outcome {
        let hidden = self.skills_offered.iter().any(|skill| !skill.offered);
        match &self.error {
            Some(_) => Outcome::Failed,
            None if hidden || !self.refusals.is_empty() => Outcome::NotOffered,
            None => Outcome::Good,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let path = clean(self.package.path());
        let _ = match &self.error {
            Some(error) => writeln!(text, "{path}: {}", clean(error)),
            None if self.refusals.is_empty() => writeln!(text, "{path}: may be installed here"),
            None => writeln!(text, "{path}: may not be installed here"),
        };
        for refusal in &self.refusals {
            let _ = writeln!(text, "  {}", clean(&refusal.message));
        }
        for skill in &self.skills_offered {
            let name = clean(skill.skill);
            let _ = match &skill.decided_by {
                None if skill.offered => writeln!(text, "  skill {name}: offered"),
                None => writeln!(text, "  skill {name}: not offered"),
                Some(app) => writeln!(text, "  skill {name}: not offered, because of {}", clean(app)),
            };
        }
        text
    }
}

impl<'p> CheckedSkill<'p> {
    fn new(gate: &Gate, skill: &'p PackageSkill) -> Result<Self, Error> {
        let decision = gate.skill_offered(&skill.requires_apps)?;
        Ok(Self { skill: &skill.name, offered: decision.offered, decided_by: decision.decided_by })
    }
}
