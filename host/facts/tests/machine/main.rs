//! The real machine, asked for things that the tests put there themselves.
#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, with helpers beside them")]

mod common;
#[cfg(unix)]
mod unix_files;
#[cfg(unix)]
mod unix_processes;
#[cfg(windows)]
mod windows_files;
#[cfg(windows)]
mod windows_processes;
