//! Facts files (SPEC §10): another machine, on paper.

use std::path::Path;
use std::sync::Arc;

use appdecl_facts::{FactsError, FactsFile};

use super::source::Source;
use super::{BAD_FACTS, Finding, InputError};
use crate::answer::{Diagnostic, Severity};

/// The largest facts file that is read, in bytes. Recordings hold ranges of programs.
pub const MAX_FACTS_FILE: u64 = 16 << 20;

/// Reads a facts file, for [`appdecl_facts::Replay`].
///
/// # Errors
///
/// [`InputError`] where it can not be read; [`InputError::Facts`] where it is well-formed and not a facts file.
pub fn read_facts(path: &Path) -> Result<FactsFile, InputError> {
    let source = Arc::new(Source::open(path, path, MAX_FACTS_FILE)?);
    FactsFile::parse(source.document.root()).map_err(|faults| {
        InputError::Facts(faults.into_iter().map(|fault| finding(&source, fault)).collect())
    })
}

fn finding(source: &Arc<Source>, FactsError { message, span, help }: FactsError) -> Finding {
    let message = format!("{}: {message}", source.name);
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: BAD_FACTS.to_owned(),
        pointer: String::new(),
        message,
        help,
    };
    Finding { server: None, diagnostic, source: Arc::clone(source), span }
}
