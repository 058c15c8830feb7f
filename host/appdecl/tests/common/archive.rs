//! Archives made in memory, odd ones too.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use tar::{EntryType, Header};

pub const MANIFEST: &str = r#"{
  "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
  "name": "acme",
  "version": "1.2.0"
}"#;

/// What something in an archive is.
#[derive(Clone, Copy)]
pub enum What<'w> {
    File(&'w [u8]),
    Program(&'w [u8]),
    Folder,
    Link(&'w str),
    HardLink(&'w str),
    Device,
    Pipe,
}

pub type Piece<'p> = (&'p [u8], What<'p>);

pub fn file<'p>(name: &'p str, text: &'p str) -> Piece<'p> {
    (name.as_bytes(), What::File(text.as_bytes()))
}

/// A tar file that is not packed yet. Names stand in it as they are.
pub fn tar(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, what) in pieces {
        let (kind, mode, bytes, target): (_, _, &[u8], _) = match what {
            What::File(bytes) => (EntryType::Regular, 0o644, *bytes, ""),
            What::Program(bytes) => (EntryType::Regular, 0o6755, *bytes, ""),
            What::Folder => (EntryType::Directory, 0o755, b"", ""),
            What::Link(target) => (EntryType::Symlink, 0o777, b"", *target),
            What::HardLink(target) => (EntryType::Link, 0o644, b"", *target),
            What::Device => (EntryType::Char, 0o666, b"", ""),
            What::Pipe => (EntryType::Fifo, 0o666, b"", ""),
        };
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(bytes.len() as u64);
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        archive.append(&header, bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

pub fn tar_gz(pieces: &[Piece<'_>]) -> Vec<u8> {
    gzip(&tar(pieces))
}

/// A zip file. Names stand in it as they are. There are no hard links in one.
pub fn zip(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, what) in pieces {
        let (mode, bytes): (_, &[u8]) = match what {
            What::File(bytes) => (0o100_644, *bytes),
            What::Program(bytes) => (0o106_755, *bytes),
            What::Folder => (0o040_755, b""),
            What::Link(target) => (0o120_777, target.as_bytes()),
            What::Device => (0o020_666, b""),
            What::Pipe => (0o010_666, b""),
            What::HardLink(_) => unreachable!("a zip file has no hard links"),
        };
        let name = if mode == 0o040_755 { [name, &b"/"[..]].concat() } else { name.to_vec() };
        let entry =
            archive.new_file(EntryPath::verbatim(name)).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = entry.unix_permissions(mode).start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::best()));
        writer.write_all(bytes).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// Overwrites two or four bytes at an offset of each record of a zip file's directory.
pub fn patch_directory(zip: &mut [u8], offset: usize, value: &[u8]) {
    let records: Vec<usize> = (0..zip.len() - 4).filter(|at| zip[*at..].starts_with(b"PK\x01\x02")).collect();
    for at in records {
        zip[at + offset..at + offset + value.len()].copy_from_slice(value);
    }
}
