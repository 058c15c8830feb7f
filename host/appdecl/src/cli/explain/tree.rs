//! The steps of an evaluation as lines, indented as they nest.

use std::fmt::Write as _;

use anstyle::Style;
use serde_json::{Map, Value};

use crate::cli::clean::clean;

const STEP: Style = Style::new().bold();

/// The details of steps in the order in which they are read best. One that is not here stands behind them.
const ORDER: [&str; 32] = [
    "index",
    "kind",
    "written",
    "paths",
    "pattern",
    "matches",
    "of",
    "root",
    "key",
    "display_name",
    "display_version",
    "install_location",
    "found",
    "unreadable",
    "as_compared",
    "minimum",
    "at_least",
    "proper_name",
    "place",
    "hidden",
    "is_the_prefix",
    "check",
    "state",
    "reason",
    "decided_by",
    "version",
    "min_version",
    "path",
    "unavailable",
    "url",
    "interactive",
    "message",
];

/// The tree of `Gate::explain`.
pub(super) fn text(explained: &Value) -> String {
    let mut text = String::new();
    let server = explained.get("server").and_then(Value::as_str).unwrap_or_default();
    let connected = explained.get("connected") == Some(&Value::Bool(true));
    let caller = if connected { "connected" } else { "not connected" };
    let _ = writeln!(text, "{STEP}{}{STEP:#}, asked by a caller that is {caller}", clean(server));
    steps(&mut text, explained, 1);
    text
}

fn steps(text: &mut String, around: &Value, depth: usize) {
    for step in around.get("steps").and_then(Value::as_array).into_iter().flatten() {
        let Some(members) = step.as_object() else { continue };
        let kind = members.get("step").and_then(Value::as_str).unwrap_or_default();
        let indent = "  ".repeat(depth);
        match kind {
            "question" => {
                let said = |key| members.get(key).map(shown).unwrap_or_default();
                let about = members.get("about").and_then(Value::as_str).unwrap_or_default();
                let blank = if about.is_empty() { "" } else { " " };
                let _ = writeln!(
                    text,
                    "{indent}asked {}{blank}{} -> {}",
                    said("question"),
                    clean(about),
                    said("answer")
                );
            }
            _ => {
                let details = details(members);
                let _ = writeln!(text, "{indent}{STEP}{}{STEP:#}{details}", clean(kind));
            }
        }
        steps(text, step, depth + 1);
    }
}

/// What is said of a step, without what is null or empty, and at the end what it came to.
fn details(members: &Map<String, Value>) -> String {
    let place = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let is_nothing = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let mut said: Vec<(&String, &Value)> = members
        .iter()
        .filter(|(key, value)| {
            !["step", "steps", "outcome"].contains(&key.as_str()) && !is_nothing(value)
        })
        .collect();
    said.sort_by_key(|(key, _)| place(key));
    let said: Vec<String> =
        said.into_iter().map(|(key, value)| format!("{}: {}", key.replace('_', " "), shown(value))).collect();
    let mut details = if said.is_empty() { String::new() } else { format!("  {}", said.join(", ")) };
    if let Some(outcome) = members.get("outcome") {
        let _ = write!(details, " -> {}", shown(outcome));
    }
    details
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text == "not-asked" => "not asked".to_owned(),
        Value::String(text) if text.is_empty() => "an empty text".to_owned(),
        Value::String(text) => clean(text).into_owned(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(" | "),
        other => other.to_string(),
    }
}
