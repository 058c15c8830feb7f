//! The schemas against everything that is good, and against what the readers refuse.
#![expect(clippy::unwrap_used, reason = "a test ends where it can not go on")]

use std::fs;
use std::path::{Path, PathBuf};

use appdecl::facts::document::{Document, Syntax};
use appdecl::schema;
use jsonschema::Validator;
use serde_json::Value;

fn suites() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn value(text: &str) -> Value {
    let document = Document::parse(text, Syntax::Yaml, 64 << 20).unwrap();
    serde_json::from_str(&document.root().to_json(64 << 20, 200)).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).map_err(|error| error.to_string()).unwrap();
    jsonschema::draft202012::new(schema).map_err(|error| error.to_string()).unwrap()
}

#[test]
fn every_suite_is_good_by_its_schema_and_so_are_its_facts_and_good_declarations() {
    let (suite, facts, declaration) =
        (validator(&schema::suite()), validator(&schema::facts()), validator(&schema::declaration()));
    let mut judged = [0, 0];
    for path in suites() {
        let read = value(&fs::read_to_string(&path).unwrap());
        let error = suite.validate(&read).map_err(|error| format!("{error} at {}", error.instance_path()));
        assert_eq!(error, Ok(()), "{}", path.display());
        for case in read["cases"].as_array().into_iter().flatten() {
            if let Some(machine) = case.get("facts") {
                assert!(facts.is_valid(machine), "{}: {}", path.display(), case["name"]);
                judged[0] += 1;
            }
            let own = case.get("declaration").or(read.get("declaration"));
            if let Some(own) = own.filter(|_| case["expect"].get("invalid").is_none()) {
                assert!(declaration.is_valid(own), "{}: {}", path.display(), case["name"]);
                judged[1] += 1;
            }
        }
    }
    assert!(judged[0] > 100 && judged[1] > 100, "{judged:?}");
}

#[test]
fn faults_of_shape_are_faults_by_the_schema_of_declarations() {
    // Of these codes a schema can know: keys, types, words and what must be there.
    const SHAPE: [&str; 10] = [
        "not-a-mapping",
        "wrong-type",
        "unknown-os",
        "no-os",
        "unknown-key",
        "missing-field",
        "unknown-value",
        "wrong-os",
        "bad-key-name",
        "bad-version",
    ];
    let declaration = validator(&schema::declaration());
    let mut refused = 0;
    for path in suites() {
        let read = value(&fs::read_to_string(&path).unwrap());
        for case in read["cases"].as_array().into_iter().flatten() {
            let code = case["expect"]["invalid"][0]["code"].as_str().unwrap_or_default();
            if let Some(own) = case.get("declaration").filter(|_| SHAPE.contains(&code)) {
                assert!(!declaration.is_valid(own), "{}: {}", path.display(), case["name"]);
                refused += 1;
            }
        }
    }
    assert!(refused > 30, "{refused}");
}

#[test]
fn what_the_reader_of_suites_refuses_is_refused_by_the_schema_where_it_can_know() {
    let suite = validator(&schema::suite());
    let good = "suite: s\ndeclaration: {}\ncases: [ { name: a, facts: { os: linux }, expect: { state: missing_app } } ]";
    assert!(suite.is_valid(&value(good)));
    for (from, to) in [
        ("suite: s", "suit: s"),
        ("name: a", "name: ''"),
        ("name: a, ", ""),
        ("os: linux", "os: ubuntu"),
        ("os: linux", "os: linux, file: {}"),
        ("os: linux", "facts: 2, os: linux"),
        ("state: missing_app", "state: missing"),
        ("state: missing_app", "stat: missing_app"),
        ("{ state: missing_app }", "{}"),
        ("state: missing_app", "version: 2.3"),
        ("state: missing_app", "valid: false"),
        ("state: missing_app", "invalid: []"),
        ("state: missing_app", "endpoint: { unavailable: gone }"),
        ("state: missing_app", "endpoint: { unavailable: missing, url: x }"),
        ("cases: [ {", "cases: [], cases2: [ {"),
    ] {
        let mutated = good.replacen(from, to, 1);
        assert_ne!(mutated, good);
        assert!(!suite.is_valid(&value(&mutated.replace(", cases2", "\ncases2"))), "{mutated}");
    }
}

/// The blocks of YAML in a page.
fn blocks(page: &str) -> Vec<Value> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let page = fs::read_to_string(page).unwrap();
    page.split("```yaml\n").skip(1).map(|rest| value(rest.split("```").next().unwrap())).collect()
}

#[test]
fn examples_and_pages_are_good_by_their_schemas() {
    let facts = validator(&schema::facts());
    let machines = blocks("facts.md");
    assert!(machines.iter().any(|machine| machine["recorded"] == true), "a recording is among them");
    for machine in machines {
        let error = facts.validate(&machine).map_err(|error| format!("{error} at {}", error.instance_path()));
        assert_eq!(error, Ok(()), "{machine}");
    }
    assert!(validator(&schema::suite()).is_valid(&blocks("suites.md")[0]));
    let declaration = validator(&schema::declaration());
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let declared = appdecl::input::read(&examples.join("blender")).unwrap().declared;
    assert!(!declared.is_empty());
    for declared in declared {
        assert!(declaration.is_valid(&value(&declared.declaration)), "{}", declared.server);
    }
}
