//! Prints the version of every file whose path comes in, a line each: a Windows program if it begins with `MZ`, else a
//! property list. A file without a version gives an empty line.
//!
//! `tests/fixtures/corpus.py` compares this with what other readers say.

use std::io::{BufRead, Write};

use appdecl_guest::decode::{pe, plist};

#[expect(clippy::disallowed_methods, reason = "an example reads the files that it is given")]
fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::io::stdin().lock().lines() {
        let bytes = std::fs::read(path?)?;
        let version = if bytes.starts_with(b"MZ") {
            pe::file_version(&mut |offset, length| {
                let rest =
                    usize::try_from(offset).ok().and_then(|from| bytes.get(from..)).unwrap_or_default();
                Ok(rest.iter().copied().take(length as usize).collect())
            })
        } else {
            plist::bundle_version(&bytes)
        };
        let version = version.unwrap_or_default().replace(['\n', '\r'], " ");
        writeln!(out, "{version}")?;
    }
    Ok(())
}
