//! Where in a document a rule stands. Nothing is written down until something is wrong there.

use std::fmt;

use crate::pointer;
use crate::text::{alternatives, shown};

/// A place in a document: the way from the root down to it.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    /// The whole document.
    Root,
    /// A member of an object.
    Member(&'a At<'a>, &'a str),
    /// An item of a list.
    Item(&'a At<'a>, usize),
    /// A place that was written down as a pointer before.
    Pointer(&'a str),
}

impl<'a> At<'a> {
    pub(super) fn member(&'a self, name: &'a str) -> Self {
        Self::Member(self, name)
    }

    pub(super) fn item(&'a self, index: usize) -> Self {
        Self::Item(self, index)
    }

    /// The JSON pointer, followed by `rest`, which is one too.
    pub(super) fn pointer(&self, rest: &str) -> String {
        let mut pointer = String::new();
        if self.write_pointer(&mut pointer) {
            pointer.push_str(rest);
        }
        pointer
    }

    /// False where it would be too long, and was not written to its end.
    fn write_pointer(&self, pointer: &mut String) -> bool {
        match self {
            Self::Root => true,
            Self::Pointer(written) => {
                pointer.push_str(written);
                true
            }
            Self::Member(outer, name) => outer.write_pointer(pointer) && pointer::push(pointer, name),
            Self::Item(outer, index) => {
                outer.write_pointer(pointer) && pointer::push(pointer, &index.to_string())
            }
        }
    }
}

/// The place as messages show it: the names with dots between them.
impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (outer, name) = match self {
            Self::Root => return Ok(()),
            Self::Pointer(written) => {
                let names = written.replace("~1", "/").replace("~0", "~");
                return f.write_str(&shown(names.trim_start_matches('/')).replace('/', "."));
            }
            Self::Member(outer, name) => (outer, shown(name)),
            Self::Item(outer, index) => (outer, index.to_string()),
        };
        if !matches!(outer, Self::Root) {
            outer.fmt(f)?;
            f.write_str(".")?;
        }
        f.write_str(&name)
    }
}

/// Text of strangers in backticks.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        f.write_str(&shown(self.0))?;
        f.write_str("`")
    }
}

/// The known words, as a sentence holds them.
pub(super) struct Known<'a>(pub(super) &'a [&'a str]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&alternatives(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_pointer_and_is_shown_dotted() {
        let outer = At::Root.member("a");
        let inner = outer.member("b/c~d");
        let item = inner.item(3);
        assert_eq!(item.pointer(""), "/a/b~1c~0d/3");
        assert_eq!(item.pointer("/x"), "/a/b~1c~0d/3/x");
        assert_eq!(item.to_string(), "a.b/c~d.3");
        assert_eq!(At::Root.pointer(""), "");
        assert_eq!(At::Root.to_string(), "");
    }

    #[test]
    fn a_pointer_is_kept_short() {
        let long = "x".repeat(5000);
        assert_eq!(At::Root.member("short").member(&long).member("y").pointer(""), "/short");
        assert_eq!(At::Root.member(&long).pointer(""), "");
    }
}
