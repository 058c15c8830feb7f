//! The version of a macOS bundle, from the bytes of its `Info.plist` (SPEC §5.1).
//!
//! The whole list is judged, not only the two keys: what is malformed behind them makes it unreadable too. The readers are
//! our own where it matters. The `plist` crate passes what must not pass (unknown entities and CDATA sections are dropped
//! from a value, a second list, unclosed elements, a `<string>` where a key belongs), walks shared objects of a binary list
//! again and again, and is twice as large. So XML is cut into tags by `quick-xml` and judged in `xml`; binary lists,
//! whose layout takes a page, are read in `binary`.

mod binary;
mod scalar;
mod well_formed;
mod xml;

use super::Unreadable;

/// The largest list that is read, in bytes.
pub const LARGEST: usize = 1024 * 1024;

/// The levels of dicts and arrays that are read, the top dict being 1.
pub const LEVELS: usize = 64;

/// The version that an `Info.plist` gives: `CFBundleShortVersionString`, or `CFBundleVersion` where the first is absent or
/// empty.
///
/// `bytes` is the whole file, XML in UTF-8 or binary. The text is passed on as it stands, blanks included; whether it is a
/// version is judged by [`crate::version`].
///
/// # Errors
///
/// [`Unreadable`] where the list is too large, too deep, malformed anywhere, holds a key twice in one dict or is no
/// dict; where neither key gives a text; and where the one that counts is no string.
///
/// ```
/// use appdecl_guest::decode::plist::bundle_version;
///
/// let list = br#"<?xml version="1.0" encoding="UTF-8"?>
///     <plist version="1.0"><dict>
///         <key>CFBundleShortVersionString</key><string>4.2.1</string>
///         <key>CFBundleVersion</key><string>812</string>
///     </dict></plist>"#;
/// assert_eq!(bundle_version(list).as_deref(), Ok("4.2.1"));
/// ```
pub fn bundle_version(bytes: &[u8]) -> Result<String, Unreadable> {
    if bytes.len() > LARGEST {
        return Err(Unreadable("the property list is larger than 1 MiB"));
    }
    let versions = if bytes.starts_with(binary::MAGIC) { binary::read(bytes) } else { xml::read(bytes) }?;
    versions.choose()
}

const SHORT_VERSION: &str = "CFBundleShortVersionString";
const BUILD_VERSION: &str = "CFBundleVersion";

const KEY_TWICE: Unreadable = Unreadable("a dict of the property list has a key twice");
const NO_DICT: Unreadable = Unreadable("the top of the property list is no dict");
const TOO_DEEP: Unreadable = Unreadable("the property list is deeper than 64 levels");

/// What the top dict holds under the two keys.
#[derive(Debug, Default, PartialEq)]
struct Versions {
    short: Entry,
    build: Entry,
}

#[derive(Debug, Default, PartialEq)]
enum Entry {
    #[default]
    Absent,
    Text(String),
    NoText,
}

impl Versions {
    /// Notes an entry of the top dict; `text` is none where its value is no string.
    /// Whether a key is one of those that count.
    fn has(key: &str) -> bool {
        matches!(key, SHORT_VERSION | BUILD_VERSION)
    }

    fn note(&mut self, key: &str, text: Option<String>) {
        let entry = match key {
            SHORT_VERSION => &mut self.short,
            BUILD_VERSION => &mut self.build,
            _ => return,
        };
        *entry = text.map_or(Entry::NoText, Entry::Text);
    }

    fn choose(self) -> Result<String, Unreadable> {
        match (self.short, self.build) {
            (Entry::Text(version), _) if !version.is_empty() => Ok(version),
            (Entry::NoText, _) => Err(Unreadable("CFBundleShortVersionString is no string")),
            (_, Entry::Text(version)) if !version.is_empty() => Ok(version),
            (_, Entry::NoText) => Err(Unreadable("CFBundleVersion is no string")),
            _ => Err(Unreadable(
                "the property list has neither CFBundleShortVersionString nor CFBundleVersion",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_number_counts_only_without_a_version() {
        let read =
            |members: &str| bundle_version(format!("<plist><dict>{members}</dict></plist>").as_bytes());
        let short = "<key>CFBundleShortVersionString</key>";
        let build = "<key>CFBundleVersion</key><string>412</string>";
        for (members, version) in [
            (format!("{short}<string>1.2</string>{build}"), "1.2"),
            (format!("{build}{short}<string>1.2</string>"), "1.2"),
            (format!("{short}<string> </string>{build}"), " "),
            (format!("{short}<string>$(VERSION)</string>{build}"), "$(VERSION)"),
            (format!("{short}<string/>{build}"), "412"),
            (build.to_owned(), "412"),
        ] {
            assert_eq!(read(&members).as_deref(), Ok(version), "{members}");
        }
        for (members, reason) in [
            (format!("{short}<integer>1</integer>{build}"), "CFBundleShortVersionString is no string"),
            (format!("{short}<dict/>{build}"), "CFBundleShortVersionString is no string"),
            ("<key>CFBundleVersion</key><real>1.2</real>".to_owned(), "CFBundleVersion is no string"),
            (
                format!("{short}<string/>"),
                "the property list has neither CFBundleShortVersionString nor CFBundleVersion",
            ),
            (
                format!("<key>x</key><dict>{build}</dict>"),
                "the property list has neither CFBundleShortVersionString nor CFBundleVersion",
            ),
            (String::new(), "the property list has neither CFBundleShortVersionString nor CFBundleVersion"),
        ] {
            assert_eq!(read(&members).map_err(Unreadable::reason), Err(reason), "{members}");
        }
    }
}
