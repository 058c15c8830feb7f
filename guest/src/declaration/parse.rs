//! From JSON text to a declaration, or to all of its faults (SPEC §2).
//!
//! A rule that rests on a faulty value is not judged, so that one mistake is reported once.

mod app;
mod liveness;
mod place;

use self::app::AppBlock;
use super::reader::{At, Members, Reader};
use super::{Declaration, Diagnostic, Requires};
use crate::facts::Os;
use crate::json::{self, Value};
use crate::text::quoted;
use crate::version::is_minimum;

/// The most bytes of JSON text a declaration may have.
pub const LONGEST_TEXT: usize = 256 * 1024;

/// The most levels of mappings and lists a declaration may have, the root being 1.
pub const LEVELS: usize = 32;

/// Reads a declaration from JSON text. `label` is what every message starts with.
///
/// ```
/// let text = r#"{ "app": { "linux": { "presence": "executable", "location": "opt/acme" } } }"#;
/// let faults = appdecl_guest::declaration::parse(text, "plugin.json").unwrap_err();
/// assert_eq!(faults[0].code, "path-not-rooted");
/// assert_eq!(faults[0].pointer, "/app/linux/location");
/// ```
pub fn parse(text: &str, label: &str) -> Result<Declaration, Vec<Diagnostic>> {
    let mut reader = Reader::new(label);
    if text.len() > LONGEST_TEXT {
        let what = format!("a declaration is at most {LONGEST_TEXT} bytes of JSON text, this one has more");
        reader.report(&At::ROOT, "too-large", &what);
        return Err(reader.finish());
    }
    match json::parse(text, LEVELS) {
        Ok(value) => parse_value(&value, label),
        Err(json::Fault::TooDeep) => {
            let what =
                format!("a declaration has at most {LEVELS} levels of mappings and lists, this one has more");
            reader.report(&At::ROOT, "too-deep", &what);
            Err(reader.finish())
        }
        Err(json::Fault::Syntax { line, column }) => {
            let what = format!("expected a JSON object, found no JSON: line {line}, column {column}");
            reader.report(&At::ROOT, "not-a-mapping", &what);
            Err(reader.finish())
        }
    }
}

/// Reads a declaration from a value that is already decoded.
pub fn parse_value(value: &Value, label: &str) -> Result<Declaration, Vec<Diagnostic>> {
    let mut reader = Reader::new(label);
    reader.duplicates(&At::ROOT, value);
    let declaration = read(&mut reader, value);
    let faults = reader.finish();
    match declaration {
        Some(declaration) if faults.is_empty() => Ok(declaration),
        _ => Err(faults),
    }
}

fn read(reader: &mut Reader, value: &Value) -> Option<Declaration> {
    const KNOWN: [&str; 3] = ["app", "requires", "liveness"];
    let root = At::ROOT;
    let members = reader.mapping(&root, value, "with `app`, `requires` and `liveness`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&root.member(index, name), "unknown-key", name, &KNOWN);
    }
    let block = members.get("app").map(|(index, value)| app::read(reader, &root.member(index, "app"), value));
    let requires = match members.get("requires") {
        Some((index, value)) => {
            read_requires(reader, &root.member(index, "requires"), value, &members, block.as_ref())
        }
        None => Some(Requires::default()),
    };
    let portable = members.get("liveness").map(|(index, value)| {
        let at = root.member(index, "liveness");
        let portable = liveness::read_portable(reader, &at, value, block.as_ref());
        if matches!(value, Value::Mapping(_)) {
            judge_both_forms(reader, &at, &members, block.as_ref());
        }
        portable
    });
    let apps = match block {
        Some(block) => Some(block.apps?),
        None => None,
    };
    Some(Declaration::new(apps, requires?, portable.flatten()))
}

fn judge_both_forms(reader: &mut Reader, at: &At<'_>, members: &Members<'_>, block: Option<&AppBlock>) {
    if !members.has("app") && !members.has("requires") {
        let what = "says how to see an application, but neither `app` nor `requires` is there";
        reader.report(at, "liveness-without-app", what);
    }
    if let Some(os) = block.and_then(|block| block.with_liveness.first()) {
        let what = format!("stands here and under `app.{}` as well: one system takes one form", os.name());
        reader.report_with_help(at, "liveness-twice", &what, "keep one of the two".to_owned());
    }
}

fn read_requires(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    root: &Members<'_>,
    block: Option<&AppBlock>,
) -> Option<Requires> {
    const KNOWN: [&str; 2] = ["app", "min_version"];
    let members = reader.mapping(at, value, "with `app` and `min_version`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let app = match members.get("app") {
        None => Some(false),
        Some((_, Value::Bool(app))) => Some(*app),
        Some((index, other)) => {
            reader.wrong_type(&at.member(index, "app"), other, "a boolean");
            None
        }
    };
    if app == Some(true)
        && !root.has("app")
        && let Some((index, _)) = members.get("app")
    {
        let what = "is `true`, but there is no `app` block that says where the application is found";
        reader.report(&at.member(index, "app"), "app-block-missing", what);
    }
    let min_version = match members.get("min_version") {
        None => None,
        Some((index, value)) => {
            let at = at.member(index, "min_version");
            let text = reader.text(&at, value, "a string of dot-separated numbers such as `\"2.3.0\"`")?;
            if !is_minimum(text) {
                let what = format!("expected dot-separated numbers such as `2.3.0`, found {}", quoted(text));
                reader.report(&at, "bad-version", &what);
                return None;
            }
            if app == Some(false) {
                let what =
                    "needs `requires.app: true`: the version of what need not be there is not asked for";
                reader.report(&at, "min-version-needs-app", what);
            }
            Some(text.to_owned())
        }
    };
    if min_version.is_some()
        && app == Some(true)
        && let Some(block) = block
    {
        block.judge_version_sources(reader, root);
    }
    Some(Requires { app: app?, min_version })
}

/// Whether a kind or a source belongs to that system.
fn only_on(os: Os, wanted: Os) -> Result<(), String> {
    if os == wanted {
        Ok(())
    } else {
        Err(format!("belongs to `{}`, found under `{}`", wanted.name(), os.name()))
    }
}
