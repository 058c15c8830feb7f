//! Objects that nobody may open.
#![expect(unsafe_code, reason = "the calls have no safe form")]

use std::ffi::c_void;
use std::io::Read;
use std::mem::MaybeUninit;
use std::os::windows::io::{AsRawHandle, RawHandle};
use std::process::{Command, Stdio};

use windows_sys::Win32::Security::{
    ACL, ACL_REVISION, DACL_SECURITY_INFORMATION, InitializeAcl, InitializeSecurityDescriptor,
    SECURITY_DESCRIPTOR, SetKernelObjectSecurity, SetSecurityDescriptorDacl,
};
use windows_sys::Win32::System::SystemServices::SECURITY_DESCRIPTOR_REVISION;

use super::code;
use crate::{FaultCode, HostFacts, Machine, ProcessState};

/// Takes every right on an object from everybody. Who holds it open keeps what they have.
pub(super) fn deny_everybody(object: RawHandle) {
    let mut nobody = MaybeUninit::<ACL>::zeroed();
    let mut descriptor = MaybeUninit::<SECURITY_DESCRIPTOR>::zeroed();
    let descriptor: *mut c_void = descriptor.as_mut_ptr().cast();
    let size = u32::try_from(size_of::<ACL>()).unwrap();
    // SAFETY: both structures live until the end of this function, and the handle is open.
    unsafe {
        assert_ne!(InitializeAcl(nobody.as_mut_ptr(), size, ACL_REVISION), 0);
        assert_ne!(InitializeSecurityDescriptor(descriptor, SECURITY_DESCRIPTOR_REVISION), 0);
        assert_ne!(SetSecurityDescriptorDacl(descriptor, 1, nobody.as_ptr(), 0), 0);
        assert_ne!(SetKernelObjectSecurity(object, DACL_SECURITY_INFORMATION, descriptor), 0);
    }
}

#[test]
fn a_process_that_may_not_be_asked_is_denied() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "sys::windows::tests::access::waits_for_the_end_of_its_input",
            "--ignored",
            "--nocapture",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(Machine::new().process(child.id()).unwrap().state, ProcessState::Running);
    deny_everybody(child.as_raw_handle());
    assert_eq!(code(Machine::new().process(child.id())), FaultCode::Denied);
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[test]
#[ignore = "a helper: another test starts it as a process that lives until its input is closed"]
fn waits_for_the_end_of_its_input() {
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}
