//! Reads a suite with all its faults.

mod brought;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use appdecl_facts::document::{Mapping, Node, Span};
use appdecl_facts::{FactsError, Reader, Replay};
use serde_json::{Map, Value};

use super::case::{Case, Evaluation, Work};
use super::expect::{self, STATIC_KEYS, list, required};
use super::{MAX_SUITE, Suite};
use crate::answer::{Diagnostic, Severity};
use crate::input::{BAD_SUITE, Finding, InputError, Source, folder_of};

/// So many nodes may the cases come to when every alias is written out. A short text with anchors can be very long.
const MAX_NODES: usize = 8_000_000;

const SUITE_KEYS: [&str; 7] =
    ["suite", "declaration", "package", "server", "display_name", "cases", "versions"];
const CASE_KEYS: [&str; 11] = [
    "name",
    "declaration",
    "declaration_text",
    "package",
    "server",
    "display_name",
    "register",
    "connected",
    "facts",
    "facts_file",
    "expect",
];
const VERSION_KEYS: [&str; 3] = ["found", "minimum", "at_least"];

/// Whom questions speak of where nobody else is named.
const SERVER: &str = "server";

pub(super) fn read(path: &Path) -> Result<Suite, InputError> {
    let source = Arc::new(Source::open(path, path, MAX_SUITE)?);
    let mut reading = Reading {
        reader: Reader::default(),
        folder: folder_of(path),
        label: source.name.as_str().into(),
        declarations: HashMap::new(),
        facts: HashMap::new(),
        facts_files: HashMap::new(),
        names: HashSet::new(),
        nodes_left: MAX_NODES,
    };
    let read = reading.suite(source.document.root());
    let faults = reading.reader.faults;
    match read {
        Some((name, cases)) if faults.is_empty() => Ok(Suite { name, source, cases }),
        _ => Err(InputError::Suite(faults.into_iter().map(|fault| finding(&source, fault)).collect())),
    }
}

/// The declaration under a server's name.
type Declared = (String, Arc<str>);

struct Reading {
    reader: Reader,
    /// Where the paths in the suite start.
    folder: PathBuf,
    label: Arc<str>,
    /// What was read already, by its place: an alias has the place of the node that it names.
    declarations: HashMap<Span, Arc<str>>,
    facts: HashMap<Span, Option<Arc<Replay>>>,
    facts_files: HashMap<PathBuf, Option<Arc<Replay>>>,
    names: HashSet<String>,
    nodes_left: usize,
}

/// What holds for every case that says nothing else.
struct Defaults {
    declaration: Option<Arc<str>>,
    server: String,
    display_name: Option<String>,
}

impl Reading {
    fn suite(&mut self, root: Node<'_>) -> Option<(String, Vec<Case>)> {
        let top = self.reader.mapping(root, "a suite")?;
        self.reader.known(top, &SUITE_KEYS, "a suite");
        let name = match top.get("suite") {
            Some(member) => self.reader.text(member.value, "`suite`").map(str::to_owned),
            None => {
                self.reader.fault_with(
                    first_of(root),
                    "`suite` is missing",
                    "give the suite a name, as in `suite: Acme on Windows`",
                );
                None
            }
        };
        let server = self.text_of(top, "server");
        let defaults = Defaults {
            declaration: self.own_declaration(top, server.as_deref()),
            server: server.unwrap_or_else(|| SERVER.to_owned()),
            display_name: self.text_of(top, "display_name"),
        };
        let mut cases = Vec::new();
        if let Some(member) = top.get("cases") {
            let nodes = list(&mut self.reader, member.value, "`cases`").unwrap_or_default();
            for (index, node) in nodes.into_iter().enumerate() {
                if !self.afford(node) {
                    return None;
                }
                cases.extend(self.case(node, index, &defaults));
            }
        }
        if let Some(member) = top.get("versions") {
            let nodes = list(&mut self.reader, member.value, "`versions`").unwrap_or_default();
            cases.extend(nodes.into_iter().enumerate().filter_map(|(index, node)| self.version(node, index)));
        }
        if cases.is_empty() && self.reader.faults.is_empty() {
            let help = "add one under `cases`, or a comparison under `versions`";
            self.reader.fault_with(first_of(root), "the suite has no case", help);
        }
        Some((name?, cases))
    }

    fn case(&mut self, node: Node<'_>, index: usize, defaults: &Defaults) -> Option<Case> {
        let mapping = self.reader.mapping(node, "a case")?;
        self.reader.known(mapping, &CASE_KEYS, "a case");
        let name = required(&mut self.reader, first(node), mapping, "name", "a case")
            .and_then(|name| Some((self.reader.text(name, "`name`")?.to_owned(), name.span())));
        if let Some((name, span)) = &name {
            self.new_name(name, *span);
        }
        let expect = required(&mut self.reader, first(node), mapping, "expect", "a case")
            .map(|node| expect::read(&mut self.reader, node))
            .unwrap_or_default();
        let server = self.text_of(mapping, "server");
        let own = self.own_declaration(mapping, server.as_deref());
        let server = server.unwrap_or_else(|| defaults.server.clone());
        let registered = self.registered(mapping, own, &server, defaults);
        let facts = self.facts_of(mapping);
        self.check_sense(node, mapping, &expect, &registered, &server);
        let connected = match mapping.get("connected") {
            Some(member) => self.reader.truth(member.value, "`connected`")?,
            None => false,
        };
        let display_name = self.text_of(mapping, "display_name").or_else(|| defaults.display_name.clone());
        let (name, span) = name?;
        let label = Arc::clone(&self.label);
        let evaluation = Evaluation { label, registered, server, display_name, connected, facts, expect };
        let pointer = format!("/cases/{index}");
        Some(Case { name, pointer, span, work: Work::Evaluation(Box::new(evaluation)) })
    }

    /// What a case needs for what it expects.
    fn check_sense(
        &mut self,
        node: Node<'_>,
        mapping: Mapping<'_>,
        expect: &Map<String, Value>,
        registered: &[Declared],
        server: &str,
    ) {
        let asks = expect.keys().any(|key| !STATIC_KEYS.contains(&key.as_str()));
        if asks && mapping.get("facts").is_none() && mapping.get("facts_file").is_none() {
            self.reader.fault_with(
                first(node).span(),
                "the case has no `facts` and no `facts_file`",
                "describe the machine, at least `facts: { os: linux }`",
            );
        }
        if registered.is_empty() && self.reader.faults.is_empty() {
            self.reader.fault_with(
                first(node).span(),
                "the case has no declaration",
                "give one to the case or to the suite, under `declaration` or `package`",
            );
        }
        let is_there = registered.iter().any(|(name, _)| name == server);
        if let Some(member) = mapping.get("expect").filter(|_| expect.contains_key("invalid") && !is_there) {
            let message = format!("`invalid` speaks of the server `{server}`, which has no declaration here");
            self.reader.fault(member.key_span, message);
        }
    }

    /// The servers of a case: those of `register`, and the one that has a declaration of its own. The suite's declaration
    /// counts where the case has neither.
    fn registered(
        &mut self,
        case: Mapping<'_>,
        own: Option<Arc<str>>,
        server: &str,
        defaults: &Defaults,
    ) -> Vec<Declared> {
        let mut registered = Vec::new();
        if let Some(member) = case.get("register")
            && let Some(mapping) = self.reader.mapping(member.value, "`register`")
        {
            self.reader.unrepeated(mapping, "`register`");
            for member in mapping.members() {
                if own.is_some() && member.key == server {
                    let message = format!("`{server}` has a declaration of the case too");
                    self.reader.fault(member.key_span, message);
                }
                registered.push((member.key.to_owned(), self.declaration(member.value)));
            }
        }
        let own = match own {
            None if case.get("register").is_none() => defaults.declaration.clone(),
            own => own,
        };
        registered.extend(own.map(|declaration| (server.to_owned(), declaration)));
        registered
    }

    fn version(&mut self, node: Node<'_>, index: usize) -> Option<Case> {
        let what = "a comparison of `versions`";
        let mapping = self.reader.mapping(node, what)?;
        self.reader.known(mapping, &VERSION_KEYS, what);
        let mut text = |key| {
            let value = required(&mut self.reader, first(node), mapping, key, what)?;
            self.reader.text(value, &format!("`{key}`")).map(str::to_owned)
        };
        let (found, minimum) = (text("found"), text("minimum"));
        let at_least = required(&mut self.reader, first(node), mapping, "at_least", what)
            .and_then(|value| self.reader.truth(value, "`at_least`"));
        let (found, minimum) = (found?, minimum?);
        let name = format!("`{found}` against at least `{minimum}`");
        self.new_name(&name, node.span());
        let pointer = format!("/versions/{index}");
        let work = Work::Version { found, minimum, at_least: at_least? };
        Some(Case { name, pointer, span: node.span(), work })
    }

    fn text_of(&mut self, mapping: Mapping<'_>, key: &str) -> Option<String> {
        let member = mapping.get(key)?;
        let text = self.reader.text(member.value, &format!("`{key}`"))?;
        if text.is_empty() {
            self.reader.fault(member.value.span(), format!("`{key}` is empty"));
        }
        Some(text.to_owned())
    }

    fn new_name(&mut self, name: &str, span: Span) {
        if name.trim().is_empty() {
            self.reader.fault(span, "the case's name is empty");
        } else if !self.names.insert(name.to_owned()) {
            let help = "a name stands for one case, or nobody could tell which one failed";
            self.reader.fault_with(span, format!("two cases are called `{name}`"), help);
        }
    }

    /// Takes the nodes of a case from what is left, aliases written out. False, with a fault, where they are too many.
    fn afford(&mut self, case: Node<'_>) -> bool {
        let mut open = vec![case];
        while let Some(node) = open.pop() {
            match self.nodes_left.checked_sub(1) {
                Some(left) => self.nodes_left = left,
                None => {
                    let message = format!(
                        "the cases come to more than {MAX_NODES} values when aliases are written out"
                    );
                    self.reader.fault_with(
                        first(case).span(),
                        message,
                        "split the suite, or use fewer aliases",
                    );
                    return false;
                }
            }
            if let Some(mapping) = node.as_mapping() {
                open.extend(mapping.members().map(|member| member.value));
            } else if let Some(list) = node.as_list() {
                open.extend(list.items());
            }
        }
        true
    }
}

/// The first member of a mapping stands for it where something is missing: a caret under the whole says nothing.
fn first(node: Node<'_>) -> Node<'_> {
    node.as_mapping().and_then(|mapping| mapping.members().next()).map_or(node, |member| member.value)
}

fn first_of(node: Node<'_>) -> Span {
    match node.as_mapping().and_then(|mapping| mapping.members().next()) {
        Some(member) => member.key_span,
        None => node.span(),
    }
}

fn finding(source: &Arc<Source>, FactsError { message, span, help }: FactsError) -> Finding {
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: BAD_SUITE.to_owned(),
        pointer: String::new(),
        message: format!("{}: {message}", source.name),
        help,
    };
    Finding { server: None, diagnostic, source: Arc::clone(source), span }
}
