//! Where the links of an archive lead, told from its paths alone.

use std::collections::{BTreeMap, HashMap};

use crate::package::wit::{Entry, EntryKind, Link};

/// So many links one behind the other are followed, as systems do.
const MOST_LINKS: usize = 40;

/// The most bytes of targets and paths that are looked at for all links of an archive. What lies behind that leads nowhere.
const MOST_LOOKED_AT: usize = 8 << 20;

/// Says of each link where it leads, and what it is then.
pub(super) fn resolve(entries: &mut [Entry], targets: &BTreeMap<String, Vec<u8>>) {
    if targets.is_empty() {
        return;
    }
    let kinds: HashMap<&str, EntryKind> =
        entries.iter().map(|entry| (entry.path.as_str(), entry.kind)).collect();
    let mut walker = Walker { kinds, targets, left: MOST_LOOKED_AT };
    let links: Vec<(EntryKind, Option<Link>)> = entries
        .iter()
        .map(|entry| match targets.get(&entry.path) {
            Some(target) => {
                let (kind, link) = walker.follow(&entry.path, target);
                (kind, Some(link))
            }
            None => (entry.kind, None),
        })
        .collect();
    for (entry, (kind, link)) in entries.iter_mut().zip(links) {
        entry.kind = kind;
        entry.link = link;
    }
}

struct Walker<'a> {
    kinds: HashMap<&'a str, EntryKind>,
    targets: &'a BTreeMap<String, Vec<u8>>,
    left: usize,
}

impl<'a> Walker<'a> {
    fn follow(&mut self, link: &str, target: &[u8]) -> (EntryKind, Link) {
        let mut at = link.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        match self.walk(&mut at, target) {
            Ok(kind) => (kind, Link::Inside(at)),
            Err(away) => (EntryKind::Other, away),
        }
    }

    /// Goes from a folder to what a target leads to.
    fn walk(&mut self, at: &mut String, target: &[u8]) -> Result<EntryKind, Link> {
        let targets: &'a BTreeMap<String, Vec<u8>> = self.targets;
        let mut kind = EntryKind::Folder;
        let mut links = 1;
        let mut way = self.steps(target)?;
        while let Some(name) = way.pop() {
            match name {
                "" | "." => continue,
                _ if !matches!(kind, EntryKind::Folder) => return Err(Link::Nowhere),
                ".." if at.is_empty() => return Err(Link::Outside),
                ".." => {
                    at.truncate(at.rfind('/').unwrap_or_default());
                    continue;
                }
                _ => {}
            }
            let folder = at.len();
            if folder > 0 {
                at.push('/');
            }
            at.push_str(name);
            self.spend(at.len())?;
            if let Some(target) = targets.get(at) {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Link::Circle);
                }
                at.truncate(folder);
                way.extend(self.steps(target)?);
            } else {
                kind = self.kinds.get(at.as_str()).copied().ok_or(Link::Nowhere)?;
            }
        }
        Ok(kind)
    }

    /// The names of a target, the last one first.
    fn steps<'t>(&mut self, target: &'t [u8]) -> Result<Vec<&'t str>, Link> {
        self.spend(target.len())?;
        let target = str::from_utf8(target).map_err(|_| Link::Nowhere)?;
        if target.starts_with('/') { Err(Link::Outside) } else { Ok(target.split('/').rev().collect()) }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Link> {
        self.left = self.left.checked_sub(bytes).ok_or(Link::Nowhere)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(
        paths: &[(&str, EntryKind)],
        links: &[(&str, &str)],
    ) -> Vec<(String, EntryKind, Option<Link>)> {
        let entry =
            |path: &str, kind| Entry { path: path.to_owned(), exact: true, kind, size: 0, link: None };
        let mut entries: Vec<_> = paths.iter().map(|(path, kind)| entry(path, *kind)).collect();
        entries.extend(links.iter().map(|(path, _)| entry(path, EntryKind::Other)));
        let targets =
            links.iter().map(|(path, target)| ((*path).to_owned(), target.as_bytes().to_vec())).collect();
        resolve(&mut entries, &targets);
        let links = entries.into_iter().skip(paths.len());
        links.map(|entry| (entry.path, entry.kind, entry.link)).collect()
    }

    #[test]
    fn links_are_followed_within_the_archive() {
        let paths = [("a", EntryKind::Folder), ("a/b", EntryKind::Folder), ("a/b/f", EntryKind::File)];
        let cases = [
            ("a/up", "../a/b/f", EntryKind::File, Link::Inside("a/b/f".to_owned())),
            ("a/b/root", "../..", EntryKind::Folder, Link::Inside(String::new())),
            ("through", "a/up", EntryKind::File, Link::Inside("a/b/f".to_owned())),
            ("away", "a/../../x", EntryKind::Other, Link::Outside),
            ("rooted", "/etc", EntryKind::Other, Link::Outside),
            ("far", "away/x", EntryKind::Other, Link::Outside),
            ("gone", "a/none", EntryKind::Other, Link::Nowhere),
            ("below-file", "a/b/f/x", EntryKind::Other, Link::Nowhere),
            ("back-from-file", "a/b/f/..", EntryKind::Other, Link::Nowhere),
            ("round", "./round", EntryKind::Other, Link::Circle),
        ];
        let links: Vec<(&str, &str)> = cases.iter().map(|(path, target, ..)| (*path, *target)).collect();
        for (found, (path, _, kind, link)) in resolved(&paths, &links).into_iter().zip(cases) {
            assert_eq!(found.0, path);
            assert!(std::mem::discriminant(&found.1) == std::mem::discriminant(&kind), "{path}");
            let same = match (found.2, link) {
                (Some(Link::Inside(found)), Link::Inside(expected)) => found == expected,
                (Some(found), expected) => {
                    std::mem::discriminant(&found) == std::mem::discriminant(&expected)
                }
                (None, _) => false,
            };
            assert!(same, "{path}");
        }
    }
}
