//! The verbs that speak of running applications, as users start them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::application::{Application, TOKEN};
use crate::declaration;

pub(crate) fn appdecl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_appdecl"));
    command.env_remove("APPDECL_URL").env_remove("APPDECL_TOKEN");
    command
}

fn run(arguments: &[&str]) -> (Output, String) {
    let output = appdecl().args(arguments).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    (output, said)
}

struct Acme {
    folder: tempfile::TempDir,
    declared: PathBuf,
    runtime_file: PathBuf,
}

/// A file that declares `acme`, whose runtime file is not there yet.
fn acme() -> Acme {
    let folder = tempfile::tempdir().unwrap();
    let runtime_file = folder.path().join("server.json");
    let declared = folder.path().join("acme.json");
    fs::write(&declared, declaration(&runtime_file)).unwrap();
    Acme { folder, declared, runtime_file }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn endpoint_prints_the_address_and_the_token_only_when_asked() {
    let acme = acme();
    let path = text(&acme.declared);
    let (output, said) = run(&["endpoint", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.starts_with("unavailable missing; "), "{said}");

    let application = Application::start(&acme.runtime_file);
    let url = format!("http://127.0.0.1:{}/mcp", application.port);
    let (output, said) = run(&["endpoint", path, "--server", "acme"]);
    assert_eq!(
        (output.status.code(), said.as_str()),
        (Some(0), format!("url {url}\ntoken present\n").as_str())
    );
    let (_, said) = run(&["endpoint", path, "--format", "json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["url"], &said["token"]), (&json!(url), &json!("present")));
    assert!(said.get("revealed_token").is_none());
    let (_, said) = run(&["endpoint", path, "--reveal-token"]);
    assert_eq!(said, format!("url {url}\ntoken {TOKEN}\n"));
}

#[test]
fn endpoint_names_what_it_can_not_choose() {
    let acme = acme();
    let (output, _) = run(&["endpoint", text(&acme.declared), "--server", "other"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no server `other` is declared there"));
    let several = acme.folder.path().join("several.yaml");
    fs::write(&several, "servers: { a: { requires: {} }, b: { requires: {} } }").unwrap();
    let (output, _) = run(&["endpoint", text(&several)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("say which server with --server: `a`, `b`"));
}

#[test]
fn a_program_gets_address_and_token_in_its_environment_and_ends_for_the_command() {
    let acme = acme();
    let program = std::env::current_exe().unwrap();
    let exec = [
        "--exec",
        text(&program),
        "--exact",
        "commands::prints_what_it_was_given",
        "--ignored",
        "--nocapture",
    ];
    let arguments = [&["endpoint", text(&acme.declared)][..], &exec].concat();
    let (output, said) = run(&arguments);
    assert_eq!((output.status.code(), said.as_str()), (Some(1), ""), "nothing is started without an address");

    let application = Application::start(&acme.runtime_file);
    let (output, said) = run(&arguments);
    let expected = format!("given http://127.0.0.1:{}/mcp {TOKEN}", application.port);
    assert!(said.contains(&expected), "{said}");
    assert_eq!(output.status.code(), Some(0));
    // The test runner's own code for an argument that it does not know.
    let (output, _) = run(&["endpoint", text(&acme.declared), "--exec", text(&program), "--no-such-option"]);
    assert_eq!(
        output.status.code(),
        Command::new(&program).arg("--no-such-option").output().unwrap().status.code()
    );
    let (output, _) =
        run(&["endpoint", text(&acme.declared), "--exec", text(&acme.folder.path().join("no-program"))]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
#[ignore = "a helper: started as the program of --exec"]
fn prints_what_it_was_given() {
    println!("\ngiven {} {}", std::env::var("APPDECL_URL").unwrap(), std::env::var("APPDECL_TOKEN").unwrap());
}

#[test]
fn endpoint_of_a_package_does_not_fall_back_to_the_address_in_its_servers_file() {
    let acme = acme();
    let package = acme.folder.path().join("package");
    fs::create_dir(&package).unwrap();
    let schema = |of: &str| format!("https://agent-plugins.org/schemas/1.0.0/{of}.schema.json");
    let manifest = json!({ "$schema": schema("plugin"), "name": "acme", "extensions": { "com.nousresearch.hermes": { "servers": {
        "acme": serde_json::from_str::<Value>(&declaration(&acme.runtime_file)).unwrap()
    } } } });
    fs::write(package.join("plugin.json"), manifest.to_string()).unwrap();
    let server = json!({ "type": "streamable-http", "url": "http://127.0.0.1:59999/mcp" });
    let servers = json!({ "$schema": schema("mcp"), "mcpServers": { "acme": server } });
    fs::write(package.join("mcp.json"), servers.to_string()).unwrap();
    let (output, said) = run(&["endpoint", text(&package), "--server", "acme"]);
    assert!(said.starts_with("unavailable missing; "), "{said}");
    assert!(!said.contains("59999"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn status_says_in_one_sentence_what_is_wrong_and_in_another_what_to_do() {
    let acme = acme();
    let path = text(&acme.declared);
    let (output, said) = run(&["status", path]);
    assert_eq!((output.status.code(), said.as_str()), (Some(0), "acme is offered\n"));
    let (output, said) = run(&["status", path, "--not-connected"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.starts_with("acme has not written its runtime file `") && said.contains("; start acme "),
        "{said}"
    );
    let (_, said) = run(&["status", path, "--not-connected", "--format", "listing", "--tools", "3"]);
    assert!(said.starts_with("acme (3 tools unavailable: acme has not written its runtime file `"), "{said}");
    let (_, said) = run(&["status", path, "--format", "listing"]);
    assert_eq!(said, "");
}

#[test]
fn status_as_json_has_the_keys_that_harnesses_know() {
    let acme = acme();
    let (_, said) = run(&["status", text(&acme.declared), "--not-connected", "--format", "json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    let status = said["servers"][0]["status"].as_object().unwrap();
    let keys = |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(status), "app message retry server state user_action");
    assert_eq!(keys(status["app"].as_object().unwrap()), "min_version name path version");
    assert_eq!(
        (&status["state"], &status["retry"]),
        (&json!("endpoint_unavailable"), &json!("after_user_action"))
    );
    let (_, said) = run(&["status", text(&acme.declared), "--format", "json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["offered"], &said["servers"][0]["status"]), (&json!(true), &Value::Null));
}

#[test]
fn watch_prints_a_line_for_each_change_and_no_token() {
    let acme = acme();
    let mut watch = appdecl()
        .args(["watch", text(&acme.declared), "--interval", "10ms", "--count", "4", "--format", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut next = || {
        let line = lines.next().expect("a line").unwrap();
        assert!(!line.contains(TOKEN), "{line}");
        let line: Value = serde_json::from_str(&line).unwrap();
        (line["state"].as_str().unwrap().to_owned(), line["url"].as_str().map(str::to_owned))
    };
    let at = |application: &Application| Some(format!("http://127.0.0.1:{}/mcp", application.port));

    assert_eq!(next(), ("endpoint_unavailable".to_owned(), None));
    let mut application = Application::start(&acme.runtime_file);
    assert_eq!(next(), ("running".to_owned(), at(&application)));
    application.move_elsewhere();
    assert_eq!(next(), ("running".to_owned(), at(&application)));
    application.kill();
    application.wait();
    assert_eq!(next(), ("app_not_running".to_owned(), None));
    assert!(watch.wait().unwrap().success());
}

#[test]
fn watch_looks_once_where_it_is_told_to() {
    let acme = acme();
    let (output, said) = run(&["watch", text(&acme.declared), "--once"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        said.starts_with("acme has not written its runtime file `") && said.lines().count() == 1,
        "{said}"
    );
    let (output, _) = run(&["watch", text(&acme.declared), "--interval", "0s"]);
    assert_eq!(output.status.code(), Some(2));
    let (output, _) = run(&["watch", text(&acme.declared), "--server", "other"]);
    assert_eq!(output.status.code(), Some(2));
}
