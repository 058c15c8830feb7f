//! Finds suites, and replaces them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::write;

const ENDINGS: [&str; 2] = [".suite.yaml", ".suite.json"];

/// So deep are folders searched. Links to folders are not followed, so nothing leads in a circle.
const DEPTH: usize = 32;

/// The files among `paths`, and the suites in the folders among them, each folder's in the order of their names.
pub(super) fn find(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            search(path, DEPTH, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.with_context(|| format!("`{}` can not be read", folder.display()))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = if folder == Path::new(".") { PathBuf::from(entry.file_name()) } else { entry.path() };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !name.starts_with('.') {
            if depth > 0 {
                search(&path, depth - 1, found)?;
            }
        } else if !is_folder && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    Ok(())
}

/// Puts `text` in the place of a suite; where that is a link, of what it leads to.
pub(super) fn replace(name: &str, text: &str) -> anyhow::Result<()> {
    let path = fs::canonicalize(name).with_context(|| format!("`{name}` can not be read"))?;
    write::replace(&path, name, text.as_bytes())
}
