//! Kinds of places that are a name in one of two folders (SPEC §2.2).

use std::ops::ControlFlow;

use super::{Made, Visit};
use crate::facts::Os;
use crate::inquiry::Inquiry;
use crate::path::{self, Unresolved};

/// Where bundles are installed.
pub(super) const APPLICATIONS: [&str; 2] = ["/Applications", "~/Applications"];
/// Where flatpaks export their launchers.
pub(super) const FLATPAK: [&str; 2] = ["/var/lib/flatpak/exports/bin", "~/.local/share/flatpak/exports/bin"];
/// Where snaps put their launchers.
pub(super) const SNAP: [&str; 2] = ["/snap/bin", "/var/lib/snapd/snap/bin"];

/// The name in each folder that can be resolved.
pub(super) fn candidates(
    inquiry: &Inquiry<'_>,
    os: Os,
    folders: &[&str],
    name: &str,
    visit: &mut Visit<'_>,
) -> Result<Made, Unresolved> {
    for folder in folders {
        if let Ok(folder) = path::expand(folder, os, inquiry)
            && let ControlFlow::Break(()) = visit(&path::join(&folder.path, name, os))
        {
            break;
        }
    }
    Ok(Made::PLAIN)
}
