//! `appdecl endpoint`: where the application behind a server listens.

use std::ffi::OsString;
use std::process::Command;
use std::sync::Arc;

use anyhow::Context as _;
use appdecl::input::Declared;
use appdecl::{Endpoint, Error, Gate, Redactor, Status};
use serde::Serialize;

use super::clean::clean;
use super::sources::{Place, Sources, register};
use super::{Format, Outcome, Output, output};

/// Say where the application behind a server listens, and whether it gives a token
///
/// The application's runtime file is read anew, and nothing stands in for it. The token is a secret: it is shown with
/// --reveal-token alone. Better hand it to a program with --exec, in whose environment it is `APPDECL_TOKEN`, beside
/// `APPDECL_URL`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// The server; may be left out where only one is declared
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Show the token
    #[arg(long)]
    reveal_token: bool,
    /// Start this program with the address and the token in its environment; everything after it is its own
    #[arg(long, value_names = ["CMD", "ARGS"], num_args = 1.., allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["reveal_token", "format"])]
    exec: Vec<OsString>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl endpoint my-plugin --server acme
  appdecl endpoint my-plugin --server acme --format json
  appdecl endpoint my-plugin --server acme --exec my-client --verbose

Exit codes: 0 there is one, 1 there is none, 2 usage or invalid input, 3 could not run; with --exec and an address the
program's own";

/// What programs read.
#[derive(Debug, Serialize)]
struct Report<'r> {
    file: &'r str,
    server: &'r str,
    url: Option<&'r str>,
    /// `present` or `absent`; null where there is no address.
    token: Option<&'r str>,
    /// The token itself, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    revealed_token: Option<&'r str>,
    /// Why there is no address.
    unavailable: Option<&'r str>,
    message: Option<&'r str>,
    user_action: Option<&'r str>,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        // A gate without a redactor gives no token.
        let builder = Gate::builder().redactor(Arc::new(Redactor::new()));
        let Some(gate) = self.place.machine.gate_of(builder, output)? else { return Ok(Outcome::Invalid) };
        let sources = Sources::of(&self.place.path);
        if sources.refuse(output) {
            return Ok(Outcome::Invalid);
        }
        let Some(declared) = sources.one(self.server.as_deref(), output) else { return Ok(Outcome::Invalid) };

        let server = declared.server.as_str();
        if !register(&gate, declared, output)? {
            return Ok(Outcome::Invalid);
        }
        match gate.endpoint(server) {
            Ok(endpoint) if !self.exec.is_empty() => start(&self.exec, &endpoint, output),
            Ok(endpoint) => self.show(declared, &endpoint, output),
            Err(Error::EndpointUnavailable { reason }) => {
                self.explain(declared, &reason, gate.status(server, false)?.as_ref(), output)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn show(
        &self,
        declared: &Declared,
        endpoint: &Endpoint,
        output: &mut Output,
    ) -> anyhow::Result<Outcome> {
        let presence = if endpoint.token.is_some() { "present" } else { "absent" };
        let revealed = endpoint.token.as_ref().filter(|_| self.reveal_token).map(appdecl::Token::reveal);
        let text = match self.format {
            Format::Json => output::json(&Report {
                file: declared.label(),
                server: &declared.server,
                url: Some(&endpoint.url),
                token: Some(presence),
                revealed_token: revealed,
                unavailable: None,
                message: None,
                user_action: None,
            })?,
            Format::Text => format!("url {}\ntoken {}\n", endpoint.url, revealed.unwrap_or(presence)),
        };
        // Nothing here is made of the token, so nothing is redacted: a short one could be part of any word.
        output.answer(&text)?;
        Ok(Outcome::Good)
    }

    fn explain(
        &self,
        declared: &Declared,
        reason: &str,
        status: Option<&Status>,
        output: &mut Output,
    ) -> anyhow::Result<Outcome> {
        let message = status.map(|status| status.message.as_str());
        let user_action = status.map(|status| status.user_action.as_str());
        let text = match self.format {
            Format::Json => output::json(&Report {
                file: declared.label(),
                server: &declared.server,
                url: None,
                token: None,
                revealed_token: None,
                unavailable: Some(reason),
                message,
                user_action,
            })?,
            Format::Text => {
                let words = [Some(reason), message, user_action];
                let line = words.into_iter().flatten().collect::<Vec<_>>().join("; ");
                format!("unavailable {}\n", clean(&line))
            }
        };
        if self.exec.is_empty() {
            output.answer(&text)?;
        } else {
            // Standard output is the program's own.
            output.aside(&text);
        }
        Ok(Outcome::NotOffered)
    }
}

/// Runs the program to its end. Nothing else is ever started.
fn start(exec: &[OsString], endpoint: &Endpoint, output: &mut Output) -> anyhow::Result<Outcome> {
    let (program, arguments) = exec.split_first().context("no program is given")?;
    let mut command = Command::new(program);
    command.args(arguments).env("APPDECL_URL", &endpoint.url);
    match &endpoint.token {
        Some(token) => command.env("APPDECL_TOKEN", token.reveal()),
        None => command.env_remove("APPDECL_TOKEN"),
    };
    let name = program.display();
    let ended = command.status().with_context(|| format!("`{name}` can not be started"))?;
    if let Some(code) = ended.code().and_then(|code| u8::try_from(code).ok()) {
        return Ok(Outcome::Child(code));
    }
    output.problem(&format!("`{name}` ended with {ended}"));
    Ok(Outcome::Failed)
}
