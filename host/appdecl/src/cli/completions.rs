//! `appdecl completions`: completion scripts for shells.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, Outcome, Output};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  appdecl completions bash > ~/.local/share/bash-completion/completions/appdecl
  appdecl completions zsh > ~/.zfunc/_appdecl
  appdecl completions fish > ~/.config/fish/completions/appdecl.fish
  appdecl completions powershell >> $PROFILE";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "appdecl", &mut script);
        output.answer(&String::from_utf8(script)?)?;
        Ok(Outcome::Good)
    }
}
