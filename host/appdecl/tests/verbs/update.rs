//! `appdecl test --update`: expectations are rewritten, and nothing is ever lost.

use std::fs;

use crate::common::run;
use crate::{THREE, assert_has, folder, names, read};

const CASES: &str = "\
# The head stays.
suite: s   # so does this
declaration: &d { app: { linux: { presence: executable, location: /opt/acme } }, requires: { app: true } }
cases:

  - expect:            # before the facts, since somebody liked it so
      reason: null     # wrong
      'state': \"available\"
    name: gone
    facts: { os: linux }
  - { name: here, facts: { os: linux, files: { /opt/acme: file } }, expect: { path: /opt/other, offerable: true } }
";

#[test]
fn what_was_found_takes_the_place_of_what_was_expected_and_is_shown() {
    let folder = folder(&[("a.suite.yaml", CASES)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 0, "{}{}", updated.stdout, updated.stderr);
    assert_has(
        &updated.stdout,
        &[
            "a.suite.yaml: gone: /state was \"available\", is \"missing_app\"\n",
            "a.suite.yaml: gone: /reason was null, is \"not-found\"\n",
            "a.suite.yaml: here: /path was \"/opt/other\", is \"/opt/acme\"\n",
            "3 expectations rewritten, 0 left as they are\n",
        ],
    );
    let expected = CASES
        .replace("reason: null ", "reason: not-found ")
        .replace("'state': \"available\"", "'state': missing_app")
        .replace("/opt/other", "\"/opt/acme\"");
    assert_eq!(read(&folder, "a.suite.yaml"), expected);
    assert_eq!(names(folder.path()), ["a.suite.yaml"]);
    let again = run(folder.path(), ["test"]);
    assert_eq!((again.code, again.stdout.as_str()), (0, "2 of 2 cases passed\n"));
}

#[test]
fn json_windows_lines_and_a_byte_order_mark_survive() {
    let json = "{\n\t\"suite\": \"s\",\r\n  \"cases\": [ { \"name\": \"a\", \"declaration\": {}, \"facts\": { \"os\": \"linux\" },\r\n    \"expect\": { \"state\" : \"available\" } } ] }\r\n";
    let yaml = "\u{feff}suite: s\r\ncases:\r\n  - name: a\r\n    declaration: {}\r\n    facts: { os: linux }\r\n    expect:\r\n      state: available # why\r\n      offerable: true\r\n";
    let folder = folder(&[("a.suite.json", json), ("b.suite.yaml", yaml)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 0, "{}{}", updated.stdout, updated.stderr);
    assert_eq!(
        read(&folder, "a.suite.json"),
        json.replace("\"available\"", "\"no_requirements\""),
        "the rest is as it was"
    );
    assert_eq!(read(&folder, "b.suite.yaml"), yaml.replace("state: available", "state: no_requirements"));
}

#[test]
fn merged_cases_odd_keys_lists_and_comparisons_are_rewritten_where_they_stand() {
    let text = "\
suite: s
cases:
  - name: a
    <<: &base { declaration: {}, facts: {os: linux} }
    expect:
      ? state
      : available
      server_offered: {\"a/b~c\": true}
  - {name: b, <<: *base, expect: {skill_offered: [{requires_apps: [x], offered: true}]}}
versions:
  - { found: '1', minimum: '2', at_least: true }   # wrong
";
    let folder = folder(&[("a.suite.yaml", text)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 0, "{}{}", updated.stdout, updated.stderr);
    let expected = text.replace("true", "false").replace(": available", ": no_requirements");
    assert_eq!(read(&folder, "a.suite.yaml"), expected);
    assert_eq!(run(folder.path(), ["test"]).code, 0);
}

#[test]
fn values_over_several_lines_are_replaced_whole_or_left_alone() {
    let text = "\
suite: s
cases:
  - name: a
    declaration: {}
    facts: { os: linux }
    expect:
      state: >-
        available
      path: |
        /opt/x
      version:
        '2
        3'
      offerable: true
";
    let folder = folder(&[("a.suite.yaml", text)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 1, "{}{}", updated.stdout, updated.stderr);
    assert_has(&updated.stdout, &["/path is not rewritten", "/version was \"2 3\", is null"]);
    let expected =
        text.replace("        available\n", "        no_requirements\n").replace("'2\n        3'", "null");
    assert_eq!(read(&folder, "a.suite.yaml"), expected);
}

#[test]
fn a_file_that_may_not_be_written_stays_as_it_is() {
    let folder = folder(&[("a.suite.yaml", CASES)]);
    let path = folder.path().join("a.suite.yaml");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 3, "{}", updated.stdout);
    assert_has(&updated.stderr, &["`a.suite.yaml` is read-only: nothing was changed"]);
    assert_has(&updated.stdout, &["0 expectations rewritten"]);
    assert_eq!(read(&folder, "a.suite.yaml"), CASES);
    assert_eq!(names(folder.path()), ["a.suite.yaml"]);
    // Windows removes no file that is read-only.
    #[expect(clippy::permissions_set_readonly_false, reason = "the folder is removed next")]
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
}

#[test]
fn one_suite_that_may_not_be_written_hides_no_other() {
    let folder = folder(&[("a.suite.yaml", CASES), ("b.suite.yaml", CASES)]);
    let path = folder.path().join("a.suite.yaml");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 3);
    assert_has(&updated.stdout, &["b.suite.yaml: gone: /state", "3 expectations rewritten"]);
    assert!(read(&folder, "b.suite.yaml").contains("missing_app"));
    #[expect(clippy::permissions_set_readonly_false, reason = "the folder is removed next")]
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
}

#[test]
fn what_can_not_be_rewritten_is_said_and_stays_failed() {
    let text = "suite: s\ncases:\n  - name: a\n    declaration: { requires: {} }\n    facts: { os: linux }\n    expect: { status: { message: { has: [ nonsense ] } } }\n";
    let folder = folder(&[("a.suite.yaml", text)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 1, "{}", updated.stdout);
    assert_has(&updated.stdout, &["/status/message is not rewritten", "0 expectations rewritten, 1 left"]);
    assert_eq!(read(&folder, "a.suite.yaml"), text);
}

#[test]
fn a_case_that_can_not_run_is_said_and_leaves_its_expectations_alone() {
    let folder = folder(&[("a.suite.yaml", THREE)]);
    let updated = run(folder.path(), ["test", "--update"]);
    assert_eq!(updated.code, 3, "{}", updated.stdout);
    assert_has(&updated.stderr, &["Acme on Linux: not recorded could not run", "/opt/acme"]);
    assert!(read(&folder, "a.suite.yaml").ends_with("expect: { state: missing_app }\n"));
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;
    use crate::common::{Run, command};

    /// Somebody who is not the superuser: that one may write everywhere.
    const NOBODY: u32 = 65_534;

    #[test]
    fn a_folder_that_may_not_be_written_keeps_its_suite_and_gets_no_other_file() {
        let folder = folder(&[("a.suite.yaml", CASES)]);
        let mut command = command(folder.path());
        let elsewhere = tempfile::tempdir().unwrap();
        if rustix::process::geteuid().is_root() {
            // Where the program was built may be closed to others.
            let program = elsewhere.path().join("appdecl");
            fs::copy(env!("CARGO_BIN_EXE_appdecl"), &program).unwrap();
            for path in [folder.path(), &folder.path().join("a.suite.yaml"), elsewhere.path(), &program] {
                chown(path, Some(NOBODY), None).unwrap();
            }
            command = Command::new(program);
            command.current_dir(folder.path()).uid(NOBODY);
        }
        command.args(["test", "--update"]);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let updated: Run = command.output().unwrap().into();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(updated.code, 3, "{}", updated.stdout);
        assert_has(&updated.stderr, &["`a.suite.yaml` can not be written: nothing was changed"]);
        assert_eq!(read(&folder, "a.suite.yaml"), CASES);
        assert_eq!(names(folder.path()), ["a.suite.yaml"]);
    }

    #[test]
    fn a_suite_behind_a_link_is_rewritten_where_it_is_with_its_permissions() {
        let folder = folder(&[("real/a.suite.yaml", CASES)]);
        let real = folder.path().join("real/a.suite.yaml");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real/a.suite.yaml", folder.path().join("linked.suite.yaml")).unwrap();
        let updated = run(folder.path(), ["test", "linked.suite.yaml", "--update"]);
        assert_eq!(updated.code, 0, "{}", updated.stderr);
        assert!(folder.path().join("linked.suite.yaml").is_symlink());
        assert!(read(&folder, "real/a.suite.yaml").contains("missing_app"));
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
