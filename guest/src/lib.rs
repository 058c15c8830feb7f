//! Every rule of appdecl, as pure functions over questions of fact.
//!
//! The crate is built twice: as the component `appdecl.wasm`, whose imports answer the questions, and as a Rust library,
//! so that the rules are tested and measured natively. It opens no file, reads no clock and keeps nothing but the list of
//! registered declarations.

pub mod declaration;
pub mod facts;
#[cfg(test)]
pub(crate) mod fake;
pub mod json;
pub mod package;
pub mod path;
pub mod text;
pub mod trace;
pub mod version;
