//! A recording as a facts file, in an order that depends on nothing but what was asked.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::yaml::{Lines, as_key, list, mapping, scalar};
use crate::facts_file::{Asked, FORMAT_VERSION, Keys, Range, Recording, timestamp};
use crate::{
    Contents, Fault, FaultCode, Node, NodeKind, Principal, ProcessState, ProcessStatus, Session, Value,
};

/// How much base64 stands on a line.
const LINE: usize = 76;

pub(super) fn yaml(recording: &Recording) -> String {
    let mut lines = Lines::default();
    lines.put(0, "facts", &FORMAT_VERSION.to_string());
    lines.put(0, "recorded", "true");
    lines.put(0, "os", recording.os.name());
    if !recording.variables.is_empty() {
        lines.open(0, "env");
        for (name, value) in &recording.variables {
            let value = value.as_ref().map_or_else(error, |value| scalar(value));
            lines.put(2, name, &value);
        }
    }
    if !recording.files.is_empty() {
        lines.open(0, "files");
        for (path, asked) in &recording.files {
            file(&mut lines, path, asked);
        }
    }
    if !recording.registry.is_empty() {
        lines.open(0, "registry");
        for (path, answer) in &recording.registry {
            match answer {
                Ok(keys) => registry_key(&mut lines, path, keys),
                Err(fault) => lines.put(2, path, &absent_or(fault)),
            }
        }
    }
    if !recording.processes.is_empty() {
        lines.open(0, "processes");
        for (pid, answer) in &recording.processes {
            lines.put(2, &pid.to_string(), &process(answer));
        }
    }
    if let Some(answer) = &recording.session {
        lines.put(0, "session", &session(answer));
    }
    lines.into_text()
}

fn file(lines: &mut Lines, path: &str, asked: &Asked) {
    let Asked { stat, lists, plist, pe, runtime_file } = asked;
    if let (Some(answer), true, None, None, None) = (stat, lists.is_empty(), plist, pe, runtime_file) {
        lines.put(2, path, &node(answer));
        return;
    }
    lines.open(2, path);
    if let Some(answer) = stat {
        lines.put(4, "stat", &node(answer));
    }
    if !lists.is_empty() {
        lines.open(4, "list");
        for (prefix, answer) in lists {
            lines.put(6, prefix, &answer.as_ref().map_or_else(absent_or, |names| list(names)));
        }
    }
    match plist {
        Some(Ok(bytes)) => {
            lines.open(4, "plist");
            contents(lines, 6, bytes);
        }
        Some(Err(fault)) => lines.put(4, "plist", &absent_or(fault)),
        None => {}
    }
    match pe {
        Some(Ok(ranges)) => {
            lines.open(4, "pe");
            ranges.iter().for_each(|range| pe_range(lines, range));
        }
        Some(Err(fault)) => lines.put(4, "pe", &absent_or(fault)),
        None => {}
    }
    match runtime_file {
        Some(Ok(file)) => runtime(lines, file),
        Some(Err(fault)) => lines.put(4, "runtime_file", &absent_or(fault)),
        None => {}
    }
}

fn node(answer: &Result<Node, Fault>) -> String {
    match answer {
        Err(fault) => absent_or(fault),
        Ok(Node { kind: NodeKind::File, executable: true }) => "executable".to_owned(),
        Ok(Node { kind: NodeKind::File, .. }) => "file".to_owned(),
        Ok(Node { kind: NodeKind::Folder, .. }) => "dir".to_owned(),
        Ok(Node { kind: NodeKind::Other, .. }) => "other".to_owned(),
    }
}

fn pe_range(lines: &mut Lines, range: &Range) {
    lines.item(6, &format!("offset: {}", range.offset));
    base64(lines, 8, &range.bytes);
    if range.ends {
        lines.put(8, "ends", "true");
    }
}

fn runtime(lines: &mut Lines, file: &Contents) {
    lines.open(4, "runtime_file");
    let length = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    contents(lines, 6, &file.bytes);
    if file.size != length {
        lines.put(6, "size", &file.size.to_string());
    }
    if let Some(modified) = file.modified {
        lines.put(6, "modified", &timestamp(modified));
    }
    if let Some(owner) = file.owner {
        lines.put(6, "owner", principal(owner));
    }
    if let Some(group) = file.group {
        lines.put(6, "group", principal(group));
    }
    if let Some(mode) = file.mode {
        lines.put(6, "mode", &format!("'{mode:04o}'"));
    }
}

fn principal(principal: Principal) -> &'static str {
    match principal {
        Principal::Own => "self",
        Principal::Root => "root",
        Principal::Other => "other",
    }
}

/// Bytes as text where they are text, else in base64.
fn contents(lines: &mut Lines, indent: usize, bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(text) if text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r')) => {
            lines.put_text(indent, "text", text);
        }
        _ => base64(lines, indent, bytes),
    }
}

fn base64(lines: &mut Lines, indent: usize, bytes: &[u8]) {
    let mut encoded = STANDARD.encode(bytes);
    let breaks = encoded.len().saturating_sub(1) / LINE;
    for at in (1..=breaks).rev() {
        encoded.insert(at * LINE, '\n');
    }
    lines.put_text(indent, "base64", &encoded);
}

fn registry_key(lines: &mut Lines, path: &str, keys: &Keys) {
    lines.open(2, path);
    lines.put(4, "values", &list(&keys.asked));
    if keys.keys.is_empty() {
        lines.put(4, "keys", "[]");
        return;
    }
    lines.open(4, "keys");
    for (name, values) in &keys.keys {
        let values = same_fault(&keys.asked, values).map_or_else(|| registry_values(values), error);
        lines.item(6, &format!("{}: {values}", as_key(name)));
    }
}

/// The fault that every value of a key has: the key could not be opened.
fn same_fault<'k>(asked: &[String], values: &'k BTreeMap<String, Value>) -> Option<&'k Fault> {
    let mut faults = asked.iter().map(|name| match values.get(name) {
        Some(Value::Unreadable(fault)) => Some(fault),
        _ => None,
    });
    let first = faults.next()??;
    faults.all(|fault| fault == Some(first)).then_some(first)
}

fn registry_values(values: &BTreeMap<String, Value>) -> String {
    let written = |value: &Value| match value {
        Value::Missing => None,
        Value::Text(text) => Some(scalar(text)),
        Value::ExpandableText(text) => Some(mapping(&[("expand", scalar(text))])),
        Value::Number(number) if u32::try_from(*number).is_ok() => {
            Some(mapping(&[("dword", number.to_string())]))
        }
        Value::Number(number) => Some(mapping(&[("qword", number.to_string())])),
        Value::Other => Some(mapping(&[("other", "true".to_owned())])),
        Value::Unreadable(fault) => Some(mapping(&[("error", fault.code.name().to_owned())])),
    };
    let members: Vec<_> = values
        .iter()
        .filter_map(|(name, value)| written(value).map(|value| (name.as_str(), value)))
        .collect();
    mapping(&members)
}

fn process(answer: &Result<ProcessStatus, Fault>) -> String {
    let status = match answer {
        Ok(status) => status,
        Err(fault) if fault.code == FaultCode::Denied => return mapping(&[("denied", "true".to_owned())]),
        Err(fault) => return error(fault),
    };
    let mut members = Vec::new();
    match status.state {
        ProcessState::Absent => return "absent".to_owned(),
        ProcessState::Running => {}
        ProcessState::Zombie => members.push(("zombie", "true".to_owned())),
        ProcessState::Ended => members.push(("ended", "true".to_owned())),
    }
    members.extend(status.started.map(|started| ("started", timestamp(started))));
    mapping(&members)
}

fn session(answer: &Result<Session, Fault>) -> String {
    let number = |key, number: &Option<u32>| number.map(|number| (key, number.to_string()));
    let members: Vec<(&str, String)> = match answer {
        Err(fault) => return error(fault),
        Ok(Session::Win32 { process_session, console_session, window_station }) => {
            let numbers =
                [number("process_session", process_session), number("console_session", console_session)];
            numbers.into_iter().flatten().chain([("window_station", window_station.to_string())]).collect()
        }
        Ok(Session::Linux { audit_session, runtime_folder_readable }) => {
            let readable = if *runtime_folder_readable { "readable" } else { "unreadable" };
            number("audit_session", audit_session)
                .into_iter()
                .chain([("runtime_dir", readable.to_owned())])
                .collect()
        }
        Ok(Session::Darwin) => Vec::new(),
    };
    mapping(&members)
}

fn absent_or(fault: &Fault) -> String {
    if fault.code == FaultCode::Absent { "absent".to_owned() } else { error(fault) }
}

/// The words of a fault are written for `io` alone: the other codes say it all, and the words differ between machines.
fn error(fault: &Fault) -> String {
    let code = ("error", fault.code.name().to_owned());
    match fault.code {
        FaultCode::Io if !fault.detail.is_empty() => mapping(&[code, ("detail", scalar(&fault.detail))]),
        _ => mapping(&[code]),
    }
}
