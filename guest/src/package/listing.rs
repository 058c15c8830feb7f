//! A package as its host lists it, and the way from a path to what it leads to.
//!
//! A host lists, the rules look up: nothing here opens a file. Links are already resolved by the host, so that a look-up
//! follows each at most once and ends.

use super::Content;
use crate::facts::{FaultCode, NodeKind};
use crate::order::sorted;

/// The longest path of a listing, in bytes. Longer ones are refused as bad names.
pub const LONGEST_PATH: usize = 4096;

/// Everything below the folder that is the package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every file, folder, link and other thing, in any order. What stands below a link is not listed.
    pub entries: Vec<Entry>,
    /// Whether there is more than the host lists (100,000 entries).
    pub truncated: bool,
}

/// One thing in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the root of the package, with `/` between the names.
    pub path: String,
    /// Whether `path` is the name itself; false where the name is no Unicode text and `path` only shows it.
    pub exact: bool,
    /// What it is; for a link, what the link leads to, and `Other` where that is nothing.
    pub kind: NodeKind,
    /// The size of a regular file in bytes; for others 0.
    pub size: u64,
    /// Where it leads, where it is a link.
    pub link: Option<Link>,
}

/// Where a link leads, all links on the way followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Into the package: the path of the thing itself, which is no link and has none above it. Empty for the root.
    Inside(String),
    /// Out of the package.
    Outside,
    /// To nothing.
    Nowhere,
    /// In a circle.
    Loop,
}

/// What a path leads to.
pub(super) enum Found<'a> {
    File(&'a Entry),
    /// A folder, with the path of the folder itself.
    Folder(String),
    Other,
    Missing,
    Outside,
    /// A link on the way leads nowhere or in a circle.
    Broken,
}

/// A listing in the order of its paths, without those that are too long for any rule.
pub(super) struct Tree<'a> {
    sorted: Vec<&'a Entry>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(listing: &'a Listing) -> Self {
        let usable = |entry: &&Entry| entry.path.len() <= LONGEST_PATH;
        let entries = listing.entries.iter().filter(usable).collect();
        Self { sorted: sorted(entries, |left: &&Entry, right| left.path.cmp(&right.path)) }
    }

    pub(super) fn entries(&self) -> &[&'a Entry] {
        &self.sorted
    }

    /// The thing of exactly that path, a link not followed.
    pub(super) fn entry(&self, path: &str) -> Option<&'a Entry> {
        let index = self.sorted.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.sorted.get(index).copied()
    }

    /// Everything below a folder, links not followed; for the empty path, everything.
    pub(super) fn below(&self, folder: &str) -> &[&'a Entry] {
        if folder.is_empty() {
            return &self.sorted;
        }
        let prefix = format!("{folder}/");
        let start = self.sorted.partition_point(|entry| entry.path.as_str() < prefix.as_str());
        let rest = self.sorted.get(start..).unwrap_or_default();
        let count = rest.partition_point(|entry| entry.path.starts_with(&prefix));
        rest.get(..count).unwrap_or_default()
    }

    /// The names directly below a folder in order, each with its entry; none where a folder is listed only by what it holds.
    pub(super) fn children(&self, folder: &str) -> Vec<(&'a str, Option<&'a Entry>)> {
        let skipped = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let mut children: Vec<(&str, Option<&Entry>)> = Vec::new();
        for entry in self.below(folder) {
            let below = entry.path.get(skipped..).unwrap_or_default();
            match below.split_once('/') {
                None => children.push((below, Some(entry))),
                Some((name, _)) if children.last().is_some_and(|(last, _)| *last == name) => {}
                Some((name, _)) => {
                    let path = entry.path.get(..skipped + name.len()).unwrap_or_default();
                    if self.entry(path).is_none() {
                        children.push((name, None));
                    }
                }
            }
        }
        children
    }

    /// What a path leads to, links followed. The path has no `.` and `..`; the empty one is the root.
    pub(super) fn resolve(&self, path: &str) -> Found<'a> {
        let mut real = String::new();
        let mut last = None;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if last.is_some_and(|entry: &Entry| entry.kind != NodeKind::Folder) {
                return Found::Missing;
            }
            if !real.is_empty() {
                real.push('/');
            }
            real.push_str(name);
            last = match self.entry(&real) {
                Some(entry) => match &entry.link {
                    None => Some(entry),
                    Some(Link::Outside) => return Found::Outside,
                    Some(Link::Nowhere | Link::Loop) => return Found::Broken,
                    Some(Link::Inside(target)) => {
                        real.clone_from(target);
                        match self.entry(target) {
                            Some(entry) if entry.link.is_some() => return Found::Broken,
                            found => found,
                        }
                    }
                },
                None => None,
            };
            // A folder that a host lists by what it holds is a folder all the same.
            if last.is_none() && !real.is_empty() && self.below(&real).is_empty() {
                return Found::Missing;
            }
        }
        match last {
            None => Found::Folder(real),
            Some(entry) => match entry.kind {
                NodeKind::File => Found::File(entry),
                NodeKind::Folder => Found::Folder(real),
                NodeKind::Other => Found::Other,
            },
        }
    }
}

/// A file whose content is needed, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// Its path, as the listing has it.
    pub path: String,
    /// How many bytes from its beginning, at most.
    pub limit: u64,
}

/// The contents that are there, and those that are missing.
pub(super) struct Files<'a> {
    sorted: Vec<&'a Content>,
    needs: Vec<Need>,
}

impl<'a> Files<'a> {
    pub(super) fn new(contents: &'a [Content]) -> Self {
        let contents = contents.iter().collect();
        let sorted = sorted(contents, |left: &&Content, right| left.path.cmp(&right.path));
        Self { sorted, needs: Vec::new() }
    }

    /// The first `limit` bytes of a file, or why there are none; nothing where they have to be asked for first.
    pub(super) fn read(&mut self, path: &str, limit: u64) -> Option<Result<&'a [u8], FaultCode>> {
        if let Ok(index) = self.sorted.binary_search_by(|content| content.path.as_str().cmp(path)) {
            return self.sorted.get(index).map(|content| content.data.as_deref().map_err(|code| *code));
        }
        if self.needs.iter().all(|need| need.path != path) {
            self.needs.push(Need { path: path.to_owned(), limit });
        }
        None
    }

    /// Whether something has to be asked for first, so that what is found so far is not the answer.
    pub(super) fn is_waiting(&self) -> bool {
        !self.needs.is_empty()
    }

    pub(super) fn needs(self) -> Vec<Need> {
        self.needs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, kind: NodeKind, link: Option<Link>) -> Entry {
        Entry { path: path.to_owned(), exact: true, kind, size: 0, link }
    }

    fn tree(listing: &Listing) -> Tree<'_> {
        Tree::new(listing)
    }

    #[test]
    fn a_path_is_followed_through_links_of_folders() {
        let listing = Listing {
            entries: vec![
                entry("skills", NodeKind::Folder, Some(Link::Inside("shared/skills".to_owned()))),
                entry("shared", NodeKind::Folder, None),
                entry("shared/skills", NodeKind::Folder, None),
                entry("shared/skills/x.md", NodeKind::File, None),
                entry("out", NodeKind::Folder, Some(Link::Outside)),
                entry("self", NodeKind::Other, Some(Link::Loop)),
            ],
            truncated: false,
        };
        let tree = tree(&listing);
        assert!(
            matches!(tree.resolve("skills/x.md"), Found::File(entry) if entry.path == "shared/skills/x.md")
        );
        assert!(matches!(tree.resolve("skills"), Found::Folder(real) if real == "shared/skills"));
        assert!(matches!(tree.resolve("out/of/here"), Found::Outside));
        assert!(matches!(tree.resolve("self"), Found::Broken));
        assert!(matches!(tree.resolve("skills/x.md/y"), Found::Missing));
        assert!(matches!(tree.resolve(""), Found::Folder(real) if real.is_empty()));
    }

    #[test]
    fn a_folder_is_there_where_only_what_it_holds_is_listed() {
        let listing = Listing { entries: vec![entry("a/b/c", NodeKind::File, None)], truncated: false };
        let tree = tree(&listing);
        assert!(matches!(tree.resolve("a/b"), Found::Folder(real) if real == "a/b"));
        assert!(matches!(tree.resolve("a/bc"), Found::Missing));
        assert!(matches!(tree.resolve("a/b/c"), Found::File(_)));
    }

    #[test]
    fn names_that_begin_alike_are_not_below_each_other() {
        let listing = Listing {
            entries: ["skills", "skills-old/x", "skills/a", "skills/a/b", "skills.md"]
                .map(|path| entry(path, NodeKind::File, None))
                .to_vec(),
            truncated: false,
        };
        let names =
            |folder| tree(&listing).children(folder).iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names("skills"), ["a"]);
        assert_eq!(tree(&listing).below("skills").len(), 2);
    }
}
