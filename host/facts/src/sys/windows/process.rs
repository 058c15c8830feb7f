//! Processes and sessions on Windows.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{
    ERROR_INVALID_PARAMETER, FILETIME, WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT,
};
use windows_sys::Win32::System::RemoteDesktop::{ProcessIdToSessionId, WTSGetActiveConsoleSessionId};
use windows_sys::Win32::System::StationsAndDesktops::GetProcessWindowStation;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcessId, GetProcessId, GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_SYNCHRONIZE, WaitForSingleObject,
};

use super::fault;
use crate::sys::win32;
use crate::{Fault, ProcessState, ProcessStatus, Session};

const ABSENT: ProcessStatus = ProcessStatus { state: ProcessState::Absent, started: None };

/// What `WTSGetActiveConsoleSessionId` answers where no session is attached to the console.
const NO_CONSOLE_SESSION: u32 = u32::MAX;

/// The process with this number.
///
/// Whether it has ended is asked of the handle, which is signalled then. The exit code does not tell: a process may end
/// with 259, which is also the word for "still active".
///
/// <https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-openprocess>
pub(in crate::sys) fn process(pid: u32) -> Result<ProcessStatus, Fault> {
    let handle = match open(pid) {
        Ok(handle) => handle,
        Err(error) if error.raw_os_error() == Some(ERROR_INVALID_PARAMETER.cast_signed()) => {
            return Ok(ABSENT);
        }
        Err(error) => return Err(fault(&error)),
    };
    // Numbers are multiples of four, and the system rounds down: 4243 opens 4240.
    if number_of(&handle) != pid {
        return Ok(ABSENT);
    }
    let state = if has_ended(&handle).map_err(|error| fault(&error))? {
        ProcessState::Ended
    } else {
        ProcessState::Running
    };
    Ok(ProcessStatus { state, started: started(&handle) })
}

/// The raw facts about the session of this process.
pub(in crate::sys) fn session() -> Result<Session, Fault> {
    Ok(Session::Win32 {
        process_session: process_session(),
        console_session: Some(console_session()).filter(|&session| session != NO_CONSOLE_SESSION),
        window_station: has_window_station(),
    })
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn open(pid: u32) -> io::Result<OwnedHandle> {
    // SAFETY: the call takes plain numbers.
    let handle = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE, 0, pid) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open, is closed by `CloseHandle`, and nothing else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn number_of(process: &OwnedHandle) -> u32 {
    // SAFETY: the handle is open as long as `process` is borrowed.
    unsafe { GetProcessId(process.as_raw_handle()) }
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn has_ended(process: &OwnedHandle) -> io::Result<bool> {
    // SAFETY: the handle is open as long as `process` is borrowed; with 0 ms the call does not wait.
    match unsafe { WaitForSingleObject(process.as_raw_handle(), 0) } {
        WAIT_OBJECT_0 => Ok(true),
        WAIT_TIMEOUT => Ok(false),
        WAIT_FAILED => Err(io::Error::last_os_error()),
        other => Err(io::Error::other(format!("the wait ended with {other}"))),
    }
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn started(process: &OwnedHandle) -> Option<u64> {
    let [mut created, mut ended, mut in_kernel, mut in_user] = [FILETIME::default(); 4];
    // SAFETY: the handle is open as long as `process` is borrowed, and the four places are writable.
    let answered = unsafe {
        GetProcessTimes(process.as_raw_handle(), &mut created, &mut ended, &mut in_kernel, &mut in_user)
    };
    if answered == 0 { None } else { win32::milliseconds(created.dwHighDateTime, created.dwLowDateTime) }
}

#[expect(unsafe_code, reason = "the calls have no safe form")]
fn process_session() -> Option<u32> {
    let mut session = 0;
    // SAFETY: `session` is writable, and the number is this process's own.
    let answered = unsafe { ProcessIdToSessionId(GetCurrentProcessId(), &mut session) };
    (answered != 0).then_some(session)
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn console_session() -> u32 {
    // SAFETY: the call takes nothing.
    unsafe { WTSGetActiveConsoleSessionId() }
}

#[expect(unsafe_code, reason = "the call has no safe form")]
fn has_window_station() -> bool {
    // SAFETY: the call takes nothing; the handle that it gives is the system's and is not closed.
    let station = unsafe { GetProcessWindowStation() };
    !station.is_null()
}
