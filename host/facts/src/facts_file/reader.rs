//! What facts files and suites are read with: types are checked, faults are collected.

use super::FactsError;
use crate::document::{Mapping, Node, Span, Value, nearest};
use crate::{Fault, FaultCode};

/// Collects what is wrong with a document while it is read. Each question to it that yields nothing has left a fault
/// behind. `what` names the thing that is read, as messages call it.
#[derive(Debug, Default)]
pub struct Reader {
    /// What was wrong so far, in the order in which it was found.
    pub faults: Vec<FactsError>,
}

impl Reader {
    /// Notes a fault at a place.
    pub fn fault(&mut self, span: Span, message: impl Into<String>) {
        self.faults.push(FactsError { message: message.into(), span, help: None });
    }

    /// Notes a fault at a place, with what to do about it.
    pub fn fault_with(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(FactsError { message: message.into(), span, help: Some(help.into()) });
    }

    /// Notes that a node is not what is expected, as in "`files` must be a mapping, found text".
    pub fn wrong_type(&mut self, node: Node<'_>, what: &str, expected: &str) {
        self.fault(node.span(), format!("{what} must be {expected}, found {}", node.kind()));
    }

    /// A mapping.
    pub fn mapping<'d>(&mut self, node: Node<'d>, what: &str) -> Option<Mapping<'d>> {
        let mapping = node.as_mapping();
        if mapping.is_none() {
            self.wrong_type(node, what, "a mapping");
        }
        mapping
    }

    /// Text. What YAML takes for a number needs quotes, or it would be another text than the one that was meant.
    pub fn text<'d>(&mut self, node: Node<'d>, what: &str) -> Option<&'d str> {
        match node.value() {
            Value::Text(text) => return Some(text),
            Value::Number(written) => self.fault_with(
                node.span(),
                format!("{what} must be text, found the number `{written}`"),
                format!("write it in quotes: '{written}'"),
            ),
            Value::Bool(written) => self.fault_with(
                node.span(),
                format!("{what} must be text, found the boolean `{written}`"),
                format!("write it in quotes if text is meant: '{written}'"),
            ),
            _ => self.wrong_type(node, what, "text"),
        }
        None
    }

    /// `true` or `false`.
    pub fn truth(&mut self, node: Node<'_>, what: &str) -> Option<bool> {
        let truth = node.as_bool();
        if truth.is_none() {
            self.wrong_type(node, what, "`true` or `false`");
        }
        truth
    }

    /// A whole number from 0 to `max`.
    pub(super) fn number(&mut self, node: Node<'_>, what: &str, max: u64) -> Option<u64> {
        let number = match node.value() {
            Value::Number(written) => written.parse::<u64>().ok().filter(|number| *number <= max),
            _ => {
                self.wrong_type(node, what, "a number");
                return None;
            }
        };
        if number.is_none() {
            let found = shown(node);
            self.fault(node.span(), format!("{what} must be a whole number from 0 to {max}, found {found}"));
        }
        number
    }

    /// The member that marks something, as in `zombie: true`.
    pub(super) fn mark(&mut self, node: Node<'_>, what: &str) -> Option<()> {
        if node.as_bool() == Some(true) {
            return Some(());
        }
        self.fault_with(
            node.span(),
            format!("{what} must be `true`, found {}", shown(node)),
            "or leave it out",
        );
        None
    }

    /// Reports members that are not among `known`, and members that repeat a key.
    pub fn known(&mut self, mapping: Mapping<'_>, known: &[&str], what: &str) {
        for member in mapping.members().filter(|member| !known.contains(&member.key)) {
            let message = format!("`{}` is not known in {what}", member.key);
            let help = match nearest(member.key, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are {}", listed(known)),
            };
            self.fault_with(member.key_span, message, help);
        }
        self.unrepeated(mapping, what);
    }

    /// Reports members that repeat a key.
    pub fn unrepeated(&mut self, mapping: Mapping<'_>, what: &str) {
        for member in mapping.repeated() {
            self.fault(member.key_span, format!("`{}` stands twice in {what}", member.key));
        }
    }

    /// Reports a word that is not among those accepted. `meant` is a better guess than the nearest one.
    pub fn unknown_word(
        &mut self,
        node: Node<'_>,
        what: &str,
        found: &str,
        accepted: &[&str],
        meant: Option<&str>,
    ) {
        let message = format!("{what} is `{found}`; accepted are {}", listed(accepted));
        match meant.or_else(|| nearest(found, accepted.iter().copied())) {
            Some(meant) => self.fault_with(node.span(), message, format!("did you mean `{meant}`?")),
            None => self.fault(node.span(), message),
        }
    }

    /// One of the words given, each of which stands for something.
    pub fn word<T: Copy>(&mut self, node: Node<'_>, what: &str, words: &[(&str, T)]) -> Option<T> {
        let found = self.text(node, what)?;
        let meant = words.iter().find(|(word, _)| *word == found).map(|(_, meaning)| *meaning);
        if meant.is_none() {
            let accepted: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.unknown_word(node, what, found, &accepted, None);
        }
        meant
    }

    /// What stands behind `error`, where the node is a mapping with that member. Beside it there may be words, as
    /// `detail`, and nothing else.
    pub(super) fn error<'d>(&mut self, node: Node<'d>, what: &str) -> Option<Node<'d>> {
        let mapping = node.as_mapping()?;
        let error = mapping.get("error")?.value;
        for member in mapping.members().filter(|member| !["error", "detail"].contains(&member.key)) {
            self.fault(
                member.key_span,
                format!("`error` stands alone: {what} can not have `{}` too", member.key),
            );
        }
        self.unrepeated(mapping, what);
        Some(error)
    }

    /// `{ error: CODE }`: none where the node is no such thing, some nothing where the code is not known.
    pub(super) fn error_fault(&mut self, node: Node<'_>, what: &str) -> Option<Option<Fault>> {
        let error = self.error(node, what)?;
        let code = self.word(error, &format!("`error` of {what}"), &CODES.map(|code| (code.name(), code)));
        let detail = match node.get("detail") {
            Some(detail) => self.text(detail.value, "`detail`").unwrap_or_default(),
            None => "",
        };
        Some(code.map(|code| Fault::new(code, detail)))
    }
}

const CODES: [FaultCode; 8] = [
    FaultCode::Absent,
    FaultCode::Denied,
    FaultCode::Locked,
    FaultCode::NotRegular,
    FaultCode::TooLarge,
    FaultCode::Refused,
    FaultCode::Unsupported,
    FaultCode::Io,
];

/// A node in a message: what it is, and its text where that is short.
pub(super) fn shown(node: Node<'_>) -> String {
    const LONGEST: usize = 80;
    match node.value() {
        Value::Text(text) | Value::Number(text) if text.len() <= LONGEST => format!("`{text}`"),
        Value::Bool(truth) => format!("`{truth}`"),
        _ => node.kind().to_owned(),
    }
}

pub(super) fn listed_texts(words: &[String]) -> String {
    listed(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(super) fn listed(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
