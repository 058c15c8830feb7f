//! What a vector expects, and the comparison.
//!
//! ```yaml
//! about: what this shows
//! purpose: judge                      # or portable, static-repository, prepare; a plan is compared alone
//! format: portable                    # default
//! name: acme                          # left out: none
//! findings:                           # all of them, in order
//!   - { code: not-json, file: mcp.json, line: 3, takes: servers, says: [ 'column 5' ] }
//!   - { code: bad-cwd, file: mcp.json, at: /mcpServers/a/cwd, takes: server a }
//! servers: [ a stdio, b sse declared ]
//! skills: [ { name: x, requires_apps: [ a ] } ]
//! variables: [ 'TOKEN /mcpServers/a/url' ]
//! left_out: [ out ]
//! plan: { path: folder, other: copy SOURCE, third: bytes }
//! module: the text of the module
//! ```

use std::fmt::Write;
use std::fs;
use std::path::Path;

use appdecl_guest::declaration;
use appdecl_guest::json::Value;
use appdecl_guest::package::{
    Boundary, CODES, Finding, Format, Plan, Report, Severity, Source, missing_variables,
};
use libtest_mimic::Failed;

use super::yaml::{self, items, members, text, texts};

/// What a package is looked at for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Judge(Option<Format>),
    Prepare,
}

/// What came of it.
pub(crate) enum Outcome {
    Report(Report),
    Plan(Plan),
}

/// What a vector expects.
pub(crate) struct Expected {
    pub(crate) purpose: Purpose,
    pub(crate) findings: Vec<ExpectedFinding>,
    text: String,
    plan: String,
    module: Option<String>,
}

/// One finding, with the words that its message must hold.
pub(crate) struct ExpectedFinding {
    pub(crate) code: String,
    line: String,
    says: Vec<String>,
}

impl Expected {
    /// Reads what a vector expects.
    pub(crate) fn read(vector: &Path) -> Result<Self, Failed> {
        let value = yaml::parse(&fs::read_to_string(vector.join("expected.yaml"))?)?;
        yaml::close(
            &value,
            &[
                "about",
                "purpose",
                "format",
                "name",
                "version",
                "findings",
                "servers",
                "skills",
                "variables",
                "left_out",
                "plan",
                "module",
            ],
        )?;
        text(value.get("about").ok_or("`about` is missing")?)?;
        let purpose = match value.get("purpose").and_then(Value::as_text) {
            None | Some("judge") => Purpose::Judge(None),
            Some("portable") => Purpose::Judge(Some(Format::Portable)),
            Some("static-repository") => Purpose::Judge(Some(Format::StaticRepository)),
            Some("prepare") => Purpose::Prepare,
            Some(other) => return Err(format!("unknown purpose {other}").into()),
        };
        let findings =
            items(value.get("findings"))?.iter().map(expected_finding).collect::<Result<Vec<_>, _>>()?;
        let mut lines = String::new();
        let word = |name: &str, default: &str| match value.get(name) {
            None => Ok(default.to_owned()),
            Some(value) => text(value),
        };
        writeln!(lines, "format: {}", word("format", "portable")?)?;
        writeln!(lines, "name: {}", word("name", "-")?)?;
        writeln!(lines, "version: {}", word("version", "-")?)?;
        let rejected = findings
            .iter()
            .any(|finding| finding.line.starts_with("error") && finding.line.ends_with("package"));
        writeln!(lines, "rejected: {rejected}")?;
        for finding in &findings {
            writeln!(lines, "{}", finding.line)?;
        }
        for name in ["servers", "variables", "left_out"] {
            writeln!(lines, "{name}: {}", texts(value.get(name))?.join(", "))?;
        }
        for skill in items(value.get("skills"))? {
            let requires = texts(skill.get("requires_apps"))?;
            writeln!(
                lines,
                "skill: {} {requires:?}",
                text(skill.get("name").ok_or("a skill without a name")?)?
            )?;
        }
        let mut plan = String::new();
        for (path, source) in members(value.get("plan"))? {
            writeln!(plan, "write: {path}: {}", text(source)?)?;
        }
        let module = value.get("module").map(text).transpose()?;
        Ok(Self { purpose, findings, text: lines, plan, module })
    }

    /// Compares what came out with what is expected.
    pub(crate) fn compare(&self, outcome: &Outcome) -> Result<(), Failed> {
        let report = match outcome {
            Outcome::Plan(plan) => return self.compare_plan(plan),
            Outcome::Report(report) => report,
        };
        let found = written(report)?;
        if found != self.text {
            let messages: Vec<&str> =
                report.findings.iter().map(|finding| finding.message.as_str()).collect();
            return Err(format!(
                "expected\n{}\nfound\n{found}\nwith the messages\n{}",
                self.text,
                messages.join("\n")
            )
            .into());
        }
        for (expected, finding) in self.findings.iter().zip(&report.findings) {
            for word in &expected.says {
                let said = format!("{} {}", finding.message, finding.help.as_deref().unwrap_or_default());
                if !said.contains(word) {
                    return Err(format!("expected {word:?} in {said:?}").into());
                }
            }
        }
        compare_missing(report)
    }

    fn compare_plan(&self, plan: &Plan) -> Result<(), Failed> {
        let mut found = String::new();
        for file in &plan.files {
            let source = match &file.source {
                Source::Folder => "folder".to_owned(),
                Source::Bytes(_) => "bytes".to_owned(),
                Source::Copy(path) => format!("copy {path}"),
            };
            writeln!(found, "write: {}: {source}", file.path)?;
        }
        if found != self.plan {
            return Err(format!("expected the plan\n{}\nfound\n{found}", self.plan).into());
        }
        let module = plan.files.last().map(|file| &file.source);
        match (&self.module, module) {
            (Some(expected), Some(Source::Bytes(found))) if expected.as_bytes() != found => {
                Err(format!("expected the module\n{expected}\nfound\n{}", String::from_utf8_lossy(found))
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// Each variable is missing by its name and place where none is set, and none where all are.
fn compare_missing(report: &Report) -> Result<(), Failed> {
    let missing = missing_variables(&report.variables, |_| false);
    for (variable, finding) in report.variables.iter().zip(&missing) {
        let line = written_finding(finding)?;
        let expected =
            format!("error variable-missing {:?} {}: takes package", variable.file, variable.pointer);
        if line != expected || !finding.message.contains(&format!("`{}`", variable.name)) {
            return Err(format!("expected {expected}, found {line}: {}", finding.message).into());
        }
    }
    let none = missing_variables(&report.variables, |_| true);
    if missing.len() == report.variables.len() && none.is_empty() {
        Ok(())
    } else {
        Err("too few or too many".into())
    }
}

fn expected_finding(value: &Value) -> Result<ExpectedFinding, Failed> {
    yaml::close(value, &["code", "file", "at", "line", "takes", "says"])?;
    let word = |name: &str| match value.get(name) {
        None => Ok(String::new()),
        Some(Value::Text(text)) => Ok(text.clone()),
        Some(other) => yaml::number(other).map(|number| number.to_string()),
    };
    let code = word("code")?;
    let is_warning = CODES.iter().any(|known| known.name == code && known.severity == Severity::Warning);
    let severity = if is_warning { "warning" } else { "error" };
    let place = format!("{}:{}", word("at")?, word("line")?);
    let takes = if value.get("takes").is_some() { word("takes")? } else { "nothing".to_owned() };
    let line = format!("{severity} {code} {:?} {place} takes {takes}", word("file")?);
    Ok(ExpectedFinding { code, line, says: texts(value.get("says"))? })
}

fn written(report: &Report) -> Result<String, Failed> {
    let mut lines = String::new();
    writeln!(lines, "format: {}", report.format.name())?;
    writeln!(lines, "name: {}", report.name.as_deref().unwrap_or("-"))?;
    writeln!(lines, "version: {}", report.version.as_deref().unwrap_or("-"))?;
    writeln!(lines, "rejected: {}", report.rejected)?;
    for finding in &report.findings {
        writeln!(lines, "{}", written_finding(finding)?)?;
    }
    if report.errors + report.warnings != report.findings.len() {
        return Err("the counts are not those of the findings".into());
    }
    let mut servers = Vec::new();
    for server in &report.servers {
        let declared = if let Some(text) = &server.declaration {
            declaration::parse(text, "")
                .map_err(|faults| format!("{text} cannot be registered: {faults:?}"))?;
            " declared"
        } else {
            ""
        };
        servers.push(format!("{} {}{declared}", server.name, server.transport));
    }
    writeln!(lines, "servers: {}", servers.join(", "))?;
    let variables: Vec<String> =
        report.variables.iter().map(|variable| format!("{} {}", variable.name, variable.pointer)).collect();
    writeln!(lines, "variables: {}", variables.join(", "))?;
    writeln!(lines, "left_out: {}", report.left_out.join(", "))?;
    for skill in &report.skills {
        writeln!(lines, "skill: {} {:?}", skill.name, skill.requires_apps)?;
    }
    Ok(lines)
}

/// A finding on one line. What every finding owes is asserted on the way.
fn written_finding(finding: &Finding) -> Result<String, Failed> {
    let position = &finding.position;
    if position.pointer.is_none() && position.line.is_none() {
        return Err(format!("{} has no place", finding.code).into());
    }
    if finding.message.contains(['\n', '\u{1b}'])
        || finding.message.ends_with('.')
        || finding.message.is_empty()
    {
        return Err(format!("{:?} is no message", finding.message).into());
    }
    let section =
        CODES.iter().find(|code| code.name == finding.code).map(|code| (code.severity, code.section));
    match section {
        Some((severity, _)) if severity != finding.severity => {
            return Err(format!("{} is as grave as {severity:?}", finding.code).into());
        }
        Some((_, section)) if section != "9" && section != finding.section => {
            return Err(format!("{} stands in {section}, not in {}", finding.code, finding.section).into());
        }
        None if !declaration::CODES.contains(&finding.code) => {
            return Err(format!("{} is no code", finding.code).into());
        }
        _ => {}
    }
    let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
    let pointer = position.pointer.as_deref().unwrap_or_default();
    let line = position.line.map(|line| line.to_string()).unwrap_or_default();
    let takes = match &finding.boundary {
        Boundary::Package => "package".to_owned(),
        Boundary::Servers => "servers".to_owned(),
        Boundary::Skills => "skills".to_owned(),
        Boundary::Server(name) => format!("server {name}"),
        Boundary::Skill(name) => format!("skill {name}"),
        Boundary::Nothing => "nothing".to_owned(),
    };
    Ok(format!("{severity} {} {:?} {pointer}:{line} takes {takes}", finding.code, finding.file))
}
