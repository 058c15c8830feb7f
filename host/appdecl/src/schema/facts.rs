//! The facts file (SPEC §10).

use serde_json::{Value, json};

use super::{closed, document, map_of, see, text, truth, words, yes};

/// The schema of a facts file.
#[must_use]
pub fn facts() -> Value {
    document("appdecl facts file", shape(), definitions())
}

/// One machine. What it refers to is in [`definitions`].
pub(super) fn shape() -> Value {
    let recording = json!({ "properties": { "recorded": { "const": true } }, "required": ["recorded"] });
    json!({ "if": recording, "then": recorded(), "else": written() })
}

/// What [`shape`] refers to.
pub(super) fn definitions() -> Value {
    json!({ "file": file(), "registry_key": registry_key(), "process": process(), "session": session() })
}

fn written() -> Value {
    let mut machine = machine(map_of(see("file")), map_of(see("registry_key")));
    machine["properties"]["recorded"] = json!({ "const": false });
    machine
}

/// A recording is written by the program; of its questions the schema knows only where they stand.
fn recorded() -> Value {
    machine(json!({ "type": "object" }), json!({ "type": "object" }))
}

fn machine(files: Value, registry: Value) -> Value {
    closed(
        [
            ("facts", json!({ "const": 1 })),
            ("recorded", truth()),
            ("os", words(&["win32", "darwin", "linux"])),
            ("home", text()),
            ("env", map_of(json!(true))),
            ("files", files),
            ("registry", registry),
            ("processes", map_of(see("process"))),
            ("session", see("session")),
        ],
        &["os"],
    )
}

fn file() -> Value {
    let short = words(&["file", "executable", "dir", "absent"]);
    let principal = words(&["self", "root", "other"]);
    let long = closed(
        [
            ("error", words(&["denied", "locked", "io", "fifo", "absent"])),
            ("link", text()),
            ("executable", truth()),
            ("text", text()),
            ("base64", text()),
            ("plist", json!({ "type": "object" })),
            ("pe_version", text()),
            ("size", json!({ "type": "integer", "minimum": 0 })),
            ("modified", text()),
            ("owner", principal.clone()),
            ("group", principal),
            ("mode", text()),
        ],
        &[],
    );
    json!({ "anyOf": [short, long] })
}

fn registry_key() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    let typed = json!({ "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, "properties": {
        "expand": text(), "dword": number.clone(), "qword": number, "other": yes(), "error": text(),
    } });
    json!({ "type": "object", "additionalProperties": { "anyOf": [text(), typed] } })
}

fn process() -> Value {
    closed(
        [("started", text()), ("zombie", yes()), ("ended", yes()), ("denied", yes()), ("error", text())],
        &[],
    )
}

fn session() -> Value {
    let number = json!({ "type": ["integer", "null"], "minimum": 0 });
    closed(
        [
            ("process_session", number.clone()),
            ("console_session", number.clone()),
            ("window_station", truth()),
            ("audit_session", number),
            ("runtime_dir", words(&["readable", "unreadable", "absent"])),
            ("error", text()),
        ],
        &[],
    )
}
