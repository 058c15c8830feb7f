//! Where secrets are handed over, and a redactor that keeps them out of text.

mod mask;
mod writer;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, PoisonError, RwLock};

use mask::Mask;

pub use writer::RedactingWriter;

/// Keeps secrets out of everything that the program writes.
///
/// A gate hands over each token before it answers with it. Without a redactor a gate answers no token at all.
/// [`Redactor`] is one that is ready to use.
pub trait Redact: Send + Sync {
    /// Takes in `secret`. True only where from now on no log, trace or error output carries it.
    fn redact(&self, secret: &str) -> bool;
}

/// Replaces secrets in text and in everything that is written through it.
///
/// Cloning is cheap, and a clone has the same secrets: give one to the gate and others to whatever writes logs. A secret
/// counts from the moment it is registered; text that was written before is not called back.
///
/// Every occurrence is replaced by `***`, and secrets that overlap or touch by one `***`. A secret that contains `*` has
/// all of them shown by another character, which is in none of the secrets. A secret is also found as JSON text and
/// Rust's `Debug` show it, with `"` and `\` escaped; not in other encodings, such as Base64. Short secrets are no
/// exception: while the token `a` is registered, no `a` gets through.
///
/// Secrets are kept in memory for as long as a clone lives. None is ever printed: `Debug` shows nothing of them.
///
/// ```
/// use std::sync::Arc;
/// use appdecl::{Gate, Redact, Redactor};
///
/// let redactor = Redactor::new();
/// let gate = Gate::builder().redactor(Arc::new(redactor.clone())).build()?;
/// // What the gate does with each token before it answers with it:
/// assert!(redactor.redact("s3cret"));
/// assert_eq!(redactor.redact_str("token=s3cret"), "token=***");
/// # Ok::<(), appdecl::Error>(())
/// ```
///
/// A `tracing` subscriber takes it as its writer:
///
/// ```
/// # use appdecl::Redactor;
/// let redactor = Redactor::new();
/// tracing_subscriber::fmt().with_writer(move || redactor.writer(std::io::stderr())).init();
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    mask: Arc<RwLock<Arc<Mask>>>,
}

impl Redactor {
    /// A redactor without secrets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `text` without the secrets.
    #[must_use]
    pub fn redact_str<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.mask().apply(text)
    }

    /// A writer that passes on to `inner` what is written to it, without the secrets, however they are split over several
    /// writes.
    pub fn writer<W: Write>(&self, inner: W) -> RedactingWriter<W> {
        RedactingWriter::new(self.clone(), inner)
    }

    fn mask(&self) -> Arc<Mask> {
        Arc::clone(&self.mask.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Redact for Redactor {
    /// False, and nothing is taken in, for an empty secret, for one beyond 64 KiB, and where all secrets together would
    /// go beyond 1 MiB: what can not be kept out must not be handed over.
    fn redact(&self, secret: &str) -> bool {
        let mut mask = self.mask.write().unwrap_or_else(PoisonError::into_inner);
        if mask.knows(secret) {
            return true;
        }
        match mask.with(secret) {
            Some(larger) => {
                *mask = Arc::new(larger);
                true
            }
            None => false,
        }
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(..)")
    }
}
