//! Why there is no report about a package.

use std::path::PathBuf;

use appdecl_facts::{Fault, FaultCode};

use super::archive::ArchiveFault;
use crate::error::Error;

/// Why there is no report about a package. Nothing else has happened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// The folder, or one in it, can not be read.
    #[error("`{path}` {reason}", path = path.display(), reason = reason(fault))]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        fault: Fault,
    },
    /// A folder that is no package.
    #[error(
        "`{path}` has no plugin.json and no .dsh-plugin: give a package, or a JSON or YAML file with declarations",
        path = .0.display()
    )]
    NoPackage(PathBuf),
    /// A file that can not be read as an archive.
    #[error("`{path}` {fault}", path = path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// Why.
        fault: ArchiveFault,
    },
    /// The files that have to be read to judge the package are too large together.
    #[error(
        "`{path}` has manifests and skills of more than {limit} bytes together, and no more is read",
        path = .0.display(), limit = super::MOST_READ
    )]
    TooMuch(PathBuf),
    /// The component has no answer: the package is hostile, or there is a bug.
    #[error("the package can not be judged: {0}")]
    Rules(#[from] Error),
}

/// What a fault says of a folder, to be read after its name.
fn reason(fault: &Fault) -> String {
    match fault.code {
        FaultCode::Absent => "does not exist".to_owned(),
        _ => format!("can not be read: {fault}"),
    }
}
