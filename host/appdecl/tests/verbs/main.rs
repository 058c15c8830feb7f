//! The verbs for policies, as authors and maintainers use them: `test`, `record`, `explain`, `new` and `schema`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    unreachable_pub,
    reason = "a test ends where it can not go on"
)]

#[path = "../common/cli.rs"]
mod common;
mod coverage;
mod explain;
#[path = "../common/files.rs"]
mod files;
mod formats;
mod pages;
mod record;
mod refused;
mod start;
#[cfg(unix)]
mod terminal;
mod update;
mod written;

use std::fs;
use std::path::Path;

use common::{Run, run};
use files::folder;
use serde_json::Value;
use tempfile::TempDir;

/// A suite of one declaration: the first case passes, the second fails, the third can not run.
const THREE: &str = "\
suite: Acme on Linux
declaration: { app: { linux: { presence: executable, location: /opt/acme } }, requires: { app: true } }
cases:
  - name: installed
    facts: { os: linux, files: { /opt/acme: file } }
    expect: { state: available, path: /opt/acme }
  - name: 'not there, 100% #1'
    facts: { os: linux }
    expect: { state: available, reason: null }
  - name: not recorded
    facts: { facts: 1, recorded: true, os: linux }
    expect: { state: missing_app }
";

/// The declaration of [`THREE`] as a file.
const ACME: &str = "app: { linux: { presence: executable, location: /opt/acme } }\nrequires: { app: true }\n";

/// A suite with these cases, which bring their own declarations.
fn suite(cases: &str) -> String {
    format!("suite: s\ncases:\n{cases}")
}

/// Runs `appdecl test` over one suite.
fn test_of(text: &str, arguments: &[&str]) -> Run {
    let folder = folder(&[("a.suite.yaml", text)]);
    run(folder.path(), [&["test"], arguments].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}
