//! The decoders on files that readers of others have judged: `tests/fixtures/make.py` made the files and asked Python's
//! `plistlib` and `pefile` what each says, whole, cut at every byte and with single bits flipped.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a fixture that is not what the test expects is a failed test"
)]

use std::ops::RangeInclusive;

use appdecl_guest::decode::Unreadable;
use appdecl_guest::decode::pe::file_version;
use appdecl_guest::decode::plist::bundle_version;
use appdecl_guest::json::{self, Value};

/// More than a read of any version takes, and far less than a file that led in circles could ask for.
const MOST_READS: usize = 11;
const LONGEST_READ: u32 = 65_536;

#[test]
fn every_property_list_says_what_python_says_or_what_the_rules_refuse() {
    assert_whole_files("plist", 50, bundle_version);
}

#[test]
fn every_program_says_what_pefile_says_or_what_the_rules_refuse() {
    assert_whole_files("pe", 30, program_version);
}

#[test]
fn a_flipped_bit_in_a_property_list_is_read_as_python_reads_it_or_not_at_all() {
    let agreed = assert_variants("plist", "flips", flip_any_bit, bundle_version, Strictness::Reader);
    // Without this, a decoder that reads nothing would pass.
    assert!(agreed > 5_000, "{agreed}");
}

#[test]
fn a_flipped_bit_in_a_program_never_makes_up_a_version() {
    let agreed = assert_variants(
        "pe",
        "flips",
        flip_lowest_or_highest_bit,
        program_version,
        Strictness::ReaderOrWhole,
    );
    assert!(agreed > 25_000, "{agreed}");
}

#[test]
fn whichever_bit_of_a_program_is_flipped_the_reads_stay_few() {
    for file in fixtures("pe") {
        for index in 0..file.bytes.len() * 8 {
            // The reads are counted in there.
            let _ = program_version(&flip_any_bit(&file.bytes, index));
        }
    }
}

#[test]
fn a_cut_property_list_is_read_as_python_reads_it_or_not_at_all() {
    assert_variants("plist", "cuts", cut, bundle_version, Strictness::Reader);
}

#[test]
fn a_cut_program_gives_the_version_of_the_whole_or_none() {
    assert_variants("pe", "cuts", cut, program_version, Strictness::ReaderOrWhole);
}

/// The version of a program in memory; the number and length of reads are part of what is promised.
fn program_version(bytes: &[u8]) -> Result<String, Unreadable> {
    let mut reads = 0;
    let version = file_version(&mut |offset, length| {
        reads += 1;
        assert!(length <= LONGEST_READ, "a read of {length} bytes");
        let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        Ok(rest[..rest.len().min(length as usize)].to_vec())
    });
    assert!(reads <= MOST_READS, "{reads} reads");
    version
}

type Decoder = fn(&[u8]) -> Result<String, Unreadable>;

fn assert_whole_files(folder: &str, at_least: usize, decode: Decoder) {
    let files = fixtures(folder);
    assert!(files.len() >= at_least, "{} files", files.len());
    for file in files {
        let expected = if file.refused { None } else { file.version.as_deref() };
        let found = decode(&file.bytes);
        assert_eq!(found.as_deref().ok(), expected, "{folder}/{}: {found:?}", file.name);
    }
}

/// What a decoder may say of a variant that the independent reader makes nothing of.
#[derive(Clone, Copy, PartialEq)]
enum Strictness {
    /// Nothing.
    Reader,
    /// Nothing, or what the whole file says: `pefile` judges parts of a program that have no bearing on its version.
    ReaderOrWhole,
}

/// Compares every variant of every file; the number of variants on whose version both agree.
fn assert_variants(
    folder: &str,
    kind: &str,
    variant: fn(&[u8], usize) -> Vec<u8>,
    decode: Decoder,
    strictness: Strictness,
) -> usize {
    let mut agreed = 0;
    for file in fixtures(folder) {
        let others = texts(file.record.get(&format!("other_{kind}")));
        let mut others = others.iter();
        for (runs, symbol) in file.runs(kind) {
            for index in runs {
                let other = (symbol == '?').then(|| others.next().expect("as many others as question marks"));
                let found = decode(&variant(&file.bytes, index)).ok();
                let expected = match symbol {
                    '=' => file.version.as_ref(),
                    '?' => other,
                    _ if strictness == Strictness::ReaderOrWhole => file.version.as_ref(),
                    _ => None,
                };
                assert!(
                    found.is_none() || found.as_ref() == expected,
                    "{folder}/{}, {kind} {index}: {found:?}, and not {expected:?}",
                    file.name
                );
                agreed += usize::from(found.is_some() && symbol != 'x');
            }
        }
    }
    agreed
}

fn flip_any_bit(bytes: &[u8], index: usize) -> Vec<u8> {
    flip(bytes, index / 8, index % 8)
}

fn flip_lowest_or_highest_bit(bytes: &[u8], index: usize) -> Vec<u8> {
    flip(bytes, index / 2, if index.is_multiple_of(2) { 0 } else { 7 })
}

fn flip(bytes: &[u8], place: usize, bit: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[place] ^= 1 << bit;
    flipped
}

fn cut(bytes: &[u8], length: usize) -> Vec<u8> {
    bytes[..length].to_vec()
}

struct Fixture {
    name: String,
    bytes: Vec<u8>,
    version: Option<String>,
    refused: bool,
    record: Value,
}

impl Fixture {
    /// The runs of variants of which the independent reader says the same, in order.
    fn runs(&self, kind: &str) -> Vec<(RangeInclusive<usize>, char)> {
        let text = self.record.get(kind).and_then(Value::as_text).expect("runs");
        let mut begin = 0;
        text.split_inclusive(['=', 'x', '?'])
            .map(|run| {
                let (length, symbol) = run.split_at(run.len() - 1);
                let length: usize = length.parse().expect("a length");
                let runs = begin..=begin + length - 1;
                begin += length;
                (runs, symbol.chars().next().expect("a symbol"))
            })
            .collect()
    }
}

fn fixtures(folder: &str) -> Vec<Fixture> {
    let expected = String::from_utf8(read("expected.json")).expect("UTF-8");
    let expected = json::parse(&expected, 8).expect("JSON");
    let Some(Value::Mapping(records)) = expected.get(folder) else { panic!("no {folder}") };
    let fixture = |(name, record): &(String, Value)| Fixture {
        name: name.clone(),
        bytes: read(&format!("{folder}/{name}")),
        version: record.get("version").and_then(Value::as_text).map(str::to_owned),
        refused: record.get("refused").is_some(),
        record: record.clone(),
    };
    records.iter().map(fixture).collect()
}

fn texts(list: Option<&Value>) -> Vec<String> {
    match list {
        Some(Value::List(items)) => items.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test reads its own fixtures")]
fn read(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
