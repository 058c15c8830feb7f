//! `session`: the raw facts about the session, by system.

use super::reader::Reader;
use crate::document::{Mapping, Node};
use crate::{Fault, Os, Session};

const WIN32: [&str; 4] = ["process_session", "console_session", "window_station", "error"];
const LINUX: [&str; 3] = ["audit_session", "runtime_dir", "error"];
const DARWIN: [&str; 1] = ["error"];
/// Whether the user's runtime folder is one that can be read.
const RUNTIME_DIR: [(&str, bool); 3] = [("readable", true), ("unreadable", false), ("absent", false)];

/// The session of a machine that says nothing about it.
pub(super) fn unknown(os: Os) -> Session {
    match os {
        Os::Win32 => Session::Win32 { process_session: None, console_session: None, window_station: false },
        Os::Linux => Session::Linux { audit_session: None, runtime_folder_readable: false },
        Os::Darwin => Session::Darwin,
    }
}

pub(super) fn read(reader: &mut Reader, node: Node<'_>, os: Os) -> Option<Result<Session, Fault>> {
    let session = reader.mapping(node, "`session`")?;
    let (members, what) = match os {
        Os::Win32 => (WIN32.as_slice(), "`session` of win32"),
        Os::Linux => (LINUX.as_slice(), "`session` of linux"),
        Os::Darwin => (DARWIN.as_slice(), "`session` of darwin"),
    };
    if let Some(fault) = reader.error_fault(node, what) {
        return fault.map(Err);
    }
    reader.known(session, members, what);
    Some(Ok(match os {
        Os::Win32 => Session::Win32 {
            process_session: number(reader, session, "process_session"),
            console_session: number(reader, session, "console_session"),
            window_station: match session.get("window_station") {
                Some(member) => reader.truth(member.value, "`window_station`")?,
                None => false,
            },
        },
        Os::Linux => Session::Linux {
            audit_session: number(reader, session, "audit_session"),
            runtime_folder_readable: match session.get("runtime_dir") {
                Some(member) => reader.word(member.value, "`runtime_dir`", &RUNTIME_DIR)?,
                None => false,
            },
        },
        Os::Darwin => Session::Darwin,
    }))
}

fn number(reader: &mut Reader, session: Mapping<'_>, key: &str) -> Option<u32> {
    let member = session.get(key)?;
    let number = reader.number(member.value, &format!("`{key}`"), u64::from(u32::MAX))?;
    u32::try_from(number).ok()
}
