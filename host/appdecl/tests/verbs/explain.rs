//! `appdecl explain`: the way to an answer, and what words mean.

use std::fs;
use std::path::Path;

use appdecl::Gate;
use appdecl::facts::document::{Document, Syntax};
use appdecl::facts::{FactsFile, Replay};
use serde_json::{Value, json};

use crate::common::run;
use crate::{ACME, assert_has, folder, json as parsed};

const STUDIO: &str = "\
app:
  win32:
    presence: executable
    location:
      - '%STUDIO_HOME%\\studio.exe'
      - '%ProgramFiles%\\Studio*\\studio.exe'
      - { kind: command, name: studio }
    version: { kind: uninstall_registry, display_name_prefix: Studio }
    liveness: { kind: server_json, path: '%APPDATA%\\studio.json' }
requires: { app: true, min_version: '2.3.0' }
";

const MACHINE: &str = "\
os: win32
env: { ProgramFiles: 'C:\\Program Files', APPDATA: 'C:\\Users\\u\\AppData\\Roaming' }
files:
  'C:\\Program Files\\Studio 2\\studio.exe': file
  'C:\\Program Files\\Studio 3\\studio.exe': file
  'C:\\Users\\u\\AppData\\Roaming\\studio.json': { text: '{ \"pid\": 7, \"token\": \"s3cr3t\" }' }
registry:
  'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\A': { DisplayName: Studio, DisplayVersion: v2.1.0rc1, InstallLocation: { expand: '%ProgramFiles%\\Studio 2' } }
  'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\B': { DisplayName: Studio Plugin Pack, DisplayVersion: '9.1' }
  'HKCU\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\C': { DisplayName: Studio, DisplayVersion: v2.4.0-beta7, InstallLocation: 'C:\\Program Files\\Studio 3' }
  'HKCU\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\D': { DisplayName: Studio, DisplayVersion: '8', SystemComponent: { dword: 1 }, InstallLocation: 'C:\\Program Files\\Studio 3' }
processes: { 7: {} }
";

/// The tree of the studio with changes to the machine, as text and as JSON.
fn explained(declaration: &str, machine: &str, arguments: &[&str]) -> (String, Value) {
    let folder = folder(&[("studio.yaml", declaration), ("facts.yaml", machine)]);
    let explain = |more: &[&str]| {
        let run = run(
            folder.path(),
            [&["explain", "studio.yaml", "--server", "studio", "--facts", "facts.yaml"], arguments, more]
                .concat(),
        );
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        run.stdout
    };
    (explain(&[]), parsed(&explain(&["--format", "json"])))
}

/// All steps of a kind, in the order of the tree.
fn steps<'t>(tree: &'t Value, kind: &str) -> Vec<&'t Value> {
    let mut found = Vec::new();
    for step in tree["steps"].as_array().into_iter().flatten() {
        if step["step"] == kind {
            found.push(step);
        }
        found.extend(steps(step, kind));
    }
    found
}

#[test]
fn the_steps_stand_in_the_order_in_which_they_happened() {
    let (text, _) = explained(STUDIO, MACHINE, &[]);
    let mut rest = text.as_str();
    for part in [
        "studio, asked by a caller that is not connected\n",
        "  availability  state: available, decided by: 1, version: v2.4.0-beta7, min version: 2.3.0, path: C:\\Program Files\\Studio 3\\studio.exe\n",
        "asked environment.os -> win32\n",
        "place  index: 0, kind: path, written: %STUDIO_HOME%\\studio.exe",
        " -> variable-unset\n",
        "asked environment.variable STUDIO_HOME -> absent\n",
        "place  index: 1, kind: path, written: %ProgramFiles%\\Studio*\\studio.exe, paths: C:\\Program Files\\Studio*\\studio.exe -> found\n",
        "asked environment.variable ProgramFiles -> C:\\Program Files\n",
        "asked filesystem.list C:\\Program Files -> ",
        "pattern  pattern: Studio*, matches: Studio 3 | Studio 2\n",
        "asked filesystem.stat C:\\Program Files\\Studio 3\\studio.exe -> file\n",
        "version  of: C:\\Program Files\\Studio 3\\studio.exe, found: v2.4.0-beta7, as compared: 2.4.0\n",
        "compared  found: 2.4.0, minimum: 2.3.0, at least: true\n",
        "place  index: 2, kind: command, written: studio -> not asked\n",
        "endpoint  unavailable: bad-url\n",
        "asked runtime-file.read C:\\Users\\u\\AppData\\Roaming\\studio.json -> ",
        "asked process.status 7 -> running",
        "check  check: pid -> good\n",
        "check  check: url -> bad-url\n",
        "check  check: token -> not asked\n",
        "status  state: endpoint_unavailable",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("`{part}` is not in its place:\n{text}"));
        rest = &rest[at + part.len()..];
    }
    assert!(!text.contains("s3cr3t"), "{text}");
}

#[test]
fn entries_say_how_they_ranked_and_why_one_counts() {
    let (_, tree) = explained(STUDIO, MACHINE, &[]);
    let outcome = |key: &str| {
        let ranks = steps(&tree, "rank");
        ranks.into_iter().find(|step| step["key"] == key).unwrap()["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome("A"), "left out, its place holds another copy");
    assert_eq!(outcome("B"), "behind by its name");
    assert_eq!(outcome("C"), "counts");
    assert_eq!(outcome("D"), "behind since it is hidden");
    let entries = steps(&tree, "uninstall-entry");
    assert_eq!(entries.len(), 4);
    assert_eq!(entries[0]["install_location"], "C:\\Program Files\\Studio 2");
    assert_eq!(
        (&entries[0]["display_version"], &entries[0]["as_compared"]),
        (&"v2.1.0rc1".into(), &"2.1.0".into())
    );
    // The variable in the entry's own text, with its value.
    assert_eq!(entries[0]["steps"][0]["about"], "ProgramFiles");
}

#[test]
fn entries_as_places_say_in_which_order_they_are_tried_and_why() {
    let declaration = "\
app:
  win32:
    presence: executable
    location: [ { kind: uninstall_registry, display_name_prefix: Studio, file: studio.exe } ]
requires: { app: true }
";
    let (_, tree) = explained(declaration, MACHINE, &[]);
    let ranks = steps(&tree, "rank");
    let order: Vec<_> =
        ranks.iter().map(|step| (step["key"].as_str().unwrap(), step["outcome"].as_str().unwrap())).collect();
    assert_eq!(
        order,
        [
            ("C", "first"),
            ("A", "behind by its version, or by its key where that is the same"),
            ("D", "behind since it is hidden"),
            ("B", "behind by its name"),
        ]
    );
}

#[test]
fn every_copy_that_is_not_good_is_compared_and_the_reason_is_told() {
    let old = STUDIO.replace("2.3.0", "10");
    let (text, tree) = explained(&old, MACHINE, &[]);
    assert_eq!(tree["steps"][0]["state"], "version_too_old");
    assert_eq!(tree["steps"][0]["reason"], "version-below-minimum");
    let compared: Vec<_> = steps(&tree, "compared").iter().map(|step| step["at_least"].clone()).collect();
    assert_eq!(compared, [Value::Bool(false), Value::Bool(false)]);
    assert_has(
        &text,
        &["-> version-not-good\n", "liveness  why: the application is not offered -> not asked\n"],
    );
}

#[test]
fn the_place_that_gave_the_reason_is_named() {
    let machine = "os: win32\nenv: { ProgramFiles: 'C:\\Program Files', PATH: 'C:\\bin' }\nfiles: { 'C:\\bin': { error: denied } }\n";
    let (_, tree) = explained(STUDIO, machine, &[]);
    let availability = &tree["steps"][0];
    assert_eq!((&availability["reason"], &availability["decided_by"]), (&"access-denied".into(), &2.into()));
    let outcomes: Vec<_> = steps(&tree, "place").iter().map(|place| place["outcome"].clone()).collect();
    assert_eq!(outcomes, ["variable-unset", "not-found", "access-denied"]);
}

#[test]
fn a_caller_that_is_connected_needs_no_runtime_file_and_is_told_so() {
    let (text, tree) = explained(STUDIO, MACHINE, &["--connected"]);
    assert_has(
        &text,
        &["asked by a caller that is connected", "liveness  why: the caller is connected -> not asked\n"],
    );
    assert!(steps(&tree, "endpoint").is_empty());
}

#[test]
fn a_session_is_shown_as_it_was_told() {
    let declaration = "requires: {}\nliveness: { kind: interactive_session }\n";
    let machine = "os: linux\nsession: { audit_session: 4294967295, runtime_dir: readable }\n";
    let (text, _) = explained(declaration, machine, &[]);
    assert_has(
        &text,
        &[
            "session  interactive: false\n",
            "asked session.current -> audit session 4294967295, runtime folder readable\n",
        ],
    );
}

#[test]
fn no_step_says_a_thing_twice() {
    // Several copies at one place are each read and compared.
    let declaration = json!({
        "app": { "win32": {
            "presence": "executable",
            "location": "%ProgramFiles%\\Studio*\\studio.exe",
            "version": { "kind": "uninstall_registry", "display_name_prefix": "Studio" },
        } },
        "requires": { "app": true, "min_version": "10" },
    });
    let machine = Document::parse(MACHINE, Syntax::Yaml, 1 << 20).unwrap();
    let gate = Gate::builder().facts(Replay::new(FactsFile::parse(machine.root()).unwrap())).build().unwrap();
    gate.register("studio", &declaration.to_string(), "", None).unwrap();
    let explained = gate.explain("studio", false).unwrap().unwrap();
    let explained = Document::parse(&explained, Syntax::Json, 1 << 20).unwrap();
    let mut steps = 0;
    let mut open = vec![explained.root()];
    while let Some(node) = open.pop() {
        if let Some(mapping) = node.as_mapping() {
            let repeated: Vec<_> = mapping.repeated().iter().map(|member| member.key.to_owned()).collect();
            assert_eq!(repeated, Vec::<String>::new());
            steps += usize::from(mapping.get("step").is_some());
            open.extend(mapping.members().map(|member| member.value));
        } else if let Some(list) = node.as_list() {
            open.extend(list.items());
        }
    }
    assert!(steps > 20, "{steps}");
}

#[test]
fn text_of_strangers_is_shown_safely() {
    let machine = MACHINE.replace("'9.1'", "\"\\e[2J\\u202e9\"");
    let folder = folder(&[("studio.yaml", STUDIO), ("facts.yaml", &machine)]);
    for format in ["text", "json"] {
        let run = run(folder.path(), ["explain", "studio.yaml", "--facts", "facts.yaml", "--format", format]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
        assert!(format == "json" || !run.stdout.contains('\u{202e}'), "{}", run.stdout);
    }
}

#[test]
fn a_word_is_explained_with_an_example_and_what_to_do() {
    let folder = folder(&[]);
    for word in ["path-not-rooted", "missing_app", "version-unreadable", "pid-reused", "not_connected"] {
        let text = run(folder.path(), ["explain", word]);
        assert_eq!(text.code, 0, "{word}: {}", text.stderr);
        assert_has(&text.stdout, &["Example: ", "What to do: "]);
        let program = parsed(&run(folder.path(), ["explain", word, "--format", "json"]).stdout);
        assert_eq!((&program["word"], &program["text"]), (&word.into(), &text.stdout.as_str().into()));
    }
}

#[test]
fn every_word_of_the_page_is_explained_by_the_text_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let page = fs::read_to_string(page).unwrap();
    let folder = folder(&[]);
    let words: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert!(words.len() > 100, "{words:?}");
    for word in words {
        let explained = run(folder.path(), ["explain", word]);
        assert_eq!(explained.code, 0, "{word}: {}", explained.stderr);
        assert!(
            page.contains(&format!("### `{word}`\n\n{}", explained.stdout)),
            "{word}: {}",
            explained.stdout
        );
        assert!(!explained.stdout.contains("\n#"), "{word}: {}", explained.stdout);
    }
}

#[test]
fn what_is_neither_a_path_nor_a_word_is_refused() {
    let run = run(folder(&[]).path(), ["explain", "path-not-root"]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["`path-not-root` does not exist", "no word either", "path-not-rooted"]);
}

#[test]
fn a_server_must_be_named_where_there_are_several() {
    let both = "servers: { a: {}, b: {} }\n";
    let folder = folder(&[("both.yaml", both), ("acme.yaml", ACME)]);
    let several = run(folder.path(), ["explain", "both.yaml"]);
    assert_eq!(several.code, 2);
    assert_has(&several.stderr, &["--server", "`a`, `b`"]);
    let stranger = run(folder.path(), ["explain", "acme.yaml", "--server", "other"]);
    assert_eq!(stranger.code, 2);
    assert_has(&stranger.stderr, &["`other`"]);
}
