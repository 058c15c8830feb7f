//! The shapes of answers.

use std::fmt;

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// There is nothing of that name.
    Absent,
    /// The system forbids it to this user.
    Denied,
    /// Another program holds it.
    Locked,
    /// It is there and not of the kind asked for.
    NotRegular,
    /// It is larger than the host hands over.
    TooLarge,
    /// The host keeps it to itself.
    Refused,
    /// This system has no such thing, or the answer can not be carried.
    Unsupported,
    /// Anything else.
    Io,
}

impl FaultCode {
    /// The code as the WIT package and the facts file spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Denied => "denied",
            Self::Locked => "locked",
            Self::NotRegular => "not-regular",
            Self::TooLarge => "too-large",
            Self::Refused => "refused",
            Self::Unsupported => "unsupported",
            Self::Io => "io",
        }
    }
}

/// Why a question has no answer, with words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the component decides on.
    pub code: FaultCode,
    /// For people. Holds no content of a file.
    pub detail: String,
}

impl Fault {
    /// A fault with words for people.
    pub fn new(code: FaultCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() {
            f.write_str(self.code.name())
        } else {
            write!(f, "{}: {}", self.code.name(), self.detail)
        }
    }
}

impl std::error::Error for Fault {}

/// The families of systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Os {
    /// Windows.
    Win32,
    /// macOS.
    Darwin,
    /// Linux.
    Linux,
}

impl Os {
    /// Every system.
    pub const ALL: [Self; 3] = [Self::Win32, Self::Darwin, Self::Linux];

    /// The system as declarations, facts files and the WIT package spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win32 => "win32",
            Self::Darwin => "darwin",
            Self::Linux => "linux",
        }
    }
}

/// What a path leads to, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe, a device, a socket.
    Other,
}

/// What is known of a path without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Whether this user may execute it; false on Windows.
    pub executable: bool,
}

/// The roots of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hive {
    /// `HKEY_LOCAL_MACHINE`.
    LocalMachine,
    /// `HKEY_CURRENT_USER`.
    CurrentUser,
}

/// The views of a 64-bit registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// The 64-bit view.
    Bits64,
    /// The 32-bit view.
    Bits32,
}

/// A registry value, typed as far as the registry types it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// There is no such value.
    Missing,
    /// REG_SZ as it stands.
    Text(String),
    /// REG_EXPAND_SZ, not expanded.
    ExpandableText(String),
    /// REG_DWORD or REG_QWORD.
    Number(u64),
    /// Another type, or text that is not well-formed UTF-16.
    Other,
    /// The value could not be read.
    Unreadable(Fault),
}

/// One key below the one asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subkey {
    /// Its name.
    pub name: String,
    /// The values asked for, in the order asked.
    pub values: Vec<Value>,
}

/// Whose a file or a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// The user that this program runs as.
    Own,
    /// The superuser, where that is not `Own`.
    Root,
    /// Anybody else.
    Other,
}

/// A runtime file. Its bytes may hold a token: the type prints none of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Contents {
    /// The size of the open file in bytes.
    pub size: u64,
    /// The whole content where `size` is at most 65,536, else nothing.
    pub bytes: Vec<u8>,
    /// When it was last written, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// Its owner; none on Windows.
    pub owner: Option<Principal>,
    /// Its group; none on Windows.
    pub group: Option<Principal>,
    /// The permission bits; none on Windows.
    pub mode: Option<u32>,
}

impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contents")
            .field("size", &self.size)
            .field("modified", &self.modified)
            .finish_non_exhaustive()
    }
}

/// How a process number stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessState {
    /// It runs, sleeps or is stopped.
    Running,
    /// It has ended and waits for its parent.
    Zombie,
    /// It has ended and can still be opened.
    Ended,
    /// No process has this number.
    Absent,
}

/// A process, as far as this user may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessStatus {
    /// How it stands.
    pub state: ProcessState,
    /// When it started, in milliseconds since 1970.
    pub started: Option<u64>,
}

/// The raw facts about the session of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// Windows.
    Win32 {
        /// The session id of this process.
        process_session: Option<u32>,
        /// The session at the physical console.
        console_session: Option<u32>,
        /// Whether the process has a window station.
        window_station: bool,
    },
    /// Linux.
    Linux {
        /// The kernel's audit session id; 4294967295 means unset.
        audit_session: Option<u32>,
        /// Whether the user's runtime folder can be read.
        runtime_folder_readable: bool,
    },
    /// macOS tells nothing.
    Darwin,
}
