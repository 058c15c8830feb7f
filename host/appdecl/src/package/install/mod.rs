//! Installing: a package's files are copied to a stage beside their place, synced, and take it in one step.
//!
//! Whenever a run ends early, the folder has the old package whole or the new one whole. What it leaves behind has a name
//! that no package has, and the next run removes it.

pub(super) mod disk;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::folder::without_waiting;
use super::source::Source;
use super::wit::{Entry, EntryKind, Link};
use super::{Package, PackageError, holds_package};
use disk::{Disk, RealDisk};

/// The file whose lock says that somebody installs here. It stays; the system lets go of the lock when a process ends.
const LOCK: &str = ".appdecl.lock";

/// What begins the names of folders that hold no package yet, or no more. No package's name begins with a dot.
pub(super) const STAGE: &str = ".appdecl-stage-";

/// What begins the name of a package that makes room, where two names can not be exchanged in one step.
const OLD: &str = ".appdecl-old-";

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
            result = self.copy_file(disk, path, size, &stage.join(path), executable, bytes);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        match changed? {
            Some(path) => Err(InstallError::Changed(path)),
            None => Ok(()),
        }
    }

    fn copy_file(
        &self,
        disk: &dyn Disk,
        path: &str,
        size: u64,
        to: &Path,
        executable: bool,
        from: &mut dyn Read,
    ) -> Result<(), InstallError> {
        let unreadable = |error| InstallError::Unreadable { path: path.to_owned(), error };
        let judged = self.content(path).unwrap_or_default();
        let mut start = Vec::new();
        (&mut *from).take(judged.len() as u64).read_to_end(&mut start).map_err(unreadable)?;
        if start != judged {
            return Err(InstallError::Changed(path.to_owned()));
        }
        let rest = start.chain(from).take(size.saturating_add(1));
        let mut bytes = Watched { from: rest, failed: false };
        let written = disk.write(to, &mut bytes, executable);
        match written {
            Ok(written) if written == size => Ok(()),
            Ok(_) => Err(InstallError::Changed(path.to_owned())),
            Err(error) if bytes.failed => Err(unreadable(error)),
            Err(error) => Err(InstallError::Io { path: to.to_owned(), error }),
        }
    }
}

/// Remembers whether it was reading that failed.
struct Watched<R> {
    from: R,
    failed: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer);
        self.failed |= read.as_ref().is_err_and(|error| error.kind() != ErrorKind::Interrupted);
        read
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
    let moved = disk.rename(&target, &stage).and_then(|()| disk.sync_folder(place.path));
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

/// A folder of packages that no other process changes meanwhile.
pub(super) struct Place<'p> {
    disk: &'p dyn Disk,
    path: &'p Path,
    _lock: File,
}

impl<'p> Place<'p> {
    /// Takes the lock, and puts in order what an earlier run left.
    pub(super) fn enter(disk: &'p dyn Disk, path: &'p Path) -> Result<Self, InstallError> {
        let failed = |error| InstallError::Io { path: path.to_owned(), error };
        let lock = open_lock(&path.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(InstallError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let place = Self { disk, path, _lock: lock };
        place.tidy().map_err(failed)?;
        Ok(place)
    }

    /// Whether a name is taken.
    pub(super) fn holds(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok()
    }

    /// Whether a name is taken by a package that may be replaced.
    fn takes(&self, folder: &str, replace: bool) -> Result<bool, InstallError> {
        let failed = |error| InstallError::Io { path: self.path.to_owned(), error };
        for entry in fs::read_dir(self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let other = name.to_string_lossy();
            if other.eq_ignore_ascii_case(folder) && other != folder {
                return Err(InstallError::Exists(other.into_owned()));
            }
        }
        match (self.holds(folder), replace) {
            (false, _) => Ok(false),
            (true, false) => Err(InstallError::Exists(folder.to_owned())),
            (true, true) if is_package(&self.path.join(folder)) => Ok(true),
            (true, true) => Err(InstallError::NoPackage(folder.to_owned())),
        }
    }

    fn tidy(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.path)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(STAGE) {
                self.disk.remove(&self.path.join(name))?;
            } else if let Some(package) = name.strip_prefix(OLD) {
                let (old, target) = (self.path.join(name), self.path.join(package));
                if fs::symlink_metadata(&target).is_ok() {
                    self.disk.remove(&old)?;
                } else {
                    self.disk.rename(&old, &target)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the stage its name.
    pub(super) fn put(&self, stage: &Path, folder: &str, taken: bool) -> Result<(), InstallError> {
        let target = self.path.join(folder);
        let put = || -> io::Result<Option<PathBuf>> {
            self.disk.sync_folder(self.path)?;
            if !taken {
                self.disk.rename(stage, &target)?;
                return Ok(None);
            }
            match self.disk.exchange(stage, &target) {
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    let old = self.path.join(format!("{OLD}{folder}"));
                    self.disk.rename(&target, &old)?;
                    if let Err(error) = self.disk.rename(stage, &target) {
                        let _ = self.disk.rename(&old, &target);
                        return Err(error);
                    }
                    Ok(Some(old))
                }
                exchanged => exchanged.map(|()| Some(stage.to_owned())),
            }
        };
        let replaced = put().map_err(|error| InstallError::Io { path: target.clone(), error })?;
        // The new package is there: what fails from here on is put in order by the next run.
        let _ = self.disk.sync_folder(self.path);
        if let Some(replaced) = replaced {
            let _ = self.disk.remove(&replaced);
        }
        Ok(())
    }
}

/// Whether a folder, and no link to one, holds what makes it a package.
fn is_package(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) && holds_package(path)
}

/// Opens the lock. A link in its place is not followed, and nothing else is taken for it.
fn open_lock(path: &Path) -> Result<File, InstallError> {
    let failed = |error| InstallError::Io { path: path.to_owned(), error };
    let odd = || failed(io::Error::other("a file is expected there, and something else is: remove it"));
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(odd());
    }
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    without_waiting(&mut options);
    let lock = options.open(path).map_err(failed)?;
    if lock.metadata().map_err(failed)?.is_file() { Ok(lock) } else { Err(odd()) }
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
