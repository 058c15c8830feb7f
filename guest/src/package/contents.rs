//! What may be in a package at all: names, sizes, links and special files (SPEC §9).
//!
//! Many faults of one kind are one finding that names the first and counts the rest.

use std::collections::BTreeSet;

use super::codes;
use super::finding::{Boundary, Findings, Scope};
use super::listing::{Entry, LONGEST_PATH, Link, Listing, Tree};
use crate::facts::NodeKind;
use crate::text::quoted;

/// The most files and folders of a package.
pub const MOST_ENTRIES: usize = 100_000;

/// The most bytes of all files of a package together.
pub const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// Whether a listing is whole. One that is not cannot be judged.
pub(super) fn judge_whole(listing: &Listing, section: &'static str, findings: &mut Findings) -> bool {
    let whole = !listing.truncated && listing.entries.len() <= MOST_ENTRIES;
    if !whole {
        let mut scope = Scope { findings, file: "", section, boundary: Boundary::Package };
        let what = format!("more than {MOST_ENTRIES} files and folders: expected at most so many");
        scope.error(codes::TOO_MANY_FILES, "", &what);
    }
    whole
}

/// Judges what a portable plugin holds, and answers the paths that are not installed with it.
pub(super) fn judge_all(listing: &Listing, tree: &Tree<'_>, findings: &mut Findings) -> Vec<String> {
    let mut scope = Scope { findings, file: "", section: "9", boundary: Boundary::Package };
    judge_names(listing.entries.iter(), &mut scope);
    judge_twice(tree, &mut scope);
    judge_size(tree.entries().iter().copied(), &mut scope);
    judge_letter_case(tree, &mut scope);
    left_out(tree, &mut scope)
}

/// Judges what is copied out of a static repository plugin's skill roots; false where it is too much to look at.
pub(super) fn judge_copied(tree: &Tree<'_>, roots: &[String], scope: &mut Scope<'_>) -> bool {
    const POINTER: &str = "/dsh/skills";
    let all = || roots.iter().flat_map(|root| tree.below(root).iter().copied());
    let count: usize = roots.iter().map(|root| tree.below(root).len()).sum();
    if count > MOST_ENTRIES {
        let what = format!("{count} files and folders: expected at most {MOST_ENTRIES}");
        scope.error(codes::TOO_MANY_FILES, POINTER, &what);
        return false;
    }
    judge_names(all(), scope);
    judge_size(all(), scope);
    one_for_all(
        all().filter(|entry| entry.link.is_some()),
        scope,
        codes::LINK_BELOW_SKILL_ROOT,
        "is a link below a skill root",
    );
    let is_special = |entry: &&Entry| entry.kind == NodeKind::Other && entry.link.is_none();
    one_for_all(
        all().filter(is_special),
        scope,
        codes::WRONG_KIND,
        "is a pipe, a device or a socket below a skill root",
    );
    true
}

fn judge_names<'a>(entries: impl Iterator<Item = &'a Entry>, scope: &mut Scope<'_>) {
    let bad = entries.filter(|entry| is_bad_name(entry));
    let what = "is no name that every system takes: expected Unicode text without control characters";
    one_for_all(bad, scope, codes::BAD_FILE_NAME, what);
}

fn is_bad_name(entry: &Entry) -> bool {
    let path = entry.path.as_str();
    let climbs = |name: &str| matches!(name, "" | "." | "..");
    !entry.exact
        || path.len() > LONGEST_PATH
        || path.chars().any(char::is_control)
        || path.split('/').any(climbs)
}

fn judge_twice(tree: &Tree<'_>, scope: &mut Scope<'_>) {
    let pairs = tree.entries().windows(2);
    let twice = pairs.filter_map(|pair| match pair {
        [first, second] if first.path == second.path => Some(*second),
        _ => None,
    });
    one_for_all(twice, scope, codes::LISTED_TWICE, "is listed twice");
}

fn judge_size<'a>(entries: impl Iterator<Item = &'a Entry>, scope: &mut Scope<'_>) {
    let files = entries.filter(|entry| entry.kind == NodeKind::File && entry.link.is_none());
    let bytes = files.fold(0_u64, |sum, entry| sum.saturating_add(entry.size));
    if bytes > MOST_BYTES {
        let what = format!("{bytes} bytes of files: expected at most {MOST_BYTES}");
        scope.error(codes::PACKAGE_TOO_LARGE, "", &what);
    }
}

fn judge_letter_case(tree: &Tree<'_>, scope: &mut Scope<'_>) {
    let mut folded: Vec<(String, &Entry)> =
        tree.entries().iter().map(|entry| (entry.path.to_lowercase(), *entry)).collect();
    folded.sort_by(|(left, _), (right, _)| left.cmp(right));
    let mut clashes = folded.windows(2).filter_map(|pair| match pair {
        [(left, first), (right, second)] if left == right && first.path != second.path => {
            Some((*first, *second))
        }
        _ => None,
    });
    if let Some((first, second)) = clashes.next() {
        let what = format!(
            "{} and {} differ in nothing but letter case{}",
            quoted(&first.path),
            quoted(&second.path),
            and_more(clashes.count())
        );
        let mut scope = Scope {
            findings: &mut *scope.findings,
            file: &second.path,
            section: scope.section,
            boundary: Boundary::Nothing,
        };
        scope.warning(codes::NAMES_CLASH, "", &what, None);
    }
}

/// Links that cannot stay and special files. Those that a rule has reported already are not reported again.
fn left_out(tree: &Tree<'_>, scope: &mut Scope<'_>) -> Vec<String> {
    let reported: BTreeSet<String> = scope.findings.files_without_content();
    let mut paths = Vec::new();
    for entry in tree.entries() {
        let (code, what) = match &entry.link {
            Some(Link::Inside(_)) => continue,
            Some(Link::Outside) => (codes::LINK_LEFT_OUT, "leads out of the package"),
            Some(Link::Nowhere) => (codes::LINK_LEFT_OUT, "is a link that leads nowhere"),
            Some(Link::Loop) => (codes::LINK_LEFT_OUT, "is a link that leads in a circle"),
            None if entry.kind == NodeKind::Other => {
                (codes::SPECIAL_FILE_LEFT_OUT, "is a pipe, a device or a socket")
            }
            None => continue,
        };
        paths.push(entry.path.clone());
        if !reported.contains(&entry.path) {
            let mut scope = Scope {
                findings: &mut *scope.findings,
                file: &entry.path,
                section: scope.section,
                boundary: Boundary::Nothing,
            };
            scope.warning(code, "", &format!("{what}: it is left out"), None);
        }
    }
    paths
}

/// One error for all entries of a kind, at the first.
fn one_for_all<'a>(
    mut entries: impl Iterator<Item = &'a Entry>,
    scope: &mut Scope<'_>,
    code: &'static str,
    what: &str,
) {
    let Some(first) = entries.next() else { return };
    let what = format!("{what}{}", and_more(entries.count()));
    let file = first.path.get(..first.path.len().min(LONGEST_PATH)).unwrap_or_default();
    let mut scope = Scope {
        findings: &mut *scope.findings,
        file,
        section: scope.section,
        boundary: scope.boundary.clone(),
    };
    scope.error(code, "", &what);
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", and {count} more") }
}
