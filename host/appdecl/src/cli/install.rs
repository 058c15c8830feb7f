//! `appdecl install`: a package into a folder of packages, whole or not at all.

use std::path::PathBuf;

use appdecl::package::{InstallError, Installed, Package, Refusal};
use serde::Serialize;

use super::clean::clean;
use super::packages;
use super::sources::Machine;
use super::{Format, Outcome, Output};

/// Copy a package into a folder of packages, if nothing speaks against it on this machine
///
/// Every reason against it is told at once, and nothing is written then. The folder has the old package or the new one
/// whole, however the run ends. An archive is judged without being unpacked; it may have one folder around the package.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The package: a folder with a plugin.json or a .dsh-plugin, or a tar.gz or zip archive of one
    #[arg(value_name = "SRC")]
    source: PathBuf,
    /// The folder of packages; it must exist
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// The systems that the package's catalogue names, such as windows, macos or linux
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    platforms: Vec<String>,
    /// Decide, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Take the place of a package of the same name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    machine: Machine,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl install my-plugin --into ~/plugins
  appdecl install my-plugin-1.0.tar.gz --into ~/plugins --replace
  appdecl install my-plugin --into ~/plugins --platforms windows,macos --dry-run

Exit codes: 0 installed, 1 refused for this machine, 2 usage, a package with faults or one that is there already,
3 could not write";

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    installed: Option<&'r Installed>,
    dry_run: bool,
    refusals: &'r [Refusal],
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let Some(gate) = self.machine.gate(output)? else { return Ok(Outcome::Invalid) };
        let package = match Package::open(&self.source) {
            Ok(package) => package,
            Err(error) => {
                output.problem(&error.to_string());
                return Ok(Outcome::Invalid);
            }
        };
        output.aside(&packages::findings_text(&package));
        let refusals = package.install_gate(&gate, &self.platforms)?;
        let installed = match (refusals.is_empty(), self.dry_run) {
            (false, _) => Ok(None),
            (true, true) => package.installed_name().map(|_| None),
            (true, false) => package.install(&self.into, self.replace).map(Some),
        };
        let installed = match installed {
            Ok(installed) => installed,
            Err(
                error @ (InstallError::Io { .. } | InstallError::Busy(_) | InstallError::Changed(_)),
            ) => return Err(error.into()),
            Err(InstallError::Exists(folder)) if !self.replace => {
                output.problem(&format!(
                    "`{folder}` is installed already: replace it with --replace, or uninstall it first"
                ));
                return Ok(Outcome::Invalid);
            }
            Err(error) => {
                output.problem(&error.to_string());
                return Ok(Outcome::Invalid);
            }
        };
        match self.format {
            Format::Json => output.json(&Report {
                installed: installed.as_ref(),
                dry_run: self.dry_run,
                refusals: &refusals,
            })?,
            Format::Text => {
                output.answer(&self.text(installed.as_ref(), &refusals))?;
                if let (Some(_), [first, rest @ ..]) = (&installed, package.validate().left_out.as_slice()) {
                    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
                    output.answer(&format!("  left out: {}{more}\n", clean(first)))?;
                }
            }
        }
        Ok(match (refusals.is_empty(), package.validate().rejected) {
            (true, _) => Outcome::Good,
            (false, false) => Outcome::NotOffered,
            (false, true) => Outcome::Invalid,
        })
    }

    fn text(&self, installed: Option<&Installed>, refusals: &[Refusal]) -> String {
        let source = self.source.display().to_string();
        let source = clean(&source);
        if let Some(installed) = installed {
            let place = self.into.join(&installed.folder).display().to_string();
            return format!("{source}: installed as {}\n", clean(&place));
        }
        if refusals.is_empty() {
            return format!("{source}: may be installed here\n");
        }
        let reasons = refusals.iter().map(|refusal| format!("  {}\n", clean(&refusal.message)));
        format!("{source}: may not be installed here\n{}", reasons.collect::<String>())
    }
}
