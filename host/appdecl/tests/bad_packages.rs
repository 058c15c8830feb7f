//! Bad packages in folders, through the built command: a clear word, soon, with little memory, and nothing written.
#![expect(clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

#[path = "common/cli.rs"]
mod common;
#[cfg(unix)]
#[path = "common/peak.rs"]
mod peak;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Run, run};

const MANIFEST: &str = r#"{
  "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
  "name": "acme"
}"#;

/// Far more than any of them takes, on a machine that does other things too.
const SOON: Duration = Duration::from_secs(30);

/// What `validate` says of a package, looked at by every verb. Where it may not be installed, nothing was.
fn looked_at(fill: impl FnOnce(&Path), installs: bool) -> Run {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path().join("plugin");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir(room.path().join("plugins")).unwrap();
    fs::write(folder.join("plugin.json"), MANIFEST).unwrap();
    fill(&folder);
    let verbs =
        [&["validate", "plugin"][..], &["check", "plugin"], &["install", "plugin", "--into", "plugins"]];
    let mut said = None;
    for verb in verbs {
        let begin = Instant::now();
        let done = run(room.path(), verb);
        assert!(begin.elapsed() < SOON, "{verb:?} took {:?}", begin.elapsed());
        assert!([0, 2].contains(&done.code), "{verb:?}: {}{}", done.stdout, done.stderr);
        said.get_or_insert(done);
        assert_little_memory(room.path(), verb);
    }
    let installed: Vec<String> = fs::read_dir(room.path().join("plugins"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".appdecl.lock")
        .collect();
    assert_eq!(installed == ["acme"], installs, "{installed:?}");
    said.unwrap()
}

#[cfg(unix)]
fn assert_little_memory(folder: &Path, arguments: &[&str]) {
    let mut looking = common::command(folder);
    looking.args(arguments);
    if let Some(peak) = peak::peak_memory(looking) {
        assert!(peak <= 64 << 20, "{arguments:?} took {} KiB", peak >> 10);
    }
}

#[cfg(not(unix))]
fn assert_little_memory(_: &Path, _: &[&str]) {}

fn assert_refused(fill: impl FnOnce(&Path), words: &[&str]) {
    let Run { code, stdout, stderr } = looked_at(fill, false);
    assert_eq!(code, 2);
    for word in words {
        assert!(stdout.contains(word) || stderr.contains(word), "`{word}` is not in:\n{stdout}{stderr}");
    }
}

fn fill_with(folder: &Path, files: usize) {
    for part in 0..files.div_ceil(10_000) {
        let names = (part * 10_000)..files.min((part + 1) * 10_000);
        let part = folder.join(format!("part-{part}"));
        fs::create_dir(&part).unwrap();
        let seed = part.join(names.start.to_string());
        fs::write(&seed, "").unwrap();
        for name in names.skip(1) {
            fs::hard_link(&seed, part.join(name.to_string())).unwrap();
        }
    }
}

#[test]
fn more_than_a_hundred_thousand_files() {
    assert_refused(|folder| fill_with(folder, 100_001), &["error[too-many-files]", "at most so many"]);
}

#[test]
fn as_many_files_as_may_be_are_judged_with_little_memory() {
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join("plugin.json"), MANIFEST).unwrap();
    fill_with(room.path(), 99_900);
    assert_eq!(run(room.path(), ["validate", "."]).code, 0);
    assert_little_memory(room.path(), &["validate", "."]);
}

#[test]
fn a_file_of_five_gigabytes() {
    let fill = |folder: &Path| fs::File::create(folder.join("large")).unwrap().set_len(5 << 30).unwrap();
    assert_refused(fill, &["error[package-too-large]", "5368709"]);
    let fill =
        |folder: &Path| fs::File::create(folder.join("plugin.json")).unwrap().set_len(5 << 30).unwrap();
    assert_refused(fill, &["error[file-too-large]"]);
}

#[test]
fn front_matter_whose_anchors_multiply() {
    let said = looked_at(
        |folder| {
            let mut bomb = "---\nname: draw\ndescription: Draws\nmetadata:\n  a0: &a0 [x, x]\n".to_owned();
            for level in 1..30 {
                bomb.push_str(&format!("  a{level}: &a{level} [*a{}, *a{}]\n", level - 1, level - 1));
            }
            fs::create_dir_all(folder.join("skills/draw")).unwrap();
            fs::write(folder.join("skills/draw/SKILL.md"), bomb + "---\n").unwrap();
        },
        true,
    );
    assert_eq!(said.code, 2);
    assert!(said.stdout.contains("error[front-matter-unsupported]"), "{}", said.stdout);
    assert!(said.stdout.contains("this takes down the skill `draw`"), "{}", said.stdout);
    assert!(!said.stdout.contains("\n  skill draw"), "it is not listed as usable: {}", said.stdout);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_pipe_as_the_manifest() {
        let fill = |folder: &Path| {
            fs::remove_file(folder.join("plugin.json")).unwrap();
            mknodat(CWD, folder.join("plugin.json"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        };
        assert_refused(fill, &["error[wrong-kind]", "plugin.json"]);
    }

    #[test]
    fn a_folder_that_links_to_itself() {
        let inside = |folder: &Path| symlink(".", folder.join("again")).unwrap();
        assert_eq!(looked_at(inside, true).code, 0);
        let skills = |folder: &Path| symlink("skills", folder.join("skills")).unwrap();
        let said = looked_at(skills, true);
        assert_eq!(said.code, 2);
        assert!(said.stdout.contains("error[link-leads-nowhere]"), "{}", said.stdout);

        let room = tempfile::tempdir().unwrap();
        symlink("plugin", room.path().join("plugin")).unwrap();
        for verb in ["validate", "check"] {
            let done = run(room.path(), [verb, "plugin"]);
            assert_eq!(done.code, 2, "{}{}", done.stdout, done.stderr);
            assert!(done.stderr.contains("`plugin`"), "{}", done.stderr);
        }
    }

    #[test]
    fn names_with_line_breaks_and_names_that_are_no_text() {
        for name in [&b"line\nbreak"[..], b"not\xfftext", b"\x1b[31m"] {
            let fill = |folder: &Path| fs::write(folder.join(OsStr::from_bytes(name)), "").unwrap();
            assert_refused(fill, &["error[bad-file-name]", "no name that every system takes"]);
        }
    }
}
