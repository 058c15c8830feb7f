//! Bad input gets a clear error and exit code 2, and nothing else happens.
#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    unreachable_pub,
    reason = "a test ends where it can not go on"
)]

#[path = "common/cli.rs"]
mod common;

use std::fs;
use std::path::Path;

use common::{Run, run};
use tempfile::TempDir;

const VERBS: [&str; 2] = ["check", "validate"];

/// Both verbs over `name` in a folder that `fill` made; what they say, where each refuses it and leaves the folder alone.
fn refused(name: &str, fill: impl FnOnce(&Path)) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    let before = listing(&folder);
    let said = VERBS.map(|verb| {
        let Run { code, stdout, stderr } = run(folder.path(), [verb, name]);
        assert_eq!(code, 2, "{verb}: {stdout}{stderr}");
        format!("{stdout}{stderr}")
    });
    assert_eq!(listing(&folder), before);
    said.into()
}

fn listing(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_all_say(said: &[String], words: &[&str]) {
    for text in said {
        for word in words {
            assert!(text.contains(word), "`{word}` is not in:\n{text}");
        }
    }
}

#[test]
fn a_path_that_is_not_there() {
    let said = refused("missing", |_| {});
    assert_all_say(&said, &["`missing` does not exist"]);
}

#[test]
fn a_folder_that_is_no_package() {
    let said = refused("plugin", |folder| fs::create_dir(folder.join("plugin")).unwrap());
    assert_all_say(&said, &["`plugin` has no plugin.json"]);
}

#[test]
fn a_package_whose_manifest_lacks_what_every_manifest_has() {
    let said = refused("plugin", |folder| {
        fs::create_dir(folder.join("plugin")).unwrap();
        fs::write(folder.join("plugin/plugin.json"), "{ \"extensions\": {} }").unwrap();
    });
    assert_all_say(&said, &["error[member-missing]", "$schema", "this takes down the package (SPEC §9.1)"]);
}

#[test]
fn json_that_is_none() {
    let said = refused("acme.json", |folder| {
        fs::write(folder.join("acme.json"), "{\n  \"app\": { \"linux\": }\n}").unwrap();
    });
    assert_all_say(&said, &["--> acme.json:2:21", "\"app\": { \"linux\": }", "^"]);
}

#[test]
fn yaml_that_is_none() {
    let said = refused("acme.yaml", |folder| {
        fs::write(folder.join("acme.yaml"), "app:\n  linux: [ 1, 2\nrequires: }\n").unwrap();
    });
    assert_all_say(&said, &["--> acme.yaml:", "^"]);
}

#[test]
fn a_key_that_stands_twice() {
    let said = refused("acme.json", |folder| {
        fs::write(folder.join("acme.json"), "{ \"requires\": {},\n  \"requires\": { \"app\": false } }")
            .unwrap();
    });
    assert_all_say(&said, &["error[duplicate-key]", "--> acme.json:2:3"]);
}

#[test]
fn a_server_that_is_declared_twice() {
    let said = refused("acme.yaml", |folder| {
        fs::write(folder.join("acme.yaml"), "servers:\n  acme: { requires: {} }\n  acme: { requires: {} }\n")
            .unwrap();
    });
    assert_all_say(&said, &["error[duplicate-key]", "--> acme.yaml:3:3"]);
}

#[test]
fn a_file_of_a_gigabyte() {
    let said = refused("acme.yaml", |folder| {
        fs::File::create(folder.join("acme.yaml")).unwrap().set_len(1 << 30).unwrap();
    });
    assert_all_say(&said, &["too large", "1073741824 bytes"]);
}

#[test]
fn documents_nested_a_hundred_thousand_deep() {
    for (name, unit) in
        [("deep.json", "{\"app\":"), ("deep.json", "["), ("deep.yaml", "["), ("deep.yaml", "{a: ")]
    {
        refused(name, |folder| fs::write(folder.join(name), unit.repeat(100_000)).unwrap());
    }
    let said = refused("deep.json", |folder| {
        let text = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        fs::write(folder.join("deep.json"), text).unwrap();
    });
    assert_all_say(&said, &["deep"]);
}

#[test]
fn ten_thousand_faults_are_shown_in_part_and_counted_in_full() {
    let said = refused("acme.json", |folder| {
        let keys: Vec<String> = (0..10_000).map(|number| format!("\"k{number}\": 1")).collect();
        fs::write(folder.join("acme.json"), format!("{{\n{}\n}}", keys.join(",\n"))).unwrap();
    });
    for text in &said {
        assert_eq!(text.matches("error[unknown-key]").count(), 50);
        assert!(text.contains("9950 more faults are not shown"), "{}", &text[text.len() - 200..]);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let said = refused("acme.yaml", |folder| {
        fs::write(folder.join("acme.yaml"), b"app: {}\nx: \xff\xfe\n").unwrap()
    });
    assert_all_say(&said, &["not UTF-8", "line 2"]);
}

#[test]
fn anchors_that_stand_for_very_much() {
    let text = format!(
        "servers:\n  s0: &a {{ {} }}\n{}",
        (0..9_000).map(|number| format!("k{number}: [1, 2, 3]")).collect::<Vec<_>>().join(", "),
        (1..900).map(|number| format!("  s{number}: *a\n")).collect::<String>()
    );
    let said = refused("acme.yaml", |folder| fs::write(folder.join("acme.yaml"), text).unwrap());
    assert_all_say(&said, &["more than 4 MiB"]);
}

#[test]
fn more_servers_than_anybody_has() {
    let said = refused("acme.yaml", |folder| {
        let servers: String = (0..1001).map(|number| format!("  s{number}: {{}}\n")).collect();
        fs::write(folder.join("acme.yaml"), format!("servers:\n{servers}")).unwrap();
    });
    assert_all_say(&said, &["more than 1000 servers"]);
}

#[test]
fn a_facts_file_that_is_none_is_shown_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("acme.yaml"), "requires: {}\n").unwrap();
    fs::write(folder.path().join("facts.yaml"), "os: linux\nproceses: {}\n").unwrap();
    let run = run(folder.path(), ["check", "acme.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--> facts.yaml:2:1") && run.stderr.contains("`proceses`"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[cfg(unix)]
mod on_unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;
    use crate::common::command;

    const COMMAND: &str = "\
app: { linux: { presence: executable, location: [ { kind: command, name: acme } ] },
       darwin: { presence: bundle, location: ~/Acme.app } }
requires: { app: true }
";

    #[test]
    fn a_pipe() {
        let said = refused("acme.yaml", |folder| {
            let mode = Mode::RUSR | Mode::WUSR;
            mknodat(CWD, folder.join("acme.yaml"), FileType::Fifo, mode, 0).unwrap();
        });
        assert_all_say(&said, &["not a regular file"]);
    }

    #[test]
    fn a_manifest_behind_a_link_out_of_its_package() {
        let said = refused("plugin", |folder| {
            fs::create_dir(folder.join("plugin")).unwrap();
            fs::write(folder.join("elsewhere.json"), "{ \"s3cret\": 1 }").unwrap();
            symlink("../elsewhere.json", folder.join("plugin/plugin.json")).unwrap();
        });
        assert_all_say(&said, &["error[link-leads-outside]"]);
        assert!(!said.concat().contains("s3cret"));
    }

    #[test]
    fn a_name_that_is_no_text() {
        let folder = tempfile::tempdir().unwrap();
        let output =
            command(folder.path()).arg("check").arg(OsStr::from_bytes(b"\xff.yaml")).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }

    #[test]
    fn a_search_path_with_parts_that_are_no_text_holds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("acme.yaml"), COMMAND).unwrap();
        let run: Run = command(folder.path())
            .args(["check", "acme.yaml", "--format", "json"])
            .env("PATH", OsStr::from_bytes(b"/usr/bin:/\xff"))
            .output()
            .unwrap()
            .into();
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.contains("\"missing_app\""), "{}", run.stdout);
    }

    #[test]
    fn a_home_folder_that_is_not_set_is_a_reason_and_no_crash() {
        let folder = tempfile::tempdir().unwrap();
        let text = "app: { linux: { presence: executable, location: ~/acme }, darwin: { presence: bundle, location: ~/A.app } }\nrequires: { app: true }\n";
        fs::write(folder.path().join("acme.yaml"), text).unwrap();
        let run: Run = command(folder.path())
            .args(["check", "acme.yaml", "--format", "json"])
            .env_remove("HOME")
            .output()
            .unwrap()
            .into();
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.contains("\"variable-unset\""), "{}", run.stdout);
    }
}
