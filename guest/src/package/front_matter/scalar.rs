//! Scalars: plain ones with their types, quoted ones, block ones.

use super::block::{colon, comment, is_indicator};
use super::{Node, Parsed, Reader, Yaml};

impl Reader<'_> {
    /// A value where the reader stands; its further lines are indented more than `parent`.
    pub(super) fn value(&mut self, parent: i32, level: usize) -> Parsed<Node> {
        let content = self.rest().unwrap_or_default();
        let mut node = self.node(Yaml::Null);
        let first = content.chars().next().unwrap_or_default();
        node.yaml = match first {
            '[' | '{' => {
                let yaml = self.flow(parent, level)?;
                self.end_of_line()?;
                yaml
            }
            '"' | '\'' => {
                let text = self.quoted(parent)?;
                self.end_of_line()?;
                Yaml::Text(text)
            }
            '|' | '>' => Yaml::Text(self.block_scalar(parent, first == '>')?),
            _ => {
                self.judge_first(content)?;
                self.plain(parent)?
            }
        };
        Ok(node)
    }

    /// Refuses what no plain scalar begins with.
    pub(super) fn judge_first(&self, content: &str) -> Parsed<()> {
        match content.chars().next() {
            Some('&') => Err(self.unsupported("an anchor stands here: none is read")),
            Some('*') => Err(self.unsupported(
                "an alias stands here: none is read, put a text that begins with `*` in quotes",
            )),
            Some('!') => Err(self
                .unsupported("a tag stands here: none is read, put a text that begins with `!` in quotes")),
            Some('%' | '@' | '`' | ',' | ']' | '}' | '#' | '|' | '>') => {
                Err(self.syntax("no text begins with this character: put it in quotes"))
            }
            _ if ['-', '?', ':'].iter().any(|indicator| is_indicator(content, *indicator)) => {
                Err(self.syntax("no text begins with this character and a blank: put it in quotes"))
            }
            _ => Ok(()),
        }
    }

    fn plain(&mut self, parent: i32) -> Parsed<Yaml> {
        let mut text = String::new();
        let mut breaks = 0;
        let mut ended = false;
        while let Some(rest) = self.rest() {
            let content = rest.trim_start_matches([' ', '\t']);
            if content.is_empty() {
                breaks += 1;
                self.next_line();
                continue;
            }
            if !text.is_empty() {
                let indent = rest.len() - rest.trim_start_matches(' ').len();
                if i32::try_from(indent).unwrap_or(i32::MAX) <= parent || content.starts_with('#') || ended {
                    break;
                }
                if rest.get(indent..).is_some_and(|rest| rest.starts_with('\t')) {
                    self.column += indent;
                    return Err(self.unsupported("a tab indents here: indent with blanks"));
                }
            }
            self.column += rest.len() - content.len();
            let end = comment(content);
            let content = content.get(..end.unwrap_or(content.len())).unwrap_or_default();
            let content = content.trim_end_matches([' ', '\t']);
            if let Some(at) = colon(content) {
                self.column += at;
                return Err(self.syntax("`: ` within a text: put the text in quotes"));
            }
            if !text.is_empty() {
                fold(&mut text, breaks);
            }
            text.push_str(content);
            breaks = 0;
            ended = end.is_some();
            self.next_line();
        }
        Ok(resolve(&text))
    }

    /// A quoted text; the reader then stands behind its closing quote.
    pub(super) fn quoted(&mut self, parent: i32) -> Parsed<String> {
        let double = self.rest().is_some_and(|rest| rest.starts_with('"'));
        let start = (self.line, self.column);
        self.column += 1;
        let mut text = String::new();
        // What may not be trimmed at the end of a line: it was written as an escape.
        let mut kept = 0;
        loop {
            let Some(rest) = self.rest() else {
                (self.line, self.column) = start;
                return Err(self.syntax("the quotes that begin here are not closed"));
            };
            let Some(character) = rest.chars().next() else {
                let trimmed = text.trim_end_matches([' ', '\t']).len().max(kept);
                text.truncate(trimmed);
                let breaks = self.continue_quoted(parent)?;
                fold(&mut text, breaks);
                kept = text.len();
                continue;
            };
            self.column += character.len_utf8();
            match character {
                '"' if double => return Ok(text),
                '\'' if !double => match rest.strip_prefix("''") {
                    Some(_) => {
                        self.column += 1;
                        text.push('\'');
                    }
                    None => return Ok(text),
                },
                '\\' if double && self.rest().is_some_and(str::is_empty) => {
                    // An escaped line break joins the lines without a blank.
                    let breaks = self.continue_quoted(parent)?;
                    text.extend(std::iter::repeat_n('\n', breaks));
                    kept = text.len();
                }
                '\\' if double => {
                    text.push(self.escape()?);
                    kept = text.len();
                }
                other => text.push(other),
            }
        }
    }

    /// Goes on to the next line of a quoted text that is not empty and answers how many were.
    fn continue_quoted(&mut self, parent: i32) -> Parsed<usize> {
        let mut breaks = 0;
        loop {
            self.next_line();
            let Some(rest) = self.rest() else { return Ok(breaks) };
            let indent = rest.len() - rest.trim_start_matches(' ').len();
            self.column = indent;
            if rest.get(indent..).is_some_and(|rest| rest.starts_with('\t')) {
                return Err(self.unsupported("a tab indents here: indent with blanks"));
            }
            if indent == rest.len() {
                breaks += 1;
                continue;
            }
            if i32::try_from(indent).unwrap_or(i32::MAX) <= parent {
                return Err(self
                    .syntax("a quoted text goes on here: indent it more than its key, or close the quotes"));
            }
            return Ok(breaks);
        }
    }

    /// What an escape stands for. The reader stands behind the backslash.
    fn escape(&mut self) -> Parsed<char> {
        let rest = self.rest().unwrap_or_default();
        let escape = rest.chars().next().unwrap_or_default();
        let digits = match escape {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let character = rest
                .get(1..=digits)
                .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .and_then(char::from_u32);
            let Some(character) = character else {
                return Err(self.syntax("expected an escape of a character, such as `\\u00e9`"));
            };
            self.column += 1 + digits;
            return Ok(character);
        }
        let character = match escape {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            ' ' | '"' | '/' | '\\' => escape,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            _ => return Err(self.syntax("unknown escape: a backslash in double quotes is written twice")),
        };
        self.column += escape.len_utf8();
        Ok(character)
    }

    /// A block scalar, `|` or `>`. The reader stands at its indicator, and then at the line after it.
    fn block_scalar(&mut self, parent: i32, folded: bool) -> Parsed<String> {
        self.column += 1;
        let parent = usize::try_from(parent).unwrap_or_default();
        let (mut indent, mut keep, mut strip) = (None, false, false);
        while let Some(indicator) = self.rest().and_then(|rest| rest.chars().next()) {
            match indicator {
                '1'..='9' if indent.is_none() => {
                    indent = indicator.to_digit(10).map(|digit| parent + digit as usize)
                }
                '+' if !keep && !strip => keep = true,
                '-' if !keep && !strip => strip = true,
                ' ' | '\t' => break,
                _ => return Err(self.syntax("expected the end of the line after `|` or `>`")),
            }
            self.column += 1;
        }
        self.end_of_line()?;
        let indent = match indent {
            Some(indent) => indent,
            None => self.detected_indent(parent)?,
        };
        let mut text = String::new();
        let mut breaks = 0;
        let mut last_is_indented: Option<bool> = None;
        while let Some(line) = self.rest() {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let Some(content) = line.get(indent.min(blanks)..) else { break };
            if content.is_empty() {
                breaks += 1;
            } else if blanks < indent {
                break;
            } else {
                let indented = content.starts_with([' ', '\t']);
                match last_is_indented {
                    None => text.extend(std::iter::repeat_n('\n', breaks)),
                    Some(last) if folded && !last && !indented => fold(&mut text, breaks),
                    Some(_) => text.extend(std::iter::repeat_n('\n', breaks + 1)),
                }
                text.push_str(content);
                last_is_indented = Some(indented);
                breaks = 0;
            }
            self.next_line();
        }
        if last_is_indented.is_some() && !strip {
            text.push('\n');
        }
        if keep {
            text.extend(std::iter::repeat_n('\n', breaks));
        }
        Ok(text)
    }

    /// The indentation of the first line of a block scalar that is not empty.
    fn detected_indent(&mut self, parent: usize) -> Parsed<usize> {
        let mut deepest = 0;
        for line in self.lines.iter().skip(self.line) {
            let content = line.trim_start_matches(' ');
            let blanks = line.len() - content.len();
            if content.is_empty() {
                deepest = deepest.max(blanks);
                continue;
            }
            if content.starts_with('\t') {
                return Err(self.unsupported("a tab indents this text: indent with blanks"));
            }
            if blanks <= parent {
                break;
            }
            if deepest > blanks {
                return Err(self.syntax("an empty line before this text is indented more than the text"));
            }
            return Ok(blanks);
        }
        Ok(deepest.max(parent + 1))
    }
}

/// Line breaks within a text: one is a blank, more are one less.
fn fold(text: &mut String, breaks: usize) {
    if breaks == 0 {
        text.push(' ');
    } else {
        text.extend(std::iter::repeat_n('\n', breaks));
    }
}

/// The type of a plain scalar by the core schema (YAML 1.2 §10.3.2).
pub(super) fn resolve(text: &str) -> Yaml {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Yaml::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Yaml::Bool,
        number if is_number(number) => Yaml::Number,
        _ => Yaml::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let are_digits = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && are_digits(exponent))
}
