//! Says whether a tool may be offered on this machine, and if not, why and what now.
//!
//! A plugin declares which desktop application its tools need: where it is found on each system, which version, where it
//! writes its live address. A [`Gate`] holds such declarations and answers the same in every harness: every rule lives in
//! one WebAssembly component, which is built into this crate and asks the machine plain questions of fact.
//!
//! ```
//! use appdecl::Gate;
//!
//! let gate = Gate::new()?;
//! let declaration = r#"{
//!     "app": { "linux": { "presence": "executable", "location": "/opt/acme/acme" } },
//!     "requires": { "app": true }
//! }"#;
//! gate.register("acme", declaration, "my-plugin/plugin.json", Some("Acme"))?;
//! if !gate.server_offered("acme", true) {
//!     let status = gate.status("acme", true)?.expect("a server that is not offered has a status");
//!     println!("{} {}", status.message, status.user_action);
//! }
//! # Ok::<(), appdecl::Error>(())
//! ```
//!
//! Who answers the questions is up to the embedder: this machine, or anything that is an
//! [`appdecl_facts::HostFacts`], such as a file that describes another machine.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod answer;
mod bindings;
mod compiled;
mod embedded;
mod engine;
mod engine_config;
mod error;
mod gate;
mod imports;
pub mod input;
pub mod package;
mod redact;
pub mod schema;
pub mod suite;

pub use appdecl_facts as facts;

pub use answer::{
    AppSummary, Availability, Diagnostic, Endpoint, Registration, Retry, Severity, SkillDecision, State,
    Status, StatusState, Token,
};
pub use embedded::{COMPONENT, COMPONENT_SHA256, PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256, WIT};
pub use engine::Limits;
pub use error::{Error, Limit};
pub use gate::{Change, Gate, GateBuilder, Subscription};
pub use redact::{Redact, RedactingWriter, Redactor};
