//! Recordings through the public surface: what is noted answers as the machine did, and tells no secret.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests")]

use appdecl_facts::document::{Document, Syntax};
use appdecl_facts::{
    Answer, Contents, FactsFile, Failure, Fault, FaultCode, Hive, HostFacts, Naming, Node, NodeKind, Os,
    Principal, ProcessState, ProcessStatus, Recorder, Replay, Session, Subkey, Value, View,
};

const UNINSTALL: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall";

fn replay(text: &str) -> Replay {
    let document =
        Document::parse(text, Syntax::Yaml, 64 << 20).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match FactsFile::parse(document.root()) {
        Ok(facts) => Replay::new(facts),
        Err(faults) => panic!("{faults:#?}\n{text}"),
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A machine that gives one answer of each kind, whatever it is asked.
#[derive(Clone, Default)]
struct Machine {
    variable: String,
    names: Vec<String>,
    plist: Vec<u8>,
    program: Vec<u8>,
    subkeys: Vec<Subkey>,
    runtime_file: Vec<u8>,
    user: Option<(Os, String, String)>,
}

impl HostFacts for Machine {
    fn os(&self) -> Answer<Os> {
        Ok(self.user.as_ref().map_or(Os::Win32, |(os, ..)| *os))
    }
    fn variable(&self, name: &str) -> Answer<String> {
        match (name, &self.user) {
            ("HOME" | "USERPROFILE", Some((_, home, _))) => Ok(home.clone()),
            ("USER" | "USERNAME" | "LOGNAME", Some((.., name))) => Ok(name.clone()),
            _ => Ok(self.variable.clone()),
        }
    }
    fn stat(&self, _: &str) -> Answer<Node> {
        Ok(Node { kind: NodeKind::File, executable: false })
    }
    fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
        Ok(self.names.clone())
    }
    fn plist(&self, _: &str) -> Answer<Vec<u8>> {
        Ok(self.plist.clone())
    }
    fn pe(&self, _: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(self.program.iter().skip(skipped).take(length as usize).copied().collect())
    }
    fn subkeys(&self, _: Hive, _: View, _: &str, _: &[String]) -> Answer<Vec<Subkey>> {
        Ok(self.subkeys.clone())
    }
    fn runtime_file(&self, _: &str) -> Answer<Contents> {
        let size = self.runtime_file.len() as u64;
        Ok(Contents {
            size,
            bytes: self.runtime_file.clone(),
            modified: None,
            owner: None,
            group: None,
            mode: None,
        })
    }
    fn process(&self, _: u32) -> Answer<ProcessStatus> {
        Err(Failure::Fault(Fault::new(FaultCode::Denied, "")))
    }
    fn session(&self) -> Answer<Session> {
        Ok(Session::Darwin)
    }
}

const LINUX: &str = r#"
os: linux
env: { HOME: /home/alice, PATH: '/home/alice/bin:/usr/bin', ODD: { error: unsupported } }
files:
  /opt/acme: { executable: true, text: '#!/bin/sh' }
  /opt/link: { link: /opt }
  /opt/denied: { error: denied }
  /opt/pipe: { error: fifo }
  /opt/broken: { error: io }
  ~/.acme/server.json: { text: '{"pid": 4242, "http": "http://127.0.0.1:51234/x?y", "token": "tok-SECRET-1"}', modified: 2026-01-01T10:00:00.250Z, group: other, mode: '0660' }
  /big.json: { text: x, size: 70000 }
  /A.app/Contents/Info.plist: { plist: { CFBundleShortVersionString: 2.3.0 } }
processes: { 4242: { started: 2026-01-01T09:59:00Z }, 7: { zombie: true }, 8: { denied: true } }
session: { audit_session: 3, runtime_dir: readable }
"#;

fn ask_linux(host: &impl HostFacts) -> Vec<String> {
    let mut answers = vec![format!("{:?}", host.os())];
    for name in ["HOME", "PATH", "ODD", "GONE"] {
        answers.push(format!("{:?}", host.variable(name).map_err(code)));
    }
    for path in ["/opt/acme", "/opt", "/opt/link", "/opt/denied", "/opt/pipe", "/gone", "/opt/broken"] {
        answers.push(format!("{:?}", host.stat(path).map_err(code)));
    }
    for (folder, prefix) in
        [("/opt", ""), ("/opt", "ac"), ("/opt/denied", ""), ("/gone", "x"), ("/opt/acme", "")]
    {
        answers.push(format!("{:?}", host.list(folder, prefix).map_err(code)));
    }
    for bundle in ["/A.app", "/B.app"] {
        answers.push(format!("{:?}", host.plist(bundle).map_err(code)));
    }
    for path in ["/gone.json", "/opt/pipe", "/opt/denied", "/big.json"] {
        answers.push(format!("{:?}", host.runtime_file(path).map_err(code)));
    }
    for pid in [4242, 7, 8, 9] {
        answers.push(format!("{:?}", host.process(pid).map_err(code)));
    }
    answers.push(format!("{:?}", host.session().map_err(code)));
    answers
        .push(format!("{:?}", host.subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL, &[]).map_err(code)));
    answers
}

/// The code of a fault: the words for people are not recorded.
fn code(failure: Failure) -> FaultCode {
    match failure {
        Failure::Fault(fault) => fault.code,
        Failure::Unanswerable(question) => panic!("{question}"),
    }
}

#[test]
fn a_recording_answers_what_the_machine_answered() {
    let machine = replay(LINUX);
    let recorder = Recorder::new(replay(LINUX)).unwrap();
    let answers = ask_linux(&recorder);
    assert_eq!(answers, ask_linux(&machine));
    let recording = replay(&recorder.facts_file(Naming::Kept));
    assert!(recording.facts().is_recorded());
    assert_eq!(ask_linux(&recording), answers);
    let again = Recorder::new(recording).unwrap();
    ask_linux(&again);
    assert_eq!(again.facts_file(Naming::Kept), recorder.facts_file(Naming::Kept));
}

#[test]
fn a_recording_reads_well() {
    let recorder = Recorder::new(replay(LINUX)).unwrap();
    ask_linux(&recorder);
    recorder.runtime_file("/home/alice/.acme/server.json").unwrap();
    let text = recorder.facts_file(Naming::Hidden);
    assert_eq!(
        text,
        r#"facts: 1
recorded: true
os: linux
env:
  GONE: { error: absent }
  HOME: /home/u
  ODD: { error: unsupported }
  PATH: '/home/u/bin:/usr/bin'
files:
  /A.app/Contents/Info.plist:
    plist:
      text: |
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        <key>CFBundleShortVersionString</key>
        <string>2.3.0</string>
        </dict>
        </plist>
  /B.app/Contents/Info.plist:
    plist: absent
  /big.json:
    runtime_file:
      text: ''
      size: 70000
      owner: self
      group: self
      mode: '0600'
  /gone:
    stat: absent
    list:
      x: absent
  /gone.json:
    runtime_file: absent
  /home/u/.acme/server.json:
    runtime_file:
      text: '{"pid": 4242, "http": "http://127.0.0.1:51234/xxx", "token": "xxxxxxxx"}'
      modified: 2026-01-01T10:00:00.250Z
      owner: self
      group: other
      mode: '0660'
  /opt:
    stat: dir
    list:
      '': [ acme, broken, denied, link, pipe ]
      ac: [ acme ]
  /opt/acme:
    stat: executable
    list:
      '': { error: not-regular }
  /opt/broken: { error: io, detail: 'the facts file says so, or links lead in a circle' }
  /opt/denied:
    stat: { error: denied }
    list:
      '': { error: denied }
    runtime_file: { error: denied }
  /opt/link: dir
  /opt/pipe:
    stat: other
    runtime_file: { error: not-regular }
registry:
  HKCU\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall: { error: unsupported }
processes:
  7: { zombie: true }
  8: { denied: true }
  9: absent
  4242: { started: 2026-01-01T09:59:00Z }
session: { audit_session: 3, runtime_dir: readable }
"#
    );
}

#[test]
fn any_other_question_is_named_and_not_answered() {
    let recorder = Recorder::new(replay(LINUX)).unwrap();
    recorder.stat("/opt/acme").unwrap();
    recorder.list("/opt", "ac").unwrap();
    let host = replay(&recorder.facts_file(Naming::Kept));
    host.stat("/opt/acme").unwrap();
    let unanswered = |answer: Answer<()>, words: &[&str]| match answer {
        Err(Failure::Unanswerable(question)) => {
            for word in words {
                assert!(question.contains(word), "{question}");
            }
        }
        other => panic!("{other:?}"),
    };
    unanswered(host.stat("/opt/other").map(drop), &["/opt/other"]);
    unanswered(host.stat("/OPT/acme").map(drop), &["/OPT/acme"]);
    unanswered(host.list("/opt", "").map(drop), &["names", "/opt"]);
    unanswered(host.list("/opt", "acm").map(drop), &["`acm`", "/opt"]);
    unanswered(host.runtime_file("/opt/acme").map(drop), &["runtime file", "/opt/acme"]);
    unanswered(host.plist("/A.app").map(drop), &["property list", "/A.app"]);
    unanswered(host.pe("/opt/acme", 60, 4).map(drop), &["4 bytes at 60", "/opt/acme"]);
    unanswered(host.variable("HOME").map(drop), &["`HOME`"]);
    unanswered(host.process(4242).map(drop), &["4242"]);
    unanswered(host.session().map(drop), &["session"]);
    let names = strings(&["DisplayName"]);
    unanswered(
        host.subkeys(Hive::LocalMachine, View::Bits32, UNINSTALL, &names).map(drop),
        &["WOW6432Node", "DisplayName"],
    );
}

#[test]
fn what_can_not_be_answered_is_not_recorded() {
    let empty = replay("{ facts: 1, recorded: true, os: linux }");
    let recorder = Recorder::new(empty).unwrap();
    for _ in 0..2 {
        assert!(matches!(recorder.stat("/a"), Err(Failure::Unanswerable(_))));
        assert!(matches!(recorder.runtime_file("/a"), Err(Failure::Unanswerable(_))));
    }
    assert_eq!(recorder.facts_file(Naming::Kept), "facts: 1\nrecorded: true\nos: linux\n");
}

#[test]
fn a_recorder_that_is_given_away_still_tells_what_it_noted() {
    let recorder = std::sync::Arc::new(Recorder::new(replay(LINUX)).unwrap());
    let given_away: Box<dyn HostFacts> = Box::new(std::sync::Arc::clone(&recorder));
    std::thread::scope(|scope| {
        for path in ["/opt", "/gone"] {
            let host = &given_away;
            scope.spawn(move || host.stat(path).is_ok());
        }
    });
    assert!(recorder.facts_file(Naming::Hidden).ends_with("files:\n  /gone: absent\n  /opt: dir\n"));
}

#[test]
fn the_order_of_the_questions_leaves_no_trace() {
    let one = Recorder::new(replay(LINUX)).unwrap();
    ask_linux(&one);
    let other = Recorder::new(replay(LINUX)).unwrap();
    other.session().unwrap();
    ask_linux(&other);
    ask_linux(&other);
    assert_eq!(one.facts_file(Naming::Hidden), other.facts_file(Naming::Hidden));
}

#[test]
fn program_files_are_recorded_as_the_ranges_that_were_read() {
    let program: Vec<u8> =
        b"MZ".iter().copied().chain((2..=1_999_u32).map(|byte| (byte % 251) as u8)).collect();
    let machine = Machine { program: program.clone(), ..Machine::default() };
    let recorder = Recorder::new(machine).unwrap();
    for (offset, length) in [(0, 64), (1_000, 100), (60, 40), (1_050, 100), (1_990, 50), (5_000, 10)] {
        recorder.pe(r"C:\a.exe", offset, length).unwrap();
    }
    let text = recorder.facts_file(Naming::Hidden);
    assert_eq!(text.matches("offset:").count(), 4, "{text}");
    let host = replay(&text);
    for (offset, length) in
        [(0, 100), (0, 64), (60, 40), (1_000, 150), (1_020, 7), (1_990, 50), (1_995, 60_000), (6_000, 1)]
    {
        let expected: Vec<u8> = program.iter().skip(offset).take(length).copied().collect();
        assert_eq!(
            host.pe(r"C:\a.exe", offset as u64, length as u32).unwrap(),
            expected,
            "{offset} {length}"
        );
    }
    for (offset, length) in [(0, 101), (99, 2), (999, 2), (1_149, 2), (500, 1)] {
        assert!(
            matches!(host.pe(r"C:\a.exe", offset, length), Err(Failure::Unanswerable(_))),
            "{offset} {length}"
        );
    }
}

#[test]
fn registry_keys_are_recorded_with_the_values_that_were_asked_for() {
    let facts = r"
os: win32
registry:
  'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\A': { DisplayName: '2.3', DisplayVersion: '', Where: { expand: '%X%\y' }, Size: { dword: 7 }, Large: { qword: 4294967296 }, Odd: { other: true }, Bad: { error: io }, Secret: hidden }
  'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\{B-1}': { error: denied }
  'HKCU\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall': {}
";
    let machine = replay(facts);
    let names = strings(&["DisplayName", "DisplayVersion", "Where", "Size", "Large", "Odd", "Bad", "Gone"]);
    let recorder = Recorder::new(replay(facts)).unwrap();
    let ask = |host: &dyn HostFacts, names: &[String]| {
        let mut answers = Vec::new();
        for hive in [Hive::LocalMachine, Hive::CurrentUser] {
            for view in [View::Bits64, View::Bits32] {
                answers.push(host.subkeys(hive, view, UNINSTALL, names).map_err(code));
            }
        }
        answers
    };
    ask(&recorder, &names[..5]);
    ask(&recorder, &names);
    let text = recorder.facts_file(Naming::Hidden);
    assert!(!text.contains("hidden"), "{text}");
    let host = replay(&text);
    assert_eq!(ask(&host, &names), ask(&machine, &names));
    assert_eq!(ask(&host, &names[2..4]), ask(&machine, &names[2..4]));
    let other = host.subkeys(Hive::LocalMachine, View::Bits64, UNINSTALL, &strings(&["Secret"]));
    assert!(matches!(other, Err(Failure::Unanswerable(_))));
}

#[test]
fn two_keys_of_one_name_and_odd_names_survive() {
    let key =
        |name: &str, version: &str| Subkey { name: name.into(), values: vec![Value::Text(version.into())] };
    let subkeys =
        vec![key("A\u{fffd}", "1"), key("A\u{fffd}", "2"), key("", "3"), key("a: b\n- c", "4\0\u{202e}")];
    let recorder = Recorder::new(Machine { subkeys: subkeys.clone(), ..Machine::default() }).unwrap();
    let names = strings(&["DisplayVersion"]);
    recorder.subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL, &names).unwrap();
    let mut found = replay(&recorder.facts_file(Naming::Hidden))
        .subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL, &names)
        .unwrap();
    found.sort_by(|one, other| format!("{one:?}").cmp(&format!("{other:?}")));
    let mut subkeys = subkeys;
    subkeys.sort_by(|one, other| format!("{one:?}").cmp(&format!("{other:?}")));
    assert_eq!(found, subkeys);
}

#[test]
fn any_text_is_written_so_that_it_is_read_back() {
    let pieces = [
        "a",
        "B",
        "7",
        ".",
        "2.3",
        "~",
        "null",
        "true",
        "-",
        "- ",
        ": ",
        ":",
        "#",
        " #",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\t",
        "\r",
        "\r\n",
        "'",
        "\"",
        "\\",
        "\\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&",
        "*",
        "!",
        "|",
        ">",
        "%",
        "@",
        "`",
        "?",
        "<<",
        "---",
        "...",
        "\0",
        "\u{1b}",
        "\u{7f}",
        "\u{85}",
        "\u{a0}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffe}",
        "\u{202e}",
        "é",
        "😀",
        "\u{10ffff}",
        "0x1f",
        "=",
        "absent",
        "file",
    ];
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..1_000 {
        let mut text = String::new();
        for _ in 0..random.below(7) {
            text.push_str(pieces[random.below(pieces.len())]);
        }
        let machine = Machine {
            variable: text.clone(),
            names: vec![text.clone(), format!("{text}x")],
            plist: text.clone().into_bytes(),
            subkeys: vec![Subkey { name: text.clone(), values: vec![Value::ExpandableText(text.clone())] }],
            ..Machine::default()
        };
        let recorder = Recorder::new(machine.clone()).unwrap();
        let names = vec![text.clone()];
        let ask = |host: &dyn HostFacts| {
            (
                host.variable(&text),
                host.stat(&text),
                host.list(&text, &text),
                host.plist(&text),
                host.subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL, &names),
            )
        };
        let mut expected = ask(&recorder);
        if let Ok(names) = &mut expected.2 {
            names.sort();
        }
        let written = recorder.facts_file(Naming::Kept);
        assert_eq!(ask(&replay(&written)), expected, "{text:?}\n{written}");
    }
}

#[test]
fn bytes_that_are_no_text_are_written_in_base64() {
    for bytes in [
        vec![],
        vec![0],
        vec![0xff, 0xfe],
        b"bplist00\xd1".to_vec(),
        (0..=255).collect::<Vec<u8>>(),
        b"a\x1bb".to_vec(),
        vec![b'x'; 5_000],
    ] {
        let recorder = Recorder::new(Machine { plist: bytes.clone(), ..Machine::default() }).unwrap();
        recorder.plist(r"C:\A.app").unwrap();
        let written = recorder.facts_file(Naming::Hidden);
        assert_eq!(replay(&written).plist(r"C:\A.app").unwrap(), bytes, "{written}");
    }
}

/// What a recording of a runtime file holds, without and with a declaration that names its keys.
fn masked(bytes: &[u8], declaration: &str) -> Vec<u8> {
    let recorder = Recorder::new(Machine { runtime_file: bytes.to_vec(), ..Machine::default() }).unwrap();
    let recorder = recorder.with_declaration(declaration);
    assert_eq!(recorder.runtime_file(r"C:\r").unwrap().bytes, bytes, "the answer itself is whole");
    let contents = replay(&recorder.facts_file(Naming::Hidden)).runtime_file(r"C:\r").unwrap();
    assert_eq!(contents.size, contents.bytes.len() as u64);
    contents.bytes
}

fn masked_text(text: &str) -> String {
    String::from_utf8(masked(text.as_bytes(), "{}")).unwrap()
}

#[test]
fn strings_of_a_runtime_file_keep_their_kind_and_nothing_else() {
    for (text, expected) in [
        (
            r#"{"pid": 4242, "http": "http://127.0.0.1:51234/mcp?t=SECRET#SECRET", "token": "tok-SECRET-1"}"#,
            r#"{"pid": 4242, "http": "http://127.0.0.1:51234/xxxxxxxx", "token": "xxxxxxxx"}"#,
        ),
        (r#"{"token": ""}"#, r#"{"token": ""}"#),
        (r#"{"token": null, "pid": true, "http": 7.0}"#, r#"{"token": null, "pid": true, "http": 9.9}"#),
        (r#"{"token": "a b"}"#, r#"{"token": "x x"}"#),
        (r#"{"token": "a\tb\u00e9é"}"#, r#"{"token": "x\txéé"}"#),
        (r#"{"pid": "4242"}"#, r#"{"pid": "xxxx"}"#),
        (
            r#"{"secret": "x", "other": {"secret": ["SECRET"]}}"#,
            r#"{"masked1": "x", "masked2": {"masked1": ["xxxxxx"]}}"#,
        ),
        (r#"{"http": "HTTP://LOCALHOST:080"}"#, r#"{"http": "HTTP://LOCALHOST:080"}"#),
        (r#"{"http": "http:\/\/[::1]:8765\/SECRET"}"#, r#"{"http": "http://[::1]:8765/xxxxxx"}"#),
        (
            r#"{"http": "http://SECRET:SECRET@127.0.0.1:1234"}"#,
            r#"{"http": "http://xxxxxxxx@127.0.0.1:1234"}"#,
        ),
        (r#"{"http": "http://SECRET.example:1234/"}"#, r#"{"http": "http://aaaaaa.aaaaaaa:1234/"}"#),
        (r#"{"http": "http://127.0.0.1.nip.io:5"}"#, r#"{"http": "http://999.9.9.9.aaa.aa:5"}"#),
        (r#"{"http": "http://localhost.:51234"}"#, r#"{"http": "http://aaaaaaaaa.:51234"}"#),
        (r#"{"http": "http://127.0.0.1:5:SECRET/"}"#, r#"{"http": "http://127.0.0.1:5:aaaaaa/"}"#),
        (
            "{\"http\": \"http://127.0.0.1:5\u{a0}1/\", \"token\": \"\u{80}\"}",
            "{\"http\": \"http://127.0.0.1:5\u{a0}9/\", \"token\": \"\u{80}\"}",
        ),
        (r#"{"http": "http://127.0.0.1:99999"}"#, r#"{"http": "http://127.0.0.1:99999"}"#),
        (r#"{"http": "http://127.0.0.1:123456789"}"#, r#"{"http": "http://127.0.0.1:999999"}"#),
        (r#"{"http": "http://127.0.0.1:SECRET"}"#, r#"{"http": "http://127.0.0.1:aaaaaa"}"#),
        (r#"{"http": "http://127.0.0.1/SECRET"}"#, r#"{"http": "http://127.0.0.1/xxxxxx"}"#),
        (r#"{"http": "http://127.0.0.1:51234 "}"#, r#"{"http": "http://127.0.0.1:51234 "}"#),
        (
            r#"{"http": "http://127.0.0.1:51234/a\\SECRET b"}"#,
            r#"{"http": "http://127.0.0.1:51234/x\\xxxxxx x"}"#,
        ),
        (r#"{"http": "SECRET://127.0.0.1:5"}"#, r#"{"http": "xxxxxx://127.0.0.1:5"}"#),
        (r#"{"http": "127.0.0.1:5"}"#, r#"{"http": "xxxxxxxx"}"#),
        // What is broken stays so, and its strings are masked all the same.
        (r#"{"pid": 4242, "token": "tok-SECRET-1"#, r#"{"pid": 4242, "token": "xxxxxxxx"#),
        (r#"{"pid": 4242, "http": "http://127.0.0.1:51"#, r#"{"pid": 4242, "http": "xxxxxxxx"#),
        (r#"{"pid": 4242, "token": "SECRET\"#, r#"{"pid": 4242, "token": "xxxxxx\"#),
        (r#"{'token': 'tok-SECRET-1'}"#, r#"{xxxxxxx: xxxxxxxx}"#),
        (r#"{token: SECRET, "pid" 5}"#, r#"{xxxxx: xxxxxx, "xxx" 9}"#),
        ("{\"token\": \"SEC\nRET\"}", "{\"token\": \"xxx\nxxx\"}"),
        (r#"{"token": "SECRET\q\u12"}"#, r#"{"token": "xxxxxx\z\zxx"}"#),
        (r#"{"token": "SECRET\ud83d"}"#, r#"{"token": "xxxxxx\ud800"}"#),
        (r#"["SECRET"] "SECRET" tok // SECRET"#, r#"["xxxxxx"] "xxxxxx" xxx xx xxxxxx"#),
        ("\u{feff}\u{feff}{\"pid\": 7}", "\u{feff}\u{feff}{\"pid\": 7}"),
        (
            r#"{"pid": 123456789012345678901, "n": 12345678901234567890}"#,
            r#"{"pid": 999999999999999999999, "masked1": 99999999999999999999}"#,
        ),
        // A token that is no string is refused, and is a secret all the same.
        (r#"{"token": 84129736, "pid": 4242}"#, r#"{"token": 99999999, "pid": 4242}"#),
        (r#"{"token":84129736501284"#, r#"{"token":99999999999999"#),
        (r#"{"pid": {"a": 84129736}}"#, r#"{"pid": {"masked1": 99999999}}"#),
        (r#"{"pid": [84129736]}"#, r#"{"pid": [99999999]}"#),
        ("", ""),
        ("4242", "9999"),
        ("SECRET", "xxxxxx"),
    ] {
        let found = masked_text(text);
        assert_eq!(found, expected, "{text}");
        let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(is_json(&found), is_json(text), "{text}");
    }
}

#[test]
fn the_process_number_is_kept_under_the_key_that_a_declaration_gives_it() {
    let file = br#"{"p": 4242, "pid": 5, "port": 84129736}"#;
    let declaration = r#"{"liveness": {"kind": "server_json", "path": "/run/a.json", "pid_key": "p"}}"#;
    let found = String::from_utf8(masked(file, declaration)).unwrap();
    assert_eq!(found, r#"{"p": 4242, "pid": 5, "masked1": 99999999}"#);
}

#[test]
fn the_length_of_a_token_shows_only_where_it_is_too_long_for_one() {
    for (length, expected) in [(9, 8), (8_192, 8), (8_193, 8_193)] {
        let found = masked_text(&format!("{{\"token\": \"{}\"}}", "s".repeat(length)));
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(value["token"].as_str().unwrap().len(), expected);
    }
}

#[test]
fn keys_stay_that_a_declaration_asks_for() {
    let text = r#"{"process.id": 7, "address": "http://localhost:5/", "secret": "S", "more": 1, "more": 2}"#;
    let declaration = r#"{"liveness":{"fields":{"url":"address","pid":"process.id","token":"secret"}}}"#;
    let found = String::from_utf8(masked(text.as_bytes(), declaration)).unwrap();
    assert_eq!(
        found,
        r#"{"process.id": 7, "address": "http://localhost:5/", "secret": "x", "masked1": 9, "masked1": 9}"#
    );
}

#[test]
fn other_encodings_are_masked_in_their_own() {
    let text = r#"{"pid": 7, "token": "tok-SECRET-1"}"#;
    let expected = r#"{"pid": 7, "token": "xxxxxxxx"}"#;
    let little = |text: &str| -> Vec<u8> {
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    let big = |text: &str| -> Vec<u8> {
        [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect()
    };
    assert_eq!(masked(&little(text), "{}"), little(expected));
    assert_eq!(masked(&big(text), "{}"), big(expected));
    let mut odd = little(text);
    odd.push(b'S');
    let found = masked(&odd, "{}");
    assert!(found.starts_with(&little(expected)) && found.len() % 2 == 1);
    let mut half = little(text);
    half.extend([0x00, 0xdc]);
    let found = masked(&half, "{}");
    assert!(
        String::from_utf16(
            &found[2..].chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect::<Vec<_>>()
        )
        .is_err()
    );
    let mut broken = text.as_bytes().to_vec();
    broken.insert(25, 0xc3);
    let found = masked(&broken, "{}");
    assert!(str::from_utf8(&found).is_err() && !String::from_utf8_lossy(&found).contains("SEC"));
}

#[test]
fn no_slice_of_a_token_is_left_wherever_it_stands() {
    const TOKEN: &str = "tokSECRETq9";
    let places = [
        r#"{"pid": 1, "token": "TOKEN"}"#,
        r#"{"pid": 1, "TOKEN": "x"}"#,
        r#"{"a": {"TOKEN": ["TOKEN"]}}"#,
        r#"{"http": "TOKEN"}"#,
        r#"{"http": "http://TOKEN"}"#,
        r#"{"http": "http://TOKEN:1"}"#,
        r#"{"http": "http://127.0.0.1:TOKEN"}"#,
        r#"{"http": "http://[::TOKEN]:1/"}"#,
        r#"{"http": "TOKEN://TOKEN@TOKEN:1/TOKEN?TOKEN#TOKEN"}"#,
        r#"{"http": "http://u@TOKEN@127.0.0.1:1"}"#,
        r#"{"http": "http://\\TOKEN"}"#,
        r#""TOKEN"#,
        r#"TOKEN"#,
        r#"{"token": TOKEN}"#,
        r#"{"token": "TOKEN\q"}"#,
        "{\"token\": \"\u{1}TOKEN\"}",
        r#"{"token" "TOKEN": }"#,
        r#"{"token": "x" "TOKEN"}"#,
        r#"{"token": 'TOKEN'}"#,
        r#"{"token": "a\"TOKEN"}"#,
        r#"{"token": "\u0074okSECRETq9"}"#,
        r#"{"token": "\\u0074TOKEN"}"#,
        r#"TOKEN"TOKEN"TOKEN"#,
        r#"{"token": "http://127.0.0.1:1://TOKEN"}"#,
        r#"{"token": "é://TOKEN"}"#,
        r#"{"http": "http:///TOKEN"}"#,
        r#"{"http": "http://?TOKEN"}"#,
        r#"// TOKEN"#,
        "é\u{feff}TOKEN",
        r#"{"token": "\ud800TOKEN"}"#,
    ];
    for place in places {
        let text = place.replace("TOKEN", TOKEN);
        let mut variants = vec![text.clone().into_bytes(), [text.as_bytes(), b"\xff"].concat()];
        variants
            .push([0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect());
        for cut in 0..=text.len() {
            variants.extend(text.get(..cut).map(|cut| cut.as_bytes().to_vec()));
        }
        for bytes in variants {
            let found = masked(&bytes, "{}");
            let found = [
                String::from_utf8_lossy(&found).into_owned(),
                String::from_utf8_lossy(&found).replace('\0', ""),
            ]
            .concat();
            for slice in TOKEN.as_bytes().windows(4) {
                let slice = str::from_utf8(slice).unwrap();
                assert!(!found.contains(slice), "{text}: {found}");
            }
        }
    }
}

#[test]
fn masking_bears_any_text() {
    let pieces = [
        "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud8", "d800", ":", "://", "http://", "/", "@", "[::1]",
        ":80", "é", "😀", "\0", "\n", " ", "7", "1e", "tru", "null", "\u{feff}", "#", "a",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3_000 {
        let text: String = (0..random.below(12)).map(|_| pieces[random.below(pieces.len())]).collect();
        let found = masked_text(&text);
        let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(is_json(&found), is_json(&text), "{text:?} {found:?}");
        assert_eq!(masked_text(&found), found, "{text:?}: masked once is masked");
    }
}

fn hidden(os: Os, home: &str, name: &str, text: &str, declaration: &str) -> String {
    let machine =
        Machine { user: Some((os, home.into(), name.into())), variable: text.into(), ..Machine::default() };
    let recorder = Recorder::new(machine).unwrap().with_declaration(declaration);
    recorder.variable("V").unwrap();
    replay(&recorder.facts_file(Naming::Hidden)).variable("V").unwrap()
}

#[test]
fn the_user_becomes_u_in_every_spelling() {
    for (os, home, name, text, expected) in [
        (
            Os::Linux,
            "/home/alice",
            "alice",
            "/home/alice/x:/home/alice:/home/alice2/y",
            "/home/u/x:/home/u:/home/alice2/y",
        ),
        (
            Os::Linux,
            "/home/alice",
            "alice",
            "/media/alice/disk ALICE alice_bak malice",
            "/media/u/disk u u_bak malice",
        ),
        (Os::Linux, "/srv/people/a.smith/", "alice", "/srv/people/a.smith/x a.smith alice", "/home/u/x u u"),
        (Os::Linux, "/root", "root", "/root/.acme", "/home/u/.acme"),
        (Os::Linux, "/", "", "/usr/bin", "/usr/bin"),
        (Os::Darwin, "/Users/Alice", "Alice", "/users/alice/Library", "/Users/u/Library"),
        (Os::Win32, r"C:\Users\Alice Smith", "Alice Smith", r"c:\users\ALICE SMITH\x", r"C:\Users\u\x"),
        (Os::Win32, r"C:\Users\alice", "alice", "C:/Users/Alice/x", "C:/Users/u/x"),
        (
            Os::Win32,
            r"C:\Users\alice",
            "alice",
            r#"{"p": "C:\\Users\\alice\\x"}"#,
            r#"{"p": "C:\\Users\\u\\x"}"#,
        ),
        (
            Os::Win32,
            r"D:\Profiles\alexander",
            "alexander",
            r"D:\Profiles\alexander C:\USERS\ALEXAN~1\Temp",
            r"C:\Users\u C:\USERS\u~1\Temp",
        ),
    ] {
        assert_eq!(hidden(os, home, name, text, "{}"), expected, "{text}");
    }
}

#[test]
fn what_a_declaration_says_itself_is_kept_so_that_it_can_be_replayed() {
    let declaration = r#"{"app":{"linux":{"location":"/opt/acme/acme"}}}"#;
    assert_eq!(
        hidden(Os::Linux, "/home/acme", "acme", "/opt/acme /home/acme/x", declaration),
        "/opt/acme /home/u/x"
    );
    let declaration = r#"{"app":{"win32":{"location":"C:\\Users\\alice\\acme.exe"}}}"#;
    let text = r"C:\Users\alice\acme.exe";
    assert_eq!(hidden(Os::Win32, r"C:\Users\alice", "alice", text, declaration), text);
    assert_eq!(hidden(Os::Linux, "/home/bin", "bin", "/usr/bin", "{}"), "/usr/bin");
}

#[test]
fn the_user_is_hidden_in_paths_lists_values_and_contents() {
    let mut program = b"MZ\0\0C:\\build\\alice\\x.pdb ".to_vec();
    program.extend("alice".encode_utf16().flat_map(u16::to_le_bytes));
    let mut binary = b"bplist00 alice malice \xff".to_vec();
    binary.extend("\u{1}Alice\u{1}".encode_utf16().flat_map(u16::to_be_bytes));
    let machine = Machine {
        user: Some((Os::Win32, r"C:\Users\alice".into(), "alice".into())),
        names: strings(&["alice", "bob"]),
        plist: b"<string>alice</string>".to_vec(),
        program: program.clone(),
        subkeys: vec![Subkey {
            name: "Alice".into(),
            values: vec![Value::ExpandableText(r"C:\Users\alice\A".into())],
        }],
        ..Machine::default()
    };
    let recorder = Recorder::new(machine.clone()).unwrap();
    recorder.stat(r"C:\Users\alice\a.exe").unwrap();
    recorder.list(r"C:\Users", "al").unwrap();
    recorder.plist(r"C:\A.app").unwrap();
    recorder.pe(r"C:\Users\alice\a.exe", 0, 100).unwrap();
    recorder.runtime_file(r"C:\Users\alice\r.json").unwrap();
    recorder.subkeys(Hive::CurrentUser, View::Bits64, UNINSTALL, &strings(&["InstallLocation"])).unwrap();
    let text = recorder.facts_file(Naming::Hidden);
    assert!(!text.to_lowercase().contains("alice"), "{text}");
    let host = replay(&text);
    host.stat(r"C:\Users\u\a.exe").unwrap();
    host.runtime_file(r"C:\Users\u\r.json").unwrap();
    assert_eq!(host.list(r"C:\Users", "al").unwrap(), ["bob", "u"]);
    assert_eq!(host.plist(r"C:\A.app").unwrap(), b"<string>u</string>");
    let found = host.pe(r"C:\Users\u\a.exe", 0, 100).unwrap();
    assert_eq!(found.len(), program.len());
    assert!(String::from_utf8_lossy(&found).contains(r"C:\build\uuuuu\x.pdb u"));
    assert!(!String::from_utf8_lossy(&found).replace('\0', "").contains("alice"));
    let kept = recorder.facts_file(Naming::Kept);
    assert!(kept.contains(r"C:\Users\alice\a.exe") && kept.contains("<string>alice</string>"), "{kept}");

    let recorder = Recorder::new(Machine { plist: binary.clone(), ..machine }).unwrap();
    recorder.plist(r"C:\A.app").unwrap();
    let found = replay(&recorder.facts_file(Naming::Hidden)).plist(r"C:\A.app").unwrap();
    assert_eq!(found.len(), binary.len());
    let shown = String::from_utf8_lossy(&found).replace('\0', "");
    assert!(shown.starts_with("bplist00 uuuuu malice ") && !shown.contains("Alice"), "{shown}");
}

#[test]
fn faulty_recordings_say_what_is_wrong() {
    for (text, words) in [
        ("home: /home/u", "`home`"),
        ("files: { /a: { text: x } }", "`text`"),
        ("files: { /a: { link: /b } }", "`link`"),
        ("files: { /a: folder }", "`dir`"),
        ("files: { /a: { stat: gone } }", "`file`"),
        ("files: { /a: { error: fifo } }", "`denied`"),
        ("files: { /a: { list: [ x ] } }", "mapping"),
        ("files: { /a: { list: { '': x } } }", "a list of names"),
        ("files: { /a: { pe: { offset: 0 } } }", "ranges"),
        ("files: { /a: { pe: [ { offset: 0 } ] } }", "`base64` is missing"),
        ("files: { /a: { plist: { plist: {} } } }", "`plist`"),
        ("files: { /a: { runtime_file: { text: x, owner: me } } }", "`self`"),
        (r"registry: { 'HKLM\x': { A: { DisplayName: x } } }", "`values`"),
        (r"registry: { 'HKLM\x': { values: [ A ], keys: [ { K: { B: x } } ] } }", "`B`"),
        (r"registry: { 'HKLM\x': { values: [ A ], keys: [ K ] } }", "mapping"),
        ("files: { /a: file, /a: file }", "stands twice"),
    ] {
        let text = format!("{{ recorded: true, os: linux, {text} }}");
        let document = Document::parse(&text, Syntax::Yaml, 1 << 20).unwrap();
        let faults = FactsFile::parse(document.root()).unwrap_err();
        let told = faults.iter().map(|fault| format!("{fault} {:?}", fault.help)).collect::<String>();
        assert!(told.contains(words), "{text}: {told}");
    }
}

#[test]
fn owners_and_odd_times_are_recorded() {
    struct Odd;
    impl HostFacts for Odd {
        fn os(&self) -> Answer<Os> {
            Ok(Os::Linux)
        }
        fn variable(&self, _: &str) -> Answer<String> {
            Err(Failure::Fault(Fault::new(FaultCode::TooLarge, "")))
        }
        fn stat(&self, _: &str) -> Answer<Node> {
            Err(Failure::Fault(Fault::new(FaultCode::Refused, "")))
        }
        fn list(&self, _: &str, _: &str) -> Answer<Vec<String>> {
            Err(Failure::Fault(Fault::new(FaultCode::TooLarge, "")))
        }
        fn plist(&self, _: &str) -> Answer<Vec<u8>> {
            Err(Failure::Fault(Fault::new(FaultCode::Locked, "")))
        }
        fn pe(&self, _: &str, _: u64, _: u32) -> Answer<Vec<u8>> {
            Err(Failure::Fault(Fault::new(FaultCode::Refused, "")))
        }
        fn subkeys(&self, _: Hive, _: View, _: &str, _: &[String]) -> Answer<Vec<Subkey>> {
            Err(Failure::Fault(Fault::new(FaultCode::Absent, "")))
        }
        fn runtime_file(&self, _: &str) -> Answer<Contents> {
            let principals = (Some(Principal::Root), Some(Principal::Other));
            Ok(Contents {
                size: 0,
                bytes: vec![],
                modified: Some(u64::MAX),
                owner: principals.0,
                group: principals.1,
                mode: Some(0o4755),
            })
        }
        fn process(&self, pid: u32) -> Answer<ProcessStatus> {
            match pid {
                1 => Err(Failure::Fault(Fault::new(FaultCode::Io, "a 'disk': broken"))),
                _ => Ok(ProcessStatus { state: ProcessState::Ended, started: Some(1) }),
            }
        }
        fn session(&self) -> Answer<Session> {
            Err(Failure::Fault(Fault::new(FaultCode::Unsupported, "")))
        }
    }
    let ask = |host: &dyn HostFacts| {
        let file = host.runtime_file("/r").unwrap();
        format!(
            "{:?}",
            (
                (
                    host.variable("V"),
                    host.stat("/a"),
                    host.list("/a", "p"),
                    host.plist("/a"),
                    host.pe("/a", 0, 9)
                ),
                host.subkeys(Hive::LocalMachine, View::Bits32, UNINSTALL, &[]),
                (file.size, file.bytes, file.modified, file.owner, file.group, file.mode),
                (host.process(1), host.process(2), host.session()),
            )
        )
    };
    let recorder = Recorder::new(Odd).unwrap();
    let expected = ask(&recorder);
    assert_eq!(ask(&replay(&recorder.facts_file(Naming::Kept))), expected);
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
