//! The facts file (SPEC §10).

use serde_json::{Value, json};

use super::{at_most_one, closed, document, map_of, matching, see, text, truth, words, yes};

/// Why a question has no answer, as `error` says it.
const FAULTS: [&str; 8] =
    ["absent", "denied", "locked", "not-regular", "too-large", "refused", "unsupported", "io"];

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
    json!({
        "variable": { "anyOf": [text(), fault()] },
        "file": file(),
        "plist_value": plist_value(),
        "time": time(),
        "registry_key": registry_key(),
        "process": process(),
        "session_win32": session([("process_session", id()), ("console_session", id()), ("window_station", truth())]),
        "session_linux": session([
            ("audit_session", id()),
            ("runtime_dir", words(&["readable", "unreadable", "absent"])),
        ]),
        "session_darwin": session([]),
    })
}

fn written() -> Value {
    let mut registry = map_of(see("registry_key"));
    let hives = ["HKLM", "HKCU", "HKEY_LOCAL_MACHINE", "HKEY_CURRENT_USER"].map(in_any_case).join("|");
    registry["propertyNames"] = json!({ "pattern": format!(r"^(?:{hives})\\[\s\S]") });
    let mut processes = map_of(see("process"));
    processes["propertyNames"] = json!({ "pattern": "^0*[1-9][0-9]{0,9}$" });
    let mut machine = machine(map_of(see("file")), registry, processes);
    machine["properties"]["recorded"] = json!({ "const": false });
    machine
}

/// A recording is written by the program; of its questions the schema knows only where they stand.
fn recorded() -> Value {
    let any = || json!({ "type": "object" });
    machine(any(), any(), any())
}

fn machine(files: Value, registry: Value, processes: Value) -> Value {
    const SYSTEMS: [&str; 3] = ["win32", "darwin", "linux"];
    let mut machine = closed(
        [
            ("facts", json!({ "const": 1 })),
            ("recorded", truth()),
            ("os", words(&SYSTEMS)),
            ("home", text()),
            ("env", map_of(see("variable"))),
            ("files", files),
            ("registry", registry),
            ("processes", processes),
            ("session", json!({ "type": "object" })),
        ],
        &["os"],
    );
    let sessions = SYSTEMS.map(|os| {
        json!({
            "if": { "properties": { "os": { "const": os } } },
            "then": { "properties": { "session": see(&format!("session_{os}")) } },
        })
    });
    machine["allOf"] = json!(sessions);
    machine
}

fn fault() -> Value {
    closed([("error", words(&FAULTS)), ("detail", text())], &["error"])
}

fn file() -> Value {
    let short = words(&["file", "executable", "dir", "absent"]);
    let error = closed([("error", words(&["denied", "locked", "io", "fifo", "absent"]))], &["error"]);
    let link = closed([("link", text())], &["link"]);
    let principal = words(&["self", "root", "other"]);
    let base64 =
        r"^\s*(?:(?:[A-Za-z0-9+/]\s*){4})*(?:(?:[A-Za-z0-9+/]\s*){2}=\s*=\s*|(?:[A-Za-z0-9+/]\s*){3}=\s*)?$";
    let plist = json!({ "type": "object", "additionalProperties": see("plist_value") });
    let contents = closed(
        [
            ("executable", truth()),
            ("text", text()),
            ("base64", matching(base64)),
            ("plist", plist),
            ("pe_version", matching(r"^[0-9]{1,5}(?:\.[0-9]{1,5}){3}$")),
            ("size", json!({ "type": "integer", "minimum": 0 })),
            ("modified", see("time")),
            ("owner", principal.clone()),
            ("group", principal),
            ("mode", matching("^0*[0-7]{1,4}$")),
        ],
        &[],
    );
    let contents = at_most_one(contents, &["text", "base64", "plist", "pe_version"]);
    json!({ "anyOf": [short, error, link, contents] })
}

/// What a property list can hold: everything but null.
fn plist_value() -> Value {
    json!({
        "type": ["string", "boolean", "number", "array", "object"],
        "items": see("plist_value"),
        "additionalProperties": see("plist_value"),
    })
}

/// RFC 3339 in UTC, or milliseconds since 1970.
fn time() -> Value {
    let written = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?Z$";
    json!({ "anyOf": [matching(written), { "type": "integer", "minimum": 0 }] })
}

fn registry_key() -> Value {
    let number = |most: u64| json!({ "type": "integer", "minimum": 0, "maximum": most });
    let one = |form: &str, value: Value| closed([(form, value)], &[form]);
    let value = json!({ "anyOf": [
        text(),
        one("expand", text()),
        one("dword", number(u64::from(u32::MAX))),
        one("qword", number(u64::MAX)),
        one("other", yes()),
        fault(),
    ] });
    let values = json!({ "type": "object", "properties": { "error": false }, "additionalProperties": value });
    json!({ "anyOf": [{ "const": "absent" }, fault(), values] })
}

fn process() -> Value {
    let marks = [("zombie", yes()), ("ended", yes()), ("denied", yes())];
    let [zombie, ended, denied] = marks;
    let seen = closed([("started", see("time")), zombie, ended, denied], &[]);
    json!({ "anyOf": [{ "const": "absent" }, fault(), at_most_one(seen, &["zombie", "ended", "denied"])] })
}

fn session<const N: usize>(members: [(&str, Value); N]) -> Value {
    json!({ "anyOf": [closed(members, &[]), fault()] })
}

/// The number of a session.
fn id() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
}

/// A pattern for a word whose letters may be of either case.
fn in_any_case(word: &str) -> String {
    word.chars()
        .map(|letter| match letter.is_ascii_alphabetic() {
            true => format!("[{letter}{}]", letter.to_ascii_lowercase()),
            false => letter.to_string(),
        })
        .collect()
}
