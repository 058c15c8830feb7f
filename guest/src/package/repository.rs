//! `.dsh-plugin`, the static repository plugin (SPEC §9.2). Every fault takes the whole package down.

use std::collections::BTreeMap;

use super::document::{self, Members, filled_string, strings};
use super::finding::{Boundary, Findings, Scope, member};
use super::listing::{Entry, Files, Found, Tree};
use super::packaged_path::{follow, is_unusable};
use super::{Server, Skill, Variable, codes, contents, repository_servers, skills};
use crate::facts::NodeKind;
use crate::json::Value;
use crate::text::quoted;

/// The folder that makes a folder a static repository plugin.
pub(super) const FOLDER: &str = ".dsh-plugin";

/// The folder of what `prepare` copies, below [`FOLDER`].
pub(super) const ASSETS: &str = "dsh-plugin-assets";

/// The module that `prepare` writes, below [`FOLDER`].
pub(super) const MODULE: &str = "dsh-plugin.mjs";

const SECTION: &str = "9.2";

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

/// The manifest as it is written: paths relative to `.dsh-plugin`.
struct Written<'v> {
    roots: Vec<&'v str>,
    mcp: Option<&'v str>,
}

/// Reads and judges a static repository plugin.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Repository {
    let file = format!("{FOLDER}/package.json");
    let mut scope = Scope { findings, file: &file, section: SECTION, boundary: Boundary::Package };
    let mut repository = Repository::default();
    if !is_own_folder(tree, &mut scope) {
        return repository;
    }
    let Some(value) = document::find_file(tree, &file, &mut scope)
        .and_then(|path| document::read(tree, files, &path, &mut scope))
    else {
        return repository;
    };
    let Some(written) = judge_manifest(&value, &mut repository, &mut scope) else { return repository };
    for (index, path) in written.roots.iter().enumerate() {
        let pointer = format!("/dsh/skills/{index}");
        if let Some(root) = judge_root(tree, path, &pointer, &mut scope) {
            repository.roots.push(root);
        }
    }
    if contents::judge_copied(tree, &repository.roots, &mut scope) {
        repository.skills = judge_skills(tree, files, &repository.roots, &mut scope);
    }
    if let Some(path) = written.mcp
        && let Some(path) = judge_mcp_path(tree, path, &mut scope)
    {
        let mut scope = Scope {
            findings: &mut *scope.findings,
            file: &path,
            section: SECTION,
            boundary: Boundary::Package,
        };
        if let Some(document) = repository_servers::judge(tree, files, &path, &mut scope) {
            repository.mcp = Some(document.bytes);
            repository.servers = document.servers;
            repository.variables = document.variables;
        }
    }
    repository
}

/// Whether `.dsh-plugin` is a folder of its own: paths are relative to it, and `prepare` writes into it.
fn is_own_folder(tree: &Tree<'_>, scope: &mut Scope<'_>) -> bool {
    let mut scope =
        Scope { findings: &mut *scope.findings, file: FOLDER, section: SECTION, boundary: Boundary::Package };
    if tree.entry(FOLDER).is_some_and(|entry| entry.link.is_some()) {
        scope.error(codes::WRONG_KIND, "", "is a link: expected a folder");
        return false;
    }
    match tree.resolve(FOLDER) {
        Found::Folder(_) => true,
        found => {
            document::not_found(&found, "a folder", "", &mut scope);
            false
        }
    }
}

fn judge_manifest<'v>(
    value: &'v Value,
    repository: &mut Repository,
    scope: &mut Scope<'_>,
) -> Option<Written<'v>> {
    let members = Members::read(value, "", "an object", scope)?;
    match members.get("name") {
        Some(name) => {
            repository.name =
                filled_string(name, "/name", "the name of the package", scope).map(str::to_owned);
        }
        None => scope.missing("/name", "the name of the package"),
    }
    repository.version = members.get("version").and_then(Value::as_text).map(str::to_owned);
    judge_scripts(members.get("scripts"), scope);
    let Some(dsh) = members.get("dsh") else {
        scope.missing("/dsh", "an object with `skills` or `mcpServers`");
        return None;
    };
    let dsh = Members::read(dsh, "/dsh", "an object", scope)?;
    let mut written = Written { roots: Vec::new(), mcp: None };
    let mut is_whole = true;
    for (name, value) in dsh.iter() {
        let pointer = member("/dsh", name);
        match name {
            "skills" => match strings(value, &pointer, scope) {
                Some(roots) => written.roots = roots,
                None => is_whole = false,
            },
            "mcpServers" => {
                written.mcp = filled_string(value, &pointer, "the path of a document", scope);
                is_whole &= written.mcp.is_some();
            }
            other => scope.unknown(&pointer, other, &["skills", "mcpServers"]),
        }
    }
    if is_whole && written.roots.is_empty() && written.mcp.is_none() {
        scope.error(
            codes::NOTHING_CONTRIBUTED,
            "/dsh",
            "names neither `skills` nor `mcpServers`: expected at least one",
        );
    }
    Some(written)
}

fn judge_scripts(scripts: Option<&Value>, scope: &mut Scope<'_>) {
    const EXPECTED: &str = "a script that calls `dsh-plugin-prepare`";
    let Some(scripts) = scripts else {
        scope.error(codes::PREPACK_MISSING, "/scripts/prepack", &format!("is missing: expected {EXPECTED}"));
        return;
    };
    let Some(scripts) = Members::read(scripts, "/scripts", "an object", scope) else { return };
    let Some(prepack) = scripts.get("prepack") else {
        scope.error(codes::PREPACK_MISSING, "/scripts/prepack", &format!("is missing: expected {EXPECTED}"));
        return;
    };
    let Some(script) = document::string(prepack, "/scripts/prepack", scope) else { return };
    let mut words =
        script.split(|character: char| character.is_whitespace() || "&|;()\"'`".contains(character));
    if !words.any(|word| word.rsplit(['/', '\\']).next() == Some("dsh-plugin-prepare")) {
        let what = format!("expected {EXPECTED}, found {}", quoted(script));
        scope.error(codes::PREPACK_MISSING, "/scripts/prepack", &what);
    }
}

fn judge_root(tree: &Tree<'_>, path: &str, pointer: &str, scope: &mut Scope<'_>) -> Option<String> {
    if path.is_empty() {
        scope.empty(pointer, "the path of a folder");
        return None;
    }
    match asset(tree, path, pointer, scope)? {
        Found::Folder(root) if root.is_empty() || root == FOLDER => {
            let what =
                format!("{} contains `{FOLDER}`: expected a folder beside it or within it", quoted(path));
            scope.error(codes::SKILL_ROOT_HOLDS_PACKAGE, pointer, &what);
            None
        }
        Found::Folder(root) => is_source(&root, path, pointer, scope).then_some(root),
        found => {
            document::not_found(&found, "a folder", pointer, scope);
            None
        }
    }
}

fn judge_mcp_path(tree: &Tree<'_>, path: &str, scope: &mut Scope<'_>) -> Option<String> {
    let pointer = "/dsh/mcpServers";
    match asset(tree, path, pointer, scope)? {
        Found::File(entry) => is_source(&entry.path, path, pointer, scope).then(|| entry.path.clone()),
        found => {
            document::not_found(&found, "a regular file", pointer, scope);
            None
        }
    }
}

/// What a path of the manifest leads to; nothing where the path itself is faulty.
fn asset<'a>(tree: &Tree<'a>, path: &str, pointer: &str, scope: &mut Scope<'_>) -> Option<Found<'a>> {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if is_unusable(path) || path.starts_with('/') || path.contains('\\') || has_drive {
        let what = format!("expected a path relative to `{FOLDER}`, with `/`, found {}", quoted(path));
        scope.error(codes::BAD_ASSET_PATH, pointer, &what);
        return None;
    }
    let Some(way) = follow(FOLDER, path.split('/')) else {
        let what = format!("{} climbs out of the folder that holds `{FOLDER}`", quoted(path));
        scope.error(codes::PATH_LEAVES_PACKAGE, pointer, &what);
        return None;
    };
    Some(tree.resolve(&way))
}

/// Whether a path is a source, and not what `prepare` makes of one.
fn is_source(real: &str, path: &str, pointer: &str, scope: &mut Scope<'_>) -> bool {
    let below = real.strip_prefix(FOLDER).and_then(|below| below.strip_prefix('/'));
    let is_output =
        below.and_then(|below| below.split('/').next()).is_some_and(|name| name == ASSETS || name == MODULE);
    if is_output {
        let what = format!("{} is what `prepare` writes: expected a source", quoted(path));
        scope.error(codes::ASSET_IS_OUTPUT, pointer, &what);
    }
    !is_output
}

/// The skills below the roots: a root that is one, else each folder of it that is one.
fn judge_skills(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    roots: &[String],
    scope: &mut Scope<'_>,
) -> Vec<Skill> {
    let mut found: BTreeMap<String, &Entry> = BTreeMap::new();
    let skill = |folder: &str| match tree.resolve(&format!("{folder}/{}", skills::FILE)) {
        Found::File(entry) => Some(entry),
        _ => None,
    };
    for root in roots {
        if let Some(entry) = skill(root) {
            found.insert(root.clone(), entry);
            continue;
        }
        let folders = tree.children(root).into_iter().filter(|(_, entry)| entry.kind == NodeKind::Folder);
        for (name, _) in folders {
            let folder = format!("{root}/{name}");
            if let Some(entry) = skill(&folder) {
                found.insert(folder, entry);
            }
        }
    }
    if found.len() > skills::MOST_SKILLS {
        let what = format!("{} skills: expected at most {}", found.len(), skills::MOST_SKILLS);
        scope.error(codes::TOO_MANY_SKILLS, "/dsh/skills", &what);
        return Vec::new();
    }
    let mut good = Vec::new();
    for (folder, entry) in found {
        let name = folder.rsplit('/').next().unwrap_or_default();
        let mut scope = Scope {
            findings: &mut *scope.findings,
            file: &entry.path,
            section: SECTION,
            boundary: Boundary::Skill(name.to_owned()),
        };
        good.extend(skills::read_requires(name, &folder, entry, files, &mut scope));
    }
    good
}
