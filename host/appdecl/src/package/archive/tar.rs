//! A tar file within gzip (POSIX.1-2024 `pax`, and the long names of GNU tar), read as one stream.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _};
use std::ops::ControlFlow;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use tar::{EntryType, Header, PaxExtensions};

use super::{ALWAYS_UNPACKED, ArchiveFault, Item, Kind, LONGEST_TARGET, MOST_GROWTH, MOST_UNPACKED, named};

/// The most bytes of a header that only says more of the next one.
const LONGEST_EXTENSION: u64 = 64 << 10;

/// The most bytes of the stream itself: those of the files, their headers and what fills blocks up.
const MOST_STREAMED: u64 = MOST_UNPACKED + (256 << 20);

pub(super) fn walk(
    mut file: &File,
    each: &mut dyn FnMut(Item, &mut dyn Read) -> ControlFlow<()>,
) -> Result<(), ArchiveFault> {
    file.rewind()?;
    let packed = Rc::new(Cell::new(0));
    let counted = Counted { file, bytes: Rc::clone(&packed) };
    let unpacked = MultiGzDecoder::new(BufReader::with_capacity(32 << 10, counted));
    let mut archive = tar::Archive::new(Bounded { unpacked, packed, bytes: 0 });
    let mut more = More::default();
    let mut sizes = 0_u64;
    for entry in archive.entries()?.raw(true) {
        let mut entry = entry?;
        if more.take_in(&mut entry)? {
            continue;
        }
        let Some(item) = more.item(entry.header(), entry.size())? else { continue };
        if matches!(item.kind, Kind::File) {
            sizes = sizes.saturating_add(item.size);
            if sizes > MOST_UNPACKED {
                return Err(ArchiveFault::TooLarge);
            }
        }
        if each(item, &mut entry).is_break() {
            return Ok(());
        }
    }
    // The checksum stands behind everything.
    io::copy(&mut archive.into_inner(), &mut io::sink())?;
    Ok(())
}

/// What earlier headers said of the next one.
#[derive(Default)]
struct More {
    path: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl More {
    /// Whether this entry only says more of the next one.
    fn take_in(&mut self, entry: &mut tar::Entry<'_, impl Read>) -> Result<bool, ArchiveFault> {
        let kind = entry.header().entry_type();
        let is_extension = kind.is_gnu_longname()
            || kind.is_gnu_longlink()
            || kind.is_pax_local_extensions()
            || kind.is_pax_global_extensions();
        if !is_extension {
            return Ok(false);
        }
        if entry.size() > LONGEST_EXTENSION {
            return Err(ArchiveFault::Damaged(format!("a header of {} bytes", entry.size())));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if kind.is_gnu_longname() {
            self.path = Some(before_nul(bytes));
        } else if kind.is_gnu_longlink() {
            self.target = Some(before_nul(bytes));
        } else if kind.is_pax_local_extensions() {
            for record in PaxExtensions::new(&bytes) {
                let record = record?;
                match record.key_bytes() {
                    b"path" => self.path = Some(record.value_bytes().to_vec()),
                    b"linkpath" => self.target = Some(record.value_bytes().to_vec()),
                    b"size" => self.size = record.value().ok().and_then(|size| size.parse().ok()),
                    key if key.starts_with(b"GNU.sparse") => self.is_sparse = true,
                    _ => {}
                }
            }
        }
        Ok(true)
    }

    /// The thing that a header is of; none for the root itself.
    fn item(&mut self, header: &Header, size: u64) -> Result<Option<Item>, ArchiveFault> {
        let Self { path, target, size: other_size, is_sparse } = std::mem::take(self);
        let name = path.unwrap_or_else(|| header.path_bytes().into_owned());
        let (path, exact) = named(&name);
        let unsupported =
            |what: &str| Err(ArchiveFault::Unsupported { name: path.clone(), what: what.to_owned() });
        let kind = match header.entry_type() {
            EntryType::Regular | EntryType::Continuous if name.ends_with(b"/") => Kind::Folder,
            EntryType::Regular | EntryType::Continuous => Kind::File,
            EntryType::Directory => Kind::Folder,
            EntryType::Symlink => {
                let target = target.or_else(|| header.link_name_bytes().map(std::borrow::Cow::into_owned));
                let mut target = target.unwrap_or_default();
                target.truncate(LONGEST_TARGET as usize);
                Kind::Link(target)
            }
            EntryType::Char | EntryType::Block | EntryType::Fifo => Kind::Other,
            EntryType::Link => return unsupported("a hard link"),
            EntryType::GNUSparse => return unsupported("a file with holes"),
            _ => return unsupported("of a kind that is not known"),
        };
        if is_sparse {
            return unsupported("a file with holes");
        }
        if other_size.is_some_and(|other| other != size) {
            return unsupported("a file with two sizes");
        }
        if path.is_empty() && matches!(kind, Kind::Folder) {
            return Ok(None);
        }
        let executable = header.mode().is_ok_and(|mode| mode & 0o111 != 0);
        Ok(Some(Item { path, exact, kind, size, executable }))
    }
}

fn before_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.iter().position(|byte| *byte == 0);
    bytes.truncate(end.unwrap_or(bytes.len()));
    bytes
}

/// Counts what is read of the file.
struct Counted<'f> {
    file: &'f File,
    bytes: Rc<Cell<u64>>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes.set(self.bytes.get().saturating_add(count as u64));
        Ok(count)
    }
}

/// Ends where more comes out than the bounds allow for what was read.
struct Bounded<R> {
    unpacked: R,
    packed: Rc<Cell<u64>>,
    bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.unpacked.read(buffer)?;
        self.bytes = self.bytes.saturating_add(count as u64);
        if self.bytes > MOST_STREAMED {
            return Err(io::Error::other(ArchiveFault::TooLarge));
        }
        if self.bytes > ALWAYS_UNPACKED.saturating_add(self.packed.get().saturating_mul(MOST_GROWTH)) {
            return Err(io::Error::other(ArchiveFault::Grows));
        }
        Ok(count)
    }
}
