//! Applications that start, move, stop and leave their files behind.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use appdecl::facts::document::{Document, Syntax};
use appdecl::facts::{FactsFile, Replay};
use appdecl::{Error, Gate, Redact, Redactor, StatusState};

use crate::application::{Application, TOKEN, dial, write_runtime_file};
use crate::{declaration, gate_with, reason};

fn state(gate: &Gate) -> StatusState {
    gate.status("acme", false).unwrap().expect("a caller that is not connected has a status").state
}

#[test]
fn an_application_is_found_where_it_listens_and_nowhere_once_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    let redactor = Redactor::new();
    let gate = Gate::builder().redactor(Arc::new(redactor.clone())).build().unwrap();
    gate.register("acme", &declaration(&file), "live", Some("Acme")).unwrap();
    assert_eq!(reason(&gate), "missing");
    assert_eq!(state(&gate), StatusState::EndpointUnavailable);

    let mut application = Application::start(&file);
    let endpoint = gate.endpoint("acme").unwrap();
    assert_eq!(endpoint.url, format!("http://127.0.0.1:{}/mcp", application.port));
    assert_eq!(state(&gate), StatusState::NotConnected);
    let token = endpoint.token.expect("a host with a redactor gets the token");
    assert_eq!(dial(&endpoint.url, token.reveal()), "HTTP/1.1 200 OK");
    assert_eq!(dial(&endpoint.url, "guessed"), "HTTP/1.1 401 Unauthorized");
    assert_eq!(redactor.redact_str(TOKEN), "***", "the redactor knew it first");

    let old_port = application.port;
    application.move_elsewhere();
    let moved = gate.endpoint("acme").unwrap();
    assert_ne!(application.port, old_port);
    assert_eq!(moved.url, format!("http://127.0.0.1:{}/mcp", application.port));
    assert_eq!(dial(&moved.url, token.reveal()), "HTTP/1.1 200 OK");

    application.kill();
    application.wait();
    assert!(file.exists(), "it leaves its file behind");
    assert_eq!(reason(&gate), "pid-not-alive");
    assert_eq!(state(&gate), StatusState::AppNotRunning);
    let status = gate.status("acme", false).unwrap().unwrap();
    assert!(status.message.starts_with("Acme is not running"), "{}", status.message);

    let next = Application::start(&file);
    assert_eq!(gate.endpoint("acme").unwrap().url, format!("http://127.0.0.1:{}/mcp", next.port));
}

#[test]
fn a_host_without_a_redactor_gets_the_address_and_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    write_runtime_file(&file, std::process::id(), 51234);
    assert!(gate_with(&file).endpoint("acme").unwrap().token.is_none());

    struct Refuses;
    impl Redact for Refuses {
        fn redact(&self, _: &str) -> bool {
            false
        }
    }
    let gate = Gate::builder().redactor(Arc::new(Refuses)).build().unwrap();
    gate.register("acme", &declaration(&file), "live", None).unwrap();
    let endpoint = gate.endpoint("acme").unwrap();
    assert_eq!(endpoint.url, "http://127.0.0.1:51234/mcp");
    assert!(endpoint.token.is_none());
}

#[test]
fn a_process_that_has_ended_unnoticed_by_its_parent_is_not_running() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    let mut application = Application::start(&file);
    let gate = gate_with(&file);
    application.kill();
    // It takes the system a moment to end it.
    let deadline = Instant::now() + Duration::from_secs(60);
    while gate.endpoint("acme").is_ok() {
        assert!(Instant::now() < deadline, "it still runs");
        thread::yield_now();
    }
    assert_eq!(reason(&gate), "pid-not-alive");
    application.wait();
}

#[test]
fn a_file_that_is_older_than_the_process_it_names_speaks_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    let application = Application::start(&file);
    let written = SystemTime::now() - Duration::from_secs(3600);
    File::options().write(true).open(&file).unwrap().set_modified(written).unwrap();
    let gate = gate_with(&file);
    assert_eq!(reason(&gate), "pid-reused");
    assert_eq!(state(&gate), StatusState::AppNotRunning);
    write_runtime_file(&file, application.pid(), application.port);
    assert!(gate.endpoint("acme").is_ok());
}

#[test]
fn a_process_that_started_over_five_seconds_after_the_file_was_written_has_another_ones_number() {
    for (started, expected) in [("10:00:05", None), ("10:00:06", Some("pid-reused"))] {
        let text = format!(
            r#"{{ os: linux, files: {{ /run/acme.json: {{
                text: '{{"pid": 4242, "http": "http://127.0.0.1:51234"}}', modified: 2026-01-01T10:00:00Z }} }},
                processes: {{ 4242: {{ started: 2026-01-01T{started}Z }} }} }}"#
        );
        let document = Document::parse(&text, Syntax::Yaml, 1 << 20).unwrap();
        let gate =
            Gate::builder().facts(Replay::new(FactsFile::parse(document.root()).unwrap())).build().unwrap();
        gate.register("acme", &declaration(Path::new("/run/acme.json")), "live", None).unwrap();
        match expected {
            None => assert!(gate.endpoint("acme").is_ok(), "{started}"),
            Some(expected) => assert_eq!(reason(&gate), expected, "{started}"),
        }
    }
}

#[test]
fn no_fallback_to_a_configured_url() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    let gate = Gate::builder().cache_for(Duration::from_secs(3600)).build().unwrap();
    gate.register("acme", &declaration(&file), "live", None).unwrap();
    assert_eq!(reason(&gate), "missing");
    write_runtime_file(&file, std::process::id(), 51234);
    assert_eq!(gate.endpoint("acme").unwrap().url, "http://127.0.0.1:51234/mcp");
    for (content, expected) in [
        ("", "malformed"),
        (r#"{"pid": PID}"#, "bad-url"),
        (r#"{"pid": PID, "http": null}"#, "bad-url"),
        (r#"{"pid": PID, "url": "http://127.0.0.1:51234"}"#, "bad-url"),
        (r#"{"pid": PID, "http": "http://example.com:51234"}"#, "not-loopback"),
        (r#"{"pid": PID, "http": "http://127.0.0.1"}"#, "bad-port"),
    ] {
        fs::write(&file, content.replace("PID", &std::process::id().to_string())).unwrap();
        assert_eq!(reason(&gate), expected, "{content}");
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(reason(&gate), "missing", "what it said before is no answer either");

    let configured = r#"{ "requires": {}, "liveness": { "kind": "server_json", "path": "/x", "url": "http://127.0.0.1:1" } }"#;
    let Err(Error::Invalid(faults)) = gate.register("acme", configured, "live", None) else {
        panic!("a declaration has no place for an address");
    };
    assert_eq!(faults[0].code, "unknown-key");
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_one_or_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.json");
    let pid = std::process::id();
    write_runtime_file(&file, pid, 11111);
    let gate = gate_with(&file);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                write_runtime_file(&file, pid, 22222);
                write_runtime_file(&file, pid, 11111);
            }
        });
        for _ in 0..500 {
            match gate.endpoint("acme") {
                Ok(endpoint) => assert!(
                    ["http://127.0.0.1:11111/mcp", "http://127.0.0.1:22222/mcp"]
                        .contains(&endpoint.url.as_str()),
                    "{}",
                    endpoint.url
                ),
                // Windows keeps a file from being opened while it is replaced.
                Err(Error::EndpointUnavailable { reason }) => {
                    assert!(
                        cfg!(windows) && ["missing", "unreadable"].contains(&reason.as_str()),
                        "{reason}"
                    );
                }
                Err(error) => panic!("{error}"),
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
