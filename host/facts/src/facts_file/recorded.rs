//! Reads a recording. What stands at a path is one answer or several, each under the question that it answers; nothing
//! is implied and nothing has a default.

use std::collections::BTreeMap;

use super::files::OWNERS;
use super::reader::Reader;
use super::recording::{Asked, Keys, Range, Recording};
use super::{bytes, env, files, processes, registry, session, times};
use crate::document::{List, Mapping, Member, Node as Doc, Value as Content};
use crate::{Contents, Fault, FaultCode, Node, NodeKind, Os, Value};

const QUESTIONS: [&str; 5] = ["stat", "list", "plist", "pe", "runtime_file"];
const CONTENTS: [&str; 7] = ["text", "base64", "size", "modified", "owner", "group", "mode"];
const KINDS: [(&str, Node); 4] = [
    ("file", Node { kind: NodeKind::File, executable: false }),
    ("executable", Node { kind: NodeKind::File, executable: true }),
    ("dir", Node { kind: NodeKind::Folder, executable: false }),
    ("other", Node { kind: NodeKind::Other, executable: false }),
];

pub(super) fn read(reader: &mut Reader, top: Mapping<'_>, os: Os) -> Option<Recording> {
    if let Some(home) = top.get("home") {
        reader.fault_with(
            home.key_span,
            "a recording has no `home`: its paths are whole",
            "remove it, or remove `recorded` and describe the machine by hand",
        );
    }
    let mut recording = Recording::new(os);
    if let Some(env) = section(reader, top, "env") {
        for member in env.members() {
            let Some(value) = env::value(reader, member.value, member.key) else { continue };
            recording.variables.insert(member.key.to_owned(), value);
        }
    }
    if let Some(files) = section(reader, top, "files") {
        for member in files.members() {
            let Some(asked) = asked(reader, member) else { continue };
            recording.files.insert(member.key.to_owned(), asked);
        }
    }
    if let Some(keys) = section(reader, top, "registry") {
        for member in keys.members() {
            let Some(path) = registry::written_key(reader, member) else { continue };
            let Some(answer) = keys_below(reader, member) else { continue };
            recording.registry.insert(path, answer);
        }
    }
    if let Some(member) = top.get("processes") {
        recording.processes = processes::read(reader, member.value).into_iter().collect();
    }
    if let Some(member) = top.get("session") {
        recording.session = session::read(reader, member.value, os);
    }
    Some(recording)
}

fn section<'d>(reader: &mut Reader, top: Mapping<'d>, key: &str) -> Option<Mapping<'d>> {
    let what = format!("`{key}`");
    let section = reader.mapping(top.get(key)?.value, &what)?;
    reader.unrepeated(section, &what);
    Some(section)
}

fn asked(reader: &mut Reader, member: Member<'_>) -> Option<Asked> {
    let what = format!("`{}`", member.key);
    let node = member.value;
    let mapping = match node.as_mapping() {
        Some(mapping) if mapping.get("error").is_none() => mapping,
        _ => {
            // Where only this was asked, the answer stands alone.
            return Some(Asked { stat: Some(stat(reader, node, &what)?), ..Asked::default() });
        }
    };
    reader.known(mapping, &QUESTIONS, &format!("{what} of a recording"));
    let mut asked = Asked::default();
    if let Some(answer) = mapping.get("stat") {
        asked.stat = stat(reader, answer.value, "`stat`");
    }
    if let Some(answer) = mapping.get("list") {
        asked.lists = lists(reader, answer.value);
    }
    if let Some(answer) = mapping.get("plist") {
        asked.plist = answer_or(reader, answer.value, "`plist`", |reader, mapping| {
            reader.known(mapping, &["text", "base64"], "`plist` of a recording");
            contents(reader, mapping)
        });
    }
    if let Some(answer) = mapping.get("pe") {
        asked.pe = match answer.value.as_list() {
            Some(list) => ranges(reader, list).map(Ok),
            None => answer_or(reader, answer.value, "`pe`", |reader, _| {
                reader.wrong_type(answer.value, "`pe`", "a list of ranges or `{ error: … }`");
                None
            }),
        };
    }
    if let Some(answer) = mapping.get("runtime_file") {
        asked.runtime_file = answer_or(reader, answer.value, "`runtime_file`", runtime_file);
    }
    Some(asked)
}

fn stat(reader: &mut Reader, node: Doc<'_>, what: &str) -> Option<Result<Node, Fault>> {
    if let Some(fault) = fault(reader, node, what) {
        return fault.map(Err);
    }
    reader.word(node, what, &KINDS).map(Ok)
}

/// By prefix: the names, or the fault.
fn lists(reader: &mut Reader, node: Doc<'_>) -> BTreeMap<String, Result<Vec<String>, Fault>> {
    let mut lists = BTreeMap::new();
    let Some(by_prefix) = reader.mapping(node, "`list`") else { return lists };
    reader.unrepeated(by_prefix, "`list`");
    for member in by_prefix.members() {
        let what = format!("`list` of the names that begin with `{}`", member.key);
        let answer = match fault(reader, member.value, &what) {
            Some(fault) => fault.map(Err),
            None => match member.value.as_list() {
                Some(names) => Some(Ok(texts(reader, names))),
                None => {
                    reader.wrong_type(member.value, &what, "a list of names");
                    None
                }
            },
        };
        lists.extend(answer.map(|answer| (member.key.to_owned(), answer)));
    }
    lists
}

fn ranges(reader: &mut Reader, list: List<'_>) -> Option<Vec<Range>> {
    let before = reader.faults.len();
    let mut ranges = Vec::new();
    for item in list.items() {
        let Some(range) = reader.mapping(item, "a range of `pe`") else { continue };
        reader.known(range, &["offset", "base64", "ends"], "a range of `pe`");
        let offset =
            required(reader, item, "offset").and_then(|node| reader.number(node, "`offset`", u64::MAX));
        let bytes = required(reader, item, "base64").and_then(|node| bytes::base64(reader, node));
        let ends = match range.get("ends") {
            Some(member) => reader.truth(member.value, "`ends`").unwrap_or_default(),
            None => false,
        };
        ranges.extend(offset.zip(bytes).map(|(offset, bytes)| Range { offset, bytes, ends }));
    }
    (reader.faults.len() == before).then_some(ranges)
}

fn required<'d>(reader: &mut Reader, node: Doc<'d>, key: &str) -> Option<Doc<'d>> {
    let member = node.get(key);
    if member.is_none() {
        reader.fault(node.span(), format!("`{key}` is missing"));
    }
    member.map(|member| member.value)
}

fn runtime_file(reader: &mut Reader, mapping: Mapping<'_>) -> Option<Contents> {
    let before = reader.faults.len();
    reader.known(mapping, &CONTENTS, "`runtime_file` of a recording");
    let has_bytes = mapping.get("text").is_some() || mapping.get("base64").is_some();
    let bytes = if has_bytes { contents(reader, mapping)? } else { Vec::new() };
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let read = Contents {
        size: match mapping.get("size") {
            Some(member) => reader.number(member.value, "`size`", u64::MAX)?,
            None => length,
        },
        bytes,
        modified: mapping.get("modified").and_then(|member| times::read(reader, member.value, "`modified`")),
        owner: mapping.get("owner").and_then(|member| reader.word(member.value, "`owner`", &OWNERS)),
        group: mapping.get("group").and_then(|member| reader.word(member.value, "`group`", &OWNERS)),
        mode: mapping.get("mode").and_then(|member| files::mode(reader, member.value)),
    };
    (reader.faults.len() == before).then_some(read)
}

fn contents(reader: &mut Reader, mapping: Mapping<'_>) -> Option<Vec<u8>> {
    bytes::read(reader, mapping)
}

fn keys_below(reader: &mut Reader, member: Member<'_>) -> Option<Result<Keys, Fault>> {
    let what = format!("the key `{}`", member.key);
    if let Some(fault) = fault(reader, member.value, &what) {
        return fault.map(Err);
    }
    let mapping = reader.mapping(member.value, &what)?;
    reader.known(mapping, &["values", "keys"], &format!("{what} of a recording"));
    let asked = required(reader, member.value, "values")?;
    let Some(asked) = asked.as_list() else {
        reader.wrong_type(asked, "`values`", "the list of the names that were asked for");
        return None;
    };
    let asked = texts(reader, asked);
    let list = required(reader, member.value, "keys")?;
    let Some(list) = list.as_list() else {
        reader.wrong_type(list, "`keys`", "a list of keys, each with its values");
        return None;
    };
    let mut keys = Vec::new();
    for item in list.items() {
        keys.extend(key(reader, item, &asked));
    }
    Some(Ok(Keys { asked, keys }))
}

/// `NAME: { VALUE: … }`, alone in its mapping, since two keys may go by one name.
fn key(reader: &mut Reader, item: Doc<'_>, asked: &[String]) -> Option<(String, BTreeMap<String, Value>)> {
    let mut members = reader.mapping(item, "a key of `keys`")?.members();
    let (Some(member), None) = (members.next(), members.next()) else {
        reader.fault(
            item.span(),
            "a key of `keys` must be its name with its values, such as `- Acme: { DisplayName: Acme }`",
        );
        return None;
    };
    let what = format!("the key `{}`", member.key);
    if let Some(fault) = fault(reader, member.value, &what) {
        let fault = fault?;
        let unreadable = |name: &String| (name.clone(), Value::Unreadable(fault.clone()));
        return Some((member.key.to_owned(), asked.iter().map(unreadable).collect()));
    }
    let values = reader.mapping(member.value, &what)?;
    let known: Vec<_> = asked.iter().map(String::as_str).collect();
    reader.known(values, &known, &format!("{what}, of which only the values under `values` were asked for"));
    let mut read = BTreeMap::new();
    for value in values.members() {
        read.extend(registry::value(reader, value).map(|read| (value.key.to_owned(), read)));
    }
    Some((member.key.to_owned(), read))
}

fn texts(reader: &mut Reader, list: List<'_>) -> Vec<String> {
    list.items().filter_map(|item| reader.text(item, "a name").map(str::to_owned)).collect()
}

/// An answer that is a mapping, or a fault.
fn answer_or<'d, T>(
    reader: &mut Reader,
    node: Doc<'d>,
    what: &str,
    read: impl FnOnce(&mut Reader, Mapping<'d>) -> Option<T>,
) -> Option<Result<T, Fault>> {
    if let Some(fault) = fault(reader, node, what) {
        return fault.map(Err);
    }
    let mapping = reader.mapping(node, what)?;
    read(reader, mapping).map(Ok)
}

/// `absent`, or `{ error: CODE }`. None where the node is neither; some nothing where it is a faulty fault.
fn fault(reader: &mut Reader, node: Doc<'_>, what: &str) -> Option<Option<Fault>> {
    match node.value() {
        Content::Text("absent") => Some(Some(Fault::new(FaultCode::Absent, ""))),
        _ => reader.error_fault(node, what),
    }
}
