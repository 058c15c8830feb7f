//! What is built into this crate, for those who ship it elsewhere.

/// The component as a WebAssembly file: for other runtimes, and to be checked against its hash.
pub const COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/appdecl.wasm"));

/// The SHA-256 of [`COMPONENT`] in lower-case hexadecimal. The same sources give the same component everywhere.
pub const COMPONENT_SHA256: &str = env!("APPDECL_SHA256");

/// The component with the rules of packages, as a WebAssembly file. It imports nothing.
pub const PACKAGES_COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/appdecl-packages.wasm"));

/// The SHA-256 of [`PACKAGES_COMPONENT`] in lower-case hexadecimal.
pub const PACKAGES_COMPONENT_SHA256: &str = env!("APPDECL_PACKAGES_SHA256");

/// The contract of both components: the WIT packages as the text of one file.
pub const WIT: &str = include_str!(concat!(env!("OUT_DIR"), "/appdecl.wit"));
