//! Runtime files that are none, or not to be trusted. Each is refused for what it is, before anything of it is read.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use appdecl::Limits;
use rustix::fs::{CWD, Mode, mkfifoat};

use crate::application::write_runtime_file;
use crate::{declaration, gate_with, reason};

fn good_file(folder: &Path) -> PathBuf {
    let file = folder.join("server.json");
    write_runtime_file(&file, std::process::id(), 51234);
    assert!(gate_with(&file).endpoint("acme").is_ok(), "it is good before it is made odd");
    file
}

#[test]
fn a_pipe_is_refused_without_waiting_for_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("server.json");
    mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    assert_eq!(reason(&gate_with(&pipe)), "not-regular");
}

#[test]
fn a_device_and_a_folder_are_refused() {
    assert_eq!(reason(&gate_with(Path::new("/dev/zero"))), "not-regular");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(reason(&gate_with(folder.path())), "not-regular");
    let link = folder.path().join("link");
    symlink("/dev/zero", &link).unwrap();
    assert_eq!(reason(&gate_with(&link)), "not-regular");
}

/// The component has a megabyte and a half, so that not even a part of the file can have come to it.
#[test]
fn a_file_of_300_megabytes_is_refused_unread() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    File::create(&file).unwrap().set_len(300 << 20).unwrap();
    let limits = Limits::default().memory(1536 << 10).work(10_000_000);
    let gate = appdecl::Gate::builder().limits(limits).build().unwrap();
    gate.register("acme", &declaration(&file), "live", None).unwrap();
    assert_eq!(reason(&gate), "too-large");
    File::create(&file).unwrap().set_len(65_537).unwrap();
    assert_eq!(reason(&gate), "too-large");
    File::create(&file).unwrap().set_len(65_536).unwrap();
    assert_eq!(reason(&gate), "malformed", "a file of 64 KiB is read");
}

#[test]
fn nesting_without_end_is_malformed_and_costs_little() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    fs::write(&file, "[".repeat(65_536)).unwrap();
    assert_eq!(reason(&gate_with(&file)), "malformed");
    fs::write(&file, r#"{"a":"#.repeat(13_107)).unwrap();
    assert_eq!(reason(&gate_with(&file)), "malformed");
    fs::write(&file, "[".repeat(100_000)).unwrap();
    assert_eq!(reason(&gate_with(&file)), "too-large");
}

#[test]
fn a_file_that_all_may_write_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let file = good_file(folder.path());
    fs::set_permissions(&file, Permissions::from_mode(0o602)).unwrap();
    assert_eq!(reason(&gate_with(&file)), "untrusted");
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    assert!(gate_with(&file).endpoint("acme").is_ok(), "all may read it");
}

#[test]
fn a_link_is_judged_by_what_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = good_file(folder.path());
    let link = folder.path().join("link.json");
    symlink(&file, &link).unwrap();
    assert!(gate_with(&link).endpoint("acme").is_ok());
    // Only the superuser can give a file away; for anybody else the facts files of the suites stand in.
    if chown(&file, Some(12_345), None).is_ok() {
        assert_eq!(reason(&gate_with(&link)), "untrusted");
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(reason(&gate_with(&link)), "missing");
}
