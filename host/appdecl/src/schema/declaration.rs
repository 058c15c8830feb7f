//! The declaration (SPEC §2).

use serde_json::{Value, json};

use super::{closed, document, map_of, matching, one_of, some_text, truth, words};

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
    let mut shape = closed([("app", app), ("requires", requires), ("liveness", portable_liveness())], &[]);
    shape["allOf"] = conditions();
    shape
}

/// What one member asks of another (SPEC §2.1, §2.5).
fn conditions() -> Value {
    let requires = |member: Value| json!({ "required": ["requires"], "properties": { "requires": member } });
    let has_minimum = requires(json!({ "required": ["min_version"] }));
    let asks_for_app = json!({ "required": ["app"], "properties": { "app": { "const": true } } });
    let with_source = json!({
        "required": ["version"],
        "properties": { "version": { "required": ["kind"], "properties": { "kind": { "not": { "const": "none" } } } } },
    });
    let is_linux_alone = json!({
        "required": ["app"],
        "properties": { "app": { "type": "object", "required": ["linux"], "maxProperties": 1 } },
    });
    json!([
        { "if": requires(asks_for_app.clone()), "then": { "required": ["app"] } },
        // Without `app` the path is judged where it is used.
        {
            "if": { "required": ["app"] },
            "then": { "properties": { "liveness": { "properties": { "path": rooted(ANY_ROOT) } } } },
        },
        { "if": { "required": ["liveness"] }, "then": { "anyOf": one_of(&["app", "requires"]) } },
        { "if": has_minimum, "then": requires(asks_for_app) },
        {
            "if": has_minimum,
            "then": { "properties": { "app": { "properties": { "win32": with_source, "darwin": with_source } } } },
        },
        // No source exists on Linux: a minimum there is asked for in vain.
        { "if": is_linux_alone, "then": { "properties": { "requires": { "not": { "required": ["min_version"] } } } } },
    ])
}

/// What a path begins with, trimmed (SPEC §2.3): `~`, a variable, or `root`.
fn rooted(root: &str) -> Value {
    let variable = r"%[^%/\\]+%|\$[A-Za-z_]|\$\{[A-Za-z_][A-Za-z0-9_]*\}";
    matching(&format!(r"^\s*(?:~|{variable}|{root})"))
}

/// The kinds that a system has.
struct System {
    versions: &'static [&'static str],
    places: &'static [&'static str],
    /// What a path begins with there.
    root: &'static str,
}

const DRIVE: &str = r"[A-Za-z]:[/\\]";
const ANY_ROOT: &str = r"/|[A-Za-z]:[/\\]";

const WIN32: System = System {
    versions: &["pe_resource", "uninstall_registry", "none"],
    places: &["command", "uninstall_registry"],
    root: DRIVE,
};
const DARWIN: System = System { versions: &["plist", "none"], places: &["command", "app_bundle"], root: "/" };
const LINUX: System = System { versions: &["none"], places: &["command", "flatpak", "snap"], root: "/" };

fn block(system: &System) -> Value {
    let places: Vec<Value> =
        [rooted(system.root)].into_iter().chain(system.places.iter().map(|kind| place(kind))).collect();
    let list = json!({ "type": "array", "minItems": 1, "items": { "anyOf": places } });
    let mut version = closed([("kind", words(system.versions)), ("display_name_prefix", some_text())], &[]);
    version["if"] =
        json!({ "properties": { "kind": { "const": "uninstall_registry" } }, "required": ["kind"] });
    version["then"] = json!({ "required": ["display_name_prefix"] });
    closed(
        [
            ("presence", words(&["executable", "bundle"])),
            ("location", json!({ "anyOf": [rooted(system.root), list] })),
            ("version", version),
            ("liveness", liveness(&["server_json", "none"], rooted(system.root))),
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

fn liveness(kinds: &[&str], path: Value) -> Value {
    let key = json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]+$" });
    let mut liveness = closed(
        [
            ("kind", words(kinds)),
            ("path", path),
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
    let mut liveness = liveness(&["server_json", "interactive_session", "static", "none"], some_text());
    let key = json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]+$" });
    liveness["properties"]["fields"] =
        closed([("pid", key.clone()), ("url", key.clone()), ("token", key)], &[]);
    liveness
}
