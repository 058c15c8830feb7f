//! `appdecl new` and `appdecl schema`: what an author starts from.

use crate::common::run;
use crate::{assert_has, folder, json, names, read};

#[test]
fn what_is_written_is_valid_and_tested_for_every_choice_of_systems() {
    for systems in ["", "win32", "darwin", "linux", "win32,linux", "linux,darwin", "linux,linux,win32"] {
        let folder = folder(&[]);
        let mut arguments = vec!["new", "policies", "--name", "studio"];
        if !systems.is_empty() {
            arguments.extend(["--os", systems]);
        }
        let made = run(folder.path(), &arguments);
        assert_eq!(made.code, 0, "{systems}: {}", made.stderr);
        assert_eq!(names(&folder.path().join("policies")), ["studio.suite.yaml", "studio.yaml"]);
        let valid = run(folder.path(), ["validate", "policies/studio.yaml"]);
        assert_eq!(valid.code, 0, "{systems}: {}", valid.stdout);
        let tested = run(folder.path(), ["test", "policies", "--coverage-min", "100"]);
        assert_eq!(tested.code, 0, "{systems}: {}{}", tested.stdout, tested.stderr);
        let text = read(&folder, "policies/studio.yaml");
        assert!(text.starts_with("# "), "{text}");
        for system in ["win32", "darwin", "linux"] {
            let is_there = text.contains(&format!("  {system}:\n"));
            assert_eq!(is_there, systems.is_empty() || systems.contains(system), "{systems}: {text}");
        }
    }
}

#[test]
fn nothing_is_asked_where_there_is_no_terminal() {
    let folder = folder(&[]);
    let made = run(folder.path(), ["new"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    assert_eq!(names(folder.path()), ["acme.suite.yaml", "acme.yaml"]);
}

#[test]
fn files_that_are_there_are_never_overwritten_and_half_a_start_is_none() {
    for there in ["acme.yaml", "acme.suite.yaml"] {
        let folder = folder(&[(there, "mine\n")]);
        let made = run(folder.path(), ["new"]);
        assert_eq!(made.code, 3, "{there}");
        assert_has(&made.stderr, &[there, "can not be written"]);
        assert_eq!(names(folder.path()), [there]);
        assert_eq!(read(&folder, there), "mine\n");
    }
}

#[test]
fn names_that_no_file_or_no_reader_can_bear_are_refused_or_quoted() {
    for bad in ["", "../x", "a/b", "Acme", "a b", "a:b", "con", "lpt1", "-a", "1a", &"a".repeat(65)] {
        let folder = folder(&[]);
        let made = run(folder.path(), ["new", &format!("--name={bad}")]);
        assert_eq!(made.code, 2, "{bad}: {}", made.stdout);
        assert!(names(folder.path()).is_empty());
    }
    for word in ["null", "true", "yes", "n", "com"] {
        let folder = folder(&[]);
        assert_eq!(run(folder.path(), ["new", "--name", word]).code, 0, "{word}");
        let tested = run(folder.path(), ["test", "--coverage-min", "100"]);
        assert_eq!(tested.code, 0, "{word}: {}{}", tested.stdout, tested.stderr);
    }
}

#[test]
fn a_schema_is_printed_for_each_format_and_no_other() {
    let folder = folder(&[]);
    for format in ["declaration", "facts", "suite"] {
        let printed = run(folder.path(), ["schema", format]);
        assert_eq!(printed.code, 0, "{}", printed.stderr);
        let schema = json(&printed.stdout);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_has(schema["title"].as_str().unwrap(), &[format]);
    }
    assert_eq!(run(folder.path(), ["schema", "package"]).code, 2);
}
