//! Packages as archives, through the built command.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test ends where it can not go on"
)]

mod good;
mod refused;

#[path = "../common/archive.rs"]
mod archive;
#[path = "../common/cli.rs"]
mod common;
#[cfg(unix)]
#[path = "../common/peak.rs"]
mod peak;

use std::fs;
use std::path::Path;

/// The names below a folder, without the lock of installing.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            names.extend(self::names(&entry.path()).into_iter().map(|below| format!("{name}/{below}")));
        }
        names.push(name);
    }
    names.retain(|name| name != ".appdecl.lock");
    names.sort();
    names
}
