//! Where in a declaration the parser stands, and the faults it has found so far.

use std::fmt::Write;

use super::Diagnostic;
use crate::json::{Number, Value};
use crate::order::{repeats, sorted};
use crate::pointer;
use crate::text::{alternatives, nearest, quoted, shown};

/// The most faults that are told. The others are counted.
const MOST_FAULTS: usize = 20_000;

/// A place in the document: the way from the root down to it.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    outer: Option<&'a At<'a>>,
    name: Name<'a>,
    /// Which member or item of the outer one it is, in document order.
    index: usize,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    Root,
    Member(&'a str),
    Item,
}

impl<'a> At<'a> {
    pub(super) const ROOT: Self = Self { outer: None, name: Name::Root, index: 0 };

    pub(super) fn member(&'a self, index: usize, name: &'a str) -> Self {
        Self { outer: Some(self), name: Name::Member(name), index }
    }

    pub(super) fn item(&'a self, index: usize) -> Self {
        Self { outer: Some(self), name: Name::Item, index }
    }

    fn way(&self) -> Vec<&At<'a>> {
        let mut way: Vec<&At<'a>> = std::iter::successors(Some(self), |at| at.outer).collect();
        way.pop();
        way.reverse();
        way
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for at in self.way() {
            let fits = match at.name {
                Name::Member(name) => pointer::push(&mut pointer, name),
                Name::Item | Name::Root => pointer::push(&mut pointer, &at.index.to_string()),
            };
            if !fits {
                break;
            }
        }
        pointer
    }

    fn dotted(&self) -> String {
        let names: Vec<String> = self
            .way()
            .iter()
            .map(|at| match at.name {
                Name::Member(name) => shown(name),
                Name::Item | Name::Root => at.index.to_string(),
            })
            .collect();
        names.join(".")
    }
}

/// The members of a mapping, each name once: where one stands twice, the first counts and the others are only reported.
pub(super) struct Members<'v> {
    members: Vec<(usize, &'v str, &'v Value)>,
}

impl<'v> Members<'v> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &'v str, &'v Value)> + '_ {
        self.members.iter().copied()
    }

    pub(super) fn get(&self, name: &str) -> Option<(usize, &'v Value)> {
        self.members.iter().find(|(_, other, _)| *other == name).map(|(index, _, value)| (*index, *value))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

/// The faults found so far, each with its place in the document.
pub(super) struct Reader {
    label: String,
    found: Vec<(Vec<usize>, Diagnostic)>,
    untold: usize,
}

impl Reader {
    pub(super) fn new(label: &str) -> Self {
        Self { label: shown(label), found: Vec::new(), untold: 0 }
    }

    /// All faults in document order; those at one place in the order they were found. The last one counts those for which
    /// there was no room.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.untold > 0 {
            let what = format!("{} more faults are not told", self.untold);
            let message = if self.label.is_empty() { what } else { format!("{}: {what}", self.label) };
            let last = Diagnostic { code: "too-large", pointer: String::new(), message, help: None };
            self.found.push((vec![usize::MAX], last));
        }
        let found = sorted(self.found, |(left, _), (right, _)| left.cmp(right));
        found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    pub(super) fn report(&mut self, at: &At<'_>, code: &'static str, what: &str) {
        self.add(at, None, code, what, None);
    }

    pub(super) fn report_with_help(&mut self, at: &At<'_>, code: &'static str, what: &str, help: String) {
        self.add(at, None, code, what, Some(help));
    }

    /// A fault of a member that does not exist: its place is that of the mapping it is missing from.
    pub(super) fn report_at_missing(&mut self, at: &At<'_>, member: &str, code: &'static str, what: &str) {
        self.add(at, Some(member), code, what, None);
    }

    pub(super) fn missing(&mut self, at: &At<'_>, member: &str, expected: &str) {
        self.report_at_missing(at, member, "missing-field", &format!("is missing: expected {expected}"));
    }

    pub(super) fn empty(&mut self, at: &At<'_>, expected: &str) {
        self.report(at, "missing-field", &format!("is empty: expected {expected}"));
    }

    pub(super) fn wrong_type(&mut self, at: &At<'_>, found: &Value, expected: &str) {
        self.report(at, "wrong-type", &format!("expected {expected}, found {}", described(found)));
    }

    pub(super) fn unknown_key(&mut self, at: &At<'_>, code: &'static str, name: &str, known: &[&str]) {
        let what = format!("unknown key {}: known are {}", quoted(name), alternatives(known));
        match nearest(name, known) {
            Some(meant) => self.report_with_help(at, code, &what, format!("did you mean `{meant}`?")),
            None => self.report(at, code, &what),
        }
    }

    pub(super) fn unknown_value(&mut self, at: &At<'_>, found: &str, known: &[&str]) {
        let what = format!("unknown value {}: known are {}", quoted(found), alternatives(known));
        match nearest(found, known) {
            Some(meant) => {
                self.report_with_help(at, "unknown-value", &what, format!("did you mean `{meant}`?"))
            }
            None => self.report(at, "unknown-value", &what),
        }
    }

    /// The members of what must be a mapping.
    pub(super) fn mapping<'v>(
        &mut self,
        at: &At<'_>,
        value: &'v Value,
        expected: &str,
    ) -> Option<Members<'v>> {
        let Value::Mapping(members) = value else {
            let what = format!("expected a mapping {expected}, found {}", described(value));
            self.report(at, "not-a-mapping", &what);
            return None;
        };
        let members = members
            .iter()
            .zip(repeated(members))
            .enumerate()
            .filter(|(_, (_, repeated))| !repeated)
            .map(|(index, ((name, value), _))| (index, name.as_str(), value))
            .collect();
        Some(Members { members })
    }

    /// The text of what must be a string.
    pub(super) fn text<'v>(&mut self, at: &At<'_>, value: &'v Value, expected: &str) -> Option<&'v str> {
        if value.as_text().is_none() {
            self.wrong_type(at, value, expected);
        }
        value.as_text()
    }

    /// Reports every name that stands twice in one mapping, wherever it is. What the repeated ones hold is not judged.
    pub(super) fn duplicates(&mut self, at: &At<'_>, value: &Value) {
        match value {
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.duplicates(&at.item(index), item);
                }
            }
            Value::Mapping(members) => {
                for (index, ((name, value), repeated)) in members.iter().zip(repeated(members)).enumerate() {
                    let at = at.member(index, name);
                    if repeated {
                        let what = format!("the key {} stands here a second time", quoted(name));
                        self.report_with_help(&at, "duplicate-key", &what, "keep one of them".to_owned());
                    } else {
                        self.duplicates(&at, value);
                    }
                }
            }
            _ => {}
        }
    }

    fn add(
        &mut self,
        at: &At<'_>,
        member: Option<&str>,
        code: &'static str,
        what: &str,
        help: Option<String>,
    ) {
        if self.found.len() == MOST_FAULTS {
            self.untold += 1;
            return;
        }
        let (mut pointer, mut dotted) = (at.pointer(), at.dotted());
        if let Some(member) = member {
            pointer::push(&mut pointer, member);
            if !dotted.is_empty() {
                dotted.push('.');
            }
            dotted.push_str(member);
        }
        let mut message = self.label.clone();
        for part in [dotted.as_str(), what] {
            if !part.is_empty() {
                let separator = if message.is_empty() { "" } else { ": " };
                // Writing to a string does not fail.
                let _ = write!(message, "{separator}{part}");
            }
        }
        let order = at.way().iter().map(|at| at.index).collect();
        self.found.push((order, Diagnostic { code, pointer, message, help }));
    }
}

fn repeated(members: &[(String, Value)]) -> Vec<bool> {
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    repeats(&names)
}

/// A value as a message names it: its type, and what it holds where that is short.
fn described(value: &Value) -> String {
    match value {
        Value::Bool(held) => format!("the boolean `{held}`"),
        Value::Text(text) => format!("the string {}", quoted(text)),
        Value::Number(Number::Natural(number)) => format!("the number `{number}`"),
        Value::Number(Number::Negative(number)) => format!("the number `{number}`"),
        other => other.type_name().to_owned(),
    }
}
