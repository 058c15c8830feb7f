//! Preparing a static repository plugin (SPEC §9.2): the component says what is written, and this writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::component::Rules;
use super::folder::Folder;
use super::install::InstallError;
use super::install::copied::Copied;
use super::install::disk::{Disk, RealDisk};
use super::install::place::{Place, STAGE};
use super::source::Source;
use super::sys::is_executable;
use super::{Package, PackageError, REPOSITORY, Step, ask, wit};

/// The name of the stage, behind what begins the names of all.
const NAME: &str = "prepare";

/// Why nothing was prepared. What an earlier run prepared is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The package can not be judged.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The package has faults; its report tells them.
    #[error("the package has faults")]
    Refused(Box<Package>),
    /// The disk can not be read or written, or another process prepares the package.
    #[error(transparent)]
    Write(#[from] InstallError),
}

/// Prepares the static repository plugin in `folder`: writes `.dsh-plugin/dsh-plugin-assets` and
/// `.dsh-plugin/dsh-plugin.mjs`, the same bytes for the same package, and answers these two paths.
///
/// Both are written to a stage beside them, synced, and each takes its place in one step. A file `.appdecl.lock` stays in
/// `.dsh-plugin`.
///
/// # Errors
///
/// [`PrepareError`]; nothing was replaced then, unless the second of the two could not be.
pub fn prepare(folder: &Path) -> Result<Vec<String>, PrepareError> {
    prepare_on(&RealDisk, folder)
}

pub(super) fn prepare_on(disk: &dyn Disk, folder: &Path) -> Result<Vec<String>, PrepareError> {
    let own = folder.join(REPOSITORY);
    if !fs::symlink_metadata(&own).is_ok_and(|metadata| metadata.is_dir()) {
        return Err(PackageError::NoPackage(folder.to_owned()).into());
    }
    let place = Place::enter(disk, &own)?;
    let opened = Folder::open(folder)?;
    let listing = opened.list()?;
    let (preparation, contents) = ask(folder, &|needs, left| Ok(opened.read_all(needs, left)), |contents| {
        let preparation = Rules::new()?.call(|rules, store| rules.call_prepare(store, &listing, contents))?;
        Ok(match preparation {
            wit::Preparation::Needs(needs) => Step::Needs(needs),
            wit::Preparation::Plan(plan) => Step::Done(Ok(plan)),
            wit::Preparation::Refused(report) => Step::Done(Err(report)),
        })
    })?;
    let plan = match preparation {
        Ok(plan) => plan,
        Err(judged) => {
            return Err(PrepareError::Refused(Box::new(Package::new(
                folder,
                Source::Folder(opened),
                listing,
                contents,
                judged,
            ))));
        }
    };
    let stage = own.join(format!("{STAGE}{NAME}"));
    let written = write(disk, &place, &Files::new(&opened, &listing, &contents), &plan, &stage);
    // The next run removes what can not be removed now.
    let _ = disk.remove(&stage);
    written?;
    Ok(plan.replaces)
}

/// The files of the package, as they were when it was judged.
struct Files<'f> {
    opened: &'f Folder,
    sizes: BTreeMap<&'f str, u64>,
    judged: BTreeMap<&'f str, &'f [u8]>,
}

impl<'f> Files<'f> {
    fn new(opened: &'f Folder, listing: &'f wit::Listing, contents: &'f [wit::Content]) -> Self {
        let judged = contents.iter().filter_map(|content| match &content.data {
            wit::FileData::Bytes(bytes) => Some((content.path.as_str(), bytes.as_slice())),
            wit::FileData::Unreadable(_) => None,
        });
        let sizes = listing.entries.iter().map(|entry| (entry.path.as_str(), entry.size));
        Self { opened, sizes: sizes.collect(), judged: judged.collect() }
    }

    fn copy(&self, disk: &dyn Disk, path: &str, to: &Path) -> Result<(), InstallError> {
        let changed = || InstallError::Changed(path.to_owned());
        let mut file = self.opened.open_file(path).map_err(|_| changed())?;
        let size = *self.sizes.get(path).ok_or_else(changed)?;
        let judged = self.judged.get(path).copied().unwrap_or_default();
        Copied { path, size, judged, executable: is_executable(&file) }.write(disk, to, &mut file)
    }
}

fn write(
    disk: &dyn Disk,
    place: &Place<'_>,
    files: &Files<'_>,
    plan: &wit::Plan,
    stage: &Path,
) -> Result<(), InstallError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| InstallError::Io { path, error }
    };
    disk.create_folder(stage).map_err(failed(stage))?;
    let mut folders = BTreeSet::from([stage.to_owned()]);
    for planned in &plan.files {
        let path = staged(stage, &planned.path);
        match &planned.source {
            wit::Source::Folder => {
                disk.create_folder(&path).map_err(failed(&path))?;
                folders.insert(path);
            }
            wit::Source::Bytes(bytes) => {
                disk.write(&path, &mut bytes.as_slice(), false).map_err(failed(&path))?;
            }
            wit::Source::Copy(from) => {
                files.copy(disk, from, &path)?;
            }
        }
    }
    for folder in folders.iter().rev() {
        disk.sync_folder(folder).map_err(failed(folder))?;
    }
    for path in &plan.replaces {
        let name = inside(path);
        let taken = place.holds(name);
        place.put(&stage.join(name), name, taken)?;
    }
    Ok(())
}

/// Where a planned path stands in the stage.
fn staged(stage: &Path, path: &str) -> PathBuf {
    let mut staged = stage.to_owned();
    staged.extend(inside(path).split('/'));
    staged
}

/// A planned path without the folder that all of them stand in.
fn inside(path: &str) -> &str {
    path.strip_prefix(REPOSITORY).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
