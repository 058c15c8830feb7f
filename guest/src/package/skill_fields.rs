//! What the front matter of a `SKILL.md` says (SPEC §9.1; the Agent Skills specification).

use std::collections::BTreeSet;

use super::finding::{Finding, Findings, Help, Scope, Severity, Takes};
use super::front_matter::{self, FaultKind, Key, Node, Yaml};
use super::listing::{Entry, Files};
use super::place::{At, Known, Quoted};
use super::{codes, document};

/// The fields of a front matter, each name once.
type Fields = Vec<(Key, Node)>;

/// Reads and judges a `SKILL.md` and answers what the skill requires; nothing where it is faulty, or where its content
/// has to be asked for first.
pub(super) fn judge(
    entry: &Entry,
    files: &mut Files<'_>,
    folder: &str,
    scope: &mut Scope<'_>,
) -> Option<Vec<String>> {
    let before = scope.findings.errors;
    let fields = read(entry, files, scope)?;
    judge_fields(&fields, folder, scope);
    let requires_apps = judge_requires(&fields, scope);
    (scope.findings.errors == before).then_some(requires_apps)
}

/// The same where nothing counts but what the skill requires, as the static repository format has it. What is wrong is
/// reported as one warning.
pub(super) fn judge_requires_alone(
    entry: &Entry,
    files: &mut Files<'_>,
    folder: &str,
    scope: &mut Scope<'_>,
) -> Option<Vec<String>> {
    let mut findings = Findings::default();
    let mut inner = Scope::new(&mut findings, scope.file, scope.section, Takes::Skill(folder));
    let fields = read(entry, files, &mut inner);
    let requires_apps = fields.map(|fields| judge_requires(&fields, &mut inner));
    let Some(first) = findings.list.into_iter().next() else { return requires_apps };
    scope.findings.push(Finding { severity: Severity::Warning, code: codes::SKILL_NOT_OFFERED, ..first });
    None
}

fn read(entry: &Entry, files: &mut Files<'_>, scope: &mut Scope<'_>) -> Option<Fields> {
    let limit = front_matter::LONGEST;
    let bytes = document::readable(files.read(&entry.path, limit as u64)?, scope)?;
    // What the limit may have cut in two is no line: its beginning could pass for the end of the front matter.
    let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(last) if bytes.len() >= limit => bytes.get(..=last)?,
        None if bytes.len() >= limit => &[],
        _ => bytes,
    };
    let text = document::text(whole, scope)?;
    let fault = match front_matter::parse(text) {
        Ok(Node { yaml: Yaml::Mapping(members), .. }) => {
            judge_names(&members, &At::Root, scope);
            return Some(members);
        }
        Ok(node) => {
            let what = "expected fields such as `name: …`";
            front_matter::Fault { kind: FaultKind::Syntax, line: node.line, column: node.column, what }
        }
        Err(fault) => fault,
    };
    let code = match fault.kind {
        FaultKind::Missing => codes::FRONT_MATTER_MISSING,
        FaultKind::Unclosed => codes::FRONT_MATTER_UNCLOSED,
        FaultKind::Syntax => codes::FRONT_MATTER_SYNTAX,
        FaultKind::Unsupported => codes::FRONT_MATTER_UNSUPPORTED,
    };
    let what = format_args!("line {}, column {}: {}", fault.line, fault.column, fault.what);
    scope.report_line(code, None, (fault.line, fault.column), what, Help::None);
    None
}

/// Reports every key that stands twice in one mapping, wherever it is.
fn judge_names(members: &[(Key, Node)], at: &At<'_>, scope: &mut Scope<'_>) {
    let mut seen = BTreeSet::new();
    for (key, node) in members {
        let at = at.member(&key.name);
        if !seen.insert(key.name.as_str()) {
            let what = format_args!("{} stands here a second time", Quoted(&key.name));
            let help = Help::Text("keep one of them");
            scope.report_line(codes::SKILL_FIELD_TWICE, Some(&at), (key.line, key.column), what, help);
        }
        judge_names_within(node, &at, scope);
    }
}

fn judge_names_within(node: &Node, at: &At<'_>, scope: &mut Scope<'_>) {
    match &node.yaml {
        Yaml::Mapping(members) => judge_names(members, at, scope),
        Yaml::List(items) => {
            for (index, item) in items.iter().enumerate() {
                judge_names_within(item, &at.item(index), scope);
            }
        }
        _ => {}
    }
}

fn judge_fields(fields: &Fields, folder: &str, scope: &mut Scope<'_>) {
    const KNOWN: [&str; 7] =
        ["name", "description", "license", "compatibility", "metadata", "allowed-tools", "requires_apps"];
    let root = At::Root;
    for required in ["name", "description"] {
        if fields.iter().all(|(key, _)| key.name != required) {
            let what = format_args!("is missing: expected the {required} of the skill");
            scope.report_line(
                codes::SKILL_FIELD_MISSING,
                Some(&root.member(required)),
                (1, 1),
                what,
                Help::None,
            );
        }
    }
    for (key, node) in fields {
        let at = root.member(&key.name);
        match key.name.as_str() {
            "name" => judge_name(node, folder, &at, scope),
            "description" => judge_length(node, 1024, &at, scope),
            "compatibility" => judge_length(node, 500, &at, scope),
            "license" | "allowed-tools" => {
                string(node, "a string", &at, scope);
            }
            "metadata" => judge_metadata(node, &at, scope),
            "requires_apps" => {}
            name if is_nearly_requires_apps(name) => {}
            name => {
                let what = format_args!("unknown field {}: known are {}", Quoted(name), Known(&KNOWN));
                let line = (key.line, key.column);
                scope.warning(codes::SKILL_FIELD_IGNORED, &at, line, what, Help::Nearest(name, &KNOWN));
            }
        }
    }
}

fn judge_name(node: &Node, folder: &str, at: &At<'_>, scope: &mut Scope<'_>) {
    let before = scope.findings.errors;
    judge_length(node, 64, at, scope);
    let Yaml::Text(name) = &node.yaml else { return };
    if scope.findings.errors > before {
        return;
    }
    let line = (node.line, node.column);
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !name.bytes().all(is_inner) || name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        let what = format_args!(
            "expected lower-case letters, digits and single `-` that begin and end with a letter or digit, found {}",
            Quoted(name)
        );
        scope.report_line(codes::BAD_SKILL_NAME, Some(at), line, what, Help::None);
    }
    if name != folder {
        let what =
            format_args!("expected {}, the name of its folder, found {}", Quoted(folder), Quoted(name));
        scope.report_line(codes::SKILL_NAME_MISMATCH, Some(at), line, what, Help::None);
    }
}

/// A text of at least one character and at most so many. Blanks around it do not count: a block scalar ends in a line
/// break that nobody wrote.
fn judge_length(node: &Node, most: usize, at: &At<'_>, scope: &mut Scope<'_>) {
    let Some(text) = string(node, "a string", at, scope) else { return };
    let count = text.trim().chars().count();
    if !(1..=most).contains(&count) {
        let what = format_args!("expected 1 to {most} characters, found {count}");
        scope.report_line(codes::SKILL_FIELD_LENGTH, Some(at), (node.line, node.column), what, Help::None);
    }
}

fn judge_metadata(node: &Node, at: &At<'_>, scope: &mut Scope<'_>) {
    let Yaml::Mapping(members) = &node.yaml else {
        return wrong_type(node, "a mapping of strings", at, scope);
    };
    for (key, value) in members {
        let at = at.member(&key.name);
        if !key.is_text {
            let what = format_args!("expected a key that is a string");
            let help = Help::Text("put the key in quotes");
            scope.report_line(codes::SKILL_FIELD_WRONG_TYPE, Some(&at), (key.line, key.column), what, help);
        }
        string(value, "a string", &at, scope);
    }
}

/// The applications that a skill requires; a field that is nearly the one that names them is an error.
fn judge_requires(fields: &Fields, scope: &mut Scope<'_>) -> Vec<String> {
    const EXPECTED: &str = "the name of a server, or a list of names";
    let root = At::Root;
    let mut required = Vec::new();
    for (key, node) in fields {
        let at = root.member(&key.name);
        if key.name == "requires_apps" {
            let items = match &node.yaml {
                Yaml::List(items) => items.as_slice(),
                _ => std::slice::from_ref(node),
            };
            for item in items {
                match string(item, EXPECTED, &at, scope) {
                    Some("") => {
                        let what = format_args!("is empty: expected {EXPECTED}");
                        let line = (item.line, item.column);
                        scope.report_line(codes::SKILL_FIELD_LENGTH, Some(&at), line, what, Help::None);
                    }
                    Some(name) => required.push(name.to_owned()),
                    None => {}
                }
            }
        } else if is_nearly_requires_apps(&key.name) {
            let what = format_args!("unknown field {}, which is nearly `requires_apps`", Quoted(&key.name));
            let help = Help::Text("did you mean `requires_apps`?");
            scope.report_line(codes::SKILL_GATE_MISSPELT, Some(&at), (key.line, key.column), what, help);
        }
    }
    required
}

fn is_nearly_requires_apps(name: &str) -> bool {
    let plain: String = name.chars().filter(|character| !"-_. ".contains(*character)).collect();
    let plain = plain.to_ascii_lowercase();
    name != "requires_apps" && plain.len() < 32 && strsim::osa_distance(&plain, "requiresapps") <= 2
}

fn string<'n>(node: &'n Node, expected: &str, at: &At<'_>, scope: &mut Scope<'_>) -> Option<&'n str> {
    if let Yaml::Text(text) = &node.yaml {
        return Some(text);
    }
    wrong_type(node, expected, at, scope);
    None
}

fn wrong_type(node: &Node, expected: &str, at: &At<'_>, scope: &mut Scope<'_>) {
    let what = format_args!("expected {expected}, found {}", node.yaml.type_name());
    let help = match node.yaml {
        Yaml::Bool | Yaml::Number | Yaml::Null => Help::Text("put the value in quotes"),
        _ => Help::None,
    };
    scope.report_line(codes::SKILL_FIELD_WRONG_TYPE, Some(at), (node.line, node.column), what, help);
}
