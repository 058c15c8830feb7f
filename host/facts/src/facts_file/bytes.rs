//! The contents of files as they are written: `text`, `base64`, `plist`, `pe_version`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::reader::{Reader, shown};
use super::{pe, plist};
use crate::document::{Mapping, Node};

/// The members that give a file its contents. One of them at most.
pub(super) const MEMBERS: [&str; 4] = ["text", "base64", "plist", "pe_version"];

/// The contents that a mapping gives, if any.
pub(super) fn read(reader: &mut Reader, mapping: Mapping<'_>) -> Option<Vec<u8>> {
    let mut given = mapping.members().filter(|member| MEMBERS.contains(&member.key));
    let first = given.next()?;
    if let Some(second) = given.find(|second| second.key != first.key) {
        reader.fault(
            second.key_span,
            format!(
                "`{}` gives the file its contents, and so does `{}`; one is enough",
                second.key, first.key
            ),
        );
        return None;
    }
    match first.key {
        "text" => reader.text(first.value, "`text`").map(|text| text.as_bytes().to_vec()),
        "base64" => base64(reader, first.value),
        "plist" => plist::bytes(reader, first.value),
        _ => pe_version(reader, first.value),
    }
}

/// Bytes in base64, padded; white space is passed over.
pub(super) fn base64(reader: &mut Reader, node: Node<'_>) -> Option<Vec<u8>> {
    let mut written = reader.text(node, "`base64`")?.as_bytes().to_vec();
    written.retain(|byte| !byte.is_ascii_whitespace());
    match STANDARD.decode(&written) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            let reason = error.to_string();
            let reason = reason.trim_end_matches('.');
            reader
                .fault(node.span(), format!("`base64` is not base64 with padding: {reason}").to_lowercase());
            None
        }
    }
}

fn pe_version(reader: &mut Reader, node: Node<'_>) -> Option<Vec<u8>> {
    let written = reader.text(node, "`pe_version`")?;
    // `parse` takes a sign.
    let number = |part: &str| part.parse::<u16>().ok().filter(|_| !part.starts_with('+'));
    let parts: Vec<_> = written.split('.').map(number).collect();
    match parts.as_slice() {
        [Some(a), Some(b), Some(c), Some(d)] => Some(pe::with_version([*a, *b, *c, *d])),
        _ => {
            let found = shown(node);
            reader.fault(
                node.span(),
                format!(
                    "`pe_version` must be four numbers from 0 to 65535, such as `2.3.0.0`, found {found}"
                ),
            );
            None
        }
    }
}
