//! What the paths of the command line hold.

use std::path::PathBuf;

use appdecl::facts::Replay;
use appdecl::input::{self, Declared, Finding, InputError};
use appdecl::{Gate, GateBuilder};

/// The paths of a verb.
#[derive(Debug, clap::Args)]
pub(super) struct Paths {
    /// A package (a folder with a plugin.json), or a JSON or YAML file that holds one declaration, or several under
    /// `servers`
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Everything that the paths declare.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The declarations.
    pub(super) declared: Vec<Declared>,
    /// What is wrong around them.
    pub(super) findings: Vec<Finding>,
    /// The paths that declare nothing.
    pub(super) errors: Vec<InputError>,
}

impl Paths {
    /// Reads all of them. One that can not be read hides no other.
    pub(super) fn read(&self) -> Sources {
        let mut sources = Sources::default();
        for path in &self.paths {
            match input::read(path) {
                Ok(input) => {
                    sources.declared.extend(input.declared);
                    sources.findings.extend(input.findings);
                }
                Err(error) => sources.errors.push(error),
            }
        }
        sources
    }
}

/// Which machine is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Machine {
    /// Ask a facts file instead of this machine
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
}

impl Machine {
    /// A gate for that machine. The outer error is the program's, the inner one the facts file's.
    pub(super) fn gate(&self) -> anyhow::Result<Result<Gate, InputError>> {
        self.gate_of(Gate::builder())
    }

    /// The same for a gate that is made in another way than usual.
    pub(super) fn gate_of(&self, builder: GateBuilder) -> anyhow::Result<Result<Gate, InputError>> {
        let builder = match &self.facts {
            Some(path) => match input::read_facts(path) {
                Ok(facts) => builder.facts(Replay::new(facts)),
                Err(error) => return Ok(Err(error)),
            },
            None => builder,
        };
        Ok(Ok(builder.build()?))
    }
}

/// Which of the declared servers are asked about.
#[derive(Debug, clap::Args)]
pub(super) struct Servers {
    /// Ask only for this server; may be given several times
    #[arg(long = "server", value_name = "NAME")]
    names: Vec<String>,
}

impl Servers {
    /// Those that were chosen; all where none is named.
    pub(super) fn choose<'d>(&self, declared: &'d [Declared]) -> Vec<&'d Declared> {
        let is_chosen = |server: &String| self.names.is_empty() || self.names.contains(server);
        declared.iter().filter(|declared| is_chosen(&declared.server)).collect()
    }

    /// The names that nothing declares.
    pub(super) fn strangers(&self, declared: &[Declared]) -> Vec<&String> {
        self.names.iter().filter(|name| !declared.iter().any(|declared| declared.server == **name)).collect()
    }
}
