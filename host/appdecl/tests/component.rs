//! The components that are built in.
#![expect(clippy::unwrap_used, reason = "a test ends where it can not go on")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use appdecl::{COMPONENT, COMPONENT_SHA256, PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256, WIT};
use sha2::{Digest, Sha256};
use wasmparser::{Parser, Payload};

#[path = "../build/guest.rs"]
mod guest;

/// The names of a component's imports and exports, not those of what it holds.
fn imports_and_exports(component: &[u8]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut imports, mut exports, mut depth) = (BTreeSet::new(), BTreeSet::new(), 0_u32);
    for payload in Parser::new(0).parse_all(component) {
        match payload.unwrap() {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 0 => {
                imports.extend(section.into_iter().map(|import| import.unwrap().name.name.to_owned()));
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                exports.extend(section.into_iter().map(|export| export.unwrap().name.name.to_owned()));
            }
            _ => {}
        }
    }
    (imports, exports)
}

#[test]
fn it_imports_the_questions_of_its_host_and_nothing_else() {
    let (imports, exports) = imports_and_exports(COMPONENT);
    let questions = [
        "environment",
        "filesystem",
        "pe",
        "plist",
        "process",
        "registry",
        "runtime-file",
        "secrets",
        "session",
        "types",
    ];
    let expected: BTreeSet<String> = questions.map(|name| format!("appdecl:host/{name}@0.1.0")).into();
    assert_eq!(imports, expected);
    assert!(exports.contains("appdecl:gate/gate@0.1.0"), "{exports:?}");
}

#[test]
fn the_one_with_the_rules_of_packages_asks_nothing_of_its_host() {
    let (imports, exports) = imports_and_exports(PACKAGES_COMPONENT);
    assert_eq!(imports, BTreeSet::new());
    assert!(exports.contains("appdecl:gate/packages@0.1.0"), "{exports:?}");
}

#[test]
fn a_hash_is_that_of_the_bytes() {
    for (bytes, hash) in [(COMPONENT, COMPONENT_SHA256), (PACKAGES_COMPONENT, PACKAGES_COMPONENT_SHA256)] {
        let found: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, found);
    }
}

#[test]
fn its_contract_is_one_file_that_wit_tools_read() {
    let mut resolve = wit_parser::Resolve::default();
    resolve.push_str("appdecl.wit", WIT).unwrap();
    let names: BTreeSet<String> = resolve.package_names.keys().map(ToString::to_string).collect();
    assert_eq!(names, ["appdecl:gate@0.1.0", "appdecl:host@0.1.0"].map(str::to_owned).into());
}

#[test]
fn the_same_sources_in_another_folder_give_the_same_bytes() {
    if std::env::var_os("APPDECL_COMPONENT").is_some() {
        return;
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..");
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("a longer way to the sources");
    copy_sources(&workspace, &copy);
    let component = guest::build(&copy, "gate", &folder.path().join("target")).unwrap();
    assert!(fs::read(component).unwrap() == COMPONENT, "two builds differ");
}

/// Copies a workspace without what was built in it.
fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if ["target", ".git", "node_modules"].iter().any(|left_out| name == *left_out) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy_sources(&entry.path(), &to.join(name));
        } else if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}
