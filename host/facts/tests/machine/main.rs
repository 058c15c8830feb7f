//! The real machine, asked for things that the tests put there themselves.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, with helpers beside them")]

#[cfg(unix)]
mod common;
#[cfg(unix)]
mod unix_files;
#[cfg(unix)]
mod unix_processes;
