//! Packages through the library.
#![expect(dead_code, clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

use std::fs;
use std::path::Path;

use appdecl::Gate;
use appdecl::package::{Boundary, Format, Package, PackageError, RefusalReason};
use common::paper;
use tempfile::TempDir;

mod common;

const MANIFEST: &str = r#"{
  "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
  "name": "acme",
  "version": "1.2.0",
  "extensions": { "com.nousresearch.hermes": { "servers": { "acme-mcp": {
    "app": { "linux": { "presence": "executable", "location": "/opt/acme/acme" } },
    "requires": { "app": true }
  } } } }
}"#;

const SERVERS: &str = r#"{
  "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
  "mcpServers": { "acme-mcp": { "type": "stdio", "command": "acme" } }
}"#;

/// A package without faults, and what a test adds to it.
fn package(more: impl FnOnce(&Path)) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plugin.json"), MANIFEST).unwrap();
    fs::write(folder.path().join("mcp.json"), SERVERS).unwrap();
    more(folder.path());
    folder
}

fn codes(package: &Package) -> Vec<(&str, &str, &Boundary)> {
    let findings = package.validate().findings.iter();
    findings.map(|found| (found.code.as_str(), found.file.as_str(), &found.boundary)).collect()
}

#[test]
fn a_good_package_is_listed_with_what_may_be_used() {
    let folder = package(|_| {});
    for path in [folder.path().to_owned(), folder.path().join("plugin.json")] {
        let package = Package::open(&path).unwrap();
        let report = package.validate();
        assert_eq!(codes(&package), []);
        assert_eq!((report.format, report.name.as_deref()), (Format::Portable, Some("acme")));
        assert_eq!(report.version.as_deref(), Some("1.2.0"));
        assert_eq!(report.servers[0].name, "acme-mcp");
        assert!(report.servers[0].declaration.as_ref().unwrap().contains("/opt/acme/acme"));
    }
}

#[test]
fn the_install_gate_names_every_application_that_is_missing() {
    let folder = package(|_| {});
    let package = Package::open(folder.path()).unwrap();
    let machine = |facts| Gate::builder().facts(paper(facts)).build().unwrap();

    let with = machine("os: linux\nfiles: { /opt/acme/acme: executable }");
    assert_eq!(package.install_gate(&with, &[]).unwrap(), []);

    let without = machine("os: linux\nfiles: {}");
    let refusals = package.install_gate(&without, &["windows".to_owned()]).unwrap();
    let reasons: Vec<_> =
        refusals.iter().map(|refusal| (refusal.reason, refusal.server.as_deref())).collect();
    assert!(reasons.contains(&(RefusalReason::PlatformMismatch, None)), "{reasons:?}");
    assert!(reasons.contains(&(RefusalReason::MissingApp, Some("acme-mcp"))), "{reasons:?}");
    assert_eq!(without.servers().unwrap(), Vec::<String>::new());
}

#[test]
fn a_folder_that_is_no_package_has_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let error = Package::open(folder.path()).unwrap_err();
    assert!(matches!(error, PackageError::NoPackage(_)), "{error}");
}

#[test]
fn a_file_in_a_package_does_not_stand_for_the_package() {
    let folder = package(|folder| fs::write(folder.join("acme.zip"), "PK").unwrap());
    let error = Package::open(&folder.path().join("acme.zip")).unwrap_err();
    assert!(matches!(error, PackageError::Archive { .. }), "{error}");
    let error = Package::open(&folder.path().join("gone")).unwrap_err();
    assert!(error.to_string().ends_with("does not exist"), "{error}");
}

#[test]
fn findings_in_front_matter_stand_in_their_line() {
    let skill = "---\nname: draw\ndescription: 5\n---\nbody\n";
    let folder = package(|folder| {
        fs::create_dir_all(folder.join("skills/draw")).unwrap();
        fs::write(folder.join("skills/draw/SKILL.md"), skill).unwrap();
    });
    let package = Package::open(folder.path()).unwrap();
    let found = codes(&package);
    assert_eq!(found[0].1, "skills/draw/SKILL.md");
    assert_eq!(found[0].2, &Boundary::Skill("draw".to_owned()));
    let place = package.places()[0].unwrap();
    assert_eq!((place.line, place.column), (3, 14));
    assert_eq!(place.text.get(place.span.start..place.span.end), Some("5"));
}

#[test]
fn a_file_of_five_gigabytes_is_refused_without_being_read() {
    let folder = package(|folder| {
        let file = fs::File::create(folder.join("large.bin")).unwrap();
        file.set_len(5 << 30).unwrap();
    });
    let package = Package::open(folder.path()).unwrap();
    assert!(package.validate().rejected);
    assert_eq!(codes(&package)[0].0, "package-too-large");
    assert_eq!(package.content("large.bin"), None);
}

#[test]
fn more_than_a_hundred_thousand_files_are_refused() {
    let folder = package(|folder| {
        for part in 0..11 {
            let part = folder.join(format!("part-{part}"));
            fs::create_dir(&part).unwrap();
            fs::write(part.join("seed"), "").unwrap();
            for file in 0..10_000 {
                fs::hard_link(part.join("seed"), part.join(file.to_string())).unwrap();
            }
        }
    });
    let package = Package::open(folder.path()).unwrap();
    assert!(package.validate().rejected);
    assert_eq!(codes(&package)[0].0, "too-many-files");
}

#[test]
fn front_matter_whose_anchors_multiply_is_a_fault_of_its_skill_alone() {
    let mut bomb = "---\nname: draw\ndescription: Draws\nmetadata:\n  a0: &a0 [x, x]\n".to_owned();
    for level in 1..30 {
        bomb.push_str(&format!("  a{level}: &a{level} [*a{}, *a{}]\n", level - 1, level - 1));
    }
    bomb.push_str("---\n");
    let folder = package(|folder| {
        fs::create_dir_all(folder.join("skills/draw")).unwrap();
        fs::write(folder.join("skills/draw/SKILL.md"), &bomb).unwrap();
    });
    let package = Package::open(folder.path()).unwrap();
    assert!(!package.validate().rejected);
    assert!(package.validate().skills.is_empty());
    assert_eq!(codes(&package)[0].2, &Boundary::Skill("draw".to_owned()));
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_pipe_as_a_manifest_is_never_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        mknodat(CWD, folder.path().join("plugin.json"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        let package = Package::open(folder.path()).unwrap();
        assert!(package.validate().rejected);
        assert_eq!(codes(&package)[0].0, "wrong-kind");
    }

    #[test]
    fn a_folder_that_links_to_itself_is_listed_once() {
        let folder = package(|folder| symlink(".", folder.join("again")).unwrap());
        assert_eq!(codes(&Package::open(folder.path()).unwrap()), []);
    }

    #[test]
    fn links_that_lead_out_nowhere_or_in_a_circle_are_left_out() {
        let folder = package(|folder| {
            symlink("/", folder.join("out")).unwrap();
            symlink("gone", folder.join("nowhere")).unwrap();
            symlink("circle", folder.join("circle")).unwrap();
        });
        let package = Package::open(folder.path()).unwrap();
        assert_eq!(package.validate().left_out, ["circle", "nowhere", "out"]);
        assert!(package.validate().findings.iter().any(|found| found.message.contains("in a circle")));
        assert!(!package.validate().rejected);
    }

    #[test]
    fn a_manifest_behind_a_link_out_of_the_package_is_not_read() {
        let elsewhere = package(|_| {});
        let folder = tempfile::tempdir().unwrap();
        symlink(elsewhere.path().join("plugin.json"), folder.path().join("plugin.json")).unwrap();
        let package = Package::open(folder.path()).unwrap();
        assert_eq!(codes(&package)[0].0, "link-leads-outside");
        assert_eq!(package.content("plugin.json"), None);
    }

    #[test]
    fn names_that_no_other_system_takes_are_refused() {
        for name in [&b"line\nbreak"[..], b"not\xfftext"] {
            let folder = package(|folder| fs::write(folder.join(OsStr::from_bytes(name)), "").unwrap());
            let package = Package::open(folder.path()).unwrap();
            assert!(package.validate().rejected);
            assert_eq!(codes(&package)[0].0, "bad-file-name");
        }
    }
}
