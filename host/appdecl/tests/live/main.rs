//! Applications that run, stop, move and lie, tried for real.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod application;
mod commands;
mod leaks;
#[cfg(unix)]
mod odd_files;
mod running;

use std::path::Path;

use appdecl::{Error, Gate};

/// A declaration whose runtime file is `file`, on every system.
fn declaration(file: &Path) -> String {
    serde_json::json!({ "requires": { "app": false }, "liveness": { "kind": "server_json", "path": file } })
        .to_string()
}

/// A gate that knows one server, `acme`, with the runtime file `file`.
fn gate_with(file: &Path) -> Gate {
    let gate = Gate::new().unwrap();
    gate.register("acme", &declaration(file), "live", None).unwrap();
    gate
}

/// Why the server `acme` has no endpoint.
#[track_caller]
fn reason(gate: &Gate) -> String {
    match gate.endpoint("acme") {
        Err(Error::EndpointUnavailable { reason }) => reason,
        Err(error) => panic!("expected a reason, found `{error}`"),
        Ok(endpoint) => panic!("expected a reason, found {}", endpoint.url),
    }
}
