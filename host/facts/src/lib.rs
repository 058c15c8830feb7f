//! What a machine says when appdecl asks: the real one, or one on paper.
//!
//! A host answers questions of fact and never decides. The shapes are those of the WIT package `appdecl:host`, whose
//! documents say what each answer means; nothing here compares versions, expands paths or ranks anything.

mod answers;
pub mod document;
mod facts_file;
pub mod limits;
mod path;
mod record;
mod redact;
mod replay;
mod shared;
mod sys;
mod text;
mod transcript;

pub use answers::{
    Contents, Fault, FaultCode, Hive, Node, NodeKind, Os, Principal, ProcessState, ProcessStatus, Session,
    Subkey, Value, View,
};
pub use facts_file::{FORMAT_VERSION, FactsError, FactsFile, MAX_WRITTEN_OUT, Reader};
pub use limits::Limited;
pub use record::{Naming, Recorder};
pub use replay::Replay;
pub use sys::{Machine, read_file};
pub use text::misleads;
pub use transcript::Transcript;

/// Why a question was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A fact about the machine. The component goes on with it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The question itself can not be answered: a recording does not hold it. The evaluation ends.
    #[error("{0}")]
    Unanswerable(String),
}

/// An answer, or why there is none.
pub type Answer<T> = Result<T, Failure>;

/// The questions that appdecl asks of a machine. `wit/host` says what each means and promises.
///
/// Every method takes and returns plain data; none blocks on a network, a pipe or a lock.
pub trait HostFacts: Send + Sync {
    /// Which system this is.
    fn os(&self) -> Answer<Os>;
    /// One environment variable, exactly as it stands.
    fn variable(&self, name: &str) -> Answer<String>;
    /// What a path leads to, links followed.
    fn stat(&self, path: &str) -> Answer<Node>;
    /// The names in a folder. Names that do not begin with `prefix` may be left out.
    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>>;
    /// The bytes of `<bundle>/Contents/Info.plist`.
    fn plist(&self, bundle: &str) -> Answer<Vec<u8>>;
    /// Up to `length` bytes at `offset` of a file that begins with `MZ`.
    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>>;
    /// The keys directly below `key`, each with the named values.
    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>>;
    /// The runtime file at a path.
    fn runtime_file(&self, path: &str) -> Answer<Contents>;
    /// The process with a number between 1 and 2147483647.
    fn process(&self, pid: u32) -> Answer<ProcessStatus>;
    /// The session that this process runs in.
    fn session(&self) -> Answer<Session>;
}
