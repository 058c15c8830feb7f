//! A case: what it registers, whom it asks, and what it expects.

use std::sync::Arc;

use appdecl_facts::Replay;
use appdecl_facts::document::Span;
use serde_json::{Map, Value};

/// One case of a suite. [`Case::run`] runs it.
#[derive(Debug)]
pub struct Case {
    /// Its name. No other case of the suite has it.
    pub name: String,
    /// Where the case is in the suite: a JSON pointer.
    pub pointer: String,
    /// Where its name is written in the suite.
    pub span: Span,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    Evaluation(Box<Evaluation>),
    Version { found: String, minimum: String, at_least: bool },
}

#[derive(Debug)]
pub(super) struct Evaluation {
    /// What messages about the declarations begin with.
    pub(super) label: Arc<str>,
    /// The servers with their declarations as JSON text.
    pub(super) registered: Vec<(String, Arc<str>)>,
    /// Whom the questions speak of.
    pub(super) server: String,
    pub(super) display_name: Option<String>,
    pub(super) connected: bool,
    /// None where nothing is asked of a machine.
    pub(super) facts: Option<Arc<Replay>>,
    pub(super) expect: Map<String, Value>,
}

impl Evaluation {
    /// The declaration of the server that the questions speak of.
    pub(super) fn declaration(&self) -> Option<&Arc<str>> {
        self.registered.iter().find(|(server, _)| *server == self.server).map(|(_, declaration)| declaration)
    }
}
