//! What the tests of Windows can only set up by calls that have no safe form. The questions are asked as anybody asks them.

mod access;
mod folders;
mod registry;
mod writer;

use crate::{Answer, Failure, FaultCode, HostFacts, Machine};

#[track_caller]
fn code<T: std::fmt::Debug>(answer: Answer<T>) -> FaultCode {
    match answer {
        Err(Failure::Fault(fault)) => fault.code,
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[test]
#[expect(
    unsafe_code,
    reason = "a variable can be unset in no other way: Wine sets this one in every new process"
)]
fn program_files_that_is_unset_is_absent() {
    // SAFETY: on Windows the call is safe whatever other threads do.
    unsafe { std::env::remove_var("ProgramFiles") };
    assert_eq!(code(Machine::new().variable("ProgramFiles")), FaultCode::Absent);
    assert_eq!(code(Machine::new().variable("PROGRAMFILES")), FaultCode::Absent);
}
