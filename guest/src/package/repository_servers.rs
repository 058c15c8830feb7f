//! The MCP document of a static repository plugin (SPEC §9.2). Every fault takes the whole package down.

use std::collections::BTreeMap;

use super::document::{self, Members, filled_string, string_map, strings};
use super::expansion::variables;
use super::finding::{Scope, Severity, at, member};
use super::listing::{Files, Tree};
use super::{Server, Variable, codes};
use crate::json::Value;
use crate::text::{alternatives, quoted};

/// What an MCP document says.
pub(super) struct McpDocument {
    /// The document itself, which is copied as it stands.
    pub(super) bytes: Vec<u8>,
    pub(super) servers: Vec<Server>,
    pub(super) variables: Vec<Variable>,
}

/// Reads and judges an MCP document; nothing where it cannot be read, or has to be asked for first.
pub(super) fn judge(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    path: &str,
    scope: &mut Scope<'_>,
) -> Option<McpDocument> {
    let bytes = document::read_bytes(tree, files, path, scope)?;
    let value = document::parse(bytes, scope)?;
    let members = Members::read(&value, "", "an object", scope)?;
    for (name, _) in members.iter().filter(|(name, _)| *name != "mcpServers") {
        scope.unknown(&member("", name), name, &["mcpServers"]);
    }
    let Some(servers) = members.get("mcpServers") else {
        scope.missing("/mcpServers", "an object of servers");
        return None;
    };
    let servers = Members::read(servers, "/mcpServers", "an object of servers", scope)?;
    let mut judged = JudgedServers { scope, variables: BTreeMap::new() };
    let mut good = Vec::new();
    for (name, value) in servers.iter() {
        if let Some(transport) = judged.judge(name, value) {
            good.push(Server { name: name.to_owned(), transport, declaration: None });
        }
    }
    let variables = judged.variables.into_iter();
    let variables =
        variables.map(|(name, pointer)| Variable { name, file: path.to_owned(), pointer }).collect();
    Some(McpDocument { bytes: bytes.to_vec(), servers: good, variables })
}

/// The servers, and the variables they refer to with the first place of each.
struct JudgedServers<'s, 'f> {
    scope: &'s mut Scope<'f>,
    variables: BTreeMap<String, String>,
}

impl JudgedServers<'_, '_> {
    fn judge(&mut self, name: &str, value: &Value) -> Option<&'static str> {
        let pointer = member("/mcpServers", name);
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !(1..=32).contains(&name.len()) || !name.bytes().all(is_good) {
            let what = "expected a name of 1 to 32 of `A-Z a-z 0-9 _ -`";
            self.scope.error(codes::BAD_SERVER_NAME, &pointer, what);
            return None;
        }
        let members = Members::read(value, &pointer, "an object", self.scope)?;
        match members.get("type") {
            None => self.stdio(&members, &pointer),
            Some(Value::Text(text)) if text == "stdio" => self.stdio(&members, &pointer),
            Some(Value::Text(text)) if text == "http" => self.http(&members, &pointer),
            Some(Value::Text(text)) => {
                const KNOWN: [&str; 2] = ["stdio", "http"];
                let what = format!("unknown transport {}: known are {}", quoted(text), alternatives(&KNOWN));
                let help = self.scope.hint(text, &KNOWN);
                let position = at(&member(&pointer, "type"));
                self.scope.report(Severity::Error, codes::UNKNOWN_TRANSPORT, position, &what, help);
                None
            }
            Some(other) => {
                self.scope.wrong_type(&member(&pointer, "type"), other, "a string");
                None
            }
        }
    }

    fn stdio(&mut self, members: &Members<'_>, outer: &str) -> Option<&'static str> {
        if members.get("command").is_none() {
            self.scope.missing(&member(outer, "command"), "the program to start");
        }
        for (name, value) in members.iter() {
            let pointer = member(outer, name);
            match name {
                "type" => {}
                "command" => self.template(value, &pointer, "the program to start"),
                "args" => {
                    for (index, text) in
                        strings(value, &pointer, self.scope).unwrap_or_default().iter().enumerate()
                    {
                        self.refer(text, &format!("{pointer}/{index}"));
                    }
                }
                "env" => self.templates(value, &pointer),
                "url" | "headers" => self.foreign(name, &pointer, "stdio"),
                other => self.scope.unknown(&pointer, other, &["type", "command", "args", "env"]),
            }
        }
        Some("stdio")
    }

    fn http(&mut self, members: &Members<'_>, outer: &str) -> Option<&'static str> {
        if members.get("url").is_none() {
            self.scope.missing(&member(outer, "url"), "a URL");
        }
        for (name, value) in members.iter() {
            let pointer = member(outer, name);
            match name {
                "type" => {}
                "url" => self.template(value, &pointer, "a URL"),
                "headers" => self.templates(value, &pointer),
                "command" | "args" | "env" => self.foreign(name, &pointer, "http"),
                other => self.scope.unknown(&pointer, other, &["type", "url", "headers"]),
            }
        }
        Some("http")
    }

    fn foreign(&mut self, name: &str, pointer: &str, transport: &str) {
        let what = format!("`{name}` does not belong to {transport}: it belongs to another transport");
        self.scope.error(codes::MEMBER_OF_OTHER_TRANSPORT, pointer, &what);
    }

    fn template(&mut self, value: &Value, pointer: &str, expected: &str) {
        if let Some(text) = filled_string(value, pointer, expected, self.scope) {
            self.refer(text, pointer);
        }
    }

    fn templates(&mut self, value: &Value, pointer: &str) {
        for (name, text) in string_map(value, pointer, self.scope).unwrap_or_default() {
            self.refer(text, &member(pointer, name));
        }
    }

    /// Notes the variables that a text refers to.
    fn refer(&mut self, text: &str, pointer: &str) {
        match variables(text) {
            Ok(names) => {
                for name in names {
                    self.variables
                        .entry(name.to_owned())
                        .or_insert_with(|| at(pointer).pointer.unwrap_or_default());
                }
            }
            Err(_) => {
                let what = "a `${` without `}`, or with something else than a name between them";
                let help = "write `${NAME}`, a letter or `_` first, then letters, digits and `_`";
                self.scope.error_with_help(codes::BAD_PLACEHOLDER, pointer, what, help);
            }
        }
    }
}
