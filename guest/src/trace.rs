//! How an answer came about: a tree of steps, each with what was asked and answered, in the order it happened.
//!
//! A trace is written only where somebody asked for it; otherwise every call is one comparison. It holds paths, names and
//! versions, and never a content of a runtime file.

use std::cell::RefCell;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// One step: what was done, what is known of it, and the steps it took.
#[derive(Debug, Default)]
pub struct Step {
    kind: &'static str,
    details: Vec<(&'static str, serde_json::Value)>,
    steps: Vec<Step>,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("step", self.kind)?;
        for (name, value) in &self.details {
            map.serialize_entry(name, value)?;
        }
        if !self.steps.is_empty() {
            map.serialize_entry("steps", &self.steps)?;
        }
        map.end()
    }
}

/// Where steps are written to, or nowhere.
#[derive(Default)]
pub struct Trace {
    open: Option<RefCell<Vec<Step>>>,
}

impl Trace {
    /// A trace that writes nothing down.
    pub fn off() -> Self {
        Self::default()
    }

    /// A trace that writes everything down.
    pub fn on() -> Self {
        Self { open: Some(RefCell::new(vec![Step::default()])) }
    }

    /// Does `work` as one step; the steps it takes become this one's.
    pub fn within<T>(&self, kind: &'static str, work: impl FnOnce() -> T) -> T {
        let Some(open) = &self.open else { return work() };
        open.borrow_mut().push(Step { kind, ..Step::default() });
        let result = work();
        let mut open = open.borrow_mut();
        if let Some(done) = open.pop()
            && let Some(outer) = open.last_mut()
        {
            outer.steps.push(done);
        }
        result
    }

    /// Says something of the step that is being done. `value` is computed only where it is written down.
    pub fn detail<V: Into<serde_json::Value>>(&self, name: &'static str, value: impl FnOnce() -> V) {
        if let Some(open) = &self.open
            && let Some(step) = open.borrow_mut().last_mut()
        {
            step.details.push((name, value().into()));
        }
    }

    /// A step without steps of its own.
    pub fn step<const N: usize>(
        &self,
        kind: &'static str,
        details: impl FnOnce() -> [(&'static str, serde_json::Value); N],
    ) {
        if let Some(open) = &self.open
            && let Some(outer) = open.borrow_mut().last_mut()
        {
            outer.steps.push(Step { kind, details: details().into(), steps: Vec::new() });
        }
    }

    /// All steps that were taken, as JSON values in their order.
    pub fn into_steps(self) -> Vec<Step> {
        self.open
            .map(RefCell::into_inner)
            .and_then(|mut open| open.pop())
            .map(|root| root.steps)
            .unwrap_or_default()
    }
}
