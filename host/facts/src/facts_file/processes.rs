//! `processes`: how each process number stands.

use super::reader::Reader;
use super::times;
use crate::document::{Mapping, Member, Node, Value};
use crate::{Fault, FaultCode, ProcessState, ProcessStatus};

const MEMBERS: [&str; 5] = ["started", "zombie", "ended", "denied", "error"];
const MAX_PID: u32 = i32::MAX as u32;

/// The processes of a mapping, each with its number.
pub(super) fn read(reader: &mut Reader, node: Node<'_>) -> Vec<(u32, Result<ProcessStatus, Fault>)> {
    let Some(processes) = reader.mapping(node, "`processes`") else { return Vec::new() };
    reader.unrepeated(processes, "`processes`");
    let mut read = Vec::new();
    for member in processes.members() {
        let pid = member
            .key
            .parse::<u32>()
            .ok()
            .filter(|pid| (1..=MAX_PID).contains(pid) && !member.key.starts_with('+'));
        match pid {
            None => reader.fault(
                member.key_span,
                format!("`{}` is no process number: it must be between 1 and {MAX_PID}", member.key),
            ),
            Some(pid) => read.extend(process(reader, member).map(|status| (pid, status))),
        }
    }
    read
}

fn process(reader: &mut Reader, member: Member<'_>) -> Option<Result<ProcessStatus, Fault>> {
    let what = format!("process {}", member.key);
    let node = member.value;
    if let Value::Text(short) = node.value() {
        if short == "absent" {
            return Some(Ok(ProcessStatus { state: ProcessState::Absent, started: None }));
        }
        reader.unknown_word(node, &what, short, &["absent"], None);
        return None;
    }
    let mapping = reader.mapping(node, &what)?;
    if let Some(fault) = reader.error_fault(node, &what) {
        return fault.map(Err);
    }
    reader.known(mapping, &MEMBERS, &what);
    let started = match mapping.get("started") {
        Some(started) => Some(times::read(reader, started.value, "`started`")?),
        None => None,
    };
    let state = state(reader, mapping, &what)?;
    Some(state.map(|state| ProcessStatus { state, started }))
}

fn state(reader: &mut Reader, mapping: Mapping<'_>, what: &str) -> Option<Result<ProcessState, Fault>> {
    let mut marks = mapping.members().filter(|member| ["zombie", "ended", "denied"].contains(&member.key));
    let Some(mark) = marks.next() else { return Some(Ok(ProcessState::Running)) };
    if let Some(second) = marks.find(|second| second.key != mark.key) {
        reader
            .fault(second.key_span, format!("{what} can not be `{}` and `{}` at once", mark.key, second.key));
        return None;
    }
    reader.mark(mark.value, &format!("`{}`", mark.key))?;
    Some(match mark.key {
        "zombie" => Ok(ProcessState::Zombie),
        "ended" => Ok(ProcessState::Ended),
        _ => Err(Fault::new(FaultCode::Denied, "the process may not be asked")),
    })
}
