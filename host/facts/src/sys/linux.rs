//! Processes and sessions on Linux: what `/proc` says.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, geteuid, test_kill_process};
use rustix::time::{ClockId, Timespec, clock_gettime};

pub(super) use super::unix::{fault, native, open, ownership, stat, subkeys};
use crate::{Fault, FaultCode, Os, ProcessState, ProcessStatus, Session};

pub(super) const OS: Os = Os::Linux;

const ABSENT: ProcessStatus = ProcessStatus { state: ProcessState::Absent, started: None };

/// The process with this number, from `/proc/PID/stat` and `/proc/PID/status`
/// ([proc_pid_stat(5)](https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html)).
///
/// A `/proc` that hides the processes of others (`hidepid`) says the same as for a number that nobody has; `kill(2)` with
/// signal 0, which sends nothing, tells them apart.
pub(super) fn process(pid: u32) -> Result<ProcessStatus, Fault> {
    let folder = Path::new("/proc").join(pid.to_string());
    match read_short(&folder.join("stat")).map(|text| Stat::parse(&text)) {
        Ok(Some(stat)) => {
            // The numbers of threads lead into `/proc` too, although they are not listed there.
            let status = read_short(&folder.join("status")).unwrap_or_default();
            match thread_group(&status) {
                Some(group) if group == pid => {
                    Ok(stat.status(now(ClockId::Realtime), now(ClockId::Boottime)))
                }
                _ => Ok(ABSENT),
            }
        }
        Err(error) if Errno::from_io_error(&error) == Some(Errno::SRCH) => Ok(ABSENT),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(fault(&error)),
        Ok(None) | Err(_) => ask_by_signal(pid),
    }
}

/// `/proc/self/sessionid`, and whether `/run/user/<uid>` of the effective user can be read.
pub(super) fn session() -> Result<Session, Fault> {
    let audit_session = read_short(Path::new("/proc/self/sessionid")).ok().and_then(|text| number(&text));
    let runtime_folder = Path::new("/run/user").join(geteuid().as_raw().to_string());
    Ok(Session::Linux { audit_session, runtime_folder_readable: std::fs::read_dir(runtime_folder).is_ok() })
}

fn ask_by_signal(pid: u32) -> Result<ProcessStatus, Fault> {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return Ok(ABSENT) };
    from_signal(test_kill_process(pid))
}

fn from_signal(answer: rustix::io::Result<()>) -> Result<ProcessStatus, Fault> {
    match answer {
        Ok(()) => Ok(ProcessStatus { state: ProcessState::Running, started: None }),
        Err(Errno::SRCH) => Ok(ABSENT),
        Err(Errno::PERM) => {
            Err(Fault::new(FaultCode::Denied, "the process belongs to another user and is hidden"))
        }
        Err(errno) => Err(fault(&errno.into())),
    }
}

/// What `/proc/PID/stat` holds of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    state: u8,
    threads: u64,
    /// In ticks since the system started.
    started: u64,
}

impl Stat {
    /// The second field is a name that anybody can choose: it may hold blanks, brackets, line ends and any bytes. The
    /// fields after it begin behind the last `)`.
    fn parse(text: &[u8]) -> Option<Self> {
        let name_ends = text.iter().rposition(|&byte| byte == b')')?;
        let rest = std::str::from_utf8(text.get(name_ends.checked_add(1)?..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let state = match fields.next()?.as_bytes() {
            [state] => *state,
            _ => return None,
        };
        // Fields 20 and 22 of the manual, of which the state is 3.
        let threads = fields.nth(16)?.parse().ok()?;
        let started = fields.nth(1)?.parse().ok()?;
        Some(Self { state, threads, started })
    }

    fn status(self, now: Option<u64>, since_start: Option<u64>) -> ProcessStatus {
        // A process whose first thread has ended looks like a zombie while its other threads go on.
        let ended = matches!(self.state, b'Z' | b'X' | b'x') && self.threads <= 1;
        let state = if ended { ProcessState::Zombie } else { ProcessState::Running };
        ProcessStatus { state, started: self.started(now, since_start) }
    }

    /// The clock of today's time less the clock since the start of the system is when the system started. That is finer
    /// than the seconds of `btime` in `/proc/stat`, and it spares reading that file, which is large on large machines.
    fn started(self, now: Option<u64>, since_start: Option<u64>) -> Option<u64> {
        let system_started = now?.checked_sub(since_start?)?;
        let after = self.started.checked_mul(1000)?.checked_div(clock_ticks_per_second())?;
        system_started.checked_add(after)
    }
}

fn thread_group(status: &[u8]) -> Option<u32> {
    status.split(|&byte| byte == b'\n').find_map(|line| number(line.strip_prefix(b"Tgid:")?))
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

fn now(clock: ClockId) -> Option<u64> {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    let milliseconds = u64::try_from(tv_nsec).ok()?.checked_div(1_000_000)?;
    u64::try_from(tv_sec).ok()?.checked_mul(1000)?.checked_add(milliseconds)
}

/// The beginning of a file of `/proc`. What is of interest there stands in the first kilobyte.
fn read_short(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;
    use rustix::param::clock_ticks_per_second;

    use super::{Stat, from_signal, number, thread_group};
    use crate::{FaultCode, ProcessState};

    fn line(name: &[u8], state: char, threads: u32, started: u64) -> Vec<u8> {
        let rest =
            format!(") {state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 {threads} 0 {started} 99 98 97\n");
        [b"42 (", name, rest.as_bytes()].concat()
    }

    #[test]
    fn a_name_that_imitates_the_fields_is_read_as_a_name() {
        for name in [b"x".as_slice(), b"a) Z 1 2 3 (b", b") R 1", b"\xff\xfe\n) Z", b""] {
            let stat = Stat::parse(&line(name, 'S', 3, 77)).unwrap();
            assert_eq!(stat, Stat { state: b'S', threads: 3, started: 77 });
        }
    }

    #[test]
    fn text_that_is_cut_off_or_odd_is_no_stat() {
        let whole = line(b"x", 'S', 3, 77);
        for text in [b"".as_slice(), b"42 (x", b"42 (x)", b"42 (x) S 1 2", b"42 (x) SS 1", b"\xff)\xff"] {
            assert_eq!(Stat::parse(text), None);
        }
        for end in 0..whole.len() {
            let _ = Stat::parse(whole.get(..end).unwrap());
        }
    }

    #[test]
    fn a_zombie_is_one_only_when_no_thread_is_left() {
        for (state, threads, expected) in [
            ('R', 1, ProcessState::Running),
            ('T', 1, ProcessState::Running),
            ('D', 1, ProcessState::Running),
            ('Z', 1, ProcessState::Zombie),
            ('X', 0, ProcessState::Zombie),
            ('Z', 2, ProcessState::Running),
        ] {
            let stat = Stat::parse(&line(b"x", state, threads, 1)).unwrap();
            assert_eq!(stat.status(None, None).state, expected, "{state} {threads}");
        }
    }

    #[test]
    fn the_start_is_counted_from_the_start_of_the_system() {
        let stat = Stat { state: b'S', threads: 1, started: 3 * clock_ticks_per_second() };
        assert_eq!(stat.started(Some(10_000), Some(4_000)), Some(9_000));
        assert_eq!(stat.started(Some(1), Some(2)), None);
        assert_eq!(stat.started(None, Some(2)), None);
        assert_eq!(Stat { started: u64::MAX, ..stat }.started(Some(10_000), Some(4_000)), None);
    }

    #[test]
    fn a_hidden_process_is_denied_and_a_missing_one_absent() {
        assert_eq!(from_signal(Ok(())).unwrap().state, ProcessState::Running);
        assert_eq!(from_signal(Err(Errno::SRCH)).unwrap().state, ProcessState::Absent);
        assert_eq!(from_signal(Err(Errno::PERM)).unwrap_err().code, FaultCode::Denied);
        assert_eq!(from_signal(Err(Errno::INVAL)).unwrap_err().code, FaultCode::Io);
    }

    #[test]
    fn the_thread_group_is_read_from_its_own_line() {
        assert_eq!(thread_group(b"Name:\tTgid: 7\nState:\tS\nTgid:\t42\nPid:\t43\n"), Some(42));
        assert_eq!(thread_group(b"Name:\tx\n"), None);
        assert_eq!(thread_group(b"Tgid:\tx\n"), None);
    }

    #[test]
    fn the_session_is_a_number_of_32_bits() {
        assert_eq!(number(b"4294967295"), Some(u32::MAX));
        assert_eq!(number(b"3\n"), Some(3));
        for text in [b"".as_slice(), b"-1", b"4294967296", b"x", b"\xff"] {
            assert_eq!(number(text), None);
        }
    }
}
