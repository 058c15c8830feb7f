//! One component in every runtime: the hosts in Rust, Python and Node give byte for byte the same answers.
//!
//! `.ci/hosts` sets the runtimes up and says where they are: `APPDECL_PYTHON` and `APPDECL_NODE` name the programs. A
//! runtime that is not named is not tested, and its trials are listed as ignored.
//!
//! With `APPDECL_ANSWERS` the program writes the work and the answers of every conformance case to the file of that name
//! instead: `.ci/wine` compares what this program and its Windows build write.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where it can not go on"
)]

#[cfg(unix)]
mod live;
mod paper;
mod work;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use libtest_mimic::{Arguments, Failed, Trial};

use work::Work;

fn main() {
    let arguments = Arguments::from_args();
    if let Some(path) = std::env::var_os("APPDECL_ANSWERS") {
        let lines =
            paper::cases().iter().map(|work| work.line() + &work.result_line() + "\n").collect::<String>();
        return fs::write(path, lines).unwrap();
    }
    let runtimes = [
        Runtime { name: "Python", variable: "APPDECL_PYTHON", program: "examples/python/agreement.py" },
        Runtime { name: "Node", variable: "APPDECL_NODE", program: "examples/node/agreement.js" },
    ];
    let trials = runtimes.into_iter().flat_map(|runtime| {
        let found = runtime.found();
        let name = runtime.name;
        let on_paper =
            Trial::test(format!("every conformance case has the same answers in {name}"), move || {
                runtime.agrees(&paper::cases())
            });
        [Some(on_paper), live_trial(runtime)]
            .into_iter()
            .flatten()
            .map(move |trial| trial.with_ignored_flag(found.is_none()))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(unix)]
fn live_trial(runtime: Runtime) -> Option<Trial> {
    Some(Trial::test(format!("this machine has the same answers in {}", runtime.name), move || {
        let scene = live::Scene::new();
        runtime.agrees(&scene.cases())
    }))
}

/// The other runtimes' hosts ask Linux and macOS.
#[cfg(not(unix))]
fn live_trial(_: Runtime) -> Option<Trial> {
    None
}

/// A runtime other than ours, and the program there that answers a list of work.
#[derive(Clone, Copy)]
struct Runtime {
    name: &'static str,
    variable: &'static str,
    program: &'static str,
}

impl Runtime {
    fn found(self) -> Option<OsString> {
        std::env::var_os(self.variable).filter(|program| !program.is_empty())
    }

    fn agrees(self, cases: &[Work]) -> Result<(), Failed> {
        assert!(!cases.is_empty(), "there is nothing to compare");
        let expected: Vec<_> = cases.iter().map(Work::result_line).collect();
        let found = self.answers(cases.iter().map(Work::line).collect())?;
        let found: Vec<_> = found.lines().collect();
        if found.len() != expected.len() {
            return Err(format!("{} cases were answered of {}", found.len(), expected.len()).into());
        }
        let different = expected.iter().zip(&found).filter(|(expected, found)| expected != found);
        let words: Vec<_> = different
            .map(|(expected, found)| format!("Rust:   {expected}\n{:7} {found}\n", self.name))
            .collect();
        if words.is_empty() { Ok(()) } else { Err(words.concat().into()) }
    }

    fn answers(self, work: String) -> Result<String, Failed> {
        let program = self.found().ok_or("the runtime is not named")?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut child = Command::new(program)
            .arg(root.join(self.program))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut input = child.stdin.take().ok_or("the program has no input")?;
        let writer = thread::spawn(move || input.write_all(work.as_bytes()));
        let output = child.wait_with_output()?;
        let written = writer.join().map_err(|_| "the work could not be written")?;
        if !output.status.success() {
            return Err(format!("{} ended with {}", self.program, output.status).into());
        }
        written?;
        Ok(String::from_utf8(output.stdout)?)
    }
}
