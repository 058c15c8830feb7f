//! What may be in a package at all: names, sizes, links and special files (SPEC §9).
//!
//! Many faults of one kind are one finding that names the first and counts the rest.

use std::borrow::Cow;

use super::codes;
use super::finding::{Findings, Help, Scope, Takes};
use super::listing::{Entry, LONGEST_PATH, Link, Listing, Tree};
use super::place::{At, Quoted};
use crate::facts::NodeKind;
use crate::order::sorted;

/// The most files and folders of a package.
pub const MOST_ENTRIES: usize = 100_000;

/// The most bytes of all files of a package together.
pub const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// Names that Windows keeps for devices, beside the numbered ones
/// (<https://learn.microsoft.com/windows/win32/fileio/naming-a-file>, which also has the characters that no name holds).
const DEVICES: [&[u8]; 6] = [b"con", b"prn", b"aux", b"nul", b"conin$", b"conout$"];

/// Digits that count as such behind `COM` and `LPT`.
const SUPERSCRIPTS: [&str; 3] = ["\u{b9}", "\u{b2}", "\u{b3}"];

const BAD_NAME: &str = "is no name that every system takes: expected Unicode text without control characters and `< > : \" | ? * \\`, \
     that is no device of Windows and ends in no dot or blank";

/// Whether a listing is whole. One that is not cannot be judged.
pub(super) fn judge_whole(listing: &Listing, findings: &mut Findings) -> bool {
    let whole = !listing.truncated && listing.entries.len() <= MOST_ENTRIES;
    if !whole {
        too_many(&At::Root, &mut Scope::new(findings, "", "9", Takes::Package));
    }
    whole
}

fn too_many(at: &At<'_>, scope: &mut Scope<'_>) {
    let what = format_args!("more than {MOST_ENTRIES} files and folders: expected at most so many");
    scope.error(codes::TOO_MANY_FILES, at, what);
}

/// Judges what a portable plugin holds, and answers the paths that are not installed with it.
pub(super) fn judge_all(listing: &Listing, tree: &Tree<'_>, findings: &mut Findings) -> Vec<String> {
    let mut scope = Scope::new(findings, "", "9", Takes::Package);
    let all: Vec<&Entry> = listing.entries.iter().collect();
    judge_names(&all, &mut scope);
    judge_size(&all, &mut scope);
    judge_shape(tree, &mut scope);
    judge_letter_case(tree, &mut scope);
    left_out(tree, &mut scope)
}

/// Judges what no folder can have and an archive can, and answers the paths that are not installed with a static repository
/// plugin. The rest of its repository is not looked at, and comes along as far as every system takes it.
pub(super) fn judge_rest(listing: &Listing, tree: &Tree<'_>, findings: &mut Findings) -> Vec<String> {
    let mut scope = Scope::new(findings, "", "9", Takes::Package);
    let climbing = listing.entries.iter().filter(|entry| climbs(&entry.path)).collect();
    one_for_all(climbing, codes::BAD_FILE_NAME, BAD_NAME, &mut scope);
    judge_shape(tree, &mut scope);
    let clashing = clashes(tree).into_iter().map(|(_, second)| second);
    let stays = |entry: &&Entry| matches!(entry.link, Some(Link::Inside(_))) || is_carried(entry);
    let entries = listing.entries.iter().filter(|entry| is_bad_name(entry) || !stays(entry));
    let paths = entries.map(|entry| entry.path.as_str()).chain(clashing).map(str::to_owned);
    let mut paths = sorted(paths.collect(), String::cmp);
    paths.dedup();
    paths
}

fn is_carried(entry: &Entry) -> bool {
    entry.link.is_none() && entry.kind != NodeKind::Other
}

/// An archive can list a path twice, and things below what is no folder.
fn judge_shape(tree: &Tree<'_>, scope: &mut Scope<'_>) {
    let twice = tree.entries().windows(2).filter_map(|pair| match pair {
        [first, second] if first.path == second.path => Some(*second),
        _ => None,
    });
    one_for_all(twice.collect(), codes::LISTED_TWICE, "is listed twice", scope);
    // What stands in one folder is mostly listed in a row.
    let mut last = ("", false);
    let mut below = Vec::new();
    for entry in tree.entries() {
        let Some((folder, _)) = entry.path.rsplit_once('/') else { continue };
        if last.0 != folder {
            last = (folder, !is_folder(tree, folder));
        }
        if last.1 {
            below.push(*entry);
        }
    }
    one_for_all(below, codes::WRONG_KIND, "stands below what is no folder", scope);
}

/// Judges what is copied out of a static repository plugin's skill roots; false where it is too much to look at.
pub(super) fn judge_copied(tree: &Tree<'_>, roots: &[String], scope: &mut Scope<'_>) -> bool {
    let count: usize = roots.iter().map(|root| tree.below(root).len()).sum();
    if count > MOST_ENTRIES {
        too_many(&At::Root.member("dsh").member("skills"), scope);
        return false;
    }
    let all: Vec<&Entry> = roots.iter().flat_map(|root| tree.below(root)).copied().collect();
    judge_names(&all, scope);
    judge_size(&all, scope);
    let having = |is_bad: fn(&Entry) -> bool| all.iter().copied().filter(|entry| is_bad(entry)).collect();
    let links = having(|entry| entry.link.is_some());
    one_for_all(links, codes::LINK_BELOW_SKILL_ROOT, "is a link below a skill root", scope);
    let special = having(|entry| entry.kind == NodeKind::Other && entry.link.is_none());
    one_for_all(special, codes::WRONG_KIND, "is a pipe, a device or a socket below a skill root", scope);
    true
}

/// Whether a path is that of a folder; of one that is not listed, whether what is above it can be.
fn is_folder(tree: &Tree<'_>, path: &str) -> bool {
    let mut above = Some(path);
    while let Some(path) = above {
        if let Some(entry) = tree.entry(path) {
            return entry.kind == NodeKind::Folder && entry.link.is_none();
        }
        above = path.rsplit_once('/').map(|(folder, _)| folder);
    }
    true
}

fn judge_names(entries: &[&Entry], scope: &mut Scope<'_>) {
    let bad = entries.iter().copied().filter(|entry| is_bad_name(entry)).collect();
    one_for_all(bad, codes::BAD_FILE_NAME, BAD_NAME, scope);
}

fn is_bad_name(entry: &Entry) -> bool {
    !entry.exact
        || entry.path.len() > LONGEST_PATH
        || entry.path.as_bytes().split(|byte| *byte == b'/').any(is_bad_segment)
        || (!entry.path.is_ascii() && entry.path.chars().any(char::is_control))
}

fn is_bad_segment(name: &[u8]) -> bool {
    let is_bad =
        |byte: &u8| matches!(byte, ..0x20 | 0x7f | b'<' | b'>' | b':' | b'"' | b'|' | b'?' | b'*' | b'\\');
    matches!(name, b"" | b"." | b"..") || name.iter().any(is_bad) || is_changed_by_windows(name)
}

fn climbs(path: &str) -> bool {
    path.as_bytes().split(|byte| *byte == b'/').any(|name| matches!(name, b"" | b"." | b".."))
}

/// Windows drops dots and blanks at the end of a name, and takes some names for devices, with any ending.
fn is_changed_by_windows(name: &[u8]) -> bool {
    let is_end = |byte: &u8| matches!(byte, b'.' | b' ');
    let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default().trim_ascii_end();
    name.last().is_some_and(is_end)
        || (stem.len() >= 3 && DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)))
        || matches!(stem, [port @ .., number] if is_port(port) && number.is_ascii_digit())
        || SUPERSCRIPTS.iter().any(|number| stem.strip_suffix(number.as_bytes()).is_some_and(is_port))
}

fn is_port(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"com") || name.eq_ignore_ascii_case(b"lpt")
}

fn judge_size(entries: &[&Entry], scope: &mut Scope<'_>) {
    let files = entries.iter().filter(|entry| entry.kind == NodeKind::File && entry.link.is_none());
    let bytes = files.fold(0_u64, |sum, entry| sum.saturating_add(entry.size));
    if bytes > MOST_BYTES {
        let what = format_args!("{bytes} bytes of files: expected at most {MOST_BYTES}");
        scope.error(codes::PACKAGE_TOO_LARGE, &At::Root, what);
    }
}

fn judge_letter_case(tree: &Tree<'_>, scope: &mut Scope<'_>) {
    let clashes = clashes(tree);
    if let Some(((first, second), rest)) = clashes.split_first() {
        let what = format_args!(
            "is the same name as {} where letter case does not count{}",
            Quoted(first),
            and_more(rest.len())
        );
        scope.within(second, Takes::Package).error(codes::NAMES_CLASH, &At::Root, what);
    }
}

/// Two names each that are one where letter case does not count, as on Windows and macOS.
fn clashes<'a>(tree: &Tree<'a>) -> Vec<(&'a str, &'a str)> {
    let is_folded = |path: &str| path.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    let paths = || tree.entries().iter().map(|entry| entry.path.as_str());
    if paths().all(is_folded) {
        return Vec::new();
    }
    let folded = paths()
        .map(|path| (if is_folded(path) { Cow::Borrowed(path) } else { Cow::Owned(folded(path)) }, path));
    let folded = sorted(folded.collect(), |(left, _), (right, _)| left.cmp(right));
    let clashes = folded.windows(2).filter_map(|pair| match pair {
        [(left, first), (right, second)] if left == right && first != second => Some((*first, *second)),
        _ => None,
    });
    clashes.collect()
}

/// Upper case first: it makes one of letters that have several lower-case forms.
fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Links that cannot stay and special files. Those that a rule has reported already are not reported again.
fn left_out(tree: &Tree<'_>, scope: &mut Scope<'_>) -> Vec<String> {
    const UNREACHABLE: [&str; 3] = [codes::LINK_LEADS_OUTSIDE, codes::LINK_LEADS_NOWHERE, codes::WRONG_KIND];
    let reported = scope.findings.list.iter().filter(|finding| UNREACHABLE.contains(&finding.code));
    let reported: Vec<String> = reported.map(|finding| finding.file.clone()).collect();
    let reported = sorted(reported, String::cmp);
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
        if reported.binary_search(&entry.path).is_err() {
            let what = format_args!("{what}: it is left out");
            scope.within(&entry.path, Takes::Nothing).warning(code, &At::Root, (0, 0), what, Help::None);
        }
    }
    paths
}

/// One error for all entries of a kind, at the first of their paths.
fn one_for_all(entries: Vec<&Entry>, code: &'static str, what: &str, scope: &mut Scope<'_>) {
    let Some(first) = entries.iter().min_by(|left, right| left.path.cmp(&right.path)) else { return };
    let path = if first.path.len() > LONGEST_PATH { "" } else { first.path.as_str() };
    let takes = scope.takes;
    scope.within(path, takes).error(code, &At::Root, format_args!("{what}{}", and_more(entries.len() - 1)));
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", and {count} more") }
}
