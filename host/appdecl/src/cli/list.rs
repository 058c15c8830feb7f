//! `appdecl list`: what a folder of packages holds.

use std::path::PathBuf;

use anyhow::Context as _;
use appdecl::package::installed;

use super::clean::clean;
use super::{Format, Outcome, Output};

/// List the packages in a folder of packages
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder of packages
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl list ~/plugins
  appdecl list ~/plugins --format json";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let packages = installed(&self.folder)
            .with_context(|| format!("`{}` can not be read", self.folder.display()))?;
        match self.format {
            Format::Json => output.json(&packages)?,
            Format::Text => {
                let lines = packages.iter().map(|package| {
                    let version = package.version.as_deref().unwrap_or("-");
                    let name = package.name.as_deref().unwrap_or("-");
                    format!("{} {} {}\n", clean(&package.folder), clean(name), clean(version))
                });
                output.answer(&lines.collect::<String>())?;
            }
        }
        Ok(Outcome::Good)
    }
}
