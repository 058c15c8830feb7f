//! Declarations where authors keep them: in a plugin's package, or in a JSON or YAML file.
//!
//! Reading finds them and says where each of them stands in its file. What a declaration means, and whether it is valid,
//! is the component's to say: a faulty one is read like any other and hides none of its neighbours.

mod facts;
mod file;
mod package;
mod source;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use appdecl_facts::document::{Node, Span, SyntaxError};
use appdecl_facts::{Fault, FaultCode};

use crate::answer::{Diagnostic, Severity};
use crate::package::{Package, PackageError};

pub use facts::{MAX_FACTS_FILE, read_facts};
pub use source::Source;
pub(crate) use source::{caret, folder_of};

/// The code of every fault of a facts file.
pub const BAD_FACTS: &str = "bad-facts";

/// The code of every fault of a suite.
pub const BAD_SUITE: &str = "bad-suite";

/// The code of a file that is not there, or can not be read as what it should be.
pub const UNREADABLE: &str = "unreadable";

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 1 << 20;

/// The most servers that one file may declare.
pub const MAX_SERVERS: usize = 1000;

/// A declaration that goes to the component is cut off behind this many bytes of JSON text: more than it accepts.
pub(crate) const MAX_JSON: usize = 512 << 10;

/// The most JSON text in bytes that the declarations of one file come to. Anchors can make very much of a short file.
const MAX_DECLARED: usize = 4 << 20;

/// The levels of a declaration that reach the component: more than it accepts.
pub(crate) const MAX_LEVELS: usize = 64;

/// What one path declares.
#[derive(Debug)]
pub struct Input {
    /// The declarations in the order of their file. Each server's name is there once.
    pub declared: Vec<Declared>,
    /// What is wrong around the declarations of a file. Not the faults of the declarations themselves.
    pub findings: Vec<Finding>,
    /// The package that was read, with everything that is wrong with it; none where a file was read. Declarations that the
    /// component refused are not among `declared`.
    pub package: Option<Package>,
}

/// A declaration and its place.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name of the server that it speaks of.
    pub server: String,
    /// The declaration as JSON text, for [`Gate::register`](crate::Gate::register).
    pub declaration: String,
    /// The file that holds it.
    pub source: Arc<Source>,
    /// Where it stands in that file, as a JSON pointer.
    pointer: String,
}

/// A fault and its place in a file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The server whose declaration has the fault; none for one that lies around them.
    pub server: Option<String>,
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The file.
    pub source: Arc<Source>,
    /// Where in the file a caret should stand.
    pub span: Span,
}

/// Why a path declares nothing. Nothing else has happened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file or folder can not be read, is of the wrong kind, or is too large.
    #[error("`{path}` {reason}", path = path.display(), reason = reason(fault))]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        fault: Fault,
    },
    /// A folder that is no package, or one that can not be judged.
    #[error("{error}")]
    Package {
        /// The path as it was given.
        path: PathBuf,
        /// Why.
        error: PackageError,
    },
    /// Bytes that are no text.
    #[error("`{path}` is not UTF-8: line {line} has a byte that is no text", path = path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The line of the first such byte, from 1.
        line: usize,
    },
    /// Text that is no JSON or YAML.
    #[error("`{path}` can not be read: {error}", path = path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong and where.
        error: SyntaxError,
    },
    /// More declarations than are read.
    #[error("`{path}` declares more than {MAX_SERVERS} servers: split it", path = .0.display())]
    TooMany(PathBuf),
    /// Declarations that come to more text than is looked at.
    #[error("`{path}` declares more than 4 MiB, its anchors written out: write less", path = .0.display())]
    TooMuch(PathBuf),
    /// Well-formed, and no declaration in it.
    #[error("`{path}` declares no server: {expected}", path = path.display())]
    NothingDeclared {
        /// The file.
        path: PathBuf,
        /// Where declarations are looked for.
        expected: &'static str,
    },
    /// A facts file with faults: all of them, at least one.
    #[error("the facts file has {} faults", .0.len())]
    Facts(Vec<Finding>),
    /// A suite with faults: all of them, at least one.
    #[error("the suite has {} faults", .0.len())]
    Suite(Vec<Finding>),
}

impl InputError {
    /// The file or folder that it speaks of.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Unreadable { path, .. }
            | Self::Package { path, .. }
            | Self::NotText { path, .. }
            | Self::Syntax { path, .. }
            | Self::TooMany(path)
            | Self::TooMuch(path)
            | Self::NothingDeclared { path, .. } => path,
            Self::Facts(findings) | Self::Suite(findings) => {
                Path::new(findings.first().map_or("", |finding| &finding.source.name))
            }
        }
    }
}

/// Reads what `path` declares: a package (a folder with a `plugin.json` or a `.dsh-plugin`, or the `plugin.json` itself), or
/// a JSON or YAML file that holds one declaration, or several under `servers`.
///
/// A file with one declaration speaks of a server that is called as the file is. A package is read as [`Package::open`]
/// does; one without declarations is no error.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("acme.yaml");
/// std::fs::write(&path, "app: { linux: { presence: executable, location: /opt/acme } }\n")?;
/// let input = appdecl::input::read(&path)?;
/// assert_eq!(input.declared[0].server, "acme");
/// assert!(appdecl::Gate::new()?.diagnose(&input.declared[0].declaration, "acme.yaml")?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`InputError`] where nothing can be read, or a file declares nothing.
pub fn read(path: &Path) -> Result<Input, InputError> {
    if Package::is_at(path) { package::read(path) } else { file::read(path) }
}

impl Declared {
    fn new(server: &str, node: Node<'_>, source: &Arc<Source>, way: &[&str]) -> Self {
        Self {
            server: server.to_owned(),
            declaration: node.to_json(MAX_JSON, MAX_LEVELS),
            source: Arc::clone(source),
            pointer: pointer(way),
        }
    }

    /// What messages about the declaration begin with: the name of its file.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.source.name
    }

    /// A fault of this declaration with its place in the file.
    #[must_use]
    pub fn finding(&self, diagnostic: Diagnostic) -> Finding {
        let pointer = format!("{}{}", self.pointer, diagnostic.pointer);
        let span = self.source.caret(&pointer, &diagnostic.code);
        Finding { server: Some(self.server.clone()), diagnostic, source: Arc::clone(&self.source), span }
    }
}

impl Finding {
    /// A fault around the declarations. `text` says what is wrong, what was found and what is accepted.
    fn around(source: &Arc<Source>, code: &str, way: &[&str], text: &str, help: Option<&str>) -> Self {
        let pointer = pointer(way);
        let span = source.caret(&pointer, code);
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: code.to_owned(),
            message: format!("{}: {text}", source.name),
            help: help.map(str::to_owned),
            pointer,
        };
        Self { server: None, diagnostic, source: Arc::clone(source), span }
    }
}

/// What a fault says of a file, to be read after its name.
fn reason(fault: &Fault) -> String {
    match fault.code {
        FaultCode::Absent => "does not exist".to_owned(),
        FaultCode::NotRegular => "is not a regular file".to_owned(),
        FaultCode::TooLarge => format!("is too large: {}", fault.detail),
        _ => format!("can not be read: {fault}"),
    }
}

/// The JSON pointer that leads along these keys.
fn pointer(way: &[&str]) -> String {
    way.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
}
