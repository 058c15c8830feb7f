//! The real machine's processes, session and environment, on Windows.

use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::time::{SystemTime, UNIX_EPOCH};

use appdecl_facts::{FaultCode, HostFacts, Machine, Os, ProcessState, Session};

use crate::common::{code, helper, passes, waiting_child};

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
fn a_child_that_has_ended_and_is_held_has_ended() {
    let mut child = waiting_child();
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(MACHINE.process(child.id()).unwrap().state, ProcessState::Ended);
}

#[test]
fn a_child_that_has_ended_with_259_has_ended() {
    let mut command = helper(&std::env::current_exe().unwrap(), "windows_processes::ends_with_259");
    let mut child = command.spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(259));
    assert_eq!(MACHINE.process(child.id()).unwrap().state, ProcessState::Ended);
}

#[test]
#[ignore = "a helper: another test starts it to have a process that ends with the code of one that runs"]
fn ends_with_259() {
    std::process::exit(259);
}

#[test]
fn a_number_that_the_system_rounds_to_another_process_is_absent() {
    let own = std::process::id();
    assert_eq!(MACHINE.process(own).unwrap().state, ProcessState::Running);
    for number in own + 1..own + 4 {
        assert_eq!(MACHINE.process(number).unwrap().state, ProcessState::Absent, "{number}");
    }
}

#[test]
fn the_numbers_of_the_system_itself_are_no_surprise() {
    assert_eq!(code(MACHINE.process(0)), FaultCode::Refused);
    match MACHINE.process(4) {
        Ok(status) => assert!(matches!(status.state, ProcessState::Running | ProcessState::Absent)),
        denied => assert_eq!(code(denied), FaultCode::Denied),
    }
    for number in [1 << 31, u32::MAX] {
        assert_eq!(code(MACHINE.process(number)), FaultCode::Refused, "{number}");
    }
    assert_eq!(MACHINE.process(0x7fff_fffc).unwrap().state, ProcessState::Absent);
}

#[test]
fn the_session_of_this_process_is_known() {
    assert_eq!(MACHINE.os().unwrap(), Os::Win32);
    let Session::Win32 { process_session, console_session, .. } = MACHINE.session().unwrap() else {
        panic!("another system's session")
    };
    assert!(process_session.is_some());
    assert_ne!(console_session, Some(u32::MAX));
}

#[test]
fn variables_are_found_in_any_case_and_answered_as_they_stand() {
    let mut command =
        helper(&std::env::current_exe().unwrap(), "windows_processes::asks_for_prepared_variables");
    command
        .env("Appdecl_Plain", " %HOME%\u{e9} ")
        .env("APPDECL_WIDE", OsString::from_wide(&[0x43, 0xd800, 0x3a]));
    passes(command);
}

#[test]
#[ignore = "a helper: another test starts it with variables of its own"]
fn asks_for_prepared_variables() {
    for name in ["Appdecl_Plain", "APPDECL_PLAIN", "appdecl_plain"] {
        assert_eq!(MACHINE.variable(name).unwrap(), " %HOME%\u{e9} ", "{name}");
    }
    let path = MACHINE.variable("Path").unwrap();
    assert!(!path.is_empty());
    assert_eq!(MACHINE.variable("PATH").unwrap(), path);
    assert_eq!(MACHINE.variable("path").unwrap(), path);
    assert_eq!(code(MACHINE.variable("APPDECL_WIDE")), FaultCode::Unsupported);
    for name in ["APPDECL_UNSET", "", "=C:", "=", "Appdecl_Plain\0"] {
        assert_eq!(code(MACHINE.variable(name)), FaultCode::Absent, "{name:?}");
    }
}
