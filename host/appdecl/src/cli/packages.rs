//! What is to be said about packages, for people and for programs.

use std::fmt::Write as _;

use appdecl::Severity;
use appdecl::package::{Boundary, Package, PackageFinding, Report};
use serde::Serialize;

use super::clean::clean;
use super::findings::{Place, Remark, report_without_place};

/// So many findings are shown of one package. All of them are counted.
const SHOWN: usize = 50;

/// A package as programs read it.
#[derive(Debug, Serialize)]
pub(super) struct JsonPackage<'p> {
    path: String,
    #[serde(flatten)]
    report: &'p Report,
    /// Where the findings stand, in their order; null for one that has no place.
    places: Vec<Option<JsonPlace>>,
}

#[derive(Debug, Serialize)]
pub(super) struct JsonPlace {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl JsonPackage<'_> {
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

impl<'p> From<&'p Package> for JsonPackage<'p> {
    fn from(package: &'p Package) -> Self {
        Self {
            path: package.folder().display().to_string(),
            report: package.validate(),
            places: places(package).into_iter().map(|(_, place)| place).collect(),
        }
    }
}

/// Every finding, and its line and column where it has one.
pub(super) fn places(package: &Package) -> Vec<(&PackageFinding, Option<JsonPlace>)> {
    let places = package.places().into_iter();
    let places = places.map(|place| place.map(|place| JsonPlace { line: place.line, column: place.column }));
    package.validate().findings.iter().zip(places).collect()
}

/// The path of a finding's file as the user would name it.
pub(super) fn file_of(package: &Package, finding: &PackageFinding) -> String {
    let mut path = package.folder().to_owned();
    path.extend(finding.file.split('/').filter(|name| !name.is_empty()));
    path.display().to_string()
}

/// The findings for people.
pub(super) fn findings_text(package: &Package) -> String {
    let findings = &package.validate().findings;
    let mut text = String::new();
    for (finding, place) in findings.iter().zip(package.places()).take(SHOWN) {
        let PackageFinding { severity, code, section, file, boundary, message, help, .. } = finding;
        let note = match (severity, boundary) {
            (_, Boundary::Nothing) => format!("this takes nothing down (SPEC §{section})"),
            (_, boundary) => format!("this takes down {boundary} (SPEC §{section})"),
        };
        let remarks = [Some(Remark::Note(&note)), help.as_deref().map(Remark::Help)];
        match place {
            Some(place) => {
                let message = message.strip_prefix(&format!("{file}: ")).unwrap_or(message);
                let name = file_of(package, finding);
                let place = Place { name: &name, text: place.text, span: place.span, line: place.line };
                text.push_str(&place.report(*severity, Some(code), message, &remarks));
            }
            None => text.push_str(&report_without_place(*severity, code, message, &remarks)),
        }
    }
    if let Some(more) = all(package.validate()).checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "{more} more findings are not shown\n");
    }
    text
}

/// What the package is and what of it may be used, for people.
pub(super) fn summary(package: &Package) -> String {
    let report = package.validate();
    let name = report.name.as_deref().unwrap_or("without a name");
    let version = report.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let path = package.folder().display().to_string();
    let mut text = format!("{}: {} {}{}", clean(&path), report.format, clean(name), clean(&version));
    text.push_str(if report.rejected { ": rejected\n" } else { "\n" });
    for server in &report.servers {
        let declared = if server.declaration.is_some() { ", declared" } else { "" };
        let _ = writeln!(text, "  server {}: {}{declared}", clean(&server.name), clean(&server.transport));
    }
    for skill in &report.skills {
        let _ = match skill.requires_apps.as_slice() {
            [] => writeln!(text, "  skill {}", clean(&skill.name)),
            apps => writeln!(text, "  skill {}: requires {}", clean(&skill.name), clean(&apps.join(", "))),
        };
    }
    text
}

/// How many findings there are, those included that no report lists.
fn all(report: &Report) -> usize {
    (report.errors as usize).saturating_add(report.warnings as usize)
}

/// How many findings of a package count as faults: warnings do where `strict`.
pub(super) fn faults(package: &Package, strict: bool) -> usize {
    let report = package.validate();
    if strict { all(report) } else { report.errors as usize }
}

/// A severity as annotations name it.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
