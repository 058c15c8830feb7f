//! `mcp.json`, the servers of a portable plugin (SPEC §9.1).

use std::collections::{BTreeMap, BTreeSet};

use super::document::{self, Members, filled_string, not_found, string_map, strings};
use super::expansion::{PLUGIN_DATA, PLUGIN_ROOT};
use super::finding::{Boundary, Findings, Scope, Severity, at, expected_and_found, member};
use super::listing::{Files, Found, Tree};
use super::packaged_path::{follow, is_unusable};
use super::server_url::{UrlFault, is_field_name, is_field_value, judge_url};
use super::{codes, manifest};
use crate::json::Value;
use crate::text::{alternatives, quoted, shown};

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
    /// Each name, with the transport where the server is usable.
    Named(BTreeMap<String, Option<&'static str>>),
}

/// Reads and judges the servers. A fault takes down the server it stands in, one of the document all of them.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Servers {
    if matches!(tree.resolve(FILE), Found::Missing) {
        return Servers::Absent;
    }
    let mut scope = Scope { findings, file: FILE, section: "9.1", boundary: Boundary::Servers };
    let before = scope.findings.errors();
    let Some(path) = document::find_file(tree, FILE, &mut scope) else { return Servers::Faulty };
    let Some(value) = document::read(tree, files, &path, &mut scope) else { return Servers::Faulty };
    let Some(members) = Members::read(&value, "", "an object", &mut scope) else { return Servers::Faulty };
    judge_root(&members, &mut scope);
    let servers = members.get("mcpServers");
    if servers.is_none() {
        scope.missing("/mcpServers", "an object of servers");
    }
    let mut twice = BTreeSet::new();
    let servers = servers.and_then(|servers| {
        Members::read_with(servers, "/mcpServers", "an object of servers", &mut scope, |_, name| {
            twice.insert(name);
        })
    });
    let document_is_faulty = scope.findings.errors() > before;
    let mut named = BTreeMap::new();
    for (name, value) in servers.iter().flat_map(Members::iter) {
        let mut judged = JudgedServer {
            tree,
            scope: scope.within(Boundary::Server(shown(name))),
            pointer: member("/mcpServers", name),
        };
        named.insert(name.to_owned(), judged.judge(name, value, twice.contains(name)));
    }
    if document_is_faulty { Servers::Faulty } else { Servers::Named(named) }
}

fn judge_root(members: &Members<'_>, scope: &mut Scope<'_>) {
    for (name, value) in members.iter() {
        match name {
            "$schema" => {
                let Some(text) = document::string(value, "/$schema", scope) else { continue };
                if let Err(what) = manifest::is_schema(text, "mcp") {
                    scope.error(codes::SCHEMA_MISMATCH, "/$schema", &what);
                }
            }
            "mcpServers" => {}
            other => scope.unknown(&member("", other), other, &["$schema", "mcpServers"]),
        }
    }
    if members.get("$schema").is_none() {
        scope.missing("/$schema", "the identifier of the schema");
    }
}

/// One server, and where what is wrong with it is reported.
struct JudgedServer<'s, 'f> {
    tree: &'s Tree<'s>,
    scope: Scope<'f>,
    pointer: String,
}

impl<'s> JudgedServer<'s, '_> {
    /// The transport of a server without a fault.
    fn judge(&mut self, name: &str, value: &Value, twice: bool) -> Option<&'static str> {
        let before = self.scope.findings.errors();
        let pointer = self.pointer.clone();
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            let what = format!("the name of a server has 1 to {LONGEST_NAME} bytes and no control character");
            self.scope.error(codes::BAD_SERVER_NAME, &pointer, &what);
            return None;
        }
        if twice {
            let what = format!("the server {} stands here twice", quoted(name));
            self.scope.error_with_help(codes::MEMBER_TWICE, &pointer, &what, "keep one of them");
            return None;
        }
        let members = Members::read(value, &pointer, "an object", &mut self.scope)?;
        let transport = self.transport(&members)?;
        match transport {
            "stdio" => self.judge_stdio(&members),
            _ => self.judge_remote(&members),
        }
        (self.scope.findings.errors() == before).then_some(transport)
    }

    fn transport(&mut self, members: &Members<'_>) -> Option<&'static str> {
        let pointer = self.at("type");
        let Some(value) = members.get("type") else {
            self.scope.missing(&pointer, &alternatives(&TRANSPORTS));
            return None;
        };
        let found = document::string(value, &pointer, &mut self.scope)?;
        let known = TRANSPORTS.into_iter().find(|transport| *transport == found);
        if known.is_none() {
            let what =
                format!("unknown transport {}: known are {}", quoted(found), alternatives(&TRANSPORTS));
            let help = self.scope.hint(found, &TRANSPORTS);
            self.scope.report(Severity::Error, codes::UNKNOWN_TRANSPORT, at(&pointer), &what, help);
        }
        known
    }

    fn judge_stdio(&mut self, members: &Members<'_>) {
        if members.get("command").is_none() {
            self.scope.missing(&self.at("command"), "the program to start");
        }
        for (name, value) in members.iter() {
            let pointer = self.at(name);
            match name {
                "type" => {}
                "command" => self.judge_command(value, &pointer),
                "args" => {
                    strings(value, &pointer, &mut self.scope);
                }
                "env" => self.judge_env(value, &pointer),
                "cwd" => self.judge_cwd(value, &pointer),
                "url" | "headers" => self.foreign(name, &pointer, "stdio"),
                other => self.scope.unknown(&pointer, other, &["type", "command", "args", "env", "cwd"]),
            }
        }
    }

    fn judge_remote(&mut self, members: &Members<'_>) {
        if members.get("url").is_none() {
            self.scope.missing(&self.at("url"), "an `https` URL");
        }
        for (name, value) in members.iter() {
            let pointer = self.at(name);
            match name {
                "type" => {}
                "url" => self.judge_url(value, &pointer),
                "headers" => self.judge_headers(value, &pointer),
                "command" | "args" | "env" | "cwd" => self.foreign(name, &pointer, "a remote server"),
                other => self.scope.unknown(&pointer, other, &["type", "url", "headers"]),
            }
        }
    }

    fn at(&self, name: &str) -> String {
        member(&self.pointer, name)
    }

    fn foreign(&mut self, name: &str, pointer: &str, transport: &str) {
        let what = format!("`{name}` does not belong to {transport}: it belongs to another transport");
        self.scope.error(codes::MEMBER_OF_OTHER_TRANSPORT, pointer, &what);
    }

    fn judge_command(&mut self, value: &Value, pointer: &str) {
        let Some(command) = filled_string(value, pointer, "the program to start", &mut self.scope) else {
            return;
        };
        let bad = |scope: &mut Scope<'_>, why: &str| {
            let what = format!(
                "expected a bare program name or a path that begins with `./`, found {}: {why}",
                quoted(command)
            );
            scope.error(codes::BAD_COMMAND, pointer, &what);
        };
        if is_unusable(command) {
            return bad(&mut self.scope, "it is too long or holds a control character");
        }
        if command.contains("${") {
            return bad(&mut self.scope, "no placeholder is expanded here");
        }
        if command.starts_with("./") {
            let is_one_token = |found: &Found<'_>| !command.contains(' ') || matches!(found, Found::File(_));
            return match self.packaged(command, pointer) {
                Some(found) if !is_one_token(&found) => {
                    bad(&mut self.scope, "it is one token, arguments go to `args`");
                }
                Some(Found::File(_)) | None => {}
                Some(Found::Missing) => self.not_in_package(command, pointer),
                Some(found) => not_found(&found, "a program of the package", pointer, &mut self.scope),
            };
        }
        if command.contains(char::is_whitespace) {
            return bad(&mut self.scope, "it is one token, arguments go to `args`");
        }
        if command.contains(['/', '\\', ':']) || command == "." || command == ".." {
            bad(&mut self.scope, "it is neither");
        }
    }

    fn judge_cwd(&mut self, value: &Value, pointer: &str) {
        let Some(cwd) = document::string(value, pointer, &mut self.scope) else { return };
        let rooted = |placeholder: &str| {
            cwd.strip_prefix(placeholder).filter(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let (rest, in_package) = match (cwd.strip_prefix("./"), rooted(PLUGIN_ROOT), rooted(PLUGIN_DATA)) {
            (Some(rest), ..) | (_, Some(rest), _) => (rest, true),
            (.., Some(rest)) => (rest, false),
            _ => {
                let what =
                    format!("expected `./…`, `{PLUGIN_ROOT}` or `{PLUGIN_DATA}`, found {}", quoted(cwd));
                self.scope.error(codes::BAD_CWD, pointer, &what);
                return;
            }
        };
        if is_unusable(cwd) {
            let what = format!("{} is too long or holds a control character", quoted(cwd));
            self.scope.error(codes::BAD_CWD, pointer, &what);
            return;
        }
        // Another placeholder becomes an absolute path in the midst of this one: how deep it is, is not known.
        let is_known = |name: &&str| !name.contains(PLUGIN_ROOT) && !name.contains(PLUGIN_DATA);
        let all_known = names(rest).all(|name| is_known(&name));
        match follow("", names(rest).filter(is_known)) {
            None => self.leaves(cwd, pointer),
            Some(_) if !in_package || !all_known => {}
            Some(path) => match self.tree.resolve(&path) {
                Found::Folder(_) => {}
                Found::Missing => self.not_in_package(cwd, pointer),
                found => not_found(&found, "a folder of the package", pointer, &mut self.scope),
            },
        }
    }

    /// What a path of the package leads to; nothing where it leaves the package.
    fn packaged(&mut self, path: &str, pointer: &str) -> Option<Found<'s>> {
        match follow("", names(path)) {
            Some(path) => Some(self.tree.resolve(&path)),
            None => {
                self.leaves(path, pointer);
                None
            }
        }
    }

    fn leaves(&mut self, path: &str, pointer: &str) {
        let what = format!("{} climbs out of its folder: expected a path that stays there", quoted(path));
        self.scope.error(codes::PATH_LEAVES_PACKAGE, pointer, &what);
    }

    fn not_in_package(&mut self, path: &str, pointer: &str) {
        let what = format!("{} is not in the package", quoted(path));
        self.scope.warning(codes::PATH_NOT_IN_PACKAGE, pointer, &what, None);
    }

    fn judge_env(&mut self, value: &Value, pointer: &str) {
        const RESERVED: [&str; 2] = ["PLUGIN_ROOT", "PLUGIN_DATA"];
        for (name, value) in string_map(value, pointer, &mut self.scope).unwrap_or_default() {
            let pointer = member(pointer, name);
            if RESERVED.contains(&name) {
                let what = format!("`{name}` is set by the client: a package does not set it");
                self.scope.error(codes::RESERVED_VARIABLE, &pointer, &what);
            } else if RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
                let what = format!(
                    "{} is set by the client on Windows, where letter case does not count",
                    quoted(name)
                );
                self.scope.warning(codes::RESERVED_VARIABLE_CASE, &pointer, &what, None);
            } else if name.is_empty() || name.contains('=') || name.chars().any(char::is_control) {
                let what =
                    format!("expected a name without `=` and control characters, found {}", quoted(name));
                self.scope.error(codes::BAD_VARIABLE_NAME, &pointer, &what);
            } else if value.contains('\0') {
                self.scope.error(codes::BAD_VARIABLE_NAME, &pointer, "holds NUL, which ends a value");
            }
        }
    }

    fn judge_url(&mut self, value: &Value, pointer: &str) {
        let Some(url) = filled_string(value, pointer, "an `https` URL", &mut self.scope) else { return };
        match judge_url(url) {
            Ok(()) => {}
            Err(UrlFault::Bad(expected)) => {
                // What stands before an `@` may be a password.
                let what = match url.contains('@') {
                    true => format!("expected {expected}"),
                    false => expected_and_found(value, expected),
                };
                self.scope.error(codes::BAD_SERVER_URL, pointer, &what);
            }
            Err(UrlFault::Insecure) => {
                let what =
                    format!("`http` reaches `localhost` and loopback addresses alone, found {}", quoted(url));
                self.scope.error_with_help(codes::INSECURE_SERVER_URL, pointer, &what, "use `https`");
            }
        }
    }

    fn judge_headers(&mut self, value: &Value, pointer: &str) {
        let mut seen = BTreeSet::new();
        for (name, value) in string_map(value, pointer, &mut self.scope).unwrap_or_default() {
            let pointer = member(pointer, name);
            if !is_field_name(name) {
                let what = format!("expected the name of an HTTP field, found {}", quoted(name));
                self.scope.error(codes::BAD_HEADER, &pointer, &what);
            } else if !seen.insert(name.to_ascii_lowercase()) {
                let what =
                    format!("the field {} stands here twice: letter case does not count", quoted(name));
                self.scope.error_with_help(codes::HEADER_TWICE, &pointer, &what, "keep one of them");
            } else if !is_field_value(value) {
                let what = "expected visible ASCII characters, with blanks and tabs inside only";
                self.scope.error(codes::BAD_HEADER, &pointer, what);
            }
        }
    }
}

/// The names of a path that a document of a portable plugin writes. `\` separates on Windows, so that it does everywhere.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\'])
}
