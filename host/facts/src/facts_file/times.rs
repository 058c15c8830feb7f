//! Points in time: milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 has them or as that number.

use std::time::{Duration, UNIX_EPOCH};

use super::reader::{Reader, shown};
use crate::document::{Node, Value};

pub(super) fn read(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<u64> {
    let milliseconds = match node.value() {
        Value::Text(text) => humantime::parse_rfc3339(text).ok().and_then(|time| {
            time.duration_since(UNIX_EPOCH).ok().and_then(|since| u64::try_from(since.as_millis()).ok())
        }),
        Value::Number(number) => number.parse().ok(),
        _ => None,
    };
    if milliseconds.is_none() {
        let found = shown(node);
        reader.fault(
            node.span(),
            format!("{what} must be a time such as `2026-01-01T10:00:00Z` or milliseconds since 1970, found {found}"),
        );
    }
    milliseconds
}

/// A point in time as it is written in a facts file. What lies beyond the year 9999 stays a number.
pub(crate) fn timestamp(milliseconds: u64) -> String {
    const END_OF_9999: u64 = 253_402_300_799_999;
    if milliseconds > END_OF_9999 {
        return milliseconds.to_string();
    }
    let time = UNIX_EPOCH + Duration::from_millis(milliseconds);
    match milliseconds % 1000 {
        0 => humantime::format_rfc3339_seconds(time).to_string(),
        _ => humantime::format_rfc3339_millis(time).to_string(),
    }
}
