//! The package of a vector as a real folder: `package`, and what `extra.yaml` adds (`guest/tests/package/folder.rs` says how
//! that is written).

use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};

use libtest_mimic::Failed;

use crate::yaml::{self, members, number, text, texts};

/// What no folder can be: a path twice, more than a disk should get.
const ON_PAPER: [&str; 2] = ["twice", "truncated"];

/// Whether a disk can hold the package as its listing has it, whatever of it can be read.
pub(crate) fn is_on_disk(vector: &Path) -> bool {
    let Ok(extra) = fs::read_to_string(vector.join("extra.yaml")) else { return true };
    let Ok(extra) = yaml::parse(&extra) else { return true };
    let files = members(extra.get("files")).unwrap_or_default();
    let climbs = |path: &str| path.split('/').any(|name| matches!(name, "" | "." | ".."));
    let is_file = |path: &str| files.iter().any(|(file, _)| file == path);
    let is_below = |path: &str| path.match_indices('/').any(|(at, _)| path.get(..at).is_some_and(is_file));
    let links = members(extra.get("links")).unwrap_or_default();
    let is_link = |path: &str| links.iter().any(|(link, _)| path.starts_with(&format!("{link}/")));
    let paths = files.iter().chain(links).map(|(path, _)| path.as_str());
    cfg!(unix)
        && !ON_PAPER.iter().any(|key| extra.get(key).is_some())
        && !paths.into_iter().any(|path| climbs(path) || is_below(path) || is_link(path))
}

/// Makes the folder, so deep in `room` that what links outside lead to is in it too.
pub(crate) fn make(vector: &Path, room: &Path) -> Result<PathBuf, Failed> {
    let folder = room.join("a/b/c/package");
    fs::create_dir_all(&folder)?;
    let package = vector.join("package");
    if package.is_dir() {
        copy(&package, &folder)?;
    }
    if let Ok(extra) = fs::read_to_string(vector.join("extra.yaml")) {
        add(&yaml::parse(&extra)?, room, &folder)?;
    }
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failed> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&to)?;
            copy(&entry.path(), &to)?;
        } else {
            fs::write(&to, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    Ok(fs::write(path, bytes)?)
}

fn add(extra: &appdecl_guest::json::Value, room: &Path, folder: &Path) -> Result<(), Failed> {
    for path in texts(extra.get("folders"))? {
        fs::create_dir_all(folder.join(path))?;
    }
    for (path, content) in members(extra.get("files"))? {
        write(&folder.join(path), text(content)?.as_bytes())?;
    }
    for (path, bytes) in members(extra.get("bytes"))? {
        let bytes: Result<Vec<u64>, Failed> = yaml::items(Some(bytes))?.iter().map(number).collect();
        let bytes: Result<Vec<u8>, _> = bytes?.into_iter().map(u8::try_from).collect();
        write(&folder.join(path), &bytes?)?;
    }
    for (path, size) in members(extra.get("sizes"))? {
        write(&folder.join(path), b"")?;
        File::options().write(true).open(folder.join(path))?.set_len(number(size)?)?;
    }
    if let Some(repeat) = extra.get("repeat") {
        let of = |name: &str| repeat.get(name).ok_or_else(|| Failed::from(format!("repeat lacks {name}")));
        let (path, content) = (text(of("path")?)?, text(of("text")?)?);
        for index in 0..number(of("count")?)? {
            let filled = |text: &str| text.replace('N', &index.to_string());
            write(&folder.join(filled(&path)), filled(&content).as_bytes())?;
        }
    }
    add_odd(extra, room, folder)
}

/// Things that only some systems have.
#[cfg(unix)]
fn add_odd(extra: &appdecl_guest::json::Value, room: &Path, folder: &Path) -> Result<(), Failed> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    for (path, target) in members(extra.get("links"))? {
        let path = folder.join(path);
        let target = outside(room, folder, &path, &text(target)?)?;
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        symlink(target, path)?;
    }
    for path in texts(extra.get("pipes"))? {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0)?;
    }
    for shown in texts(extra.get("not_unicode"))? {
        let mut name = Vec::new();
        for part in shown.split('\u{fffd}') {
            if !name.is_empty() {
                name.push(0xff);
            }
            name.extend(part.as_bytes());
        }
        write(&folder.join(OsStr::from_bytes(&name)), b"")?;
    }
    Ok(())
}

/// The target of a link. One that leads out of the folder leads to something: to a file where its name has a dot, else to a
/// folder.
#[cfg(unix)]
fn outside(room: &Path, folder: &Path, link: &Path, target: &str) -> Result<PathBuf, Failed> {
    let is_absolute = target.starts_with('/');
    let written = if is_absolute { room.join(target.trim_start_matches('/')) } else { PathBuf::from(target) };
    let mut end = PathBuf::new();
    for component in link.parent().unwrap_or(folder).join(&written).components() {
        match component {
            Component::ParentDir => drop(end.pop()),
            Component::CurDir => {}
            other => end.push(other),
        }
    }
    if end.starts_with(folder) || !end.starts_with(room) || end.exists() {
        return Ok(written);
    }
    if end.file_name().is_some_and(|name| name.to_string_lossy().contains('.')) {
        write(&end, b"{}")?;
    } else {
        fs::create_dir_all(&end)?;
    }
    Ok(written)
}

#[cfg(not(unix))]
fn add_odd(_: &appdecl_guest::json::Value, _: &Path, _: &Path) -> Result<(), Failed> {
    Ok(())
}
