//! One gate under many threads, some of whose calls fail.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use appdecl::facts::{Failure, Fault, FaultCode, Node, NodeKind};
use appdecl::{Error, Gate};
use common::Scripted;

const SERVERS: usize = 12;

fn declaration(number: usize) -> String {
    let place = ["/opt/there", "/opt/gone", "/opt/denied"][number % 3];
    format!(
        r#"{{ "app": {{ "linux": {{ "presence": "executable", "location": "{place}" }} }}, "requires": {{ "app": true }} }}"#
    )
}

fn facts(path: &str) -> Result<Node, Failure> {
    match path {
        "/opt/there" => Ok(Node { kind: NodeKind::File, executable: true }),
        "/opt/denied" => Err(Fault::new(FaultCode::Denied, "not for you").into()),
        "/opt/unanswerable" => Err(Failure::Unanswerable("nobody knows".to_owned())),
        "/opt/panics" => panic!("the disk is on fire"),
        _ => Err(Fault::new(FaultCode::Absent, "").into()),
    }
}

fn name(number: usize) -> String {
    format!("server-{number}")
}

/// Everything that can be asked, as text.
fn answers(gate: &Gate) -> Vec<String> {
    let about = |number| {
        let server = name(number);
        format!(
            "{:?} {} {:?} {:?} {:?} {:?} {:?}",
            gate.availability(&server),
            gate.server_offered(&server, true),
            gate.status(&server, false),
            gate.listing(&server, 3, true),
            gate.endpoint(&server).map_err(|error| error.to_string()),
            gate.skill_offered(&[server.as_str(), "server-0"]),
            gate.explain(&server, true),
        )
    };
    (0..SERVERS).map(about).collect()
}

#[test]
fn eight_threads_get_the_answers_of_one_while_other_calls_fail() {
    let gate = Gate::builder().facts(Scripted(facts)).build().unwrap();
    for number in 0..SERVERS {
        gate.register(&name(number), &declaration(number), "threads", Some("Acme")).unwrap();
    }
    let alone = answers(&gate);
    assert!(
        alone[0].contains("Available")
            && alone[1].contains("not-found")
            && alone[2].contains("access-denied")
    );

    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let failing = scope.spawn(|| {
            let of = |place: &str| declaration(0).replace("/opt/there", place);
            let mut failures = 0;
            // At least once, however fast the others are.
            while failures == 0 || !is_over.load(Ordering::Relaxed) {
                let unanswerable = gate.evaluate(&of("/opt/unanswerable"), "threads");
                assert!(matches!(unanswerable, Err(Error::Unanswerable(_))), "{unanswerable:?}");
                let panics = of("/opt/panics");
                let gate = gate.clone();
                assert!(thread::spawn(move || gate.evaluate(&panics, "threads")).join().is_err());
                failures += 1;
            }
        });
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| answers(&gate))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
        is_over.store(true, Ordering::Relaxed);
        failing.join().unwrap();
    });
    assert_eq!(answers(&gate), alone, "no registration is lost");
}

#[test]
fn a_gate_may_be_sent_to_and_shared_with_other_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Gate>();
}
