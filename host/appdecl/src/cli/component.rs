//! `appdecl component`: the component that is built in, for other runtimes.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use appdecl::{COMPONENT, COMPONENT_SHA256};

use super::{Outcome, Output};

/// Print the size and SHA-256 of the built-in component, and write it to a file
///
/// Any runtime of the WebAssembly component model can load it. `appdecl wit` prints its contract.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Write the component to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  appdecl component
  appdecl component -o appdecl.wasm";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        if let Some(path) = &self.output {
            fs::write(path, COMPONENT).with_context(|| format!("`{}` can not be written", path.display()))?;
        }
        output.answer(&format!("size {} bytes\nsha256 {COMPONENT_SHA256}\n", COMPONENT.len()))?;
        Ok(Outcome::Good)
    }
}
