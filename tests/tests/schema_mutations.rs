//! Good documents with one thing changed: what the readers accept the schemas accept, and what the readers refuse the
//! schemas refuse, as far as a schema can know it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where it can not go on")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use appdecl::facts::FactsFile;
use appdecl::facts::document::{Document, Syntax};
use appdecl::input::InputError;
use appdecl::suite::Suite;
use appdecl::{Gate, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

const MAX_BYTES: usize = 16 << 20;

/// Every suite of the conformance set.
fn suites() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &Path| {
        let document = Document::parse(&fs::read_to_string(path).unwrap(), Syntax::Yaml, MAX_BYTES).unwrap();
        serde_json::from_str(&document.root().to_json(MAX_BYTES, 200)).unwrap()
    };
    paths.iter().map(|path| read(path)).collect()
}

/// The different values of one key in all cases, and in the suites themselves.
fn all(key: &str) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let mut values = Vec::new();
    for suite in suites() {
        let cases = suite["cases"].as_array().cloned().unwrap_or_default();
        let each = cases.iter().chain([&suite]).filter_map(|around| around.get(key));
        values.extend(each.filter(|value| seen.insert(shape(value))).cloned());
    }
    values
}

/// What a document looks like without its texts and numbers: many cases differ in those alone.
fn shape(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let each = members.iter().map(|(key, value)| {
                let key = if key.contains(['/', '\\', '%', ' ']) { "*" } else { key };
                format!("{key}:{}", shape(value))
            });
            format!("{{{}}}", each.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(",")),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') => {
            text.clone()
        }
        Value::String(_) => "text".to_owned(),
        Value::Number(_) => "1".to_owned(),
        other => other.to_string(),
    }
}

/// The document with one thing changed, in every way.
fn mutations(document: &Value) -> Vec<Value> {
    let mut pointers = Vec::new();
    collect(document, String::new(), &mut pointers);
    let mut mutations = Vec::new();
    let mut push = |change: &dyn Fn(&mut Value)| {
        let mut changed = document.clone();
        change(&mut changed);
        if changed != *document {
            mutations.push(changed);
        }
    };
    let others = [
        json!(null),
        json!(true),
        json!(false),
        json!(7),
        json!(-1),
        json!(2.5),
        json!("zzz"),
        json!(""),
        json!([]),
        json!({}),
        json!(["zzz"]),
        json!([7]),
        json!([{}]),
        json!({ "zzz": 7 }),
    ];
    for pointer in &pointers {
        for other in &others {
            push(&|changed| *changed.pointer_mut(pointer).unwrap() = other.clone());
        }
        let Some(members) = document.pointer(pointer).and_then(Value::as_object) else { continue };
        push(&|changed| changed.pointer_mut(pointer).unwrap()["zzz"] = json!("zzz"));
        for key in members.keys() {
            let members = |changed: &mut Value| {
                changed.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key)
            };
            push(&|changed| {
                members(changed);
            });
            push(&|changed| {
                let value = members(changed).unwrap();
                changed.pointer_mut(pointer).unwrap()[format!("{key}x")] = value;
            });
        }
    }
    mutations
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                collect(value, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), pointers);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
    pointers.push(pointer);
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).map_err(|error| error.to_string()).unwrap()
}

/// Judges every mutation of the documents by the reader, which gives the messages of its faults, and by the schema.
fn judge(documents: &[Value], schema: &Value, faults: &dyn Fn(&Value) -> Vec<String>) -> usize {
    let schema = validator(schema);
    let mut judged = 0;
    let mut wrong = BTreeSet::new();
    for mutation in documents.iter().flat_map(mutations) {
        let faults = faults(&mutation);
        let is_good = schema.is_valid(&mutation);
        if faults.is_empty() && !is_good {
            let error = schema.validate(&mutation).unwrap_err();
            wrong.insert(format!("accepted, and refused by the schema ({error}): {mutation}"));
        }
        if is_good && let Some(fault) = faults.first() {
            wrong.insert(format!("refused ({fault}), and accepted by the schema: {mutation}"));
        }
        judged += 1;
    }
    let shown: Vec<_> = wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{} of {judged}: {shown:#?}", wrong.len());
    judged
}

#[test]
fn the_schema_of_declarations_follows_the_component() {
    let gate = Gate::new().unwrap();
    let good = |declaration: &Value| gate.diagnose(&declaration.to_string(), "").unwrap().is_empty();
    let documents: Vec<_> = all("declaration").into_iter().filter(good).collect();
    let faults = |declaration: &Value| {
        let faults = gate.diagnose(&declaration.to_string(), "").unwrap();
        faults.into_iter().map(|fault| format!("{}: {}", fault.code, fault.message)).collect()
    };
    let judged = judge(&documents, &schema::declaration(), &faults);
    assert!(judged > 5_000, "{judged}");
}

#[test]
fn the_schema_of_facts_follows_their_reader() {
    let judged = judge(&all("facts"), &schema::facts(), &facts_faults);
    assert!(judged > 5_000, "{judged}");
}

fn facts_faults(facts: &Value) -> Vec<String> {
    let document = Document::parse(&facts.to_string(), Syntax::Json, MAX_BYTES).unwrap();
    match FactsFile::parse(document.root()) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.into_iter().map(|fault| fault.message).collect(),
    }
}

#[test]
fn the_schema_of_suites_follows_their_reader() {
    let everything = json!({
        "suite": "s",
        "declaration": { "requires": { "app": false } },
        "server": "acme",
        "display_name": "Acme",
        "cases": [
            { "name": "a", "facts": { "os": "linux" }, "connected": true, "display_name": "A", "server": "b",
              "declaration_text": "{}",
              "expect": { "valid": true, "state": "available", "offerable": true, "version": "1", "path": null,
                "min_version": null, "reason": "not-found", "endpoint": { "url": "u", "token": "present" },
                "status": { "server": "b", "app": { "name": "A", "version": null, "path": "p", "min_version": "1" },
                  "state": "missing_app", "message": "present", "user_action": { "has": ["x"], "lacks": ["y"] },
                  "retry": "never_here" },
                "server_offered": { "b": true }, "skill_offered": [ { "requires_apps": ["b"], "offered": false } ] } },
            { "name": "b", "declaration": 7, "expect": { "invalid": [ { "code": "not-a-mapping", "pointer": "" } ] } },
            { "name": "c", "register": { "acme": {}, "other": {} }, "facts": { "os": "darwin" },
              "expect": { "reason": null, "status": null, "endpoint": { "unavailable": "missing" } } },
        ],
        "versions": [ { "found": "2", "minimum": "1", "at_least": true } ],
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.suite.json");
    let faults = |suite: &Value| {
        fs::write(&path, suite.to_string()).unwrap();
        match Suite::read(&path) {
            Ok(_) => Vec::new(),
            Err(InputError::Suite(findings)) => {
                findings.into_iter().map(|finding| finding.diagnostic.message).collect()
            }
            Err(other) => vec![other.to_string()],
        }
    };
    assert_eq!(faults(&everything), Vec::<String>::new());
    let judged = judge(&[everything], &schema::suite(), &faults);
    assert!(judged > 800, "{judged}");
}
