//! Input that is made to be expensive gets its answer within the limits of one call.
#![expect(dead_code, clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

mod common;

use appdecl::{Gate, State};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use common::paper;
use serde_json::json;

/// A text of a binary property list.
fn text(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap().to_be_bytes();
    [&[0x5f, 0x12][..], &length, text.as_bytes()].concat()
}

/// A binary property list: a dict in which every one of `keys` has the same value.
fn shared_value(keys: &[String], value: &str) -> Vec<u8> {
    let count = u32::try_from(keys.len()).unwrap();
    let reference = |number: u32| number.to_be_bytes();
    let mut dict = [&[0xdf, 0x12][..], &count.to_be_bytes()].concat();
    dict.extend((1..=count).flat_map(reference));
    dict.extend((0..count).flat_map(|_| reference(count + 1)));

    let mut list = b"bplist00".to_vec();
    let mut table = Vec::new();
    for object in std::iter::once(dict).chain(keys.iter().map(|key| text(key))).chain([text(value)]) {
        table.extend(u32::try_from(list.len()).unwrap().to_be_bytes());
        list.extend(object);
    }
    let table_at = list.len() as u64;
    list.extend(table);
    list.extend([0, 0, 0, 0, 0, 0, 4, 4]);
    list.extend([u64::from(count) + 2, 0, table_at].map(u64::to_be_bytes).concat());
    list
}

#[test]
fn a_long_value_behind_very_many_keys_of_a_property_list_is_read_where_it_counts_alone() {
    let mut keys: Vec<String> = (0..24_000).map(|key| format!("{key:05}")).collect();
    keys.push("CFBundleVersion".to_owned());
    let list = shared_value(&keys, &"9".repeat(200_000));
    let content = BASE64_STANDARD.encode(list);
    let gate = Gate::builder()
        .facts(paper(&format!(
            "{{ os: darwin, files: {{ /A.app/Contents/Info.plist: {{ base64: {content} }} }} }}"
        )))
        .build()
        .unwrap();
    let declaration = json!({
        "app": { "darwin": { "presence": "bundle", "location": "/A.app", "version": { "kind": "plist" } } },
        "requires": { "app": true, "min_version": "1.0" },
    });
    gate.register("acme", &declaration.to_string(), "acme", None).unwrap();
    let availability = gate.availability("acme").unwrap().unwrap();
    assert_eq!(availability.state, State::Available, "{:?}", availability.reason);
}

#[test]
fn more_faults_than_are_told_are_counted() {
    let zeros = vec![0; 120_000];
    let declaration = json!({
        "app": { "linux": { "presence": "executable", "location": zeros } }, "requires": { "app": true },
    });
    let faults = Gate::new().unwrap().diagnose(&declaration.to_string(), "acme").unwrap();
    assert_eq!(faults.len(), 20_001);
    let last = faults.last().unwrap();
    assert_eq!(
        (last.code.as_str(), last.message.as_str()),
        ("too-large", "acme: 100000 more faults are not told")
    );
}

#[test]
fn a_very_long_name_is_not_told_again_with_each_fault_below_it() {
    let long = "n".repeat(120_000);
    let twice: Vec<&str> = vec!["\"a\":0"; 20_000];
    let declaration = format!("{{ \"{long}\": {{ {} }} }}", twice.join(","));
    let faults = Gate::new().unwrap().diagnose(&declaration, "acme").unwrap();
    // The unknown key itself, and all but the first of those that it holds.
    assert_eq!(faults.len(), 20_000);
    assert!(faults.iter().all(|fault| fault.pointer.is_empty()), "a pointer ends at the last name that fits");
}
