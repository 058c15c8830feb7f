//! A portable plugin's package: the declarations in its manifest, and whether its servers exist. The other rules of SPEC
//! §9 are not judged here.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use appdecl_facts::document::Mapping;

use super::file::collect;
use super::source::{Source, fault_of, unreadable};
use super::{Finding, Input, InputError, MAX_FILE};

/// The file that makes a folder a package.
pub(super) const MANIFEST: &str = "plugin.json";
/// The file that lists the package's servers.
const SERVERS_FILE: &str = "mcp.json";
/// The keys that lead to the declarations.
const WAY: [&str; 3] = ["extensions", "com.nousresearch.hermes", "servers"];
/// The same in words.
const EXPECTED: &str = "expected some under `extensions.\"com.nousresearch.hermes\".servers`";
/// So many names of servers are told in a hint.
const TOLD: usize = 8;

pub(super) fn read(folder: &Path) -> Result<Input, InputError> {
    let manifest = folder.join(MANIFEST);
    let inside = resolve(folder, MANIFEST)?.ok_or_else(|| InputError::NoManifest(folder.to_owned()))?;
    let source = Arc::new(Source::open(&inside, &manifest, MAX_FILE)?);

    let [extensions, namespace, servers] = WAY;
    let root = source.document.root().get(extensions);
    let servers = root.and_then(|root| root.value.get(namespace)).and_then(|space| space.value.get(servers));
    let nothing = || InputError::NothingDeclared { path: manifest.clone(), expected: EXPECTED };
    let mut input = Input { declared: Vec::new(), findings: Vec::new() };
    collect(&mut input, &manifest, &source, servers.ok_or_else(nothing)?, &WAY)?;
    if input.declared.is_empty() && input.findings.is_empty() {
        return Err(nothing());
    }

    let known = server_names(folder)?;
    for declared in &input.declared {
        if !known.contains(&declared.server) {
            let way = [WAY.as_slice(), &[&declared.server]].concat();
            let text = format!("the server `{}` is declared and is not in {SERVERS_FILE}", declared.server);
            let help = hint(&known);
            input.findings.push(Finding::around(&source, "orphan-declaration", &way, &text, Some(&help)));
        }
    }
    Ok(input)
}

/// The names in `mcpServers`; none where there is no such file.
fn server_names(folder: &Path) -> Result<BTreeSet<String>, InputError> {
    let Some(inside) = resolve(folder, SERVERS_FILE)? else {
        return Ok(BTreeSet::new());
    };
    let source = Source::open(&inside, &folder.join(SERVERS_FILE), MAX_FILE)?;
    let servers = source.document.root().get("mcpServers").and_then(|servers| servers.value.as_mapping());
    Ok(servers.into_iter().flat_map(Mapping::members).map(|member| member.key.to_owned()).collect())
}

fn hint(known: &BTreeSet<String>) -> String {
    let told: Vec<&str> = known.iter().take(TOLD).map(String::as_str).collect();
    match known.len().saturating_sub(told.len()) {
        _ if told.is_empty() => format!("list the server in {SERVERS_FILE}"),
        0 => format!("{SERVERS_FILE} has `{}`", told.join("`, `")),
        more => format!("{SERVERS_FILE} has `{}` and {more} more", told.join("`, `")),
    }
}

/// The file of the package itself, links resolved; none where it does not exist.
fn resolve(folder: &Path, name: &str) -> Result<Option<PathBuf>, InputError> {
    let path = folder.join(name);
    let root = fs::canonicalize(folder).map_err(|error| unreadable(folder, fault_of(&error)))?;
    match fs::canonicalize(&path) {
        Ok(inside) if inside.starts_with(&root) => Ok(Some(inside)),
        Ok(_) => Err(InputError::Outside(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, fault_of(&error))),
    }
}
