//! The command: what it prints, and how it ends.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    unreachable_pub,
    reason = "a test ends where it can not go on"
)]

#[path = "common/cli.rs"]
mod common;
#[path = "common/files.rs"]
mod files;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use common::{command, run};
use files::folder;
use serde_json::{Value, json};

const SERVERS: &str = "\
servers:
  acme:
    app: { linux: { presence: executable, location: /opt/acme/acme } }
    requires: { app: true }
  studio:
    app: { darwin: { presence: bundle, location: /Applications/Studio.app } }
    requires: { app: true }
";

const MANIFEST: &str = "{
  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",
  \"name\": \"acme\"
}";

const ORPHAN: &str = "{
  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",
  \"name\": \"acme\",
  \"extensions\": { \"com.nousresearch.hermes\": { \"servers\": { \"acme\": { \"requires\": {} } } } }
}";

const ACME_DECLARED: &str = r#""acme-mcp": {
    "app": { "linux": { "presence": "executable", "location": "/opt/acme/acme" } },
    "requires": { "app": true }
}"#;

const ACME_MCP: &str = r#"{
  "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
  "mcpServers": { "acme-mcp": { "type": "stdio", "command": "acme" } }
}"#;

const WITH_ACME: &str = "os: linux\nfiles: { /opt/acme/acme: executable }\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn check_says_for_each_server_what_it_comes_to() {
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", WITH_ACME)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let lines: Vec<Vec<&str>> =
        run.stdout.lines().map(|line| line.split_whitespace().take(4).collect()).collect();
    assert_eq!(lines[0], ["server", "state", "version", "path"]);
    assert_eq!(lines[1], ["acme", "available", "-", "/opt/acme/acme"]);
    assert_eq!(lines[2], ["studio", "unsupported_os", "-", "-"]);
    assert!(run.stdout.contains("\nstudio: "), "{}", run.stdout);
    assert!(run.stdout.ends_with("1 of 2 offered\n"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn check_is_content_when_all_that_was_asked_for_is_offered() {
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", WITH_ACME)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--facts", "facts.yaml", "--server", "acme"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("studio"));
}

#[test]
fn check_tells_programs_the_same_in_json() {
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", WITH_ACME)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--facts", "facts.yaml", "--format", "json"]);
    assert_eq!(run.code, 1);
    let mut report = json(&run.stdout);
    let status = report["servers"][1]["status"].take();
    assert_eq!((&status["state"], &status["retry"]), (&json!("unsupported_os"), &json!("never_here")));
    let available = json!({
        "state": "available", "version": null, "path": "/opt/acme/acme", "min_version": null, "offerable": true,
        "reason": null,
    });
    let unsupported = json!({
        "state": "unsupported_os", "version": null, "path": null, "min_version": null, "offerable": false,
        "reason": null,
    });
    assert_eq!(
        report,
        json!({
            "offered": false,
            "connected": true,
            "servers": [
                { "file": "servers.yaml", "server": "acme", "offered": true, "availability": available,
                  "status": null, "error": null },
                { "file": "servers.yaml", "server": "studio", "offered": false, "availability": unsupported,
                  "status": null, "error": null },
            ],
            "faults": 0,
            "diagnostics": [],
            "errors": [],
        })
    );
}

#[test]
fn check_of_a_caller_that_is_not_connected_says_so() {
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", WITH_ACME)]);
    let arguments = ["check", "servers.yaml", "--facts", "facts.yaml", "--server", "acme", "--not-connected"];
    let run = run(folder.path(), arguments);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("not_connected"), "{}", run.stdout);
}

#[test]
fn a_faulty_declaration_does_not_hide_the_others() {
    let faulty = SERVERS.replace("/Applications/Studio.app", "Applications/Studio.app");
    let folder = folder(&[("servers.yaml", &faulty), ("facts.yaml", WITH_ACME)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("1 of 1 offered"), "{}", run.stdout);
    assert!(
        run.stderr.contains("path-not-rooted") && run.stderr.contains("servers.yaml:6:"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_path_that_can_not_be_read_does_not_hide_the_others() {
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", WITH_ACME)]);
    let run = run(folder.path(), ["check", "missing.yaml", "servers.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("missing.yaml"));
    assert!(run.stdout.contains("acme"));
}

#[test]
fn a_server_that_is_not_declared_is_an_error() {
    let folder = folder(&[("servers.yaml", SERVERS)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--server", "acmee"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`acmee`"), "{}", run.stderr);
}

#[test]
fn a_question_that_a_recording_does_not_hold_is_a_run_that_failed() {
    let recording = "facts: 1\nrecorded: true\nos: linux\n";
    let folder = folder(&[("servers.yaml", SERVERS), ("facts.yaml", recording)]);
    let run = run(folder.path(), ["check", "servers.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("/opt/acme/acme"), "{}", run.stdout);
}

#[test]
fn the_example_package_is_judged_truly_with_and_without_the_application() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/blender");
    let machines = [
        ("os: linux\nfiles: {}", "missing_app"),
        ("os: linux\nfiles: { /usr/bin/blender: executable }", "available"),
        (
            "os: linux\nhome: /home/u\nfiles: { /home/u/blender-5.1.0-linux-x64/blender: executable }",
            "available",
        ),
        ("os: linux\nfiles: { /var/lib/flatpak/exports/bin/org.blender.Blender: executable }", "available"),
        (
            "os: win32\nenv: { ProgramFiles: 'C:\\Program Files' }\nfiles: { 'C:\\Program Files\\Blender Foundation\\Blender 5.1\\blender.exe': { pe_version: 5.1.0.0 } }",
            "available",
        ),
        (
            "os: win32\nenv: { ProgramFiles: 'C:\\Program Files' }\nfiles: { 'C:\\Program Files\\Blender Foundation\\Blender 4.5\\blender.exe': { pe_version: 4.5.3.0 } }",
            "version_too_old",
        ),
        (
            "os: darwin\nhome: /Users/u\nfiles: { /Users/u/Applications/Blender.app/Contents/Info.plist: { plist: { CFBundleShortVersionString: 5.1.2 } } }",
            "available",
        ),
    ];
    for (facts, state) in machines {
        let folder = folder(&[("facts.yaml", facts)]);
        let arguments = ["check", package.to_str().unwrap(), "--facts", "facts.yaml", "--format", "json"];
        let run = run(folder.path(), arguments);
        assert_eq!(
            json(&run.stdout)["servers"][0]["availability"]["state"],
            state,
            "{facts}: {}",
            run.stdout
        );
        assert_eq!(run.code, i32::from(state != "available"), "{facts}");
    }
}

#[test]
fn validate_shows_the_line_of_each_fault() {
    let text = "app:\n  linux:\n    presence: exe\n    location: opt/acme\nrequires: { app: true }\n";
    let folder = folder(&[("acme.yaml", text)]);
    let run = run(folder.path(), ["validate", "acme.yaml"]);
    assert_eq!(run.code, 2);
    let expected = [
        ["error[unknown-value]", "--> acme.yaml:3:15", "3 |     presence: exe", "|               ^^^"],
        [
            "error[path-not-rooted]",
            "--> acme.yaml:4:15",
            "4 |     location: opt/acme",
            "|               ^^^^^^^^",
        ],
    ];
    let mut rest = run.stdout.as_str();
    for part in expected.as_flattened() {
        let at = rest.find(part).unwrap_or_else(|| panic!("`{part}` is not in its place:\n{}", run.stdout));
        rest = &rest[at..];
    }
    assert!(run.stdout.ends_with("2 faults\n"), "{}", run.stdout);
}

#[test]
fn validate_points_into_json_too() {
    let text = "{\n  \"app\": {\n    \"linux\": { \"presence\": \"executable\", \"location\": \"/a/../b\" }\n  }\n}\n";
    let folder = folder(&[("acme.json", text)]);
    let run = run(folder.path(), ["validate", "acme.json", "--format", "json"]);
    assert_eq!(run.code, 2);
    let report = json(&run.stdout);
    let fault = &report["diagnostics"][0];
    assert_eq!(
        (
            &fault["code"],
            &fault["pointer"],
            &fault["line"],
            &fault["column"],
            &fault["server"],
            &fault["file"]
        ),
        (
            &json!("path-traversal"),
            &json!("/app/linux/location"),
            &json!(3),
            &json!(54),
            &json!("acme"),
            &json!("acme.json")
        )
    );
    assert_eq!(report["valid"], false);
}

#[test]
fn validate_asks_nothing_of_the_machine_and_is_content_with_good_declarations() {
    let folder = folder(&[("servers.yaml", SERVERS)]);
    let run = run(folder.path(), ["validate", "servers.yaml"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "servers.yaml: acme: valid\nservers.yaml: studio: valid\n")
    );
}

#[test]
fn a_key_that_stands_twice_is_shown_at_the_second() {
    let text =
        "app: { linux: { presence: executable, location: /a } }\nrequires:\n  app: false\n  app: true\n";
    let folder = folder(&[("acme.yaml", text)]);
    let run = run(folder.path(), ["validate", "acme.yaml"]);
    assert!(run.stdout.contains("duplicate-key") && run.stdout.contains("acme.yaml:4:3"), "{}", run.stdout);
}

#[test]
fn a_declared_server_that_the_package_does_not_have_is_a_fault() {
    let folder = folder(&[("plugin/plugin.json", ORPHAN), ("plugin/mcp.json", ACME_MCP)]);
    let run = run(folder.path(), ["validate", "plugin"]);
    assert_eq!(run.code, 2);
    let expected = [
        "error[orphan-declaration]",
        "--> plugin/plugin.json:4:61",
        "this takes down the package",
        "acme-mcp",
        "plugin: portable plugin acme: rejected",
        "1 fault",
    ];
    for part in expected {
        assert!(with_slashes(&run.stdout).contains(part), "`{part}` is not in:\n{}", run.stdout);
    }
}

/// What is printed, with the separators of paths as they are on Linux and macOS.
fn with_slashes(printed: &str) -> String {
    printed.replace(std::path::MAIN_SEPARATOR, "/")
}

#[test]
fn the_faults_of_a_package_are_annotations_for_github() {
    let folder = folder(&[("plugin/plugin.json", ORPHAN), ("plugin/mcp.json", ACME_MCP)]);
    let run = run(folder.path(), ["validate", "plugin", "--format", "github"]);
    assert_eq!(run.code, 2);
    let start = "::error file=plugin/plugin.json,line=4,col=61,title=orphan-declaration::plugin.json: ";
    assert!(with_slashes(&run.stdout).starts_with(start), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
}

#[test]
fn the_faults_of_a_package_are_results_of_a_sarif_log() {
    let folder = folder(&[("plugin/plugin.json", ORPHAN), ("plugin/mcp.json", ACME_MCP)]);
    let run = run(folder.path(), ["validate", "plugin", "--format", "sarif"]);
    assert_eq!(run.code, 2);
    let log = json(&run.stdout);
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&log["version"], &result["ruleId"]), (&json!("2.1.0"), &json!("orphan-declaration")));
    assert_eq!(
        result["locations"],
        json!([{ "physicalLocation": {
            "artifactLocation": { "uri": "plugin/plugin.json" }, "region": { "startLine": 4 },
        } }])
    );
}

#[test]
fn a_warning_is_a_fault_where_one_is_strict() {
    let manifest = MANIFEST.replace("\"name\"", "\"colour\": 1, \"name\"");
    let folder = folder(&[("plugin/plugin.json", &manifest)]);
    let mild = run(folder.path(), ["validate", "plugin"]);
    assert!(mild.stdout.contains("warning[") && mild.stdout.contains("colour"), "{}", mild.stdout);
    assert_eq!(mild.code, 0, "{}", mild.stdout);
    assert_eq!(run(folder.path(), ["validate", "plugin", "--strict"]).code, 2);
}

#[test]
fn a_faulty_server_leaves_the_rest_of_its_package_usable() {
    let servers = r#"{ "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": {
        "good": { "type": "stdio", "command": "acme" }, "bad": { "type": "stdio" } } }"#;
    let skill = "---\nname: draw\ndescription: Draws\n---\n";
    let files = [("p/plugin.json", MANIFEST), ("p/mcp.json", servers), ("p/skills/draw/SKILL.md", skill)];
    let folder = folder(&files);
    let run = run(folder.path(), ["validate", "p"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("this takes down the server `bad`"), "{}", run.stdout);
    assert!(run.stdout.contains("  server good: stdio\n  skill draw\n1 fault\n"), "{}", run.stdout);
}

#[test]
fn check_of_a_package_says_whether_it_may_be_installed_and_which_skills_are_offered() {
    let manifest = ORPHAN.replace("\"acme\": { \"requires\": {} }", ACME_DECLARED);
    let skill = "---\nname: draw\ndescription: Draws\nrequires_apps: acme-mcp\n---\n";
    let facts = "os: linux\nfiles: {}\n";
    let folder = folder(&[
        ("p/plugin.json", &manifest),
        ("p/mcp.json", ACME_MCP),
        ("p/skills/draw/SKILL.md", skill),
        ("with.yaml", WITH_ACME),
        ("without.yaml", facts),
    ]);
    let good = run(folder.path(), ["check", "p", "--facts", "with.yaml"]);
    assert!(good.stdout.starts_with("p: may be installed here\n  skill draw: offered\n"), "{}", good.stdout);
    assert_eq!(good.code, 0, "{}{}", good.stdout, good.stderr);
    let bad = run(folder.path(), ["check", "p", "--facts", "without.yaml"]);
    assert!(bad.stdout.starts_with("p: may not be installed here\n"), "{}", bad.stdout);
    assert!(bad.stdout.contains("  skill draw: not offered, because of acme-mcp\n"), "{}", bad.stdout);
    assert_eq!(bad.code, 1);
}

#[test]
fn a_package_is_installed_listed_and_removed() {
    let manifest = MANIFEST.replace("\n}", ",\n  \"version\": \"1.0\"\n}");
    let folder = folder(&[("p/plugin.json", &manifest), ("p/data/words.txt", "words"), ("plugins/x", "")]);
    let install = ["install", "p", "--into", "plugins"];

    let dry = run(folder.path(), install.iter().chain(&["--dry-run"]));
    assert_eq!((dry.code, dry.stdout.as_str()), (0, "p: may be installed here\n"), "{}", dry.stderr);
    assert!(!folder.path().join("plugins/acme").exists());

    let first = run(folder.path(), install);
    assert_eq!(
        (first.code, with_slashes(&first.stdout).as_str()),
        (0, "p: installed as plugins/acme\n"),
        "{}",
        first.stderr
    );
    assert_eq!(fs::read_to_string(folder.path().join("plugins/acme/data/words.txt")).unwrap(), "words");
    assert_eq!(run(folder.path(), ["list", "plugins"]).stdout, "acme acme 1.0\n");

    let again = run(folder.path(), install);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("installed already"), "{}", again.stderr);
    assert_eq!(run(folder.path(), install.iter().chain(&["--replace"])).code, 0);

    assert_eq!(run(folder.path(), ["uninstall", "acme", "--from", "plugins"]).code, 0);
    assert_eq!(run(folder.path(), ["list", "plugins"]).stdout, "");
    assert_eq!(run(folder.path(), ["uninstall", "acme", "--from", "plugins"]).code, 2);
}

#[test]
fn a_package_that_this_machine_is_not_for_is_not_installed() {
    let manifest = ORPHAN.replace("\"acme\": { \"requires\": {} }", ACME_DECLARED);
    let folder = folder(&[
        ("p/plugin.json", &manifest),
        ("p/mcp.json", ACME_MCP),
        ("without.yaml", "os: linux\nfiles: {}\n"),
        ("plugins/x", ""),
    ]);
    let arguments =
        ["install", "p", "--into", "plugins", "--facts", "without.yaml", "--platforms", "windows,macos"];
    let run = run(folder.path(), arguments);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("p: may not be installed here\n"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 3, "{}", run.stdout);
    let names: Vec<_> =
        fs::read_dir(folder.path().join("plugins")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["x"]);
}

#[test]
fn preparing_writes_the_same_bytes_again_and_a_fault_leaves_them() {
    let manifest = r#"{ "name": "desk", "scripts": { "prepack": "dsh-plugin-prepare" },
        "dsh": { "skills": ["../skills"], "mcpServers": "../.mcp.json" } }"#;
    let folder = folder(&[
        ("p/.dsh-plugin/package.json", manifest),
        ("p/.mcp.json", r#"{ "mcpServers": { "tracker": { "command": "tracker" } } }"#),
        ("p/skills/notes/SKILL.md", "---\nname: notes\ndescription: Writes notes\n---\n"),
    ]);
    let plugin = folder.path().join("p/.dsh-plugin");
    let module = || fs::read_to_string(plugin.join("dsh-plugin.mjs")).unwrap();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(&plugin).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };

    let first = run(folder.path(), ["prepare", "p"]);
    assert_eq!(first.code, 0, "{}{}", first.stdout, first.stderr);
    let bytes = module();
    assert!(plugin.join("dsh-plugin-assets/.mcp.json").is_file());
    let written = names();
    assert_eq!(written, [".appdecl.lock", "dsh-plugin-assets", "dsh-plugin.mjs", "package.json"]);

    assert_eq!(run(folder.path(), ["prepare", "p"]).code, 0);
    assert_eq!((module(), names()), (bytes.clone(), written.clone()));

    fs::write(folder.path().join("p/.mcp.json"), r#"{ "mcpServers": { "tracker": {} } }"#).unwrap();
    let faulty = run(folder.path(), ["prepare", "p"]);
    assert_eq!(faulty.code, 2, "{}{}", faulty.stdout, faulty.stderr);
    assert!(faulty.stderr.contains("SPEC §9.2"), "{}", faulty.stderr);
    assert_eq!((module(), names()), (bytes, written));
}

#[test]
fn text_of_strangers_never_reaches_a_terminal_raw() {
    let name = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J";
    let text = format!(
        "servers:\n  {name:?}:\n    app: {{ linux: {{ presence: \"{evil}\", location: \"/{evil}\" }} }}\n    requires: {{ app: true, {name:?}: 1 }}\n  other:\n    app: {{ linux: {{ presence: executable, location: \"/opt/{bidi}\" }} }}\n    requires: {{ app: true }}\n",
        evil = "\\e[2J\u{202e}",
        bidi = "a\u{202e}b\u{200b}",
    );
    let text = text
        .replace("\\u{1b}", "\\e")
        .replace("\\u{7}", "\\a")
        .replace("\\u{202e}", "\u{202e}")
        .replace("\\u{9b}", "\\x9b");
    let folder = folder(&[("acme.yaml", &text), ("facts.yaml", "os: linux\nfiles: {}\n")]);
    for arguments in [&["validate", "acme.yaml"][..], &["check", "acme.yaml", "--facts", "facts.yaml"]] {
        let run = run(folder.path(), arguments);
        let printed = format!("{}{}", run.stdout, run.stderr);
        let raw = printed.chars().find(|c| (c.is_control() && *c != '\n') || "\u{202e}\u{200b}".contains(*c));
        assert_eq!(raw, None, "{arguments:?}: {printed:?}");
    }
}

#[test]
fn nothing_is_coloured_where_there_is_no_terminal() {
    let folder = folder(&[("acme.yaml", "app: 1\n")]);
    let run = run(folder.path(), ["validate", "acme.yaml"]);
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder(&[("servers.yaml", SERVERS)]);
    for arguments in [&["wit"][..], &["completions", "bash"], &["validate", "servers.yaml"]] {
        let mut child = command(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = common::Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn every_verb_has_examples_in_its_help() {
    let folder = folder(&[]);
    for verb in ["check", "validate", "component", "wit", "completions"] {
        let run = run(folder.path(), [verb, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains(&format!("Examples:\n  appdecl {verb}")), "{}", run.stdout);
    }
}

#[test]
fn the_component_is_written_and_its_hash_is_that_of_the_version() {
    let folder = folder(&[]);
    let written = run(folder.path(), ["component", "-o", "appdecl.wasm"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_eq!(fs::read(folder.path().join("appdecl.wasm")).unwrap(), appdecl::COMPONENT);
    let hash = format!("sha256 {}\n", appdecl::COMPONENT_SHA256);
    assert!(written.stdout.contains(&format!("size {} bytes\n", appdecl::COMPONENT.len())));
    assert!(written.stdout.ends_with(&hash), "{}", written.stdout);
    assert!(run(folder.path(), ["--version"]).stdout.contains(&format!("\ncomponent {hash}")));
    let other = run(folder.path(), ["component", "--packages", "-o", "packages.wasm"]);
    assert_eq!(fs::read(folder.path().join("packages.wasm")).unwrap(), appdecl::PACKAGES_COMPONENT);
    assert!(other.stdout.ends_with(&format!("sha256 {}\n", appdecl::PACKAGES_COMPONENT_SHA256)));
}

#[test]
fn a_component_that_can_not_be_written_is_a_run_that_failed() {
    let folder = folder(&[]);
    let run = run(folder.path(), ["component", "-o", "missing/appdecl.wasm"]);
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("missing/appdecl.wasm"), "{}", run.stderr);
}

#[test]
fn completions_know_the_verbs_of_the_command() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run(folder.path(), ["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("validate"), "{shell}");
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    let folder = folder(&[]);
    for arguments in [&["check"][..], &["frobnicate"], &["check", "x", "--format", "xml"], &[]] {
        assert_eq!(run(folder.path(), arguments).code, 2, "{arguments:?}");
    }
}
