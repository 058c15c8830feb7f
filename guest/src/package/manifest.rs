//! `plugin.json`, the manifest of a portable plugin (SPEC §9.1). Every fault takes the package down.

use super::codes;
use super::document::{self, Members, required, string, strings};
use super::finding::{Help, Scope};
use super::place::{At, Known, Quoted};
use crate::json::Value;

/// Where the manifest is.
pub(super) const FILE: &str = "plugin.json";

/// The version of the format that is read here.
const VERSION: &str = "1.0.0";

/// What the identifiers of schemas begin with; the version and the name of the document follow.
const SCHEMAS: &str = "https://agent-plugins.org/schemas/";

/// What of a manifest the other rules need.
#[derive(Default)]
pub(super) struct Manifest<'v> {
    pub(super) name: Option<&'v str>,
    pub(super) version: Option<&'v str>,
    /// `extensions`, where it is an object.
    pub(super) extensions: Option<&'v Value>,
}

/// Judges a manifest.
pub(super) fn judge<'v>(value: &'v Value, scope: &mut Scope<'_>) -> Manifest<'v> {
    const STRINGS: [&str; 5] = ["version", "description", "homepage", "repository", "license"];
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
    let at = At::Root;
    let Some(members) = Members::read(value, &at, "an object", scope) else { return Manifest::default() };
    judge_schema(&members, "plugin", codes::SCHEMA_UNSUPPORTED, scope);
    let name = judge_name(&members, scope);
    for (name, value) in &members.once {
        let at = at.member(name);
        if STRINGS.contains(name) {
            string(value, &at, scope);
        } else if *name == "author" {
            judge_author(value, &at, scope);
        } else if *name == "extensions" {
            judge_extensions(value, &at, scope);
        } else if !KNOWN.contains(name) {
            let what = format_args!("unknown member {}: known are {}", Quoted(name), Known(&KNOWN));
            scope.warning(codes::MANIFEST_MEMBER_IGNORED, &at, (0, 0), what, Help::Nearest(name, &KNOWN));
        }
    }
    strings(&members, &at, "keywords", scope);
    let extensions = members.get("extensions").filter(|value| matches!(value, Value::Mapping(_)));
    Manifest { name, version: members.get("version").and_then(Value::as_text), extensions }
}

/// Whether a document names its schema in the version that is read here.
pub(super) fn judge_schema(members: &Members<'_>, document: &str, code: &'static str, scope: &mut Scope<'_>) {
    let at = At::Root;
    let Some(value) = members.get("$schema") else {
        return scope.missing(&at, "$schema", "the identifier of the schema");
    };
    let at = at.member("$schema");
    let Some(text) = string(value, &at, scope) else { return };
    let wanted = format!("{SCHEMAS}{VERSION}/{document}.schema.json");
    if text == wanted {
        return;
    }
    let version = text
        .strip_prefix(SCHEMAS)
        .and_then(|rest| rest.strip_suffix(".schema.json")?.strip_suffix(document)?.strip_suffix('/'));
    match version {
        Some(version) => {
            scope.error(code, &at, format_args!("names version {}: expected `{wanted}`", Quoted(version)));
        }
        None => scope.error(code, &at, format_args!("expected `{wanted}`, found {}", Quoted(text))),
    }
}

fn judge_name<'v>(members: &Members<'v>, scope: &mut Scope<'_>) -> Option<&'v str> {
    let name = required(members, &At::Root, "name", "the name of the plugin", scope)?;
    let is_edge = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    let good = bytes.len() <= 64
        && bytes.iter().all(|byte| is_edge(byte) || *byte == b'.' || *byte == b'-')
        && bytes.first().is_some_and(is_edge)
        && bytes.last().is_some_and(is_edge)
        && !name.contains("--")
        && !name.contains("..");
    if good {
        return Some(name);
    }
    let what = format_args!(
        "expected 1 to 64 lower-case letters, digits, `.` and `-` that begin and end with a letter or digit, \
         without `--` and `..`, found {}",
        Quoted(name)
    );
    scope.error(codes::BAD_PLUGIN_NAME, &At::Root.member("name"), what);
    None
}

fn judge_author(value: &Value, at: &At<'_>, scope: &mut Scope<'_>) {
    let Some(members) = Members::read(value, at, "an object", scope) else { return };
    members.close(at, &["name", "email", "url"], &[], scope);
    for known in ["name", "email", "url"] {
        if let Some(value) = members.get(known) {
            document::string(value, &at.member(known), scope);
        }
    }
}

/// What one client's namespace holds is that client's business: it is not looked at, not even for names that stand twice.
fn judge_extensions(value: &Value, at: &At<'_>, scope: &mut Scope<'_>) {
    if !matches!(value, Value::Mapping(_)) {
        let what = format_args!("expected an object of objects, found {}", value.type_name());
        return scope.warning(codes::EXTENSIONS_IGNORED, at, (0, 0), what, Help::None);
    }
    let Some(members) = Members::read(value, at, "an object of objects", scope) else { return };
    for (name, value) in &members.once {
        if !matches!(value, Value::Mapping(_)) {
            scope.wrong_type(&at.member(name), value, "an object");
        }
    }
}
