//! The real machine's processes, session and environment, on Linux and macOS.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::common::{code, helper, passes, waiting_child};
use appdecl_facts::{FaultCode, HostFacts, Machine, Os, ProcessState, Session};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

const MACHINE: Machine = Machine::new();

fn now() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

#[test]
fn a_live_child_runs_since_it_was_started() {
    let before = now();
    let mut child = waiting_child();
    let status = MACHINE.process(child.id()).unwrap();
    let after = now();
    assert_eq!(status.state, ProcessState::Running);
    let started = status.started.unwrap();
    assert!((before.saturating_sub(1000)..=after + 1000).contains(&started), "{before} {started} {after}");
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[test]
fn a_child_that_was_not_waited_for_is_a_zombie_and_then_absent() {
    let mut child = waiting_child();
    drop(child.stdin.take());
    let pid = Pid::from_child(&child);
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
    assert_eq!(MACHINE.process(child.id()).unwrap().state, ProcessState::Zombie);
    child.wait().unwrap();
    assert_eq!(MACHINE.process(child.id()).unwrap().state, ProcessState::Absent);
}

#[test]
fn this_process_and_the_first_one_are_there() {
    assert_eq!(MACHINE.process(std::process::id()).unwrap().state, ProcessState::Running);
    match MACHINE.process(1) {
        Ok(status) => assert_eq!(status.state, ProcessState::Running),
        denied => assert_eq!(code(denied), FaultCode::Denied),
    }
}

#[test]
fn a_number_that_no_process_can_have_is_refused() {
    for pid in [0, 1 << 31, u32::MAX] {
        assert_eq!(code(MACHINE.process(pid)), FaultCode::Refused, "{pid}");
    }
    assert_eq!(MACHINE.process(i32::MAX.cast_unsigned()).unwrap().state, ProcessState::Absent);
}

#[test]
fn the_number_of_a_thread_is_no_process() {
    let thread = std::thread::spawn(|| {
        // Only Linux numbers threads like processes.
        let Ok(link) = fs::read_link("/proc/thread-self") else { return };
        let number: u32 = link.file_name().unwrap().to_str().unwrap().parse().unwrap();
        assert_ne!(number, std::process::id());
        assert!(fs::exists(format!("/proc/{number}/stat")).unwrap());
        assert_eq!(MACHINE.process(number).unwrap().state, ProcessState::Absent);
    });
    thread.join().unwrap();
}

#[test]
fn the_session_is_told_in_the_words_of_the_system() {
    match (MACHINE.os().unwrap(), MACHINE.session().unwrap()) {
        (Os::Darwin, Session::Darwin) => {}
        (Os::Linux, Session::Linux { audit_session, runtime_folder_readable }) => {
            let told = fs::read_to_string("/proc/self/sessionid").ok();
            assert_eq!(audit_session.map(|session| session.to_string()), told);
            let folder = format!("/run/user/{}", rustix::process::geteuid().as_raw());
            assert_eq!(runtime_folder_readable, fs::read_dir(folder).is_ok());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn variables_are_answered_as_they_stand() {
    let mut command =
        helper(&std::env::current_exe().unwrap(), "unix_processes::asks_for_prepared_variables");
    command
        .env("APPDECL_PLAIN", " $HOME\u{e9} ")
        .env("APPDECL_EMPTY", "")
        .env("APPDECL_BYTES", OsStr::from_bytes(b"/bin:/x\xff"))
        .env("APPDECL_A", "B=C");
    passes(command);
}

#[test]
#[ignore = "a helper: another test starts it with variables of its own"]
fn asks_for_prepared_variables() {
    assert_eq!(MACHINE.variable("APPDECL_PLAIN").unwrap(), " $HOME\u{e9} ");
    assert_eq!(MACHINE.variable("APPDECL_EMPTY").unwrap(), "");
    assert_eq!(code(MACHINE.variable("APPDECL_BYTES")), FaultCode::Unsupported);
    for name in ["appdecl_plain", "APPDECL_UNSET", "", "APPDECL_A=B", "=", "APPDECL_A\0"] {
        assert_eq!(code(MACHINE.variable(name)), FaultCode::Absent, "{name:?}");
    }
}
