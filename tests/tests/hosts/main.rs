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
#[path = "../folders/mod.rs"]
mod folders;
#[cfg(unix)]
mod live;
#[cfg(unix)]
mod packages;
mod paper;
mod work;
#[cfg(unix)]
#[expect(dead_code, reason = "the vectors' own tests read more of them")]
#[path = "../../../guest/tests/package/yaml.rs"]
mod yaml;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use libtest_mimic::{Arguments, Failed, Trial};

use work::Work;

/// So many milliseconds may lie between the start of a process as one host tells it and as another does: each reckons it
/// from clocks of its own.
#[cfg(unix)]
const CLOCKS_APART: u64 = 1_000;

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
                runtime.agrees(&paper::cases(), 0)
            });
        let trials: Vec<_> = std::iter::once(on_paper).chain(trials_on_disk(runtime)).collect();
        trials.into_iter().map(move |trial| trial.with_ignored_flag(found.is_none()))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(unix)]
fn trials_on_disk(runtime: Runtime) -> Vec<Trial> {
    let name = runtime.name;
    vec![
        Trial::test(format!("this machine has the same answers in {name}"), move || {
            let scene = live::Scene::new();
            runtime.agrees(&scene.cases(), CLOCKS_APART)
        }),
        Trial::test(format!("every package has the same answers in {name}"), move || {
            let packages = packages::Packages::new();
            runtime.agrees(&packages.cases(), 0)
        }),
    ]
}

/// The other runtimes' hosts ask Linux and macOS.
#[cfg(not(unix))]
fn trials_on_disk(_: Runtime) -> Vec<Trial> {
    Vec::new()
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

    fn agrees(self, cases: &[Work], clocks_apart: u64) -> Result<(), Failed> {
        assert!(!cases.is_empty(), "there is nothing to compare");
        let expected: Vec<_> = cases.iter().map(Work::result_line).collect();
        let found = self.answers(cases.iter().map(Work::line).collect())?;
        let found: Vec<_> = found.lines().collect();
        if found.len() != expected.len() {
            return Err(format!("{} cases were answered of {}", found.len(), expected.len()).into());
        }
        let different = expected.iter().zip(&found).filter(|(expected, found)| {
            let ((words, times), (found_words, found_times)) = (times_apart(expected), times_apart(found));
            let near = |(time, found): (&u64, &u64)| time.abs_diff(*found) <= clocks_apart;
            words != found_words || !times.iter().zip(&found_times).all(near)
        });
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

/// A line without the times at which processes started, and these.
fn times_apart(line: &str) -> (String, Vec<u64>) {
    let mut pieces = line.split("started ");
    let mut words = pieces.next().unwrap_or_default().to_owned();
    let mut times = Vec::new();
    for piece in pieces {
        let rest = piece.trim_start_matches(|character: char| character.is_ascii_digit());
        times.extend(piece.strip_suffix(rest).and_then(|digits| digits.parse::<u64>().ok()));
        words = format!("{words}started {rest}");
    }
    (words, times)
}
