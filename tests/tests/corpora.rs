//! The fixtures of the decoders through the whole component: cut at every byte and with every byte flipped, no answer is a
//! trap, none takes more than its budget, and none makes up a version.
//!
//! What the decoders say of each is compared with other readers in `guest/tests/decode.rs`. Here the same has to come
//! out of the component, within the limits that every gate has.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where it can not go on")]

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use appdecl::Gate;
use appdecl::facts::{
    Answer, Contents, Failure, Fault, FaultCode, Hive, HostFacts, Node, NodeKind, Os, ProcessStatus, Session,
    Subkey, View,
};
use appdecl_guest::decode::{pe, plist};
use appdecl_guest::version::Version;
use serde_json::{Value as Json, json};

type Bytes = Arc<Mutex<Vec<u8>>>;

/// A machine of one system, on which every file there is has the same bytes.
struct OneFile {
    os: Os,
    bytes: Bytes,
}

impl HostFacts for OneFile {
    fn os(&self) -> Answer<Os> {
        Ok(self.os)
    }
    fn variable(&self, _: &str) -> Answer<String> {
        absent()
    }
    fn stat(&self, path: &str) -> Answer<Node> {
        let kind = if path.ends_with(".app") { NodeKind::Folder } else { NodeKind::File };
        Ok(Node { kind, executable: false })
    }
    fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
        absent()
    }
    fn plist(&self, _: &str) -> Answer<Vec<u8>> {
        Ok(self.bytes.lock().unwrap().clone())
    }
    fn pe(&self, _: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let bytes = self.bytes.lock().unwrap();
        if !bytes.starts_with(b"MZ") {
            return Err(Failure::Fault(Fault::new(FaultCode::Refused, "this is no program")));
        }
        Ok(range(&bytes, offset, length))
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

fn absent<T>() -> Answer<T> {
    Err(Failure::Fault(Fault::new(FaultCode::Absent, "")))
}

fn range(bytes: &[u8], offset: u64, length: u32) -> Vec<u8> {
    let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
    rest.iter().copied().take(length as usize).collect()
}

#[test]
fn no_cut_and_no_flipped_byte_of_a_property_list_harms_the_component() {
    let declaration = json!({
        "app": { "darwin": {
            "presence": "bundle", "location": "/Applications/Acme.app", "version": { "kind": "plist" },
        } },
        "requires": { "app": true, "min_version": "0" },
    });
    let read = |bytes: &[u8]| plist::bundle_version(bytes).ok();
    assert!(variants("plist", Os::Darwin, &declaration, read) > 20_000);
}

#[test]
fn no_cut_and_no_flipped_byte_of_a_program_harms_the_component() {
    let declaration = json!({
        "app": { "win32": {
            "presence": "executable", "location": r"C:\acme.exe", "version": { "kind": "pe_resource" },
        } },
        "requires": { "app": true, "min_version": "0" },
    });
    let read = |bytes: &[u8]| {
        let program = bytes.starts_with(b"MZ");
        program
            .then(|| pe::file_version(&mut |offset, length| Ok(range(bytes, offset, length))).ok())
            .flatten()
    };
    assert!(variants("pe", Os::Win32, &declaration, read) > 40_000);
}

/// Evaluates the declaration on every variant of every fixture in a folder. How many there were.
fn variants(folder: &str, os: Os, declaration: &Json, read: impl Fn(&[u8]) -> Option<String>) -> usize {
    let bytes = Bytes::default();
    let gate = Gate::builder().facts(OneFile { os, bytes: Arc::clone(&bytes) }).build().unwrap();
    let declaration = declaration.to_string();
    let mut count = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let whole = fs::read(&path).unwrap();
        let cuts = (0..=whole.len()).map(|length| whole.iter().copied().take(length).collect());
        for variant in cuts.chain((0..whole.len()).map(|place| flipped(&whole, place))) {
            let version = read(&variant).map(|version| version.trim().to_owned());
            // What the file says need not be a version.
            let version = version.filter(|version| Version::read(version).is_some());
            *bytes.lock().unwrap() = variant;
            let found = gate.evaluate(&declaration, "corpora").unwrap_or_else(|error| {
                panic!("{}, variant {count}: {error}", path.display());
            });
            // Good is what has a version that can be read; 0 is at most every version.
            assert_eq!(found.offerable, found.version.is_some(), "{}: {found:?}", path.display());
            assert_eq!(found.version, version, "{}: {found:?}", path.display());
            count += 1;
        }
    }
    count
}

fn flipped(whole: &[u8], place: usize) -> Vec<u8> {
    whole.iter().enumerate().map(|(index, byte)| if index == place { !byte } else { *byte }).collect()
}
