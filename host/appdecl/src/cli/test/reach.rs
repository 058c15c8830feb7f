//! What the cases reach of each declaration, for people. It goes to standard error, beside the results.

use appdecl::suite::{Case, Coverage, Suite, coverage};

use crate::cli::clean::clean;
use crate::cli::{Outcome, Output};

/// Says the share that is reached and what is not, and whether each share is at least `min` percent.
pub(super) fn say(output: &mut Output, chosen: &[(&Suite, &Case)], min: Option<u8>) -> Outcome {
    let mut outcome = Outcome::Good;
    for of_one_suite in chosen.chunk_by(|(left, _), (right, _)| std::ptr::eq(*left, *right)) {
        let cases: Vec<&Case> = of_one_suite.iter().map(|(_, case)| *case).collect();
        let name = of_one_suite.first().map(|(suite, _)| suite.name.as_str()).unwrap_or_default();
        for Coverage { server, points } in coverage(&cases) {
            let reached = points.iter().filter(|point| point.reached).count();
            let percent = 100 * reached / points.len().max(1);
            let mut text = format!(
                "coverage of {} in {}: {reached} of {} points, {percent} %\n",
                clean(&server),
                clean(name),
                points.len()
            );
            for point in points.iter().filter(|point| !point.reached) {
                text.push_str(&format!("  not reached: {}\n", clean(&point.name)));
            }
            output.aside(&text);
            if min.is_some_and(|min| percent < usize::from(min)) {
                outcome = Outcome::NotOffered;
            }
        }
    }
    outcome
}
