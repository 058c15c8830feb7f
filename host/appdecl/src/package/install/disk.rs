//! Every way in which installing writes, behind one trait, so that a test can make each of them fail.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::Path;

use crate::package::sys;

/// What installing does to a disk. Each call is one step: after a crash it has happened whole, or in part inside the stage.
pub(in crate::package) trait Disk {
    /// Makes a folder that is not there yet.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a file that is not there yet, with its bytes on the disk when this returns.
    fn write(&self, path: &Path, from: &mut dyn Read, executable: bool) -> io::Result<u64>;
    /// Makes a relative link.
    fn link(&self, path: &Path, target: &Path, to_folder: bool) -> io::Result<()>;
    /// Puts the names in a folder on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Renames to a name that is not taken.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Exchanges two names in one step; [`io::ErrorKind::Unsupported`] where the system can not.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    /// Removes a file, or a folder and what it holds, links not followed.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(in crate::package) struct RealDisk;

impl Disk for RealDisk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn write(&self, path: &Path, from: &mut dyn Read, executable: bool) -> io::Result<u64> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        sys::permit(&mut options, executable);
        let mut file = options.open(path)?;
        let bytes = io::copy(from, &mut file)?;
        file.flush()?;
        file.sync_all()?;
        Ok(bytes)
    }

    fn link(&self, path: &Path, target: &Path, to_folder: bool) -> io::Result<()> {
        sys::link(path, target, to_folder)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        sys::sync_folder(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        sys::exchange(one, other)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
    }
}
