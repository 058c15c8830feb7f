//! Findings as other programs annotate sources with them: workflow commands of GitHub Actions
//! (<https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>) and SARIF 2.1.0
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// A finding, or a case that failed, that stands in a file.
#[derive(Debug)]
pub(super) struct Annotation {
    /// `error` or `warning`.
    pub(super) level: &'static str,
    /// The stable code of a finding; the suite and the name of a case.
    pub(super) code: String,
    /// The file as the user would name it.
    pub(super) file: String,
    /// The line and the column in bytes, from 1.
    pub(super) place: Option<(usize, usize)>,
    /// What is wrong, in one line.
    pub(super) message: String,
}

/// One workflow command for each.
pub(super) fn github(annotations: &[Annotation]) -> String {
    let each = annotations.iter().map(|Annotation { level, code, file, place, message }| {
        let place = place.map(|(line, column)| format!(",line={line},col={column}")).unwrap_or_default();
        format!("::{level} file={}{place},title={}::{}\n", property(file), property(code), data(message))
    });
    each.collect()
}

/// A SARIF log with one run.
pub(super) fn sarif(annotations: &[Annotation]) -> Value {
    let rules: BTreeSet<&str> = annotations.iter().map(|found| found.code.as_str()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|code| json!({ "id": code })).collect();
    let results: Vec<Value> = annotations.iter().map(result).collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "appdecl", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    })
}

fn result(found: &Annotation) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(&found.file) } });
    if let (Some((line, _)), Some(location)) = (found.place, location.as_object_mut()) {
        // SARIF counts columns in characters, which bytes are not; the line alone is right everywhere.
        location.insert("region".to_owned(), json!({ "startLine": line }));
    }
    json!({
        "ruleId": found.code,
        "level": found.level,
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": location }],
    })
}

/// A path as a relative reference of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Text in the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text in a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{Annotation, github};

    #[test]
    fn a_file_name_can_not_begin_a_command_of_its_own() {
        let annotation = Annotation {
            level: "error",
            code: "bad-file-name".to_owned(),
            file: "a\n::warning file=b,line=1::x".to_owned(),
            place: None,
            message: "100%\r\n::error::y".to_owned(),
        };
        assert_eq!(
            github(&[annotation]),
            "::error file=a%0A%3A%3Awarning file=b%2Cline=1%3A%3Ax,title=bad-file-name::100%25%0D%0A::error::y\n"
        );
    }
}
