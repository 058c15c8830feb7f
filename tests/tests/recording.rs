//! Every machine of the conformance suites, recorded while it is asked and replayed from the recording alone.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where it can not go on"
)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use appdecl::facts::document::{Document, Node, Syntax};
use appdecl::facts::{FactsFile, HostFacts, Naming, Recorder, Replay};
use appdecl::{Error, Gate, Redact};

const MAX_BYTES: usize = 16 << 20;

/// A case as far as it asks a machine.
struct Asking {
    name: String,
    /// The server whom questions speak of.
    server: String,
    /// The servers with their declarations as JSON text.
    declared: Vec<(String, String)>,
}

#[test]
fn every_case_that_is_recorded_and_replayed_gives_the_same_answer_byte_for_byte() {
    let mut recorded = 0;
    for (asking, machine) in cases() {
        let (kept, answers) = record(&asking, machine, Naming::Kept);
        let (_, replayed) = record(&asking, replay(&kept), Naming::Kept);
        assert_eq!(replayed, answers, "{}:\n{kept}", asking.name);
        recorded += 1;
    }
    assert!(recorded > 250, "{recorded}");
}

#[test]
fn a_recording_that_hides_the_user_differs_in_names_alone() {
    let mut recorded = 0;
    for (asking, machine) in cases() {
        let home = home(&machine);
        let (hidden, answers) = record(&asking, machine, Naming::Hidden);
        let (_, replayed) = record(&asking, replay(&hidden), Naming::Hidden);
        if home.is_none_or(|home| ["/home/u", "/Users/u", r"C:\Users\u"].contains(&home.as_str())) {
            assert_eq!(replayed, answers, "{}:\n{hidden}", asking.name);
            recorded += 1;
        } else {
            // Everybody's answer but for the name.
            assert_eq!(states(&replayed), states(&answers), "{}:\n{hidden}", asking.name);
        }
    }
    assert!(recorded > 200, "{recorded}");
}

#[test]
fn a_question_that_a_recording_lacks_is_named_and_never_absent() {
    let empty = "facts: 1\nrecorded: true\nos: linux\n";
    let declaration = r#"{ "app": { "linux": { "presence": "executable", "location": "$ACME_HOME/acme" } }, "requires": { "app": true } }"#;
    let gate = Gate::builder().facts(replay(empty)).build().unwrap();
    gate.register("acme", declaration, "", None).unwrap();
    let Err(Error::Unanswerable(question)) = gate.availability("acme") else { panic!("it was answered") };
    assert!(question.contains("ACME_HOME"), "{question}");
}

fn home(machine: &Replay) -> Option<String> {
    let name = match machine.os().unwrap() {
        appdecl::facts::Os::Win32 => "USERPROFILE",
        _ => "HOME",
    };
    machine.variable(name).ok()
}

/// Asks everything of a machine, and gives the recording with the answers.
fn record(asking: &Asking, machine: Replay, naming: Naming) -> (String, String) {
    let mut recorder = Recorder::new(machine).unwrap();
    for (_, declaration) in &asking.declared {
        recorder = recorder.with_declaration(declaration.clone());
    }
    let recorder = Arc::new(recorder);
    let gate = Gate::builder().facts(Arc::clone(&recorder)).redactor(Arc::new(Taking)).build().unwrap();
    for (server, declaration) in &asking.declared {
        gate.register(server, declaration, "", None).unwrap();
    }
    let answers = answers(&gate, asking);
    (recorder.facts_file(naming), answers)
}

/// Everything that the gate says, a line for each answer.
fn answers(gate: &Gate, asking: &Asking) -> String {
    let mut answers = String::new();
    let mut say = |answer: serde_json::Value| answers.push_str(&format!("{answer}\n"));
    let servers = asking.declared.iter().map(|(server, _)| server).chain([&asking.server]);
    for server in servers {
        say(serde_json::to_value(gate.availability(server).unwrap()).unwrap());
        for connected in [false, true] {
            say(serde_json::to_value(gate.status(server, connected).unwrap()).unwrap());
            say(gate.server_offered(server, connected).into());
        }
        say(match gate.endpoint(server) {
            Ok(endpoint) => serde_json::to_value(endpoint).unwrap(),
            Err(Error::EndpointUnavailable { reason }) => reason.into(),
            Err(error) => panic!("{}: {error}", asking.name),
        });
        say(gate.skill_offered(&[server]).unwrap().offered.into());
    }
    answers
}

/// The states and reasons in answers.
fn states(answers: &str) -> Vec<String> {
    let each = answers.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    each.map(|answer| format!("{} {} {}", answer["state"], answer["reason"], answer["retry"])).collect()
}

/// Takes every token: whether there is one is part of the answer.
struct Taking;

impl Redact for Taking {
    fn redact(&self, _: &str) -> bool {
        true
    }
}

fn replay(text: &str) -> Replay {
    let document = Document::parse(text, Syntax::Yaml, MAX_BYTES).unwrap();
    Replay::new(FactsFile::parse(document.root()).unwrap())
}

/// Every case of every suite that asks a machine and has a good declaration.
fn cases() -> Vec<(Asking, Replay)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    paths.sort();
    paths.iter().flat_map(|path| cases_of(path)).collect()
}

fn cases_of(path: &Path) -> Vec<(Asking, Replay)> {
    let document = Document::parse(&fs::read_to_string(path).unwrap(), Syntax::Yaml, MAX_BYTES).unwrap();
    let root = document.root();
    let list = root.get("cases").and_then(|member| member.value.as_list());
    let each = list.into_iter().flat_map(|list| list.items());
    each.filter_map(|case| asking(path, root, case)).collect()
}

fn asking(path: &Path, suite: Node<'_>, case: Node<'_>) -> Option<(Asking, Replay)> {
    let text = |key| Some(case.get(key)?.value.as_text()?.to_owned());
    let machine = Replay::new(FactsFile::parse(case.get("facts")?.value).unwrap());
    let server = text("server").unwrap_or_else(|| "server".to_owned());
    let mut declared = Vec::new();
    if let Some(registered) = case.get("register") {
        let members = registered.value.as_mapping().unwrap().members();
        declared.extend(members.map(|member| (member.key.to_owned(), member.value.to_json(MAX_BYTES, 256))));
    } else if let Some(text) = text("declaration_text") {
        declared.push((server.clone(), text));
    } else {
        let own = case.get("declaration").or_else(|| suite.get("declaration")).unwrap();
        declared.push((server.clone(), own.value.to_json(MAX_BYTES, 256)));
    }
    let name = format!("{}: {}", path.display(), text("name").unwrap());
    let is_invalid = case.get("expect")?.value.get("invalid").is_some();
    (!is_invalid).then_some((Asking { name, server, declared }, machine))
}
