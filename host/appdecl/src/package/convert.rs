//! Between the generated types and the public ones.

use super::bindings::exports::appdecl::gate::types;
use super::report::{
    Boundary, Format, PackageFinding, PackageServer, PackageSkill, Refusal, RefusalReason, Report, Variable,
};
use super::wit;
use crate::answer::{Availability, Severity, State};

/// What the gate's component answered, as this one takes it.
pub(super) fn availability(from: Availability) -> types::Availability {
    let Availability { state, version, path, min_version, offerable, reason } = from;
    let state = match state {
        State::Available => types::State::Available,
        State::InstalledNotRunning => types::State::InstalledNotRunning,
        State::MissingApp => types::State::MissingApp,
        State::VersionTooOld => types::State::VersionTooOld,
        State::UnsupportedOs => types::State::UnsupportedOs,
        State::NoRequirements => types::State::NoRequirements,
    };
    types::Availability { state, version, path, min_version, offerable, reason }
}

fn severity(from: types::Severity) -> Severity {
    match from {
        types::Severity::Error => Severity::Error,
        types::Severity::Warning => Severity::Warning,
    }
}

impl From<Format> for wit::Format {
    fn from(from: Format) -> Self {
        match from {
            Format::Portable => Self::Portable,
            Format::StaticRepository => Self::StaticRepository,
        }
    }
}

impl From<wit::Format> for Format {
    fn from(from: wit::Format) -> Self {
        match from {
            wit::Format::Portable => Self::Portable,
            wit::Format::StaticRepository => Self::StaticRepository,
        }
    }
}

impl From<wit::Boundary> for Boundary {
    fn from(from: wit::Boundary) -> Self {
        match from {
            wit::Boundary::WholePackage => Self::Package,
            wit::Boundary::Servers => Self::Servers,
            wit::Boundary::Skills => Self::Skills,
            wit::Boundary::Server(name) => Self::Server(name),
            wit::Boundary::Skill(name) => Self::Skill(name),
            wit::Boundary::Nothing => Self::Nothing,
        }
    }
}

impl From<wit::Finding> for PackageFinding {
    fn from(from: wit::Finding) -> Self {
        Self {
            severity: severity(from.severity),
            code: from.code,
            section: from.section,
            file: from.file,
            pointer: from.pointer,
            line: from.line,
            column: from.column,
            boundary: from.boundary.into(),
            message: from.message,
            help: from.help,
        }
    }
}

impl From<wit::Report> for Report {
    fn from(from: wit::Report) -> Self {
        Self {
            format: from.format.into(),
            formats: from.formats.into_iter().map(Into::into).collect(),
            name: from.name,
            version: from.version,
            rejected: from.rejected,
            findings: from.findings.into_iter().map(Into::into).collect(),
            errors: from.errors,
            warnings: from.warnings,
            servers: from.servers.into_iter().map(Into::into).collect(),
            skills: from.skills.into_iter().map(Into::into).collect(),
            variables: from.variables.into_iter().map(Into::into).collect(),
            left_out: from.left_out,
        }
    }
}

impl From<wit::Server> for PackageServer {
    fn from(from: wit::Server) -> Self {
        Self { name: from.name, transport: from.transport, declaration: from.declaration }
    }
}

impl From<wit::Skill> for PackageSkill {
    fn from(from: wit::Skill) -> Self {
        Self { name: from.name, folder: from.folder, requires_apps: from.requires_apps }
    }
}

impl From<wit::Variable> for Variable {
    fn from(from: wit::Variable) -> Self {
        Self { name: from.name, file: from.file, pointer: from.pointer }
    }
}

impl From<wit::Refusal> for Refusal {
    fn from(from: wit::Refusal) -> Self {
        let reason = match from.reason {
            wit::RefusalReason::PackageFault => RefusalReason::PackageFault,
            wit::RefusalReason::PlatformMismatch => RefusalReason::PlatformMismatch,
            wit::RefusalReason::UnsupportedOs => RefusalReason::UnsupportedOs,
            wit::RefusalReason::MissingApp => RefusalReason::MissingApp,
            wit::RefusalReason::VersionTooOld => RefusalReason::VersionTooOld,
            wit::RefusalReason::NotEvaluated => RefusalReason::NotEvaluated,
        };
        Self { reason, server: from.server, message: from.message }
    }
}
