//! The list of registered declarations and the two gates (SPEC §8).

use crate::availability::{self, Availability};
use crate::declaration::{self, Declaration, Diagnostic};
use crate::endpoint::{self, Endpoint, Unavailable};
use crate::facts::Facts;
use crate::inquiry::Inquiry;
use crate::status::{self, Status};
use crate::trace::{Trace, write_text};

/// A server as it was registered.
pub struct Registered {
    /// The declaration as it was given.
    pub text: String,
    /// What messages call the application.
    pub display_name: Option<String>,
    declaration: Declaration,
}

/// The registered servers.
#[derive(Default)]
pub struct Registry {
    /// Sorted by name. A map would be as fast and four times the code.
    servers: Vec<(String, Registered)>,
}

impl Registry {
    /// An empty list.
    pub const fn new() -> Self {
        Self { servers: Vec::new() }
    }

    /// Registers a declaration in place of one that stood there. An invalid one is refused and leaves the old one.
    pub fn register(
        &mut self,
        server: &str,
        text: String,
        label: &str,
        display_name: Option<String>,
    ) -> Result<(), Vec<Diagnostic>> {
        let declaration = declaration::parse(&text, label)?;
        let display_name = display_name.filter(|name| !name.trim().is_empty());
        let registered = Registered { text, display_name, declaration };
        match self.position(server) {
            Ok(index) => {
                if let Some((_, old)) = self.servers.get_mut(index) {
                    *old = registered;
                }
            }
            Err(index) => self.servers.insert(index, (server.to_owned(), registered)),
        }
        Ok(())
    }

    /// Removes one server; false where it was not there.
    pub fn unregister(&mut self, server: &str) -> bool {
        self.position(server).map(|index| self.servers.remove(index)).is_ok()
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.servers.clear();
    }

    /// One server as it was registered.
    pub fn lookup(&self, server: &str) -> Option<&Registered> {
        self.position(server).ok().and_then(|index| self.servers.get(index)).map(|(_, registered)| registered)
    }

    /// All names, sorted.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|(name, _)| name.as_str())
    }

    /// The availability of a registered server.
    pub fn availability(&self, server: &str, facts: &dyn Facts) -> Option<Availability> {
        let registered = self.lookup(server)?;
        Some(evaluate(&registered.declaration, facts))
    }

    /// Where the application behind a server listens. The token is handed to the host's redactor first.
    pub fn endpoint(&self, server: &str, facts: &dyn Facts) -> Result<Endpoint, Unavailable> {
        let Some(registered) = self.lookup(server) else {
            return Err(Unavailable { reason: "no-liveness", file: None, about: None });
        };
        let trace = Trace::off();
        let found = endpoint::endpoint(&registered.declaration, &Inquiry::new(facts, &trace))?;
        Ok(endpoint::hand_over(found, facts))
    }

    /// Why a server is not offered or not connected.
    pub fn status(&self, server: &str, connected: bool, facts: &dyn Facts) -> Option<Status> {
        self.traced_status(server, connected, facts, &Trace::off())
    }

    /// The line of a listing; none where the server is offered.
    pub fn listing(&self, server: &str, tools: u32, connected: bool, facts: &dyn Facts) -> Option<String> {
        self.status(server, connected, facts).map(|status| status::listing(server, tools, &status))
    }

    /// The server gate.
    pub fn server_offered(&self, server: &str, connected: bool, facts: &dyn Facts) -> bool {
        // Without a connection nothing needs to be asked.
        connected && self.availability(server, facts).is_none_or(|availability| availability.offerable())
    }

    /// The skill gate: the first name that hides the skill, if any.
    pub fn skill_hidden_by<'n>(&self, requires_apps: &'n [String], facts: &dyn Facts) -> Option<&'n str> {
        requires_apps
            .iter()
            .find(|name| !self.availability(name, facts).is_some_and(|availability| availability.offerable()))
            .map(String::as_str)
    }

    /// How the status of a server came about, as JSON text.
    pub fn explain(&self, server: &str, connected: bool, facts: &dyn Facts) -> Option<String> {
        self.lookup(server)?;
        let trace = Trace::on();
        self.traced_status(server, connected, facts, &trace);
        let mut document = String::from("{\"server\":");
        write_text(&mut document, server);
        document.push_str(if connected {
            ",\"connected\":true,\"steps\":"
        } else {
            ",\"connected\":false,\"steps\":"
        });
        document.push_str(&trace.into_json());
        document.push('}');
        Some(document)
    }

    fn position(&self, server: &str) -> Result<usize, usize> {
        self.servers.binary_search_by(|(name, _)| name.as_str().cmp(server))
    }

    fn traced_status(
        &self,
        server: &str,
        connected: bool,
        facts: &dyn Facts,
        trace: &Trace,
    ) -> Option<Status> {
        match self.lookup(server) {
            Some(registered) => {
                let name = registered.display_name.as_deref().unwrap_or(server);
                status::status(&registered.declaration, name, connected, &Inquiry::new(facts, trace))
            }
            None => status::unregistered(server, connected),
        }
    }
}

/// The availability of a declaration that need not be registered.
pub fn evaluate(declaration: &Declaration, facts: &dyn Facts) -> Availability {
    let trace = Trace::off();
    availability::evaluate(declaration, &Inquiry::new(facts, &trace)).availability
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::availability::State;
    use crate::facts::{Hive, Os, ProcessState, ProcessStatus, RegistryValue, Session, View};
    use crate::fake::Fake;
    use crate::status::StatusState;

    const ACME: &str = r#"{
        "app": { "linux": { "presence": "executable", "location": "/opt/acme" } },
        "requires": { "app": true },
        "liveness": { "kind": "server_json", "path": "/run/acme.json" }
    }"#;

    fn with(text: &str) -> Registry {
        let mut registry = Registry::new();
        registry.register("acme", text.to_owned(), "", None).expect("a valid declaration");
        registry
    }

    #[test]
    fn an_invalid_declaration_is_refused_and_leaves_the_old_one() {
        let mut registry = with(ACME);
        let faults = registry.register("acme", r#"{ "app": {} }"#.to_owned(), "label", None).unwrap_err();
        assert_eq!(faults[0].code, "no-os");
        assert!(faults[0].message.starts_with("label: app: "), "{}", faults[0].message);
        assert_eq!(registry.lookup("acme").map(|registered| registered.text.as_str()), Some(ACME));
    }

    #[test]
    fn without_requirements_nothing_at_all_is_asked() {
        let facts = Fake::new(Os::Linux);
        assert_eq!(
            with("{}").availability("acme", &facts).map(|found| found.state),
            Some(State::NoRequirements)
        );
        assert!(facts.asked().is_empty());
    }

    #[test]
    fn on_an_undeclared_system_only_the_systems_name_is_asked() {
        let facts = Fake::new(Os::Darwin);
        assert_eq!(
            with(ACME).availability("acme", &facts).map(|found| found.state),
            Some(State::UnsupportedOs)
        );
        assert_eq!(facts.asked(), ["os"]);
    }

    #[test]
    fn a_refused_path_reaches_no_host() {
        let text = ACME.replace("/opt/acme", "$A/acme").replace("/run/acme.json", "$A/acme.json");
        let facts = Fake::new(Os::Linux).variables(&[("A", "relative")]);
        let registry = with(&text);
        assert_eq!(
            registry.availability("acme", &facts).and_then(|found| found.reason),
            Some("path-refused")
        );
        assert_eq!(registry.endpoint("acme", &facts).err().map(|found| found.reason), Some("path-refused"));
        assert!(
            !facts
                .asked()
                .iter()
                .any(|question| question.starts_with("stat") || question.starts_with("runtime"))
        );
    }

    #[test]
    fn a_connected_and_offerable_server_needs_no_runtime_file() {
        let facts = Fake::new(Os::Linux).files(&["/opt/acme"]);
        assert_eq!(with(ACME).status("acme", true, &facts), None);
        assert_eq!(facts.asked(), ["os", "stat /opt/acme"]);
    }

    #[test]
    fn a_status_hands_no_token_over_and_an_endpoint_does() {
        let running = ProcessStatus { state: ProcessState::Running, started: None };
        let file = r#"{"pid": 7, "http": "http://127.0.0.1:80", "token": "s3cret"}"#;
        let declaration =
            ACME.replace("linux", "win32").replace("/opt/acme", "C:/acme.exe").replace("/run/", "C:/");
        let facts = || {
            Fake::new(Os::Win32)
                .files(&[r"C:\acme.exe"])
                .runtime(r"C:\acme.json", file)
                .process(7, Ok(running))
        };
        let registry = with(&declaration);
        let found = registry.endpoint("acme", &facts()).ok().expect("an endpoint");
        assert_eq!(found.url, "http://127.0.0.1:80/mcp");
        assert_eq!(found.token.map(crate::endpoint::Token::reveal).as_deref(), Some("s3cret"));
        let without = registry.endpoint("acme", &facts().without_redactor()).ok().expect("an endpoint");
        assert!(without.token.is_none());
        let status = registry.status("acme", false, &facts()).expect("a status");
        assert_eq!(status.state, StatusState::NotConnected);
        assert!(!registry.explain("acme", false, &facts()).expect("a trace").contains("s3cret"));
    }

    #[test]
    fn a_fault_of_the_question_about_a_process_proves_nothing() {
        let file = r#"{"pid": 7, "http": "http://127.0.0.1:80"}"#;
        let declaration =
            ACME.replace("linux", "win32").replace("/opt/acme", "C:/acme.exe").replace("/run/", "C:/");
        let reason = |answer| {
            let facts = Fake::new(Os::Win32).runtime(r"C:\acme.json", file).process(7, answer);
            with(&declaration).endpoint("acme", &facts).err().map(|found| found.reason)
        };
        assert_eq!(reason(Err(crate::facts::FaultCode::Denied)), None);
        assert_eq!(reason(Err(crate::facts::FaultCode::Io)), Some("bad-pid"));
        assert_eq!(reason(Err(crate::facts::FaultCode::Absent)), Some("pid-not-alive"));
    }

    #[test]
    fn an_owner_that_is_not_told_is_not_trusted() {
        let facts = Fake::new(Os::Linux).runtime("/run/acme.json", "{}");
        assert_eq!(with(ACME).endpoint("acme", &facts).err().map(|found| found.reason), Some("untrusted"));
    }

    #[test]
    fn the_registry_is_asked_once_for_each_root() {
        let text = r#"{
            "app": { "win32": {
                "presence": "executable",
                "location": [ { "kind": "uninstall_registry", "display_name_prefix": "Acme", "file": "acme.exe" } ],
                "version": { "kind": "uninstall_registry", "display_name_prefix": "Acme" }
            } },
            "requires": { "app": true, "min_version": "9" }
        }"#;
        let entry = |version: &str, folder: &str| {
            let text = |value: &str| RegistryValue::Text(value.to_owned());
            [text("Acme"), text(version), text(folder), RegistryValue::Missing]
        };
        let facts = Fake::new(Os::Win32)
            .files(&[r"C:\1\acme.exe", r"C:\2\acme.exe"])
            .key(Hive::LocalMachine, View::Bits64, "1", entry("1.0", r"C:\1"))
            .key(Hive::CurrentUser, View::Bits64, "2", entry("2.0", r"C:\2"));
        let found = with(text).availability("acme", &facts).expect("registered");
        assert_eq!((found.state, found.version.as_deref()), (State::VersionTooOld, Some("2.0")));
        assert_eq!(facts.asked().iter().filter(|question| question.starts_with("subkeys")).count(), 3);
    }

    #[test]
    fn a_session_is_asked_for_where_it_is_needed_alone() {
        let text = r#"{ "requires": {}, "liveness": { "kind": "interactive_session" } }"#;
        let none = Session::Linux { audit_session: None, runtime_folder_readable: true };
        let facts = Fake::new(Os::Linux).session_facts(none);
        let status = with(text).status("acme", false, &facts).expect("a status");
        assert_eq!(status.state, StatusState::NoInteractiveSession);
        assert_eq!(with(text).status("acme", true, &facts), None);
    }

    #[test]
    fn hostile_search_paths_end() {
        let text = ACME.replace(r#""/opt/acme""#, r#"[{ "kind": "command", "name": "acme" }]"#);
        let path = vec!["/x"; 60_000].join(":");
        let facts = Fake::new(Os::Linux).variables(&[("PATH", &path)]);
        assert_eq!(
            with(&text).availability("acme", &facts).map(|found| found.state),
            Some(State::MissingApp)
        );
        assert!(facts.asked().len() < 11_000);
    }
}
