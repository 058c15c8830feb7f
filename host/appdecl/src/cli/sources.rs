//! What the paths of the command line hold.

use std::path::{Path, PathBuf};

use appdecl::facts::Replay;
use appdecl::input::{self, Declared, Finding, InputError};
use appdecl::package::Package;
use appdecl::{Error, Gate, GateBuilder};

use super::{Output, findings, packages};

/// The paths of a verb.
#[derive(Debug, clap::Args)]
pub(super) struct Paths {
    /// A package (a folder with a plugin.json or a .dsh-plugin, or a tar.gz or zip archive of one), or a JSON or YAML file
    /// that holds one declaration, or several under `servers`
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Everything that the paths declare.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The declarations.
    pub(super) declared: Vec<Declared>,
    /// What is wrong around those that stand in files of their own.
    pub(super) findings: Vec<Finding>,
    /// The packages.
    pub(super) packages: Vec<Package>,
    /// The paths that hold nothing.
    pub(super) errors: Vec<InputError>,
}

impl Paths {
    /// Reads all of them. One that can not be read hides no other.
    pub(super) fn read(&self) -> Sources {
        let mut sources = Sources::default();
        for path in &self.paths {
            sources.add(path);
        }
        sources
    }
}

impl Sources {
    /// What one path declares.
    pub(super) fn of(path: &Path) -> Self {
        let mut sources = Self::default();
        sources.add(path);
        sources
    }

    fn add(&mut self, path: &Path) {
        match input::read(path) {
            Ok(input) => {
                self.declared.extend(input.declared);
                self.findings.extend(input.findings);
                self.packages.extend(input.package);
            }
            Err(error) => self.errors.push(error),
        }
    }

    /// Says which paths hold nothing, and what is wrong with the packages.
    pub(super) fn tell(&self, output: &mut Output) {
        self.errors.iter().for_each(|error| output.aside(&findings::error_text(error)));
        self.packages.iter().for_each(|package| output.aside(&packages::findings_text(package)));
    }

    /// Whether a path holds nothing, or a package has faults.
    pub(super) fn is_faulty(&self) -> bool {
        !self.errors.is_empty() || self.packages.iter().any(|package| packages::faults(package, false) > 0)
    }

    /// Says everything that is wrong. Whether nothing of it may be used: what a fault takes down in a package leaves the
    /// rest of that.
    pub(super) fn refuse(&self, output: &mut Output) -> bool {
        self.tell(output);
        output.aside(&findings::text(&self.findings));
        let rejected = self.packages.iter().any(|package| package.validate().rejected);
        rejected || !self.errors.is_empty() || !self.findings.is_empty()
    }

    /// The declaration of that server; the only one where no server is named. Says why where there is none.
    pub(super) fn one(&self, server: Option<&str>, output: &mut Output) -> Option<&Declared> {
        self.find(server).map_err(|problem| output.problem(&problem)).ok()
    }

    fn find(&self, server: Option<&str>) -> Result<&Declared, String> {
        match (server, self.declared.as_slice()) {
            (None, []) => Err("no server is declared there".to_owned()),
            (None, [only]) => Ok(only),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|declared| declared.server.as_str()).collect();
                Err(format!("say which server with --server: `{}`", names.join("`, `")))
            }
            (Some(name), declared) => declared
                .iter()
                .find(|declared| declared.server == name)
                .ok_or_else(|| no_such_server(name, declared)),
        }
    }
}

/// Says that no such server is declared, and which ones are: the first few, by file.
pub(super) fn no_such_server(name: &str, declared: &[Declared]) -> String {
    const SHOWN: usize = 5;
    let (shown, others) = declared.split_at_checked(SHOWN).unwrap_or((declared, &[]));
    let by_file = shown.chunk_by(|one, other| one.label() == other.label()).map(|of_one| {
        let names: Vec<&str> = of_one.iter().map(|declared| declared.server.as_str()).collect();
        let file = of_one.first().map_or("", Declared::label);
        format!("`{file}` declares `{}`", names.join("`, `"))
    });
    let mut known: Vec<String> = by_file.collect();
    if !others.is_empty() {
        known.push(format!("{} more are not shown", others.len()));
    }
    match known.is_empty() {
        true => format!("no server `{name}` is declared there, nor any other"),
        false => format!("no server `{name}` is declared there: {}", known.join("; ")),
    }
}

/// Registers a declaration to stay. Whether it could be; its faults are said where it has some.
pub(super) fn register(gate: &Gate, declared: &Declared, output: &mut Output) -> Result<bool, Error> {
    match gate.register(&declared.server, &declared.declaration, declared.label(), None) {
        Ok(()) => Ok(true),
        Err(Error::Invalid(faults)) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| declared.finding(fault)).collect();
            output.aside(&findings::text(&faults));
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Registers a declaration for as long as it is asked about, so that equal names in several files do not meet, and no answer
/// depends on what was asked before.
pub(super) fn while_registered<T>(
    gate: &Gate,
    declared: &Declared,
    ask: impl FnOnce(&str) -> Result<T, Error>,
) -> Result<T, Error> {
    let server = declared.server.as_str();
    gate.register(server, &declared.declaration, declared.label(), None)?;
    let answer = ask(server);
    gate.unregister(server)?;
    answer
}

/// Which machine is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Machine {
    /// Ask a facts file instead of this machine
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
}

impl Machine {
    /// A gate for that machine; none where the facts file is at fault, which is said then.
    pub(super) fn gate(&self, output: &mut Output) -> anyhow::Result<Option<Gate>> {
        self.gate_of(Gate::builder(), output)
    }

    /// The same for a gate that is made in another way than usual.
    pub(super) fn gate_of(&self, builder: GateBuilder, output: &mut Output) -> anyhow::Result<Option<Gate>> {
        let builder = match &self.facts {
            Some(path) => match input::read_facts(path) {
                Ok(facts) => builder.facts(Replay::new(facts)),
                Err(error) => {
                    output.aside(&findings::error_text(&error));
                    return Ok(None);
                }
            },
            None => builder,
        };
        Ok(Some(builder.build()?))
    }
}

/// One path and the machine that is asked about it.
#[derive(Debug, clap::Args)]
pub(super) struct Place {
    /// A package (a folder with a plugin.json), or a JSON or YAML file that holds one declaration, or several under
    /// `servers`; read once, at the start
    #[arg(value_name = "PATH")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) machine: Machine,
}

/// What is asked of a machine, and for which caller.
#[derive(Debug, clap::Args)]
pub(super) struct Question {
    #[command(flatten)]
    pub(super) paths: Paths,
    #[command(flatten)]
    pub(super) machine: Machine,
    #[command(flatten)]
    pub(super) servers: Servers,
    /// Answer as for a caller that is connected to the servers; this is the default
    #[arg(long)]
    connected: bool,
    /// Answer as for a caller that is not connected: says also whether the application runs
    #[arg(long, conflicts_with = "connected")]
    not_connected: bool,
}

impl Question {
    /// Whether the caller is connected.
    pub(super) fn is_connected(&self) -> bool {
        !self.not_connected
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
    /// Whether none is named, and so all are asked about.
    pub(super) fn are_all(&self) -> bool {
        self.names.is_empty()
    }

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
