//! `appdecl component`: the components that are built in, for other runtimes.

use std::path::PathBuf;

use appdecl::{COMPONENT, COMPONENT_SHA256, PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256};

use super::{Outcome, Output, write};

/// Print the size and SHA-256 of a built-in component, and write it to a file
///
/// Any runtime of the WebAssembly component model can load it. `appdecl wit` prints its contract.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Write the component to this file; `-` is standard output
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
            write::answer(output, path, component)?;
        }
        let said = format!("size {} bytes\nsha256 {hash}\n", component.len());
        match &self.output {
            Some(path) if write::is_standard_output(path) => output.aside(&said),
            _ => output.answer(&said)?,
        }
        Ok(Outcome::Good)
    }
}
