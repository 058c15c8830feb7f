//! Every cap of the host, in one wrapper.
//!
//! What a host hands over is bounded here, whoever answers: the real machine, a facts file, an embedder's own answers. The
//! real machine reads within the same bounds, so that nothing large is ever held.

use crate::{
    Answer, Contents, Failure, Fault, FaultCode, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey,
    Value, View, path,
};

/// The largest value of an environment variable in bytes of UTF-8 (`wit/host/environment.wit`).
pub const MAX_VARIABLE: usize = 128 * 1024;
/// The longest name of an environment variable in bytes: the longest that Windows knows.
pub const MAX_VARIABLE_NAME: usize = 32_767;
/// The most names that one folder gives (`wit/host/filesystem.wit`).
pub const MAX_NAMES: usize = 65_536;
/// The largest Info.plist in bytes (SPEC §5.1).
pub const MAX_PLIST: u64 = 1024 * 1024;
/// The most bytes of a program file in one answer (`wit/host/pe.wit`).
pub const MAX_PE_RANGE: u32 = 65_536;
/// The largest runtime file in bytes that is handed over (SPEC §6).
pub const MAX_RUNTIME_FILE: u64 = 65_536;
/// The most keys that one list gives (`wit/host/registry.wit`).
pub const MAX_SUBKEYS: usize = 16_384;
/// The largest registry value in UTF-16 code units: 64 KiB as the registry stores it.
pub const MAX_REGISTRY_TEXT: usize = 32_768;
/// The longest name of a registry value in UTF-16 code units, as Windows has it.
pub const MAX_VALUE_NAME: usize = 16_383;
/// The most registry values that may be asked for at once.
pub const MAX_VALUES: usize = 16;
/// The most text in bytes that one list of names or keys holds altogether.
pub const MAX_LIST_TEXT: usize = 8 * 1024 * 1024;
/// The most words in bytes that come with a fault.
pub const MAX_DETAIL: usize = 1024;
/// The one key below which the registry may be asked, letter case aside (SPEC §5.2). The view is chosen apart.
pub const UNINSTALL_KEY: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall";

/// Any [`HostFacts`], asked no more than the contract allows and answering no more than it allows.
///
/// A question that goes too far is `refused` before it reaches the inner host: a path that is relative, a network or
/// device path, a registry key other than [`UNINSTALL_KEY`], a process number outside 1 to 2147483647. An answer that is
/// too large is clipped where the contract says so and `too-large` elsewhere. Whatever the inner host fails with passes,
/// with its words clipped to [`MAX_DETAIL`].
///
/// ```
/// use appdecl_facts::{FaultCode, Failure, HostFacts, Limited, Machine};
///
/// let host = Limited::new(Machine::new());
/// let Err(Failure::Fault(fault)) = host.stat("not/absolute") else { panic!("a relative path was looked at") };
/// assert_eq!(fault.code, FaultCode::Refused);
/// ```
#[derive(Clone, Debug)]
pub struct Limited<F>(F);

impl<F: HostFacts> Limited<F> {
    /// Puts every cap on `facts`.
    pub fn new(facts: F) -> Self {
        Self(facts)
    }

    /// The host inside.
    pub fn get_ref(&self) -> &F {
        &self.0
    }

    fn check_path(&self, path: &str) -> Answer<()> {
        path::check(self.0.os()?, path).map_err(Failure::Fault)
    }
}

impl<F: HostFacts> HostFacts for Limited<F> {
    fn os(&self) -> Answer<Os> {
        self.0.os().map_err(clipped)
    }

    fn variable(&self, name: &str) -> Answer<String> {
        if name.len() > MAX_VARIABLE_NAME {
            return Err(refused("the name of the variable is too long"));
        }
        let value = self.0.variable(name).map_err(clipped)?;
        if value.len() > MAX_VARIABLE {
            Err(too_large("the value is larger than 128 KiB"))
        } else {
            Ok(value)
        }
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.check_path(path)?;
        self.0.stat(path).map_err(clipped)
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        self.check_path(folder)?;
        let os = self.0.os()?;
        let mut names = self.0.list(folder, prefix).map_err(clipped)?;
        names.retain(|name| path::is_name(os, name));
        if names.len() > MAX_NAMES {
            return Err(too_large("the folder holds more than 65536 such names"));
        }
        if names.iter().map(String::len).sum::<usize>() > MAX_LIST_TEXT {
            return Err(too_large("the names of the folder are larger than 8 MiB"));
        }
        Ok(names)
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.check_path(bundle)?;
        let bytes = self.0.plist(bundle).map_err(clipped)?;
        if length(&bytes) > MAX_PLIST { Err(too_large("Info.plist is larger than 1 MiB")) } else { Ok(bytes) }
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        self.check_path(path)?;
        let length = length.min(MAX_PE_RANGE);
        let mut bytes = self.0.pe(path, offset, length).map_err(clipped)?;
        bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        check_key(key)?;
        check_value_names(values)?;
        let mut subkeys = self.0.subkeys(hive, view, key, values).map_err(clipped)?;
        if subkeys.len() > MAX_SUBKEYS {
            return Err(too_large("there are more than 16384 keys"));
        }
        for subkey in &mut subkeys {
            subkey.values.resize(values.len(), Value::Missing);
            subkey.values.iter_mut().for_each(clip_value);
        }
        if subkeys.iter().map(text_of).sum::<usize>() > MAX_LIST_TEXT {
            return Err(too_large("the values are larger than 8 MiB"));
        }
        Ok(subkeys)
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        self.check_path(path)?;
        let mut contents = self.0.runtime_file(path).map_err(clipped)?;
        contents.size = contents.size.max(length(&contents.bytes));
        if contents.size > MAX_RUNTIME_FILE {
            contents.bytes = Vec::new();
        }
        contents.mode = contents.mode.map(|mode| mode & 0o7777);
        Ok(contents)
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        check_pid(pid)?;
        self.0.process(pid).map_err(clipped)
    }

    fn session(&self) -> Answer<Session> {
        self.0.session().map_err(clipped)
    }
}

/// Says `refused` for a number that no process can have.
pub(crate) fn check_pid(pid: u32) -> Result<(), Fault> {
    if pid == 0 || i32::try_from(pid).is_err() {
        return Err(Fault::new(FaultCode::Refused, "a process number is between 1 and 2147483647"));
    }
    Ok(())
}

fn check_key(key: &str) -> Answer<()> {
    if key.eq_ignore_ascii_case(UNINSTALL_KEY) {
        return Ok(());
    }
    Err(refused("this host answers for the uninstall entries alone"))
}

fn check_value_names(values: &[String]) -> Answer<()> {
    if values.len() > MAX_VALUES {
        return Err(refused("more than 16 values are asked for at once"));
    }
    if values.iter().any(|name| name.contains('\0') || is_longer(name, MAX_VALUE_NAME)) {
        return Err(refused("the name of a value is too long or holds a NUL"));
    }
    Ok(())
}

fn clip_value(value: &mut Value) {
    match value {
        Value::Text(text) | Value::ExpandableText(text) if is_longer(text, MAX_REGISTRY_TEXT) => {
            *value = Value::Unreadable(Fault::new(FaultCode::TooLarge, "the value is larger than 64 KiB"));
        }
        Value::Unreadable(fault) => clip_detail(&mut fault.detail),
        _ => {}
    }
}

fn text_of(subkey: &Subkey) -> usize {
    let values = subkey.values.iter().map(|value| match value {
        Value::Text(text) | Value::ExpandableText(text) => text.len(),
        Value::Unreadable(fault) => fault.detail.len(),
        Value::Missing | Value::Number(_) | Value::Other => 0,
    });
    values.fold(subkey.name.len(), usize::saturating_add)
}

/// Whether text has more than `limit` UTF-16 code units. It never has more of them than bytes.
fn is_longer(text: &str, limit: usize) -> bool {
    text.len() > limit && text.encode_utf16().count() > limit
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn clipped(failure: Failure) -> Failure {
    match failure {
        Failure::Fault(mut fault) => {
            clip_detail(&mut fault.detail);
            Failure::Fault(fault)
        }
        Failure::Unanswerable(_) => failure,
    }
}

fn clip_detail(detail: &mut String) {
    if detail.len() > MAX_DETAIL {
        detail.truncate(detail.floor_char_boundary(MAX_DETAIL));
    }
}

fn refused(detail: &str) -> Failure {
    Failure::Fault(Fault::new(FaultCode::Refused, detail))
}

fn too_large(detail: &str) -> Failure {
    Failure::Fault(Fault::new(FaultCode::TooLarge, detail))
}
