//! Archives that are refused: what is said, how long it takes, how much memory, and that nothing is written.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::archive::{MANIFEST, Piece, What, file, gzip, patch_directory, tar, tar_gz, zip};
use super::common::{Run, run};
use super::names;

/// Far more than any of them takes, on a machine that does other things too.
const SOON: Duration = Duration::from_secs(30);

/// Refused in whatever way it is looked at for installing, with these words, at once, and nothing is written anywhere.
fn assert_refused(name: &str, bytes: &[u8], words: &[&str]) {
    let room = tempfile::tempdir().unwrap();
    let inner = room.path().join("inner");
    fs::create_dir_all(inner.join("plugins")).unwrap();
    fs::write(inner.join(name), bytes).unwrap();
    let before = names(room.path());
    for more in [["--replace"], ["--dry-run"]] {
        let begin = Instant::now();
        let arguments = [["install", name, "--into", "plugins"].as_slice(), more.as_slice()].concat();
        let Run { code, stdout, stderr } = run(&inner, arguments);
        assert!(begin.elapsed() < SOON, "{name} took {:?}", begin.elapsed());
        assert_eq!(code, 2, "{name}: {stdout}{stderr}");
        for word in words {
            assert!(stderr.contains(word), "`{word}` is not in:\n{stderr}");
        }
        assert_eq!(names(room.path()), before, "{words:?}");
    }
    assert_little_memory(&inner, name);
}

#[cfg(unix)]
fn assert_little_memory(folder: &Path, name: &str) {
    let mut installing = super::common::command(folder);
    installing.args(["install", name, "--into", "plugins"]);
    if let Some(peak) = super::peak::peak_memory(installing) {
        assert!(peak <= 64 << 20, "{name} took {} KiB", peak >> 10);
    }
}

#[cfg(not(unix))]
fn assert_little_memory(_: &Path, _: &str) {}

/// The same of a tar.gz and of a zip file.
fn assert_both_refused(pieces: &[Piece<'_>], words: &[&str]) {
    let pieces: Vec<Piece<'_>> = [file("plugin.json", MANIFEST)].iter().chain(pieces).copied().collect();
    assert_refused("a.tar.gz", &tar_gz(&pieces), words);
    assert_refused("a.zip", &zip(&pieces), words);
}

#[test]
fn names_that_climb_or_begin_at_the_root() {
    for name in ["../x", "a/../../x", "/tmp/appdecl-was-here", "a//x", "a/./x", ".."] {
        assert_both_refused(&[file(name, "x")], &["error[bad-file-name]"]);
    }
}

#[test]
fn names_that_climb_on_windows() {
    for name in
        ["..\\x", "C:x", "C:\\x", "C:/x", "\\\\server\\share\\x", "nul.txt", "a/COM1", "plugin.json.", "a "]
    {
        assert_both_refused(&[file(name, "x")], &["error[bad-file-name]"]);
    }
}

#[test]
fn names_that_no_system_shows_as_they_are() {
    assert_both_refused(&[file("line\nbreak", "x")], &["error[bad-file-name]", "line\\u{a}break"]);
    assert_both_refused(&[(b"caf\xe9", What::File(b"x"))], &["error[bad-file-name]"]);
    assert_both_refused(&[(b"caf\xe9/x", What::File(b"x"))], &["error[bad-file-name]"]);
}

#[test]
fn a_link_and_a_file_through_it() {
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().to_str().unwrap();
    for target in [outside, "..", ".", "docs", "gone"] {
        let pieces = [(&b"docs"[..], What::Folder), (b"way", What::Link(target)), file("way/x", "x")];
        assert_both_refused(&pieces, &["error[wrong-kind]", "way/x: stands below what is no folder"]);
    }
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
    // The other way round, and through a file.
    assert_both_refused(
        &[file("way/x", "x"), (b"way", What::Link(".."))],
        &["way/x: stands below what is no folder"],
    );
    assert_both_refused(&[file("way", "x"), file("way/x", "x")], &["way/x: stands below what is no folder"]);
}

#[test]
fn links_that_lead_out_or_nowhere() {
    for target in ["/etc/passwd", "../../x", "docs/../../x", "gone"] {
        let words = ["warning[link-left-out]", "the archive holds `way`, which can not be installed"];
        assert_both_refused(&[(b"way", What::Link(target))], &words);
    }
    assert_both_refused(&[(b"way", What::Link("way"))], &["in a circle", "the archive holds `way`"]);
    let pieces = [(&b"far"[..], What::Link("..")), (b"way", What::Link("far/x"))];
    assert_both_refused(&pieces, &["`far`"]);
}

#[test]
fn devices_and_pipes() {
    for what in [What::Device, What::Pipe] {
        let words = ["warning[special-file-left-out]", "the archive holds `odd`"];
        assert_both_refused(&[(b"odd", what)], &words);
    }
}

#[test]
fn a_pipe_as_the_manifest() {
    let pieces = [(&b"plugin.json"[..], What::Pipe)];
    assert_refused("a.tar.gz", &tar_gz(&pieces), &["error[wrong-kind]"]);
    assert_refused("a.zip", &zip(&pieces), &["error[wrong-kind]"]);
}

#[test]
fn hard_links_and_files_with_holes() {
    let manifest = file("plugin.json", MANIFEST);
    let hard = tar_gz(&[manifest, (b"hard", What::HardLink("plugin.json"))]);
    assert_refused("a.tar.gz", &hard, &["has `hard`, a hard link: pack it without"]);
    let mut sparse = tar(&[manifest, file("holes", "x")]);
    sparse[1024 + 156] = b'S';
    let sum: u32 = sparse[1024..1536]
        .iter()
        .enumerate()
        .map(|(at, byte)| match at {
            148..156 => u32::from(b' '),
            _ => u32::from(*byte),
        })
        .sum();
    sparse[1024 + 148..1024 + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    assert_refused("a.tar.gz", &gzip(&sparse), &["has `holes`, a file with holes"]);
}

#[test]
fn names_that_are_there_twice() {
    for name in ["plugin.json", "docs/x"] {
        assert_both_refused(&[file("docs/x", "x"), file(name, "y")], &["error[listed-twice]"]);
    }
}

#[test]
fn names_that_are_one_where_case_does_not_count() {
    for (one, other) in [
        ("docs/x", "docs/X"),
        ("docs/x", "DOCS/y"),
        ("\u{e9}", "\u{c9}"),
        ("\u{3c3}\u{3c2}", "\u{3a3}\u{3c3}"),
        ("stra\u{df}e", "STRASSE"),
        ("k", "\u{212a}"),
    ] {
        assert_both_refused(&[file(one, "x"), file(other, "y")], &["error[names-clash]"]);
    }
}

#[test]
fn archives_that_are_cut_off() {
    let words: String = (0..20_000).map(|number| number.to_string()).collect();
    let pieces = [file("plugin.json", MANIFEST), file("words", &words)];
    for (name, whole) in [("a.tar.gz", tar_gz(&pieces)), ("a.zip", zip(&pieces))] {
        for part in [4, 20, whole.len() / 2, whole.len() - 1] {
            assert_refused(name, &whole[..part], &["is cut off or damaged"]);
        }
    }
    // Whole gzip around a tar file that ends within a file.
    let cut = tar(&pieces);
    assert_refused("a.tar.gz", &gzip(&cut[..2000]), &["is cut off or damaged"]);
}

#[test]
fn archives_whose_bytes_were_changed() {
    let pieces =
        [file("plugin.json", MANIFEST), file("words", "words that are not read to judge the package")];
    let mut zipped = zip(&pieces);
    patch_directory(&mut zipped, 16, &[1, 2, 3, 4]);
    assert_refused_at_copying("a.zip", &zipped);
    let mut tarred = tar_gz(&pieces);
    let end = tarred.len();
    tarred[end - 8] ^= 1;
    assert_refused("a.tar.gz", &tarred, &["is cut off or damaged"]);
}

/// The checksum of a file that no rule needs is compared when it is copied.
fn assert_refused_at_copying(name: &str, bytes: &[u8]) {
    let room = tempfile::tempdir().unwrap();
    fs::write(room.path().join(name), bytes).unwrap();
    let done = run(room.path(), ["install", name, "--into", "."]);
    assert_eq!(done.code, 2, "{}{}", done.stdout, done.stderr);
    assert_eq!(names(room.path()), [name]);
}

#[test]
fn an_archive_that_unpacks_to_a_terabyte() {
    let words = ["unpacks to more than"];
    let mut header = tar::Header::new_gnu();
    header.set_path("large").unwrap();
    header.set_mode(0o644);
    for size in [1 << 40, 1 << 62] {
        header.set_size(size);
        header.set_cksum();
        assert_refused("a.tar.gz", &gzip(header.as_bytes()), &words);
    }

    // As large as a package may be, and nothing but zeros: a thousandth of that is packed.
    header.set_size(1 << 30);
    header.set_cksum();
    let zeros = gzip(&vec![0; 16 << 20]);
    let bomb = [gzip(header.as_bytes()), zeros.repeat(64)].concat();
    assert_refused("a.tar.gz", &bomb, &words);

    let manifest = file("plugin.json", MANIFEST);
    let names: Vec<String> = (0..256).map(|number| format!("large-{number}")).collect();
    let files = names.iter().map(|name| file(name, "x"));
    let mut zipped = zip(&[manifest].into_iter().chain(files).collect::<Vec<_>>());
    patch_directory(&mut zipped, 24, &0xffff_fff0_u32.to_le_bytes());
    assert_refused("a.zip", &zipped, &words);

    let zeros = vec![0; 32 << 20];
    assert_refused("a.zip", &zip(&[manifest, (b"large", What::File(&zeros))]), &words);
}

#[test]
fn a_zip_file_whose_entries_have_more_bytes_than_it() {
    let mut zipped = zip(&[file("plugin.json", MANIFEST)]);
    patch_directory(&mut zipped, 20, &1_000_000_u32.to_le_bytes());
    assert_refused("a.zip", &zipped, &["its entries have more bytes than the file"]);
}

#[test]
fn a_file_that_is_larger_than_its_archive_says() {
    let text = "x".repeat(10_000);
    let mut zipped = zip(&[file("plugin.json", MANIFEST), file("large", &text)]);
    patch_directory(&mut zipped, 24, &u32::try_from(MANIFEST.len()).unwrap().to_le_bytes());
    assert_refused_at_copying("a.zip", &zipped);
}

#[test]
fn more_than_a_hundred_thousand_entries() {
    let names: Vec<String> = (0..100_001).map(|number| format!("files/{number}")).collect();
    let pieces: Vec<Piece<'_>> = names.iter().map(|name| file(name, "")).collect();
    assert_both_refused(&pieces, &["error[too-many-files]"]);
    let deep = "d/".repeat(45);
    let names: Vec<String> = (0..40_000).map(|number| format!("{number}/{deep}x")).collect();
    let pieces: Vec<Piece<'_>> = names.iter().map(|name| file(name, "")).collect();
    assert_both_refused(&pieces, &["error[too-many-files]"]);
}

#[test]
fn links_without_number_that_lead_along_each_other() {
    let targets: Vec<String> =
        (0..50_000).map(|number| format!("{}{}", "./".repeat(40), number + 1)).collect();
    let names: Vec<String> = (0..50_000).map(|number| number.to_string()).collect();
    let links = names.iter().zip(&targets).map(|(name, target)| (name.as_bytes(), What::Link(target)));
    assert_both_refused(&links.collect::<Vec<_>>(), &["link-left-out"]);
}

#[test]
fn headers_that_are_larger_than_what_they_speak_of() {
    let mut header = tar::Header::new_ustar();
    for kind in [b'x', b'g', b'L', b'K'] {
        header.set_entry_type(tar::EntryType::new(kind));
        header.set_size(1 << 30);
        header.set_path("more").unwrap();
        header.set_cksum();
        let bytes = [header.as_bytes(), vec![b'x'; 200_000].as_slice()].concat();
        assert_refused("a.tar.gz", &gzip(&bytes), &["a header of 1073741824 bytes"]);
    }
}

#[test]
fn what_is_encrypted_or_packed_in_another_way() {
    let pieces = [file("plugin.json", MANIFEST)];
    let mut encrypted = zip(&pieces);
    patch_directory(&mut encrypted, 8, &1_u16.to_le_bytes());
    assert_refused("a.zip", &encrypted, &["`plugin.json`, which is encrypted"]);
    let mut other = zip(&pieces);
    patch_directory(&mut other, 10, &93_u16.to_le_bytes());
    assert_refused("a.zip", &other, &["which is neither stored nor deflated"]);
}

#[test]
fn files_that_are_no_archives() {
    for bytes in [&b""[..], b"PK", b"text", MANIFEST.as_bytes(), &[0; 5000]] {
        for name in ["a.zip", "a.tar.gz", "a"] {
            assert_refused(name, bytes, &["neither a folder nor an archive"]);
        }
    }
    assert_refused("a.tar.gz", &gzip(b"text"), &["a.tar.gz"]);
    assert_refused("a.tar.gz", &gzip(&[b'x'; 5000]), &["is cut off or damaged"]);
    assert_refused("a.zip", &zip(&[]), &["has no plugin.json and no .dsh-plugin"]);
    assert_refused("a.zip", &zip(&[file("a/plugin.json", "{}"), file("b/x", "")]), &["has no plugin.json"]);
}
