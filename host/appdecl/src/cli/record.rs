//! `appdecl record`: the facts that an evaluation on this machine asks for, as a facts file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use appdecl::facts::{Limited, Machine, Naming, Recorder};
use appdecl::input::Finding;
use appdecl::{Error, Gate};

use super::findings;
use super::sources::{Paths, Servers, Sources, while_registered};
use super::{Outcome, Output};

/// Write down what this machine answers to declarations, so that the answer can be replayed elsewhere
///
/// The file holds exactly what was asked, the absent too. Strings in runtime files are masked, and the user's name and
/// home folder become `u`: read the file before you send it all the same.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// Write the facts to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    servers: Servers,
    /// Keep the user's name and home folder as they are
    #[arg(long)]
    keep_paths: bool,
}

const EXAMPLES: &str = "\
Examples:
  appdecl record my-plugin -o facts.yaml
  appdecl check my-plugin --facts facts.yaml

Exit codes: 0 recorded, 2 usage or invalid input, 3 could not run";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let sources = self.paths.read();
        let mut recorder = Recorder::new(Limited::new(Machine::new()))?;
        for declared in &sources.declared {
            recorder = recorder.with_declaration(declared.declaration.clone());
        }
        let recorder = Arc::new(recorder);
        let found = self.ask(&sources, &Gate::builder().facts(Arc::clone(&recorder)).build()?)?;

        let refused = sources.refuse(output);
        output.aside(&findings::text(&found));
        let strangers = self.servers.strangers(&sources.declared);
        for name in &strangers {
            output.problem(&format!("no server `{name}` is declared there"));
        }
        if refused || !found.is_empty() || !strangers.is_empty() {
            return Ok(Outcome::Invalid);
        }
        let facts = recorder.facts_file(if self.keep_paths { Naming::Kept } else { Naming::Hidden });
        match &self.output {
            Some(path) => std::fs::write(path, facts)
                .with_context(|| format!("`{}` can not be written", path.display()))?,
            None => output.answer(&facts)?,
        }
        Ok(Outcome::Good)
    }

    /// Asks everything that a verb could ask later: the availability, the status and the endpoint. Gives the faults of
    /// declarations that can not be asked about.
    fn ask(&self, sources: &Sources, gate: &Gate) -> Result<Vec<Finding>, Error> {
        let mut found = Vec::new();
        for declared in self.servers.choose(&sources.declared) {
            let answered = while_registered(gate, declared, |server| {
                gate.availability(server)?;
                gate.status(server, false)?;
                gate.endpoint(server).map(drop)
            });
            match answered {
                Ok(()) | Err(Error::EndpointUnavailable { .. }) => {}
                Err(Error::Invalid(faults)) => {
                    found.extend(faults.into_iter().map(|fault| declared.finding(fault)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}
