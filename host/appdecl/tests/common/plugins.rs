//! A folder of packages, and packages beside it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A package of that name and version in a folder of its own.
pub fn package(room: &Path, name: &str, version: &str) -> String {
    let folder = format!("{name}-{version}");
    fs::create_dir(room.join(&folder)).unwrap();
    let manifest = format!(
        r#"{{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "{name}", "version": "{version}" }}"#
    );
    fs::write(room.join(&folder).join("plugin.json"), manifest).unwrap();
    for number in 0..20 {
        fs::write(room.join(&folder).join(format!("{number}.txt")), format!("{version} {number}")).unwrap();
    }
    folder
}

/// A room with the folder `plugins`, and `acme-1` beside it.
pub fn room() -> TempDir {
    let room = tempfile::tempdir().unwrap();
    fs::create_dir(room.path().join("plugins")).unwrap();
    package(room.path(), "acme", "1");
    room
}

/// The names in the folder of packages, without the lock.
pub fn names(room: &Path) -> Vec<String> {
    let entries = fs::read_dir(room.join("plugins")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != ".appdecl.lock");
    names.sort();
    names
}
