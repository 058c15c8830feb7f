//! What the cases reach of each declaration, for people. It goes to standard error, beside the results.

use appdecl::suite::{Case, Coverage, Covered, Suite, coverage};

use crate::cli::clean::clean;
use crate::cli::Output;

/// What the cases of one suite reach.
pub(super) struct Reach<'s> {
    pub(super) suite: &'s Suite,
    pub(super) coverage: Coverage,
}

/// What the cases reach, suite by suite.
pub(super) fn of<'s>(chosen: &[(&'s Suite, &'s Case)]) -> Vec<Reach<'s>> {
    let by_suite = chosen.chunk_by(|(left, _), (right, _)| std::ptr::eq(*left, *right));
    by_suite
        .filter_map(|of_one| {
            let cases: Vec<&Case> = of_one.iter().map(|(_, case)| *case).collect();
            of_one.first().map(|(suite, _)| Reach { suite, coverage: coverage(&cases) })
        })
        .collect()
}

/// A declaration of which too little is reached.
pub(super) struct Shortfall<'s> {
    pub(super) suite: &'s Suite,
    /// What is needed, and what was reached.
    pub(super) message: String,
}

/// The declarations of which less than `min` percent is reached.
pub(super) fn shortfalls<'s>(reached: &[Reach<'s>], min: Option<u8>) -> Vec<Shortfall<'s>> {
    let min = usize::from(min.unwrap_or_default());
    let each = reached.iter().flat_map(|Reach { suite, coverage }| {
        let short = coverage.declarations.iter().filter(|covered| covered.percent() < min);
        short.map(|covered| Shortfall {
            suite,
            message: format!(
                "coverage of {} in {}: at least {min} % is needed, and {} % is reached ({}): --coverage shows what \
                 is not",
                covered.server,
                suite.name,
                covered.percent(),
                points(covered)
            ),
        })
    });
    each.collect()
}

fn points(covered: &Covered) -> String {
    let count = covered.points.iter().filter(|point| point.reached).count();
    format!("{count} of {} points", covered.points.len())
}

/// Says what is reached and what is not.
pub(super) fn say(output: &mut Output, reached: &[Reach<'_>]) {
    for Reach { suite, coverage } in reached {
        let name = clean(&suite.name);
        for covered in &coverage.declarations {
            let server = clean(&covered.server);
            let mut text =
                format!("coverage of {server} in {name}: {}, {} %\n", points(covered), covered.percent());
            for point in &covered.points {
                let word = if point.reached { "reached" } else { "not reached" };
                text.push_str(&format!("  {word}: {}\n", clean(&point.name)));
            }
            for reason in &covered.reasons {
                text.push_str(&format!("  also reached: {}\n", clean(reason)));
            }
            output.aside(&text);
        }
        if !coverage.codes.is_empty() {
            let codes: Vec<_> = coverage.codes.iter().map(|code| clean(code)).collect();
            output.aside(&format!("codes reached in {name}: {}\n", codes.join(", ")));
        }
    }
}
