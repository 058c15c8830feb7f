//! What the tests of the real machine share.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use appdecl_facts::{Answer, Failure, FaultCode};

/// A path as the questions take it.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The code of the fault that a question was answered with.
#[track_caller]
pub(crate) fn code<T: std::fmt::Debug>(answer: Answer<T>) -> FaultCode {
    match answer {
        Err(Failure::Fault(fault)) => fault.code,
        other => panic!("expected a fault, found {other:?}"),
    }
}

/// One ignored test of this test program, to be run in a process of its own.
pub(crate) fn helper(program: &Path, test: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--exact", test, "--ignored", "--nocapture"]).stdin(Stdio::null());
    command
}

/// Runs a helper and passes on what it found.
#[track_caller]
pub(crate) fn passes(mut command: Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A child that lives until its input is closed.
pub(crate) fn waiting_child() -> Child {
    let mut command = helper(&std::env::current_exe().unwrap(), "common::waits_for_the_end_of_its_input");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
#[ignore = "a helper: other tests start it as a process that lives until its input is closed"]
fn waits_for_the_end_of_its_input() {
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}
