//! The bytes of a runtime file: one JSON object with nothing after it (SPEC §6.1).

use crate::json::{self, Value};

/// The most levels of lists and mappings.
const LEVELS: usize = 64;

/// Reads UTF-8 with at most one byte-order mark, or UTF-16 with one. None where the bytes are anything else than one JSON
/// object without duplicate keys.
pub fn object(bytes: &[u8]) -> Option<Value> {
    let text = text(bytes)?;
    let value = json::parse(&text, LEVELS).ok()?;
    (matches!(value, Value::Mapping(_)) && !value.has_duplicates()).then_some(value)
}

fn text(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_and_nothing_else_is_read() {
        assert!(object(b"{\"a\": [1]} \n").is_some());
        for bad in [
            &b""[..],
            b"[]",
            b"4242",
            b"{} {}",
            b"{}x",
            b"{\"a\":1,\"a\":1}",
            b"{\"a\":{\"b\":1,\"b\":2}}",
            b"{\"a\":\xff}",
        ] {
            assert!(object(bad).is_none(), "{bad:?}");
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(object(deep.as_bytes()).is_none());
    }

    #[test]
    fn utf16_is_read_with_a_mark_and_whole() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert!(object(&wide("\u{feff}{\"a\": 1}")).is_some());
        assert!(object(&wide("{\"a\": 1}")).is_none(), "without a mark");
        assert!(object(&[wide("\u{feff}{}"), vec![0x20]].concat()).is_none(), "half a unit");
        assert!(
            object(&[wide("\u{feff}{\"a\":\""), vec![0x00, 0xd8], wide("\"}")].concat()).is_none(),
            "half a pair"
        );
        assert!(object(&wide("\u{feff}\u{feff}{}")).is_none(), "two marks");
    }
}
