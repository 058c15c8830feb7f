//! `appdecl uninstall`: a package out of a folder of packages, whole or not at all.

use std::path::PathBuf;

use appdecl::package::{InstallError, uninstall};

use super::clean::clean;
use super::{Outcome, Output};

/// Remove a package from a folder of packages
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The package's name
    #[arg(value_name = "NAME")]
    name: String,
    /// The folder of packages
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  appdecl uninstall acme --from ~/plugins

Exit codes: 0 removed, 2 usage or no such package, 3 could not write";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        match uninstall(&self.name, &self.from) {
            Ok(()) => {
                output.answer(&format!("{}: removed\n", clean(&self.name)))?;
                Ok(Outcome::Good)
            }
            Err(error @ (InstallError::BadName(_) | InstallError::Missing(_) | InstallError::NoPackage(_))) => {
                output.problem(&error.to_string());
                Ok(Outcome::Invalid)
            }
            Err(error) => Err(error.into()),
        }
    }
}
