//! The YAML that recordings are written in: one fact a line, quotes where they are needed.

use crate::document::is_plain_text;
use crate::misleads;

/// Lines of YAML in the block style.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
}

impl Lines {
    /// `key: value`, the value as it is to stand there.
    pub(super) fn put(&mut self, indent: usize, key: &str, value: &str) {
        self.begin(indent, key);
        self.text.push(' ');
        self.text.push_str(value);
        self.text.push('\n');
    }

    /// `key:`, for what stands below it.
    pub(super) fn open(&mut self, indent: usize, key: &str) {
        self.begin(indent, key);
        self.text.push('\n');
    }

    /// The next line begins an item of a list: its indent ends in a dash.
    pub(super) fn item(&mut self, indent: usize, value: &str) {
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str("- ");
        self.text.push_str(value);
        self.text.push('\n');
    }

    /// `key:` and a text: of several lines as a block, else on the line.
    pub(super) fn put_text(&mut self, indent: usize, key: &str, text: &str) {
        match block(text) {
            Some((header, lines)) => {
                self.begin(indent, key);
                self.text.push(' ');
                self.text.push_str(header);
                self.text.push('\n');
                for line in lines.split('\n') {
                    if !line.is_empty() {
                        self.text.push_str(&" ".repeat(indent + 2));
                        self.text.push_str(line);
                    }
                    self.text.push('\n');
                }
            }
            None => self.put(indent, key, &scalar(text)),
        }
    }

    /// The lines, which are done with.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn begin(&mut self, indent: usize, key: &str) {
        self.text.push_str(&" ".repeat(indent));
        self.text.push_str(&as_key(key));
        self.text.push(':');
    }
}

/// `{ a: b, c: d }`, each value as it is to stand there.
pub(super) fn mapping(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("{}: {value}", as_key(key))).collect();
    if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
}

/// `[ a, b ]` of texts.
pub(super) fn list(texts: &[String]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| scalar(text)).collect();
    if texts.is_empty() { "[]".to_owned() } else { format!("[ {} ]", texts.join(", ")) }
}

/// A text as a scalar that is read back as that text, within brackets too.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text) && is_plain_text(text) { text.to_owned() } else { quoted(text) }
}

/// A text as a key: a plain one is text even where it looks like a number.
pub(super) fn as_key(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Whether a text needs no quotes to be one scalar. What it means then is another question.
fn is_plain(text: &str) -> bool {
    const FIRST: &str = "/._$~\\(";
    const LATER: &str = "/._-+~$%()\\@=; ";
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphanumeric() || FIRST.contains(c))
        && letters.all(|c| c.is_ascii_alphanumeric() || LATER.contains(c))
        && !text.ends_with(' ')
}

fn quoted(text: &str) -> String {
    if text.chars().all(is_printable) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        double_quoted(text)
    }
}

fn double_quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_printable(c) => out.push(c),
            c if u32::from(c) > 0xffff => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push_str(&format!("\\u{:04X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// A text of several lines as a literal block: what stands behind the key, and the lines.
fn block(text: &str) -> Option<(&'static str, &str)> {
    let is_good = text.chars().all(|c| is_printable(c) || matches!(c, '\n' | '\t'));
    if !text.contains('\n') || !is_good || text.starts_with([' ', '\t', '\n']) {
        return None;
    }
    match text.strip_suffix('\n') {
        None => Some(("|-", text)),
        // More line breaks at the end, or a last line of blanks, would need more than one look.
        Some(lines) if lines.ends_with(['\n', ' ', '\t']) => None,
        Some(lines) => Some(("|", lines)),
    }
}

/// Whether a character is shown as itself. YAML allows no noncharacters (YAML 1.2.2 §5.1).
fn is_printable(c: char) -> bool {
    !misleads(c) && (u32::from(c) & 0xfffe) != 0xfffe
}
