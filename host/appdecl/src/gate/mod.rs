//! The public face: one list of declarations, and the questions about it.

mod builder;
mod cache;
mod notices;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use appdecl_facts::{HostFacts, Limited, Os};
use wasmtime::Store;

use crate::answer::{Availability, Diagnostic, Endpoint, Registration, SkillDecision, Status};
use crate::bindings::exports::appdecl::gate::gate::Guest;
use crate::engine::{Host, Instance};
use crate::error::Error;

pub use builder::GateBuilder;
pub use notices::{Change, Subscription};

use cache::{Cache, Kept, Question};
use notices::Notices;

/// A list of declarations, and what they come to on this machine.
///
/// A declaration is JSON text (SPEC §2). Its `label` is the caller's name for where it came from, such as
/// `my-plugin/plugin.json`: every message about it starts with that.
///
/// Cloning is cheap, and a clone is the same gate. A gate may be used from any number of threads; its calls happen one
/// after another. Nothing is cached, and nothing is remembered but the registrations, unless
/// [`GateBuilder::cache_for`] says so: an application that was installed a second ago is seen.
///
/// # When a call fails
///
/// A call ends with an [`Error`] where the component runs into a [limit](crate::Limits), where the host facts have no
/// answer at all, or where it has a bug. The component is then replaced and every registration made again, so that the
/// next call works. The same holds where the host facts panic; the panic itself reaches the caller.
#[derive(Clone)]
pub struct Gate {
    inner: Arc<Inner>,
}

struct Inner {
    cache_for: Option<Duration>,
    state: Mutex<State>,
    notices: Arc<Notices>,
}

/// What is behind the lock.
struct State {
    host: Host,
    /// None before the first call, and after one that failed.
    instance: Option<Instance>,
    /// What the instance has registered, to tell a new one.
    registered: BTreeMap<String, Registered>,
    cache: Cache,
}

struct Registered {
    declaration: String,
    label: String,
    display_name: Option<String>,
}

impl Gate {
    /// A gate for this machine, with the default limits and no redactor: its endpoints carry no token.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] where the component does not run in this process.
    pub fn new() -> Result<Self, Error> {
        Self::builder().build()
    }

    /// A gate with other host facts, limits, a redactor or a cache.
    #[must_use]
    pub fn builder() -> GateBuilder {
        GateBuilder::default()
    }

    /// The gate that all of this process shares, made by [`Gate::new`] when it is first asked for.
    ///
    /// It is one list for everybody: [`Gate::clear`] removes what others registered too.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] where the component does not run in this process.
    pub fn shared() -> Result<Self, Error> {
        static SHARED: OnceLock<Gate> = OnceLock::new();
        if let Some(gate) = SHARED.get() {
            return Ok(gate.clone());
        }
        let gate = Self::new()?;
        Ok(SHARED.get_or_init(|| gate).clone())
    }

    /// All faults of a declaration in document order; empty where it is valid. Asks nothing of the machine.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn diagnose(&self, declaration: &str, label: &str) -> Result<Vec<Diagnostic>, Error> {
        let found = self.ask(|gate, store| gate.call_diagnose(store, declaration, label))?;
        Ok(public(found))
    }

    /// Registers a declaration under a server's name, in place of one that stood there. `display_name` is what messages
    /// call the application; without one they use the server's name. Asks nothing of the machine.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the declaration has faults; the old one then stays. Else see
    /// [Gate](Gate#when-a-call-fails).
    pub fn register(
        &self,
        server: &str,
        declaration: &str,
        label: &str,
        display_name: Option<&str>,
    ) -> Result<(), Error> {
        let mut state = self.lock();
        let verdict = self.ask_in(&mut state, |gate, store| {
            gate.call_register(store, server, declaration, label, display_name)
        })?;
        verdict.map_err(|found| Error::Invalid(public(found)))?;
        let registered = Registered {
            declaration: declaration.to_owned(),
            label: label.to_owned(),
            display_name: display_name.map(str::to_owned),
        };
        state.registered.insert(server.to_owned(), registered);
        self.changed(state, &Change::Registered { server: server.to_owned() });
        Ok(())
    }

    /// Removes one server; false where it was not registered.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn unregister(&self, server: &str) -> Result<bool, Error> {
        let mut state = self.lock();
        let was_there = self.ask_in(&mut state, |gate, store| gate.call_unregister(store, server))?;
        if was_there {
            state.registered.remove(server);
            self.changed(state, &Change::Unregistered { server: server.to_owned() });
        }
        Ok(was_there)
    }

    /// Removes every server, whoever registered it.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn clear(&self) -> Result<(), Error> {
        let mut state = self.lock();
        self.ask_in(&mut state, |gate, store| gate.call_clear(store))?;
        state.registered.clear();
        self.changed(state, &Change::Cleared);
        Ok(())
    }

    /// A server as it was registered; none where it is not.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn lookup(&self, server: &str) -> Result<Option<Registration>, Error> {
        let found = self.ask(|gate, store| gate.call_lookup(store, server))?;
        Ok(found.map(Into::into))
    }

    /// The names of all registered servers, sorted.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn servers(&self) -> Result<Vec<String>, Error> {
        self.ask(|gate, store| gate.call_servers(store))
    }

    /// The availability of a registered server on this machine, now; none where it is not registered.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn availability(&self, server: &str) -> Result<Option<Availability>, Error> {
        let kept = self.ask_cached(Question::Availability(server.to_owned()), |gate, store| {
            let answer = gate.call_availability_of(store, server)?;
            Ok(Kept::Availability(answer.map(Into::into)))
        })?;
        match kept {
            Kept::Availability(answer) => Ok(answer),
            Kept::Offered(_) | Kept::Skill(_) => Ok(None),
        }
    }

    /// The availability of a declaration that is not registered.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the declaration has faults. Else see [Gate](Gate#when-a-call-fails).
    pub fn evaluate(&self, declaration: &str, label: &str) -> Result<Availability, Error> {
        let verdict = self.ask(|gate, store| gate.call_evaluate(store, declaration, label))?;
        verdict.map(Into::into).map_err(|found| Error::Invalid(public(found)))
    }

    /// Where the application behind a server listens. Its runtime file is read again at every call, and nothing stands in
    /// for it: a configured address is never an answer.
    ///
    /// # Errors
    ///
    /// [`Error::EndpointUnavailable`] where there is no address to dial. Else see [Gate](Gate#when-a-call-fails).
    pub fn endpoint(&self, server: &str) -> Result<Endpoint, Error> {
        let found = self.ask(|gate, store| gate.call_endpoint_of(store, server))?;
        found.map(Into::into).map_err(|unavailable| Error::EndpointUnavailable { reason: unavailable.reason })
    }

    /// Why a server is not offered or not connected, and what to do; none where it is offerable and `connected`, which
    /// says whether the caller has a living connection to it.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn status(&self, server: &str, connected: bool) -> Result<Option<Status>, Error> {
        let found = self.ask(|gate, store| gate.call_status_of(store, server, connected))?;
        Ok(found.map(Into::into))
    }

    /// One line for a list of tools, `NAME (N tools unavailable: MESSAGE)`; none where the server is offered. `tools` is
    /// how many tools the server has.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn listing(&self, server: &str, tools: u32, connected: bool) -> Result<Option<String>, Error> {
        self.ask(|gate, store| gate.call_listing(store, server, tools, connected))
    }

    /// Whether a server's tools may be shown. False where the evaluation fails.
    #[must_use]
    pub fn server_offered(&self, server: &str, connected: bool) -> bool {
        let kept = self.ask_cached(Question::ServerOffered(server.to_owned(), connected), |gate, store| {
            gate.call_server_offered(store, server, connected).map(Kept::Offered)
        });
        matches!(kept, Ok(Kept::Offered(true)))
    }

    /// Whether a skill that needs these applications may be shown.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails). A skill whose question fails is not to be shown.
    pub fn skill_offered<S: AsRef<str>>(&self, requires_apps: &[S]) -> Result<SkillDecision, Error> {
        let names: Vec<String> = requires_apps.iter().map(|name| name.as_ref().to_owned()).collect();
        let kept = self.ask_cached(Question::SkillOffered(names.clone()), |gate, store| {
            Ok(Kept::Skill(gate.call_skill_offered(store, &names)?.into()))
        })?;
        match kept {
            Kept::Skill(decision) => Ok(decision),
            Kept::Availability(_) | Kept::Offered(_) => {
                Ok(SkillDecision { offered: false, decided_by: None })
            }
        }
    }

    /// How the status of a server came about, as JSON text: every place, question and answer in the order they happened;
    /// none where it is not registered. Holds no content of a runtime file.
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn explain(&self, server: &str, connected: bool) -> Result<Option<String>, Error> {
        self.ask(|gate, store| gate.call_explain(store, server, connected))
    }

    /// Whether `found` is a version that is at least `minimum` (SPEC §3).
    ///
    /// ```
    /// let gate = appdecl::Gate::new()?;
    /// assert!(gate.version_at_least("2.3.0.12594", "2.3.0")?);
    /// assert!(!gate.version_at_least("5.1rc2", "5.2")?);
    /// # Ok::<(), appdecl::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [Gate](Gate#when-a-call-fails).
    pub fn version_at_least(&self, found: &str, minimum: &str) -> Result<bool, Error> {
        self.ask(|gate, store| gate.call_version_at_least(store, found, minimum))
    }

    /// Has `listener` told of every change to the list of declarations, once for each call that changes it, after the
    /// change. It is called on the thread that changed the list and may ask the gate. Changes that several threads make
    /// at the same time may be told in any order.
    ///
    /// ```
    /// # use std::sync::{Arc, Mutex};
    /// let gate = appdecl::Gate::new()?;
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&seen);
    /// let subscription = gate.subscribe(move |change| sink.lock().unwrap().push(change.clone()));
    /// gate.clear()?;
    /// drop(subscription);
    /// gate.clear()?;
    /// assert_eq!(*seen.lock().unwrap(), [appdecl::Change::Cleared]);
    /// # Ok::<(), appdecl::Error>(())
    /// ```
    pub fn subscribe(&self, listener: impl Fn(&Change) + Send + Sync + 'static) -> Subscription {
        self.inner.notices.subscribe(Arc::new(listener))
    }

    /// The system of the machine that is asked.
    pub(crate) fn os(&self) -> Result<Os, Error> {
        let facts = Arc::clone(&self.lock().host.facts);
        facts
            .os()
            .map_err(|failure| Error::Unanswerable(format!("the host does not know its system: {failure}")))
    }

    /// Removes every server and asks these facts from now on. For many machines one after another: a component that lives
    /// is ready sooner than a new one. Nobody is told.
    pub(crate) fn move_to(&self, facts: impl HostFacts + 'static) -> Result<(), Error> {
        let mut state = self.lock();
        state.registered.clear();
        state.cache.clear();
        state.host.facts = Arc::new(Limited::new(facts));
        let Some(mut instance) = state.instance.take() else { return Ok(()) };
        instance.move_to(&state.host);
        instance.call(|gate, store| gate.call_clear(store))?;
        state.instance = Some(instance);
        Ok(())
    }

    fn ask<T>(
        &self,
        question: impl FnOnce(&Guest, &mut Store<Host>) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        self.ask_in(&mut self.lock(), question)
    }

    /// Asks the instance, a new one where there is none. One that fails, or panics, is not put back.
    fn ask_in<T>(
        &self,
        state: &mut State,
        question: impl FnOnce(&Guest, &mut Store<Host>) -> wasmtime::Result<T>,
    ) -> Result<T, Error> {
        let mut instance = match state.instance.take() {
            Some(instance) => instance,
            None => instance_with(&state.host, &state.registered)?,
        };
        let answer = instance.call(question)?;
        state.instance = Some(instance);
        Ok(answer)
    }

    fn ask_cached(
        &self,
        question: Question,
        ask: impl FnOnce(&Guest, &mut Store<Host>) -> wasmtime::Result<Kept>,
    ) -> Result<Kept, Error> {
        let mut state = self.lock();
        let Some(lifetime) = self.inner.cache_for else {
            return self.ask_in(&mut state, ask);
        };
        let now = Instant::now();
        if let Some(kept) = state.cache.get(&question, now, lifetime) {
            return Ok(kept);
        }
        let kept = self.ask_in(&mut state, ask)?;
        state.cache.put(question, now, kept.clone());
        Ok(kept)
    }

    /// Drops what was kept, lets go of the lock, and tells the subscribers.
    fn changed(&self, mut state: MutexGuard<'_, State>, change: &Change) {
        state.cache.clear();
        drop(state);
        self.inner.notices.tell(change);
    }

    /// The state. A thread that panicked leaves no instance behind, and the rest of it whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").finish_non_exhaustive()
    }
}

/// A new component with everything registered.
fn instance_with(host: &Host, registered: &BTreeMap<String, Registered>) -> Result<Instance, Error> {
    let mut instance = Instance::new(host)?;
    for (server, Registered { declaration, label, display_name }) in registered {
        // It was valid when it was registered, and nothing but its text decides that.
        let _ = instance.call(|gate, store| {
            gate.call_register(store, server, declaration, label, display_name.as_deref())
        })?;
    }
    Ok(instance)
}

fn public<T, U: From<T>>(found: Vec<T>) -> Vec<U> {
    found.into_iter().map(U::from).collect()
}
