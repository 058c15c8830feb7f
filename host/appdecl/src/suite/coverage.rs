//! What suites reach of the declarations that they speak of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::case::{Case, Evaluation, Work};
use crate::answer::Availability;
use crate::{Error, Gate};

/// The systems of declarations.
const SYSTEMS: [&str; 3] = ["win32", "darwin", "linux"];

/// What the cases reach of one declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The server that the declaration was registered for first.
    pub server: String,
    /// What can come of it, each one once.
    pub points: Vec<Point>,
}

/// Something that can come of a declaration: a state with its reason, a place that holds the application, an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// What it is, such as `linux: missing_app` or `win32: found by location 1 (command)`.
    pub name: String,
    /// Whether a case came to it.
    pub reached: bool,
}

/// Runs the cases again and says what they reach of each declaration that requires an application or tells an address. A
/// declaration with faults has no coverage, and a case that can not run reaches nothing.
#[must_use]
pub fn coverage(cases: &[&Case]) -> Vec<Coverage> {
    let mut order: Vec<Arc<str>> = Vec::new();
    let mut known: BTreeMap<Arc<str>, (String, Vec<String>, BTreeSet<String>)> = BTreeMap::new();
    for case in cases {
        let Work::Evaluation(evaluation) = &case.work else { continue };
        let Some(declaration) = evaluation.declaration() else { continue };
        if evaluation.expect.contains_key("invalid") {
            continue;
        }
        if !known.contains_key(declaration) {
            order.push(Arc::clone(declaration));
        }
        let (_, _, reached) = known.entry(Arc::clone(declaration)).or_insert_with(|| {
            let points = points(&serde_json::from_str(declaration).unwrap_or_default());
            (evaluation.server.clone(), points, BTreeSet::new())
        });
        if evaluation.facts.is_some() {
            reached.extend(case.gate().and_then(|gate| evaluation.reached(&gate)).unwrap_or_default());
        }
    }
    let each = order.into_iter().filter_map(|declaration| known.remove(&declaration));
    each.filter(|(_, points, _)| !points.is_empty())
        .map(|(server, points, reached)| {
            let points = points.into_iter().map(|name| Point { reached: reached.contains(&name), name });
            Coverage { server, points: points.collect() }
        })
        .collect()
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
                points.push(format!("{os}: version read"));
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

impl Evaluation {
    /// What this case comes to, in the names of points.
    fn reached(&self, gate: &Gate) -> Result<Vec<String>, Error> {
        let mut reached = Vec::new();
        if self.register(gate)?.is_err() {
            return Ok(reached);
        }
        let os = match self.facts.as_ref().map(|facts| facts.facts().os()) {
            Some(appdecl_facts::Os::Win32) => "win32",
            Some(appdecl_facts::Os::Darwin) => "darwin",
            _ => "linux",
        };
        if let Some(Availability { state, version, reason, .. }) = gate.availability(&self.server)? {
            reached.push(state.name().to_owned());
            reached.push(format!("{os}: {}", state.name()));
            reached.extend(reason.map(|reason| format!("{os}: {}, {reason}", state.name())));
            reached.extend(version.map(|_| format!("{os}: version read")));
        }
        if let Some(status) = gate.status(&self.server, false)? {
            reached.push(format!("{os}: {}", status.state.name()));
        }
        match gate.endpoint(&self.server) {
            Ok(_) => reached.push(format!("{os}: endpoint")),
            Err(Error::EndpointUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        let trace = gate.explain(&self.server, true)?.unwrap_or_default();
        found_places(&serde_json::from_str(&trace).unwrap_or_default(), os, &mut reached);
        Ok(reached)
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
