//! Host facts as the imports of the component: every question is passed on, every answer copied, and nothing is decided.

use appdecl_facts::{self as facts, Failure};
use wasmtime::Result;

use crate::bindings::appdecl::host::{
    environment, filesystem, pe, plist, process, registry, runtime_file, secrets, session, types,
};
use crate::engine::Host;

/// A question that has no answer at all. It ends the call as a trap.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unanswerable(pub(crate) String);

/// A fault is an answer; only what can not be answered ends the call.
fn settle<T, U>(answer: facts::Answer<T>, into: impl FnOnce(T) -> U) -> Result<Result<U, types::Fault>> {
    match answer {
        Ok(value) => Ok(Ok(into(value))),
        Err(Failure::Fault(fault)) => Ok(Err(fault.into())),
        Err(Failure::Unanswerable(question)) => Err(Unanswerable(question).into()),
    }
}

impl types::Host for Host {}

impl environment::Host for Host {
    fn os(&mut self) -> Result<environment::OsFamily> {
        match self.facts.os() {
            Ok(facts::Os::Win32) => Ok(environment::OsFamily::Win32),
            Ok(facts::Os::Darwin) => Ok(environment::OsFamily::Darwin),
            Ok(facts::Os::Linux) => Ok(environment::OsFamily::Linux),
            Err(failure) => Err(Unanswerable(format!("the host does not know its system: {failure}")).into()),
        }
    }

    fn variable(&mut self, name: String) -> Result<Result<String, types::Fault>> {
        settle(self.facts.variable(&name), |value| value)
    }
}

impl filesystem::Host for Host {
    fn stat(&mut self, path: String) -> Result<Result<filesystem::Node, types::Fault>> {
        settle(self.facts.stat(&path), Into::into)
    }

    fn list(&mut self, folder: String, prefix: String) -> Result<Result<Vec<String>, types::Fault>> {
        settle(self.facts.list(&folder, &prefix), |names| names)
    }
}

impl plist::Host for Host {
    fn read(&mut self, bundle: String) -> Result<Result<Vec<u8>, types::Fault>> {
        settle(self.facts.plist(&bundle), |bytes| bytes)
    }
}

impl pe::Host for Host {
    fn read_at(&mut self, path: String, offset: u64, length: u32) -> Result<Result<Vec<u8>, types::Fault>> {
        settle(self.facts.pe(&path, offset, length), |bytes| bytes)
    }
}

impl registry::Host for Host {
    fn subkeys(
        &mut self,
        hive: registry::Hive,
        view: registry::View,
        key: String,
        values: Vec<String>,
    ) -> Result<Result<Vec<registry::Subkey>, types::Fault>> {
        let hive = match hive {
            registry::Hive::LocalMachine => facts::Hive::LocalMachine,
            registry::Hive::CurrentUser => facts::Hive::CurrentUser,
        };
        let view = match view {
            registry::View::Bits64 => facts::View::Bits64,
            registry::View::Bits32 => facts::View::Bits32,
        };
        settle(self.facts.subkeys(hive, view, &key, &values), |keys| {
            keys.into_iter().map(Into::into).collect()
        })
    }
}

impl runtime_file::Host for Host {
    fn read(&mut self, path: String) -> Result<Result<runtime_file::Contents, types::Fault>> {
        settle(self.facts.runtime_file(&path), Into::into)
    }
}

impl process::Host for Host {
    fn status(&mut self, pid: u32) -> Result<Result<process::ProcessStatus, types::Fault>> {
        settle(self.facts.process(pid), Into::into)
    }
}

impl session::Host for Host {
    fn current(&mut self) -> Result<Result<session::SessionFacts, types::Fault>> {
        settle(self.facts.session(), Into::into)
    }
}

impl secrets::Host for Host {
    fn redact(&mut self, secret: String) -> Result<bool> {
        Ok(self.redactor.as_ref().is_some_and(|redactor| redactor.redact(&secret)))
    }
}

impl From<facts::Fault> for types::Fault {
    fn from(from: facts::Fault) -> Self {
        let code = match from.code {
            facts::FaultCode::Absent => types::FaultCode::Absent,
            facts::FaultCode::Denied => types::FaultCode::Denied,
            facts::FaultCode::Locked => types::FaultCode::Locked,
            facts::FaultCode::NotRegular => types::FaultCode::NotRegular,
            facts::FaultCode::TooLarge => types::FaultCode::TooLarge,
            facts::FaultCode::Refused => types::FaultCode::Refused,
            facts::FaultCode::Unsupported => types::FaultCode::Unsupported,
            facts::FaultCode::Io => types::FaultCode::Io,
        };
        Self { code, detail: from.detail }
    }
}

impl From<facts::Node> for filesystem::Node {
    fn from(from: facts::Node) -> Self {
        let kind = match from.kind {
            facts::NodeKind::File => filesystem::NodeKind::File,
            facts::NodeKind::Folder => filesystem::NodeKind::Folder,
            facts::NodeKind::Other => filesystem::NodeKind::Other,
        };
        Self { kind, executable: from.executable }
    }
}

impl From<facts::Subkey> for registry::Subkey {
    fn from(from: facts::Subkey) -> Self {
        Self { name: from.name, values: from.values.into_iter().map(Into::into).collect() }
    }
}

impl From<facts::Value> for registry::Value {
    fn from(from: facts::Value) -> Self {
        match from {
            facts::Value::Missing => Self::Missing,
            facts::Value::Text(text) => Self::Text(text),
            facts::Value::ExpandableText(text) => Self::ExpandableText(text),
            facts::Value::Number(number) => Self::Number(number),
            facts::Value::Other => Self::Other,
            facts::Value::Unreadable(fault) => Self::Unreadable(fault.into()),
        }
    }
}

impl From<facts::Contents> for runtime_file::Contents {
    fn from(from: facts::Contents) -> Self {
        Self {
            size: from.size,
            bytes: from.bytes,
            modified: from.modified,
            owner: from.owner.map(Into::into),
            group: from.group.map(Into::into),
            mode: from.mode,
        }
    }
}

impl From<facts::Principal> for runtime_file::Principal {
    fn from(from: facts::Principal) -> Self {
        match from {
            facts::Principal::Own => Self::ThisUser,
            facts::Principal::Root => Self::Root,
            facts::Principal::Other => Self::Other,
        }
    }
}

impl From<facts::ProcessStatus> for process::ProcessStatus {
    fn from(from: facts::ProcessStatus) -> Self {
        let state = match from.state {
            facts::ProcessState::Running => process::ProcessState::Running,
            facts::ProcessState::Zombie => process::ProcessState::Zombie,
            facts::ProcessState::Ended => process::ProcessState::Ended,
            facts::ProcessState::Absent => process::ProcessState::Absent,
        };
        Self { state, started: from.started }
    }
}

impl From<facts::Session> for session::SessionFacts {
    fn from(from: facts::Session) -> Self {
        match from {
            facts::Session::Win32 { process_session, console_session, window_station } => {
                Self::Win32(session::Win32Session { process_session, console_session, window_station })
            }
            facts::Session::Linux { audit_session, runtime_folder_readable } => {
                Self::Linux(session::LinuxSession { audit_session, runtime_folder_readable })
            }
            facts::Session::Darwin => Self::Darwin,
        }
    }
}
