//! How many cases run in a second, reading included, and the share that the component has of it:
//! `cargo bench --bench suite`. Exits with 1 below 5,000 cases a second.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use appdecl::suite::{Case, Suite, run};

/// The cases of the generated suite.
const CASES: usize = 10_000;

/// Cases a second, on two cores.
const AT_LEAST: f64 = 5_000.0;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder for the suite");
    let generated = folder.path().join("generated.suite.yaml");
    fs::write(&generated, suite()).expect("the suite can be written");
    let conformance = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut written: Vec<PathBuf> =
        conformance.read_dir().expect("the suites are there").flatten().map(|entry| entry.path()).collect();
    written.sort();

    // The component is loaded once in a process: not a part of the figure.
    drop(appdecl::Gate::new().expect("the component runs"));
    let figures =
        [measure("the conformance suites", &written), measure("10,000 generated cases", &[generated])];
    if figures.iter().all(|rate| *rate >= AT_LEAST) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(what: &str, paths: &[PathBuf]) -> f64 {
    let threads = NonZeroUsize::new(2).expect("two is not zero");
    let start = Instant::now();
    let suites: Vec<Suite> = paths.iter().map(|path| Suite::read(path).expect("a good suite")).collect();
    let read = start.elapsed();
    let cases: Vec<&Case> = suites.iter().flat_map(|suite| &suite.cases).collect();
    let verdicts = run(&cases, threads, &|_, _| {});
    let all = start.elapsed();

    assert!(verdicts.iter().all(|verdict| verdict.outcome.passed()), "every case of {what} passes");
    let in_component: Duration = verdicts.iter().map(|verdict| verdict.in_component).sum();
    let worked = read + (all - read) * 2;
    let rate = cases.len() as f64 / all.as_secs_f64();
    println!(
        "{what}: {} cases, {rate:.0} a second; reading {:.0} %, the component {:.0} % of the work",
        cases.len(),
        100.0 * read.as_secs_f64() / worked.as_secs_f64(),
        100.0 * in_component.as_secs_f64() / worked.as_secs_f64(),
    );
    rate
}

/// Cases like those that people write: each with a machine of its own.
fn suite() -> String {
    let mut text = String::from(
        "suite: generated\ndeclaration: { app: { win32: { presence: executable, location: '%ProgramFiles%\\Acme\\acme.exe', \
         version: { kind: uninstall_registry, display_name_prefix: Acme } } }, requires: { app: true, min_version: 2.3.0 } }\n\
         cases:\n",
    );
    for number in 0..CASES {
        let _ = write!(
            text,
            "  - name: case {number}\n    facts:\n      os: win32\n      env: {{ ProgramFiles: 'C:\\Program Files' }}\n      \
             files: {{ 'C:\\Program Files\\Acme\\acme.exe': file }}\n      registry:\n        \
             'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\K': {{ DisplayName: Acme, DisplayVersion: 2.3.{number} }}\n    \
             expect: {{ state: available, version: 2.3.{number} }}\n"
        );
    }
    text
}
