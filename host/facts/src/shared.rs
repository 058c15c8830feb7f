//! One host for several users.

use std::sync::Arc;

use crate::{Answer, Contents, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, View};

/// Answers as what it holds: for those who ask a recorder afterwards, or replay one facts file many times.
impl<F: HostFacts + ?Sized> HostFacts for Arc<F> {
    fn os(&self) -> Answer<Os> {
        self.as_ref().os()
    }

    fn variable(&self, name: &str) -> Answer<String> {
        self.as_ref().variable(name)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.as_ref().stat(path)
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        self.as_ref().list(folder, prefix)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.as_ref().plist(bundle)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        self.as_ref().pe(path, offset, length)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        self.as_ref().subkeys(hive, view, key, values)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        self.as_ref().runtime_file(path)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        self.as_ref().process(pid)
    }

    fn session(&self) -> Answer<Session> {
        self.as_ref().session()
    }
}
