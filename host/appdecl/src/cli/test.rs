//! `appdecl test`: runs policy suites.

mod files;
mod formats;
mod progress;
mod reach;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context as _;
use appdecl::input::InputError;
use appdecl::suite::{self, Case, Outcome as CaseOutcome, Suite, Update, Verdict};

use super::clean::clean;
use super::findings;
use super::{Outcome, Output};
use formats::Report;
use progress::Progress;

/// Run policy suites: cases that say what declarations come to on machines that are written down
///
/// Nothing is asked of this machine, so the answers are the same everywhere. Folders are searched for files that end in
/// .suite.yaml or .suite.json; a file that is named outright may be called anything.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Suites, and folders to search for them
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Run only the cases whose suite and name, written `SUITE: NAME`, hold this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// List the cases and run none
    #[arg(long)]
    list: bool,
    /// Rewrite what failed cases expect to what was found, in place, and show it; comments and order stay
    #[arg(long, conflicts_with = "list")]
    update: bool,
    /// Say what the cases reach of each declaration: states, reasons, codes, places, versions and addresses
    #[arg(long, conflicts_with_all = ["list", "update"])]
    coverage: bool,
    /// Fail where the cases reach less than this share of a declaration, in percent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    #[arg(conflicts_with_all = ["list", "update"])]
    coverage_min: Option<u8>,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the answer to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people: what failed, and how many passed
    #[default]
    Text,
    /// One JSON document
    Json,
    /// JUnit's XML, which most CI systems read
    Junit,
    /// The Test Anything Protocol, version 14
    Tap,
    /// Annotations of GitHub's workflows
    Github,
}

const EXAMPLES: &str = "\
Examples:
  appdecl test
  appdecl test acme.suite.yaml --filter 'too old'
  appdecl test policies --format junit --output results.xml
  appdecl test acme.suite.yaml --update
  appdecl test --coverage-min 80

Exit codes: 0 all passed, 1 a case failed, 2 usage or a faulty suite, 3 a case could not run";

/// A case and what it came to.
struct Ran<'s> {
    suite: &'s Suite,
    case: &'s Case,
    verdict: Verdict,
}

impl Args {
    pub(super) fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
        let (suites, errors) = self.read()?;
        for error in &errors {
            output.aside(&findings::error_text(error));
        }
        if !errors.is_empty() {
            return Ok(Outcome::Invalid);
        }
        let chosen: Vec<(&Suite, &Case)> = suites
            .iter()
            .flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
            .filter(|(suite, case)| self.is_chosen(suite, case))
            .collect();
        if chosen.is_empty() {
            output.problem(match suites.is_empty() {
                true => "no suite was found: name a file, or a folder with files that end in .suite.yaml or .suite.json",
                false => "no case has that text in its suite and name: `--list` shows them all",
            });
            return Ok(Outcome::Invalid);
        }
        if self.list {
            let names = chosen.iter().map(|(suite, case)| format!("{}\n", clean(&title(suite, case))));
            self.write(output, &names.collect::<String>())?;
            return Ok(Outcome::Good);
        }

        let ran = run(&chosen);
        if self.update {
            return update(output, &ran);
        }
        let reached = (self.coverage || self.coverage_min.is_some()).then(|| reach::of(&chosen));
        let report = Report::new(&ran);
        self.write(output, &match self.format {
            Format::Text => report.text(),
            Format::Json => report.json(reached.as_deref())?,
            Format::Junit => report.junit()?,
            Format::Tap => report.tap(),
            Format::Github => report.github(),
        })?;
        let covered = reached.map(|reached| reach::say(output, &reached, self.coverage_min));
        Ok(outcome(&ran).max(covered.unwrap_or(Outcome::Good)))
    }

    fn read(&self) -> anyhow::Result<(Vec<Suite>, Vec<InputError>)> {
        let mut suites = Vec::new();
        let mut errors = Vec::new();
        for path in files::find(&self.paths)? {
            match Suite::read(&path) {
                Ok(suite) => suites.push(suite),
                Err(error) => errors.push(error),
            }
        }
        Ok((suites, errors))
    }

    fn is_chosen(&self, suite: &Suite, case: &Case) -> bool {
        self.filter.as_ref().is_none_or(|text| title(suite, case).contains(text))
    }

    fn write(&self, output: &mut Output, text: &str) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => {
                let plain = anstream::adapter::strip_str(text).to_string();
                std::fs::write(path, plain).with_context(|| format!("`{}` can not be written", path.display()))
            }
            None => Ok(output.answer(text)?),
        }
    }
}

/// The suite and the name of a case, as it is filtered and listed.
fn title(suite: &Suite, case: &Case) -> String {
    format!("{}: {}", suite.name, case.name)
}

fn run<'s>(chosen: &[(&'s Suite, &'s Case)]) -> Vec<Ran<'s>> {
    let cases: Vec<&Case> = chosen.iter().map(|(_, case)| *case).collect();
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let progress = Progress::new(cases.len());
    let verdicts = suite::run(&cases, threads, &|_, verdict| progress.done(verdict.outcome.passed()));
    progress.clear();
    let ran = chosen.iter().zip(verdicts);
    ran.map(|((suite, case), verdict)| Ran { suite, case, verdict }).collect()
}

fn outcome(ran: &[Ran<'_>]) -> Outcome {
    let each = ran.iter().map(|ran| match ran.verdict.outcome {
        CaseOutcome::Passed => Outcome::Good,
        CaseOutcome::Failed(_) => Outcome::NotOffered,
        CaseOutcome::Broken(_) => Outcome::Failed,
    });
    each.max().unwrap_or(Outcome::Good)
}

/// Rewrites the suites of failed cases. What can not be rewritten stays failed.
fn update(output: &mut Output, ran: &[Ran<'_>]) -> anyhow::Result<Outcome> {
    let (mut rewritten, mut left, mut is_broken) = (0_usize, 0_usize, false);
    let mut suites: Vec<&Suite> = ran.iter().map(|ran| ran.suite).collect();
    suites.dedup_by(|a, b| std::ptr::eq(*a, *b));
    for suite in suites {
        let mine = ran.iter().filter(|ran| std::ptr::eq(ran.suite, suite));
        let failed: Vec<_> = mine
            .filter_map(|ran| match &ran.verdict.outcome {
                CaseOutcome::Failed(differences) => Some((ran.case, differences.as_slice())),
                _ => None,
            })
            .collect();
        if failed.is_empty() {
            continue;
        }
        let Update { text, changed, refused } = suite::updated(suite, &failed);
        let mut said = String::new();
        if !changed.is_empty()
            && let Err(error) = files::replace(&suite.source.name, &text)
        {
            output.problem(&format!("{error:#}"));
            is_broken = true;
            continue;
        }
        for (case, difference) in &changed {
            said.push_str(&format!(
                "{}: {}: {} was {}, is {}\n",
                clean(&suite.source.name),
                clean(&case.name),
                clean(&difference.pointer),
                clean(&difference.expected.to_string()),
                clean(&difference.found.to_string()),
            ));
        }
        for (case, difference) in &refused {
            said.push_str(&format!(
                "{}: {}: {} is not rewritten, since it is shared by an anchor, is no plain value, or is not \
                 there: change it by hand\n",
                clean(&suite.source.name),
                clean(&case.name),
                clean(&difference.pointer),
            ));
        }
        output.answer(&said)?;
        rewritten += changed.len();
        left += refused.len();
    }
    for ran in ran {
        if let CaseOutcome::Broken(message) = &ran.verdict.outcome {
            output.problem(&format!("{} could not run: {message}", title(ran.suite, ran.case)));
            is_broken = true;
        }
    }
    output.answer(&format!("{rewritten} expectations rewritten, {left} left as they are\n"))?;
    Ok(match left {
        _ if is_broken => Outcome::Failed,
        0 => Outcome::Good,
        _ => Outcome::NotOffered,
    })
}
