//! The component in wasmtime: loaded once in a process, instantiated once per gate, each call within its limits.

use std::sync::{Arc, OnceLock};

use appdecl_facts::HostFacts;
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{ResourceLimiter, Store, Trap};

use crate::bindings::exports::appdecl::gate::gate::Guest;
use crate::bindings::{Appdecl, AppdeclPre};
use crate::compiled::Compiled;
use crate::error::{Error, Limit};
use crate::imports::Unanswerable;
use crate::redact::Redact;

/// How much one call may use. Hostile input runs into a limit instead of holding up or filling the machine; what is
/// well-formed stays far below the defaults.
///
/// ```
/// let limits = appdecl::Limits::default().memory(16 << 20).work(500_000_000);
/// let gate = appdecl::Gate::builder().limits(limits).build()?;
/// # Ok::<(), appdecl::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) memory: usize,
    pub(crate) work: u64,
}

impl Default for Limits {
    /// 64 MiB, and 2,000,000,000 steps: about a second.
    fn default() -> Self {
        Self { memory: 64 << 20, work: 2_000_000_000 }
    }
}

impl Limits {
    /// The memory of the component in bytes, registered declarations included.
    #[must_use]
    pub fn memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// The work of one call in steps, about one per instruction of the component. The count is the same on every machine
    /// and does not depend on the clock; time that the host facts take is not part of it.
    #[must_use]
    pub fn work(self, steps: u64) -> Self {
        Self { work: steps, ..self }
    }
}

/// What the component's questions reach.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) facts: Arc<dyn HostFacts>,
    pub(crate) redactor: Option<Arc<dyn Redact>>,
    pub(crate) limits: Limits,
}

/// A living component. One that has failed refuses every further call: it is dropped.
pub(crate) struct Instance {
    store: Store<Host>,
    exports: Appdecl,
}

impl Instance {
    /// A component without registered declarations.
    pub(crate) fn new(host: &Host) -> Result<Self, Error> {
        let prepared = prepared()?;
        let mut store = Store::new(prepared.engine(), host.clone());
        store.limiter(|host| host);
        store.set_fuel(host.limits.work).map_err(classify)?;
        let exports = prepared.instantiate(&mut store).map_err(classify)?;
        Ok(Self { store, exports })
    }

    /// Has its questions answered elsewhere from now on.
    pub(crate) fn move_to(&mut self, host: &Host) {
        self.store.data_mut().clone_from(host);
    }

    /// One call with the whole budget.
    pub(crate) fn call<T>(
        &mut self,
        question: impl FnOnce(&Guest, &mut Store<Host>) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        let budget = self.store.data().limits.work;
        self.store.set_fuel(budget).map_err(classify)?;
        question(self.exports.appdecl_gate_gate(), &mut self.store).map_err(classify)
    }
}

/// The loaded component, its imports tied to [`Host`].
fn prepared() -> Result<&'static AppdeclPre<Host>, Error> {
    static PREPARED: OnceLock<Result<AppdeclPre<Host>, String>> = OnceLock::new();
    PREPARED
        .get_or_init(|| load().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|message| Error::Load(message.clone()))
}

fn load() -> wasmtime::Result<AppdeclPre<Host>> {
    let (engine, component) = Compiled::GATE.load()?;
    let mut linker = Linker::new(&engine);
    Appdecl::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut Host| host)?;
    AppdeclPre::new(linker.instantiate_pre(&component)?)
}

/// What ended a call.
pub(crate) fn classify(error: wasmtime::Error) -> Error {
    if let Some(Unanswerable(question)) = error.downcast_ref() {
        return Error::Unanswerable(question.clone());
    }
    if error.is::<MemoryExceeded>() {
        return Error::LimitExceeded(Limit::Memory);
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Error::LimitExceeded(Limit::Work),
        Some(Trap::StackOverflow) => Error::LimitExceeded(Limit::Stack),
        Some(trap) => Error::Trap(trap.to_string()),
        None => Error::Trap(format!("{error:#}")),
    }
}

/// The component asked for more memory than its limit.
#[derive(Debug, thiserror::Error)]
#[error("the component asked for more memory than its limit")]
pub(crate) struct MemoryExceeded;

impl ResourceLimiter for Host {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > self.limits.memory { Err(MemoryExceeded.into()) } else { Ok(true) }
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}
