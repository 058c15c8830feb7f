//! `appdecl wit`: the component's contract.

use super::{Outcome, Output};

/// Print the component's contract: its WIT packages as one file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

const EXAMPLES: &str = "\
Examples:
  appdecl wit
  appdecl wit > appdecl.wit";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        output.answer(appdecl::WIT)?;
        Ok(Outcome::Good)
    }
}
