//! A recording: questions with their answers, and nothing more.

use std::collections::BTreeMap;

use super::canonical_key;
use super::world::info_plist;
use crate::{
    Answer, Contents, Failure, Fault, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, Value, View,
};

/// What a machine was asked, each with what it answered. Paths and names are kept as they were asked.
pub(crate) struct Recording {
    pub(crate) os: Os,
    pub(crate) variables: BTreeMap<String, Result<String, Fault>>,
    pub(crate) files: BTreeMap<String, Asked>,
    /// By the path of [`canonical_key`].
    pub(crate) registry: BTreeMap<String, Result<Keys, Fault>>,
    pub(crate) processes: BTreeMap<u32, Result<ProcessStatus, Fault>>,
    pub(crate) session: Option<Result<Session, Fault>>,
}

/// What was asked about one path.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) stat: Option<Result<Node, Fault>>,
    /// By the prefix that was asked for.
    pub(crate) lists: BTreeMap<String, Result<Vec<String>, Fault>>,
    /// The answer about the bundle whose Info.plist this path is.
    pub(crate) plist: Option<Result<Vec<u8>, Fault>>,
    pub(crate) pe: Option<Result<Vec<Range>, Fault>>,
    pub(crate) runtime_file: Option<Result<Contents, Fault>>,
}

/// A stretch of a program file.
#[derive(Clone)]
pub(crate) struct Range {
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether the file ends where the bytes do.
    pub(crate) ends: bool,
}

/// What was asked about the keys below a registry key.
pub(crate) struct Keys {
    /// The names of the values that were asked for.
    pub(crate) asked: Vec<String>,
    /// The keys in order, each with the values it has.
    pub(crate) keys: Vec<(String, BTreeMap<String, Value>)>,
}

impl Recording {
    pub(crate) fn new(os: Os) -> Self {
        Self {
            os,
            variables: BTreeMap::new(),
            files: BTreeMap::new(),
            registry: BTreeMap::new(),
            processes: BTreeMap::new(),
            session: None,
        }
    }

    /// Notes what was read of a program file. Ranges that touch become one.
    pub(crate) fn note_pe(&mut self, path: &str, offset: u64, length: u32, answer: Result<Vec<u8>, Fault>) {
        let noted = &mut self.files.entry(path.to_owned()).or_default().pe;
        match (answer, noted) {
            (Ok(bytes), Some(Ok(ranges))) => add_range(ranges, Range::read(offset, length, bytes)),
            (Ok(bytes), noted) => *noted = Some(Ok(vec![Range::read(offset, length, bytes)])),
            // A range that can not be read says nothing against those that can.
            (Err(_), Some(Ok(_))) => {}
            (Err(fault), noted) => *noted = Some(Err(fault)),
        }
    }

    /// Notes what a registry key holds. Asking again for other values adds to what is held.
    pub(crate) fn note_keys(&mut self, path: String, asked: &[String], answer: Result<Vec<Subkey>, Fault>) {
        let fresh = answer.map(|subkeys| Keys::of(asked, subkeys));
        match (self.registry.get_mut(&path), fresh) {
            (Some(Ok(held)), Ok(fresh)) => held.merge(fresh),
            (_, fresh) => {
                self.registry.insert(path, fresh);
            }
        }
    }
}

impl HostFacts for Recording {
    fn os(&self) -> Answer<Os> {
        Ok(self.os)
    }

    fn variable(&self, name: &str) -> Answer<String> {
        let answer = self.variables.get(name).cloned();
        held(answer, || format!("the variable `{name}`"))
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        let answer = self.files.get(path).and_then(|asked| asked.stat.clone());
        held(answer, || format!("what stands at `{path}`"))
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        let answer = self.files.get(folder).and_then(|asked| asked.lists.get(prefix).cloned());
        held(answer, || match prefix {
            "" => format!("the names in `{folder}`"),
            _ => format!("the names in `{folder}` that begin with `{prefix}`"),
        })
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        let path = info_plist(self.os, bundle);
        let answer = self.files.get(&path).and_then(|asked| asked.plist.clone());
        held(answer, || format!("the property list of the bundle `{bundle}`"))
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let answer = match self.files.get(path).and_then(|asked| asked.pe.as_ref()) {
            Some(Ok(ranges)) => ranges.iter().find_map(|range| range.part(offset, length)).map(Ok),
            Some(Err(fault)) => Some(Err(fault.clone())),
            None => None,
        };
        held(answer, || format!("the {length} bytes at {offset} of the program file `{path}`"))
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        let path = canonical_key(hive, view, key);
        let answer = match self.registry.get(&path) {
            Some(Ok(keys)) => keys.with(values).map(Ok),
            Some(Err(fault)) => Some(Err(fault.clone())),
            None => None,
        };
        held(answer, || {
            format!("the keys below `{path}` with the values {}", super::reader::listed_texts(values))
        })
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        let answer = self.files.get(path).and_then(|asked| asked.runtime_file.clone());
        held(answer, || format!("the runtime file `{path}`"))
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        held(self.processes.get(&pid).cloned(), || format!("process {pid}"))
    }

    fn session(&self) -> Answer<Session> {
        held(self.session.clone(), || "the session".to_owned())
    }
}

impl Range {
    fn read(offset: u64, length: u32, bytes: Vec<u8>) -> Self {
        let ends = u32::try_from(bytes.len()).is_ok_and(|read| read < length);
        Self { offset, bytes, ends }
    }

    fn end(&self) -> u64 {
        self.offset.saturating_add(u64::try_from(self.bytes.len()).unwrap_or(u64::MAX))
    }

    /// The bytes that a question asks for, where this range holds them all.
    fn part(&self, offset: u64, length: u32) -> Option<Vec<u8>> {
        let skipped = usize::try_from(offset.checked_sub(self.offset)?).unwrap_or(usize::MAX);
        let wanted = usize::try_from(length).unwrap_or(usize::MAX);
        let rest = match self.bytes.get(skipped..) {
            Some(rest) => rest,
            None if self.ends => &[],
            None => return None,
        };
        (self.ends || rest.len() >= wanted).then(|| rest.iter().take(wanted).copied().collect())
    }
}

fn add_range(ranges: &mut Vec<Range>, fresh: Range) {
    ranges.push(fresh);
    ranges.sort_by_key(|range| range.offset);
    let mut joined: Vec<Range> = Vec::with_capacity(ranges.len());
    for range in ranges.drain(..) {
        match joined.last_mut() {
            Some(last) if range.offset <= last.end() => {
                let overlap = usize::try_from(last.end() - range.offset).unwrap_or(usize::MAX);
                if range.end() >= last.end() {
                    last.ends = range.ends || (last.ends && range.end() == last.end());
                }
                last.bytes.extend(range.bytes.iter().skip(overlap));
            }
            _ => joined.push(range),
        }
    }
    *ranges = joined;
}

impl Keys {
    fn of(asked: &[String], subkeys: Vec<Subkey>) -> Self {
        let with_names = |values: Vec<Value>| {
            let named = asked.iter().cloned().zip(values);
            named.filter(|(_, value)| *value != Value::Missing).collect()
        };
        let mut keys: Vec<_> =
            subkeys.into_iter().map(|subkey| (subkey.name, with_names(subkey.values))).collect();
        keys.sort_by(|(one, _), (other, _): &(String, BTreeMap<String, Value>)| one.cmp(other));
        Self { asked: asked.to_vec(), keys }
    }

    fn merge(&mut self, fresh: Self) {
        for name in fresh.asked {
            if !self.asked.contains(&name) {
                self.asked.push(name);
            }
        }
        for (name, values) in fresh.keys {
            match self.keys.iter_mut().find(|(held, _)| *held == name) {
                Some((_, held)) => held.extend(values),
                None => self.keys.push((name, values)),
            }
        }
        self.keys.sort_by(|(one, _), (other, _)| one.cmp(other));
    }

    /// The keys with those values, where each of them was asked for.
    fn with(&self, names: &[String]) -> Option<Vec<Subkey>> {
        if !names.iter().all(|name| self.asked.contains(name)) {
            return None;
        }
        let values = |held: &BTreeMap<String, Value>| {
            names.iter().map(|name| held.get(name).cloned().unwrap_or(Value::Missing)).collect()
        };
        Some(
            self.keys
                .iter()
                .map(|(name, held)| Subkey { name: name.clone(), values: values(held) })
                .collect(),
        )
    }
}

fn held<T>(answer: Option<Result<T, Fault>>, question: impl FnOnce() -> String) -> Answer<T> {
    match answer {
        Some(answer) => answer.map_err(Failure::Fault),
        None => Err(Failure::Unanswerable(format!(
            "the recording does not hold the answer to a question: {}",
            question()
        ))),
    }
}
