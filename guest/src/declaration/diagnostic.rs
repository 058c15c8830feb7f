//! A fault of a declaration, as data (SPEC §2.6).

/// Every code a declaration's fault can have.
pub const CODES: [&str; 28] = [
    "not-a-mapping",
    "wrong-type",
    "unknown-os",
    "no-os",
    "unknown-key",
    "missing-field",
    "unknown-value",
    "wrong-os",
    "wrong-presence",
    "path-not-rooted",
    "path-traversal",
    "path-is-url",
    "path-is-network",
    "path-has-double-star",
    "bad-name",
    "bad-key-name",
    "bad-endpoint-path",
    "bad-version",
    "app-block-missing",
    "min-version-needs-app",
    "min-version-needs-source",
    "liveness-without-app",
    "liveness-twice",
    "path-bad-character",
    "path-too-long",
    "duplicate-key",
    "too-large",
    "too-deep",
];

/// One fault. All of them are errors: no rule yields a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One of [`CODES`].
    pub code: &'static str,
    /// A JSON pointer into the declaration.
    pub pointer: String,
    /// The label, the dotted field, what is wrong, what was found, what is accepted.
    pub message: String,
    /// What to do, where that is not plain.
    pub help: Option<String>,
}
