//! Packages (SPEC §9): a folder with a portable plugin or a static repository plugin, judged from what a host lists of it
//! and from the contents that the rules ask for. Nothing is executed, nothing outside the package is read, and nothing
//! here asks a machine anything: the same package gets the same report everywhere.

mod codes;
mod contents;
mod document;
mod expansion;
mod extension;
mod finding;
mod front_matter;
mod install_gate;
mod listing;
mod manifest;
mod packaged_path;
mod prepare;
mod repository;
mod repository_servers;
mod server_url;
mod servers;
mod skills;
mod written;

pub use codes::{CODES, Code};
pub use contents::{MOST_BYTES, MOST_ENTRIES};
pub use document::LARGEST_DOCUMENT;
pub use expansion::{ExpansionFault, expand_placeholders, expand_variables};
pub use finding::{Boundary, Finding, MOST_FINDINGS, Position, Severity};
pub use install_gate::{Evaluated, Refusal, RefusalReason, install_gate};
pub use listing::{Entry, LONGEST_PATH, Link, Listing, Need};
pub use prepare::{Plan, PlannedFile, Preparation, Source, prepare};

use self::finding::{Findings, Scope, at};
use self::listing::{Files, Found, Tree};
use self::repository::Repository;
use self::servers::Servers;
use crate::facts::FaultCode;

/// The formats of packages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A portable plugin: `plugin.json` (SPEC §9.1).
    #[default]
    Portable,
    /// A static repository plugin: `.dsh-plugin` (SPEC §9.2).
    StaticRepository,
}

impl Format {
    /// The format as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::StaticRepository => "static-repository",
        }
    }
}

/// The content of a file that was needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The path, as it was asked for.
    pub path: String,
    /// The bytes from its beginning, at most as many as were asked for; or why there are none.
    pub data: Result<Vec<u8>, FaultCode>,
}

/// What comes of looking at a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inspection {
    /// These contents are needed first.
    Needs(Vec<Need>),
    /// The judgement.
    Report(Report),
}

/// What a package is, what is wrong with it, and what of it may be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The format it was judged by.
    pub format: Format,
    /// All formats that the folder holds.
    pub formats: Vec<Format>,
    /// The name of the package, where it has a good one.
    pub name: Option<String>,
    /// The version that the package gives itself.
    pub version: Option<String>,
    /// Whether a fault takes the whole package down. Nothing of it is usable then.
    pub rejected: bool,
    /// What is wrong, file by file; at most [`MOST_FINDINGS`].
    pub findings: Vec<Finding>,
    /// How many errors there are, listed or not.
    pub errors: usize,
    /// How many warnings there are, listed or not.
    pub warnings: usize,
    /// The servers that may be used, by name.
    pub servers: Vec<Server>,
    /// The skills that may be used, by folder.
    pub skills: Vec<Skill>,
    /// The environment variables that loading reads (static repository plugins), by name.
    pub variables: Vec<Variable>,
    /// What is not installed with the package: links that lead out of it or nowhere, and special files.
    pub left_out: Vec<String>,
}

/// A server that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// How it is reached: the `type` of its entry.
    pub transport: &'static str,
    /// Its declaration as JSON text, ready to be registered, where it has one.
    pub declaration: Option<String>,
}

/// A skill that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name of its folder.
    pub name: String,
    /// The folder itself, by its path in the package.
    pub folder: String,
    /// The applications that it requires.
    pub requires_apps: Vec<String>,
}

/// An environment variable that loading a static repository plugin reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The document that refers to it.
    pub file: String,
    /// The first place in the document that does.
    pub pointer: String,
}

/// Judges a package. `contents` are those that earlier calls needed; called again with them, until none are needed. For a
/// portable plugin that is once, for a static repository plugin twice at most.
///
/// `format` says by which format to judge; none takes the portable one where there is a `plugin.json`, else the other.
///
/// ```
/// use appdecl_guest::facts::NodeKind;
/// use appdecl_guest::package::{Content, Entry, Inspection, Listing, inspect};
///
/// let text = br#"{
///     "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
///     "name": "acme-tools"
/// }"#;
/// let entry = Entry {
///     path: "plugin.json".to_owned(),
///     exact: true,
///     kind: NodeKind::File,
///     size: text.len() as u64,
///     link: None,
/// };
/// let listing = Listing { entries: vec![entry], truncated: false };
/// let Inspection::Needs(needs) = inspect(&listing, &[], None) else { panic!("the manifest is needed") };
/// assert_eq!(needs[0].path, "plugin.json");
///
/// let contents = [Content { path: "plugin.json".to_owned(), data: Ok(text.to_vec()) }];
/// let Inspection::Report(report) = inspect(&listing, &contents, None) else { panic!("all is there") };
/// assert_eq!(report.name.as_deref(), Some("acme-tools"));
/// assert_eq!(report.findings, []);
/// ```
pub fn inspect(listing: &Listing, contents: &[Content], format: Option<Format>) -> Inspection {
    let tree = Tree::new(listing);
    let mut files = Files::new(contents);
    let mut findings = Findings::default();
    let formats = formats(&tree);
    let is_whole = contents::judge_whole(listing, "9", &mut findings);
    let report = match format.or(formats.first().copied()) {
        None if is_whole => {
            let mut scope = Scope {
                findings: &mut findings,
                file: manifest::FILE,
                section: "9",
                boundary: Boundary::Package,
            };
            let what =
                format!("is not there, and no `{}` either: this folder is no package", repository::FOLDER);
            scope.error(codes::NO_MANIFEST, "", &what);
            Report::of(Format::Portable, formats, findings)
        }
        wanted if !is_whole => Report::of(wanted.unwrap_or_default(), formats, findings),
        Some(Format::StaticRepository) => {
            let repository = repository::judge(&tree, &mut files, &mut findings);
            Report::of_repository(repository, formats, findings)
        }
        _ => inspect_portable(listing, &tree, &mut files, formats, findings),
    };
    let needs = files.needs();
    if needs.is_empty() { Inspection::Report(report) } else { Inspection::Needs(needs) }
}

/// The faults of loading a static repository plugin where only the variables of these names are set: each missing one by
/// its name and place. Asks for names alone, so that no value can show up in a message.
pub fn missing_variables(variables: &[Variable], is_set: impl Fn(&str) -> bool) -> Vec<Finding> {
    let missing = variables.iter().filter(|variable| !is_set(&variable.name));
    let finding = |variable: &Variable| Finding {
        severity: Severity::Error,
        code: codes::VARIABLE_MISSING,
        section: "9.2",
        file: variable.file.clone(),
        position: at(&variable.pointer),
        boundary: Boundary::Package,
        message: format!(
            "{}: {}: the environment variable `{}` is not set",
            crate::text::shown(&variable.file),
            finding::dotted(&variable.pointer),
            variable.name
        ),
        help: Some("set it before the plugin is loaded".to_owned()),
    };
    missing.map(finding).collect()
}

fn formats(tree: &Tree<'_>) -> Vec<Format> {
    let is_there = |path| tree.entry(path).is_some() || !matches!(tree.resolve(path), Found::Missing);
    let mut formats = Vec::new();
    if is_there(manifest::FILE) {
        formats.push(Format::Portable);
    }
    if is_there(repository::FOLDER) {
        formats.push(Format::StaticRepository);
    }
    formats
}

fn inspect_portable(
    listing: &Listing,
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    formats: Vec<Format>,
    mut findings: Findings,
) -> Report {
    let manifest = manifest::judge(tree, files, &mut findings);
    let servers = servers::judge(tree, files, &mut findings);
    let declared = match &manifest.extensions {
        Some(extensions) => extension::judge(extensions, &servers, &mut findings),
        None => Vec::new(),
    };
    let skills = skills::judge(tree, files, &mut findings);
    let left_out = contents::judge_all(listing, tree, &mut findings);
    let mut report = Report::of(Format::Portable, formats, findings);
    report.name = manifest.name;
    report.version = manifest.version;
    report.left_out = left_out;
    if report.rejected {
        return report;
    }
    report.skills = skills;
    let mut declared: std::collections::BTreeMap<String, String> = declared.into_iter().collect();
    if let Servers::Named(named) = servers {
        for (name, transport) in named {
            if let Some(transport) = transport {
                let declaration = declared.remove(&name);
                report.servers.push(Server { name, transport, declaration });
            }
        }
    }
    report
}

impl Report {
    fn of(format: Format, formats: Vec<Format>, findings: Findings) -> Self {
        let rejected = findings.take_package();
        let (findings, errors, warnings) = findings.finish();
        Self { format, formats, rejected, findings, errors, warnings, ..Self::default() }
    }

    fn of_repository(repository: Repository, formats: Vec<Format>, findings: Findings) -> Self {
        let mut report = Self::of(Format::StaticRepository, formats, findings);
        report.name = repository.name;
        report.version = repository.version;
        if !report.rejected {
            report.servers = repository.servers;
            report.servers.sort_by(|left, right| left.name.cmp(&right.name));
            report.skills = repository.skills;
            report.variables = repository.variables;
        }
        report
    }
}
