//! The user's name and home folder, which become `u` and a home of that name.

use std::collections::BTreeMap;

use super::Known;
use crate::facts_file::{Asked, Keys, Range, Recording};
use crate::{Contents, Fault, Os, Value};

/// What every user is called in a recording.
const NAME: &str = "u";
/// The shortest name in characters that is looked for in bytes that are no text, where a single letter stands by chance.
const SHORTEST_IN_BYTES: usize = 2;

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

    /// Names in bytes that are no text: in UTF-8 and UTF-16, each byte or unit replaced by a letter, so that nothing moves.
    fn same_length(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for name in self.names.iter().filter(|name| name.chars().count() >= SHORTEST_IN_BYTES) {
            for encoding in Encoding::ALL {
                encoding.blank(&mut bytes, name);
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

/// How text is encoded in bytes that are no text.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    const ALL: [Self; 3] = [Self::Utf8, Self::Utf16Le, Self::Utf16Be];

    /// Overwrites a name in bytes, where it is written in any letter case and stands alone.
    fn blank(self, bytes: &mut [u8], name: &str) {
        let letter = self.letter();
        let mut at = 0_usize;
        while at < bytes.len() {
            let Some(length) = self.name_at(bytes, at, name) else {
                at += 1;
                continue;
            };
            for (byte, instead) in bytes.iter_mut().skip(at).take(length).zip(letter.iter().cycle()) {
                *byte = *instead;
            }
            at += length.max(1);
        }
    }

    /// The length in bytes of a name that stands alone at a place.
    fn name_at(self, bytes: &[u8], at: usize, name: &str) -> Option<usize> {
        let mut end = at;
        for expected in name.chars() {
            let (found, length) = self.character(bytes.get(end..)?)?;
            if found != expected && !found.to_lowercase().eq(expected.to_lowercase()) {
                return None;
            }
            end += length;
        }
        let (before, behind) = (bytes.get(..at)?, bytes.get(end..)?);
        (!self.goes_before(before) && !self.goes_on(behind)).then_some(end - at)
    }

    /// The character at the beginning, and its length in bytes.
    fn character(self, bytes: &[u8]) -> Option<(char, usize)> {
        const LONGEST: usize = 4;
        if let Self::Utf8 = self {
            let some = bytes.get(..bytes.len().min(LONGEST))?;
            let good = str::from_utf8(some)
                .or_else(|error| str::from_utf8(some.get(..error.valid_up_to()).unwrap_or_default()));
            return good.ok()?.chars().next().map(|character| (character, character.len_utf8()));
        }
        let units = bytes.chunks_exact(2).take(2).filter_map(|unit| self.unit(unit));
        let character = char::decode_utf16(units).next()?.ok()?;
        Some((character, 2 * character.len_utf16()))
    }

    /// Whether the last character is one that a word may begin with. A letter may also be the marker or the length of a
    /// string in a binary property list, which stands right before its text: then it is none.
    fn goes_before(self, bytes: &[u8]) -> bool {
        let width = self.letter().len();
        let last = bytes.len().checked_sub(width).and_then(|start| self.ascii(bytes.get(start..)?));
        last.is_some_and(|last| {
            let is_marker = match self {
                Self::Utf8 => last.is_ascii_uppercase() && last >= b'P',
                Self::Utf16Be => (b'a'..=b'o').contains(&last),
                Self::Utf16Le => false,
            };
            last.is_ascii_alphanumeric() && !is_marker && !matches!(bytes, [.., 0x5f | 0x6f, 0x10, _])
        })
    }

    /// Whether the first character is one that a word may go on with. The marker of whatever follows a string in a binary
    /// property list may look like a capital letter: it is none.
    fn goes_on(self, bytes: &[u8]) -> bool {
        let first = bytes.get(..self.letter().len()).and_then(|unit| self.ascii(unit));
        first.is_some_and(|first| first.is_ascii_lowercase() || first.is_ascii_digit())
    }

    /// The ASCII character that a unit is.
    fn ascii(self, unit: &[u8]) -> Option<u8> {
        let unit = if let [byte] = unit { u16::from(*byte) } else { self.unit(unit)? };
        u8::try_from(unit).ok().filter(u8::is_ascii)
    }

    fn unit(self, unit: &[u8]) -> Option<u16> {
        let unit = <[u8; 2]>::try_from(unit).ok()?;
        Some(if let Self::Utf16Be = self { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) })
    }

    /// What stands for each unit of a name.
    fn letter(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"u",
            Self::Utf16Le => b"u\0",
            Self::Utf16Be => b"\0u",
        }
    }
}
