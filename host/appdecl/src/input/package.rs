//! Declarations that stand in a package. The component judges the package, and what it lets through is declared.

use std::path::Path;
use std::str;
use std::sync::Arc;

use appdecl_facts::document::{Document, Syntax};

use super::source::Source;
use super::{Declared, Input, InputError, pointer};
use crate::package::{Package, PackageServer};

/// The file that holds them.
const MANIFEST: &str = "plugin.json";
/// The keys that lead to them.
const WAY: [&str; 3] = ["extensions", "com.nousresearch.hermes", "servers"];

pub(super) fn read(path: &Path) -> Result<Input, InputError> {
    let package =
        Package::open(path).map_err(|error| InputError::Package { path: path.to_owned(), error })?;
    Ok(Input { declared: declared(&package), findings: Vec::new(), package: Some(package) })
}

/// The declarations of the servers that may be used.
fn declared(package: &Package) -> Vec<Declared> {
    let Some(source) = manifest(package) else { return Vec::new() };
    let servers = package.validate().servers.iter();
    servers.filter_map(|server| declaration(server, &source)).collect()
}

fn declaration(server: &PackageServer, source: &Arc<Source>) -> Option<Declared> {
    let [extensions, namespace, servers] = WAY;
    Some(Declared {
        server: server.name.clone(),
        declaration: server.declaration.clone()?,
        source: Arc::clone(source),
        pointer: pointer(&[extensions, namespace, servers, &server.name]),
    })
}

/// The manifest as it was read to judge the package; none where that was not possible.
fn manifest(package: &Package) -> Option<Arc<Source>> {
    let text = str::from_utf8(package.content(MANIFEST)?).ok()?;
    let document = Document::parse(text, Syntax::Json, text.len()).ok()?;
    Some(Arc::new(Source { name: package.label(), document }))
}
