//! Packages: folders that hold a portable plugin (`plugin.json`) or a static repository plugin (`.dsh-plugin`).
//!
//! A host lists a folder and reads the files that it is asked for, within caps. What they mean is decided in a component of
//! its own, which asks nothing of the machine: the same package gets the same report everywhere (SPEC §9).

mod archive;
mod bindings;
mod component;
mod convert;
mod error;
mod folder;
mod install;
mod place;
mod prepare;
mod report;
mod source;
mod sys;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use appdecl_facts::Os;

use crate::error::Error;
use crate::gate::Gate;

pub use archive::ArchiveFault;
pub use error::PackageError;
pub use install::{InstallError, Installed, installed, uninstall};
pub use place::FindingPlace;
pub use prepare::{PrepareError, prepare};
pub use report::{
    Boundary, Format, PackageFinding, PackageServer, PackageSkill, Refusal, RefusalReason, Report, Variable,
};

use bindings::exports::appdecl::gate::packages as wit;
use component::Rules;
use source::Source;

/// The file that makes a folder a portable plugin.
const MANIFEST: &str = "plugin.json";

/// How the names of archives end.
const ENDINGS: [&str; 3] = [".zip", ".tar.gz", ".tgz"];

/// The folder that makes the one around it a static repository plugin.
const REPOSITORY: &str = ".dsh-plugin";

/// Every set of contents leads to the next, and three are enough (`wit/gate/packages.wit`).
const MOST_ROUNDS: usize = 3;

/// The most bytes of all files together that are read to judge a package.
const MOST_READ: u64 = 24 << 20;

/// A package that was read and judged.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// std::fs::write(path.join("plugin.json"), r#"{
///     "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
///     "name": "acme-tools"
/// }"#)?;
/// let package = appdecl::package::Package::open(path)?;
/// assert!(!package.validate().rejected);
/// assert!(package.install_gate(&appdecl::Gate::new()?, &[])?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Package {
    folder: PathBuf,
    source: Source,
    entries: Vec<wit::Entry>,
    contents: BTreeMap<String, Vec<u8>>,
    judged: wit::Report,
    report: Report,
}

impl Package {
    /// Reads and judges the package in the folder at `path`, around the `plugin.json` at `path`, or in the archive (tar.gz
    /// or zip) at `path`.
    ///
    /// Everything below it is listed, links not followed, up to 100,000 entries. Files are read where a rule needs them,
    /// from their beginning and within bounds. Nothing is executed, nothing is written or unpacked, nothing outside the
    /// package is read, and nothing that is not a regular file is opened.
    ///
    /// # Errors
    ///
    /// [`PackageError`] where there is no report at all. A faulty package has one: see [`Report::rejected`].
    pub fn open(path: &Path) -> Result<Self, PackageError> {
        Self::judge(path, None)
    }

    /// Like [`Package::open`], by the rules of one format, where a folder holds both.
    ///
    /// # Errors
    ///
    /// As for [`Package::open`].
    pub fn open_as(path: &Path, format: Format) -> Result<Self, PackageError> {
        Self::judge(path, Some(format))
    }

    /// Whether a path is for [`Package::open`]: a folder, a file that is called `plugin.json`, or one whose name ends in
    /// `.zip`, `.tar.gz` or `.tgz`.
    #[must_use]
    pub fn is_at(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_archive = || {
            let name = name.to_ascii_lowercase();
            ENDINGS.iter().any(|ending| name.ends_with(ending))
        };
        path.is_dir() || name == MANIFEST || is_archive()
    }

    /// The folder, or the archive, as it was given.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is wrong with the package, and what of it may be used.
    #[must_use]
    pub fn validate(&self) -> &Report {
        &self.report
    }

    /// The bytes of a file that were read to judge the package, by its path in the package; none where it was not read.
    #[must_use]
    pub fn content(&self, file: &str) -> Option<&[u8]> {
        self.contents.get(file).map(Vec::as_slice)
    }

    /// Everything that speaks against installing the package on the machine that `gate` asks, together; empty where it may
    /// be installed (SPEC §9.3). `platforms` is what a catalogue's entry says, such as `windows`; empty where there is none.
    /// Nothing is registered.
    ///
    /// # Errors
    ///
    /// Where an evaluation fails; see [Gate](Gate#when-a-call-fails).
    pub fn install_gate(&self, gate: &Gate, platforms: &[String]) -> Result<Vec<Refusal>, Error> {
        let mut evaluated = Vec::new();
        for server in &self.report.servers {
            let Some(declaration) = &server.declaration else { continue };
            match gate.evaluate(declaration, &self.label()) {
                Ok(availability) => evaluated.push(wit::Evaluated {
                    server: server.name.clone(),
                    availability: convert::availability(availability),
                }),
                // The component then refuses the package, since the server is missing from `evaluated`.
                Err(Error::Invalid(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let system = match gate.os()? {
            Os::Win32 => wit::System::Win32,
            Os::Darwin => wit::System::Darwin,
            Os::Linux => wit::System::Linux,
        };
        let refusals = Rules::new()?.call(|rules, store| {
            rules.call_install_gate(store, &self.judged, &evaluated, platforms, system)
        })?;
        Ok(refusals.into_iter().map(Into::into).collect())
    }

    /// What messages about the package's declarations begin with.
    #[must_use]
    pub fn label(&self) -> String {
        self.folder.join(MANIFEST).display().to_string()
    }

    fn judge(path: &Path, format: Option<Format>) -> Result<Self, PackageError> {
        let is_manifest = path.file_name().is_some_and(|name| name == MANIFEST) && !path.is_dir();
        let folder = if is_manifest { around(path) } else { path };
        // A folder that is no package can be very large, such as a whole disk: it is not listed.
        if folder.is_dir() && !holds_package(folder) {
            return Err(PackageError::NoPackage(folder.to_owned()));
        }
        let (source, listing) = Source::open(folder)?;
        let (judged, contents) = ask(folder, &|needs, left| source.read(needs, left), |contents| {
            let inspection = Rules::new()?
                .call(|rules, store| rules.call_inspect(store, &listing, contents, format.map(Into::into)))?;
            Ok(match inspection {
                wit::Inspection::Needs(needs) => Step::Needs(needs),
                wit::Inspection::Report(judged) => Step::Done(judged),
            })
        })?;
        if !listing.truncated && judged.formats.is_empty() {
            return Err(PackageError::NoPackage(folder.to_owned()));
        }
        Ok(Self::new(folder, source, listing, contents, judged))
    }

    fn new(
        folder: &Path,
        source: Source,
        listing: wit::Listing,
        contents: Vec<wit::Content>,
        judged: wit::Report,
    ) -> Self {
        Self {
            folder: folder.to_owned(),
            source,
            entries: listing.entries,
            contents: contents.into_iter().filter_map(read_bytes).collect(),
            report: judged.clone().into(),
            judged,
        }
    }
}

/// Whether what makes a folder a package stands in it.
fn holds_package(folder: &Path) -> bool {
    [MANIFEST, REPOSITORY].iter().any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

/// What the component answers while a package is judged.
enum Step<T> {
    Needs(Vec<wit::Need>),
    Done(T),
}

/// Reads what is needed, within so many bytes.
type Reading<'r> = dyn Fn(&[wit::Need], &mut u64) -> Result<Vec<wit::Content>, PackageError> + 'r;

/// Asks until the component needs no more files. The answer, and what was read for it.
fn ask<T>(
    folder: &Path,
    read: &Reading<'_>,
    mut question: impl FnMut(&[wit::Content]) -> Result<Step<T>, Error>,
) -> Result<(T, Vec<wit::Content>), PackageError> {
    let mut contents = Vec::new();
    let mut left = MOST_READ;
    for _ in 0..=MOST_ROUNDS {
        let needs = match question(&contents)? {
            Step::Done(answer) => return Ok((answer, contents)),
            Step::Needs(needs) => needs,
        };
        contents.extend(read(&needs, &mut left)?);
        if left == 0 {
            return Err(PackageError::TooMuch(folder.to_owned()));
        }
    }
    Err(Error::Trap("the component asks for more files again and again".to_owned()).into())
}

/// The folder that a manifest stands in.
fn around(manifest: &Path) -> &Path {
    match manifest.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn read_bytes(content: wit::Content) -> Option<(String, Vec<u8>)> {
    match content.data {
        wit::FileData::Bytes(bytes) => Some((content.path, bytes)),
        wit::FileData::Unreadable(_) => None,
    }
}
