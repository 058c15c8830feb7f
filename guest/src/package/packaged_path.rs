//! Paths that documents of a package write, judged as text before anything is looked up.

use super::listing::LONGEST_PATH;

/// Follows the names of a relative path from a folder, both below the root of the package; nothing where it climbs out of
/// the root. `.` and empty names stay where they are.
///
/// What climbs is judged as Windows reads it too, on every system: a name that is `..` but for blanks at its end.
pub(super) fn follow<'n>(folder: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut way: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in names {
        match name.trim_end_matches(' ') {
            "" | "." => {}
            ".." => {
                way.pop()?;
            }
            _ => way.push(name),
        }
    }
    Some(way.join("/"))
}

/// Whether a path is too long, or holds a character that no system takes in one.
pub(super) fn is_unusable(path: &str) -> bool {
    path.len() > LONGEST_PATH || path.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_as_text_and_does_not_leave_the_root() {
        let follow = |folder, path: &'static str| follow(folder, path.split('/'));
        assert_eq!(follow(".dsh-plugin", "../skills//./a").as_deref(), Some("skills/a"));
        assert_eq!(follow("", "bin/../bin/x").as_deref(), Some("bin/x"));
        assert_eq!(follow("", "").as_deref(), Some(""));
        assert_eq!(follow(".dsh-plugin", ".."), Some(String::new()));
        assert_eq!(follow(".dsh-plugin", "../.."), None);
        assert_eq!(follow("", "a/../../a"), None);
        assert_eq!(follow("", "a/.. /../b"), None);
        assert_eq!(follow("", ".../b").as_deref(), Some(".../b"));
    }
}
