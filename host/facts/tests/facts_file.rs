//! Facts files through the public surface: what each form means, and what is said of those that mean nothing.

#![expect(clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "helpers of tests")]

use appdecl_facts::document::{Document, Syntax};
use appdecl_facts::{
    Answer, FactsError, FactsFile, Failure, FaultCode, Hive, HostFacts, NodeKind, Principal, ProcessState,
    Replay, Session, Value, View,
};

const UNINSTALL: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall";

fn document(text: &str) -> Document {
    Document::parse(text, Syntax::Yaml, 16 << 20).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn host(text: &str) -> Replay {
    let document = document(text);
    match FactsFile::parse(document.root()) {
        Ok(facts) => Replay::new(facts),
        Err(faults) => panic!("{faults:#?}\n{text}"),
    }
}

fn faults(text: &str) -> Vec<FactsError> {
    let document = document(text);
    match FactsFile::parse(document.root()) {
        Ok(facts) => panic!("{facts:?} was read from {text}"),
        Err(faults) => faults,
    }
}

/// The one fault of a file: its message with its help, and what it points at.
fn fault(text: &str) -> (String, String) {
    let faults = faults(text);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let span = faults[0].span;
    let help = faults[0].help.clone().unwrap_or_default();
    (format!("{} | {help}", faults[0].message), text[span.start..span.end].to_owned())
}

fn code<T: std::fmt::Debug>(answer: Answer<T>) -> FaultCode {
    match answer {
        Err(Failure::Fault(fault)) => fault.code,
        other => panic!("{other:?} is no fault"),
    }
}

fn is_file(host: &Replay, path: &str) -> bool {
    host.stat(path).is_ok_and(|node| node.kind == NodeKind::File)
}

#[test]
fn every_facts_of_the_suites_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let document = document(&std::fs::read_to_string(&path).unwrap());
        let Some(cases) = document.root().get("cases").and_then(|cases| cases.value.as_list()) else {
            continue;
        };
        for facts in cases.items().filter_map(|case| case.get("facts")) {
            if let Err(faults) = FactsFile::parse(facts.value) {
                panic!(
                    "{} line {}: {faults:#?}",
                    path.display(),
                    document.position(facts.key_span.start).line
                );
            }
            read += 1;
        }
    }
    assert!(read > 150, "{read}");
}

#[test]
fn short_forms_say_what_stands_at_a_path_and_folders_above_are_implied() {
    let host = host(
        "{ os: linux, files: { /a/b/file: file, /a/b/run: executable, /a/empty: dir, /a/not: absent } }",
    );
    assert!(is_file(&host, "/a/b/file") && !host.stat("/a/b/file").unwrap().executable);
    assert!(host.stat("/a/b/run").unwrap().executable);
    for folder in ["/", "/a", "/a/b", "/a/b/", "/a//b/.", "/a/empty"] {
        assert_eq!(host.stat(folder).unwrap().kind, NodeKind::Folder, "{folder}");
    }
    for absent in ["/a/not", "/b", "/a/b/file/x", "/A/b/file"] {
        assert_eq!(code(host.stat(absent)), FaultCode::Absent, "{absent}");
    }
    assert_eq!(host.list("/a", "").unwrap(), ["b", "empty"]);
    assert_eq!(host.list("/a/empty", "").unwrap(), Vec::<String>::new());
    assert_eq!(host.list("/a/b", "fi").unwrap(), ["file"]);
    assert_eq!(code(host.list("/a/b/file", "")), FaultCode::NotRegular);
    assert_eq!(code(host.list("/nothing", "")), FaultCode::Absent);
}

#[test]
fn windows_paths_take_either_separator_and_any_case_and_no_network() {
    let host = host(
        r"{ os: win32, files: { 'C:\Program Files\Acme\Acme.exe': executable, d:/tools/x.exe: file, '\\srv\share\x.exe': file } }",
    );
    assert!(is_file(&host, r"c:\PROGRAM FILES/acme\ACME.EXE"));
    assert!(!host.stat(r"C:\Program Files\Acme\Acme.exe").unwrap().executable);
    assert!(is_file(&host, r"D:\Tools\x.exe"));
    assert_eq!(host.list(r"C:\program files\acme", "AC").unwrap(), ["Acme.exe"]);
    for path in [r"\\srv\share\x.exe", "//srv/share/x.exe", r"C:x", r"\x", "/x", "x", r"\\?\C:\x"] {
        assert_eq!(code(host.stat(path)), FaultCode::Refused, "{path}");
    }
}

#[test]
fn letter_case_does_not_count_on_macos() {
    let host = host("{ os: darwin, files: { /Applications/Acme.app/Contents/Info.plist: file } }");
    assert!(is_file(&host, "/applications/ACME.app/contents/info.plist"));
    assert_eq!(host.list("/Applications", "acme").unwrap(), ["Acme.app"]);
}

#[test]
fn links_lead_to_where_they_point() {
    let host = host(
        "os: linux
files:
  /usr/bin/acme: { link: /opt/acme/bin/acme }
  /usr/bin/relative: { link: ../../opt/acme/bin/acme }
  /opt/acme: { link: acme-2 }
  /opt/acme-2/bin/acme: executable
  /broken: { link: /gone }
  /one: { link: /two }
  /two: { link: one }
  /up: { link: /../../.. }
",
    );
    for path in ["/usr/bin/acme", "/usr/bin/relative", "/opt/acme/bin/acme", "/up/opt/acme-2/bin/acme"] {
        assert!(host.stat(path).unwrap().executable, "{path}");
    }
    assert_eq!(host.list("/opt/acme", "").unwrap(), ["bin"]);
    assert_eq!(host.list("/opt", "").unwrap(), ["acme", "acme-2"]);
    assert_eq!(code(host.stat("/broken")), FaultCode::Absent);
    for path in ["/one", "/two", "/one/x"] {
        assert_eq!(code(host.stat(path)), FaultCode::Io, "{path}");
    }
}

#[test]
fn links_that_lead_through_links_many_times_end() {
    let mut text = String::from("os: linux\nfiles:\n  /end: file\n");
    for level in 0..60 {
        text.push_str(&format!("  /l{level}: {{ link: /l{}/../l{} }}\n", level + 1, level + 1));
    }
    assert_eq!(code(host(&text).stat("/l0")), FaultCode::Io);
    let chain: String = (0..39).map(|level| format!("  /l{level}: {{ link: l{} }}\n", level + 1)).collect();
    assert!(is_file(
        &host(&format!("os: linux\nfiles:\n  /l39: {{ link: end }}\n  /end: file\n{chain}")),
        "/l0"
    ));
}

#[test]
fn denied_and_io_answer_every_question_and_hide_what_lies_beneath() {
    for (word, expected) in [("denied", FaultCode::Denied), ("io", FaultCode::Io)] {
        let host = host(&format!(
            "{{ os: linux, files: {{ /x/acme: file, /x: {{ error: {word} }}, /y: {{ link: /x/acme }} }} }}"
        ));
        for path in ["/x", "/x/acme", "/x/other/deep", "/y"] {
            assert_eq!(code(host.stat(path)), expected, "{path}");
            assert_eq!(code(host.list(path, "")), expected, "{path}");
            assert_eq!(code(host.plist(path)), expected, "{path}");
            assert_eq!(code(host.pe(path, 0, 2)), expected, "{path}");
            assert_eq!(code(host.runtime_file(path)), expected, "{path}");
        }
        assert_eq!(host.list("/", "").unwrap(), ["x", "y"]);
    }
}

#[test]
fn words_may_stand_beside_the_fault_of_a_file_and_nothing_else_may() {
    let host = host("{ os: linux, files: { /x: { error: denied, detail: as on the old server } } }");
    assert_eq!(code(host.stat("/x")), FaultCode::Denied);
    let (message, place) = fault("{ os: linux, files: { /x: { error: denied, text: a } } }");
    assert_eq!(place, "text");
    assert!(message.contains("`error` stands alone"), "{message}");
}

#[test]
fn locked_is_there_and_can_not_be_read_and_a_pipe_is_no_file() {
    let host = host(
        "{ os: darwin, files: { /A.app/Contents/Info.plist: { error: locked }, /B.app/Contents/Info.plist: { error: fifo } } }",
    );
    assert!(is_file(&host, "/A.app/Contents/Info.plist"));
    assert_eq!(code(host.plist("/A.app")), FaultCode::Locked);
    assert_eq!(code(host.runtime_file("/A.app/Contents/Info.plist")), FaultCode::Locked);
    assert_eq!(code(host.pe("/A.app/Contents/Info.plist", 0, 2)), FaultCode::Locked);
    assert_eq!(code(host.list("/A.app/Contents/Info.plist", "")), FaultCode::NotRegular);
    assert_eq!(host.stat("/B.app/Contents/Info.plist").unwrap().kind, NodeKind::Other);
    assert_eq!(code(host.plist("/B.app")), FaultCode::NotRegular);
    assert_eq!(code(host.runtime_file("/B.app/Contents/Info.plist")), FaultCode::NotRegular);
    assert_eq!(code(host.plist("/C.app")), FaultCode::Absent);
}

#[test]
fn a_runtime_file_has_an_owner_a_group_a_mode_and_a_time_but_not_on_windows() {
    let text = "files: { PATH: { text: \"{\\\"pid\\\": 1}\", modified: 2026-01-01T10:00:00.250Z, owner: other, group: root, mode: '0664' }, PATH2: { base64: 'aGk=' }, PATH3: { modified: 5 } }";
    let unix = host(&format!("{{ os: linux, {} }}", text.replace("PATH", "/run/r")));
    let contents = unix.runtime_file("/run/r").unwrap();
    assert_eq!((contents.size, contents.bytes.as_slice()), (10, b"{\"pid\": 1}".as_slice()));
    assert_eq!(contents.modified, Some(1_767_261_600_250));
    assert_eq!((contents.owner, contents.group), (Some(Principal::Other), Some(Principal::Root)));
    assert_eq!(contents.mode, Some(0o664));
    let default = unix.runtime_file("/run/r2").unwrap();
    assert_eq!((default.bytes.as_slice(), default.modified), (b"hi".as_slice(), None));
    assert_eq!((default.owner, default.group), (Some(Principal::Own), Some(Principal::Own)));
    assert_eq!(default.mode, Some(0o600));
    assert_eq!(unix.runtime_file("/run/r3").unwrap().modified, Some(5));
    let windows = host(&format!("{{ os: win32, {} }}", text.replace("PATH", "C:/r")));
    let contents = windows.runtime_file(r"C:\r").unwrap();
    assert_eq!((contents.owner, contents.group, contents.mode), (None, None, None));
    assert_eq!(contents.modified, Some(1_767_261_600_250));
}

#[test]
fn files_that_are_too_large_are_not_handed_over() {
    let long = "x".repeat(65_537);
    let host = host(&format!(
        "{{ os: linux, files: {{ /long: {{ text: {long} }}, /just: {{ text: {} }}, /said: {{ text: x, size: 5000000 }}, /A/Contents/Info.plist: {{ size: 1048577 }} }} }}",
        &long[1..]
    ));
    let contents = host.runtime_file("/long").unwrap();
    assert_eq!((contents.size, contents.bytes.len()), (65_537, 0));
    assert_eq!(host.runtime_file("/just").unwrap().bytes.len(), 65_536);
    assert_eq!(host.runtime_file("/said").unwrap().size, 5_000_000);
    assert_eq!(code(host.plist("/A")), FaultCode::TooLarge);
}

#[test]
fn a_property_list_is_written_as_xml() {
    let host = host(
        "{ os: darwin, files: { /A.app/Contents/Info.plist: { plist: { Name: 'a < b & c', Short: 2.3.0, Count: 5, Part: 2.5, Flag: true, List: [ x, { y: z } ] } } } }",
    );
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n<key>Name</key>\n<string>a &lt; b &amp; c</string>\n\
        <key>Short</key>\n<string>2.3.0</string>\n<key>Count</key>\n<integer>5</integer>\n<key>Part</key>\n<real>2.5</real>\n<key>Flag</key>\n<true/>\n\
        <key>List</key>\n<array>\n<string>x</string>\n<dict>\n<key>y</key>\n<string>z</string>\n</dict>\n</array>\n</dict>\n</plist>\n";
    assert_eq!(String::from_utf8(host.plist("/A.app").unwrap()).unwrap(), expected);
    assert_eq!(host.plist("/A.app/").unwrap(), host.plist("/A.app").unwrap());
    assert!(is_file(&host, "/A.app/Contents/Info.plist"));
}

#[test]
fn a_property_list_of_aliases_ends_at_what_is_read_of_one() {
    let mut text = String::from("x0: &x0 [ a, b ]\n");
    for level in 1..17 {
        text.push_str(&format!("x{level}: &x{level} [ *x{0}, *x{0} ]\n", level - 1));
    }
    let facts = "os: darwin\nfiles: { /A.app/Contents/Info.plist: { plist: { x: *x16 } } }\n";
    let document = document(&format!("{text}facts:\n  {}", facts.replace('\n', "\n  ")));
    let facts = FactsFile::parse(document.root().get("facts").unwrap().value).unwrap();
    assert_eq!(code(Replay::new(facts).plist("/A.app")), FaultCode::TooLarge);
}

#[test]
fn aliases_that_come_to_more_than_can_be_held_are_refused_with_both_sizes() {
    let names: String = (0..100).map(|at| format!("B{at}: *t, ")).collect();
    let texts = format!("os: linux\nenv: {{ A: &t {}, {names} }}\n", "x".repeat(1_000_000));
    let keys: String = (0..5_000).map(|at| format!("k{at}: a, ")).collect();
    let lists: String = (0..1_500).map(|at| format!("  /a{at}: {{ plist: *e }}\n")).collect();
    let plists = format!("os: darwin\nfiles:\n  /a: {{ plist: &e {{ {keys} }} }}\n{lists}");
    for (text, size) in [(texts, "96 MiB"), (plists, "270 MiB")] {
        let (message, place) = fault(&text);
        assert!(message.contains(&format!("come to {size}")), "{message}");
        assert!(message.contains("at most 64 MiB"), "{message}");
        assert!(message.contains("fewer aliases"), "{message}");
        assert_eq!(place, "os");
    }
}

#[test]
fn a_version_makes_a_program_file_that_carries_it() {
    let host = host(
        "{ os: win32, files: { 'C:/a.exe': { pe_version: 65535.2.30.400 }, 'C:/b.exe': { text: hello }, 'C:/c.exe': file } }",
    );
    let read = |offset: u64, length: u32| host.pe(r"C:\a.exe", offset, length).unwrap();
    let number = |offset: u32| u32::from_le_bytes(read(offset.into(), 4).try_into().unwrap());
    assert_eq!(read(0, 2), b"MZ");
    let pe = number(0x3c);
    assert_eq!(read(pe.into(), 4), b"PE\0\0");
    // By the PE format: 24 bytes of headers, then 112 of the PE32+ optional header up to its directories.
    assert_eq!(read(u64::from(pe) + 24, 2), [0x0b, 0x02]);
    let (address, size) = (number(pe + 24 + 112 + 16), number(pe + 24 + 112 + 20));
    let section = pe + 24 + 240;
    assert_eq!(read(section.into(), 8), b".rsrc\0\0\0");
    assert_eq!((number(section + 8), number(section + 12)), (size, address));
    let resources = number(section + 20);
    let mut at = 0;
    for expected in [16, 1, 0x409] {
        assert_eq!(read((resources + at + 12).into(), 4), [0, 0, 1, 0]);
        assert_eq!(number(resources + at + 16), expected);
        at = number(resources + at + 20) & 0x7fff_ffff;
    }
    let data = number(resources + at) - address + resources;
    assert_eq!(number(resources + at + 4), 92);
    assert_eq!(
        read(u64::from(data) + 6, 30),
        "VS_VERSION_INFO".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()
    );
    assert_eq!(number(data + 40), 0xFEEF_04BD);
    assert_eq!((number(data + 48), number(data + 52)), (65_535 << 16 | 2, 30 << 16 | 400));
    let whole = read(0, 65_536);
    assert_eq!(whole.len(), 1024);
    assert_eq!(read(1020, 100).len(), 4);
    assert_eq!(read(1024, 1), b"");
    assert_eq!(read(u64::MAX, u32::MAX), b"");
    assert_eq!(code(host.pe(r"C:\b.exe", 0, 2)), FaultCode::Refused);
    assert_eq!(code(host.pe(r"C:\c.exe", 500, 2)), FaultCode::Refused);
    assert_eq!(code(host.pe(r"C:\d.exe", 0, 2)), FaultCode::Absent);
    assert_eq!(code(host.pe(r"C:\", 0, 2)), FaultCode::NotRegular);
}

#[test]
fn variables_go_by_the_systems_own_rule_for_names() {
    let windows = host(r"{ os: win32, env: { Path: 'C:\a', EMPTY: '' } }");
    assert_eq!(windows.variable("PATH").unwrap(), r"C:\a");
    assert_eq!(windows.variable("empty").unwrap(), "");
    let mac = host("{ os: darwin, env: { Path: /a } }");
    assert_eq!(mac.variable("Path").unwrap(), "/a");
    assert_eq!(code(mac.variable("PATH")), FaultCode::Absent);
    let odd = host("{ os: linux, env: { BYTES: { error: unsupported }, GONE: { error: absent } } }");
    assert_eq!(code(odd.variable("BYTES")), FaultCode::Unsupported);
    assert_eq!(code(odd.variable("GONE")), FaultCode::Absent);
}

#[test]
fn home_stands_for_its_variable_and_for_the_tilde() {
    let given =
        host("{ os: darwin, home: /Users/u, files: { ~/Applications/A.app/Contents/Info.plist: file } }");
    assert_eq!(given.variable("HOME").unwrap(), "/Users/u");
    assert!(is_file(&given, "/Users/u/Applications/A.app/Contents/Info.plist"));
    let from_env = host(
        r"{ os: win32, env: { userprofile: 'C:\Users\u\', HOME: 'C:\Wrong' }, files: { '~\a.exe': file } }",
    );
    assert!(is_file(&from_env, r"C:\Users\u\a.exe"));
    let both = host(
        "{ os: linux, home: /home/u, env: { HOME: /elsewhere }, files: { ~/a: file, /b: { link: ~/a } } }",
    );
    assert_eq!(both.variable("HOME").unwrap(), "/elsewhere");
    assert!(is_file(&both, "/home/u/a") && is_file(&both, "/b"));
    let (message, at) = fault("{ os: linux, env: { HOME: '' }, files: { ~/a: file } }");
    assert!(message.contains("HOME") && at == "~/a", "{message} {at}");
}

#[test]
fn the_registry_answers_by_hive_and_view() {
    let host = host(
        r"
os: win32
registry:
  'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\A': { DisplayName: Acme, DisplayVersion: '2.3', InstallLocation: { expand: '%X%' }, SystemComponent: { dword: 1 }, Big: { qword: 4294967296 }, Icon: { other: true }, Odd: { error: io } }
  'hklm\Software\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall\B': { DisplayName: Acme 32 }
  'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\Bad': { error: denied }
  'HKEY_CURRENT_USER\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\C\Below': {}
  'HKCU\SOFTWARE\Empty': {}
  'HKCU\SOFTWARE\No': { error: denied }
",
    );
    let names =
        ["displayname", "DisplayVersion", "InstallLocation", "SystemComponent", "Big", "Icon", "Odd", "Gone"]
            .map(str::to_owned);
    let keys = host.subkeys(Hive::LocalMachine, View::Bits64, UNINSTALL, &names).unwrap();
    assert_eq!(keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["A", "Bad"]);
    let values = &keys[0].values;
    assert_eq!(
        values[..6],
        [
            Value::Text("Acme".into()),
            Value::Text("2.3".into()),
            Value::ExpandableText("%X%".into()),
            Value::Number(1),
            Value::Number(1 << 32),
            Value::Other
        ]
    );
    assert!(matches!(&values[6], Value::Unreadable(fault) if fault.code == FaultCode::Io));
    assert_eq!(values[7], Value::Missing);
    assert!(
        keys[1]
            .values
            .iter()
            .all(|value| matches!(value, Value::Unreadable(fault) if fault.code == FaultCode::Denied))
    );
    let bits32 =
        host.subkeys(Hive::LocalMachine, View::Bits32, &UNINSTALL.to_lowercase(), &names[..1]).unwrap();
    assert_eq!(bits32.len(), 1);
    assert_eq!(bits32[0].values, [Value::Text("Acme 32".into())]);
    for view in [View::Bits32, View::Bits64] {
        let user = host.subkeys(Hive::CurrentUser, view, UNINSTALL, &names[..1]).unwrap();
        assert_eq!((user.len(), user[0].name.as_str(), &user[0].values), (1, "C", &vec![Value::Missing]));
    }
    assert!(host.subkeys(Hive::CurrentUser, View::Bits64, r"SOFTWARE\Empty", &[]).unwrap().is_empty());
    for key in [r"SOFTWARE\No", r"SOFTWARE\No\Below"] {
        assert_eq!(code(host.subkeys(Hive::CurrentUser, View::Bits64, key, &[])), FaultCode::Denied);
    }
    assert_eq!(code(host.subkeys(Hive::CurrentUser, View::Bits64, r"SOFTWARE\Gone", &[])), FaultCode::Absent);
}

#[test]
fn only_windows_has_a_registry() {
    let linux = host(r"{ os: linux, registry: { 'HKCU\SOFTWARE\A': {} } }");
    assert_eq!(code(linux.subkeys(Hive::CurrentUser, View::Bits64, "SOFTWARE", &[])), FaultCode::Unsupported);
}

#[test]
fn processes_run_unless_they_say_otherwise() {
    let host = host(
        "{ os: linux, processes: { 1: {}, 2: { started: 2026-01-01T09:59:00Z }, 3: { zombie: true }, 4: { ended: true, started: 7 }, 5: { denied: true }, 6: { error: io }, 7: absent } }",
    );
    let state = |pid: u32| host.process(pid).map(|status| (status.state, status.started));
    assert_eq!(state(1).unwrap(), (ProcessState::Running, None));
    assert_eq!(state(2).unwrap(), (ProcessState::Running, Some(1_767_261_540_000)));
    assert_eq!(state(3).unwrap(), (ProcessState::Zombie, None));
    assert_eq!(state(4).unwrap(), (ProcessState::Ended, Some(7)));
    assert_eq!(code(host.process(5)), FaultCode::Denied);
    assert_eq!(code(host.process(6)), FaultCode::Io);
    assert_eq!(state(7).unwrap(), (ProcessState::Absent, None));
    assert_eq!(state(8).unwrap(), (ProcessState::Absent, None));
}

#[test]
fn the_session_is_told_by_system() {
    let session = |text: &str| host(text).session().unwrap();
    assert_eq!(
        session("{ os: win32, session: { process_session: 2, console_session: 1, window_station: true } }"),
        Session::Win32 { process_session: Some(2), console_session: Some(1), window_station: true }
    );
    assert_eq!(
        session("{ os: win32 }"),
        Session::Win32 { process_session: None, console_session: None, window_station: false }
    );
    assert_eq!(
        session("{ os: linux, session: { audit_session: 4294967295, runtime_dir: readable } }"),
        Session::Linux { audit_session: Some(u32::MAX), runtime_folder_readable: true }
    );
    assert_eq!(
        session("{ os: linux, session: { runtime_dir: unreadable } }"),
        Session::Linux { audit_session: None, runtime_folder_readable: false }
    );
    assert_eq!(session("{ os: darwin, session: {} }"), Session::Darwin);
    assert_eq!(code(host("{ os: linux, session: { error: io } }").session()), FaultCode::Io);
}

#[test]
fn another_format_version_is_named_with_the_one_that_is_read() {
    assert!(FactsFile::parse(document("{ facts: 1, os: linux }").root()).is_ok());
    for (text, found) in [
        ("{ facts: 2, os: linux, unheard: of }", "`2`"),
        ("{ facts: '1' }", "`1`"),
        ("{ facts: 1.0, os: linux }", "`1.0`"),
    ] {
        let (message, at) = fault(text);
        assert!(message.contains("version 1") && message.contains(found), "{message}");
        assert!(found.contains(at.trim_matches('\'')));
    }
}

#[test]
fn faults_say_where_they_are_and_what_to_do() {
    for (text, at, words) in [
        ("[ os ]", "[ os ]", "a facts file must be a mapping, found a list"),
        ("{ env: {} }", "{ env: {} }", "`os` is missing"),
        ("{ os: windows }", "windows", "did you mean `win32`?"),
        ("{ os: linus }", "linus", "did you mean `linux`?"),
        ("{ os: 5 }", "5", "'5'"),
        ("{ os: linux, proceses: {} }", "proceses", "did you mean `processes`?"),
        ("{ os: linux, colour: red }", "colour", "known are `facts`"),
        ("{ os: linux, env: {}, env: {} }", "env", "stands twice"),
        ("{ os: linux, recorded: yes }", "yes", "`true` or `false`"),
        ("{ os: linux, env: { V: 2.3 } }", "2.3", "write it in quotes: '2.3'"),
        ("{ os: linux, env: { V: true } }", "true", "in quotes"),
        ("{ os: linux, env: { V: ~ } }", "~", "must be text, found null"),
        ("{ os: win32, env: { Path: a, PATH: b } }", "PATH", "same variable"),
        ("{ os: linux, files: { /a: folder } }", "folder", "did you mean `dir`?"),
        ("{ os: linux, files: { /a: exe } }", "exe", "accepted are `file`"),
        ("{ os: linux, files: { /a: 5 } }", "5", "must be a mapping"),
        ("{ os: linux, files: { a: file } }", "a", "no absolute path"),
        ("{ os: linux, files: { /a/../b: file } }", "/a/../b", "not climb"),
        (r"{ os: linux, files: { 'C:\a': file } }", r"'C:\a'", "no absolute path"),
        ("{ os: win32, files: { /a: file } }", "/a", "drive"),
        ("{ os: win32, files: { 'C:/a': file, 'c:/A': file } }", "'c:/A'", "same path"),
        ("{ os: linux, files: { /a: file, /a/b: file } }", "/a/b", "lies beneath `/a`"),
        ("{ os: linux, files: { /a/b: file, /a: file } }", "/a", "something lies beneath it"),
        ("{ os: linux, files: { /a: absent, /a/b: file } }", "/a/b", "lies beneath `/a`"),
        ("{ os: linux, files: { /a: { txt: x } } }", "txt", "did you mean `text`?"),
        ("{ os: linux, files: { /a: { text: x, base64: eA== } } }", "base64", "one is enough"),
        ("{ os: linux, files: { /a: { text: 5 } } }", "5", "quotes"),
        ("{ os: linux, files: { /a: { base64: '!!' } } }", "'!!'", "not base64"),
        ("{ os: linux, files: { /a: { pe_version: 2.3 } } }", "2.3", "quotes"),
        ("{ os: linux, files: { /a: { pe_version: 2.3.0 } } }", "2.3.0", "four numbers"),
        ("{ os: linux, files: { /a: { pe_version: 2.3.0.65536 } } }", "2.3.0.65536", "65535"),
        ("{ os: linux, files: { /a: { plist: { x: ~ } } } }", "~", "no null"),
        ("{ os: linux, files: { /a: { plist: { x: \"\\x01\" } } } }", "\"\\x01\"", "control character"),
        ("{ os: linux, files: { /a: { plist: { x: a, x: b } } } }", "x", "stands twice"),
        ("{ os: linux, files: { /a: { link: /b, mode: '0600' } } }", "mode", "`link` stands alone"),
        ("{ os: linux, files: { /a: { error: denied, text: x } } }", "text", "`error` stands alone"),
        ("{ os: linux, files: { /a: { error: deny } } }", "deny", "accepted are `denied`"),
        ("{ os: linux, files: { /a: { mode: 0660 } } }", "0660", "'0660'"),
        ("{ os: linux, files: { /a: { mode: '0888' } } }", "'0888'", "octal"),
        ("{ os: linux, files: { /a: { owner: me } } }", "me", "accepted are `self`"),
        ("{ os: linux, files: { /a: { modified: yesterday } } }", "yesterday", "2026-01-01T10:00:00Z"),
        (
            "{ os: linux, files: { /a: { modified: 1969-01-01T10:00:00Z } } }",
            "1969-01-01T10:00:00Z",
            "milliseconds",
        ),
        ("{ os: linux, files: { /a: { executable: 1 } } }", "1", "`true` or `false`"),
        (r"{ os: win32, registry: { 'HKCR\x': {} } }", r"'HKCR\x'", "HKLM"),
        (r"{ os: win32, registry: { HKLM: {} } }", "HKLM", "HKLM"),
        (r"{ os: win32, registry: { 'HKLM\x': { V: 2.3 } } }", "2.3", "'2.3'"),
        (r"{ os: win32, registry: { 'HKLM\x': { V: { word: 1 } } } }", "word", "did you mean `dword`?"),
        (r"{ os: win32, registry: { 'HKLM\x': { V: { dword: 4294967296 } } } }", "4294967296", "4294967295"),
        (r"{ os: win32, registry: { 'HKLM\x': { V: {} } } }", "{}", "`expand`"),
        (r"{ os: win32, registry: { 'HKLM\x': {}, 'hklm\X': {} } }", r"'hklm\X'", "same key"),
        ("{ os: linux, processes: { 0: {} } }", "0", "between 1 and 2147483647"),
        ("{ os: linux, processes: { 2147483648: {} } }", "2147483648", "between"),
        ("{ os: linux, processes: { 1: { zombie: false } } }", "false", "must be `true`"),
        ("{ os: linux, processes: { 1: { zombie: true, denied: true } } }", "denied", "at once"),
        ("{ os: linux, processes: { 1: running } }", "running", "accepted are `absent`"),
        ("{ os: linux, session: { process_session: 1 } }", "process_session", "`session` of linux"),
        ("{ os: win32, session: { process_session: -1 } }", "-1", "from 0 to 4294967295"),
        ("{ os: linux, session: { runtime_dir: yes } }", "yes", "`readable`"),
    ] {
        let (message, found) = fault(text);
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!(found, at, "{text}: {message}");
    }
}

#[test]
fn all_faults_are_told_together() {
    let faults = faults(
        "{ os: linux, fils: {}, env: { A: 1, B: 2 }, files: { /a: fil, b: file }, processes: { x: {} } }",
    );
    assert_eq!(faults.len(), 6, "{faults:#?}");
}

#[test]
fn a_merged_member_gives_way_to_the_cases_own() {
    let document = document(
        "base: &base { os: linux, files: { /a: file }, env: { V: x } }\nfacts: { <<: *base, files: {} }\n",
    );
    let facts = FactsFile::parse(document.root().get("facts").unwrap().value).unwrap();
    let host = Replay::new(facts);
    assert_eq!(code(host.stat("/a")), FaultCode::Absent);
    assert_eq!(host.variable("V").unwrap(), "x");
}

#[test]
fn json_is_read_like_yaml() {
    let text = r#"{"facts": 1, "os": "win32", "files": {"C:\\a.exe": {"pe_version": "1.2.3.4"}}, "processes": {"7": {}}}"#;
    let document = Document::parse(text, Syntax::Json, 1 << 20).unwrap();
    let host = Replay::new(FactsFile::parse(document.root()).unwrap());
    assert!(is_file(&host, r"C:\a.exe"));
    assert_eq!(host.process(7).unwrap().state, ProcessState::Running);
}

#[test]
fn hostile_sizes_are_borne() {
    let deep = format!("/{}x", "d/".repeat(30_000));
    assert!(is_file(&host(&format!("os: linux\nfiles:\n  ? {deep}\n  : file\n")), &deep));
    let many: String = (0..70_000).map(|number| format!("  /f/{number}: file\n")).collect();
    let host = host(&format!("os: linux\nfiles:\n{many}"));
    assert_eq!(code(host.list("/f", "")), FaultCode::TooLarge);
    assert_eq!(host.list("/f", "6999").unwrap().len(), 11);
}

#[test]
fn printing_facts_shows_no_contents() {
    let host = host("{ os: linux, files: { /r: { text: tok-SECRET-1 } }, env: { T: tok-SECRET-2 } }");
    let shown = format!("{host:?} {:?} {:#?}", host.facts(), host.runtime_file("/r"));
    assert!(!shown.contains("SECRET"), "{shown}");
}

#[test]
fn the_examples_of_the_documentation_are_facts_files() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/facts.md")).unwrap();
    let examples: Vec<_> =
        page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 3);
    for example in examples {
        host(example);
    }
}
