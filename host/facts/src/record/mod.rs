//! A host that notes what it is asked and what it answers, and writes that down as a facts file.

mod write;
mod yaml;

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::facts_file::{Recording, canonical_key, home_variable, info_plist};
use crate::redact::{Identity, Known, mask};
use crate::{
    Answer, Contents, Failure, Fault, Hive, HostFacts, Node, Os, ProcessStatus, Session, Subkey, View,
};

/// Whether a recording says who the user is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// The home folder becomes that of a user `u`, and the user's name becomes `u`: in paths, values and contents.
    #[default]
    Hidden,
    /// Paths, values and contents stay as they are.
    Kept,
}

/// A host that passes every question on and notes it with its answer. [`Recorder::facts_file`] writes down what was
/// noted: exactly what was asked, the absent too, and nothing else.
///
/// The strings of runtime files are masked before they are noted (SPEC §10); the answers that are passed on are whole.
///
/// ```
/// use appdecl_facts::document::{Document, Syntax};
/// use appdecl_facts::{FactsFile, HostFacts, Naming, Recorder, Replay};
///
/// let document = Document::parse("{ os: linux, files: { /opt/acme: executable } }", Syntax::Yaml, 1 << 20)?;
/// let machine = Replay::new(FactsFile::parse(document.root()).expect("a good facts file"));
///
/// let recorder = Recorder::new(machine)?;
/// recorder.stat("/opt/acme")?;
/// recorder.stat("/opt/other").unwrap_err();
/// let text = recorder.facts_file(Naming::Hidden);
/// assert_eq!(
///     text,
///     "facts: 1\nrecorded: true\nos: linux\nfiles:\n  /opt/acme: executable\n  /opt/other: absent\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder<F> {
    host: F,
    known: Known,
    recording: Mutex<Recording>,
}

impl<F: HostFacts> Recorder<F> {
    /// A recorder of what `host` is asked. Which system it is, is asked at once: a recording always says it.
    ///
    /// # Errors
    ///
    /// What the host fails with when it is asked for its system.
    pub fn new(host: F) -> Answer<Self> {
        let recording = Mutex::new(Recording::new(host.os()?));
        Ok(Self { host, known: Known::default(), recording })
    }

    /// Names a declaration that is evaluated on this host, as JSON text. What it says is no secret: the keys that it
    /// asks a runtime file for stay readable, and where it names the home folder or has a word that happens to be the
    /// user's name, the recording has it too and can be replayed. Without this only the keys `pid`, `http` and `token`
    /// of runtime files stay.
    #[must_use]
    pub fn with_declaration(mut self, json: impl Into<String>) -> Self {
        self.known.add(json.into());
        self
    }

    /// What was asked so far, as YAML in the format of SPEC §10, marked `recorded: true`. The same questions and answers
    /// give the same text, in whatever order they came.
    ///
    /// The host is asked for the variables that tell the home folder and the user's name; they are not noted for that.
    #[must_use]
    pub fn facts_file(&self, naming: Naming) -> String {
        let recording = self.noted();
        match naming {
            Naming::Kept => write::yaml(&recording),
            Naming::Hidden => write::yaml(&self.identity(recording.os).remove_from(&recording)),
        }
    }

    fn identity(&self, os: Os) -> Identity {
        let home = self.host.variable(home_variable(os)).ok();
        let names: Vec<_> = ["USER", "LOGNAME", "USERNAME"]
            .into_iter()
            .filter_map(|name| self.host.variable(name).ok())
            .collect();
        Identity::new(os, home.as_deref(), &names, &self.known)
    }

    fn noted(&self) -> MutexGuard<'_, Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an answer, unless the question has none.
    fn note<T: Clone>(
        &self,
        answer: Answer<T>,
        note: impl FnOnce(&mut Recording, Result<T, Fault>),
    ) -> Answer<T> {
        match &answer {
            Ok(good) => note(&mut self.noted(), Ok(good.clone())),
            Err(Failure::Fault(fault)) => note(&mut self.noted(), Err(fault.clone())),
            Err(Failure::Unanswerable(_)) => {}
        }
        answer
    }
}

impl<F: HostFacts> HostFacts for Recorder<F> {
    fn os(&self) -> Answer<Os> {
        self.host.os()
    }

    fn variable(&self, name: &str) -> Answer<String> {
        self.note(self.host.variable(name), |noted, answer| {
            noted.variables.insert(name.to_owned(), answer);
        })
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.note(self.host.stat(path), |noted, answer| {
            noted.files.entry(path.to_owned()).or_default().stat = Some(answer);
        })
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        self.note(self.host.list(folder, prefix), |noted, answer| {
            let names = answer.map(|mut names| {
                names.sort();
                names
            });
            noted.files.entry(folder.to_owned()).or_default().lists.insert(prefix.to_owned(), names);
        })
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.note(self.host.plist(bundle), |noted, answer| {
            let path = info_plist(noted.os, bundle);
            noted.files.entry(path).or_default().plist = Some(answer);
        })
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        self.note(self.host.pe(path, offset, length), |noted, answer| {
            noted.note_pe(path, offset, length, answer)
        })
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        self.note(self.host.subkeys(hive, view, key, values), |noted, answer| {
            noted.note_keys(canonical_key(hive, view, key), values, answer);
        })
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        let answer = self.host.runtime_file(path);
        let masked = answer.clone().map(|contents| masked(contents, &self.known));
        let _noted = self.note(masked, |noted, answer| {
            noted.files.entry(path.to_owned()).or_default().runtime_file = Some(answer);
        });
        answer
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        self.note(self.host.process(pid), |noted, answer| {
            noted.processes.insert(pid, answer);
        })
    }

    fn session(&self) -> Answer<Session> {
        self.note(self.host.session(), |noted, answer| noted.session = Some(answer))
    }
}

impl<F> fmt::Debug for Recorder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// A file that was too large to be read has a size and no bytes; any other has the size of its bytes.
fn masked(contents: Contents, known: &Known) -> Contents {
    if contents.bytes.is_empty() {
        return contents;
    }
    let bytes = mask(&contents.bytes, known);
    Contents { size: u64::try_from(bytes.len()).unwrap_or(u64::MAX), bytes, ..contents }
}
