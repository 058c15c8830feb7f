//! `appdecl prepare`: what a static repository plugin is published with.

use std::path::PathBuf;

use appdecl::package::{PrepareError, prepare};

use super::clean::clean;
use super::packages;
use super::{Outcome, Output};

/// Write the assets and the module of a static repository plugin
///
/// The same package gives the same bytes. A fault leaves what was there.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The package: a folder with a .dsh-plugin
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  appdecl prepare my-repository

Exit codes: 0 prepared, 2 usage or a package with faults, 3 could not write";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        match prepare(&self.path) {
            Ok(written) => {
                let lines = written.iter().map(|path| {
                    let path = self.path.join(path).display().to_string();
                    format!("{}: written\n", clean(&path))
                });
                output.answer(&lines.collect::<String>())?;
                Ok(Outcome::Good)
            }
            Err(PrepareError::Refused(package)) => {
                output.aside(&packages::findings_text(&package));
                Ok(Outcome::Invalid)
            }
            Err(PrepareError::Package(error)) => {
                output.problem(&error.to_string());
                Ok(Outcome::Invalid)
            }
            Err(error) => Err(error.into()),
        }
    }
}
