//! The names in a folder.

use std::fs;
use std::path::Path;

use super::system::{self, fault};
use crate::{Fault, FaultCode, Os, limits};

/// The most entries that are looked at, whether their names are given or not: a folder of millions may not stall the host.
const MAX_LOOKED_AT: usize = 1 << 20;

/// The names that may begin with `prefix`. `folder` is in the system's own form.
pub(super) fn list(folder: &Path, prefix: &str) -> Result<Vec<String>, Fault> {
    let entries = fs::read_dir(folder).map_err(|error| no_folder(folder, &error))?;
    let mut names = Vec::new();
    let mut text: usize = 0;
    for (index, entry) in entries.enumerate() {
        if index >= MAX_LOOKED_AT {
            return Err(Fault::new(FaultCode::TooLarge, "the folder holds more than 1048576 entries"));
        }
        let Ok(name) = entry.map_err(|error| fault(&error))?.file_name().into_string() else { continue };
        if !may_begin_with(system::OS, &name, prefix) {
            continue;
        }
        text = text.saturating_add(name.len());
        if names.len() >= limits::MAX_NAMES || text > limits::MAX_LIST_TEXT {
            return Err(Fault::new(
                FaultCode::TooLarge,
                "the folder holds more names than the host hands over",
            ));
        }
        names.push(name);
    }
    Ok(names)
}

/// The systems word "not a folder" in several ways, and with the same words "no such path".
fn no_folder(folder: &Path, error: &std::io::Error) -> Fault {
    match fs::metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => Fault::new(FaultCode::NotRegular, "this is not a folder"),
        _ => fault(error),
    }
}

/// False only where a name certainly does not begin with the prefix. Beyond ASCII the systems differ in which letters and
/// which compositions are equal, and the component decides that.
fn may_begin_with(os: Os, name: &str, prefix: &str) -> bool {
    if os == Os::Linux {
        return name.starts_with(prefix);
    }
    let mut characters = name.chars();
    for wanted in prefix.chars() {
        match characters.next() {
            Some(found) if !found.is_ascii() || !wanted.is_ascii() => return true,
            Some(found) if found.eq_ignore_ascii_case(&wanted) => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::may_begin_with;
    use crate::Os;

    #[test]
    fn case_counts_on_linux_alone() {
        assert!(may_begin_with(Os::Linux, "Acme 5", "Acme"));
        assert!(!may_begin_with(Os::Linux, "acme 5", "Acme"));
        assert!(may_begin_with(Os::Win32, "acme 5", "Acme"));
        assert!(may_begin_with(Os::Darwin, "ACME", "Acme"));
    }

    #[test]
    fn a_shorter_or_other_name_is_left_out() {
        for os in [Os::Linux, Os::Darwin, Os::Win32] {
            assert!(!may_begin_with(os, "Ac", "Acme"));
            assert!(!may_begin_with(os, "Bcme", "Acme"));
            assert!(may_begin_with(os, "", ""));
        }
    }

    #[test]
    fn a_name_that_another_rule_might_find_equal_is_kept() {
        for (name, prefix) in [("\u{212a}elvin", "k"), ("e\u{301}a", "é"), ("É", "é"), ("ſ", "S")] {
            assert!(may_begin_with(Os::Darwin, name, prefix), "{name} {prefix}");
            assert!(may_begin_with(Os::Win32, name, prefix), "{name} {prefix}");
        }
    }
}
