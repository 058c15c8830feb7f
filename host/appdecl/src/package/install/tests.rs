//! Installing while everything that writes may fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::disk::{Disk, RealDisk};
use super::{InstallError, installed, uninstall, uninstall_on};
use crate::package::Package;
use crate::package::prepare::prepare_on;

/// Whether two names can be exchanged in one step: no disk of Windows can.
const EXCHANGES: [bool; 2] = [cfg!(unix), false];

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

/// Taken by every test: a process that another one starts has the lock of a folder of packages until it is loaded.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
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
    names.retain(|name| name != super::place::LOCK);
    names.sort();
    names
}

#[test]
fn what_is_installed_is_the_package_and_nothing_else() {
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
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

const PREPARED: [&str; 2] = [".dsh-plugin/dsh-plugin-assets", ".dsh-plugin/dsh-plugin.mjs"];

/// A static repository plugin with a skill of that text.
fn repository(folder: &Path, words: &str) {
    fs::create_dir_all(folder.join(".dsh-plugin")).unwrap();
    fs::create_dir_all(folder.join("skills/draw")).unwrap();
    let package = format!(
        r#"{{ "name": "{words}", "scripts": {{ "prepack": "dsh-plugin-prepare" }},
        "dsh": {{ "skills": ["../skills"], "mcpServers": "../mcp.json" }} }}"#
    );
    fs::write(folder.join(".dsh-plugin/package.json"), package).unwrap();
    let servers = format!(r#"{{ "mcpServers": {{ "a": {{ "command": "{words}" }} }} }}"#);
    fs::write(folder.join("mcp.json"), servers).unwrap();
    let skill = format!("---\nname: draw\ndescription: {words}\n---\n");
    fs::write(folder.join("skills/draw/SKILL.md"), skill).unwrap();
}

/// What of a prepared plugin is of which text: `none`, or the words that its files hold; an error where they are mixed
/// within one of the two that are replaced whole.
fn prepared(folder: &Path) -> [String; 2] {
    PREPARED.map(|path| {
        let path = folder.join(path);
        let held = if path.is_dir() { texts(&path) } else { BTreeMap::new() };
        let held: Vec<String> = held.into_values().chain(fs::read_to_string(&path)).collect();
        let of = |words: &str| held.iter().all(|text| text.contains(words));
        match (held.len(), of("first"), of("second")) {
            (0, ..) => "none".to_owned(),
            (2 | 1, true, false) => "first".to_owned(),
            (2 | 1, false, true) => "second".to_owned(),
            _ => format!("mixed: {held:?}"),
        }
    })
}

#[test]
fn a_failure_at_any_step_of_preparing_leaves_each_output_whole_and_old_or_whole_and_new() {
    let _alone = alone();
    for (error, is_end) in
        [(ErrorKind::Other, true), (ErrorKind::StorageFull, false), (ErrorKind::ReadOnlyFilesystem, true)]
    {
        for can_exchange in EXCHANGES {
            for there in [false, true] {
                for step in 0.. {
                    let folder = tempfile::tempdir().unwrap();
                    if there {
                        repository(folder.path(), "first");
                        prepare_on(&RealDisk, folder.path()).unwrap();
                    }
                    repository(folder.path(), "second");
                    let disk = Failing::at(step, error, is_end, can_exchange);
                    let result = prepare_on(&disk, folder.path());
                    if !can_exchange {
                        // Any run puts things in order first.
                        drop(super::Place::enter(&RealDisk, &folder.path().join(".dsh-plugin")).unwrap());
                    }
                    let before = if there { "first" } else { "none" };
                    let found = prepared(folder.path());
                    let whole = [before, "second"];
                    assert!(
                        found.iter().all(|found| whole.contains(&found.as_str())),
                        "step {step}: {found:?}"
                    );
                    if result.is_ok() {
                        assert_eq!(found, ["second", "second"], "step {step}");
                    }
                    prepare_on(&RealDisk, folder.path()).unwrap();
                    assert_eq!(prepared(folder.path()), ["second", "second"], "step {step}");
                    let own = names(&folder.path().join(".dsh-plugin"));
                    assert_eq!(own, ["dsh-plugin-assets", "dsh-plugin.mjs", "package.json"], "step {step}");
                    if !disk.was_reached() {
                        break;
                    }
                }
            }
        }
    }
}

/// Ends its process as a kill does, at a step: nothing of it is put in order, and the system lets go of the lock.
struct Killed {
    steps: Cell<usize>,
    at: usize,
    can_exchange: bool,
}

impl Killed {
    fn step(&self) {
        if self.steps.get() == self.at {
            std::process::exit(KILLED);
        }
        self.steps.set(self.steps.get() + 1);
    }
}

impl Disk for Killed {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step();
        RealDisk.create_folder(path)
    }
    fn write(&self, path: &Path, from: &mut dyn Read, executable: bool) -> io::Result<u64> {
        if self.steps.get() == self.at {
            let _ = RealDisk.write(path, &mut from.take(3), executable);
        }
        self.step();
        RealDisk.write(path, from, executable)
    }
    fn link(&self, path: &Path, target: &Path, to_folder: bool) -> io::Result<()> {
        self.step();
        RealDisk.link(path, target, to_folder)
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step();
        RealDisk.sync_folder(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step();
        RealDisk.rename(from, to)
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        if !self.can_exchange {
            return Err(ErrorKind::Unsupported.into());
        }
        self.step();
        RealDisk.exchange(one, other)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step();
        RealDisk.remove(path)
    }
}

/// How a process that was killed at a step ends.
const KILLED: i32 = 99;

/// What a child is to do, as `STEP EXCHANGE VERB SOURCE TARGET` with line breaks between.
const ORDER: &str = "APPDECL_TEST_KILLED";

/// The other process of the tests below; by itself it does nothing.
#[test]
fn child_that_is_killed_at_a_step() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let [step, exchange, verb, source, target] = order.lines().collect::<Vec<_>>()[..] else {
        panic!("{order}")
    };
    let disk =
        Killed { steps: Cell::new(0), at: step.parse().unwrap(), can_exchange: exchange.parse().unwrap() };
    match verb {
        "install" => {
            Package::open(Path::new(source)).unwrap().install_on(&disk, Path::new(target), true).unwrap();
        }
        "uninstall" => uninstall_on(&disk, "acme", Path::new(target)).unwrap(),
        _ => {
            prepare_on(&disk, Path::new(target)).unwrap();
        }
    }
}

/// Whether a process that does this was killed at that step; it has done all of it where not.
fn is_killed_at(step: usize, can_exchange: bool, verb: &str, source: &Path, target: &Path) -> bool {
    let (source, target) = (source.to_str().unwrap(), target.to_str().unwrap());
    let done = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "package::install::tests::child_that_is_killed_at_a_step", "--test-threads", "1"])
        .env(ORDER, [&step.to_string(), &can_exchange.to_string(), verb, source, target].join("\n"))
        .output()
        .unwrap();
    let code = done.status.code();
    assert!([Some(0), Some(KILLED)].contains(&code), "{}", String::from_utf8_lossy(&done.stdout));
    code == Some(KILLED)
}

#[test]
fn a_process_that_is_killed_at_any_step_leaves_the_old_package_or_the_new_one_whole() {
    let _alone = alone();
    let (first, old) = package("1");
    let (second, new) = package("2");
    let (old_texts, new_texts) = (texts(first.path()), texts(second.path()));
    for can_exchange in EXCHANGES {
        for there in [false, true] {
            let before = if there { old_texts.clone() } else { BTreeMap::new() };
            let mut killed = 0;
            for step in 0.. {
                let plugins = tempfile::tempdir().unwrap();
                if there {
                    old.install(plugins.path(), false).unwrap();
                }
                let ended = is_killed_at(step, can_exchange, "install", second.path(), plugins.path());
                let found = texts(&plugins.path().join("acme"));
                if can_exchange {
                    assert!(found == before || found == new_texts, "step {step}: {found:?}");
                }
                assert!(uninstall("another", plugins.path()).is_err(), "any run puts things in order first");
                let found = texts(&plugins.path().join("acme"));
                assert!(found == before || found == new_texts, "step {step}: {found:?}");
                assert!(ended || found == new_texts, "step {step}");
                new.install(plugins.path(), true).unwrap();
                assert_eq!(texts(&plugins.path().join("acme")), new_texts, "step {step}");
                assert_eq!(names(plugins.path()), ["acme"], "step {step}");
                if !ended {
                    break;
                }
                killed += 1;
            }
            assert!(killed > 8, "it is killed at every step: {killed}");
        }
    }
}

#[test]
fn a_process_that_is_killed_while_it_removes_leaves_the_package_whole_or_gone() {
    let _alone = alone();
    let (first, package) = package("1");
    for step in 0.. {
        let plugins = tempfile::tempdir().unwrap();
        package.install(plugins.path(), false).unwrap();
        let ended = is_killed_at(step, true, "uninstall", first.path(), plugins.path());
        let found = texts(&plugins.path().join("acme"));
        assert!(found == texts(first.path()) || found.is_empty(), "step {step}: {found:?}");
        assert!(uninstall("another", plugins.path()).is_err(), "any run puts things in order first");
        assert!(names(plugins.path()).iter().all(|name| name == "acme"), "step {step}");
        if !ended {
            break;
        }
    }
}

#[test]
fn a_process_that_is_killed_while_it_prepares_leaves_each_output_whole() {
    let _alone = alone();
    for can_exchange in EXCHANGES {
        for step in 0.. {
            let folder = tempfile::tempdir().unwrap();
            repository(folder.path(), "first");
            prepare_on(&RealDisk, folder.path()).unwrap();
            repository(folder.path(), "second");
            let ended = is_killed_at(step, can_exchange, "prepare", folder.path(), folder.path());
            drop(super::Place::enter(&RealDisk, &folder.path().join(".dsh-plugin")).unwrap());
            let found = prepared(folder.path());
            assert!(
                found.iter().all(|found| found == "first" || found == "second"),
                "step {step}: {found:?}"
            );
            if !ended {
                assert_eq!(found, ["second", "second"]);
                break;
            }
        }
    }
}
