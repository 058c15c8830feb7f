//! A tree of files: names, folders, links and what stands in their way.

use std::collections::BTreeMap;

use crate::{FaultCode, Os};

/// The most links that one path may lead through, as on Linux (`path_resolution(7)`).
const MAX_LINKS: usize = 40;

/// The tree of one system. Things stand in one list and name each other by number: no depth of folders costs stack.
pub(super) struct Tree<F> {
    os: Os,
    things: Vec<Thing<F>>,
}

/// What stands at a path.
pub(super) enum Thing<F> {
    Folder(Folder),
    File(F),
    Pipe,
    Link(String),
    /// Every question about it, and about what lies beneath it, has this answer.
    Fault(FaultCode),
}

/// A folder. On paper it may be implied by what lies in it.
#[derive(Default)]
pub(super) struct Folder {
    parent: usize,
    implied: bool,
    /// By the name as the system compares names: the name as it is written, and the number of the thing.
    names: BTreeMap<String, (String, usize)>,
}

/// Why a thing can not stand at a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// The path is not absolute, or climbs.
    NotRooted,
    /// There is something already.
    Twice,
    /// A folder stands there, since something lies beneath it.
    HoldsSomething,
    /// It lies beneath something that is no folder: the path of that thing.
    Beneath(String),
}

impl<F> Tree<F> {
    pub(super) fn new(os: Os) -> Self {
        Self { os, things: vec![Thing::Folder(Folder::default())] }
    }

    /// Puts a thing at an absolute path; the folders above it are implied. What lies beneath a [`Thing::Fault`] is never
    /// seen: it may be put there, and is dropped.
    pub(super) fn insert(&mut self, path: &str, thing: Thing<F>) -> Result<(), Conflict> {
        let segments = segments(self.os, path).ok_or(Conflict::NotRooted)?;
        if segments.contains(&"..") {
            return Err(Conflict::NotRooted);
        }
        let Some((last, above)) = segments.split_last() else {
            return if matches!(thing, Thing::Folder(_)) { Ok(()) } else { Err(Conflict::HoldsSomething) };
        };
        let mut at = 0;
        let mut walked = String::new();
        for segment in above {
            walked.push_str(if self.os == Os::Win32 && walked.is_empty() { "" } else { self.separator() });
            walked.push_str(segment);
            at = match self.child(at, segment) {
                Some(child) => child,
                None => self.add(at, segment, Thing::Folder(Folder { implied: true, ..Folder::default() })),
            };
            match self.things.get(at) {
                Some(Thing::Folder(_)) => {}
                Some(Thing::Fault(code)) if *code != FaultCode::Absent => return Ok(()),
                _ => return Err(Conflict::Beneath(walked)),
            }
        }
        let Some(there) = self.child(at, last) else {
            self.add(at, last, thing);
            return Ok(());
        };
        match (self.things.get_mut(there), thing) {
            (Some(Thing::Folder(folder)), Thing::Folder(_)) if folder.implied => folder.implied = false,
            (Some(Thing::Folder(folder)), thing) if folder.implied => match thing {
                Thing::Fault(code) if code != FaultCode::Absent => self.replace(there, Thing::Fault(code)),
                _ => return Err(Conflict::HoldsSomething),
            },
            _ => return Err(Conflict::Twice),
        }
        Ok(())
    }

    /// What a path leads to, links followed to their end, or the fault that the system answers with.
    pub(super) fn find(&self, path: &str) -> Result<&Thing<F>, FaultCode> {
        let segments = segments(self.os, path).ok_or(FaultCode::Refused)?;
        let mut ahead: Vec<&str> = segments.into_iter().rev().collect();
        let mut links = 0;
        let mut at = 0;
        while let Some(segment) = ahead.pop() {
            let Some(Thing::Folder(folder)) = self.things.get(at) else {
                return Err(FaultCode::Absent);
            };
            if segment == ".." {
                at = folder.parent;
                continue;
            }
            let child = self.child(at, segment).ok_or(FaultCode::Absent)?;
            match self.things.get(child) {
                Some(Thing::Link(target)) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(FaultCode::Io);
                    }
                    let further = match self::segments(self.os, target) {
                        Some(further) => {
                            at = 0;
                            further
                        }
                        None => relative_segments(self.os, target),
                    };
                    ahead.extend(further.into_iter().rev());
                }
                Some(Thing::Fault(code)) => return Err(*code),
                Some(_) => at = child,
                None => return Err(FaultCode::Absent),
            }
        }
        self.things.get(at).ok_or(FaultCode::Absent)
    }

    /// The names in a folder as they are written, ordered as the system compares them.
    pub(super) fn names<'t>(&'t self, folder: &'t Folder) -> impl Iterator<Item = &'t str> {
        let is_there =
            |number: &usize| !matches!(self.things.get(*number), Some(Thing::Fault(FaultCode::Absent)));
        folder.names.values().filter(move |(_, number)| is_there(number)).map(|(name, _)| name.as_str())
    }

    fn child(&self, folder: usize, name: &str) -> Option<usize> {
        match self.things.get(folder) {
            Some(Thing::Folder(folder)) => folder.names.get(&folded(self.os, name)).map(|(_, child)| *child),
            _ => None,
        }
    }

    fn add(&mut self, parent: usize, name: &str, mut thing: Thing<F>) -> usize {
        if let Thing::Folder(folder) = &mut thing {
            folder.parent = parent;
        }
        let number = self.things.len();
        self.things.push(thing);
        let key = folded(self.os, name);
        if let Some(Thing::Folder(folder)) = self.things.get_mut(parent) {
            folder.names.insert(key, (name.to_owned(), number));
        }
        number
    }

    fn replace(&mut self, number: usize, thing: Thing<F>) {
        if let Some(there) = self.things.get_mut(number) {
            *there = thing;
        }
    }

    fn separator(&self) -> &'static str {
        if self.os == Os::Win32 { "\\" } else { "/" }
    }
}

/// A name as the system compares names: letter case counts on linux alone (SPEC §10).
pub(super) fn folded(os: Os, name: &str) -> String {
    if os == Os::Linux { name.to_owned() } else { name.to_lowercase() }
}

/// The segments of an absolute path, the drive first on win32. None for any other path, a network path too.
pub(super) fn segments(os: Os, path: &str) -> Option<Vec<&str>> {
    if os == Os::Win32 {
        let (drive, rest) = path.split_at_checked(2)?;
        let is_drive = drive.ends_with(':') && drive.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !is_drive || !rest.starts_with(['\\', '/']) {
            return None;
        }
        let mut segments = vec![drive];
        segments.extend(relative_segments(os, rest));
        Some(segments)
    } else {
        path.starts_with('/').then(|| relative_segments(os, path))
    }
}

fn relative_segments(os: Os, path: &str) -> Vec<&str> {
    let is_separator = |c: char| c == '/' || (os == Os::Win32 && c == '\\');
    path.split(is_separator).filter(|segment| !matches!(*segment, "" | ".")).collect()
}
