//! The caps, on a host that answers whatever it likes.
#![expect(clippy::panic, reason = "these are tests, with helpers beside them")]

use std::sync::atomic::{AtomicUsize, Ordering};

use appdecl_facts::limits::{
    MAX_DETAIL, MAX_NAMES, MAX_REGISTRY_TEXT, MAX_SUBKEYS, MAX_VALUES, MAX_VARIABLE, UNINSTALL_KEY,
};
use appdecl_facts::{
    Answer, Contents, Failure, Fault, FaultCode, Hive, HostFacts, Limited, Node, NodeKind, Os, ProcessState,
    ProcessStatus, Session, Subkey, Value, View,
};

/// Answers without any bounds, and counts what it is asked.
struct Boundless {
    os: Os,
    size: usize,
    asked: AtomicUsize,
}

fn boundless(os: Os, size: usize) -> Limited<Boundless> {
    Limited::new(Boundless { os, size, asked: AtomicUsize::new(0) })
}

impl Boundless {
    fn count(&self) -> usize {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.size
    }
}

impl HostFacts for Boundless {
    fn os(&self) -> Answer<Os> {
        Ok(self.os)
    }
    fn variable(&self, _: &str) -> Answer<String> {
        Ok("x".repeat(self.count()))
    }
    fn stat(&self, _: &str) -> Answer<Node> {
        self.count();
        Ok(Node { kind: NodeKind::File, executable: true })
    }
    fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
        Ok(vec!["name".to_owned(); self.count()])
    }
    fn plist(&self, _: &str) -> Answer<Vec<u8>> {
        Ok(vec![0; self.count()])
    }
    fn pe(&self, _: &str, _: u64, _: u32) -> Answer<Vec<u8>> {
        Ok(vec![0; self.count()])
    }
    fn subkeys(&self, _: Hive, _: View, _: &str, _: &[String]) -> Answer<Vec<Subkey>> {
        let values = vec![Value::Text("v".to_owned())];
        Ok(vec![Subkey { name: "key".to_owned(), values }; self.count()])
    }
    fn runtime_file(&self, _: &str) -> Answer<Contents> {
        let bytes = vec![0; self.count()];
        Ok(Contents { size: 1, bytes, modified: None, owner: None, group: None, mode: Some(0o100_644) })
    }
    fn process(&self, _: u32) -> Answer<ProcessStatus> {
        self.count();
        Ok(ProcessStatus { state: ProcessState::Running, started: None })
    }
    fn session(&self) -> Answer<Session> {
        Err(Fault::new(FaultCode::Io, "é".repeat(self.count())).into())
    }
}

#[track_caller]
fn code<T: std::fmt::Debug>(answer: Answer<T>) -> FaultCode {
    match answer {
        Err(Failure::Fault(fault)) => fault.code,
        other => panic!("expected a fault, found {other:?}"),
    }
}

fn values(count: usize) -> Vec<String> {
    vec!["DisplayName".to_owned(); count]
}

#[test]
fn no_question_about_a_network_or_relative_path_reaches_the_host() {
    let long = format!("/{}", "x".repeat(4096));
    for (os, paths) in [
        (
            Os::Win32,
            [
                r"\\server\share",
                "//server/share",
                r"\\?\C:\x",
                r"\\.\C:",
                "C:",
                "/x",
                "C:\\a\0",
                r"C:\a\..\b",
            ],
        ),
        (Os::Linux, ["x", "", r"C:\x", "/a\0", "/a\n", "/../x", "~/x", &long]),
        (Os::Darwin, ["x", "", r"C:\x", "/a\0", "/a\n", "/../x", "~/x", &long]),
    ] {
        let host = boundless(os, 1);
        for path in paths {
            assert_eq!(code(host.stat(path)), FaultCode::Refused, "{path}");
            assert_eq!(code(host.list(path, "")), FaultCode::Refused, "{path}");
            assert_eq!(code(host.plist(path)), FaultCode::Refused, "{path}");
            assert_eq!(code(host.pe(path, 0, 2)), FaultCode::Refused, "{path}");
            assert_eq!(code(host.runtime_file(path)), FaultCode::Refused, "{path}");
        }
        assert_eq!(host.get_ref().asked.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn an_absolute_path_reaches_the_host() {
    for (os, path) in [(Os::Win32, r"C:\x"), (Os::Win32, "c:/x"), (Os::Linux, "/x"), (Os::Darwin, "/x")] {
        let host = boundless(os, 1);
        assert!(host.stat(path).is_ok());
        assert_eq!(host.get_ref().asked.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn the_registry_answers_for_the_uninstall_entries_alone() {
    let host = boundless(Os::Win32, 1);
    let ask = |key: &str| host.subkeys(Hive::LocalMachine, View::Bits64, key, &values(1));
    assert!(ask(UNINSTALL_KEY).is_ok());
    assert!(ask(&UNINSTALL_KEY.to_lowercase()).is_ok());
    for key in [
        "",
        "SOFTWARE",
        r"SOFTWARE\Microsoft\Windows\CurrentVersion\Run",
        r"SOFTWARE\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall",
        r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\Acme",
        r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\",
        r"\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall",
        "SOFTWARE/Microsoft/Windows/CurrentVersion/Uninstall",
    ] {
        assert_eq!(code(ask(key)), FaultCode::Refused, "{key}");
    }
    assert_eq!(host.get_ref().asked.load(Ordering::Relaxed), 2);
}

#[test]
fn values_are_asked_for_by_a_few_proper_names() {
    let host = boundless(Os::Win32, 1);
    let ask = |names: &[String]| host.subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL_KEY, names);
    assert!(ask(&values(MAX_VALUES)).is_ok());
    assert_eq!(code(ask(&values(MAX_VALUES + 1))), FaultCode::Refused);
    assert_eq!(code(ask(&["a\0b".to_owned()])), FaultCode::Refused);
    assert_eq!(code(ask(&["é".repeat(16_384)])), FaultCode::Refused);
}

#[test]
fn every_key_has_as_many_values_as_were_asked_for() {
    let host = boundless(Os::Win32, 1);
    let ask = |count| host.subkeys(Hive::LocalMachine, View::Bits32, UNINSTALL_KEY, &values(count)).unwrap();
    assert_eq!(ask(3)[0].values, [Value::Text("v".to_owned()), Value::Missing, Value::Missing]);
    assert_eq!(ask(0)[0].values, []);
}

#[test]
fn process_numbers_are_between_1_and_2147483647() {
    let host = boundless(Os::Linux, 1);
    for pid in [0, 1 << 31, u32::MAX] {
        assert_eq!(code(host.process(pid)), FaultCode::Refused, "{pid}");
    }
    for pid in [1, (1 << 31) - 1] {
        assert!(host.process(pid).is_ok(), "{pid}");
    }
}

#[test]
fn an_answer_at_its_limit_passes_and_one_beyond_does_not() {
    let of = |size| boundless(Os::Linux, size);
    let keys =
        |host: Limited<Boundless>| host.subkeys(Hive::LocalMachine, View::Bits64, UNINSTALL_KEY, &values(1));
    assert!(of(MAX_VARIABLE).variable("X").is_ok());
    assert_eq!(code(of(MAX_VARIABLE + 1).variable("X")), FaultCode::TooLarge);
    assert!(of(MAX_NAMES).list("/", "").is_ok());
    assert_eq!(code(of(MAX_NAMES + 1).list("/", "")), FaultCode::TooLarge);
    assert!(of(1 << 20).plist("/A.app").is_ok());
    assert_eq!(code(of((1 << 20) + 1).plist("/A.app")), FaultCode::TooLarge);
    assert!(keys(of(MAX_SUBKEYS)).is_ok());
    assert_eq!(code(keys(of(MAX_SUBKEYS + 1))), FaultCode::TooLarge);
    assert_eq!(code(of(1).variable(&"X".repeat(40_000))), FaultCode::Refused);
}

#[test]
fn a_range_is_cut_to_what_was_asked_for() {
    let host = boundless(Os::Linux, 1 << 20);
    assert_eq!(host.pe("/x.exe", 0, 10).unwrap().len(), 10);
    assert_eq!(host.pe("/x.exe", 0, u32::MAX).unwrap().len(), 65_536);
}

#[test]
fn a_runtime_file_is_whole_or_empty_and_its_size_true() {
    let at_limit = boundless(Os::Linux, 65_536).runtime_file("/x").unwrap();
    assert_eq!((at_limit.size, at_limit.bytes.len(), at_limit.mode), (65_536, 65_536, Some(0o644)));
    let beyond = boundless(Os::Linux, 65_537).runtime_file("/x").unwrap();
    assert_eq!((beyond.size, beyond.bytes.len()), (65_537, 0));
}

#[test]
fn the_words_of_a_fault_are_clipped_between_characters() {
    let Err(Failure::Fault(fault)) = boundless(Os::Linux, 10_000).session() else { panic!("no fault") };
    assert_eq!(fault.code, FaultCode::Io);
    assert_eq!(fault.detail, "é".repeat(MAX_DETAIL / 2));
}

/// Answers one list of keys and one of names.
struct Fixed(Vec<Subkey>, Vec<String>);

impl HostFacts for Fixed {
    fn os(&self) -> Answer<Os> {
        Ok(Os::Win32)
    }
    fn variable(&self, _: &str) -> Answer<String> {
        Err(Failure::Unanswerable("a recording does not hold it".to_owned()))
    }
    fn stat(&self, _: &str) -> Answer<Node> {
        unreachable!()
    }
    fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
        Ok(self.1.clone())
    }
    fn plist(&self, _: &str) -> Answer<Vec<u8>> {
        unreachable!()
    }
    fn pe(&self, _: &str, _: u64, _: u32) -> Answer<Vec<u8>> {
        unreachable!()
    }
    fn subkeys(&self, _: Hive, _: View, _: &str, _: &[String]) -> Answer<Vec<Subkey>> {
        Ok(self.0.clone())
    }
    fn runtime_file(&self, _: &str) -> Answer<Contents> {
        unreachable!()
    }
    fn process(&self, _: u32) -> Answer<ProcessStatus> {
        unreachable!()
    }
    fn session(&self) -> Answer<Session> {
        unreachable!()
    }
}

fn key_with(value: Value) -> Subkey {
    Subkey { name: "key".to_owned(), values: vec![value] }
}

#[test]
fn one_value_that_is_too_large_spoils_no_other() {
    let fits = "é".repeat(MAX_REGISTRY_TEXT);
    let host = Limited::new(Fixed(
        vec![
            key_with(Value::Text(fits.clone())),
            key_with(Value::ExpandableText("x".repeat(MAX_REGISTRY_TEXT + 1))),
            key_with(Value::Number(1)),
        ],
        vec![],
    ));
    let keys = host.subkeys(Hive::LocalMachine, View::Bits64, UNINSTALL_KEY, &values(1)).unwrap();
    assert_eq!(keys[0].values, [Value::Text(fits)]);
    assert!(matches!(&keys[1].values[..], [Value::Unreadable(fault)] if fault.code == FaultCode::TooLarge));
    assert_eq!(keys[2].values, [Value::Number(1)]);
}

#[test]
fn many_large_values_together_are_too_large() {
    let keys = vec![key_with(Value::Text("x".repeat(MAX_REGISTRY_TEXT))); 300];
    let answer =
        Limited::new(Fixed(keys, vec![])).subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL_KEY, &values(1));
    assert_eq!(code(answer), FaultCode::TooLarge);
}

#[test]
fn what_is_no_name_is_left_out() {
    let names = ["a", "", ".", "..", "a/b", r"a\b", "a\0", "b "].map(str::to_owned).to_vec();
    assert_eq!(Limited::new(Fixed(vec![], names)).list(r"C:\", "").unwrap(), ["a", "b "]);
    let long = vec!["x".repeat(1 << 20); 9];
    assert_eq!(code(Limited::new(Fixed(vec![], long)).list(r"C:\", "")), FaultCode::TooLarge);
}

#[test]
fn a_question_that_a_recording_does_not_hold_stays_unanswerable() {
    let answer = Limited::new(Fixed(vec![], vec![])).variable("X");
    assert!(matches!(answer, Err(Failure::Unanswerable(_))), "{answer:?}");
}
