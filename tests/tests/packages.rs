//! The vectors of `packages`, each as a real folder judged through the library: its listing, its reading, and the component
//! that ships. The rules alone are tested with the same vectors in `guest/tests/package.rs`, those that no folder can be too.

#![expect(dead_code, reason = "plans are compared by what is on the disk then")]

#[path = "../../guest/tests/package/expected.rs"]
mod expected;
mod folders;
#[path = "../../guest/tests/package/yaml.rs"]
mod yaml;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use appdecl::Severity;
use appdecl::package::{
    Boundary, Format, Package, PackageError, PackageFinding, PrepareError, Report, prepare,
};
use appdecl_guest::declaration;
use appdecl_guest::package as guest;
use libtest_mimic::{Arguments, Failed, Trial};

use expected::{Expected, Outcome, Purpose};

fn main() -> std::io::Result<ExitCode> {
    let arguments = Arguments::from_args();
    let mut vectors = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("packages"))? {
        vectors.push(entry?.path());
    }
    vectors.sort();
    let trials = vectors.into_iter().filter(|path| path.is_dir()).map(trial).collect();
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

fn trial(vector: PathBuf) -> Trial {
    let name = vector.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_ignored = !folders::is_on_disk(&vector) || is_unreadable(&vector);
    Trial::test(name, move || compare(&vector)).with_ignored_flag(is_ignored)
}

/// Whether a file of it can not be read, which nobody can bring about for whoever may read all.
fn is_unreadable(vector: &Path) -> bool {
    let extra = fs::read_to_string(vector.join("extra.yaml")).unwrap_or_default();
    yaml::parse(&extra).is_ok_and(|extra| extra.get("unreadable").is_some())
}

fn compare(vector: &Path) -> Result<(), Failed> {
    let expected = Expected::read(vector)?;
    let room = tempfile::tempdir()?;
    let folder = folders::make(vector, room.path())?;
    let package = match expected.purpose {
        Purpose::Judge(None) => Package::open(&folder),
        Purpose::Judge(Some(guest::Format::Portable)) => Package::open_as(&folder, Format::Portable),
        Purpose::Judge(Some(guest::Format::StaticRepository)) => {
            Package::open_as(&folder, Format::StaticRepository)
        }
        Purpose::Prepare => match prepare(&folder) {
            Ok(_) => return compare_prepared(vector, &folder),
            Err(PrepareError::Refused(package)) => Ok(*package),
            Err(PrepareError::Package(error)) => Err(error),
            Err(error) => return Err(error.into()),
        },
    };
    match package {
        Ok(package) => expected.compare(&Outcome::Report(report(package.validate())?)),
        // There is no report of what is no package at all.
        Err(PackageError::NoPackage(_)) if expected.findings.iter().all(|found| is_absence(&found.code)) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

fn is_absence(code: &str) -> bool {
    ["no-manifest", "file-missing"].contains(&code)
}

/// What preparing wrote is the plan, and the module is the one that is expected.
fn compare_prepared(vector: &Path, folder: &Path) -> Result<(), Failed> {
    let expected = yaml::parse(&fs::read_to_string(vector.join("expected.yaml"))?)?;
    for (path, source) in yaml::members(expected.get("plan"))? {
        let written = folder.join(path);
        let source = yaml::text(source)?;
        match source.strip_prefix("copy ") {
            Some(from) if fs::read(&written)? != fs::read(folder.join(from))? => {
                return Err(format!("{path} is no copy of {from}").into());
            }
            None if (source == "folder") != written.is_dir() => {
                return Err(format!("{path}: {source}").into());
            }
            _ => {}
        }
    }
    if let Some(module) = expected.get("module") {
        let written = fs::read_to_string(folder.join(".dsh-plugin/dsh-plugin.mjs"))?;
        if written != yaml::text(module)? {
            return Err(format!("another module: {written}").into());
        }
    }
    Ok(())
}

/// The report as the rules themselves have it.
fn report(from: &Report) -> Result<guest::Report, Failed> {
    let format = |format: &Format| match format {
        Format::Portable => Ok(guest::Format::Portable),
        Format::StaticRepository => Ok(guest::Format::StaticRepository),
        other => Err(Failed::from(format!("{other}"))),
    };
    let transport = |name: &str| {
        let known = ["stdio", "streamable-http", "sse", "http"];
        known
            .into_iter()
            .find(|known| *known == name)
            .ok_or_else(|| Failed::from(format!("transport {name}")))
    };
    Ok(guest::Report {
        format: format(&from.format)?,
        formats: from.formats.iter().map(format).collect::<Result<_, _>>()?,
        name: from.name.clone(),
        version: from.version.clone(),
        rejected: from.rejected,
        findings: from.findings.iter().map(finding).collect::<Result<_, _>>()?,
        errors: from.errors as usize,
        warnings: from.warnings as usize,
        servers: from
            .servers
            .iter()
            .map(|server| {
                Ok(guest::Server {
                    name: server.name.clone(),
                    transport: transport(&server.transport)?,
                    declaration: server.declaration.clone(),
                })
            })
            .collect::<Result<_, Failed>>()?,
        skills: from
            .skills
            .iter()
            .map(|skill| guest::Skill {
                name: skill.name.clone(),
                folder: skill.folder.clone(),
                requires_apps: skill.requires_apps.clone(),
            })
            .collect(),
        variables: from
            .variables
            .iter()
            .map(|variable| guest::Variable {
                name: variable.name.clone(),
                file: variable.file.clone(),
                pointer: variable.pointer.clone(),
            })
            .collect(),
        left_out: from.left_out.clone(),
    })
}

fn finding(from: &PackageFinding) -> Result<guest::Finding, Failed> {
    let codes = guest::CODES.iter().map(|code| code.name).chain(declaration::CODES);
    let sections = ["2", "9", "9.1", "9.2"];
    let unknown = || Failed::from(format!("{} of {}", from.code, from.section));
    Ok(guest::Finding {
        severity: match from.severity {
            Severity::Error => guest::Severity::Error,
            Severity::Warning => guest::Severity::Warning,
        },
        code: codes.into_iter().find(|code| *code == from.code).ok_or_else(unknown)?,
        section: sections.into_iter().find(|section| *section == from.section).ok_or_else(unknown)?,
        file: from.file.clone(),
        position: guest::Position { pointer: from.pointer.clone(), line: from.line, column: from.column },
        boundary: match &from.boundary {
            Boundary::Package => guest::Boundary::Package,
            Boundary::Servers => guest::Boundary::Servers,
            Boundary::Skills => guest::Boundary::Skills,
            Boundary::Server(name) => guest::Boundary::Server(name.clone()),
            Boundary::Skill(name) => guest::Boundary::Skill(name.clone()),
            Boundary::Nothing => guest::Boundary::Nothing,
            other => return Err(format!("{other}").into()),
        },
        message: from.message.clone(),
        help: from.help.clone(),
    })
}
