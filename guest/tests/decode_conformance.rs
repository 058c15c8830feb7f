//! The files that the conformance suites write out in bytes, decoded without the rest of the rules.

#![expect(clippy::expect_used, reason = "a suite that is not what the test expects is a failed test")]

use appdecl_guest::decode::{pe, plist};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const EDGES: &str = include_str!("../../tests/conformance/edges.yaml");

/// The case, the end of the file's path, and the version that the case rests on.
const EXPECTED: &[(&str, &str, Option<&str>)] = &[
    ("the version resource of a PE32 file", "acme.exe", Some("8.2.25.0")),
    ("the version resource of a PE32+ file", "acme.exe", Some("8.2.25.0")),
    ("the version block lies in another section", "acme.exe", Some("8.2.25.0")),
    ("wValueLength is counted in words", "acme.exe", Some("8.2.25.0")),
    ("cut off, pointing at itself and all zero, three files without a version", "cut.exe", None),
    ("cut off, pointing at itself and all zero, three files without a version", "loop.exe", None),
    ("cut off, pointing at itself and all zero, three files without a version", "zero.exe", None),
    (
        "property lists that give a version, and those that give none",
        "utf16_string.app/Contents/Info.plist",
        Some("2.3.0"),
    ),
    (
        "property lists that give a version, and those that give none",
        "date_elsewhere.app/Contents/Info.plist",
        Some("2.3.0"),
    ),
    (
        "property lists that give a version, and those that give none",
        "levels_62.app/Contents/Info.plist",
        Some("2.3.0"),
    ),
    (
        "property lists that give a version, and those that give none",
        "levels_65.app/Contents/Info.plist",
        None,
    ),
    ("property lists that give a version, and those that give none", "integer.app/Contents/Info.plist", None),
    (
        "property lists that give a version, and those that give none",
        "key_twice.app/Contents/Info.plist",
        None,
    ),
    (
        "property lists that give a version, and those that give none",
        "utf16_xml.app/Contents/Info.plist",
        None,
    ),
    ("property lists that give a version, and those that give none", "looped.app/Contents/Info.plist", None),
];

#[test]
fn the_files_of_the_edge_cases_say_what_their_cases_rest_on() {
    let files = files(EDGES);
    for (case, path, expected) in EXPECTED {
        let bytes = files
            .iter()
            .find(|file| file.case == *case && file.path.ends_with(path))
            .map(|file| &file.bytes)
            .unwrap_or_else(|| panic!("no `{path}` in `{case}`"));
        assert_eq!(version(bytes).as_deref(), *expected, "`{path}` in `{case}`");
    }
}

fn version(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"MZ") {
        return plist::bundle_version(bytes).ok();
    }
    pe::file_version(&mut |offset, length| {
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        Ok(rest.iter().copied().take(length as usize).collect())
    })
    .ok()
}

struct File<'a> {
    case: &'a str,
    path: &'a str,
    bytes: Vec<u8>,
}

/// Every `path: { base64: … }` and `path: { text: '…' }` of a suite. Suites keep a file on one line, so that this need not
/// read YAML.
fn files(suite: &str) -> Vec<File<'_>> {
    let mut case = "";
    let mut files = Vec::new();
    for line in suite.lines() {
        if let Some(name) = line.trim_start().strip_prefix("- name: ") {
            case = name;
        }
        for (marker, end) in [(": { base64: ", " }"), (": { text: '", "' }")] {
            let mut rest = line;
            while let Some((before, after)) = rest.split_once(marker) {
                let path = before.rsplit([' ', '\'']).find(|word| !word.is_empty()).unwrap_or_default();
                let (content, after) = after.split_once(end).unwrap_or((after, ""));
                let bytes = if marker.contains("base64") {
                    STANDARD.decode(content).expect("base64")
                } else {
                    content.as_bytes().to_vec()
                };
                files.push(File { case, path, bytes });
                rest = after;
            }
        }
    }
    files
}
