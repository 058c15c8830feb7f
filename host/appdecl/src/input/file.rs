//! A file that holds one declaration, or several under `servers`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use appdecl_facts::document::{Mapping, Member};

use super::source::Source;
use super::{Declared, Finding, Input, InputError, MAX_DECLARED, MAX_FILE, MAX_SERVERS};

/// The key of a file with several declarations.
const SERVERS: &str = "servers";

pub(super) fn read(path: &Path) -> Result<Input, InputError> {
    let source = Arc::new(Source::open(path, path, MAX_FILE)?);
    match source.document.root().get(SERVERS) {
        Some(servers) => several(path, &source, servers),
        None => {
            let name = path.file_stem().map_or_else(|| "server".into(), |stem| stem.to_string_lossy());
            Ok(Input {
                declared: vec![Declared::new(&name, source.document.root(), &source, &[])],
                findings: Vec::new(),
                package: None,
            })
        }
    }
}

fn several(path: &Path, source: &Arc<Source>, servers: Member<'_>) -> Result<Input, InputError> {
    let mut input = Input { declared: Vec::new(), findings: Vec::new(), package: None };
    let others = source.document.root().as_mapping().into_iter().flat_map(Mapping::members);
    for other in others.filter(|member| member.key != SERVERS) {
        let text = format!("`{}` is not known beside `{SERVERS}`", other.key);
        let help = Some("put it into the declaration that it belongs to");
        input.findings.push(Finding::around(source, "unknown-key", &[other.key], &text, help));
    }
    collect(&mut input, path, source, servers)?;
    if input.declared.is_empty() && input.findings.is_empty() {
        return Err(InputError::NothingDeclared { path: path.to_owned(), expected: "`servers` is empty" });
    }
    Ok(input)
}

/// Adds the members of `servers`, each one a declaration, to the input.
fn collect(
    input: &mut Input,
    path: &Path,
    source: &Arc<Source>,
    servers: Member<'_>,
) -> Result<(), InputError> {
    let Some(mapping) = servers.value.as_mapping() else {
        let kind = servers.value.kind();
        let text = format!("`{}` is {kind}, expected a mapping of names to declarations", servers.key);
        input.findings.push(Finding::around(source, "not-a-mapping", &[SERVERS], &text, None));
        return Ok(());
    };
    let members = mapping.members();
    if members.len() > MAX_SERVERS {
        return Err(InputError::TooMany(path.to_owned()));
    }
    let (mut seen, mut length) = (HashSet::new(), 0_usize);
    for member in members {
        let way = [SERVERS, member.key];
        if seen.insert(member.key) {
            let declared = Declared::new(member.key, member.value, source, &way);
            length += declared.declaration.len();
            if length > MAX_DECLARED {
                return Err(InputError::TooMuch(path.to_owned()));
            }
            input.declared.push(declared);
        } else {
            let text = format!("the server `{}` is declared twice", member.key);
            let help = Some("the first declaration counts: remove one of them");
            input.findings.push(Finding::around(source, "duplicate-key", &way, &text, help));
        }
    }
    Ok(())
}
