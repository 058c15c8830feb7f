//! The version of a Windows program, from ranges of its file (SPEC §5.3).
//!
//! The layout is Microsoft's "PE Format" and "VS_VERSIONINFO structure". Which resource counts is what `GetFileVersionInfo`
//! takes: type 16 (`RT_VERSION`), name 1 (`VS_VERSION_INFO`), and of several languages the neutral one, then US English, then
//! the first. Windows would ask for the user's own language in between; that is left out, so that the same file has the
//! same version for everybody.
//!
//! Nothing is followed twice: the way has a fixed number of steps, each one read of a bounded length.

use crate::facts::Answer;

use super::Unreadable;

const NO_PROGRAM: Unreadable = Unreadable("the file is no Windows program");
const CUT_OFF: Unreadable = Unreadable("the program ends before its version resource");
const NO_RESOURCE: Unreadable = Unreadable("the program has no version resource");
const MALFORMED: Unreadable = Unreadable("the resources of the program are malformed");
const OUT_OF_RANGE: Unreadable = Unreadable("the resources of the program lie in no section, or in several");

/// The most that a host hands over in one read, in bytes.
const LONGEST_READ: usize = 65_536;

/// The version that a program's `VS_FIXEDFILEINFO` gives, as `a.b.c.d`, PE32 and PE32+ alike.
///
/// `read` answers a range of the file: an offset and a length in bytes, at most 65,536; fewer bytes come back where the file
/// ends before. It is asked at most 11 times.
///
/// # Errors
///
/// [`Unreadable`] where a read has no answer; where the file is no PE file, ends too early, has no version resource, one
/// without a fixed part or one that is all zero; and where anything on the way to it points out of range, at itself, or into
/// two sections at once.
///
/// ```
/// use appdecl_guest::decode::pe::file_version;
///
/// let file = b"#!/bin/sh\n";
/// let mut read = |offset: u64, length: u32| {
///     let rest = usize::try_from(offset).ok().and_then(|from| file.get(from..)).unwrap_or_default();
///     Ok(rest.iter().copied().take(length as usize).collect())
/// };
/// assert_eq!(file_version(&mut read).unwrap_err().reason(), "the file is no Windows program");
/// ```
pub fn file_version(read: &mut dyn FnMut(u64, u32) -> Answer<Vec<u8>>) -> Result<String, Unreadable> {
    let mut image = Image::open(File { read })?;
    let types = image.directory(0)?;
    let names_at = find(&types, RT_VERSION).ok_or(NO_RESOURCE)?.directory()?;
    let names = image.directory(names_at)?;
    let languages_at = find(&names, VS_VERSION_INFO).ok_or(NO_RESOURCE)?.directory()?;
    if names_at == 0 || languages_at == 0 || names_at == languages_at {
        return Err(Unreadable("the resources of the program contain themselves"));
    }
    let languages = image.directory(languages_at)?;
    let language = find(&languages, NEUTRAL)
        .or_else(|| find(&languages, US_ENGLISH))
        .or_else(|| languages.first())
        .ok_or(NO_RESOURCE)?;
    let data_at = language.data()?;
    let data = image.resource::<DATA_ENTRY>(data_at)?;
    fixed_version(&mut image, u32_at(&data, 0)?, u32_at(&data, 4)?)
}

const RT_VERSION: u32 = 16;
const VS_VERSION_INFO: u32 = 1;
const NEUTRAL: u32 = 0;
const US_ENGLISH: u32 = 0x409;
const DATA_ENTRY: usize = 16;

/// The version in the `VS_VERSIONINFO` block at an address in memory.
fn fixed_version(image: &mut Image<'_>, address: u32, size: u32) -> Result<String, Unreadable> {
    // Three words, the key with its end and one word of padding, and the 52 bytes of VS_FIXEDFILEINFO.
    const FIXED: usize = 40;
    const BLOCK: usize = FIXED + 52;
    const KEY: &[u8] = b"V\0S\0_\0V\0E\0R\0S\0I\0O\0N\0_\0I\0N\0F\0O\0\0\0";
    const SIGNATURE: u32 = 0xfeef_04bd;

    if usize::try_from(size).is_ok_and(|size| size < BLOCK) {
        return Err(MALFORMED);
    }
    let block = image.memory::<BLOCK>(address)?;
    if !block.get(6..).is_some_and(|rest| rest.starts_with(KEY)) {
        return Err(MALFORMED);
    }
    if u16_at(&block, 2)? == 0 {
        return Err(Unreadable("the version resource has no fixed part"));
    }
    if u32_at(&block, FIXED)? != SIGNATURE {
        return Err(MALFORMED);
    }
    // Each half is stored with its more significant word last.
    let parts = [FIXED + 10, FIXED + 8, FIXED + 14, FIXED + 12].map(|at| u16_at(&block, at));
    match parts {
        [Ok(0), Ok(0), Ok(0), Ok(0)] => Err(Unreadable("the version resource is all zero")),
        [Ok(a), Ok(b), Ok(c), Ok(d)] => Ok(format!("{a}.{b}.{c}.{d}")),
        _ => Err(CUT_OFF),
    }
}

/// A file that is read in ranges.
struct File<'a> {
    read: &'a mut dyn FnMut(u64, u32) -> Answer<Vec<u8>>,
}

impl File<'_> {
    /// The whole of a range, or none of it.
    fn range(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, Unreadable> {
        if length > LONGEST_READ {
            return Err(MALFORMED);
        }
        let asked = u32::try_from(length).map_err(|_| MALFORMED)?;
        let mut bytes = (self.read)(offset, asked).map_err(|fault| Unreadable(fault.name()))?;
        bytes.truncate(length);
        if bytes.len() == length { Ok(bytes) } else { Err(CUT_OFF) }
    }

    fn array<const N: usize>(&mut self, offset: u64) -> Result<[u8; N], Unreadable> {
        self.range(offset, N)?.try_into().map_err(|_| CUT_OFF)
    }
}

/// A file, and how its parts are laid out in memory, which is how resources are found.
struct Image<'a> {
    file: File<'a>,
    sections: Vec<Section>,
    /// Where the resources begin in memory.
    resources: u32,
}

#[derive(Clone, Copy)]
struct Section {
    address: u32,
    size: u32,
    offset: u32,
}

impl<'a> Image<'a> {
    fn open(mut file: File<'a>) -> Result<Self, Unreadable> {
        const DOS_HEADER: usize = 64;
        // The signature, the file header, and the optional header of PE32+ up to the place of the resources.
        const HEADERS: usize = 24 + 136;
        const OPTIONAL: usize = 24;
        const SECTION: usize = 40;

        let dos =
            file.array::<DOS_HEADER>(0).map_err(|fault| if fault == CUT_OFF { NO_PROGRAM } else { fault })?;
        let headers_at = u64::from(u32_at(&dos, 60)?);
        let headers = file.array::<HEADERS>(headers_at)?;
        if !dos.starts_with(b"MZ") || !headers.starts_with(b"PE\0\0") {
            return Err(NO_PROGRAM);
        }
        let directories = OPTIONAL
            + match u16_at(&headers, OPTIONAL)? {
                0x10b => 96,
                0x20b => 112,
                _ => return Err(NO_PROGRAM),
            };
        // The third of the data directories; one that is not counted, or lies behind the header, is none.
        let optional_size = usize::from(u16_at(&headers, 20)?);
        let resources = u32_at(&headers, directories + 16)?;
        let is_there = u32_at(&headers, directories - 4)? > 2
            && OPTIONAL + optional_size >= directories + 24
            && resources != 0
            && u32_at(&headers, directories + 20)? != 0;
        if !is_there {
            return Err(NO_RESOURCE);
        }
        let count = usize::from(u16_at(&headers, 6)?);
        let table_at = headers_at + u64::from(u16_at(&headers, 20)?) + 24;
        let table = file.range(table_at, count * SECTION)?;
        let sections = table.chunks_exact(SECTION).map(Section::read).collect::<Result<_, _>>()?;
        Ok(Self { file, sections, resources })
    }

    /// Bytes by their address in memory. They lie whole in one section and in no other.
    fn memory_range(&mut self, address: u32, length: usize) -> Result<Vec<u8>, Unreadable> {
        let mut holders = self.sections.iter().filter(|section| section.holds(address));
        let (Some(section), None) = (holders.next(), holders.next()) else { return Err(OUT_OF_RANGE) };
        let within = u64::from(address) - u64::from(section.address);
        let end = u64::try_from(length).map_err(|_| OUT_OF_RANGE)? + within;
        if end > u64::from(section.size) {
            return Err(OUT_OF_RANGE);
        }
        self.file.range(u64::from(section.offset) + within, length)
    }

    fn memory<const N: usize>(&mut self, address: u32) -> Result<[u8; N], Unreadable> {
        self.memory_range(address, N)?.try_into().map_err(|_| CUT_OFF)
    }

    /// Bytes by their distance from the begin of the resources.
    fn resource<const N: usize>(&mut self, offset: u32) -> Result<[u8; N], Unreadable> {
        self.memory(self.resources.checked_add(offset).ok_or(OUT_OF_RANGE)?)
    }

    /// The entries of a resource directory that have a number; those with a name stand before them.
    fn directory(&mut self, offset: u32) -> Result<Vec<Entry>, Unreadable> {
        const HEADER: u32 = 16;
        const ENTRY: usize = 8;

        let header = self.resource::<{ HEADER as usize }>(offset)?;
        let named = usize::from(u16_at(&header, 12)?);
        let count = named + usize::from(u16_at(&header, 14)?);
        if count == 0 {
            return Ok(Vec::new());
        }
        let begin = self.resources.checked_add(offset).and_then(|begin| begin.checked_add(HEADER));
        let bytes = self.memory_range(begin.ok_or(OUT_OF_RANGE)?, count * ENTRY)?;
        let entries = bytes.chunks_exact(ENTRY).map(Entry::read).collect::<Result<Vec<_>, _>>()?;
        // A count that is off by one would pass one language off as another.
        if entries.iter().enumerate().any(|(index, entry)| entry.is_named() != (index < named)) {
            return Err(MALFORMED);
        }
        Ok(entries.into_iter().skip(named).collect())
    }
}

impl Section {
    fn read(header: &[u8]) -> Result<Self, Unreadable> {
        Ok(Self { address: u32_at(header, 12)?, size: u32_at(header, 16)?, offset: u32_at(header, 20)? })
    }

    fn holds(&self, address: u32) -> bool {
        address.checked_sub(self.address).is_some_and(|within| within < self.size)
    }
}

/// An entry of a resource directory.
struct Entry {
    /// Its number, or with the highest bit set where its name is.
    number: u32,
    /// Where it leads, from the begin of the resources; the highest bit tells directories from data.
    to: u32,
}

impl Entry {
    const DIRECTORY: u32 = 1 << 31;
    const NAMED: u32 = 1 << 31;

    fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        Ok(Self { number: u32_at(bytes, 0)?, to: u32_at(bytes, 4)? })
    }

    fn is_named(&self) -> bool {
        self.number & Self::NAMED != 0
    }

    fn directory(&self) -> Result<u32, Unreadable> {
        if self.to & Self::DIRECTORY == 0 { Err(MALFORMED) } else { Ok(self.to & !Self::DIRECTORY) }
    }

    fn data(&self) -> Result<u32, Unreadable> {
        if self.to & Self::DIRECTORY == 0 { Ok(self.to) } else { Err(MALFORMED) }
    }
}

fn find(entries: &[Entry], number: u32) -> Option<&Entry> {
    entries.iter().find(|entry| entry.number == number)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Unreadable> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Unreadable> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Unreadable> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().ok_or(CUT_OFF)
}
