//! A host that several hold: whoever gives one away can go on reading what it noted.

use std::sync::Arc;

use crate::{Answer, Contents, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, View};

impl<F: HostFacts + ?Sized> HostFacts for Arc<F> {
    fn os(&self) -> Answer<Os> {
        (**self).os()
    }

    fn variable(&self, name: &str) -> Answer<String> {
        (**self).variable(name)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        (**self).stat(path)
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        (**self).list(folder, prefix)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        (**self).plist(bundle)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        (**self).pe(path, offset, length)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        (**self).subkeys(hive, view, key, values)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        (**self).runtime_file(path)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        (**self).process(pid)
    }

    fn session(&self) -> Answer<Session> {
        (**self).session()
    }
}
