//! The one evaluation that every reader uses (SPEC §4): declaration + facts → availability.

use std::ops::ControlFlow;

use crate::declaration::{App, Declaration, VersionSource};
use crate::decode::{self, Unreadable};
use crate::facts::{Facts, Os};
use crate::inquiry::Inquiry;
use crate::locate::{Outcome, Search, Tried};
use crate::trace::Detail;
use crate::version::Version;

/// What a declaration and a machine come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Found; its version is good or not asked for.
    Available,
    /// No place holds the application.
    MissingApp,
    /// No copy has a version that is at least the one asked for, or none can be read.
    VersionTooOld,
    /// The application is required, and this system is not declared.
    UnsupportedOs,
    /// The application is not required.
    NoRequirements,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Available, Self::MissingApp, Self::VersionTooOld, Self::UnsupportedOs, Self::NoRequirements];

    /// The state as JSON and suites spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::MissingApp => "missing_app",
            Self::VersionTooOld => "version_too_old",
            Self::UnsupportedOs => "unsupported_os",
            Self::NoRequirements => "no_requirements",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    /// What it comes to.
    pub state: State,
    /// The version found, trimmed.
    pub version: Option<String>,
    /// Where the application was found or looked for.
    pub path: Option<String>,
    /// The version asked for.
    pub min_version: Option<String>,
    /// What tells apart what shares a state.
    pub reason: Option<&'static str>,
}

impl Availability {
    /// Whether the tools may be shown.
    pub fn offerable(&self) -> bool {
        matches!(self.state, State::Available | State::NoRequirements)
    }

    fn plain(state: State, min_version: Option<String>) -> Self {
        Self { state, version: None, path: None, min_version, reason: None }
    }
}

/// An availability with what a message says about it.
pub struct Evaluation {
    /// The answer.
    pub availability: Availability,
    /// Every place, in order.
    pub tried: Vec<Tried>,
}

/// Evaluates a declaration on a machine. Without `requires.app` nothing is asked at all.
pub fn evaluate(declaration: &Declaration, inquiry: &Inquiry<'_>) -> Evaluation {
    let trace = inquiry.trace();
    trace.within("availability", || {
        let min_version = declaration.requires.min_version.clone();
        let evaluation = if !declaration.requires.app {
            Evaluation { availability: Availability::plain(State::NoRequirements, None), tried: Vec::new() }
        } else if let Some(app) = declaration.app(inquiry.os()) {
            search(app, min_version, inquiry)
        } else {
            Evaluation {
                availability: Availability::plain(State::UnsupportedOs, min_version),
                tried: Vec::new(),
            }
        };
        trace.detail("state", || evaluation.availability.state.name());
        trace.detail("reason", || evaluation.availability.reason);
        trace.detail("version", || evaluation.availability.version.as_deref());
        trace.detail("min_version", || evaluation.availability.min_version.as_deref());
        trace.detail("path", || evaluation.availability.path.as_deref());
        trace.detail("decided_by", || decided_by(&evaluation));
        evaluation
    })
}

struct Copy {
    path: String,
    version: Option<String>,
}

fn search(app: &App, min_version: Option<String>, inquiry: &Inquiry<'_>) -> Evaluation {
    let minimum =
        min_version.as_deref().filter(|_| app.version != VersionSource::None).and_then(Version::read);
    let mut first: Option<Copy> = None;
    let mut highest: Option<Copy> = None;
    let mut good: Option<Copy> = None;
    let tried = Search::new(inquiry, app.presence).run(&app.places, &mut |search, path| {
        let version = read_version(&app.version, path, search, inquiry);
        let read = version.as_deref().and_then(Version::read);
        let Some(minimum) = &minimum else {
            good = Some(Copy { path: path.to_owned(), version });
            return ControlFlow::Break(());
        };
        let is_good = read.as_ref().is_some_and(|read| read >= minimum);
        inquiry.trace().step("compared", || {
            [
                ("found", Detail::from(read.as_ref().map(Version::as_compared))),
                ("minimum", Detail::from(minimum.as_compared())),
                ("at_least", Detail::from(is_good)),
            ]
        });
        let is_higher = read.is_some()
            && read > highest.as_ref().and_then(|copy| Version::read(copy.version.as_deref()?));
        if is_good {
            good = Some(Copy { path: path.to_owned(), version });
            return ControlFlow::Break(());
        }
        if first.is_none() {
            first = Some(Copy { path: path.to_owned(), version: None });
        }
        if is_higher {
            highest = Some(Copy { path: path.to_owned(), version });
        }
        ControlFlow::Continue(())
    });
    let answer = |state, copy: Copy, min_version, reason| Availability {
        state,
        version: copy.version,
        path: Some(copy.path),
        min_version,
        reason,
    };
    let availability = if let Some(copy) = good {
        answer(State::Available, copy, min_version, None)
    } else if let Some(copy) = highest {
        answer(State::VersionTooOld, copy, min_version, Some("version-below-minimum"))
    } else if let Some(copy) = first {
        answer(State::VersionTooOld, copy, min_version, Some("version-unreadable"))
    } else {
        let path = tried.iter().find(|place| place.is_path).and_then(|place| place.paths.first());
        let path = path.or_else(|| tried.iter().find_map(|place| place.paths.first())).cloned();
        Availability {
            path,
            reason: Some(why_missing(&tried)),
            ..Availability::plain(State::MissingApp, min_version)
        }
    };
    Evaluation { availability, tried }
}

/// Denied if any was denied, else not found if any could be looked at, else the first place's own reason.
fn why_missing(tried: &[Tried]) -> &'static str {
    let any = |outcome: &Outcome| tried.iter().any(|place| place.outcome == *outcome);
    if any(&Outcome::Denied) {
        Outcome::Denied.reason()
    } else if any(&Outcome::LookedAt) {
        Outcome::LookedAt.reason()
    } else {
        tried.first().map_or(Outcome::LookedAt.reason(), |place| place.outcome.reason())
    }
}

/// The place whose outcome was the answer: the last one that was asked, or the first one that gave the reason. None where
/// several copies were compared.
fn decided_by(Evaluation { availability, tried }: &Evaluation) -> Option<usize> {
    let mut places = tried.iter();
    match availability.state {
        State::Available => {
            places.take_while(|place| place.outcome != Outcome::NotAsked).count().checked_sub(1)
        }
        State::MissingApp => places.position(|place| Some(place.outcome.reason()) == availability.reason),
        State::VersionTooOld | State::UnsupportedOs | State::NoRequirements => None,
    }
}

/// The version of a copy, trimmed; none where there is no source or it is unreadable.
fn read_version(
    source: &VersionSource,
    path: &str,
    search: &Search<'_>,
    inquiry: &Inquiry<'_>,
) -> Option<String> {
    if *source == VersionSource::None {
        return None;
    }
    let trace = inquiry.trace();
    trace.within("version", || {
        trace.detail("of", || path);
        let read = match source {
            VersionSource::None => Err("there is no source"),
            VersionSource::PeResource => {
                decode::pe::file_version(&mut |offset, length| inquiry.pe(path, offset, length))
                    .map_err(Unreadable::reason)
            }
            VersionSource::UninstallRegistry { display_name_prefix } => search
                .entries()
                .version_for(inquiry, display_name_prefix, path)
                .ok_or("no uninstall entry of the best rank has a readable version"),
            VersionSource::Plist => match inquiry.plist(path) {
                Ok(bytes) => decode::plist::bundle_version(&bytes).map_err(Unreadable::reason),
                Err(fault) => Err(fault.name()),
            },
        };
        trace.detail("found", || read.as_deref().ok());
        trace.detail("unreadable", || read.as_ref().err().copied());
        let version = read.ok().map(|found| found.trim().to_owned())?;
        let compared = Version::read(&version).map(|read| read.as_compared());
        trace.detail("as_compared", || compared.as_deref());
        compared.map(|_| version)
    })
}

/// Where a version is read, as a sentence names it.
pub fn source_in_words(declaration: &Declaration, os: Os, path: &str) -> String {
    let path = crate::text::quoted(path);
    match declaration.app(os).map(|app| &app.version) {
        Some(VersionSource::Plist) => format!("the property list of {path}"),
        Some(VersionSource::PeResource) => format!("the version resource of {path}"),
        Some(VersionSource::UninstallRegistry { display_name_prefix }) => {
            format!("the uninstall entries {} for {path}", crate::text::quoted(display_name_prefix))
        }
        Some(VersionSource::None) | None => path,
    }
}
