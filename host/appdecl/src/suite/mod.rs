//! Policy suites (SPEC §11): cases that say what declarations come to on machines that are written down, and the one
//! runner for them.
//!
//! A suite is read once, with every fault of it reported at its place. Its cases then run in any order and number of
//! threads: each has a [`Gate`](crate::Gate) of its own that asks a facts file and never this machine.

mod case;
mod compare;
mod coverage;
mod expect;
mod read;
mod run;
mod update;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::input::{InputError, Source};

pub use case::Case;
pub use coverage::{Coverage, Covered, Point, coverage};
pub(crate) use expect::STATIC_KEYS;
pub use expect::{AVAILABILITY_REASONS, DIAGNOSTIC_CODES, ENDPOINT_REASONS, RETRIES, STATES, STATUS_STATES};
pub use run::run;
pub use update::{Update, updated};

/// The largest suite that is read, in bytes.
pub const MAX_SUITE: u64 = 16 << 20;

/// A suite that was read and found good.
#[derive(Debug)]
pub struct Suite {
    /// What it calls itself.
    pub name: String,
    /// The file it was read from.
    pub source: Arc<Source>,
    /// Its cases in the order of the file; the comparisons of `versions` are the last ones. At least one, and no two of
    /// one name.
    pub cases: Vec<Case>,
}

impl Suite {
    /// Reads a suite, and the packages and facts files that it names. Their paths start at the suite's folder.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("acme.suite.yaml");
    /// std::fs::write(&path, "
    /// suite: Acme on Linux
    /// declaration: { app: { linux: { presence: executable, location: /opt/acme } }, requires: { app: true } }
    /// cases:
    ///   - name: not installed
    ///     facts: { os: linux }
    ///     expect: { state: missing_app }
    /// ")?;
    /// let suite = appdecl::suite::Suite::read(&path)?;
    /// assert!(suite.cases[0].run().outcome.passed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InputError`] where the file can not be read; [`InputError::Suite`] with every fault where it is no good suite.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        read::read(path)
    }
}

/// What running a case came to.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether it passed.
    pub outcome: Outcome,
    /// How long the component worked on it, its questions to the facts included.
    pub in_component: Duration,
}

/// Whether a case passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Everything it expects was found.
    Passed,
    /// Something else was found: all of it, at least one.
    Failed(Vec<Difference>),
    /// There is no answer: a recording does not hold a question, or the component ran into a limit.
    Broken(String),
}

impl Outcome {
    /// Whether everything that was expected was found.
    #[must_use]
    pub fn passed(&self) -> bool {
        matches!(self, Self::Passed)
    }
}

/// Something that was expected and not found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// A JSON pointer (RFC 6901) into the `expect` of the case.
    pub pointer: String,
    /// What the suite says.
    pub expected: Value,
    /// What was found.
    pub found: Value,
}
