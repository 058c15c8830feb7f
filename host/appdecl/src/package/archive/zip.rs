//! A zip file (PKWARE's APPNOTE 6.3.10), listed by its central directory. Files are stored or deflated; nothing else is read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, CreatorSystem, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
};

use super::{ALWAYS_UNPACKED, ArchiveFault, Item, Kind, LONGEST_TARGET, MOST_GROWTH, MOST_UNPACKED, named};

/// Where Unix keeps the type of a file in its mode.
const TYPE: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

pub(super) fn walk(
    file: &File,
    each: &mut dyn FnMut(Item, &mut dyn Read) -> ControlFlow<()>,
) -> Result<(), ArchiveFault> {
    let length = file.metadata()?.len();
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file.try_clone()?, &mut buffer).map_err(|error| damaged(&error))?;
    let expected = archive.entries_hint();
    let mut entries = archive.entries(&mut buffer);
    let mut sums = Sums::default();
    while let Some(entry) = entries.next_entry().map_err(|error| damaged(&error))? {
        sums.add(&entry, length)?;
        if sums.count > expected {
            break;
        }
        let mut bytes = Bytes {
            archive: &archive,
            at: entry.wayfinder(),
            method: entry.compression_method(),
            opened: None,
        };
        let Some(item) = item(&entry, &mut bytes)? else { continue };
        if each(item, &mut bytes).is_break() {
            return Ok(());
        }
    }
    if sums.count == expected {
        Ok(())
    } else {
        Err(ArchiveFault::Damaged(format!("its directory does not have the {expected} entries it speaks of")))
    }
}

/// What all entries come to so far.
#[derive(Default)]
struct Sums {
    count: u64,
    packed: u64,
    unpacked: u64,
}

impl Sums {
    fn add(&mut self, entry: &ZipFileHeaderRecord<'_>, length: u64) -> Result<(), ArchiveFault> {
        self.count += 1;
        self.packed = self.packed.saturating_add(entry.compressed_size_hint());
        self.unpacked = self.unpacked.saturating_add(entry.uncompressed_size_hint());
        if self.unpacked > MOST_UNPACKED {
            return Err(ArchiveFault::TooLarge);
        }
        // The entries overlap, or the file is cut off.
        if self.packed > length {
            return Err(ArchiveFault::Damaged("its entries have more bytes than the file".to_owned()));
        }
        if self.unpacked > ALWAYS_UNPACKED.saturating_add(self.packed.saturating_mul(MOST_GROWTH)) {
            return Err(ArchiveFault::Grows);
        }
        Ok(())
    }
}

/// The thing that an entry is of; none for the root itself.
fn item(entry: &ZipFileHeaderRecord<'_>, bytes: &mut Bytes<'_>) -> Result<Option<Item>, ArchiveFault> {
    let (path, exact) = named(entry.file_path().as_bytes());
    let unsupported =
        |what: &str| Err(ArchiveFault::Unsupported { name: path.clone(), what: what.to_owned() });
    let size = entry.uncompressed_size_hint();
    // Other systems have no such types, and what stands there is no type.
    let is_unix =
        [CreatorSystem::UNIX, CreatorSystem::MACOS].contains(&entry.version_made_by().creator_system());
    let mode = if is_unix { entry.external_attributes() >> 16 } else { 0 };
    let kind = match mode & TYPE {
        _ if entry.is_dir() => Kind::Folder,
        FOLDER => Kind::Folder,
        REGULAR | 0 => Kind::File,
        LINK => Kind::Link(Vec::new()),
        _ => Kind::Other,
    };
    if matches!(kind, Kind::File | Kind::Link(_)) {
        if entry.flags().is_encrypted() || entry.flags().has_strong_encryption() {
            return unsupported("which is encrypted");
        }
        if ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&entry.compression_method()) {
            return unsupported("which is neither stored nor deflated");
        }
    }
    let kind = match kind {
        Kind::Link(mut target) => {
            bytes.take(LONGEST_TARGET).read_to_end(&mut target)?;
            Kind::Link(target)
        }
        kind => kind,
    };
    if path.is_empty() && matches!(kind, Kind::Folder) {
        return Ok(None);
    }
    Ok(Some(Item { path, exact, kind, size, executable: mode & 0o111 != 0 }))
}

/// The bytes of an entry, looked up when the first is read. Their number and checksum are compared at their end.
struct Bytes<'a> {
    archive: &'a ZipArchive<FileReader>,
    at: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    opened: Option<Box<dyn Read + 'a>>,
}

impl<'a> Bytes<'a> {
    fn open(&self) -> io::Result<Box<dyn Read + 'a>> {
        let entry = self.archive.get_entry(self.at).map_err(|error| io::Error::other(damaged(&error)))?;
        Ok(if self.method == CompressionMethod::STORE {
            Box::new(entry.verifying_reader(entry.reader()))
        } else {
            Box::new(entry.verifying_reader(DeflateDecoder::new(entry.reader())))
        })
    }
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => self.open()?,
        };
        self.opened.insert(opened).read(buffer)
    }
}

fn damaged(error: &rawzip::Error) -> ArchiveFault {
    ArchiveFault::Damaged(error.to_string())
}
