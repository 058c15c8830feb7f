//! What goes wrong with one server says nothing about another, and hides none.
#![expect(clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

#[path = "common/cli.rs"]
mod common;
#[path = "common/files.rs"]
mod files;

use common::{Run, run};
use files::folder;

const ACME: &str = "\
app: { linux: { presence: executable, location: /opt/acme, liveness: { kind: server_json, path: /run/acme.json } } }
requires: { app: true }
";

#[test]
fn a_server_that_could_not_be_asked_about_decides_nothing_about_the_skills_of_a_package() {
    let manifest =
        r#"{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "other" }"#;
    let skill = "---\nname: draw\ndescription: Draws.\nrequires_apps: acme\n---\n";
    // The recording does not hold the runtime file that is asked about.
    let facts = "facts: 1\nrecorded: true\nos: linux\nfiles: { /opt/acme: executable }\n";
    let files = [
        ("acme.yaml", ACME),
        ("p/plugin.json", manifest),
        ("p/skills/draw/SKILL.md", skill),
        ("facts.yaml", facts),
    ];
    let folder = folder(&files);
    let Run { code, stdout, .. } =
        run(folder.path(), ["check", "acme.yaml", "p", "--not-connected", "--facts", "facts.yaml"]);
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("skill draw: not offered, because of acme"), "{stdout}");
}

#[test]
fn a_declaration_that_is_too_much_work_hides_no_other() {
    let faulty = "app: { linux: { presence: executable, location: relative } }\n";
    // More than the component is handed over of one declaration.
    let large = format!("{{ \"x\": {:?} }}", "x".repeat(700_000));
    let folder = folder(&[("faulty.yaml", faulty), ("large.json", &large)]);
    for arguments in [["large.json", "faulty.yaml"], ["faulty.yaml", "large.json"]] {
        let Run { code, stdout, stderr } = run(folder.path(), ["validate", arguments[0], arguments[1]]);
        assert_eq!(code, 2, "{stdout}{stderr}");
        assert!(stdout.contains("error[path-not-rooted]"), "{stdout}{stderr}");
        assert!(stdout.contains("large.json"), "{stdout}{stderr}");
    }
}

#[test]
fn nothing_is_recorded_for_a_server_that_is_not_declared() {
    let folder = folder(&[("acme.yaml", ACME)]);
    let Run { code, stdout, stderr } = run(folder.path(), ["record", "acme.yaml", "--server", "acne"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("no server `acne` is declared there"), "{stderr}");
}
