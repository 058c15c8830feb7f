//! `plugin.json`, the manifest of a portable plugin (SPEC §9.1).

use super::codes;
use super::document::{self, Members, filled_string, string, strings};
use super::finding::{Boundary, Findings, Scope, expected_and_found, member};
use super::listing::{Files, Tree};
use crate::json::Value;
use crate::text::{alternatives, quoted};

/// Where the manifest is.
pub(super) const FILE: &str = "plugin.json";

/// The version of the format that is read here.
pub(super) const VERSION: &str = "1.0.0";

/// What the schema identifiers begin with; the version and the name of the document follow.
const SCHEMAS: &str = "https://agent-plugins.org/schemas/";

/// What of a manifest the other rules need.
#[derive(Default)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    /// `extensions`, where it is an object.
    pub(super) extensions: Option<Value>,
}

/// Reads and judges the manifest. Every fault takes the package down.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Manifest {
    let mut scope = Scope { findings, file: FILE, section: "9.1", boundary: Boundary::Package };
    document::find_file(tree, FILE, &mut scope)
        .and_then(|path| document::read(tree, files, &path, &mut scope))
        .and_then(|value| judge_root(&value, &mut scope))
        .unwrap_or_default()
}

fn judge_root(value: &Value, scope: &mut Scope<'_>) -> Option<Manifest> {
    const KNOWN: [&str; 10] = [
        "$schema",
        "name",
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "extensions",
    ];
    let members = Members::read(value, "", "an object", scope)?;
    let mut manifest = Manifest::default();
    for required in ["$schema", "name"] {
        if members.get(required).is_none() {
            scope.missing(&member("", required), required_is(required));
        }
    }
    for (name, value) in members.iter() {
        let pointer = member("", name);
        match name {
            "$schema" => judge_schema(value, &pointer, scope),
            "name" => manifest.name = judge_name(value, &pointer, scope),
            "version" => manifest.version = string(value, &pointer, scope).map(str::to_owned),
            "description" | "homepage" | "repository" | "license" => {
                string(value, &pointer, scope);
            }
            "keywords" => {
                strings(value, &pointer, scope);
            }
            "author" => judge_author(value, &pointer, scope),
            "extensions" => manifest.extensions = judge_extensions(value, &pointer, scope),
            _ => {
                let what = format!("unknown member {}: known are {}", quoted(name), alternatives(&KNOWN));
                let help = scope.hint(name, &KNOWN);
                scope.warning(codes::MANIFEST_MEMBER_IGNORED, &pointer, &what, help);
            }
        }
    }
    Some(manifest)
}

fn required_is(name: &str) -> &'static str {
    if name == "name" { "the name of the plugin" } else { "the identifier of the schema" }
}

fn judge_schema(value: &Value, pointer: &str, scope: &mut Scope<'_>) {
    let Some(text) = string(value, pointer, scope) else { return };
    if let Err(what) = is_schema(text, "plugin") {
        scope.error(codes::SCHEMA_UNSUPPORTED, pointer, &what);
    }
}

/// Whether a text is the identifier of a document's schema in the version that is read here; if not, what is wrong.
pub(super) fn is_schema(text: &str, document: &str) -> Result<(), String> {
    let wanted = format!("{SCHEMAS}{VERSION}/{document}.schema.json");
    if text == wanted {
        return Ok(());
    }
    let other = text
        .strip_prefix(SCHEMAS)
        .and_then(|rest| rest.strip_suffix(".schema.json"))
        .and_then(|rest| rest.strip_suffix(document))
        .and_then(|rest| rest.strip_suffix('/'));
    Err(match other {
        Some(version) => format!("names version {}: expected `{wanted}`", quoted(version)),
        None => format!("expected exactly `{wanted}`, found the string {}", quoted(text)),
    })
}

fn judge_name(value: &Value, pointer: &str, scope: &mut Scope<'_>) -> Option<String> {
    const EXPECTED: &str = "1 to 64 lower-case letters, digits, `.` and `-`";
    let name = filled_string(value, pointer, EXPECTED, scope)?;
    let edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let good = name.len() <= 64
        && name.bytes().all(|byte| edge(Some(byte)) || byte == b'.' || byte == b'-')
        && edge(name.bytes().next())
        && edge(name.bytes().next_back())
        && !name.contains("--")
        && !name.contains("..");
    if good {
        return Some(name.to_owned());
    }
    let what = format!(
        "expected {EXPECTED} that begin and end with a letter or digit, without `--` and `..`, found {}",
        quoted(name)
    );
    scope.error(codes::BAD_PLUGIN_NAME, pointer, &what);
    None
}

fn judge_author(value: &Value, pointer: &str, scope: &mut Scope<'_>) {
    const KNOWN: [&str; 3] = ["name", "email", "url"];
    let Some(members) = Members::read(value, pointer, "an object", scope) else { return };
    for (name, value) in members.iter() {
        let pointer = member(pointer, name);
        if KNOWN.contains(&name) {
            string(value, &pointer, scope);
        } else {
            scope.unknown(&pointer, name, &KNOWN);
        }
    }
}

/// What one client's namespace holds is that client's business: it is not looked at, not even for names that stand twice.
fn judge_extensions(value: &Value, pointer: &str, scope: &mut Scope<'_>) -> Option<Value> {
    if !matches!(value, Value::Mapping(_)) {
        let what = expected_and_found(value, "an object of objects");
        scope.warning(codes::EXTENSIONS_IGNORED, pointer, &what, None);
        return None;
    }
    let members = Members::read(value, pointer, "an object of objects", scope)?;
    for (name, value) in members.iter() {
        if !matches!(value, Value::Mapping(_)) {
            scope.wrong_type(&member(pointer, name), value, "an object");
        }
    }
    Some(value.clone())
}
