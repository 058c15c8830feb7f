//! The component with the rules of packages in wasmtime: loaded once in a process, one instance for each call, so that no
//! package leaves anything behind for the next.

use std::sync::OnceLock;

use wasmtime::component::Linker;
use wasmtime::{ResourceLimiter, Store};

use super::bindings::exports::appdecl::gate::packages::Guest;
use super::bindings::{AppdeclPackages, AppdeclPackagesPre};
use crate::compiled::Compiled;
use crate::engine::{Limits, MemoryExceeded, classify};
use crate::error::Error;

/// A fresh component, for one call.
pub(super) struct Rules {
    store: Store<Ceiling>,
    exports: AppdeclPackages,
}

/// The memory that a component may have, in bytes.
pub(super) struct Ceiling(usize);

impl Rules {
    /// # Errors
    ///
    /// [`Error::Load`] where the component does not run in this process.
    pub(super) fn new() -> Result<Self, Error> {
        let prepared = prepared()?;
        let limits = Limits::default();
        let mut store = Store::new(prepared.engine(), Ceiling(limits.memory));
        store.limiter(|ceiling| ceiling);
        store.set_fuel(limits.work).map_err(classify)?;
        let exports = prepared.instantiate(&mut store).map_err(classify)?;
        Ok(Self { store, exports })
    }

    /// # Errors
    ///
    /// [`Error::LimitExceeded`] where the input is hostile, [`Error::Trap`] where the component has a bug.
    pub(super) fn call<T>(
        mut self,
        question: impl FnOnce(&Guest, &mut Store<Ceiling>) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        question(self.exports.appdecl_gate_packages(), &mut self.store).map_err(classify)
    }
}

fn prepared() -> Result<&'static AppdeclPackagesPre<Ceiling>, Error> {
    static PREPARED: OnceLock<Result<AppdeclPackagesPre<Ceiling>, String>> = OnceLock::new();
    PREPARED
        .get_or_init(|| load().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|message| Error::Load(message.clone()))
}

fn load() -> wasmtime::Result<AppdeclPackagesPre<Ceiling>> {
    let (engine, component) = Compiled::PACKAGES.load()?;
    AppdeclPackagesPre::new(Linker::new(&engine).instantiate_pre(&component)?)
}

impl ResourceLimiter for Ceiling {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        if desired > self.0 { Err(MemoryExceeded.into()) } else { Ok(true) }
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}
