//! Installing: a package's files are copied to a stage beside their place, synced, and take it in one step.
//!
//! Whenever a run ends early, the folder has the old package whole or the new one whole. What it leaves behind has a name
//! that no package has, and the next run removes it.

pub(super) mod copied;
pub(super) mod disk;
pub(super) mod place;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::source::Source;
use super::wit::{Entry, EntryKind, Link};
use super::{Package, PackageError};
use copied::Copied;
use disk::{Disk, RealDisk};
use place::{Place, STAGE, is_package};

/// The most bytes of files that are copied, as many as a portable plugin may have.
const MOST_COPIED: u64 = 1 << 30;

/// The longest name of a package's folder, in bytes.
const LONGEST_NAME: usize = 128;

/// Names that Windows keeps for devices, with any ending
/// (<https://learn.microsoft.com/windows/win32/fileio/naming-a-file>).
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A package in a folder of packages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Installed {
    /// The name of its folder.
    pub folder: String,
    /// The name that it gives itself.
    pub name: Option<String>,
    /// The version that it gives itself.
    pub version: Option<String>,
}

/// Why nothing was installed or removed. The folder is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// A fault takes the package down.
    #[error("the package has faults that take it down: run `appdecl validate` on it")]
    Rejected,
    /// The name can not be that of a folder on every system.
    #[error(
        "`{0}` can not be the name of a folder on every system: use up to 128 letters, digits, `.`, `-`, `_`, `@` and `/`"
    )]
    BadName(String),
    /// There is one already.
    #[error("`{0}` is installed already: allow replacing it, or uninstall it first")]
    Exists(String),
    /// There is none.
    #[error("`{0}` is not installed there")]
    Missing(String),
    /// Something of that name is there, and it is no package.
    #[error("`{0}` is there and is no package: move it away")]
    NoPackage(String),
    /// An archive holds what no package may bring along.
    #[error(
        "the archive holds `{0}`, which can not be installed: leave out links that leave it and special files"
    )]
    LeftOut(String),
    /// The files are larger together than a package may be.
    #[error("the package has more than {MOST_COPIED} bytes of files: expected at most so many")]
    TooLarge,
    /// The archive can not be read any more.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// A file of the package can not be read.
    #[error("`{path}` can not be read: {error}")]
    Unreadable {
        /// Its path in the package.
        path: String,
        /// What the system says, or the archive.
        error: io::Error,
    },
    /// Another process installs or removes there.
    #[error("another process installs or removes packages in `{path}`: try again when it has ended", path = .0.display())]
    Busy(PathBuf),
    /// A file is not what it was when the package was judged.
    #[error("`{0}` changed while it was copied: try again")]
    Changed(String),
    /// The disk can not be read or written.
    #[error("`{path}` can not be written: {error}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl Package {
    /// Copies the package into the folder of packages `into`, in place of one of its name where `replace`. Ask
    /// [`Package::install_gate`] before; a rejected package is refused here too.
    ///
    /// The bytes are on the disk when this returns. Links that lead out of the package and special files are not copied; an
    /// archive that has them is refused.
    ///
    /// # Errors
    ///
    /// [`InstallError`]; the folder then is as it was.
    pub fn install(&self, into: &Path, replace: bool) -> Result<Installed, InstallError> {
        self.install_on(&RealDisk, into, replace)
    }

    /// Whether the package itself may be copied into a folder of packages, and under which name.
    ///
    /// # Errors
    ///
    /// [`InstallError::Rejected`], [`InstallError::LeftOut`], [`InstallError::BadName`] or [`InstallError::TooLarge`].
    pub fn installed_name(&self) -> Result<String, InstallError> {
        let report = self.validate();
        if report.rejected {
            return Err(InstallError::Rejected);
        }
        if let (Source::Archive(_), [first, ..]) = (&self.source, report.left_out.as_slice()) {
            return Err(InstallError::LeftOut(first.clone()));
        }
        let size = |entry: &&Entry| if entry.link.is_none() { entry.size } else { 0 };
        if self.carried().iter().map(size).fold(0_u64, u64::saturating_add) > MOST_COPIED {
            return Err(InstallError::TooLarge);
        }
        let name = report.name.as_deref().unwrap_or_default();
        folder_name(name).ok_or_else(|| InstallError::BadName(name.to_owned()))
    }

    fn install_on(&self, disk: &dyn Disk, into: &Path, replace: bool) -> Result<Installed, InstallError> {
        let folder = self.installed_name()?;
        let place = Place::enter(disk, into)?;
        let taken = place.takes(&folder, replace)?;
        let stage = into.join(format!("{STAGE}{folder}"));
        let staged = self.copy(disk, &stage).and_then(|()| place.put(&stage, &folder, taken));
        if let Err(error) = staged {
            // The next run removes what can not be removed now.
            let _ = disk.remove(&stage);
            return Err(error);
        }
        Ok(Installed { folder, name: self.report.name.clone(), version: self.report.version.clone() })
    }

    /// Copies everything but what is left out, and syncs it.
    fn copy(&self, disk: &dyn Disk, stage: &Path) -> Result<(), InstallError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| InstallError::Io { path, error }
        };
        let entries = self.carried();
        let files: BTreeMap<&str, u64> = entries
            .iter()
            .filter(|entry| entry.link.is_none() && matches!(entry.kind, EntryKind::File))
            .map(|entry| (entry.path.as_str(), entry.size))
            .collect();
        disk.create_folder(stage).map_err(failed(stage))?;
        let mut folders = vec![stage.to_owned()];
        for entry in entries.iter().filter(|entry| entry.link.is_none()) {
            if matches!(entry.kind, EntryKind::Folder) {
                let path = stage.join(&entry.path);
                disk.create_folder(&path).map_err(failed(&path))?;
                folders.push(path);
            }
        }
        self.copy_files(disk, stage, &files)?;
        for entry in &entries {
            if let Some(Link::Inside(target)) = &entry.link {
                let path = stage.join(&entry.path);
                let to_folder = matches!(entry.kind, EntryKind::Folder);
                disk.link(&path, &relative(&entry.path, target), to_folder).map_err(failed(&path))?;
            }
        }
        for folder in folders.iter().rev() {
            disk.sync_folder(folder).map_err(failed(folder))?;
        }
        Ok(())
    }

    /// What is not left out, nor stands below that, in the order of the paths.
    fn carried(&self) -> Vec<&Entry> {
        let left_out: BTreeSet<&str> = self.report.left_out.iter().map(String::as_str).collect();
        let is_left_out = |path: &str| {
            let above = path.match_indices('/').filter_map(|(slash, _)| path.get(..slash));
            !left_out.is_empty() && above.chain([path]).any(|path| left_out.contains(path))
        };
        let mut entries: Vec<&Entry> =
            self.entries.iter().filter(|entry| !is_left_out(&entry.path)).collect();
        entries.sort_by(|left, right| left.path.cmp(&right.path));
        entries
    }

    fn copy_files(
        &self,
        disk: &dyn Disk,
        stage: &Path,
        files: &BTreeMap<&str, u64>,
    ) -> Result<(), InstallError> {
        let mut result = Ok(());
        let changed = self.source.files(files, &mut |path, executable, bytes| {
            let size = files.get(path).copied().unwrap_or_default();
            let judged = self.content(path).unwrap_or_default();
            result = Copied { path, size, judged, executable }.write(disk, &stage.join(path), bytes);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        match changed? {
            Some(path) => Err(InstallError::Changed(path)),
            None => Ok(()),
        }
    }
}

/// Removes a package from the folder of packages `from`, by the name of its folder.
///
/// # Errors
///
/// [`InstallError`]; the package then is still there, whole.
pub fn uninstall(name: &str, from: &Path) -> Result<(), InstallError> {
    uninstall_on(&RealDisk, name, from)
}

fn uninstall_on(disk: &dyn Disk, name: &str, from: &Path) -> Result<(), InstallError> {
    let folder = folder_name(name).ok_or_else(|| InstallError::BadName(name.to_owned()))?;
    let place = Place::enter(disk, from)?;
    let target = from.join(&folder);
    if !place.holds(&folder) {
        return Err(InstallError::Missing(folder));
    }
    if !is_package(&target) {
        return Err(InstallError::NoPackage(folder));
    }
    let stage = from.join(format!("{STAGE}{folder}"));
    let moved = disk.rename(&target, &stage).and_then(|()| disk.sync_folder(from));
    moved.map_err(|error| InstallError::Io { path: target, error })?;
    // It is gone already; the next run removes what can not be removed now.
    let _ = disk.remove(&stage);
    Ok(())
}

/// The packages in a folder of packages, by the names of their folders. What is no package is left out.
///
/// # Errors
///
/// Where the folder can not be read.
pub fn installed(folder: &Path) -> io::Result<Vec<Installed>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    let is_listed = |name: &String| !name.starts_with('.') && is_package(&folder.join(name));
    let packages = names.into_iter().filter(is_listed).filter_map(|name| {
        let opened: Result<Package, PackageError> = Package::open(&folder.join(&name));
        let report = opened.ok()?.report;
        Some(Installed { folder: name, name: report.name, version: report.version })
    });
    Ok(packages.collect())
}

/// The name of the folder that a package of this name has: `/`, as in `@owner/name`, is written `+`.
fn folder_name(name: &str) -> Option<String> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-@/".contains(character);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let port = |prefix| {
        stem.strip_prefix(prefix)
            .is_some_and(|rest: &str| rest.len() == 1 && rest.chars().all(|c| c.is_ascii_digit()))
    };
    let is_device = DEVICES.contains(&stem.as_str()) || port("com") || port("lpt");
    let good = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(is_plain)
        && !name.starts_with(['.', '/'])
        && !name.ends_with(['.', '/'])
        && !is_device;
    good.then(|| name.replace('/', "+"))
}

/// The way from a link to its target, both by their paths in the package.
fn relative(link: &str, target: &str) -> PathBuf {
    let mut way: PathBuf = link.split('/').skip(1).map(|_| "..").collect();
    if target.is_empty() && way.as_os_str().is_empty() {
        way.push(".");
    }
    way.extend(target.split('/').filter(|name| !name.is_empty()));
    way
}
