//! Every case of every suite in `conformance/` as a trial of its own, run as `appdecl test` runs it.

#![expect(clippy::unwrap_used, reason = "without its suites there is nothing to test")]

use std::path::Path;

use appdecl::suite::{Case, Outcome, Suite};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut paths: Vec<_> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| is_suite(path)).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no suite in {}", folder.display());
    let trials = paths.iter().flat_map(|path| trials(path)).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn is_suite(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml")
}

/// The cases of a suite; one that fails where it is no good suite.
fn trials(path: &Path) -> Vec<Trial> {
    match Suite::read(path) {
        Ok(Suite { name, cases, .. }) => cases
            .into_iter()
            .map(|case| Trial::test(format!("{name}: {}", case.name), move || judge(&case)))
            .collect(),
        Err(error) => {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let message = match error {
                appdecl::input::InputError::Suite(findings) => {
                    findings.iter().map(|finding| format!("{}\n", finding.diagnostic.message)).collect()
                }
                other => other.to_string(),
            };
            vec![Trial::test(name, || Err(Failed::from(message)))]
        }
    }
}

fn judge(case: &Case) -> Result<(), Failed> {
    match case.run().outcome {
        Outcome::Passed => Ok(()),
        Outcome::Failed(differences) => {
            let lines = differences.iter().map(|difference| {
                format!(
                    "{}: expected {}, found {}\n",
                    difference.pointer, difference.expected, difference.found
                )
            });
            Err(Failed::from(lines.collect::<String>()))
        }
        Outcome::Broken(message) => Err(Failed::from(message)),
    }
}
