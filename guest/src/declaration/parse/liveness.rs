//! `liveness`, in the two places a declaration may state it (SPEC §2.1).

use super::super::reader::{At, Members, Reader};
use super::super::{KeyNames, PortableLiveness, ServerJson};
use super::app::AppBlock;
use super::place::report_path;
use crate::facts::Os;
use crate::json::Value;
use crate::path;
use crate::text::quoted;

/// Under one system. The inner option is none for the kind `none`; the outer one where anything is faulty.
pub(super) fn read_of_system(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    os: Os,
) -> Option<Option<ServerJson>> {
    const KNOWN: [&str; 6] = ["kind", "path", "pid_key", "url_key", "token_key", "endpoint_path"];
    let members = reader.mapping(at, value, "with `kind`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let kind = read_kind(reader, at, &members, &["server_json", "none"]);
    let server_json = read_server_json(reader, at, &members, kind, &[os]);
    match kind? {
        "server_json" => server_json.flatten().map(Some),
        _ => server_json.map(|_| None),
    }
}

/// Beside `app` and `requires`, for all declared systems at once.
pub(super) fn read_portable(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    block: Option<&AppBlock>,
) -> Option<PortableLiveness> {
    const KNOWN: [&str; 7] = ["kind", "path", "fields", "pid_key", "url_key", "token_key", "endpoint_path"];
    let members = reader.mapping(at, value, "with `kind`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let kind = read_kind(reader, at, &members, &["server_json", "interactive_session", "static", "none"]);
    let declared = block.map(|block| block.declared.as_slice()).unwrap_or_default();
    let server_json = read_server_json(reader, at, &members, kind, declared);
    match kind? {
        "server_json" => server_json.flatten().map(PortableLiveness::ServerJson),
        "interactive_session" => server_json.map(|_| PortableLiveness::InteractiveSession),
        _ => server_json.map(|_| PortableLiveness::Static),
    }
}

fn read_kind<'v>(reader: &mut Reader, at: &At<'_>, members: &Members<'v>, known: &[&str]) -> Option<&'v str> {
    let Some((index, value)) = members.get("kind") else { return Some("none") };
    let at = at.member(index, "kind");
    let kind = reader.text(&at, value, "a string")?;
    if known.contains(&kind) {
        Some(kind)
    } else {
        reader.unknown_value(&at, kind, known);
        None
    }
}

/// The members of a runtime file's description, judged whatever the kind is. The inner option is none where there is no
/// path and none is needed.
fn read_server_json(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'_>,
    kind: Option<&str>,
    systems: &[Os],
) -> Option<Option<ServerJson>> {
    let path = read_path(reader, at, members, kind == Some("server_json"), systems);
    let fields = match members.get("fields") {
        Some((index, value)) => read_fields(reader, &at.member(index, "fields"), value, members),
        None => Some([None, None, None]),
    };
    let [pid, url, token] = ["pid_key", "url_key", "token_key"].map(|member| match members.get(member) {
        Some((index, value)) => read_key_name(reader, &at.member(index, member), value).map(Some),
        None => Some(None),
    });
    let endpoint_path = match members.get("endpoint_path") {
        Some((index, value)) => read_endpoint_path(reader, &at.member(index, "endpoint_path"), value),
        None => Some("/mcp".to_owned()),
    };
    let [pid_field, url_field, token_field] = fields?;
    let keys = KeyNames {
        pid: pid?.or(pid_field).unwrap_or_else(|| "pid".to_owned()),
        url: url?.or(url_field).unwrap_or_else(|| "http".to_owned()),
        token: token?.or(token_field).unwrap_or_else(|| "token".to_owned()),
    };
    let endpoint_path = endpoint_path?;
    Some(path?.map(|path| ServerJson { path, keys, endpoint_path }))
}

fn read_path(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'_>,
    required: bool,
    systems: &[Os],
) -> Option<Option<String>> {
    const EXPECTED: &str = "the path of the runtime file";
    let Some((index, value)) = members.get("path") else {
        if required {
            reader.missing(at, "path", EXPECTED);
            return None;
        }
        return Some(None);
    };
    let at = at.member(index, "path");
    let path = reader.text(&at, value, "a string")?;
    if path.is_empty() {
        reader.empty(&at, EXPECTED);
        return None;
    }
    let faults = systems.iter().filter_map(|os| path::judge(path, *os).err().map(|fault| (fault, *os)));
    match faults.min_by_key(|(fault, _)| *fault) {
        Some((fault, os)) => {
            report_path(reader, &at, path, fault, os);
            None
        }
        None => Some(Some(path.to_owned())),
    }
}

fn read_fields(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    outer: &Members<'_>,
) -> Option<[Option<String>; 3]> {
    const KNOWN: [&str; 3] = ["url", "token", "pid"];
    let members = reader.mapping(at, value, "with `url`, `token` and `pid`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let [pid, url, token] =
        [("pid", "pid_key"), ("url", "url_key"), ("token", "token_key")].map(|(field, other)| {
            let Some((index, value)) = members.get(field) else { return Some(None) };
            let at = at.member(index, field);
            if outer.has(other) {
                let what = format!("is named here and as `{other}` as well");
                reader.report_with_help(&at, "duplicate-key", &what, "keep one of the two".to_owned());
            }
            read_key_name(reader, &at, value).map(Some)
        });
    Some([pid?, url?, token?])
}

fn read_key_name(reader: &mut Reader, at: &At<'_>, value: &Value) -> Option<String> {
    let name = reader.text(at, value, "a string")?;
    let is_key_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
    if is_key_name {
        Some(name.to_owned())
    } else {
        let what = format!("expected one or more of `A-Z a-z 0-9 _ . -`, found {}", quoted(name));
        reader.report(at, "bad-key-name", &what);
        None
    }
}

fn read_endpoint_path(reader: &mut Reader, at: &At<'_>, value: &Value) -> Option<String> {
    let path = reader.text(at, value, "a string")?;
    if is_endpoint_path(path) {
        Some(path.to_owned())
    } else {
        let what = format!(
            "expected one `/` and then only `A-Z a-z 0-9 . _ ~ / -`, without a `..` segment, found {}",
            quoted(path)
        );
        reader.report(at, "bad-endpoint-path", &what);
        None
    }
}

fn is_endpoint_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'/' | b'-'))
        && !path.split('/').any(|segment| segment == "..")
}
