//! A node as JSON text, bounded in length and depth.

use super::node::{List, Mapping, Node, Value};
use super::scalar;

pub(super) fn json(node: Node<'_>, max_bytes: usize, max_depth: usize) -> String {
    let mut writer = Writer { text: String::new(), max_bytes, max_depth: max_depth.min(DEEPEST) };
    writer.node(node, 1);
    writer.text
}

/// Writing goes down by recursion: this is what any stack bears.
const DEEPEST: usize = 256;

struct Writer {
    text: String,
    max_bytes: usize,
    max_depth: usize,
}

impl Writer {
    fn node(&mut self, node: Node<'_>, depth: usize) {
        match node.value() {
            Value::Null => self.text.push_str("null"),
            Value::Bool(truth) => self.text.push_str(if truth { "true" } else { "false" }),
            Value::Number(number) => {
                self.text.push_str(&scalar::json_number(number).unwrap_or_else(|| number.to_owned()));
            }
            Value::Text(text) => self.string(text),
            Value::List(_) | Value::Mapping(_) if depth > self.max_depth => self.text.push_str("null"),
            Value::List(list) => self.list(list, depth),
            Value::Mapping(mapping) => self.mapping(mapping, depth),
        }
    }

    fn list(&mut self, list: List<'_>, depth: usize) {
        self.text.push('[');
        for (index, item) in list.items().enumerate() {
            if self.is_full() {
                return;
            }
            if index > 0 {
                self.text.push(',');
            }
            self.node(item, depth + 1);
        }
        self.text.push(']');
    }

    fn mapping(&mut self, mapping: Mapping<'_>, depth: usize) {
        self.text.push('{');
        for (index, member) in mapping.members().enumerate() {
            if self.is_full() {
                return;
            }
            if index > 0 {
                self.text.push(',');
            }
            self.string(member.key);
            self.text.push(':');
            self.node(member.value, depth + 1);
        }
        self.text.push('}');
    }

    fn string(&mut self, text: &str) {
        // A string has a JSON spelling, always.
        self.text.push_str(&serde_json::to_string(text).unwrap_or_default());
    }

    fn is_full(&self) -> bool {
        self.text.len() > self.max_bytes
    }
}
