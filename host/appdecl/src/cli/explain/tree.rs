//! The steps of an evaluation as lines, indented as they nest.

use std::fmt::Write as _;

use anstyle::Style;
use serde_json::{Map, Value};

use crate::cli::clean::clean;

const STEP: Style = Style::new().bold();

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
                let about = said("about");
                let blank = if about.is_empty() { "" } else { " " };
                let _ =
                    writeln!(text, "{indent}asked {}{blank}{about} -> {}", said("question"), said("answer"));
            }
            _ => {
                let details = details(members);
                let _ = writeln!(text, "{indent}{STEP}{}{STEP:#}{details}", clean(kind));
            }
        }
        steps(text, step, depth + 1);
    }
}

/// What is said of a step, without what is null.
fn details(members: &Map<String, Value>) -> String {
    let said = members.iter().filter(|(key, value)| {
        !["step", "steps"].contains(&key.as_str()) && !value.is_null()
    });
    let said: Vec<String> =
        said.map(|(key, value)| format!("{}: {}", key.replace('_', " "), shown(value))).collect();
    if said.is_empty() { String::new() } else { format!("  {}", said.join(", ")) }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text).into_owned(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(" | "),
        other => other.to_string(),
    }
}
