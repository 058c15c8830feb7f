//! The forms that Windows has for paths, text, registry values and points in time. No call is made here.

use crate::{Fault, FaultCode, Value};

const REG_SZ: u32 = 1;
const REG_EXPAND_SZ: u32 = 2;
const REG_DWORD: u32 = 4;
const REG_QWORD: u32 = 11;

/// The same place as `path`, which has passed the check of paths, in the form that Windows takes literally: no limit of 260
/// characters, no device names such as `NUL`, no trimming of trailing dots and blanks.
///
/// Windows does not look for `/`, doubled separators and `.` segments in such a path, so they are settled here. A
/// separator at the end is kept: it says that a folder is meant.
///
/// <https://learn.microsoft.com/windows/win32/fileio/naming-a-file#win32-file-namespaces>
pub(super) fn verbatim(path: &str) -> String {
    let mut literal = String::with_capacity(path.len().saturating_add(4));
    literal.push_str(r"\\?\");
    let mut segments = path.split(['\\', '/']);
    literal.push_str(segments.next().unwrap_or_default());
    for segment in segments.filter(|segment| !segment.is_empty() && *segment != ".") {
        literal.push('\\');
        literal.push_str(segment);
    }
    let names_no_segment = literal.len() == r"\\?\C:".len();
    if names_no_segment || path.ends_with(['\\', '/']) {
        literal.push('\\');
    }
    literal
}

/// A registry value from its type and its bytes.
///
/// The types are those of <https://learn.microsoft.com/windows/win32/sysinfo/registry-value-types>. Text is stored with or
/// without a closing NUL: one is taken off, and nothing else. Odd sizes and lone surrogates make it no text.
pub(super) fn value(kind: u32, bytes: &[u8]) -> Value {
    match kind {
        REG_SZ => text(bytes).map_or(Value::Other, Value::Text),
        REG_EXPAND_SZ => text(bytes).map_or(Value::Other, Value::ExpandableText),
        REG_DWORD => {
            <[u8; 4]>::try_from(bytes).map_or(Value::Other, |b| Value::Number(u32::from_le_bytes(b).into()))
        }
        REG_QWORD => {
            <[u8; 8]>::try_from(bytes).map_or(Value::Other, |b| Value::Number(u64::from_le_bytes(b)))
        }
        _ => Value::Other,
    }
}

/// The name of a key for the component: a lone surrogate becomes U+FFFD.
pub(super) fn lossy(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

/// Text as the calls of Windows take it: closed by a NUL, and so without one inside.
pub(super) fn closed(text: &str) -> Result<Vec<u16>, Fault> {
    if text.contains('\0') {
        return Err(Fault::new(FaultCode::Refused, "the text holds a NUL"));
    }
    Ok(text.encode_utf16().chain([0]).collect())
}

/// A FILETIME (100 ns steps since 1601-01-01) in milliseconds since 1970; none for zero, which means unknown, and before.
///
/// <https://learn.microsoft.com/windows/win32/api/minwinbase/ns-minwinbase-filetime>
pub(super) fn milliseconds(high: u32, low: u32) -> Option<u64> {
    const STEPS_TO_1970: u64 = 116_444_736_000_000_000;
    let steps = u64::from(high) << 32 | u64::from(low);
    Some(steps.checked_sub(STEPS_TO_1970)? / 10_000)
}

fn text(bytes: &[u8]) -> Option<String> {
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    String::from_utf16(units.strip_suffix(&[0]).unwrap_or(&units)).ok()
}

#[cfg(test)]
mod tests {
    use super::{REG_DWORD, REG_EXPAND_SZ, REG_QWORD, REG_SZ, closed, lossy, milliseconds, value, verbatim};
    use crate::Value;

    fn wide(units: &[u16]) -> Vec<u8> {
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
    }

    fn of_text(text: &str) -> Vec<u8> {
        wide(&text.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn a_verbatim_path_names_the_same_place_literally() {
        for (path, literal) in [
            (r"C:\", r"\\?\C:\"),
            (r"C:\a\b", r"\\?\C:\a\b"),
            ("C:/a/b", r"\\?\C:\a\b"),
            (r"C:\a\\b\.\c", r"\\?\C:\a\b\c"),
            (r"C:\dir\", r"\\?\C:\dir\"),
            (r"C:\dots...\nul ", r"\\?\C:\dots...\nul "),
            (r"C:\.", r"\\?\C:\"),
        ] {
            assert_eq!(verbatim(path), literal, "{path}");
        }
    }

    #[test]
    fn text_loses_one_closing_nul_and_nothing_else() {
        for (stored, read) in [
            ("Acme\0", "Acme"),
            ("Acme", "Acme"),
            ("a\0b\0\0", "a\0b\0"),
            (" x \0", " x "),
            ("", ""),
            ("\0", ""),
        ] {
            assert_eq!(value(REG_SZ, &of_text(stored)), Value::Text(read.into()));
            assert_eq!(value(REG_EXPAND_SZ, &of_text(stored)), Value::ExpandableText(read.into()));
        }
    }

    #[test]
    fn text_that_is_no_utf_16_is_other() {
        for bytes in [wide(&[0xd800, 0]), wide(&[0x41, 0xdc00, 0x42, 0]), vec![0x41, 0, 0x42]] {
            assert_eq!(value(REG_SZ, &bytes), Value::Other);
        }
        assert_eq!(value(REG_SZ, &wide(&[0xd83d, 0xde00, 0])), Value::Text("\u{1f600}".into()));
    }

    #[test]
    fn numbers_have_exactly_their_size() {
        assert_eq!(value(REG_DWORD, &[1, 0, 0, 0]), Value::Number(1));
        assert_eq!(value(REG_QWORD, &[0, 0, 0, 0, 1, 0, 0, 0]), Value::Number(1 << 32));
        for (kind, bytes) in
            [(REG_DWORD, [1].as_slice()), (REG_DWORD, &[0; 8]), (REG_QWORD, &[0; 4]), (REG_QWORD, &[])]
        {
            assert_eq!(value(kind, bytes), Value::Other);
        }
    }

    #[test]
    fn every_other_type_is_other() {
        for kind in [0, 3, 5, 6, 7, 8, 9, 10, 12, u32::MAX] {
            assert_eq!(value(kind, &[1, 0, 0, 0]), Value::Other, "{kind}");
        }
    }

    #[test]
    fn a_lone_surrogate_in_a_name_is_replaced_and_a_nul_is_kept() {
        assert_eq!(lossy(&[0x41, 0xd800, 0, 0x42]), "A\u{fffd}\0B");
    }

    #[test]
    fn text_with_a_nul_is_never_cut_for_a_call() {
        assert_eq!(closed("Aé").unwrap(), [0x41, 0xe9, 0]);
        assert!(closed("A\0B").is_err());
    }

    #[test]
    fn file_times_count_from_1601() {
        assert_eq!(milliseconds(0x019d_b1de, 0xd53e_8000), Some(0));
        assert_eq!(milliseconds(0x019d_b1de, 0xd53e_8000 + 29_999), Some(2));
        assert_eq!(milliseconds(0, 0), None);
        assert!(milliseconds(u32::MAX, u32::MAX).is_some());
    }
}
