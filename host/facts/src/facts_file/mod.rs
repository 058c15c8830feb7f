//! Facts files (SPEC §10): a machine on paper, written by hand or recorded.
//!
//! This module reads them; it never looks at the machine it runs on. A file written by hand describes a world: what it
//! does not hold is absent. A recording (`recorded: true`) holds questions with their answers, and nothing more.
//! `docs/facts.md` describes both forms for those who write them.

mod bytes;
mod env;
mod files;
mod pe;
mod plist;
mod processes;
mod reader;
mod recorded;
mod recording;
mod registry;
mod session;
mod times;
mod tree;
mod world;

use std::fmt;

use crate::Os;
use crate::document::{Node, Span, Value};

pub(crate) use env::home_variable;
pub use reader::Reader;
pub(crate) use recording::{Asked, Keys, Range, Recording};
pub(crate) use registry::canonical_key;
pub(crate) use times::timestamp;
pub(crate) use world::{World, info_plist};

/// The version of the format that is read and written.
pub const FORMAT_VERSION: u32 = 1;

/// The most that a facts file may come to when its aliases are written out, as
/// [`Node::written_out`](crate::document::Node::written_out) counts: 64 MiB.
pub const MAX_WRITTEN_OUT: usize = 64 << 20;

const MEMBERS: [&str; 9] =
    ["facts", "recorded", "os", "home", "env", "files", "registry", "processes", "session"];

/// One thing that is wrong with a facts file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FactsError {
    /// What is wrong: what was found and what is accepted.
    pub message: String,
    /// Where, in bytes of the document's text.
    pub span: Span,
    /// What to do about it, where there is more to say.
    pub help: Option<String>,
}

/// A facts file, read and found good. [`crate::Replay`] answers from it.
///
/// It may hold the token of a runtime file: printing it for debugging shows none of its contents.
pub struct FactsFile {
    pub(crate) facts: Facts,
}

pub(crate) enum Facts {
    Written(World),
    Recorded(Recording),
}

impl FactsFile {
    /// Reads a facts file, or the `facts` of a suite's case.
    ///
    /// ```
    /// use appdecl_facts::document::{Document, Syntax};
    /// use appdecl_facts::{FactsFile, HostFacts, NodeKind, Replay};
    ///
    /// let text = "{ os: linux, env: { HOME: /home/u }, files: { ~/bin/acme: executable } }";
    /// let document = Document::parse(text, Syntax::Yaml, 1 << 20)?;
    /// let facts = FactsFile::parse(document.root()).expect("every form is known");
    /// let host = Replay::new(facts);
    /// assert_eq!(host.stat("/home/u/bin/acme")?.kind, NodeKind::File);
    /// assert!(host.stat("/home/u/bin/other").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every fault of the file together, in the order in which they are found: members that are not known or stand
    /// twice, wrong types, a format version other than [`FORMAT_VERSION`], facts that contradict each other. One that
    /// comes to more than [`MAX_WRITTEN_OUT`] is not looked at any further.
    pub fn parse(node: Node<'_>) -> Result<Self, Vec<FactsError>> {
        let mut reader = Reader::default();
        let facts = read(&mut reader, node);
        match facts {
            Some(facts) if reader.faults.is_empty() => Ok(Self { facts }),
            _ => Err(reader.faults),
        }
    }

    /// The system that the facts are of.
    #[must_use]
    pub fn os(&self) -> Os {
        match &self.facts {
            Facts::Written(world) => world.os,
            Facts::Recorded(recording) => recording.os,
        }
    }

    /// Whether this is a recording, which answers what it holds and nothing else.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        matches!(self.facts, Facts::Recorded(_))
    }
}

impl fmt::Debug for FactsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactsFile")
            .field("os", &self.os())
            .field("recorded", &self.is_recorded())
            .finish_non_exhaustive()
    }
}

fn read(reader: &mut Reader, node: Node<'_>) -> Option<Facts> {
    let top = reader.mapping(node, "a facts file")?;
    if node.written_out() > MAX_WRITTEN_OUT {
        // Under the whole a caret says nothing.
        let first = top.members().next().map_or(node.span(), |member| member.key_span);
        reader.fault_with(
            first,
            format!(
                "the facts come to {} MiB when their aliases are written out; at most {} MiB are read",
                node.written_out() >> 20,
                MAX_WRITTEN_OUT >> 20
            ),
            "name long or large values by fewer aliases, or leave out what no question asks for",
        );
        return None;
    }
    if let Some(version) = top.get("facts")
        && !is_known_version(version.value)
    {
        let found = reader::shown(version.value);
        reader.fault(
            version.value.span(),
            format!("facts format version {found}; this program reads version {FORMAT_VERSION}"),
        );
        return None;
    }
    reader.known(top, &MEMBERS, "a facts file");
    let recorded = match top.get("recorded") {
        Some(member) => reader.truth(member.value, "`recorded`").unwrap_or_default(),
        None => false,
    };
    let Some(os) = top.get("os") else {
        reader.fault_with(
            node.span(),
            "`os` is missing",
            "say which system the facts are of: `os: win32`, `os: darwin` or `os: linux`",
        );
        return None;
    };
    let os = read_os(reader, os.value)?;
    if recorded {
        recorded::read(reader, top, os).map(Facts::Recorded)
    } else {
        world::read(reader, top, os).map(Facts::Written)
    }
}

fn is_known_version(node: Node<'_>) -> bool {
    matches!(node.value(), Value::Number(number) if number.parse() == Ok(FORMAT_VERSION))
}

fn read_os(reader: &mut Reader, node: Node<'_>) -> Option<Os> {
    const NICKNAMES: [(&str, &str); 5] = [
        ("windows", "win32"),
        ("macos", "darwin"),
        ("mac", "darwin"),
        ("osx", "darwin"),
        ("ubuntu", "linux"),
    ];
    let found = reader.text(node, "`os`")?;
    if let Some(os) = Os::ALL.into_iter().find(|os| os.name() == found) {
        return Some(os);
    }
    let meant =
        NICKNAMES.iter().find(|(nickname, _)| found.eq_ignore_ascii_case(nickname)).map(|(_, name)| *name);
    reader.unknown_word(node, "`os`", found, &Os::ALL.map(Os::name), meant);
    None
}
