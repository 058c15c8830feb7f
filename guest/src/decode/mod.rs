//! Bytes of strangers.
pub mod pe;
pub mod plist;
pub mod runtime_file;
