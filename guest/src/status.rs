//! Why something is not offered, in words (SPEC §7). Messages are written here and nowhere else.

use crate::availability::{self, Availability, Evaluation, State};
use crate::declaration::{Declaration, Liveness};
use crate::endpoint::{self, Unavailable};
use crate::facts::{Facts, Os};
use crate::inquiry::Inquiry;
use crate::locate::{Outcome, Tried};
use crate::path::Unresolved;
use crate::session;
use crate::text::{quoted, shown};
use crate::trace::Detail;

/// How many of the paths that were tried a message lists.
const LISTED: usize = 100;

/// What stands in the way, in the order in which it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusState {
    /// This system is not declared.
    UnsupportedOs,
    /// No place holds the application.
    MissingApp,
    /// No copy has the version asked for.
    VersionTooOld,
    /// It needs an interactive session, and there is none.
    NoInteractiveSession,
    /// Its process has ended.
    AppNotRunning,
    /// Its runtime file gives no address.
    EndpointUnavailable,
    /// Everything is there but the caller's connection.
    NotConnected,
}

impl StatusState {
    /// All of them, in the order in which they are checked.
    pub const ALL: [Self; 7] = [
        Self::UnsupportedOs,
        Self::MissingApp,
        Self::VersionTooOld,
        Self::NoInteractiveSession,
        Self::AppNotRunning,
        Self::EndpointUnavailable,
        Self::NotConnected,
    ];

    /// The state as JSON and suites spell it.
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

/// Whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Once the user has done what the status says.
    AfterUserAction,
    /// Not on this machine.
    NeverHere,
}

/// What to tell a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What the application is called: the display name, else the server's name.
    pub name: String,
    /// The application as far as it is known.
    pub availability: Option<Availability>,
    /// What stands in the way.
    pub state: StatusState,
    /// One sentence of fact.
    pub message: String,
    /// One sentence of what to do.
    pub user_action: String,
    /// Whether trying again can help.
    pub retry: Retry,
}

/// The status of a declared server; none where it is offerable and connected.
pub fn status(
    declaration: &Declaration,
    name: &str,
    connected: bool,
    inquiry: &Inquiry<'_>,
) -> Option<Status> {
    let Evaluation { availability, tried } = availability::evaluate(declaration, inquiry);
    let not_asked = |why: &'static str| {
        inquiry.trace().step("liveness", || [("outcome", "not-asked".into()), ("why", why.into())]);
    };
    if availability.offerable() && connected {
        // A living connection is proof, whatever the runtime file says.
        not_asked("the caller is connected");
        return None;
    }
    let shown_name = shown(name);
    let words = if availability.offerable() {
        reachability(declaration, &shown_name, inquiry)
    } else {
        not_asked("the application is not offered");
        absence(declaration, &availability, &tried, &shown_name, inquiry)
    };
    let Words { state, message, user_action } = words;
    inquiry.trace().step("status", || {
        [
            ("state", Detail::from(state.name())),
            ("message", Detail::from(&message)),
            ("user_action", Detail::from(&user_action)),
        ]
    });
    let retry = match state {
        StatusState::UnsupportedOs | StatusState::NoInteractiveSession => Retry::NeverHere,
        _ => Retry::AfterUserAction,
    };
    Some(Status {
        name: name.to_owned(),
        availability: Some(availability),
        state,
        message,
        user_action,
        retry,
    })
}

/// The status of a server that is not registered; none where it is connected.
pub fn unregistered(name: &str, connected: bool) -> Option<Status> {
    let Words { state, message, user_action } = not_connected(&shown(name));
    (!connected).then(|| Status {
        name: name.to_owned(),
        availability: None,
        state,
        message,
        user_action,
        retry: Retry::AfterUserAction,
    })
}

/// The line of a listing.
pub fn listing(server: &str, tools: u32, status: &Status) -> String {
    format!("{} ({tools} tools unavailable: {})", shown(server), status.message)
}

struct Words {
    state: StatusState,
    message: String,
    user_action: String,
}

impl Words {
    fn new(state: StatusState, message: String, user_action: String) -> Self {
        Self { state, message, user_action }
    }
}

fn absence(
    declaration: &Declaration,
    availability: &Availability,
    tried: &[Tried],
    name: &str,
    inquiry: &Inquiry<'_>,
) -> Words {
    let os = inquiry.os();
    let minimum = shown(availability.min_version.as_deref().unwrap_or_default());
    match (availability.state, availability.path.as_deref()) {
        (State::VersionTooOld, Some(path)) => {
            let message = match &availability.version {
                Some(version) => format!(
                    "{name} at {} has version {}, and at least {minimum} is needed",
                    quoted(path),
                    shown(version)
                ),
                None => format!(
                    "the version of {name} could not be read from {}, and at least {minimum} is needed",
                    availability::source_in_words(declaration, os, path)
                ),
            };
            let action = match &availability.version {
                Some(_) => format!("update {name} to version {minimum} or later, then try again"),
                None => format!("install {name} {minimum} or later anew, then try again"),
            };
            Words::new(StatusState::VersionTooOld, message, action)
        }
        (State::UnsupportedOs, _) => {
            let declared: Vec<&str> =
                Os::ALL.into_iter().filter(|os| declaration.app(*os).is_some()).map(Os::name).collect();
            Words::new(
                StatusState::UnsupportedOs,
                format!(
                    "{name} is declared for {}, and this system is {}",
                    declared.join(" and "),
                    os.name()
                ),
                format!("use {name} on {}, trying again here does not help", declared.join(" or ")),
            )
        }
        _ => missing(tried, availability.reason, name),
    }
}

fn missing(tried: &[Tried], reason: Option<&'static str>, name: &str) -> Words {
    let paths: Vec<&str> = tried.iter().flat_map(|place| &place.paths).map(String::as_str).collect();
    let mut list: Vec<String> = paths.iter().take(LISTED).map(|path| quoted(path)).collect();
    if let Some(more @ 1..) = paths.len().checked_sub(LISTED) {
        list.push(format!("{more} more"));
    }
    let unset: Vec<&str> = tried
        .iter()
        .filter_map(|place| match &place.outcome {
            Outcome::Unresolved(Unresolved::VariableUnset(variable)) => Some(variable.as_str()),
            _ => None,
        })
        .collect();
    let looked = if list.is_empty() {
        "no place could be looked at".to_owned()
    } else {
        format!("looked at {}", list.join(", "))
    };
    let detail = match reason {
        Some("access-denied") => ", access was denied".to_owned(),
        _ if !unset.is_empty() => format!(", not set: {}", quoted_list(&unset)),
        Some("path-refused") => ", the path is refused".to_owned(),
        _ => String::new(),
    };
    let action = match reason {
        Some("access-denied") => format!("give this user access to {name} or install it, then try again"),
        Some("variable-unset") => format!("install {name} or set {}, then try again", quoted_list(&unset)),
        Some("path-refused") => format!("correct the variables in the path to {name}, then try again"),
        _ => format!("install {name}, then try again"),
    };
    Words::new(StatusState::MissingApp, format!("{name} was not found: {looked}{detail}"), action)
}

fn quoted_list(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")
}

/// Why an application that may be offered is not connected.
fn reachability(declaration: &Declaration, name: &str, inquiry: &Inquiry<'_>) -> Words {
    match declaration.liveness(inquiry.os()) {
        Liveness::InteractiveSession if !session::is_interactive(inquiry) => Words::new(
            StatusState::NoInteractiveSession,
            format!("{name} needs an interactive session, and this process does not run in one"),
            format!("use {name} from a desktop session of a user who is logged in"),
        ),
        Liveness::ServerJson(_) => match endpoint::endpoint(declaration, inquiry) {
            Ok(_) => not_connected(name),
            Err(unavailable) => unreachable_endpoint(&unavailable, name),
        },
        Liveness::InteractiveSession | Liveness::Unknown => not_connected(name),
    }
}

fn not_connected(name: &str) -> Words {
    Words::new(
        StatusState::NotConnected,
        format!("{name} is not connected"),
        format!("start {name} if it is not running, then connect again"),
    )
}

fn unreachable_endpoint(unavailable: &Unavailable, name: &str) -> Words {
    let file = quoted(unavailable.file.as_deref().unwrap_or_default());
    let about = quoted(unavailable.about.as_deref().unwrap_or_default());
    let restart = format!("restart {name}, then try again");
    let (message, action) = match unavailable.reason {
        "pid-not-alive" => (
            format!("{name} is not running: process {about} that {file} names has ended"),
            format!("start {name}, then try again"),
        ),
        "pid-reused" => (
            format!("{name} is not running: process {about} that {file} names is another program now"),
            format!("start {name}, then try again"),
        ),
        "missing" => (
            format!("{name} has not written its runtime file {file}"),
            format!("start {name} and switch its bridge on, then try again"),
        ),
        "variable-unset" => (
            format!(
                "{name} can not be reached: the variable {about} in the path of its runtime file {file} is not set"
            ),
            format!("set {about} as {name} has it, then try again"),
        ),
        "path-refused" => (
            format!("{name} can not be reached: the path of its runtime file {file} is refused"),
            format!("correct the variables in the path of the runtime file of {name}, then try again"),
        ),
        "untrusted" => (
            format!("{name} can not be reached: others than this user may write its runtime file {file}"),
            format!("let this user alone write {file}, then restart {name}"),
        ),
        "unreadable" => (
            format!("{name} can not be reached: its runtime file {file} can not be read"),
            format!("let this user read {file}, then try again"),
        ),
        "not-regular" => {
            (format!("{name} can not be reached: its runtime file {file} is no regular file"), restart)
        }
        "too-large" => (format!("{name} can not be reached: its runtime file {file} is too large"), restart),
        "malformed" => (format!("{name} can not be reached: its runtime file {file} is malformed"), restart),
        "bad-pid" => (
            format!(
                "{name} can not be reached: its runtime file {file} names no process that can be asked about"
            ),
            restart,
        ),
        "bad-url" => (
            format!("{name} can not be reached: its runtime file {file} holds no `http` URL"),
            format!("switch the bridge of {name} on, then try again"),
        ),
        "not-loopback" => (
            format!(
                "{name} can not be reached: its runtime file {file} names a host that is not this machine"
            ),
            format!("let {name} listen on 127.0.0.1, then try again"),
        ),
        _ => (format!("{name} can not be reached: its runtime file {file} names no usable port"), restart),
    };
    let state = match unavailable.reason {
        "pid-not-alive" | "pid-reused" => StatusState::AppNotRunning,
        _ => StatusState::EndpointUnavailable,
    };
    Words::new(state, message, action)
}
