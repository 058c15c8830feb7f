//! `appdecl new`: a declaration and a suite to start from.

use std::fs;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;

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
        let systems = if self.systems.is_empty() { System::value_variants() } else { &self.systems };
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("`{}` can not be made", self.folder.display()))?;
        for (ending, text) in [("yaml", declaration(&name, systems)), ("suite.yaml", suite(&name, systems))] {
            let path = self.folder.join(format!("{name}.{ending}"));
            fs::File::create_new(&path)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .with_context(|| format!("`{}` can not be written", path.display()))?;
            output.answer(&format!("{}\n", path.display()))?;
        }
        Ok(Outcome::Good)
    }
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

/// A name that may be that of a file on every system, and stands in YAML without quotes.
fn name(given: &str) -> Result<String, String> {
    let good = given.len() <= 64
        && given.starts_with(|first: char| first.is_ascii_lowercase())
        && given.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if good {
        Ok(given.to_owned())
    } else {
        Err("a name is at most 64 lower-case letters, digits and `-`, and begins with a letter".to_owned())
    }
}

fn declaration(name: &str, systems: &[System]) -> String {
    let mut text = String::from(
        "# Where the application is found on each system, and how its version is read.\napp:\n",
    );
    for system in systems {
        text.push_str(&match system {
            System::Win32 => format!(
                "  win32:\n    presence: executable\n    location: '%ProgramFiles%\\{name}\\{name}.exe'\n    \
                 # The version that Windows shows under installed applications.\n    \
                 version: {{ kind: uninstall_registry, display_name_prefix: {name} }}\n"
            ),
            System::Darwin => format!(
                "  darwin:\n    presence: bundle\n    # In /Applications, or in the user's own Applications.\n    \
                 location: [ {{ kind: app_bundle, name: {name}.app }} ]\n    version: {{ kind: plist }}\n"
            ),
            System::Linux => format!(
                "  linux:\n    presence: executable\n    # Places are tried in this order.\n    \
                 location: [ /opt/{name}/{name}, {{ kind: command, name: {name} }} ]\n"
            ),
        });
    }
    text.push_str("# What is asked of it.\nrequires:\n  app: true\n");
    if systems != [System::Linux] {
        text.push_str("  # In quotes, or YAML takes it for a number.\n  min_version: '1.0'\n");
    }
    text
}

fn suite(name: &str, systems: &[System]) -> String {
    let mut text = format!(
        "# Machines on paper, and what the declaration comes to on each. Run it with `appdecl test`.\nsuite: {name}\n\
         package: {name}.yaml\nserver: {name}\ncases:\n"
    );
    for system in systems {
        text.push_str(&match system {
            System::Win32 => format!(
                "  - name: installed on Windows\n    facts:\n      os: win32\n      \
                 env: {{ ProgramFiles: 'C:\\Program Files' }}\n      \
                 files: {{ 'C:\\Program Files\\{name}\\{name}.exe': file }}\n      registry:\n        \
                 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\{name}': \
                 {{ DisplayName: {name}, DisplayVersion: 1.2.0 }}\n    \
                 expect: {{ state: available, version: 1.2.0 }}\n  \
                 - name: not installed on Windows\n    \
                 facts: {{ os: win32, env: {{ ProgramFiles: 'C:\\Program Files' }} }}\n    \
                 expect: {{ state: missing_app, reason: not-found }}\n"
            ),
            System::Darwin => format!(
                "  - name: too old on macOS\n    facts:\n      os: darwin\n      home: /Users/u\n      files:\n        \
                 /Applications/{name}.app/Contents/Info.plist: \
                 {{ plist: {{ CFBundleShortVersionString: 0.9.1 }} }}\n    \
                 expect: {{ state: version_too_old, version: 0.9.1, reason: version-below-minimum }}\n"
            ),
            System::Linux => format!(
                "  - name: on the PATH of Linux\n    \
                 facts: {{ os: linux, env: {{ PATH: /usr/bin }}, files: {{ /usr/bin/{name}: executable }} }}\n    \
                 expect: {{ state: available, path: /usr/bin/{name} }}\n"
            ),
        });
    }
    text
}
