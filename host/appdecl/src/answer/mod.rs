//! What a gate answers. Every type that is serialised has exactly the keys that SPEC §2.6, §4 and §7 name; what is absent
//! is written as null.

mod convert;
mod token;

use std::fmt;

use serde::Serialize;

pub use token::{Endpoint, Token};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The declaration is refused.
    Error,
    /// The declaration is accepted. No rule yields a warning yet.
    Warning,
}

/// One fault of a declaration (SPEC §2.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable kebab-case code such as `path-not-rooted`.
    pub code: String,
    /// A JSON pointer (RFC 6901) into the declaration. It may name a member that is missing.
    pub pointer: String,
    /// One line that begins with the caller's label and names the field. It quotes the declaration: its text is a
    /// stranger's.
    pub message: String,
    /// What to do, where that is not plain from the message.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What a declaration and a machine come to (SPEC §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// The application is there, and its version is good or not asked for.
    Available,
    /// A reserved word: never produced.
    InstalledNotRunning,
    /// No place holds the application.
    MissingApp,
    /// No copy is new enough, or none tells its version.
    VersionTooOld,
    /// The declaration does not speak of this system.
    UnsupportedOs,
    /// The declaration asks for nothing.
    NoRequirements,
}

impl State {
    /// The word that JSON output and facts files use, such as `missing_app`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::InstalledNotRunning => "installed_not_running",
            Self::MissingApp => "missing_app",
            Self::VersionTooOld => "version_too_old",
            Self::UnsupportedOs => "unsupported_os",
            Self::NoRequirements => "no_requirements",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether a server's application is there, and whether its tools may be shown (SPEC §4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Availability {
    /// What it comes to.
    pub state: State,
    /// The version found, trimmed and otherwise as its source spells it.
    pub version: Option<String>,
    /// Where the application was found or looked for, with the system's own separators.
    pub path: Option<String>,
    /// The version that the declaration asks for.
    pub min_version: Option<String>,
    /// Whether the tools may be shown: true for `available` and `no_requirements` alone.
    pub offerable: bool,
    /// A stable code that tells apart what shares a state, such as `access-denied`.
    pub reason: Option<String>,
}

/// Why a server is not offered, or not connected (SPEC §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StatusState {
    /// The declaration does not speak of this system.
    UnsupportedOs,
    /// The application is not installed.
    MissingApp,
    /// It is too old, or does not tell its version.
    VersionTooOld,
    /// It needs an interactive session, and there is none.
    NoInteractiveSession,
    /// The process that wrote the runtime file has ended.
    AppNotRunning,
    /// There is no address that can be used.
    EndpointUnavailable,
    /// Everything is there but the caller's connection.
    NotConnected,
}

impl StatusState {
    /// The word that JSON output uses, such as `app_not_running`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnsupportedOs => "unsupported_os",
            Self::MissingApp => "missing_app",
            Self::VersionTooOld => "version_too_old",
            Self::NoInteractiveSession => "no_interactive_session",
            Self::AppNotRunning => "app_not_running",
            Self::EndpointUnavailable => "endpoint_unavailable",
            Self::NotConnected => "not_connected",
        }
    }
}

impl fmt::Display for StatusState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// It can, once the user has done what the status says.
    AfterUserAction,
    /// It never can on this machine, or in this session.
    NeverHere,
}

impl Retry {
    /// The word that JSON output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AfterUserAction => "after_user_action",
            Self::NeverHere => "never_here",
        }
    }
}

/// The application behind a server, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppSummary {
    /// The display name that was registered, else the server's name.
    pub name: String,
    /// The version found.
    pub version: Option<String>,
    /// Where it was found or looked for.
    pub path: Option<String>,
    /// The version that the declaration asks for.
    pub min_version: Option<String>,
}

/// Why a server is not offered or not connected, and what to do (SPEC §7). Holds no token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The server's name.
    pub server: String,
    /// The application behind it.
    pub app: AppSummary,
    /// What is wrong.
    pub state: StatusState,
    /// One sentence of fact.
    pub message: String,
    /// One sentence of what to do.
    pub user_action: String,
    /// Whether trying again can help.
    pub retry: Retry,
}

/// Whether a skill may be shown (SPEC §8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillDecision {
    /// Whether it may.
    pub offered: bool,
    /// The first application that hides it; none where it may be shown.
    pub decided_by: Option<String>,
}

/// A server as it was registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Registration {
    /// The server's name.
    pub server: String,
    /// What messages call the application, where the caller gave a name.
    pub display_name: Option<String>,
    /// The declaration as JSON text, as it was given.
    pub declaration: String,
}
