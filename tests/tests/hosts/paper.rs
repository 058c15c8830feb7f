//! The conformance suites as work: every case asks everything that can be asked, whatever it expects.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use appdecl::facts::document::{Document, Node, Syntax};
use appdecl::facts::{FactsFile, Replay, Transcript};
use appdecl::{Gate, Redact};
use serde_json::{Value as Json, json};

use crate::work::Work;

pub(crate) const MAX_BYTES: usize = 16 << 20;

/// Every case of every suite, on the machine that its facts describe.
pub(crate) fn cases() -> Vec<Work> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    paths.sort();
    paths.iter().flat_map(|path| suite(path)).collect()
}

/// Takes every token: the answers of all hosts are compared whole.
pub(crate) struct Taking;

impl Redact for Taking {
    fn redact(&self, _: &str) -> bool {
        true
    }
}

fn suite(path: &Path) -> Vec<Work> {
    let document = Document::parse(&fs::read_to_string(path).unwrap(), Syntax::Yaml, MAX_BYTES).unwrap();
    let root = document.root();
    let file = path.file_name().unwrap().to_string_lossy();
    let mut work: Vec<_> = list(root, "cases").map(|case| one(&file, root, case)).collect();
    let versions = list(root, "versions").map(|pair| {
        let said = |key| json(pair.get(key).unwrap().value);
        json!(["version_at_least", as_text(&said("found")), as_text(&said("minimum"))])
    });
    let versions: Vec<_> = versions.collect();
    if !versions.is_empty() {
        work.push(asked(format!("{file}: versions"), versions, nothing().root()));
    }
    work
}

fn one(file: &str, suite: Node<'_>, case: Node<'_>) -> Work {
    let name = format!("{file}: {}", as_text(&json(case.get("name").unwrap().value)));
    let server =
        case.get("server").map_or_else(|| "server".to_owned(), |member| as_text(&json(member.value)));
    let display_name = case.get("display_name").map(|member| json(member.value));
    let connected = case.get("connected").and_then(|member| member.value.as_bool()).unwrap_or_default();
    let mut servers = Vec::new();
    if let Some(registered) = case.get("register").and_then(|member| member.value.as_mapping()) {
        servers.extend(
            registered.members().map(|member| (member.key.to_owned(), json(member.value).to_string())),
        );
    }
    if let Some(declaration) = declaration(suite, case) {
        servers.push((server, declaration));
    }
    let mut calls = Vec::new();
    for (server, declaration) in &servers {
        calls.push(json!(["diagnose", declaration, file]));
        calls.push(json!(["evaluate", declaration, file]));
        calls.push(json!(["register", server, declaration, file, display_name]));
        calls.push(json!(["lookup", server]));
    }
    calls.push(json!(["servers"]));
    let mut names: Vec<_> = servers.iter().map(|(server, _)| server.as_str()).collect();
    names.push("unknown");
    for server in &names {
        calls.push(json!(["availability", server]));
        calls.push(json!(["endpoint", server]));
        calls.push(json!(["skill_offered", [server]]));
        for connected in [connected, !connected] {
            calls.push(json!(["status", server, connected]));
            calls.push(json!(["listing", server, 3, connected]));
            calls.push(json!(["explain", server, connected]));
            calls.push(json!(["server_offered", server, connected]));
        }
    }
    calls.push(json!(["skill_offered", names]));
    calls.push(json!(["unregister", names[0]]));
    let empty = nothing();
    asked(name, calls, case.get("facts").map_or(empty.root(), |member| member.value))
}

/// Asks a machine on paper, and keeps what it answered.
pub(crate) fn asked(name: String, calls: Vec<Json>, facts: Node<'_>) -> Work {
    let replay = Replay::new(FactsFile::parse(facts).unwrap());
    let host = Arc::new(Transcript::new(replay));
    let gate = Gate::builder().facts(Arc::clone(&host)).redactor(Arc::new(Taking)).build().unwrap();
    Work::new(name, calls, &gate).with_transcript(&host.lines())
}

fn declaration(suite: Node<'_>, case: Node<'_>) -> Option<String> {
    if let Some(text) = case.get("declaration_text") {
        // Where it is YAML, the component sees what any caller would hand it: text that is no JSON.
        return text.value.as_text().map(str::to_owned);
    }
    let declared = case.get("declaration").or_else(|| suite.get("declaration"))?;
    Some(declared.value.to_json(MAX_BYTES, 256))
}

fn list<'d>(node: Node<'d>, key: &str) -> impl Iterator<Item = Node<'d>> {
    node.get(key).and_then(|member| member.value.as_list()).into_iter().flat_map(|list| list.items())
}

pub(crate) fn json(node: Node<'_>) -> Json {
    serde_json::from_str(&node.to_json(MAX_BYTES, 256)).unwrap()
}

/// A plain `2.3` is a number in YAML; it is meant as it is written.
fn as_text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A machine with nothing on it.
fn nothing() -> Document {
    Document::parse("os: linux", Syntax::Yaml, MAX_BYTES).unwrap()
}
