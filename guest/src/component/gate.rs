//! The edge of `appdecl.wasm`: the host's imports become [`Facts`], the rules become exports. Nothing is decided here.

use std::cell::RefCell;

use self::appdecl::host;
use self::exports::appdecl::gate::{gate, types as answer};
use crate::availability::{Availability, State};
use crate::declaration::{self, Diagnostic};
use crate::facts::{
    Answer, Facts, FaultCode, Hive, Node, NodeKind, Os, Principal, ProcessState, ProcessStatus,
    RegistryValue, RuntimeFile, Session, Subkey, View,
};
use crate::registry::{self, Registry};
use crate::status::{Retry, Status, StatusState};
use crate::version;

wit_bindgen::generate!({
    path: ["../wit/host", "../wit/gate"],
    world: "appdecl:gate/appdecl",
    generate_all,
});

struct Component;

export!(Component);

thread_local! {
    // A component instance has one thread; the host keeps callers apart.
    static REGISTRY: RefCell<Registry> = const { RefCell::new(Registry::new()) };
}

fn read<T>(work: impl FnOnce(&Registry) -> T) -> T {
    REGISTRY.with_borrow(work)
}

fn change<T>(work: impl FnOnce(&mut Registry) -> T) -> T {
    REGISTRY.with_borrow_mut(work)
}

impl gate::Guest for Component {
    fn diagnose(declaration: String, label: String) -> Vec<answer::Diagnostic> {
        declaration::parse(&declaration, &label).map_or_else(diagnostics, |_| Vec::new())
    }

    fn register(
        server: String,
        declaration: String,
        label: String,
        display_name: Option<String>,
    ) -> Result<(), Vec<answer::Diagnostic>> {
        change(|registry| registry.register(&server, declaration, &label, display_name)).map_err(diagnostics)
    }

    fn unregister(server: String) -> bool {
        change(|registry| registry.unregister(&server))
    }

    fn lookup(server: String) -> Option<answer::Registration> {
        read(|registry| {
            registry.lookup(&server).map(|registered| answer::Registration {
                display_name: registered.display_name.clone(),
                declaration: registered.text.clone(),
                server: server.clone(),
            })
        })
    }

    fn servers() -> Vec<String> {
        read(|registry| registry.servers().map(str::to_owned).collect())
    }

    fn clear() {
        change(Registry::clear);
    }

    fn availability_of(server: String) -> Option<answer::Availability> {
        read(|registry| registry.availability(&server, &Host)).map(availability)
    }

    fn evaluate(declaration: String, label: String) -> Result<answer::Availability, Vec<answer::Diagnostic>> {
        match declaration::parse(&declaration, &label) {
            Ok(declaration) => Ok(availability(registry::evaluate(&declaration, &Host))),
            Err(faults) => Err(diagnostics(faults)),
        }
    }

    fn endpoint_of(server: String) -> Result<answer::Endpoint, answer::EndpointUnavailable> {
        match read(|registry| registry.endpoint(&server, &Host)) {
            Ok(endpoint) => Ok(answer::Endpoint {
                url: endpoint.url,
                token: endpoint.token.map(crate::endpoint::Token::reveal),
            }),
            Err(unavailable) => Err(answer::EndpointUnavailable { reason: unavailable.reason.to_owned() }),
        }
    }

    fn status_of(server: String, connected: bool) -> Option<answer::Status> {
        read(|registry| registry.status(&server, connected, &Host)).map(|found| status(server, found))
    }

    fn listing(server: String, tools: u32, connected: bool) -> Option<String> {
        read(|registry| registry.listing(&server, tools, connected, &Host))
    }

    fn server_offered(server: String, connected: bool) -> bool {
        read(|registry| registry.server_offered(&server, connected, &Host))
    }

    fn skill_offered(requires_apps: Vec<String>) -> answer::SkillDecision {
        let decided_by = read(|registry| registry.skill_hidden_by(&requires_apps, &Host).map(str::to_owned));
        answer::SkillDecision { offered: decided_by.is_none(), decided_by }
    }

    fn explain(server: String, connected: bool) -> Option<String> {
        read(|registry| registry.explain(&server, connected, &Host))
    }

    fn version_at_least(found: String, minimum: String) -> bool {
        version::at_least(&found, &minimum)
    }
}

fn diagnostics(faults: Vec<Diagnostic>) -> Vec<answer::Diagnostic> {
    let diagnostic = |fault: Diagnostic| answer::Diagnostic {
        severity: answer::Severity::Error,
        code: fault.code.to_owned(),
        pointer: fault.pointer,
        message: fault.message,
        help: fault.help,
    };
    faults.into_iter().map(diagnostic).collect()
}

fn availability(found: Availability) -> answer::Availability {
    answer::Availability {
        offerable: found.offerable(),
        state: match found.state {
            State::Available => answer::State::Available,
            State::MissingApp => answer::State::MissingApp,
            State::VersionTooOld => answer::State::VersionTooOld,
            State::UnsupportedOs => answer::State::UnsupportedOs,
            State::NoRequirements => answer::State::NoRequirements,
        },
        version: found.version,
        path: found.path,
        min_version: found.min_version,
        reason: found.reason.map(str::to_owned),
    }
}

fn status(server: String, found: Status) -> answer::Status {
    let (version, path, min_version) = match found.availability {
        Some(known) => (known.version, known.path, known.min_version),
        None => (None, None, None),
    };
    answer::Status {
        server,
        app: answer::AppSummary { name: found.name, version, path, min_version },
        state: match found.state {
            StatusState::UnsupportedOs => answer::StatusState::UnsupportedOs,
            StatusState::MissingApp => answer::StatusState::MissingApp,
            StatusState::VersionTooOld => answer::StatusState::VersionTooOld,
            StatusState::NoInteractiveSession => answer::StatusState::NoInteractiveSession,
            StatusState::AppNotRunning => answer::StatusState::AppNotRunning,
            StatusState::EndpointUnavailable => answer::StatusState::EndpointUnavailable,
            StatusState::NotConnected => answer::StatusState::NotConnected,
        },
        message: found.message,
        user_action: found.user_action,
        retry: match found.retry {
            Retry::AfterUserAction => answer::Retry::AfterUserAction,
            Retry::NeverHere => answer::Retry::NeverHere,
        },
    }
}

/// The host that loaded this component.
struct Host;

impl Facts for Host {
    fn os(&self) -> Os {
        match host::environment::os() {
            host::environment::OsFamily::Win32 => Os::Win32,
            host::environment::OsFamily::Darwin => Os::Darwin,
            host::environment::OsFamily::Linux => Os::Linux,
        }
    }

    fn variable(&self, name: &str) -> Answer<String> {
        host::environment::variable(name).map_err(code)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        let node = host::filesystem::stat(path).map_err(code)?;
        let kind = match node.kind {
            host::filesystem::NodeKind::File => NodeKind::File,
            host::filesystem::NodeKind::Folder => NodeKind::Folder,
            host::filesystem::NodeKind::Other => NodeKind::Other,
        };
        Ok(Node { kind, executable: node.executable })
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        host::filesystem::list(folder, prefix).map_err(code)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        host::plist::read(bundle).map_err(code)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        host::pe::read_at(path, offset, length).map_err(code)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[&str]) -> Answer<Vec<Subkey>> {
        let hive = match hive {
            Hive::LocalMachine => host::registry::Hive::LocalMachine,
            Hive::CurrentUser => host::registry::Hive::CurrentUser,
        };
        let view = match view {
            View::Bits64 => host::registry::View::Bits64,
            View::Bits32 => host::registry::View::Bits32,
        };
        let names: Vec<String> = values.iter().map(|name| (*name).to_owned()).collect();
        let keys = host::registry::subkeys(hive, view, key, &names).map_err(code)?;
        let subkey = |key: host::registry::Subkey| Subkey {
            name: key.name,
            values: key.values.into_iter().map(value).collect(),
        };
        Ok(keys.into_iter().map(subkey).collect())
    }

    fn runtime_file(&self, path: &str) -> Answer<RuntimeFile> {
        let file = host::runtime_file::read(path).map_err(code)?;
        Ok(RuntimeFile {
            size: file.size,
            bytes: file.bytes,
            modified: file.modified,
            owner: file.owner.map(principal),
            group: file.group.map(principal),
            mode: file.mode,
        })
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        let status = host::process::status(pid).map_err(code)?;
        let state = match status.state {
            host::process::ProcessState::Running => ProcessState::Running,
            host::process::ProcessState::Zombie => ProcessState::Zombie,
            host::process::ProcessState::Ended => ProcessState::Ended,
            host::process::ProcessState::Absent => ProcessState::Absent,
        };
        Ok(ProcessStatus { state, started: status.started })
    }

    fn session(&self) -> Answer<Session> {
        Ok(match host::session::current().map_err(code)? {
            host::session::SessionFacts::Win32(facts) => Session::Win32 {
                process_session: facts.process_session,
                console_session: facts.console_session,
                window_station: facts.window_station,
            },
            host::session::SessionFacts::Linux(facts) => Session::Linux {
                audit_session: facts.audit_session,
                runtime_folder_readable: facts.runtime_folder_readable,
            },
            host::session::SessionFacts::Darwin => Session::Darwin,
        })
    }

    fn redact(&self, secret: &str) -> bool {
        host::secrets::redact(secret)
    }
}

fn code(fault: host::types::Fault) -> FaultCode {
    match fault.code {
        host::types::FaultCode::Absent => FaultCode::Absent,
        host::types::FaultCode::Denied => FaultCode::Denied,
        host::types::FaultCode::Locked => FaultCode::Locked,
        host::types::FaultCode::NotRegular => FaultCode::NotRegular,
        host::types::FaultCode::TooLarge => FaultCode::TooLarge,
        host::types::FaultCode::Refused => FaultCode::Refused,
        host::types::FaultCode::Unsupported => FaultCode::Unsupported,
        host::types::FaultCode::Io => FaultCode::Io,
    }
}

fn value(value: host::registry::Value) -> RegistryValue {
    match value {
        host::registry::Value::Missing => RegistryValue::Missing,
        host::registry::Value::Text(text) => RegistryValue::Text(text),
        host::registry::Value::ExpandableText(text) => RegistryValue::ExpandableText(text),
        host::registry::Value::Number(number) => RegistryValue::Number(number),
        host::registry::Value::Other => RegistryValue::Other,
        host::registry::Value::Unreadable(fault) => RegistryValue::Unreadable(code(fault)),
    }
}

fn principal(principal: host::runtime_file::Principal) -> Principal {
    match principal {
        host::runtime_file::Principal::ThisUser => Principal::Own,
        host::runtime_file::Principal::Root => Principal::Root,
        host::runtime_file::Principal::Other => Principal::Other,
    }
}
