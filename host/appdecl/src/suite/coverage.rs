//! What suites reach of the declarations that they speak of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use appdecl_facts::Os;
use serde::Serialize;
use serde_json::Value;

use super::case::{Case, Evaluation, Work};
use crate::answer::Availability;
use crate::{Error, Gate};

/// The systems of declarations.
const SYSTEMS: [&str; 3] = ["win32", "darwin", "linux"];

/// What cases reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// What they reach of each declaration that has no faults, in the order in which the cases speak of them.
    pub declarations: Vec<Covered>,
    /// The codes of the faults of the others, each once, sorted.
    pub codes: BTreeSet<String>,
}

/// What cases reach of one declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// The server that the declaration was registered for first.
    pub server: String,
    /// What can come of it, each one once.
    pub points: Vec<Point>,
    /// Reasons that are no points, since not every declaration can come to them: why an application is missing, and why
    /// there is no address. Sorted.
    pub reasons: BTreeSet<String>,
}

impl Covered {
    /// The share of the points that is reached, in percent, rounded down.
    #[must_use]
    pub fn percent(&self) -> usize {
        let reached = self.points.iter().filter(|point| point.reached).count();
        (100 * reached).checked_div(self.points.len()).unwrap_or(100)
    }
}

/// Something that can come of a declaration: a state with its reason, a place that holds the application, an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// What it is, such as `linux: missing_app` or `win32: found by location 1 (command)`.
    pub name: String,
    /// Whether a case came to it.
    pub reached: bool,
}

/// Runs the cases again and says what they reach: of each declaration that requires an application or tells an address
/// the points, of each one with faults the codes. A case that can not run reaches nothing.
#[must_use]
pub fn coverage(cases: &[&Case]) -> Coverage {
    let mut coverage = Coverage::default();
    let mut order: Vec<Arc<str>> = Vec::new();
    let mut known: BTreeMap<Arc<str>, Known> = BTreeMap::new();
    for case in cases {
        let Work::Evaluation(evaluation) = &case.work else { continue };
        let Some(declaration) = evaluation.declaration() else { continue };
        let Ok(Reached { names, codes }) = case.gate().and_then(|gate| evaluation.reached(&gate)) else {
            continue;
        };
        if !codes.is_empty() {
            coverage.codes.extend(codes);
            continue;
        }
        let known = known.entry(Arc::clone(declaration)).or_insert_with(|| {
            order.push(Arc::clone(declaration));
            let points = points(&serde_json::from_str(declaration).unwrap_or_default());
            Known { server: evaluation.server.clone(), points, reached: BTreeSet::new() }
        });
        known.reached.extend(names);
    }
    let each = order.into_iter().filter_map(|declaration| known.remove(&declaration));
    coverage.declarations = each.filter(|known| !known.points.is_empty()).map(Known::covered).collect();
    coverage
}

/// What is known of a declaration while cases run.
struct Known {
    server: String,
    points: Vec<String>,
    reached: BTreeSet<String>,
}

impl Known {
    fn covered(self) -> Covered {
        let Self { server, points, mut reached } = self;
        let points = points.into_iter().map(|name| Point { reached: reached.remove(&name), name });
        let points = points.collect();
        // What is a state or a place and no point came of a caller that asked for more than the declaration says.
        reached.retain(|name| name.contains(", "));
        Covered { server, points, reasons: reached }
    }
}

/// What a case comes to.
#[derive(Default)]
struct Reached {
    /// In the names of points and reasons.
    names: Vec<String>,
    /// The codes of the faults of its declaration.
    codes: Vec<String>,
}

/// What can come of a declaration.
fn points(declaration: &Value) -> Vec<String> {
    let mut points = Vec::new();
    let requires = |key: &str| declaration.pointer(&format!("/requires/{key}"));
    let is_required = requires("app") == Some(&Value::Bool(true));
    let beside = declaration.get("liveness");
    let blocks: Vec<_> =
        SYSTEMS.iter().filter_map(|os| Some((*os, declaration.pointer(&format!("/app/{os}"))?))).collect();
    for (os, block) in &blocks {
        if is_required {
            points.push(format!("{os}: missing_app"));
            let list = block.get("location").and_then(Value::as_array);
            for index in 0..list.map_or(1, Vec::len) {
                let kind = list.and_then(|list| list.get(index)?.get("kind")?.as_str()).unwrap_or("path");
                points.push(found_by(os, index, kind));
            }
            let source = block.pointer("/version/kind").and_then(Value::as_str).unwrap_or("none");
            if requires("min_version").is_some() && source != "none" {
                points.push(format!("{os}: version_too_old, version-below-minimum"));
                points.push(format!("{os}: version_too_old, version-unreadable"));
            }
            if source != "none" {
                points.push(version_read(os, source));
            }
        }
        let liveness = block.get("liveness").or(beside);
        match liveness.and_then(|liveness| liveness.get("kind")?.as_str()) {
            Some("server_json") => points.extend(
                ["endpoint", "app_not_running", "endpoint_unavailable"].map(|what| format!("{os}: {what}")),
            ),
            // macOS has a session always.
            Some("interactive_session") if *os != "darwin" => {
                points.push(format!("{os}: no_interactive_session"));
            }
            _ => {}
        }
    }
    if is_required && blocks.len() < SYSTEMS.len() {
        points.push("unsupported_os".to_owned());
    }
    points
}

fn found_by(os: &str, index: usize, kind: &str) -> String {
    format!("{os}: found by location {index} ({kind})")
}

fn version_read(os: &str, source: &str) -> String {
    format!("{os}: version read by {source}")
}

impl Evaluation {
    fn reached(&self, gate: &Gate) -> Result<Reached, Error> {
        let Some(declaration) = self.declaration() else { return Ok(Reached::default()) };
        let faults = gate.diagnose(declaration, &self.label)?;
        let codes: Vec<String> = faults.into_iter().map(|fault| fault.code).collect();
        let Some(facts) = self.facts.as_ref().filter(|_| codes.is_empty()) else {
            return Ok(Reached { names: Vec::new(), codes });
        };
        if self.register(gate)?.is_err() {
            return Ok(Reached::default());
        }
        let os = match facts.facts().os() {
            Os::Win32 => "win32",
            Os::Darwin => "darwin",
            Os::Linux => "linux",
        };
        let mut names = Vec::new();
        if let Some(Availability { state, version, reason, .. }) = gate.availability(&self.server)? {
            names.push(state.name().to_owned());
            names.push(format!("{os}: {}", state.name()));
            names.extend(reason.map(|reason| format!("{os}: {}, {reason}", state.name())));
            let declared: Value = serde_json::from_str(declaration).unwrap_or_default();
            let source = declared.pointer(&format!("/app/{os}/version/kind")).and_then(Value::as_str);
            names.extend(version.map(|_| version_read(os, source.unwrap_or("none"))));
        }
        if let Some(status) = gate.status(&self.server, false)? {
            names.push(format!("{os}: {}", status.state.name()));
        }
        match gate.endpoint(&self.server) {
            Ok(_) => names.push(format!("{os}: endpoint")),
            Err(Error::EndpointUnavailable { reason }) if reason != "no-liveness" => {
                names.push(format!("{os}: no endpoint, {reason}"));
            }
            Err(Error::EndpointUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        let trace = gate.explain(&self.server, true)?.unwrap_or_default();
        found_places(&serde_json::from_str(&trace).unwrap_or_default(), os, &mut names);
        Ok(Reached { names, codes })
    }
}

/// The places of a trace that hold a copy that was taken.
fn found_places(step: &Value, os: &str, reached: &mut Vec<String>) {
    if step.get("step").and_then(Value::as_str) == Some("place")
        && step.get("outcome").and_then(Value::as_str) == Some("found")
        && let Some(index) = step.get("index").and_then(Value::as_u64)
        && let Some(kind) = step.get("kind").and_then(Value::as_str)
    {
        reached.push(found_by(os, usize::try_from(index).unwrap_or(usize::MAX), kind));
    }
    for inner in step.get("steps").and_then(Value::as_array).into_iter().flatten() {
        found_places(inner, os, reached);
    }
}
