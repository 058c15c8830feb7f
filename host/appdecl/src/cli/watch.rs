//! `appdecl watch`: a line whenever something changes.

use std::thread;
use std::time::Duration;

use appdecl::input::Declared;
use appdecl::{Error, Gate, StatusState};
use serde::Serialize;

use super::clean::clean;
use super::findings;
use super::sources::{Place, Servers, Sources};
use super::{Format, Outcome, Output};

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(10);

/// Print a line whenever an application is installed, removed, started or stopped, or moves its port
///
/// Begins with a line for each server, then looks again and again until it is interrupted. Nothing is started, connected
/// or written, and no token is shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    servers: Servers,
    /// The time between two looks, such as 500ms or 2s
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = interval)]
    interval: Duration,
    /// Look once, print a line for each server, and end
    #[arg(long)]
    once: bool,
    /// End after so many lines
    #[arg(long, value_name = "N", conflicts_with = "once")]
    count: Option<u64>,
    /// How to write the lines: as text, or each as a JSON document
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  appdecl watch my-plugin
  appdecl watch my-plugin --server acme --interval 500ms --format json

A facts file is read once, at the start, like PATH.

Exit codes: 0 ended as it was asked to, 2 usage or invalid input, 3 could not run; interrupted, it ends by the signal";

/// What is seen of a server. Another one makes another line.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Seen {
    server: String,
    /// `running`, `offered` where nothing tells whether it runs, `failed`, or a state of a status.
    state: &'static str,
    url: Option<String>,
    message: String,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let Some(gate) = self.place.machine.gate(output)? else { return Ok(Outcome::Invalid) };
        let sources = Sources::of(&self.place.path);
        let refused = sources.refuse(output);
        let chosen = self.servers.choose(&sources.declared);
        let mut findings = Vec::new();
        for declared in &chosen {
            match gate.register(&declared.server, &declared.declaration, declared.label(), None) {
                Ok(()) => {}
                Err(Error::Invalid(faults)) => {
                    findings.extend(faults.into_iter().map(|fault| declared.finding(fault)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        output.aside(&findings::text(&findings));
        let strangers = self.servers.strangers(&sources.declared);
        for name in &strangers {
            output.problem(&format!("no server `{name}` is declared there"));
        }
        if refused || !findings.is_empty() || !strangers.is_empty() {
            return Ok(Outcome::Invalid);
        }
        if chosen.is_empty() {
            output.problem("no server is declared there");
            return Ok(Outcome::Invalid);
        }
        self.watch(&gate, &chosen, output)
    }

    fn watch(&self, gate: &Gate, chosen: &[&Declared], output: &mut Output) -> anyhow::Result<Outcome> {
        let mut lines = 0;
        let mut last: Vec<Option<Seen>> = chosen.iter().map(|_| None).collect();
        loop {
            for (declared, last) in chosen.iter().zip(&mut last) {
                let Some(seen) = look(gate, &declared.server) else { continue };
                if last.as_ref() == Some(&seen) {
                    continue;
                }
                if self.count == Some(lines) || !output.line(&self.line(&seen)?)? {
                    return Ok(Outcome::Good);
                }
                lines += 1;
                *last = Some(seen);
            }
            if self.once || self.count == Some(lines) {
                return Ok(Outcome::Good);
            }
            thread::sleep(self.interval);
        }
    }

    fn line(&self, seen: &Seen) -> anyhow::Result<String> {
        Ok(match self.format {
            Format::Json => serde_json::to_string(seen)?,
            Format::Text => clean(&seen.message).into_owned(),
        })
    }
}

/// What is seen of a server now; none while it changes.
fn look(gate: &Gate, server: &str) -> Option<Seen> {
    let seen = |state, url, message| Some(Seen { server: server.to_owned(), state, url, message });
    let failed = |error: Error| seen("failed", None, format!("{server}: {error}"));
    let status = match gate.status(server, false) {
        Ok(status) => status?,
        Err(error) => return failed(error),
    };
    if status.state != StatusState::NotConnected {
        return seen(status.state.name(), None, status.message);
    }
    match gate.endpoint(server) {
        Ok(endpoint) => {
            let message = format!("{server} runs at {}", endpoint.url);
            seen("running", Some(endpoint.url), message)
        }
        Err(Error::EndpointUnavailable { reason }) if reason == "no-liveness" => {
            seen("offered", None, format!("{server} is offered; whether it runs can not be seen"))
        }
        // It was there a moment ago.
        Err(Error::EndpointUnavailable { .. }) => None,
        Err(error) => failed(error),
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(interval) if interval >= SHORTEST => Ok(interval),
        Ok(_) => Err(format!("at least {SHORTEST:?} is needed")),
        Err(error) => Err(format!("{error}; expected a time such as 500ms or 2s")),
    }
}
