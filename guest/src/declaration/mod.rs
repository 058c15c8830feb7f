//! Declarations (SPEC §2): the model, the parser that reports every fault, and the diagnostics it reports.

mod diagnostic;
mod model;
mod parse;
mod reader;

pub use diagnostic::{CODES, Diagnostic};
pub use model::{
    App, Declaration, KeyNames, Liveness, Place, PortableLiveness, Presence, Requires, ServerJson,
    VersionSource,
};
pub use parse::{LEVELS, LONGEST_TEXT, parse, parse_value};
