//! `mcp.json`, the servers of a portable plugin (SPEC §9.1). A fault takes down the server it stands in; one of the
//! document, all of them.

use std::collections::BTreeSet;

use super::codes;
use super::document::{self, Members, required, string_map};
use super::finding::{Findings, Help, Scope, Takes};
use super::listing::{Files, Found, Tree};
use super::manifest;
use super::place::{At, Quoted};
use super::server_url::{UrlFault, is_field_name, is_field_value, judge_url};
use super::started::Started;
use crate::json::Value;
use crate::order::sorted;
use crate::text::shown;

/// Where the servers are.
pub(super) const FILE: &str = "mcp.json";

/// The longest name of a server, in bytes.
pub(super) const LONGEST_NAME: usize = 256;

const TRANSPORTS: [&str; 3] = ["stdio", "streamable-http", "sse"];

/// The servers of a package.
pub(super) enum Servers {
    /// There is no `mcp.json`.
    Absent,
    /// All of it is faulty.
    Faulty,
    /// Each name, in order, with the transport where the server is usable.
    Named(Vec<(String, Option<&'static str>)>),
}

impl Servers {
    /// The transport of a server where it is usable; nothing where there is no such server.
    pub(super) fn get(&self, name: &str) -> Option<Option<&'static str>> {
        let Self::Named(named) = self else { return None };
        let index = named.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        named.get(index).map(|(_, transport)| *transport)
    }

    /// The names of all servers.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Named(named) => named.iter().map(|(name, _)| name.as_str()).collect(),
            Self::Absent | Self::Faulty => Vec::new(),
        }
    }
}

/// Reads and judges the servers.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Servers {
    if matches!(tree.resolve(FILE), Found::Missing) {
        return Servers::Absent;
    }
    let mut scope = Scope::new(findings, FILE, "9.1", Takes::Servers);
    let Some(value) = document::read(tree, files, FILE, &mut scope) else { return Servers::Faulty };
    judge_document(&value, tree, &mut scope).unwrap_or(Servers::Faulty)
}

fn judge_document(value: &Value, tree: &Tree<'_>, scope: &mut Scope<'_>) -> Option<Servers> {
    let before = scope.findings.errors;
    let root = At::Root;
    let members = Members::read(value, &root, "an object", scope)?;
    members.close(&root, &["$schema", "mcpServers"], &[], scope);
    manifest::judge_schema(&members, "mcp", codes::SCHEMA_MISMATCH, scope);
    let Some(servers) = members.get("mcpServers") else {
        scope.missing(&root, "mcpServers", "an object of servers");
        return None;
    };
    let at = root.member("mcpServers");
    let servers = Members::split(servers, &at, "an object of servers", scope)?;
    let document_is_faulty = scope.findings.errors > before;

    let mut twice = BTreeSet::new();
    for name in &servers.twice {
        twice.insert(*name);
    }
    let mut named = Vec::new();
    for (name, value) in &servers.once {
        let at = at.member(name);
        let is_bad = name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control);
        let shown = if is_bad { shown(name) } else { (*name).to_owned() };
        let mut scope = scope.within(FILE, Takes::Server(&shown));
        let transport = if is_bad {
            let what =
                format_args!("the name of a server has 1 to {LONGEST_NAME} bytes and no control character");
            scope.error(codes::BAD_SERVER_NAME, &at, what);
            None
        } else if twice.contains(name) {
            servers.report_twice(&at, name, &mut scope);
            None
        } else {
            judge_server(value, &at, tree, &mut scope)
        };
        named.push((shown, transport));
    }
    let named = sorted(named, |(left, _), (right, _)| left.cmp(right));
    (!document_is_faulty).then_some(Servers::Named(named))
}

/// The transport of a server without a fault.
fn judge_server(value: &Value, at: &At<'_>, tree: &Tree<'_>, scope: &mut Scope<'_>) -> Option<&'static str> {
    let before = scope.findings.errors;
    let members = Members::read(value, at, "an object", scope)?;
    let found = required(&members, at, "type", "`stdio`, `streamable-http` or `sse`", scope)?;
    let Some(transport) = TRANSPORTS.into_iter().find(|transport| *transport == found) else {
        scope.unknown(codes::UNKNOWN_TRANSPORT, &at.member("type"), "transport", found, &TRANSPORTS);
        return None;
    };
    if transport == "stdio" {
        members.close(at, &["type", "command", "args", "env", "cwd"], &["url", "headers"], scope);
        Started { members: &members, at, tree }.judge(scope);
    } else {
        members.close(at, &["type", "url", "headers"], &["command", "args", "env", "cwd"], scope);
        judge_address(&members, at, scope);
        judge_headers(&members, at, scope);
    }
    (scope.findings.errors == before).then_some(transport)
}

fn judge_address(members: &Members<'_>, at: &At<'_>, scope: &mut Scope<'_>) {
    let Some(url) = required(members, at, "url", "an `https` URL", scope) else { return };
    let at = at.member("url");
    match judge_url(url) {
        Ok(()) => {}
        // What stands before an `@` may be a password.
        Err(UrlFault::Bad(expected)) if url.contains('@') => {
            scope.error(codes::BAD_SERVER_URL, &at, format_args!("expected {expected}"));
        }
        Err(UrlFault::Bad(expected)) => {
            scope.error(
                codes::BAD_SERVER_URL,
                &at,
                format_args!("expected {expected}, found {}", Quoted(url)),
            );
        }
        Err(UrlFault::Insecure) => {
            let what = format_args!(
                "`http` reaches `localhost` and loopback addresses alone, found {}",
                Quoted(url)
            );
            scope.report(codes::INSECURE_SERVER_URL, &at, what, Help::Text("use `https`"));
        }
    }
}

fn judge_headers(members: &Members<'_>, at: &At<'_>, scope: &mut Scope<'_>) {
    let headers = string_map(members, at, "headers", scope);
    let at = at.member("headers");
    let mut folded = Vec::new();
    for (name, value) in headers {
        let at = at.member(name);
        if !is_field_name(name) {
            scope.error(codes::BAD_HEADER, &at, format_args!("expected the name of an HTTP field"));
        } else if !is_field_value(value) {
            let what = format_args!("expected visible ASCII characters, with blanks and tabs inside only");
            scope.error(codes::BAD_HEADER, &at, what);
        }
        folded.push((name.to_ascii_lowercase(), name));
    }
    let folded = sorted(folded, |(left, _), (right, _)| left.cmp(right));
    for pair in folded.windows(2) {
        if let [(left, _), (right, name)] = pair
            && left == right
        {
            let what = format_args!("stands here twice: letter case does not count");
            scope.report(codes::HEADER_TWICE, &at.member(name), what, Help::Text("keep one of them"));
        }
    }
}
