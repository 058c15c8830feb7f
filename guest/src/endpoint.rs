//! Where a running application listens (SPEC §6). The runtime file alone says so: there is no configured URL to fall back
//! to.

use crate::declaration::{Declaration, KeyNames, Liveness, ServerJson};
use crate::decode::runtime_file;
use crate::facts::{Facts, FaultCode, Os, Principal, ProcessState, RuntimeFile};
use crate::inquiry::Inquiry;
use crate::json::{Number, Value};
use crate::loopback::{Address, AddressFault};
use crate::path::{self, Unresolved};
use crate::trace::{Detail, Trace};

/// The most bytes of a runtime file.
const LARGEST_FILE: u64 = 64 * 1024;
/// The most bytes of a token.
const LONGEST_TOKEN: usize = 8 * 1024;
/// How much later than the file a process may have started, in milliseconds: clocks and file systems are not exact.
const CLOCK_SLACK: u64 = 5_000;

/// A secret on its way to the caller. It cannot be printed, compared or written down.
pub struct Token(String);

impl Token {
    /// The secret itself. The host's redactor knows it already.
    pub fn reveal(self) -> String {
        self.0
    }
}

/// Where to dial.
pub struct Endpoint {
    /// `http://HOST:PORT/PATH` on a loopback host.
    pub url: String,
    /// What to send along.
    pub token: Option<Token>,
}

/// Why there is no endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// A stable code.
    pub reason: &'static str,
    /// The runtime file, expanded where it can be.
    pub file: Option<String>,
    /// What the reason speaks of: the unset variable, or the process number.
    pub about: Option<String>,
}

impl Unavailable {
    fn new(reason: &'static str) -> Self {
        Self { reason, file: None, about: None }
    }
}

/// Reads the runtime file anew and judges it: file, pid, URL, token, in this order.
pub fn endpoint(declaration: &Declaration, inquiry: &Inquiry<'_>) -> Result<Endpoint, Unavailable> {
    let trace = inquiry.trace();
    trace.within("endpoint", || {
        let answer = match declaration.liveness(inquiry.os()) {
            Liveness::ServerJson(server_json) => {
                let mut checks = CHECKS.iter();
                let answer = read(server_json, inquiry, &mut || {
                    if let Some(check) = checks.next() {
                        note_check(trace, check, "good");
                    }
                });
                let mut outcome = answer.as_ref().err().map(|unavailable| unavailable.reason);
                for check in checks {
                    note_check(trace, check, outcome.take().unwrap_or("not-asked"));
                }
                answer
            }
            Liveness::InteractiveSession | Liveness::Unknown => Err(Unavailable::new("no-liveness")),
        };
        trace.detail("unavailable", || answer.as_ref().err().map(|unavailable| unavailable.reason));
        trace.detail("url", || answer.as_ref().ok().map(|endpoint| &endpoint.url));
        answer
    })
}

/// Hands the token to the host's redactor. A host that has none gets no token.
pub fn hand_over(endpoint: Endpoint, facts: &dyn Facts) -> Endpoint {
    let token = endpoint.token.filter(|token| facts.redact(&token.0));
    Endpoint { token, ..endpoint }
}

/// What is judged, in this order.
const CHECKS: [&str; 8] = ["path", "file", "owner and mode", "size", "content", "pid", "url", "token"];

fn note_check(trace: &Trace, check: &'static str, outcome: &'static str) {
    trace.step("check", || [("check", Detail::from(check)), ("outcome", Detail::from(outcome))]);
}

/// Judges what the file says. `passed` is told of each check that is passed.
fn read(
    server_json: &ServerJson,
    inquiry: &Inquiry<'_>,
    passed: &mut dyn FnMut(),
) -> Result<Endpoint, Unavailable> {
    let os = inquiry.os();
    let path = match path::expand(&server_json.path, os, inquiry) {
        Ok(expanded) => expanded.path,
        Err(unresolved) => {
            let reason = unresolved.code();
            let about = match unresolved {
                Unresolved::VariableUnset(name) => Some(name),
                Unresolved::Refused => None,
            };
            let file = Some(path::with_own_separators(server_json.path.trim(), os));
            return Err(Unavailable { reason, file, about });
        }
    };
    passed();
    let at = |unavailable| Unavailable { file: Some(path.clone()), ..unavailable };
    let file = inquiry.runtime_file(&path).map_err(|fault| at(Unavailable::new(unreadable(fault))))?;
    passed();
    judge(&file, os, passed)
        .and_then(|object| judge_object(&object, &file, server_json, inquiry, passed))
        .map_err(at)
}

fn unreadable(fault: FaultCode) -> &'static str {
    match fault {
        FaultCode::Absent => "missing",
        FaultCode::NotRegular => "not-regular",
        FaultCode::TooLarge => "too-large",
        FaultCode::Refused => "path-refused",
        FaultCode::Denied | FaultCode::Locked | FaultCode::Unsupported | FaultCode::Io => "unreadable",
    }
}

fn judge(file: &RuntimeFile, os: Os, passed: &mut dyn FnMut()) -> Result<Value, Unavailable> {
    if os != Os::Win32 && !is_trusted(file) {
        return Err(Unavailable::new("untrusted"));
    }
    passed();
    if file.size > LARGEST_FILE {
        return Err(Unavailable::new("too-large"));
    }
    passed();
    let object = runtime_file::object(&file.bytes).ok_or_else(|| Unavailable::new("malformed"))?;
    passed();
    Ok(object)
}

/// Whether nobody but this user, root and this user's own group can have written it. What is not known is not trusted.
fn is_trusted(file: &RuntimeFile) -> bool {
    const GROUP_MAY_WRITE: u32 = 0o020;
    const ALL_MAY_WRITE: u32 = 0o002;
    let owner_is_good = matches!(file.owner, Some(Principal::Own | Principal::Root));
    let group_is_good = file.group == Some(Principal::Own);
    file.mode.is_some_and(|mode| {
        owner_is_good && mode & ALL_MAY_WRITE == 0 && (mode & GROUP_MAY_WRITE == 0 || group_is_good)
    })
}

fn judge_object(
    object: &Value,
    file: &RuntimeFile,
    server_json: &ServerJson,
    inquiry: &Inquiry<'_>,
    passed: &mut dyn FnMut(),
) -> Result<Endpoint, Unavailable> {
    let KeyNames { pid, url, token } = &server_json.keys;
    judge_pid(object.get(pid), file, inquiry)?;
    passed();
    let address =
        object.get(url).and_then(Value::as_text).ok_or(AddressFault::BadUrl).and_then(Address::read);
    let composed = address.and_then(|address| address.with_path(&server_json.endpoint_path));
    let url = composed.map_err(|fault| Unavailable::new(fault.code()))?;
    passed();
    let token = match object.get(token) {
        None | Some(Value::Null) => None,
        Some(Value::Text(token)) if token.is_empty() => None,
        Some(Value::Text(token)) if is_token(token) => Some(Token(token.clone())),
        Some(_) => return Err(Unavailable::new("malformed")),
    };
    passed();
    Ok(Endpoint { url, token })
}

fn judge_pid(pid: Option<&Value>, file: &RuntimeFile, inquiry: &Inquiry<'_>) -> Result<(), Unavailable> {
    let pid = match pid {
        Some(Value::Number(Number::Natural(pid))) => i32::try_from(*pid).ok().filter(|pid| *pid > 0),
        _ => None,
    };
    let Some(pid) = pid.and_then(|pid| u32::try_from(pid).ok()) else {
        return Err(Unavailable::new("bad-pid"));
    };
    let stopped = |reason| Err(Unavailable { about: Some(pid.to_string()), ..Unavailable::new(reason) });
    match inquiry.process(pid) {
        Ok(status) => match status.state {
            ProcessState::Zombie | ProcessState::Ended | ProcessState::Absent => stopped("pid-not-alive"),
            ProcessState::Running => match (status.started, file.modified) {
                (Some(started), Some(written)) if started > written.saturating_add(CLOCK_SLACK) => {
                    stopped("pid-reused")
                }
                // An unknown start or write time proves nothing.
                _ => Ok(()),
            },
        },
        // One that may not be asked is there.
        Err(FaultCode::Denied) => Ok(()),
        Err(FaultCode::Absent) => stopped("pid-not-alive"),
        // Not proven to run and not proven to have stopped: the number is of no use.
        Err(_) => Err(Unavailable::new("bad-pid")),
    }
}

fn is_token(text: &str) -> bool {
    text.len() <= LONGEST_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic())
}
