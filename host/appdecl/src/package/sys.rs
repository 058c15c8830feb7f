//! What systems do each in their own way with the files of packages.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

#[cfg(unix)]
pub(super) use unix::*;
#[cfg(windows)]
pub(super) use windows::*;

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};

    use rustix::fs::{CWD, Mode, OFlags, RenameFlags, open, openat, renameat_with};
    use rustix::io::Errno;

    use super::{File, OpenOptions, Path, io};

    /// Opens a file without waiting, name by name, so that none of them can have become a link meanwhile.
    pub(in crate::package) fn open_below(root: &Path, inside: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at = open(root, flags | OFlags::DIRECTORY, Mode::empty())?;
        let mut names = inside.iter().peekable();
        while let Some(name) = names.next() {
            let kind = if names.peek().is_some() { OFlags::DIRECTORY } else { OFlags::NONBLOCK };
            at = openat(&at, name, flags | kind, Mode::empty())?;
        }
        Ok(at.into())
    }

    pub(in crate::package) fn is_executable(file: &File) -> bool {
        file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
    }

    /// Options that neither wait for another process nor follow a link.
    pub(in crate::package) fn without_waiting(options: &mut OpenOptions) {
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
        options.custom_flags(flags.bits().cast_signed());
    }

    /// Options that make a file for everybody to read, and to execute where it is executable.
    pub(in crate::package) fn permit(options: &mut OpenOptions, executable: bool) {
        options.mode(if executable { 0o755 } else { 0o644 });
    }

    pub(in crate::package) fn link(path: &Path, target: &Path, _: bool) -> io::Result<()> {
        symlink(target, path)
    }

    pub(in crate::package) fn sync_folder(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    pub(in crate::package) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(|error| match error {
            Errno::INVAL | Errno::NOSYS | Errno::NOTSUP => io::ErrorKind::Unsupported.into(),
            error => error.into(),
        })
    }
}

#[cfg(windows)]
mod windows {
    use std::os::windows::fs::{symlink_dir, symlink_file};

    use super::{File, OpenOptions, Path, io};

    pub(in crate::package) fn open_below(root: &Path, inside: &Path) -> io::Result<File> {
        File::open(root.join(inside))
    }

    /// A file's name says it there.
    pub(in crate::package) fn is_executable(_: &File) -> bool {
        false
    }

    /// Pipes are in no folder there.
    pub(in crate::package) fn without_waiting(_: &mut OpenOptions) {}

    /// Files have the rights of their folder there.
    pub(in crate::package) fn permit(_: &mut OpenOptions, _: bool) {}

    pub(in crate::package) fn link(path: &Path, target: &Path, to_folder: bool) -> io::Result<()> {
        if to_folder { symlink_dir(target, path) } else { symlink_file(target, path) }
    }

    /// Folders can not be opened there; renames are in the file system's journal.
    pub(in crate::package) fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(in crate::package) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
