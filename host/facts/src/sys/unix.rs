//! Files on Linux and macOS.

use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, OFlags, accessat};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid, getgid, getuid};

use super::read::{Opened, Ownership};
use crate::{Fault, FaultCode, Hive, Node, NodeKind, Principal, Subkey, View};

/// The path as the system takes it.
pub(super) fn native(path: &str) -> PathBuf {
    PathBuf::from(path)
}

/// What a path leads to: `stat(2)`, and for a regular file `faccessat(2)` with the rights this process acts with.
pub(super) fn stat(path: &str) -> Result<Node, Fault> {
    let metadata = fs::metadata(path).map_err(|error| fault(&error))?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => NodeKind::File,
        kind if kind.is_dir() => NodeKind::Folder,
        _ => NodeKind::Other,
    };
    Ok(Node { kind, executable: kind == NodeKind::File && may_execute(path) })
}

/// Opens a regular file for reading, without waiting for anybody: `stat(2)`, `open(2)` with `O_NONBLOCK`, `fstat(2)`.
pub(super) fn open(path: &Path) -> Result<Opened, Fault> {
    // To open a pipe or a device can already act on it: a watchdog starts, a writer wakes up.
    check_regular(&fs::metadata(path).map_err(|error| fault(&error))?)?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
        .map_err(|error| fault(&error))?;
    let metadata = file.metadata().map_err(|error| fault(&error))?;
    check_regular(&metadata)?;
    Ok(Opened { file, metadata })
}

/// Whose a file is, seen from the real and the effective user of this process: `st_uid`, `st_gid` and `st_mode` of
/// `fstat(2)` against `getuid(2)`, `geteuid(2)`, `getgid(2)` and `getegid(2)`.
pub(super) fn ownership(metadata: &Metadata) -> Ownership {
    let users = [geteuid().as_raw(), getuid().as_raw()];
    let groups = [getegid().as_raw(), getgid().as_raw()];
    Ownership {
        owner: Some(principal(metadata.uid(), &users)),
        group: Some(principal(metadata.gid(), &groups)),
        mode: Some(metadata.mode() & 0o7777),
    }
}

/// There is no registry.
pub(super) fn subkeys(
    _hive: Hive,
    _view: View,
    _key: &str,
    _values: &[String],
) -> Result<Vec<Subkey>, Fault> {
    Err(Fault::new(FaultCode::Unsupported, "there is a registry on Windows alone"))
}

/// What an error of the system says about what was asked for.
pub(super) fn fault(error: &io::Error) -> Fault {
    let code = match Errno::from_io_error(error) {
        // A name that is too long for the file system is one that nothing there has.
        Some(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG) => FaultCode::Absent,
        Some(Errno::ACCESS | Errno::PERM) => FaultCode::Denied,
        // Held back by a lease (`open(2)`: EWOULDBLOCK) or by a writer.
        Some(Errno::AGAIN | Errno::TXTBSY | Errno::BUSY) => FaultCode::Locked,
        _ => FaultCode::Io,
    };
    Fault::new(code, error.to_string())
}

fn may_execute(path: &str) -> bool {
    match accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS) {
        // Sandboxes that do not know `faccessat2` forbid it; the plain call asks for the real user instead.
        Err(Errno::PERM) => accessat(CWD, path, Access::EXEC_OK, AtFlags::empty()).is_ok(),
        answer => answer.is_ok(),
    }
}

fn check_regular(metadata: &Metadata) -> Result<(), Fault> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(Fault::new(FaultCode::NotRegular, "this is not a regular file"))
}

fn principal(id: u32, own: &[u32]) -> Principal {
    if own.contains(&id) {
        Principal::Own
    } else if id == 0 {
        Principal::Root
    } else {
        Principal::Other
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use rustix::io::Errno;

    use super::{fault, principal};
    use crate::{FaultCode, Principal};

    #[test]
    fn the_user_itself_comes_before_the_superuser() {
        assert_eq!(principal(0, &[0, 0]), Principal::Own);
        assert_eq!(principal(0, &[1000, 1000]), Principal::Root);
        assert_eq!(principal(1000, &[0, 1000]), Principal::Own);
        assert_eq!(principal(1001, &[1000, 1000]), Principal::Other);
    }

    #[test]
    fn errors_say_what_they_mean_for_the_question() {
        for (errno, code) in [
            (Errno::NOENT, FaultCode::Absent),
            (Errno::NOTDIR, FaultCode::Absent),
            (Errno::NAMETOOLONG, FaultCode::Absent),
            (Errno::ACCESS, FaultCode::Denied),
            (Errno::PERM, FaultCode::Denied),
            (Errno::AGAIN, FaultCode::Locked),
            (Errno::LOOP, FaultCode::Io),
            (Errno::IO, FaultCode::Io),
        ] {
            assert_eq!(fault(&io::Error::from_raw_os_error(errno.raw_os_error())).code, code, "{errno}");
        }
    }
}
