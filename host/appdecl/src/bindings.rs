//! What wasmtime generates for the component's world: its exports and the traits for its imports. Each world has one such
//! file.

/// The bindings from the WIT packages in these two folders, which lie elsewhere in a published package.
macro_rules! bindings {
    ($host:literal, $gate:literal) => {
        wasmtime::component::bindgen!({
            path: [$host, $gate],
            world: "appdecl:gate/appdecl",
            imports: { default: trappable },
        });
    };
}

#[cfg(not(packaged))]
bindings!("../../wit/host", "../../wit/gate");
#[cfg(packaged)]
bindings!("component/wit/host", "component/wit/gate");
