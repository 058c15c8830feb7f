//! `appdecl record`: the machine that runs these tests, written down and replayed.

use std::fs;

use serde_json::Value;

use crate::common::{Run, command, run};
use crate::{assert_has, folder, json, names, read};

/// An application below the home folder, on whatever system this is; the folder of a test is its home.
const STUDIO: &str = "\
app:
  win32: { presence: executable, location: [ '%ACME_HOME%\\acme.exe', '~\\studio\\acme.exe' ] }
  darwin: { presence: bundle, location: [ '$ACME_HOME/Acme.app', ~/studio/Acme.app ] }
  linux: { presence: executable, location: [ '$ACME_HOME/acme', ~/studio/acme ] }
requires: { app: true }
liveness: { kind: server_json, path: ~/studio/server.json }
";

/// The command in a home folder, whose last name is that of the user.
fn at_home(folder: &std::path::Path, arguments: &[&str]) -> Run {
    let user = folder.file_name().unwrap();
    let mut command = command(folder);
    command.args(arguments).env("USERPROFILE", folder).env("USER", user).env("USERNAME", user);
    command.env_remove("ACME_HOME").output().unwrap().into()
}

fn studio() -> tempfile::TempDir {
    let runtime = format!(
        "{{ \"pid\": {}, \"http\": \"http://127.0.0.1:51234/secret-path\", \"token\": \"s3cr3t-token\", \"note\": \"s3cr3t-note\" }}",
        std::process::id()
    );
    let home = folder(&[
        ("studio/acme", "#!/bin/sh\n"),
        ("studio/acme.exe", "MZ"),
        ("studio/Acme.app/Contents/Info.plist", "<plist><dict/></plist>"),
        ("studio/server.json", &runtime),
        ("studio.yaml", STUDIO),
    ]);
    #[cfg(unix)]
    for name in ["studio/server.json", "studio/acme"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = if name.ends_with("acme") { 0o755 } else { 0o600 };
        fs::set_permissions(home.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    home
}

/// What three verbs say of a machine.
fn answers(folder: &std::path::Path, facts: &[&str]) -> Vec<(i32, Value)> {
    ["check", "status", "endpoint"]
        .into_iter()
        .map(|verb| {
            let run = at_home(folder, &[&[verb, "studio.yaml", "--format", "json"], facts].concat());
            (run.code, json(&run.stdout))
        })
        .collect()
}

#[test]
fn a_recording_gives_the_same_answer_as_the_machine() {
    let home = studio();
    let recorded = at_home(home.path(), &["record", "studio.yaml", "-o", "facts.yaml", "--keep-paths"]);
    assert_eq!((recorded.code, recorded.stdout.as_str()), (0, ""), "{}", recorded.stderr);
    let live = answers(home.path(), &[]);
    assert_eq!(live[0].0, 0, "{live:?}");
    assert_eq!(live[2].0, 0, "{live:?}");
    assert_eq!(answers(home.path(), &["--facts", "facts.yaml"]), live);
    // On another machine, byte for byte: nothing of this one is asked.
    let text = |folder: &std::path::Path| {
        run(folder, ["check", "studio.yaml", "--format", "json", "--facts", "facts.yaml"]).stdout
    };
    let other = folder(&[("studio.yaml", STUDIO), ("facts.yaml", &read(&home, "facts.yaml"))]);
    assert_eq!(text(other.path()), text(home.path()));
}

#[test]
fn a_recording_holds_what_was_asked_the_absent_too_in_one_order() {
    let home = studio();
    let recorded = at_home(home.path(), &["record", "studio.yaml"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    let text = &recorded.stdout;
    assert!(text.starts_with("facts: 1\nrecorded: true\nos: "), "{text}");
    assert_has(text, &["  ACME_HOME: { error: absent }\n"]);
    assert_has(text, &["server.json", "acme"]);
    assert!(!text.contains("PATH"), "what was not asked is not there: {text}");
    let again = at_home(home.path(), &["record", "studio.yaml"]).stdout;
    assert_eq!(without_start(&again), without_start(text));
}

/// A recording without when this process started, which Linux tells in parts of its own clock.
fn without_start(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.contains("started: ")).collect()
}

#[test]
fn tokens_are_replaced_and_the_user_becomes_u_everywhere() {
    let home = studio();
    let hidden = at_home(home.path(), &["record", "studio.yaml"]).stdout;
    let name = home.path().file_name().unwrap().to_str().unwrap();
    assert!(!hidden.contains(name), "{hidden}");
    for secret in ["s3cr3t", "secret-path"] {
        assert!(!hidden.contains(secret), "{hidden}");
    }
    assert_has(&hidden, &["127.0.0.1:51234"]);
    let kept = at_home(home.path(), &["record", "studio.yaml", "--keep-paths"]).stdout;
    assert!(kept.contains(name), "{kept}");
    assert!(!kept.contains("s3cr3t"), "{kept}");
}

#[test]
fn a_hidden_recording_is_replayed_as_the_user_u() {
    let home = studio();
    let recorded = at_home(home.path(), &["record", "studio.yaml", "-o", "facts.yaml"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    let replayed = answers(home.path(), &["--facts", "facts.yaml"]);
    let live = answers(home.path(), &[]);
    let states = |answers: &[(i32, Value)]| {
        let availability = &answers[0].1["servers"][0]["availability"];
        (answers[0].0, answers[2].0, availability["state"].clone(), answers[2].1["url"].clone())
    };
    assert_eq!(states(&replayed), states(&live));
    let path = replayed[0].1["servers"][0]["availability"]["path"].as_str().unwrap().to_owned();
    let separators: &[char] = &['/', '\\'];
    assert!(path.split(separators).any(|part| part == "u"), "{path}");
}

#[test]
fn a_question_that_was_not_recorded_ends_with_three_and_is_named() {
    let home = studio();
    at_home(home.path(), &["record", "studio.yaml", "-o", "facts.yaml"]);
    let more = STUDIO
        .replace("/studio/acme", "/elsewhere/acme")
        .replace("\\studio\\acme", "\\elsewhere\\acme")
        .replace("studio/Acme", "elsewhere/Acme");
    fs::write(home.path().join("studio.yaml"), more).unwrap();
    for verb in ["check", "status", "explain"] {
        let run = at_home(home.path(), &[verb, "studio.yaml", "--facts", "facts.yaml"]);
        assert_eq!(run.code, 3, "{verb}: {}{}", run.stdout, run.stderr);
        assert_has(&format!("{}{}", run.stdout, run.stderr), &["elsewhere"]);
    }
}

#[test]
fn only_the_server_that_was_asked_for_is_recorded() {
    let both = "servers:\n  a: { app: { linux: { presence: executable, location: $A/x }, darwin: { presence: bundle, location: $A/x }, win32: { presence: executable, location: $A/x } }, requires: { app: true } }\n  b: { app: { linux: { presence: executable, location: $B/x }, darwin: { presence: bundle, location: $B/x }, win32: { presence: executable, location: $B/x } }, requires: { app: true } }\n";
    let folder = folder(&[("both.yaml", both)]);
    let run = |arguments: &[&str]| run(folder.path(), [&["record", "both.yaml"], arguments].concat());
    let one = run(&["--server", "a"]).stdout;
    assert!(one.contains("  A: ") && !one.contains("  B: "), "{one}");
    let all = run(&[]).stdout;
    assert!(all.contains("  A: ") && all.contains("  B: "), "{all}");
    let none = run(&["--server", "c"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert_has(&none.stderr, &["no server `c` is declared there: `"]);
}

#[test]
fn a_faulty_declaration_is_not_recorded() {
    let folder = folder(&[("acme.yaml", "app: { linux: { presence: executable, location: x } }\n")]);
    let run = run(folder.path(), ["record", "acme.yaml", "-o", "facts.yaml"]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["path-not-rooted"]);
    assert_eq!(names(folder.path()), ["acme.yaml"]);
}

#[test]
fn a_recording_that_can_not_be_written_is_a_run_that_failed() {
    let folder = folder(&[("acme.yaml", "requires: {}\n")]);
    let run = run(folder.path(), ["record", "acme.yaml", "-o", "missing/facts.yaml"]);
    assert_eq!(run.code, 3);
    assert_has(&run.stderr, &["`missing/facts.yaml` can not be written"]);
}
