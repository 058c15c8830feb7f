//! A line on the terminal while cases run.

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The line is written again after so many cases.
const EVERY: usize = 64;

/// Counts cases; shows nothing where standard error is no terminal.
pub(super) struct Progress {
    all: usize,
    done: AtomicUsize,
    failed: AtomicUsize,
    shown: bool,
}

impl Progress {
    pub(super) fn new(all: usize) -> Self {
        let shown = io::stderr().is_terminal();
        Self { all, done: AtomicUsize::new(0), failed: AtomicUsize::new(0), shown }
    }

    pub(super) fn done(&self, passed: bool) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if !passed {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        if self.shown && done.is_multiple_of(EVERY) {
            let failed = self.failed.load(Ordering::Relaxed);
            let _ = write!(io::stderr().lock(), "\r{done} of {} cases, {failed} failed", self.all);
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}
