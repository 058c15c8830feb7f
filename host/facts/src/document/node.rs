//! How a tree is looked at.

use std::collections::HashSet;
use std::fmt;

use super::tree::{Content, Data, Entry, Id, Tree};
use super::{Place, Span, locate, write};

/// A node of a document. Copying it is free.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    tree: &'d Tree,
    id: Id,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub enum Value<'d> {
    /// Null, in YAML also nothing at all.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number as it is written, in one of the spellings of its syntax.
    Number(&'d str),
    /// Text.
    Text(&'d str),
    /// A list.
    List(List<'d>),
    /// A mapping.
    Mapping(Mapping<'d>),
}

impl<'d> Node<'d> {
    pub(super) fn root(tree: &'d Tree) -> Self {
        Self { tree, id: tree.root }
    }

    /// What the node is.
    #[must_use]
    pub fn value(self) -> Value<'d> {
        let tree = self.tree;
        match self.data().map(|data| &data.content) {
            None | Some(Content::Null | Content::Open) => Value::Null,
            Some(Content::Bool(truth)) => Value::Bool(*truth),
            Some(Content::Number(number)) => Value::Number(number),
            Some(Content::Text(text)) => Value::Text(text),
            Some(Content::List(items)) => Value::List(List { tree, items }),
            Some(Content::Mapping(entries)) => Value::Mapping(Mapping { tree, entries }),
        }
    }

    /// Where the node is written. An alias is the node that it names, and so is its place.
    #[must_use]
    pub fn span(self) -> Span {
        self.data().map(|data| data.span).unwrap_or_default()
    }

    /// How large the node is when every alias and merge key in it is written out: the bytes of its keys, texts and
    /// numbers, and 32 for each value. The largest number stands for anything that is larger still.
    ///
    /// A short document with aliases can be very long. Whoever copies what a node holds looks at this first.
    ///
    /// ```
    /// use appdecl_facts::document::{Document, Syntax};
    /// let document = Document::parse("{ a: &x 12345678, b: [ *x, *x, *x ] }", Syntax::Yaml, 1 << 20)?;
    /// assert_eq!(document.root().written_out(), 6 * 32 + 4 * 8 + 2);
    /// # Ok::<(), appdecl_facts::document::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn written_out(self) -> usize {
        self.data().map_or(0, |data| data.written_out)
    }

    /// What the node is, for messages: `a mapping`, `text`, `null`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.value() {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }

    /// The text, where the node is text.
    #[must_use]
    pub fn as_text(self) -> Option<&'d str> {
        match self.value() {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, where the node is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.value() {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// The mapping, where the node is one.
    #[must_use]
    pub fn as_mapping(self) -> Option<Mapping<'d>> {
        match self.value() {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The list, where the node is one.
    #[must_use]
    pub fn as_list(self) -> Option<List<'d>> {
        match self.value() {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The first member of that key, where the node is a mapping and has one.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Member<'d>> {
        self.as_mapping()?.get(key)
    }

    /// The node as JSON text, for those who read documents as JSON.
    ///
    /// Members keep their order, repeated ones stay, merge keys are resolved, and a number is written as in the document
    /// where JSON has that spelling. Aliases are written out, so the text is bounded twice: it stops as soon as it is
    /// longer than `max_bytes` (such a text is **not** JSON: judge its length first), and what stands more than
    /// `max_depth` mappings and lists deep is null.
    ///
    /// ```
    /// use appdecl_facts::document::{Document, Syntax};
    /// let document = Document::parse("{ b: [ 7.0, &x yes ], a: *x, a: ~ }", Syntax::Yaml, 1 << 20)?;
    /// assert_eq!(document.root().to_json(1 << 20, 64), r#"{"b":[7.0,"yes"],"a":"yes","a":null}"#);
    /// # Ok::<(), appdecl_facts::document::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn to_json(self, max_bytes: usize, max_depth: usize) -> String {
        write::json(self, max_bytes, max_depth)
    }

    /// Where a JSON pointer (RFC 6901) leads, from this node on: to the first of repeated members, and to the nearest
    /// node that exists where a member is missing.
    ///
    /// ```
    /// use appdecl_facts::document::{Document, Syntax};
    /// let text = "app: { linux: { presence: exe } }";
    /// let document = Document::parse(text, Syntax::Yaml, 1 << 20)?;
    /// let place = document.root().locate("/app/linux/presence");
    /// assert_eq!(&text[place.node.start..place.node.end], "exe");
    /// assert!(!document.root().locate("/app/linux/location").exact);
    /// # Ok::<(), appdecl_facts::document::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn locate(self, pointer: &str) -> Place {
        locate::locate(self, pointer, 0)
    }

    /// Like [`Node::locate`], but to the second of the members that the pointer's last name stands for, where there are
    /// two: the one that repeats a key.
    #[must_use]
    pub fn locate_repeated(self, pointer: &str) -> Place {
        locate::locate(self, pointer, 1)
    }

    fn data(self) -> Option<&'d Data> {
        self.tree.nodes.get(self.id)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("kind", &self.kind()).field("span", &self.span()).finish()
    }
}

/// A list.
#[derive(Clone, Copy)]
pub struct List<'d> {
    tree: &'d Tree,
    items: &'d [Id],
}

impl<'d> List<'d> {
    /// The items in order.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> + use<'d> {
        let tree = self.tree;
        self.items.iter().map(move |id| Node { tree, id: *id })
    }

    /// The item at an index, counted from 0.
    #[must_use]
    pub fn get(self, index: usize) -> Option<Node<'d>> {
        self.items.get(index).map(|id| Node { tree: self.tree, id: *id })
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List({} items)", self.items.len())
    }
}

/// A mapping.
#[derive(Clone, Copy)]
pub struct Mapping<'d> {
    tree: &'d Tree,
    entries: &'d [Entry],
}

/// A member of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Member<'d> {
    /// The key as text; in YAML an unquoted one is its text, whatever else it looks like.
    pub key: &'d str,
    /// Where the key is written.
    pub key_span: Span,
    /// What the key stands for.
    pub value: Node<'d>,
    /// Whether a merge key brought it in.
    pub merged: bool,
}

impl<'d> Mapping<'d> {
    /// The members in order, repeated ones too. Those of a merge key stand in its place; a key that the mapping has
    /// itself, or that an earlier mapping of the merge key has, is not brought in again.
    pub fn members(self) -> impl ExactSizeIterator<Item = Member<'d>> + use<'d> {
        let tree = self.tree;
        self.entries.iter().map(move |entry| member(tree, entry))
    }

    /// The first member of that key.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Member<'d>> {
        self.entries.iter().find(|entry| &*entry.key == key).map(|entry| member(self.tree, entry))
    }

    /// The members whose key an earlier member has, in order.
    #[must_use]
    pub fn repeated(self) -> Vec<Member<'d>> {
        let mut seen = HashSet::new();
        self.members().filter(|member| !seen.insert(member.key)).collect()
    }
}

impl fmt::Debug for Mapping<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mapping({} members)", self.entries.len())
    }
}

fn member<'d>(tree: &'d Tree, entry: &'d Entry) -> Member<'d> {
    Member {
        key: &entry.key,
        key_span: entry.key_span,
        value: Node { tree, id: entry.value },
        merged: entry.merged,
    }
}
