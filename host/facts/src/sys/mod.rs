//! The machine that this program runs on. The only place that knows which system that is.
//!
//! Each system's module has the same functions: how it opens, looks and asks. What to make of the answers that are the
//! same everywhere (bounds, prefixes, the layout of text) is shared and so tested on every system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod unix;
#[cfg(target_os = "windows")]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
#[cfg(target_os = "windows")]
use windows as system;

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
compile_error!(
    "appdecl knows Linux, macOS and Windows; other hosts can answer the questions of `HostFacts` themselves"
);

mod environment;
mod folder;
mod read;
mod time;
#[cfg_attr(
    not(any(test, target_os = "windows")),
    expect(dead_code, reason = "compiled everywhere, so that it is checked and tested everywhere")
)]
mod win32;

use std::path::Path;

use crate::{
    Answer, Contents, Fault, FaultCode, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, View,
    limits, path,
};

/// The real machine, as this process sees it.
///
/// Every answer is read anew; nothing is cached, written, started or signalled. A path that is relative, or that names a
/// network or a device by its text, is `refused` before any call. Wrap it in [`Limited`](crate::Limited) before a
/// component may ask it: the registry keys that may be read are judged there.
///
/// ```
/// use appdecl_facts::{HostFacts, Machine, NodeKind};
///
/// let folder = std::env::temp_dir();
/// let node = Machine::new().stat(folder.to_str().unwrap()).unwrap();
/// assert_eq!(node.kind, NodeKind::Folder);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine {
    _private: (),
}

impl Machine {
    /// This machine. Asks it nothing yet.
    pub const fn new() -> Self {
        Self { _private: () }
    }
}

impl HostFacts for Machine {
    fn os(&self) -> Answer<Os> {
        Ok(system::OS)
    }

    fn variable(&self, name: &str) -> Answer<String> {
        Ok(environment::variable(name)?)
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        path::check(system::OS, path)?;
        Ok(system::stat(path)?)
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        path::check(system::OS, folder)?;
        Ok(folder::list(&system::native(folder), prefix)?)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        path::check(system::OS, bundle)?;
        let opened =
            system::open(&system::native(&path::join(system::OS, bundle, &["Contents", "Info.plist"])))?;
        let bytes = read::whole(&opened, limits::MAX_PLIST)?;
        Ok(bytes.ok_or_else(|| Fault::new(FaultCode::TooLarge, "Info.plist is larger than 1 MiB"))?)
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        path::check(system::OS, path)?;
        Ok(read::pe_range(&system::open(&system::native(path))?, offset, length)?)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        Ok(system::subkeys(hive, view, key, values)?)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        path::check(system::OS, path)?;
        let opened = system::open(&system::native(path))?;
        let ownership = system::ownership(&opened.metadata);
        Ok(read::runtime_file(&opened, ownership)?)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        limits::check_pid(pid)?;
        Ok(system::process(pid)?)
    }

    fn session(&self) -> Answer<Session> {
        Ok(system::session()?)
    }
}

/// Reads a file that the user of this program names, whole: a declaration, a facts file.
///
/// Links are followed. What they lead to must be a regular file, and is opened without waiting for anybody. Its size is
/// judged before anything is read.
///
/// # Errors
///
/// [`FaultCode::NotRegular`] for a folder, a pipe or a device; [`FaultCode::TooLarge`] beyond `limit` bytes, with the size
/// in its words; else what the system says.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let opened = system::open(path)?;
    let stated = opened.metadata.len();
    read::whole(&opened, limit)?.ok_or_else(|| {
        Fault::new(FaultCode::TooLarge, format!("the file has {stated} bytes, and at most {limit} are read"))
    })
}
