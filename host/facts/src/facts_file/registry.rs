//! `registry`: keys with their values, and how the two views of a 64-bit Windows meet in one path.

use std::collections::BTreeMap;

use super::reader::Reader;
use crate::document::{Member, Node, Value as Content};
use crate::{Fault, FaultCode, Hive, Subkey, Value, View};

const SOFTWARE: &str = "SOFTWARE";
const WOW: &str = "WOW6432Node";
const HIVES: [(&str, Hive); 4] = [
    ("HKLM", Hive::LocalMachine),
    ("HKCU", Hive::CurrentUser),
    ("HKEY_LOCAL_MACHINE", Hive::LocalMachine),
    ("HKEY_CURRENT_USER", Hive::CurrentUser),
];
const VALUE_FORMS: [&str; 5] = ["expand", "dword", "qword", "other", "error"];

/// The registry of a machine on paper: every key by its folded path, which is that of [`canonical_key`].
#[derive(Default)]
pub(super) struct Registry {
    keys: BTreeMap<String, Key>,
}

#[derive(Default)]
struct Key {
    given: bool,
    fault: Option<FaultCode>,
    /// By folded name.
    values: BTreeMap<String, Value>,
    /// The names of the keys directly below, by folded name.
    below: BTreeMap<String, String>,
}

impl Registry {
    pub(super) fn read(reader: &mut Reader, node: Node<'_>) -> Self {
        let mut registry = Self::default();
        let Some(keys) = reader.mapping(node, "`registry`") else { return registry };
        reader.unrepeated(keys, "`registry`");
        for member in keys.members() {
            let Some(path) = written_key(reader, member) else { continue };
            let Some(mut key) = key(reader, member) else { continue };
            key.given = true;
            registry.insert(reader, member, &path, key);
        }
        registry
    }

    /// The keys directly below a key, each with the values of those names.
    pub(super) fn subkeys(
        &self,
        hive: Hive,
        view: View,
        key: &str,
        names: &[String],
    ) -> Result<Vec<Subkey>, FaultCode> {
        let path = folded(&canonical_key(hive, view, key));
        if let Some(code) = self.fault_on_the_way(&path) {
            return Err(code);
        }
        let key = self.keys.get(&path).ok_or(FaultCode::Absent)?;
        Ok(key.below.iter().filter_map(|(name, written)| self.subkey(&path, name, written, names)).collect())
    }

    fn subkey(&self, path: &str, name: &str, written: &str, names: &[String]) -> Option<Subkey> {
        let key = self.keys.get(&format!("{path}\\{name}"))?;
        let value = |name: &String| match key.fault {
            Some(code) => Value::Unreadable(Fault::new(code, String::new())),
            None => key.values.get(&folded(name)).cloned().unwrap_or(Value::Missing),
        };
        match key.fault {
            Some(FaultCode::Absent) => None,
            _ => Some(Subkey { name: written.to_owned(), values: names.iter().map(value).collect() }),
        }
    }

    fn fault_on_the_way(&self, path: &str) -> Option<FaultCode> {
        let ends = path.match_indices('\\').map(|(at, _)| at).chain([path.len()]);
        ends.filter_map(|end| self.keys.get(path.get(..end)?)?.fault).next()
    }

    fn insert(&mut self, reader: &mut Reader, member: Member<'_>, path: &str, key: Key) {
        let mut above = String::new();
        for name in path.split('\\') {
            if !above.is_empty() {
                self.keys
                    .entry(above.clone())
                    .or_default()
                    .below
                    .entry(folded(name))
                    .or_insert_with(|| name.to_owned());
                above.push('\\');
            }
            above.push_str(&folded(name));
        }
        let there = self.keys.entry(above).or_default();
        if there.given {
            reader.fault(member.key_span, format!("`{}` is the same key as one above", member.key));
            return;
        }
        *there = Key { below: std::mem::take(&mut there.below), ..key };
    }
}

/// The one path of a key that may be reached by several: the hive, then the key, in which the 32-bit view of
/// `HKLM\SOFTWARE` is the key `WOW6432Node` below it. Everything else is the same in both views
/// ([registry redirector](https://learn.microsoft.com/windows/win32/winprog64/registry-redirector)).
pub(crate) fn canonical_key(hive: Hive, view: View, key: &str) -> String {
    let hive_name = match hive {
        Hive::LocalMachine => "HKLM",
        Hive::CurrentUser => "HKCU",
    };
    let mut names: Vec<_> = key.split('\\').filter(|name| !name.is_empty()).collect();
    let is =
        |at: usize, expected: &str| names.get(at).is_some_and(|name| name.eq_ignore_ascii_case(expected));
    if hive == Hive::LocalMachine && view == View::Bits32 && is(0, SOFTWARE) && !is(1, WOW) {
        names.insert(1, WOW);
    }
    names.insert(0, hive_name);
    names.join("\\")
}

/// The canonical path of a key as it is written in a facts file.
pub(super) fn written_key(reader: &mut Reader, member: Member<'_>) -> Option<String> {
    let (hive, key) = member.key.split_once('\\').unwrap_or((member.key, ""));
    match HIVES.iter().find(|(name, _)| name.eq_ignore_ascii_case(hive)) {
        Some((_, hive)) if !key.is_empty() => Some(canonical_key(*hive, View::Bits64, key)),
        _ => {
            reader.fault(
                member.key_span,
                format!(r"`{}` is no registry key: it must begin with `HKLM\` or `HKCU\`", member.key),
            );
            None
        }
    }
}

fn key(reader: &mut Reader, member: Member<'_>) -> Option<Key> {
    let what = format!("the key `{}`", member.key);
    if let Content::Text(short) = member.value.value() {
        if short == "absent" {
            return Some(Key { fault: Some(FaultCode::Absent), ..Key::default() });
        }
        reader.unknown_word(member.value, &what, short, &["absent"], None);
        return None;
    }
    let values = reader.mapping(member.value, &what)?;
    if let Some(fault) = reader.error_fault(member.value, &what) {
        return fault.map(|fault| Key { fault: Some(fault.code), ..Key::default() });
    }
    reader.unrepeated(values, &what);
    let mut key = Key::default();
    for member in values.members() {
        let Some(value) = value(reader, member) else { continue };
        key.values.insert(folded(member.key), value);
    }
    Some(key)
}

/// A value: text is REG_SZ, a mapping says what else.
pub(super) fn value(reader: &mut Reader, member: Member<'_>) -> Option<Value> {
    let what = format!("the value `{}`", member.key);
    let Some(mapping) = member.value.as_mapping() else {
        return reader.text(member.value, &what).map(|text| Value::Text(text.to_owned()));
    };
    if let Some(fault) = reader.error_fault(member.value, &what) {
        return fault.map(Value::Unreadable);
    }
    let mut forms = mapping.members();
    let (Some(form), None) = (forms.next(), forms.next()) else {
        reader.fault(
            member.value.span(),
            format!("{what} must be text or have one of {}", super::reader::listed(&VALUE_FORMS)),
        );
        return None;
    };
    reader.known(mapping, &VALUE_FORMS, &what);
    match form.key {
        "expand" => reader.text(form.value, "`expand`").map(|text| Value::ExpandableText(text.to_owned())),
        "dword" => reader.number(form.value, "`dword`", u64::from(u32::MAX)).map(Value::Number),
        "qword" => reader.number(form.value, "`qword`", u64::MAX).map(Value::Number),
        "other" => reader.mark(form.value, "`other`").map(|()| Value::Other),
        _ => None,
    }
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}
