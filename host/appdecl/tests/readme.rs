//! What the README shows is what the command says.
#![expect(clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

#[path = "common/cli.rs"]
mod common;

use std::fs;
use std::path::Path;

use common::{Run, run};

/// The workspace, where the README's commands are run.
fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[track_caller]
fn assert_shown(said: &str) {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap().replace("\r\n", "\n");
    // Tables are padded, no line of a document ends with blanks, and Windows joins paths in its own way.
    let said = said.replace('\\', "/");
    let said: Vec<&str> = said.trim_end().lines().map(str::trim_end).collect();
    assert!(readme.contains(&said.join("\n")), "not in the README:\n{}", said.join("\n"));
}

#[test]
fn the_readme_shows_what_check_says_of_the_example_where_the_application_is() {
    let folder = tempfile::tempdir().unwrap();
    let facts = folder.path().join("facts.yaml");
    fs::write(&facts, "os: linux\nfiles: { /usr/bin/blender: executable }\n").unwrap();
    let arguments = ["check", "examples/blender", "--facts", facts.to_str().unwrap()];
    let Run { code, stdout, stderr } = run(workspace(), arguments);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_shown(&stdout);
}

#[test]
fn the_readme_shows_what_validate_says_of_the_package_with_a_faulty_server() {
    let Run { code, stdout, stderr } = run(workspace(), ["validate", "examples/one-faulty-server"]);
    assert_eq!((code, stderr.as_str()), (2, ""));
    assert_shown(&stdout);
}
