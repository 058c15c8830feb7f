//! `appdecl new`: a declaration and a suite to start from.

mod text;

use std::fs;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;

use super::{Outcome, Output};

/// Write a commented declaration and a suite for it, both good as they are
///
/// On a terminal the name is asked for where it is not given; elsewhere nothing is asked. Files that are there already
/// are never overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder to write into; it is made where it does not exist
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The server's name, and that of the files
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// The systems to declare; all three unless it is said
    #[arg(long = "os", value_enum, value_delimiter = ',')]
    systems: Vec<System>,
}

const EXAMPLES: &str = "\
Examples:
  appdecl new --name acme
  appdecl new policies --name acme --os win32,darwin

Exit codes: 0 written, 2 usage, 3 could not run";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    Win32,
    Darwin,
    Linux,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let name = match self.name {
            Some(name) => name,
            None => asked()?,
        };
        let is_asked_for = |system: &System| self.systems.is_empty() || self.systems.contains(system);
        let systems: Vec<System> = System::value_variants().iter().copied().filter(is_asked_for).collect();
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("`{}` can not be made", self.folder.display()))?;
        let declaration = self.folder.join(format!("{name}.yaml"));
        let suite = self.folder.join(format!("{name}.suite.yaml"));
        write_new(&declaration, &text::declaration(&name, &systems))?;
        if let Err(error) = write_new(&suite, &text::suite(&name, &systems)) {
            // Both or none: half a start is no start.
            let _ = fs::remove_file(&declaration);
            return Err(error);
        }
        output.answer(&format!("{}\n{}\n", declaration.display(), suite.display()))?;
        Ok(Outcome::Good)
    }
}

fn write_new(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("`{}` can not be written", path.display()))
}

/// The name, from a user who is there to ask.
fn asked() -> anyhow::Result<String> {
    const UNASKED: &str = "acme";
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(UNASKED.to_owned());
    }
    write!(io::stderr(), "name of the server [{UNASKED}]: ")?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    match line.trim() {
        "" => Ok(UNASKED.to_owned()),
        given => name(given).map_err(anyhow::Error::msg),
    }
}

/// A name that may be that of a file on every system.
fn name(given: &str) -> Result<String, String> {
    let good = given.len() <= 64
        && given.starts_with(|first: char| first.is_ascii_lowercase())
        && given.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !good {
        return Err("a name is at most 64 lower-case letters, digits and `-`, and begins with a letter".to_owned());
    }
    if is_device(given) {
        return Err(format!("`{given}` is the name of a device on Windows, where no file can have it"));
    }
    Ok(given.to_owned())
}

/// Names that Windows keeps for devices, whatever their ending.
/// <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
fn is_device(name: &str) -> bool {
    let numbered = |word| name.strip_prefix(word).is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']));
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}
