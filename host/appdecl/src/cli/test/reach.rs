//! What the cases reach of each declaration, for people. It goes to standard error, beside the results.

use appdecl::suite::{Case, Coverage, Suite, coverage};

use crate::cli::clean::clean;
use crate::cli::{Outcome, Output};

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

/// Says what is reached and what is not, and whether each declaration's share is at least `min` percent.
pub(super) fn say(output: &mut Output, reached: &[Reach<'_>], min: Option<u8>) -> Outcome {
    let mut outcome = Outcome::Good;
    for Reach { suite, coverage } in reached {
        let name = clean(&suite.name);
        for covered in &coverage.declarations {
            let count = covered.points.iter().filter(|point| point.reached).count();
            let (all, percent) = (covered.points.len(), covered.percent());
            let server = clean(&covered.server);
            let mut text = format!("coverage of {server} in {name}: {count} of {all} points, {percent} %\n");
            for point in &covered.points {
                let word = if point.reached { "reached" } else { "not reached" };
                text.push_str(&format!("  {word}: {}\n", clean(&point.name)));
            }
            for reason in &covered.reasons {
                text.push_str(&format!("  also reached: {}\n", clean(reason)));
            }
            output.aside(&text);
            if let Some(min) = min.filter(|min| percent < usize::from(*min)) {
                output.problem(&format!("{percent} % of {server} is reached, and at least {min} % is asked for"));
                outcome = Outcome::NotOffered;
            }
        }
        if !coverage.codes.is_empty() {
            let codes: Vec<_> = coverage.codes.iter().map(|code| clean(code)).collect();
            output.aside(&format!("codes reached in {name}: {}\n", codes.join(", ")));
        }
    }
    outcome
}
