//! Runs the command.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

/// How a run ended.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The command, to be run in `folder` with an environment that says nothing of this machine.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_appdecl"));
    command.current_dir(folder).env("HOME", folder).env("PATH", folder).env_remove("NO_COLOR");
    command
}

/// Runs the command in `folder`.
pub fn run<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Run {
    command(folder).args(arguments).output().unwrap().into()
}
