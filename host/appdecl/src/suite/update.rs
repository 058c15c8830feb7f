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
        // What has a name may stand elsewhere too, and the name must not be lost.
        let is_named = |written: &str| written.starts_with(['&', '!']);
        let is_shared = text.get(..node.start).is_none_or(|before| {
            let word = before.trim_end().rsplit([' ', '\n', '\t', '[', '{', ',']).next().unwrap_or_default();
            is_named(word)
        }) || text.get(node.start..).is_none_or(is_named);
        if is_own && !is_shared && is_value(difference) {
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

/// Whether what was found may be expected as it is. What a sentence has and lacks can not be found, a declaration without
/// faults is `valid`, and a whole status says more than a case should.
fn is_value(Difference { pointer, found, .. }: &Difference) -> bool {
    let is_of_a_sentence = ["/status/message", "/status/user_action"].contains(&pointer.as_str());
    let is_whole_status = pointer == "/status" && found.is_object();
    let has_no_faults = pointer == "/invalid" && found.as_array().is_some_and(Vec::is_empty);
    !(is_of_a_sentence || is_whole_status || has_no_faults || pointer == "/valid")
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
