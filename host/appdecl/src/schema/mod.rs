//! JSON Schemas (draft 2020-12) of the three formats that people write, for editors that complete and check.
//!
//! A schema knows the shape of a document: keys, types and words. It accepts all that is good, and much of what is faulty;
//! the component, and the readers of facts and suites, have the last word.
#![expect(clippy::indexing_slicing, reason = "a member of a JSON value that is missing is made by naming it")]

mod declaration;
mod facts;
mod suite;

use serde_json::{Map, Value, json};

pub use declaration::declaration;
pub use facts::facts;
pub use suite::suite;

/// A schema of its own, with a title.
fn document(title: &str, schema: Value, definitions: Value) -> Value {
    let mut document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$defs": definitions,
    });
    if let (Some(document), Value::Object(members)) = (document.as_object_mut(), schema) {
        document.extend(members);
    }
    document
}

/// A mapping of these keys and no others, of which some must be there.
fn closed<const N: usize>(members: [(&str, Value); N], required: &[&str]) -> Value {
    let members: Map<String, Value> =
        members.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect();
    json!({ "type": "object", "properties": members, "required": required, "additionalProperties": false })
}

/// A mapping of any keys to values of one kind.
fn map_of(schema: Value) -> Value {
    json!({ "type": "object", "additionalProperties": schema })
}

fn list_of(schema: Value) -> Value {
    json!({ "type": "array", "items": schema })
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// Text that is not empty.
fn some_text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

fn truth() -> Value {
    json!({ "type": "boolean" })
}

fn yes() -> Value {
    json!({ "const": true })
}

fn words(words: &[&str]) -> Value {
    json!({ "enum": words })
}

/// Adds that of these keys at most one may be there.
fn at_most_one(mut schema: Value, keys: &[&str]) -> Value {
    let pairs = keys.iter().enumerate().flat_map(|(at, first)| {
        keys.iter().skip(at + 1).map(move |second| json!({ "required": [first, second] }))
    });
    schema["not"] = json!({ "anyOf": pairs.collect::<Vec<_>>() });
    schema
}

/// The schema of an object that has at least one of these keys.
fn one_of(keys: &[&str]) -> Vec<Value> {
    keys.iter().map(|key| json!({ "required": [key] })).collect()
}

fn matching(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

fn see(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}
