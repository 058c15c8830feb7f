//! One file of a package, copied as it was when the package was judged or not at all.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::InstallError;
use super::disk::Disk;

/// A file that is copied.
pub(in crate::package) struct Copied<'c> {
    /// Its path in the package.
    pub(in crate::package) path: &'c str,
    /// Its size when the package was listed, in bytes.
    pub(in crate::package) size: u64,
    /// The bytes at its beginning by which the package was judged.
    pub(in crate::package) judged: &'c [u8],
    pub(in crate::package) executable: bool,
}

impl Copied<'_> {
    pub(in crate::package) fn write(
        &self,
        disk: &dyn Disk,
        to: &Path,
        from: &mut dyn Read,
    ) -> Result<(), InstallError> {
        let unreadable = |error| InstallError::Unreadable { path: self.path.to_owned(), error };
        let mut start = Vec::new();
        (&mut *from).take(self.judged.len() as u64).read_to_end(&mut start).map_err(unreadable)?;
        if start != self.judged {
            return Err(InstallError::Changed(self.path.to_owned()));
        }
        let rest = start.chain(from).take(self.size.saturating_add(1));
        let mut bytes = Watched { from: rest, failed: false };
        match disk.write(to, &mut bytes, self.executable) {
            Ok(written) if written == self.size => Ok(()),
            Ok(_) => Err(InstallError::Changed(self.path.to_owned())),
            Err(error) if bytes.failed => Err(unreadable(error)),
            Err(error) => Err(InstallError::Io { path: to.to_owned(), error }),
        }
    }
}

/// Remembers whether it was reading that failed.
struct Watched<R> {
    from: R,
    failed: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer);
        self.failed |= read.as_ref().is_err_and(|error| error.kind() != ErrorKind::Interrupted);
        read
    }
}
