//! Places that are a path, perhaps with stars (SPEC §2.2).

use std::ops::ControlFlow;

use super::{Made, Visit};
use crate::facts::{Facts, Os};
use crate::inquiry::{Inquiry, is_denied};
use crate::order::sorted;
use crate::path::{self, Expanded, Pattern, Unresolved, compare_matches};
use crate::trace::Detail;

/// The most matches of one folder that are tried, the most folders that are listed and the most paths they come to.
const MOST: usize = 1_000;

/// The path itself, or every path that its pattern comes to, in order.
pub(super) fn candidates(
    inquiry: &Inquiry<'_>,
    os: Os,
    declared: &str,
    visit: &mut Visit<'_>,
) -> Result<Made, Unresolved> {
    let expanded = path::expand(declared, os, inquiry)?;
    if expanded.stars.is_empty() {
        let _ = visit(&expanded.path);
        return Ok(Made { shown: Some(expanded.path), denied: false });
    }
    let mut walk = Walk { inquiry, os, denied: false, lists_left: MOST, paths_left: MOST, visit };
    let segments = segments(&expanded, os);
    let _ = walk.below(String::new(), &segments);
    let denied = walk.denied;
    Ok(Made { shown: Some(expanded.path), denied })
}

struct Segment<'a> {
    text: &'a str,
    stars: Vec<usize>,
}

fn segments<'a>(expanded: &'a Expanded, os: Os) -> Vec<Segment<'a>> {
    let mut start = 0;
    expanded
        .path
        .split(path::separator(os))
        .map(|text| {
            let end = start + text.len();
            let stars =
                expanded.stars.iter().filter(|star| (start..end).contains(star)).map(|star| star - start);
            let segment = Segment { text, stars: stars.collect() };
            start = end + 1;
            segment
        })
        .collect()
}

struct Walk<'a, 'v> {
    inquiry: &'a Inquiry<'a>,
    os: Os,
    denied: bool,
    lists_left: usize,
    paths_left: usize,
    visit: &'a mut Visit<'v>,
}

impl Walk<'_, '_> {
    /// Goes on from `way`, which ends in a separator or is empty.
    fn below(&mut self, mut way: String, segments: &[Segment<'_>]) -> ControlFlow<()> {
        let mut rest = segments;
        while let Some((segment, behind)) = rest.split_first() {
            if !segment.stars.is_empty() {
                return self.matches(&way, segment, behind);
            }
            way.push_str(segment.text);
            if !behind.is_empty() {
                way.push(path::separator(self.os));
            }
            rest = behind;
        }
        match self.paths_left.checked_sub(1) {
            Some(left) => self.paths_left = left,
            None => return ControlFlow::Break(()),
        }
        (self.visit)(&way)
    }

    fn matches(&mut self, way: &str, segment: &Segment<'_>, behind: &[Segment<'_>]) -> ControlFlow<()> {
        match self.lists_left.checked_sub(1) {
            Some(left) => self.lists_left = left,
            None => return ControlFlow::Break(()),
        }
        let pattern = Pattern::new(segment.text, &segment.stars, self.os);
        let answer = self.inquiry.list(folder(way, self.os), pattern.prefix());
        self.denied |= is_denied(&answer);
        let mut names: Vec<String> = answer.unwrap_or_default();
        names.retain(|name| is_name(name, self.os) && pattern.matches(name));
        let mut names = sorted(names, |left, right| compare_matches(left, right));
        names.truncate(MOST);
        self.inquiry.trace().step("pattern", || {
            [("pattern", Detail::from(segment.text)), ("matches", Detail::from(names.as_slice()))]
        });
        for name in names {
            let separator =
                if behind.is_empty() { String::new() } else { path::separator(self.os).to_string() };
            self.below(format!("{way}{name}{separator}"), behind)?;
        }
        ControlFlow::Continue(())
    }
}

/// The folder without its last separator, unless that is the root.
fn folder(way: &str, os: Os) -> &str {
    match way.strip_suffix(path::separator(os)) {
        Some(folder) if !(folder.is_empty() || os == Os::Win32 && folder.ends_with(':')) => folder,
        _ => way,
    }
}

/// What a host lists is one segment; anything else would lead out of the folder.
fn is_name(name: &str, os: Os) -> bool {
    let leads_out = |character: char| path::is_separator(character, os) || character.is_control();
    !matches!(name, "" | "." | "..") && !name.chars().any(leads_out)
}
