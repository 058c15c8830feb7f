//! Where a package's files come from: a folder, or an archive.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use super::PackageError;
use super::archive::Archive;
use super::folder::Folder;
use super::wit::{Content, FileData, Listing, Need};

/// A package's files.
#[derive(Debug)]
pub(super) enum Source {
    Folder(Folder),
    Archive(Archive),
}

impl Source {
    /// Opens what is at a path, and lists it.
    pub(super) fn open(path: &Path) -> Result<(Self, Listing), PackageError> {
        if path.is_file() {
            let (archive, listing) = Archive::open(path)?;
            return Ok((Self::Archive(archive), listing));
        }
        let folder = Folder::open(path)?;
        if !path.is_dir() {
            return Err(PackageError::NoPackage(path.to_owned()));
        }
        let listing = folder.list()?;
        Ok((Self::Folder(folder), listing))
    }

    /// Reads what is needed, `left` bytes of it at most, and takes what was read from these.
    pub(super) fn read(&self, needs: &[Need], left: &mut u64) -> Result<Vec<Content>, PackageError> {
        let archive = match self {
            Self::Folder(folder) => return Ok(folder.read_all(needs, left)),
            Self::Archive(archive) => archive,
        };
        let limits: BTreeMap<&str, u64> = needs.iter().map(|need| (need.path.as_str(), need.limit)).collect();
        let mut found: BTreeMap<String, FileData> = BTreeMap::new();
        archive.files(limits.len(), &|path, _| limits.contains_key(path), &mut |path, _, bytes| {
            let limit = limits.get(path).copied().unwrap_or_default().min(*left);
            let mut start = Vec::new();
            let data = match bytes.take(limit).read_to_end(&mut start) {
                Ok(_) => {
                    *left = left.saturating_sub(start.len() as u64);
                    FileData::Bytes(start)
                }
                Err(_) => FileData::Unreadable("io".to_owned()),
            };
            found.entry(path.to_owned()).or_insert(data);
            ControlFlow::Continue(())
        })?;
        let absent = || FileData::Unreadable("absent".to_owned());
        let contents = needs.iter().map(|need| Content {
            path: need.path.clone(),
            data: found.remove(&need.path).unwrap_or_else(absent),
        });
        Ok(contents.collect())
    }

    /// Hands over each of the files, given with their sizes, and whether it is executable, until `each` breaks off. Answers
    /// one that is not what it was when it was listed, where there is one.
    pub(super) fn files(
        &self,
        wanted: &BTreeMap<&str, u64>,
        each: &mut dyn FnMut(&str, bool, &mut dyn Read) -> ControlFlow<()>,
    ) -> Result<Option<String>, PackageError> {
        let archive = match self {
            Self::Folder(folder) => return Ok(folder.files(wanted.keys().copied(), each)),
            Self::Archive(archive) => archive,
        };
        let mut missing = wanted.clone();
        let mut breaks = false;
        archive.files(
            wanted.len(),
            &|path, size| wanted.get(path) == Some(&size),
            &mut |path, executable, bytes| {
                missing.remove(path);
                let flow = each(path, executable, bytes);
                breaks = flow.is_break();
                flow
            },
        )?;
        Ok(missing.into_keys().next().filter(|_| !breaks).map(str::to_owned))
    }
}
