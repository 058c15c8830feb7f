//! The tree and how it is put together. Nodes stand in one list and name each other by number, so that an alias costs
//! nothing and no depth of nesting is felt by a destructor.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Flaw, Span};

/// The number of a node.
pub(super) type Id = usize;

/// All nodes of a document.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Data>,
    pub(super) root: Id,
}

/// A node.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) span: Span,
    pub(super) content: Content,
    /// What [`Node::written_out`](super::Node::written_out) says.
    pub(super) written_out: usize,
}

/// What a value counts beside its text: about what anybody who keeps it needs for it.
const VALUE: usize = 32;

/// What a node is.
#[derive(Debug)]
pub(super) enum Content {
    /// A list or mapping that is not closed yet. A finished tree holds none.
    Open,
    Null,
    Bool(bool),
    /// The number as it is written.
    Number(Box<str>),
    Text(Box<str>),
    List(Box<[Id]>),
    Mapping(Box<[Entry]>),
}

/// A member of a mapping.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: Arc<str>,
    pub(super) key_span: Span,
    pub(super) value: Id,
    /// Whether a merge key brought it in.
    pub(super) merged: bool,
}

/// Puts a tree together from what a parser meets, in the order it meets it.
pub(super) struct Builder {
    nodes: Vec<Data>,
    open: Vec<Frame>,
    root: Option<Id>,
    /// How many members merge keys may still look at.
    merges_left: usize,
}

enum Frame {
    List { id: Id, items: Vec<Id> },
    Mapping { id: Id, slots: Vec<Slot>, key: Option<Key>, merges: bool },
}

enum Slot {
    Member(Entry),
    Merge { source: Id, key_span: Span },
}

/// A key whose value has not come yet.
pub(super) struct Key {
    pub(super) text: Arc<str>,
    pub(super) span: Span,
    /// Whether this is the merge key.
    pub(super) merge: bool,
}

impl Builder {
    /// A builder for a text of `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        const MERGES_AT_LEAST: usize = 10_000;
        Self { nodes: Vec::new(), open: Vec::new(), root: None, merges_left: bytes.max(MERGES_AT_LEAST) }
    }

    /// Whether the next thing is the key of a mapping.
    pub(super) fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Frame::Mapping { key: None, .. }))
    }

    pub(super) fn key(&mut self, new: Key) {
        if let Some(Frame::Mapping { key, .. }) = self.open.last_mut() {
            *key = Some(new);
        }
    }

    /// A node without children.
    pub(super) fn leaf(&mut self, content: Content, span: Span) -> Id {
        let id = self.add(content, span);
        self.attach(id);
        id
    }

    /// A node that is already there.
    pub(super) fn alias(&mut self, id: Id) {
        self.attach(id);
    }

    pub(super) fn open_list(&mut self, span: Span) -> Id {
        let id = self.add(Content::Open, span);
        self.open.push(Frame::List { id, items: Vec::new() });
        id
    }

    pub(super) fn open_mapping(&mut self, span: Span) -> Id {
        let id = self.add(Content::Open, span);
        self.open.push(Frame::Mapping { id, slots: Vec::new(), key: None, merges: false });
        id
    }

    /// Closes the innermost list or mapping. Without `end` it ends where its last child does.
    pub(super) fn close(&mut self, end: Option<usize>) -> Result<(), Flaw> {
        let (id, content, last) = match self.open.pop() {
            Some(Frame::List { id, items }) => {
                let last = items.last().copied();
                (id, Content::List(items.into()), last)
            }
            Some(Frame::Mapping { id, slots, merges, .. }) => {
                let last = slots.last().map(|slot| match slot {
                    Slot::Member(entry) => entry.value,
                    Slot::Merge { source, .. } => *source,
                });
                (id, Content::Mapping(self.members(slots, merges)?), last)
            }
            None => return Ok(()),
        };
        let written_out = self.written_out(&content);
        let last_end = last.and_then(|last| self.nodes.get(last)).map(|last| last.span.end);
        if let Some(node) = self.nodes.get_mut(id) {
            node.content = content;
            node.written_out = written_out;
            node.span.end = end.or(last_end).unwrap_or(0).max(node.span.end);
        }
        self.attach(id);
        Ok(())
    }

    /// What a node is.
    pub(super) fn content(&self, id: Id) -> &Content {
        self.nodes.get(id).map_or(&Content::Null, |node| &node.content)
    }

    /// The finished tree; null where nothing came.
    pub(super) fn finish(mut self) -> Tree {
        let root = match self.root {
            Some(root) => root,
            None => self.add(Content::Null, Span::default()),
        };
        Tree { nodes: self.nodes, root }
    }

    fn add(&mut self, content: Content, span: Span) -> Id {
        let written_out = self.written_out(&content);
        self.nodes.push(Data { span, content, written_out });
        self.nodes.len() - 1
    }

    /// Children are closed before what holds them: what they come to is known, however often an alias names them.
    fn written_out(&self, content: &Content) -> usize {
        let of = |id: Id| self.nodes.get(id).map_or(0, |node| node.written_out);
        match content {
            Content::Open | Content::Null | Content::Bool(_) => VALUE,
            Content::Number(text) | Content::Text(text) => VALUE + text.len(),
            Content::List(items) => items.iter().map(|id| of(*id)).fold(VALUE, usize::saturating_add),
            Content::Mapping(entries) => entries
                .iter()
                .map(|entry| of(entry.value).saturating_add(entry.key.len()))
                .fold(VALUE, usize::saturating_add),
        }
    }

    fn attach(&mut self, id: Id) {
        match self.open.last_mut() {
            Some(Frame::List { items, .. }) => items.push(id),
            Some(Frame::Mapping { slots, key, merges, .. }) => match key.take() {
                Some(Key { span, merge: true, .. }) => {
                    *merges = true;
                    slots.push(Slot::Merge { source: id, key_span: span });
                }
                Some(Key { text, span, merge: false }) => {
                    slots.push(Slot::Member(Entry { key: text, key_span: span, value: id, merged: false }));
                }
                None => {}
            },
            None => self.root = Some(id),
        }
    }

    /// The members of a mapping, what merge keys bring in included, at the place of the merge key.
    fn members(&mut self, slots: Vec<Slot>, merges: bool) -> Result<Box<[Entry]>, Flaw> {
        let own: HashSet<Arc<str>> = match merges {
            true => slots
                .iter()
                .filter_map(|slot| match slot {
                    Slot::Member(entry) => Some(Arc::clone(&entry.key)),
                    Slot::Merge { .. } => None,
                })
                .collect(),
            false => HashSet::new(),
        };
        let mut members = Vec::with_capacity(slots.len());
        let mut merged = false;
        for slot in slots {
            match slot {
                Slot::Member(entry) => members.push(entry),
                Slot::Merge { key_span, .. } if merged => {
                    return Err(Flaw::new(
                        "a second `<<`; write one that takes a list: `<<: [ *a, *b ]`",
                        key_span,
                    ));
                }
                Slot::Merge { source, key_span } => {
                    merged = true;
                    self.merge(source, key_span, &own, &mut members)?;
                }
            }
        }
        Ok(members.into())
    }

    fn merge(
        &mut self,
        source: Id,
        key_span: Span,
        own: &HashSet<Arc<str>>,
        members: &mut Vec<Entry>,
    ) -> Result<(), Flaw> {
        let sources = match self.content(source) {
            Content::List(items) => items.to_vec(),
            _ => vec![source],
        };
        let mut taken: HashSet<Arc<str>> = HashSet::new();
        for source in sources {
            let Content::Mapping(entries) =
                self.nodes.get(source).map_or(&Content::Null, |node| &node.content)
            else {
                return Err(Flaw::new(
                    "`<<` takes a mapping or a list of mappings, such as `<<: *name`",
                    key_span,
                ));
            };
            self.merges_left = match self.merges_left.checked_sub(entries.len()) {
                Some(left) => left,
                None => {
                    return Err(Flaw::new("the merge keys up to here bring in too many members", key_span));
                }
            };
            let fresh = entries
                .iter()
                .filter(|entry| !own.contains(&entry.key) && !taken.contains(&entry.key))
                .cloned();
            let begin = members.len();
            members.extend(fresh.map(|entry| Entry { merged: true, ..entry }));
            taken.extend(members.iter().skip(begin).map(|entry| Arc::clone(&entry.key)));
        }
        Ok(())
    }
}
