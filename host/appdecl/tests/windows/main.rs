//! The whole way on a real Windows: this machine's registry and programs, through the component and the command.
#![cfg(windows)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where it can not go on")]

mod registry;
mod versions;
