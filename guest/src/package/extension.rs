//! The declarations of a portable plugin's servers (SPEC §9.1): `extensions."com.nousresearch.hermes".servers`. Every
//! fault takes the package down.

use super::codes;
use super::document::Members;
use super::finding::{Boundary, Finding, Help, Position, Scope, Severity};
use super::manifest;
use super::place::{At, Quoted};
use super::servers::{self, Servers};
use super::written::json_text;
use crate::declaration;
use crate::json::Value;
use crate::text::nearest;

/// The namespace whose servers are declared.
const NAMESPACE: &str = "com.nousresearch.hermes";

/// The section that has the rules of a declaration.
const DECLARATION_SECTION: &str = "2";

/// Judges the declarations and answers each good one, with its server, as JSON text.
pub(super) fn judge(extensions: &Value, servers: &Servers, scope: &mut Scope<'_>) -> Vec<(String, String)> {
    let outer = At::Root.member("extensions");
    judge_namespaces(extensions, &outer, scope);
    let at = outer.member(NAMESPACE);
    // That a namespace is an object is the manifest's rule, which has judged it.
    let namespace = extensions.get(NAMESPACE).filter(|namespace| matches!(namespace, Value::Mapping(_)));
    let Some(members) = namespace.and_then(|namespace| Members::read(namespace, &at, "an object", scope))
    else {
        return Vec::new();
    };
    for (name, _) in members.once.iter().filter(|(name, _)| *name != "servers") {
        let at = at.member(name);
        let what = format_args!("unknown member {}: known is `servers`", Quoted(name));
        if nearest(name, &["servers"]).is_some() {
            let help = Help::Text("did you mean `servers`?");
            scope.report(codes::EXTENSION_MEMBER_MISSPELT, &at, what, help);
        } else {
            scope.warning(codes::EXTENSION_MEMBER_IGNORED, &at, (0, 0), what, Help::None);
        }
    }
    let at = at.member("servers");
    let declared = members
        .get("servers")
        .and_then(|value| Members::read(value, &at, "an object of declarations", scope));
    let known = servers.names();
    let mut good = Vec::new();
    for (name, value) in declared.iter().flat_map(|declared| &declared.once) {
        let at = at.member(name);
        judge_server(name, servers, &known, &at, scope);
        if let Some(text) = judge_declaration(name, value, &at, scope) {
            good.push(((*name).to_owned(), text));
        }
    }
    good
}

/// Whether another namespace is ours misspelt, which would drop every declaration in it. Those of other clients are near to
/// ours too, so only what differs in case and separators counts.
fn judge_namespaces(extensions: &Value, at: &At<'_>, scope: &mut Scope<'_>) {
    let plain = |name: &str| name.replace(['-', '_', '.'], "").to_ascii_lowercase();
    let ours = plain(NAMESPACE);
    let Value::Mapping(namespaces) = extensions else { return };
    for (name, _) in namespaces.iter().filter(|(name, _)| name != NAMESPACE && plain(name) == ours) {
        let what = format_args!("unknown namespace {}: ours is `{NAMESPACE}`", Quoted(name));
        let help = Help::Text("did you mean `com.nousresearch.hermes`?");
        scope.report(codes::EXTENSION_MEMBER_MISSPELT, &at.member(name), what, help);
    }
}

/// Whether the name is that of a server that is there and good.
fn judge_server(name: &str, servers: &Servers, known: &[&str], at: &At<'_>, scope: &mut Scope<'_>) {
    let skipped = match (servers, servers.get(name)) {
        (Servers::Faulty, _) => "all of it was skipped",
        (_, Some(None)) => "it was skipped, because its entry there is faulty",
        (_, Some(Some(_))) => return,
        (_, None) => {
            let what = format_args!("declares {}, which is no server of `{}`", Quoted(name), servers::FILE);
            return scope.report(codes::ORPHAN_DECLARATION, at, what, Help::Nearest(name, known));
        }
    };
    let what = format_args!("declares {} of `{}`, but {skipped}", Quoted(name), servers::FILE);
    scope.error(codes::DECLARATION_OF_SKIPPED_SERVER, at, what);
}

/// The declaration as the text that is registered, where it is good.
fn judge_declaration(name: &str, value: &Value, at: &At<'_>, scope: &mut Scope<'_>) -> Option<String> {
    if name.len() > servers::LONGEST_NAME {
        return None;
    }
    let text = json_text(value);
    let label = format!("{}: {name}", manifest::FILE);
    let Err(faults) = declaration::parse(&text, &label) else { return Some(text) };
    for fault in faults {
        scope.findings.push(Finding {
            severity: Severity::Error,
            code: fault.code,
            section: DECLARATION_SECTION,
            file: manifest::FILE.to_owned(),
            position: Position { pointer: Some(at.pointer(&fault.pointer)), line: None, column: None },
            boundary: Boundary::Package,
            message: fault.message,
            help: fault.help,
        });
    }
    None
}
