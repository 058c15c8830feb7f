//! Every code, state and reason that a user can see has a text in `docs/diagnostics.md`, which `appdecl explain` prints.
#![expect(clippy::unwrap_used, reason = "a test ends where it can not go on")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use appdecl::{input, suite};
use appdecl_guest::availability::State;
use appdecl_guest::declaration;
use appdecl_guest::facts::FaultCode;
use appdecl_guest::package::{self, RefusalReason, Severity};
use appdecl_guest::status::StatusState;

/// The outcomes of steps that no other table has.
const OF_EXPLANATIONS: [&str; 3] = ["found", "not-asked", "version-not-good"];

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md")).unwrap()
}

/// The headings of the page with what stands below each.
fn texts(page: &str) -> Vec<(&str, &str)> {
    let each = page.split("\n### `").skip(1);
    each.map(|text| text.split_once("`\n").unwrap())
        .map(|(word, text)| (word, text.split("\n## ").next().unwrap()))
        .collect()
}

#[test]
fn every_word_of_the_tables_has_one_heading_and_no_heading_is_left_over() {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    known.extend(declaration::CODES);
    known.extend(package::CODES.iter().map(|code| code.name));
    known.extend([input::BAD_FACTS, input::BAD_SUITE, input::UNREADABLE]);
    known.extend(State::ALL.map(State::name));
    known.extend(StatusState::ALL.map(StatusState::name));
    known.extend(RefusalReason::ALL.map(RefusalReason::name));
    known.extend(FaultCode::ALL.map(FaultCode::name));
    known.extend(suite::STATES);
    known.extend(suite::AVAILABILITY_REASONS);
    known.extend(suite::ENDPOINT_REASONS);
    known.extend(suite::RETRIES);
    known.extend(OF_EXPLANATIONS);
    let page = page();
    let headings: Vec<&str> = texts(&page).into_iter().map(|(word, _)| word).collect();
    assert_eq!(headings.iter().copied().collect::<BTreeSet<_>>(), known);
    assert_eq!(headings.len(), known.len(), "a heading stands twice");
}

#[test]
fn each_text_says_what_the_word_means_gives_an_example_and_says_what_to_do() {
    for (word, text) in texts(&page()) {
        let paragraphs: Vec<&str> = text.trim().split("\n\n").collect();
        let [meaning, example, action] = paragraphs.as_slice() else {
            unreachable!("`{word}` has {} paragraphs", paragraphs.len())
        };
        assert!(meaning.ends_with('.'), "{word}");
        assert!(example.strip_prefix("Example: ").is_some_and(|rest| !rest.is_empty()), "{word}");
        assert!(action.strip_prefix("What to do: ").is_some_and(|rest| rest.ends_with('.')), "{word}");
    }
}

#[test]
fn warnings_about_packages_are_called_that() {
    let page = page();
    let texts = texts(&page);
    for code in &package::CODES {
        let (_, text) = texts.iter().find(|(word, _)| *word == code.name).unwrap();
        let is_called_a_warning = text.contains("It is a warning");
        assert_eq!(is_called_a_warning, code.severity == Severity::Warning, "{}", code.name);
    }
}

#[test]
fn suites_know_the_words_that_the_component_has() {
    assert_eq!(suite::DIAGNOSTIC_CODES, declaration::CODES);
    assert_eq!(suite::STATUS_STATES, StatusState::ALL.map(StatusState::name));
    let produced: BTreeSet<&str> = State::ALL.map(State::name).into();
    // A reserved word that is never produced.
    let mut known: BTreeSet<&str> = suite::STATES.into();
    assert!(known.remove("installed_not_running"));
    assert_eq!(known, produced);
}
