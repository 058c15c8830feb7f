//! The questions of one evaluation: asked of the host, written into the trace, and asked once where the answer is needed
//! often.

use std::cell::OnceCell;

use crate::facts::{
    Answer, Facts, FaultCode, Hive, Node, NodeKind, Os, ProcessStatus, RuntimeFile, Session, Subkey, View,
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
        self.note(&answer, "runtime-file.read", path, |file| Detail::from(format!("{} bytes", file.size)));
        answer
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        let answer = self.facts.process(pid);
        self.note(&answer, "process.status", &pid.to_string(), |status| {
            Detail::from(match status.state {
                crate::facts::ProcessState::Running => "running",
                crate::facts::ProcessState::Zombie => "zombie",
                crate::facts::ProcessState::Ended => "ended",
                crate::facts::ProcessState::Absent => "absent",
            })
        });
        answer
    }

    fn session(&self) -> Answer<Session> {
        let answer = self.facts.session();
        self.note(&answer, "session.current", "", |_| Detail::from("known"));
        answer
    }

    fn redact(&self, secret: &str) -> bool {
        // Not written down: there is nothing to say about a secret.
        self.facts.redact(secret)
    }
}

/// Whether a fault says that access was denied.
pub fn is_denied<T>(answer: &Answer<T>) -> bool {
    matches!(answer, Err(FaultCode::Denied))
}
