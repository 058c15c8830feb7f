//! The machine code of both components, and the one way to load it.

use wasmtime::component::Component;
use wasmtime::{Engine, Result};

use crate::engine_config::engine_config;

/// What the build script compiled a component to. There are no others.
pub(crate) struct Compiled(&'static [u8]);

impl Compiled {
    /// The component that judges declarations.
    pub(crate) const GATE: Self = Self(include_bytes!(concat!(env!("OUT_DIR"), "/appdecl.cwasm")));

    /// The component with the rules of packages.
    pub(crate) const PACKAGES: Self =
        Self(include_bytes!(concat!(env!("OUT_DIR"), "/appdecl-packages.cwasm")));

    /// The component in an engine of its own.
    pub(crate) fn load(&self) -> Result<(Engine, Component)> {
        let engine = Engine::new(&engine_config(env!("APPDECL_TARGET"))?)?;
        #[expect(unsafe_code, reason = "wasmtime has no safe way to load compiled code")]
        // SAFETY: the bytes are what `precompile_component` gave in this crate's build script: nothing else can make a
        // `Compiled`.
        let component = unsafe { Component::deserialize(&engine, self.0)? };
        Ok((engine, component))
    }
}
