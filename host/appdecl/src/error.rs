//! Why a call on a gate has no answer.

use crate::answer::Diagnostic;

/// Why a call on a [`Gate`](crate::Gate) has no answer.
///
/// [`Error::Invalid`] and [`Error::EndpointUnavailable`] are findings about a declaration and an application. All others
/// are faults of that one call: the gate keeps every registration, and the next call works.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The declaration has faults: all of them, in document order, at least one. Nothing was changed.
    #[error("the declaration has {}", faults(.0))]
    Invalid(Vec<Diagnostic>),
    /// There is no address to dial.
    #[error("there is no endpoint: `{reason}`")]
    EndpointUnavailable {
        /// A stable code such as `pid-not-alive` (SPEC §11 lists them).
        reason: String,
    },
    /// The host facts can not answer a question at all, such as a recording that does not hold it.
    #[error("{0}")]
    Unanswerable(String),
    /// The call used up what it may use. The input is hostile, or the limit too low.
    #[error("the call took more than its {0} limit")]
    LimitExceeded(Limit),
    /// A bug in the component.
    #[error("the component failed: {0}")]
    Trap(String),
    /// The component does not run in this process.
    #[error("the component can not be loaded: {0}")]
    Load(String),
}

/// What a call used up. [`Limits`](crate::Limits) sets the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Steps of work.
    Work,
    /// Memory of the component.
    Memory,
    /// Depth of calls inside the component.
    Stack,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Work => "work",
            Self::Memory => "memory",
            Self::Stack => "stack",
        })
    }
}

/// The number of faults, and the first of them in its words.
fn faults(diagnostics: &[Diagnostic]) -> String {
    match diagnostics {
        [] => "faults".to_owned(),
        [only] => format!("a fault: {only}"),
        [first, rest @ ..] => format!("{} faults, the first: {first}", rest.len() + 1),
    }
}
