//! A facts file that was written by hand: a closed world that answers every question.

use std::collections::HashMap;

use super::env::Variables;
use super::files::{self, File, Place};
use super::reader::Reader;
use super::registry::Registry;
use super::tree::{Thing, Tree};
use super::{processes, session};
use crate::document::Mapping;
use crate::limits::{MAX_NAMES, MAX_PE_RANGE, MAX_PLIST, MAX_RUNTIME_FILE};
use crate::{
    Answer, Contents, Failure, Fault, FaultCode, Hive, HostFacts, Node, NodeKind, Os, ProcessState,
    ProcessStatus, Session, Subkey, View,
};

/// The machine that a facts file describes.
pub(crate) struct World {
    pub(crate) os: Os,
    variables: Variables,
    files: Tree<File>,
    registry: Registry,
    processes: HashMap<u32, Result<ProcessStatus, Fault>>,
    session: Result<Session, Fault>,
}

pub(super) fn read(reader: &mut Reader, top: Mapping<'_>, os: Os) -> Option<World> {
    let variables = Variables::read(reader, top, os);
    let files = match top.get("files") {
        Some(member) => files::read(reader, member.value, &Place { os, home: variables.home.as_deref() }),
        None => Tree::new(os),
    };
    let registry = match top.get("registry") {
        Some(member) => Registry::read(reader, member.value),
        None => Registry::default(),
    };
    let processes = match top.get("processes") {
        Some(member) => processes::read(reader, member.value).into_iter().collect(),
        None => HashMap::new(),
    };
    let session = match top.get("session") {
        Some(member) => session::read(reader, member.value, os)?,
        None => Ok(session::unknown(os)),
    };
    Some(World { os, variables, files, registry, processes, session })
}

impl HostFacts for World {
    fn os(&self) -> Answer<Os> {
        Ok(self.os)
    }

    fn variable(&self, name: &str) -> Answer<String> {
        Ok(self.variables.get(name)?)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        let (kind, executable) = match self.find(path)? {
            Thing::Folder(_) => (NodeKind::Folder, false),
            Thing::File(file) => (NodeKind::File, file.executable && self.os != Os::Win32),
            _ => (NodeKind::Other, false),
        };
        Ok(Node { kind, executable })
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        let Thing::Folder(folder) = self.find(folder)? else {
            return Err(fault(FaultCode::NotRegular));
        };
        let prefix = super::tree::folded(self.os, prefix);
        let names: Vec<_> = self
            .files
            .names(folder)
            .filter(|name| super::tree::folded(self.os, name).starts_with(&prefix))
            .map(str::to_owned)
            .collect();
        if names.len() > MAX_NAMES { Err(fault(FaultCode::TooLarge)) } else { Ok(names) }
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        let bytes = self.file(&info_plist(self.os, bundle))?;
        let size = bytes.size.unwrap_or_default().max(u64::try_from(bytes.bytes.len()).unwrap_or(u64::MAX));
        if size > MAX_PLIST { Err(fault(FaultCode::TooLarge)) } else { Ok(bytes.bytes.clone()) }
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let file = self.file(path)?;
        if !file.bytes.starts_with(b"MZ") {
            return Err(fault(FaultCode::Refused));
        }
        let length = usize::try_from(length.min(MAX_PE_RANGE)).unwrap_or_default();
        let rest =
            usize::try_from(offset).ok().and_then(|offset| file.bytes.get(offset..)).unwrap_or_default();
        Ok(rest.iter().take(length).copied().collect())
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        if self.os != Os::Win32 {
            return Err(fault(FaultCode::Unsupported));
        }
        self.registry.subkeys(hive, view, key, values).map_err(fault)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        let file = self.file(path)?;
        let size = file.size.unwrap_or_else(|| u64::try_from(file.bytes.len()).unwrap_or(u64::MAX));
        let has_owner = self.os != Os::Win32;
        Ok(Contents {
            size,
            bytes: if size > MAX_RUNTIME_FILE { Vec::new() } else { file.bytes.clone() },
            modified: file.modified,
            owner: has_owner.then_some(file.owner),
            group: has_owner.then_some(file.group),
            mode: has_owner.then_some(file.mode),
        })
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        let absent = || Ok(ProcessStatus { state: ProcessState::Absent, started: None });
        Ok(self.processes.get(&pid).cloned().unwrap_or_else(absent)?)
    }

    fn session(&self) -> Answer<Session> {
        Ok(self.session.clone()?)
    }
}

impl World {
    fn find(&self, path: &str) -> Answer<&Thing<File>> {
        self.files.find(path).map_err(fault)
    }

    /// A regular file that can be read.
    fn file(&self, path: &str) -> Answer<&File> {
        match self.find(path)? {
            Thing::File(file) if file.locked => Err(fault(FaultCode::Locked)),
            Thing::File(file) => Ok(file),
            _ => Err(fault(FaultCode::NotRegular)),
        }
    }
}

/// The property list of a bundle.
pub(crate) fn info_plist(os: Os, bundle: &str) -> String {
    crate::path::join(os, bundle, &["Contents", "Info.plist"])
}

fn fault(code: FaultCode) -> Failure {
    let detail = match code {
        FaultCode::Refused => "the facts file answers for no such path or file",
        FaultCode::Io => "the facts file says so, or links lead in a circle",
        _ => "",
    };
    Failure::Fault(Fault::new(code, detail))
}
