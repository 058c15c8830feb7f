//! Runtime files that hold a secret where it must not get out: nothing that the command or the library says carries any of
//! it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use appdecl::facts::{FactsFile, HostFacts, Naming, Recorder, Replay};
use appdecl::{Error, Gate, Redactor};
use serde_json::{Map, json};

use crate::application::TOKEN;
use crate::commands::appdecl;

/// What the applications write, by the names of their servers. `T` stands for the secret.
const HOSTILE: [(&str, &str); 19] = [
    ("good", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "token": "T"}"#),
    ("stopped", r#"{"pid": 9999, "http": "http://127.0.0.1:51234", "token": "T"}"#),
    ("cut-off", r#"{"pid": 4242, "token": "T", "http": "http://127.0.0.1:51"#),
    ("more-behind", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "token": "T"} T"#),
    ("only-the-token", "T"),
    ("a-string", r#""T""#),
    ("twice", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "token": "T", "token": "T"}"#),
    ("in-the-path", r#"{"pid": 4242, "http": "http://127.0.0.1:51234/T?token=T#T", "token": "T"}"#),
    ("user-info", r#"{"pid": 4242, "http": "http://T@127.0.0.1:51234"}"#),
    ("as-host", r#"{"pid": 4242, "http": "http://T:51234"}"#),
    ("as-port", r#"{"pid": 4242, "http": "http://127.0.0.1:T"}"#),
    ("as-scheme", r#"{"pid": 4242, "http": "T://127.0.0.1:51234"}"#),
    (
        "another-key",
        r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "secret": "T", "nested": {"a": ["T"]}}"#,
    ),
    ("as-key", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "T": "x"}"#),
    ("as-pid", r#"{"pid": "T", "http": "http://127.0.0.1:51234"}"#),
    ("as-url", r#"{"pid": 4242, "http": "T"}"#),
    ("in-a-list", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "token": ["T"]}"#),
    ("with-a-blank", r#"{"pid": 4242, "http": "http://127.0.0.1:51234", "token": "T T"}"#),
    ("not-json", "token = T"),
];

struct World {
    _folder: tempfile::TempDir,
    declared: PathBuf,
    facts: PathBuf,
    facts_text: String,
    declarations: Vec<(&'static str, String)>,
    /// A package that declares the same.
    package: PathBuf,
}

/// A machine on paper with all of these applications, and the declarations of their servers.
fn world() -> World {
    let mut files = Map::new();
    let mut servers = Map::new();
    for (server, content) in HOSTILE {
        let path = format!("/run/{server}.json");
        files.insert(path.clone(), json!({ "text": content.replace('T', TOKEN) }));
        servers.insert(
            server.to_owned(),
            json!({ "requires": {}, "liveness": { "kind": "server_json", "path": path } }),
        );
    }
    let facts_text =
        json!({ "os": "linux", "home": "/home/u", "files": files, "processes": { "4242": {} } }).to_string();
    let folder = tempfile::tempdir().unwrap();
    let facts = folder.path().join("facts.json");
    fs::write(&facts, &facts_text).unwrap();
    let declarations = HOSTILE.map(|(server, _)| (server, servers.get(server).unwrap().to_string())).to_vec();
    let declared = folder.path().join("servers.json");
    fs::write(&declared, json!({ "servers": servers }).to_string()).unwrap();
    let package = folder.path().join("package");
    fs::create_dir(&package).unwrap();
    let schema = |of: &str| format!("https://agent-plugins.org/schemas/1.0.0/{of}.schema.json");
    let commands: Map<_, _> =
        servers.keys().map(|name| (name.clone(), json!({ "type": "stdio", "command": "serve" }))).collect();
    let listed = json!({ "$schema": schema("mcp"), "mcpServers": commands });
    fs::write(package.join("mcp.json"), listed.to_string()).unwrap();
    let extensions = json!({ "com.nousresearch.hermes": { "servers": servers } });
    let manifest = json!({ "$schema": schema("plugin"), "name": "acme", "extensions": extensions });
    fs::write(package.join("plugin.json"), manifest.to_string()).unwrap();
    World { _folder: folder, declared, facts, facts_text, declarations, package }
}

/// Neither the secret nor any four characters of it in a row.
#[track_caller]
fn assert_clean(text: &str, what: &str) {
    for slice in TOKEN.as_bytes().windows(4) {
        let slice = std::str::from_utf8(slice).unwrap();
        assert!(!text.contains(slice), "{what} lets `{slice}` out:\n{text}");
    }
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = appdecl().args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code(), said)
}

#[test]
fn no_verb_lets_any_part_of_a_token_out() {
    let world = world();
    let (path, facts) = (world.declared.to_str().unwrap(), world.facts.to_str().unwrap());
    let recording = world.facts.with_file_name("recording.yaml");
    let recording = recording.to_str().unwrap();
    let asking: Vec<(&str, Vec<&str>)> = vec![
        ("check", vec![]),
        ("check", vec!["--not-connected"]),
        ("check", vec!["--not-connected", "--format", "json"]),
        ("status", vec!["--not-connected"]),
        ("status", vec!["--not-connected", "--format", "json"]),
        ("status", vec!["--not-connected", "--format", "listing"]),
        ("watch", vec!["--once"]),
        ("watch", vec!["--once", "--format", "json"]),
        ("explain", vec![]),
        ("explain", vec!["--not-connected"]),
        ("explain", vec!["--format", "json"]),
        ("record", vec!["-o", recording]),
    ];
    let verbs = verbs();
    for (verb, more) in asking.iter().filter(|(verb, _)| verbs.contains(*verb)) {
        let arguments = [&[*verb, path, "--facts", facts], more.as_slice()].concat();
        assert_clean(&run(&arguments).1, &arguments.join(" "));
    }
    let package = world.package.to_str().unwrap();
    let into = world.facts.with_file_name("plugins");
    fs::create_dir(&into).unwrap();
    let install = ["install", package, "--facts", facts, "--into", into.to_str().unwrap()];
    for arguments in [&["check", package, "--facts", facts, "--not-connected"][..], &install] {
        let (code, said) = run(arguments);
        assert!(matches!(code, Some(0 | 1)), "{said}");
        assert_clean(&said, &arguments.join(" "));
    }
    if let Ok(recorded) = fs::read_to_string(recording) {
        assert_clean(&recorded, "the recording");
    }
    for (server, _) in &world.declarations {
        for format in ["text", "json"] {
            let arguments = ["endpoint", path, "--facts", facts, "--server", server, "--format", format];
            let (code, said) = run(&arguments);
            assert_clean(&said, &arguments.join(" "));
            assert!(matches!(code, Some(0 | 1)), "{server}: {said}");
        }
    }
}

/// A verb that is new must be told here: does it ask a machine?
#[test]
fn every_verb_is_known_to_these_tests() {
    let ask_a_machine = ["check", "endpoint", "explain", "install", "record", "status", "watch"];
    let ask_none = [
        "completions",
        "component",
        "help",
        "list",
        "new",
        "prepare",
        "schema",
        "test",
        "uninstall",
        "validate",
        "wit",
    ];
    let known: BTreeSet<String> =
        ask_a_machine.iter().chain(&ask_none).map(|verb| (*verb).to_owned()).collect();
    let unknown: Vec<_> = verbs().difference(&known).cloned().collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

fn verbs() -> BTreeSet<String> {
    let (_, help) = run(&["--help"]);
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What a verb does may take several lines, which begin further to the right.
    let verbs: BTreeSet<String> = commands
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(verbs.contains("endpoint"), "{help}");
    verbs
}

#[test]
fn the_token_is_shown_where_it_was_asked_for() {
    let world = world();
    let (path, facts) = (world.declared.to_str().unwrap(), world.facts.to_str().unwrap());
    let (_, said) = run(&["endpoint", path, "--facts", facts, "--server", "good", "--reveal-token"]);
    assert_eq!(said, format!("url http://127.0.0.1:51234/mcp\ntoken {TOKEN}\n"));
    let (_, said) = run(&["endpoint", path, "--facts", facts, "--server", "as-url", "--reveal-token"]);
    assert_clean(&said, "a token that is none");
}

#[test]
fn no_answer_of_a_gate_carries_any_part_of_a_token_but_reveal() {
    let world = world();
    let gate =
        Gate::builder().facts(replay(&world.facts_text)).redactor(Arc::new(Redactor::new())).build().unwrap();
    let mut tokens = Vec::new();
    for (server, declaration) in &world.declarations {
        gate.register(server, declaration, "leaks", None).unwrap();
        for connected in [true, false] {
            assert_clean(&gate.explain(server, connected).unwrap().unwrap(), "explain");
            assert_clean(&format!("{:?}", gate.status(server, connected).unwrap()), "status");
            assert_clean(&format!("{:?}", gate.listing(server, 1, connected).unwrap()), "listing");
        }
        assert_clean(&format!("{:?}", gate.availability(server).unwrap()), "availability");
        match gate.endpoint(server) {
            Ok(endpoint) => {
                assert_clean(&format!("{endpoint:?}"), "Debug");
                assert_clean(&serde_json::to_string(&endpoint).unwrap(), "JSON");
                assert_eq!(endpoint.url, "http://127.0.0.1:51234/mcp", "{server}");
                if let Some(token) = endpoint.token {
                    assert_eq!(token.reveal(), TOKEN);
                    tokens.push(*server);
                }
            }
            Err(error @ Error::EndpointUnavailable { .. }) => {
                assert_clean(&format!("{error} {error:?}"), "the error")
            }
            Err(error) => panic!("{server}: {error}"),
        }
    }
    assert_eq!(tokens, ["good", "in-the-path"]);
}

#[test]
fn no_recording_holds_any_part_of_a_token() {
    let world = world();
    let recorder = Recorder::new(replay(&world.facts_text)).unwrap();
    for (server, _) in &world.declarations {
        assert!(recorder.runtime_file(&format!("/run/{server}.json")).is_ok());
    }
    for naming in [Naming::Hidden, Naming::Kept] {
        let recorded = recorder.facts_file(naming);
        assert_clean(&recorded, "the recording");
        assert!(recorded.contains("/run/in-the-path.json"), "{recorded}");
    }
}

fn replay(text: &str) -> Replay {
    use appdecl::facts::document::{Document, Syntax};
    let document = Document::parse(text, Syntax::of_name("facts.json"), text.len()).unwrap();
    Replay::new(FactsFile::parse(document.root()).unwrap())
}
