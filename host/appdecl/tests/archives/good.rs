//! What is installed from an archive is the package, as from a folder.

use std::fs;
use std::path::Path;

use appdecl::package::Package;

use super::archive::{MANIFEST, Piece, What, file, tar_gz, zip};
use super::common::run;
use super::names;

const SKILL: &str = "---\nname: draw\ndescription: Draws\n---\nbody\n";

fn pieces() -> Vec<Piece<'static>> {
    vec![
        file("plugin.json", MANIFEST),
        file("skills/draw/SKILL.md", SKILL),
        (b"bin/run", What::Program(b"#!/bin/sh\n")),
        (b"docs", What::Folder),
        (b"docs/empty", What::Folder),
        file("docs/\u{e9}t\u{e9}.md", ""),
    ]
}

/// The same below a folder.
fn below(top: &str, pieces: &[Piece<'_>], make: fn(&[Piece<'_>]) -> Vec<u8>) -> Vec<u8> {
    let named: Vec<(Vec<u8>, What<'_>)> =
        pieces.iter().map(|(name, what)| ([top.as_bytes(), name].concat(), *what)).collect();
    make(&named.iter().map(|(name, what)| (name.as_slice(), *what)).collect::<Vec<_>>())
}

fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let pieces = pieces();
    vec![
        ("acme.tar.gz", tar_gz(&pieces)),
        ("acme.zip", zip(&pieces)),
        ("acme-1.2.0.tgz", below("acme-1.2.0/", &pieces, tar_gz)),
        ("acme-main.zip", below("acme-main/", &pieces, zip)),
        ("dots.tar.gz", below("./", &pieces, tar_gz)),
    ]
}

#[test]
fn a_package_is_installed_from_an_archive_as_from_a_folder() {
    for (name, bytes) in archives() {
        let room = tempfile::tempdir().unwrap();
        let plugins = room.path().join("plugins");
        fs::create_dir(&plugins).unwrap();
        fs::write(room.path().join(name), bytes).unwrap();
        let done = run(room.path(), ["install", name, "--into", "plugins"]);
        assert_eq!(done.code, 0, "{name}: {}{}", done.stdout, done.stderr);
        let installed = plugins.join("acme");
        assert_eq!(
            names(&installed),
            [
                "bin",
                "bin/run",
                "docs",
                "docs/empty",
                "docs/\u{e9}t\u{e9}.md",
                "plugin.json",
                "skills",
                "skills/draw",
                "skills/draw/SKILL.md"
            ],
            "{name}"
        );
        assert_eq!(fs::read_to_string(installed.join("plugin.json")).unwrap(), MANIFEST);
        assert_eq!(fs::read_to_string(installed.join("skills/draw/SKILL.md")).unwrap(), SKILL);
        assert_permissions(&installed);
        let again = run(room.path(), ["install", name, "--into", "plugins"]);
        assert_eq!(again.code, 2, "{}", again.stderr);
        let replaced = run(room.path(), ["install", name, "--into", "plugins", "--replace"]);
        assert_eq!(replaced.code, 0, "{}", replaced.stderr);
    }
}

#[cfg(unix)]
fn assert_permissions(installed: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |name: &str| fs::metadata(installed.join(name)).unwrap().permissions().mode();
    assert_eq!(mode("bin/run") & 0o111, 0o111, "a program stays one");
    assert_eq!(mode("bin/run") & 0o7000, 0, "it does not run as another user");
    assert_eq!(mode("plugin.json") & 0o111, 0);
}

#[cfg(not(unix))]
fn assert_permissions(_: &Path) {}

#[test]
fn an_archive_is_validated_and_checked_without_being_unpacked() {
    for (name, bytes) in archives() {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join(name), bytes).unwrap();
        for verb in ["validate", "check"] {
            let done = run(room.path(), [verb, name]);
            assert_eq!(done.code, 0, "{verb} {name}: {}{}", done.stdout, done.stderr);
        }
        let validated = run(room.path(), ["validate", name]);
        assert!(validated.stdout.contains("portable plugin acme 1.2.0"), "{}", validated.stdout);
        assert!(validated.stdout.contains("skill draw"), "{}", validated.stdout);
        let dry = run(room.path(), ["install", name, "--into", ".", "--dry-run"]);
        assert_eq!((dry.code, dry.stdout), (0, format!("{name}: may be installed here\n")));
        assert_eq!(names(room.path()), [name]);
    }
}

#[test]
fn findings_in_an_archive_have_their_lines() {
    let manifest = MANIFEST.replace("\"acme\"", "\"Acme\"");
    for (name, make) in [("a.zip", zip as fn(&[Piece<'_>]) -> Vec<u8>), ("a.tar.gz", tar_gz)] {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join(name), make(&[file("plugin.json", &manifest)])).unwrap();
        let done = run(room.path(), ["validate", name]);
        assert_eq!(done.code, 2);
        assert!(done.stdout.contains("error[bad-plugin-name]"), "{}", done.stdout);
        let place = Path::new(name).join("plugin.json");
        assert!(done.stdout.contains(&format!("{}:3:11", place.display())), "{}", done.stdout);
    }
}

#[test]
fn links_that_stay_in_the_archive_are_made_as_links() {
    let pieces = [
        file("plugin.json", MANIFEST),
        (&b"docs/manifest"[..], What::Link("../plugin.json")),
        (b"also", What::Link("docs")),
    ];
    for (name, bytes) in [("a.tar.gz", tar_gz(&pieces)), ("a.zip", zip(&pieces))] {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join(name), bytes).unwrap();
        let package = Package::open(&room.path().join(name)).unwrap();
        assert_eq!(package.validate().findings, []);
        // Making links needs a right of its own on Windows.
        if cfg!(unix) {
            package.install(room.path(), false).unwrap();
            let through = room.path().join("acme/also/manifest");
            assert_eq!(fs::read_to_string(through).unwrap(), MANIFEST);
        }
    }
}

#[test]
fn a_static_repository_plugin_is_installed_from_an_archive() {
    let package = r#"{ "name": "@acme/tools", "scripts": { "prepack": "dsh-plugin-prepare" },
        "dsh": { "skills": ["../skills"] } }"#;
    let pieces = [
        file(".dsh-plugin/package.json", package),
        file("skills/draw/SKILL.md", SKILL),
        file("README.md", "read"),
    ];
    for (name, bytes) in [
        ("a.tar.gz", tar_gz(&pieces)),
        ("a.zip", zip(&pieces)),
        ("top.zip", below("tools-main/", &pieces, zip)),
    ] {
        let room = tempfile::tempdir().unwrap();
        fs::write(room.path().join(name), bytes).unwrap();
        let done = run(room.path(), ["install", name, "--into", "."]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        assert_eq!(fs::read_to_string(room.path().join("@acme+tools/README.md")).unwrap(), "read");
    }
}

#[test]
fn long_names_are_read_in_both_ways_that_tar_has_for_them() {
    let long = format!("{}/{}.txt", "folder".repeat(20), "name".repeat(20));
    let record = |key: &str, value: &str| {
        let rest = format!(" {key}={value}\n");
        let length = (rest.len()..).find(|length| length - length.to_string().len() == rest.len()).unwrap();
        format!("{length}{rest}")
    };
    let pax = record("path", &long);
    let mut posix = tar::Builder::new(Vec::new());
    let mut gnu = tar::Builder::new(Vec::new());
    let add = |archive: &mut tar::Builder<Vec<u8>>, kind: u8, name: &str, text: &str| {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::new(kind));
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_path(name).unwrap();
        header.set_cksum();
        archive.append(&header, text.as_bytes()).unwrap();
    };
    add(&mut posix, b'g', "pax_global_header", &record("comment", "0123"));
    add(&mut posix, b'x', "pax", &pax);
    add(&mut posix, b'0', "short", "text");
    add(&mut posix, b'0', "plugin.json", MANIFEST);
    add(&mut gnu, b'L', "long", &format!("{long}\0"));
    add(&mut gnu, b'0', "short", "text");
    add(&mut gnu, b'0', "plugin.json", MANIFEST);
    for archive in [posix, gnu] {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("a.tar.gz");
        fs::write(&path, super::archive::gzip(&archive.into_inner().unwrap())).unwrap();
        Package::open(&path).unwrap().install(room.path(), false).unwrap();
        assert_eq!(fs::read_to_string(room.path().join("acme").join(&long)).unwrap(), "text");
    }
}
