//! Files that are written: whole, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

use super::Output;

/// What stands for standard output in place of a file.
const STANDARD_OUTPUT: &str = "-";

/// Whether `path` stands for standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new(STANDARD_OUTPUT)
}

/// Writes an answer to the file that the user named, or to standard output for `-`. A link is replaced and never followed.
/// What is no regular file, such as a device or a pipe, is written as it is.
pub(super) fn answer(output: &mut Output, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if is_standard_output(path) {
        return Ok(output.bytes(bytes)?);
    }
    let name = path.display();
    // The streams of the process stand there as links to whatever they lead to.
    let is_stream = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    let there = fs::metadata(path).ok();
    if is_stream || there.as_ref().is_some_and(|there| !there.is_file()) {
        let opened = OpenOptions::new().write(true).open(path);
        let written = opened.and_then(|mut file| file.write_all(bytes));
        return written.with_context(|| format!("`{name}` can not be written"));
    }
    replace(path, &name.to_string(), bytes)
}

/// Puts `bytes` in the place of a file: written beside it whole, then renamed, so that the old one stays on any fault. A new
/// file has the permissions of the old one. `name` is the file as the user called it.
pub(super) fn replace(path: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let permissions = match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => Some(there.permissions()),
        _ => None,
    };
    let is_readonly = permissions.as_ref().is_some_and(fs::Permissions::readonly);
    anyhow::ensure!(!is_readonly, "`{name}` is read-only: nothing was changed");
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let replaced = new(&beside, bytes, permissions).and_then(|()| {
        let renamed = fs::rename(&beside, path);
        if renamed.is_err() {
            let _ = fs::remove_file(&beside);
        }
        renamed
    });
    replaced.with_context(|| format!("`{name}` can not be written: nothing was changed"))
}

/// Writes a file that is not there yet. Nothing is left of it on a fault.
pub(super) fn new(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> std::io::Result<()> {
    let mut file = File::create_new(path)?;
    let written = file.write_all(bytes).and_then(|()| {
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        file.sync_all()
    });
    drop(file);
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}
