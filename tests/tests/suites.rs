//! Suites of strangers: what is refused, and with which words.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where it can not go on")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use appdecl::input::InputError;
use appdecl::suite::{Case, Outcome, Suite, run, updated};

/// A folder of this test's own, made anew.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn read(name: &str, text: &str) -> Result<Suite, InputError> {
    let path = folder(name).join("a.suite.yaml");
    fs::write(&path, text).unwrap();
    Suite::read(&path)
}

/// The faults of a suite: the line of each, and its message with the help.
fn faults(name: &str, text: &str) -> Vec<(usize, String)> {
    match read(name, text) {
        Err(InputError::Suite(findings)) => findings
            .iter()
            .map(|finding| {
                let help = finding.diagnostic.help.clone().unwrap_or_default();
                (finding.source.position(finding.span).line, format!("{} {help}", finding.diagnostic.message))
            })
            .collect(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the suite was accepted"),
    }
}

fn the_fault(name: &str, text: &str, line: usize, words: &[&str]) {
    let found = faults(name, text);
    let [(at, message)] = found.as_slice() else { panic!("one fault: {found:?}") };
    assert_eq!(*at, line, "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` in `{message}`");
    }
}

const HEAD: &str = "suite: s\ndeclaration: { requires: {} }\ncases:\n";

#[test]
fn a_misspelt_key_is_told_with_its_line_and_the_key_that_was_meant() {
    let case = "  - { name: a, facts: { os: linux }, expect: { stat: available } }\n";
    the_fault("misspelt", &format!("{HEAD}{case}"), 4, &["`stat`", "did you mean `state`?"]);
}

#[test]
fn a_word_that_is_none_of_its_kind_is_a_fault_and_no_failing_case() {
    let case = "  - { name: a, facts: { os: linux }, expect: { state: availabel } }\n";
    the_fault("word", &format!("{HEAD}{case}"), 4, &["availabel", "did you mean `available`?"]);
    let case = "  - { name: a, expect: { invalid: [ { code: path-no-rooted, pointer: /app } ] } }\n";
    the_fault("code", &format!("{HEAD}{case}"), 4, &["did you mean `path-not-rooted`?"]);
}

#[test]
fn a_suite_without_cases_is_refused() {
    the_fault("empty", "suite: s\n", 1, &["no case"]);
    the_fault("empty-list", "suite: s\ncases: []\n", 1, &["no case"]);
}

#[test]
fn two_cases_of_one_name_are_refused() {
    let case = "  - { name: a, expect: { valid: true } }\n";
    the_fault("twice", &format!("{HEAD}{case}{case}"), 5, &["two cases are called `a`"]);
}

#[test]
fn a_case_that_can_not_fail_is_refused() {
    the_fault("nothing", &format!("{HEAD}  - {{ name: a, expect: {{}} }}\n"), 4, &["names nothing"]);
}

#[test]
fn a_case_that_asks_a_machine_has_one() {
    let case = "  - { name: a, expect: { state: available } }\n";
    the_fault("machine", &format!("{HEAD}{case}"), 4, &["no `facts`"]);
}

#[test]
fn a_version_without_quotes_is_told_how_to_be_written() {
    let case = "  - { name: a, facts: { os: linux }, expect: { version: 2.3 } }\n";
    the_fault("number", &format!("{HEAD}{case}"), 4, &["the number `2.3`", "'2.3'"]);
}

#[test]
fn facts_of_another_format_version_say_which_one_is_read() {
    let case = "  - { name: a, facts: { facts: 2, os: linux }, expect: { state: available } }\n";
    the_fault("format", &format!("{HEAD}{case}"), 4, &["version `2`", "reads version 1"]);
}

#[test]
fn a_facts_file_that_is_not_there_is_told_at_the_place_that_names_it() {
    let case = "  - name: a\n    facts_file: gone.yaml\n    expect: { state: available }\n";
    the_fault("gone", &format!("{HEAD}{case}"), 5, &["gone.yaml"]);
}

#[test]
fn a_package_that_lacks_the_server_says_which_ones_it_has() {
    let folder = folder("package");
    fs::write(folder.join("both.yaml"), "servers: { acme: {}, other: {} }\n").unwrap();
    let path = folder.join("a.suite.yaml");
    fs::write(
        &path,
        "suite: s\npackage: both.yaml\nserver: acme\ncases: [ { name: a, expect: { valid: true } } ]\n",
    )
    .unwrap();
    assert!(Suite::read(&path).unwrap().cases[0].run().outcome.passed());
    fs::write(
        &path,
        "suite: s\npackage: both.yaml\nserver: amce\ncases: [ { name: a, expect: { valid: true } } ]\n",
    )
    .unwrap();
    let Err(InputError::Suite(findings)) = Suite::read(&path) else { panic!("it was accepted") };
    assert!(findings[0].diagnostic.help.as_ref().unwrap().contains("`acme`, `other`"));
}

#[test]
fn anchors_that_expand_to_billions_of_values_are_refused_in_no_time() {
    let mut text = String::from("suite: s\ncases:\n  - name: a\n    declaration:\n      a0: &a0 [ x ]\n");
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(12);
        text.push_str(&format!(
            "      a{level}: &a{level} [ {} ]\n",
            below.trim_end_matches(", ").replace(',', " ,")
        ));
    }
    text.push_str("    expect: { valid: true }\n");
    let start = Instant::now();
    let found = faults("anchors", &text);
    assert!(found.iter().any(|(_, message)| message.contains("aliases")), "{found:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_suite_that_is_too_large_is_refused_unread() {
    let path = folder("large").join("a.suite.yaml");
    fs::File::create(&path).unwrap().set_len(200 << 20).unwrap();
    assert!(matches!(Suite::read(&path), Err(InputError::Unreadable { .. })));
}

#[test]
fn links_that_lead_in_a_circle_are_nothing() {
    let case = "  - { name: a, declaration: { app: { linux: { presence: executable, location: /a } }, requires: { app: true } }, \
                facts: { os: linux, files: { /a: { link: /b }, /b: { link: /a } } }, expect: { state: missing_app } }\n";
    let suite = read("circle", &format!("{HEAD}{case}")).unwrap();
    assert_eq!(suite.cases[0].run().outcome, Outcome::Passed);
}

#[test]
fn a_recording_that_does_not_hold_a_question_breaks_the_case_and_names_it() {
    let case = "  - { name: a, declaration: { app: { linux: { presence: executable, location: /opt/a } }, requires: { app: true } }, \
                facts: { facts: 1, recorded: true, os: linux }, expect: { state: missing_app } }\n";
    let suite = read("recording", &format!("{HEAD}{case}")).unwrap();
    let Outcome::Broken(message) = suite.cases[0].run().outcome else { panic!("it ran") };
    assert!(message.contains("/opt/a"), "{message}");
}

#[test]
fn a_case_leaves_nothing_behind_for_those_after_it() {
    let declaration =
        "declaration: { app: { linux: { presence: executable, location: /a } }, requires: { app: true } }";
    let suite = format!(
        "{HEAD}  - {{ name: there, {declaration}, facts: {{ os: linux, files: {{ /a: file }} }}, \
         register: {{ other: {{}} }}, expect: {{ skill_offered: [ {{ requires_apps: [ other ], offered: true }} ] }} }}\n  \
         - {{ name: elsewhere, {declaration}, facts: {{ os: linux }}, expect: {{ state: missing_app }} }}\n  \
         - {{ name: unknown, {declaration}, facts: {{ os: linux }}, \
         expect: {{ skill_offered: [ {{ requires_apps: [ other ], offered: false }} ] }} }}\n  \
         - {{ name: broken, {declaration}, facts: {{ facts: 1, recorded: true, os: linux }}, \
         expect: {{ state: missing_app }} }}\n  \
         - {{ name: after it, {declaration}, facts: {{ os: linux, files: {{ /a: file }} }}, expect: {{ state: available }} }}\n"
    );
    let suite = read("after_each_other", &suite).unwrap();
    let cases: Vec<&Case> = suite.cases.iter().collect();
    let verdicts = run(&cases, NonZeroUsize::MIN, &|_, _| {});
    let outcomes: Vec<bool> = verdicts.iter().map(|verdict| verdict.outcome.passed()).collect();
    assert_eq!(outcomes, [true, true, true, false, true], "{verdicts:?}");
}

#[test]
fn an_update_changes_what_differs_and_nothing_else() {
    let case = "  - name: a   # said by hand\n    facts: { os: linux }\n    expect:\n      offerable: false\n      \
                # why: nothing is required\n      state: missing_app   # wrong\n";
    let suite = read("update", &format!("{HEAD}{case}")).unwrap();
    let Outcome::Failed(differences) = suite.cases[0].run().outcome else { panic!("it passed") };
    let update = updated(&suite, &[(&suite.cases[0], &differences)]);
    let expected = format!("{HEAD}{case}")
        .replace("offerable: false", "offerable: true")
        .replace("state: missing_app", "state: no_requirements");
    assert_eq!(update.text, expected);
    assert_eq!((update.changed.len(), update.refused.len()), (2, 0));
}

#[test]
fn an_update_leaves_alone_what_other_cases_share() {
    let case = "  - name: a\n    facts: { os: linux }\n    expect: { offerable: &no false }\n  - name: b\n    \
                facts: { os: linux }\n    expect: { offerable: *no }\n";
    let suite = read("shared", &format!("{HEAD}{case}")).unwrap();
    let differences: Vec<_> = suite
        .cases
        .iter()
        .map(|case| match case.run().outcome {
            Outcome::Failed(differences) => differences,
            _ => panic!("it passed"),
        })
        .collect();
    let failed: Vec<_> =
        suite.cases.iter().zip(&differences).map(|(case, found)| (case, found.as_slice())).collect();
    let update = updated(&suite, &failed);
    assert_eq!(update.text, format!("{HEAD}{case}"));
    assert_eq!(update.refused.len(), 2);
}
