//! The pages for authors and maintainers, word for word: their commands, in their order, in an empty folder.

use std::fs;
use std::path::Path;

use crate::common::{Run, command, run};
use crate::{assert_has, folder, read};

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The commands of a page: its indented lines, and the steps of a workflow.
fn commands(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().filter_map(|line| {
        line.strip_prefix("    appdecl ").or_else(|| line.trim_start().strip_prefix("- run: appdecl "))
    });
    let without_comment = |line: &str| line.split(" #").next().unwrap().trim().to_owned();
    lines.map(|line| words(&without_comment(line))).collect()
}

/// The words of a line, as a shell splits it.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// The blocks of YAML in a page.
fn blocks(page: &str) -> Vec<&str> {
    let each = page.split("```yaml\n").skip(1);
    each.map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_page_for_authors_leads_from_nothing_to_a_tested_declaration() {
    let page = page("author.md");
    let folder = folder(&[]);
    let commands = commands(&page);
    assert!(commands.len() >= 8, "{commands:?}");
    for words in &commands {
        let run = run(folder.path(), words);
        // Whether the application is on this machine is not the page's to say.
        let good: &[i32] = if words[0] == "check" { &[0, 1] } else { &[0] };
        assert!(good.contains(&run.code), "{words:?}: {}{}", run.stdout, run.stderr);
    }
    assert_has(&page, &["`appdecl record policies/acme.yaml -o acme-windows.yaml`"]);
    let recorded = run(folder.path(), ["record", "policies/acme.yaml", "-o", "acme-windows.yaml"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);

    // Step 5: the declaration moves into the package, and the suite follows.
    let declaration = appdecl::input::read(&folder.path().join("policies/acme.yaml")).unwrap();
    let manifest = format!(
        r#"{{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "acme",
            "extensions": {{ "com.nousresearch.hermes": {{ "servers": {{ "acme": {} }} }} }} }}"#,
        declaration.declared[0].declaration
    );
    let servers = r#"{ "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        "mcpServers": { "acme": { "type": "stdio", "command": "acme" } } }"#;
    fs::write(folder.path().join("plugin.json"), manifest).unwrap();
    fs::write(folder.path().join("mcp.json"), servers).unwrap();
    let suite = read(&folder, "policies/acme.suite.yaml");
    let moved = suite.replace("package: acme.yaml\nserver: acme\n", blocks(&page)[0]);
    assert_ne!(moved, suite);
    fs::write(folder.path().join("policies/acme.suite.yaml"), moved).unwrap();
    fs::remove_file(folder.path().join("policies/acme.yaml")).unwrap();
    let tested = run(folder.path(), ["test", "policies", "--coverage-min", "100"]);
    assert_eq!(tested.code, 0, "{}{}", tested.stdout, tested.stderr);
}

/// A package with one server that no machine has.
fn plugin(places: &str) -> [(&'static str, String); 2] {
    let block = |presence: &str| format!(r#"{{ "presence": "{presence}", "location": [ {places} ] }}"#);
    let manifest = format!(
        r#"{{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "acme",
            "extensions": {{ "com.nousresearch.hermes": {{ "servers": {{ "acme": {{
                "app": {{ "win32": {0}, "darwin": {1}, "linux": {0} }}, "requires": {{ "app": true }},
                "liveness": {{ "kind": "server_json", "path": "~/acme/server.json" }}
            }} }} }} }} }}"#,
        block("executable"),
        block("bundle")
    );
    let servers = r#"{ "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        "mcpServers": { "acme": { "type": "stdio", "command": "acme" } } }"#;
    [("my-plugin/plugin.json", manifest), ("my-plugin/mcp.json", servers.to_owned())]
}

#[test]
fn the_page_on_bug_reports_leads_from_a_machine_to_a_case() {
    let page = page("bug-report.md");
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("my-plugin")).unwrap();
    for (name, text) in plugin(r#""$ACME_HOME/acme""#) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let at_home = |words: &[String]| -> Run {
        command(folder.path()).args(words).env("USERPROFILE", folder.path()).output().unwrap().into()
    };
    let commands = commands(&page);
    assert!(commands.len() >= 3, "{commands:?}");
    for words in &commands {
        let run = at_home(words);
        let expected = i32::from(words[0] == "check");
        assert_eq!(run.code, expected, "{words:?}: {}{}", run.stdout, run.stderr);
    }
    // The case fails, as the report says.
    let suite = format!("suite: acme\npackage: my-plugin\nserver: acme\ncases:\n{}", blocks(&page)[0]);
    fs::write(folder.path().join("acme.suite.yaml"), suite).unwrap();
    let failed = run(folder.path(), ["test"]);
    assert_eq!(failed.code, 1, "{}{}", failed.stdout, failed.stderr);
    // A correction asks something new: the question is named.
    for (name, text) in plugin(r#""$ACME_HOME/acme", "$ACME_ROOT/acme""#) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let broken = run(folder.path(), ["test"]);
    assert_eq!(broken.code, 3, "{}{}", broken.stdout, broken.stderr);
    assert_has(&broken.stdout, &["ACME_ROOT"]);
    // Where the answer is known it is added to the file.
    let facts = read(&folder, "facts.yaml").replace("env:\n", "env:\n  ACME_ROOT: { error: absent }\n");
    fs::write(folder.path().join("facts.yaml"), facts).unwrap();
    assert_eq!(run(folder.path(), ["test"]).code, 1);
}

#[test]
fn the_suite_of_the_page_on_suites_passes_and_so_do_its_commands() {
    let page = page("suites.md");
    let folder = folder(&[("acme.suite.yaml", blocks(&page)[0])]);
    for words in commands(&page) {
        let run = run(folder.path(), &words);
        let filtered_out = words.contains(&"--filter".to_owned());
        assert_eq!(run.code, if filtered_out { 2 } else { 0 }, "{words:?}: {}{}", run.stdout, run.stderr);
    }
    assert!(read(&folder, "results.xml").contains("tests=\"2\""));
}

#[test]
fn the_machines_of_the_page_on_facts_are_read() {
    let page = page("facts.md");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 3, "{}", blocks.len());
    for block in blocks {
        let folder = folder(&[("acme.yaml", "requires: {}\n"), ("facts.yaml", block)]);
        let run = run(folder.path(), ["check", "acme.yaml", "--facts", "facts.yaml"]);
        assert_eq!(run.code, 0, "{}{}\n{block}", run.stdout, run.stderr);
    }
}
