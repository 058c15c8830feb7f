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

use appdecl_facts::document::{Span, SyntaxError};
use appdecl_facts::{Fault, FaultCode};

use crate::answer::{Diagnostic, Severity};

pub use facts::{MAX_FACTS_FILE, read_facts};
pub use source::Source;

pub(crate) use source::caret;

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 1 << 20;

/// The most servers that one file may declare.
pub const MAX_SERVERS: usize = 1000;

/// A declaration that goes to the component is cut off behind this many bytes of JSON text: more than it accepts.
const MAX_JSON: usize = 512 << 10;

/// The levels of a declaration that reach the component: more than it accepts.
const MAX_LEVELS: usize = 64;

/// What one path declares.
#[derive(Debug)]
pub struct Input {
    /// The declarations in the order of their file. Each server's name is there once.
    pub declared: Vec<Declared>,
    /// What is wrong around the declarations. Not the faults of the declarations themselves.
    pub findings: Vec<Finding>,
}

/// A declaration and its place.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name of the server that it speaks of.
    pub server: String,
    /// The file that holds it.
    pub source: Arc<Source>,
    /// The keys that lead to it in that file.
    way: Vec<String>,
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
    /// A folder that is no package.
    #[error("`{path}` has no plugin.json: give a package, or a JSON or YAML file with declarations", path = .0.display())]
    NoManifest(PathBuf),
    /// A file of a package that lies elsewhere, behind a link.
    #[error("`{path}` leads out of its package, and nothing outside a package is read", path = .0.display())]
    Outside(PathBuf),
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
}

impl InputError {
    /// The file or folder that it speaks of.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Unreadable { path, .. }
            | Self::NoManifest(path)
            | Self::Outside(path)
            | Self::NotText { path, .. }
            | Self::Syntax { path, .. }
            | Self::TooMany(path)
            | Self::NothingDeclared { path, .. } => path,
            Self::Facts(findings) => Path::new(findings.first().map_or("", |finding| &finding.source.name)),
        }
    }
}

/// Reads what `path` declares: a package (a folder with a `plugin.json`, or that file itself), or a JSON or YAML file that
/// holds one declaration, or several under `servers`.
///
/// A file with one declaration speaks of a server that is called as the file is. Nothing is executed, and of a package
/// nothing is read that lies outside its folder.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("acme.yaml");
/// std::fs::write(&path, "app: { linux: { presence: executable, location: /opt/acme } }\n")?;
/// let input = appdecl::input::read(&path)?;
/// assert_eq!(input.declared[0].server, "acme");
/// assert!(appdecl::Gate::new()?.diagnose(&input.declared[0].declaration(), "acme.yaml")?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`InputError`] where nothing can be read, or nothing is declared.
pub fn read(path: &Path) -> Result<Input, InputError> {
    if path.is_dir() {
        package::read(path)
    } else if path.file_name().is_some_and(|name| name == package::MANIFEST) {
        package::read(&source::folder_of(path))
    } else {
        file::read(path)
    }
}

impl Declared {
    fn new(server: &str, source: &Arc<Source>, way: Vec<String>) -> Self {
        Self { server: server.to_owned(), source: Arc::clone(source), way }
    }

    /// The declaration as JSON text, for [`Gate::register`](crate::Gate::register). It is made at each call: a short file
    /// can declare very much by means of anchors.
    #[must_use]
    pub fn declaration(&self) -> String {
        let root = Some(self.source.document.root());
        let node = self.way.iter().fold(root, |node, key| node?.get(key).map(|member| member.value));
        node.map(|node| node.to_json(MAX_JSON, MAX_LEVELS)).unwrap_or_default()
    }

    /// What messages about the declaration begin with: the name of its file.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.source.name
    }

    /// A fault of this declaration with its place in the file.
    #[must_use]
    pub fn finding(&self, diagnostic: Diagnostic) -> Finding {
        let pointer = format!("{}{}", pointer(&self.way), diagnostic.pointer);
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
fn pointer<S: AsRef<str>>(way: &[S]) -> String {
    way.iter().map(|key| format!("/{}", key.as_ref().replace('~', "~0").replace('/', "~1"))).collect()
}
