//! A runtime file with every string masked, so that it is judged as before (SPEC §6, §10).
//!
//! The text is gone through as it is written, not as a JSON reader understands it: what is cut off or otherwise broken
//! stays broken in the same way, and its strings are masked all the same. Kept are the structure, the process number, the
//! keys that a declaration asks for, and of a URL the scheme, the port and a loopback host.

use std::collections::HashMap;

use serde::de::IgnoredAny;

use super::Known;

/// Longer tokens are malformed (SPEC §6): a string stays on its side of this.
const MAX_TOKEN: usize = 8 * 1024;
/// What is left of a run of characters: how long a token is, is nobody's business either.
const LONGEST_RUN: usize = 8;
/// The longest number that can be a process's.
const LONGEST_NUMBER: usize = 10;
const ANY_VISIBLE: char = 'x';
const ANY_LETTER: char = 'a';
const ANY_DIGIT: char = '9';
/// What stands for a character that is not ASCII: a token with one is malformed.
const ANY_OTHER: char = '\u{e9}';

/// The bytes of a runtime file, masked.
pub(crate) fn mask(bytes: &[u8], known: &Known) -> Vec<u8> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, known, [0xff, 0xfe], u16::from_le_bytes, u16::to_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, known, [0xfe, 0xff], u16::from_be_bytes, u16::to_be_bytes),
        _ => match str::from_utf8(bytes) {
            Ok(text) => mask_text(text, known).into_bytes(),
            Err(_) => {
                let mut masked = mask_text(&String::from_utf8_lossy(bytes), known).into_bytes();
                masked.push(0xff);
                masked
            }
        },
    }
}

fn utf16(
    bytes: &[u8],
    known: &Known,
    mark: [u8; 2],
    read: fn([u8; 2]) -> u16,
    write: fn(u16) -> [u8; 2],
) -> Vec<u8> {
    const HALF_OF_A_PAIR: u16 = 0xd800;
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| read(*pair)).collect();
    let text = String::from_utf16(&units);
    let is_good = text.is_ok();
    let text = text.unwrap_or_else(|_| String::from_utf16_lossy(&units));
    let mut masked = mark.to_vec();
    masked.extend(mask_text(&text, known).encode_utf16().flat_map(write));
    if !is_good {
        masked.extend(write(HALF_OF_A_PAIR));
    }
    if !odd.is_empty() {
        masked.push(0);
    }
    masked
}

fn mask_text(text: &str, known: &Known) -> String {
    let out = String::with_capacity(text.len());
    let mut masker = Masker { known, keys: HashMap::new(), is_process: false, out };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => masker.string(rest),
            c if is_structure(c) => {
                masker.is_process &= !matches!(c, '{' | '}' | '[' | ']' | ',');
                masker.out.push(c);
                c.len_utf8()
            }
            _ => masker.word(rest),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    masker.out
}

struct Masker<'k> {
    known: &'k Known,
    /// What stands for a key that nobody asks for. The same key is the same again: one that stands twice is malformed.
    keys: HashMap<String, String>,
    /// Whether the value that comes next is a process number.
    is_process: bool,
    out: String,
}

impl Masker<'_> {
    /// A string at the beginning of a text, closed or not. Answers its length in bytes.
    fn string(&mut self, text: &str) -> usize {
        let (written, closed) = string_at(text);
        let behind = text.get(written.len()..).unwrap_or_default();
        let is_key = behind.trim_start_matches([' ', '\t', '\r', '\n']).starts_with(':');
        match serde_json::from_str::<String>(written) {
            Ok(string) if closed => {
                self.is_process = is_key && self.known.is_process_key(&string);
                let masked = if is_key { self.key(string) } else { value(&string) };
                self.out.push_str(&serde_json::to_string(&masked).unwrap_or_default());
            }
            _ => {
                self.out.push('"');
                let inside = written.strip_prefix('"').unwrap_or_default();
                let inside = if closed { inside.strip_suffix('"').unwrap_or(inside) } else { inside };
                broken(inside, &mut self.out);
                if closed {
                    self.out.push('"');
                }
            }
        }
        written.len()
    }

    fn key(&mut self, key: String) -> String {
        if self.known.has_key(&key) {
            return key;
        }
        let number = self.keys.len() + 1;
        self.keys.entry(key).or_insert_with(|| format!("masked{number}")).clone()
    }

    /// What stands outside of strings: a number, `true`, `false`, `null`, or what is no JSON.
    fn word(&mut self, text: &str) -> usize {
        let length = text.find(|c| c == '"' || is_structure(c)).unwrap_or(text.len());
        let word = text.get(..length).unwrap_or(text);
        if serde_json::from_str::<IgnoredAny>(word).is_err() {
            self.out.extend(word.chars().take(LONGEST_RUN).map(|_| ANY_VISIBLE));
        } else if self.is_process && word.len() <= LONGEST_NUMBER {
            self.out.push_str(word);
        } else {
            self.out.extend(word.chars().map(|c| if c.is_ascii_digit() { ANY_DIGIT } else { c }));
        }
        word.len()
    }
}

/// White space, control characters, byte-order marks and the punctuation of JSON: no secret is made of them.
fn is_structure(c: char) -> bool {
    c.is_control() || matches!(c, ' ' | '\u{feff}' | '{' | '}' | '[' | ']' | ',' | ':')
}

/// Blanks and control characters of any kind: what makes a URL a bad one, and no secret.
fn is_gap(c: char) -> bool {
    c.is_control() || c.is_whitespace()
}

/// The string that a text begins with, quotes included, and whether it is closed.
fn string_at(text: &str) -> (&str, bool) {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (text.get(..=at).unwrap_or(text), true),
            _ => {}
        }
    }
    (text, false)
}

fn value(string: &str) -> String {
    match string.split_once("://") {
        Some((scheme, rest)) => url(scheme, rest),
        None => visible(string, ""),
    }
}

/// A string of the same kind: visible ASCII, blanks, controls and other characters stay what they are. Runs are shortened
/// where the length says nothing about whether it may be a token. Characters of `kept` stay.
fn visible(string: &str, kept: &str) -> String {
    let longest = if string.len() > MAX_TOKEN { usize::MAX } else { LONGEST_RUN };
    let mut out = String::new();
    let mut run = 0;
    for c in string.chars() {
        let masked = match c {
            c if kept.contains(c) || is_gap(c) => c,
            c if c.is_ascii() => ANY_VISIBLE,
            _ => ANY_OTHER,
        };
        run = if masked == ANY_VISIBLE { run + 1 } else { 0 };
        if run <= longest {
            out.push(masked);
        }
    }
    out
}

/// A URL with its host and port. What else there is of it is masked, down to what makes it a bad one.
fn url(scheme: &str, rest: &str) -> String {
    const BACKSLASH: &str = r"\";
    let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
    let mut out = if is_web { scheme.to_owned() } else { visible(scheme, BACKSLASH) };
    out.push_str("://");
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let address = match authority.rsplit_once('@') {
        Some((user, address)) => {
            out.push_str(&visible(user, ""));
            out.push('@');
            address
        }
        None => authority,
    };
    let (host, port) = split_port(address);
    let is_loopback = ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| host.eq_ignore_ascii_case(name));
    out.push_str(&if is_loopback { host.to_owned() } else { shape(host) });
    if let Some(port) = port {
        out.push(':');
        out.push_str(&shape_of_port(port));
    }
    let mut tail = tail.chars();
    out.extend(tail.next());
    out.push_str(&visible(tail.as_str(), BACKSLASH));
    out
}

fn split_port(address: &str) -> (&str, Option<&str>) {
    let bracket = if address.starts_with('[') { address.find(']').map_or(0, |at| at + 1) } else { 0 };
    match address.get(bracket..).and_then(|rest| rest.find(':')) {
        Some(colon) => {
            (address.get(..bracket + colon).unwrap_or_default(), address.get(bracket + colon + 1..))
        }
        None => (address, None),
    }
}

/// The shape of a host that is not loopback: letters are one letter, digits one digit.
fn shape(host: &str) -> String {
    let shaped = |c: char| match c {
        c if c.is_ascii_alphabetic() => ANY_LETTER,
        c if c.is_ascii_digit() => ANY_DIGIT,
        c if c.is_ascii() || is_gap(c) => c,
        _ => ANY_OTHER,
    };
    host.chars().map(shaped).collect()
}

/// A port stays, what stands behind it does not.
fn shape_of_port(port: &str) -> String {
    const DIGITS: usize = 5;
    let digits = port.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = port.split_at_checked(digits).unwrap_or((port, ""));
    let number = if digits <= DIGITS { number.to_owned() } else { ANY_DIGIT.to_string().repeat(DIGITS + 1) };
    number + &shape(behind)
}

/// The inside of a string that no JSON reader takes. What makes it so is kept, the rest is masked.
fn broken(inside: &str, out: &mut String) {
    let mut run = 0;
    let mut letters = inside.chars();
    while let Some(c) = letters.next() {
        if c == '\\' {
            let (masked, taken) = escape(letters.as_str());
            out.push_str(masked);
            letters = letters.as_str().get(taken..).unwrap_or_default().chars();
            run = 0;
            continue;
        }
        let masked = match c {
            c if is_gap(c) => c,
            c if c.is_ascii() => ANY_VISIBLE,
            _ => ANY_OTHER,
        };
        run = if masked == ANY_VISIBLE { run + 1 } else { 0 };
        if run <= LONGEST_RUN {
            out.push(masked);
        }
    }
}

/// What stands for an escape, given what follows its backslash, and how many bytes of that belong to it.
fn escape(rest: &str) -> (&'static str, usize) {
    let Some(kind) = rest.chars().next() else { return (r"\", 0) };
    let hex = rest.get(1..5).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    match (kind, hex) {
        ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't', _) => (r"\n", 1),
        ('u', Some(hex))
            if matches!(hex.as_bytes(), [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]) =>
        {
            (r"\ud800", 5)
        }
        ('u', Some(_)) => (r"\n", 5),
        _ => (r"\z", kind.len_utf8()),
    }
}
