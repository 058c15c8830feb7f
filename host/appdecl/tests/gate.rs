//! The gate: registrations, answers, and what a failed call leaves behind.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use appdecl::facts::Failure;
use appdecl::{Change, Error, Gate, Limit, Limits, Redact, State};
use common::{ACME, FAULTY, Scripted, absent, paper, program};
use serde_json::json;

const WITH_ACME: &str = "{ os: linux, files: { /opt/acme: executable } }";
const WITHOUT_ACME: &str = "{ os: linux, files: {} }";

fn gate(facts: &str) -> Gate {
    Gate::builder().facts(paper(facts)).build().unwrap()
}

/// Host facts that count how often they are asked about a path.
fn counted(gate: appdecl::GateBuilder) -> (Gate, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let facts = Scripted(move |_: &str| {
        count.fetch_add(1, Ordering::Relaxed);
        program()
    });
    (gate.facts(facts).build().unwrap(), asked)
}

#[test]
fn an_availability_is_serialised_with_the_keys_of_the_specification() {
    let gate = gate(WITH_ACME);
    let availability = gate.evaluate(ACME, "acme.json").unwrap();
    assert_eq!(
        serde_json::to_value(availability).unwrap(),
        json!({
            "state": "available", "version": null, "path": "/opt/acme", "min_version": null, "offerable": true,
            "reason": null,
        })
    );
}

#[test]
fn a_status_is_serialised_with_the_keys_of_the_specification() {
    let gate = gate(WITHOUT_ACME);
    gate.register("acme", ACME, "acme.json", Some("Acme Studio")).unwrap();
    let mut status = serde_json::to_value(gate.status("acme", true).unwrap()).unwrap();
    assert!(status["message"].take().as_str().unwrap().contains("Acme Studio"));
    assert!(!status["user_action"].take().as_str().unwrap().is_empty());
    assert_eq!(
        status,
        json!({
            "server": "acme",
            "app": { "name": "Acme Studio", "version": null, "path": "/opt/acme", "min_version": null },
            "state": "missing_app", "message": null, "user_action": null, "retry": "after_user_action",
        })
    );
}

#[test]
fn an_invalid_declaration_is_refused_with_all_faults_and_leaves_the_old_one() {
    let gate = gate(WITH_ACME);
    gate.register("acme", ACME, "old.json", None).unwrap();
    let Err(Error::Invalid(faults)) = gate.register("acme", FAULTY, "new.json", None) else {
        panic!("accepted")
    };
    assert_eq!(faults.iter().map(|fault| fault.code.as_str()).collect::<Vec<_>>(), ["path-not-rooted"]);
    assert!(faults[0].message.starts_with("new.json"), "{}", faults[0].message);
    assert_eq!(gate.lookup("acme").unwrap().unwrap().declaration, ACME);
}

#[test]
fn a_clone_is_the_same_gate() {
    let gate = gate(WITH_ACME);
    gate.clone().register("acme", ACME, "acme.json", None).unwrap();
    assert_eq!(gate.servers().unwrap(), ["acme"]);
}

#[test]
fn the_process_has_one_shared_gate() {
    Gate::shared().unwrap().register("shared-acme", ACME, "acme.json", None).unwrap();
    assert!(Gate::shared().unwrap().lookup("shared-acme").unwrap().is_some());
}

#[test]
fn the_skill_gate_names_the_application_that_hides_a_skill() {
    let gate = gate(WITH_ACME);
    gate.register("acme", ACME, "acme.json", None).unwrap();
    assert!(gate.skill_offered(&["acme"]).unwrap().offered);
    let decision = gate.skill_offered(&["acme", "unknown"]).unwrap();
    assert_eq!((decision.offered, decision.decided_by.as_deref()), (false, Some("unknown")));
}

#[test]
fn a_question_without_an_answer_ends_that_call_alone() {
    let broken = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&broken);
    let facts = Scripted(move |path: &str| {
        if switch.load(Ordering::Relaxed) {
            return Err(Failure::Unanswerable(format!("the recording does not hold {path}")));
        }
        program()
    });
    let gate = Gate::builder().facts(facts).build().unwrap();
    gate.register("acme", ACME, "acme.json", Some("Acme")).unwrap();
    gate.register("other", ACME, "other.json", None).unwrap();

    let Err(Error::Unanswerable(question)) = gate.availability("acme") else { panic!("answered") };
    assert_eq!(question, "the recording does not hold /opt/acme");
    assert!(!gate.server_offered("acme", true));

    broken.store(false, Ordering::Relaxed);
    assert_eq!(gate.servers().unwrap(), ["acme", "other"]);
    assert_eq!(gate.lookup("acme").unwrap().unwrap().display_name.as_deref(), Some("Acme"));
    assert!(gate.server_offered("acme", true));
}

#[test]
fn a_panic_of_the_host_facts_reaches_the_caller_and_the_next_call_works() {
    let broken = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&broken);
    let facts = Scripted(move |_: &str| {
        assert!(!switch.load(Ordering::Relaxed), "the disk is on fire");
        program()
    });
    let gate = Gate::builder().facts(facts).build().unwrap();
    gate.register("acme", ACME, "acme.json", None).unwrap();

    let panic = catch_unwind(AssertUnwindSafe(|| gate.availability("acme"))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"the disk is on fire"));

    broken.store(false, Ordering::Relaxed);
    assert_eq!(gate.availability("acme").unwrap().unwrap().state, State::Available);
}

#[test]
fn a_call_that_works_too_long_ends_and_the_next_one_works() {
    let limits = Limits::default().work(100_000);
    let gate = Gate::builder().facts(paper(WITH_ACME)).limits(limits).build().unwrap();
    gate.register("acme", ACME, "acme.json", None).unwrap();
    let long = format!("{{{}}}", "\"key\":1,".repeat(20_000));
    let error = gate.diagnose(&long, "long.json").unwrap_err();
    assert!(matches!(error, Error::LimitExceeded(Limit::Work)), "{error:?}");
    assert_eq!(gate.availability("acme").unwrap().unwrap().state, State::Available);
}

#[test]
fn a_call_that_takes_too_much_memory_ends_and_the_next_one_works() {
    let limits = Limits::default().memory(2 << 20);
    let gate = Gate::builder().facts(paper(WITH_ACME)).limits(limits).build().unwrap();
    gate.register("acme", ACME, "acme.json", None).unwrap();
    let keys: String = (0..10_000).map(|number| format!("\"key{number}\":1,")).collect();
    let error = gate.diagnose(&format!("{{{keys}\"app\":1}}"), "large.json").unwrap_err();
    assert!(matches!(error, Error::LimitExceeded(Limit::Memory)), "{error:?}");
    assert_eq!(gate.availability("acme").unwrap().unwrap().state, State::Available);
}

#[test]
fn a_declaration_at_the_bounds_of_size_and_depth_stays_within_the_limits() {
    let gate = gate(WITH_ACME);
    let deep = format!("{{\"app\":{}{}}}", "[".repeat(31), "]".repeat(31));
    assert_eq!(gate.diagnose(&deep, "deep.json").unwrap().len(), 1);
    let mut keys: String = (0..).map(|number| format!("\"k{number}\":1,")).take(26_000).collect();
    keys.truncate(256 * 1024 - 20);
    keys.truncate(keys.rfind(',').unwrap());
    assert!(gate.diagnose(&format!("{{{keys}}}"), "large.json").unwrap().len() > 20_000);
}

#[test]
fn several_threads_get_the_answers_that_one_gets() {
    let gate = gate(WITH_ACME);
    let elsewhere = ACME.replace("/opt/acme", "/opt/other");
    for number in 0..20 {
        let declaration = if number % 2 == 0 { ACME } else { &elsewhere };
        gate.register(&format!("server-{number}"), declaration, "acme.json", None).unwrap();
    }
    let answers = |gate: &Gate| -> Vec<bool> {
        (0..20).map(|number| gate.server_offered(&format!("server-{number}"), true)).collect()
    };
    let alone = answers(&gate);
    assert!(alone.contains(&true) && alone.contains(&false));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| answers(&gate))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

#[test]
fn nothing_is_cached_unless_it_is_asked_for() {
    let (gate, asked) = counted(Gate::builder());
    gate.register("acme", ACME, "acme.json", None).unwrap();
    gate.availability("acme").unwrap();
    gate.availability("acme").unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[test]
fn a_cache_answers_until_the_list_changes() {
    let (gate, asked) = counted(Gate::builder().cache_for(Duration::from_secs(3600)));
    gate.register("acme", ACME, "acme.json", None).unwrap();
    let ask = || {
        gate.availability("acme").unwrap();
        gate.server_offered("acme", true);
        let _ = gate.skill_offered(&["acme"]).unwrap();
        asked.swap(0, Ordering::Relaxed)
    };
    assert_eq!(ask(), 3);
    assert_eq!(ask(), 0);
    gate.register("other", ACME, "other.json", None).unwrap();
    assert_eq!(ask(), 3);
    gate.unregister("other").unwrap();
    assert_eq!(ask(), 3);
    gate.clear().unwrap();
    assert!(gate.availability("acme").unwrap().is_none());
}

#[test]
fn a_status_is_never_cached() {
    let there = Arc::new(AtomicBool::new(true));
    let switch = Arc::clone(&there);
    let facts = Scripted(move |_: &str| if switch.load(Ordering::Relaxed) { program() } else { absent() });
    let gate = Gate::builder().facts(facts).cache_for(Duration::from_secs(3600)).build().unwrap();
    gate.register("acme", ACME, "acme.json", None).unwrap();
    assert!(gate.status("acme", true).unwrap().is_none());
    there.store(false, Ordering::Relaxed);
    assert!(gate.status("acme", true).unwrap().is_some());
}

#[test]
fn every_call_that_changes_the_list_is_told_once() {
    let gate = gate(WITH_ACME);
    let told = Arc::new(Mutex::new(Vec::new()));
    let (sink, inside) = (Arc::clone(&told), gate.clone());
    let subscription = gate.subscribe(move |change| {
        let servers = inside.servers().unwrap();
        sink.lock().unwrap().push((change.clone(), servers.len()));
    });
    gate.register("acme", ACME, "acme.json", None).unwrap();
    gate.register("acme", ACME, "acme.json", None).unwrap();
    gate.register("acme", FAULTY, "faulty.json", None).unwrap_err();
    gate.unregister("unknown").unwrap();
    gate.unregister("acme").unwrap();
    gate.clear().unwrap();
    drop(subscription);
    gate.clear().unwrap();

    let server = || "acme".to_owned();
    let expected = [
        (Change::Registered { server: server() }, 1),
        (Change::Registered { server: server() }, 1),
        (Change::Unregistered { server: server() }, 0),
        (Change::Cleared, 0),
    ];
    assert_eq!(*told.lock().unwrap(), expected);
}

const RUNNING: &str = r#"{
    os: linux,
    files: {
        /opt/acme: executable,
        /run/acme.json: { text: '{"pid": 42, "http": "http://127.0.0.1:51234", "token": "s3cr3t-t0k3n"}' },
    },
    processes: { 42: {} },
}"#;

const WITH_RUNTIME_FILE: &str = r#"{
    "app": { "linux": { "presence": "executable", "location": "/opt/acme",
        "liveness": { "kind": "server_json", "path": "/run/acme.json" } } },
    "requires": { "app": true }
}"#;

#[derive(Default)]
struct Keeper(Mutex<Vec<String>>);

impl Redact for Keeper {
    fn redact(&self, secret: &str) -> bool {
        self.0.lock().unwrap().push(secret.to_owned());
        true
    }
}

#[test]
fn a_token_is_given_to_the_redactor_and_shown_by_nothing_but_reveal() {
    let keeper = Arc::new(Keeper::default());
    let gate = Gate::builder().facts(paper(RUNNING)).redactor(keeper.clone()).build().unwrap();
    gate.register("acme", WITH_RUNTIME_FILE, "acme.json", None).unwrap();
    let endpoint = gate.endpoint("acme").unwrap();
    assert_eq!(*keeper.0.lock().unwrap(), ["s3cr3t-t0k3n"]);
    assert_eq!(endpoint.token.as_ref().unwrap().reveal(), "s3cr3t-t0k3n");
    assert!(!format!("{endpoint:?} {endpoint:#?}").contains("s3cr"));
    assert_eq!(
        serde_json::to_value(endpoint).unwrap(),
        json!({ "url": "http://127.0.0.1:51234/mcp", "token": "present" })
    );
}

#[test]
fn without_a_redactor_there_is_no_token() {
    let gate = gate(RUNNING);
    gate.register("acme", WITH_RUNTIME_FILE, "acme.json", None).unwrap();
    let endpoint = gate.endpoint("acme").unwrap();
    assert_eq!(endpoint.url, "http://127.0.0.1:51234/mcp");
    assert!(endpoint.token.is_none());
}

#[test]
fn an_endpoint_that_is_not_there_is_an_error_with_its_reason() {
    let gate = gate(WITH_ACME);
    gate.register("acme", WITH_RUNTIME_FILE, "acme.json", None).unwrap();
    let Err(Error::EndpointUnavailable { reason }) = gate.endpoint("acme") else { panic!("an endpoint") };
    assert_eq!(reason, "missing");
}
