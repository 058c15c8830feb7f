//! A machine made of maps, for unit tests.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::facts::{
    Answer, Facts, FaultCode, Hive, Node, NodeKind, Os, ProcessState, ProcessStatus, RegistryValue,
    RuntimeFile, Session, Subkey, View,
};

/// What the machine holds. Paths are compared to the letter.
pub(crate) struct Fake {
    os: Os,
    variables: BTreeMap<String, String>,
    nodes: BTreeMap<String, Answer<Node>>,
    plists: BTreeMap<String, Vec<u8>>,
    keys: Vec<(Hive, View, Subkey)>,
    runtime_files: BTreeMap<String, RuntimeFile>,
    processes: BTreeMap<u32, Answer<ProcessStatus>>,
    session: Answer<Session>,
    redacts: bool,
    asked: RefCell<Vec<String>>,
}

impl Fake {
    pub(crate) fn new(os: Os) -> Self {
        Self {
            os,
            variables: BTreeMap::new(),
            nodes: BTreeMap::new(),
            plists: BTreeMap::new(),
            keys: Vec::new(),
            runtime_files: BTreeMap::new(),
            processes: BTreeMap::new(),
            session: Err(FaultCode::Unsupported),
            redacts: true,
            asked: RefCell::new(Vec::new()),
        }
    }

    pub(crate) fn variables(mut self, variables: &[(&str, &str)]) -> Self {
        self.variables
            .extend(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self
    }

    pub(crate) fn files(mut self, paths: &[&str]) -> Self {
        let file = Node { kind: NodeKind::File, executable: true };
        self.nodes.extend(paths.iter().map(|path| ((*path).to_owned(), Ok(file))));
        self
    }

    pub(crate) fn key(mut self, hive: Hive, view: View, name: &str, values: [RegistryValue; 4]) -> Self {
        self.keys.push((hive, view, Subkey { name: name.to_owned(), values: values.into() }));
        self
    }

    pub(crate) fn runtime(mut self, path: &str, text: &str) -> Self {
        let file = RuntimeFile {
            size: text.len() as u64,
            bytes: text.as_bytes().to_vec(),
            modified: None,
            owner: None,
            group: None,
            mode: None,
        };
        self.runtime_files.insert(path.to_owned(), file);
        self
    }

    pub(crate) fn process(mut self, pid: u32, answer: Answer<ProcessStatus>) -> Self {
        self.processes.insert(pid, answer);
        self
    }

    pub(crate) fn session_facts(mut self, session: Session) -> Self {
        self.session = Ok(session);
        self
    }

    pub(crate) fn without_redactor(mut self) -> Self {
        self.redacts = false;
        self
    }

    /// The questions that were asked, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }

    fn note(&self, question: String) {
        self.asked.borrow_mut().push(question);
    }
}

impl Facts for Fake {
    fn os(&self) -> Os {
        self.note("os".into());
        self.os
    }

    fn variable(&self, name: &str) -> Answer<String> {
        self.note(format!("variable {name}"));
        self.variables.get(name).cloned().ok_or(FaultCode::Absent)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.note(format!("stat {path}"));
        self.nodes.get(path).copied().unwrap_or(Err(FaultCode::Absent))
    }

    fn list(&self, folder: &str, _prefix: &str) -> Answer<Vec<String>> {
        self.note(format!("list {folder}"));
        let below = |path: &String| {
            path.strip_prefix(folder)?
                .trim_start_matches(['/', '\\'])
                .split(['/', '\\'])
                .next()
                .map(str::to_owned)
        };
        let mut names: Vec<String> = self.nodes.keys().filter_map(below).collect();
        names.dedup();
        Ok(names)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.note(format!("plist {bundle}"));
        self.plists.get(bundle).cloned().ok_or(FaultCode::Absent)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        self.note(format!("pe {path} {offset} {length}"));
        Err(FaultCode::Refused)
    }

    fn subkeys(&self, hive: Hive, view: View, _key: &str, _values: &[&str]) -> Answer<Vec<Subkey>> {
        self.note(format!("subkeys {hive:?} {view:?}"));
        let keys = self.keys.iter().filter(|(other, seen, _)| *other == hive && *seen == view);
        Ok(keys.map(|(_, _, key)| key.clone()).collect())
    }

    fn runtime_file(&self, path: &str) -> Answer<RuntimeFile> {
        self.note(format!("runtime-file {path}"));
        self.runtime_files.get(path).cloned().ok_or(FaultCode::Absent)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        self.note(format!("process {pid}"));
        let absent = ProcessStatus { state: ProcessState::Absent, started: None };
        self.processes.get(&pid).copied().unwrap_or(Ok(absent))
    }

    fn session(&self) -> Answer<Session> {
        self.note("session".into());
        self.session
    }

    fn redact(&self, _secret: &str) -> bool {
        self.redacts
    }
}
