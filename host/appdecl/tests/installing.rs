//! Folders of packages: several processes at once, what others have put there, and sources that change.
#![expect(dead_code, clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

#[path = "common/cli.rs"]
mod common;
#[path = "common/plugins.rs"]
mod plugins;

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};

use appdecl::package::installed;
use common::{command, run};
use plugins::{names, package, room};

fn spawn(room: &Path, source: &str) -> Child {
    let mut installing = command(room);
    installing.args(["install", source, "--into", "plugins", "--replace"]);
    installing.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn of_many_processes_at_once_each_installs_or_is_refused_and_none_is_lost() {
    let room = room();
    let sources: Vec<String> =
        (0..12).map(|number| package(room.path(), &format!("tool-{number}"), "1")).collect();
    let mut waiting = sources.clone();
    let mut rounds = 0;
    while !waiting.is_empty() {
        rounds += 1;
        assert!(rounds <= sources.len(), "each round installs at least one");
        let running: Vec<_> = waiting.iter().map(|source| spawn(room.path(), source)).collect();
        let mut refused = Vec::new();
        for (source, child) in waiting.iter().zip(running) {
            let done = child.wait_with_output().unwrap();
            match done.status.code() {
                Some(0) => {}
                Some(3) => {
                    let said = String::from_utf8(done.stderr).unwrap();
                    assert!(said.contains("another process installs or removes packages"), "{said}");
                    refused.push(source.clone());
                }
                other => panic!("{source} ended with {other:?}"),
            }
        }
        assert!(refused.len() < waiting.len());
        waiting = refused;
    }
    assert_eq!(names(room.path()).len(), sources.len());
    assert_eq!(installed(&room.path().join("plugins")).unwrap().len(), sources.len());
}

#[test]
fn of_two_versions_at_once_one_is_there_whole() {
    let room = room();
    package(room.path(), "acme", "2");
    for _ in 0..5 {
        let running = [spawn(room.path(), "acme-1"), spawn(room.path(), "acme-2")];
        let codes = running.map(|child| child.wait_with_output().unwrap().status.code());
        assert!(codes.contains(&Some(0)), "{codes:?}");
        assert_eq!(names(room.path()), ["acme"]);
        let acme = room.path().join("plugins/acme");
        let version = fs::read_to_string(acme.join("0.txt")).unwrap();
        let version = version.split(' ').next().unwrap();
        for number in 0..20 {
            let text = fs::read_to_string(acme.join(format!("{number}.txt"))).unwrap();
            assert_eq!(text, format!("{version} {number}"));
        }
    }
}

#[test]
fn while_somebody_holds_the_lock_nothing_is_installed_or_removed() {
    let room = room();
    assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
    let lock = File::options().write(true).open(room.path().join("plugins/.appdecl.lock")).unwrap();
    lock.lock().unwrap();
    for arguments in [
        &["install", "acme-1", "--into", "plugins", "--replace"][..],
        &["uninstall", "acme", "--from", "plugins"],
    ] {
        let done = run(room.path(), arguments);
        assert_eq!(done.code, 3);
        assert!(done.stderr.contains("another process"), "{}", done.stderr);
    }
    drop(lock);
    assert_eq!(run(room.path(), ["uninstall", "acme", "--from", "plugins"]).code, 0);
    assert_eq!(names(room.path()), [""; 0]);
}

#[test]
fn what_is_no_package_is_neither_replaced_nor_removed_nor_listed() {
    let room = room();
    let acme = room.path().join("plugins/acme");
    fs::create_dir(&acme).unwrap();
    fs::write(acme.join("letters.txt"), "mine").unwrap();
    let assert_left_alone = || {
        for arguments in [
            &["install", "acme-1", "--into", "plugins", "--replace"][..],
            &["uninstall", "acme", "--from", "plugins"],
        ] {
            let done = run(room.path(), arguments);
            assert_eq!(done.code, 2, "{}", done.stderr);
            assert!(done.stderr.contains("`acme` is there and is no package"), "{}", done.stderr);
        }
        assert_eq!(installed(&room.path().join("plugins")).unwrap(), []);
        assert_eq!(names(room.path()), ["acme"]);
    };
    assert_left_alone();
    assert_eq!(fs::read_to_string(acme.join("letters.txt")).unwrap(), "mine");
    fs::remove_dir_all(&acme).unwrap();
    fs::write(&acme, "a file").unwrap();
    assert_left_alone();
    assert_eq!(fs::read_to_string(&acme).unwrap(), "a file");
}

#[test]
fn a_name_that_differs_in_letter_case_alone_is_taken() {
    let room = room();
    fs::create_dir(room.path().join("plugins/ACME")).unwrap();
    let done = run(room.path(), ["install", "acme-1", "--into", "plugins", "--replace"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("`ACME` is installed already"), "{}", done.stderr);
    assert_eq!(names(room.path()), ["ACME"]);
}

#[test]
fn archives_beside_packages_are_not_listed() {
    let room = room();
    fs::write(room.path().join("plugins/acme.zip"), "PK").unwrap();
    assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
    let listed = installed(&room.path().join("plugins")).unwrap();
    assert_eq!(listed.iter().map(|package| package.folder.as_str()).collect::<Vec<_>>(), ["acme"]);
}

#[test]
fn a_stage_that_was_left_is_removed_and_names_beside_it_stay() {
    let room = room();
    let plugins = room.path().join("plugins");
    for left in [".appdecl-stage-acme", ".appdecl-stage-other"] {
        fs::create_dir_all(plugins.join(left).join("deep")).unwrap();
    }
    fs::create_dir(plugins.join("appdecl-stage-mine")).unwrap();
    fs::create_dir(plugins.join(".hidden")).unwrap();
    assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
    assert_eq!(names(room.path()), [".hidden", "acme", "appdecl-stage-mine"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let room = room();
        let precious = room.path().join("precious");
        let lock = room.path().join("plugins/.appdecl.lock");
        for is_there in [true, false] {
            if is_there {
                fs::write(&precious, "text").unwrap();
            } else {
                fs::remove_file(&precious).unwrap();
            }
            symlink(&precious, &lock).unwrap();
            let done = run(room.path(), ["install", "acme-1", "--into", "plugins"]);
            assert_eq!(done.code, 3);
            assert!(done.stderr.contains(".appdecl.lock"), "{}", done.stderr);
            assert_eq!(fs::read_to_string(&precious).ok().as_deref(), is_there.then_some("text"));
            fs::remove_file(&lock).unwrap();
        }
        fs::create_dir(&lock).unwrap();
        assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 3);
        assert_eq!(names(room.path()), [""; 0]);
    }

    #[test]
    fn a_folder_of_packages_may_be_behind_a_link() {
        let room = room();
        symlink("plugins", room.path().join("way")).unwrap();
        assert_eq!(run(room.path(), ["install", "acme-1", "--into", "way"]).code, 0);
        assert_eq!(names(room.path()), ["acme"]);
        assert_eq!(run(room.path(), ["uninstall", "acme", "--from", "way"]).code, 0);
        assert_eq!(names(room.path()), [""; 0]);
    }

    #[test]
    fn a_package_behind_a_link_is_neither_replaced_nor_removed() {
        let room = room();
        symlink("../acme-1", room.path().join("plugins/acme")).unwrap();
        package(room.path(), "acme", "2");
        for arguments in [
            &["install", "acme-2", "--into", "plugins", "--replace"][..],
            &["uninstall", "acme", "--from", "plugins"],
        ] {
            let done = run(room.path(), arguments);
            assert_eq!(done.code, 2);
            assert!(done.stderr.contains("`acme` is there and is no package"), "{}", done.stderr);
        }
        assert_eq!(fs::read_to_string(room.path().join("acme-1/0.txt")).unwrap(), "1 0");
        assert_eq!(fs::read_link(room.path().join("plugins/acme")).unwrap(), Path::new("../acme-1"));
    }

    #[test]
    fn leftovers_that_are_links_are_removed_and_what_they_lead_to_stays() {
        let room = room();
        let plugins = room.path().join("plugins");
        symlink("../acme-1", plugins.join(".appdecl-stage-acme")).unwrap();
        symlink("../acme-1", plugins.join(".appdecl-stage-x")).unwrap();
        fs::create_dir(plugins.join(".appdecl-stage-deep")).unwrap();
        symlink("../../acme-1", plugins.join(".appdecl-stage-deep/way")).unwrap();
        assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
        assert_eq!(names(room.path()), ["acme"]);
        assert_eq!(fs::read_to_string(room.path().join("acme-1/0.txt")).unwrap(), "1 0");
    }

    #[test]
    fn permissions_and_hard_links_are_those_of_new_files() {
        let room = room();
        let source = room.path().join("acme-1");
        fs::write(source.join("run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(source.join("run"), fs::Permissions::from_mode(0o6755)).unwrap();
        fs::set_permissions(source.join("0.txt"), fs::Permissions::from_mode(0o666)).unwrap();
        fs::hard_link(source.join("1.txt"), room.path().join("same")).unwrap();
        assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
        let of = |name: &str| fs::metadata(room.path().join("plugins/acme").join(name)).unwrap();
        assert_eq!(of("run").mode() & 0o7000, 0, "it does not run as another user");
        assert_eq!(of("run").mode() & 0o111, 0o111, "a program stays one");
        assert_eq!(of("0.txt").mode() & 0o022, 0, "nobody else writes it");
        assert_eq!(of("1.txt").nlink(), 1);
    }

    #[test]
    fn a_folder_that_may_not_be_written_stays_as_it_was() {
        let room = room();
        assert_eq!(run(room.path(), ["install", "acme-1", "--into", "plugins"]).code, 0);
        let plugins = room.path().join("plugins");
        fs::set_permissions(&plugins, fs::Permissions::from_mode(0o555)).unwrap();
        if File::create(plugins.join("probe")).is_ok() {
            fs::remove_file(plugins.join("probe")).unwrap();
            eprintln!("skipped: this user may write everywhere");
            return;
        }
        package(room.path(), "acme", "2");
        package(room.path(), "other", "1");
        for arguments in [
            &["install", "acme-2", "--into", "plugins", "--replace"][..],
            &["install", "other-1", "--into", "plugins"],
            &["uninstall", "acme", "--from", "plugins"],
        ] {
            let done = run(room.path(), arguments);
            assert_eq!(done.code, 3, "{}", done.stderr);
        }
        fs::set_permissions(&plugins, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(names(room.path()), ["acme"]);
        assert_eq!(fs::read_to_string(plugins.join("acme/0.txt")).unwrap(), "1 0");
    }
}
