//! The registry, with entries that installers, users and attackers write.

use super::access::deny_everybody;
use super::code;
use super::writer::TestKey;
use crate::{FaultCode, Hive, HostFacts, Machine, Subkey, Value, View};

const REG_NONE: u32 = 0;
const REG_SZ: u32 = 1;
const REG_EXPAND_SZ: u32 = 2;
const REG_BINARY: u32 = 3;
const REG_DWORD: u32 = 4;
const REG_DWORD_BIG_ENDIAN: u32 = 5;
const REG_MULTI_SZ: u32 = 7;
const REG_QWORD: u32 = 11;

const PLACES: [(Hive, View); 3] = [
    (Hive::LocalMachine, View::Bits64),
    (Hive::LocalMachine, View::Bits32),
    (Hive::CurrentUser, View::Bits64),
];

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn bytes(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

/// Text as installers store it, closed by a NUL.
fn stored(text: &str) -> Vec<u8> {
    bytes(&wide(&format!("{text}\0")))
}

fn names(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn sorted(mut subkeys: Vec<Subkey>) -> Vec<Subkey> {
    subkeys.sort_by(|a, b| a.name.cmp(&b.name));
    subkeys
}

#[test]
fn entries_are_read_in_all_three_places() {
    for (hive, view) in PLACES {
        let Some(key) = TestKey::create(hive, view) else { continue };
        let (name, location) = (stored("Acme 2.3"), stored(r"%ProgramFiles%\Acme"));
        key.add(
            &wide("Acme"),
            &[
                ("DisplayName", REG_SZ, &name),
                ("InstallLocation", REG_EXPAND_SZ, &location),
                ("SystemComponent", REG_DWORD, &[1, 0, 0, 0]),
            ],
        );
        let asked = names(&["displayname", "InstallLocation", "SystemComponent", "DisplayVersion"]);
        let expected = Subkey {
            name: "Acme".to_owned(),
            values: vec![
                Value::Text("Acme 2.3".to_owned()),
                Value::ExpandableText(r"%ProgramFiles%\Acme".to_owned()),
                Value::Number(1),
                Value::Missing,
            ],
        };
        assert_eq!(Machine::new().subkeys(hive, view, key.path(), &asked).unwrap(), [expected]);
        assert_eq!(Machine::new().subkeys(hive, view, &key.path().to_uppercase(), &[]).unwrap().len(), 1);
    }
}

#[test]
fn the_two_views_of_the_machine_are_two_lists() {
    let Some(key64) = TestKey::create(Hive::LocalMachine, View::Bits64) else { return };
    let Some(key32) = TestKey::create_at(Hive::LocalMachine, View::Bits32, key64.path()) else { return };
    key64.add(&wide("only in 64"), &[]);
    key32.add(&wide("only in 32"), &[]);
    let list = |view| Machine::new().subkeys(Hive::LocalMachine, view, key64.path(), &[]).unwrap();
    assert_eq!(list(View::Bits64), [Subkey { name: "only in 64".to_owned(), values: vec![] }]);
    assert_eq!(list(View::Bits32), [Subkey { name: "only in 32".to_owned(), values: vec![] }]);
}

#[test]
fn a_key_that_is_not_there_is_absent() {
    for (hive, view) in PLACES {
        let answer = Machine::new().subkeys(hive, view, r"SOFTWARE\appdecl-tests-missing", &[]);
        assert_eq!(code(answer), FaultCode::Absent);
    }
}

#[test]
fn odd_types_and_sizes_are_other() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    let text = stored("5.1");
    for (index, (kind, content)) in [
        (REG_NONE, text.as_slice()),
        (REG_BINARY, &text),
        (REG_MULTI_SZ, &text),
        (REG_DWORD_BIG_ENDIAN, &[0, 0, 0, 1]),
        (0xffff, &text),
        (REG_DWORD, &[1]),
        (REG_QWORD, &[1, 0, 0, 0]),
        (REG_SZ, &[0x41]),
        (REG_SZ, &[0x41, 0xd8, 0, 0]),
        (REG_EXPAND_SZ, &[0x41, 0, 0x42]),
    ]
    .into_iter()
    .enumerate()
    {
        key.add(&wide(&format!("{index}")), &[("DisplayVersion", kind, content)]);
    }
    let subkeys = Machine::new()
        .subkeys(Hive::CurrentUser, View::Bits64, key.path(), &names(&["DisplayVersion"]))
        .unwrap();
    assert_eq!(subkeys.len(), 10);
    for subkey in subkeys {
        assert_eq!(subkey.values, [Value::Other], "{}", subkey.name);
    }
}

#[test]
fn text_is_read_as_it_stands() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    let unclosed = bytes(&wide("5.1"));
    let (inner, blank, long) = (stored("5\u{0}1"), stored(" 5.1 "), stored(&"é".repeat(32_767)));
    key.add(&wide("a"), &[("V", REG_SZ, &unclosed)]);
    key.add(&wide("b"), &[("V", REG_SZ, &inner)]);
    key.add(&wide("c"), &[("V", REG_SZ, &blank)]);
    key.add(&wide("d"), &[("V", REG_SZ, &[])]);
    key.add(&wide("e"), &[("V", REG_SZ, &long)]);
    key.add(&wide("f"), &[("V", REG_QWORD, &[0, 0, 0, 0, 1, 0, 0, 0])]);
    let subkeys =
        Machine::new().subkeys(Hive::CurrentUser, View::Bits64, key.path(), &names(&["V"])).unwrap();
    let values: Vec<_> = sorted(subkeys).into_iter().flat_map(|subkey| subkey.values).collect();
    let text = |text: &str| Value::Text(text.to_owned());
    let expected = [
        text("5.1"),
        text("5\u{0}1"),
        text(" 5.1 "),
        text(""),
        text(&"é".repeat(32_767)),
        Value::Number(1 << 32),
    ];
    assert_eq!(values, expected);
}

#[test]
fn a_value_that_is_too_large_is_unreadable_alone() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    let large = stored(&"x".repeat(32_768));
    let name = stored("Acme");
    key.add(&wide("Acme"), &[("Large", REG_SZ, &large), ("DisplayName", REG_SZ, &name)]);
    let asked = names(&["Large", "DisplayName"]);
    let subkeys = Machine::new().subkeys(Hive::CurrentUser, View::Bits64, key.path(), &asked).unwrap();
    let [Value::Unreadable(fault), Value::Text(text)] = &subkeys[0].values[..] else { panic!("{subkeys:?}") };
    assert_eq!((fault.code, text.as_str()), (FaultCode::TooLarge, "Acme"));
}

#[test]
fn names_that_are_no_text_are_listed_and_never_mistaken_for_another() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    let (plain, twin, lone) = (stored("plain"), stored("twin"), stored("lone"));
    key.add(&wide("Acme"), &[("DisplayName", REG_SZ, &plain)]);
    let with_nul = key.add(&wide("Acme\0hidden"), &[("DisplayName", REG_SZ, &twin)]);
    key.add(&[0x41, 0xd800, 0x42], &[("DisplayName", REG_SZ, &lone)]);
    let asked = names(&["DisplayName"]);
    let subkeys =
        sorted(Machine::new().subkeys(Hive::CurrentUser, View::Bits64, key.path(), &asked).unwrap());
    with_nul.delete();
    let [plain, hidden, surrogate] = &subkeys[..] else { panic!("{subkeys:?}") };
    assert_eq!((plain.name.as_str(), &plain.values[..]), ("Acme", &[Value::Text("plain".to_owned())][..]));
    assert_eq!(surrogate.name, "A\u{fffd}B");
    assert_eq!(surrogate.values, [Value::Text("lone".to_owned())]);
    assert_eq!(hidden.name, "Acme\0hidden");
    assert!(matches!(&hidden.values[..], [Value::Unreadable(fault)] if fault.code == FaultCode::Unsupported));
}

#[test]
fn a_key_that_is_denied_ends_no_list() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    let name = stored("Acme");
    key.add(&wide("a"), &[("DisplayName", REG_SZ, &name)]);
    let closed = key.add(&wide("closed"), &[]);
    key.add(&wide("z"), &[("DisplayName", REG_SZ, &name)]);
    deny_everybody(closed.handle());
    let asked = names(&["DisplayName", "DisplayVersion"]);
    let subkeys =
        sorted(Machine::new().subkeys(Hive::CurrentUser, View::Bits64, key.path(), &asked).unwrap());
    closed.delete();
    let [first, denied, last] = &subkeys[..] else { panic!("{subkeys:?}") };
    assert_eq!(first.values, last.values);
    if denied.values == [Value::Missing, Value::Missing] {
        println!("skipped: this system opens a key that nobody may open");
        return;
    }
    for value in &denied.values {
        assert!(matches!(value, Value::Unreadable(fault) if fault.code == FaultCode::Denied), "{value:?}");
    }
}

#[test]
fn two_thousand_entries_are_listed_whole() {
    let Some(key) = TestKey::create(Hive::LocalMachine, View::Bits32) else { return };
    for index in 0..2_000 {
        let name = stored(&format!("Acme {index}"));
        key.add(&wide(&format!("{{{index:08}}}")), &[("DisplayName", REG_SZ, &name)]);
    }
    let asked = names(&["DisplayName"]);
    let subkeys =
        sorted(Machine::new().subkeys(Hive::LocalMachine, View::Bits32, key.path(), &asked).unwrap());
    assert_eq!(subkeys.len(), 2_000);
    for (index, subkey) in subkeys.iter().enumerate() {
        assert_eq!(subkey.values, [Value::Text(format!("Acme {index}"))]);
    }
}

#[test]
fn more_keys_than_the_limit_are_too_large() {
    let key = TestKey::create(Hive::CurrentUser, View::Bits64).unwrap();
    for index in 0..16_384 {
        key.add(&wide(&format!("{index}")), &[]);
    }
    let list = || Machine::new().subkeys(Hive::CurrentUser, View::Bits64, key.path(), &[]);
    assert_eq!(list().unwrap().len(), 16_384);
    key.add(&wide("one more"), &[]);
    assert_eq!(code(list()), FaultCode::TooLarge);
}

#[test]
fn a_path_or_value_name_with_a_nul_is_refused() {
    let ask = |key: &str, name: &str| {
        Machine::new().subkeys(Hive::LocalMachine, View::Bits64, key, &names(&[name]))
    };
    assert_eq!(code(ask("SOFTWARE\0x", "DisplayName")), FaultCode::Refused);
    assert_eq!(code(ask("SOFTWARE", "Display\0Name")), FaultCode::Refused);
}
