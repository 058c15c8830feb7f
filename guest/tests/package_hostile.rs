//! Packages that are made to cost much: each is judged to its end, and what comes out stays small.

use appdecl_guest::facts::{FaultCode, NodeKind};
use appdecl_guest::package::{
    Content, Entry, Format, Inspection, Link, Listing, MOST_ENTRIES, MOST_FINDINGS, Preparation, Report,
    inspect, prepare,
};

const MANIFEST: &str =
    r#"{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"acme"}"#;
const SERVERS: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

fn entry(path: &str, kind: NodeKind, size: usize) -> Entry {
    Entry { path: path.to_owned(), exact: true, kind, size: size as u64, link: None }
}

/// Judges a package of these files; each is answered with as much as was asked for. An empty report is that of a package
/// that takes more than two rounds of reading.
fn judge(files: &[(&str, &str)], more: Vec<Entry>, format: Option<Format>) -> Report {
    let mut entries: Vec<Entry> =
        files.iter().map(|(path, text)| entry(path, NodeKind::File, text.len())).collect();
    entries.extend(more);
    let listing = Listing { entries, truncated: false };
    let mut contents: Vec<Content> = Vec::new();
    for _ in 0..3 {
        match inspect(&listing, &contents, format) {
            Inspection::Report(report) => return report,
            Inspection::Needs(needs) => contents.extend(needs.into_iter().map(|need| {
                let text = files.iter().find(|(path, _)| *path == need.path).map(|(_, text)| text.as_bytes());
                let data = text.map(|bytes| bytes.iter().copied().take(need.limit as usize).collect());
                Content { path: need.path, data: data.ok_or(FaultCode::Absent) }
            })),
        }
    }
    Report::default()
}

fn portable(servers: &str, more: Vec<Entry>) -> Report {
    let document = format!(r#"{{"$schema":"{SERVERS}","mcpServers":{servers}}}"#);
    judge(&[("plugin.json", MANIFEST), ("mcp.json", &document)], more, None)
}

/// A report is small, however large the package is.
fn size(report: &Report) -> usize {
    let text = |finding: &appdecl_guest::package::Finding| {
        finding.message.len() + finding.file.len() + finding.position.pointer.as_ref().map_or(0, String::len)
    };
    report.findings.iter().map(text).sum()
}

#[test]
fn as_many_files_as_a_package_may_have_are_judged() {
    let folders = (0..300).map(|folder| entry(&format!("assets/{folder}"), NodeKind::Folder, 0));
    let files = (0..MOST_ENTRIES - 400)
        .map(|file| entry(&format!("assets/{}/{file}.bin", file % 300), NodeKind::File, 1));
    let report = judge(&[("plugin.json", MANIFEST)], folders.chain(files).collect(), None);
    assert_eq!((report.rejected, report.findings.as_slice()), (false, [].as_slice()));
}

#[test]
fn a_fault_of_every_file_is_one_finding() {
    let odd = (0..MOST_ENTRIES - 2).map(|file| entry(&format!("a\n{file}"), NodeKind::File, 1)).collect();
    let report = judge(&[("plugin.json", MANIFEST)], odd, None);
    assert_eq!(report.findings.len(), 1);
    assert!(report.findings[0].message.contains("99997 more"), "{}", report.findings[0].message);
}

#[test]
fn links_that_lead_away_are_listed_in_part_and_counted_in_full() {
    let link = |file| Entry { link: Some(Link::Outside), ..entry(&format!("l/{file}"), NodeKind::Other, 0) };
    let report = judge(&[("plugin.json", MANIFEST)], (0..90_000).map(link).collect(), None);
    assert_eq!((report.findings.len(), report.warnings, report.rejected), (MOST_FINDINGS, 90_000, false));
    assert_eq!(report.left_out.len(), 90_000);
}

#[test]
fn paths_of_any_length_and_depth_are_judged() {
    let deep = entry(&"a/".repeat(2000), NodeKind::File, 1);
    let long = entry(&"b".repeat(1_000_000), NodeKind::File, 1);
    let report = portable(
        &format!(r#"{{"a":{{"type":"stdio","command":"./{}"}}}}"#, "a/".repeat(100_000)),
        vec![deep, long],
    );
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["bad-command", "bad-file-name"]);
    assert!(size(&report) < 10_000);
}

#[test]
fn faults_without_number_are_listed_in_part_and_counted_in_full() {
    let servers: Vec<String> = (0..80_000).map(|server| format!("\"{server}\":1")).collect();
    let report = portable(&format!("{{{}}}", servers.join(",")), Vec::new());
    assert_eq!((report.findings.len(), report.errors), (MOST_FINDINGS, 80_000));
    assert!(!report.rejected);

    let twice = portable(&format!("{{{}}}", vec!["\"a\":1"; 100_000].join(",")), Vec::new());
    assert_eq!(twice.errors, 1);

    let members: Vec<String> = (0..80_000).map(|member| format!("\"m{member}\":1")).collect();
    let unknown =
        portable(&format!(r#"{{"a":{{"type":"stdio","command":"x",{}}}}}"#, members.join(",")), Vec::new());
    assert_eq!(unknown.errors, 80_000);
}

#[test]
fn a_long_name_is_not_repeated_in_every_finding() {
    let members: Vec<String> = (0..40_000).map(|member| format!("\"m{member}\":1")).collect();
    let servers = format!(r#"{{"{}":{{"type":"stdio",{}}}}}"#, "n".repeat(500_000), members.join(","));
    let report = portable(&servers, Vec::new());
    assert_eq!(report.findings.len(), 1);
    assert!(size(&report) < 10_000);

    let env: Vec<String> = (0..400).map(|_| format!("\"{}\":1", "é=".repeat(1000))).collect();
    let report = portable(
        &format!(r#"{{"a":{{"type":"stdio","command":"x","env":{{{}}}}}}}"#, env.join(",")),
        Vec::new(),
    );
    assert!(report.errors > 0 && size(&report) < 10_000);
}

#[test]
fn as_many_declarations_as_fit_are_matched_with_their_servers() {
    let servers: Vec<String> =
        (0..20_000).map(|server| format!(r#""s{server}":{{"type":"stdio","command":"x"}}"#)).collect();
    let declared: Vec<String> = (0..40_000).map(|server| format!(r#""s{server}":{{}}"#)).collect();
    let manifest = format!(
        r#"{},"extensions":{{"com.nousresearch.hermes":{{"servers":{{{}}}}}}}}}"#,
        MANIFEST.trim_end_matches('}'),
        declared.join(",")
    );
    let document = format!(r#"{{"$schema":"{SERVERS}","mcpServers":{{{}}}}}"#, servers.join(","));
    let report = judge(&[("plugin.json", &manifest), ("mcp.json", &document)], Vec::new(), None);
    assert_eq!((report.errors, report.rejected), (20_000, true));
}

#[test]
fn documents_of_nothing_but_brackets_end() {
    for text in ["[".repeat(1_000_000), r#"{"a":"#.repeat(200_000), "[[],".repeat(200_000)] {
        let report = judge(&[("plugin.json", &text)], Vec::new(), None);
        assert_eq!(report.errors, 1);
    }
}

#[test]
fn front_matter_that_would_grow_is_refused() {
    let mut bomb = String::from("---\na: &a [x,x,x,x,x,x,x,x,x]\n");
    for level in 'b'..='i' {
        let above = char::from(level as u8 - 1);
        bomb.push_str(&format!("{level}: &{level} [{}]\n", vec![format!("*{above}"); 9].join(",")));
    }
    bomb.push_str("name: bomb\ndescription: x\n---\n");
    let report = judge(&[("plugin.json", MANIFEST), ("skills/bomb/SKILL.md", &bomb)], Vec::new(), None);
    assert_eq!(report.findings[0].code, "front-matter-unsupported");
    assert_eq!(report.skills, []);
}

#[test]
fn as_many_skills_of_the_largest_front_matter_as_may_be_are_read() {
    let text = format!("---\n{}name: x\ndescription: y\n---\n", "m: {a: [b, 'c', \"d\"]} # e\n".repeat(300));
    let paths: Vec<String> = (0..500).map(|skill| format!("skills/s{skill}/SKILL.md")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), text.as_str())).collect();
    files.push(("plugin.json", MANIFEST));
    let folders = (0..500).map(|skill| entry(&format!("skills/s{skill}"), NodeKind::Folder, 0)).collect();
    let report = judge(&files, folders, None);
    assert_eq!((report.findings.len(), report.rejected), (MOST_FINDINGS, false));
    assert!(size(&report) < 1_000_000);
}

#[test]
fn skill_roots_that_multiply_files_are_not_planned() {
    let package = format!(
        r#"{{"name":"a","scripts":{{"prepack":"dsh-plugin-prepare"}},"dsh":{{"skills":[{}]}}}}"#,
        vec!["\"../skills\""; 50_000].join(",")
    );
    let mut entries: Vec<Entry> =
        (0..1000).map(|file| entry(&format!("skills/{file}"), NodeKind::File, 1)).collect();
    let path = ".dsh-plugin/package.json";
    entries.push(entry(path, NodeKind::File, package.len()));
    let listing = Listing { entries, truncated: false };
    let contents = [Content { path: path.to_owned(), data: Ok(package.into_bytes()) }];
    let Preparation::Refused(report) = prepare(&listing, &contents) else { panic!("refused") };
    assert_eq!(report.findings[0].code, "too-many-files");
}

#[test]
fn variables_without_number_are_told_once_each() {
    let package = r#"{"name":"a","scripts":{"prepack":"dsh-plugin-prepare"},"dsh":{"mcpServers":"m.json"}}"#;
    let document = format!(r#"{{"mcpServers":{{"a":{{"command":"{}"}}}}}}"#, "${A}${B}".repeat(100_000));
    let report =
        judge(&[(".dsh-plugin/package.json", package), (".dsh-plugin/m.json", &document)], Vec::new(), None);
    let names: Vec<&str> = report.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
}
