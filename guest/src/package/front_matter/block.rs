//! Block mappings and sequences, and which kind of node stands where.

use super::scalar::resolve;
use super::{Key, LEVELS, Node, Parsed, Reader, Yaml};

impl<'t> Reader<'t> {
    /// The node that comes next, where it is indented more than `parent`; -1 is the parent of the root.
    pub(super) fn block(&mut self, parent: i32, level: usize) -> Parsed<Option<Node>> {
        let Some((indent, content)) = self.peek()? else { return Ok(None) };
        if depth(indent) <= parent {
            return Ok(None);
        }
        if is_item(content) {
            return self.sequence(indent, level).map(Some);
        }
        let before = self.column;
        if self.key()?.is_some() {
            self.column = before;
            return self.mapping(indent, level).map(Some);
        }
        self.column = before;
        self.value(parent, level).map(Some)
    }

    fn mapping(&mut self, indent: usize, level: usize) -> Parsed<Node> {
        let mut mapping = self.node(Yaml::Null);
        self.judge_level(level)?;
        let mut members = Vec::new();
        while let Some((next, content)) = self.peek()? {
            if next < indent {
                break;
            }
            if next > indent {
                return Err(self.syntax("is indented more than the fields beside it"));
            }
            if is_item(content) {
                return Err(self.syntax("expected a field `key: value`, found an item of a list"));
            }
            let Some(key) = self.key()? else {
                return Err(self.syntax("expected a field `key: value`"));
            };
            members.push((key, self.member(indent, level)?));
        }
        mapping.yaml = Yaml::Mapping(members);
        Ok(mapping)
    }

    /// The value after a key. The reader stands behind the colon.
    fn member(&mut self, indent: usize, level: usize) -> Parsed<Node> {
        let nothing = self.node(Yaml::Null);
        if self.skip_to_value()? {
            let content = self.rest().unwrap_or_default();
            if is_item(content) {
                return Err(self.syntax("an item of a list stands on a line of its own"));
            }
            return self.value(depth(indent), level + 1);
        }
        match self.peek()? {
            // The items of a list may stand right below their key.
            Some((next, content)) if next == indent && is_item(content) => self.sequence(indent, level + 1),
            _ => Ok(self.block(depth(indent), level + 1)?.unwrap_or(nothing)),
        }
    }

    fn sequence(&mut self, indent: usize, level: usize) -> Parsed<Node> {
        let mut sequence = self.node(Yaml::Null);
        self.judge_level(level)?;
        let mut items = Vec::new();
        while let Some((next, content)) = self.peek()? {
            if next < indent || (next == indent && !is_item(content)) {
                break;
            }
            if next > indent {
                return Err(self.syntax("is indented more than the items beside it"));
            }
            let nothing = self.node(Yaml::Null);
            self.column += 1;
            // What follows on this line may be a mapping or a list of its own, at its own indentation.
            items.push(self.block(depth(indent), level + 1)?.unwrap_or(nothing));
        }
        sequence.yaml = Yaml::List(items);
        Ok(sequence)
    }

    /// A key and its colon, where the line has one; the reader then stands behind the colon.
    fn key(&mut self) -> Parsed<Option<Key>> {
        let content = self.rest().unwrap_or_default();
        let (line, column) = (self.line + 2, self.column + 1);
        if is_indicator(content, '?') {
            return Err(self.unsupported("a key that is no plain text stands here"));
        }
        if is_indicator(content, ':') {
            return Err(self.unsupported("an empty key stands here"));
        }
        if content.starts_with(['"', '\'']) {
            let start = self.line;
            let name = match self.quoted(i32::MAX) {
                Ok(name) => name,
                // A quoted text over several lines is a value.
                Err(_) if self.line > start => {
                    self.line = start;
                    return Ok(None);
                }
                Err(fault) => return Err(fault),
            };
            let rest = self.rest().unwrap_or_default();
            let after = rest.trim_start_matches([' ', '\t']);
            self.column += rest.len() - after.len();
            if !is_indicator(after, ':') {
                return Ok(None);
            }
            self.column += 1;
            return Ok(Some(Key { line, column, name, is_text: true }));
        }
        if content.starts_with(['[', '{', '|', '>', '&', '*', '!', '%', '@', '`', '#', ',', ']', '}']) {
            return Ok(None);
        }
        let Some(colon) = colon(content) else { return Ok(None) };
        if content.get(..colon).is_some_and(|before| comment(before).is_some()) {
            return Ok(None);
        }
        self.column += colon + 1;
        let name = content.get(..colon).unwrap_or_default().trim_end_matches([' ', '\t']).to_owned();
        let is_text = matches!(resolve(&name), Yaml::Text(_));
        Ok(Some(Key { line, column, name, is_text }))
    }

    /// Stands at the value on this line; false where the line has none.
    fn skip_to_value(&mut self) -> Parsed<bool> {
        let rest = self.rest().unwrap_or_default();
        let content = rest.trim_start_matches(' ');
        self.column += rest.len() - content.len();
        if content.starts_with('\t') {
            return Err(self.unsupported("a tab stands before this value: write a blank"));
        }
        if content.is_empty() || content.starts_with('#') {
            self.next_line();
            return Ok(false);
        }
        Ok(true)
    }

    pub(super) fn judge_level(&self, level: usize) -> Parsed<()> {
        if level > LEVELS {
            return Err(self.unsupported("more than 16 levels of mappings and lists"));
        }
        Ok(())
    }
}

/// How deep a column is, as a parent's indentation.
fn depth(indent: usize) -> i32 {
    i32::try_from(indent).unwrap_or(i32::MAX)
}

fn is_item(content: &str) -> bool {
    is_indicator(content, '-')
}

/// Whether a text begins with a character that stands alone.
pub(super) fn is_indicator(content: &str, indicator: char) -> bool {
    content.strip_prefix(indicator).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Where a colon stands that ends a key.
pub(super) fn colon(content: &str) -> Option<usize> {
    content
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| content.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])))
}

/// Where a comment begins within a text, with the blank before it.
pub(super) fn comment(content: &str) -> Option<usize> {
    content
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|at| content.get(..*at).is_some_and(|before| before.ends_with([' ', '\t'])))
}
