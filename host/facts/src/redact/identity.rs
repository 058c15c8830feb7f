//! The user's name and home folder, which become `u` and a home of that name.

use std::collections::BTreeMap;

use super::Known;
use crate::facts_file::{Asked, Keys, Range, Recording};
use crate::{Contents, Fault, Os, Value};

/// What every user is called in a recording.
const NAME: &str = "u";
/// The shortest name that is looked for in bytes that are no text, where a shorter one is found by chance.
const SHORTEST_IN_BYTES: usize = 3;

/// Who the user is, and what to write instead.
pub(crate) struct Identity {
    os: Os,
    /// Spellings of the home folder, each with what stands for it.
    homes: Vec<(String, String)>,
    names: Vec<String>,
    /// What the short name of a folder begins with on Windows (`ALEXAN~1`).
    short_names: Vec<String>,
}

impl Identity {
    /// `home` is the home folder, `names` are the names that the user goes by. What is known already is kept: what a
    /// declaration says itself is no secret, and a recording without it would not answer.
    pub(crate) fn new(os: Os, home: Option<&str>, names: &[String], known: &Known) -> Self {
        let home = home.map(|home| home.trim_end_matches(separators(os))).filter(|home| !home.is_empty());
        let mut names: Vec<_> = names.iter().map(|name| name.trim().to_owned()).collect();
        names.extend(home.and_then(|home| home.rsplit(separators(os)).next()).map(str::to_owned));
        names.retain(|name| !name.is_empty() && !known.has_word(name));
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        let short_names = match os {
            Os::Win32 => names.iter().filter_map(|name| short_name(name)).collect(),
            _ => Vec::new(),
        };
        let homes =
            home.filter(|home| !known.has_path(home)).map(|home| spellings(os, home)).unwrap_or_default();
        Self { os, homes, names, short_names }
    }

    /// A recording in which nobody is named.
    pub(crate) fn remove_from(&self, recording: &Recording) -> Recording {
        let variables = recording.variables.iter();
        let registry = recording.registry.iter();
        Recording {
            os: recording.os,
            variables: variables
                .map(|(name, value)| (name.clone(), self.answer(value, |text| self.text(text))))
                .collect(),
            files: recording.files.iter().map(|(path, asked)| (self.text(path), self.asked(asked))).collect(),
            registry: registry
                .map(|(path, keys)| (path.clone(), self.answer(keys, |keys| self.keys(keys))))
                .collect(),
            processes: recording.processes.clone(),
            session: recording.session.clone(),
        }
    }

    fn asked(&self, asked: &Asked) -> Asked {
        let names = |names: &Vec<String>| {
            let mut names: Vec<_> = names.iter().map(|name| self.text(name)).collect();
            names.sort();
            names
        };
        let range = |range: &Range| Range { bytes: self.same_length(&range.bytes), ..range.clone() };
        Asked {
            stat: asked.stat.as_ref().map(|answer| self.answer(answer, |node| *node)),
            lists: asked
                .lists
                .iter()
                .map(|(prefix, list)| (self.text(prefix), self.answer(list, names)))
                .collect(),
            plist: asked.plist.as_ref().map(|answer| self.answer(answer, |bytes| self.bytes(bytes))),
            pe: asked
                .pe
                .as_ref()
                .map(|answer| self.answer(answer, |ranges| ranges.iter().map(range).collect())),
            // Nothing but masked strings is left in a runtime file.
            runtime_file: asked.runtime_file.as_ref().map(|answer| self.answer(answer, Contents::clone)),
        }
    }

    fn answer<T, U>(&self, answer: &Result<T, Fault>, map: impl FnOnce(&T) -> U) -> Result<U, Fault> {
        answer.as_ref().map(map).map_err(|fault| self.fault(fault))
    }

    fn keys(&self, keys: &Keys) -> Keys {
        let value = |value: &Value| match value {
            Value::Text(text) => Value::Text(self.text(text)),
            Value::ExpandableText(text) => Value::ExpandableText(self.text(text)),
            Value::Unreadable(fault) => Value::Unreadable(self.fault(fault)),
            other => other.clone(),
        };
        let values = |values: &BTreeMap<String, Value>| {
            values.iter().map(|(name, held)| (name.clone(), value(held))).collect()
        };
        Keys {
            asked: keys.asked.clone(),
            keys: keys.keys.iter().map(|(name, held)| (self.text(name), values(held))).collect(),
        }
    }

    fn fault(&self, fault: &Fault) -> Fault {
        Fault::new(fault.code, self.text(&fault.detail))
    }

    fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        match str::from_utf8(bytes) {
            Ok(text) => self.text(text).into_bytes(),
            Err(_) => self.same_length(bytes),
        }
    }

    fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut before = None;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let at_word = !before.is_some_and(char::is_alphanumeric);
            let (taken, instead) = match at_word.then(|| self.named_at(rest)).flatten() {
                Some((length, instead)) => (length, instead),
                None => (first.len_utf8(), ""),
            };
            let (written, behind) = rest.split_at_checked(taken).unwrap_or((rest, ""));
            out.push_str(if instead.is_empty() { written } else { instead });
            before = written.chars().next_back();
            rest = behind;
        }
        out
    }

    /// What stands at the beginning of a text: its length in bytes, and what to write instead.
    fn named_at<'s>(&'s self, text: &str) -> Option<(usize, &'s str)> {
        let ends = |length: usize, goes_on: fn(char) -> bool| {
            !text.get(length..).and_then(|rest| rest.chars().next()).is_some_and(goes_on)
        };
        for (home, instead) in &self.homes {
            let length = if self.os == Os::Linux {
                text.starts_with(home.as_str()).then_some(home.len())
            } else {
                starts_with_in_any_case(text, home)
            };
            if let Some(length) = length
                && ends(length, |c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
            {
                return Some((length, instead));
            }
        }
        for name in &self.names {
            if let Some(length) = starts_with_in_any_case(text, name)
                && ends(length, char::is_alphanumeric)
            {
                return Some((length, NAME));
            }
        }
        for name in &self.short_names {
            if let Some(length) = starts_with_in_any_case(text, name)
                && text.get(length..).is_some_and(|rest| rest.starts_with('~'))
            {
                return Some((length, NAME));
            }
        }
        None
    }

    /// Names in bytes that are no text: as ASCII and as UTF-16, each letter replaced by one.
    fn same_length(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for name in self.names.iter().filter(|name| name.is_ascii() && name.len() >= SHORTEST_IN_BYTES) {
            for letter in Letter::ALL {
                blank(&mut bytes, name.as_bytes(), letter);
            }
        }
        bytes
    }
}

/// The places of a word in a text: where it is neither begun nor ended by a letter or digit.
pub(super) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + use<'t> {
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
    })
}

/// The length in bytes of what a text begins with, where that is `wanted` in any case.
fn starts_with_in_any_case(text: &str, wanted: &str) -> Option<usize> {
    let mut length = 0;
    let mut letters = text.chars();
    for expected in wanted.chars() {
        let found = letters.next()?;
        if found != expected && !found.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
        length += found.len_utf8();
    }
    Some(length)
}

fn separators(os: Os) -> &'static [char] {
    if os == Os::Win32 { &['\\', '/'] } else { &['/'] }
}

/// The home folder as it may be spelled in paths, in JSON and with the other separator.
fn spellings(os: Os, home: &str) -> Vec<(String, String)> {
    match os {
        Os::Linux => vec![(home.to_owned(), format!("/home/{NAME}"))],
        Os::Darwin => vec![(home.to_owned(), format!("/Users/{NAME}"))],
        Os::Win32 => [r"\", "/", r"\\"]
            .map(|separator| {
                let spelled = |path: &str| path.replace('/', r"\").replace('\\', separator);
                (spelled(home), spelled(&format!(r"C:\Users\{NAME}")))
            })
            .to_vec(),
    }
}

/// What Windows makes of a long folder name for old programs, up to the tilde.
fn short_name(name: &str) -> Option<String> {
    const KEPT: usize = 6;
    let letters: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).take(KEPT).collect();
    (name.chars().count() > 8 || letters.len() < name.len().min(KEPT))
        .then_some(letters)
        .filter(|kept| kept.len() >= 2)
}

/// Overwrites a word in bytes, where it is spelled in letters of that encoding and stands alone.
fn blank(bytes: &mut [u8], word: &[u8], letter: Letter) {
    let spelled: Vec<u8> = word.iter().flat_map(|byte| letter.spell(*byte)).collect();
    let width = letter.spell(0).count();
    let is_letter = |unit: Option<&[u8]>| {
        unit.is_some_and(|unit| {
            let byte = unit.iter().copied().max().unwrap_or_default();
            byte.is_ascii_alphanumeric() && letter.spell(byte).eq(unit.iter().copied())
        })
    };
    let mut at = 0_usize;
    while let Some(window) = bytes.get(at..at.saturating_add(spelled.len())) {
        let before = at.checked_sub(width).and_then(|before| bytes.get(before..at));
        let behind = bytes.get(at + spelled.len()..at + spelled.len() + width);
        if window.eq_ignore_ascii_case(&spelled) && !is_letter(before) && !is_letter(behind) {
            for byte in bytes.iter_mut().skip(at).take(spelled.len()).filter(|byte| **byte != 0) {
                *byte = b'u';
            }
            at += spelled.len();
        } else {
            at += 1;
        }
    }
}

/// How letters of ASCII are encoded in bytes that are no text.
#[derive(Clone, Copy)]
enum Letter {
    Ascii,
    Utf16Le,
    Utf16Be,
}

impl Letter {
    const ALL: [Self; 3] = [Self::Ascii, Self::Utf16Le, Self::Utf16Be];

    fn spell(self, byte: u8) -> impl Iterator<Item = u8> {
        let (unit, width) = match self {
            Self::Ascii => ([byte, 0], 1),
            Self::Utf16Le => ([byte, 0], 2),
            Self::Utf16Be => ([0, byte], 2),
        };
        unit.into_iter().take(width)
    }
}
