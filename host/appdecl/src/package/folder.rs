//! A package's folder: what is in it, and the beginnings of its files.

use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use appdecl_facts::{Fault, FaultCode};

use super::PackageError;
use super::sys::{is_executable, open_below};
use super::wit::{Content, Entry, EntryKind, FileData, Link, Listing, Need};

/// The most entries that are listed (`wit/gate/packages.wit`).
pub(super) const MOST_ENTRIES: usize = 100_000;

/// The most bytes of all paths together. Far more than any real package has, and what the component has memory for.
pub(super) const MOST_PATH_BYTES: usize = 12 << 20;

/// So many links one behind the other are followed to tell a circle from a link to nothing. Systems allow 40.
const MOST_LINKS: usize = 64;

/// A folder whose real path is known.
#[derive(Debug)]
pub(super) struct Folder {
    shown: PathBuf,
    real: PathBuf,
}

impl Folder {
    pub(super) fn open(shown: &Path) -> Result<Self, PackageError> {
        let real = fs::canonicalize(shown).map_err(|error| unreadable(shown, &error))?;
        Ok(Self { shown: shown.to_owned(), real })
    }

    /// Everything below the folder. What disappears meanwhile is left out.
    pub(super) fn list(&self) -> Result<Listing, PackageError> {
        let mut entries = Vec::new();
        let mut path_bytes = 0_usize;
        let mut waiting = vec![String::new()];
        while let Some(folder) = waiting.pop() {
            let path = self.real.join(&folder);
            let found = match fs::read_dir(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound && !folder.is_empty() => continue,
                found => found.map_err(|error| unreadable(&self.shown.join(&folder), &error))?,
            };
            for found in found {
                let found = found.map_err(|error| unreadable(&self.shown.join(&folder), &error))?;
                let Some(entry) = self.entry(&folder, &found) else { continue };
                path_bytes += entry.path.len();
                if entries.len() == MOST_ENTRIES || path_bytes > MOST_PATH_BYTES {
                    return Ok(Listing { entries: Vec::new(), truncated: true });
                }
                // A name that is no text can not be asked for, nor what lies below it.
                if matches!(entry.kind, EntryKind::Folder) && entry.link.is_none() && entry.exact {
                    waiting.push(entry.path.clone());
                }
                entries.push(entry);
            }
        }
        // The component sorts them: what is in order already costs it little.
        entries.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(Listing { entries, truncated: false })
    }

    /// Reads what is needed, `left` bytes of it at most, and takes what was read from these.
    pub(super) fn read_all(&self, needs: &[Need], left: &mut u64) -> Vec<Content> {
        let each = needs.iter().map(|need| {
            let data = self.read(&need.path, need.limit.min(*left));
            if let FileData::Bytes(bytes) = &data {
                *left = left.saturating_sub(bytes.len() as u64);
            }
            Content { path: need.path.clone(), data }
        });
        each.collect()
    }

    /// Hands over each of the files, and whether it is executable, until `each` breaks off. Answers one that can not be
    /// opened any more, where there is one.
    pub(super) fn files<'f>(
        &self,
        wanted: impl Iterator<Item = &'f str>,
        each: &mut dyn FnMut(&str, bool, &mut dyn Read) -> ControlFlow<()>,
    ) -> Option<String> {
        for path in wanted {
            let Ok(mut file) = self.open_file(path) else { return Some(path.to_owned()) };
            let executable = is_executable(&file);
            if each(path, executable, &mut file).is_break() {
                break;
            }
        }
        None
    }

    /// At most `limit` bytes from the beginning of a regular file in the folder, or the code of why there are none.
    fn read(&self, path: &str, limit: u64) -> FileData {
        let read = || -> Result<Vec<u8>, FaultCode> {
            let mut bytes = Vec::new();
            let file = self.open_file(path)?;
            file.take(limit).read_to_end(&mut bytes).map_err(|error| code_of(&error))?;
            Ok(bytes)
        };
        match read() {
            Ok(bytes) => FileData::Bytes(bytes),
            Err(code) => FileData::Unreadable(code.name().to_owned()),
        }
    }

    /// Opens a regular file in the folder without waiting for anybody.
    pub(super) fn open_file(&self, path: &str) -> Result<File, FaultCode> {
        let real = fs::canonicalize(self.real.join(path)).map_err(|error| code_of(&error))?;
        let Ok(inside) = real.strip_prefix(&self.real) else { return Err(FaultCode::Refused) };
        // A pipe is not even opened: it could have somebody at its other end.
        let regular = |metadata: io::Result<Metadata>| match metadata {
            Ok(metadata) if metadata.is_file() => Ok(()),
            Ok(_) => Err(FaultCode::NotRegular),
            Err(error) => Err(code_of(&error)),
        };
        regular(fs::symlink_metadata(&real))?;
        let file = open_below(&self.real, inside).map_err(|error| code_of(&error))?;
        regular(file.metadata())?;
        Ok(file)
    }

    fn entry(&self, folder: &str, found: &DirEntry) -> Option<Entry> {
        let name = found.file_name();
        let text = name.to_string_lossy();
        let path = if folder.is_empty() { text.clone().into_owned() } else { format!("{folder}/{text}") };
        let mut metadata = found.metadata().ok()?;
        let link = metadata.is_symlink().then(|| self.follow(&found.path()));
        if link.is_some() {
            match fs::metadata(found.path()) {
                Ok(target) => metadata = target,
                Err(_) => {
                    return Some(Entry {
                        path,
                        exact: name.to_str().is_some(),
                        kind: EntryKind::Other,
                        size: 0,
                        link,
                    });
                }
            }
        }
        let kind = if metadata.is_dir() {
            EntryKind::Folder
        } else if metadata.is_file() {
            EntryKind::File
        } else {
            EntryKind::Other
        };
        let size = if metadata.is_file() { metadata.len() } else { 0 };
        Some(Entry { path, exact: name.to_str().is_some(), kind, size, link })
    }

    /// Where a link leads.
    fn follow(&self, link: &Path) -> Link {
        match fs::canonicalize(link) {
            Ok(target) => match target.strip_prefix(&self.real) {
                Ok(inside) => Link::Inside(listed(inside)),
                Err(_) => Link::Outside,
            },
            Err(_) if is_circle(link) => Link::Circle,
            Err(_) => Link::Nowhere,
        }
    }
}

/// A relative path as listings write it.
fn listed(path: &Path) -> String {
    let names = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

fn is_circle(link: &Path) -> bool {
    let mut at = link.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&at) else { return false };
        at = at.parent().unwrap_or(Path::new("")).join(target);
    }
    true
}

fn code_of(error: &io::Error) -> FaultCode {
    match error.kind() {
        ErrorKind::NotFound => FaultCode::Absent,
        ErrorKind::PermissionDenied => FaultCode::Denied,
        _ => FaultCode::Io,
    }
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> PackageError {
    PackageError::Unreadable { path: path.to_owned(), fault: Fault::new(code_of(error), error.to_string()) }
}
