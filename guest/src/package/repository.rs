//! `.dsh-plugin`, the static repository plugin (SPEC §9.2). Every fault takes the whole package down.

use super::document::{self, Members, filled, not_found, required, string, strings};
use super::finding::{Findings, Scope, Takes};
use super::listing::{Entry, Files, Found, Tree};
use super::packaged_path::{follow, is_unusable};
use super::place::{At, Quoted};
use super::{Server, Skill, Variable, codes, contents, repository_servers, skill_fields, skills};
use crate::facts::NodeKind;
use crate::json::Value;
use crate::order::sorted;

/// The folder that makes a folder a static repository plugin.
pub(super) const FOLDER: &str = ".dsh-plugin";

/// The folder of what preparing copies, below [`FOLDER`].
pub(super) const ASSETS: &str = "dsh-plugin-assets";

/// The module that preparing writes, below [`FOLDER`].
pub(super) const MODULE: &str = "dsh-plugin.mjs";

/// The section that has the rules.
pub(super) const SECTION: &str = "9.2";

/// What a static repository plugin contributes.
#[derive(Default)]
pub(super) struct Repository {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    /// The skill roots, in the order they are declared.
    pub(super) roots: Vec<String>,
    /// The bytes of the MCP document.
    pub(super) mcp: Option<Vec<u8>>,
    pub(super) servers: Vec<Server>,
    pub(super) skills: Vec<Skill>,
    pub(super) variables: Vec<Variable>,
}

/// Reads and judges a static repository plugin.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Repository {
    let mut repository = Repository::default();
    let file = format!("{FOLDER}/package.json");
    let mut scope = Scope::new(findings, FOLDER, SECTION, Takes::Package);
    // Paths are relative to the folder, and preparing writes into it: it is one of its own.
    if tree.entry(FOLDER).is_some_and(|entry| entry.link.is_some()) {
        scope.error(codes::WRONG_KIND, &At::Root, format_args!("is a link: expected a folder"));
        return repository;
    }
    match tree.resolve(FOLDER) {
        Found::Folder(_) => {}
        found => {
            not_found(&found, "", "a folder", &At::Root, &mut scope);
            return repository;
        }
    }
    let mut scope = scope.within(&file, Takes::Package);
    if let Some(value) = document::read(tree, files, &file, &mut scope) {
        judge_manifest(&value, tree, files, &mut repository, &mut scope);
    }
    repository
}

fn judge_manifest(
    value: &Value,
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    repository: &mut Repository,
    scope: &mut Scope<'_>,
) -> Option<()> {
    let root = At::Root;
    let members = Members::read(value, &root, "an object", scope)?;
    repository.name = required(&members, &root, "name", "the name of the package", scope).map(str::to_owned);
    repository.version = members.get("version").and_then(Value::as_text).map(str::to_owned);
    judge_scripts(&members, scope);
    let Some(dsh) = members.get("dsh") else {
        scope.missing(&root, "dsh", "an object with `skills` or `mcpServers`");
        return None;
    };
    let at = root.member("dsh");
    let before = scope.findings.errors;
    let dsh = Members::read(dsh, &at, "an object", scope)?;
    dsh.close(&at, &["skills", "mcpServers"], &[], scope);
    let roots = strings(&dsh, &at, "skills", scope).unwrap_or_default();
    if roots.is_empty() && dsh.get("mcpServers").is_none() && scope.findings.errors == before {
        let what = format_args!("names neither `skills` nor `mcpServers`: expected at least one");
        scope.error(codes::NOTHING_CONTRIBUTED, &at, what);
    }
    let skills = at.member("skills");
    for (index, path) in roots.iter().enumerate() {
        let root = judge_asset(tree, path, NodeKind::Folder, &skills.item(index), scope);
        repository.roots.extend(root);
    }
    if contents::judge_copied(tree, &repository.roots, scope) {
        repository.skills = judge_skills(tree, files, &repository.roots, &skills, scope);
    }
    let path = required_where_there(&dsh, &at, scope)?;
    let path = judge_asset(tree, path, NodeKind::File, &at.member("mcpServers"), scope)?;
    let mut scope = scope.within(&path, Takes::Package);
    repository_servers::judge(tree, files, &path, repository, &mut scope)
}

/// The path of the MCP document, which may be absent and not empty.
fn required_where_there<'v>(dsh: &Members<'v>, at: &At<'_>, scope: &mut Scope<'_>) -> Option<&'v str> {
    let at = at.member("mcpServers");
    filled(string(dsh.get("mcpServers")?, &at, scope)?, &at, "the path of a document", scope)
}

fn judge_scripts(members: &Members<'_>, scope: &mut Scope<'_>) {
    let root = At::Root;
    let at = root.member("scripts");
    let scripts = match members.get("scripts") {
        None => None,
        Some(scripts) => match Members::read(scripts, &at, "an object", scope) {
            None => return,
            scripts => scripts,
        },
    };
    let at = at.member("prepack");
    let script = match scripts.and_then(|scripts| scripts.get("prepack")) {
        None => "",
        Some(script) => match string(script, &at, scope) {
            None => return,
            Some(script) => script,
        },
    };
    let separates = |character: char| character.is_whitespace() || "&|;()\"'`".contains(character);
    if !script.split(separates).any(|word| word.rsplit(['/', '\\']).next() == Some("dsh-plugin-prepare")) {
        let what =
            format_args!("expected a script that calls `dsh-plugin-prepare`, found {}", Quoted(script));
        scope.error(codes::PREPACK_MISSING, &at, what);
    }
}

/// What a path of the manifest leads to: the path of the thing itself, where it may be used.
fn judge_asset(
    tree: &Tree<'_>,
    path: &str,
    kind: NodeKind,
    at: &At<'_>,
    scope: &mut Scope<'_>,
) -> Option<String> {
    let expected = if kind == NodeKind::Folder { "a folder" } else { "a regular file" };
    filled(path, at, "a path", scope)?;
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if is_unusable(path) || path.starts_with('/') || path.contains('\\') || has_drive {
        let what = format_args!("expected a path relative to `{FOLDER}`, with `/`, found {}", Quoted(path));
        scope.error(codes::BAD_ASSET_PATH, at, what);
        return None;
    }
    let Some(way) = follow(FOLDER, path.split('/')) else {
        let what = format_args!("{} climbs out of the folder that holds `{FOLDER}`", Quoted(path));
        scope.error(codes::PATH_LEAVES_PACKAGE, at, what);
        return None;
    };
    let real = match tree.resolve(&way) {
        Found::Folder(real) if kind == NodeKind::Folder => real,
        Found::File(entry) if kind == NodeKind::File => entry.path.clone(),
        found => {
            not_found(&found, path, expected, at, scope);
            return None;
        }
    };
    if kind == NodeKind::Folder && (real.is_empty() || real == FOLDER) {
        let what = format_args!("{} contains `{FOLDER}`: expected another folder", Quoted(path));
        scope.error(codes::SKILL_ROOT_HOLDS_PACKAGE, at, what);
        return None;
    }
    let below = real.strip_prefix(FOLDER).and_then(|below| below.strip_prefix('/')).unwrap_or_default();
    if below.split('/').next().is_some_and(|name| name == ASSETS || name == MODULE) {
        let what = format_args!("{} is what preparing writes: expected a source", Quoted(path));
        scope.error(codes::ASSET_IS_OUTPUT, at, what);
        return None;
    }
    Some(real)
}

/// The skills below the roots: a root that is one, else each folder of it that is one.
fn judge_skills(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    roots: &[String],
    at: &At<'_>,
    scope: &mut Scope<'_>,
) -> Vec<Skill> {
    let mut found: Vec<(String, &Entry)> = Vec::new();
    let skill = |folder: &str| match tree.resolve(&format!("{folder}/{}", skills::FILE)) {
        Found::File(entry) => Some(entry),
        _ => None,
    };
    for root in roots {
        if let Some(entry) = skill(root) {
            found.push((root.clone(), entry));
            continue;
        }
        for (name, _) in tree.children(root) {
            let folder = format!("{root}/{name}");
            if let Some(entry) = skill(&folder) {
                found.push((folder, entry));
            }
        }
    }
    let mut found = sorted(found, |(left, _), (right, _)| left.cmp(right));
    found.dedup_by(|(left, _), (right, _)| left == right);
    if found.len() > skills::MOST_SKILLS {
        skills::too_many(found.len(), at, scope);
        return Vec::new();
    }
    let mut good = Vec::new();
    for (folder, entry) in found {
        let name = folder.rsplit('/').next().unwrap_or_default();
        let mut scope = scope.within(&entry.path, Takes::Skill(name));
        if let Some(requires_apps) = skill_fields::judge_requires_alone(entry, files, name, &mut scope) {
            good.push(Skill { name: name.to_owned(), folder, requires_apps });
        }
    }
    good
}
