//! What wasmtime generates for the world of packages: the component's exports. It has no imports.

/// The bindings from the WIT packages in these two folders, which lie elsewhere in a published package.
macro_rules! bindings {
    ($host:literal, $gate:literal) => {
        wasmtime::component::bindgen!({
            path: [$host, $gate],
            world: "appdecl:gate/appdecl-packages",
        });
    };
}

#[cfg(not(packaged))]
bindings!("../../wit/host", "../../wit/gate");
#[cfg(packaged)]
bindings!("component/wit/host", "component/wit/gate");
