//! Calls on a gate, with their answers as JSON text.

use std::path::Path;

use appdecl::package::{Format, Package, PackageError};
use appdecl::{Error, Gate};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// Some calls, what they are asked of, and what they came to in Rust.
pub(crate) struct Work {
    case: String,
    calls: Vec<Json>,
    /// The lines of a transcript; none for this machine.
    transcript: Option<Vec<Json>>,
    results: Vec<String>,
}

impl Work {
    /// Does the calls on `gate`, which is asked of this machine.
    pub(crate) fn new(case: String, calls: Vec<Json>, gate: &Gate) -> Self {
        let results = calls.iter().map(|call| result(gate, call)).collect();
        Self { case, calls, transcript: None, results }
    }

    /// The same work, to be asked of a machine on paper.
    pub(crate) fn with_transcript(self, lines: &str) -> Self {
        let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Self { transcript: Some(lines), ..self }
    }

    /// The work as a line for other runtimes.
    pub(crate) fn line(&self) -> String {
        let mut line = json!({ "case": self.case, "calls": self.calls });
        if let Some(transcript) = &self.transcript {
            line["transcript"] = json!(transcript);
        }
        format!("{line}\n")
    }

    /// The line that is expected of them.
    pub(crate) fn result_line(&self) -> String {
        format!("{{\"case\":{},\"results\":[{}]}}", text(&self.case), self.results.join(","))
    }
}

fn result(gate: &Gate, call: &Json) -> String {
    let asked: Vec<_> = call.as_array().unwrap().iter().collect();
    let words = |index: usize| asked[index].as_str().unwrap();
    let flag = |index: usize| asked[index].as_bool().unwrap();
    match words(0) {
        "register" => ok(gate.register(words(1), words(2), words(3), asked[4].as_str())),
        "diagnose" => ok(gate.diagnose(words(1), words(2))),
        "evaluate" => ok(gate.evaluate(words(1), words(2))),
        "lookup" => ok(gate.lookup(words(1))),
        "servers" => ok(gate.servers()),
        "unregister" => ok(gate.unregister(words(1))),
        "availability" => ok(gate.availability(words(1))),
        "status" => ok(gate.status(words(1), flag(2))),
        "listing" => ok(gate.listing(words(1), u32::try_from(asked[2].as_u64().unwrap()).unwrap(), flag(3))),
        "explain" => ok(gate.explain(words(1), flag(2))),
        "server_offered" => ok(Ok(gate.server_offered(words(1), flag(2)))),
        "skill_offered" => {
            let names: Vec<_> =
                asked[1].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            ok(gate.skill_offered(&names))
        }
        "validate" => {
            let path = Path::new(words(1));
            let package = match asked[2].as_str() {
                None => Package::open(path),
                Some("portable") => Package::open_as(path, Format::Portable),
                Some(_) => Package::open_as(path, Format::StaticRepository),
            };
            of_package(package, |package| ok(Ok(package.validate())))
        }
        "install_gate" => {
            let platforms: Vec<String> = serde_json::from_value(asked[2].clone()).unwrap();
            of_package(Package::open(Path::new(words(1))), |package| {
                ok(package.install_gate(gate, &platforms))
            })
        }
        "version_at_least" => ok(gate.version_at_least(words(1), words(2))),
        "endpoint" => match gate.endpoint(words(1)) {
            Ok(endpoint) => {
                let token = endpoint.token.as_ref().map(|token| token.reveal());
                format!("{{\"ok\":{{\"url\":{},\"token\":{}}}}}", text(&endpoint.url), text(&token))
            }
            Err(error) => ok::<()>(Err(error)),
        },
        other => unreachable!("`{other}` is no call"),
    }
}

/// Where there is no report, all hosts say so; in words of their own.
fn of_package(package: Result<Package, PackageError>, answer: impl FnOnce(&Package) -> String) -> String {
    match package {
        Ok(package) => answer(&package),
        Err(PackageError::Rules(error)) => panic!("there is nothing to compare: {error}"),
        Err(_) => "{\"error\":true}".to_owned(),
    }
}

fn ok<T: Serialize>(answer: Result<T, Error>) -> String {
    match answer {
        Ok(answer) => format!("{{\"ok\":{}}}", text(&answer)),
        Err(Error::Invalid(faults)) => format!("{{\"invalid\":{}}}", text(&faults)),
        Err(Error::EndpointUnavailable { reason }) => format!("{{\"unavailable\":{}}}", text(&reason)),
        Err(error) => panic!("there is nothing to compare where Rust has no answer: {error}"),
    }
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}
