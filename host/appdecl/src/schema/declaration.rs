//! The declaration (SPEC §2).

use serde_json::{Value, json};

use super::{closed, document, map_of, some_text, text, truth, words};

/// The schema of a declaration file: one declaration, or several under `servers`.
///
/// ```
/// let schema = appdecl::schema::declaration();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// ```
#[must_use]
pub fn declaration() -> Value {
    let several = closed([("servers", map_of(shape()))], &["servers"]);
    document("appdecl declaration", json!({ "anyOf": [shape(), several] }), json!({}))
}

/// One declaration.
pub(super) fn shape() -> Value {
    let systems = [("win32", block(&WIN32)), ("darwin", block(&DARWIN)), ("linux", block(&LINUX))];
    let mut app = closed(systems, &[]);
    app["minProperties"] = json!(1);
    let minimum = json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]+)*$" });
    let requires = closed([("app", truth()), ("min_version", minimum)], &[]);
    closed([("app", app), ("requires", requires), ("liveness", portable_liveness())], &[])
}

/// The kinds that a system has.
struct System {
    versions: &'static [&'static str],
    places: &'static [&'static str],
}

const WIN32: System = System {
    versions: &["pe_resource", "uninstall_registry", "none"],
    places: &["command", "uninstall_registry"],
};
const DARWIN: System = System { versions: &["plist", "none"], places: &["command", "app_bundle"] };
const LINUX: System = System { versions: &["none"], places: &["command", "flatpak", "snap"] };

fn block(system: &System) -> Value {
    let places: Vec<Value> =
        [some_text()].into_iter().chain(system.places.iter().map(|kind| place(kind))).collect();
    let list = json!({ "type": "array", "minItems": 1, "items": { "anyOf": places } });
    let mut version = closed([("kind", words(system.versions)), ("display_name_prefix", some_text())], &[]);
    version["if"] =
        json!({ "properties": { "kind": { "const": "uninstall_registry" } }, "required": ["kind"] });
    version["then"] = json!({ "required": ["display_name_prefix"] });
    closed(
        [
            ("presence", words(&["executable", "bundle"])),
            ("location", json!({ "anyOf": [some_text(), list] })),
            ("version", version),
            ("liveness", liveness(&["server_json", "none"])),
        ],
        &["presence", "location"],
    )
}

fn place(kind: &str) -> Value {
    let name = json!({ "type": "string", "minLength": 1, "pattern": r"^[^/\\:]+$" });
    let kind_is = ("kind", json!({ "const": kind }));
    match kind {
        "uninstall_registry" => closed(
            [kind_is, ("display_name_prefix", some_text()), ("file", some_text())],
            &["kind", "display_name_prefix", "file"],
        ),
        "app_bundle" => closed(
            [kind_is, ("name", json!({ "type": "string", "pattern": r"^[^/\\:]+\.app$" }))],
            &["kind", "name"],
        ),
        "flatpak" => closed([kind_is, ("app_id", name)], &["kind", "app_id"]),
        _ => closed([kind_is, ("name", name)], &["kind", "name"]),
    }
}

fn liveness(kinds: &[&str]) -> Value {
    let key = json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]+$" });
    let mut liveness = closed(
        [
            ("kind", words(kinds)),
            ("path", text()),
            ("pid_key", key.clone()),
            ("url_key", key.clone()),
            ("token_key", key),
            (
                "endpoint_path",
                json!({ "type": "string", "pattern": "^/([A-Za-z0-9._~-][A-Za-z0-9._~/-]*)?$" }),
            ),
        ],
        &[],
    );
    liveness["if"] = json!({ "properties": { "kind": { "const": "server_json" } }, "required": ["kind"] });
    liveness["then"] = json!({ "required": ["path"] });
    liveness
}

/// The form beside `app`, with its own kinds, and `fields` for the keys.
fn portable_liveness() -> Value {
    let mut liveness = liveness(&["server_json", "interactive_session", "static", "none"]);
    let key = json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]+$" });
    liveness["properties"]["fields"] =
        closed([("pid", key.clone()), ("url", key.clone()), ("token", key)], &[]);
    liveness
}
