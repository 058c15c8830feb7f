//! The questions that the rules ask of a machine, and nothing else of it.
//!
//! The shapes are those of the WIT package `appdecl:host`; `wit/host` says what each means and promises. Rules take a
//! `&dyn Facts`, so that they run natively in tests and benchmarks as well as in the component.

/// Why a question has no answer. The rules decide on the code alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultCode {
    /// Nothing of that name.
    Absent,
    /// Forbidden to this user.
    Denied,
    /// Held by another program.
    Locked,
    /// There, and of another kind.
    NotRegular,
    /// More than the host hands over.
    TooLarge,
    /// Kept back by the host's own policy.
    Refused,
    /// No such thing on this system, or not to be carried.
    Unsupported,
    /// Anything else.
    Io,
}

impl FaultCode {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Absent,
        Self::Denied,
        Self::Locked,
        Self::NotRegular,
        Self::TooLarge,
        Self::Refused,
        Self::Unsupported,
        Self::Io,
    ];

    /// The code as the WIT package spells it.
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

    /// The code of that name; another text counts as [`FaultCode::Io`].
    pub fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|code| code.name() == name).unwrap_or(Self::Io)
    }
}

/// The families of systems that declarations speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Os {
    /// Windows.
    Win32,
    /// macOS.
    Darwin,
    /// Linux.
    Linux,
}

impl Os {
    /// All of them, in the order that messages list them.
    pub const ALL: [Self; 3] = [Self::Win32, Self::Darwin, Self::Linux];

    /// The key that a declaration uses.
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
    /// Whether this user may execute it (linux, darwin).
    pub executable: bool,
}

/// The roots of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hive {
    /// HKLM.
    LocalMachine,
    /// HKCU.
    CurrentUser,
}

/// The views of a 64-bit registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// The 64-bit view.
    Bits64,
    /// The 32-bit view.
    Bits32,
}

/// A registry value, typed as far as the registry types it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryValue {
    /// No such value.
    Missing,
    /// REG_SZ as it stands.
    Text(String),
    /// REG_EXPAND_SZ, not expanded.
    ExpandableText(String),
    /// REG_DWORD or REG_QWORD.
    Number(u64),
    /// Any other type.
    Other,
    /// Could not be read.
    Unreadable(FaultCode),
}

/// One key below the one asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subkey {
    /// Its name.
    pub name: String,
    /// The values asked for, in that order.
    pub values: Vec<RegistryValue>,
}

/// Whose a file or a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// This user's.
    Own,
    /// The superuser's.
    Root,
    /// Anybody else's.
    Other,
}

/// A runtime file. Has no `Debug`: its bytes may hold a token.
#[derive(Clone, PartialEq, Eq)]
pub struct RuntimeFile {
    /// The size of the open file in bytes.
    pub size: u64,
    /// The whole content, or nothing beyond 65,536 bytes.
    pub bytes: Vec<u8>,
    /// Last written, in milliseconds since 1970.
    pub modified: Option<u64>,
    /// Its owner.
    pub owner: Option<Principal>,
    /// Its group.
    pub group: Option<Principal>,
    /// Its permission bits.
    pub mode: Option<u32>,
}

/// How a process number stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessState {
    /// Runs, sleeps or is stopped.
    Running,
    /// Ended, its parent has not noticed.
    Zombie,
    /// Ended, and can still be opened.
    Ended,
    /// There is none.
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

/// The raw facts about the session.
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
        /// The kernel's audit session id.
        audit_session: Option<u32>,
        /// Whether the user's runtime folder can be read.
        runtime_folder_readable: bool,
    },
    /// macOS tells nothing.
    Darwin,
}

/// An answer, or why there is none.
pub type Answer<T> = Result<T, FaultCode>;

/// The questions. `wit/host` says what each means.
pub trait Facts {
    /// Which system this is.
    fn os(&self) -> Os;
    /// One environment variable, exactly as it stands.
    fn variable(&self, name: &str) -> Answer<String>;
    /// What a path leads to.
    fn stat(&self, path: &str) -> Answer<Node>;
    /// The names in a folder; `prefix` is a hint.
    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>>;
    /// The bytes of `<bundle>/Contents/Info.plist`.
    fn plist(&self, bundle: &str) -> Answer<Vec<u8>>;
    /// A range of a PE file.
    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>>;
    /// The keys below a registry key, with the values named.
    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[&str]) -> Answer<Vec<Subkey>>;
    /// The runtime file at a path.
    fn runtime_file(&self, path: &str) -> Answer<RuntimeFile>;
    /// The process with a number.
    fn process(&self, pid: u32) -> Answer<ProcessStatus>;
    /// The session this process runs in.
    fn session(&self) -> Answer<Session>;
    /// Hands a secret to the host's redactor.
    fn redact(&self, secret: &str) -> bool;
}
