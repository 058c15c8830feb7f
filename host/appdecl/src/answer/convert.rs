//! From the generated types to the public ones.

use super::{
    AppSummary, Availability, Diagnostic, Endpoint, Registration, Retry, Severity, SkillDecision, State,
    Status, StatusState, Token,
};
use crate::bindings::exports::appdecl::gate::types as wit;

impl From<wit::Diagnostic> for Diagnostic {
    fn from(from: wit::Diagnostic) -> Self {
        let wit::Diagnostic { severity, code, pointer, message, help } = from;
        let severity = match severity {
            wit::Severity::Error => Severity::Error,
            wit::Severity::Warning => Severity::Warning,
        };
        Self { severity, code, pointer, message, help }
    }
}

impl From<wit::Availability> for Availability {
    fn from(from: wit::Availability) -> Self {
        let wit::Availability { state, version, path, min_version, offerable, reason } = from;
        let state = match state {
            wit::State::Available => State::Available,
            wit::State::InstalledNotRunning => State::InstalledNotRunning,
            wit::State::MissingApp => State::MissingApp,
            wit::State::VersionTooOld => State::VersionTooOld,
            wit::State::UnsupportedOs => State::UnsupportedOs,
            wit::State::NoRequirements => State::NoRequirements,
        };
        Self { state, version, path, min_version, offerable, reason }
    }
}

impl From<wit::Endpoint> for Endpoint {
    fn from(from: wit::Endpoint) -> Self {
        Self { url: from.url, token: from.token.map(Token::new) }
    }
}

impl From<wit::Status> for Status {
    fn from(from: wit::Status) -> Self {
        let wit::Status { server, app, state, message, user_action, retry } = from;
        let wit::AppSummary { name, version, path, min_version } = app;
        let state = match state {
            wit::StatusState::UnsupportedOs => StatusState::UnsupportedOs,
            wit::StatusState::MissingApp => StatusState::MissingApp,
            wit::StatusState::VersionTooOld => StatusState::VersionTooOld,
            wit::StatusState::NoInteractiveSession => StatusState::NoInteractiveSession,
            wit::StatusState::AppNotRunning => StatusState::AppNotRunning,
            wit::StatusState::EndpointUnavailable => StatusState::EndpointUnavailable,
            wit::StatusState::NotConnected => StatusState::NotConnected,
        };
        let retry = match retry {
            wit::Retry::AfterUserAction => Retry::AfterUserAction,
            wit::Retry::NeverHere => Retry::NeverHere,
        };
        Self {
            server,
            app: AppSummary { name, version, path, min_version },
            state,
            message,
            user_action,
            retry,
        }
    }
}

impl From<wit::SkillDecision> for SkillDecision {
    fn from(from: wit::SkillDecision) -> Self {
        Self { offered: from.offered, decided_by: from.decided_by }
    }
}

impl From<wit::Registration> for Registration {
    fn from(from: wit::Registration) -> Self {
        Self { server: from.server, display_name: from.display_name, declaration: from.declaration }
    }
}
