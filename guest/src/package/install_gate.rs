//! Whether a package may be installed on a machine (SPEC §9.3). Liveness plays no part.

use super::{Boundary, Finding, Report, Severity};
use crate::availability::{Availability, State};
use crate::facts::Os;
use crate::order::sorted;
use crate::text::{quoted, shown};

/// Why a package is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// The package has a fault that takes it down.
    PackageFault,
    /// The catalogue does not offer it for this system.
    PlatformMismatch,
    /// A server does not declare its application for this system.
    UnsupportedOs,
    /// A server's application is not there.
    MissingApp,
    /// A server's application is too old, or its version cannot be read.
    VersionTooOld,
    /// A declared server was not evaluated: the caller left it out.
    NotEvaluated,
}

impl RefusalReason {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::PackageFault,
        Self::PlatformMismatch,
        Self::UnsupportedOs,
        Self::MissingApp,
        Self::VersionTooOld,
        Self::NotEvaluated,
    ];

    /// The reason as SPEC writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PackageFault => "package_fault",
            Self::PlatformMismatch => "platform_mismatch",
            Self::UnsupportedOs => "unsupported_os",
            Self::MissingApp => "missing_app",
            Self::VersionTooOld => "version_too_old",
            Self::NotEvaluated => "not_evaluated",
        }
    }
}

/// One reason against installing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: RefusalReason,
    /// The server it is about, where it is about one.
    pub server: Option<String>,
    /// One sentence of fact.
    pub message: String,
}

/// A declared server and what its application comes to on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The server's name, as the report has it.
    pub server: String,
    /// What it comes to.
    pub availability: Availability,
}

/// Everything that speaks against installing a package, together; nothing where it may be installed.
///
/// `evaluated` answers for every server of the report that has a declaration; `platforms` is what a catalogue's entry
/// says, empty where there is none. `windows` and `win32` are one, and so are `macos` and `darwin`; letter case does not
/// count.
pub fn install_gate(report: &Report, evaluated: &[Evaluated], platforms: &[String], os: Os) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    if report.rejected {
        let takes_package =
            |finding: &&Finding| finding.severity == Severity::Error && finding.boundary == Boundary::Package;
        let mut message = "the package has a fault that takes it down".to_owned();
        if let Some(first) = report.findings.iter().find(takes_package) {
            message.push_str(": ");
            message.push_str(&first.message);
        }
        refusals.push(Refusal { reason: RefusalReason::PackageFault, server: None, message });
    }
    if !platforms.is_empty() && !platforms.iter().any(|platform| names(platform, os)) {
        let listed: Vec<String> = platforms.iter().map(|platform| quoted(platform)).collect();
        let message =
            format!("the catalogue offers it for {}, this system is `{}`", listed.join(", "), os.name());
        refusals.push(Refusal { reason: RefusalReason::PlatformMismatch, server: None, message });
    }
    let evaluated =
        sorted(evaluated.iter().collect(), |left: &&Evaluated, right| left.server.cmp(&right.server));
    for server in report.servers.iter().filter(|server| server.declaration.is_some()) {
        let index = evaluated.binary_search_by(|evaluated| evaluated.server.cmp(&server.name));
        let found = index.ok().and_then(|index| evaluated.get(index));
        let refusal = match found {
            Some(evaluated) => refused(&server.name, &evaluated.availability, os),
            None => {
                let message = format!("the server {} was not evaluated", quoted(&server.name));
                Some((RefusalReason::NotEvaluated, message))
            }
        };
        if let Some((reason, message)) = refusal {
            refusals.push(Refusal { reason, server: Some(server.name.clone()), message });
        }
    }
    refusals
}

fn names(platform: &str, os: Os) -> bool {
    let platform = platform.trim().to_ascii_lowercase();
    match os {
        Os::Win32 => platform == "win32" || platform == "windows",
        Os::Darwin => platform == "darwin" || platform == "macos",
        Os::Linux => platform == "linux",
    }
}

fn refused(server: &str, availability: &Availability, os: Os) -> Option<(RefusalReason, String)> {
    let server = quoted(server);
    let path = availability.path.as_deref().map(shown);
    match availability.state {
        State::Available | State::NoRequirements => None,
        State::UnsupportedOs => {
            let message = format!("the server {server} does not declare its application for `{}`", os.name());
            Some((RefusalReason::UnsupportedOs, message))
        }
        State::MissingApp => {
            let place = path.map(|path| format!(" at `{path}`")).unwrap_or_default();
            let message = format!("the application of the server {server} was not found{place}");
            Some((RefusalReason::MissingApp, message))
        }
        State::VersionTooOld => {
            let needed = shown(availability.min_version.as_deref().unwrap_or_default());
            let message = match &availability.version {
                Some(version) => format!(
                    "the application of the server {server} has version {}, needed is `{needed}`",
                    quoted(version)
                ),
                None => format!(
                    "the version of the application of the server {server} could not be read, needed is `{needed}`"
                ),
            };
            Some((RefusalReason::VersionTooOld, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Server;

    fn report(servers: &[&str]) -> Report {
        let declared = |name: &&str| Server {
            name: (*name).to_owned(),
            transport: "stdio",
            declaration: Some("{}".to_owned()),
        };
        Report { servers: servers.iter().map(declared).collect(), ..Report::default() }
    }

    fn evaluated(server: &str, state: State, version: Option<&str>) -> Evaluated {
        let availability = Availability {
            state,
            version: version.map(str::to_owned),
            path: Some("/opt/acme".to_owned()),
            min_version: Some("5.1".to_owned()),
            reason: None,
        };
        Evaluated { server: server.to_owned(), availability }
    }

    fn reasons(refusals: &[Refusal]) -> Vec<(&'static str, Option<&str>)> {
        refusals.iter().map(|refusal| (refusal.reason.name(), refusal.server.as_deref())).collect()
    }

    #[test]
    fn every_refusal_is_listed_at_once() {
        let mut report = report(&["a", "b", "c", "d", "e", "f"]);
        report.rejected = true;
        let evaluated = [
            evaluated("b", State::MissingApp, None),
            evaluated("a", State::Available, Some("5.1")),
            evaluated("c", State::VersionTooOld, Some("4.2")),
            evaluated("d", State::UnsupportedOs, None),
            evaluated("e", State::NoRequirements, None),
        ];
        let refusals = install_gate(&report, &evaluated, &["windows".to_owned()], Os::Linux);
        assert_eq!(
            reasons(&refusals),
            [
                ("package_fault", None),
                ("platform_mismatch", None),
                ("missing_app", Some("b")),
                ("version_too_old", Some("c")),
                ("unsupported_os", Some("d")),
                ("not_evaluated", Some("f")),
            ]
        );
        let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
        assert!(messages[3].contains("`4.2`") && messages[3].contains("`5.1`"), "{messages:?}");
    }

    #[test]
    fn what_cannot_be_read_is_not_called_old() {
        let refusals =
            install_gate(&report(&["a"]), &[evaluated("a", State::VersionTooOld, None)], &[], Os::Linux);
        assert_eq!(reasons(&refusals), [("version_too_old", Some("a"))]);
        assert!(refusals[0].message.contains("could not be read"), "{}", refusals[0].message);
    }

    #[test]
    fn a_catalogue_names_systems_by_either_name() {
        let refused = |platforms: &[&str], os| {
            let platforms: Vec<String> = platforms.iter().map(|name| (*name).to_owned()).collect();
            !install_gate(&report(&[]), &[], &platforms, os).is_empty()
        };
        assert!(!refused(&[], Os::Linux));
        assert!(!refused(&["windows"], Os::Win32));
        assert!(!refused(&["linux", "win32"], Os::Win32));
        assert!(!refused(&["macOS"], Os::Darwin));
        assert!(!refused(&["darwin"], Os::Darwin));
        assert!(refused(&["windows", "macos"], Os::Linux));
        assert!(refused(&["win"], Os::Win32));
        assert!(refused(&["freebsd"], Os::Darwin));
    }

    #[test]
    fn a_server_that_declares_nothing_needs_no_answer() {
        let mut report = report(&["a"]);
        report.servers[0].declaration = None;
        assert_eq!(install_gate(&report, &[], &[], Os::Linux), []);
    }
}
