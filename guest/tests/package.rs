//! The vectors of `tests/packages`, one named trial each: the package there is listed, judged in as many rounds as it
//! takes, and everything that comes out is compared with `expected.yaml`.

#![expect(clippy::disallowed_methods, reason = "a test plays the host, which reads the disk")]

mod package {
    pub(crate) mod expected;
    pub(crate) mod folder;
    pub(crate) mod yaml;
}

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use appdecl_guest::package::{CODES, Content, Inspection, Need, Preparation, inspect, prepare};
use libtest_mimic::{Arguments, Failed, Trial};

use self::package::expected::{Expected, Outcome, Purpose};
use self::package::folder::Folder;

fn main() -> io::Result<ExitCode> {
    let arguments = Arguments::from_args();
    let vectors = vectors()?;
    let mut trials: Vec<Trial> = vectors.iter().cloned().map(trial).collect();
    trials.push(Trial::test("every_code_has_a_vector", move || every_code_has_a_vector(&vectors)));
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

/// The folders of all vectors, by name.
fn vectors() -> io::Result<Vec<PathBuf>> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/packages");
    let entries: Vec<fs::DirEntry> = fs::read_dir(all)?.collect::<Result<_, _>>()?;
    let mut vectors: Vec<PathBuf> =
        entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
    vectors.sort();
    Ok(vectors)
}

fn trial(vector: PathBuf) -> Trial {
    let name = vector.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Trial::test(name, move || {
        let expected = Expected::read(&vector)?;
        let folder = Folder::read(&vector)?;
        expected.compare(&judge(&folder, expected.purpose)?)
    })
}

/// Judges or prepares a package as a host does: lists it once and reads what is needed, round by round.
fn judge(folder: &Folder, purpose: Purpose) -> Result<Outcome, Failed> {
    let listing = folder.listing();
    let mut contents: Vec<Content> = Vec::new();
    for _ in 0..3 {
        let needs: Vec<Need> = match purpose {
            Purpose::Judge(format) => match inspect(&listing, &contents, format) {
                Inspection::Needs(needs) => needs,
                Inspection::Report(report) => return Ok(Outcome::Report(report)),
            },
            Purpose::Prepare => match prepare(&listing, &contents) {
                Preparation::Needs(needs) => needs,
                Preparation::Refused(report) => return Ok(Outcome::Report(report)),
                Preparation::Plan(plan) => return Ok(Outcome::Plan(plan)),
            },
        };
        for need in needs {
            if contents.iter().any(|content| content.path == need.path) {
                return Err(format!("{} is needed twice", need.path).into());
            }
            let data = folder.content(&need.path, need.limit)?;
            contents.push(Content { path: need.path, data });
        }
    }
    Err("more than two rounds of reading".into())
}

/// A rule whose code no vector expects would not be missed if it went.
fn every_code_has_a_vector(vectors: &[PathBuf]) -> Result<(), Failed> {
    // What is missing when a plugin is loaded is compared for every vector that has variables.
    let mut seen = BTreeSet::from(["variable-missing".to_owned()]);
    for vector in vectors {
        for finding in Expected::read(vector)?.findings {
            seen.insert(finding.code);
        }
    }
    let unseen: Vec<&str> = CODES.iter().map(|code| code.name).filter(|name| !seen.contains(*name)).collect();
    if unseen.is_empty() { Ok(()) } else { Err(format!("no vector expects {}", unseen.join(", ")).into()) }
}
