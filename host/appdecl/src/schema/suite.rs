//! The suite (SPEC §11).

use serde_json::{Value, json};

use super::{
    at_most_one, closed, document, facts, list_of, map_of, one_of, some_text, text, text_or_null, truth,
    words, yes,
};
use crate::suite::{
    AVAILABILITY_REASONS, DIAGNOSTIC_CODES, ENDPOINT_REASONS, RETRIES, STATES, STATIC_KEYS, STATUS_STATES,
};

/// The schema of a suite.
#[must_use]
pub fn suite() -> Value {
    // A case may bring a faulty declaration, to say so: it is any value here.
    let declaration = json!(true);
    let comparison = closed(
        [("found", text()), ("minimum", text()), ("at_least", truth())],
        &["found", "minimum", "at_least"],
    );
    let mut schema = closed(
        [
            ("suite", text()),
            ("declaration", declaration.clone()),
            ("package", text()),
            ("server", some_text()),
            ("display_name", some_text()),
            ("cases", list_of(case(&declaration))),
            ("versions", list_of(comparison)),
        ],
        &["suite"],
    );
    schema["anyOf"] = json!([
        { "required": ["cases"], "properties": { "cases": { "minItems": 1 } } },
        { "required": ["versions"], "properties": { "versions": { "minItems": 1 } } },
    ]);
    // A suite without a declaration leaves it to each of its cases.
    schema["if"] = json!({ "not": { "anyOf": one_of(&["declaration", "package"]) } });
    schema["then"] = json!({ "properties": { "cases": { "items": declared() } } });
    document("appdecl suite", at_most_one(schema, &["declaration", "package"]), facts::definitions())
}

fn case(declaration: &Value) -> Value {
    let mut case = closed(
        [
            ("name", some_text()),
            ("declaration", declaration.clone()),
            ("declaration_text", text()),
            ("package", text()),
            ("server", some_text()),
            ("display_name", some_text()),
            ("register", map_of(declaration.clone())),
            ("connected", truth()),
            ("facts", facts::shape()),
            ("facts_file", text()),
            ("expect", expect()),
        ],
        &["name", "expect"],
    );
    // What is said of a declaration alone asks no machine.
    case["if"] = json!({ "properties": { "expect": { "propertyNames": { "enum": STATIC_KEYS } } } });
    case["else"] = json!({ "anyOf": one_of(&["facts", "facts_file"]) });
    case["allOf"] = json!([
        { "if": { "required": ["register"] }, "then": declared() },
        at_most_one(json!({}), &["declaration", "declaration_text", "package"]),
        at_most_one(json!({}), &["facts", "facts_file"]),
    ]);
    case
}

/// A case that brings a declaration.
fn declared() -> Value {
    let own = one_of(&["declaration", "declaration_text", "package"]).into_iter();
    let registered =
        json!({ "required": ["register"], "properties": { "register": { "minProperties": 1 } } });
    json!({ "anyOf": own.chain([registered]).collect::<Vec<_>>() })
}

fn expect() -> Value {
    let fault = closed([("code", words(&DIAGNOSTIC_CODES)), ("pointer", text())], &["code", "pointer"]);
    let skill =
        closed([("requires_apps", list_of(text())), ("offered", truth())], &["requires_apps", "offered"]);
    let mut expect = closed(
        [
            ("valid", yes()),
            ("invalid", json!({ "type": "array", "minItems": 1, "items": fault })),
            ("state", words(&STATES)),
            ("offerable", truth()),
            ("version", text_or_null()),
            ("path", text_or_null()),
            ("min_version", text_or_null()),
            ("reason", json!({ "anyOf": [words(&AVAILABILITY_REASONS), { "type": "null" }] })),
            ("endpoint", endpoint()),
            ("status", json!({ "anyOf": [status(), { "type": "null" }] })),
            ("server_offered", map_of(truth())),
            ("skill_offered", list_of(skill)),
        ],
        &[],
    );
    expect["minProperties"] = json!(1);
    expect["if"] = json!({ "required": ["invalid"] });
    expect["then"] = json!({ "maxProperties": 1 });
    expect
}

fn endpoint() -> Value {
    let there = closed([("url", text()), ("token", words(&["present", "absent"]))], &[]);
    let not_there = closed([("unavailable", words(&ENDPOINT_REASONS))], &["unavailable"]);
    json!({ "minProperties": 1, "anyOf": [there, not_there] })
}

fn status() -> Value {
    let mut parts = closed([("has", list_of(text())), ("lacks", list_of(text()))], &[]);
    parts["minProperties"] = json!(1);
    let sentence = json!({ "anyOf": [{ "const": "present" }, parts] });
    let mut app = closed(
        [
            ("name", text()),
            ("version", text_or_null()),
            ("path", text_or_null()),
            ("min_version", text_or_null()),
        ],
        &[],
    );
    app["minProperties"] = json!(1);
    let mut status = closed(
        [
            ("server", text()),
            ("app", app),
            ("state", words(&STATUS_STATES)),
            ("message", sentence.clone()),
            ("user_action", sentence),
            ("retry", words(&RETRIES)),
        ],
        &[],
    );
    status["minProperties"] = json!(1);
    status
}
