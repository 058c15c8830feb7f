//! A host that answers from a facts file. It never looks at the machine it runs on.

use crate::facts_file::Facts;
use crate::{Answer, Contents, FactsFile, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, View};

/// Answers from a facts file alone, the same on every machine.
///
/// A file that was written by hand answers every question: what it does not hold is absent. A recording answers what it
/// holds; any other question is [`crate::Failure::Unanswerable`], which names it.
///
/// ```
/// use appdecl_facts::document::{Document, Syntax};
/// use appdecl_facts::{FactsFile, FaultCode, Failure, HostFacts, Replay};
///
/// let text = "{ os: linux, files: { /opt: { error: denied } } }";
/// let document = Document::parse(text, Syntax::Yaml, 1 << 20)?;
/// let host = Replay::new(FactsFile::parse(document.root()).expect("a good facts file"));
/// let Err(Failure::Fault(fault)) = host.stat("/opt/acme") else { panic!("it was answered") };
/// assert_eq!(fault.code, FaultCode::Denied);
/// # Ok::<(), appdecl_facts::document::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Replay(FactsFile);

impl Replay {
    /// A host that answers from `facts`.
    #[must_use]
    pub fn new(facts: FactsFile) -> Self {
        Self(facts)
    }

    /// The facts it answers from.
    #[must_use]
    pub fn facts(&self) -> &FactsFile {
        &self.0
    }

    fn host(&self) -> &dyn HostFacts {
        match &self.0.facts {
            Facts::Written(world) => world,
            Facts::Recorded(recording) => recording,
        }
    }
}

impl HostFacts for Replay {
    fn os(&self) -> Answer<Os> {
        self.host().os()
    }

    fn variable(&self, name: &str) -> Answer<String> {
        self.host().variable(name)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.host().stat(path)
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        self.host().list(folder, prefix)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.host().plist(bundle)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        self.host().pe(path, offset, length)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        self.host().subkeys(hive, view, key, values)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        self.host().runtime_file(path)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        self.host().process(pid)
    }

    fn session(&self) -> Answer<Session> {
        self.host().session()
    }
}
