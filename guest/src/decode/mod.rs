//! Decoders (SPEC §5, §6.1): from bytes that nobody vouches for to what they say. They ask nothing, keep nothing, do work
//! that is bounded by the size of their input, and never panic.

pub mod pe;
pub mod plist;
pub mod runtime_file;

/// Why there is no version to read: a few words for traces, without a byte of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(&'static str);

impl Unreadable {
    /// What is wrong; where the host did not hand over the bytes, the name of its fault code.
    pub fn reason(self) -> &'static str {
        self.0
    }
}
