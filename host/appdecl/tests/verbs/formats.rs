//! `appdecl test`: which cases run, and how the results are written.

use serde_json::json;

use crate::common::run;
use crate::{THREE, assert_has, folder, json, names, read, test_of};

#[test]
fn only_what_differs_is_shown_with_its_pointer_and_the_line_of_the_case() {
    let run = test_of(THREE, &[]);
    assert_eq!(run.code, 3, "a case that can not run is graver than one that fails");
    assert_has(
        &run.stdout,
        &[
            "FAILED Acme on Linux: not there, 100% #1\n  at ./a.suite.yaml:7\n",
            "  /state: expected \"available\", found \"missing_app\"\n",
            "  /reason: expected null, found \"not-found\"\n",
            "1 of 3 cases passed, 1 could not run\n",
        ]
        .map(|part| part.replace("./", ""))
        .each_ref()
        .map(String::as_str),
    );
    assert!(!run.stdout.contains("installed"), "{}", run.stdout);
    assert!(!run.stdout.contains("/path"), "{}", run.stdout);
}

#[test]
fn a_question_that_a_recording_lacks_is_named() {
    let run = test_of(THREE, &["--filter", "not recorded"]);
    assert_eq!(run.code, 3);
    assert_has(&run.stdout, &["could not run", "/opt/acme"]);
}

#[test]
fn cases_that_fail_end_with_one_and_cases_that_pass_with_none() {
    assert_eq!(test_of(THREE, &["--filter", "not there"]).code, 1);
    let good = test_of(THREE, &["--filter", "Acme on Linux: installed"]);
    assert_eq!((good.code, good.stdout.as_str(), good.stderr.as_str()), (0, "1 of 1 cases passed\n", ""));
}

#[test]
fn a_list_names_the_cases_and_runs_none() {
    let run = test_of(THREE, &["--list"]);
    assert_eq!(run.code, 0);
    let expected =
        "Acme on Linux: installed\nAcme on Linux: not there, 100% #1\nAcme on Linux: not recorded\n";
    assert_eq!(run.stdout, expected);
    assert_eq!(test_of(THREE, &["--list", "--filter", "recorded"]).stdout, "Acme on Linux: not recorded\n");
}

#[test]
fn json_has_every_case_with_its_place_and_its_differences() {
    let run = test_of(THREE, &["--format", "json"]);
    let report = json(&run.stdout);
    assert_eq!((&report["passed"], &report["failed"], &report["broken"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(
        report["cases"][0],
        json!({ "file": "a.suite.yaml", "line": 4, "suite": "Acme on Linux", "name": "installed",
            "outcome": "passed", "differences": [], "error": null })
    );
    assert_eq!(
        report["cases"][1]["differences"],
        json!([
            { "pointer": "/reason", "expected": null, "found": "not-found" },
            { "pointer": "/state", "expected": "available", "found": "missing_app" },
        ])
    );
    assert_eq!(report["cases"][2]["outcome"], "broken");
    assert!(report["cases"][2]["error"].as_str().unwrap().contains("/opt/acme"));
}

#[test]
fn junit_tells_a_failure_from_an_error_and_names_the_place() {
    let run = test_of(THREE, &["--format", "junit"]);
    assert_has(
        &run.stdout,
        &[
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "tests=\"3\" skipped=\"0\" failures=\"1\" errors=\"1\"",
            "<testsuite name=\"Acme on Linux\"",
            "name=\"installed\" classname=\"Acme on Linux\"",
            "file=\"a.suite.yaml\" line=\"7\"",
            "<failure message=\"",
            "<error message=\"could not run: ",
        ],
    );
}

#[test]
fn tap_numbers_the_cases_and_escapes_what_has_a_meaning_there() {
    let run = test_of(THREE, &["--format", "tap"]);
    assert!(
        run.stdout.starts_with("TAP version 14\n1..3\nok 1 - Acme on Linux: installed\n"),
        "{}",
        run.stdout
    );
    assert_has(
        &run.stdout,
        &["not ok 2 - Acme on Linux: not there, 100% \\#1\n  ---\n  at: \"a.suite.yaml:7\"\n", "not ok 3 - "],
    );
}

#[test]
fn github_gets_an_annotation_for_each_case_that_did_not_pass() {
    let run = test_of(THREE, &["--format", "github"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.stdout);
    assert_eq!(
        lines[0],
        "::error file=a.suite.yaml,line=7,col=11,title=Acme on Linux%3A not there%2C 100%25 #1::\
         /reason: expected null, found \"not-found\"%0A/state: expected \"available\", found \"missing_app\""
    );
    assert!(
        lines[1].starts_with(
            "::error file=a.suite.yaml,line=10,col=11,title=Acme on Linux%3A not recorded::could"
        )
    );
    assert_eq!(lines[2], "1 of 3 cases passed");
}

#[test]
fn text_of_a_suite_can_not_break_out_of_a_format() {
    let evil = "\"x]]>\\u001b[2J\\u202e\\n::warning::y\\nok 1 <a b='c'>&\"";
    let text = THREE.replace("'not there, 100% #1'", evil);
    for format in ["text", "json", "junit", "tap", "github"] {
        let run = test_of(&text, &["--format", format]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        let raw = run.stdout.contains(['\u{1b}', '\u{202e}']);
        assert!(!raw || format == "json", "{format}: {}", run.stdout);
        assert!(!run.stdout.lines().any(|line| line.starts_with("::warning")), "{format}: {}", run.stdout);
        assert!(!run.stdout.lines().any(|line| line.starts_with("ok 1 <")), "{format}: {}", run.stdout);
        assert!(format != "junit" || !run.stdout.contains("<a b="), "{}", run.stdout);
    }
}

#[test]
fn results_go_to_a_file_where_one_is_named_and_it_holds_no_colours() {
    let folder = folder(&[("a.suite.yaml", THREE)]);
    let arguments = ["test", "--format", "json", "--output", "results.json"];
    let run = run(folder.path(), arguments);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""));
    assert_eq!(json(&read(&folder, "results.json"))["passed"], 1);
}

#[test]
fn results_that_can_not_be_written_are_a_run_that_failed() {
    let folder = folder(&[("a.suite.yaml", THREE)]);
    let run = run(folder.path(), ["test", "--output", "missing/results.txt"]);
    assert_eq!(run.code, 3);
    assert_has(&run.stderr, &["`missing/results.txt` can not be written"]);
}

#[test]
fn suites_are_found_below_a_folder_by_their_names_alone() {
    let good = THREE.replace("not there, 100% #1", "b");
    let json_suite =
        r#"{ "suite": "j", "versions": [ { "found": "2", "minimum": "1", "at_least": true } ] }"#;
    let folder = folder(&[
        ("deep/down/b.suite.yaml", &good),
        ("a.suite.json", json_suite),
        ("notes.yaml", "no suite at all"),
        (".hidden/c.suite.yaml", "no suite at all"),
        ("other.policy", THREE),
    ]);
    let listed = run(folder.path(), ["test", "--list"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert_eq!(listed.stdout.lines().count(), 4, "{}", listed.stdout);
    assert!(listed.stdout.starts_with("j: `2` against at least `1`\n"), "{}", listed.stdout);
    let named = run(folder.path(), ["test", "other.policy", "--list"]);
    assert_eq!(named.stdout.lines().count(), 3, "{}", named.stderr);
    assert_eq!(names(folder.path()), [".hidden", "a.suite.json", "deep", "notes.yaml", "other.policy"]);
}

#[test]
fn no_suite_and_no_case_are_errors_and_no_success() {
    let none = run(folder(&[]).path(), ["test"]);
    assert_eq!(none.code, 2);
    assert_has(&none.stderr, &["no suite was found", ".suite.yaml"]);
    let filtered = test_of(THREE, &["--filter", "nothing like it"]);
    assert_eq!(filtered.code, 2);
    assert_has(&filtered.stderr, &["no case has that text", "`--list`"]);
    let missing = run(folder(&[]).path(), ["test", "gone.suite.yaml"]);
    assert_eq!(missing.code, 2);
    assert_has(&missing.stderr, &["`gone.suite.yaml` does not exist"]);
}
