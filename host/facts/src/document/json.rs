//! JSON. `serde_json` decides what is JSON, without a limit of depth; this reader then walks over text that is known to
//! be good and only notes where everything stands.

use serde::de::IgnoredAny;

use super::tree::{Builder, Content, Key, Tree};
use super::{Flaw, Span};

pub(super) fn read(text: &str) -> Result<Tree, Flaw> {
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = text.get(begin..).unwrap_or_default();
    serde_json::from_str::<IgnoredAny>(body).map_err(|error| flaw(&error, body, begin))?;
    Reader { text, at: begin, builder: Builder::new(text.len()) }.run()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    builder: Builder,
}

impl Reader<'_> {
    /// In good JSON the separators say nothing that the order of the rest does not say.
    fn run(mut self) -> Result<Tree, Flaw> {
        while let Some(byte) = self.byte(self.at) {
            let start = self.at;
            let one = Span { start, end: start + 1 };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => self.at = one.end,
                b'{' | b'[' => {
                    self.at = one.end;
                    if byte == b'{' {
                        self.builder.open_mapping(one)
                    } else {
                        self.builder.open_list(one)
                    };
                }
                b'}' | b']' => {
                    self.at = one.end;
                    self.builder.close(Some(one.end))?;
                }
                b'"' => self.string(start)?,
                _ => self.word(start),
            }
        }
        Ok(self.builder.finish())
    }

    fn string(&mut self, start: usize) -> Result<(), Flaw> {
        let mut end = start + 1;
        let mut escapes = false;
        while let Some(byte) = self.byte(end) {
            match byte {
                b'"' => break,
                b'\\' => {
                    escapes = true;
                    end += 2;
                }
                _ => end += 1,
            }
        }
        let span = Span { start, end: end + 1 };
        self.at = span.end;
        let text = if escapes {
            let written = self.text.get(start..span.end).unwrap_or_default();
            serde_json::from_str::<String>(written)
                .map_err(|_| Flaw::new("a `\\u` escape of this string is half of a surrogate pair", span))?
        } else {
            self.text.get(start + 1..end).unwrap_or_default().to_owned()
        };
        if self.builder.expects_key() {
            self.builder.key(Key { text: text.into(), span, merge: false });
        } else {
            self.builder.leaf(Content::Text(text.into()), span);
        }
        Ok(())
    }

    fn word(&mut self, start: usize) {
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.find([' ', '\t', '\r', '\n', ',', ':', ']', '}']).unwrap_or(rest.len()).max(1);
        let span = Span { start, end: start + length };
        self.at = span.end;
        let content = match rest.get(..length).unwrap_or_default() {
            "null" => Content::Null,
            "true" => Content::Bool(true),
            "false" => Content::Bool(false),
            number => Content::Number(number.into()),
        };
        self.builder.leaf(content, span);
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}

/// `serde_json` counts the bytes of a line up to and with the one at which it stopped.
fn flaw(error: &serde_json::Error, body: &str, begin: usize) -> Flaw {
    let line = error.line().saturating_sub(1);
    let line_start: usize = body.split_inclusive('\n').take(line).map(str::len).sum();
    let start = body.floor_char_boundary(line_start + error.column().saturating_sub(1));
    let length = body.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let words = error.to_string();
    let message = words.rsplit_once(" at line ").map_or(words.as_str(), |(message, _)| message);
    let message = message.replace("EOF while", "the text ends while");
    Flaw::new(message, Span { start: begin + start, end: begin + start + length })
}
