//! How a gate is made.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use appdecl_facts::{HostFacts, Limited, Machine};

use super::cache::Cache;
use super::notices::Notices;
use super::{Gate, Inner, State};
use crate::engine::{Host, Instance, Limits};
use crate::error::Error;
use crate::redact::Redact;

/// Makes a [`Gate`].
///
/// ```
/// use std::time::Duration;
/// let gate = appdecl::Gate::builder().cache_for(Duration::from_secs(2)).build()?;
/// assert!(gate.servers()?.is_empty());
/// # Ok::<(), appdecl::Error>(())
/// ```
#[derive(Default)]
pub struct GateBuilder {
    facts: Option<Arc<dyn HostFacts>>,
    redactor: Option<Arc<dyn Redact>>,
    limits: Limits,
    cache_for: Option<Duration>,
}

impl GateBuilder {
    /// Who answers the component's questions; this machine, unless it is said. Whoever answers is bounded by
    /// [`appdecl_facts::Limited`], and must not ask the gate it answers for: that call would wait for itself.
    #[must_use]
    pub fn facts(self, facts: impl HostFacts + 'static) -> Self {
        Self { facts: Some(Arc::new(Limited::new(facts))), ..self }
    }

    /// Who keeps tokens out of the program's output, such as a [`Redactor`](crate::Redactor). Without one no endpoint carries
    /// a token.
    #[must_use]
    pub fn redactor(self, redactor: Arc<dyn Redact>) -> Self {
        Self { redactor: Some(redactor), ..self }
    }

    /// How much one call may use.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Answers [`Gate::availability`], [`Gate::server_offered`] and [`Gate::skill_offered`] from memory for as long as
    /// this after a question was asked; registering, unregistering and clearing forget all of it. An application that is
    /// installed or removed meanwhile is seen that much later. Endpoints and statuses are never kept.
    #[must_use]
    pub fn cache_for(self, lifetime: Duration) -> Self {
        Self { cache_for: Some(lifetime), ..self }
    }

    /// The gate.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] where the component does not run in this process, and [`Error::LimitExceeded`] where it can not
    /// even start within the limits.
    pub fn build(self) -> Result<Gate, Error> {
        let facts = self.facts.unwrap_or_else(|| Arc::new(Limited::new(Machine::new())));
        let host = Host { facts, redactor: self.redactor, limits: self.limits };
        let instance = Some(Instance::new(&host)?);
        let state = State { host, instance, registered: BTreeMap::new(), cache: Cache::default() };
        let inner = Inner {
            cache_for: self.cache_for,
            state: Mutex::new(state),
            notices: Arc::new(Notices::default()),
        };
        Ok(Gate { inner: Arc::new(inner) })
    }
}

impl fmt::Debug for GateBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GateBuilder")
            .field("limits", &self.limits)
            .field("cache_for", &self.cache_for)
            .finish_non_exhaustive()
    }
}
