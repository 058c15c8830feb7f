//! Flow mappings and sequences: `{a: b}` and `[a, b]`.

use super::block::is_indicator;
use super::scalar::resolve;
use super::{Key, Node, Parsed, Reader, Yaml};

impl Reader<'_> {
    /// A flow collection where the reader stands; its further lines are indented more than `parent`. The reader then
    /// stands behind its closing bracket.
    pub(super) fn flow(&mut self, parent: i32, level: usize) -> Parsed<Yaml> {
        self.judge_level(level)?;
        let is_list = self.rest().is_some_and(|rest| rest.starts_with('['));
        self.column += 1;
        let (mut items, mut members) = (Vec::new(), Vec::new());
        loop {
            match self.flow_next(parent)? {
                ']' if is_list => break,
                '}' if !is_list => break,
                _ => {}
            }
            if is_list {
                items.push(self.flow_node(parent, level)?);
            } else {
                members.push(self.flow_member(parent, level)?);
            }
            match self.flow_next(parent)? {
                ',' => self.column += 1,
                ']' if is_list => break,
                '}' if !is_list => break,
                ':' => return Err(self.unsupported("a mapping within a list has brackets of its own")),
                _ => return Err(self.syntax("expected `,` or the closing bracket")),
            }
        }
        self.column += 1;
        Ok(if is_list { Yaml::List(items) } else { Yaml::Mapping(members) })
    }

    fn flow_member(&mut self, parent: i32, level: usize) -> Parsed<(Key, Node)> {
        let (line, column) = (self.line + 2, self.column + 1);
        let quoted = self.rest().is_some_and(|rest| rest.starts_with(['"', '\'']));
        let start = self.line;
        let name = if quoted { self.quoted(parent)? } else { self.flow_plain()?.to_owned() };
        let nothing = self.node(Yaml::Null);
        let is_text = quoted || matches!(resolve(&name), Yaml::Text(_));
        let key = Key { line, column, name, is_text };
        if self.flow_next(parent)? != ':' {
            return Ok((key, nothing));
        }
        if self.line > start {
            return Err(self.unsupported("a key and its `:` stand on one line"));
        }
        self.column += 1;
        let stands_free =
            self.rest().is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', ',', '}', ']']));
        if !stands_free && !quoted {
            return Err(self.syntax("expected a blank after `:`"));
        }
        match self.flow_next(parent)? {
            ',' | '}' => Ok((key, nothing)),
            _ => Ok((key, self.flow_node(parent, level)?)),
        }
    }

    fn flow_node(&mut self, parent: i32, level: usize) -> Parsed<Node> {
        let mut node = self.node(Yaml::Null);
        let rest = self.rest().unwrap_or_default();
        node.yaml = if rest.starts_with(['[', '{']) {
            self.flow(parent, level + 1)?
        } else if rest.starts_with(['"', '\'']) {
            Yaml::Text(self.quoted(parent)?)
        } else {
            resolve(self.flow_plain()?)
        };
        Ok(node)
    }

    /// A plain scalar on one line.
    fn flow_plain(&mut self) -> Parsed<&str> {
        let rest = self.lines.get(self.line).and_then(|line| line.get(self.column..)).unwrap_or_default();
        self.judge_first(rest)?;
        if ['-', '?', ':'].iter().any(|indicator| {
            rest.strip_prefix(*indicator).is_some_and(|rest| rest.starts_with([',', '[', ']', '{', '}']))
        }) {
            return Err(self.syntax("no text begins with this character: put it in quotes"));
        }
        let mut end = rest.len();
        for (at, character) in rest.char_indices() {
            let ends = match character {
                ',' | '[' | ']' | '{' | '}' => true,
                ':' => rest.get(at + 1..).is_some_and(|after| {
                    is_indicator(rest.get(at..).unwrap_or_default(), ':')
                        || after.starts_with([',', '[', ']', '{', '}'])
                }),
                '#' => rest.get(..at).is_some_and(|before| before.ends_with([' ', '\t'])),
                _ => false,
            };
            if ends {
                end = at;
                break;
            }
        }
        let text = rest.get(..end).unwrap_or_default().trim_end_matches([' ', '\t']);
        if text.ends_with(" -") {
            return Err(self.syntax("`-` stands alone before a bracket or comma: put the text in quotes"));
        }
        self.column += text.len();
        Ok(text)
    }

    /// The next character that is no blank, line break or comment.
    fn flow_next(&mut self, parent: i32) -> Parsed<char> {
        loop {
            let Some(rest) = self.rest() else {
                return Err(self.syntax("a bracket is not closed"));
            };
            let content = rest.trim_start_matches([' ', '\t']);
            let blanks = rest.len() - content.len();
            if content.is_empty() || (content.starts_with('#') && (blanks > 0 || self.column == 0)) {
                self.next_line();
                continue;
            }
            if self.column == 0 {
                let indent = rest.len() - rest.trim_start_matches(' ').len();
                if i32::try_from(indent).unwrap_or(i32::MAX) <= parent {
                    return Err(
                        self.syntax("a bracket is not closed: indent what belongs to it more than its key")
                    );
                }
            }
            self.column += blanks;
            return content.chars().next().ok_or_else(|| self.syntax("a bracket is not closed"));
        }
    }
}
