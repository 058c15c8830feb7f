//! The folder that packages take their place in, one process at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::InstallError;
use super::disk::Disk;
use crate::package::holds_package;
use crate::package::sys::without_waiting;

/// The file whose lock says that somebody installs here. It stays; the system lets go of the lock when a process ends.
pub(super) const LOCK: &str = ".appdecl.lock";

/// What begins the names of folders that hold no package yet, or no more. No package's name begins with a dot.
pub(in crate::package) const STAGE: &str = ".appdecl-stage-";

/// What begins the name of a package that makes room, where two names can not be exchanged in one step.
const OLD: &str = ".appdecl-old-";

/// A folder of packages that no other process changes meanwhile.
pub(in crate::package) struct Place<'p> {
    disk: &'p dyn Disk,
    path: &'p Path,
    _lock: File,
}

impl<'p> Place<'p> {
    /// Takes the lock, and puts in order what an earlier run left.
    pub(in crate::package) fn enter(disk: &'p dyn Disk, path: &'p Path) -> Result<Self, InstallError> {
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
    pub(in crate::package) fn holds(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok()
    }

    /// Whether a name is taken by a package that may be replaced.
    pub(super) fn takes(&self, folder: &str, replace: bool) -> Result<bool, InstallError> {
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
    pub(in crate::package) fn put(
        &self,
        stage: &Path,
        folder: &str,
        taken: bool,
    ) -> Result<(), InstallError> {
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
pub(super) fn is_package(path: &Path) -> bool {
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
