//! Bounded reads of an open regular file. A size that the system states is a hint; the bytes that come are counted.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};

use super::system::fault;
use super::time;
use crate::{Contents, Fault, FaultCode, Principal, limits};

/// A regular file, open for reading, and what was known of it when it was opened.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) file: File,
    pub(super) metadata: Metadata,
}

/// Whose a file is; all none where the system has no such notion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ownership {
    pub(super) owner: Option<Principal>,
    pub(super) group: Option<Principal>,
    pub(super) mode: Option<u32>,
}

/// The whole content, or none where it is larger than `limit`.
pub(super) fn whole(opened: &Opened, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    if opened.metadata.len() > limit {
        return Ok(None);
    }
    let bytes = up_to(&opened.file, limit.saturating_add(1), opened.metadata.len())?;
    Ok(if length(&bytes) > limit { None } else { Some(bytes) })
}

/// Up to `length` bytes at `offset`, of a file that begins with `MZ`.
pub(super) fn pe_range(opened: &Opened, offset: u64, length: u32) -> Result<Vec<u8>, Fault> {
    if up_to(&opened.file, 2, 2)? != b"MZ" {
        return Err(Fault::new(FaultCode::Refused, "the file does not begin with `MZ`"));
    }
    // No file reaches beyond the signed offsets of the systems' own calls.
    if i64::try_from(offset).is_err() {
        return Ok(Vec::new());
    }
    let length = u64::from(length.min(limits::MAX_PE_RANGE));
    (&opened.file).seek(SeekFrom::Start(offset)).map_err(|error| fault(&error))?;
    let left = opened.metadata.len().saturating_sub(offset);
    up_to(&opened.file, length, left)
}

/// The runtime file with all that was known of it. Where it changes while it is read, its size is that of what was read.
pub(super) fn runtime_file(opened: &Opened, ownership: Ownership) -> Result<Contents, Fault> {
    let stated = opened.metadata.len();
    let bytes = whole(opened, limits::MAX_RUNTIME_FILE)?;
    let (size, bytes) = match bytes {
        Some(bytes) => (length(&bytes), bytes),
        None => (stated.max(limits::MAX_RUNTIME_FILE.saturating_add(1)), Vec::new()),
    };
    Ok(Contents {
        size,
        bytes,
        modified: opened.metadata.modified().ok().and_then(time::milliseconds),
        owner: ownership.owner,
        group: ownership.group,
        mode: ownership.mode,
    })
}

fn up_to(file: &File, limit: u64, likely: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(usize::try_from(limit.min(likely)).unwrap_or_default());
    file.take(limit).read_to_end(&mut bytes).map_err(|error| fault(&error))?;
    Ok(bytes)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;

    use super::{Opened, Ownership, pe_range, runtime_file, whole};

    /// A file that is opened with one content and has another by the time it is read.
    fn changed_between(first: &[u8], change: impl FnOnce(&mut File)) -> (tempfile::TempDir, Opened) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, first).unwrap();
        let file = File::open(&path).unwrap();
        let opened = Opened { metadata: file.metadata().unwrap(), file };
        change(&mut OpenOptions::new().append(true).open(&path).unwrap());
        (folder, opened)
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_is_answered_as_read() {
        let (_folder, opened) = changed_between(b"ab", |file| file.write_all(b"cd").unwrap());
        let contents = runtime_file(&opened, Ownership::default()).unwrap();
        assert_eq!((contents.size, contents.bytes.as_slice()), (4, b"abcd".as_slice()));
    }

    #[test]
    fn a_file_that_is_cut_off_while_it_is_read_is_answered_as_read() {
        let (_folder, opened) = changed_between(b"abcd", |file| file.set_len(1).unwrap());
        let contents = runtime_file(&opened, Ownership::default()).unwrap();
        assert_eq!((contents.size, contents.bytes.as_slice()), (1, b"a".as_slice()));
    }

    #[test]
    fn a_file_that_grows_beyond_the_limit_is_too_large() {
        let (_folder, opened) = changed_between(b"ab", |file| file.set_len(100_000).unwrap());
        assert_eq!(whole(&opened, 65_536).unwrap(), None);
        let (_folder, opened) = changed_between(b"ab", |file| file.set_len(100_000).unwrap());
        let contents = runtime_file(&opened, Ownership::default()).unwrap();
        assert_eq!((contents.size, contents.bytes.len()), (65_537, 0));
    }

    #[test]
    fn a_program_that_grows_gives_no_more_than_was_asked_for() {
        let (_folder, opened) = changed_between(b"MZ", |file| file.write_all(b"0123456789").unwrap());
        assert_eq!(pe_range(&opened, 2, 4).unwrap(), b"0123");
    }
}
