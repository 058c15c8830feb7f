//! What is expected against what was found.

use serde_json::Value;

use super::Difference;

/// The sentences of a status, of which a case says what they have and lack.
const SENTENCES: [&str; 2] = ["/status/message", "/status/user_action"];

/// Everything that `expected` names and `found` does not have.
pub(super) fn differences(expected: &Value, found: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    compare("", expected, found, &mut differences);
    differences
}

fn compare(pointer: &str, expected: &Value, found: &Value, differences: &mut Vec<Difference>) {
    let same = match (expected, found) {
        _ if SENTENCES.contains(&pointer) => found.as_str().is_some_and(|said| sentence_is(expected, said)),
        // An endpoint that is there and one that is not have no member in common: they differ as a whole.
        (Value::Object(expected), Value::Object(found))
            if pointer.is_empty() || expected.keys().any(|key| found.contains_key(key)) =>
        {
            for (key, expected) in expected {
                let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                compare(&pointer, expected, found.get(key).unwrap_or(&Value::Null), differences);
            }
            return;
        }
        (Value::Array(expected), Value::Array(found))
            if pointer == "/skill_offered" && expected.len() == found.len() =>
        {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(&format!("{pointer}/{index}"), expected, found, differences);
            }
            return;
        }
        _ => expected == found,
    };
    if !same {
        let difference =
            Difference { pointer: pointer.to_owned(), expected: expected.clone(), found: found.clone() };
        differences.push(difference);
    }
}

fn sentence_is(expected: &Value, said: &str) -> bool {
    let parts = |key: &str| {
        let list = expected.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).collect::<Vec<_>>()
    };
    !said.is_empty()
        && parts("has").iter().all(|part| said.contains(part))
        && !parts("lacks").iter().any(|part| said.contains(part))
}
