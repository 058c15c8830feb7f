//! `-o` of `component`, `record` and `test`: a file is written whole or not at all.

use std::fs;
use std::path::Path;

use crate::common::{command, run};
use crate::{ACME, assert_has, folder, names, read, suite};

const VERBS: [&[&str]; 3] = [&["component"], &["record", "acme.yaml"], &["test", "a.suite.yaml"]];

/// A folder in which each of [`VERBS`] has an answer.
fn place() -> tempfile::TempDir {
    let good = suite("  - { name: a, declaration: {}, expect: { valid: true } }\n");
    folder(&[("acme.yaml", ACME), ("a.suite.yaml", &good), ("out", "old\n")])
}

#[test]
fn a_file_that_is_there_is_replaced_and_nothing_is_left_beside_it() {
    for verb in VERBS {
        let folder = place();
        let written = run(folder.path(), [verb, &["-o", "out"]].concat());
        assert_eq!(written.code, 0, "{verb:?}: {}", written.stderr);
        assert!(!fs::read(folder.path().join("out")).unwrap().starts_with(b"old"), "{verb:?}");
        assert_eq!(names(folder.path()), ["a.suite.yaml", "acme.yaml", "out"]);
    }
}

#[test]
fn a_dash_is_standard_output() {
    for verb in VERBS {
        let folder = place();
        let written = command(folder.path()).args([verb, &["-o", "-"]].concat()).output().unwrap();
        assert!(written.status.success() && !written.stdout.is_empty(), "{verb:?}: {written:?}");
        assert_eq!(names(folder.path()), ["a.suite.yaml", "acme.yaml", "out"]);
    }
    let component = command(place().path()).args(["component", "-o", "-"]).output().unwrap();
    assert_eq!(component.stdout, appdecl::COMPONENT, "nothing else goes there");
}

#[test]
fn what_can_not_be_written_leaves_nothing_and_changes_nothing() {
    for verb in VERBS {
        let folder = place();
        fs::create_dir(folder.path().join("folder")).unwrap();
        for target in ["folder", "missing/out"] {
            let failed = run(folder.path(), [verb, &["-o", target]].concat());
            assert_eq!(failed.code, 3, "{verb:?} {target}");
            assert_has(&failed.stderr, &[&format!("`{target}` can not be written")]);
            assert_eq!(names(folder.path()), ["a.suite.yaml", "acme.yaml", "folder", "out"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_what_it_leads_to_stays() {
    for verb in VERBS {
        let folder = place();
        std::os::unix::fs::symlink("out", folder.path().join("link")).unwrap();
        let written = run(folder.path(), [verb, &["-o", "link"]].concat());
        assert_eq!(written.code, 0, "{verb:?}: {}", written.stderr);
        assert_eq!(read(&folder, "out"), "old\n", "{verb:?}");
        assert!(!folder.path().join("link").is_symlink(), "{verb:?}");
    }
}

#[cfg(unix)]
#[test]
fn devices_are_written_as_they_are() {
    for verb in VERBS {
        let folder = place();
        let arguments = [verb, &["-o", "/dev/stdout"]].concat();
        let written = command(folder.path()).args(arguments).output().unwrap();
        assert!(written.status.success() && !written.stdout.is_empty(), "{verb:?}: {written:?}");
        assert!(Path::new("/dev/stdout").is_symlink());
        if Path::new("/dev/full").exists() {
            assert_eq!(run(folder.path(), [verb, &["-o", "/dev/full"]].concat()).code, 3, "{verb:?}");
        }
    }
}
