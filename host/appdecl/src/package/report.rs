//! What there is to say about a package. JSON output has the same names.

use std::fmt;

use serde::Serialize;

use crate::answer::Severity;

/// A format of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// A portable plugin: a folder with a `plugin.json` (SPEC §9.1).
    Portable,
    /// A static repository plugin: a folder with a `.dsh-plugin` (SPEC §9.2).
    StaticRepository,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable plugin",
            Self::StaticRepository => "static repository plugin",
        })
    }
}

/// What a finding takes down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "name")]
#[non_exhaustive]
pub enum Boundary {
    /// The whole package.
    Package,
    /// All servers; the skills remain.
    Servers,
    /// All skills; the servers remain.
    Skills,
    /// One server, by its name.
    Server(String),
    /// One skill, by the name of its folder.
    Skill(String),
    /// Nothing.
    Nothing,
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package => f.write_str("the package"),
            Self::Servers => f.write_str("all servers"),
            Self::Skills => f.write_str("all skills"),
            Self::Server(name) => write!(f, "the server `{name}`"),
            Self::Skill(name) => write!(f, "the skill `{name}`"),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

/// One thing that is wrong with a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackageFinding {
    /// How grave it is: a warning is reported and ignored.
    pub severity: Severity,
    /// A stable kebab-case code, such as `orphan-declaration`.
    pub code: String,
    /// The section of the rules that has this one, such as `9.1`.
    pub section: String,
    /// The file, by its path in the package with `/` between the names; empty where it is none in particular.
    pub file: String,
    /// A JSON pointer (RFC 6901) into the file or its front matter; empty for the whole file. May name a member that is
    /// missing. This or `line` is always there.
    pub pointer: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in bytes, from 1.
    pub column: Option<u32>,
    /// What it takes down.
    pub boundary: Boundary,
    /// One line: the file, the dotted member, what is wrong, what was found, what is accepted.
    pub message: String,
    /// What to do, where that is not plain from the message.
    pub help: Option<String>,
}

/// A server that may be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackageServer {
    /// Its name.
    pub name: String,
    /// How it is spoken to: `stdio`, `streamable-http`, `sse` or `http`.
    pub transport: String,
    /// Its declaration as JSON text, ready for [`Gate::register`](crate::Gate::register), where it has one.
    pub declaration: Option<String>,
}

/// A skill that may be used, as far as its form goes; [`Gate::skill_offered`](crate::Gate::skill_offered) says whether it
/// is offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackageSkill {
    /// The name of its folder.
    pub name: String,
    /// The folder itself, by its path in the package.
    pub folder: String,
    /// The servers whose applications it requires.
    pub requires_apps: Vec<String>,
}

/// An environment variable that loading a static repository plugin reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The document that refers to it.
    pub file: String,
    /// The first place there, as a JSON pointer.
    pub pointer: String,
}

/// What a package is, what is wrong with it, and what of it may be used (SPEC §9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The format it was judged by.
    pub format: Format,
    /// All formats that the folder holds.
    pub formats: Vec<Format>,
    /// The package's name, where it has a good one.
    pub name: Option<String>,
    /// The version it gives itself, as it stands.
    pub version: Option<String>,
    /// Whether a fault takes the whole package down. `servers` and `skills` are empty then.
    pub rejected: bool,
    /// What is wrong, file by file; at most 1,000.
    pub findings: Vec<PackageFinding>,
    /// How many errors there are, listed or not.
    pub errors: u32,
    /// How many warnings there are, listed or not.
    pub warnings: u32,
    /// The servers that may be used, by name.
    pub servers: Vec<PackageServer>,
    /// The skills that may be used, by folder.
    pub skills: Vec<PackageSkill>,
    /// The environment variables that loading reads, by name; none in a portable plugin.
    pub variables: Vec<Variable>,
    /// Paths that are not copied when the package is installed.
    pub left_out: Vec<String>,
}

/// Why a package is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalReason {
    /// A fault takes the package down.
    PackageFault,
    /// The catalogue does not offer it for this system.
    PlatformMismatch,
    /// A declaration does not speak of this system.
    UnsupportedOs,
    /// An application is not installed.
    MissingApp,
    /// An application is too old, or its version can not be read.
    VersionTooOld,
    /// A server with a declaration could not be evaluated.
    NotEvaluated,
}

/// One reason against installing a package (SPEC §9.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Why.
    pub reason: RefusalReason,
    /// The server it is about, where it is about one.
    pub server: Option<String>,
    /// One sentence of fact.
    pub message: String,
}
