//! `appdecl schema`: JSON Schemas of the formats.

use appdecl::schema;
use clap::ValueEnum;

use super::{Outcome, Output};

/// Print the JSON Schema of a format, for editors that complete and check
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The format
    format: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A declaration, or several under `servers`
    Declaration,
    /// A facts file
    Facts,
    /// A policy suite
    Suite,
}

const EXAMPLES: &str = "\
Examples:
  appdecl schema suite > suite.schema.json

Editors with YAML support take the schema from a first line like this one:
  # yaml-language-server: $schema=suite.schema.json";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        output.json(&match self.format {
            Kind::Declaration => schema::declaration(),
            Kind::Facts => schema::facts(),
            Kind::Suite => schema::suite(),
        })?;
        Ok(Outcome::Good)
    }
}
