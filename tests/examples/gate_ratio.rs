//! How much longer `server_offered` takes through the component than the same rules take natively, over the same answers of
//! this machine: `cargo run --release -p appdecl-tests --example gate_ratio`.
//!
//! Prints the ratio for 1,000 registered servers, and ends with 1 where it is above 3.

#![expect(clippy::expect_used, reason = "an example says in one line why it can not go on")]

use std::process::ExitCode;
use std::time::Instant;

use appdecl::Gate;
use appdecl::facts::{self as host, HostFacts, Limited, Machine};
use appdecl_guest::facts::{self as guest, Facts};
use appdecl_guest::registry::Registry;

const SERVERS: usize = 1_000;
/// So often all servers are asked about, in turn by both.
const ROUNDS: usize = 100;
/// The most that the component may take, against the native rules.
const MOST: f64 = 3.0;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder for the programs");
    let gate = Gate::new().expect("the component runs");
    let native = Native(Limited::new(Machine::new()));
    let mut registry = Registry::new();
    let names: Vec<String> = (0..SERVERS).map(|number| format!("server-{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        let program = folder.path().join(name);
        // Every other one is missing.
        if number % 2 == 0 {
            std::fs::write(&program, "").expect("a program");
        }
        let system = serde_json::json!({ "presence": "executable", "location": program });
        let declaration =
            serde_json::json!({ "app": { (native.os().name()): system }, "requires": { "app": true } })
                .to_string();
        gate.register(name, &declaration, "ratio", None).expect("a good declaration");
        assert!(registry.register(name, declaration, "ratio", None).is_ok(), "a good declaration");
    }

    let by_component = || names.iter().filter(|name| gate.server_offered(name, true)).count();
    let by_native = || names.iter().filter(|name| registry.server_offered(name, true, &native)).count();
    assert_eq!(by_component(), by_native(), "both say the same");
    // The shortest of each, taken by turns: what else the machine does can only add to a time.
    let (mut component, mut native) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        component = component.min(timed(by_component));
        native = native.min(timed(by_native));
    }
    let ratio = component / native;
    println!("{SERVERS} servers: {ratio:.2} times the native rules, at most {MOST:.2}");
    ExitCode::from(u8::from(ratio > MOST))
}

/// Seconds.
fn timed(work: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// The rules' questions, asked of a host in this process. This example asks about files alone.
struct Native<F>(F);

impl<F: HostFacts> Facts for Native<F> {
    fn os(&self) -> guest::Os {
        match self.0.os() {
            Ok(host::Os::Win32) => guest::Os::Win32,
            Ok(host::Os::Darwin) => guest::Os::Darwin,
            _ => guest::Os::Linux,
        }
    }

    fn variable(&self, name: &str) -> guest::Answer<String> {
        self.0.variable(name).map_err(code)
    }

    fn stat(&self, path: &str) -> guest::Answer<guest::Node> {
        let node = self.0.stat(path).map_err(code)?;
        let kind = match node.kind {
            host::NodeKind::File => guest::NodeKind::File,
            host::NodeKind::Folder => guest::NodeKind::Folder,
            host::NodeKind::Other => guest::NodeKind::Other,
        };
        Ok(guest::Node { kind, executable: node.executable })
    }

    fn list(&self, folder: &str, prefix: &str) -> guest::Answer<Vec<String>> {
        self.0.list(folder, prefix).map_err(code)
    }

    fn plist(&self, bundle: &str) -> guest::Answer<Vec<u8>> {
        self.0.plist(bundle).map_err(code)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> guest::Answer<Vec<u8>> {
        self.0.pe(path, offset, length).map_err(code)
    }

    fn subkeys(
        &self,
        _: guest::Hive,
        _: guest::View,
        _: &str,
        _: &[&str],
    ) -> guest::Answer<Vec<guest::Subkey>> {
        Err(guest::FaultCode::Unsupported)
    }

    fn runtime_file(&self, _: &str) -> guest::Answer<guest::RuntimeFile> {
        Err(guest::FaultCode::Unsupported)
    }

    fn process(&self, _: u32) -> guest::Answer<guest::ProcessStatus> {
        Err(guest::FaultCode::Unsupported)
    }

    fn session(&self) -> guest::Answer<guest::Session> {
        Err(guest::FaultCode::Unsupported)
    }

    fn redact(&self, _: &str) -> bool {
        false
    }
}

fn code(failure: host::Failure) -> guest::FaultCode {
    let host::Failure::Fault(fault) = failure else { return guest::FaultCode::Io };
    match fault.code {
        host::FaultCode::Absent => guest::FaultCode::Absent,
        host::FaultCode::Denied => guest::FaultCode::Denied,
        host::FaultCode::Locked => guest::FaultCode::Locked,
        host::FaultCode::NotRegular => guest::FaultCode::NotRegular,
        host::FaultCode::TooLarge => guest::FaultCode::TooLarge,
        host::FaultCode::Refused => guest::FaultCode::Refused,
        host::FaultCode::Unsupported => guest::FaultCode::Unsupported,
        host::FaultCode::Io => guest::FaultCode::Io,
    }
}
