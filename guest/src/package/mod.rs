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
mod place;
mod prepare;
mod repository;
mod repository_servers;
mod server_url;
mod servers;
mod skill_fields;
mod skills;
mod started;
mod written;

pub use codes::{CODES, Code};
pub use contents::{MOST_BYTES, MOST_ENTRIES};
pub use document::LARGEST_DOCUMENT;
pub use expansion::{ExpansionFault, expand_placeholders, expand_variables};
pub use finding::{Boundary, Finding, MOST_FINDINGS, Position, Severity};
pub use install_gate::{Evaluated, Refusal, RefusalReason, install_gate};
pub use listing::{Entry, LONGEST_PATH, Link, Listing, Need};
pub use prepare::{Plan, PlannedFile, Preparation, Source, prepare};

use self::finding::{Findings, Help, Scope, Takes};
use self::listing::{Files, Found, Tree};
use self::place::At;
use self::servers::Servers;
use crate::facts::FaultCode;
use crate::order::sorted;

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

/// Judges a package. `contents` are those that earlier calls needed; called again with them, until none are needed. That is
/// once for a portable plugin, and twice at most for a static repository plugin.
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
    look(listing, contents, format, false).outcome
}

/// The faults of loading a static repository plugin where only the variables of some names are set: each missing one by
/// its name and place. Asks for names alone, so that no value can show up in a message.
pub fn missing_variables(variables: &[Variable], is_set: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Findings::default();
    for variable in variables.iter().filter(|variable| !is_set(&variable.name)) {
        let mut scope = Scope::new(&mut findings, &variable.file, repository::SECTION, Takes::Package);
        let what = format_args!("the environment variable `{}` is not set", variable.name);
        let help = Help::Text("set it before the plugin is loaded");
        scope.report(codes::VARIABLE_MISSING, &At::Pointer(&variable.pointer), what, help);
    }
    findings.list
}

/// What comes of looking at a package, and what preparing it writes where that was asked and nothing speaks against it.
struct Look {
    outcome: Inspection,
    plan: Option<Plan>,
}

fn look(listing: &Listing, contents: &[Content], format: Option<Format>, prepares: bool) -> Look {
    let tree = Tree::new(listing);
    let mut files = Files::new(contents);
    let mut findings = Findings::default();
    let formats = formats(&tree);
    let wanted = format.or(formats.first().copied());
    let mut report = Report { format: wanted.unwrap_or_default(), formats, ..Report::default() };
    let mut plan = None;
    if contents::judge_whole(listing, &mut findings) {
        match wanted {
            Some(Format::Portable) => judge_portable(listing, &tree, &mut files, &mut report, &mut findings),
            Some(Format::StaticRepository) => {
                plan = judge_repository(&tree, &mut files, prepares, &mut report, &mut findings);
                if !files.is_waiting() {
                    let left_out = contents::judge_rest(listing, &tree, &mut findings);
                    report.left_out = if findings.reject { Vec::new() } else { left_out };
                }
            }
            None => {
                let what =
                    format_args!("is not there, and no `{}` either: this is no package", repository::FOLDER);
                let mut scope = Scope::new(&mut findings, manifest::FILE, "9", Takes::Package);
                scope.error(codes::NO_MANIFEST, &At::Root, what);
            }
        }
    }
    let needs = files.needs();
    if !needs.is_empty() {
        return Look { outcome: Inspection::Needs(needs), plan: None };
    }
    report.rejected = findings.reject;
    report.errors = findings.errors;
    report.warnings = findings.warnings;
    report.findings = findings.list;
    if report.rejected {
        report.servers.clear();
        report.skills.clear();
        report.variables.clear();
    }
    Look { outcome: Inspection::Report(report), plan }
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

fn judge_portable(
    listing: &Listing,
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    report: &mut Report,
    findings: &mut Findings,
) {
    let mut scope = Scope::new(findings, manifest::FILE, "9.1", Takes::Package);
    let value = document::read(tree, files, manifest::FILE, &mut scope);
    let manifest = value.as_ref().map(|value| manifest::judge(value, &mut scope)).unwrap_or_default();
    report.name = manifest.name.map(str::to_owned);
    report.version = manifest.version.map(str::to_owned);

    let servers = servers::judge(tree, files, findings);
    let mut declared = Vec::new();
    if let Some(extensions) = manifest.extensions {
        let mut scope = Scope::new(findings, manifest::FILE, "9.1", Takes::Package);
        declared = extension::judge(extensions, &servers, &mut scope);
    }
    report.skills = skills::judge(tree, files, findings);
    if files.is_waiting() {
        return;
    }
    report.left_out = contents::judge_all(listing, tree, findings);

    let mut declared = sorted(declared, |(left, _), (right, _)| left.cmp(right));
    let Servers::Named(named) = servers else { return };
    for (name, transport) in named {
        let index = declared.binary_search_by(|(other, _)| other.cmp(&name));
        let declaration =
            index.ok().and_then(|index| declared.get_mut(index)).map(|(_, text)| std::mem::take(text));
        let server = |transport| Server { name, transport, declaration };
        report.servers.extend(transport.map(server));
    }
}

fn judge_repository(
    tree: &Tree<'_>,
    files: &mut Files<'_>,
    prepares: bool,
    report: &mut Report,
    findings: &mut Findings,
) -> Option<Plan> {
    let repository = repository::judge(tree, files, findings);
    let mut plan = None;
    if prepares {
        prepare::judge_output(tree, files, findings);
        plan = (!findings.reject).then(|| prepare::plan(tree, &repository));
    }
    report.name = repository.name;
    report.version = repository.version;
    report.servers = sorted(repository.servers, |left, right| left.name.cmp(&right.name));
    report.skills = repository.skills;
    report.variables = repository.variables;
    plan
}
