//! A writer that lets no secret through.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;

use super::Redactor;
use super::mask::Mask;

/// So many bytes are looked at together.
const PIECE: usize = 16 * 1024;

/// Passes on what is written to it, without the secrets of its [`Redactor`]. Made by [`Redactor::writer`].
///
/// It holds back the end of what was written only while that may be the beginning of a secret: at most one byte less than
/// the longest secret. A token has no blank and no line feed, so that nothing of a finished line is held back.
///
/// [`flush`](Write::flush) passes on what is decided and flushes the writer behind; what is held back stays, since a secret
/// may be split just there. [`RedactingWriter::finish`] passes on the rest, and so does dropping it. What the writer
/// behind refuses with an error is lost.
///
/// ```
/// use std::io::Write;
/// use appdecl::{Redact, Redactor};
///
/// let redactor = Redactor::new();
/// redactor.redact("s3cret");
/// let mut log = redactor.writer(Vec::new());
/// log.write_all(b"token=s3c")?;
/// log.write_all(b"ret\n")?;
/// assert_eq!(log.finish()?, b"token=***\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct RedactingWriter<W: Write> {
    redactor: Redactor,
    /// None once it is finished.
    inner: Option<W>,
    /// What is not decided yet.
    held: Vec<u8>,
    /// How many bytes at the beginning of `held` belong to a secret whose replacement is the last that was passed on.
    covered: Option<usize>,
}

impl<W: Write> RedactingWriter<W> {
    pub(super) fn new(redactor: Redactor, inner: W) -> Self {
        Self { redactor, inner: Some(inner), held: Vec::new(), covered: None }
    }

    /// Passes on what was held back, flushes, and gives the writer behind. The beginning of a secret that nothing follows is
    /// no secret and is passed on as it is.
    ///
    /// # Errors
    ///
    /// What the writer behind says.
    pub fn finish(mut self) -> io::Result<W> {
        self.pass_on(&[], true)?;
        let mut inner = self.inner.take().ok_or_else(finished)?;
        inner.flush()?;
        Ok(inner)
    }

    fn pass_on(&mut self, piece: &[u8], is_last: bool) -> io::Result<()> {
        let mask = self.redactor.mask();
        self.held.extend_from_slice(piece);
        let undecided = if is_last { 0 } else { mask.begun(&self.held) };
        let decided = self.held.len() - undecided;
        if decided == 0 {
            return Ok(());
        }
        let passed_on = self.redacted(&mask, decided);
        self.held.drain(..decided);
        self.inner.as_mut().ok_or_else(finished)?.write_all(&passed_on)
    }

    /// The first `decided` bytes without the secrets, those that reach beyond them included.
    fn redacted(&mut self, mask: &Mask, decided: usize) -> Vec<u8> {
        let mut safe = Vec::with_capacity(decided);
        let mut is_replaced = self.covered.is_some();
        let mut done = self.covered.take().unwrap_or_default();
        for Range { start, end } in mask.find(&self.held) {
            if start >= decided {
                break;
            }
            if is_replaced && start <= done {
                done = done.max(end);
                continue;
            }
            safe.extend_from_slice(self.held.get(done..start).unwrap_or_default());
            safe.extend_from_slice(mask.replacement().as_bytes());
            (is_replaced, done) = (true, end);
        }
        if done < decided {
            safe.extend_from_slice(self.held.get(done..decided).unwrap_or_default());
        } else {
            self.covered = Some(done - decided);
        }
        safe
    }
}

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        bytes.chunks(PIECE).try_for_each(|piece| self.pass_on(piece, false))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.as_mut().ok_or_else(finished)?.flush()
    }
}

impl<W: Write> Drop for RedactingWriter<W> {
    fn drop(&mut self) {
        if self.inner.is_some() && !self.held.is_empty() {
            // There is nobody to tell.
            let _ = self.pass_on(&[], true);
        }
    }
}

impl<W: Write> fmt::Debug for RedactingWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedactingWriter").finish_non_exhaustive()
    }
}

fn finished() -> io::Error {
    io::Error::other("the writer is finished")
}
