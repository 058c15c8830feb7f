//! The real machine's files, on Linux and macOS.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use crate::common::{code, helper, passes, text};
use appdecl_facts::{FaultCode, HostFacts, Machine, NodeKind, Principal};
use tempfile::{TempDir, tempdir};

const MACHINE: Machine = Machine::new();
const NOBODY: u32 = 65_534;

fn folder_with(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The reading end of a pipe that nobody writes to: whoever opens it by its path without care waits for ever.
fn pipe_without_a_writer() -> (std::io::PipeReader, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(writer);
    let path = format!("/dev/fd/{}", reader.as_raw_fd());
    (reader, path)
}

#[test]
fn each_kind_of_node_is_told_apart() {
    let folder = folder_with("file", b"");
    let socket = folder.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let (_pipe, pipe) = pipe_without_a_writer();
    for (path, kind) in [
        (text(&folder.path().join("file")), NodeKind::File),
        (text(folder.path()), NodeKind::Folder),
        (text(&socket), NodeKind::Other),
        (&pipe, NodeKind::Other),
        ("/dev/null", NodeKind::Other),
    ] {
        assert_eq!(MACHINE.stat(path).unwrap().kind, kind, "{path}");
    }
}

#[test]
fn executable_is_a_regular_file_with_the_right_to_execute() {
    let folder = folder_with("file", b"");
    let path = folder.path().join("file");
    for (mode, executable) in [(0o600, false), (0o644, false), (0o700, true), (0o755, true)] {
        set_mode(&path, mode);
        assert_eq!(MACHINE.stat(text(&path)).unwrap().executable, executable, "{mode:o}");
    }
    assert!(!MACHINE.stat(text(folder.path())).unwrap().executable);
}

#[test]
fn links_are_followed_to_their_end() {
    let folder = folder_with("file", b"");
    let at = |name: &str| folder.path().join(name);
    symlink("file", at("one")).unwrap();
    symlink("one", at("two")).unwrap();
    symlink(".", at("here")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("loop-b", at("loop-a")).unwrap();
    symlink("loop-a", at("loop-b")).unwrap();
    assert_eq!(MACHINE.stat(text(&at("two"))).unwrap().kind, NodeKind::File);
    assert_eq!(MACHINE.stat(text(&at("here"))).unwrap().kind, NodeKind::Folder);
    assert_eq!(code(MACHINE.stat(text(&at("dangling")))), FaultCode::Absent);
    assert_eq!(code(MACHINE.stat(text(&at("loop-a")))), FaultCode::Io);
    assert_eq!(code(MACHINE.runtime_file(text(&at("loop-a")))), FaultCode::Io);
    assert_eq!(code(MACHINE.list(text(&at("loop-a")), "")), FaultCode::Io);
}

#[test]
fn a_path_through_a_file_and_a_name_too_long_for_the_disk_are_absent() {
    let folder = folder_with("file", b"");
    for name in ["missing", "file/below", &"x".repeat(300)] {
        let path = folder.path().join(name);
        assert_eq!(code(MACHINE.stat(text(&path))), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.list(text(&path), "")), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.pe(text(&path), 0, 2)), FaultCode::Absent, "{name}");
        assert_eq!(code(MACHINE.runtime_file(text(&path))), FaultCode::Absent, "{name}");
    }
}

#[test]
fn a_relative_or_odd_path_is_refused_by_every_question() {
    for path in
        ["", "tmp", "./tmp", "~", "/tmp/../etc", "/tmp/\0", "/tmp/\n", r"C:\Windows", r"\\server\share"]
    {
        assert_eq!(code(MACHINE.stat(path)), FaultCode::Refused, "{path:?}");
        assert_eq!(code(MACHINE.list(path, "")), FaultCode::Refused, "{path:?}");
        assert_eq!(code(MACHINE.plist(path)), FaultCode::Refused, "{path:?}");
        assert_eq!(code(MACHINE.pe(path, 0, 2)), FaultCode::Refused, "{path:?}");
        assert_eq!(code(MACHINE.runtime_file(path)), FaultCode::Refused, "{path:?}");
    }
}

#[test]
fn a_folder_gives_names_that_are_text() {
    let folder = folder_with("Acme 5", b"");
    fs::write(folder.path().join("acme 6"), b"").unwrap();
    fs::create_dir(folder.path().join("Blender")).unwrap();
    // Some file systems have no names that are not text.
    let _ = fs::write(folder.path().join(OsStr::from_bytes(b"Acme \xff")), b"");
    let mut names = MACHINE.list(text(folder.path()), "").unwrap();
    names.sort();
    assert_eq!(names, ["Acme 5", "Blender", "acme 6"]);
    let begun = MACHINE.list(text(folder.path()), "Acme").unwrap();
    assert!(begun.contains(&"Acme 5".to_owned()) && !begun.contains(&"Blender".to_owned()));
}

#[test]
fn what_is_no_folder_is_told_from_what_is_not_there() {
    let folder = folder_with("file", b"");
    symlink("/", folder.path().join("root")).unwrap();
    let (_pipe, pipe) = pipe_without_a_writer();
    assert_eq!(code(MACHINE.list(text(&folder.path().join("file")), "")), FaultCode::NotRegular);
    assert_eq!(code(MACHINE.list(&pipe, "")), FaultCode::NotRegular);
    assert_eq!(code(MACHINE.list(text(&folder.path().join("missing")), "")), FaultCode::Absent);
    assert!(MACHINE.list(text(&folder.path().join("root")), "").unwrap().contains(&"dev".to_owned()));
}

#[test]
fn a_folder_with_too_many_names_is_too_large_unless_the_prefix_leaves_fewer() {
    let folder = tempdir().unwrap();
    for index in 0..65_537 {
        File::create(folder.path().join(format!("x{index}"))).unwrap();
    }
    assert_eq!(code(MACHINE.list(text(folder.path()), "x")), FaultCode::TooLarge);
    assert_eq!(MACHINE.list(text(folder.path()), "x6553").unwrap().len(), 8);
    fs::remove_file(folder.path().join("x65536")).unwrap();
    assert_eq!(MACHINE.list(text(folder.path()), "").unwrap().len(), 65_536);
}

#[test]
fn a_property_list_is_read_whole_up_to_its_limit() {
    let bundle = tempdir().unwrap();
    let (contents, plist) = (bundle.path().join("Contents"), bundle.path().join("Contents/Info.plist"));
    assert_eq!(code(MACHINE.plist(text(bundle.path()))), FaultCode::Absent);
    fs::create_dir(&contents).unwrap();
    fs::write(&plist, b"<plist/>").unwrap();
    assert_eq!(MACHINE.plist(text(bundle.path())).unwrap(), b"<plist/>");
    assert_eq!(MACHINE.plist(&format!("{}/", text(bundle.path()))).unwrap(), b"<plist/>");
    fs::write(&plist, vec![b'x'; 1 << 20]).unwrap();
    assert_eq!(MACHINE.plist(text(bundle.path())).unwrap().len(), 1 << 20);
    fs::write(&plist, vec![b'x'; (1 << 20) + 1]).unwrap();
    assert_eq!(code(MACHINE.plist(text(bundle.path()))), FaultCode::TooLarge);
    assert_eq!(code(MACHINE.plist(text(&plist))), FaultCode::Absent);
}

#[test]
fn what_is_no_regular_file_is_never_waited_for() {
    let folder = tempdir().unwrap();
    let contents = folder.path().join("Contents");
    fs::create_dir(&contents).unwrap();
    let (_pipe, pipe) = pipe_without_a_writer();
    for target in [pipe.as_str(), "/dev/zero", "/dev/null", "/"] {
        let link = contents.join("Info.plist");
        symlink(target, &link).unwrap();
        assert_eq!(code(MACHINE.plist(text(folder.path()))), FaultCode::NotRegular, "{target}");
        assert_eq!(code(MACHINE.pe(text(&link), 0, 2)), FaultCode::NotRegular, "{target}");
        assert_eq!(code(MACHINE.runtime_file(text(&link))), FaultCode::NotRegular, "{target}");
        fs::remove_file(link).unwrap();
    }
}

#[test]
fn ranges_of_a_program_end_where_it_ends() {
    let folder = folder_with("x.exe", b"MZ0123456789");
    let path = folder.path().join("x.exe");
    let range = |offset, length| MACHINE.pe(text(&path), offset, length).unwrap();
    assert_eq!(range(0, 2), b"MZ");
    assert_eq!(range(2, 4), b"0123");
    assert_eq!(range(10, 65_536), b"89");
    for offset in [12, 13, 1 << 40, u64::MAX] {
        assert_eq!(range(offset, 10), b"", "{offset}");
    }
    assert_eq!(range(0, 0), b"");
}

#[test]
fn a_range_is_never_longer_than_its_limit() {
    let folder = folder_with("x.exe", b"MZ");
    let path = folder.path().join("x.exe");
    File::options().write(true).open(&path).unwrap().set_len(300 << 20).unwrap();
    assert_eq!(MACHINE.pe(text(&path), 0, u32::MAX).unwrap().len(), 65_536);
    assert_eq!(MACHINE.pe(text(&path), (300 << 20) - 5, u32::MAX).unwrap(), [0; 5]);
}

#[test]
fn a_file_that_is_no_program_is_refused_whatever_range_is_asked_for() {
    for content in [b"".as_slice(), b"M", b"#!/bin/sh MZ", b"mz", b"\x7fELF"] {
        let folder = folder_with("x.exe", content);
        for (offset, length) in [(0, 2), (10, 2), (u64::MAX, 1), (0, 0)] {
            let answer = MACHINE.pe(text(&folder.path().join("x.exe")), offset, length);
            assert_eq!(code(answer), FaultCode::Refused, "{content:?}");
        }
    }
}

#[test]
fn a_runtime_file_comes_with_all_that_is_known_of_it() {
    let folder = folder_with("server.json", b"{\"pid\": 1}");
    let path = folder.path().join("server.json");
    let written = UNIX_EPOCH + Duration::from_nanos(1_767_261_600_123_999_999);
    File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
    for mode in [0o600, 0o666, 0o660, 0o4755] {
        set_mode(&path, mode);
        let contents = MACHINE.runtime_file(text(&path)).unwrap();
        assert_eq!((contents.size, contents.bytes.as_slice()), (10, b"{\"pid\": 1}".as_slice()));
        assert_eq!(contents.modified, Some(1_767_261_600_123));
        assert_eq!((contents.owner, contents.mode), (Some(Principal::Own), Some(mode)));
        assert!(contents.group.is_some());
    }
}

#[test]
fn a_runtime_file_is_handed_over_whole_or_not_at_all() {
    let folder = folder_with("server.json", &[b'x'; 65_536]);
    let path = folder.path().join("server.json");
    let contents = MACHINE.runtime_file(text(&path)).unwrap();
    assert_eq!((contents.size, contents.bytes.len()), (65_536, 65_536));
    File::options().append(true).open(&path).unwrap().write_all(b"x").unwrap();
    let contents = MACHINE.runtime_file(text(&path)).unwrap();
    assert_eq!((contents.size, contents.bytes.len()), (65_537, 0));
}

#[test]
fn a_sparse_file_of_a_terabyte_is_judged_by_its_size_and_not_read() {
    let bundle = tempdir().unwrap();
    fs::create_dir(bundle.path().join("Contents")).unwrap();
    let path = bundle.path().join("Contents/Info.plist");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let contents = MACHINE.runtime_file(text(&path)).unwrap();
    assert_eq!((contents.size, contents.bytes.len()), (1 << 40, 0));
    assert_eq!(code(MACHINE.plist(text(bundle.path()))), FaultCode::TooLarge);
}

#[test]
fn a_file_whose_stated_size_is_zero_is_read_all_the_same() {
    // Files of `/proc` state no size. Other systems have none like them.
    let path = "/proc/self/status";
    if Path::new(path).exists() {
        let contents = MACHINE.runtime_file(path).unwrap();
        assert!(contents.bytes.starts_with(b"Name:"));
        assert_eq!(contents.size, u64::try_from(contents.bytes.len()).unwrap());
    }
}

#[test]
fn the_registry_is_unsupported() {
    use appdecl_facts::{Hive, View};
    let answer = MACHINE.subkeys(Hive::LocalMachine, View::Bits64, "SOFTWARE", &[]);
    assert_eq!(code(answer), FaultCode::Unsupported);
}

/// The superuser is denied nothing, so that its tests ask as somebody else.
#[test]
fn what_the_user_may_not_read_is_denied() {
    let folder = tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let program = folder.path().join("asks");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("secret.exe"), b"MZ").unwrap();
    fs::write(at("open"), b"MZ").unwrap();
    fs::create_dir(at("closed")).unwrap();
    fs::write(at("closed/file"), b"").unwrap();
    set_mode(&at("secret.exe"), 0o000);
    set_mode(&at("open"), 0o644);
    set_mode(&at("closed"), 0o000);
    let mut command = helper(&program, "unix_files::asks_as_a_user_without_rights");
    command.env("FOLDER", folder.path());
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY).env("OWNER", "Root");
    } else {
        command.env("OWNER", "Own");
    }
    passes(command);
    set_mode(&at("closed"), 0o700);
}

#[test]
#[ignore = "a helper: another test starts it as a user without rights"]
fn asks_as_a_user_without_rights() {
    let folder = std::env::var("FOLDER").unwrap();
    let at = |name: &str| format!("{folder}/{name}");
    assert_eq!(code(MACHINE.pe(&at("secret.exe"), 0, 2)), FaultCode::Denied);
    assert_eq!(code(MACHINE.runtime_file(&at("secret.exe"))), FaultCode::Denied);
    assert_eq!(code(MACHINE.list(&at("closed"), "")), FaultCode::Denied);
    assert_eq!(code(MACHINE.stat(&at("closed/file"))), FaultCode::Denied);
    assert!(!MACHINE.stat(&at("secret.exe")).unwrap().executable);
    let contents = MACHINE.runtime_file(&at("open")).unwrap();
    let owner = format!("{:?}", contents.owner.unwrap());
    assert_eq!(owner, std::env::var("OWNER").unwrap());
}
