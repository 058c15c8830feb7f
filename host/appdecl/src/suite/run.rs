//! Runs cases through the component, each on the machine that its facts describe.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use appdecl_facts::document::{Document, Syntax};
use appdecl_facts::{FactsFile, Replay};
use serde_json::{Map, Value, json};

use super::case::{Case, Evaluation, Work};
use super::{Difference, Outcome, Verdict, compare};
use crate::answer::Diagnostic;
use crate::{Error, Gate, Redact};

/// Runs the cases on so many threads. The verdicts stand in the order of the cases; `done` is told of each as it ends,
/// in any order and on any thread.
pub fn run(cases: &[&Case], threads: NonZeroUsize, done: &(dyn Fn(&Case, &Verdict) + Sync)) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        let mut gate = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(index) else { return mine };
            let verdict = case.run_on(&mut gate);
            done(case, &verdict);
            mine.push((index, verdict));
        }
    };
    let mut verdicts: Vec<(usize, Verdict)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.get().min(cases.len())).map(|_| scope.spawn(work)).collect();
        let mut verdicts = work();
        for other in others {
            match other.join() {
                Ok(theirs) => verdicts.extend(theirs),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        verdicts
    });
    verdicts.sort_unstable_by_key(|(index, _)| *index);
    verdicts.into_iter().map(|(_, verdict)| verdict).collect()
}

impl Case {
    /// Runs the case on a gate of its own.
    #[must_use]
    pub fn run(&self) -> Verdict {
        self.run_on(&mut None)
    }

    /// Runs the case on the gate that other cases leave, emptied, or on a new one where there is none.
    fn run_on(&self, gate: &mut Option<Gate>) -> Verdict {
        let mut in_component = Duration::ZERO;
        let outcome =
            self.outcome(gate, &mut in_component).unwrap_or_else(|error| Outcome::Broken(error.to_string()));
        Verdict { outcome, in_component }
    }

    fn outcome(&self, gate: &mut Option<Gate>, in_component: &mut Duration) -> Result<Outcome, Error> {
        let gate = match gate {
            Some(gate) => {
                gate.move_to(self.facts()?)?;
                gate
            }
            None => gate.insert(self.gate()?),
        };
        let start = Instant::now();
        let differences = match &self.work {
            Work::Version { found, minimum, at_least } => {
                let answer = gate.version_at_least(found, minimum)?;
                *in_component = start.elapsed();
                compare::differences(&json!({ "at_least": at_least }), &json!({ "at_least": answer }))
            }
            Work::Evaluation(evaluation) => {
                let found = evaluation.found(gate)?;
                *in_component = start.elapsed();
                match found {
                    Ok(found) => {
                        compare::differences(&Value::Object(evaluation.expect.clone()), &Value::Object(found))
                    }
                    Err(faults) => vec![Difference {
                        pointer: "/valid".to_owned(),
                        expected: Value::Bool(true),
                        found: listed(&faults, true),
                    }],
                }
            }
        };
        Ok(if differences.is_empty() { Outcome::Passed } else { Outcome::Failed(differences) })
    }

    /// A gate that asks the case's facts.
    pub(super) fn gate(&self) -> Result<Gate, Error> {
        Gate::builder().facts(self.facts()?).redactor(Arc::new(Accepting)).build()
    }

    fn facts(&self) -> Result<Arc<Replay>, Error> {
        let facts = match &self.work {
            Work::Evaluation(evaluation) => evaluation.facts.clone(),
            Work::Version { .. } => None,
        };
        facts.or_else(nowhere).ok_or_else(|| Error::Unanswerable("the case has no facts".to_owned()))
    }
}

impl Evaluation {
    /// What there is for every key that is expected; the faults of a declaration that should have none.
    fn found(&self, gate: &Gate) -> Result<Result<Map<String, Value>, Vec<Diagnostic>>, Error> {
        let mut found = Map::new();
        if self.expect.contains_key("invalid") {
            let declaration = self.declaration().map(|text| text.as_ref()).unwrap_or_default();
            let faults = gate.diagnose(declaration, &self.label)?;
            found.insert("invalid".to_owned(), listed(&faults, false));
            return Ok(Ok(found));
        }
        if let Err(faults) = self.register(gate)? {
            return Ok(Err(faults));
        }
        let mut availability = None;
        for key in self.expect.keys() {
            let value = match key.as_str() {
                "valid" => Value::Bool(true),
                "endpoint" => self.endpoint(gate)?,
                "status" => to_value(&gate.status(&self.server, self.connected)?),
                "server_offered" => self.server_offered(gate),
                "skill_offered" => self.skill_offered(gate)?,
                _ => {
                    if availability.is_none() {
                        availability = Some(to_value(&gate.availability(&self.server)?));
                    }
                    availability.as_ref().and_then(|answer| answer.get(key)).cloned().unwrap_or_default()
                }
            };
            found.insert(key.clone(), value);
        }
        Ok(Ok(found))
    }

    pub(super) fn register(&self, gate: &Gate) -> Result<Result<(), Vec<Diagnostic>>, Error> {
        for (server, declaration) in &self.registered {
            let display_name = self.display_name.as_deref().filter(|_| *server == self.server);
            match gate.register(server, declaration, &self.label, display_name) {
                Ok(()) => {}
                Err(Error::Invalid(faults)) => return Ok(Err(faults)),
                Err(error) => return Err(error),
            }
        }
        Ok(Ok(()))
    }

    fn endpoint(&self, gate: &Gate) -> Result<Value, Error> {
        match gate.endpoint(&self.server) {
            Ok(endpoint) => Ok(to_value(&endpoint)),
            Err(Error::EndpointUnavailable { reason }) => Ok(json!({ "unavailable": reason })),
            Err(error) => Err(error),
        }
    }

    fn server_offered(&self, gate: &Gate) -> Value {
        let servers = self.expect.get("server_offered").and_then(Value::as_object);
        let each = servers
            .into_iter()
            .flat_map(Map::keys)
            .map(|server| (server.clone(), Value::Bool(gate.server_offered(server, self.connected))));
        Value::Object(each.collect())
    }

    fn skill_offered(&self, gate: &Gate) -> Result<Value, Error> {
        let skills = self.expect.get("skill_offered").and_then(Value::as_array);
        let mut found = Vec::new();
        for skill in skills.into_iter().flatten() {
            let apps = skill.get("requires_apps").cloned().unwrap_or_default();
            let names: Vec<&str> = apps.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let decision = gate.skill_offered(&names)?;
            found.push(json!({ "requires_apps": apps, "offered": decision.offered }));
        }
        Ok(Value::Array(found))
    }
}

/// Takes in every token: a case says whether there is one and never what it is.
struct Accepting;

impl Redact for Accepting {
    fn redact(&self, _: &str) -> bool {
        true
    }
}

/// A machine with nothing on it, for cases that ask nothing of one. This machine is never asked.
fn nowhere() -> Option<Arc<Replay>> {
    let document = Document::parse("os: linux", Syntax::Yaml, 16).ok()?;
    FactsFile::parse(document.root()).ok().map(|facts| Arc::new(Replay::new(facts)))
}

fn listed(faults: &[Diagnostic], with_message: bool) -> Value {
    let each = faults.iter().map(|fault| {
        let mut listed = json!({ "code": fault.code, "pointer": fault.pointer });
        if with_message && let Value::Object(members) = &mut listed {
            members.insert("message".to_owned(), Value::from(fault.message.as_str()));
        }
        listed
    });
    Value::Array(each.collect())
}

/// The answers have no member that can not be written as JSON.
fn to_value(answer: &impl serde::Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}
