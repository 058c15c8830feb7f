//! The MCP document of a static repository plugin (SPEC §9.2). Every fault takes the whole package down.

use super::document::{self, Members, required, string_map, strings};
use super::expansion::variables;
use super::finding::{Help, Scope};
use super::listing::{Files, Tree};
use super::place::At;
use super::repository::Repository;
use super::{Server, Variable, codes};
use crate::json::Value;
use crate::order::sorted;

const TRANSPORTS: [&str; 2] = ["stdio", "http"];

/// Reads and judges an MCP document, as far as it can be read.
pub(super) fn judge(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    path: &str,
    repository: &mut Repository,
    scope: &mut Scope<'_>,
) -> Option<()> {
    let bytes = document::read_bytes(tree, files, path, scope)?;
    repository.mcp = Some(bytes.to_vec());
    let value = document::parse(bytes, scope)?;
    let root = At::Root;
    let members = Members::read(&value, &root, "an object", scope)?;
    members.close(&root, &["mcpServers"], &[], scope);
    let Some(servers) = members.get("mcpServers") else {
        scope.missing(&root, "mcpServers", "an object of servers");
        return None;
    };
    let at = root.member("mcpServers");
    let servers = Members::read(servers, &at, "an object of servers", scope)?;
    let mut found = Vec::new();
    for (name, value) in &servers.once {
        let transport = judge_server(name, value, &at.member(name), &mut found, scope);
        let server = |transport| Server { name: (*name).to_owned(), transport, declaration: None };
        repository.servers.extend(transport.map(server));
    }
    let mut found = sorted(found, |left, right| left.name.cmp(&right.name));
    found.dedup_by(|later, first| later.name == first.name);
    repository.variables = found;
    Some(())
}

/// The transport of a server, where it has a known one.
fn judge_server(
    name: &str,
    value: &Value,
    at: &At<'_>,
    found: &mut Vec<Variable>,
    scope: &mut Scope<'_>,
) -> Option<&'static str> {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !(1..=32).contains(&name.len()) || !name.bytes().all(is_good) {
        let what = format_args!("expected a name of 1 to 32 of `A-Z a-z 0-9 _ -`");
        scope.error(codes::BAD_SERVER_NAME, at, what);
        return None;
    }
    let members = Members::read(value, at, "an object", scope)?;
    let wanted = match members.get("type") {
        None => "stdio",
        Some(value) => document::string(value, &at.member("type"), scope)?,
    };
    let Some(transport) = TRANSPORTS.into_iter().find(|transport| *transport == wanted) else {
        scope.unknown(codes::UNKNOWN_TRANSPORT, &at.member("type"), "transport", wanted, &TRANSPORTS);
        return None;
    };
    let (main, expected, map) = if transport == "stdio" {
        members.close(at, &["type", "command", "args", "env"], &["url", "headers"], scope);
        ("command", "the program to start", "env")
    } else {
        members.close(at, &["type", "url", "headers"], &["command", "args", "env"], scope);
        ("url", "a URL", "headers")
    };
    let mut refers = |text: &str, at: &At<'_>, scope: &mut Scope<'_>| refer(text, at, found, scope);
    if let Some(text) = required(&members, at, main, expected, scope) {
        refers(text, &at.member(main), scope);
    }
    if transport == "stdio" {
        let args = strings(&members, at, "args", scope).unwrap_or_default();
        let at = at.member("args");
        for (index, text) in args.iter().enumerate() {
            refers(text, &at.item(index), scope);
        }
    }
    for (name, text) in string_map(&members, at, map, scope) {
        refers(text, &at.member(map).member(name), scope);
    }
    Some(transport)
}

/// Notes the variables that a text refers to.
fn refer(text: &str, at: &At<'_>, found: &mut Vec<Variable>, scope: &mut Scope<'_>) {
    let Ok(names) = variables(text) else {
        let what =
            format_args!("holds a `${{` without `}}`, or with something else than a name between them");
        let help = Help::Text("write `${NAME}`: a letter or `_` first, then letters, digits and `_`");
        return scope.report(codes::BAD_PLACEHOLDER, at, what, help);
    };
    for name in names {
        let file = scope.file.to_owned();
        found.push(Variable { name: name.to_owned(), file, pointer: at.pointer("") });
    }
}
