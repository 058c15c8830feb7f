//! The declarations of a portable plugin's servers (SPEC §9.1): `extensions."com.nousresearch.hermes".servers`.

use super::codes;
use super::document::Members;
use super::finding::{Boundary, Finding, Findings, Position, Scope, Severity, at, member};
use super::manifest;
use super::servers::{self, Servers};
use super::written::json_text;
use crate::declaration;
use crate::json::Value;
use crate::text::{nearest, quoted, shown};

/// The namespace whose servers are declared.
const NAMESPACE: &str = "com.nousresearch.hermes";

/// The section that has the rules of a declaration.
const DECLARATION_SECTION: &str = "2";

/// Judges the declarations and answers each good one, with its server, as JSON text. Every fault takes the package down.
pub(super) fn judge(extensions: &Value, servers: &Servers, findings: &mut Findings) -> Vec<(String, String)> {
    let mut scope = Scope { findings, file: manifest::FILE, section: "9.1", boundary: Boundary::Package };
    let Some(namespace) = extensions.get(NAMESPACE) else { return Vec::new() };
    let pointer = member("/extensions", NAMESPACE);
    // That a namespace is an object is the manifest's rule, which has judged it.
    if !matches!(namespace, Value::Mapping(_)) {
        return Vec::new();
    }
    let Some(members) = Members::read(namespace, &pointer, "an object", &mut scope) else {
        return Vec::new();
    };
    for (name, _) in members.iter().filter(|(name, _)| *name != "servers") {
        judge_other_member(name, &member(&pointer, name), &mut scope);
    }
    let pointer = member(&pointer, "servers");
    let declared = members
        .get("servers")
        .and_then(|value| Members::read(value, &pointer, "an object of declarations", &mut scope));
    let known: Vec<&str> = match servers {
        Servers::Named(named) => named.keys().map(String::as_str).collect(),
        Servers::Absent | Servers::Faulty => Vec::new(),
    };
    let mut good = Vec::new();
    for (name, value) in declared.iter().flat_map(Members::iter) {
        let pointer = member(&pointer, name);
        judge_server(name, servers, &known, &pointer, &mut scope);
        if let Some(text) = judge_declaration(name, value, &pointer, &mut scope) {
            good.push((name.to_owned(), text));
        }
    }
    good
}

fn judge_other_member(name: &str, pointer: &str, scope: &mut Scope<'_>) {
    let what = format!("unknown member {}: known is `servers`", quoted(name));
    if nearest(name, &["servers"]).is_some() {
        scope.error_with_help(codes::EXTENSION_MEMBER_MISSPELT, pointer, &what, "did you mean `servers`?");
    } else {
        scope.warning(codes::EXTENSION_MEMBER_IGNORED, pointer, &what, None);
    }
}

/// Whether the name is that of a server that is there and good.
fn judge_server(name: &str, servers: &Servers, known: &[&str], pointer: &str, scope: &mut Scope<'_>) {
    let named = match servers {
        Servers::Absent => None,
        Servers::Faulty => {
            let what = format!("declares {}, but all of `{}` was skipped", quoted(name), servers::FILE);
            return scope.error(codes::DECLARATION_OF_SKIPPED_SERVER, pointer, &what);
        }
        Servers::Named(named) => named.get(name),
    };
    match named {
        Some(Some(_)) => {}
        Some(None) => {
            let what = format!(
                "declares {}, which was skipped: its entry in `{}` is faulty",
                quoted(name),
                servers::FILE
            );
            scope.error(codes::DECLARATION_OF_SKIPPED_SERVER, pointer, &what);
        }
        None => {
            let what = format!("declares {}, which is no server of `{}`", quoted(name), servers::FILE);
            let help = scope.hint(name, known);
            scope.report(Severity::Error, codes::ORPHAN_DECLARATION, at(pointer), &what, help);
        }
    }
}

/// The declaration as the text that is registered, where it is good.
fn judge_declaration(name: &str, value: &Value, pointer: &str, scope: &mut Scope<'_>) -> Option<String> {
    if name.len() > servers::LONGEST_NAME {
        return None;
    }
    let text = json_text(value);
    let label = format!("{}: {}", manifest::FILE, shown(name));
    let faults = declaration::parse(&text, &label).err().unwrap_or_default();
    for fault in &faults {
        scope.findings.push(Finding {
            severity: Severity::Error,
            code: fault.code,
            section: DECLARATION_SECTION,
            file: manifest::FILE.to_owned(),
            position: Position {
                pointer: at(&format!("{pointer}{}", fault.pointer)).pointer,
                line: None,
                column: None,
            },
            boundary: Boundary::Package,
            message: fault.message.clone(),
            help: fault.help.clone(),
        });
    }
    faults.is_empty().then_some(text)
}
