//! The edge of `appdecl-packages.wasm`: the rules of packages become exports. It imports nothing, and nothing is decided
//! here.

use self::exports::appdecl::gate::packages as edge;
use self::exports::appdecl::gate::types as answer;
use crate::availability::{Availability, State};
use crate::facts::{FaultCode, NodeKind, Os};
use crate::package::{
    self, Boundary, Finding, Format, Inspection, Link, Preparation, RefusalReason, Report, Source,
};

wit_bindgen::generate!({
    path: ["../wit/host", "../wit/gate"],
    world: "appdecl:gate/appdecl-packages",
    generate_all,
});

struct Component;

export!(Component);

impl edge::Guest for Component {
    fn inspect(
        listing: edge::Listing,
        contents: Vec<edge::Content>,
        format: Option<edge::Format>,
    ) -> edge::Inspection {
        match package::inspect(&read_listing(listing), &read_contents(contents), format.map(read_format)) {
            Inspection::Needs(needs) => edge::Inspection::Needs(write_needs(needs)),
            Inspection::Report(report) => edge::Inspection::Report(write_report(report)),
        }
    }

    fn prepare(listing: edge::Listing, contents: Vec<edge::Content>) -> edge::Preparation {
        match package::prepare(&read_listing(listing), &read_contents(contents)) {
            Preparation::Needs(needs) => edge::Preparation::Needs(write_needs(needs)),
            Preparation::Refused(report) => edge::Preparation::Refused(write_report(report)),
            Preparation::Plan(plan) => edge::Preparation::Plan(edge::Plan {
                replaces: plan.replaces,
                files: plan.files.into_iter().map(write_planned_file).collect(),
            }),
        }
    }

    fn install_gate(
        report: edge::Report,
        evaluated: Vec<edge::Evaluated>,
        platforms: Vec<String>,
        system: edge::System,
    ) -> Vec<edge::Refusal> {
        let os = match system {
            edge::System::Win32 => Os::Win32,
            edge::System::Darwin => Os::Darwin,
            edge::System::Linux => Os::Linux,
        };
        let evaluated: Vec<package::Evaluated> = evaluated
            .into_iter()
            .map(|one| package::Evaluated {
                server: one.server,
                availability: read_availability(one.availability),
            })
            .collect();
        let refusals = package::install_gate(&read_report(report), &evaluated, &platforms, os);
        let refusal = |refusal: package::Refusal| edge::Refusal {
            reason: match refusal.reason {
                RefusalReason::PackageFault => edge::RefusalReason::PackageFault,
                RefusalReason::PlatformMismatch => edge::RefusalReason::PlatformMismatch,
                RefusalReason::UnsupportedOs => edge::RefusalReason::UnsupportedOs,
                RefusalReason::MissingApp => edge::RefusalReason::MissingApp,
                RefusalReason::VersionTooOld => edge::RefusalReason::VersionTooOld,
                RefusalReason::NotEvaluated => edge::RefusalReason::NotEvaluated,
            },
            server: refusal.server,
            message: refusal.message,
        };
        refusals.into_iter().map(refusal).collect()
    }

    fn expand_placeholders(text: String, plugin_root: String, plugin_data: String) -> String {
        package::expand_placeholders(&text, &plugin_root, &plugin_data)
    }

    fn expand_variables(text: String, values: Vec<(String, String)>) -> Result<String, edge::ExpansionFault> {
        let lookup =
            |name: &str| values.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
        package::expand_variables(&text, lookup).map_err(|fault| edge::ExpansionFault {
            missing: match fault {
                package::ExpansionFault::Missing(name) => Some(name),
                package::ExpansionFault::Malformed => None,
            },
        })
    }

    fn missing_variables(variables: Vec<edge::Variable>, present: Vec<String>) -> Vec<edge::Finding> {
        let variables: Vec<package::Variable> = variables.into_iter().map(read_variable).collect();
        let missing =
            package::missing_variables(&variables, |name| present.iter().any(|other| other == name));
        missing.into_iter().map(write_finding).collect()
    }
}

fn read_format(format: edge::Format) -> Format {
    match format {
        edge::Format::Portable => Format::Portable,
        edge::Format::StaticRepository => Format::StaticRepository,
    }
}

fn write_format(format: Format) -> edge::Format {
    match format {
        Format::Portable => edge::Format::Portable,
        Format::StaticRepository => edge::Format::StaticRepository,
    }
}

fn read_listing(listing: edge::Listing) -> package::Listing {
    let entry = |entry: edge::Entry| package::Entry {
        path: entry.path,
        exact: entry.exact,
        kind: match entry.kind {
            edge::EntryKind::File => NodeKind::File,
            edge::EntryKind::Folder => NodeKind::Folder,
            edge::EntryKind::Other => NodeKind::Other,
        },
        size: entry.size,
        link: entry.link.map(|link| match link {
            edge::Link::Inside(path) => Link::Inside(path),
            edge::Link::Outside => Link::Outside,
            edge::Link::Nowhere => Link::Nowhere,
            edge::Link::Circle => Link::Loop,
        }),
    };
    package::Listing {
        entries: listing.entries.into_iter().map(entry).collect(),
        truncated: listing.truncated,
    }
}

fn read_contents(contents: Vec<edge::Content>) -> Vec<package::Content> {
    let content = |content: edge::Content| package::Content {
        path: content.path,
        data: match content.data {
            edge::FileData::Bytes(bytes) => Ok(bytes),
            edge::FileData::Unreadable(code) => Err(FaultCode::of_name(&code)),
        },
    };
    contents.into_iter().map(content).collect()
}

fn write_needs(needs: Vec<package::Need>) -> Vec<edge::Need> {
    needs.into_iter().map(|need| edge::Need { path: need.path, limit: need.limit }).collect()
}

fn write_planned_file(file: package::PlannedFile) -> edge::PlannedFile {
    edge::PlannedFile {
        path: file.path,
        source: match file.source {
            Source::Folder => edge::Source::Folder,
            Source::Bytes(bytes) => edge::Source::Bytes(bytes),
            Source::Copy(path) => edge::Source::Copy(path),
        },
    }
}

fn write_report(report: Report) -> edge::Report {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    edge::Report {
        format: write_format(report.format),
        formats: report.formats.into_iter().map(write_format).collect(),
        name: report.name,
        version: report.version,
        rejected: report.rejected,
        findings: report.findings.into_iter().map(write_finding).collect(),
        errors: count(report.errors),
        warnings: count(report.warnings),
        servers: report
            .servers
            .into_iter()
            .map(|server| edge::Server {
                name: server.name,
                transport: server.transport.to_owned(),
                declaration: server.declaration,
            })
            .collect(),
        skills: report
            .skills
            .into_iter()
            .map(|skill| edge::Skill {
                name: skill.name,
                folder: skill.folder,
                requires_apps: skill.requires_apps,
            })
            .collect(),
        variables: report
            .variables
            .into_iter()
            .map(|variable| edge::Variable {
                name: variable.name,
                file: variable.file,
                pointer: variable.pointer,
            })
            .collect(),
        left_out: report.left_out,
    }
}

/// What the install gate looks at. Findings are not read back: what they come to is `rejected` and their number.
fn read_report(report: edge::Report) -> Report {
    Report {
        format: read_format(report.format),
        name: report.name,
        version: report.version,
        rejected: report.rejected,
        errors: report.errors as usize,
        warnings: report.warnings as usize,
        servers: report
            .servers
            .into_iter()
            .map(|server| package::Server {
                name: server.name,
                transport: "",
                declaration: server.declaration,
            })
            .collect(),
        ..Report::default()
    }
}

fn read_variable(variable: edge::Variable) -> package::Variable {
    package::Variable { name: variable.name, file: variable.file, pointer: variable.pointer }
}

fn write_finding(finding: Finding) -> edge::Finding {
    edge::Finding {
        severity: match finding.severity {
            package::Severity::Error => answer::Severity::Error,
            package::Severity::Warning => answer::Severity::Warning,
        },
        code: finding.code.to_owned(),
        section: finding.section.to_owned(),
        file: finding.file,
        pointer: finding.position.pointer,
        line: finding.position.line,
        column: finding.position.column,
        boundary: match finding.boundary {
            Boundary::Package => edge::Boundary::WholePackage,
            Boundary::Servers => edge::Boundary::Servers,
            Boundary::Skills => edge::Boundary::Skills,
            Boundary::Server(name) => edge::Boundary::Server(name),
            Boundary::Skill(name) => edge::Boundary::Skill(name),
            Boundary::Nothing => edge::Boundary::Nothing,
        },
        message: finding.message,
        help: finding.help,
    }
}

fn read_availability(found: answer::Availability) -> Availability {
    Availability {
        state: match found.state {
            answer::State::Available => State::Available,
            // A reserved word: what is not running is not proven to be there.
            answer::State::InstalledNotRunning | answer::State::MissingApp => State::MissingApp,
            answer::State::VersionTooOld => State::VersionTooOld,
            answer::State::UnsupportedOs => State::UnsupportedOs,
            answer::State::NoRequirements => State::NoRequirements,
        },
        version: found.version,
        path: found.path,
        min_version: found.min_version,
        reason: None,
    }
}
