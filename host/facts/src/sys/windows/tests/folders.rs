//! Junctions: folders that stand for another one.
#![expect(unsafe_code, reason = "the calls have no safe form")]

use std::fs::{self, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::FSCTL_SET_REPARSE_POINT;
use windows_sys::Win32::System::SystemServices::IO_REPARSE_TAG_MOUNT_POINT;

use super::code;
use crate::{FaultCode, HostFacts, Machine, NodeKind};

/// Makes the folder `junction` stand for `target`, which need not exist.
///
/// <https://learn.microsoft.com/windows-hardware/drivers/ddi/ntifs/ns-ntifs-_reparse_data_buffer>
fn make_junction(junction: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(junction)?;
    let folder = OpenOptions::new()
        .write(true)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
        .open(junction)?;
    let wide = |text: String| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let substitute = wide(format!(r"\??\{}", target.display()));
    let printed = wide(target.display().to_string());
    let short = |length: usize| u16::try_from(length).unwrap().to_le_bytes();
    let names = [short(0), short(substitute.len()), short(substitute.len() + 2), short(printed.len())];
    let data = [&names.concat(), &substitute, [0; 2].as_slice(), &printed, &[0; 2]].concat();
    let buffer =
        [&IO_REPARSE_TAG_MOUNT_POINT.to_le_bytes(), short(data.len()).as_slice(), &[0; 2], &data].concat();
    let (size, mut written) = (u32::try_from(buffer.len()).unwrap(), 0);
    // SAFETY: the folder is open, and `buffer` has `size` bytes.
    let made = unsafe {
        DeviceIoControl(
            folder.as_raw_handle(),
            FSCTL_SET_REPARSE_POINT,
            buffer.as_ptr().cast(),
            size,
            ptr::null_mut(),
            0,
            &mut written,
            ptr::null_mut(),
        )
    };
    if made == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[test]
fn a_junction_is_followed_and_one_that_leads_nowhere_is_absent() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("target")).unwrap();
    fs::write(at(r"target\x.exe"), b"MZ").unwrap();
    if let Err(error) = make_junction(&at("junction"), &at("target")) {
        println!("skipped: no junction could be made: {error}");
        return;
    }
    make_junction(&at("dangling"), &at("nowhere")).unwrap();
    let machine = Machine::new();
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    assert_eq!(machine.stat(&text("junction")).unwrap().kind, NodeKind::Folder);
    assert_eq!(machine.pe(&text(r"junction\x.exe"), 0, 2).unwrap(), b"MZ");
    assert_eq!(machine.list(&text("junction"), "").unwrap(), ["x.exe"]);
    for path in ["dangling", r"dangling\x.exe"] {
        assert_eq!(code(machine.stat(&text(path))), FaultCode::Absent, "{path}");
        assert_eq!(code(machine.runtime_file(&text(path))), FaultCode::Absent, "{path}");
    }
    assert_eq!(code(machine.list(&text("dangling"), "")), FaultCode::Absent);
}
