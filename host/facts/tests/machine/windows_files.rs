//! The real machine's files, on Windows.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::{OpenOptionsExt, symlink_dir, symlink_file};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, UNIX_EPOCH};

use appdecl_facts::{FaultCode, HostFacts, Machine, NodeKind};
use tempfile::{TempDir, tempdir};

use crate::common::{code, helper, text};

const MACHINE: Machine = Machine::new();

fn folder_with(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(literal(&folder.path().join(name)), bytes).unwrap();
    folder
}

/// The form of a path that Windows takes as it stands.
fn literal(path: &Path) -> PathBuf {
    PathBuf::from(format!(r"\\?\{}", text(path)))
}

#[test]
fn a_drive_path_is_found_with_either_separator_and_in_any_case() {
    let folder = folder_with("Acme.exe", b"MZ");
    let path = text(&folder.path().join("Acme.exe")).to_owned();
    for spelling in [path.clone(), path.replace('\\', "/"), path.to_uppercase(), path.to_lowercase()] {
        let node = MACHINE.stat(&spelling).unwrap();
        assert_eq!((node.kind, node.executable), (NodeKind::File, false), "{spelling}");
        assert_eq!(MACHINE.pe(&spelling, 0, 2).unwrap(), b"MZ", "{spelling}");
    }
    assert_eq!(MACHINE.stat(text(folder.path())).unwrap().kind, NodeKind::Folder);
    assert_eq!(MACHINE.stat(r"C:\").unwrap().kind, NodeKind::Folder);
    assert_eq!(MACHINE.stat("c:/").unwrap().kind, NodeKind::Folder);
}

#[test]
fn doubled_separators_and_dots_stand_for_the_same_file() {
    let folder = folder_with("x.exe", b"MZ");
    for middle in [r"\\", r"\.\", "/./", r"\/\"] {
        let path = format!("{}{middle}x.exe", text(folder.path()));
        assert_eq!(MACHINE.stat(&path).unwrap().kind, NodeKind::File, "{path}");
    }
}

#[test]
fn a_separator_at_the_end_means_a_folder() {
    let folder = folder_with("file", b"");
    assert_eq!(MACHINE.stat(&format!(r"{}\", text(folder.path()))).unwrap().kind, NodeKind::Folder);
    let file = format!(r"{}\", text(&folder.path().join("file")));
    assert!(MACHINE.stat(&file).is_err());
}

#[test]
fn a_path_of_300_characters_is_found() {
    let folder = tempdir().unwrap();
    let deep = folder.path().join("d".repeat(150)).join("e".repeat(150));
    fs::create_dir_all(literal(&deep)).unwrap();
    let path = deep.join("x.exe");
    fs::write(literal(&path), b"MZ").unwrap();
    assert!(text(&path).len() > 300);
    assert_eq!(MACHINE.stat(text(&path)).unwrap().kind, NodeKind::File);
    assert_eq!(MACHINE.pe(text(&path), 0, 2).unwrap(), b"MZ");
    assert_eq!(MACHINE.list(text(&deep), "").unwrap(), ["x.exe"]);
}

#[test]
fn a_name_with_a_dot_at_its_end_is_another_name() {
    let folder = folder_with("name.", b"MZ");
    assert_eq!(MACHINE.stat(text(&folder.path().join("name."))).unwrap().kind, NodeKind::File);
    assert_eq!(code(MACHINE.stat(text(&folder.path().join("name")))), FaultCode::Absent);
}

#[test]
fn the_name_of_a_device_is_a_name_like_any_other() {
    let folder = tempdir().unwrap();
    for name in ["NUL", "con", "COM1", "nul.txt"] {
        let path = folder.path().join(name);
        assert_eq!(code(MACHINE.stat(text(&path))), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.runtime_file(text(&path))), FaultCode::Absent, "{name}");
    }
}

const NETWORK_OR_DEVICE: [&str; 8] = [
    r"\\appdecl-nowhere\c$\x",
    "//appdecl-nowhere/c$/x",
    r"\/appdecl-nowhere\c$",
    r"\\?\C:\appdecl-nowhere",
    r"\\?\UNC\appdecl-nowhere\c$",
    r"\\.\pipe\appdecl-nowhere",
    r"\??\C:\appdecl-nowhere",
    r"\??\UNC\appdecl-nowhere\c$",
];

#[test]
fn a_network_or_device_path_is_refused_by_every_question() {
    let others = [r"\Windows", "C:", "C:x", "NUL", r"C:\x:stream", r"C:\a\..\b"];
    for path in NETWORK_OR_DEVICE.into_iter().chain(others) {
        for answered in ask_everything(path) {
            assert_eq!(answered, FaultCode::Refused, "{path}");
        }
    }
}

/// What every question that has a path answers of something that is not there.
fn ask_everything(path: &str) -> [FaultCode; 5] {
    [
        code(MACHINE.stat(path)),
        code(MACHINE.list(path, "")),
        code(MACHINE.plist(path)),
        code(MACHINE.pe(path, 0, 2)),
        code(MACHINE.runtime_file(path)),
    ]
}

#[test]
#[ignore = "a helper: `.ci/wine` counts the calls that it makes"]
fn asks_about_a_drive_path() {
    assert_eq!(ask_everything(r"C:\appdecl-nowhere\x"), [FaultCode::Absent; 5]);
}

#[test]
#[ignore = "a helper: `.ci/wine` counts the calls that it makes"]
fn asks_about_network_and_device_paths() {
    for path in NETWORK_OR_DEVICE {
        assert_eq!(ask_everything(path), [FaultCode::Refused; 5], "{path}");
    }
}

#[test]
fn what_is_not_there_is_absent() {
    let folder = folder_with("file", b"");
    for name in ["missing", r"missing\below", r"file\below", "bad<name", "wild*", &"x".repeat(300)] {
        let path = format!(r"{}\{name}", text(folder.path()));
        assert_eq!(code(MACHINE.stat(&path)), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.runtime_file(&path)), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.list(&path, "")), FaultCode::Absent, "{name}");
    }
}

#[test]
fn a_folder_gives_names_that_are_text() {
    let folder = folder_with("Acme 5", b"");
    fs::create_dir(folder.path().join("acme 6")).unwrap();
    fs::write(folder.path().join("Blender"), b"").unwrap();
    // Not every file system takes a name with a lone surrogate.
    let _ = fs::write(folder.path().join(OsString::from_wide(&[0x41, 0xd800])), b"");
    let mut names = MACHINE.list(text(folder.path()), "").unwrap();
    names.sort();
    assert_eq!(names, ["Acme 5", "Blender", "acme 6"]);
    let mut begun = MACHINE.list(text(folder.path()), "ACME").unwrap();
    begun.sort();
    assert_eq!(begun, ["Acme 5", "acme 6"]);
    assert_eq!(code(MACHINE.list(text(&folder.path().join("Blender")), "")), FaultCode::NotRegular);
}

#[test]
fn a_folder_is_no_file_to_be_read() {
    let folder = tempdir().unwrap();
    fs::create_dir_all(folder.path().join(r"Contents\Info.plist")).unwrap();
    assert_eq!(code(MACHINE.plist(text(folder.path()))), FaultCode::NotRegular);
    assert_eq!(code(MACHINE.pe(text(folder.path()), 0, 2)), FaultCode::NotRegular);
    assert_eq!(code(MACHINE.runtime_file(text(folder.path()))), FaultCode::NotRegular);
}

#[test]
fn links_are_followed_where_the_system_makes_them() {
    let folder = folder_with("file", b"MZ");
    let at = |name: &str| folder.path().join(name);
    let made = symlink_file(at("file"), at("link"))
        .and_then(|()| symlink_dir(folder.path(), at("here")))
        .and_then(|()| symlink_file(at("nowhere"), at("dangling")));
    // Wine 8 says that it has made them, and has not.
    if made.is_err() || !at("link").exists() {
        println!("skipped: no symbolic link could be made: {made:?}");
        return;
    }
    assert_eq!(MACHINE.stat(text(&at("link"))).unwrap().kind, NodeKind::File);
    assert_eq!(MACHINE.pe(text(&at("link")), 0, 2).unwrap(), b"MZ");
    assert_eq!(MACHINE.stat(text(&at("here"))).unwrap().kind, NodeKind::Folder);
    assert_eq!(code(MACHINE.stat(text(&at("dangling")))), FaultCode::Absent);
}

#[test]
fn a_property_list_and_a_program_are_read_within_their_bounds() {
    let bundle = tempdir().unwrap();
    let plist = bundle.path().join(r"Contents\Info.plist");
    fs::create_dir(bundle.path().join("Contents")).unwrap();
    fs::write(&plist, vec![b'x'; 1 << 20]).unwrap();
    assert_eq!(MACHINE.plist(text(bundle.path())).unwrap().len(), 1 << 20);
    fs::write(&plist, vec![b'x'; (1 << 20) + 1]).unwrap();
    assert_eq!(code(MACHINE.plist(text(bundle.path()))), FaultCode::TooLarge);
    assert_eq!(code(MACHINE.pe(text(&plist), 0, 2)), FaultCode::Refused);
    fs::write(&plist, b"MZ0123").unwrap();
    assert_eq!(MACHINE.pe(text(&plist), 4, 65_536).unwrap(), b"23");
    assert_eq!(MACHINE.pe(text(&plist), u64::MAX, 1).unwrap(), b"");
}

#[test]
fn a_runtime_file_has_a_time_and_no_owner() {
    let folder = folder_with("server.json", b"{}");
    let path = folder.path().join("server.json");
    let written = UNIX_EPOCH + Duration::from_micros(1_767_261_600_123_999);
    File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
    let contents = MACHINE.runtime_file(text(&path)).unwrap();
    assert_eq!((contents.size, contents.bytes.as_slice()), (2, b"{}".as_slice()));
    assert_eq!(contents.modified, Some(1_767_261_600_123));
    assert_eq!((contents.owner, contents.group, contents.mode), (None, None, None));
}

#[test]
fn a_file_that_another_process_holds_without_sharing_is_locked() {
    let folder = folder_with("server.json", b"{}");
    let path = folder.path().join("server.json");
    let mut command =
        helper(&std::env::current_exe().unwrap(), "windows_files::holds_a_file_without_sharing");
    command.env("HELD", &path).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("holding")));
    assert_eq!(code(MACHINE.runtime_file(text(&path))), FaultCode::Locked);
    assert_eq!(MACHINE.stat(text(&path)).unwrap().kind, NodeKind::File);
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(MACHINE.runtime_file(text(&path)).unwrap().bytes, b"{}");
}

#[test]
#[ignore = "a helper: another test starts it to have a file held"]
fn holds_a_file_without_sharing() {
    let path = std::env::var_os("HELD").unwrap();
    let _held = OpenOptions::new().read(true).share_mode(0).open(path).unwrap();
    println!("holding");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn a_file_that_is_being_read_can_still_be_written_and_deleted() {
    let folder = folder_with("server.json", b"{}");
    let path = folder.path().join("server.json");
    let _writer = OpenOptions::new().write(true).open(&path).unwrap();
    assert_eq!(MACHINE.runtime_file(text(&path)).unwrap().bytes, b"{}");
    fs::rename(&path, folder.path().join("other.json")).unwrap();
    assert_eq!(code(MACHINE.runtime_file(text(&path))), FaultCode::Absent);
}
