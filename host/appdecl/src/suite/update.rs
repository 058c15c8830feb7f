//! What a suite would say if it expected what was found.

use appdecl_facts::document::{Document, Node, Place, Syntax};
use serde_json::Value;

use super::{Case, Difference, Suite};
use crate::input::{MAX_JSON, MAX_LEVELS};

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
    let all = failed.iter().flat_map(|(case, each)| each.iter().map(move |one| (*case, one)));
    let (mut edits, mut refused) = (Vec::new(), Vec::new());
    for (case, difference) in all {
        match Edit::new(suite, case, difference) {
            Some(edit) => edits.push(edit),
            None => refused.push((case, difference)),
        }
    }
    // Text can be written in ways that no rule here foresees. What does not read as what was found is taken back.
    loop {
        let text = rewritten(suite.source.document.text(), &edits);
        let Ok(document) = Document::parse(&text, suite.source.syntax(), text.len()) else {
            refused.extend(edits.drain(..).map(|edit| (edit.case, edit.difference)));
            continue;
        };
        let (good, bad): (Vec<_>, Vec<_>) =
            edits.into_iter().partition(|edit| edit.is_read_back(document.root()));
        edits = good;
        if bad.is_empty() {
            let changed = edits.into_iter().map(|edit| (edit.case, edit.difference)).collect();
            return Update { text, changed, refused };
        }
        refused.extend(bad.into_iter().map(|edit| (edit.case, edit.difference)));
    }
}

/// A value in the suite's text, and what takes its place.
struct Edit<'u> {
    case: &'u Case,
    difference: &'u Difference,
    start: usize,
    end: usize,
    new: String,
}

impl<'u> Edit<'u> {
    /// None where the value is not the case's own or can not be expected as it is.
    fn new(suite: &Suite, case: &'u Case, difference: &'u Difference) -> Option<Self> {
        let text = suite.source.document.text();
        let root = suite.source.document.root();
        let Place { node, exact, .. } = root.locate(&pointer(case, difference));
        let case_place = root.locate(&case.pointer).node;
        let is_own = exact && case_place.start <= node.start && node.end <= case_place.end;
        // What has a name may stand elsewhere too, and the name must not be lost.
        let is_named = |written: &str| written.starts_with(['&', '!']);
        let is_shared = text.get(..node.start).is_none_or(|before| {
            let word = before.trim_end().rsplit([' ', '\n', '\t', '[', '{', ',']).next().unwrap_or_default();
            is_named(word)
        }) || text.get(node.start..).is_none_or(is_named);
        let new = match suite.source.syntax() {
            Syntax::Json => difference.found.to_string(),
            Syntax::Yaml => written(&difference.found),
        };
        let is_good = is_own && !is_shared && is_value(difference);
        is_good.then_some(Self { case, difference, start: node.start, end: node.end, new })
    }

    /// Whether the place of the value holds what was found.
    fn is_read_back(&self, root: Node<'_>) -> bool {
        let pointer = pointer(self.case, self.difference);
        let node = pointer.split('/').skip(1).try_fold(root, |node, token| match node.as_list() {
            Some(list) => list.get(token.parse().ok()?),
            None => node.get(&token.replace("~1", "/").replace("~0", "~")).map(|member| member.value),
        });
        node.is_some_and(|node| {
            serde_json::from_str(&node.to_json(MAX_JSON, MAX_LEVELS)).ok().as_ref()
                == Some(&self.difference.found)
        })
    }
}

fn pointer(case: &Case, difference: &Difference) -> String {
    let around = if case.pointer.starts_with("/cases") { "/expect" } else { "" };
    format!("{}{around}{}", case.pointer, difference.pointer)
}

fn rewritten(text: &str, edits: &[Edit<'_>]) -> String {
    let mut order: Vec<&Edit<'_>> = edits.iter().collect();
    order.sort_unstable_by_key(|edit| edit.start);
    let mut text = text.to_owned();
    // From the end, so that the places of earlier edits stay true.
    for edit in order.into_iter().rev() {
        text.replace_range(edit.start..edit.end, &edit.new);
    }
    text
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
