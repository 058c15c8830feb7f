//! Files on Windows. Every path goes to the system in its literal form.

mod process;
mod registry;
#[cfg(test)]
mod tests;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Foundation as code;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_TYPE_DISK,
    GetFileType, SECURITY_ANONYMOUS,
};

pub(super) use self::process::{process, session};
pub(super) use self::registry::subkeys;
use super::read::{Opened, Ownership};
use super::win32;
use crate::{Fault, FaultCode, Node, NodeKind, Os};

pub(super) const OS: Os = Os::Win32;

/// The path as the system takes it.
pub(super) fn native(path: &str) -> PathBuf {
    PathBuf::from(win32::verbatim(path))
}

/// What a path leads to, links and junctions followed. Whether a file is a program is a matter of its name on Windows.
pub(super) fn stat(path: &str) -> Result<Node, Fault> {
    let metadata = fs::metadata(native(path)).map_err(|error| fault(&error))?;
    let kind = match metadata.file_type() {
        kind if kind.is_file() => NodeKind::File,
        kind if kind.is_dir() => NodeKind::Folder,
        _ => NodeKind::Other,
    };
    Ok(Node { kind, executable: false })
}

/// Opens a regular file for reading, and lets every other program read, write, rename and delete it meanwhile.
pub(super) fn open(path: &Path) -> Result<Opened, Fault> {
    let file = OpenOptions::new()
        .read(true)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        // Without it a folder is `access denied` instead of a folder.
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        // A link may lead to a pipe, and the server of a pipe may act in the name of whoever opens it.
        .security_qos_flags(SECURITY_ANONYMOUS)
        .open(path)
        .map_err(|error| fault(&error))?;
    let not_regular = || Fault::new(FaultCode::NotRegular, "this is not a regular file");
    if !is_on_disk(&file) {
        return Err(not_regular());
    }
    let metadata = file.metadata().map_err(|error| fault(&error))?;
    if metadata.is_file() { Ok(Opened { file, metadata }) } else { Err(not_regular()) }
}

/// Windows has access lists instead of an owner, a group and a mode that say who may write.
pub(super) fn ownership(_metadata: &Metadata) -> Ownership {
    Ownership::default()
}

/// What an error of the system says about what was asked for.
pub(super) fn fault(error: &io::Error) -> Fault {
    let known = error.raw_os_error().map_or(FaultCode::Io, |raw| fault_code(raw.cast_unsigned()));
    Fault::new(known, error.to_string().trim_end())
}

/// <https://learn.microsoft.com/windows/win32/debug/system-error-codes>
fn fault_code(error: u32) -> FaultCode {
    match error {
        code::ERROR_FILE_NOT_FOUND
        | code::ERROR_PATH_NOT_FOUND
        | code::ERROR_INVALID_DRIVE
        | code::ERROR_NOT_READY
        | code::ERROR_BAD_NETPATH
        | code::ERROR_INVALID_NAME
        | code::ERROR_BAD_PATHNAME
        | code::ERROR_FILENAME_EXCED_RANGE
        | code::ERROR_DIRECTORY
        | code::ERROR_DELETE_PENDING
        | code::ERROR_KEY_DELETED => FaultCode::Absent,
        code::ERROR_ACCESS_DENIED | code::ERROR_PRIVILEGE_NOT_HELD => FaultCode::Denied,
        code::ERROR_SHARING_VIOLATION | code::ERROR_LOCK_VIOLATION => FaultCode::Locked,
        _ => FaultCode::Io,
    }
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn is_on_disk(file: &File) -> bool {
    // SAFETY: the handle is open as long as `file` is borrowed.
    let kind = unsafe { GetFileType(file.as_raw_handle()) };
    kind == FILE_TYPE_DISK
}
