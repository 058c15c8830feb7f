//! Which paths a host may look at, by their text alone. Nothing here touches a disk.
//!
//! The rules are those of `wit/host/filesystem.wit`: absolute text, taken literally, never a network or device name. The
//! component judges a declared path by more rules (SPEC §2.3) before it asks; these are what a host owes to any asker.

use crate::{Fault, FaultCode, Os};

/// The longest path in characters (SPEC §2.3).
pub(crate) const MAX_PATH_CHARACTERS: usize = 4096;

/// Says `refused`, and why, for a path that may not be touched on a system of this family.
pub(crate) fn check(os: Os, path: &str) -> Result<(), Fault> {
    if path.is_empty() {
        return Err(refused("the path is empty"));
    }
    if path.len() > MAX_PATH_CHARACTERS && path.chars().count() > MAX_PATH_CHARACTERS {
        return Err(refused("the path is longer than 4096 characters"));
    }
    if path.contains(char::is_control) {
        return Err(refused("the path holds a NUL or control character"));
    }
    match os {
        Os::Win32 => check_win32(path)?,
        Os::Darwin | Os::Linux if path.starts_with('/') => {}
        Os::Darwin | Os::Linux => return Err(refused("the path does not begin with `/`")),
    }
    if path.split(|c| is_separator(os, c)).any(|segment| segment == "..") {
        return Err(refused("the path holds a `..` segment"));
    }
    Ok(())
}

/// The path of a file below a folder, with the system's own separator.
pub(crate) fn join(os: Os, folder: &str, segments: &[&str]) -> String {
    let separator = if os == Os::Win32 { '\\' } else { '/' };
    let mut path = folder.to_owned();
    for segment in segments {
        if !path.ends_with(|c| is_separator(os, c)) {
            path.push(separator);
        }
        path.push_str(segment);
    }
    path
}

/// Whether `name` can stand for one thing in a folder.
pub(crate) fn is_name(os: Os, name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(|c| c == '\0' || is_separator(os, c))
}

fn check_win32(path: &str) -> Result<(), Fault> {
    let mut characters = path.chars();
    let drive = characters.next().is_some_and(|c| c.is_ascii_alphabetic()) && characters.next() == Some(':');
    if !drive || !characters.next().is_some_and(|c| is_separator(Os::Win32, c)) {
        return Err(refused(r"the path does not begin with a drive such as `C:\`"));
    }
    if characters.as_str().contains(':') {
        return Err(refused("the path holds a `:` after its drive: it names a stream, not a file"));
    }
    Ok(())
}

fn is_separator(os: Os, c: char) -> bool {
    c == '/' || (os == Os::Win32 && c == '\\')
}

fn refused(detail: &str) -> Fault {
    Fault::new(FaultCode::Refused, detail)
}

#[cfg(test)]
mod tests {
    use super::{check, is_name, join};
    use crate::{FaultCode, Os};

    fn is_refused(os: Os, path: &str) -> bool {
        check(os, path).is_err_and(|fault| fault.code == FaultCode::Refused)
    }

    #[test]
    fn windows_paths_begin_with_a_drive() {
        for path in [r"C:\", r"c:\Windows", "D:/games/x.exe", r"C:\a\..b\c...", r"C:\dir\"] {
            assert_eq!(check(Os::Win32, path), Ok(()), "{path}");
        }
        for path in ["", "C:", "C:x", r"\Windows", "/etc", "x", r"CC:\x", r"é:\x", r"1:\x"] {
            assert!(is_refused(Os::Win32, path), "{path}");
        }
    }

    #[test]
    fn network_and_device_paths_are_refused_on_windows() {
        for path in [
            r"\\server\share\x",
            "//server/share/x",
            r"\/server\share",
            r"/\server\share",
            r"\\?\C:\Windows",
            r"\\?\UNC\server\share",
            r"\\.\pipe\x",
            r"\\.\C:",
            r"\??\C:\x",
            r"//?/C:/x",
            r"C:\file.txt:stream",
            r"C:\folder::$INDEX_ALLOCATION",
        ] {
            assert!(is_refused(Os::Win32, path), "{path}");
        }
    }

    #[test]
    fn unix_paths_begin_with_a_slash_and_keep_backslashes_as_text() {
        for path in ["/", "/usr/bin/x", "//x", r"/odd\..\name", "/a:b"] {
            assert_eq!(check(Os::Linux, path), Ok(()), "{path}");
            assert_eq!(check(Os::Darwin, path), Ok(()), "{path}");
        }
        for path in ["", "usr", "~/x", "./x", r"C:\x", "/a/../b", "/.."] {
            assert!(is_refused(Os::Linux, path), "{path}");
        }
    }

    #[test]
    fn control_characters_and_climbing_are_refused_everywhere() {
        for (os, root) in [(Os::Win32, r"C:\"), (Os::Darwin, "/"), (Os::Linux, "/")] {
            for rest in ["a\0b", "a\nb", "a\u{7f}", "a\u{85}", "..", "a/.."] {
                assert!(is_refused(os, &format!("{root}{rest}")), "{os:?} {rest:?}");
            }
        }
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert_eq!(check(Os::Linux, &format!("/{}", "é".repeat(4095))), Ok(()));
        assert!(is_refused(Os::Linux, &format!("/{}", "é".repeat(4096))));
    }

    #[test]
    fn joining_adds_one_separator() {
        assert_eq!(join(Os::Darwin, "/A.app", &["Contents", "Info.plist"]), "/A.app/Contents/Info.plist");
        assert_eq!(join(Os::Darwin, "/A.app/", &["Contents"]), "/A.app/Contents");
        assert_eq!(
            join(Os::Win32, r"C:\A.app", &["Contents", "Info.plist"]),
            r"C:\A.app\Contents\Info.plist"
        );
        assert_eq!(join(Os::Win32, "C:/A.app/", &["Contents"]), "C:/A.app/Contents");
    }

    #[test]
    fn a_name_is_one_segment() {
        assert!(is_name(Os::Linux, r"a\b") && is_name(Os::Win32, "a b."));
        for name in ["", ".", "..", "a/b", "a\0"] {
            assert!(!is_name(Os::Linux, name), "{name:?}");
        }
        assert!(!is_name(Os::Win32, r"a\b"));
    }
}
