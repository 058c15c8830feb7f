//! Transcripts: each question with its answer, in the words of the WIT package.

#![expect(clippy::unwrap_used, reason = "a helper of tests")]

use appdecl_facts::document::{Document, Syntax};
use appdecl_facts::{FactsFile, Hive, HostFacts, Replay, Transcript, View};

const FACTS: &str = r"
os: win32
env: { Path: 'C:\a' }
files:
  'C:\a\acme.exe': { pe_version: 1.2.3.4 }
  'C:\run.json': { text: '{}', modified: 2026-01-01T10:00:00Z }
registry:
  'HKCU\SOFTWARE\U\K': { A: x, B: { expand: '%Y%' }, C: { dword: 1 }, D: { other: true }, E: { error: io } }
processes: { 7: { ended: true, started: 5 }, 8: { denied: true } }
session: { process_session: 1, window_station: true }
";

fn host(facts: &str) -> Transcript<Replay> {
    let document = Document::parse(facts, Syntax::Yaml, 1 << 20).unwrap();
    Transcript::new(Replay::new(FactsFile::parse(document.root()).unwrap()))
}

#[test]
fn every_question_is_a_line_in_the_words_of_the_wit_package() {
    let host = host(FACTS);
    host.os().unwrap();
    host.variable("PATH").unwrap();
    host.variable("GONE").unwrap_err();
    host.stat(r"C:\a").unwrap();
    host.list(r"C:\a", "ac").unwrap();
    host.plist(r"C:\A").unwrap_err();
    host.pe(r"C:\a\acme.exe", 0, 4).unwrap();
    let names = ["A", "B", "C", "D", "E", "F"].map(str::to_owned);
    host.subkeys(Hive::CurrentUser, View::Bits32, r"SOFTWARE\U", &names).unwrap();
    host.runtime_file(r"C:\run.json").unwrap();
    host.process(7).unwrap();
    host.process(8).unwrap_err();
    host.session().unwrap();
    let expected = [
        r#"{"interface":"environment","function":"os","arguments":[],"answer":"win32"}"#,
        r#"{"interface":"environment","function":"variable","arguments":["PATH"],"answer":"C:\\a"}"#,
        r#"{"interface":"environment","function":"variable","arguments":["GONE"],"fault":{"code":"absent","detail":"the variable is not set"}}"#,
        r#"{"interface":"filesystem","function":"stat","arguments":["C:\\a"],"answer":{"executable":false,"kind":"folder"}}"#,
        r#"{"interface":"filesystem","function":"list","arguments":["C:\\a","ac"],"answer":["acme.exe"]}"#,
        r#"{"interface":"plist","function":"read","arguments":["C:\\A"],"fault":{"code":"absent","detail":""}}"#,
        r#"{"interface":"pe","function":"read-at","arguments":["C:\\a\\acme.exe","0",4],"answer":"TVoAAA=="}"#,
        r#"{"interface":"registry","function":"subkeys","arguments":["current-user","bits32","SOFTWARE\\U",["A","B","C","D","E","F"]],"answer":[{"name":"K","values":[{"text":"x"},{"expandable-text":"%Y%"},{"number":"1"},"other",{"unreadable":{"code":"io","detail":""}},"missing"]}]}"#,
        r#"{"interface":"runtime-file","function":"read","arguments":["C:\\run.json"],"answer":{"bytes":"e30=","group":null,"mode":null,"modified":"1767261600000","owner":null,"size":"2"}}"#,
        r#"{"interface":"process","function":"status","arguments":[7],"answer":{"started":"5","state":"ended"}}"#,
        r#"{"interface":"process","function":"status","arguments":[8],"fault":{"code":"denied","detail":"the process may not be asked"}}"#,
        r#"{"interface":"session","function":"current","arguments":[],"answer":{"win32":{"console-session":null,"process-session":1,"window-station":true}}}"#,
    ];
    assert_eq!(host.lines().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn owners_and_sessions_of_other_systems_have_their_own_words() {
    let host = host("{ os: linux, files: { /r: { owner: root, group: other, mode: '0644' } } }");
    host.runtime_file("/r").unwrap();
    host.session().unwrap();
    let lines = host.lines();
    assert!(lines.contains(r#""group":"other","mode":420,"modified":null,"owner":"root""#), "{lines}");
    assert!(lines.contains(r#"{"linux":{"audit-session":null,"runtime-folder-readable":false}}"#), "{lines}");
}

#[test]
fn a_question_that_is_asked_again_is_one_line() {
    let host = host(FACTS);
    for _ in 0..3 {
        host.os().unwrap();
        host.pe(r"C:\a\acme.exe", 0, 4).unwrap();
        host.pe(r"C:\a\acme.exe", 0, 5).unwrap();
    }
    assert_eq!(host.lines().lines().count(), 3);
}

#[test]
fn what_can_not_be_answered_is_no_line() {
    let host = host("{ recorded: true, os: darwin, files: { /a: absent } }");
    host.stat("/a").unwrap_err();
    host.stat("/b").unwrap_err();
    assert_eq!(host.lines().lines().count(), 1);
}
