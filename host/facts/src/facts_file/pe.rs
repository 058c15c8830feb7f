//! The smallest Windows program file that carries a version: headers, one section, and in it one version resource
//! with its fixed part alone.
//!
//! The layout is that of the [PE format](https://learn.microsoft.com/windows/win32/debug/pe-format) and of
//! [VS_VERSIONINFO](https://learn.microsoft.com/windows/win32/menurc/vs-versioninfo).

/// Where the section begins, in the file and in memory.
const SECTION_OFFSET: u32 = 0x200;
const SECTION_ADDRESS: u32 = 0x1000;
const FILE_ALIGNMENT: u32 = 0x200;
const PE_OFFSET: u32 = 0x40;
const OPTIONAL_HEADER_SIZE: u16 = 240;
const DATA_DIRECTORIES: u32 = 16;
const RESOURCE_DIRECTORY: u32 = 2;
/// Where the parts of the resource section begin: a directory with one entry has 24 bytes.
const NAMES: u32 = 24;
const LANGUAGES: u32 = 48;
const DATA_ENTRY: u32 = 72;
const DATA: u32 = 88;
/// RT_VERSION, the name of its one resource, and US English.
const VERSION_TYPE: u32 = 16;
const VERSION_NAME: u32 = 1;
const LANGUAGE: u32 = 0x409;
/// An entry that leads to a directory and not to data.
const IS_DIRECTORY: u32 = 0x8000_0000;

/// The bytes of a PE32+ program whose file version is `version`.
pub(super) fn with_version(version: [u16; 4]) -> Vec<u8> {
    let section = resources(&version_info(version));
    let mut file = headers(section.len());
    pad(&mut file, SECTION_OFFSET);
    file.extend(section);
    pad(&mut file, SECTION_OFFSET + FILE_ALIGNMENT);
    file
}

fn headers(section_size: usize) -> Vec<u8> {
    let section_size = u32::try_from(section_size).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    out.extend(b"MZ");
    pad(&mut out, 0x3c);
    u32s(&mut out, &[PE_OFFSET]);
    // The COFF header: x64, one section, no symbols.
    out.extend(b"PE\0\0");
    u16s(&mut out, &[0x8664, 1]);
    u32s(&mut out, &[0, 0, 0]);
    u16s(&mut out, &[OPTIONAL_HEADER_SIZE, 0x22]);
    // The optional header of PE32+: no code, loaded at 0x140000000.
    u16s(&mut out, &[0x20b, 0]);
    u32s(&mut out, &[0, FILE_ALIGNMENT, 0, 0, 0]);
    u32s(&mut out, &[0x4000_0000, 1]);
    u32s(&mut out, &[SECTION_ADDRESS, FILE_ALIGNMENT]);
    u16s(&mut out, &[6, 0, 0, 0, 6, 0]);
    u32s(&mut out, &[0, 2 * SECTION_ADDRESS, SECTION_OFFSET, 0]);
    u16s(&mut out, &[2, 0]);
    u32s(&mut out, &[0x10_0000, 0, 0x1000, 0, 0x10_0000, 0, 0x1000, 0]);
    u32s(&mut out, &[0, DATA_DIRECTORIES]);
    for directory in 0..DATA_DIRECTORIES {
        let is_ours = directory == RESOURCE_DIRECTORY;
        u32s(&mut out, &if is_ours { [SECTION_ADDRESS, section_size] } else { [0, 0] });
    }
    // The header of the section: initialised data, for reading.
    out.extend(b".rsrc\0\0\0");
    u32s(&mut out, &[section_size, SECTION_ADDRESS, FILE_ALIGNMENT, SECTION_OFFSET, 0, 0, 0, 0x4000_0040]);
    out
}

/// Three levels of directories (type, name, language) that lead to one resource.
fn resources(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (id, next) in [
        (VERSION_TYPE, IS_DIRECTORY | NAMES),
        (VERSION_NAME, IS_DIRECTORY | LANGUAGES),
        (LANGUAGE, DATA_ENTRY),
    ] {
        u32s(&mut out, &[0, 0, 0]);
        u16s(&mut out, &[0, 1]);
        u32s(&mut out, &[id, next]);
    }
    u32s(&mut out, &[SECTION_ADDRESS + DATA, u32::try_from(data.len()).unwrap_or(u32::MAX), 0, 0]);
    out.extend(data);
    out
}

fn version_info([a, b, c, d]: [u16; 4]) -> Vec<u8> {
    const FIXED_SIZE: u16 = 52;
    const LENGTH: u16 = 40 + FIXED_SIZE;
    let version = [u32::from(a) << 16 | u32::from(b), u32::from(c) << 16 | u32::from(d)];
    let mut out = Vec::new();
    u16s(&mut out, &[LENGTH, FIXED_SIZE, 0]);
    out.extend("VS_VERSION_INFO\0".encode_utf16().flat_map(u16::to_le_bytes));
    u16s(&mut out, &[0]);
    u32s(&mut out, &[0xFEEF_04BD, 0x1_0000]);
    u32s(&mut out, &version);
    u32s(&mut out, &version);
    u32s(&mut out, &[0x3f, 0, 0x4_0004, 1, 0, 0, 0]);
    out
}

fn u16s(out: &mut Vec<u8>, numbers: &[u16]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn u32s(out: &mut Vec<u8>, numbers: &[u32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn pad(out: &mut Vec<u8>, length: u32) {
    out.resize(out.len().max(usize::try_from(length).unwrap_or(usize::MAX)), 0);
}
