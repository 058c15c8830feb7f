//! Programs on `PATH` (SPEC §2.2).

use std::ops::ControlFlow;

use super::{Made, Visit};
use crate::facts::{Facts, Os};
use crate::inquiry::Inquiry;
use crate::path::{self, Unresolved};

/// What `PATHEXT` is where it is unset.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// The name in each folder of `PATH` that counts; on win32 with each ending of `PATHEXT` in turn.
pub(super) fn candidates(
    inquiry: &Inquiry<'_>,
    os: Os,
    name: &str,
    visit: &mut Visit<'_>,
) -> Result<Made, Unresolved> {
    let set = |variable: &str| inquiry.variable(variable).ok().filter(|value| !value.is_empty());
    let path = set("PATH").ok_or_else(|| Unresolved::VariableUnset("PATH".to_owned()))?;
    let names = if os == Os::Win32 {
        with_endings(name, &set("PATHEXT").unwrap_or_else(|| ENDINGS.to_owned()))
    } else {
        vec![name.to_owned()]
    };
    for folder in entries(&path, os).filter(|entry| path::is_plain_rooted(entry, os)) {
        for name in &names {
            if let ControlFlow::Break(()) = visit(&path::join(folder, name, os)) {
                return Ok(Made::PLAIN);
            }
        }
    }
    Ok(Made::PLAIN)
}

/// The name with each ending, or as it is where it already has one of them. What is no ending (`.` and a bare name) is
/// passed over.
fn with_endings(name: &str, endings: &str) -> Vec<String> {
    let is_ending = |ending: &&str| {
        ending.len() > 1 && ending.starts_with('.') && !ending.contains(['/', '\\', ':']) && *ending != ".."
    };
    let endings: Vec<&str> = endings.split(';').map(str::trim).filter(is_ending).collect();
    let folded = |text: &str| path::folded(text).collect::<String>();
    if endings.iter().any(|ending| folded(name).ends_with(&folded(ending))) {
        return vec![name.to_owned()];
    }
    endings.iter().map(|ending| format!("{name}{ending}")).collect()
}

fn entries(path: &str, os: Os) -> Box<dyn Iterator<Item = &str> + '_> {
    if os != Os::Win32 {
        return Box::new(path.split(':'));
    }
    let mut rest = Some(path);
    Box::new(std::iter::from_fn(move || {
        let text = rest?;
        let (entry, behind) = quoted_entry(text).unwrap_or_else(|| match text.split_once(';') {
            Some((entry, behind)) => (entry, Some(behind)),
            None => (text, None),
        });
        rest = behind;
        Some(entry)
    }))
}

/// An entry in one pair of quotes, which may hold a `;`. A lone quote is an ordinary character.
fn quoted_entry(text: &str) -> Option<(&str, Option<&str>)> {
    let (entry, behind) = text.strip_prefix('"')?.split_once('"')?;
    if behind.is_empty() { Some((entry, None)) } else { Some((entry, Some(behind.strip_prefix(';')?))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pair_of_quotes_holds_a_semicolon_and_a_lone_quote_does_not() {
        let split = |path| entries(path, Os::Win32).collect::<Vec<_>>();
        assert_eq!(split(r#""C:\a;b";C:\c"#), [r"C:\a;b", r"C:\c"]);
        assert_eq!(split(r#""C:\a;C:\b"#), [r#""C:\a"#, r"C:\b"]);
        assert_eq!(split(r#""C:\a"x;C:\b"#), [r#""C:\a"x"#, r"C:\b"]);
        assert_eq!(split(r#"C:\a;"C:\b""#), [r"C:\a", r"C:\b"]);
        assert_eq!(split(";;"), ["", "", ""]);
    }

    #[test]
    fn a_name_that_has_its_ending_gets_no_other() {
        assert_eq!(with_endings("a.EXE", ".com;.exe"), ["a.EXE"]);
        assert_eq!(with_endings("a.sh", ".com;.exe"), ["a.sh.com", "a.sh.exe"]);
        assert_eq!(with_endings("a", r".;exe;.\..\x;..; .cmd "), ["a.cmd"]);
    }
}
