//! Whether this is an interactive session (SPEC §7), from the raw facts.

use crate::facts::{Facts, Session};
use crate::inquiry::Inquiry;

/// What the kernel of Linux writes where a process belongs to no login.
const NO_AUDIT_SESSION: u32 = u32::MAX;

/// Whether the host's process runs in an interactive session. What is not known is none.
pub fn is_interactive(inquiry: &Inquiry<'_>) -> bool {
    let trace = inquiry.trace();
    trace.within("session", || {
        let interactive = inquiry.session().is_ok_and(judge);
        trace.detail("interactive", || interactive);
        interactive
    })
}

fn judge(session: Session) -> bool {
    match session {
        Session::Win32 { process_session, console_session, window_station } => process_session
            .is_some_and(|session| session != 0 && (console_session == Some(session) || window_station)),
        Session::Linux { audit_session, runtime_folder_readable } => {
            audit_session.is_some_and(|session| session != NO_AUDIT_SESSION) && runtime_folder_readable
        }
        Session::Darwin => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_no_session() {
        let windows = |process_session, console_session, window_station| {
            judge(Session::Win32 { process_session, console_session, window_station })
        };
        assert!(windows(Some(1), Some(1), false));
        assert!(windows(Some(2), Some(1), true));
        assert!(windows(Some(2), None, true));
        assert!(!windows(Some(2), Some(1), false));
        assert!(!windows(Some(0), Some(0), true));
        assert!(!windows(None, None, true));
        let linux = |audit_session, runtime_folder_readable| {
            judge(Session::Linux { audit_session, runtime_folder_readable })
        };
        assert!(linux(Some(0), true));
        assert!(!linux(Some(3), false));
        assert!(!linux(Some(u32::MAX), true));
        assert!(!linux(None, true));
        assert!(judge(Session::Darwin));
    }
}
