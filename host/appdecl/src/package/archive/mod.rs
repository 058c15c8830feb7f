//! Archives: a package as a tar.gz or zip file. It is listed without being unpacked, and read pass by pass.
//!
//! What is in it is told as of a folder, and the component judges that. Here are the bounds alone: of sizes, of how much a
//! few bytes may grow, and of what this reads at all.

mod links;
mod tar;
mod zip;

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::folder::{MOST_ENTRIES, MOST_PATH_BYTES};
use super::wit::{Entry, EntryKind, Listing};
use super::{MANIFEST, PackageError, REPOSITORY};

/// The most bytes that the files of an archive come to, as many as a package may have.
const MOST_UNPACKED: u64 = 1 << 30;

/// An archive may unpack to so many bytes whatever its own size, and beyond that to so many times its own size. Texts
/// rarely reach ten times, and DEFLATE ends at a thousand.
const ALWAYS_UNPACKED: u64 = 16 << 20;
const MOST_GROWTH: u64 = 200;

/// The longest target of a link, in bytes, as systems have it.
const LONGEST_TARGET: u64 = 4096;

/// Why a file can not be read as an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveFault {
    /// Its beginning is of neither format.
    #[error("is neither a folder nor an archive: expected a tar.gz or a zip file")]
    Neither,
    /// It ends early, or its bytes contradict each other.
    #[error("is cut off or damaged: {0}")]
    Damaged(String),
    /// Its files are larger together than a package may be.
    #[error("unpacks to more than {MOST_UNPACKED} bytes: expected at most so many")]
    TooLarge,
    /// It grows as no package does.
    #[error(
        "unpacks to more than {MOST_GROWTH} times its size: expected at most so many, or {ALWAYS_UNPACKED} bytes"
    )]
    Grows,
    /// It has something that is not read.
    #[error("has `{name}`, {what}: pack it without")]
    Unsupported {
        /// Its name in the archive.
        name: String,
        /// What it is.
        what: String,
    },
}

impl From<io::Error> for ArchiveFault {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(fault) => fault,
            Err(error) => Self::Damaged(error.to_string()),
        }
    }
}

/// A file with a package in it.
#[derive(Debug)]
pub(super) struct Archive {
    path: PathBuf,
    file: File,
    format: Format,
    /// The folder in it that is the package, with `/` behind it; empty where the package has no folder around it.
    root: String,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    TarGz,
    Zip,
}

/// One thing in an archive, as its directory or its header tells it.
struct Item {
    path: String,
    /// Whether `path` is the name itself, and not what is shown of a name that is no text.
    exact: bool,
    kind: Kind,
    size: u64,
    executable: bool,
}

enum Kind {
    File,
    Folder,
    /// A link; its target as it is written.
    Link(Vec<u8>),
    /// A pipe, a device or a socket.
    Other,
}

impl Archive {
    /// Opens an archive, and lists what is in it.
    pub(super) fn open(path: &Path) -> Result<(Self, Listing), PackageError> {
        let unreadable = |error: io::Error| super::folder::unreadable(path, &error);
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(PackageError::NoPackage(path.to_owned()));
        }
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut start = [0; 4];
        let format = match (&file).read_exact(&mut start).map(|()| start) {
            Ok([0x1f, 0x8b, ..]) => Format::TarGz,
            Ok([b'P', b'K', 3 | 5, 4 | 6]) => Format::Zip,
            _ => return Err(fault(path, ArchiveFault::Neither)),
        };
        if length > MOST_UNPACKED {
            return Err(fault(path, ArchiveFault::TooLarge));
        }
        let mut archive = Self { path: path.to_owned(), file, format, root: String::new() };
        let listing = archive.list().map_err(|error| fault(path, error))?;
        Ok((archive, listing))
    }

    /// Hands over the files that are wanted by their paths and sizes, each with whether it is executable, until `each`
    /// breaks off or `most` were handed over.
    pub(super) fn files(
        &self,
        most: usize,
        is_wanted: &dyn Fn(&str, u64) -> bool,
        each: &mut dyn FnMut(&str, bool, &mut dyn Read) -> ControlFlow<()>,
    ) -> Result<(), PackageError> {
        let mut left = most;
        self.walk(&mut |item, bytes| {
            let Some(path) = item.path.strip_prefix(&self.root) else { return ControlFlow::Continue(()) };
            if !matches!(item.kind, Kind::File) || !is_wanted(path, item.size) {
                return ControlFlow::Continue(());
            }
            each(path, item.executable, bytes)?;
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .map_err(|error| fault(&self.path, error))
    }

    /// Everything in the archive, in its order, each with its bytes.
    fn walk(&self, each: &mut dyn FnMut(Item, &mut dyn Read) -> ControlFlow<()>) -> Result<(), ArchiveFault> {
        match self.format {
            Format::TarGz => tar::walk(&self.file, each),
            Format::Zip => zip::walk(&self.file, each),
        }
    }

    fn list(&mut self) -> Result<Listing, ArchiveFault> {
        let mut listed = Listed::default();
        self.walk(&mut |item, _| listed.add(item))?;
        listed.add_folders_between();
        self.root = listed.enter_the_only_folder();
        Ok(listed.finish())
    }
}

/// What was listed so far.
#[derive(Default)]
struct Listed {
    entries: Vec<Entry>,
    /// The targets of links, by the paths of these.
    targets: BTreeMap<String, Vec<u8>>,
    path_bytes: usize,
    truncated: bool,
}

impl Listed {
    fn add(&mut self, item: Item) -> ControlFlow<()> {
        let Item { path, exact, kind, size, .. } = item;
        let (kind, target) = match kind {
            Kind::File => (EntryKind::File, None),
            Kind::Folder => (EntryKind::Folder, None),
            Kind::Other => (EntryKind::Other, None),
            Kind::Link(target) => (EntryKind::Other, Some(target)),
        };
        let size = if matches!(kind, EntryKind::File) { size } else { 0 };
        self.path_bytes += path.len() + target.as_ref().map_or(0, Vec::len);
        if self.entries.len() == MOST_ENTRIES || self.path_bytes > MOST_PATH_BYTES {
            self.truncated = true;
            return ControlFlow::Break(());
        }
        if let Some(target) = target {
            self.targets.insert(path.clone(), target);
        }
        self.entries.push(Entry { path, exact, kind, size, link: None });
        ControlFlow::Continue(())
    }

    /// An archive may name files alone: the folders around them are there all the same.
    fn add_folders_between(&mut self) {
        let mut known: HashSet<&str> = self.entries.iter().map(|entry| entry.path.as_str()).collect();
        let mut missing = Vec::new();
        for entry in &self.entries {
            let mut path = entry.path.as_str();
            while let Some((folder, _)) = path.rsplit_once('/')
                && !folder.is_empty()
                && known.insert(folder)
            {
                self.path_bytes += folder.len();
                if self.entries.len() + missing.len() == MOST_ENTRIES || self.path_bytes > MOST_PATH_BYTES {
                    self.truncated = true;
                    return;
                }
                missing.push(Entry {
                    path: folder.to_owned(),
                    exact: entry.exact,
                    kind: EntryKind::Folder,
                    size: 0,
                    link: None,
                });
                path = folder;
            }
        }
        self.entries.extend(missing);
    }

    /// Where everything stands in one folder, and no package beside it, that folder is the package, as in the archives that
    /// forges and registries offer. Answers what all paths began with.
    fn enter_the_only_folder(&mut self) -> String {
        let first = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let Some(top) = self.entries.first().map(|entry| first(&entry.path)) else { return String::new() };
        let prefix = format!("{top}/");
        let is_inside = |entry: &Entry| entry.path.starts_with(&prefix);
        let is_around = |entry: &Entry| entry.path == top && matches!(entry.kind, EntryKind::Folder);
        let is_only = self.entries.iter().all(|entry| is_inside(entry) || is_around(entry));
        if !is_only || [MANIFEST, REPOSITORY, "", ".", ".."].contains(&top.as_str()) {
            return String::new();
        }
        self.entries.retain(is_inside);
        for entry in &mut self.entries {
            entry.path.drain(..prefix.len());
        }
        let targets = std::mem::take(&mut self.targets).into_iter();
        self.targets = targets
            .filter_map(|(path, target)| Some((path.strip_prefix(&prefix)?.to_owned(), target)))
            .collect();
        prefix
    }

    fn finish(mut self) -> Listing {
        if self.truncated {
            return Listing { entries: Vec::new(), truncated: true };
        }
        links::resolve(&mut self.entries, &self.targets);
        self.entries.sort_by(|left, right| left.path.cmp(&right.path));
        Listing { entries: self.entries, truncated: false }
    }
}

/// The path of a name as it stands in an archive: without `./` before it and `/` behind it.
fn named(name: &[u8]) -> (String, bool) {
    let text = String::from_utf8_lossy(name);
    let exact = matches!(text, std::borrow::Cow::Borrowed(_));
    let mut path: &str = &text;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    let path = if path == "." { "" } else { path.strip_suffix('/').unwrap_or(path) };
    (path.to_owned(), exact)
}

fn fault(path: &Path, fault: ArchiveFault) -> PackageError {
    PackageError::Archive { path: path.to_owned(), fault }
}
