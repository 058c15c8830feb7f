//! JSON pointers (RFC 6901) and what they point at in the text.

use super::Span;
use super::node::{Node, Value};

/// Where a pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The node; where the pointer names something that is missing, the nearest one around it.
    pub node: Span,
    /// The key of that node, where it is a member of a mapping. Carets that speak of a member stand best here.
    pub key: Option<Span>,
    /// Whether the pointer leads to this very node.
    pub exact: bool,
}

/// `occurrence` says which of repeated members the last name stands for; the first one where there are not as many.
pub(super) fn locate(node: Node<'_>, pointer: &str, occurrence: usize) -> Place {
    let mut place = Place { node: node.span(), key: None, exact: true };
    let mut node = node;
    let mut names = pointer.split('/').skip(1).peekable();
    if !pointer.is_empty() && !pointer.starts_with('/') {
        place.exact = false;
        return place;
    }
    while let Some(name) = names.next() {
        let name = name.replace("~1", "/").replace("~0", "~");
        let which = if names.peek().is_none() { occurrence } else { 0 };
        let child = match node.value() {
            Value::Mapping(mapping) => {
                let mut members = mapping.members().filter(|member| member.key == name);
                let first = members.next();
                let member = if which > 0 { members.nth(which - 1).or(first) } else { first };
                member.map(|member| (member.value, Some(member.key_span)))
            }
            Value::List(list) => {
                let canonical = name == "0" || !name.starts_with(['0', '+']);
                let index = if canonical { name.parse::<usize>().ok() } else { None };
                index.and_then(|index| list.get(index)).map(|item| (item, None))
            }
            _ => None,
        };
        let Some((value, key)) = child else {
            place.exact = false;
            return place;
        };
        node = value;
        place.node = value.span();
        place.key = key;
    }
    place
}
