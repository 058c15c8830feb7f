//! What the paths of the command line hold.

use std::path::{Path, PathBuf};

use appdecl::facts::Replay;
use appdecl::input::{self, Declared, Finding, InputError};
use appdecl::package::{Package, PackageError};
use appdecl::{Gate, Limits};

/// The paths of a verb.
#[derive(Debug, clap::Args)]
pub(super) struct Paths {
    /// A package (a folder with a plugin.json or a .dsh-plugin), or a JSON or YAML file that holds one declaration, or several under
    /// `servers`
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Everything that the paths declare.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The packages.
    pub(super) packages: Vec<Package>,
    /// The declarations that stand in files of their own.
    pub(super) declared: Vec<Declared>,
    /// What is wrong around them.
    pub(super) findings: Vec<Finding>,
    /// The paths that hold neither.
    pub(super) errors: Vec<SourceError>,
}

/// Why a path holds nothing.
#[derive(Debug)]
pub(super) enum SourceError {
    Input(InputError),
    Package(PathBuf, PackageError),
}

impl Paths {
    /// Reads all of them. One that can not be read hides no other.
    pub(super) fn read(&self) -> Sources {
        let mut sources = Sources::default();
        for path in &self.paths {
            sources.add(path);
        }
        sources
    }
}

impl Sources {
    fn add(&mut self, path: &Path) {
        if Package::is_at(path) {
            match Package::open(path) {
                Ok(package) => self.packages.push(package),
                Err(error) => self.errors.push(SourceError::Package(path.to_owned(), error)),
            }
            return;
        }
        match input::read(path) {
            Ok(input) => {
                self.declared.extend(input.declared);
                self.findings.extend(input.findings);
            }
            Err(error) => self.errors.push(SourceError::Input(error)),
        }
    }
}

/// Which machine is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Machine {
    /// Ask a facts file instead of this machine
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
}

impl Machine {
    /// A gate for that machine. The outer error is the program's, the inner one the facts file's.
    pub(super) fn gate(&self) -> anyhow::Result<Result<Gate, InputError>> {
        let builder = Gate::builder().limits(Limits::default());
        let builder = match &self.facts {
            Some(path) => match input::read_facts(path) {
                Ok(facts) => builder.facts(Replay::new(facts)),
                Err(error) => return Ok(Err(error)),
            },
            None => builder,
        };
        Ok(Ok(builder.build()?))
    }
}
