//! A host that writes down each question with its answer, for replay hosts of a few lines in other languages.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::{
    Answer, Contents, Failure, Fault, Hive, HostFacts, Node, NodeKind, Os, Principal, ProcessState,
    ProcessStatus, Session, Subkey, Value, View,
};

/// A host that passes every question on and keeps a transcript: one JSON object a line, in the order of the first asking,
/// each question once.
///
/// ```text
/// {"interface":"filesystem","function":"stat","arguments":["/opt/acme"],"answer":{"executable":true,"kind":"file"}}
/// {"interface":"environment","function":"variable","arguments":["HOME"],"fault":{"code":"absent","detail":""}}
/// ```
///
/// Interfaces, functions, arguments and answers are those of the WIT package `appdecl:host`. Records are objects with the
/// WIT's names, enums their names, variants a name or an object of one member; bytes are base64, 64-bit numbers decimal
/// text, and an option that is none is null. Nothing is masked: **a transcript holds the tokens that runtime files
/// hold**. It is made for facts files that are written for tests; [`crate::Recorder`] is for real machines.
///
/// ```
/// use appdecl_facts::document::{Document, Syntax};
/// use appdecl_facts::{FactsFile, HostFacts, Replay, Transcript};
///
/// let document = Document::parse("{ os: linux, files: { /opt/acme: executable } }", Syntax::Yaml, 1 << 20)?;
/// let host = Transcript::new(Replay::new(FactsFile::parse(document.root()).expect("a good facts file")));
/// host.os()?;
/// assert_eq!(
///     host.lines(),
///     "{\"interface\":\"environment\",\"function\":\"os\",\"arguments\":[],\"answer\":\"linux\"}\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Transcript<F> {
    host: F,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    questions: HashSet<String>,
    lines: String,
}

#[derive(Serialize)]
struct Line {
    interface: &'static str,
    function: &'static str,
    arguments: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Json>,
}

impl<F: HostFacts> Transcript<F> {
    /// A transcript of what `host` is asked.
    pub fn new(host: F) -> Self {
        Self { host, noted: Mutex::default() }
    }

    /// The transcript so far. Each line ends in a line break.
    #[must_use]
    pub fn lines(&self) -> String {
        self.noted().lines.clone()
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an answer, unless the question has none.
    fn note<T>(
        &self,
        interface: &'static str,
        function: &'static str,
        arguments: Json,
        answer: Answer<T>,
        json: impl FnOnce(&T) -> Json,
    ) -> Answer<T> {
        let (good, fault) = match &answer {
            Ok(good) => (Some(json(good)), None),
            Err(Failure::Fault(fault)) => (None, Some(fault_json(fault))),
            Err(Failure::Unanswerable(_)) => return answer,
        };
        let question = format!("{interface} {function} {arguments}");
        let line = Line { interface, function, arguments, answer: good, fault };
        let mut noted = self.noted();
        if noted.questions.insert(question) {
            // An object of texts and numbers has a JSON spelling, always.
            noted.lines.push_str(&serde_json::to_string(&line).unwrap_or_default());
            noted.lines.push('\n');
        }
        drop(noted);
        answer
    }
}

impl<F: HostFacts> HostFacts for Transcript<F> {
    fn os(&self) -> Answer<Os> {
        self.note("environment", "os", json!([]), self.host.os(), |os| json!(os.name()))
    }

    fn variable(&self, name: &str) -> Answer<String> {
        self.note("environment", "variable", json!([name]), self.host.variable(name), |value| json!(value))
    }

    fn stat(&self, path: &str) -> Answer<Node> {
        self.note("filesystem", "stat", json!([path]), self.host.stat(path), |node| {
            let kind = match node.kind {
                NodeKind::File => "file",
                NodeKind::Folder => "folder",
                NodeKind::Other => "other",
            };
            json!({ "kind": kind, "executable": node.executable })
        })
    }

    fn list(&self, folder: &str, prefix: &str) -> Answer<Vec<String>> {
        let answer = self.host.list(folder, prefix);
        self.note("filesystem", "list", json!([folder, prefix]), answer, |names| json!(names))
    }

    fn plist(&self, bundle: &str) -> Answer<Vec<u8>> {
        self.note("plist", "read", json!([bundle]), self.host.plist(bundle), |bytes| bytes_json(bytes))
    }

    fn pe(&self, path: &str, offset: u64, length: u32) -> Answer<Vec<u8>> {
        let arguments = json!([path, offset.to_string(), length]);
        self.note("pe", "read-at", arguments, self.host.pe(path, offset, length), |bytes| bytes_json(bytes))
    }

    fn subkeys(&self, hive: Hive, view: View, key: &str, values: &[String]) -> Answer<Vec<Subkey>> {
        let hive_name = match hive {
            Hive::LocalMachine => "local-machine",
            Hive::CurrentUser => "current-user",
        };
        let view_name = match view {
            View::Bits64 => "bits64",
            View::Bits32 => "bits32",
        };
        let answer = self.host.subkeys(hive, view, key, values);
        self.note("registry", "subkeys", json!([hive_name, view_name, key, values]), answer, |subkeys| {
            subkeys
                .iter()
                .map(|subkey| {
                    let values: Vec<_> = subkey.values.iter().map(value_json).collect();
                    json!({ "name": subkey.name, "values": values })
                })
                .collect()
        })
    }

    fn runtime_file(&self, path: &str) -> Answer<Contents> {
        self.note("runtime-file", "read", json!([path]), self.host.runtime_file(path), |contents| {
            json!({
                "size": contents.size.to_string(),
                "bytes": bytes_json(&contents.bytes),
                "modified": contents.modified.map(|modified| modified.to_string()),
                "owner": contents.owner.map(principal),
                "group": contents.group.map(principal),
                "mode": contents.mode,
            })
        })
    }

    fn process(&self, pid: u32) -> Answer<ProcessStatus> {
        self.note("process", "status", json!([pid]), self.host.process(pid), |status| {
            let state = match status.state {
                ProcessState::Running => "running",
                ProcessState::Zombie => "zombie",
                ProcessState::Ended => "ended",
                ProcessState::Absent => "absent",
            };
            json!({ "state": state, "started": status.started.map(|started| started.to_string()) })
        })
    }

    fn session(&self) -> Answer<Session> {
        self.note("session", "current", json!([]), self.host.session(), |session| match session {
            Session::Win32 { process_session, console_session, window_station } => json!({ "win32": {
                "process-session": process_session,
                "console-session": console_session,
                "window-station": window_station,
            } }),
            Session::Linux { audit_session, runtime_folder_readable } => json!({ "linux": {
                "audit-session": audit_session,
                "runtime-folder-readable": runtime_folder_readable,
            } }),
            Session::Darwin => json!("darwin"),
        })
    }
}

impl<F> fmt::Debug for Transcript<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcript").finish_non_exhaustive()
    }
}

fn fault_json(fault: &Fault) -> Json {
    json!({ "code": fault.code.name(), "detail": fault.detail })
}

fn bytes_json(bytes: &[u8]) -> Json {
    json!(STANDARD.encode(bytes))
}

fn principal(principal: Principal) -> &'static str {
    match principal {
        Principal::Own => "this-user",
        Principal::Root => "root",
        Principal::Other => "other",
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Missing => json!("missing"),
        Value::Text(text) => json!({ "text": text }),
        Value::ExpandableText(text) => json!({ "expandable-text": text }),
        Value::Number(number) => json!({ "number": number.to_string() }),
        Value::Other => json!("other"),
        Value::Unreadable(fault) => json!({ "unreadable": fault_json(fault) }),
    }
}
