//! Installing while everything that writes may fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use tempfile::TempDir;

use super::disk::{Disk, RealDisk};
use super::{InstallError, installed, uninstall, uninstall_on};
use crate::package::Package;

/// A disk on which one step fails: a full or read-only one, or one whose process is killed there, so that no later step
/// happens either.
struct Failing {
    steps: Cell<usize>,
    fails_at: usize,
    error: ErrorKind,
    is_end: bool,
    can_exchange: bool,
}

impl Failing {
    fn at(fails_at: usize, error: ErrorKind, is_end: bool, can_exchange: bool) -> Self {
        Self { steps: Cell::new(0), fails_at, error, is_end, can_exchange }
    }

    fn step(&self) -> io::Result<()> {
        let step = self.steps.get();
        self.steps.set(step + 1);
        let fails = step == self.fails_at || (self.is_end && step > self.fails_at);
        if fails { Err(self.error.into()) } else { Ok(()) }
    }

    fn was_reached(&self) -> bool {
        self.steps.get() > self.fails_at
    }
}

impl Disk for Failing {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealDisk.create_folder(path))
    }
    fn write(&self, path: &Path, from: &mut dyn Read, executable: bool) -> io::Result<u64> {
        if let Err(error) = self.step() {
            // Half of the file has been written.
            let _ = RealDisk.write(path, &mut from.take(3), executable);
            return Err(error);
        }
        RealDisk.write(path, from, executable)
    }
    fn link(&self, path: &Path, target: &Path, to_folder: bool) -> io::Result<()> {
        self.step().and_then(|()| RealDisk.link(path, target, to_folder))
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealDisk.sync_folder(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealDisk.rename(from, to))
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        if !self.can_exchange {
            return Err(ErrorKind::Unsupported.into());
        }
        self.step().and_then(|()| RealDisk.exchange(one, other))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealDisk.remove(path))
    }
}

fn package(version: &str) -> (TempDir, Package) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!(
        r#"{{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "acme", "version": "{version}" }}"#
    );
    fs::write(folder.path().join("plugin.json"), manifest).unwrap();
    fs::create_dir_all(folder.path().join("data/deep")).unwrap();
    fs::write(folder.path().join("data/deep/words.txt"), format!("words of {version}")).unwrap();
    let package = Package::open(folder.path()).unwrap();
    (folder, package)
}

/// Every file below a folder with its text.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else { return texts };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(texts_below(&path));
        } else {
            texts.insert(
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read_to_string(&path).unwrap(),
            );
        }
    }
    texts
}

fn texts_below(folder: &Path) -> BTreeMap<String, String> {
    let name = folder.file_name().unwrap().to_str().unwrap();
    texts(folder).into_iter().map(|(path, text)| (format!("{name}/{path}"), text)).collect()
}

/// The names in a folder of packages, without the lock.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != super::LOCK);
    names.sort();
    names
}

#[test]
fn what_is_installed_is_the_package_and_nothing_else() {
    let (source, package) = package("1");
    let plugins = tempfile::tempdir().unwrap();
    let done = package.install(plugins.path(), false).unwrap();
    assert_eq!((done.folder.as_str(), done.version.as_deref()), ("acme", Some("1")));
    assert_eq!(texts(&plugins.path().join("acme")), texts(source.path()));
    assert_eq!(names(plugins.path()), ["acme"]);
    assert_eq!(installed(plugins.path()).unwrap(), [done]);
    uninstall("acme", plugins.path()).unwrap();
    assert_eq!(names(plugins.path()), [""; 0]);
}

#[test]
fn a_package_is_replaced_only_where_that_is_allowed() {
    let (_first, old) = package("1");
    let (second, new) = package("2");
    let plugins = tempfile::tempdir().unwrap();
    old.install(plugins.path(), false).unwrap();
    let refused = new.install(plugins.path(), false).unwrap_err();
    assert!(matches!(refused, InstallError::Exists(_)), "{refused}");
    new.install(plugins.path(), true).unwrap();
    assert_eq!(texts(&plugins.path().join("acme")), texts(second.path()));
    assert_eq!(names(plugins.path()), ["acme"]);
}

#[test]
fn a_failure_at_any_step_leaves_the_old_package_or_the_new_one_whole() {
    let (first, old) = package("1");
    let (second, new) = package("2");
    let (old_texts, new_texts) = (texts(first.path()), texts(second.path()));
    for (error, is_end) in
        [(ErrorKind::Other, true), (ErrorKind::StorageFull, false), (ErrorKind::ReadOnlyFilesystem, true)]
    {
        for there in [false, true] {
            for step in 0.. {
                let plugins = tempfile::tempdir().unwrap();
                if there {
                    old.install(plugins.path(), false).unwrap();
                }
                let disk = Failing::at(step, error, is_end, true);
                let result = new.install_on(&disk, plugins.path(), true);
                if cfg!(windows) {
                    // Two names can not be exchanged there: the next run, of anything, puts things in order.
                    assert!(uninstall("another", plugins.path()).is_err());
                }
                let found = texts(&plugins.path().join("acme"));
                let before = if there { old_texts.clone() } else { BTreeMap::new() };
                match result {
                    Ok(_) => assert_eq!(found, new_texts, "step {step}"),
                    Err(_) => assert_eq!(found, before, "step {step}"),
                }
                new.install(plugins.path(), true).unwrap();
                assert_eq!(texts(&plugins.path().join("acme")), new_texts, "step {step}");
                assert_eq!(names(plugins.path()), ["acme"], "step {step}");
                if !disk.was_reached() {
                    break;
                }
            }
        }
    }
}

#[test]
fn where_names_can_not_be_exchanged_the_next_run_brings_the_old_package_back() {
    let (first, old) = package("1");
    let (second, new) = package("2");
    let (old_texts, new_texts) = (texts(first.path()), texts(second.path()));
    for step in 0.. {
        let plugins = tempfile::tempdir().unwrap();
        old.install(plugins.path(), false).unwrap();
        let disk = Failing::at(step, ErrorKind::Other, true, false);
        let result = new.install_on(&disk, plugins.path(), true);
        // Any run puts things in order first.
        assert!(uninstall("another", plugins.path()).is_err());
        let found = texts(&plugins.path().join("acme"));
        assert_eq!(found, if result.is_ok() { new_texts.clone() } else { old_texts.clone() }, "step {step}");
        assert_eq!(names(plugins.path()), ["acme"], "step {step}");
        if !disk.was_reached() {
            break;
        }
    }
}

#[test]
fn a_failure_while_uninstalling_leaves_the_package_whole_or_gone() {
    let (first, package) = package("1");
    for step in 0.. {
        let plugins = tempfile::tempdir().unwrap();
        package.install(plugins.path(), false).unwrap();
        let disk = Failing::at(step, ErrorKind::Other, true, true);
        let _ = uninstall_on(&disk, "acme", plugins.path());
        let found = texts(&plugins.path().join("acme"));
        assert!(found == texts(first.path()) || found.is_empty(), "step {step}: {found:?}");
        if !disk.was_reached() {
            break;
        }
    }
}

#[test]
fn two_installs_at_once_do_not_meet() {
    let (_source, package) = package("1");
    let plugins = tempfile::tempdir().unwrap();
    let place = super::Place::enter(&RealDisk, plugins.path()).unwrap();
    let refused = package.install(plugins.path(), false).unwrap_err();
    assert!(matches!(refused, InstallError::Busy(_)), "{refused}");
    drop(place);
    package.install(plugins.path(), false).unwrap();
}

#[test]
fn a_name_that_climbs_or_is_a_device_is_no_folder() {
    for name in ["", "..", "../acme", "a\\b", "/acme", "con", "NUL.txt", "com1", "acme.", ".acme", "a b"] {
        assert_eq!(super::folder_name(name), None, "{name}");
    }
    assert_eq!(super::folder_name("@acme/tools").as_deref(), Some("@acme+tools"));
    assert_eq!(super::folder_name("com.acme").as_deref(), Some("com.acme"));
}

#[test]
fn a_link_is_written_as_the_way_from_its_own_folder() {
    assert_eq!(super::relative("a/b/link", "a/c"), Path::new("../../a/c"));
    assert_eq!(super::relative("link", "a"), Path::new("a"));
    assert_eq!(super::relative("link", ""), Path::new("."));
}
