//! What a suite or a case brings: a declaration in one of its forms, and the machine. Each is read once, however often an
//! alias or a path names it.

use std::sync::Arc;

use appdecl_facts::document::{Document, Mapping, Member, Node, Syntax};
use appdecl_facts::{FactsFile, Replay};

use super::Reading;
use crate::answer::Severity;
use crate::input::{self, InputError, MAX_JSON, MAX_LEVELS};

impl Reading {
    /// The declaration that a suite or a case brings, in one of its forms.
    pub(super) fn own_declaration(&mut self, mapping: Mapping<'_>, server: Option<&str>) -> Option<Arc<str>> {
        const FORMS: [&str; 3] = ["declaration", "declaration_text", "package"];
        let mut forms = mapping.members().filter(|member| FORMS.contains(&member.key));
        let first = forms.next()?;
        if let Some(second) = forms.find(|second| second.key != first.key) {
            let message = format!("`{}` and `{}` both bring a declaration", first.key, second.key);
            self.reader.fault_with(second.key_span, message, "keep one of them");
        }
        match first.key {
            "declaration" => Some(self.declaration(first.value)),
            "declaration_text" => {
                self.reader.text(first.value, "`declaration_text`").map(|text| from_text(text).into())
            }
            _ => self.packaged(first, server),
        }
    }

    pub(super) fn declaration(&mut self, node: Node<'_>) -> Arc<str> {
        let written = self.declarations.entry(node.span());
        Arc::clone(written.or_insert_with(|| node.to_json(MAX_JSON, MAX_LEVELS).into()))
    }

    fn packaged(&mut self, member: Member<'_>, server: Option<&str>) -> Option<Arc<str>> {
        let path = self.reader.text(member.value, "`package`")?;
        let input = match input::read(&self.folder.join(path)) {
            Ok(input) => input,
            Err(error) => {
                self.reader.fault(member.value.span(), error.to_string());
                return None;
            }
        };
        let found = match (server, input.declared.as_slice()) {
            (Some(server), declared) => declared.iter().find(|declared| declared.server == server),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let broken = input.package.as_ref().and_then(|package| {
            package.validate().findings.iter().find(|finding| finding.severity == Severity::Error)
        });
        if let (None, Some(finding)) = (found, broken) {
            let message = format!("`{path}` is not a valid package: {}", finding.message);
            self.reader.fault(member.value.span(), message);
        } else if found.is_none() {
            let known: Vec<&str> = input.declared.iter().map(|declared| declared.server.as_str()).collect();
            let known = known.join("`, `");
            let (message, help) = match server {
                Some(server) => {
                    (format!("`{path}` declares no server `{server}`"), format!("it declares `{known}`"))
                }
                None => (
                    format!("`{path}` declares several servers"),
                    format!("say which one is meant, as in `server: NAME`: it declares `{known}`"),
                ),
            };
            self.reader.fault_with(member.value.span(), message, help);
        }
        found.map(|declared| declared.declaration.as_str().into())
    }

    pub(super) fn facts_of(&mut self, case: Mapping<'_>) -> Option<Arc<Replay>> {
        if let (Some(_), Some(second)) = (case.get("facts"), case.get("facts_file")) {
            self.reader.fault_with(
                second.key_span,
                "`facts` and `facts_file` both describe the machine",
                "keep one of them",
            );
        }
        if let Some(member) = case.get("facts") {
            return self.facts(member.value);
        }
        let member = case.get("facts_file")?;
        let path = self.folder.join(self.reader.text(member.value, "`facts_file`")?);
        if let Some(facts) = self.facts_files.get(&path) {
            return facts.clone();
        }
        let facts = match input::read_facts(&path) {
            Ok(facts) => Some(Arc::new(Replay::new(facts))),
            Err(error) => {
                self.reader.fault(member.value.span(), first_words(&error));
                None
            }
        };
        self.facts_files.insert(path, facts.clone());
        facts
    }

    fn facts(&mut self, node: Node<'_>) -> Option<Arc<Replay>> {
        if let Some(facts) = self.facts.get(&node.span()) {
            return facts.clone();
        }
        let facts = match FactsFile::parse(node) {
            Ok(facts) => Some(Arc::new(Replay::new(facts))),
            Err(faults) => {
                self.reader.faults.extend(faults);
                None
            }
        };
        self.facts.insert(node.span(), facts.clone());
        facts
    }
}

/// A declaration as JSON text. YAML keeps its repeated keys on the way, for the component to judge; what is neither
/// reaches the component as it is.
fn from_text(text: &str) -> String {
    let is_json = Document::parse(text, Syntax::Json, text.len()).is_ok();
    match Document::parse(text, Syntax::Yaml, text.len()) {
        Ok(document) if !is_json => document.root().to_json(MAX_JSON, MAX_LEVELS),
        _ => text.to_owned(),
    }
}

/// The first line of what another file's reader says.
fn first_words(error: &InputError) -> String {
    match error {
        InputError::Facts(findings) => match findings.as_slice() {
            [first, ..] => {
                let line = first.source.position(first.span).line;
                format!("{} (line {line})", first.diagnostic.message)
            }
            [] => error.to_string(),
        },
        _ => error.to_string(),
    }
}
