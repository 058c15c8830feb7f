//! Where secrets are handed to the embedder's redactor.

/// Keeps secrets out of everything that the program writes.
///
/// A gate hands over each token before it answers with it. Without a redactor a gate answers no token at all.
pub trait Redact: Send + Sync {
    /// Takes in `secret`. True only where from now on no log, trace or error output carries it.
    fn redact(&self, secret: &str) -> bool;
}
