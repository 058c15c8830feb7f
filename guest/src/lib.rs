//! Every rule of appdecl, as pure functions over questions of fact.
//!
//! The crate is built twice: as the component `appdecl.wasm`, whose imports answer the questions, and as a Rust library,
//! so that the rules are tested and measured natively. It opens no file, reads no clock and keeps nothing but the list of
//! registered declarations.

pub mod availability;
#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "wit-bindgen writes the calls across the component boundary")]
mod component;
pub mod declaration;
pub mod decode;
pub mod endpoint;
pub mod facts;
#[cfg(test)]
pub(crate) mod fake;
pub mod inquiry;
pub mod json;
pub mod locate;
pub mod loopback;
pub mod order;
pub mod package;
pub mod path;
pub mod pointer;
pub mod registry;
pub mod session;
pub mod status;
pub mod text;
pub mod trace;
pub mod version;
