//! The questions of one evaluation: asked of the host, written into the trace, and asked once where the answer is needed
//! often.

use std::cell::OnceCell;

use crate::facts::{
    Answer, Facts, FaultCode, Hive, Node, NodeKind, Os, Principal, ProcessState, ProcessStatus, RuntimeFile,
    Session, Subkey, View,
};
use crate::trace::{Detail, Trace};

/// A host whose answers are written down.
pub struct Inquiry<'a> {
    facts: &'a dyn Facts,
    trace: &'a Trace,
    os: OnceCell<Os>,
}

impl<'a> Inquiry<'a> {
    /// Questions to this host, written into this trace.
    pub fn new(facts: &'a dyn Facts, trace: &'a Trace) -> Self {
        Self { facts, trace, os: OnceCell::new() }
    }

    /// Where the evaluation is written down.
    pub fn trace(&self) -> &'a Trace {
        self.trace
    }

    fn note<T>(
        &self,
        answer: &Answer<T>,
        question: &'static str,
        about: &str,
        good: impl FnOnce(&T) -> Detail,
    ) {
        self.trace.step("question", || {
            let answer = match answer {
                Ok(value) => good(value),
                Err(fault) => Detail::from(fault.name()),
            };
            [("question", Detail::from(question)), ("about", Detail::from(about)), ("answer", answer)]
        });
    }
}

impl Facts for Inquiry<'_> {
    fn os(&self) -> Os {
        *self.os.get_or_init(|| {
            let os = self.facts.os();
            self.note(&Ok(os), "environment.os", "", |os| Detail::from(os.name()));
            os
        })
    }

    fn variable(&self, name: &str) -> Answer<String> {
        let answer = self.facts.variable(name);
        self.note(&answer, "environment.variable", name, |value| Detail::from(value));
        answer
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        let answer = self.facts.stat(path);
        self.note(&answer, "filesystem.stat", path, |node| {
            Detail::from(match node {
                Node { kind: NodeKind::File, executable: true } => "file, executable",
                Node { kind: NodeKind::File, .. } => "file",
                Node { kind: NodeKind::Folder, .. } => "folder",
                Node { kind: NodeKind::Other, .. } => "neither file nor folder",
            })
        });
        answer
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        let answer = self.facts.list(folder, prefix);
        self.note(&answer, "filesystem.list", folder, |names| Detail::from(format!("{} names", names.len())));
        answer
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        let answer = self.facts.plist(bundle);
        self.note(&answer, "plist.read", bundle, |bytes| Detail::from(format!("{} bytes", bytes.len())));
        answer
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let answer = self.facts.pe(path, offset, length);
        self.note(&answer, "pe.read-at", path, |bytes| {
            Detail::from(format!("{} bytes at {offset}", bytes.len()))
        });
        answer
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[&str]) -> Answer<Vec<Subkey>> {
        let answer = self.facts.subkeys(hive, view, key, values);
        let root = match (hive, view) {
            (Hive::LocalMachine, View::Bits64) => "HKLM, 64-bit view",
            (Hive::LocalMachine, View::Bits32) => "HKLM, 32-bit view",
            (Hive::CurrentUser, _) => "HKCU",
        };
        self.note(&answer, "registry.subkeys", root, |keys| Detail::from(format!("{} keys", keys.len())));
        answer
    }

    fn runtime_file(&self, path: &str) -> Answer<RuntimeFile> {
        let answer = self.facts.runtime_file(path);
        self.note(&answer, "runtime-file.read", path, |file| {
            let principal = |known: Option<Principal>| match known {
                Some(Principal::Own) => "this user",
                Some(Principal::Root) => "root",
                Some(Principal::Other) => "another",
                None => "not known",
            };
            // Permission bits are written in octal, and nothing else in the component is.
            let mode = file.mode.map_or_else(
                || "not known".to_owned(),
                |mode| [6, 3, 0].iter().filter_map(|place| char::from_digit(mode >> place & 7, 8)).collect(),
            );
            Detail::from(format!(
                "{} bytes, owner {}, group {}, mode {mode}, written {}",
                file.size,
                principal(file.owner),
                principal(file.group),
                moment(file.modified),
            ))
        });
        answer
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        let answer = self.facts.process(pid);
        self.note(&answer, "process.status", &pid.to_string(), |status| {
            let state = match status.state {
                ProcessState::Running => "running",
                ProcessState::Zombie => "zombie",
                ProcessState::Ended => "ended",
                ProcessState::Absent => "absent",
            };
            Detail::from(format!("{state}, started {}", moment(status.started)))
        });
        answer
    }

    fn session(&self) -> Answer<Session> {
        let answer = self.facts.session();
        self.note(&answer, "session.current", "", |session| {
            let number = |known: &Option<u32>| known.map_or_else(|| "none".to_owned(), |id| id.to_string());
            Detail::from(match session {
                Session::Win32 { process_session, console_session, window_station } => format!(
                    "process session {}, console session {}, window station {}",
                    number(process_session),
                    number(console_session),
                    if *window_station { "yes" } else { "no" },
                ),
                Session::Linux { audit_session, runtime_folder_readable } => format!(
                    "audit session {}, runtime folder {}",
                    number(audit_session),
                    if *runtime_folder_readable { "readable" } else { "not readable" },
                ),
                Session::Darwin => "nothing to tell".to_owned(),
            })
        });
        answer
    }

    fn redact(&self, secret: &str) -> bool {
        // Not written down: there is nothing to say about a secret.
        self.facts.redact(secret)
    }
}

/// A time as hosts tell it.
fn moment(milliseconds: Option<u64>) -> String {
    milliseconds.map_or_else(|| "not known".to_owned(), |time| format!("{time} ms after 1970"))
}

/// Whether a fault says that access was denied.
pub fn is_denied<T>(answer: &Answer<T>) -> bool {
    matches!(answer, Err(FaultCode::Denied))
}
