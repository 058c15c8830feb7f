//! Installing from sources that change meanwhile, and to other file systems. No process is started here: it would hold the
//! lock of a folder of packages until it is loaded.
#![expect(clippy::unwrap_used, unreachable_pub, reason = "a test ends where it can not go on")]

#[path = "common/plugins.rs"]
mod plugins;

use std::fs::{self, File};
use std::path::Path;

use appdecl::package::{InstallError, Package};
use plugins::{names, package, room};

#[test]
fn a_file_whose_text_changes_after_it_was_judged_is_not_installed() {
    let room = room();
    let plugins = room.path().join("plugins");
    let source = room.path().join("acme-1");
    let package = Package::open(&source).unwrap();
    let manifest = fs::read_to_string(source.join("plugin.json")).unwrap();
    fs::write(source.join("plugin.json"), manifest.replace("acme", "evil")).unwrap();
    let refused = package.install(&plugins, false).unwrap_err();
    assert!(matches!(&refused, InstallError::Changed(path) if path == "plugin.json"), "{refused}");
    fs::write(source.join("plugin.json"), manifest).unwrap();
    for text in ["longer than it was", ""] {
        fs::write(source.join("3.txt"), text).unwrap();
        let refused = package.install(&plugins, false).unwrap_err();
        assert!(matches!(&refused, InstallError::Changed(path) if path == "3.txt"), "{refused}");
    }
    fs::remove_file(source.join("3.txt")).unwrap();
    let refused = package.install(&plugins, false).unwrap_err();
    assert!(matches!(&refused, InstallError::Changed(path) if path == "3.txt"), "{refused}");
    assert_eq!(names(room.path()), [""; 0]);
}

#[test]
fn an_archive_that_changes_after_it_was_judged_is_not_installed() {
    let room = room();
    let plugins = room.path().join("plugins");
    let path = room.path().join("acme.tar.gz");
    let pack = |text: &str| {
        let packed = flate2::write::GzEncoder::new(File::create(&path).unwrap(), flate2::Compression::fast());
        let mut archive = tar::Builder::new(packed);
        archive.append_path_with_name(room.path().join("acme-1/plugin.json"), "plugin.json").unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, "words", text.as_bytes()).unwrap();
        archive.into_inner().unwrap().finish().unwrap();
    };
    pack("as it was");
    let package = Package::open(&path).unwrap();
    pack("otherwise and longer");
    let refused = package.install(&plugins, false).unwrap_err();
    assert!(matches!(&refused, InstallError::Changed(path) if path == "words"), "{refused}");
    fs::write(&path, "").unwrap();
    assert!(matches!(package.install(&plugins, false).unwrap_err(), InstallError::Package(_)));
    assert_eq!(names(room.path()), [""; 0]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use appdecl::package::uninstall;

    use super::*;

    #[test]
    fn a_file_or_folder_that_becomes_a_link_after_it_was_listed_is_not_followed() {
        let room = room();
        let source = room.path().join("acme-1");
        fs::create_dir(source.join("deep")).unwrap();
        fs::write(source.join("deep/x"), "words").unwrap();
        let elsewhere = room.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("x"), "aside").unwrap();
        fs::write(elsewhere.join("3.txt"), "1 3").unwrap();

        let package = Package::open(&source).unwrap();
        fs::remove_file(source.join("3.txt")).unwrap();
        symlink(elsewhere.join("3.txt"), source.join("3.txt")).unwrap();
        let refused = package.install(&room.path().join("plugins"), false).unwrap_err();
        assert!(matches!(&refused, InstallError::Changed(path) if path == "3.txt"), "{refused}");

        let package = Package::open(&source).unwrap();
        fs::remove_dir_all(source.join("deep")).unwrap();
        symlink(&elsewhere, source.join("deep")).unwrap();
        let refused = package.install(&room.path().join("plugins"), false).unwrap_err();
        assert!(matches!(&refused, InstallError::Changed(path) if path == "deep/x"), "{refused}");
        assert_eq!(names(room.path()), [""; 0]);
    }

    #[test]
    fn a_package_is_installed_from_one_file_system_to_another() {
        let room = room();
        let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
            eprintln!("skipped: this system has no /dev/shm");
            return;
        };
        let device = |path: &Path| fs::metadata(path).unwrap().dev();
        if device(other.path()) == device(room.path()) {
            eprintln!("skipped: /dev/shm is the file system of temporary files");
            return;
        }
        package(room.path(), "acme", "2");
        for source in ["acme-1", "acme-2"] {
            let package = Package::open(&room.path().join(source)).unwrap();
            package.install(other.path(), true).unwrap();
            let copied = fs::read_to_string(other.path().join("acme/0.txt")).unwrap();
            assert_eq!(copied, fs::read_to_string(room.path().join(source).join("0.txt")).unwrap());
        }
        uninstall("acme", other.path()).unwrap();
    }
}
