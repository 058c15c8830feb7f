//! Suites and facts of strangers: what is refused, with which words, and what is borne.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::run;
use crate::{ACME, assert_has, folder, suite, test_of};

/// Long for a computer, and much less than what would not end.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn an_unknown_key_is_shown_with_its_line_a_caret_and_the_key_that_was_meant() {
    let text =
        suite("  - name: a\n    declaration: {}\n    fakts: { os: linux }\n    expect: { valid: true }\n");
    let run = test_of(&text, &[]);
    assert_eq!(run.code, 2);
    assert_has(
        &run.stderr,
        &[
            "error[bad-suite]",
            "--> a.suite.yaml:5:5",
            "    fakts: { os: linux }",
            "^^^^^",
            "did you mean `facts`?",
        ],
    );
}

#[test]
fn all_faults_of_all_suites_are_shown_together() {
    let one = suite("  - { nam: a, declaration: {}, expect: { valid: true } }\n");
    let other = suite("  - { name: a, declaration: {}, expect: { valid: no, stat: 1 } }\n");
    let folder = folder(&[("a.suite.yaml", one.as_str()), ("b.suite.yaml", &other)]);
    let run = run(folder.path(), ["test"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_has(&run.stderr, &["`nam`", "`name` is missing", "`valid` can only be `true`", "`stat`"]);
}

#[test]
fn two_cases_of_one_name_are_refused_at_the_second() {
    let case = "  - { name: twin, declaration: {}, expect: { valid: true } }\n";
    let run = test_of(&suite(&case.repeat(2)), &[]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["two cases are called `twin`", "a.suite.yaml:4:"]);
}

#[test]
fn anchors_and_merge_keys_work() {
    let text = "\
suite: s
declaration: &acme { app: { linux: &block { presence: executable, location: /opt/acme } }, requires: { app: true } }
cases:
  - name: merged
    declaration:
      <<: *acme
      app: { linux: { <<: *block, location: /opt/other } }
    facts: &machine { os: linux, files: { /opt/other: file } }
    expect: { state: available, path: /opt/other }
  - name: aliased
    facts: *machine
    expect: { state: missing_app, path: /opt/acme }
  - name: merged facts
    facts: { <<: *machine, env: { A: b } }
    expect: { <<: { state: missing_app }, reason: not-found }
";
    let run = test_of(text, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "3 of 3 cases passed\n"), "{}", run.stderr);
}

/// Lists of lists, each with twelve aliases of the one before.
fn bomb(levels: usize) -> String {
    let mut text = String::from("      a0: &a0 [ x ]\n");
    for level in 1..levels {
        let below = format!(" *a{} ,", level - 1).repeat(12);
        text.push_str(&format!("      a{level}: &a{level} [{} ]\n", below.trim_end_matches(',')));
    }
    text
}

#[test]
fn anchors_that_stand_for_millions_of_values_are_refused_in_time() {
    let start = Instant::now();
    for (place, rest) in [
        ("declaration", "    expect: { valid: true }\n"),
        ("facts", "    declaration: {}\n    expect: { state: available }\n"),
        ("expect", "    declaration: {}\n    facts: { os: linux }\n"),
        ("register", "    expect: { valid: true }\n"),
    ] {
        for levels in [6, 30] {
            let text = suite(&format!("  - name: a\n    {place}:\n{}{rest}", bomb(levels)));
            let run = test_of(&text, &[]);
            assert!([1, 2].contains(&run.code), "{place} {levels}: {} {}", run.code, run.stderr);
            assert!(run.stderr.len() + run.stdout.len() < 1 << 20, "{place} {levels}");
        }
    }
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn an_alias_inside_of_what_it_names_is_refused() {
    let run = test_of(&suite("  - &a { name: a, declaration: *a, expect: { valid: true } }\n"), &[]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["a.suite.yaml:3:", "an alias within the node that it names"]);
}

#[test]
fn two_hundred_megabytes_are_refused_unread() {
    let folder = folder(&[]);
    fs::File::create(folder.path().join("a.suite.yaml")).unwrap().set_len(200 << 20).unwrap();
    let start = Instant::now();
    let run = run(folder.path(), ["test"]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["`a.suite.yaml` is too large", "209715200 bytes"]);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn links_that_lead_in_a_circle_end_nowhere() {
    let facts = "os: linux\nfiles: { /opt/acme: { link: /a }, /a: { link: /b }, /b: { link: /a }, /c: { link: /c/d } }\n";
    let folder = folder(&[("acme.yaml", ACME), ("facts.yaml", facts)]);
    let run = run(folder.path(), ["check", "acme.yaml", "--facts", "facts.yaml"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_has(&run.stdout, &["missing_app"]);
    let deep: String = (0..5_000).map(|at| format!(" /l{at}: {{ link: /l{} }},", at + 1)).collect();
    let case = format!(
        "  - {{ name: a, declaration: {{ app: {{ linux: {{ presence: executable, location: /l0 }} }}, requires: {{ app: true }} }}, facts: {{ os: linux, files: {{{deep} /l5000: file }} }}, expect: {{ state: missing_app }} }}\n"
    );
    let run = test_of(&suite(&case), &[]);
    assert_eq!(run.code, 0, "a system gives up long before: {}{}", run.stdout, run.stderr);
}

#[test]
fn a_pattern_that_could_be_tried_in_endless_ways_ends() {
    let pattern = "*a".repeat(1_000);
    let name = "a".repeat(3_000);
    let case = format!(
        "  - name: a\n    declaration: {{ app: {{ linux: {{ presence: executable, location: '/opt/{pattern}b/x' }} }}, requires: {{ app: true }} }}\n    facts: {{ os: linux, files: {{ /opt/{name}c/x: file, /opt/{name}b/y: file }} }}\n    expect: {{ state: missing_app }}\n"
    );
    let start = Instant::now();
    let run = test_of(&suite(&case), &[]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn a_recording_of_another_format_version_is_told_which_one_is_read() {
    let recording = "facts: 7\nrecorded: true\nos: linux\nfiles: { /opt/acme: file }\n";
    let folder = folder(&[("acme.yaml", ACME), ("facts.yaml", recording)]);
    for verb in ["check", "explain", "status"] {
        let run = run(folder.path(), [verb, "acme.yaml", "--facts", "facts.yaml"]);
        assert_eq!(run.code, 2, "{verb}");
        assert_has(&run.stderr, &["facts.yaml:1:", "version `7`", "reads version 1"]);
    }
    let case =
        "  - name: a\n    facts_file: facts.yaml\n    declaration: {}\n    expect: { state: available }\n";
    fs::write(folder.path().join("a.suite.yaml"), suite(case)).unwrap();
    let run = run(folder.path(), ["test"]);
    assert_eq!(run.code, 2);
    assert_has(&run.stderr, &["a.suite.yaml:4:", "version `7`", "reads version 1"]);
}

#[test]
fn a_suite_that_names_files_gets_no_further_than_their_faults() {
    for (names, word) in [
        ("facts_file: facts.yaml", "facts.yaml"),
        ("facts_file: .", "not a regular file"),
        ("package: a.suite.yaml", "known"),
        ("package: nowhere", "does not exist"),
    ] {
        let declaration =
            if names.starts_with("facts_file") { "declaration: {}" } else { "facts: { os: linux }" };
        let case =
            format!("  - name: a\n    {declaration}\n    {names}\n    expect: {{ state: available }}\n");
        let run = test_of(&suite(&case), &[]);
        assert!([1, 2].contains(&run.code), "{names}: {}{}", run.stdout, run.stderr);
        assert_has(&format!("{}{}", run.stdout, run.stderr), &[word]);
    }
}

#[test]
fn documents_nested_without_end_are_refused() {
    for unit in ["[", "{a: ", "- ", "? "] {
        let run = test_of(&format!("suite: s\ncases:\n  - {}", unit.repeat(100_000)), &[]);
        assert_eq!(run.code, 2, "{unit}: {}", run.stderr.len());
        assert!(run.stderr.len() < 20_000, "{unit}: {}", run.stderr.len());
    }
}

#[test]
fn a_suite_with_thousands_of_faults_shows_some_and_counts_all() {
    let cases: String = (0..3_000).map(|at| format!("  - {{ name: a{at}, declaration: {{}} }}\n")).collect();
    let run = test_of(&suite(&cases), &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.len() < 100_000, "{}", run.stderr.len());
    assert_has(&run.stderr, &["more faults are not shown"]);
}
