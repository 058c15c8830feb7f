//! A property list that is written as a mapping, as the XML that macOS would find.

use super::reader::{Reader, shown};
use crate::document::{Node, Value};
use crate::limits::MAX_PLIST;

/// More levels than any reader of property lists goes down (SPEC §5.1 has 64).
const MAX_LEVELS: usize = 100;
pub(super) fn bytes(reader: &mut Reader, node: Node<'_>) -> Option<Vec<u8>> {
    reader.mapping(node, "`plist`")?;
    let before = reader.faults.len();
    let mut writer = Writer { reader, xml: String::new() };
    writer.xml.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n");
    writer.value(node, 1);
    writer.xml.push_str("</plist>\n");
    let Writer { reader, xml } = writer;
    (reader.faults.len() == before).then(|| xml.into_bytes())
}

struct Writer<'r> {
    reader: &'r mut Reader,
    xml: String,
}

impl Writer<'_> {
    fn value(&mut self, node: Node<'_>, level: usize) {
        match node.value() {
            Value::Text(text) => self.element("string", text, node),
            Value::Bool(truth) => self.xml.push_str(if truth { "<true/>\n" } else { "<false/>\n" }),
            Value::Number(number) if number.parse::<i64>().is_ok() => self.element("integer", number, node),
            Value::Number(number) if number.parse::<f64>().is_ok() => self.element("real", number, node),
            Value::Null | Value::Number(_) => {
                let found = shown(node);
                self.reader.fault(node.span(), format!("a property list has no {found}"));
            }
            Value::List(_) | Value::Mapping(_) if level > MAX_LEVELS => {
                self.reader.fault(
                    node.span(),
                    format!("`plist` goes more than {MAX_LEVELS} levels deep; give such a file as `text`"),
                );
            }
            Value::List(list) => {
                self.xml.push_str("<array>\n");
                for item in list.items() {
                    if self.is_full() {
                        return;
                    }
                    self.value(item, level + 1);
                }
                self.xml.push_str("</array>\n");
            }
            Value::Mapping(mapping) => {
                self.reader.unrepeated(mapping, "`plist`");
                self.xml.push_str("<dict>\n");
                for member in mapping.members() {
                    if self.is_full() {
                        return;
                    }
                    self.element("key", member.key, node);
                    self.value(member.value, level + 1);
                }
                self.xml.push_str("</dict>\n");
            }
        }
    }

    fn element(&mut self, name: &str, text: &str, node: Node<'_>) {
        if text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
            self.reader.fault(
                node.span(),
                "a property list in XML can not hold a control character; give such a file as `base64`",
            );
            return;
        }
        self.xml.push('<');
        self.xml.push_str(name);
        self.xml.push('>');
        for c in text.chars() {
            match c {
                '&' => self.xml.push_str("&amp;"),
                '<' => self.xml.push_str("&lt;"),
                '>' => self.xml.push_str("&gt;"),
                '\r' => self.xml.push_str("&#13;"),
                c => self.xml.push(c),
            }
        }
        self.xml.push_str("</");
        self.xml.push_str(name);
        self.xml.push_str(">\n");
    }

    /// A longer one is never handed over, and so it need not be whole.
    fn is_full(&self) -> bool {
        self.xml.len() as u64 > MAX_PLIST
            || !self.reader.faults.is_empty() && self.reader.faults.len() > MAX_FAULTS
    }
}

/// A list of aliases repeats its faults: this many tell the story.
const MAX_FAULTS: usize = 1_000;
