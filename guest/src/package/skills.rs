//! The skills of a package: which there are, and what their front matter says (SPEC §9.1).

use std::collections::BTreeSet;

use super::finding::{Boundary, Finding, Findings, Scope, Severity, at, member};
use super::front_matter::{self, FaultKind, Key, Node, Yaml};
use super::listing::{Entry, Files, Found, Link, Tree};
use super::{Position, Skill, codes, document};
use crate::facts::NodeKind;
use crate::text::{alternatives, quoted};

/// The folder of a portable plugin whose folders are skills.
const FOLDER: &str = "skills";

/// The file that makes a folder a skill.
pub(super) const FILE: &str = "SKILL.md";

/// The most skills of a package.
pub(super) const MOST_SKILLS: usize = 1000;

/// Finds and judges the skills of a portable plugin and answers the good ones. A fault takes down the skill it stands in.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Vec<Skill> {
    let mut scope = Scope { findings, file: FOLDER, section: "9.1", boundary: Boundary::Skills };
    let real = match tree.resolve(FOLDER) {
        Found::Folder(real) => real,
        Found::Missing => return Vec::new(),
        found => {
            document::not_found(&found, "a folder", "", &mut scope);
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for (name, entry) in tree.children(&real) {
        let file = format!("{FOLDER}/{name}");
        let mut scope = Scope {
            findings: &mut *scope.findings,
            file: &file,
            section: "9.1",
            boundary: Boundary::Skill(name.to_owned()),
        };
        if entry.link == Some(Link::Outside) && entry.kind == NodeKind::Folder {
            document::not_found(&Found::Outside, "a folder of the package", "", &mut scope);
        } else if let Found::Folder(folder) = tree.resolve(&format!("{real}/{name}")) {
            match tree.resolve(&format!("{folder}/{FILE}")) {
                Found::Missing => judge_letter_case(tree, &folder, &mut scope),
                skill => found.push((name, folder, skill)),
            }
        }
    }
    if found.len() > MOST_SKILLS {
        let what = format!("{} skills: expected at most {MOST_SKILLS}", found.len());
        scope.error(codes::TOO_MANY_SKILLS, "", &what);
        return Vec::new();
    }
    let mut good = Vec::new();
    for (name, folder, skill) in found {
        let file = format!("{FOLDER}/{name}/{FILE}");
        let mut scope = Scope {
            findings: &mut *scope.findings,
            file: &file,
            section: "9.1",
            boundary: Boundary::Skill(name.to_owned()),
        };
        let Found::File(entry) = skill else {
            document::not_found(&skill, "a regular file", "", &mut scope);
            continue;
        };
        let before = scope.findings.errors();
        let Some(fields) = read(entry, files, &mut scope) else { continue };
        judge_fields(&fields, name, &mut scope);
        let requires_apps = judge_requires(&fields, &mut scope);
        if scope.findings.errors() == before {
            good.push(Skill { name: name.to_owned(), folder, requires_apps });
        }
    }
    good
}

/// Reads a skill of which nothing counts but what it requires, as the static repository format has it. What is wrong is
/// reported as one warning, and the skill is then not offered.
pub(super) fn read_requires(
    name: &str,
    folder: &str,
    entry: &Entry,
    files: &mut Files<'_>,
    scope: &mut Scope<'_>,
) -> Option<Skill> {
    let mut found = Findings::default();
    let mut inner = Scope {
        findings: &mut found,
        file: scope.file,
        section: scope.section,
        boundary: Boundary::Skill(name.to_owned()),
    };
    let fields = read(entry, files, &mut inner);
    let requires_apps = fields.as_ref().map(|fields| judge_requires(fields, &mut inner));
    match found.finish().0.into_iter().next() {
        Some(first) => {
            let severity = Severity::Warning;
            scope.findings.push(Finding { severity, code: codes::SKILL_NOT_OFFERED, ..first });
            None
        }
        None => requires_apps.map(|requires_apps| Skill {
            name: name.to_owned(),
            folder: folder.to_owned(),
            requires_apps,
        }),
    }
}

fn judge_letter_case(tree: &Tree<'_>, folder: &str, scope: &mut Scope<'_>) {
    let other = tree.children(folder).into_iter().find(|(name, _)| name.eq_ignore_ascii_case(FILE));
    if let Some((name, _)) = other {
        let what = format!("holds {}, but no `{FILE}`: it is no skill", quoted(name));
        scope.warning(codes::SKILL_FILE_NAME_CASE, "", &what, Some(format!("rename it to `{FILE}`")));
    }
}

/// The fields of a front matter, each name once.
type Fields = Vec<(Key, Node)>;

fn read(entry: &Entry, files: &mut Files<'_>, scope: &mut Scope<'_>) -> Option<Fields> {
    let limit = front_matter::LONGEST;
    let bytes = document::readable(files.read(&entry.path, limit as u64)?, scope)?;
    // The limit may cut a character in two.
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && bytes.len() >= limit => {
            bytes.get(..error.valid_up_to())?
        }
        _ => bytes,
    };
    let text = document::text(whole, scope)?;
    match front_matter::parse(text) {
        Ok(Node { yaml: Yaml::Mapping(members), .. }) => {
            judge_names(&members, "", scope);
            let mut seen = BTreeSet::new();
            Some(members.into_iter().filter(|(key, _)| seen.insert(key.name.clone())).collect())
        }
        Ok(node) => {
            let what = format!("expected fields such as `name: …`, found {}", node.yaml.type_name());
            let position = document::position(node.line, node.column);
            scope.report(Severity::Error, codes::FRONT_MATTER_SYNTAX, position, &what, None);
            None
        }
        Err(fault) => {
            let code = match fault.kind {
                FaultKind::Missing => codes::FRONT_MATTER_MISSING,
                FaultKind::Unclosed => codes::FRONT_MATTER_UNCLOSED,
                FaultKind::Syntax => codes::FRONT_MATTER_SYNTAX,
                FaultKind::Unsupported => codes::FRONT_MATTER_UNSUPPORTED,
            };
            let position = document::position(fault.line, fault.column);
            let what = format!("line {}, column {}: {}", fault.line, fault.column, fault.what);
            scope.report(Severity::Error, code, position, &what, None);
            None
        }
    }
}

/// Reports every key that stands twice in one mapping, wherever it is.
fn judge_names(members: &[(Key, Node)], pointer: &str, scope: &mut Scope<'_>) {
    let mut seen = BTreeSet::new();
    for (key, node) in members {
        let pointer = member(pointer, &key.name);
        if !seen.insert(key.name.as_str()) {
            let what = format!("the key {} stands here a second time", quoted(&key.name));
            let help = Some("keep one of them".to_owned());
            let position = positioned(&pointer, key.line, key.column);
            scope.report(Severity::Error, codes::SKILL_FIELD_TWICE, position, &what, help);
        }
        judge_names_within(node, &pointer, scope);
    }
}

fn judge_names_within(node: &Node, pointer: &str, scope: &mut Scope<'_>) {
    match &node.yaml {
        Yaml::Mapping(members) => judge_names(members, pointer, scope),
        Yaml::List(items) => {
            for (index, item) in items.iter().enumerate() {
                judge_names_within(item, &format!("{pointer}/{index}"), scope);
            }
        }
        _ => {}
    }
}

fn judge_fields(fields: &Fields, folder: &str, scope: &mut Scope<'_>) {
    const KNOWN: [&str; 7] =
        ["name", "description", "license", "compatibility", "metadata", "allowed-tools", "requires_apps"];
    for required in ["name", "description"] {
        if fields.iter().all(|(key, _)| key.name != required) {
            let what = format!("is missing: expected the {required} of the skill");
            let position = positioned(&member("", required), 1, 1);
            scope.report(Severity::Error, codes::SKILL_FIELD_MISSING, position, &what, None);
        }
    }
    for (key, node) in fields {
        let pointer = member("", &key.name);
        match key.name.as_str() {
            "name" => judge_name(node, folder, &pointer, scope),
            "description" => judge_length(node, 1024, &pointer, scope),
            "compatibility" => judge_length(node, 500, &pointer, scope),
            "license" | "allowed-tools" => {
                string(node, "a string", &pointer, scope);
            }
            "metadata" => judge_metadata(node, &pointer, scope),
            "requires_apps" => {}
            name if is_nearly_requires_apps(name) => {}
            name => {
                let what = format!("unknown field {}: known are {}", quoted(name), alternatives(&KNOWN));
                let position = positioned(&pointer, key.line, key.column);
                let help = scope.hint(name, &KNOWN);
                let mut scope = scope.within(Boundary::Nothing);
                scope.report(Severity::Warning, codes::SKILL_FIELD_IGNORED, position, &what, help);
            }
        }
    }
}

fn judge_name(node: &Node, folder: &str, pointer: &str, scope: &mut Scope<'_>) {
    let Some(name) = string(node, "a string", pointer, scope) else { return };
    let position = positioned(pointer, node.line, node.column);
    let mut error = |code, what: &str| scope.report(Severity::Error, code, position.clone(), what, None);
    let count = name.chars().count();
    if !(1..=64).contains(&count) {
        error(codes::SKILL_FIELD_LENGTH, &format!("expected 1 to 64 characters, found {count}"));
        return;
    }
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !name.bytes().all(is_inner) || name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        let what = format!(
            "expected lower-case letters, digits and single `-`, beginning and ending with a letter or digit, found {}",
            quoted(name)
        );
        error(codes::BAD_SKILL_NAME, &what);
    }
    if name != folder {
        let what = format!("expected {}, the name of its folder, found {}", quoted(folder), quoted(name));
        error(codes::SKILL_NAME_MISMATCH, &what);
    }
}

/// A text of at least one character and at most so many. Blanks around it do not count: a block scalar ends in a line
/// break that nobody wrote.
fn judge_length(node: &Node, most: usize, pointer: &str, scope: &mut Scope<'_>) {
    let Some(text) = string(node, "a string", pointer, scope) else { return };
    let count = text.trim().chars().count();
    if !(1..=most).contains(&count) {
        let what = format!("expected 1 to {most} characters, found {count}");
        let position = positioned(pointer, node.line, node.column);
        scope.report(Severity::Error, codes::SKILL_FIELD_LENGTH, position, &what, None);
    }
}

fn judge_metadata(node: &Node, pointer: &str, scope: &mut Scope<'_>) {
    let Yaml::Mapping(members) = &node.yaml else {
        return wrong_type(node, "a mapping of strings", pointer, scope);
    };
    for (key, value) in members {
        let pointer = member(pointer, &key.name);
        if !key.is_text {
            let what =
                format!("expected a key that is a string, found {}: put it in quotes", quoted(&key.name));
            let position = positioned(&pointer, key.line, key.column);
            scope.report(Severity::Error, codes::SKILL_FIELD_WRONG_TYPE, position, &what, None);
        }
        string(value, "a string", &pointer, scope);
    }
}

/// The applications that a skill requires; a field that is nearly the one that names them is an error.
fn judge_requires(fields: &Fields, scope: &mut Scope<'_>) -> Vec<String> {
    const EXPECTED: &str = "the name of a server, or a list of names";
    let mut required = Vec::new();
    for (key, node) in fields {
        let pointer = member("", &key.name);
        if key.name == "requires_apps" {
            let items = match &node.yaml {
                Yaml::List(items) => items.as_slice(),
                _ => std::slice::from_ref(node),
            };
            for item in items {
                match string(item, EXPECTED, &pointer, scope) {
                    Some("") => {
                        let position = positioned(&pointer, item.line, item.column);
                        let what = format!("is empty: expected {EXPECTED}");
                        scope.report(Severity::Error, codes::SKILL_FIELD_LENGTH, position, &what, None);
                    }
                    Some(name) => required.push(name.to_owned()),
                    None => {}
                }
            }
        } else if is_nearly_requires_apps(&key.name) {
            let what = format!("unknown field {}, which is nearly `requires_apps`", quoted(&key.name));
            let position = positioned(&pointer, key.line, key.column);
            let help = Some("did you mean `requires_apps`?".to_owned());
            scope.report(Severity::Error, codes::SKILL_GATE_MISSPELT, position, &what, help);
        }
    }
    required
}

fn is_nearly_requires_apps(name: &str) -> bool {
    let plain = name.replace(['-', '_', '.', ' '], "").to_ascii_lowercase();
    name != "requires_apps" && plain.len() < 32 && strsim::osa_distance(&plain, "requiresapps") <= 2
}

fn string<'n>(node: &'n Node, expected: &str, pointer: &str, scope: &mut Scope<'_>) -> Option<&'n str> {
    match &node.yaml {
        Yaml::Text(text) => Some(text),
        _ => {
            wrong_type(node, expected, pointer, scope);
            None
        }
    }
}

fn wrong_type(node: &Node, expected: &str, pointer: &str, scope: &mut Scope<'_>) {
    let what = format!("expected {expected}, found {}", node.yaml.type_name());
    let help = matches!(node.yaml, Yaml::Bool | Yaml::Number | Yaml::Null)
        .then(|| "put the value in quotes".to_owned());
    let position = positioned(pointer, node.line, node.column);
    scope.report(Severity::Error, codes::SKILL_FIELD_WRONG_TYPE, position, &what, help);
}

fn positioned(pointer: &str, line: usize, column: usize) -> Position {
    Position { pointer: at(pointer).pointer, ..document::position(line, column) }
}
