//! `appdecl explain`: how an answer came about, and what a word means.

mod tree;
mod words;

use std::path::PathBuf;

use anyhow::Context as _;
use appdecl::input::Declared;
use appdecl::Gate;
use serde_json::Value;

use super::sources::{Machine, Sources, register};
use super::{Format, Outcome, Output};

/// Show how an answer came about, step by step, or say what a code, state or reason means
///
/// The steps stand in the order in which they happened: each place with the variables that it needed, what the machine
/// answered, which entries were ranked how, the version as it was read and as it was compared, and what decided. Places
/// that were not reached are shown as not asked. Nothing of a runtime file's content is shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A package, a file with declarations, or a word such as `path-not-rooted` or `missing_app`
    #[arg(value_name = "PATH|WORD")]
    what: PathBuf,
    /// The server to explain; may be left out where only one is declared
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    #[command(flatten)]
    machine: Machine,
    /// Explain for a caller that is connected: the runtime file is then not asked about
    #[arg(long)]
    connected: bool,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl explain my-plugin --server acme
  appdecl explain acme.yaml --facts windows.yaml --format json
  appdecl explain version-unreadable

Exit codes: 0 explained, 2 usage or invalid input, 3 could not run";

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        if !self.what.exists()
            && let Some(text) = self.what.to_str().and_then(words::text)
        {
            match self.format {
                Format::Text => output.answer(text)?,
                Format::Json => output.json(&serde_json::json!({ "word": self.what, "text": text }))?,
            }
            return Ok(Outcome::Good);
        }
        let sources = Sources::of(&self.what);
        let refused = sources.refuse(output);
        if !self.what.exists() {
            let meant = self.what.to_str().and_then(words::nearest);
            let meant = meant.map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
            output.problem(&format!("`{}` is no word either{meant}", self.what.display()));
        }
        if refused {
            return Ok(Outcome::Invalid);
        }
        let Some(declared) = sources.one(self.server.as_deref(), output) else { return Ok(Outcome::Invalid) };
        let Some(gate) = self.machine.gate(output)? else { return Ok(Outcome::Invalid) };
        self.explain(output, &gate, declared)
    }

    fn explain(&self, output: &mut Output, gate: &Gate, declared: &Declared) -> anyhow::Result<Outcome> {
        if !register(gate, declared, output)? {
            return Ok(Outcome::Invalid);
        }
        let explained = gate.explain(&declared.server, self.connected)?;
        let explained: Value = serde_json::from_str(&explained.unwrap_or_default())
            .context("the component's explanation is no JSON")?;
        match self.format {
            Format::Json => output.json(&explained)?,
            Format::Text => output.answer(&tree::text(&explained))?,
        }
        Ok(Outcome::Good)
    }
}
