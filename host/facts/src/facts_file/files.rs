//! `files` of a facts file that was written by hand: what stands at each path.

use super::bytes;
use super::reader::Reader;
use super::tree::{Conflict, Folder, Thing, Tree};
use crate::document::{Mapping, Member, Node, Value};
use crate::{FaultCode, Os, Principal};

/// A regular file.
pub(super) struct File {
    pub(super) executable: bool,
    /// Whether another program holds it: it is there, and nobody can read it.
    pub(super) locked: bool,
    pub(super) bytes: Vec<u8>,
    /// The size where it is not that of `bytes`.
    pub(super) size: Option<u64>,
    pub(super) modified: Option<u64>,
    pub(super) owner: Principal,
    pub(super) group: Principal,
    pub(super) mode: u32,
}

impl Default for File {
    /// SPEC §10: this user's own, for nobody else.
    fn default() -> Self {
        Self {
            executable: false,
            locked: false,
            bytes: Vec::new(),
            size: None,
            modified: None,
            owner: Principal::Own,
            group: Principal::Own,
            mode: 0o600,
        }
    }
}

pub(super) const OWNERS: [(&str, Principal); 3] =
    [("self", Principal::Own), ("root", Principal::Root), ("other", Principal::Other)];

const MEMBERS: [&str; 12] = [
    "error",
    "link",
    "executable",
    "text",
    "base64",
    "plist",
    "pe_version",
    "size",
    "modified",
    "owner",
    "group",
    "mode",
];
const SHORT_FORMS: [&str; 4] = ["file", "executable", "dir", "absent"];
const ERRORS: [&str; 5] = ["denied", "locked", "io", "fifo", "absent"];

/// What the files of a machine are read with.
pub(super) struct Place<'a> {
    pub(super) os: Os,
    /// The home folder, for paths that begin with `~`.
    pub(super) home: Option<&'a str>,
}

pub(super) fn read(reader: &mut Reader, node: Node<'_>, place: &Place<'_>) -> Tree<File> {
    let mut tree = Tree::new(place.os);
    let Some(files) = reader.mapping(node, "`files`") else { return tree };
    reader.unrepeated(files, "`files`");
    for member in files.members() {
        let Some(thing) = thing(reader, member, place) else { continue };
        let Some(path) = at_home(reader, member, member.key, place) else { continue };
        if is_network(place.os, &path) {
            // No host answers for such a path, and so nothing that stands there is ever seen.
            continue;
        }
        if let Err(conflict) = tree.insert(&path, thing) {
            report(reader, member, place.os, conflict);
        }
    }
    tree
}

fn thing(reader: &mut Reader, member: Member<'_>, place: &Place<'_>) -> Option<Thing<File>> {
    let what = format!("`{}`", member.key);
    let node = member.value;
    if let Value::Text(short) = node.value() {
        return match short {
            "file" => Some(Thing::File(File::default())),
            "executable" => Some(Thing::File(File { executable: true, ..File::default() })),
            "dir" => Some(Thing::Folder(Folder::default())),
            "absent" => Some(Thing::Fault(FaultCode::Absent)),
            _ => {
                let meant = ["folder", "directory"].contains(&short).then_some("dir");
                reader.unknown_word(node, &what, short, &SHORT_FORMS, meant);
                None
            }
        };
    }
    let Some(mapping) = node.as_mapping() else {
        reader.wrong_type(node, &what, "a mapping, `file`, `executable` or `dir`");
        return None;
    };
    if let Some(error) = reader.error(node, &what) {
        if let Some(detail) = mapping.get("detail") {
            reader.text(detail.value, "`detail`")?;
        }
        return fault(reader, error, &what);
    }
    reader.known(mapping, &MEMBERS, &what);
    if let Some(link) = mapping.get("link") {
        for other in mapping.members().filter(|other| other.key != "link") {
            reader.fault(
                other.key_span,
                format!("`link` stands alone: {what} can not have `{}` too", other.key),
            );
        }
        let target = reader.text(link.value, "`link`")?;
        return at_home(reader, link, target, place).map(Thing::Link);
    }
    file(reader, mapping).map(Thing::File)
}

fn fault(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<Thing<File>> {
    let found = reader.text(node, "`error`")?;
    match found {
        "denied" => Some(Thing::Fault(FaultCode::Denied)),
        "io" => Some(Thing::Fault(FaultCode::Io)),
        "absent" => Some(Thing::Fault(FaultCode::Absent)),
        "locked" => Some(Thing::File(File { locked: true, ..File::default() })),
        "fifo" => Some(Thing::Pipe),
        _ => {
            reader.unknown_word(node, &format!("`error` of {what}"), found, &ERRORS, None);
            None
        }
    }
}

fn file(reader: &mut Reader, mapping: Mapping<'_>) -> Option<File> {
    let before = reader.faults.len();
    let bytes = bytes::read(reader, mapping).unwrap_or_default();
    let mut file = File { bytes, ..File::default() };
    if let Some(member) = mapping.get("executable") {
        file.executable = reader.truth(member.value, "`executable`").unwrap_or_default();
    }
    if let Some(member) = mapping.get("size") {
        file.size = reader.number(member.value, "`size`", u64::MAX);
    }
    if let Some(member) = mapping.get("modified") {
        file.modified = super::times::read(reader, member.value, "`modified`");
    }
    if let Some(member) = mapping.get("owner") {
        file.owner = reader.word(member.value, "`owner`", &OWNERS).unwrap_or(file.owner);
    }
    if let Some(member) = mapping.get("group") {
        file.group = reader.word(member.value, "`group`", &OWNERS).unwrap_or(file.group);
    }
    if let Some(member) = mapping.get("mode") {
        file.mode = mode(reader, member.value).unwrap_or(file.mode);
    }
    (reader.faults.len() == before).then_some(file)
}

/// Permission bits: octal digits, in quotes, since YAML takes `0660` for the number 660.
pub(super) fn mode(reader: &mut Reader, node: Node<'_>) -> Option<u32> {
    let written = match node.value() {
        Value::Text(written) => written,
        Value::Number(number) => {
            reader.fault_with(
                node.span(),
                format!("`mode` must be octal digits in quotes, found the number `{number}`"),
                format!("write '{number}' if these are the octal digits"),
            );
            return None;
        }
        _ => {
            reader.wrong_type(node, "`mode`", "octal digits in quotes, such as '0600'");
            return None;
        }
    };
    let digits = !written.is_empty() && written.bytes().all(|digit| digit.is_ascii_digit());
    let mode = u32::from_str_radix(written, 8).ok().filter(|mode| digits && *mode <= 0o7777);
    if mode.is_none() {
        reader.fault(node.span(), format!("`mode` must be octal digits up to '7777', found `{written}`"));
    }
    mode
}

/// A path with `~` in front of its first separator replaced by the home folder.
fn at_home(reader: &mut Reader, member: Member<'_>, path: &str, place: &Place<'_>) -> Option<String> {
    let rest = match path.strip_prefix('~') {
        Some(rest)
            if rest.is_empty()
                || rest.starts_with('/')
                || (place.os == Os::Win32 && rest.starts_with('\\')) =>
        {
            rest
        }
        _ => return Some(path.to_owned()),
    };
    match place.home {
        Some(home) => Some(format!("{}{rest}", home.trim_end_matches(['/', '\\']))),
        None => {
            let variable = super::env::home_variable(place.os);
            reader.fault_with(
                member.key_span,
                format!("`{path}` lies in the home folder, and no home folder is given"),
                format!("add `home:` or `{variable}` under `env:`"),
            );
            None
        }
    }
}

fn is_network(os: Os, path: &str) -> bool {
    let is_separator = |c: char| matches!(c, '\\' | '/');
    os == Os::Win32 && path.chars().take(2).filter(|c| is_separator(*c)).count() == 2
}

fn report(reader: &mut Reader, member: Member<'_>, os: Os, conflict: Conflict) {
    let path = member.key;
    let message = match conflict {
        Conflict::NotRooted if os == Os::Win32 => {
            format!(
                r"`{path}` is no absolute path: it must begin with a drive such as `C:\`, or `~\`, and not climb"
            )
        }
        Conflict::NotRooted => {
            format!("`{path}` is no absolute path: it must begin with `/` or `~/`, and not climb")
        }
        Conflict::Twice => format!("`{path}` is the same path as one above"),
        Conflict::HoldsSomething => format!("`{path}` can only be a folder: something lies beneath it"),
        Conflict::Beneath(other) => format!("`{path}` lies beneath `{other}`, which is no folder"),
    };
    reader.fault(member.key_span, message);
}
