//! What a person at a terminal sees, and a program does not.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::command;
use crate::{ACME, folder, suite};

/// All that the command writes to a terminal, where both of its streams are one.
fn on_a_terminal(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let here = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&here).unwrap();
    unlockpt(&here).unwrap();
    let name = ptsname(&here, Vec::new()).unwrap().into_string().unwrap();
    let there = File::options().read(true).write(true).open(name).unwrap();
    let mut command = command(folder);
    command.args(arguments).env("TERM", "xterm").envs(variables.iter().copied());
    command.stdout(there.try_clone().unwrap()).stderr(there);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut written = Vec::new();
    // Linux calls it an error that nobody writes any more.
    let _ = File::from(here).read_to_end(&mut written);
    child.wait().unwrap();
    String::from_utf8(written).unwrap()
}

fn two_hundred_cases() -> String {
    let case = |number| format!("  - {{ name: '{number}', declaration: {{}}, expect: {{ valid: true }} }}\n");
    suite(&(0..200).map(case).collect::<String>())
}

#[test]
fn a_line_tells_how_far_the_cases_are_and_is_gone_when_they_are_done() {
    let folder = folder(&[("a.suite.yaml", &two_hundred_cases())]);
    let seen = on_a_terminal(folder.path(), &["test"], &[]);
    assert!(seen.contains("\r128 of 200 cases, 0 failed"), "{seen:?}");
    let (_, after) = seen.rsplit_once("\r\u{1b}[K").unwrap();
    assert!(after.contains("200 of 200 cases passed") && !after.contains(", 0 failed"), "{seen:?}");
}

#[test]
fn a_program_sees_no_such_line() {
    let folder = folder(&[("a.suite.yaml", &two_hundred_cases())]);
    let ran = crate::run(folder.path(), ["test"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("200 of 200 cases passed\n", ""));
}

#[test]
fn colour_is_for_terminals_and_never_with_no_color() {
    let folder = folder(&[("faulty.yaml", &ACME.replace("/opt", "opt"))]);
    for verb in ["validate", "check"] {
        let seen = on_a_terminal(folder.path(), &[verb, "faulty.yaml"], &[]);
        assert!(seen.contains("\u{1b}["), "{verb}: {seen:?}");
        let plain = on_a_terminal(folder.path(), &[verb, "faulty.yaml"], &[("NO_COLOR", "1")]);
        assert!(plain.contains("opt/acme") && !plain.contains('\u{1b}'), "{verb}: {plain:?}");
        let ran = crate::run(folder.path(), [verb, "faulty.yaml"]);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains('\u{1b}'), "{verb}");
    }
}
