//! Processes and sessions on macOS.

use std::io;
use std::mem::MaybeUninit;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

pub(super) use super::unix::{fault, native, open, ownership, stat, subkeys};
use crate::{Fault, FaultCode, Os, ProcessState, ProcessStatus, Session};

pub(super) const OS: Os = Os::Darwin;

const ABSENT: ProcessStatus = ProcessStatus { state: ProcessState::Absent, started: None };

/// The process with this number, by `proc_pidinfo` with `PROC_PIDTBSDINFO` (`<libproc.h>`, `<sys/proc_info.h>`).
///
/// The kernel answers that for processes of the same user and for the superuser; of others it says EPERM, which is
/// `denied`. Where it knows nothing (ESRCH), `kill(2)` with signal 0, which sends nothing, is the second opinion: it
/// succeeds for a process that has ended and was not waited for.
pub(super) fn process(pid: u32) -> Result<ProcessStatus, Fault> {
    let Ok(number) = i32::try_from(pid) else { return Ok(ABSENT) };
    match process_info(number) {
        Ok(info) if info.pbi_pid == pid => {
            let state =
                if info.pbi_status == libc::SZOMB { ProcessState::Zombie } else { ProcessState::Running };
            Ok(ProcessStatus { state, started: started(&info) })
        }
        Ok(_) => Ok(ABSENT),
        Err(error) if Errno::from_io_error(&error) == Some(Errno::SRCH) => ask_by_signal(number),
        Err(error) => Err(fault(&error)),
    }
}

/// No documented call tells whether a session is interactive without starting another program.
pub(super) fn session() -> Result<Session, Fault> {
    Ok(Session::Darwin)
}

fn ask_by_signal(number: i32) -> Result<ProcessStatus, Fault> {
    let Some(pid) = Pid::from_raw(number) else { return Ok(ABSENT) };
    match test_kill_process(pid) {
        Ok(()) => Ok(ProcessStatus { state: ProcessState::Zombie, started: None }),
        Err(Errno::SRCH) => Ok(ABSENT),
        Err(Errno::PERM) => Err(Fault::new(FaultCode::Denied, "the process belongs to another user")),
        Err(errno) => Err(fault(&errno.into())),
    }
}

fn started(info: &libc::proc_bsdinfo) -> Option<u64> {
    // The kernel leaves the time of a process that it is taking apart at zero.
    let seconds = Some(info.pbi_start_tvsec).filter(|&seconds| seconds != 0)?;
    seconds.checked_mul(1000)?.checked_add(info.pbi_start_tvusec.checked_div(1000)?)
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn process_info(pid: i32) -> io::Result<libc::proc_bsdinfo> {
    // The kernel looks among the processes that have ended as well only where this argument is not 0
    // (`proc_pidinfo` in bsd/kern/proc_info.c of xnu).
    const ENDED_ONES_TOO: u64 = 1;
    let mut info = MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    let size = i32::try_from(size_of::<libc::proc_bsdinfo>()).map_err(io::Error::other)?;
    // SAFETY: `info` is writable memory of `size` bytes, and the call writes no more than that.
    let written = unsafe {
        libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, ENDED_ONES_TOO, info.as_mut_ptr().cast(), size)
    };
    if written < size {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has written the whole structure, which consists of integers and arrays of them.
    Ok(unsafe { info.assume_init() })
}
