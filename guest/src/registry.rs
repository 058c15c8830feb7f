//! The list of registered declarations and the two gates (SPEC §8).

use std::collections::BTreeMap;

use serde_json::json;

use crate::availability::{self, Availability};
use crate::declaration::{self, Declaration, Diagnostic};
use crate::endpoint::{self, Endpoint, Unavailable};
use crate::facts::Facts;
use crate::inquiry::Inquiry;
use crate::status::{self, Status};
use crate::trace::Trace;

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
    servers: BTreeMap<String, Registered>,
}

impl Registry {
    /// An empty list.
    pub const fn new() -> Self {
        Self { servers: BTreeMap::new() }
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
        self.servers.insert(server.to_owned(), Registered { text, display_name, declaration });
        Ok(())
    }

    /// Removes one server; false where it was not there.
    pub fn unregister(&mut self, server: &str) -> bool {
        self.servers.remove(server).is_some()
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.servers.clear();
    }

    /// One server as it was registered.
    pub fn lookup(&self, server: &str) -> Option<&Registered> {
        self.servers.get(server)
    }

    /// All names, sorted.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// The availability of a registered server.
    pub fn availability(&self, server: &str, facts: &dyn Facts) -> Option<Availability> {
        let registered = self.servers.get(server)?;
        Some(evaluate(&registered.declaration, facts))
    }

    /// Where the application behind a server listens. The token is handed to the host's redactor first.
    pub fn endpoint(&self, server: &str, facts: &dyn Facts) -> Result<Endpoint, Unavailable> {
        let Some(registered) = self.servers.get(server) else {
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
        self.servers.get(server)?;
        let trace = Trace::on();
        self.traced_status(server, connected, facts, &trace);
        let document = json!({ "server": server, "connected": connected, "steps": trace.into_steps() });
        Some(document.to_string())
    }

    fn traced_status(
        &self,
        server: &str,
        connected: bool,
        facts: &dyn Facts,
        trace: &Trace,
    ) -> Option<Status> {
        match self.servers.get(server) {
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
