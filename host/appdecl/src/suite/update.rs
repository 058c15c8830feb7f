//! What a suite would say if it expected what was found.

use appdecl_facts::document::{Place, Syntax};
use serde_json::Value;

use super::{Case, Difference, Suite};

/// A suite's text with new expectations.
#[derive(Debug)]
pub struct Update<'u> {
    /// The whole text. Comments, order and everything that is not listed as changed are as they were.
    pub text: String,
    /// What was rewritten.
    pub changed: Vec<(&'u Case, &'u Difference)>,
    /// What was not: what is shared by an anchor or a merge key, what a sentence has or lacks, and what is not there.
    pub refused: Vec<(&'u Case, &'u Difference)>,
}

/// Rewrites what the failed cases of `suite` expect to what was found. Nothing is written to any file.
#[must_use]
pub fn updated<'u>(suite: &Suite, failed: &[(&'u Case, &'u [Difference])]) -> Update<'u> {
    let text = suite.source.document.text();
    let root = suite.source.document.root();
    let is_json = Syntax::of_name(&suite.source.name) == Syntax::Json;
    let mut update = Update { text: text.to_owned(), changed: Vec::new(), refused: Vec::new() };
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (case, difference) in failed.iter().flat_map(|(case, each)| each.iter().map(move |one| (*case, one)))
    {
        let around = if case.pointer.starts_with("/cases") { "/expect" } else { "" };
        let Place { node, exact, .. } =
            root.locate(&format!("{}{around}{}", case.pointer, difference.pointer));
        let case_place = root.locate(&case.pointer).node;
        let is_own = exact && case_place.start <= node.start && node.end <= case_place.end;
        let is_anchored = text.get(case_place.start..node.start).is_none_or(|before| {
            let word = before.trim_end().rsplit([' ', '\n', '\t', '[', '{', ',']).next().unwrap_or_default();
            word.starts_with(['&', '!'])
        });
        if is_own
            && !is_anchored
            && !difference.pointer.starts_with("/valid")
            && is_plain(&difference.expected)
        {
            let new = if is_json { difference.found.to_string() } else { written(&difference.found) };
            edits.push((node.start, node.end, new));
            update.changed.push((case, difference));
        } else {
            update.refused.push((case, difference));
        }
    }
    // From the end, so that the places of earlier edits stay true.
    edits.sort_unstable();
    for (start, end, new) in edits.into_iter().rev() {
        update.text.replace_range(start..end, &new);
    }
    update
}

/// What a sentence has and lacks is not a value that can be found.
fn is_plain(expected: &Value) -> bool {
    expected.get("has").is_none() && expected.get("lacks").is_none() && *expected != "present"
}

/// JSON, which YAML is a superset of, with the blanks that people put into flow mappings.
fn written(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[ {} ]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let each = members.iter().map(|(key, value)| format!("\"{key}\": {}", written(value)));
            format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
        Value::String(word) if is_word(word) => word.clone(),
        other => other.to_string(),
    }
}

/// Text that needs no quotes in YAML and would be no other value without them.
fn is_word(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte == b'-';
    text.len() > 5 && text.bytes().all(plain) && text.starts_with(|first: char| first.is_ascii_lowercase())
}
