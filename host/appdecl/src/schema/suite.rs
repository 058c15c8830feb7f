//! The suite (SPEC §11).

use serde_json::{Value, json};

use super::{closed, document, facts, list_of, map_of, some_text, text, text_or_null, truth, words, yes};
use crate::suite::{
    AVAILABILITY_REASONS, DIAGNOSTIC_CODES, ENDPOINT_REASONS, RETRIES, STATES, STATUS_STATES,
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
    document("appdecl suite", schema, facts::definitions())
}

fn case(declaration: &Value) -> Value {
    closed(
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
    )
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
    let parts = closed([("has", list_of(text())), ("lacks", list_of(text()))], &[]);
    let sentence = json!({ "anyOf": [{ "const": "present" }, parts] });
    let app = closed(
        [
            ("name", text()),
            ("version", text_or_null()),
            ("path", text_or_null()),
            ("min_version", text_or_null()),
        ],
        &[],
    );
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
