//! `appdecl component`: the components that are built in, for other runtimes.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use appdecl::{COMPONENT, COMPONENT_SHA256, PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256};

use super::{Outcome, Output};

/// Print the size and SHA-256 of a built-in component, and write it to a file
///
/// Any runtime of the WebAssembly component model can load it. `appdecl wit` prints its contract.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Write the component to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take the component with the rules of packages, instead of the one that answers about a machine
    #[arg(long)]
    packages: bool,
}

const EXAMPLES: &str = "\
Examples:
  appdecl component
  appdecl component -o appdecl.wasm
  appdecl component --packages -o appdecl-packages.wasm";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let (component, hash) = if self.packages {
            (PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256)
        } else {
            (COMPONENT, COMPONENT_SHA256)
        };
        if let Some(path) = &self.output {
            fs::write(path, component).with_context(|| format!("`{}` can not be written", path.display()))?;
        }
        output.answer(&format!("size {} bytes\nsha256 {hash}\n", component.len()))?;
        Ok(Outcome::Good)
    }
}
