//! What the tests of the library share.
#![expect(dead_code, reason = "no test file uses all of it")]

use appdecl::facts::document::{Document, Syntax};
use appdecl::facts::{
    Answer, Contents, FactsFile, Failure, Fault, FaultCode, Hive, HostFacts, Node, NodeKind, Os,
    ProcessStatus, Replay, Session, Subkey, View,
};

/// A declaration of one program on Linux.
pub const ACME: &str = r#"{
    "app": { "linux": { "presence": "executable", "location": "/opt/acme" } },
    "requires": { "app": true }
}"#;

/// A declaration that is refused.
pub const FAULTY: &str = r#"{ "app": { "linux": { "presence": "executable", "location": "opt/acme" } } }"#;

/// A machine on paper.
pub fn paper(facts: &str) -> Replay {
    let document = Document::parse(facts, Syntax::Yaml, 1 << 20).unwrap();
    Replay::new(FactsFile::parse(document.root()).unwrap())
}

/// A Linux machine whose answers about paths come from a function, and which has nothing else.
pub struct Scripted<F>(pub F);

impl<F: Fn(&str) -> Answer<Node> + Send + Sync> HostFacts for Scripted<F> {
    fn os(&self) -> Answer<Os> {
        Ok(Os::Linux)
    }
    fn variable(&self, _: &str) -> Answer<String> {
        absent()
    }
    fn stat(&self, path: &str) -> Answer<Node> {
        (self.0)(path)
    }
    fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
        absent()
    }
    fn plist(&self, _: &str) -> Answer<Vec<u8>> {
        absent()
    }
    fn pe(&self, _: &str, _: u64, _: u32) -> Answer<Vec<u8>> {
        absent()
    }
    fn subkeys(&self, _: Hive, _: View, _: &str, _: &[String]) -> Answer<Vec<Subkey>> {
        absent()
    }
    fn runtime_file(&self, _: &str) -> Answer<Contents> {
        absent()
    }
    fn process(&self, _: u32) -> Answer<ProcessStatus> {
        absent()
    }
    fn session(&self) -> Answer<Session> {
        absent()
    }
}

pub fn absent<T>() -> Answer<T> {
    Err(Failure::Fault(Fault::new(FaultCode::Absent, "")))
}

pub fn program() -> Answer<Node> {
    Ok(Node { kind: NodeKind::File, executable: true })
}
