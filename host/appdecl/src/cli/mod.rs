//! The command line: one file for each verb. A new verb is a file with its arguments and `run`, and a line in [`verbs`].

mod annotations;
mod clean;
mod findings;
mod output;
mod packages;
mod sources;

use std::process::ExitCode;

use clap::Parser;

use output::Output;

const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncomponent sha256 ",
    env!("APPDECL_SHA256"),
    "\npackages component sha256 ",
    env!("APPDECL_PACKAGES_SHA256")
);

/// Says whether a tool may be offered on this machine, and if not, why and what now.
///
/// A plugin declares which desktop application its tools need: where it is on each system, which version, where it writes
/// its live address. This command reads such declarations and says what they come to.
#[derive(Debug, Parser)]
#[command(name = "appdecl", version = VERSION, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  offered, valid, or passed
  1  not offered, or a case failed
  2  usage, or input that is not valid
  3  could not run

`appdecl help VERB` shows examples.";

/// Declares the verbs: for each its module and the name of its variant. The module has `Args`, whose documentation is the
/// help, and `run(self, &mut Output)`.
macro_rules! verbs {
    ($($module:ident $variant:ident,)+) => {
        $(mod $module;)+

        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $($variant($module::Args),)+
        }

        impl Verb {
            fn run(self, output: &mut Output) -> anyhow::Result<Outcome> {
                match self {
                    $(Self::$variant(args) => args.run(output),)+
                }
            }
        }
    };
}

verbs! {
    check Check,
    endpoint Endpoint,
    status Status,
    watch Watch,
    validate Validate,
    test Test,
    explain Explain,
    record Record,
    new New,
    schema Schema,
    install Install,
    uninstall Uninstall,
    list List,
    prepare Prepare,
    component Component,
    wit Wit,
    completions Completions,
}

/// How a run ended, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Everything is offered, or valid, or done.
    Good,
    /// Something is not offered.
    NotOffered,
    /// The usage or the input is at fault.
    Invalid,
    /// There is no answer.
    Failed,
    /// A program that was started in place of an answer ended with this code.
    Child(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Good => 0,
            Outcome::NotOffered => 1,
            Outcome::Invalid => 2,
            Outcome::Failed => 3,
            Outcome::Child(code) => code,
        })
    }
}

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document.
    Json,
}

/// Runs the command with the process's arguments.
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new();
    match cli.verb.run(&mut output) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            output.problem(&format!("{error:#}"));
            Outcome::Failed.into()
        }
    }
}
